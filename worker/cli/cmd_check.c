/* `etna-worker check`: what collides, floats or is out of bounds in a scene, and
 * with --against what is new (METHODS.md 6).
 *
 * Begin at run_check: load, find, tell. check_find lists the faults of the
 * scene as it stands; list_new, with an original, says which of them the edit
 * made. The same rules in the same order judge the runs themselves, so that a
 * result that the solver accepted is not refused here. A result that brought
 * things in or took things out cannot be held against its original object by
 * object; load_twin then makes an original that has the same objects. */
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/convert/append.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/gltf.h"
#include "worker/scene/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna check SCENE [--against ORIGINAL] [OPTION...]\n"
    "Lists the pairs of objects that collide, the objects that float, and those that reach out beyond the floor.\n\n"
    "  --against ORIGINAL  take what is static, supported and colliding from ORIGINAL and list only what is new,\n"
    "                      what was put wholly inside a solid, and what no hand could have put where it is\n"
    "  --reach off         not the last\n"
    "  --collision paper   collisions deeper than 1 cm only (else: a quarter of the thinner object at most)\n"
    "  --floating paper    floating is what has nothing within 1 cm below the middle of its box\n" LOAD_MESH_MEMORY_HELP
    "  --unit METRES, --up Y|Z  as for etna scene info\n"
    "  --json              one JSON document on stdout\n"
    "Exit codes: 0 nothing is listed; 1 something is (with --against: something new); 2 usage; 3 a scene is at fault.\n";

#define HIGH 0.10     /* metres: what hovers higher stands on nothing */
#define TOUCHES 0.001 /* metres: METHODS.md 5's tolerance of a Contact */

/* The lists as JSON, from which both forms of the output are made. new_*: only
 * with --against. */
typedef struct check_report {
    json_t *collisions, *floating, *outside, *new_collisions, *new_floating,
        *new_outside, *new_unreachable, *moved;
    append_news news; /* with --against: what was brought in and taken out */
    /* of what floats: metres down to what is below, null where nothing is */
    json_t *gaps;
} check_report;

/* "embedded": one of the two is static only since it cuts into something in the
 * original. NULL: out of memory. */
static json_t *pair_json(const scene *s, const space_pair *pair)
{
    const scene_object *a = &s->objects[pair->a];
    const scene_object *b = &s->objects[pair->b];
    json_t *row = json_pack("{s:s, s:s, s:f}", "a", a->name, "b", b->name,
                            "depth_m", pair->depth);
    if (row && pair->deeper)
        json_object_set_new(row, "deeper", json_true());
    if (row && (a->static_by_cut || b->static_by_cut))
        json_object_set_new(row, "embedded", json_true());
    return row;
}

