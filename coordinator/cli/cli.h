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

/* The whole program behind main(): finds the sub-command and runs it. Returns
 * the exit code. Ignores SIGPIPE and SIGXFSZ, so that a reader that went and a
 * full disk show as failed writes. */
int cli_main(int argc, char **argv);

/* A sub-command: argv[0] is its name. Each reads its flags, prints its results
 * and errors itself and returns the exit code. Several run etna-worker in their
 * place and return only when that cannot be started. */
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
/* argv[1] is "retrieval", "furnish" or "rooms" */
int cmd_bench_worker(int argc, char **argv);
int cmd_furnish(int argc, char **argv);
/* `etna replay` of a folder that `etna furnish` wrote. */
int cmd_replay_room(const char *folder, const char *store_path, bool json);
int cmd_mcp(int argc, char **argv);
int cmd_launch(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_serve_builtin(int argc, char **argv);
int cmd_scene(int argc, char **argv);

/* ---- what commands share (cli.c) ---- */

/* Reads the flags of `command` (proto/flags.h). Returns the index of the first
 * argument that is no flag, at least 1. 0: the command ends with *ret_exit,
 * since help was asked for and printed, or a flag was wrong and the user was
 * told. */
int cli_flags(const char *command,
              int argc,
              char **argv,
              const flags_row *flags,
              const char *help,
              int *ret_exit);
/* Prints "etna: TEXT" on stderr as one line, with control characters
 * escaped, and returns the exit code of the error. Where the command was
 * given --json, stdout gets the error as a document too, so that a script
 * always finds one. */
int cli_fail(const etna_error *err);
/* cli_fail() with ETNA_E_USAGE: exit code 2. */
int cli_usage(const char *format, ...)
    __attribute__((format(printf, 1, 2))); /* the same for exit code 2 */
/* Whether --json stands among the command's words. */
bool cli_errors_are_json(void);
/* A signal ended the command: prints "etna: STATE; NEXT: COMMAND" on stderr
 * (the second half where `command` is not ""), and with --json a document that
 * says the same. `run`: which one was interrupted, or NULL. Returns 128 +
 * number. */
int cli_interrupted(int number,
                    const etna_id *run,
                    const char *state,
                    const char *next,
                    const char *command);
/* Prints `document`, with "schema" added as its first key, on stdout and frees
 * it. NULL (out of memory) prints nothing. Whether all of it has arrived is
 * looked at as the command ends, which fails otherwise. */
void cli_print(const char *schema, json_t *document);
/* Prints a document of proto/error_json.h on stdout and frees it. NULL is
 * fine. */
void cli_print_error(json_t *error);
/* The run that `text` means: a whole name (which need not be in the store), the
 * first four or more digits of one, "last" for the newest, or the folder that
 * its result was written to. ETNA_E_USAGE: it can be none of these, or more
 * than one name begins so; ETNA_E_NOTFOUND: none does; else what opening the
 * store brings. *ret is untouched then. */
etna_code cli_find_run(const char *store_given,
                       const char *text,
                       etna_id *ret,
                       etna_error *err);
/* The same of the runs of the coordinator at `connect`, which is asked only where
 * `text` is no whole name and no folder, and waited for up to `wait_s`; NULL:
 * cli_find_run. */
etna_code cli_find_run_at(const char *connect,
                          uint32_t wait_s,
                          const char *store_given,
                          const char *text,
                          etna_id *ret,
                          etna_error *err);

/* The store's directory by place_of_store(): `given` (--store), $ETNA_STORE,
 * $XDG_DATA_HOME/etna, ~/.local/share/etna. It need not exist. */
etna_code cli_store_path(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err);
/* store_open() with a command's usual options. `endpoint`: where the owner can
 * be spoken to, written into the store for others; NULL with `read_only`. The
 * epoch is at least the time in milliseconds, so that owners on hosts that
 * share nothing but a mirror still get growing ones. ETNA_E_OWNED: another
 * process owns it. */
etna_code cli_open_store(const char *path,
                         const char *endpoint,
                         bool read_only,
                         store **ret_store,
                         etna_error *err);

/* The same for whoever carries runs, at `path` by cli_store_path(`given`). In
 * the user's own folder, which nobody named, a store of an older etna is put
 * aside, which is told, and a new one begins. One that was named is refused. */
etna_code cli_own_store(const char *given,
                        const char *path,
                        const char *endpoint,
                        store **ret_store,
                        etna_error *err);
/* The same with options of the caller's, whose path it is. A store with a
 * mirror counts as named. */
etna_code cli_own_store_as(const char *given,
                           const store_options *options,
                           store **ret_store,
                           etna_error *err);

/* Whether `known` no longer owns the store: it died, or another took over. Also
 * true where the store cannot be read. Cheap: no database is opened. */
bool cli_owner_is_gone(const char *store_path, const store_owner *known);

/* Fills `workers` and `cpus_each` of the options: `workers` (--workers), or
 * where that is 0 one for eight processors and at least two; each gets an equal
 * share of the processors that this process may use. */
void cli_share_processors(shell_options *options, uint32_t workers);

/* Raises the soft limit of open files as far as the system allows, up to
 * 131,072: each connection takes one. Never fails; fewer will do for most. */
void cli_raise_files(void);

/* The state to show a user. A row says "running" also when its owner was
 * killed; that is shown as suspended, since nobody works on it. */
uint32_t cli_shown_state(const store_run *run, const char *store_path);

#endif
