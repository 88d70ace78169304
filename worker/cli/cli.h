/* The sub-commands of etna-worker, one file each; the table is in cli.c. `etna`
 * hands geometry over to these, so what they print and return is what
 * ARCHITECTURE.md, Exit codes and files, says of the command. */
#ifndef ETNA_WORKER_CLI_CLI_H
#define ETNA_WORKER_CLI_CLI_H

/* Runs what argv says (argv[0] is the program) and returns the exit code.
 * Without a sub-command the options are those of cmd_connect. */
int worker_cli_main(int argc, char **argv);

/* Each gets argv from its own name on (argv[0] is "check"), prints, and returns
 * the exit code. */
int worker_cmd_connect(
    int argc,
    /* works for a coordinator until told otherwise; argv[0] is the program */
    char **argv);
/* Each runs one command, argv[0] being its name, and returns the exit code. */
int worker_cmd_bundle(int argc, char **argv);
int worker_cmd_check(int argc, char **argv);
int worker_cmd_probe(int argc, char **argv);
int worker_cmd_render(int argc, char **argv);
int worker_cmd_solve(int argc, char **argv);
int worker_cmd_read(int argc, char **argv);
int worker_cmd_info(int argc, char **argv);
int worker_cmd_split(int argc, char **argv);
int worker_cmd_group(int argc, char **argv);
int worker_cmd_export(int argc, char **argv);
int worker_cmd_bench(int argc, char **argv);
int worker_cmd_assets(int argc, char **argv);
int worker_cmd_compose(int argc, char **argv);
int worker_cmd_furnish(int argc, char **argv);
int worker_cmd_serve_builtin(int argc, char **argv);
int worker_cmd_replay(int argc, char **argv);
int worker_cmd_mcp(int argc, char **argv);
int worker_cmd_doctor(int argc, char **argv);
int worker_cmd_judge(int argc, char **argv);
int worker_cmd_prompts(int argc, char **argv);

#endif
