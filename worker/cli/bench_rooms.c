/* `etna-worker bench rooms` (`etna bench rooms`): rooms and houses of others
 * made scenes, and tasks of what they say stands on what. */
#include "proto/ascii.h"
#include "worker/cli/bench.h"
#include "worker/cli/load.h"
#include "worker/convert/rooms.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: etna bench rooms FILE.json... -o DIR [--sizes SIZES.json] [--tasks N]\n"
    "Makes of each FILE, a house of AI2-THOR (ProcTHOR, Holodeck), a state of SceneEval or a room of ReSpace and SceneReVis, a\n"
    "scene of boxes, DIR/NAME.glb, and of all of them DIR/SUITE.json: what a file says to stand on something is to be put on\n"
    "something else of it. A file that says so of nothing is made a scene alone; `etna bench import` takes tasks of your own.\n\n"
    "  -o, --output DIR     where to\n"
    "      --sizes SIZES    how large assets are: {\"asset\": [width, height, depth]} in metres, or ProcTHOR's\n"
    "                       asset-database.json; what has no size is left out, and told\n"
    "      --tasks N        of each file at most (10)\n"
    "Exit codes: 0 done; 2 usage; 3 a file is wrong; 4 a file cannot be written.\n";

typedef struct rooming {
    const char *output, *sizes_path;
    uint32_t tasks;
    json_t *sizes, *scenes;
    etna_error err;
} rooming;

/* ---- tasks ---- */

/* How wide and deep it is, the less of both. */
static double box_narrow(const rooms_box *b)
{
    return fmin(b->size[0], b->size[2]);
}

static bool box_bears(const rooms *r, uint32_t which)
{
    for (uint32_t i = 0; i < r->box_count; i++) {
        if (r->boxes[i].on == which)
            return true;
    }
    return false;
}

/* Something else that bears things, and is wide enough; the next one behind
 * what it stands on. */
static uint32_t task_find_place(const rooms *r, uint32_t thing)
{
    const double wider = 1.2;
    uint32_t from = r->boxes[thing].on;
    for (uint32_t k = 1; k < r->box_count; k++) {
        uint32_t at = (from + k) % r->box_count;
        double room = box_narrow(&r->boxes[at]);
        double wanted =
            wider * fmax(r->boxes[thing].size[0], r->boxes[thing].size[2]);
        bool is_free = at != thing && r->boxes[at].on != thing;
        if (is_free && room >= wanted && box_bears(r, at))
            return at;
    }
    return ROOMS_NONE;
}

static json_t *task_make(const rooms *r, uint32_t thing, uint32_t place)
{
    const char *name = r->boxes[thing].name;
    const char *on = r->boxes[place].name;
    return json_pack("{s:o, s:[{s:[s, s]}, {s:[s], s:f, s:s}]}", "text",
                     json_sprintf("Put the %s on the %s.", name, on), "after",
                     "on", name, on, "still but", name, "most", 0.02, "since",
                     "step");
}

static json_t *tasks_make(const rooms *r, uint32_t most)
{
    json_t *tasks = json_array();
    for (uint32_t i = 0; i < r->box_count; i++) {
        bool is_loose = r->boxes[i].on != ROOMS_NONE && !box_bears(r, i);
        uint32_t place = is_loose ? task_find_place(r, i) : ROOMS_NONE;
        if (place != ROOMS_NONE && json_array_size(tasks) < most)
            json_array_append_new(tasks, task_make(r, i, place));
    }
    return tasks;
}

/* ---- files ---- */

/* "a/b/house 7.json" is "house_7": a scene's name and a file's. */
static bool stem_make(const char *path, char *to, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *from = slash ? slash + 1 : path;
    size_t length = strlen(from);
    if (length > 5 && strcmp(from + length - 5, ".json") == 0)
        length -= 5;
    if (!length || length >= size)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = from[i];
        const bool is_plain = ascii_is_digit(c) || ascii_is_letter(c);
        to[i] = is_plain || c == '-' ? c : '_';
    }
    to[length] = 0;
    return true;
}

static json_t *json_read(const char *path, etna_error *err)
{
    struct stat st;
    json_error_t error;
    bool is_file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    if (!is_file || st.st_size > ROOMS_BYTES_MAX) {
        etna_fail(err, ETNA_E_INPUT,
                  "%.300s: is no file that can be read, or larger than %d MiB",
                  path, ROOMS_BYTES_MAX >> 20);
        return NULL;
    }
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        etna_fail(err, ETNA_E_INPUT, "%.300s, line %d: %.200s", path,
                  root ? 1 : error.line,
                  root ? "is no JSON object" : error.text);
        json_decref(root);
        return NULL;
    }
    return root;
}

