/* `etna assets index`: models read, and made findable. */
#include "proto/cpus.h"
#include "proto/fd.h"
#include "proto/place.h"
#include "proto/utf8.h"
#include "worker/assets/index.h"
#include "worker/assets/scan.h"
#include "worker/assets/vectors.h"
#include "worker/cli/assets.h"
#include "worker/cli/assets_caption.h"
#include "worker/cli/load.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: etna assets index [DIR | LIB.sh3f | FILE | LIST.txt]... [--workers N] [--alone] [--json] [--store DIR]\n"
    "Reads models and makes them findable: GLB, glTF, OBJ, FBX, PLY, STL and DAE files, furniture libraries of Sweet Home 3D\n"
    "with their names in all languages, folders of them, and lists of paths, one a line. Without an argument the libraries of\n"
    "Debian's sweethome3d-furniture. What was read before is read again only when its bytes have changed; an index that was\n"
    "interrupted goes on where it was. A model that cannot be read is one line; the others stay.\n\n"
    "  --workers N  worker processes that read them, as for etna run; a coordinator that has the store lets its own do it\n"
    "  --alone      all in this process and its helpers, without workers; a handful of models is read so in any case\n"
    "  --jobs N     models that are converted at once, and with --alone read (default: one a CPU)\n"
    "  --json       one JSON document on stdout\n"
    "  --embeddings NAME  ask that model of models.yaml for vectors of all that has none: three texts of each model, in what it\n"
    "               looks like, what it is for and where it is found. `etna assets find --embeddings NAME` goes by them. What\n"
    "               came is kept: an index that was interrupted, or that was made before, pays for what is new alone\n"
    "  --captions NAME    ask that model of models.yaml, which must see, what each model looks like, what it is for, where it is\n"
    "               found and which side is its front, by one picture of four views. They are searched, and told to --embeddings'\n"
    "               model. Kept in the same way; without it what was captioned stays so\n"
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
    const uint32_t all = report->models, read = report->read,
                   told = read + report->faults;
    printf("%u models: %u read now, %u as they were, %u left out; %u gone\n",
           all, read, all > told ? all - told : 0, report->faults,
           report->removed);
    printf("%u assets can be found; index %s\n", assets, digits);
}

/* ---- lots, for `etna assets index` ---- */

/* A run of them in a file: of each its size (8 bytes, the low end first), its
 * models (4), and it. coordinator/cli/assets_lots.c is the other side. */
enum {
    LOT_HEAD = 12
};

static etna_code lot_write(void *context,
                           uint32_t held,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    const int *fd = context;
    uint8_t head[LOT_HEAD];
    for (int i = 0; i < 8; i++)
        head[i] = (uint8_t)((uint64_t)size >> (8 * i));
    for (int i = 0; i < 4; i++)
        head[8 + i] = (uint8_t)(held >> (8 * i));
    bool ok = fd_write(*fd, head, sizeof head) && fd_write(*fd, data, size);
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_IO, "a lot of models cannot be written");
}

/* What came of the lots before, in the same form; an empty file has none. */
static etna_code lots_take(shelf *s,
                           const char *store_path,
                           int fd,
                           etna_error *err)
{
    uint8_t head[LOT_HEAD];
    etna_code code = ETNA_OK;
    while (code == ETNA_OK && fd_read(fd, head, sizeof head) == LOT_HEAD) {
        uint64_t size = 0;
        for (int i = 0; i < 8; i++)
            size |= (uint64_t)head[i] << (8 * i);
        uint8_t *data = size < SCAN_LOTS_BYTES ? malloc(size + 1) : NULL;
        if (!data)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for what was read");
        if (fd_read(fd, data, size) == (ssize_t)size)
            code = scan_lots_take(s, store_path, data, size, err);
        else
            code = etna_fail(err, ETNA_E_IO, "what was read is cut off");
        free(data);
    }
    return code;
}

/* What came on the standard input goes onto the shelf, and what waits to be
 * read next into the file. */
static int index_lots(const char *file,
                      const char *store,
                      const char *const *paths,
                      uint32_t count,
                      const scan_options *options)
{
    char path[4000];
    etna_error err = {0};
    shelf *s = NULL;
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    etna_code code =
        fd >= 0 ? place_of_store(store, path, sizeof path, &err)
                : etna_fail(&err, ETNA_E_IO, "%s: cannot be written", file);
    if (code == ETNA_OK)
        code = shelf_open(path, true, &s, &err);
    if (code == ETNA_OK)
        code = lots_take(s, path, STDIN_FILENO, &err);
    if (code == ETNA_OK)
        code = scan_lots(s, path, paths, count, options, lot_write, &fd, &err);
    shelf_close(s);
    if (fd >= 0)
        close(fd);
    return code == ETNA_OK ? 0 : load_report(&err);
}

