/* Checks that need no model and no store. Each function adds one row, or none
 * where the system cannot be asked. A new check is a function and a line in
 * checkup_run(). */
#include "coordinator/cli/checkup.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/endpoint.h"
#include "proto/cpus.h"
#include "proto/process.h"
#include "store/store.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const uint64_t mebibyte = 1 << 20;

/* Rows beyond the last are dropped, texts cut. */
__attribute__((format(printf, 4, 5))) static void checkup_add(
    checkup *c, const char *name, checkup_mark mark, const char *format, ...)
{
    if (c->count == CHECKUP_ROWS_MAX)
        return;
    checkup_row *row = &c->rows[c->count++];
    va_list args;
    row->name = name;
    row->mark = mark;
    va_start(args, format);
    vsnprintf(row->words, sizeof row->words, format, args);
    va_end(args);
    c->is_bad = c->is_bad || mark == CHECKUP_BAD;
}

/* ---- versions ---- */

/* The first line that a program prints; "" when it cannot be run, or says
 * nothing for long: a checkup must end. */
static void checkup_ask_program(const char *program, char *ret, size_t size)
{
    enum {
        WAIT_S = 20
    };
    const char *const args[] = {program, "--version", NULL};
    process_end end;
    if (process_read(program, args, WAIT_S, ret, size, &end, NULL))
        ret[0] = 0;
    ret[strcspn(ret, "\n")] = 0;
}

/* 5.9 brought close_range(), which a coordinator needs to begin anew
 * (anew.c). */
static void checkup_kernel(checkup *c)
{
    struct utsname system;
    unsigned major = 0, minor = 0;
    if (uname(&system) || sscanf(system.release, "%u.%u", &major, &minor) != 2)
        return;
    bool is_old = major < 5 || (major == 5 && minor < 9);
    checkup_add(c, "kernel", is_old ? CHECKUP_BAD : CHECKUP_OK, "%s %s%s",
                system.sysname, system.release,
                is_old ? "; 5.9 or newer is needed" : "");
}

/* Both programs are of one build, or a worker will be refused by its
 * coordinator. The check runs the one that would really be started. */
static void checkup_versions(checkup *c)
{
    char program[4096] = "", worker[128] = "";
    if (children_program(program, sizeof program))
        checkup_ask_program(program, worker, sizeof worker);
    if (!worker[0]) {
        checkup_add(
            c, "versions", CHECKUP_BAD,
            "%s can't be run; install etna and etna-worker beside each other",
            program[0] ? program : "etna-worker");
    } else if (strcmp(worker, "etna-worker " ETNA_VERSION) != 0) {
        checkup_add(c, "versions", CHECKUP_BAD,
                    "etna is " ETNA_VERSION
                    ", and beside it stands %s; install both of one version",
                    worker);
    } else {
        checkup_add(c, "versions", CHECKUP_OK,
                    "etna and etna-worker " ETNA_VERSION);
    }
    checkup_kernel(c);
}

/* ---- limits ---- */

/* The hard limit counts: a coordinator raises its soft one itself. */
static void checkup_files(checkup *c)
{
    enum {
        WANTED = 1024
    };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    bool is_few = files.rlim_max != RLIM_INFINITY && files.rlim_max < WANTED;
    if (files.rlim_max == RLIM_INFINITY) {
        checkup_add(c, "files", CHECKUP_OK, "as many as wanted may be open");
    } else {
        checkup_add(
            c, "files", is_few ? CHECKUP_ODD : CHECKUP_OK, "%llu may be open%s",
            (unsigned long long)files.rlim_max,
            is_few
                ? "; a coordinator with many clients wants more: ulimit -Hn 65536"
                : "");
    }
}

/* A number of kibibytes behind a name in a file of /proc; 0: it is not
 * there. */
static uint64_t checkup_kibibytes(const char *path, const char *name)
{
    char line[256];
    unsigned long long found = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), " %llu", &found) == 1)
            break;
    }
    if (file)
        fclose(file);
    return found;
}

/* MiB. A limit of the address space is told first: it looks like memory that is
 * missing and is not, as the store maps far more than it uses. */