static int pair_compare(const void *x, const void *y)
{
    const space_pair *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Pairs have their lower index first on both sides and stand in order. */
static bool check_has_pair(const space_check *check, const space_pair *pair)
{
    return check->pair_count && bsearch(pair, check->pairs, check->pair_count,
                                        sizeof *pair, pair_compare);
}

/* A file does not say what a Contact side or up fastened (METHODS.md 6), so
 * what was moved until a side or its top touches something may hang there;
 * whether that carries is for the support rules. Five ways: the four sides of
 * the box by its yaw, and up; down is for support. */
static etna_code check_find_fastened(const loaded_scene *now,
                                     const bool *moved,
                                     bool *fastened,
                                     etna_error *err)
{
    const scene *s = now->scene;
    for (uint32_t i = 0; i < s->object_count; i++) {
        double sine, cosine, distance;
        uint32_t other = SCENE_NONE;
        math_sincos(s->objects[i].box.yaw, &sine, &cosine);
        const vec3 ways[5] = {v3(sine, -cosine, 0), v3(-sine, cosine, 0),
                              v3(cosine, sine, 0), v3(-cosine, -sine, 0),
                              v3(0, 0, 1)};
        for (int k = 0; moved[i] && k < 5 && other == SCENE_NONE; k++) {
            etna_code code = space_sweep(now->space, i, ways[k], TOUCHES,
                                         &distance, &other, err);
            if (code != ETNA_OK)
                return code;
        }
        fastened[i] = other != SCENE_NONE;
    }
    return ETNA_OK;
}

/* Did an object that hovered low and was moved end higher above what is below
 * it than it began? */
static bool has_risen(const space_support_state *start,
                      const space_support_state *now,
                      uint32_t i)
{
    bool hovers = now->support[i] == SUPPORT_HOVERING && start->gap[i] <= HIGH;
    return hovers && !now->rides[i] && now->gap[i] > start->gap[i] + TOUCHES;
}

/* What hovered may go on: high in the air wherever it was moved, else no
 * farther above what is below than it did. Support is computed once with all
 * fastened that may be; where one of these has risen, it is loosened and all is
 * computed again, since others may have stood on it. */
static etna_code find_support(const loaded_scene *now,
                              const space_rules *rules,
                              const space_support_state *start,
                              const bool *moved,
                              bool *fastened,
                              space_support_state *ret,
                              etna_error *err)
{
    uint32_t n = now->scene->object_count;
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < n; i++)
        fastened[i] =
            fastened[i] || (moved[i] && start->support[i] == SUPPORT_HOVERING);
    etna_code code =
        space_support_compute(now->space, rules, start, fastened, ret, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < n; i++) {
        if (!moved[i] || !fastened[i] || !has_risen(start, ret, i))
            continue;
        fastened[i] = false;
        dropped++;
    }
    if (dropped == 0)
        return ETNA_OK;
    space_support_free(ret);
    return space_support_compute(now->space, rules, start, fastened, ret, err);
}

/* Is it a thing that hung or hovered, no deeper in something static than it
 * was? A lamp let into its ceiling is modelled so; moving it along keeps it
 * so. */
static etna_code hangs_as_then(const loaded_scene *now,
                               const loaded_scene *original,
                               const space_support_state *start,
                               const space_rules *rules,
                               const space_pair *pair,
                               bool *ret,
                               etna_error *err)
{
    const scene *s = now->scene;
    uint32_t thing = s->objects[pair->a].is_static ? pair->b : pair->a;
    uint32_t other = thing == pair->a ? pair->b : pair->a;
    bool hung = space_sunk_hangs(original->space, thing, start->support[thing]);
    double sunk = 0;
    *ret = false;
    bool is_held = s->objects[other].is_static && !s->objects[thing].is_static;
    if (!is_held || !hung || pair->deeper)
        return ETNA_OK;
    etna_code code = space_sunk(original->space, thing, rules, &sunk, err);
    *ret = code == ETNA_OK && sunk > 0 && pair->depth <= sunk + SPACE_SUNK_MORE;
    return code;
}

/* Collisions that the edit made. One that was there before counts only if one
 * of the two moved apart from the other; what hangs as deep in something as at
 * the start is none. */
static etna_code list_collisions(const loaded_scene *now,
                                 const loaded_scene *original,
                                 const space_rules *rules,
                                 const space_check *before,
                                 const space_check *check,
                                 const space_support_state *start,
                                 const space_support_state *state,
                                 const bool *moved,
                                 check_report *report,
                                 etna_error *err)
{
    for (uint32_t i = 0; i < check->pair_count; i++) {
        const space_pair *pair = &check->pairs[i];
        bool as_then = false;
        bool apart =
            !space_same_relation(&start->pose[pair->a], &start->pose[pair->b],
                                 &state->pose[pair->a], &state->pose[pair->b]);
        bool touched = (moved[pair->a] || moved[pair->b]) &&
                       apart; /* what went along with the other did not */
        if (check_has_pair(before, pair) && !touched)
            continue;
        etna_code code =
            hangs_as_then(now, original, start, rules, pair, &as_then, err);
        if (code != ETNA_OK)
            return code;
        if (!as_then)
            json_array_append_new(report->new_collisions,
                                  pair_json(now->scene, pair));
    }
    return ETNA_OK;
}

