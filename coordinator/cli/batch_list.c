/* Reads and checks a list. Nothing is begun before its last line was checked,
 * and every message names file and line, as editors and CI expect. The list is
 * written by hand or by a script, so it counts as hostile input: its size, the
 * length of each text and the characters of names are bounded. */
#include "coordinator/cli/batch_list.h"
#include "coordinator/cli/steps.h"
#include "proto/array.h"
#include "proto/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of reading one list. */
typedef struct batch_reader {
    const char *path;
    size_t folder; /* bytes of `path` before its name, with the slash */
    etna_arena *arena;
    batch_line *lines;
    uint32_t count, capacity;
    etna_error *err;
} batch_reader;

static etna_code batch_line_fail(const batch_reader *r,
                                 const batch_line *line,
                                 const char *why)
{
    return etna_fail(r->err, ETNA_E_INPUT, "%s, line %u: %s", r->path,
                     line->number, why);
}

static etna_code batch_no_memory(const batch_reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "%s: out of memory", r->path);
}

/* ---- a line's parts ---- */

/* A plain name is safe as a folder, as a word of a shell and in a URL; the
 * summaries' own names are taken. */
static etna_code batch_read_name(const batch_reader *r,
                                 batch_line *line,
                                 const json_t *object)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const char *name = json_string_value(json_object_get(object, "name"));
    if (!name)
        return batch_line_fail(
            r, line,
            "wants a \"name\": its results come into a folder of that name");
    size_t size = strlen(name);
    bool is_plain = strspn(name, plain) == size && *name != '.' && *name != '-';
    if (!is_plain || size == 0 || size > BATCH_NAME_MAX) {
        return batch_line_fail(
            r, line,
            "its name is no plain folder's: letters, digits, . _ and -, a letter, digit or _ first, at "
            "most 128");
    }
    if (strcmp(name, "summary.csv") == 0 || strcmp(name, "summary.html") == 0)
        return batch_line_fail(r, line,
                               "its name is that of a summary; choose another");
    line->name = etna_arena_strdup(r->arena, name);
    return line->name ? ETNA_OK : batch_no_memory(r);
}

static etna_code batch_read_scene(const batch_reader *r,
                                  batch_line *line,
                                  const json_t *object)
{
    const char *scene = json_string_value(json_object_get(object, "scene"));
    if (!scene || !*scene)
        return batch_line_fail(r, line,
                               "wants a \"scene\": the path of a file");
    int folder = *scene == '/' ? 0 : (int)r->folder;
    line->scene = etna_arena_strdup(r->arena, scene);
    line->request.scene =
        etna_arena_printf(r->arena, "%.*s%s", folder, r->path, scene);
    return line->scene && line->request.scene ? ETNA_OK : batch_no_memory(r);
}

/* An instruction or the goal, checked and copied into the arena. */
static etna_code batch_read_words(const batch_reader *r,
                                  const batch_line *line,
                                  const json_t *value,
                                  const char **ret)
{
    char where[512];
    const char *text = json_string_value(value);
    if (!text || !*text)
        return batch_line_fail(
            r, line, "what is to be done wants a text that is not empty");
    snprintf(where, sizeof where, "%.400s, line %u", r->path, line->number);
    etna_code code = steps_check(where, text, r->err);
    if (code)
        return code;
    *ret = etna_arena_strdup(r->arena, text);
    return *ret ? ETNA_OK : batch_no_memory(r);
}

static etna_code batch_read_steps(const batch_reader *r,
                                  batch_line *line,
                                  const json_t *list)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || !count || count > ARRANGE_STEPS_MAX)
        return batch_line_fail(
            r, line, "\"steps\" wants a list of 1 to 256 instructions");
    const char **steps = etna_arena_alloc(r->arena, count, sizeof *steps);
    if (!steps)
        return batch_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        etna_code code =
            batch_read_words(r, line, json_array_get(list, i), &steps[i]);
        if (code)
            return code;
    }
    line->request.config.steps = steps;
    line->request.config.step_count = (uint32_t)count;
    return ETNA_OK;
}

