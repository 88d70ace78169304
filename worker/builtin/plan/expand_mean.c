/* What a move means besides its words: which of several things it takes, what
 * of the scene it sees, and that a chair under a table is tucked in. */
#include "worker/builtin/place/likeness.h"
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>
#include <string.h>

/* ---- what is seen ---- */

/* Takes over where a thing is now; the first time into a scene of its own. */
static etna_code seen_update(expansion *e,
                             builtin_facts **seen,
                             uint32_t object)
{
    etna_arena *arena = e->p->talk->arena;
    if (!*seen) {
        builtin_facts *own = etna_arena_memdup(arena, &e->p->then, sizeof *own);
        if (!own)
            return expand_no_memory(e);
        own->objects = etna_arena_memdup(
            arena, own->objects, own->object_count * sizeof *own->objects);
        if (!own->objects)
            return expand_no_memory(e);
        *seen = own;
    }
    builtin_object *objects = (builtin_object *)(uintptr_t)(*seen)->objects;
    objects[object] = e->p->facts->objects[object];
    return ETNA_OK;
}

/* Things that earlier moves have taken are seen where they are now, all others
 * where they were when the sentence was said. Without that, "the cup to its
 * right" would change its meaning with each step. */
etna_code expand_see_moved(expansion *e, uint32_t index)
{
    const builtin_set *own = &e->said->moves[index].objects;
    builtin_facts *seen = NULL;
    e->then = &e->p->then;
    for (uint32_t i = 0; i < index; i++) {
        const builtin_set *earlier = &e->said->moves[i].objects;
        for (uint32_t k = 0; k < earlier->count; k++) {
            uint32_t object = earlier->objects[k];
            if (!e->p->facts->objects[object].moved ||
                expand_has(own->objects, own->count, object))
                continue;
            etna_code code = seen_update(e, &seen, object);
            if (code != ETNA_OK)
                return code;
        }
    }
    if (seen)
        e->then = seen;
    return ETNA_OK;
}

/* ---- which of several ---- */

/* What they are to be near: what is named, else the first of them. */
static uint32_t needed_anchor(const builtin_facts *facts, const builtin_move *m)
{
    if (m->reference < facts->object_count)
        return m->reference;
    return m->support < facts->object_count ? m->support
                                            : m->objects.objects[0];
}

/* Moves the nearest ones to the front of the list. */
static void needed_sort(const builtin_facts *facts,
                        uint32_t anchor,
                        uint32_t *list,
                        uint32_t count,
                        uint32_t need)
{
    const double *middle = facts->objects[anchor].centre;
    for (uint32_t i = 0; i < need; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            double best = expand_way(facts->objects[list[i]].centre, middle);
            if (expand_way(facts->objects[list[k]].centre, middle) >=
                best - 1e-9)
                continue;
            uint32_t swap = list[i];
            list[i] = list[k];
            list[k] = swap;
        }
    }
}

void expand_nearest(const builtin_facts *facts,
                    const builtin_move *m,
                    uint32_t *list,
                    uint32_t count)
{
    needed_sort(facts, needed_anchor(facts, m), list, count, m->objects.need);
}

/* "Two chairs around it", of six: the nearest. */
static etna_code mean_needed(expansion *e, builtin_move *m)
{
    static const bool together[RELATION_COUNT] = {[RELATION_AROUND] = true,
                                                  [RELATION_LINE] = true,
                                                  [RELATION_STACK] = true,
                                                  [RELATION_GROUP] = true};
    uint32_t need = m->objects.need;
    if (!together[m->relation] || need == 0 || need >= m->objects.count)
        return ETNA_OK;
    etna_arena *arena = e->p->talk->arena;
    uint32_t *chosen = etna_arena_memdup(arena, m->objects.objects,
                                         m->objects.count * sizeof *chosen);
    uint32_t *row = etna_arena_alloc(arena, need, sizeof *row);
    if (!chosen || !row)
        return expand_no_memory(e);
    expand_nearest(e->then, m, chosen, m->objects.count);
    uint32_t in_row = 0;
    for (uint32_t i = 0; i < m->row_count && in_row < need;
         i++) { /* in the order that was said or read */
        if (expand_has(chosen, need, m->row[i]))
            row[in_row++] = m->row[i];
    }
    m->objects.objects = chosen;
    m->objects.count = need;
    m->row = row;
    m->row_count = in_row;
    return ETNA_OK;
}

