/* `etna-worker --connect URL`: work for a coordinator. */
#include "proto/flags.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/shell/supervise.h"
#include "worker/shell/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds in which work is finished before the time to leave, where
 * nothing else is said. */
enum {
    LEAVING_GRACE_MS = 20000
};

static const char help[] =
    "usage: etna-worker --connect URL|@FILE [--cpus N] [--threads N] [--slots N] [--conversations N] [--cache DIR]\n"
    "                             [--store DIR] [--parent-fd N] [--mesh-memory MIB] [--no-supervisor] [--cache-size MIB]\n"
    "                             [--grace SECONDS] [--leave-by TIME]\n"
    "Works for the coordinator at URL (ipc://PATH or tcp://HOST:PORT) until it is told to stop.\n\n"
    "  --connect URL   where the coordinator listens; a lost one is waited for\n"
    "  --connect @FILE where it listens, and the token it wants over TCP, as its join file says (etna join)\n"
    "  --store DIR     whose join file is used for tcp://HOST:PORT (default: $ETNA_STORE, else $XDG_DATA_HOME/etna)\n"
    "  --cpus N        processors to reckon with (default: what affinity and cgroup allow)\n"
    "  --threads N     threads that compute (default: one a processor)\n"
    "  --slots N       tasks held at once that compute (default: four a processor)\n"
    "  --conversations N\n"
    "                  tasks held at once with those that wait for a model elsewhere\n"
    "                  (default: 512, or as many as --slots says; at most 16384)\n"
    "  --cache DIR     this host's cache of blobs (default: $XDG_CACHE_HOME/etna, else ~/.cache/etna)\n"
    "  --cache-size MIB\n"
    "                  what the cache may take there; what is unused for longest makes room (default: 8192)\n"
    "  --grace SECONDS how long, once told to end, it goes on with what it holds; what is left then it hands back, so that\n"
    "                  others do it at once (default: until all is finished)\n"
    "  --leave-by TIME ends of itself before TIME, a grace (default here: 20 s) and 5 s earlier taking no more tasks. TIME is\n"
    "                  +SECONDS from now, seconds since 1970 ($SLURM_JOB_END_TIME), or YYYY-MM-DDTHH:MM[:SS] of this host\n"
    "  --parent-fd N   exit when this pipe ends\n"
    "  --mesh-memory MIB\n"
    "                  about how much what is made of one scene's meshes, and can be made again, may take: trees for\n"
    "                  rays, shapes, planes; what is unused for longest makes room ($ETNA_MESH_MEMORY, else 4096); no\n"
    "                  result depends on it\n"
    "  --no-supervisor work in this process itself, for a debugger or a supervisor of your own\n\n"
    "A worker runs in a child, and is started again when that dies by a signal; how it died is told to the coordinator, so\n"
    "that a task which fells its workers is given out alone and at last refused.\n"
    "SIGTERM and SIGINT finish what is held first, or as much as --grace allows, and wait at most a minute for a\n"
    "coordinator that is away; a second one ends at once. SIGHUP dials the coordinator anew. Exit codes:\n"
    "0 when it was told to end, 2 for a wrong option, 4 when it cannot work here, 128 + signal when ended at once: after\n"
    "these but 0 and 2 it may be started again.\n";

/* One line to the log, without control characters: part of it came from the
 * network. */
static void connect_say(void *context, const char *line)
{
    (void)context;
    char clean[1100];
    size_t size = 0;
    for (const char *c = line; *c && size + 1 < sizeof clean;
         c++) { /* a coordinator's words reach a terminal */
        clean[size++] = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    }
    clean[size] = 0;
    fprintf(stderr, "etna-worker: %s\n", clean);
}

static etna_code read_descriptor(const char *name,
                                 const char *value,
                                 void *into,
                                 etna_error *err)
{
    uint64_t fd;
    etna_code code = flags_number(name, value, 0, 65535, &fd, err);
    if (code == ETNA_OK)
        *(int *)into = (int)fd;
    return code;
}

static etna_code read_mebibytes(const char *name,
                                const char *value,
                                void *into,
                                etna_error *err)
{
    uint64_t mebibytes;
    etna_code code = flags_number(name, value, 1, UINT32_MAX, &mebibytes, err);
    if (code == ETNA_OK)
        *(uint64_t *)into = mebibytes << 20;
    return code;
}

static etna_code read_grace(const char *name,
                            const char *value,
                            void *into,
                            etna_error *err)
{
    uint64_t seconds;
    etna_code code = flags_number(name, value, 1, 86400, &seconds, err);
    if (code == ETNA_OK)
        *(uint64_t *)into = seconds * 1000;
    return code;
}

/* Of a clock face: false where it is none. */
static bool connect_local_time(const char *text, time_t *ret)
{
    struct tm when = {.tm_isdst = -1};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M", &when);
    if (end && *end == ':')
        end = strptime(end, ":%S", &when);
    if (!end || *end)
        return false;
    *ret = mktime(&when);
    return *ret != (time_t)-1;
}

