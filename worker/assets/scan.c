/* Paths to files, files to sources.
 *
 * Begin at scan_paths. Arguments are walked to a sorted list of files (folders
 * without following links, lists of paths, libraries); each file's stamp is
 * held against the shelf's, so that only what changed is read; the models among
 * these are read together by child processes (scan_models.c) and written row by
 * row; last, what is gone below the scanned folders is forgotten. A file that
 * cannot be read is a line in the report and never ends the scan; only the
 * shelf's own failures and lost memory do. */
#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/assets/scan_internal.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lists of paths ---- */

/* Extensions in any case; a path that is the extension alone is none. */
static bool path_ends(const char *path, const char *end)
{
    size_t length = strlen(path);
    size_t n = strlen(end);
    return length > n && strcasecmp(path + length - n, end) == 0;
}

/* A "#" in a path names a part of a file, which is not met by walking. */
static bool scan_is_model(const char *path)
{
    if (path_ends(path, ".blend"))
        return false; /* a whole scene, mostly; it can be named by itself */
    return path_ends(path, ".glb") || path_ends(path, ".gltf") ||
           (convert_wanted(path) && !strchr(path, '#'));
}

/* Copies the path. */
static etna_code paths_add(scan_paths_list *list,
                           const char *path,
                           etna_error *err)
{
    if (list->count == SCAN_FILES_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "more than %d files; index fewer folders at once",
                         SCAN_FILES_MAX);
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 256;
        char **grown = realloc(list->paths, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u paths", room);
        list->paths = grown;
        list->room = room;
    }
    char *copy = strdup(path);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a path");
    list->paths[list->count++] = copy;
    return ETNA_OK;
}

/* Leaves the list empty. */
static void paths_free(scan_paths_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (scan_paths_list){.count = 0};
}

/* Sorted, so that a path that is named twice is met twice in a row, and reports
 * have one order. */
static int path_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What is told of a model is text. */
static etna_code file_add(scanning *x, const char *path, etna_error *err)
{
    if (etna_utf8_valid(path, strlen(path)))
        return paths_add(&x->files, path, err);
    x->report.models++;
    x->report.faults++;
    scanning_say(x, "%s: left out: its name is not UTF-8; rename it", path);
    return ETNA_OK;
}

static etna_code folder_walk(scanning *x,
                             const char *folder,
                             int depth,
                             etna_error *err);

/* lstat: a link is neither followed nor read. */
static etna_code entry_take(scanning *x,
                            const char *folder,
                            const char *name,
                            int depth,
                            etna_error *err)
{
    char path[PATH_BYTES];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    bool is_there = n > 0 && n < PATH_BYTES && lstat(path, &st) == 0;
    if (!is_there)
        return ETNA_OK;
    if (S_ISREG(st.st_mode) && scan_is_model(path))
        return file_add(x, path, err);
    if (!S_ISDIR(st.st_mode))
        return ETNA_OK;
    if (depth < SCAN_DEPTH_MAX)
        return folder_walk(x, path, depth + 1, err);
    scanning_say(x, "%s: lies too deep, and is left out", path);
    return ETNA_OK;
}

/* Links are not followed, so there are no loops. What cannot be opened is a
 * line. */
static etna_code folder_walk(scanning *x,
                             const char *folder,
                             int depth,
                             etna_error *err)
{
    DIR *dir = opendir(folder);
    etna_code code = ETNA_OK;
    if (!dir) {
        scanning_say(x, "%s: cannot be opened: %s", folder, strerror(errno));
        return ETNA_OK;
    }
    for (struct dirent *e; code == ETNA_OK && (e = readdir(dir));) {
        bool is_hidden = e->d_name[0] == '.';
        if (!is_hidden)
            code = entry_take(x, folder, e->d_name, depth, err);
    }
    closedir(dir);
    return code;
}

static etna_code argument_take(scanning *x,
                               const char *given,
                               bool lists,
                               etna_error *err);

/* A line of a list, relative to where the list lies. What is not there is told
 * and left out. */
