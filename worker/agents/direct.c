/* The executor where it has no solver (VULCAN table 3): it writes the pose
 * itself, as a placement or as a script's assignments. A script is read by the
 * few forms below and never run; whatever else stands in it is refused with the
 * line. */
#include "proto/utf8.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <math.h>
#include <string.h>

static const double far_away = 1e6; /* metres: no scene reaches there */

/* The part must be closed, by its own end or by <completion>: half a script
 * would place the object half way. */
static etna_code find_answer(const char *text,
                             const char *name,
                             etna_arena *arena,
                             block *ret,
                             etna_error *err)
{
    plain p;
    etna_code code = plain_make(text, arena, &p, err);
    if (code == ETNA_OK)
        code = block_find(&p, name, ret, err);
    if (code != ETNA_OK)
        return code;
    if (ret->size > EXECUTOR_BLOCK_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "the [%s] block has %zu bytes, at most %d are read",
                         name, ret->size, EXECUTOR_BLOCK_MAX);
    size_t completion = 0;
    bool completes = block_word(&p, BLOCK_COMPLETION, 0, false, &completion);
    if (ret->end == BLOCK_CLOSED || (completes && completion >= ret->to))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INPUT,
                     "the [%s] block is cut off: [end of %s] is missing", name,
                     name);
}

/* The pose as the journal and reports hold an executor's answer: a JSON array
 * of arrays. */
static etna_code direct_tell(const executor_result *pose,
                             etna_arena *arena,
                             executor_result *ret,
                             etna_error *err)
{
    json_t *rows =
        json_pack("[[s,s],[s,[f,f,f]]]", "ObjectName", pose->object, "Location",
                  pose->position[0], pose->position[1], pose->position[2]);
    bool ok =
        rows && (!pose->turns ||
                 json_array_append_new(
                     rows, json_pack("[s,f]", "Yaw", pose->yaw_deg)) == 0);
    const char *text = ok ? text_json(arena, rows, JSON_COMPACT) : NULL;
    json_decref(rows);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a pose");
    *ret = *pose;
    ret->ok = ret->direct = true;
    ret->constraints = text;
    ret->plane = ret->reason = "";
    return ETNA_OK;
}

/* Finite, and near enough to be meant. */
static bool is_place(const double position[3])
{
    for (int i = 0; i < 3; i++) {
        if (!(position[i] >= -far_away && position[i] <= far_away))
            return false;
    }
    return true;
}

/* ---- a placement ---- */

static bool read_location(const json_t *location, double ret[3])
{
    if (json_array_size(location) != 3)
        return false;
    for (size_t i = 0; i < 3; i++) {
        const json_t *number = json_array_get(location, i);
        if (!json_is_number(number))
            return false;
        ret[i] = json_number_value(number);
    }
    return is_place(ret);
}

static bool is_member(const char *key)
{
    return strcmp(key, "object") == 0 || strcmp(key, "location") == 0 ||
           strcmp(key, "yaw_deg") == 0;
}

/* Unknown members are refused, not ignored: they may have carried what
 * matters. */
static etna_code read_members(const json_t *root,
                              etna_arena *arena,
                              executor_result *pose,
                              etna_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        if (!is_member(key))
            return etna_fail(
                err, ETNA_E_INPUT,
                "the placement has a member beside object, location and yaw_deg");
    }
    const char *name = json_string_value(json_object_get(root, "object"));
    if (!name || !*name || strlen(name) > ARRANGE_NAME_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "the placement's object is not the name of one");
    if (!read_location(json_object_get(root, "location"), pose->position))
        return etna_fail(err, ETNA_E_INPUT,
                         "the placement's location is not [x, y, z] in metres");
    const json_t *yaw = json_object_get(root, "yaw_deg");
    pose->turns = yaw != NULL;
    pose->yaw_deg = json_number_value(yaw);
    bool is_turn = json_is_number(yaw) && fabs(pose->yaw_deg) <= 3600;
    if (yaw && !is_turn)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the placement's yaw_deg is not a number of degrees from -3600 to 3600");
    pose->object = etna_arena_strdup(arena, name);
    return pose->object ? ETNA_OK
                        : etna_fail(err, ETNA_E_NOMEM,
                                    "out of memory while reading a pose");
}

/* {"object": .., "location": [x, y, z], "yaw_deg": ..} with yaw optional. */
etna_code executor_read_placement(const char *text,
                                  etna_arena *arena,
                                  executor_result *ret,
                                  etna_error *err)
{
    block b;
    executor_result pose = {.ok = false};
    etna_code code = find_answer(text, BLOCK_PLACEMENT, arena, &b, err);
    if (code != ETNA_OK)
        return code;
    json_t *root = loose_find(b.text, b.size, "location");
    code =
        root
            ? read_members(root, arena, &pose, err)
            : etna_fail(
                  err, ETNA_E_INPUT,
                  "the [placement] block is not one JSON object with a location");
    json_decref(root);
    return code == ETNA_OK ? direct_tell(&pose, arena, ret, err) : code;
}

