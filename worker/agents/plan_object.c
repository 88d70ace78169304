/* A plan or a verdict as members of one JSON object. */
#include "proto/array.h"
#include "worker/agents/plan_internal.h"

#include "worker/agents/loose.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <string.h>

/* With the reason, under whichever name it has. */
static etna_code read_verdict_object(const json_t *object,
                                     arrange_plan_status status,
                                     etna_arena *arena,
                                     planner_result *result,
                                     etna_error *err)
{
    static const char *const keys[] = {"reason", "explanation", "why",
                                       "message", "analysis"};
    const char *said = NULL;
    for (size_t i = 0; i < COUNT_OF(keys) && !said; i++)
        said = json_string_value(loose_member(object, keys[i]));
    result->status = status;
    result->reason =
        said ? text_clean(arena, said, strlen(said), ARRANGE_REASON_MAX) : "";
    return result->reason ? ETNA_OK
                          : etna_fail(err, ETNA_E_NOMEM,
                                      "out of memory while reading a plan");
}

/* The member that says where, by one of the names that models give it. NULL:
 * there is none. Borrowed. */
static json_t *planner_place_member(const json_t *object)
{
    static const char *const names[] = {BLOCK_COORDINATE,
                                        "coordinates",
                                        "bottom_coordinate",
                                        "center_coordinate",
                                        "target_coordinate",
                                        "coord",
                                        "target",
                                        "location",
                                        "position",
                                        "point",
                                        "destination"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        json_t *found = loose_member(object, names[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* The sentence that a member holds, itself or as {"object": .., "instruction":
 * ..}. NULL: none. Borrowed. */
static const char *planner_sentence(const json_t *said)
{
    static const char *const names[] = {"text", "instruction", "sentence",
                                        "content"};
    if (!json_is_object(said))
        return json_string_value(said);
    const char *found = NULL;
    for (size_t i = 0; i < COUNT_OF(names) && !found; i++)
        found = json_string_value(loose_member(said, names[i]));
    return found;
}

/* What an object says of where: the member that is the place, and the rest of
 * the object as words. */
typedef struct object_place {
    const json_t *coordinate; /* borrowed; NULL: it says none */
    block words;              /* of all members but the instruction */
    block where;              /* of the coordinate */
} object_place;

/* The coordinate as it is written: its own text, or {"bottom": [x, y]} as JSON.
 * NULL: there is none, or out of memory. */
static const char *coordinate_text(const json_t *coordinate, etna_arena *arena)
{
    const char *own = json_string_value(coordinate);
    return own || !coordinate
               ? own
               : text_json_short(arena, coordinate, JSON_COMPACT);
}

/* NULL is "". */
static block block_of_text(const char *text)
{
    return (block){.text = text ? text : "", .size = text ? strlen(text) : 0};
}

/* Underscores become blanks so that "bottom_coordinate" reads as words. */
static object_place object_place_of(json_t *object, etna_arena *arena)
{
    object_place place = {.coordinate = planner_place_member(object)};
    json_t *rest = json_copy(object);
    json_object_del(rest, BLOCK_INSTRUCTION);
    json_object_del(rest, "instruction");
    char *dump = text_json_short(arena, rest, JSON_COMPACT);
    json_decref(rest);
    for (char *at = dump; at && *at; at++)
        /* "bottom_coordinate" says which part it is */
        *at = *at == '_' ? ' ' : *at;
    place.words = block_of_text(dump);
    place.where = block_of_text(coordinate_text(place.coordinate, arena));
    return place;
}

/* The pixel that it says, or the middle of a box's lower side. */
static etna_code object_place_read(const object_place *place,
                                   picture_scale *scale,
                                   planner_result *result,
                                   etna_error *err)
{
    const char *const text = place->where.text;
    const size_t size = place->where.size;
    point_unit unit = POINT_PLAIN;
    double point[2];
    const bool is_point =
        point_read(place->coordinate, NULL, point, &unit) == 1 ||
        (size && point_find(text, size, point, &unit) == 1);
    const bool is_box =
        !is_point && (point_read_box(place->coordinate, point) ||
                      (size && point_find_box(text, size, point)));
    if (!is_point && !is_box)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_COORDINATE);
    memcpy(result->coordinate, point, sizeof point);
    bool is_taken = is_point || scale_takes_box(scale, err);
    is_taken = is_taken && scale_point(scale, result->coordinate,
                                       is_point ? unit : POINT_PLAIN, err);
    const block *const where = is_point ? &place->where : &place->words;
    etna_code code =
        is_taken ? plan_read_anchor(&place->words, where, scale, result, err)
                 : ETNA_E_INPUT;
    result->coordinates = scale->found;
    return code;
}

/* A verdict of the object, or what is wrong with one that has neither a plan
 * nor a verdict alone. */
static etna_code object_read_verdict(const json_t *verdict,
                                     arrange_plan_status status,
                                     bool has_plan,
                                     etna_arena *arena,
                                     planner_result *result,
                                     etna_error *err)
{
    if (!verdict)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_INSTRUCTION);
    if (has_plan)
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives a verdict and a plan; give one or the other");
    return read_verdict_object(verdict, status, arena, result, err);
}

etna_code plan_read_object(const plain *p,
                           picture_scale *scale,
                           etna_arena *arena,
                           planner_result *result,
                           etna_error *err)
{
    json_t *object = loose_find(p->text, p->size, BLOCK_INSTRUCTION);
    if (!object)
        object = loose_find(p->text, p->size, "instruction");
    json_t *said = loose_member(object, BLOCK_INSTRUCTION);
    if (!said)
        said = loose_member(object, "instruction");
    const char *text = planner_sentence(said);
    arrange_plan_status status = PLAN_MALFORMED;
    json_t *verdict = plan_find_verdict_object(p, &status);
    const bool has_plan = text && *text;
    if (verdict || !has_plan) {
        etna_code code =
            object_read_verdict(verdict, status, has_plan, arena, result, err);
        json_decref(verdict);
        json_decref(object);
        return code;
    }
    char *copy = etna_arena_strdup(arena, text);
    etna_code code = ETNA_OK;
    if (scale) {
        const object_place place = object_place_of(object, arena);
        code = object_place_read(&place, scale, result, err);
    }
    json_decref(object);
    return code == ETNA_OK ? plan_take_instruction(copy, arena, result, err)
                           : code;
}