static void list_take_line(scanning *x,
                           const char *list,
                           const char *line,
                           etna_error *err)
{
    char full[PATH_BYTES];
    if (!*line || *line == '#')
        return;
    int folder = *line == '/' ? 0 : (int)(strrchr(list, '/') - list) + 1;
    int n = snprintf(full, sizeof full, "%.*s%s", folder, list, line);
    bool is_path = n > 0 && n < PATH_BYTES;
    if (is_path && argument_take(x, full, false, err) == ETNA_OK)
        return;
    if (is_path)
        scanning_say(x, "%s", err->text);
    else
        scanning_say(x, "%.200s: a line is no path", list);
    x->report.faults++;
}

/* A text of paths. */
static etna_code list_take(scanning *x, const char *path, etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    etna_code code = bundle_read_file(fd, path, &text, &size, err);
    if (code != ETNA_OK)
        return code;
    char *const end = (char *)text + size;
    for (char *line = (char *)text, *next; line && line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (next)
            *next++ = 0;
        line[strcspn(line, "\r")] = 0;
        list_take_line(x, path, line, err);
    }
    free(text);
    return ETNA_OK;
}

/* A folder, a model, a library, or a list of these (.txt); lists within lists
 * are not followed. */
static etna_code argument_take(scanning *x,
                               const char *given,
                               bool lists,
                               etna_error *err)
{
    char path[PATH_BYTES];
    struct stat st;
    if (strlen(given) >= PATH_BYTES || !realpath(given, path) ||
        stat(path, &st) != 0)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be opened: %s",
                         given, strerror(errno));
    if (S_ISDIR(st.st_mode)) {
        etna_code code = paths_add(&x->roots, path, err);
        return code == ETNA_OK ? folder_walk(x, path, 0, err) : code;
    }
    bool is_list = path_ends(path, ".txt") || path_ends(path, ".list");
    if (!S_ISREG(st.st_mode))
        return etna_fail(err, ETNA_E_INPUT, "%.300s: is no file and no folder",
                         given);
    if (is_list && lists)
        return list_take(x, path, err);
    if (scan_is_model(path) || path_ends(path, ".blend"))
        return file_add(x, path, err);
    return etna_fail(
        err, ETNA_E_INPUT,
        "%.300s: is no model (glb, gltf, obj, fbx, ply, stl, dae), no .sh3f library, no folder and no list of "
        "them (.txt)",
        given);
}

/* ---- what a file is now ---- */

/* Companions of a file that names others: their names, sizes and times stand
 * for their bytes. */