static etna_code scene_write(rooming *m, const rooms *r, const char *stem)
{
    char path[4096];
    uint8_t *data = NULL;
    size_t size = 0;
    bool fits = (size_t)snprintf(path, sizeof path, "%s/%s.glb", m->output,
                                 stem) < sizeof path;
    etna_code code = fits ? rooms_write(r, &data, &size, &m->err)
                          : etna_fail(&m->err, ETNA_E_INPUT,
                                      "%.300s: is too long a path", m->output);
    if (!code)
        code = load_write(path, data, size, &m->err);
    free(data);
    return code;
}

static json_t *scene_of(const char *stem, json_t *tasks)
{
    return json_pack("{s:s, s:o, s:s, s:s, s:O}", "name", stem, "scene",
                     json_sprintf("%s.glb", stem), "split", "test", "level",
                     "easy", "steps", tasks);
}

static etna_code file_take(rooming *m, const char *path)
{
    etna_arena arena = ETNA_ARENA_INIT;
    rooms r;
    char stem[100];
    json_t *document = json_read(path, &m->err);
    json_t *tasks = NULL;
    etna_code code = document ? ETNA_OK : m->err.code;
    if (!code && !stem_make(path, stem, sizeof stem))
        code = etna_fail(&m->err, ETNA_E_INPUT,
                         "%.300s: its name is too long for a scene's", path);
    if (!code && rooms_read(document, m->sizes, &arena, &r, &m->err)) {
        char why[400];
        snprintf(why, sizeof why, "%s", m->err.text);
        code = etna_fail(&m->err, m->err.code, "%.200s: %s", path, why);
    }
    if (!code)
        code = scene_write(m, &r, stem);
    if (!code)
        tasks = tasks_make(&r, m->tasks);
    for (uint32_t i = 0; !code && i < r.left_count; i++)
        fprintf(stderr, "left out: %s: %s\n", stem, r.left_out[i]);
    if (!code)
        printf("%s.glb: %u things and walls, %zu tasks; %u left out\n", stem,
               (unsigned)r.box_count, json_array_size(tasks),
               (unsigned)r.left_count);
    if (json_array_size(tasks))
        json_array_append_new(m->scenes, scene_of(stem, tasks));
    json_decref(tasks);
    json_decref(document);
    etna_arena_free(&arena);
    return code;
}

static etna_code rooming_write_suite(rooming *m)
{
    char path[4096];
    json_t *suite = json_pack("{s:s, s:s, s:O}", "schema", "etna.suite/1",
                              "name", "rooms", "scenes", m->scenes);
    char *text = suite ? json_dumps(suite, JSON_INDENT(1)) : NULL;
    snprintf(path, sizeof path, "%s/SUITE.json", m->output);
    etna_code code =
        text ? load_write(path, (const uint8_t *)text, strlen(text), &m->err)
             : etna_fail(&m->err, ETNA_E_NOMEM, "out of memory for a suite");
    free(text);
    json_decref(suite);
    return code;
}

static etna_code rooming_run(rooming *m, char **files, int count)
{
    etna_code code = ETNA_OK;
    m->scenes = json_array();
    if (mkdir(m->output, 0777) && errno != EEXIST)
        code = etna_fail(&m->err, ETNA_E_IO, "%.300s: %s", m->output,
                         strerror(errno));
    if (!code && m->sizes_path) {
        m->sizes = json_read(m->sizes_path, &m->err);
        code = m->sizes ? ETNA_OK : m->err.code;
    }
    for (int i = 0; !code && i < count; i++)
        code = file_take(m, files[i]);
    if (!code && json_array_size(m->scenes))
        code = rooming_write_suite(m);
    else if (!code)
        printf(
            "no SUITE.json: nothing is said to stand on something, or has no other place\n");
    json_decref(m->scenes);
    json_decref(m->sizes);
    return code;
}

int bench_cmd_rooms(int argc, char **argv)
{
    rooming m = {.tasks = 10};
    const flags_row flags[] = {{"output", 'o', .text = &m.output},
                               {"sizes", .text = &m.sizes_path},
                               {"tasks", .number = &m.tasks, .most = 64},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna bench rooms", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first == argc || !m.output)
        return load_usage("bench rooms wants files of rooms and -o DIR");
    return rooming_run(&m, argv + first, argc - first) ? load_report(&m.err)
                                                       : 0;
}
