/* The tools that change an arrangement, and those that walk through what was
 * changed.
 *
 * An edit is found first (by constraints, or by given numbers) on the
 * arrangement as it stands, checked by the same rules as in a run, and pushed
 * on the history only when everything about it has gone well, its picture
 * included; so a failure leaves everything as it was. Undo and redo move along
 * that history, and a new edit drops what was undone. */
#include "worker/mcp/tools_internal.h"

#include "proto/ascii.h"
#include "worker/agents/names.h"
#include "worker/agents/rows.h"
#include "worker/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What goes along with what is moved, by name. */
static json_t *carried_names(const standing *s, const solve_result *solved)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < solved->carried_count; i++)
        json_array_append_new(
            names, json_string(
                       s->file->warm->scene->objects[solved->carried[i]].name));
    return names;
}

/* ---- place ---- */

typedef struct through { /* the camera that an edit is made through */
    scene_camera camera;
    char words[CAMERA_WORDS_MAX];
} through;

/* Takes `structured`, which may be NULL: standing_answer then says that memory
 * ran out. */
static etna_code standing_answer_edit(const standing *s,
                                      mcp_call *call,
                                      const through *by,
                                      uint32_t object,
                                      json_t *structured,
                                      etna_error *err)
{
    if (structured)
        tools_show(s, call, &by->camera, by->words, object, structured);
    return standing_answer(s, call, structured, err);
}

/* The solver's result becomes an edit of the history and the picture that shows
 * it. Nothing is pushed when any step fails; the arrangement stands as it
 * did. */
static etna_code standing_accept(standing *s,
                                 mcp_call *call,
                                 const solve_result *solved,
                                 const through *by,
                                 etna_error *err)
{
    snapshot edited = {0};
    char label[WORLD_LABEL_MAX];
    const char *name = s->file->warm->scene->objects[solved->object].name;
    etna_code code = solve_snapshot(solved, &s->snap, &edited, err);
    if (code != ETNA_OK)
        return code;
    edited.parent = s->scene->edits[s->scene->at].hash;
    /* it may have come to rest on another thing than the plane's */
    json_t *stands_on = NULL;
    code = standing_on(s, &edited, solved->object, &stands_on, err);
    const char *on = json_string_value(json_array_get(stands_on, 0));
    if (!on)
        on = solved->plane;
    snprintf(label, sizeof label, "placed %.100s%s%.100s", name,
             on[0] ? " on " : "", on);
    if (code == ETNA_OK)
        code = standing_push(s, &edited, label, err);
    if (code == ETNA_OK) {
        json_t *told = json_pack(
            "{s:s, s:O, s:o, s:f, s:s, s:f, s:b, s:o}", "object", name,
            "stands_on", stands_on, "position", tools_pose(&solved->pose),
            "yaw_deg", tools_degrees(solved->pose.yaw), "plane", solved->plane,
            "loss", floor(solved->loss * 1e4 + 0.5) / 1e4, "centered",
            solved->centered, "carried", carried_names(s, solved));
        code = standing_answer_edit(s, call, by, solved->object, told, err);
    }
    json_decref(stands_on);
    snapshot_free(&edited);
    return code;
}

/* The constraints as they are written; what is written otherwise but clear, as
 * an executor's answer would be read. A place over 1 stays what it is: nobody
 * knows how large a picture the client looks at. */
static etna_code read_constraints(const standing *s,
                                  const json_t *written,
                                  etna_arena *arena,
                                  constraint_list *ret,
                                  etna_error *err)
{
    const char *spelt = NULL;
    char *text = json_dumps(written, JSON_COMPACT);
    json_t *rows = NULL;
    picture_scale scale = {
        .known = COORDINATES_SHARES, .width = 700, .height = 700};
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the constraints");
    etna_code code =
        names_spell(s->file->warm->scene, text, arena, &spelt, err);
    if (code == ETNA_OK)
        code = constraint_parse(spelt, strlen(spelt), arena, ret, err);
    bool is_read = code == ETNA_E_INPUT && rows_read(text, strlen(text), &scale,
                                                     &rows, NULL) == ETNA_OK;
    free(text);
    text = is_read ? json_dumps(rows, JSON_COMPACT) : NULL;
    json_decref(rows);
    if (text &&
        names_spell(s->file->warm->scene, text, arena, &spelt, NULL) ==
            ETNA_OK &&
        constraint_parse(spelt, strlen(spelt), arena, ret, NULL) == ETNA_OK)
        code = ETNA_OK;
    free(text);
    return code;
}

