/* run_goal: the whole search, as `etna run` does it, on a copy of the scene as
 * it stands. What it moved becomes one edit. */
#include "proto/array.h"
#include "worker/mcp/tools_internal.h"

#include "proto/ascii.h"
#include "worker/convert/stage.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/gltf.h"
#include "worker/mcp/child.h"
#include "worker/scene/side.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct goal { /* one run under way */
    standing s;
    mcp_call *call;
    char folder[512], scene[600], out[600], result[700];
    const char *sentence;
    bool builtin; /* whatever model the server has */
    double lines;
    child_run child;
    json_t *document; /* of etna run --json */
    bool changed;     /* things came or went: another file stands */
} goal;

/* ---- the copy ---- */

/* For nftw: what cannot be removed is left, the rest goes. */
static int remove_one(const char *path,
                      const struct stat *st,
                      int flag,
                      struct FTW *where)
{
    (void)st;
    (void)flag;
    (void)where;
    remove(path);
    return 0;
}

static etna_code make_folder(goal *g, etna_error *err)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(g->folder, sizeof g->folder, "%.400s/etna-mcp-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(g->folder)) {
        g->folder[0] = 0;
        return etna_fail(err, ETNA_E_IO, "cannot make a folder for the run: %s",
                         strerror(errno));
    }
    snprintf(g->scene, sizeof g->scene, "%s/scene.glb", g->folder);
    snprintf(g->out, sizeof g->out, "%s/out", g->folder);
    snprintf(g->result, sizeof g->result, "%s/result.glb", g->out);
    return ETNA_OK;
}

/* The arrangement as it stands, in a file of its own, with the side file that
 * says which objects are fixed; the run sees what a person would open. */
static etna_code copy_scene(goal *g, etna_error *err)
{
    const world *w = g->s.w;
    const cached_scene *warm = g->s.file->warm;
    uint8_t *data = NULL;
    const char *side = NULL;
    size_t size = 0, side_size = 0;
    char path[700];
    etna_code code =
        stage_export_glb(warm->scene, warm->bundle, warm->bundle_size,
                         &g->s.snap, &data, &size, err);
    if (code == ETNA_OK)
        code = w->options.write(g->scene, data, size, err);
    if (code == ETNA_OK)
        code = side_of_bundle(warm->bundle, warm->bundle_size, &side,
                              &side_size, err);
    snprintf(path, sizeof path, "%s/scene.etna.json", g->folder);
    if (code == ETNA_OK && side)
        code = w->options.write(path, (const uint8_t *)side, side_size, err);
    free(data);
    return code;
}

/* ---- the run ---- */

static bool goal_cancelled(void *context)
{
    const goal *g = context;
    return g->call->cancelled && g->call->cancelled(g->call->context);
}

/* Each line of the run's narration is one step of progress; how many there will
 * be nobody knows. */
static void goal_line(void *context, const char *text)
{
    goal *g = context;
    text += strspn(text, " .0123456789"); /* the time it was said */
    if (strncmp(text, "goal \"", 6) == 0)
        return; /* the caller's own words, and the copy's path */
    if (strncmp(text, "etna: ", 6) == 0)
        text += 6;
    g->lines += 1;
    if (g->call->progress)
        g->call->progress(g->call->context, g->lines, 0, text);
}

/* Why a search has left no result: its own words, else its last line. */
static const char *goal_why_not(const goal *g)
{
    const char *why = json_string_value(json_object_get(g->document, "reason"));
    const bool prefixed = strncmp(g->child.last, "etna: ", 6) == 0;
    const char *last = prefixed ? g->child.last + 6 : g->child.last;
    if (why && *why)
        return why;
    return *last ? last : "etna run ended without a result";
}

/* The copy has the units and the up axis of the scene, whatever the file name
 * says; they were settled when it was opened. A result that is not there is a
 * refusal in the run's own words. */
