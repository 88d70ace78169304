/* The built-in executor: reads the planner's one sentence, probes the planner's
 * coordinate and other free places near it for the plane, and writes
 * constraints. The place is the planner's choice, which a step's branches
 * share: half of them take it as it is, half a tenth of the thing's size beside
 * it, by the request's seed. Once the solver has failed there, other free
 * places are tried, in an order that is the seed's too, so that four branches
 * look in different corners.
 *
 * The built-in planner's own sentences say the place in the world: for them
 * nothing is looked at, and the constraints say the same; but to the published
 * solver, which knows no places in the world, they are told by the picture. */
#include "worker/builtin/place/exact.h"

#include "worker/builtin/hang.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHIFTS = 4,
    PLACES_MAX = 1 + SHIFTS + BUILTIN_SPOTS_MAX
};

/* Of the image: how far from the planner's coordinate another place may be.
 * Metres: below this a plane is small. */
static const double reach = 0.18, small_plane = 0.5;

typedef struct executor {
    builtin_talk *talk;
    const builtin_facts *facts;
    etna_error *err;
    uint32_t object, reference;
    /* image; the planner's, those beside it, then others */
    double places[PLACES_MAX][2];
    /* places[0 .. beside) are the planner's and beside it */
    uint32_t beside, place_count;
    const builtin_surface *surface; /* NULL: none is known */
    /* turned: it finds room only after a quarter turn */
    bool centre_only, turned;
    const builtin_move *move;
    double rotate; /* degrees that the plan asks for besides; 0: none */
    /* a place in the world that the planner's coordinate stands for is known */
    bool planned;
    double planned_at[3];
    bool has_spot; /* the best free place it finds itself, in the world */
    double spot_at[3];
} executor;

/* In shares of the picture. */
static double points_apart(const double a[2], const double b[2])
{
    double dx = a[0] - b[0];
    double dy = a[1] - b[1];
    return sqrt(dx * dx + dy * dy);
}

/* Places a tenth of the thing's size beside a spot. */
static void add_shifts(executor *e, const builtin_spot *spot)
{
    const builtin_rect size =
        builtin_footprint(&e->facts->objects[e->object], 0, 0, 0);
    for (int i = 0; i < SHIFTS; i++) {
        double point[3] = {spot->point[0], spot->point[1], spot->point[2]};
        double image[2];
        point[i / 2] +=
            (i % 2 ? 0.1 : -0.1) * (size.high[i / 2] - size.low[i / 2]);
        if (!builtin_project(e->facts, point, image, NULL) || image[0] < 0 ||
            image[0] > 1 || image[1] < 0 || image[1] > 1)
            continue;
        memcpy(e->places[e->place_count++], image, sizeof image);
    }
    e->beside = e->place_count;
}

/* Where the plan points, or the middle of the picture; true: it points. */
static bool places_start(executor *e)
{
    const json_t *coordinate = json_object_get(e->talk->task, "coordinate");
    for (size_t i = 0; i < 2; i++) {
        double value = json_number_value(json_array_get(coordinate, i));
        e->places[0][i] = value >= 0 && value <= 1 ? value : 0.5;
    }
    e->place_count = e->beside = 1;
    return json_is_array(coordinate);
}