/* Has one of the two moved, and stand they to each other otherwise than
 * then? */
static bool pair_stands_anew(const space_support_state *then,
                             const space_support_state *state,
                             const bool *moved,
                             uint32_t i,
                             uint32_t k)
{
    if (i == k || (!moved[i] && !moved[k]))
        return false;
    return !space_same_relation(&then->pose[i], &then->pose[k], &state->pose[i],
                                &state->pose[k]);
}

/* An object inside another has no depth that can be measured: the row says
 * "deeper than 5 cm" and names the outer object. */
static void tell_swallowed(check_report *report,
                           const scene *s,
                           uint32_t inner,
                           uint32_t outer)
{
    const space_pair pair = {.a = inner < outer ? inner : outer,
                             .b = inner < outer ? outer : inner,
                             .depth = 0.05,
                             .deeper = true,
                             .collides = true};
    json_t *row = pair_json(s, &pair);
    json_object_set_new(row, "inside", json_string(s->objects[outer].name));
    json_array_append_new(report->new_collisions, row);
}

/* What was put wholly into a solid that was empty in the original: in the file
 * at hand it looks like a hollow. Every pair with one that moved is asked:
 * nothing of the file at hand tells which of them is hollow. */
static etna_code list_swallowed(const loaded_scene *now,
                                const loaded_scene *original,
                                const space_support_state *then,
                                const space_support_state *state,
                                const bool *moved,
                                check_report *report,
                                etna_error *err)
{
    const scene *s = now->scene;
    for (uint32_t i = 0; i < s->object_count; i++) {
        for (uint32_t k = 0; k < s->object_count; k++) {
            bool swallowed = false;
            if (!pair_stands_anew(then, state, moved, i, k))
                continue;
            etna_code code = space_swallowed(now->space, i, k, original->space,
                                             &swallowed, err);
            if (code != ETNA_OK)
                return code;
            if (swallowed)
                tell_swallowed(report, s, i, k);
        }
    }
    return ETNA_OK;
}

/* The object and what rode along with it, which stands to it as it did; how
 * many. */
static uint32_t collect_body(const space_support_state *state,
                             const space_support_state *then,
                             const bool *moved,
                             uint32_t object,
                             uint32_t *body)
{
    uint32_t count = 0;
    body[count++] = object;
    for (uint32_t k = 0; k < state->object_count; k++) {
        bool along = moved[k] && state->rides[k] && k != object;
        if (along && space_same_relation(&then->pose[object], &then->pose[k],
                                         &state->pose[object], &state->pose[k]))
            body[count++] = k;
    }
    return count;
}

/* What was moved to where no hand could have brought it, each thing with what
 * went along. What rides on another is moved with it, and not alone. *Reach* is
 * asked of the whole body at once: a table does not block its own plates. */
static etna_code list_unreachable(const loaded_scene *now,
                                  const loaded_scene *original,
                                  const space_support_state *state,
                                  const bool *moved,
                                  const space_support_state *then,
                                  const space_rules *rules,
                                  check_report *report,
                                  etna_error *err)
{
    const scene *s = now->scene;
    space_air *air = NULL;
    uint32_t *body = calloc(s->object_count + 1u, sizeof *body);
    arrange_pose *stood = calloc(s->object_count + 1u, sizeof *stood);
    etna_code code = body && stood ? ETNA_OK
                                   : etna_fail(err, ETNA_E_NOMEM,
                                               "out of memory for the check");
    if (code == ETNA_OK)
        code = space_air_after(now->space, original->space, &air, err);
    for (uint32_t i = 0; code == ETNA_OK && i < s->object_count; i++) {
        uint32_t count = 0;
        bool reached = true;
        if (!moved[i] || state->rides[i])
            continue;
        count = collect_body(state, then, moved, i, body);
        for (uint32_t k = 0; k < count; k++)
            stood[k] = state->pose[body[k]];
        code = space_reach(now->space, air, body, count, stood, rules, &reached,
                           err);
        if (!reached)
            json_array_append_new(report->new_unreachable,
                                  json_string(s->objects[i].name));
    }
    space_air_free(air);
    free(body);
    free(stood);
    return code;
}

