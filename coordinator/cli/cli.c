/* The table of sub-commands and what they share. A new command is a row here, a
 * prototype in cli.h and a file cmd_NAME.c.
 *
 * Begin at cli_main. The rest of the file is what every command needs: how it
 * speaks (cli_print for a document, cli_fail for an error, which returns the
 * exit code, so that a command can end with `return cli_fail(&err)`), how flags
 * are read and help is printed, where the store is and which run a word on the
 * command line means. Output for programs goes to stdout, everything for people
 * that is no answer to stderr. */
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/json_memory.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "proto/cpus.h"
#include "proto/error_json.h"
#include "proto/mapped_files.h"
#include "proto/place.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int cmd_version(int argc, char **argv);
static int cmd_help(int argc, char **argv);

/* In the order in which help lists them: first what a new user needs. */
static const struct command {
    const char *name, *usage, *what;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "run SCENE (--goal TEXT | --steps FILE) [-o DIR] [--json]",
     "arrange", cmd_run},
    {"resume", "resume RUN [-o DIR] [--json]",
     "go on with a run that was suspended or killed", cmd_resume},
    {"batch", "batch LIST.jsonl -o DIR [--connect URL]",
     "arrange many scenes, one a line", cmd_batch},
    {"bench",
     "bench run SUITE.json -o DIR | score|table|compare DIR | retrieval SET.json | furnish PROMPTS",
     "how well it does on many scenes or queries", cmd_bench},
    {"submit", "submit SCENE (--goal TEXT | --steps FILE) [--connect URL]",
     "hand a run over, print its name", cmd_submit},
    {"attach", "attach RUN [-o DIR] [--connect URL]",
     "stay with a run until it ends", cmd_attach},
    {"fetch", "fetch RUN -o DIR [--connect URL]",
     "write what an ended run left", cmd_fetch},
    {"runs", "runs [--json] [--connect URL]", "list runs, newest first",
     cmd_runs},
    {"show", "show RUN [--conversation NODE] [--json | --html FILE]",
     "a run's narration and its tree, or a page to send", cmd_show},
    {"replay", "replay RUN [--json]",
     "decide and compute a run again from what is kept of it", cmd_replay},
    {"cancel", "cancel RUN", "end a run; what was kept is lost to it",
     cmd_cancel},
    {"read", "read \"SENTENCE\" [SCENE] [--json]",
     "what a sentence asks of a scene", cmd_read},
    {"probe", "probe ray|list|plane SCENE ...",
     "what a ray meets, what shows, what a plane is", cmd_probe},
    {"render", "render SCENE -o FILE.png",
     "what a camera sees, with grid or highlights", cmd_render},
    {"solve", "solve SCENE --constraints FILE [-o OUT.glb]",
     "a place for an object by constraints", cmd_solve},
    {"check", "check SCENE [--against ORIGINAL] [--json]",
     "what collides, what floats", cmd_check},
    {"scene", "scene info|split|group|export|compose ...",
     "what a file holds; divide it, or make one of models", cmd_scene},
    {"assets", "assets index|find|ls|show|gc ...",
     "models to bring in, found by words", cmd_assets},
    {"furnish", "furnish --room WxD | SCENE --goal TEXT -o DIR",
     "a room with what words ask for", cmd_furnish},
    {"mcp", "mcp [SCENE] [--root DIR] [--install CLIENT]",
     "serve the tools to an MCP client", cmd_mcp},
    {"doctor", "doctor [--model NAME]",
     "what is wrong here, or what a model can do", cmd_doctor},
    {"store", "store ls|stats|verify|gc|compact|rm|backup|restore",
     "what is kept", cmd_store},
    {"coordinator", "coordinator --listen URL",
     "serve runs to workers that connect", cmd_coordinator},
    {"join", "join [FILE] [--role ROLE] -o OUT | --rotate",
     "tokens for who connects over TCP", cmd_join},
    {"top", "top [--connect URL] [--once]",
     "how a coordinator stands, again and again", cmd_top},
    {"launch", "launch slurm|ssh|systemd|local|kubernetes -o DIR",
     "what starts all of it elsewhere", cmd_launch},
    {"drain", "drain [--connect URL]",
     "let a coordinator end when its runs have", cmd_drain},
    {"simulate", "simulate --seed N | --from N --count M",
     "worlds in which all goes wrong that can", cmd_simulate},
    {"serve-builtin", "serve-builtin [--listen A:P]",
     "the built-in agent as an OpenAI-compatible endpoint", cmd_serve_builtin},
    {"version", "version", "print the version", cmd_version},
    {"help", "help [COMMAND]", "this text, or a command's", cmd_help},
};
/* WHAT_AT: the column at which help explains a command */
enum {
    COMMANDS = COUNT_OF(commands),
    WHAT_AT = 38
};

