/* The command line: a table of sub-commands, one file each, and what they
 * share. Commands print and return an exit code (ARCHITECTURE.md, Exit codes
 * and files); results go to stdout, everything else to stderr. */
#ifndef ETNA_COORDINATOR_CLI_CLI_H
#define ETNA_COORDINATOR_CLI_CLI_H

#include "coordinator/shell/shell.h"
#include "proto/error.h"
#include "proto/flags.h"
#include "proto/hash.h"
#include "store/store.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

int cli_main(int argc, char **argv);

/* A sub-command: argv[0] is its name. Returns the exit code. */
int cmd_run(int argc, char **argv);
int cmd_batch(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_submit(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_fetch(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_runs(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_cancel(int argc, char **argv);
int cmd_coordinator(int argc, char **argv);
int cmd_drain(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_join(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_read(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_render(int argc, char **argv);
int cmd_solve(int argc, char **argv);
int cmd_assets(int argc, char **argv);
int cmd_bench_retrieval(int argc, char **argv); /* argv[1] is "retrieval" */
int cmd_furnish(int argc, char **argv);
int cmd_mcp(int argc, char **argv);
int cmd_launch(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_serve_builtin(int argc, char **argv);
int cmd_scene(int argc, char **argv);

/* ---- what commands share (cli.c) ---- */

/* The flags of `command` (flags_read): the index of the first argument that is
 * none. 0: the command ends with *ret_exit, as help was asked for and printed,
 * or a flag was wrong and that was told. */
int cli_flags(const char *command,
              int argc,
              char **argv,
              const flags_row *flags,
              const char *help,
              int *ret_exit);
/* Prints "etna: TEXT" as one line, escaped; returns the exit code of the error.
 * Where the command was asked for JSON, stdout gets the error as a document,
 * too. */
int cli_fail(const etna_error *err);
int cli_usage(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* the same for exit code 2 */
bool cli_errors_are_json(void);
/* A signal ended the command: "etna: STATE; NEXT: COMMAND" on stderr, where
 * there is a command, and for who asked for JSON a document of it. `run`: which
 * one that was; NULL. Returns the exit code. */
int cli_interrupted(int number,
                    const etna_id *run,
                    const char *state,
                    const char *next,
                    const char *command);
/* Prints the document with its "schema" on stdout and frees it; the caller
 * looks whether stdout failed. */
void cli_print(const char *schema, json_t *document);
/* one of proto/error_json.h as it is; freed; NULL is fine */
void cli_print_error(json_t *error);
bool cli_run_id(const char *text, etna_id *ret); /* told when it is none */
/* The run that `text` means in the store: its name, the first four or more
 * digits of it, or "last". ETNA_E_USAGE for what can be none of these or begins
 * more than one name, ETNA_E_NOTFOUND. A whole name is not looked for. */
etna_code cli_find_run(const char *store_given,
                       const char *text,
                       etna_id *ret,
                       etna_error *err);

/* The store's directory: `given` (--store), $ETNA_STORE, $XDG_DATA_HOME/etna,
 * ~/.local/share/etna. */
etna_code cli_store_path(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err);
etna_code cli_open_store(const char *path,
                         const char *endpoint,
                         bool read_only,
                         store **ret_store,
                         etna_error *err);

/* Whether the owner that was found of the store holds it no more. */
bool cli_owner_is_gone(const char *store_path, const store_owner *known);

/* How a command's own workers share the machine's processors: `workers` of them
 * (--workers), or where that is 0 one for eight processors and at least two. */
void cli_share_processors(shell_options *options, uint32_t workers);

/* As many open files as the system lets us have: each connection is one. */
void cli_raise_files(void);

/* The state to show: what no living owner runs any more is "suspended". */
uint32_t cli_shown_state(const store_run *run, const char *store_path);

#endif
