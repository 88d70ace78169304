/* `etna assets index`: models read, and made findable. */
#include "proto/cpus.h"
#include "proto/utf8.h"
#include "worker/assets/index.h"
#include "worker/assets/scan.h"
#include "worker/assets/vectors.h"
#include "worker/cli/assets.h"
#include "worker/cli/assets_ask.h"
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
    "  --json       one JSON document on stdout\n"
    "  --embeddings NAME  ask that model of models.yaml for vectors of all that has none: three texts of each model, in what it\n"
    "               looks like, what it is for and where it is found. `etna assets find --embeddings NAME` goes by them. What\n"
    "               came is kept: an index that was interrupted, or that was made before, pays for what is new alone\n"
    "  --models FILE, --max-cost M, --patience S   as for etna run; S (120) for one answer\n\n"
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

/* ---- vectors ---- */

enum {
    DOCS_A_CALL = 32
};

/* The texts of some models, asked for together. */
typedef struct embedding {
    ask ask;
    const shelf_list *list;
    pivot *names;
    etna_arena arena; /* of the texts */
    const char *texts[DOCS_A_CALL * VECTORS_TEXTS];
    uint32_t count, docs, with_vectors;
} embedding;

static etna_code texts_ask(embedding *e, etna_error *err)
{
    etna_code code = ask_vectors(&e->ask, e->texts, e->count, err);
    etna_arena_free(&e->arena);
    e->arena = (etna_arena)ETNA_ARENA_INIT;
    e->count = 0;
    return code;
}

/* All sources of one content; *at moves behind them. */
static etna_code doc_embed(embedding *e, uint32_t *at, etna_error *err)
{
    const asset *first = &e->list->assets[*at];
    uint32_t n = 1;
    while (*at + n < e->list->count && !first[n].fault[0] &&
           etna_hash_equal(&first[n].hash, &first->hash))
        n++;
    *at += n;
    e->docs++;
    if (!vectors_tell(first, n, e->names, &e->arena, e->texts + e->count))
        return etna_fail(err, ETNA_E_NOMEM, "no memory for texts");
    e->count += VECTORS_TEXTS;
    bool is_full = e->count == DOCS_A_CALL * VECTORS_TEXTS;
    return is_full ? texts_ask(e, err) : ETNA_OK;
}

/* Vectors of all that is on the shelf, then the run that they are searched
 * in. */
static etna_code index_embed(shelf *s,
                             const ask_options *options,
                             const char *name,
                             ask_used *used,
                             uint32_t *ret_docs,
                             etna_error *err)
{
    shelf_list list = {.count = 0};
    embedding e = {.list = &list, .arena = ETNA_ARENA_INIT};
    etna_code code =
        ask_open(&e.ask, s, options, "embeddings", name, used, err);
    if (code == ETNA_OK)
        code = shelf_read(s, &list, err);
    if (code == ETNA_OK && !(e.names = pivot_make(list.assets, list.count)))
        code =
            etna_fail(err, ETNA_E_NOMEM, "no memory for %u assets", list.count);
    for (uint32_t i = 0;
         code == ETNA_OK && i < list.count && !list.assets[i].fault[0];)
        code = doc_embed(&e, &i, err);
    if (code == ETNA_OK && e.count)
        code = texts_ask(&e, err);
    if (code == ETNA_OK)
        code = vectors_refresh(s, &list, e.ask.model->id, ret_docs, err);
    pivot_free(e.names);
    etna_arena_free(&e.arena);
    ask_close(&e.ask);
    shelf_list_free(&list);
    return code;
}

/* NULL: out of memory. */
static json_t *index_json(const scan_report *report,
                          uint32_t assets,
                          const char *digits)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:s}", "models", (json_int_t)report->models,
        "read", (json_int_t)report->read, "left_out",
        (json_int_t)report->faults, "removed", (json_int_t)report->removed,
        "assets", (json_int_t)assets, "index", digits);
}

static void index_print(const scan_report *report,
                        uint32_t assets,
                        const char *digits)
{
    const uint32_t all = report->models, read = report->read;
    printf("%u models: %u read now, %u as they were, %u left out; %u gone\n",
           all, read, all > read ? all - read : 0, report->faults,
           report->removed);
    printf("%u assets can be found; index %s\n", assets, digits);
}

/* Without arguments the furniture that Debian packages. Exit 1 when models were
 * left out, so that a script sees it. */
int assets_cmd_index(int argc, char **argv)
{
    static const char *const debian[] = {SCAN_DEBIAN_FURNITURE};
    const char *store = NULL;
    const char *embeddings = NULL;
    ask_options asked = {.patience = ASK_PATIENCE};
    ask_used used = {0};
    bool as_json = false;
    uint32_t jobs = cpus_usable();
    const flags_row flags[] = {
        {"store", .text = &store},
        {"embeddings", .text = &embeddings},
        ASK_FLAGS(&asked),
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
    uint32_t assets = 0, vectors = 0;
    char digits[65];
    etna_code code = assets_open(store, true, &s, &err);
    if (code == ETNA_OK)
        code = scan_paths(s, paths, count, &options, &report, &err);
    if (code == ETNA_OK)
        code = index_refresh(s, &hash, &assets, &err);
    if (code == ETNA_OK && embeddings)
        code = index_embed(s, &asked, embeddings, &used, &vectors, &err);
    shelf_close(s);
    if (!as_json || code != ETNA_OK)
        ask_tell(&used);
    if (code != ETNA_OK)
        return load_report(&err);
    etna_hash_hex(&hash, digits);
    exit_code = report.faults ? 1 : 0;
    if (as_json) {
        json_t *document = index_json(&report, assets, digits);
        if (document && embeddings) {
            json_object_set_new(document, "embedded", json_integer(vectors));
            json_object_set_new(document, "used", ask_json(&used, ""));
        }
        return load_print("etna.assets_index/1", document, exit_code);
    }
    index_print(&report, assets, digits);
    if (embeddings)
        printf("%u have vectors of %s\n", vectors, embeddings);
    return load_printed(exit_code);
}