static void stamp_companions(etna_hasher *h, const char *path)
{
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return;
    slash[slash == folder] = 0;
    DIR *dir = opendir(folder);
    uint8_t sum[32] = {0}; /* in no order */
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        char text[512];
        snprintf(text, sizeof text, "%.255s %lld %lld.%09ld", e->d_name,
                 (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
        etna_hash one = etna_hash_bytes(text, strlen(text));
        for (size_t i = 0; i < sizeof sum; i++)
            sum[i] ^= one.bytes[i];
    }
    if (dir)
        closedir(dir);
    etna_hasher_add(h, sum, sizeof sum);
}

/* The hash of its bytes and the scanner's version: what has this stamp would
 * come out the same. */
static etna_code file_stamp(const char *path, etna_hash *ret, etna_error *err)
{
    enum {
        CHUNK = 1 << 20
    };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    uint8_t *chunk = fd >= 0 ? malloc(CHUNK) : NULL;
    etna_hasher *h = chunk ? etna_hasher_new() : NULL;
    ssize_t n = -1;
    if (h) {
        const uint32_t version = ASSET_SCANNER;
        etna_hasher_add(h, &version, sizeof version);
        while ((n = read(fd, chunk, CHUNK)) > 0)
            etna_hasher_add(h, chunk, (size_t)n);
        if (!path_ends(path, ".glb") && !path_ends(path, ".sh3f"))
            stamp_companions(h, path);
    }
    int why = errno;
    if (h)
        etna_hasher_end(h, n == 0 ? ret : NULL);
    free(chunk);
    if (fd >= 0)
        close(fd);
    return n == 0 ? ETNA_OK
                  : etna_fail(err, ETNA_E_INPUT, "%.300s: cannot be read: %s",
                              path, strerror(why));
}

/* A library's models change when the library does. */
static etna_hash stamp_numbered(const etna_hash *stamp, uint32_t number)
{
    uint8_t bytes[36];
    memcpy(bytes, stamp->bytes, 32);
    for (int i = 0; i < 4; i++)
        bytes[32 + i] = (uint8_t)(number >> (8 * i));
    return etna_hash_bytes(bytes, sizeof bytes);
}

/* ---- names of files ---- */

/* "Table01", "BalconyTable": does a word begin here? */
static bool word_begins(char before, char c)
{
    bool is_hump = ascii_is_upper(c) && ascii_is_lower(before);
    bool is_number = ascii_is_digit(c) && ascii_is_letter(before);
    return is_hump || is_number;
}

/* "BalconyTable_01" as "Balcony Table 01". */
static char *name_of_file(const char *path, etna_arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    size_t n = dot ? (size_t)(dot - file) : strlen(file);
    char *name = etna_arena_alloc(arena, 2 * n + 1, 1);
    char *to = name;
    for (size_t i = 0; name && i < n; i++) {
        char before = i ? file[i - 1] : ' ';
        if (to > name && word_begins(before, file[i]))
            *to++ = ' ';
        *to++ = strchr("_-.", file[i]) ? ' ' : file[i];
    }
    return name;
}

/* ---- files ---- */

/* "" where there is none. */
static const char *json_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

/* Names, keywords and remarks by language, borrowed from `row`. What is beyond
 * ASSET_WORDS_MAX languages is not searched by. */
static etna_code scan_words_take(const json_t *row, etna_arena *arena, asset *a)
{
    json_t *all = json_object_get(row, "words");
    json_t *one;
    const char *language;
    size_t count = json_object_size(all);
    if (count > ASSET_WORDS_MAX)
        count = ASSET_WORDS_MAX;
    a->words = etna_arena_alloc(arena, count, sizeof *a->words);
    if (!a->words)
        return ETNA_E_NOMEM;
    json_object_foreach(all, language, one)
    {
        if (a->word_count == count)
            break;
        const char *texts[3];
        for (size_t k = 0; k < 3; k++) {
            const char *text = json_string_value(json_array_get(one, k));
            texts[k] = text ? text : "";
        }
        a->words[a->word_count++] =
            (asset_words){language, texts[0], texts[1], texts[2]};
    }
    return ETNA_OK;
}

/* Texts are borrowed from `row` and `whole`. */
static etna_code source_take(const json_t *whole,
                             const json_t *row,
                             etna_arena *arena,
                             asset *ret)
{
    asset a = asset_empty();
    a.number = (uint32_t)json_integer_value(json_object_get(row, "index"));
    a.id = json_text(row, "id");
    a.name = json_text(row, "name");
    a.tags = json_text(row, "tags");
    a.category = json_text(row, "category");
    a.creator = json_text(row, "creator");
    a.information = json_text(row, "information");
    a.collection = json_text(whole, "name");
    a.licence = *json_text(row, "licence") ? json_text(row, "licence")
                                           : json_text(whole, "licence");
    a.elevation = json_number_value(json_object_get(row, "elevation"));
    a.top = json_number_value(json_object_get(row, "top"));
    a.movable = json_is_true(json_object_get(row, "movable"));
    a.opening = json_is_true(json_object_get(row, "opening"));
    a.light = json_is_true(json_object_get(row, "light"));
    a.fault = json_text(row, "fault");
    etna_code code = scan_words_take(row, arena, &a);
    if (code == ETNA_OK)
        *ret = a;
    return code;
}

/* The sources of a library, with a first one that stands for itself. */
static etna_code library_sources(const char *path,
                                 const etna_hash *stamp,
                                 const json_t *whole,
                                 etna_arena *arena,
                                 asset **ret,
                                 uint32_t *ret_count,
                                 etna_error *err)
{
    const json_t *models = json_object_get(whole, "models");
    const json_t *row;
    size_t count = json_array_size(models);
    size_t i;
    asset *list = etna_arena_alloc(arena, count + 1, sizeof *list);
    if (!list)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu models", count);
    list[0] = asset_empty();
    list[0].path = path;
    list[0].stamp = *stamp;
    json_array_foreach(models, i, row)
    {
        asset *a = &list[i + 1];
        if (source_take(whole, row, arena, a) != ETNA_OK)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu models",
                             count);
        a->path = path;
        a->stamp = stamp_numbered(stamp, a->number);
    }
    *ret = list;
    *ret_count = (uint32_t)count + 1;
    return ETNA_OK;
}

