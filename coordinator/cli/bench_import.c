/* `etna bench import`: goals that others wrote, made a suite. What it cannot
 * hold is left out, and told. */
#include "coordinator/bench/goals.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/field.h"
#include "coordinator/report/terminal.h"
#include "referee/gltf_scene.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 1 << 20
};

static const char help[] =
    "usage: etna bench import GOALS.jsonl --scenes DIR -o SUITE.json [--name NAME]\n"
    "Makes a suite of goals that are judged by facts, a line a goal: {\"id\", \"scene\" (beneath DIR), \"goal\" or \"steps\", \"level\",\n"
    "\"facts\": [[\"on_top\", A, B], ...]}. A fact becomes a predicate that says the same. Goals with a fact that none says, with things\n"
    "that are no nodes of the file, or with a file that is no plain glTF are left out, each told on stderr. The suite names scenes\n"
    "by absolute paths.\n";

typedef struct importing {
    const char *scenes;
    json_t *made;
    unsigned left_out;
    char absent[400];  /* what is not there, of the line before; "": it is */
    unsigned repeated; /* lines of that scene since it was told */
    char path[4096];   /* of the scene that was read last */
    gltf_scene read;
    bool has_read;
    etna_error *err;
} importing;

/* The file of a goal, read; lines of one file come one after another. */
static bool scene_open(importing *m, const char *name, char *why, size_t size)
{
    char path[4096], error[256];
    char *whole = NULL;
    bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", m->scenes, name) <
                sizeof path;
    if (fits)
        whole = realpath(path, NULL);
    if (!whole) {
        snprintf(why, size, "%.200s: is not there", name);
        return false;
    }
    bool is_known = m->has_read && strcmp(whole, m->path) == 0;
    if (!is_known) {
        if (m->has_read)
            gltf_scene_free(&m->read);
        snprintf(m->path, sizeof m->path, "%s", whole);
        m->has_read = gltf_scene_read(whole, &m->read, error);
        if (!m->has_read)
            snprintf(why, size, "%s", error);
    }
    free(whole);
    return m->has_read;
}

/* Each name that a predicate speaks of. */
static bool things_are_there(const importing *m,
                             const json_t *value,
                             char *why,
                             size_t size)
{
    size_t i;
    const char *key;
    json_t *one;
    bool several = false;
    if (json_is_string(value)) {
        const char *name = json_string_value(value);
        bool is_there = strcmp(name, "camera") == 0 ||
                        gltf_scene_find(&m->read, name, &several) != SIZE_MAX;
        if (!is_there)
            snprintf(why, size, "%s is named \"%.100s\"",
                     several ? "more than one node" : "no node", name);
        return is_there;
    }
    json_array_foreach(value, i, one)
    {
        if (!things_are_there(m, one, why, size))
            return false;
    }
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, key, one)
        {
            if (!things_are_there(m, one, why, size))
                return false;
        }
    }
    return true;
}

/* A folder that is the wrong one would else be told once a goal. */
static void absent_end(importing *m)
{
    if (m->repeated)
        fprintf(stderr, "left out: %u more of that scene\n", m->repeated);
    m->repeated = 0;
}

static bool absent_again(importing *m, const char *why)
{
    bool is_again = strcmp(m->absent, why) == 0;
    m->repeated += is_again;
    return is_again;
}

static void import_line_take(importing *m, const json_t *line)
{
    char why[400] = "";
    json_t *scene = NULL;
    bool is_there = scene_open(m, field_string(line, "scene"), why, sizeof why);
    if (is_there)
        scene = goals_scene(line, m->path, why, sizeof why);
    const json_t *after =
        json_object_get(json_object_get(scene, "goal"), "after");
    bool is_good = scene && things_are_there(m, after, why, sizeof why);
    if (is_good)
        json_array_append(m->made, scene);
    json_decref(scene);
    if (is_good)
        return;
    m->left_out++;
    if (!is_there && absent_again(m, why))
        return;
    absent_end(m);
    snprintf(m->absent, sizeof m->absent, "%s", is_there ? "" : why);
    terminal_printf(stderr, "left out: %s: %s", field_string(line, "id"), why);
    putc('\n', stderr);
}

static etna_code lines_take(importing *m, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = malloc(LINE_MAX_BYTES);
    etna_code code = ETNA_OK;
    if (!file || !line)
        code = etna_fail(m->err, ETNA_E_INPUT, "%.300s: %s", path,
                         strerror(errno));
    for (unsigned number = 1; !code && fgets(line, LINE_MAX_BYTES, file);
         number++) {
        if (line[strspn(line, " \t\r\n")] == 0 || *line == '#')
            continue;
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(object))
            import_line_take(m, object);
        else
            code =
                etna_fail(m->err, ETNA_E_INPUT,
                          "%.300s, line %u: is no JSON object", path, number);
        json_decref(object);
    }
    absent_end(m);
    if (file)
        fclose(file);
    free(line);
    return code;
}

/* Read again as a suite before it is written: what is made is good. Fifteen
 * digits, as then 0.03 stays what people wrote. */
static etna_code suite_write(importing *m, const char *name, const char *output)
{
    etna_arena arena = ETNA_ARENA_INIT;
    suite s;
    json_t *whole = json_pack("{s:s, s:s, s:O}", "schema", "etna.suite/1",
                              "name", name, "scenes", m->made);
    char *text =
        whole ? json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(15))
              : NULL;
    etna_code code =
        text ? suite_parse(output, text, strlen(text), &arena, &s, m->err)
             : etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a suite");
    if (!code)
        code = bench_file_write(output, text, strlen(text), m->err);
    if (!code)
        printf("%s: %u goals; %u left out\n", output, (unsigned)s.scene_count,
               m->left_out);
    free(text);
    json_decref(whole);
    etna_arena_free(&arena);
    return code;
}

int cmd_bench_import(int argc, char **argv)
{
    etna_error err = {ETNA_OK, ""};
    importing m = {.err = &err};
    const char *output = NULL, *name = "goals";
    const flags_row flags[] = {{"scenes", .text = &m.scenes},
                               {"output", 'o', .text = &output},
                               {"name", .text = &name},
                               {0}};
    int exit_code = 0;
    int first =
        cli_flags("etna bench import", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc || !m.scenes || !output)
        return cli_usage(
            "bench import wants a file of goals, --scenes and -o SUITE.json");
    m.made = json_array();
    etna_code code = m.made ? lines_take(&m, argv[first])
                            : etna_fail(&err, ETNA_E_NOMEM, "out of memory");
    if (!code && !json_array_size(m.made))
        code = etna_fail(
            &err, ETNA_E_INPUT,
            "%.300s: none of its %u goals can be one of a suite (scenes are looked for beneath --scenes); nothing was written",
            argv[first], m.left_out);
    if (!code)
        code = suite_write(&m, name, output);
    if (m.has_read)
        gltf_scene_free(&m.read);
    json_decref(m.made);
    return code ? cli_fail(&err) : 0;
}