/* A thing that is only turned stays where it is. */
static void places_stay(executor *e)
{
    const builtin_object *o = &e->facts->objects[e->object];
    const double bottom[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    uint32_t under = builtin_surface_under(e->facts, bottom, e->object);
    e->surface = under == BUILTIN_NONE ? NULL : &e->facts->surfaces[under];
}

/* Free spots for the edit; where there is none on a surface as the thing is
 * turned now, those after a quarter turn. */
static etna_code places_search(executor *e,
                               builtin_spot spots[static BUILTIN_SPOTS_MAX],
                               uint32_t *ret_found)
{
    const double(*avoid)[3] = NULL;
    uint32_t avoid_count = 0;
    etna_code code = builtin_given_up(e->talk, "avoid", e->object, &avoid,
                                      &avoid_count, e->err);
    if (code != ETNA_OK)
        return code;
    builtin_wish wish = {.object = e->object,
                         .reference = e->reference,
                         .avoid = avoid,
                         .avoid_count = avoid_count,
                         .move = e->move};
    wish.taste = avoid_count ? TASTE_TIGHT : TASTE_ROOMY;
    code = builtin_spots(e->facts, &wish, spots, ret_found, e->err);
    if (code != ETNA_OK || *ret_found > 0)
        return code;
    wish.turned =
        e->move->relation == RELATION_ON && e->move->facing == FACING_NONE;
    if (wish.turned)
        code = builtin_spots(e->facts, &wish, spots, ret_found, e->err);
    if (code != ETNA_OK || *ret_found == 0)
        return code;
    e->turned = wish.turned && !spots[0].centre_only &&
                spots[0].surface != BUILTIN_NONE;
    return ETNA_OK;
}

/* What a spot says of the place that the plan points to. */
static void places_note_spot(executor *e, const builtin_spot *spot)
{
    double distance = points_apart(spot->image, e->places[0]);
    bool has_room_around = e->move->relation == RELATION_ON &&
                           !e->move->exact && !spot->centre_only;
    e->centre_only = e->centre_only || spot->centre_only;
    if (distance < 0.01 && !e->planned) {
        e->planned = true;
        memcpy(e->planned_at, spot->point, sizeof e->planned_at);
    }
    if (distance < 0.002 && has_room_around && e->beside == 1)
        add_shifts(e, spot);
}

/* The planner's own place first, whether or not it is free: the search only
 * adds to it. */
static etna_code find_places(executor *e)
{
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t found = 0;
    bool pointed = places_start(e);
    if (e->move->relation == RELATION_TURN ||
        e->move->relation == RELATION_TURNED) {
        places_stay(e);
        return ETNA_OK;
    }
    etna_code code = places_search(e, spots, &found);
    e->has_spot = found > 0;
    if (code != ETNA_OK || found == 0)
        return code;
    memcpy(e->spot_at, spots[0].point, sizeof e->spot_at);
    if (!pointed)
        /* no planner chose one */
        memcpy(e->places[0], spots[0].image, sizeof e->places[0]);
    if (spots[0].surface != BUILTIN_NONE)
        e->surface = &e->facts->surfaces[spots[0].surface];
    for (uint32_t i = 0; i < found; i++)
        places_note_spot(e, &spots[i]);
    for (uint32_t i = 0; i < found; i++) {
        double distance = points_apart(spots[i].image, e->places[0]);
        if (distance >= 0.002 && distance <= reach)
            memcpy(e->places[e->place_count++], spots[i].image,
                   sizeof spots[i].image);
    }
    return ETNA_OK;
}

/* ---- looking ---- */

/* {"coord_list": [...]} of all places; NULL: no memory. */
static const char *probe_text(const executor *e)
{
    json_t *list = json_array();
    json_t *probe = json_object();
    bool ok = list && probe;
    for (uint32_t i = 0; ok && i < e->place_count; i++)
        ok = json_array_append_new(list, json_pack("[f,f]", e->places[i][0],
                                                   e->places[i][1])) == 0;
    ok = json_object_set_new(probe, "coord_list", list) == 0 && ok;
    const char *text =
        ok ? text_json(e->talk->arena, probe, JSON_COMPACT) : NULL;
    json_decref(probe);
    return text;
}

/* {"interested_area": [...]} around the first place; NULL: no memory. */
static const char *area_text(const executor *e)
{
    json_t *corners = json_array();
    json_t *area = json_object();
    bool ok = corners && area;
    for (int i = 0; ok && i < 4; i++) {
        double value = e->places[0][i % 2] + (i < 2 ? -0.1 : 0.1);
        ok = json_array_append_new(corners,
                                   json_real(math_clamp(value, 0, 1))) == 0;
    }
    ok = json_object_set_new(area, "interested_area", corners) == 0 && ok;
    const char *text =
        ok ? text_json(e->talk->arena, area, JSON_COMPACT) : NULL;
    json_decref(area);
    return text;
}

/* Two tools, as a model would use them. */
static etna_code executor_look(executor *e, model_reply *ret)
{
    const char *probe = probe_text(e);
    const char *area = area_text(e);
    model_part *calls = etna_arena_alloc(e->talk->arena, 2, sizeof *calls);
    if (!probe || !area || !calls)
        return etna_fail(e->err, ETNA_E_NOMEM, "out of memory while executing");
    calls[0] = (model_part){.kind = MODEL_TOOL_CALL,
                            .tool_name = "ray_probe_for_plane",
                            .tool_id = "look_1",
                            .text = probe};
    calls[1] = (model_part){.kind = MODEL_TOOL_CALL,
                            .tool_name = "list_all_object_in_view",
                            .tool_id = "look_2",
                            .text = area};
    etna_code code = builtin_say(
        e->talk, ret, e->err,
        "The plane is looked for where the planner points, and near it; and what stands there.");
    ret->calls = calls;
    ret->call_count = 2;
    return code;
}

/* In this conversation. */
static bool has_looked(const executor *e)
{
    for (uint32_t i = 0; i < e->talk->request->message_count; i++) {
        if (e->talk->request->messages[i].author == MODEL_TOOL)
            return true;
    }
    return false;
}

/* The name of a hit's plane, where it is an upward one of the reference and at
 * the surface's height; NULL: it is not. The side of a curved plate is none:
 * the surface's own name is better. */
static const char *hit_plane(const executor *e, const json_t *hit)
{
    const char *const name = e->facts->objects[e->reference].name;
    const char *const object =
        json_string_value(json_object_get(hit, "object"));
    const double up =
        json_number_value(json_array_get(json_object_get(hit, "normal"), 2));
    const double height =
        json_number_value(json_array_get(json_object_get(hit, "location"), 2));
    if (!object || strcmp(object, name) != 0 || up < 0.95)
        return NULL;
    const bool off = e->surface && fabs(height - e->surface->height) > 0.02;
    if (off || (e->surface && up < 0.9998))
        return NULL;
    return json_string_value(json_object_get(hit, "plane"));
}

/* Of a tool's answer: an upward plane of the reference at the surface's height;
 * *ret_distance: how far from `place` it was probed. Texts are copied to the
 * arena. */
static const char *plane_in(const executor *e,
                            const char *text,
                            const double place[2],
                            double *ret_distance)
{
    const char *plane = NULL;
    json_t *root = json_loads(text, 0, NULL);
    const json_t *hits = json_object_get(root, "hits");
    for (size_t i = 0; i < json_array_size(hits); i++) {
        const json_t *hit = json_array_get(hits, i);
        const json_t *at = json_object_get(hit, "coordinate");
        const char *const found = hit_plane(e, hit);
        if (!found)
            continue;
        double probed[2] = {json_number_value(json_array_get(at, 0)),
                            json_number_value(json_array_get(at, 1))};
        double distance = points_apart(probed, place);
        if (plane && distance >= *ret_distance)
            continue;
        plane = etna_arena_strdup(e->talk->arena, found);
        *ret_distance = distance;
    }
    json_decref(root);
    return plane;
}

/* The tool's answer, not its call. */
static bool is_probe_result(const model_part *part)
{
    if (part->kind != MODEL_TOOL_RESULT || !part->text || !part->tool_name)
        return false;
    return strcmp(part->tool_name, "ray_probe_for_plane") == 0;
}

/* The plane that was probed nearest to the place; NULL: none that will do
 * was. */
static const char *plane_probed(const executor *e, const double place[2])
{
    const char *best = NULL;
    double nearest = 10;
    for (uint32_t i = 0; i < e->talk->request->message_count; i++) {
        const model_message *turn = &e->talk->request->messages[i];
        for (uint32_t k = 0; turn->author == MODEL_TOOL && k < turn->part_count;
             k++) {
            if (!is_probe_result(&turn->parts[k]))
                continue;
            double distance = 10;
            const char *plane =
                plane_in(e, turn->parts[k].text, place, &distance);
            if (!plane || distance >= nearest)
                continue;
            best = plane;
            nearest = distance;
        }
    }
    return best;
}

/* What the probe saw there, else the surface's own plane, else the top of what
 * it is to stand on. */
static const char *choose_plane(const executor *e, const double place[2])
{
    const char *best = plane_probed(e, place);
    if (best)
        return best;
    if (e->surface)
        return e->surface->plane;
    const char *name = e->facts->objects[e->reference].name;
    const char *plane = etna_arena_printf(e->talk->arena, "%s_up", name);
    for (uint32_t i = 0; plane && i < e->facts->object_count;
         i++) { /* METHODS.md 4: where an object bears that name */
        if (strcmp(e->facts->objects[i].name, plane) == 0)
            return etna_arena_printf(e->talk->arena, "%s#up", name);
    }
    return plane;
}

/* ---- answering ---- */

/* Is a pixel, "[x, y]" as answers write it with four decimals, among those of
 * the text? */
static bool text_holds_pixel(const char *text, const double place[2])
{
    const double written = 0.00006;
    for (const char *at = strchr(text, '['); at; at = strchr(at + 1, '[')) {
        double pixel[2];
        char *end;
        pixel[0] = strtod(at + 1, &end);
        if (end == at + 1 || *end != ',')
            continue;
        pixel[1] = strtod(end + 1, &end);
        if (*end == ']' && fabs(pixel[0] - place[0]) < written &&
            fabs(pixel[1] - place[1]) < written)
            return true;
    }
    return false;
}

/* In an answer of ours that the solver refused. */
static bool was_tried(const executor *e, const double place[2])
{
    for (uint32_t i = 0; i < e->talk->request->message_count; i++) {
        const model_message *turn = &e->talk->request->messages[i];
        for (uint32_t k = 0;
             turn->author == MODEL_ASSISTANT && k < turn->part_count; k++) {
            if (turn->parts[k].kind == MODEL_TEXT && turn->parts[k].text &&
                text_holds_pixel(turn->parts[k].text, place))
                return true;
        }
    }
    return false;
}

/* By the seed, so that branches differ and a replay does not. */
static uint32_t choose_place(const executor *e)
{
    etna_random random = etna_random_from(e->talk->request->seed);
    if (e->talk->refusals == 0) {
        bool shifted = e->beside > 1 && etna_random_below(&random, 2) == 1;
        return shifted ? 1 + (uint32_t)etna_random_below(&random, e->beside - 1)
                       : 0;
    }
    uint32_t others = e->place_count - e->beside;
    uint32_t start = others ? (uint32_t)etna_random_below(&random, others) : 0;
    for (uint32_t i = 0; i < others; i++) {
        uint32_t next = e->beside + (start + i) % others;
        if (!was_tried(e, e->places[next]))
            return next;
    }
    for (uint32_t i = 0; i < e->beside; i++) {
        if (!was_tried(e, e->places[i]))
            return i;
    }
    return 0;
}

/* With quotes; NULL: out of memory. */
static const char *json_name(const executor *e, const char *name)
{
    json_t *value = json_string(name);
    const char *text = text_json(e->talk->arena, value, JSON_COMPACT);
    json_decref(value);
    return text;
}

/* In place. */
static bool is_turn(const builtin_move *move)
{
    return move->relation == RELATION_TURN || move->relation == RELATION_TURNED;
}

/* Half of what the box takes along the way to the other one. */
static double reach_toward(const builtin_object *o, double dx, double dy)
{
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-9))
        return o->half[1];
    double along = fabs(dx * o->heading[0] + dy * o->heading[1]) / length;
    double across = fabs(dy * o->heading[0] - dx * o->heading[1]) / length;
    double by_side = across > 1e-9 ? o->half[0] / across : 1e9;
    double by_front = along > 1e-9 ? o->half[1] / along : 1e9;
    return by_side < by_front ? by_side : by_front;
}