/* In the scene's order. */
static void list_moved(const scene *s, const bool *moved, check_report *report)
{
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (moved[i])
            json_array_append_new(report->moved,
                                  json_string(s->objects[i].name));
    }
}

/* Compares with the original: what moved, and what of all faults is new. The
 * order of the steps is that of the run's own checks, so both say the same. */
static etna_code list_new(const loaded_scene *now,
                          const loaded_scene *original,
                          const space_rules *rules,
                          bool any_place,
                          const space_check *check,
                          check_report *report,
                          etna_error *err)
{
    const scene *s = now->scene;
    space_check before = {0};
    space_support_state start = {0}, state = {0};
    bool *moved = calloc(s->object_count + 1u, sizeof *moved);
    bool *fastened = calloc(s->object_count + 1u, sizeof *fastened);
    uint32_t *broken = calloc(s->object_count + 1u, sizeof *broken);
    etna_code code =
        moved && fastened && broken
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    for (uint32_t i = 0; code == ETNA_OK && i < s->object_count; i++)
        moved[i] = load_moved(&s->objects[i], &original->scene->objects[i]);
    if (code == ETNA_OK)
        code = check_find_fastened(now, moved, fastened, err);
    if (code == ETNA_OK)
        code = space_check_all(original->space, rules, &before, err);
    if (code == ETNA_OK)
        code = space_support_compute(original->space, rules, NULL, NULL, &start,
                                     err);
    if (code == ETNA_OK)
        code = find_support(now, rules, &start, moved, fastened, &state, err);
    if (code == ETNA_OK)
        code = list_collisions(now, original, rules, &before, check, &start,
                               &state, moved, report, err);
    if (code == ETNA_OK) {
        uint32_t count = space_support_broken(&start, &state, moved, broken,
                                              s->object_count);
        for (uint32_t i = 0; i < count; i++)
            json_array_append_new(report->new_floating,
                                  json_string(s->objects[broken[i]].name));
        list_moved(s, moved, report);
    }
    if (code == ETNA_OK)
        code =
            list_swallowed(now, original, &start, &state, moved, report, err);
    if (code == ETNA_OK && !any_place)
        code = list_unreachable(now, original, &state, moved, &start, rules,
                                report, err);
    space_support_free(&state);
    space_support_free(&start);
    space_check_free(&before);
    free(broken);
    free(fastened);
    free(moved);
    return code;
}

/* How far it is down from what floats. Costs a look at the support of
 * everything, so only where something floats. */
static etna_code find_gaps(const loaded_scene *now,
                           const space_rules *rules,
                           const space_check *check,
                           check_report *report,
                           etna_error *err)
{
    space_support_state state = {0};
    if (!check->floating_count)
        return ETNA_OK;
    etna_code code =
        space_support_compute(now->space, rules, NULL, NULL, &state, err);
    for (uint32_t i = 0; code == ETNA_OK && i < check->floating_count; i++) {
        uint32_t o = check->floating[i];
        json_object_set_new(report->gaps, now->scene->objects[o].name,
                            isfinite(state.gap[o]) ? json_real(state.gap[o])
                                                   : json_null());
    }
    space_support_free(&state);
    return code;
}

/* Appends to names what reaches out beyond the floor. */
static etna_code list_outside(const loaded_scene *now,
                              json_t *names,
                              etna_error *err)
{
    const scene *s = now->scene;
    bool *outside = calloc(s->object_count + 1u, sizeof *outside);
    etna_code code =
        outside ? space_find_outside(now->space, outside, err)
                : etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    for (uint32_t i = 0; code == ETNA_OK && i < s->object_count; i++) {
        if (outside[i])
            json_array_append_new(names, json_string(s->objects[i].name));
    }
    free(outside);
    return code;
}