static void checkup_memory(checkup *c)
{
    enum {
        LEAST = 256,
        PLENTY = 1024
    };
    uint64_t free_mib =
        checkup_kibibytes("/proc/meminfo", "MemAvailable:") / 1024;
    struct rlimit memory;
    bool is_held =
        getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY;
    if (is_held && memory.rlim_cur / mebibyte < 4 * PLENTY) {
        checkup_add(
            c, "memory", CHECKUP_ODD,
            "ulimit -v holds each program to %llu MiB, which the store's map and threads count "
            "against; ulimit -v unlimited",
            (unsigned long long)(memory.rlim_cur / mebibyte));
    } else if (free_mib < LEAST) {
        checkup_add(
            c, "memory", CHECKUP_BAD,
            "%llu MiB are free; end something, or --workers 1 --mesh-memory 128",
            (unsigned long long)free_mib);
    } else if (free_mib < PLENTY) {
        checkup_add(
            c, "memory", CHECKUP_ODD,
            "%llu MiB are free; large scenes want more, --mesh-memory holds workers to less",
            (unsigned long long)free_mib);
    } else {
        checkup_add(c, "memory", CHECKUP_OK, "%llu MiB are free",
                    (unsigned long long)free_mib);
    }
    checkup_add(c, "processors", CHECKUP_OK, "%u may be used", cpus_usable());
}

/* ---- disk ---- */

/* The nearest folder on the way to `path` that is there. */
static void checkup_climb(const char *path, char ret[4096])
{
    struct stat is;
    snprintf(ret, 4096, "%s", path);
    while (*ret && stat(ret, &is)) {
        char *slash = strrchr(ret, '/');
        if (!slash)
            snprintf(ret, 4096, ".");
        else if (slash == ret)
            ret[1] = 0;
        else
            *slash = 0;
    }
}

/* Whether files can be made in a folder, or where it would be made, and how
 * many MiB are free there. */
static void checkup_folder(checkup *c,
                           const char *name,
                           const char *path,
                           const char *elsewhere)
{
    enum {
        LEAST = 100,
        PLENTY = 2048
    };
    char there[4096];
    struct statvfs disk;
    checkup_climb(path, there);
    if (access(there, W_OK | X_OK) || statvfs(there, &disk)) {
        checkup_add(c, name, CHECKUP_BAD, "%s: %s; %s", there, strerror(errno),
                    elsewhere);
        return;
    }
    uint64_t free_mib = (uint64_t)disk.f_bavail * disk.f_frsize / mebibyte;
    checkup_mark mark = CHECKUP_OK;
    if (free_mib < PLENTY)
        mark = CHECKUP_ODD;
    if (free_mib < LEAST)
        mark = CHECKUP_BAD;
    if (mark == CHECKUP_OK) {
        checkup_add(c, name, mark, "%s: %llu MiB free", path,
                    (unsigned long long)free_mib);
    } else {
        checkup_add(c, name, mark, "%s: %llu MiB free; make room, or %s", path,
                    (unsigned long long)free_mib, elsewhere);
    }
}

static void checkup_disk(checkup *c, const char *folder)
{
    const char *tmp = getenv("TMPDIR");
    checkup_folder(
        c, "disk", folder,
        "take another folder: --store DIR or $ETNA_STORE; `etna store gc` frees what no run needs");
    checkup_folder(c, "temporary", tmp && *tmp ? tmp : "/tmp",
                   "take another folder: $TMPDIR");
}

static void checkup_store(checkup *c, const char *path)
{
    store_owner owner = {0};
    bool is_alive = false;
    struct stat is;
    etna_error err = {0};
    if (stat(path, &is)) {
        checkup_add(c, "store", CHECKUP_OK,
                    "%s is not there yet; the first run makes it", path);
    } else if (store_owner_read(path, &owner, &is_alive, &err) != ETNA_OK &&
               err.code != ETNA_E_NOTFOUND) {
        checkup_add(c, "store", CHECKUP_BAD, "%.300s", err.text);
    } else if (is_alive) {
        checkup_add(c, "store", CHECKUP_OK, "%s is served by process %lld",
                    path, (long long)owner.pid);
    } else {
        checkup_add(c, "store", CHECKUP_OK, "%s is free", path);
    }
}

/* ---- clock ---- */

