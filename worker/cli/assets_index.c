/* `etna assets index`: models read, and made findable. */
#include "proto/cpus.h"
#include "proto/utf8.h"
#include "worker/assets/index.h"
#include "worker/assets/scan.h"
#include "worker/cli/assets.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: etna assets index [DIR | LIB.sh3f | FILE | LIST.txt]... [--jobs N] [--json] [--store DIR]\n"
    "Reads models and makes them findable: GLB, glTF, OBJ, FBX, PLY, STL and DAE files, furniture libraries of Sweet Home 3D\n"
    "with their names in all languages, folders of them, and lists of paths, one a line. Without an argument the libraries of\n"
    "Debian's sweethome3d-furniture. What was read before is read again only when its bytes have changed; an index that was\n"
    "interrupted goes on where it was. A model that cannot be read is one line; the others stay.\n\n"
    "  --jobs N     models read at once (default: one a CPU)\n"
    "  --json       one JSON document on stdout\n\n"
    "Exit codes: 0 done; 1 some models were left out; 2 usage; 3 an argument is no model, library, folder or list; 4 store.\n";

static void index_say(void *context, const char *line)
{
    char whole[2048], plain[2048];
    (void)context;
    whole[etna_utf8_repair(line, strnlen(line, sizeof whole / 2 - 1), whole)] =
        0;
    fprintf(stderr, "etna: %s\n", load_plain(whole, plain, sizeof plain));
}

static void index_progress(void *context, uint32_t done, uint32_t all)
{
    (void)context;
    if (isatty(2))
        fprintf(stderr, "\r%u of %u models%s", done, all,
                done == all ? "\n" : "");
}

/* Without arguments the furniture that Debian packages. Exit 1 when models were
 * left out, so that a script sees it. */
int assets_cmd_index(int argc, char **argv)
{
    static const char *const debian[] = {SCAN_DEBIAN_FURNITURE};
    const char *store = NULL;
    bool as_json = false;
    uint32_t jobs = cpus_usable();
    const flags_row flags[] = {
        {"store", .text = &store},
        {"jobs", .number = &jobs, .least = 1, .most = SCAN_JOBS_MAX},
        {"json", .yes = &as_json},
        {0}};
    int exit_code, first = load_flags("etna assets index", argc, argv, flags,
                                      help, &exit_code);
    if (!first)
        return exit_code;
    etna_error err = {0};
    struct stat st;
    if (first == argc && stat(debian[0], &st) != 0) {
        etna_fail(
            &err, ETNA_E_INPUT,
            "name a folder, library or file of models, or install sweethome3d-furniture (%s)",
            debian[0]);
        return load_report(&err);
    }
    const char *const *paths =
        first == argc ? debian : (const char *const *)(argv + first);
    uint32_t count = first == argc ? 1 : (uint32_t)(argc - first);
    const scan_options options = {.jobs = jobs < SCAN_JOBS_MAX ? jobs
                                                               : SCAN_JOBS_MAX,
                                  .say = index_say,
                                  .progress = index_progress};
    scan_report report = {0};
    shelf *s = NULL;
    etna_hash hash = {{0}};
    uint32_t assets = 0;
    char digits[65];
    etna_code code = assets_open(store, true, &s, &err);
    if (code == ETNA_OK)
        code = scan_paths(s, paths, count, &options, &report, &err);
    if (code == ETNA_OK)
        code = index_refresh(s, &hash, &assets, &err);
    shelf_close(s);
    if (code != ETNA_OK)
        return load_report(&err);
    etna_hash_hex(&hash, digits);
    exit_code = report.faults ? 1 : 0;
    if (as_json)
        return load_print("etna.assets_index/1",
                          json_pack("{s:I, s:I, s:I, s:I, s:I, s:s}", "models",
                                    (json_int_t)report.models, "read",
                                    (json_int_t)report.read, "left_out",
                                    (json_int_t)report.faults, "removed",
                                    (json_int_t)report.removed, "assets",
                                    (json_int_t)assets, "index", digits),
                          exit_code);
    printf("%u models: %u read now, %u as they were, %u left out; %u gone\n",
           report.models, report.read,
           report.models > report.read ? report.models - report.read : 0,
           report.faults, report.removed);
    printf("%u assets can be found; index %s\n", assets, digits);
    return load_printed(exit_code);
}