/* The names of a list as the keys of an object: a file may hold 100,000 of them,
 * and each is asked for. NULL when memory is out. */
static json_t *names_set(const json_t *names)
{
    json_t *set = json_object();
    size_t i;
    json_t *row;
    json_array_foreach(names, i, row)
    {
        const char *name = json_string_value(row);
        if (set && json_object_set_new(set, name, json_true())) {
            json_decref(set);
            set = NULL;
        }
    }
    return set;
}

/* Of what is out of bounds that which came, or was moved and was not there
 * before. */
static etna_code list_new_outside(const loaded_scene *original,
                                  check_report *report,
                                  etna_error *err)
{
    size_t k;
    json_t *row;
    if (!json_array_size(report->outside))
        return ETNA_OK;
    json_t *were = json_array();
    etna_code code =
        were ? list_outside(original, were, err)
             : etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    json_t *before = code == ETNA_OK ? names_set(were) : NULL;
    json_t *moved = code == ETNA_OK ? names_set(report->moved) : NULL;
    json_t *added = code == ETNA_OK ? names_set(report->news.added) : NULL;
    bool is_short = !before || !moved || !added;
    if (code == ETNA_OK && is_short)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    json_array_foreach(report->outside, k, row)
    {
        if (code != ETNA_OK)
            break;
        const char *name = json_string_value(row);
        bool went =
            json_object_get(moved, name) && !json_object_get(before, name);
        if (went || json_object_get(added, name))
            json_array_append(report->new_outside, row);
    }
    json_decref(added);
    json_decref(moved);
    json_decref(before);
    json_decref(were);
    return code;
}

/* For counts in English. */
static const char *check_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* For people: depths in millimetres, and how far floating things hang over what
 * is below. */
static void check_print(const check_report *report, bool against)
{
    json_t *row;
    size_t i;
    char a[1024], b[1024];
    json_t *pairs = against ? report->new_collisions : report->collisions;
    json_t *names = against ? report->new_floating : report->floating;
    json_t *outside = against ? report->new_outside : report->outside;
    json_array_foreach(pairs, i, row)
    {
        if (json_object_get(row, "inside")) {
            printf("collision: %s and %s, one wholly inside the other\n",
                   load_plain(json_string_value(json_object_get(row, "a")), a,
                              sizeof a),
                   load_plain(json_string_value(json_object_get(row, "b")), b,
                              sizeof b));
            continue;
        }
        printf("collision: %s and %s, %s%.1f mm deep%s\n",
               load_plain(json_string_value(json_object_get(row, "a")), a,
                          sizeof a),
               load_plain(json_string_value(json_object_get(row, "b")), b,
                          sizeof b),
               json_object_get(row, "deeper") ? "over " : "",
               1000 * json_real_value(json_object_get(row, "depth_m")),
               json_object_get(row, "embedded")
                   ? " (embedded: static only because of it)"
                   : "");
    }
    json_array_foreach(names, i, row)
    {
        const json_t *gap =
            json_object_get(report->gaps, json_string_value(row));
        printf("floating: %s", load_plain(json_string_value(row), a, sizeof a));
        if (json_is_real(gap))
            printf(", %.3f m above what is below", json_real_value(gap));
        if (json_is_null(gap))
            printf(", nothing is below");
        putchar('\n');
    }
    json_array_foreach(outside, i, row) printf(
        "out of bounds: %s\n", load_plain(json_string_value(row), a, sizeof a));
    json_array_foreach(report->new_unreachable, i, row) printf(
        "out of reach: %s\n", load_plain(json_string_value(row), a, sizeof a));
    const char *kind = against ? "new " : "";
    size_t moved = json_array_size(report->moved);
    if (against)
        printf("%zu object%s moved; ", moved, check_plural(moved));
    printf("%zu %scollision%s, %zu %sfloating, %zu %sout of bounds\n",
           json_array_size(pairs), kind, check_plural(json_array_size(pairs)),
           json_array_size(names), kind, json_array_size(outside), kind);
}