static etna_code batch_read_task(const batch_reader *r,
                                 batch_line *line,
                                 const json_t *object)
{
    const json_t *goal = json_object_get(object, "goal");
    const json_t *steps = json_object_get(object, "steps");
    if (!goal == !steps)
        return batch_line_fail(r, line, "wants either a \"goal\" or \"steps\"");
    return goal ? batch_read_words(r, line, goal, &line->request.config.goal)
                : batch_read_steps(r, line, steps);
}

static etna_code batch_read_seed(const batch_reader *r,
                                 batch_line *line,
                                 const json_t *object)
{
    const json_t *seed = json_object_get(object, "seed");
    if (!seed)
        return ETNA_OK;
    if (!json_is_integer(seed) || json_integer_value(seed) < 0)
        return batch_line_fail(r, line,
                               "\"seed\" wants a whole number, not below 0");
    line->request.config.seed = (uint64_t)json_integer_value(seed);
    return ETNA_OK;
}

/* Flags that say where a run is done and kept are the batch's, those that say
 * what is done are keys of the line. The check is on the words, before
 * flags_read() knows which is a flag and which a value, so it may refuse a
 * value that looks like one; that is told, and costs a quote. */
static bool batch_flag_is_the_batchs(const char *word)
{
    static const char *const names[] = {
        "store",       "output", "connect", "wait",  "json", "workers",
        "mesh-memory", "goal",   "steps",   "after", "seed"};
    if (word[0] == '-' && word[1] == 'o')
        return true;
    if (strncmp(word, "--", 2) != 0)
        return false;
    size_t size = strcspn(word + 2, "=");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (size && strncmp(word + 2, names[i], size) == 0 &&
            strlen(names[i]) == size)
            return true;
    }
    return false;
}

/* The words as an argv with a terminating NULL, copied since the JSON goes. */
static etna_code batch_copy_flags(const batch_reader *r,
                                  const batch_line *line,
                                  const json_t *list,
                                  char ***ret_argv)
{
    size_t count = json_array_size(list);
    char **argv = etna_arena_alloc(r->arena, count + 2, sizeof *argv);
    if (!argv || !(argv[0] = etna_arena_strdup(r->arena, "flags")))
        return batch_no_memory(r);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word)
            return batch_line_fail(
                r, line,
                "\"flags\" wants a list of words, as [\"--branches\", \"2\"]");
        if (batch_flag_is_the_batchs(word)) {
            return etna_fail(
                r->err, ETNA_E_INPUT,
                "%s, line %u: flags: %.80s is no flag of a line: what is done has keys of its own, and where "
                "it is done and kept is the batch's",
                r->path, line->number, word);
        }
        argv[i + 1] = etna_arena_strdup(r->arena, word);
        if (!argv[i + 1])
            return batch_no_memory(r);
    }
    argv[count + 1] = NULL;
    *ret_argv = argv;
    return ETNA_OK;
}

/* As `etna run` reads them, but without --help and without words that belong to
 * no flag. */
static etna_code batch_take_flags(run_request *request,
                                  int argc,
                                  char **argv,
                                  etna_error *err)
{
    flags_row rows[FLAGS_MAX + 1] = {{0}};
    bool help = false;
    int first = 0;
    run_request_add_flags(request, rows);
    etna_code code =
        flags_read("etna run", argc, argv, rows, &help, &first, err);
    if (code)
        return code;
    if (help)
        return etna_fail(err, ETNA_E_USAGE, "--help is none of a line's");
    if (first != argc)
        return etna_fail(err, ETNA_E_USAGE, "%.80s belongs to no flag",
                         argv[first]);
    bool ends_flags = strcmp(argv[first - 1], "--") == 0;
    return ends_flags ? etna_fail(err, ETNA_E_USAGE, "-- is no flag") : ETNA_OK;
}