static int cmd_version(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return cli_usage("version takes no arguments");
    puts("etna " ETNA_VERSION);
    return 0;
}

/* A usage that is too long has its explanation on the next line. */
static void cli_print_help(FILE *to)
{
    fputs(
        "usage: etna COMMAND ...\n\nEtna arranges objects in 3D scenes from a sentence.\n\n",
        to);
    for (int i = 0; i < COMMANDS; i++) {
        const char *usage = commands[i].usage;
        bool fits = strlen(usage) + 2 <= WHAT_AT;
        if (fits) {
            fprintf(to, "  etna %-*s%s\n", WHAT_AT, usage, commands[i].what);
        } else {
            fprintf(to, "  etna %s\n       %*s%s\n", usage, WHAT_AT, "",
                    commands[i].what);
        }
    }
    fputs(
        "\nEach takes --help. Every command that touches the store takes --store DIR (default $ETNA_STORE, else\n"
        "$XDG_DATA_HOME/etna). Exit codes: 0 done; 1 ran, goal not reached; 2 usage; 3 bad input; 4 store or network out of\n"
        "service; 128+signal suspended.\n",
        to);
}

/* NULL: there is none of that name. */
static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    }
    return NULL;
}

/* `etna help X` is `etna X --help`. */
static int cmd_help(int argc, char **argv)
{
    if (argc < 2) {
        cli_print_help(stdout);
        return 0;
    }
    const struct command *command = find_command(argv[1]);
    if (!command)
        return cli_usage("there is no command %s; see `etna help`", argv[1]);
    if (command->run == cmd_help || command->run == cmd_version) {
        printf("usage: etna %s\n%s\n", command->usage, command->what);
        return 0;
    }
    char flag[] = "--help", *args[] = {argv[1], flag, NULL};
    return command->run(2, args);
}

/* set once, before any thread is started */
static bool errors_as_json;

/* Whether whoever called wants failures as JSON on stdout, too. */
bool cli_errors_are_json(void)
{
    return errors_as_json;
}

/* Before the flags are read, since an error in these is to be told as JSON
 * too. */
static void find_json_flag(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!strcmp(argv[i], "--json"))
            errors_as_json = true;
    }
}

/* Memory ended while a document was printed: half of it is there. */
static bool is_document_cut;

/* It has what it wanted of a long list. */
static bool is_reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP));
}

/* A command has done its work only when what it printed has arrived: on a full
 * disk, half of a document would pass for the whole. */
static int cli_printed(int exit_code)
{
    etna_error err = {ETNA_OK, ""};
    bool is_lost = fflush(stdout) || ferror(stdout);
    if (exit_code > 1)
        return exit_code; /* something else failed, and was told */
    if (is_lost && !is_reader_gone()) {
        etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
    } else if (!is_lost && is_document_cut) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory printing the answer");
    }
    return err.code ? cli_fail(&err) : exit_code;
}