/* NULL: out of memory. */
static const char *facing_constraint(const executor *e)
{
    const builtin_move *m = e->move;
    const char *faced = m->faced == BUILTIN_CAMERA
                            ? "\"camera\""
                            : json_name(e, e->facts->objects[m->faced].name);
    if (!faced)
        return NULL;
    return etna_arena_printf(e->talk->arena, ",\n[\"%s\", %s]",
                             m->facing == FACING_TO ? "FaceTo" : "BackTo",
                             faced);
}

/* Between the middles: what both reach toward each other, and the gap that is
 * asked for. */
static const char *distance_constraint(const executor *e)
{
    const builtin_move *m = e->move;
    const builtin_object *o = &e->facts->objects[e->object];
    const builtin_object *other = &e->facts->objects[m->reference];
    double dx = e->planned_at[0] - other->centre[0];
    double dy = e->planned_at[1] - other->centre[1];
    double dz = e->planned_at[2] + o->half[2] - other->centre[2];
    double flat =
        reach_toward(o, dx, dy) + reach_toward(other, dx, dy) + m->gap;
    const char *name = json_name(e, other->name);
    if (!name)
        return NULL;
    return etna_arena_printf(e->talk->arena, ",\n[\"Distance\", %s, %.4f]",
                             name, sqrt(flat * flat + dz * dz));
}