static etna_code batch_read_flags(const batch_reader *r,
                                  batch_line *line,
                                  const json_t *object)
{
    const json_t *list = json_object_get(object, "flags");
    char **argv = NULL;
    int argc = (int)json_array_size(list) + 1;
    if (list && (!json_is_array(list) || argc > BATCH_FLAGS_MAX))
        return batch_line_fail(
            r, line,
            "\"flags\" wants a list of words, as [\"--branches\", \"2\"]");
    if (argc < 2)
        return ETNA_OK;
    etna_code code = batch_copy_flags(r, line, list, &argv);
    if (code)
        return code;
    etna_error why = {ETNA_OK, ""};
    if (batch_take_flags(&line->request, argc, argv, &why) == ETNA_OK)
        return ETNA_OK;
    return etna_fail(r->err, ETNA_E_INPUT, "%s, line %u: flags: %s", r->path,
                     line->number, why.text);
}

/* An unknown key is most likely a misspelt one, thus an error. */
static etna_code batch_check_keys(const batch_reader *r,
                                  const batch_line *line,
                                  const json_t *object)
{
    static const char *const known[] = {"name",  "scene", "goal",
                                        "steps", "seed",  "flags"};
    for (void *at = json_object_iter((json_t *)(uintptr_t)object); at;
         at = json_object_iter_next((json_t *)(uintptr_t)object, at)) {
        const char *key = json_object_iter_key(at);
        size_t i = 0;
        while (i < COUNT_OF(known) && strcmp(key, known[i]) != 0)
            i++;
        if (i < COUNT_OF(known))
            continue;
        return etna_fail(
            r->err, ETNA_E_INPUT,
            "%s, line %u: knows no key %.80s: name, scene, goal, steps, seed, flags",
            r->path, line->number, key);
    }
    return ETNA_OK;
}

/* Sorted and compact, so that a list which is written anew by another program
 * keeps its hashes and thus its results. */
static etna_code batch_hash_line(const batch_reader *r,
                                 batch_line *line,
                                 const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return batch_no_memory(r);
    line->hash = etna_hash_bytes(text, strlen(text));
    free(text);
    return ETNA_OK;
}

/* In the order in which a reader checks the line by eye. */
static etna_code batch_read_object(const batch_reader *r,
                                   batch_line *line,
                                   const json_t *object)
{
    etna_error why = {ETNA_OK, ""};
    line->request = run_request_default();
    etna_code code = batch_check_keys(r, line, object);
    if (!code)
        code = batch_read_name(r, line, object);
    if (!code)
        code = batch_read_scene(r, line, object);
    if (!code)
        code = batch_read_task(r, line, object);
    if (!code)
        code = batch_read_seed(r, line, object);
    if (!code)
        code = batch_read_flags(r, line, object);
    if (!code)
        code = batch_hash_line(r, line, object);
    if (code)
        return code;
    return run_request_consider(&line->request, &why)
               ? batch_line_fail(r, line, why.text)
               : ETNA_OK;
}

/* ---- the file ---- */

/* Grows by doubling inside the arena; the old arrays stay there until the end,
 * which at most doubles the memory. */
static batch_line *batch_add_line(batch_reader *r)
{
    if (r->count == r->capacity) {
        uint32_t capacity = r->capacity ? 2 * r->capacity : 64;
        batch_line *grown = etna_arena_alloc(r->arena, capacity, sizeof *grown);
        if (!grown)
            return NULL;
        if (r->count)
            memcpy(grown, r->lines, r->count * sizeof *grown);
        r->lines = grown;
        r->capacity = capacity;
    }
    batch_line *line = &r->lines[r->count++];
    *line = (batch_line){.name = NULL};
    return line;
}

/* Blank lines are skipped and keep their number. */
static etna_code batch_take_line(batch_reader *r,
                                 unsigned number,
                                 const char *text,
                                 size_t size)
{
    json_error_t why;
    batch_line none = {.number = number};
    size_t blank = 0;
    while (blank < size && strchr(" \t\r", text[blank]) && text[blank])
        blank++;
    if (blank == size)
        return ETNA_OK;
    if (r->count == BATCH_LINES_MAX)
        return batch_line_fail(r, &none,
                               "is one of more than 100000; split the list");
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!json_is_object(object)) {
        json_decref(object);
        return batch_line_fail(r, &none,
                               "is no JSON object, or has a key twice");
    }
    batch_line *line = batch_add_line(r);
    if (line)
        line->number = number;
    etna_code code =
        line ? batch_read_object(r, line, object) : batch_no_memory(r);
    json_decref(object);
    return code;
}