typedef struct index_run { /* what was asked for, and what came of it */
    const char *store, *embeddings, *captions, *lots;
    bool as_json;
    uint32_t read_before; /* by the pool, for this */
    ask_options asked;
    ask_used used;
    scan_report report;
    etna_hash hash;
    uint32_t assets, vectors;
    captioned told;
} index_run;

/* Scans what the paths hold, then asks the models that are named. */
static etna_code index_make(index_run *run,
                            const char *const *paths,
                            uint32_t count,
                            const scan_options *options,
                            etna_error *err)
{
    char path[4000];
    shelf *s = NULL;
    etna_code code = assets_open(run->store, true, &s, err);
    if (code == ETNA_OK)
        code = scan_paths(s, paths, count, options, &run->report, err);
    if (code == ETNA_OK &&
        place_of_store(run->store, path, sizeof path, err) == ETNA_OK)
        scan_lots_clear(path);
    run->report.read += run->read_before;
    if (code == ETNA_OK && run->captions)
        code = assets_caption(s, &run->asked, run->captions, &run->used,
                              &run->told, err);
    if (code == ETNA_OK)
        code = index_refresh(s, &run->hash, &run->assets, err);
    if (code == ETNA_OK && run->embeddings)
        code = index_embed(s, &run->asked, run->embeddings, &run->used,
                           &run->vectors, err);
    shelf_close(s);
    return code;
}

/* Returns the exit code. */
static int index_tell_json(const index_run *run,
                           const char *digits,
                           int exit_code)
{
    const captioned *told = &run->told;
    json_t *document = index_json(&run->report, run->assets, digits);
    if (document && run->embeddings)
        json_object_set_new(document, "embedded", json_integer(run->vectors));
    if (document && run->captions) {
        json_object_set_new(document, "captioned", json_integer(told->docs));
        json_object_set_new(document, "unread", json_integer(told->unread));
    }
    if (document && (run->embeddings || run->captions))
        json_object_set_new(document, "used", ask_json(&run->used, ""));
    return load_print("etna.assets_index/1", document, exit_code);
}

/* Returns the exit code: 1 when models were left out, so that a script sees
 * it. */
static int index_tell(const index_run *run)
{
    const int exit_code = run->report.faults ? 1 : 0;
    char digits[65];
    etna_hash_hex(&run->hash, digits);
    if (run->as_json)
        return index_tell_json(run, digits, exit_code);
    index_print(&run->report, run->assets, digits);
    if (run->captions)
        printf("%u have captions of %s; %u of its answers could not be read\n",
               run->told.docs, run->captions, run->told.unread);
    if (run->embeddings)
        printf("%u have vectors of %s\n", run->vectors, run->embeddings);
    return load_printed(exit_code);
}

/* Without arguments the furniture that Debian packages. */
int assets_cmd_index(int argc, char **argv)
{
    static const char *const debian[] = {SCAN_DEBIAN_FURNITURE};
    index_run run = {.asked = {.patience = ASK_PATIENCE}};
    uint32_t jobs = cpus_usable();
    const flags_row flags[] = {
        {"store", .text = &run.store},
        {"lots", .text = &run.lots},
        {"read", .number = &run.read_before, .most = SHELF_ASSETS_MAX},
        {"embeddings", .text = &run.embeddings},
        {"captions", .text = &run.captions},
        ASK_FLAGS(&run.asked),
        {"jobs", .number = &jobs, .least = 1, .most = SCAN_JOBS_MAX},
        {"json", .yes = &run.as_json},
        {0}};
    int exit_code, first = load_flags("etna assets index", argc, argv, flags,
                                      help, &exit_code);
    if (!first)
        return exit_code;
    etna_error err = {0};
    struct stat st;
    const bool unnamed = first == argc;
    if (unnamed && stat(debian[0], &st) != 0) {
        etna_fail(
            &err, ETNA_E_INPUT,
            "name a folder, library or file of models, or install sweethome3d-furniture (%s)",
            debian[0]);
        return load_report(&err);
    }
    const char *const *paths =
        unnamed ? debian : (const char *const *)(argv + first);
    const uint32_t count = unnamed ? 1 : (uint32_t)(argc - first);
    const scan_options options = {.jobs = jobs < SCAN_JOBS_MAX ? jobs
                                                               : SCAN_JOBS_MAX,
                                  .say = index_say,
                                  .progress = index_progress};
    if (run.lots)
        return index_lots(run.lots, run.store, paths, count, &options);
    const etna_code code = index_make(&run, paths, count, &options, &err);
    if (!run.as_json || code != ETNA_OK)
        ask_tell(&run.used);
    return code == ETNA_OK ? index_tell(&run) : load_report(&err);
}
