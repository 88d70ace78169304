/* See arguments.h. */
#include "worker/agents/arguments.h"

#include "worker/agents/loose.h"
#include "worker/agents/plain.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <string.h>

enum { POINTS_MAX = 64 };

static json_t *read_arguments(const char *text, etna_arena *arena)
{
    json_t *value = json_loads(text, 0, NULL);
    plain p;
    size_t size = 0;
    if (value || plain_make(text, arena, &p, NULL) != ETNA_OK) return value;
    size_t from = strspn(p.text, " \t\n`");
    return loose_value(p.text + from, p.size - from, &value, &size) ? value : NULL;
}

/* A list that was written as a text. */
static bool argument_unquote(json_t *arguments, const char *key)
{
    const char *text = json_string_value(json_object_get(arguments, key));
    json_t *value = NULL;
    size_t size = 0;
    if (!text || !loose_value(text, strlen(text), &value, &size)) return false;
    return json_object_set_new(arguments, key, value) == 0;
}

/* The one thing that should stand in a list of such. */
static bool argument_enlist(json_t *arguments, const char *key)
{
    json_t *value = json_object_get(arguments, key);
    bool is_point = json_is_number(json_array_get(value, 0)) && json_array_size(value) == 2;
    bool is_name = json_is_string(value) && strcmp(key, "object_name_list") == 0;
    if (!(is_point && strcmp(key, "coord_list") == 0) && !is_name) return false;
    json_t *list = json_pack("[O]", value);
    return list && json_object_set_new(arguments, key, list) == 0;
}

static json_t *argument_list_of(const double *points, uint32_t count, bool in_pairs)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < count; i++) {
        if (in_pairs) {
            loose_append(&list, json_pack("[f,f]", points[2 * i], points[2 * i + 1]));
        } else {
            loose_append(&list, json_real(points[2 * i]));
            loose_append(&list, json_real(points[2 * i + 1]));
        }
    }
    return list;
}

static uint32_t read_points(const json_t *list, bool in_pairs, double points[2 * POINTS_MAX])
{
    size_t items = json_array_size(list), count = in_pairs ? items : items / 2;
    if (!json_is_array(list) || count > POINTS_MAX || (!in_pairs && items != 4)) return 0;
    for (size_t i = 0; i < count; i++) {
        point_unit unit = POINT_PLAIN;
        json_t *first = json_array_get(list, in_pairs ? i : 2 * i);
        json_t *second = in_pairs ? NULL : json_array_get(list, 2 * i + 1);
        if (!point_read(first, second, points + 2 * i, &unit)) return 0;
        points[2 * i] /= unit == POINT_PERCENT ? 100 : 1;
        points[2 * i + 1] /= unit == POINT_PERCENT ? 100 : 1;
    }
    return (uint32_t)count;
}

/* Points that are not from 0 to 1, or not written as pairs of numbers. */
static bool argument_rescale(json_t *arguments, const char *key, bool in_pairs, picture_scale *scale)
{
    double points[2 * POINTS_MAX];
    json_t *list = json_object_get(arguments, key);
    uint32_t count = read_points(list, in_pairs, points);
    if (count == 0 || !scale_points(scale, count, points)) return false;
    json_t *made = argument_list_of(points, count, in_pairs);
    bool same = json_equal(made, list);
    if (same || !made) {
        json_decref(made);
        return false;
    }
    return json_object_set_new(arguments, key, made) == 0;
}

etna_code arguments_mend(model_part *call, picture_scale *scale, etna_arena *arena, etna_error *err)
{
    json_t *strict = json_loads(call->text, 0, NULL), *arguments = strict ? strict : read_arguments(call->text, arena);
    bool changed = !strict && json_is_object(arguments);
    bool was_asked = scale->asked; /* a tool says for itself what it wants */
    static const char *const lists[] = {"coord_list", "interested_area", "object_name_list"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        changed = argument_unquote(arguments, lists[i]) || changed;
        changed = argument_enlist(arguments, lists[i]) || changed;
    }
    changed = argument_rescale(arguments, "coord_list", true, scale) || changed;
    changed = argument_rescale(arguments, "interested_area", false, scale) || changed;
    scale->asked = was_asked;
    const char *text = changed ? text_json_short(arena, arguments, JSON_COMPACT) : call->text;
    json_decref(arguments);
    if (!text) return etna_fail(err, ETNA_E_NOMEM, "out of memory for a tool's arguments");
    call->text = text;
    return ETNA_OK;
}