static etna_code run_search(goal *g, etna_error *err)
{
    const world *w = g->s.w;
    const scene *of = g->s.file->warm->scene;
    char seed[32], steps[32], unit[64];
    const char up[2] = {of->up, 0};
    const char *argv[32];
    const char *camera = tools_text(g->call, "camera");
    size_t n = 0;
    snprintf(seed, sizeof seed, "%.0f", tools_number(g->call, "seed", 0));
    snprintf(steps, sizeof steps, "%.0f",
             tools_number(g->call, "max_steps", 6));
    snprintf(unit, sizeof unit, "%.17g", of->metres_per_unit);
    const char *const fixed[] = {w->options.program,
                                 "run",
                                 g->scene,
                                 "--goal",
                                 g->sentence,
                                 "--json",
                                 "-o",
                                 g->out,
                                 "--no-images",
                                 "--seed",
                                 seed,
                                 "--max-steps",
                                 steps,
                                 "--unit",
                                 unit,
                                 "--up",
                                 up};
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        argv[n++] = fixed[i];
    if (camera) {
        argv[n++] = "--camera";
        argv[n++] = camera;
    }
    if (w->options.model && !g->builtin) {
        argv[n++] = "--model";
        argv[n++] = w->options.model;
    }
    argv[n] = NULL;
    g->child = (child_run){.argv = argv,
                           .cancelled = goal_cancelled,
                           .line = goal_line,
                           .context = g};
    etna_code code = child_do(&g->child, err);
    g->child.argv = NULL;
    if (code != ETNA_OK)
        return etna_error_prefix(err, "nothing was changed");
    json_error_t where;
    g->document = json_loads(g->child.output, 0, &where);
    if (access(g->result, R_OK) != 0)
        return etna_fail(err, ETNA_E_INPUT, "nothing was changed: %.400s",
                         goal_why_not(g));
    return ETNA_OK;
}

/* ---- what came of it ---- */

/* Fastened by a contact at its side: what nothing holds otherwise. The run has
 * checked it. */
static etna_code find_fastened(const goal *g, snapshot *after, etna_error *err)
{
    const world_file *file = g->s.file;
    const space_rules rules = {0};
    space_support_state now = {0};
    etna_code code = space_restore(file->space, after, err);
    if (code == ETNA_OK)
        code = space_support_compute(file->space, &rules, &file->warm->start,
                                     after->attached, &now, err);
    for (uint32_t i = 0; code == ETNA_OK && i < after->object_count; i++) {
        if (after->moved[i] && now.support[i] == SUPPORT_HOVERING)
            after->attached[i] = true;
    }
    space_support_free(&now);
    return code;
}

/* Did things come or go? Then it is not divided into the same objects. */
static bool result_differs(const uint8_t *bundle, size_t size, const scene *of)
{
    etna_arena arena = ETNA_ARENA_INIT;
    bundle_view view;
    scene *same = NULL;
    bool tells = bundle_open(bundle, size, &arena, &view, NULL) == ETNA_OK &&
                 append_tells(view.main, view.main_size);
    bool differs = tells && scene_import_like(bundle, size, of, &same, NULL) ==
                                ETNA_E_INPUT;
    scene_free(same);
    etna_arena_free(&arena);
    return differs;
}

/* Where the result has what, by the same division into objects. A thing counts
 * as moved beyond 10 micrometres or radians: the result went through a file of
 * single precision. */
static etna_code take_over(goal *g,
                           snapshot *after,
                           json_t *moved,
                           etna_error *err)
{
    const scene *of = g->s.file->warm->scene;
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    scene *result = NULL;
    options.metres_per_unit = of->metres_per_unit;
    options.up = of->up;
    etna_code code =
        g->s.w->options.read(g->s.w->options.read_context, g->result, &options,
                             NULL, NULL, &bundle, &size, err);
    if (code == ETNA_OK && result_differs(bundle, size, of)) {
        char label[WORLD_LABEL_MAX + 64];
        snprintf(label, sizeof label, "goal: %.*s", WORLD_LABEL_MAX,
                 g->sentence);
        g->changed = true;
        return world_change(g->s.scene, bundle, size, label, err);
    }
    if (code == ETNA_OK)
        code = scene_import_like(bundle, size, of, &result, err);
    for (uint32_t i = 0; code == ETNA_OK && i < of->object_count; i++) {
        arrange_pose pose = scene_base_pose(&result->objects[i]);
        arrange_pose *at = &after->poses[i];
        double turn = pose.yaw - at->yaw;
        double away = 0;
        turn = fabs(turn - 2 * MATH_PI * floor(turn / (2 * MATH_PI) + 0.5));
        for (int k = 0; k < 3; k++)
            away = fmax(away, fabs(pose.position[k] - at->position[k]));
        if (away < 1e-5 && turn < 1e-5)
            continue;
        *at = pose;
        after->moved[i] = true;
        after->attached[i] = false;
        json_array_append_new(moved, json_string(of->objects[i].name));
    }
    scene_free(result);
    free(bundle);
    return code == ETNA_OK ? find_fastened(g, after, err) : code;
}

/* Takes `otherwise`; gives a new reference. */
static json_t *goal_told(const json_t *document,
                         const char *key,
                         json_t *otherwise)
{
    json_t *value = json_object_get(document, key);
    if (!value)
        return otherwise;
    json_decref(otherwise);
    return json_incref(value);
}

/* What a model needs of the run's steps: hashes and losses are for who reads
 * run.json. */