/* The same constraints and the same solver as an executor's answer in a run, so
 * a place that a run finds is found here, too. */
static etna_code standing_solve(standing *s,
                                const mcp_call *call,
                                etna_arena *arena,
                                through *by,
                                solve_result *ret,
                                etna_error *err)
{
    uint32_t object = 0;
    constraint_list list = {0};
    etna_code code = read_constraints(
        s, json_object_get(call->arguments, "constraints"), arena, &list, err);
    if (code == ETNA_OK)
        code = standing_object(s, list.object, &object, err);
    if (code == ETNA_OK)
        code = standing_camera(s, call, &by->camera, by->words, err);
    if (code != ETNA_OK)
        return code;
    const space_rules rules = {0};
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.camera = &by->camera;
    request.seed = (uint64_t)tools_number(call, "seed", 0);
    request.rules = &rules;
    request.start = &s->file->warm->start;
    request.moved = s->snap.moved;
    request.attached_by_contact = s->snap.attached;
    return solve_run(s->file->space, s->file->warm->probes, &request, ret, err);
}

/* Nothing is moved when no place is found; the answer says what stood in the
 * way. */
etna_code tool_place(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    etna_arena arena = ETNA_ARENA_INIT;
    through by;
    solve_result solved = {0};
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code = standing_solve(&s, call, &arena, &by, &solved, err);
    if (code == ETNA_OK) {
        code = solved.status == BRANCH_VALID
                   ? standing_accept(&s, call, &solved, &by, err)
                   : etna_fail(err, ETNA_E_INPUT,
                               "no such place, nothing was moved: %s",
                               solved.reason);
    }
    etna_arena_free(&arena);
    standing_end(&s);
    return code;
}

/* ---- move ---- */

/* Could a hand have brought it there, with what goes along? `air`: of before
 * the edit. */
static etna_code try_reach(const standing *s,
                           const solve_result *moved,
                           const space_air *air,
                           etna_error *err)
{
    const space_rules rules = {0};
    bool reached = true;
    uint32_t count = moved->carried_count + 1;
    uint32_t *body = malloc(count * sizeof *body);
    arrange_pose *stood = malloc(count * sizeof *stood);
    etna_code code = body && stood ? ETNA_OK
                                   : etna_fail(err, ETNA_E_NOMEM,
                                               "out of memory for the check");
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        body[i] = i > 0 ? moved->carried[i - 1] : moved->object;
        stood[i] = s->snap.poses[body[i]];
    }
    if (code == ETNA_OK)
        code = space_reach(s->file->space, air, body, count, stood, &rules,
                           &reached, err);
    free(body);
    free(stood);
    if (code != ETNA_OK || reached)
        return code;
    return etna_fail(
        err, ETNA_E_INPUT,
        "nothing was moved: that place cannot be reached, no free straight way leads there from open space");
}

/* Moves by given numbers, so nothing is searched: the pose is taken over when
 * it collides with nothing, is held, and a hand could have brought it there.
 * `air` is found before the edit: it is the space that the thing is brought
 * through. */