/* The scene as it stands, without a view to what it was. */
static void list_all(const scene *s,
                     const space_check *check,
                     check_report *report)
{
    for (uint32_t i = 0; i < check->pair_count; i++) {
        json_array_append_new(report->collisions,
                              pair_json(s, &check->pairs[i]));
    }
    for (uint32_t i = 0; i < check->floating_count; i++) {
        json_array_append_new(report->floating,
                              json_string(s->objects[check->floating[i]].name));
    }
}

/* etna.check/1, sharing the report's lists; NULL: no memory. */
static json_t *check_document(const scene *s,
                              const check_report *report,
                              bool against)
{
    json_t *document = json_pack(
        "{s:I, s:O, s:O, s:O, s:O}", "objects", (json_int_t)s->object_count,
        "collisions", report->collisions, "floating", report->floating, "gaps",
        report->gaps, "out_of_bounds", report->outside);
    if (!document || !against)
        return document;
    json_object_set(document, "new_collisions", report->new_collisions);
    json_object_set(document, "new_floating", report->new_floating);
    json_object_set(document, "new_out_of_bounds", report->new_outside);
    json_object_set(document, "new_unreachable", report->new_unreachable);
    json_object_set(document, "moved", report->moved);
    if (report->news.added) {
        json_object_set(document, "added", report->news.added);
        json_object_set(document, "removed", report->news.gone);
        json_object_set(document, "gone", report->news.untold);
    }
    return document;
}

/* The main file of a scene's bundle; borrowed from it. */
static etna_code main_file(const uint8_t *bundle,
                           size_t size,
                           const uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    bundle_view view;
    etna_code code = bundle_open(bundle, size, &arena, &view, err);
    if (code == ETNA_OK) {
        *ret = view.main;
        *ret_size = view.main_size;
    }
    etna_arena_free(&arena);
    return code;
}

/* The original as one GLB, as a result begins with it. */
static etna_code original_packed(const char *path,
                                 const scene_options *options,
                                 uint8_t **ret,
                                 size_t *ret_size,
                                 double *ret_unit,
                                 bool *ret_z_up,
                                 etna_error *err)
{
    loaded_scene original = {0};
    snapshot base = {.object_count = 0};
    etna_code code = load_scene_only(path, options, &original, err);
    if (code == ETNA_OK)
        code = snapshot_base(original.scene, &base, err);
    if (code == ETNA_OK) {
        *ret_unit = original.scene->metres_per_unit;
        *ret_z_up = original.scene->up == 'Z';
        code =
            scene_export_glb(original.scene, original.bundle,
                             original.bundle_size, &base, ret, ret_size, err);
    }
    snapshot_free(&base);
    load_scene_free(&original);
    return code;
}

/* The original of a result that brought things in or took things out: with what
 * came waiting, and without what went. *ret_done false: the result tells of no
 * such thing. */
static etna_code load_twin(const char *path,
                           const char *against,
                           const scene_options *options,
                           check_report *report,
                           loaded_scene *ret,
                           bool *ret_done,
                           etna_error *err)
{
    uint8_t *now = NULL, *then = NULL, *twin = NULL, *bundle = NULL;
    const uint8_t *file = NULL;
    size_t now_size = 0, then_size = 0, file_size = 0, twin_size = 0,
           bundle_size = 0;
    double unit = 1;
    bool z_up = false;
    *ret_done = false;
    etna_code code = convert_scene(path, options, &now, &now_size, err);
    if (code == ETNA_OK)
        code = main_file(now, now_size, &file, &file_size, err);
    if (code == ETNA_OK && append_tells(file, file_size)) {
        *ret_done = true;
        code = original_packed(against, options, &then, &then_size, &unit,
                               &z_up, err);
        if (code == ETNA_OK)
            code = append_twin(then, then_size, file, file_size, unit, z_up,
                               &twin, &twin_size, &report->news, err);
        if (code == ETNA_OK)
            code = bundle_around(twin, twin_size, NULL, 0, options, &bundle,
                                 &bundle_size, err);
        if (code == ETNA_OK)
            code = convert_unpack(against, &bundle, &bundle_size, err);
        if (code == ETNA_OK)
            code = load_bundle_to_look(against, bundle, bundle_size, ret, err);
        else
            free(bundle);
    }
    free(now);
    free(then);
    free(twin);
    return code;
}