/* ---- which relation ---- */

/* A chair goes under a table as far as it goes: it is tucked in. */
static void mean_tuck(const expansion *e, builtin_move *m)
{
    if (m->relation != RELATION_UNDER ||
        m->reference >= e->then->object_count || m->objects.count == 0)
        return;
    const builtin_object *ref = &e->then->objects[m->reference];
    if (!builtin_is_bearer(ref) || builtin_is_seat(ref))
        return;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        if (!builtin_is_seat(&e->then->objects[m->objects.objects[i]]))
            return;
    }
    m->relation = RELATION_TUCK;
}

/* Is it much smaller than the furniture, and on furniture already? What stands
 * on the floor stays there: a plant at the end of a sideboard. */
static bool object_is_for_top(const builtin_facts *facts,
                              uint32_t object,
                              const builtin_object *furniture)
{
    const builtin_object *o = &facts->objects[object];
    const double breadth = builtin_half_shorter(furniture);
    const uint32_t bearer = expand_bearer(facts, object);
    if (bearer == BUILTIN_NONE || builtin_half_longer(o) > breadth)
        return false;
    const builtin_object *b = &facts->objects[bearer];
    return !b->is_static && builtin_is_bearer(b);
}

/* What stands on furniture is none itself: the sides of a plate are beside
 * it. */
static bool object_is_on_furniture(const expansion *e, uint32_t object)
{
    const uint32_t bearer = expand_bearer(e->then, object);
    return bearer != BUILTIN_NONE && !e->then->objects[bearer].is_static &&
           builtin_is_bearer(&e->then->objects[bearer]);
}

/* Does the thing lie on a bed's end, or stand on a table's? */
static bool object_goes_on_end(const builtin_facts *facts,
                               uint32_t object,
                               const builtin_object *bearer)
{
    const builtin_object *o = &facts->objects[object];
    /* a child's chair is small enough, and still stands at its table */
    if (builtin_is_seat(o))
        return false;
    return builtin_is_seat(bearer) ? builtin_is_bedding(o)
                                   : object_is_for_top(facts, object, bearer);
}

/* Pillows at the head of the bed are on it, and candles at the ends of the
 * sideboard; a bag is before the one and a chair at the other. */
static void mean_on_top(const expansion *e, builtin_move *m)
{
    bool at_end = m->relation == RELATION_END && m->support == BUILTIN_NONE &&
                  m->objects.count > 0;
    if (!at_end || m->reference >= e->then->object_count)
        return;
    const builtin_object *ref = &e->then->objects[m->reference];
    if (!builtin_is_seat(ref) && !builtin_is_bearer(ref))
        return;
    if (object_is_on_furniture(e, m->reference))
        return;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        if (!object_goes_on_end(e->then, m->objects.objects[i], ref))
            return;
    }
    m->support = m->reference;
}

/* "Put it with its back against the wall" is more than a turn. */
static void mean_against(const expansion *e, builtin_move *m)
{
    bool backs =
        m->relation == RELATION_TURNED && m->facing == FACING_BACK && m->goes;
    if (!backs || m->faced >= e->then->object_count ||
        !builtin_is_wall(&e->then->objects[m->faced]))
        return;
    m->relation = RELATION_AGAINST;
    m->reference = m->faced;
}

/* Has the thing a long side and no front that matters? What lies flat has none,
 * whatever its file says. */