/* Into milliseconds since 1970. */
static etna_code read_leave_by(const char *name,
                               const char *value,
                               void *into,
                               etna_error *err)
{
    const uint64_t latest = UINT64_C(1) << 40;
    bool is_span = value[0] == '+';
    uint64_t seconds;
    time_t local;
    if (!is_span && connect_local_time(value, &local) && local > 0) {
        seconds = (uint64_t)local;
    } else if (flags_number(name, value + is_span, 1, latest, &seconds, NULL)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "--%s takes +SECONDS, seconds since 1970 or YYYY-MM-DDTHH:MM, not \"%s\"",
            name, value);
    }
    *(uint64_t *)into = (seconds + (is_span ? (uint64_t)time(NULL) : 0)) * 1000;
    return ETNA_OK;
}

/* A time to leave by asks for a grace as well, in which work is finished. */
static etna_code connect_parse(int argc,
                               char **argv,
                               worker_options *o,
                               bool *ret_unsupervised,
                               bool *ret_help,
                               etna_error *err)
{
    const flags_row flags[] = {
        {"connect", .text = &o->url},
        {"cpus", .number = &o->cpus, .least = 1, .most = 1024},
        {"threads", .number = &o->threads, .least = 1, .most = 1024},
        {"slots", .number = &o->slots, .least = 1, .most = 512},
        {"conversations", .number = &o->conversations, .least = 1,
         .most = WORKER_CONVERSATIONS_MAX},
        {"cache", .text = &o->cache},
        {"cache-size", .read = read_mebibytes, .into = &o->cache_bytes},
        {"grace", .read = read_grace, .into = &o->grace_ms},
        {"leave-by", .read = read_leave_by, .into = &o->leave_at_ms},
        {"store", .text = &o->store},
        {"parent-fd", .read = read_descriptor, .into = &o->parent_fd},
        {"no-supervisor", .yes = ret_unsupervised},
        LOAD_MESH_MEMORY,
        {0}};
    int first = 0;
    etna_code code = flags_read("etna-worker --connect", argc, argv, flags,
                                ret_help, &first, err);
    if (code != ETNA_OK || *ret_help)
        return code;
    if (first < argc) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "there is an argument too many; see `etna-worker --connect --help`");
    }
    if (!o->url)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--connect URL is missing; see `etna-worker --connect --help`");
    if (o->leave_at_ms && !o->grace_ms)
        o->grace_ms = LEAVING_GRACE_MS;
    return ETNA_OK;
}

/* NULL: there is no place for it. Static: lives as long as the program. */
static const char *default_cache(void)
{
    static char path[4096];
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (base && base[0] == '/') {
        snprintf(path, sizeof path, "%s/etna", base);
    } else if (home && home[0] == '/') {
        snprintf(path, sizeof path, "%s/.cache/etna", home);
    }
    return path[0] ? path : NULL;
}

/* A socket for each call that waits for a model: more than many systems' first
 * limit leaves room for beside the rest. */
static void raise_file_limit(uint32_t conversations)
{
    rlim_t wanted = 4096 + (rlim_t)conversations;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == RLIM_INFINITY ||
        files.rlim_cur >= wanted)
        return;
    files.rlim_cur = files.rlim_max == RLIM_INFINITY || files.rlim_max > wanted
                         ? wanted
                         : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files); /* less will do for most runs */
}

/* Runs the worker, unless this process stays as its supervisor. *ret_ended:
 * that one's exit code; -1: this is the worker. */
static etna_code connect_run(worker_options *options,
                             bool supervised,
                             worker_end *ret_end,
                             int *ret_ended,
                             etna_error *err)
{
    bool is_worker = true;
    int ended = 0;
    *ret_ended = -1;
    etna_code code =
        supervised ? supervise(options, &is_worker, &ended, err) : ETNA_OK;
    if (code == ETNA_OK && is_worker)
        return worker_run(options, ret_end, err);
    if (code == ETNA_OK)
        *ret_ended = ended;
    return code;
}

/* Supervised unless a parent does that already (--parent-fd). end.abandoned: a
 * thread hangs in foreign code and could not be joined; exit() would wait for
 * it. */
int worker_cmd_connect(int argc, char **argv)
{
    worker_options options = worker_options_default();
    worker_end end = {0};
    etna_error err = {0};
    bool unsupervised = false, helped = false;
    etna_code code =
        connect_parse(argc, argv, &options, &unsupervised, &helped, &err);
    if (helped) {
        fputs(help, stdout);
        return 0;
    }
    if (!options.cache)
        options.cache = default_cache();
    options.say = connect_say;
    signal(SIGPIPE, SIG_IGN);
    raise_file_limit(options.conversations);
    bool supervised = !unsupervised && options.parent_fd < 0;
    int ended = -1;
    if (code == ETNA_OK)
        code = connect_run(&options, supervised, &end, &ended, &err);
    if (ended >= 0)
        return ended;
    if (code)
        connect_say(NULL, err.text);
    int status = end.signal ? 128 + end.signal : etna_exit_code(code);
    if (end.abandoned)
        _exit(status);
    return status;
}