/* For people: what came, what went, and what is missing though no step says so.
 * The last is a fault. */
static void report_news(check_report *report)
{
    json_t *row;
    size_t i;
    char a[1024];
    json_array_foreach(report->news.added, i, row)
        printf("added: %s\n", load_plain(json_string_value(row), a, sizeof a));
    json_array_foreach(report->news.gone, i, row) printf(
        "removed: %s\n", load_plain(json_string_value(row), a, sizeof a));
    json_array_foreach(report->news.untold, i, row)
        printf("gone, and no record says why: %s\n",
               load_plain(json_string_value(row), a, sizeof a));
}

/* What came stands on something, or it floats: nothing tells that it hovered
 * before. */
static etna_code list_added_floating(const scene *s,
                                     const space_check *check,
                                     check_report *report,
                                     etna_error *err)
{
    json_t *added = names_set(report->news.added);
    json_t *told = names_set(report->new_floating);
    bool is_short = !added || !told;
    for (uint32_t i = 0; !is_short && i < check->floating_count; i++) {
        const char *name = s->objects[check->floating[i]].name;
        if (json_object_get(added, name) && !json_object_get(told, name))
            json_array_append_new(report->new_floating, json_string(name));
    }
    json_decref(told);
    json_decref(added);
    return is_short
               ? etna_fail(err, ETNA_E_NOMEM, "out of memory for the check")
               : ETNA_OK;
}

typedef struct check_scenes { /* what is checked, and what it is held against */
    loaded_scene now, original;
    /* a twin: the original with what came, and without what went */
    bool has_original, is_twin;
} check_scenes;

/* With a twin (an edited file that has its own record) the original is read by
 * the twin's options. */
static etna_code check_load(const char *path,
                            const char *against,
                            const scene_options *options,
                            check_report *report,
                            check_scenes *ret,
                            etna_error *err)
{
    ret->has_original = against != NULL;
    etna_code code = against ? load_twin(path, against, options, report,
                                         &ret->original, &ret->is_twin, err)
                             : ETNA_OK;
    bool is_plain = against && !ret->is_twin;
    if (code == ETNA_OK && is_plain)
        code = load_scene_to_look(against, options, NULL, &ret->original, err);
    if (code == ETNA_OK)
        code = load_scene_to_look(path, options, ret->original.scene, &ret->now,
                                  err);
    if (code != ETNA_OK)
        return code;
    load_warn(&ret->now);
    if (against)
        space_level_from(ret->now.space, ret->original.space);
    return ETNA_OK;
}

/* All faults first; then, with an original, the new ones. */
static etna_code check_find(check_scenes *scenes,
                            const space_rules *rules,
                            bool any_place,
                            check_report *report,
                            etna_error *err)
{
    space_check check = {0};
    etna_code code = space_check_all(scenes->now.space, rules, &check, err);
    if (code == ETNA_OK) {
        list_all(scenes->now.scene, &check, report);
        code = find_gaps(&scenes->now, rules, &check, report, err);
    }
    if (code == ETNA_OK)
        code = list_outside(&scenes->now, report->outside, err);
    if (code == ETNA_OK && scenes->has_original)
        code = list_new(&scenes->now, &scenes->original, rules, any_place,
                        &check, report, err);
    if (code == ETNA_OK && scenes->is_twin)
        code = list_added_floating(scenes->now.scene, &check, report, err);
    if (code == ETNA_OK && scenes->has_original)
        code = list_new_outside(&scenes->original, report, err);
    space_check_free(&check);
    return code;
}