static bool object_lies_along(const builtin_facts *facts, uint32_t object)
{
    const double longish = 1.5;
    const double flat = 0.2; /* metres */
    const builtin_object *o = &facts->objects[object];
    double front[2];
    double wide = builtin_half_longer(o);
    double narrow = builtin_half_shorter(o);
    bool lies = 2 * o->half[2] < flat;
    return wide >= longish * narrow &&
           (lies || !builtin_front_of(facts, object, front));
}

/* The turn that comes to the same and is the smallest, of a thing that looks
 * alike from both ends. */
static double turn_halved(double turn)
{
    if (turn > 180)
        turn -= 360;
    if (turn > 90)
        return turn - 180;
    return turn < -90 ? turn + 180 : turn;
}

/* "Lay the shovel along the wall": what has no front has its long side
 * there. */
static void mean_along(const expansion *e, builtin_move *m)
{
    bool backs = m->relation == RELATION_AGAINST && m->facing == FACING_BACK &&
                 m->faced == m->reference;
    if (!backs || m->objects.count != 1 ||
        m->reference >= e->then->object_count)
        return;
    const builtin_object *o = &e->then->objects[m->objects.objects[0]];
    const builtin_object *w = &e->then->objects[m->reference];
    if (!builtin_is_wall(w) ||
        !object_lies_along(e->then, m->objects.objects[0]))
        return;
    double way[2];
    expand_across(w, way);
    bool thin_along = o->half[1] <= o->half[0];
    const double across[2] = {-way[1], way[0]};
    m->facing = FACING_NONE;
    m->has_yaw = true;
    m->yaw_deg = o->yaw_deg + turn_halved(builtin_turn_between(
                                  o->heading, thin_along ? way : across));
}

/* ---- onto a pile ---- */

/* Is there a free place for it on the base, as it is or turned, as the scene
 * was? */
static etna_code mean_has_place(const expansion *e,
                                const builtin_move *m,
                                uint32_t base,
                                bool *ret)
{
    builtin_wish wish = {.object = m->objects.objects[0],
                         .reference = base,
                         .taste = TASTE_ROOMY,
                         .move = m};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    *ret = false;
    for (int turn = 0; turn < 2 && !*ret; turn++) {
        uint32_t found = 0;
        wish.turned = turn > 0;
        etna_code code =
            builtin_spots(e->then, &wish, spots, &found, e->p->err);
        if (code != ETNA_OK)
            return code;
        for (uint32_t i = 0; i < found; i++)
            *ret = *ret || !spots[i].centre_only;
    }
    return ETNA_OK;
}

static bool object_is_like(const builtin_facts *facts, uint32_t a, uint32_t b)
{
    const char *noun = builtin_noun(&facts->objects[a]);
    const char *other = builtin_noun(&facts->objects[b]);
    return noun && other && builtin_same_word(noun, other);
}

/* What lies on the top of the pile of such things that it is part of;
 * BUILTIN_NONE: it is part of none. */
static uint32_t pile_top(const builtin_facts *facts, uint32_t part)
{
    const uint32_t bearer = expand_bearer(facts, part);
    bool is_pile =
        bearer != BUILTIN_NONE && object_is_like(facts, part, bearer);
    for (uint32_t level = 0; level < facts->object_count; level++) {
        const builtin_object *o = &facts->objects[part];
        if (o->on_count == 0)
            return is_pile ? part : BUILTIN_NONE;
        if (o->on_count > 1 || !object_is_like(facts, part, o->on[0]))
            return BUILTIN_NONE;
        is_pile = true;
        part = o->on[0];
    }
    return BUILTIN_NONE;
}

/* Is it only to come to another of its kind, wherever about that? */
static bool mean_comes_to_like(const builtin_facts *then, const builtin_move *m)
{
    const bool alone = m->objects.count == 1;
    const bool near = m->relation == RELATION_BESIDE ||
                      (alone && m->relation == RELATION_GROUP);
    if (!near || m->objects.count == 0 || m->reference >= then->object_count)
        return false;
    return m->gap < 0 && m->also_count == 0 &&
           object_is_like(then, m->objects.objects[0], m->reference);
}