static etna_code try_pose(standing *s,
                          uint32_t object,
                          const arrange_pose *pose,
                          solve_result *ret_moved,
                          json_t **ret_stands_on,
                          etna_error *err)
{
    const space_rules rules = {0};
    solve_request request = solve_request_default();
    request.rules = &rules;
    request.start = &s->file->warm->start;
    request.moved = s->snap.moved;
    request.attached_by_contact = s->snap.attached;
    const char *name = s->file->warm->scene->objects[object].name;
    char words[ARRANGE_REASON_MAX], label[WORLD_LABEL_MAX];
    snapshot edited = {0};
    space_air *air = NULL;
    etna_code code =
        solve_carry(s->file->space, &request, object, pose, ret_moved, err);
    if (code == ETNA_OK)
        code = space_air_find(s->file->space, &air, err);
    if (code == ETNA_OK)
        code = solve_snapshot(ret_moved, &s->snap, &edited, err);
    if (code == ETNA_OK)
        code = space_restore(s->file->space, &edited, err);
    if (code == ETNA_OK)
        code = tools_broken(s, &edited, object, ret_moved->carried,
                            ret_moved->carried_count, words, err);
    if (code == ETNA_OK && words[0])
        code = etna_fail(
            err, ETNA_E_INPUT,
            "nothing was moved: there %s; choose another position, or let place_object find one",
            words);
    if (code == ETNA_OK)
        code = try_reach(s, ret_moved, air, err);
    space_air_free(air);
    if (code == ETNA_OK)
        code = standing_on(s, &edited, object, ret_stands_on, err);
    if (code == ETNA_OK) {
        edited.parent = s->scene->edits[s->scene->at].hash;
        snprintf(label, sizeof label, "moved %.200s", name);
        code = standing_push(s, &edited, label, err);
    }
    snapshot_free(&edited);
    return code;
}

/* What is left out stays as it is: a position alone keeps the yaw, a yaw alone
 * turns it in place. */
etna_code tool_move(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    uint32_t object = 0;
    through by;
    const json_t *position = json_object_get(call->arguments, "position");
    const json_t *yaw = json_object_get(call->arguments, "yaw_deg");
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code =
            standing_object(&s, tools_text(call, "object_name"), &object, err);
    if (code == ETNA_OK)
        code = standing_camera(&s, call, &by.camera, by.words, err);
    if (code != ETNA_OK) {
        standing_end(&s);
        return code;
    }
    const scene_object *o = &s.file->warm->scene->objects[object];
    arrange_pose pose = s.snap.poses[object];
    solve_result moved = {.status = BRANCH_VALID};
    json_t *stands_on = NULL;
    if (position) {
        vec3 at = tools_point(position);
        pose = (arrange_pose){.position = {at.x, at.y, at.z}, .yaw = pose.yaw};
    }
    if (yaw)
        pose.yaw = tools_number(call, "yaw_deg", 0) * (MATH_PI / 180);
    if (o->is_static || o->immovable) {
        code = etna_fail(err, ETNA_E_INPUT,
                         "\"%.100s\" is static and is not moved: %.200s",
                         o->name, o->why);
    } else if (!position && !yaw) {
        code = etna_fail(err, ETNA_E_INPUT,
                         "nothing was moved: give position, yaw_deg or both");
    } else {
        code = try_pose(&s, object, &pose, &moved, &stands_on, err);
    }
    if (code == ETNA_OK) {
        json_t *told = json_pack(
            "{s:s, s:O, s:o, s:f, s:o}", "object", o->name, "stands_on",
            stands_on, "position", tools_pose(&pose), "yaw_deg",
            tools_degrees(pose.yaw), "carried", carried_names(&s, &moved));
        code = standing_answer_edit(&s, call, &by, object, told, err);
    }
    json_decref(stands_on);
    standing_end(&s);
    return code;
}

/* ---- check ---- */

enum {
    LISTED_MAX = 300
};

/* METHODS.md 6: what collided at the start is not held against those that have
 * not moved since, or only together. */
static bool known_pair(const space_check *base,
                       const arrange_pose *then,
                       const snapshot *snap,
                       const space_pair *pair)
{
    bool moved = snap->moved[pair->a] || snap->moved[pair->b];
    if (moved &&
        !space_same_relation(&then[pair->a], &then[pair->b],
                             &snap->poses[pair->a], &snap->poses[pair->b]))
        return false;
    for (uint32_t i = 0; i < base->pair_count; i++) {
        if (base->pairs[i].a == pair->a && base->pairs[i].b == pair->b)
            return true;
    }
    return false;
}

/* Lists are cut at LISTED_MAX; what is not listed is counted. */
typedef struct findings {
    json_t *collisions, *floating;
    bool valid;
    uint32_t left_out;
} findings;