/* Does the sentence say how far apart the two are to be? */
static bool is_measured(const executor *e)
{
    const builtin_move *m = e->move;
    bool says_gap =
        m->gap >= 0 && m->bound == BOUND_NONE && m->relation == RELATION_BESIDE;
    return says_gap && m->reference < e->facts->object_count && e->planned;
}

/* What the sentence asks beyond a place: a turn, something to face, a distance
 * between the surfaces of two things. */
static const char *more_constraints(const executor *e)
{
    const builtin_move *m = e->move;
    etna_arena *arena = e->talk->arena;
    const char *turn = "", *facing = "", *distance = "";
    if (e->turned) {
        turn = ",\n[\"Rotate\", 90]";
    } else if (m->relation == RELATION_TURN) {
        double degrees = m->turn - 360 * floor(m->turn / 360);
        turn = etna_arena_printf(arena, ",\n[\"Rotate\", %.6g]", degrees);
    }
    if (m->facing != FACING_NONE)
        facing = facing_constraint(e);
    if (is_measured(e))
        distance = distance_constraint(e);
    if (!turn || !facing || !distance)
        return NULL;
    return etna_arena_printf(arena, "%s%s%s", turn, facing, distance);
}

/* A narrow surface may be stood on with the middle alone, once nothing else was
 * found. */