/* Counts what came of a file's models and says which were left out. The row
 * that stands for a library is none. */
static void report_add(scanning *x, const asset *list, uint32_t count)
{
    char name[300];
    for (uint32_t i = 0; i < count; i++) {
        bool is_library = etna_hash_is_zero(&list[i].hash) && !list[i].fault[0];
        if (is_library)
            continue;
        x->report.models++;
        if (!list[i].fault[0])
            continue;
        x->report.faults++;
        asset_short_name(&list[i], name, sizeof name);
        scanning_say(x, "%s%s%s: left out: %s", name,
                     list[i].name[0] ? ", " : "", list[i].name, list[i].fault);
    }
}

/* A library that cannot be read is a line in the report; the scan goes on. */
static etna_code library_scan(scanning *x,
                              const char *path,
                              const etna_hash *stamp,
                              etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    uint8_t *text = NULL;
    size_t size = 0;
    asset *list = NULL;
    uint32_t count = 0;
    etna_code code = convert_catalogue(path, &text, &size, err);
    if (code != ETNA_OK) {
        scanning_say(x, "%s", err->text);
        x->report.faults++;
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    }
    json_t *whole = json_loadb((const char *)text, size, 0, NULL);
    free(text);
    code = whole
               ? library_sources(path, stamp, whole, &arena, &list, &count, err)
               : etna_fail(err, ETNA_E_NOMEM, "%s: no memory for its catalogue",
                           path);
    if (code == ETNA_OK)
        code = scan_models(x, list + 1, count - 1, &arena, err);
    if (code == ETNA_OK && !x->gather)
        code = shelf_put_path(x->shelf, path, list, count, err);
    if (code == ETNA_OK && !x->gather)
        report_add(x, list, count);
    json_decref(whole);
    etna_arena_free(&arena);
    return code;
}

/* ---- the whole ---- */

/* A line for whoever runs the scan; longer ones are cut. */
void scanning_say(scanning *x, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (x->options->say)
        x->options->say(x->options->context, line);
}

/* Files that are models, to be read together. Paths are borrowed, names lie in
 * the scan's arena. */
typedef struct changed { /* files that are models, to be read together */
    asset *list;
    uint32_t count, room;
} changed;

/* Libraries do not come here: they are read whole by library_scan. */
static etna_code changed_add(changed *c,
                             const char *path,
                             const etna_hash *stamp,
                             etna_arena *arena,
                             etna_error *err)
{
    if (c->count == c->room) {
        uint32_t room = c->room ? 2 * c->room : 256;
        asset *grown = realloc(c->list, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u models",
                             room);
        c->list = grown;
        c->room = room;
    }
    asset a = asset_empty();
    a.path = path;
    a.name = name_of_file(path, arena);
    a.stamp = *stamp;
    if (!a.name)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a name");
    c->list[c->count++] = a;
    return ETNA_OK;
}

/* What is as it was counts from the shelf; its faults are told again. */
static etna_code unchanged_count(scanning *x,
                                 const scan_paths_list *same,
                                 etna_error *err)
{
    shelf_list all = {.count = 0};
    if (!same->count)
        return ETNA_OK;
    etna_code code = shelf_read(x->shelf, &all, err);
    for (uint32_t i = 0; code == ETNA_OK && i < all.count; i++) {
        const char *path = all.assets[i].path;
        if (bsearch(&path, same->paths, same->count, sizeof *same->paths,
                    path_order))
            report_add(x, &all.assets[i], 1);
    }
    shelf_list_free(&all);
    return code;
}

/* Puts the file where it belongs: unchanged, a library, or a model to be read.
 * One that cannot be stamped is a fault in the report. */
static etna_code file_scan(scanning *x,
                           const char *path,
                           changed *models,
                           scan_paths_list *same,
                           etna_arena *arena,
                           etna_error *err)
{
    etna_hash stamp, known;
    if (file_stamp(path, &stamp, err) != ETNA_OK) {
        scanning_say(x, "%s", err->text);
        x->report.faults++;
        return ETNA_OK;
    }
    bool is_same = shelf_get_stamp(x->shelf, path, &known, NULL) == ETNA_OK &&
                   etna_hash_equal(&stamp, &known);
    if (is_same)
        return paths_add(same, path, err);
    if (convert_is_library(path))
        return library_scan(x, path, &stamp, err);
    return changed_add(models, path, &stamp, arena, err);
}