static json_t *tell_steps(const json_t *document)
{
    static const char *const kept[] = {"instruction", "object", "plane"};
    json_t *rows = json_array();
    json_t *step;
    size_t i;
    json_array_foreach(json_object_get(document, "steps"), i, step)
    {
        json_t *row = json_object();
        for (size_t k = 0; k < COUNT_OF(kept); k++) {
            json_t *value = json_object_get(step, kept[k]);
            if (value)
                json_object_set(row, kept[k], value);
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* What came of it, by the camera that was asked for. Where that can't be drawn
 * the answer goes without. */
static void show_end(goal *g, const snapshot *after, json_t *answer)
{
    scene_camera camera;
    char words[CAMERA_WORDS_MAX];
    etna_error err = {0};
    etna_code code = standing_camera(&g->s, g->call, &camera, words, &err);
    if (code == ETNA_OK)
        code = space_restore(g->s.file->space, after, &err);
    if (code == ETNA_OK)
        tools_show(&g->s, g->call, &camera, words, SCENE_NONE, answer);
}

/* The other file's things, as they stand. */
static etna_code goal_stand_anew(goal *g, snapshot *after, etna_error *err)
{
    snapshot_free(after);
    g->s.file = g->s.scene->file;
    snapshot_free(&g->s.snap);
    etna_code code = world_stand(g->s.scene, &g->s.snap, err);
    return code == ETNA_OK ? snapshot_base(g->s.file->warm->scene, after, err)
                           : code;
}

/* What came of it, for the client; NULL: out of memory. */
static json_t *goal_answer(const goal *g, json_t *moved)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:O}", "status",
                     g->child.exit_code == 0 ? "complete" : "partial", "reason",
                     goal_told(g->document, "reason", json_string("")), "run",
                     goal_told(g->document, "run", json_string("")),
                     "backtracks",
                     goal_told(g->document, "backtracks", json_integer(0)),
                     "steps", tell_steps(g->document), "moved", moved);
}

/* Either one edit of what was moved, or, where things came or went, another
 * version of the file on which the history goes on. */
static etna_code goal_finish(goal *g, etna_error *err)
{
    snapshot after = {0};
    json_t *moved = json_array();
    char label[WORLD_LABEL_MAX + 64];
    const world_edit *stands = &g->s.scene->edits[g->s.scene->at];
    etna_code code = snapshot_decode(g->s.file->warm->scene, stands->data,
                                     stands->size, &after, err);
    if (code == ETNA_OK)
        code = take_over(g, &after, moved, err);
    if (code == ETNA_OK && !g->changed && json_array_size(moved)) {
        after.parent = stands->hash;
        snprintf(label, sizeof label, "goal: %.*s", WORLD_LABEL_MAX,
                 g->sentence);
        code = standing_push(&g->s, &after, label, err);
    }
    if (code == ETNA_OK) {
        json_t *answer = goal_answer(g, moved);
        if (answer && g->changed)
            code = goal_stand_anew(g, &after, err);
        if (answer && (json_array_size(moved) || g->changed))
            show_end(g, &after, answer);
        code = standing_answer(&g->s, g->call, answer, err);
    }
    json_decref(moved);
    snapshot_free(&after);
    return code;
}

/* The sentence, carried out on what stands. The folder goes in every case, with
 * whatever the run left in it. */
static etna_code goal_do(world *w,
                         mcp_call *call,
                         const char *sentence,
                         bool builtin,
                         etna_error *err)
{
    goal g = {.call = call, .sentence = sentence, .builtin = builtin};
    const char *camera = tools_text(call, "camera");
    if (camera && strncmp(camera, "around:", 7) == 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "a search looks through a camera of the file, auto, cutaway, top or orbit:AZ,EL; nothing was changed");
    etna_code code = standing_begin(w, call, &g.s, err);
    if (code == ETNA_OK)
        code = make_folder(&g, err);
    if (code == ETNA_OK)
        code = copy_scene(&g, err);
    if (code == ETNA_OK)
        code = run_search(&g, err);
    if (code == ETNA_OK)
        code = goal_finish(&g, err);
    if (g.folder[0])
        nftw(g.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    json_decref(g.document);
    free(g.child.output);
    standing_end(&g.s);
    return code;
}

etna_code tool_run_goal(world *w, mcp_call *call, etna_error *err)
{
    return goal_do(w, call, tools_text(call, "goal"), false, err);
}

/* ---- what is not in the scene ---- */

/* Words that become part of a sentence: none may begin another. The tool's
 * words become part of a sentence that the built-in reader reads; marks could
 * end it and begin another. */
static etna_code goal_check_words(const char *what,
                                  const char *words,
                                  etna_error *err)
{
    bool plain = words && *words && strlen(words) <= 200;
    if (!words || (plain && !strpbrk(words, ".;:!?\n\r\t()")))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "%s takes a few words without marks, as \"floor lamp\" or \"beside the sofa\"",
        what);
}