static etna_code executor_constrain(executor *e, model_reply *ret)
{
    const double *place = e->places[choose_place(e)];
    const char *plane_name = choose_plane(e, place);
    const char *plane = plane_name ? json_name(e, plane_name) : NULL;
    const char *object = json_name(e, e->facts->objects[e->object].name);
    if (!plane || !object)
        return etna_fail(e->err, ETNA_E_NOMEM, "out of memory while executing");
    bool is_small = !e->surface || e->surface->width < small_plane;
    const bool must_overhang =
        e->centre_only || !e->surface || e->talk->refusals > 0;
    const char *mode = is_small && must_overhang ? "center" : "full_only";
    /* no form of NoOverhang holds there: the pixel puts its middle on the
     * plane's */
    bool hangs_over = e->centre_only && !is_small;
    const char *overhang =
        is_turn(e->move) || hangs_over
            ? ""
            : etna_arena_printf(e->talk->arena,
                                ",\n[\"NoOverhang\", \"down\", %s, \"%s\"]",
                                plane, mode);
    const char *more = more_constraints(e);
    if (!overhang || !more)
        return etna_fail(e->err, ETNA_E_NOMEM, "out of memory while executing");
    return builtin_say(
        e->talk, ret, e->err,
        "It stands on %s.\n\n[constraints]\n[\"ObjectName\", %s],\n[\"CloseToPix\", \"down\", [%.4f, %.4f]],\n[\"Contact\", "
        "\"down\", %s]%s%s\n[end of constraints]\n<completion>\n",
        plane, object, place[0], place[1], plane, overhang, more);
}