/* A clock that is far behind makes TLS fail with a message about certificates,
 * which nobody connects to the clock; and runs would be listed in the wrong
 * order. */
static void checkup_clock(checkup *c, const char *folder)
{
    enum {
        SLACK_S = 300
    };
    /* 2025: before that this program was not there */
    static const time_t released = 1735689600;
    time_t now = time(NULL);
    struct stat is;
    char file[4096], words[64];
    struct tm when;
    snprintf(file, sizeof file, "%s/data.mdb", folder);
    strftime(words, sizeof words, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &when));
    if (now < released) {
        checkup_add(
            c, "clock", CHECKUP_BAD,
            "it says %s; set it, no certificate of a server holds before its time",
            words);
    } else if (stat(file, &is) == 0 && is.st_mtime > now + SLACK_S) {
        checkup_add(
            c, "clock", CHECKUP_BAD,
            "it says %s, and the store was written later than that; set it, runs are listed by time",
            words);
    } else {
        checkup_add(c, "clock", CHECKUP_OK, "%s", words);
    }
}

/* ---- ports ---- */

/* Binds and closes at once; nothing is accepted. */
static int checkup_listen(uint16_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    int why = bind(fd, (const struct sockaddr *)&at, sizeof at) || listen(fd, 1)
                  ? errno
                  : 0;
    close(fd);
    return why;
}

/* Workers are spoken with over a socket in a folder of its own, as a run makes
 * it. */
static void checkup_sockets(checkup *c)
{
    endpoint made;
    etna_error err = {0};
    if (endpoint_make(&made, &err) != ETNA_OK) {
        checkup_add(c, "sockets", CHECKUP_BAD, "%.400s", err.text);
        return;
    }
    checkup_add(c, "sockets", CHECKUP_OK, "%s can be listened at", made.url);
    endpoint_remove(&made);
}

/* Port 0 tells whether the loopback can be used at all (some sandboxes forbid
 * it), serve-builtin's usual port whether it is taken. */
static void checkup_ports(checkup *c)
{
    enum {
        SERVE_PORT = 8377
    };
    int any = checkup_listen(0);
    int own = checkup_listen(SERVE_PORT);
    if (any) {
        checkup_add(
            c, "ports", CHECKUP_BAD,
            "127.0.0.1 can't be listened on: %s; etna mcp --http and serve-builtin won't serve",
            strerror(any));
    } else if (own) {
        checkup_add(c, "ports", CHECKUP_ODD,
                    "127.0.0.1:%d: %s; give serve-builtin another by --listen",
                    SERVE_PORT, strerror(own));
    } else {
        checkup_add(c, "ports", CHECKUP_OK,
                    "127.0.0.1 can be listened on, and %d is free", SERVE_PORT);
    }
}

/* ---- models ---- */

/* Which keys there are is told by the names of their variables; a model without
 * its key is no fault of the machine. */
static void checkup_models(checkup *c, const char *given)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    models all;
    char path[4096], keys[400] = "";
    size_t used = 0;
    if (models_file_all(given, &arena, &all, path, sizeof path, &err) !=
        ETNA_OK) {
        checkup_add(c, "models", CHECKUP_ODD,
                    "%.400s; only the built-in agent can be used", err.text);
        etna_arena_free(&arena);
        return;
    }
    for (uint32_t i = 0; i < all.endpoint_count && used < sizeof keys; i++) {
        const char *name = all.endpoints[i].key_env;
        const char *value = name ? getenv(name) : NULL;
        if (value && *value)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%.60s",
                                     used ? ", " : "", name);
    }
    checkup_add(
        c, "models", CHECKUP_OK,
        "%u in %.200s; keys set: %s; `etna doctor --model NAME` asks one",
        all.model_count, path, keys[0] ? keys : "none");
    etna_arena_free(&arena);
}

void checkup_run(const char *folder, const char *list, checkup *ret)
{
    *ret = (checkup){0};
    checkup_versions(ret);
    checkup_memory(ret);
    checkup_files(ret);
    checkup_clock(ret, folder);
    checkup_disk(ret, folder);
    checkup_store(ret, folder);
    checkup_sockets(ret);
    checkup_ports(ret);
    checkup_models(ret, list);
}