/* A name that is no command is a usage error before any flag is read. */
int cli_main(int argc, char **argv)
{
    /* a reader that went away shows as a failed write */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* and a file too large as a full disk */
    if (argc < 2) {
        cli_print_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        name = "version";
    const struct command *command = find_command(name);
    if (!command)
        return cli_usage("there is no command %s; see `etna help`", name);
    find_json_flag(argc - 1, argv + 1);
    mapped_files_guard("etna", errors_as_json);
    return cli_printed(command->run(argc - 1, argv + 1));
}

/* Takes the document; nothing is printed without memory for it, and the command
 * fails then (cli_printed). */
void cli_print(const char *schema, json_t *document)
{
    json_t *whole = error_json_schema(schema, document);
    json_memory_begin();
    if (!whole || json_dumpf(whole, stdout, JSON_INDENT(2)) ||
        json_memory_failed())
        is_document_cut = true;
    if (whole)
        putchar('\n');
    json_decref(whole);
}

/* Takes it; NULL prints nothing. */
void cli_print_error(json_t *error)
{
    if (!error)
        return;
    json_dumpf(error, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(error);
    /* that it fails is told by the exit code that there is already */
    fflush(stdout);
}

/* Returns the exit code of the error, for `return cli_fail(&err)`. */
int cli_fail(const etna_error *err)
{
    cli_print_error(errors_as_json ? error_json(err) : NULL);
    fputs("etna: ", stderr);
    terminal_print(stderr, err->text);
    fputc('\n', stderr);
    return etna_exit_code(err->code);
}

/* For who asked for JSON: the same as on stderr, with the command that goes
 * on. */
static json_t *cli_interrupted_document(int number,
                                        const etna_id *run,
                                        const char *state,
                                        const char *command)
{
    etna_error err;
    char name[33];
    etna_fail(&err, ETNA_E_CANCELLED, "ended by signal %d: %s", number, state);
    json_t *document = error_json(&err);
    json_object_set_new(json_object_get(document, "error"), "do",
                        json_string(command));
    if (!run)
        return document;
    etna_id_hex(run, name);
    json_object_set_new(document, "run", json_string(name));
    return document;
}

/* 128 + signal, as shells have it. */
int cli_interrupted(int number,
                    const etna_id *run,
                    const char *state,
                    const char *next,
                    const char *command)
{
    if (errors_as_json)
        cli_print_error(cli_interrupted_document(number, run, state, command));
    fputs("etna: ", stderr);
    terminal_print(stderr, state);
    if (*command) {
        fprintf(stderr, "; %s: ", next);
        terminal_print(stderr, command);
    }
    fputc('\n', stderr);
    return 128 + number;
}

int cli_usage(const char *format, ...)
{
    etna_error err = {.code = ETNA_E_USAGE};
    va_list args;
    va_start(args, format);
    vsnprintf(err.text, sizeof err.text, format, args);
    va_end(args);
    return cli_fail(&err);
}

/* The index of the first word that is no flag; 0: it ends with *ret_exit. */
int cli_flags(const char *command,
              int argc,
              char **argv,
              const flags_row *flags,
              const char *help,
              int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    bool helped = false;
    int first = 0;
    if (flags_read(command, argc, argv, flags, &helped, &first, &err)) {
        *ret_exit = cli_fail(&err);
        return 0;
    }
    if (!helped)
        return first;
    fputs(help, stdout);
    *ret_exit = 0;
    return 0;
}

/* --store, else $ETNA_STORE, else the user's data folder. */
etna_code cli_store_path(const char *given,
                         char *path,
                         size_t size,
                         etna_error *err)
{
    return place_of_store(given, path, size, err);
}

/* Epochs are times, so that a coordinator's is later than that of every one
 * before it, even with a store that was restored from a copy. */
static store_options cli_store_options(const char *path,
                                       const char *endpoint,
                                       bool read_only)
{
    store_options options = store_options_default();
    options.path = path;
    options.endpoint = endpoint;
    options.read_only = read_only;
    options.epoch_least = (uint64_t)time(NULL) * 1000;
    return options;
}

etna_code cli_open_store(const char *path,
                         const char *endpoint,
                         bool read_only,
                         store **ret_store,
                         etna_error *err)
{
    const store_options options = cli_store_options(path, endpoint, read_only);
    return store_open(&options, ret_store, err);
}

/* Where a mirror is given, its store is somebody's decision, too. */
static bool cli_store_is_chosen(const char *given, const store_options *options)
{
    const char *own = getenv("ETNA_STORE");
    return given || options->mirror || (own && *own);
}

etna_code cli_own_store_as(const char *given,
                           const store_options *options,
                           store **ret_store,
                           etna_error *err)
{
    char aside[PATH_MAX] = "";
    etna_code code = store_open(options, ret_store, err);
    if (code != ETNA_E_MESSAGE || cli_store_is_chosen(given, options))
        return code;
    code = store_put_aside(options->path, aside, sizeof aside, err);
    if (code)
        return code;
    if (*aside) {
        terminal_printf(
            stderr,
            "etna: the runs in %s are of an older etna: they are kept in %s, for that etna with --store; new ones begin",
            options->path, aside);
        fputc('\n', stderr);
    }
    return store_open(options, ret_store, err);
}

etna_code cli_own_store(const char *given,
                        const char *path,
                        const char *endpoint,
                        store **ret_store,
                        etna_error *err)
{
    const store_options options = cli_store_options(path, endpoint, false);
    return cli_own_store_as(given, &options, ret_store, err);
}

/* The one run whose name begins with `text`, or the newest for "last". The runs
 * are sorted, newest first. */
static etna_code pick_run(const store_run *runs,
                          size_t count,
                          const char *text,
                          etna_id *ret,
                          etna_error *err)
{
    size_t found = 0;
    bool last = strcmp(text, "last") == 0;
    for (size_t i = 0; i < count; i++) {
        char name[33];
        etna_id_hex(&runs[i].id, name);
        if (last ? i > 0 : strncmp(name, text, strlen(text)) != 0)
            continue;
        if (found && etna_id_equal(ret, &runs[i].id))
            continue; /* a coordinator's list may have one twice */
        if (found++ == 0)
            *ret = runs[i].id;
    }
    if (last && !count)
        return etna_fail(err, ETNA_E_NOTFOUND, "there are no runs yet");
    if (!found)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "no run's name begins with %s; see `etna runs`", text);
    if (found > 1)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the names of %zu runs begin with %s; give more of it, see `etna runs`",
            found, text);
    return ETNA_OK;
}

/* The run whose result a folder holds, by its run.json: what a user has at hand
 * after `etna run -o OUT`. False: it holds none. */