static etna_code batch_take_lines(batch_reader *r,
                                  const char *data,
                                  size_t size)
{
    etna_code code = ETNA_OK;
    unsigned number = 1;
    for (size_t at = etna_utf8_mark(data, size); !code && at < size; number++) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        code = batch_take_line(r, number, data + at, length);
        at += length + 1;
    }
    if (!code && !r->count)
        code = etna_fail(r->err, ETNA_E_INPUT,
                         "%s: holds no line that asks for a run", r->path);
    return code;
}

static int batch_compare_names(const void *a, const void *b)
{
    const batch_line *const *first = a, *const *second = b;
    int order = strcmp((*first)->name, (*second)->name);
    if (order)
        return order;
    return (*first)->number < (*second)->number ? -1 : 1;
}

/* Two lines of one name would write into one folder. Sorting finds them in n
 * log n and names both lines. */
static etna_code batch_check_names(const batch_reader *r)
{
    const batch_line **sorted =
        etna_arena_alloc(r->arena, r->count, sizeof *sorted);
    if (!sorted)
        return batch_no_memory(r);
    for (uint32_t i = 0; i < r->count; i++)
        sorted[i] = &r->lines[i];
    qsort(sorted, r->count, sizeof *sorted, batch_compare_names);
    for (uint32_t i = 1; i < r->count; i++) {
        if (strcmp(sorted[i]->name, sorted[i - 1]->name) != 0)
            continue;
        return etna_fail(r->err, ETNA_E_INPUT,
                         "%s, line %u: the name %s is that of line %u, too",
                         r->path, sorted[i]->number, sorted[i]->name,
                         sorted[i - 1]->number);
    }
    return ETNA_OK;
}

/* Room for at least one more byte. False: the file is longer than a list may
 * be, or memory is short; *data stays the caller's. */
static bool batch_grow(char **data, size_t size, size_t *room)
{
    if (size < *room)
        return true;
    *room = *room ? 2 * *room : 1 << 16;
    char *grown = *room <= BATCH_LIST_BYTES_MAX ? realloc(*data, *room) : NULL;
    if (!grown)
        return false;
    *data = grown;
    return true;
}

/* Read as a stream, since a pipe (/dev/stdin) has no size to ask for. */
static etna_code batch_read_file(const char *path,
                                 char **ret_data,
                                 size_t *ret_size,
                                 etna_error *err)
{
    FILE *file = fopen(path, "re");
    char *data = NULL;
    size_t size = 0, room = 0;
    if (!file)
        return etna_fail(err, ETNA_E_INPUT, "%s: %s", path, strerror(errno));
    etna_code code = ETNA_OK;
    while (!code && !feof(file)) {
        if (!batch_grow(&data, size, &room)) {
            code = etna_fail(err, ETNA_E_INPUT,
                             "%s: is longer than a list may be, or than memory",
                             path);
            break;
        }
        size += fread(data + size, 1, room - size, file);
        if (ferror(file))
            code =
                etna_fail(err, ETNA_E_INPUT, "%s: %s", path, strerror(errno));
    }
    fclose(file);
    if (code) {
        free(data);
        return code;
    }
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

etna_code batch_list_read(const char *path,
                          etna_arena *arena,
                          batch_line **ret_lines,
                          uint32_t *ret_count,
                          etna_error *err)
{
    const char *slash = strrchr(path, '/');
    batch_reader r = {.path = path,
                      .folder = slash ? (size_t)(slash - path) + 1 : 0,
                      .arena = arena,
                      .err = err};
    char *data = NULL;
    size_t size = 0;
    etna_code code = batch_read_file(path, &data, &size, err);
    if (!code)
        code = batch_take_lines(&r, data, size);
    free(data);
    if (!code)
        code = batch_check_names(&r);
    if (code)
        return code;
    *ret_lines = r.lines;
    *ret_count = r.count;
    return ETNA_OK;
}