/* Without a solver: the pose of the place, where it is known in the world. */
static etna_code write_pose(executor *e, const char *form, model_reply *ret)
{
    const builtin_object *o = &e->facts->objects[e->object];
    const double here[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    const double *bottom = NULL;
    if (is_turn(e->move))
        bottom = here;
    else if (e->planned)
        bottom = e->planned_at;
    else if (e->has_spot)
        bottom = e->spot_at;
    if (!bottom)
        return builtin_say(e->talk, ret, e->err,
                           "There is no free place for it.");
    double turn = e->turned ? 90 : 0;
    if (e->move->relation == RELATION_TURN)
        turn = e->move->turn;
    return builtin_pose(e->talk, e->object, bottom, turn,
                        strcmp(form, "script") == 0, ret, e->err);
}

/* ---- exact plans ---- */

/* The yaw that the thing has after it, as a turn. */
static double turn_of(const executor *e, const builtin_exact *exact)
{
    return exact->has_yaw
               ? exact->yaw_deg - e->facts->objects[e->object].yaw_deg
               : 0;
}

/* ", [x, y, z]" where a way is said, ", 0.050" where it may be a little beside;
 * NULL: no memory. */
static const char *exact_end(const executor *e, const builtin_exact *exact)
{
    const double nearby = 0.05; /* metres: what the evaluator takes for there */
    bool again = e->talk->refusals > 0;
    double slack = exact->slack;
    if (again && exact->kind == EXACT_PUT)
        slack = math_max(slack, nearby);
    if (exact->is_way)
        return etna_arena_printf(e->talk->arena, ", [%.4f, %.4f, %.4f]",
                                 exact->to[0], exact->to[1], exact->to[2]);
    return slack > 0 ? etna_arena_printf(e->talk->arena, ", %.3f", slack) : "";
}

/* What it is to touch; NULL: no memory. */
static const char *exact_contact(const executor *e, const builtin_exact *exact)
{
    if (exact->kind == EXACT_MOVE)
        return "";
    const char *support = json_name(e, e->facts->objects[exact->support].name);
    const char *face = exact->kind == EXACT_HANG ? "side" : "down";
    return support ? etna_arena_printf(e->talk->arena,
                                       ",\n[\"Contact\", \"%s\", %s]", face,
                                       support)
                   : NULL;
}

/* For a plan that says its place in metres. */
static etna_code constrain_exactly(executor *e,
                                   const builtin_exact *exact,
                                   model_reply *ret)
{
    const builtin_object *o = &e->facts->objects[exact->object];
    double at[3] = {exact->at[0], exact->at[1], exact->at[2]};
    if (exact->kind == EXACT_MOVE)
        /* a Place is a bottom where nothing is touched sideways */
        at[2] -= o->half[2];
    const char *name = json_name(e, o->name);
    const char *end = exact_end(e, exact);
    const char *contact = exact_contact(e, exact);
    const char *heading = "";
    if (exact->has_yaw)
        heading = etna_arena_printf(e->talk->arena, ",\n[\"Heading\", %.1f]",
                                    exact->yaw_deg);
    bool has_place = name && end;
    if (!has_place || !contact || !heading)
        return etna_fail(e->err, ETNA_E_NOMEM, "out of memory while executing");
    return builtin_say(
        e->talk, ret, e->err,
        "It comes to the place that is said.\n\n[constraints]\n[\"ObjectName\", %s],\n[\"Place\", [%.4f, %.4f, "
        "%.4f]%s]%s%s\n[end of constraints]\n<completion>\n",
        name, at[0], at[1], at[2], end, contact, heading);
}

/* The first place; once it is refused the others, in an order that is the
 * seed's: so four branches try more of them. */
static const builtin_exact *choose_exact(const executor *e,
                                         const builtin_exact_list *list)
{
    uint32_t order[BUILTIN_EXACT_MAX] = {0};
    etna_random random = etna_random_from(e->talk->request->seed);
    if (e->talk->refusals == 0 || list->count == 1)
        return &list->items[0];
    for (uint32_t i = 0; i < list->count; i++)
        order[i] = i;
    for (uint32_t i = 1; i + 1 < list->count; i++) {
        uint32_t other =
            i + (uint32_t)etna_random_below(&random, list->count - i);
        uint32_t swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    return &list->items[order[1 + (e->talk->refusals - 1) % (list->count - 1)]];
}

/* With the published solver's forms of an answer (a pose, a script) as well as
 * with ours. */
static etna_code execute_exactly(executor *e,
                                 const builtin_exact_list *list,
                                 model_reply *ret)
{
    const char *form =
        json_string_value(json_object_get(e->talk->task, "answer"));
    const builtin_exact *exact = choose_exact(e, list);
    e->object = exact->object;
    if (!form)
        return constrain_exactly(e, exact, ret);
    const builtin_object *o = &e->facts->objects[exact->object];
    double bottom[3] = {exact->at[0], exact->at[1], exact->at[2]};
    if (exact->kind != EXACT_PUT)
        bottom[2] -= o->half[2];
    for (uint32_t i = 0;
         i < e->facts->surface_count && exact->kind == EXACT_PUT;
         i++) { /* nothing is let down here */
        double height = e->facts->surfaces[i].height;
        if (e->facts->surfaces[i].object == exact->support &&
            fabs(height - exact->at[2]) < 0.02)
            bottom[2] = height;
    }
    return builtin_pose(e->talk, exact->object, bottom, turn_of(e, exact),
                        strcmp(form, "script") == 0, ret, e->err);
}

/* For the published solver: about where in the picture, and on which plane. */
static etna_code execute_by_picture(executor *e,
                                    const builtin_exact *exact,
                                    model_reply *ret)
{
    builtin_move *move = etna_arena_alloc(e->talk->arena, 1, sizeof *move);
    if (!move)
        return etna_fail(e->err, ETNA_E_NOMEM, "out of memory while executing");
    *move = (builtin_move){
        .objects = {.count = 1, .objects = &e->object, .need = 1},
        .reference = exact->support,
        .relation = RELATION_ON,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .gap = -1,
        .faced = BUILTIN_NONE,
        .spacing = -1};
    double turn = turn_of(e, exact);
    e->object = exact->object;
    e->reference = exact->support;
    e->move = move;
    e->rotate = turn - 360 * floor(turn / 360);
    etna_code code = find_places(e);
    if (code != ETNA_OK)
        return code;
    return e->talk->request->tool_count > 0 && !has_looked(e)
               ? executor_look(e, ret)
               : executor_constrain(e, ret);
}

/* ---- other sentences ---- */

/* The one move that the instruction means. ETNA_E_INPUT, with why: it means
 * none, or several. */
static etna_code read_instruction(executor *e,
                                  const char *instruction,
                                  etna_error *why)
{
    builtin_reading *reading =
        etna_arena_alloc(e->talk->arena, 1, sizeof *reading);
    if (!reading)
        return etna_fail(why, ETNA_E_NOMEM, "out of memory while executing");
    etna_code code =
        builtin_read(e->facts, instruction, e->talk->arena, reading, why);
    if (code != ETNA_OK)
        return code;
    if (reading->count != 1 || reading->moves[0].objects.need != 1)
        return etna_fail(why, ETNA_E_INPUT, "it moves several things");
    e->object = reading->moves[0].objects.objects[0];
    e->move = &reading->moves[0];
    return ETNA_OK;
}

/* `form`: how the pose is told where there is no solver; NULL: there is one. */
static etna_code execute_hanging(const executor *e,
                                 const char *form,
                                 model_reply *ret)
{
    if (form)
        return builtin_say(e->talk, ret, e->err,
                           "Hanging things up takes the solver.");
    const json_t *coordinate = json_object_get(e->talk->task, "coordinate");
    const double at[2] = {json_number_value(json_array_get(coordinate, 0)),
                          json_number_value(json_array_get(coordinate, 1))};
    return builtin_hang_constrain(e->talk, e->move, e->object, at, ret, e->err);
}

/* Looks first, where it has the tools. */
static etna_code execute_standing(executor *e,
                                  const char *form,
                                  model_reply *ret)
{
    e->reference = builtin_support_of(e->facts, e->move, e->object);
    if (e->reference == BUILTIN_NONE)
        return builtin_say(e->talk, ret, e->err,
                           "It is not known on what it is to stand.");
    etna_code code = find_places(e);
    if (code != ETNA_OK)
        return code;
    if (form)
        return write_pose(e, form, ret);
    const bool looks_first = e->talk->request->tool_count > 0 && !has_looked(e);
    return looks_first ? executor_look(e, ret) : executor_constrain(e, ret);
}

/* What cannot be read is answered in words, as a model would. */
etna_code builtin_executor(builtin_talk *talk,
                           model_reply *ret,
                           etna_error *err)
{
    executor e = {.talk = talk, .facts = &talk->facts, .err = err};
    const char *said =
        json_string_value(json_object_get(talk->task, "instruction"));
    const char *instruction = said ? said : "";
    const char *form = json_string_value(json_object_get(talk->task, "answer"));
    etna_error why = {0};
    builtin_exact_list exact;
    if (said && builtin_exact_read(e.facts, said, &exact)) {
        const bool published = json_object_get(talk->task, "solver") != NULL &&
                               exact.items[0].kind == EXACT_PUT;
        return published ? execute_by_picture(&e, &exact.items[0], ret)
                         : execute_exactly(&e, &exact, ret);
    }
    etna_code code = read_instruction(&e, instruction, &why);
    if (code == ETNA_E_INPUT)
        return builtin_say(talk, ret, err,
                           "Cannot read the instruction \"%.300s\": %s.",
                           instruction, why.text);
    if (code != ETNA_OK && err)
        *err = why;
    if (code != ETNA_OK)
        return code;
    const bool hangs = builtin_is_hung(e.facts, e.move, e.object);
    return hangs ? execute_hanging(&e, form, ret)
                 : execute_standing(&e, form, ret);
}