/* "The grey tray to the other trays": onto their pile, as they lie, where there
 * is no room beside it. */
static etna_code mean_pile(const expansion *e, builtin_move *m)
{
    const builtin_facts *then = e->then;
    if (!mean_comes_to_like(then, m))
        return ETNA_OK;
    const uint32_t object = m->objects.objects[0];
    const uint32_t top = pile_top(then, m->reference);
    const uint32_t base = builtin_support_of(then, m, object);
    if (top == BUILTIN_NONE || base >= then->object_count)
        return ETNA_OK;
    bool has_place = true;
    etna_code code = mean_has_place(e, m, base, &has_place);
    if (code != ETNA_OK || has_place)
        return code;
    m->relation = RELATION_ON;
    m->reference = top;
    m->support = BUILTIN_NONE;
    if (m->has_yaw || m->facing != FACING_NONE)
        return ETNA_OK;
    const builtin_object *o = &then->objects[object];
    m->has_yaw = true;
    m->yaw_deg = o->yaw_deg + turn_halved(builtin_turn_between(
                                  o->heading, then->objects[top].heading));
    return ETNA_OK;
}

/* ---- whose left and right ---- */

/* To the right of who stands before the thing and looks at it; false: where its
 * front is is not known. */
static bool mean_right_before(const builtin_facts *facts,
                              uint32_t base,
                              double ret[2])
{
    double front[2];
    if (!builtin_front_of(facts, base, front) &&
        !builtin_front_from_wall(facts, base, front))
        return false;
    ret[0] = -front[1];
    ret[1] = front[0];
    return true;
}

/* Does the way go into the picture rather than across it? */
static bool mean_is_turned(const builtin_facts *facts, const double way[2])
{
    /* cosines to the picture's right */
    const double same = 0.7, opposite = -0.5;
    double right[2];
    double away[2];
    builtin_picture_axes(facts, right, away);
    const double turned = way[0] * right[0] + way[1] * right[1];
    return turned <= same && turned >= opposite;
}

/* Left and right are the picture's, unless what they are asked on is too narrow
 * that way for anybody to mean it: a lamp to the right of the laptop on a desk
 * that the picture shows from its end. Then who stands before it says what they
 * are. */
static etna_code mean_side(const expansion *e, builtin_move *m)
{
    bool sideways =
        m->relation == RELATION_LEFT || m->relation == RELATION_RIGHT;
    if (!sideways || m->objects.count == 0 ||
        m->reference >= e->then->object_count)
        return ETNA_OK;
    const uint32_t object = m->objects.objects[0];
    const uint32_t base = builtin_support_of(e->then, m, object);
    if (base >= e->then->object_count || builtin_is_hung(e->then, m, object))
        return ETNA_OK;
    double own[2];
    if (!mean_right_before(e->then, base, own) || !mean_is_turned(e->then, own))
        return ETNA_OK;
    planner *then = etna_arena_memdup(e->p->talk->arena, e->p, sizeof *then);
    if (!then)
        return expand_no_memory(e);
    then->facts = e->then;
    then->reading.count = 0;
    bool has_room = true;
    etna_code code = planner_could_hold(then, m, object, base, &has_room);
    m->has_right = code == ETNA_OK && !has_room;
    if (m->has_right)
        memcpy(m->right, own, sizeof own);
    return code;
}

/* What people leave unsaid, one habit after the other; each only fills what the
 * text has left open. */
etna_code expand_mean(expansion *e, builtin_move *m)
{
    etna_code code = mean_needed(e, m);
    if (code == ETNA_OK)
        code = mean_side(e, m);
    if (code == ETNA_OK)
        code = mean_pile(e, m);
    if (code != ETNA_OK)
        return code;
    mean_tuck(e, m);
    mean_on_top(e, m);
    mean_against(e, m);
    mean_along(e, m);
    return ETNA_OK;
}
