/* `etna-worker --connect URL`: work for a coordinator. */
#include "worker/cli/cli.h"
#include "worker/shell/worker.h"
#include "worker/space/space.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char help[] =
    "usage: etna-worker --connect URL [--cpus N] [--threads N] [--slots N] [--conversations N] [--cache DIR] [--parent-fd N]\n"
    "                             [--mesh-memory MIB]\n"
    "Works for the coordinator at URL (ipc://PATH or tcp://HOST:PORT) until it is told to stop.\n\n"
    "  --connect URL   where the coordinator listens; a lost one is waited for\n"
    "  --cpus N        processors to reckon with (default: what affinity and cgroup allow)\n"
    "  --threads N     threads that compute (default: one a processor)\n"
    "  --slots N       tasks held at once that compute (default: four a processor)\n"
    "  --conversations N\n"
    "                  tasks held at once with those that wait for a model elsewhere\n"
    "                  (default: 512, or as many as --slots says; at most 16384)\n"
    "  --cache DIR     this host's cache of blobs (default: $XDG_CACHE_HOME/etna, else ~/.cache/etna)\n"
    "  --parent-fd N   exit when this pipe ends\n"
    "  --mesh-memory MIB\n"
    "                  about how much the trees for rays over one scene's meshes may take; those unused for longest\n"
    "                  make room (default: 4096); no result depends on it\n"
    "SIGTERM and SIGINT finish what is held first; a second one ends at once.\n";

static void say(void *context, const char *line)
{
    (void)context;
    char clean[1100];
    size_t size = 0;
    for (const char *c = line; *c && size + 1 < sizeof clean; c++) { /* a coordinator's words reach a terminal */
        clean[size++] = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    }
    clean[size] = 0;
    fprintf(stderr, "etna-worker: %s\n", clean);
}

static bool number(const char *name, const char *text, long least, long most, long *ret)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text && !*end && !errno && value >= least && value <= most) {
        *ret = value;
        return true;
    }
    fprintf(stderr, "etna-worker: --%s takes a number from %ld to %ld\n", name, least, most);
    return false;
}

typedef struct parsed {
    worker_options options;
    bool done; /* --help was asked for */
} parsed;

static bool parse(int argc, char **argv, parsed *ret)
{
    static const struct option flags[] = {{"connect", required_argument, NULL, 'u'},
                                          {"cpus", required_argument, NULL, 'p'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"slots", required_argument, NULL, 's'},
                                          {"conversations", required_argument, NULL, 'n'},
                                          {"cache", required_argument, NULL, 'c'},
                                          {"parent-fd", required_argument, NULL, 'f'},
                                          {"mesh-memory", required_argument, NULL, 'm'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    worker_options *options = &ret->options;
    long value = 0;
    int index = 0;
    for (int flag; (flag = getopt_long(argc, argv, "h", flags, &index)) != -1;) {
        bool ok = true;
        switch (flag) {
        case 'u': options->url = optarg; break;
        case 'c': options->cache = optarg; break;
        case 'p': ok = number("cpus", optarg, 1, 1024, &value), options->cpus = (uint32_t)value; break;
        case 't': ok = number("threads", optarg, 1, 1024, &value), options->threads = (uint32_t)value; break;
        case 's': ok = number("slots", optarg, 1, 512, &value), options->slots = (uint32_t)value; break;
        case 'n':
            ok = number("conversations", optarg, 1, WORKER_CONVERSATIONS_MAX, &value),
            options->conversations = (uint32_t)value;
            break;
        case 'f': ok = number("parent-fd", optarg, 0, 65535, &value), options->parent_fd = (int)value; break;
        case 'm':
            ok = number("mesh-memory", optarg, 1, 1 << 24, &value);
            if (ok) space_bound_meshes((size_t)value << 20);
            break;
        case 'h': ret->done = true; return true;
        default: ok = false; break; /* getopt has said why */
        }
        if (!ok) return false;
    }
    if (optind < argc || !options->url) {
        fprintf(stderr, "etna-worker: %s; see etna-worker --connect --help\n",
                options->url ? "there is an argument too many" : "--connect URL is missing");
        return false;
    }
    return true;
}

/* NULL: there is no place for it. Static: lives as long as the program. */
static const char *default_cache(void)
{
    static char path[4096];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/') {
        snprintf(path, sizeof path, "%s/etna", base);
    } else if (home && home[0] == '/') {
        snprintf(path, sizeof path, "%s/.cache/etna", home);
    }
    return path[0] ? path : NULL;
}

/* A socket for each call that waits for a model: more than many systems' first limit leaves room for beside the rest. */
static void raise_file_limit(uint32_t conversations)
{
    rlim_t wanted = 4096 + (rlim_t)conversations;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == RLIM_INFINITY || files.rlim_cur >= wanted) return;
    files.rlim_cur = files.rlim_max == RLIM_INFINITY || files.rlim_max > wanted ? wanted : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files); /* less will do for most runs */
}

int cmd_connect(int argc, char **argv)
{
    parsed p = {.options = worker_options_default()};
    if (!parse(argc, argv, &p)) return 2;
    if (p.done) {
        fputs(help, stdout);
        return 0;
    }
    if (!p.options.cache) p.options.cache = default_cache();
    p.options.say = say;
    signal(SIGPIPE, SIG_IGN);
    raise_file_limit(p.options.conversations);
    worker_end end;
    etna_error err = {0};
    etna_code code = worker_run(&p.options, &end, &err);
    if (code) say(NULL, err.text);
    int status = end.signal ? 128 + end.signal : etna_exit_code(code);
    if (end.abandoned) _exit(status);
    return status;
}