/* Is there anything to complain of? Held against an original only what is
 * new. */
static bool check_complains(const check_report *report, bool is_compared)
{
    const json_t *pairs =
        is_compared ? report->new_collisions : report->collisions;
    const json_t *names = is_compared ? report->new_floating : report->floating;
    const json_t *outside = is_compared ? report->new_outside : report->outside;
    size_t found = json_array_size(pairs) + json_array_size(names) +
                   json_array_size(outside) +
                   json_array_size(report->new_unreachable);
    return found + json_array_size(report->news.untold) > 0;
}

/* The exit code says whether there is anything to complain of, in both
 * forms. */
static int check_tell(json_t *document,
                      check_report *report,
                      bool is_compared,
                      bool as_json)
{
    int exit_code = check_complains(report, is_compared) ? 1 : 0;
    if (as_json)
        return load_print("etna.check/1", json_incref(document), exit_code);
    report_news(report);
    check_print(report, is_compared);
    return load_printed(exit_code);
}

/* Also of a report that was filled in part. */
static void check_report_free(check_report *report)
{
    json_decref(report->collisions);
    json_decref(report->floating);
    json_decref(report->outside);
    json_decref(report->new_outside);
    json_decref(report->new_collisions);
    json_decref(report->new_floating);
    json_decref(report->new_unreachable);
    json_decref(report->moved);
    json_decref(report->gaps);
    append_news_free(&report->news);
}

/* Whatever was loaded is freed, in any case. */
static int run_check(const char *path,
                     const char *against,
                     const scene_options *options,
                     const space_rules *rules,
                     bool any_place,
                     bool as_json)
{
    etna_error err = {0};
    check_scenes scenes = {.is_twin = false};
    check_report report = {.collisions = json_array(),
                           .floating = json_array(),
                           .outside = json_array(),
                           .new_collisions = json_array(),
                           .new_floating = json_array(),
                           .new_outside = json_array(),
                           .new_unreachable = json_array(),
                           .moved = json_array(),
                           .gaps = json_object()};
    json_t *document = NULL;
    etna_code code = check_load(path, against, options, &report, &scenes, &err);
    if (code == ETNA_OK)
        code = check_find(&scenes, rules, any_place, &report, &err);
    if (code == ETNA_OK)
        document = check_document(scenes.now.scene, &report, against != NULL);
    bool is_lost = code == ETNA_OK && !document;
    if (is_lost)
        code = etna_fail(&err, ETNA_E_NOMEM, "out of memory for the report");
    int exit_code = code == ETNA_OK ? check_tell(document, &report,
                                                 against != NULL, as_json)
                                    : load_report(&err);
    json_decref(document);
    check_report_free(&report);
    load_scene_free(&scenes.now);
    load_scene_free(&scenes.original);
    return exit_code;
}

/* Exit codes are the help's. */
int worker_cmd_check(int argc, char **argv)
{
    scene_options options = scene_options_default();
    space_rules rules = {0};
    const char *against = NULL;
    bool as_json = false, any_place = false;
    const flags_row flags[] = {
        {"against", .text = &against},
        {"reach", .read = load_reach, .into = &any_place},
        {"collision", .read = load_paper, .into = &rules.paper_collision},
        {"floating", .read = load_paper, .into = &rules.paper_floating},
        LOAD_MESH_MEMORY,
        LOAD_UNIT_AND_UP(&options),
        {"json", .yes = &as_json},
        {0}};
    int exit_code;
    int first = load_flags("etna check", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage("check wants one scene; see `etna check --help`");
    return run_check(argv[first], against, &options, &rules, any_place,
                     as_json);
}