/* What was read of files, and of those that are as they were. */
static etna_code models_put(scanning *x,
                            const changed *models,
                            const scan_paths_list *same,
                            etna_error *err)
{
    etna_code code =
        shelf_put_files(x->shelf, models->list, models->count, err);
    if (code == ETNA_OK)
        report_add(x, models->list, models->count);
    return code == ETNA_OK ? unchanged_count(x, same, err) : code;
}

/* Models of all files are read together, so that helpers always have work; rows
 * are written at the end, file by file. */
static etna_code files_scan(scanning *x, etna_error *err)
{
    changed models = {.count = 0};
    scan_paths_list same = {.count = 0};
    etna_arena arena = ETNA_ARENA_INIT;
    etna_code code = ETNA_OK;
    const char *before = "";
    if (x->files.count)
        qsort(x->files.paths, x->files.count, sizeof *x->files.paths,
              path_order);
    for (uint32_t i = 0; code == ETNA_OK && i < x->files.count; i++) {
        if (strcmp(x->files.paths[i], before) != 0)
            code = file_scan(x, x->files.paths[i], &models, &same, &arena, err);
        before = x->files.paths[i];
    }
    if (code == ETNA_OK)
        code = scan_models(x, models.list, models.count, &arena, err);
    if (code == ETNA_OK && !x->gather)
        code = models_put(x, &models, &same, err);
    free(models.list);
    paths_free(&same);
    etna_arena_free(&arena);
    return code;
}

/* At a boundary of names: "/a/bc" is not beneath "/a/b". No root: everything
 * is. */
static bool path_is_beneath(const char *path, const char *root)
{
    size_t n = root ? strlen(root) : 0;
    if (!root)
        return true;
    if (strncmp(path, root, n) != 0)
        return false;
    return path[n] == '/' || root[n - 1] == '/';
}

/* Only what is surely gone: a folder that cannot be read now (a disk that is
 * not mounted) is no reason to forget it. */
etna_code scan_forget(shelf *s,
                      const char *root,
                      uint32_t *ret_removed,
                      etna_error *err)
{
    shelf_list all = {.count = 0};
    uint32_t removed = 0;
    etna_code code = shelf_read(s, &all, err);
    for (uint32_t i = 0; code == ETNA_OK && i < all.count; i++) {
        const char *path = all.assets[i].path;
        bool is_gone = path_is_beneath(path, root) && access(path, F_OK) != 0 &&
                       (errno == ENOENT || errno == ENOTDIR);
        if (!is_gone)
            continue;
        removed++;
        code = shelf_put_path(s, path, NULL, 0, err);
    }
    shelf_list_free(&all);
    if (code == ETNA_OK)
        *ret_removed += removed;
    return code;
}

/* *ret_report is set on success alone. */
etna_code scan_paths(shelf *s,
                     const char *const *paths,
                     uint32_t count,
                     const scan_options *options,
                     scan_report *ret_report,
                     etna_error *err)
{
    scanning x = {.shelf = s, .options = options};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++)
        code = argument_take(&x, paths[i], true, err);
    if (code == ETNA_OK)
        code = files_scan(&x, err);
    for (uint32_t i = 0; code == ETNA_OK && i < x.roots.count; i++)
        code = scan_forget(s, x.roots.paths[i], &x.report.removed, err);
    paths_free(&x.files);
    paths_free(&x.roots);
    if (code == ETNA_OK)
        *ret_report = x.report;
    return code;
}

/* Nothing is told of: whoever scans when the lots were read tells it all. */
etna_code scan_gather(shelf *s,
                      const char *const *paths,
                      uint32_t count,
                      const scan_options *options,
                      gathering *lots,
                      etna_error *err)
{
    const scan_options quiet = {.jobs = options->jobs,
                                .progress = options->progress,
                                .context = options->context};
    scanning x = {.shelf = s, .options = &quiet, .gather = lots};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++)
        code = argument_take(&x, paths[i], true, err);
    if (code == ETNA_OK)
        code = files_scan(&x, err);
    paths_free(&x.files);
    paths_free(&x.roots);
    return code;
}