static bool run_of_folder(const char *folder, etna_id *ret)
{
    enum {
        SIZE_MAX_READ = 64 << 20
    };
    char path[4000];
    struct stat about;
    int n = snprintf(path, sizeof path, "%s/run.json", folder);
    bool is_there = n > 0 && (size_t)n < sizeof path && stat(path, &about) == 0;
    if (!is_there || !S_ISREG(about.st_mode) || about.st_size > SIZE_MAX_READ)
        return false;
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const char *name = json_string_value(json_object_get(document, "run"));
    bool is_named = name && etna_id_parse(name, ret);
    json_decref(document);
    return is_named;
}

/* By its id, or the folder that its result is in: those need no list of runs.
 * *ret_name: it is the first digits of an id, or "last". */
static etna_code run_of_text(const char *text,
                             bool *ret_name,
                             etna_id *ret,
                             etna_error *err)
{
    enum {
        DIGITS_MIN = 4,
        DIGITS = 32
    };
    size_t digits = strspn(text, "0123456789abcdef");
    *ret_name = false;
    if (etna_id_parse(text, ret))
        return ETNA_OK;
    bool is_prefix = !text[digits] && digits >= DIGITS_MIN && digits <= DIGITS;
    *ret_name = strcmp(text, "last") == 0 || is_prefix;
    if (*ret_name || run_of_folder(text, ret))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "%s is no run: a run's name has 32 hexadecimal digits, of which the first four may do, or is "
        "last, or the folder that it was written to; see `etna runs`",
        text);
}

etna_code cli_find_run(const char *store_given,
                       const char *text,
                       etna_id *ret,
                       etna_error *err)
{
    bool is_name;
    etna_code code = run_of_text(text, &is_name, ret, err);
    if (code || !is_name)
        return code;
    etna_arena arena = ETNA_ARENA_INIT;
    store *s = NULL;
    store_run *runs = NULL;
    size_t count = 0;
    char path[4000];
    code = cli_store_path(store_given, path, sizeof path, err);
    if (!code)
        code = cli_open_store(path, NULL, true, &s, err);
    if (!code)
        code = store_list_runs(s, &arena, &runs, &count, err);
    if (!code)
        code = pick_run(runs, count, text, ret, err);
    store_close(s);
    etna_arena_free(&arena);
    return code;
}

etna_code cli_find_run_at(const char *connect,
                          uint32_t wait_s,
                          const char *store_given,
                          const char *text,
                          etna_id *ret,
                          etna_error *err)
{
    bool is_name;
    if (!connect)
        return cli_find_run(store_given, text, ret, err);
    etna_code code = run_of_text(text, &is_name, ret, err);
    if (code || !is_name)
        return code;
    etna_arena arena = ETNA_ARENA_INIT;
    store_run *runs = NULL;
    size_t count = 0;
    code =
        visit_runs_of(connect, store_given, wait_s, &arena, &runs, &count, err);
    if (!code)
        code = pick_run(runs, count, text, ret, err);
    etna_arena_free(&arena);
    return code;
}

/* Also where another process has taken the store over meanwhile. */
bool cli_owner_is_gone(const char *store_path, const store_owner *known)
{
    store_owner now;
    bool alive = false;
    if (store_owner_read(store_path, &now, &alive, NULL))
        return true;
    return !alive || strcmp(now.endpoint, known->endpoint) != 0;
}

/* Without --workers one for eight CPUs: a worker computes with all that it is
 * given. A second one on few CPUs would read the scene and grow its planes
 * anew, which takes longer than it saves; one that dies is started again. */
void cli_share_processors(shell_options *options, uint32_t workers)
{
    const uint32_t cpus = cpus_usable();
    options->workers = workers ? workers : (cpus + 7) / 8;
    options->cpus_each = cpus > options->workers ? cpus / options->workers : 1;
}

/* Every peer of a coordinator takes a file. A system that does not allow more
 * serves fewer. */
void cli_raise_files(void)
{
    enum {
        ENOUGH = 1 << 17
    };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    rlim_t most = files.rlim_max == RLIM_INFINITY || files.rlim_max > ENOUGH
                      ? ENOUGH
                      : files.rlim_max;
    if (files.rlim_cur == RLIM_INFINITY || files.rlim_cur >= most)
        return;
    files.rlim_cur = most;
    setrlimit(RLIMIT_NOFILE, &files); /* fewer will do for most */
}

uint32_t cli_shown_state(const store_run *run, const char *store_path)
{
    store_owner owner;
    bool alive = false;
    if (run->state != RUN_RUNNING ||
        store_owner_read(store_path, &owner, &alive, NULL))
        return run->state;
    bool carried = alive && (owner.epoch == run->epoch || !run->epoch);
    return carried ? RUN_RUNNING : RUN_SUSPENDED;
}