static bool words_have_article(const char *words)
{
    static const char *const begins[] = {"a ", "an ", "the ", "another ",
                                         "some "};
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        if (strncmp(words, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return ascii_is_digit(*words);
}

static const char *article_for(const char *words)
{
    return words_have_article(words) ? "" : "a ";
}

/* A name in marks that it does not have itself; false: it has all of them. */
static bool quote_name(const char *name, char *to, size_t size)
{
    static const char marks[] = {'"', '`', '\''};
    for (size_t i = 0; i < sizeof marks; i++) {
        if (strchr(name, marks[i]))
            continue;
        snprintf(to, size, "%c%s%c", marks[i], name, marks[i]);
        return true;
    }
    return false;
}

/* Resolves the name in the scene first, so the sentence has the object's full
 * name in quotes and means one thing. */
static etna_code change_name(
    world *w, const mcp_call *call, char *to, size_t size, etna_error *err)
{
    standing s;
    uint32_t object = 0;
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code =
            standing_object(&s, tools_text(call, "object_name"), &object, err);
    if (code == ETNA_OK &&
        !quote_name(s.file->warm->scene->objects[object].name, to, size))
        code = etna_fail(err, ETNA_E_INPUT,
                         "that name cannot be said in a sentence");
    standing_end(&s);
    return code;
}

etna_code tool_add(world *w, mcp_call *call, etna_error *err)
{
    const char *query = tools_text(call, "query");
    const char *place = tools_text(call, "place");
    char sentence[600];
    etna_code code = goal_check_words("query", query, err);
    if (code == ETNA_OK)
        code = goal_check_words("place", place, err);
    if (code != ETNA_OK)
        return code;
    snprintf(sentence, sizeof sentence, "Add %s%s %s", article_for(query),
             query, place ? place : "");
    return goal_do(w, call, sentence, true, err);
}

etna_code tool_remove(world *w, mcp_call *call, etna_error *err)
{
    char name[ARRANGE_NAME_MAX + 8], sentence[ARRANGE_NAME_MAX + 32];
    etna_code code = change_name(w, call, name, sizeof name, err);
    if (code != ETNA_OK)
        return code;
    snprintf(sentence, sizeof sentence, "Remove %s", name);
    return goal_do(w, call, sentence, true, err);
}

etna_code tool_replace(world *w, mcp_call *call, etna_error *err)
{
    const char *query = tools_text(call, "query");
    char name[ARRANGE_NAME_MAX + 8], sentence[ARRANGE_NAME_MAX + 300];
    etna_code code = goal_check_words("query", query, err);
    if (code == ETNA_OK)
        code = change_name(w, call, name, sizeof name, err);
    if (code != ETNA_OK)
        return code;
    snprintf(sentence, sizeof sentence, "Replace %s with %s%s", name,
             article_for(query), query);
    return goal_do(w, call, sentence, true, err);
}

/* `etna assets find`, of which models need the name, size, licence and
 * reason. */
etna_code tool_find_asset(world *w, mcp_call *call, etna_error *err)
{
    static const char *const kept[] = {"asset", "name", "size", "licence",
                                       "reason"};
    const char *argv[] = {
        w->options.program,        "assets", "find", "--json", "--",
        tools_text(call, "query"), NULL};
    child_run child = {
        .argv = argv, .cancelled = call->cancelled, .context = call->context};
    etna_code code = child_do(&child, err);
    if (code != ETNA_OK)
        return code;
    json_t *document = json_loads(child.output ? child.output : "", 0, NULL);
    json_t *rows = json_array();
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(document, "assets"), i, row)
    {
        json_t *told = json_object();
        for (size_t k = 0; k < COUNT_OF(kept); k++)
            json_object_set(told, kept[k], json_object_get(row, kept[k]));
        json_array_append_new(rows, told);
    }
    if (json_object_get(document, "assets")) {
        call->structured = json_pack(
            "{s:o, s:O}", "found",
            json_incref(json_object_get(document, "found")), "assets", rows);
        if (!call->structured)
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the result");
    } else {
        const char *last =
            strncmp(child.last, "etna: ", 6) == 0 ? child.last + 6 : child.last;
        code = etna_fail(err, ETNA_E_INPUT, "%.400s",
                         *last ? last : "the assets cannot be searched");
    }
    json_decref(rows);
    json_decref(document);
    free(child.output);
    return code;
}