/* Takes `row`. What collided or floated in the file as it came is listed and
 * does not make the arrangement invalid. */
static void add_finding(findings *f, json_t *list, json_t *row, bool is_new)
{
    f->valid = f->valid && !is_new;
    if (json_array_size(list) >= LISTED_MAX) {
        f->left_out++;
        json_decref(row);
    } else {
        json_array_append_new(list, row);
    }
}

/* Both lists ascend, so one walk finds what is floating now and was before. */
static void list_findings(const standing *s,
                          const space_check *now,
                          const space_check *base,
                          const uint32_t *broken,
                          uint32_t broken_count,
                          findings *f)
{
    const scene *of = s->file->warm->scene;
    for (uint32_t i = 0; i < now->pair_count; i++) {
        const space_pair *pair = &now->pairs[i];
        bool is_new =
            !known_pair(base, s->file->warm->start.pose, &s->snap, pair);
        add_finding(f, f->collisions,
                    json_pack("{s:s, s:s, s:o, s:b}", "a",
                              of->objects[pair->a].name, "b",
                              of->objects[pair->b].name, "depth_m",
                              tools_metres(pair->depth), "new", is_new),
                    is_new);
    }
    for (uint32_t i = 0; i < broken_count; i++) {
        add_finding(f, f->floating,
                    json_pack("{s:s, s:b}", "name", of->objects[broken[i]].name,
                              "new", 1),
                    true);
    }
    /* both ascend */
    for (uint32_t i = 0, k = 0; i < now->floating_count; i++) {
        while (k < broken_count && broken[k] < now->floating[i])
            k++;
        if (k < broken_count && broken[k] == now->floating[i])
            continue;
        add_finding(f, f->floating,
                    json_pack("{s:s, s:b}", "name",
                              of->objects[now->floating[i]].name, "new", 0),
                    false);
    }
}

/* By the rules of a run's own check. */
etna_code tool_check(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    const space_rules rules = {0};
    const space_check *base = NULL;
    space_check now = {0};
    space_support_state state = {0};
    uint32_t count = 0, *broken = NULL;
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code = world_base(s.file, &base, err);
    if (code == ETNA_OK)
        code = space_check_all(s.file->space, &rules, &now, err);
    if (code == ETNA_OK)
        code =
            space_support_compute(s.file->space, &rules, &s.file->warm->start,
                                  s.snap.attached, &state, err);
    if (code == ETNA_OK) {
        broken = calloc(s.file->warm->scene->object_count + 1u, sizeof *broken);
        if (!broken)
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    }
    if (code == ETNA_OK) {
        findings f = {json_array(), json_array(), true, 0};
        count = space_support_broken(&s.file->warm->start, &state, s.snap.moved,
                                     broken, s.file->warm->scene->object_count);
        list_findings(&s, &now, base, broken, count, &f);
        code =
            standing_answer(&s, call,
                            json_pack("{s:b, s:o, s:o, s:i}", "valid", f.valid,
                                      "collisions", f.collisions, "floating",
                                      f.floating, "left_out", (int)f.left_out),
                            err);
    }
    free(broken);
    space_support_free(&state);
    space_check_free(&now);
    standing_end(&s);
    return code;
}

/* ---- history ---- */

/* What an answer about the history says beside where it stands. */
static etna_code answer_walk(const standing *s,
                             mcp_call *call,
                             json_t *structured,
                             etna_error *err)
{
    json_t *ways = json_pack("{s:b, s:b}", "can_undo", s->scene->at > 0,
                             "can_redo", s->scene->at + 1 < s->scene->count);
    bool good = structured && ways && json_object_update(structured, ways) == 0;
    json_decref(ways);
    if (!good) {
        json_decref(structured);
        structured = NULL;
    }
    return standing_answer(s, call, structured, err);
}

/* The edit of a handle as history gives it ("e3"), or of its number alone.
 * Numbers are never used again, so "e3" means the same edit as long as it
 * exists; its index moves when old ones are dropped. */