/* ---- a script ---- */

typedef struct line { /* what is left of one */
    const char *at, *end;
} line;

/* Within the line. */
static void skip_spaces(line *l)
{
    while (l->at < l->end && text_is_in(*l->at, " \t\r"))
        l->at++;
}

/* The text, with spaces before it. Where it is not there only the spaces are
 * gone. */
static bool line_take(line *l, const char *text)
{
    size_t size = strlen(text);
    skip_spaces(l);
    if ((size_t)(l->end - l->at) < size || strncmp(l->at, text, size) != 0)
        return false;
    l->at += size;
    return true;
}

/* A name in quotes of either kind; a backslash lets the next character stand
 * for itself. */
static bool line_take_name(line *l, char name[ARRANGE_NAME_MAX + 1])
{
    size_t used = 0;
    skip_spaces(l);
    if (l->at >= l->end || (*l->at != '"' && *l->at != '\''))
        return false;
    char quote = *l->at++;
    for (; l->at < l->end && *l->at != quote; l->at++) {
        if (*l->at == '\\' && ++l->at >= l->end)
            return false;
        if (used == ARRANGE_NAME_MAX)
            return false;
        name[used++] = *l->at;
    }
    name[used] = 0;
    return used > 0 && l->at++ < l->end;
}

static bool line_take_number(line *l, double *ret)
{
    skip_spaces(l);
    return block_number(&l->at, l->end, ret);
}

/* (x, y, z). */
static bool take_location(line *l, double position[3])
{
    if (!line_take(l, "("))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!line_take_number(l, &position[i]) ||
            !line_take(l, i < 2 ? "," : ")"))
            return false;
    }
    return is_place(position);
}

static bool take_location_of(line *l, executor_result *pose, bool *placed)
{
    *placed = line_take(l, "=") && take_location(l, pose->position);
    return *placed;
}

/* 62 radians are nearly ten turns; more is an error. */
static bool direct_take_rotation(line *l, executor_result *pose)
{
    double radians;
    if (!line_take(l, "=") || !line_take_number(l, &radians) ||
        !(fabs(radians) <= 62))
        return false;
    pose->turns = true;
    pose->yaw_deg = radians * (180 / 3.14159265358979323846);
    return true;
}

/* One assignment. False: it is none of the forms that are read. */
static bool read_line(line *l,
                      char name[ARRANGE_NAME_MAX + 1],
                      executor_result *pose,
                      bool *placed)
{
    char other[ARRANGE_NAME_MAX + 1];
    if (!line_take(l, "bpy.data.objects[") || !line_take_name(l, other) ||
        !line_take(l, "]"))
        return false;
    if (name[0] && strcmp(name, other) != 0)
        return false;
    memcpy(name, other, sizeof other);
    bool is_read = false;
    if (line_take(l, ".location"))
        is_read = take_location_of(l, pose, placed);
    else if (line_take(l, ".rotation_euler[2]"))
        is_read = direct_take_rotation(l, pose);
    skip_spaces(l);
    return is_read && (l->at == l->end || *l->at == '#');
}

/* Lines that import bpy, comments and fences are skipped; everything else must
 * be one of two assignments. */
etna_code executor_read_script(const char *text,
                               etna_arena *arena,
                               executor_result *ret,
                               etna_error *err)
{
    block b;
    char name[ARRANGE_NAME_MAX + 1] = "";
    executor_result pose = {.ok = false};
    bool placed = false;
    etna_code code = find_answer(text, BLOCK_SCRIPT, arena, &b, err);
    if (code != ETNA_OK)
        return code;
    unsigned number = 0;
    for (const char *at = b.text, *end = b.text + b.size; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        line l = {at, stop ? stop : end};
        at = l.end + 1;
        skip_spaces(&l);
        const bool says_nothing = l.at == l.end || *l.at == '#';
        if (says_nothing || line_take(&l, "import bpy") || line_take(&l, "```"))
            continue;
        if (!read_line(&l, name, &pose, &placed)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "line %u of the script is none that is read: only .location = (x, y, z) and .rotation_euler[2] = radians "
                "of bpy.data.objects[\"name\"], for one object",
                number);
        }
    }
    if (!placed)
        return etna_fail(err, ETNA_E_INPUT,
                         "the script gives no object a location");
    if (!etna_utf8_valid(name, strlen(name)))
        return etna_fail(err, ETNA_E_INPUT,
                         "the script's object is no UTF-8 text");
    pose.object = etna_arena_strdup(arena, name);
    if (!pose.object)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a pose");
    return direct_tell(&pose, arena, ret, err);
}