static etna_code find_edit(const world_scene *kept,
                           const char *handle,
                           uint32_t *ret,
                           etna_error *err)
{
    const char *digits = handle + (handle[0] == 'e' || handle[0] == 'E');
    char *end;
    unsigned long number = strtoul(digits, &end, 10);
    bool is_number = ascii_is_digit(*digits) && !*end;
    for (uint32_t i = 0; is_number && i < kept->count; i++) {
        if (kept->edits[i].number != number)
            continue;
        *ret = i;
        return ETNA_OK;
    }
    return etna_fail(
        err, ETNA_E_INPUT,
        "no edit \"%.40s\" here; history tells those there are, e0 is the file as it is",
        handle);
}

/* The edit of a handle, which must lie that way. */
static etna_code walk_to_handle(const standing *s,
                                const char *handle,
                                bool back,
                                uint32_t *ret,
                                etna_error *err)
{
    const uint32_t at = s->scene->at;
    uint32_t to = at;
    etna_code code = find_edit(s->scene, handle, &to, err);
    if (code != ETNA_OK)
        return code;
    const bool is_other_way = back ? to >= at : to <= at;
    if (is_other_way)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s does not lie that way: e%u stands; nothing was changed", handle,
            s->scene->edits[at].number);
    *ret = to;
    return ETNA_OK;
}

/* Refuses to go part of the way: a model that asked for three steps back would
 * not notice that it went two. */
static etna_code edit_walk_to(const standing *s,
                              const mcp_call *call,
                              bool back,
                              uint32_t *ret,
                              etna_error *err)
{
    const char *word = back ? "undo" : "redo";
    const char *handle = tools_text(call, "to");
    uint32_t at = s->scene->at;
    uint32_t there = back ? at : s->scene->count - 1 - at;
    if (handle && json_object_get(call->arguments, "count"))
        return etna_fail(err, ETNA_E_INPUT, "give count or to, not both");
    if (!there)
        return etna_fail(err, ETNA_E_INPUT, "there is nothing to %s", word);
    if (handle)
        return walk_to_handle(s, handle, back, ret, err);
    uint32_t steps = (uint32_t)tools_number(call, "count", 1);
    if (steps > there)
        return etna_fail(err, ETNA_E_INPUT,
                         "there are only %u edits to %s; nothing was changed",
                         there, word);
    *ret = back ? at - steps : at + steps;
    return ETNA_OK;
}

/* The label is that of the edit that was taken back, or made again. */
static etna_code world_walk(world *w,
                            mcp_call *call,
                            bool back,
                            etna_error *err)
{
    standing s = {.w = w};
    uint32_t to = 0;
    etna_code code = world_find(w, tools_text(call, "scene_id"), &s.scene, err);
    if (code == ETNA_OK)
        code = edit_walk_to(&s, call, back, &to, err);
    if (code != ETNA_OK)
        return code;
    world_go_to(s.scene, to);
    const char *label = s.scene->edits[back ? to + 1 : to].label;
    return answer_walk(&s, call, json_pack("{s:s}", "label", label), err);
}

/* Towards the file as it came. */
etna_code tool_undo(world *w, mcp_call *call, etna_error *err)
{
    return world_walk(w, call, true, err);
}
/* As far as no other edit was made since. */
etna_code tool_redo(world *w, mcp_call *call, etna_error *err)
{
    return world_walk(w, call, false, err);
}

/* With handles that undo and redo take. */
etna_code tool_history(world *w, mcp_call *call, etna_error *err)
{
    standing s = {.w = w};
    etna_code code = world_find(w, tools_text(call, "scene_id"), &s.scene, err);
    if (code != ETNA_OK)
        return code;
    json_t *steps = json_array();
    for (uint32_t i = 0; steps && i < s.scene->count; i++) {
        char handle[16];
        snprintf(handle, sizeof handle, "e%u", s.scene->edits[i].number);
        json_array_append_new(steps,
                              json_pack("{s:s, s:s}", "edit", handle, "label",
                                        s.scene->edits[i].label));
    }
    return answer_walk(&s, call, json_pack("{s:o}", "steps", steps), err);
}
