/* See agree.h. */
#include "worker/builtin/read/agree.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

enum {
    RELATIONS_BEARING = BIT(RELATION_ON) | BIT(RELATION_IN) |
                        BIT(RELATION_MIDDLE) | BIT(RELATION_CORNER) |
                        BIT(RELATION_EDGE),
    RELATIONS_BY = BIT(RELATION_BESIDE) | BIT(RELATION_LEFT) |
                   BIT(RELATION_RIGHT) | BIT(RELATION_FRONT) |
                   BIT(RELATION_BEHIND) | BIT(RELATION_BETWEEN)
};

/* ---- one thing on two others ---- */

/* What the thing is below in the pile; BUILTIN_NONE: it is the lowest, or in
 * what order they lie is not said. */
static uint32_t pile_bearer(const builtin_move *m, uint32_t thing)
{
    for (uint32_t i = 0; i < m->row_count; i++) {
        if (m->row[i] == thing)
            return i > 0 ? m->row[i - 1] : m->support;
    }
    return BUILTIN_NONE;
}

/* What the move puts the thing on; BUILTIN_NONE: it does not say. */
static uint32_t move_bearer(const builtin_move *m, uint32_t thing)
{
    const bool whole = m->objects.need == m->objects.count;
    if (!whole || m->each.count > 0 || !set_has(&m->objects, thing))
        return BUILTIN_NONE;
    if (m->relation == RELATION_STACK)
        return pile_bearer(m, thing);
    if (m->support != BUILTIN_NONE)
        return m->support;
    return bit_is_in(m->relation, RELATIONS_BEARING) ? m->reference
                                                     : BUILTIN_NONE;
}

/* Does a move of the text put the one on the other, or does it stand there? */
static bool thing_is_upon(const reader *r, uint32_t thing, uint32_t below)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        if (move_bearer(&r->reading->moves[i], thing) == below)
            return true;
    }
    return builtin_is_above(r->facts, thing, below);
}

/* "On the mat on the desk": both may be said of it. What stands on the floor is
 * not on the floor with it, but for a carpet. */
static bool bearer_is_on(const reader *r, uint32_t upper, uint32_t lower)
{
    if (object_is_ground(r, lower) && !builtin_is_covering(r->facts, upper))
        return false;
    return thing_is_upon(r, upper, lower);
}

static bool bearers_agree(const reader *r, uint32_t a, uint32_t b)
{
    return a == b || bearer_is_on(r, a, b) || bearer_is_on(r, b, a);
}

/* Does the move put the thing next to that? */
static bool move_is_by(const builtin_move *m, uint32_t thing, uint32_t that)
{
    return that != BUILTIN_NONE && m->reference == that && m->each.count == 0 &&
           bit_is_in(m->relation, RELATIONS_BY) && set_has(&m->objects, thing);
}

/* "All at their tables, the lonely one, too": at two tables. */
static bool moves_tuck_twice(const builtin_move *one,
                             const builtin_move *other,
                             uint32_t thing)
{
    return one->relation == RELATION_TUCK && other->relation == RELATION_TUCK &&
           one->reference != other->reference && one->objects.count == 1 &&
           set_has(&other->objects, thing);
}

/* The first thing that the two moves put on two others; BUILTIN_NONE: there is
 * none. */
static uint32_t moves_find_torn(const reader *r,
                                const builtin_move *one,
                                const builtin_move *other)
{
    for (uint32_t k = 0; k < one->objects.count; k++) {
        const uint32_t thing = one->objects.objects[k];
        const uint32_t a = move_bearer(one, thing);
        const uint32_t b = move_bearer(other, thing);
        if (a < r->facts->object_count && b < r->facts->object_count &&
            !bearers_agree(r, a, b))
            return thing;
        if (move_is_by(one, thing, b) || move_is_by(other, thing, a) ||
            moves_tuck_twice(one, other, thing))
            return thing;
    }
    return BUILTIN_NONE;
}

/* "That cushion on the floor, get it onto the sofa": it is there, and is to
 * leave. */
static bool move_is_so(const reader *r, const builtin_move *m)
{
    bool is_so = m->relation == RELATION_ON || m->relation == RELATION_IN;
    for (uint32_t k = 0; k < m->objects.count && is_so; k++) {
        const builtin_object *const o =
            &r->facts->objects[m->objects.objects[k]];
        const bool covered = o->by_count == 1 &&
                             builtin_is_covering(r->facts, o->by[0]) &&
                             builtin_is_above(r->facts, o->by[0], m->reference);
        is_so = covered || builtin_stands_on(r->facts, m->objects.objects[k],
                                             m->reference);
    }
    return is_so && m->also_count == 0 && m->level == 0 &&
           m->facing == FACING_NONE;
}

/* The part of the text in which the byte is. */
static uint32_t part_at(const reader *r, uint32_t byte)
{
    uint32_t part = 0;
    for (uint32_t i = 0; i < r->s->part_count; i++) {
        if (r->s->tokens[r->s->parts[i].first].at <= byte)
            part = i;
    }
    return part;
}

/* "..., then all of it onto the shelf", "put the cup back": one after the
 * other. */
static bool moves_follow(const reader *r,
                         const builtin_move *one,
                         const builtin_move *other)
{
    for (uint32_t i = 0; i < r->s->token_count; i++) {
        const sentence_token *const t = &r->s->tokens[i];
        if (t->at >= one->span[0] && t->end <= other->span[1] &&
            lexicon_lists("$then", t->text))
            return true;
    }
    return part_at(r, one->span[0]) != part_at(r, other->span[0]);
}

static etna_code torn_refuse(reader *r, const builtin_move *m, uint32_t thing)
{
    r->clause[0] = m->span[0];
    r->clause[1] = m->span[1];
    return reader_refuse(r, CODE_UNMET, NULL,
                         "%.120s would be on two things at once",
                         r->facts->objects[thing].name);
}

/* "Swap the pictures, they look better the other way round": the trade is what
 * that says. */
static bool move_tells_trade(const reader *r,
                             const builtin_move *one,
                             const builtin_move *other)
{
    if (one->relation != RELATION_SWAP || other->relation != RELATION_TURN ||
        other->objects.count != 2 || one->objects.count != 1)
        return false;
    return fabs(other->turn) == 180 &&
           set_has(&other->objects, one->reference) &&
           set_is_within(&one->objects, &other->objects) &&
           part_at(r, one->span[0]) == part_at(r, other->span[0]);
}

/* "A tin on each plate, the red one in the middle": of the plates, or on one. */
static bool moves_deal_middle(const builtin_move *one,
                              const builtin_move *other)
{
    return one->each.count > 1 && other->relation == RELATION_MIDDLE &&
           set_has(&one->each, other->reference) &&
           set_is_within(&other->objects, &one->objects);
}

/* "Along the back wall instead of the right one": where a wall stood is no
 * place. */
static bool move_takes_fixed(const reader *r, const builtin_move *m)
{
    const uint32_t place = RELATION_PLACE;
    bool fixed = m->relation == place &&
                 m->reference < r->facts->object_count &&
                 builtin_is_wall(&r->facts->objects[m->reference]);
    for (uint32_t i = 0; i < m->also_count; i++) {
        const uint32_t of = m->also[i].reference;
        fixed = fixed ||
                (m->also[i].relation == place && of < r->facts->object_count &&
                 builtin_is_wall(&r->facts->objects[of]));
    }
    return fixed;
}

/* "Turn its lamp to face it": nothing looks at itself, nor at what it stands
 * on. */
static bool move_faces_bearer(const reader *r, const builtin_move *m)
{
    if (m->relation != RELATION_TURNED || m->faced >= r->facts->object_count)
        return false;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t thing = m->objects.objects[i];
        if (thing == m->faced || builtin_stands_on(r->facts, thing, m->faced))
            return true;
    }
    return false;
}

static etna_code moves_check_torn(reader *r)
{
    builtin_reading *const reading = r->reading;
    for (uint32_t i = r->first_move; i < reading->count;) {
        const builtin_move *const one = &reading->moves[i];
        bool drop = false;
        for (uint32_t k = i + 1; k < reading->count && !drop; k++) {
            const builtin_move *const other = &reading->moves[k];
            if (moves_deal_middle(one, other))
                return torn_refuse(r, other, other->objects.objects[0]);
            const uint32_t thing = moves_find_torn(r, one, other);
            if (thing == BUILTIN_NONE)
                continue;
            drop = move_is_so(r, one) &&
                   set_is_within(&one->objects, &other->objects);
            if (!drop && !moves_follow(r, one, other))
                return torn_refuse(r, other, thing);
        }
        if (drop)
            move_drop(r, i);
        else
            i++;
    }
    for (uint32_t i = r->first_move; i + 1 < reading->count; i++) {
        if (move_tells_trade(r, &reading->moves[i], &reading->moves[i + 1]))
            move_drop(r, i + 1);
    }
    return ETNA_OK;
}

/* ---- beside what stands elsewhere ---- */

/* Does the thing stand on another one of the kind, away from the bearer, with
 * nothing to move it? */
static bool thing_is_elsewhere(const reader *r, uint32_t thing, uint32_t bearer)
{
    const double close = 0.5; /* metres: at the joint of two worktops */
    if (thing >= r->facts->object_count || thing_is_upon(r, thing, bearer))
        return false;
    const builtin_object *const o = &r->facts->objects[thing];
    bool twin = false;
    for (uint32_t i = 0; i < o->by_count; i++)
        twin = twin ||
               (o->by[i] != bearer &&
                kinds_id_distance(&r->kinds[o->by[i]], &r->kinds[bearer]) == 0);
    if (!twin || object_way(r, thing, bearer) < close)
        return false;
    return !reading_moves(r->reading, r->first_move, thing);
}

static bool place_is_elsewhere(const reader *r,
                               const builtin_condition *place,
                               uint32_t bearer)
{
    if (!bit_is_in(place->relation, RELATIONS_BY) || place->denied)
        return false;
    return thing_is_elsewhere(r, place->reference, bearer) ||
           (place->relation == RELATION_BETWEEN &&
            thing_is_elsewhere(r, place->second, bearer));
}

/* "On the worktop between the toaster and the roll", of another worktop. */
static bool move_is_elsewhere(const reader *r, const builtin_move *m)
{
    uint32_t bearer = m->support;
    if (bit_is_in(m->relation, RELATIONS_BEARING))
        bearer = m->reference;
    if (bearer >= r->facts->object_count || object_is_ground(r, bearer))
        return false;
    const builtin_condition own = {.relation = m->relation,
                                   .reference = m->reference,
                                   .second = m->second};
    bool elsewhere = place_is_elsewhere(r, &own, bearer);
    for (uint32_t i = 0; i < m->also_count; i++)
        elsewhere = elsewhere || place_is_elsewhere(r, &m->also[i], bearer);
    return elsewhere;
}

/* "In a row against the wall next to the wardrobe", by another wall than that
 * where the wardrobe stands, and stays. */
static bool row_is_elsewhere(const reader *r, const builtin_move *m)
{
    const double reach = 1.5; /* metres: a short row's length */
    const builtin_facts *const facts = r->facts;
    if (m->relation != RELATION_LINE || m->reference >= facts->object_count ||
        !builtin_is_wall(&facts->objects[m->reference]))
        return false;
    for (uint32_t i = 0; i < m->also_count; i++) {
        const builtin_condition *const by = &m->also[i];
        const bool beside = by->relation == RELATION_BESIDE && !by->denied;
        if (!beside || by->reference >= facts->object_count ||
            reading_moves(r->reading, r->first_move, by->reference))
            continue;
        if (object_way(r, by->reference, m->reference) > reach)
            return true;
    }
    return false;
}

/* "Parallel to the table's edge, 5 cm from it", of what lies on the table: from
 * its edge, and not from the table. */
static bool move_leaves_bearer(const reader *r, const builtin_move *m)
{
    if (m->relation != RELATION_BESIDE || m->gap < 0 || m->objects.count != 1 ||
        m->support != BUILTIN_NONE)
        return false;
    return m->reference < r->facts->object_count &&
           builtin_stands_on(r->facts, m->objects.objects[0], m->reference);
}

/* "Into the tent, near the blue one", where that is the tent: nothing in a thing
 * is beside it. */
static bool move_is_by_bearer(const builtin_move *m)
{
    bool both = false;
    for (uint32_t i = 0; i < m->also_count; i++) {
        const builtin_condition *const by = &m->also[i];
        both = both || (!by->denied && by->reference == m->reference &&
                        bit_is_in(by->relation, RELATIONS_BY));
    }
    return both && bit_is_in(m->relation, RELATIONS_BEARING);
}

/* "On the worktop", and no more of which: who says so need not mean the one
 * length of it that was taken. */
static bool bearer_is_bare(const reader *r, uint32_t bearer)
{
    for (const reader_meant *m = r->meant; m; m = m->before) {
        if (m->things.count == 1 && m->things.objects[0] == bearer)
            return m->end <= m->first + 2;
    }
    return false;
}

/* The other one of the kind on which the place's things stand; BUILTIN_NONE:
 * none is. */
static uint32_t bearer_twin(const reader *r, uint32_t thing, uint32_t bearer)
{
    const builtin_object *const o = &r->facts->objects[thing];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (kinds_id_distance(&r->kinds[o->by[i]], &r->kinds[bearer]) == 0)
            return o->by[i];
    }
    return BUILTIN_NONE;
}

/* "On the worktop next to the toaster": on that length of it where the toaster
 * stands. */
static void move_take_twin(const reader *r, builtin_move *m)
{
    const uint32_t bearer = m->support;
    if (bearer >= r->facts->object_count || !bearer_is_bare(r, bearer))
        return;
    uint32_t by =
        bit_is_in(m->relation, RELATIONS_BY) ? m->reference : BUILTIN_NONE;
    for (uint32_t i = 0; i < m->also_count && by == BUILTIN_NONE; i++) {
        if (bit_is_in(m->also[i].relation, RELATIONS_BY))
            by = m->also[i].reference;
    }
    const uint32_t twin =
        by < r->facts->object_count ? bearer_twin(r, by, bearer) : BUILTIN_NONE;
    if (twin != BUILTIN_NONE)
        m->support = twin;
}

etna_code moves_agree(reader *r)
{
    etna_code code = moves_check_torn(r);
    for (uint32_t i = r->first_move; code == ETNA_OK && i < r->reading->count;
         i++) {
        builtin_move *const m = &r->reading->moves[i];
        if (move_is_elsewhere(r, m))
            move_take_twin(r, m);
        const bool elsewhere =
            move_is_elsewhere(r, m) || row_is_elsewhere(r, m);
        const bool clashes = move_leaves_bearer(r, m) || move_is_by_bearer(m) ||
                             move_takes_fixed(r, m) || move_faces_bearer(r, m);
        if (!elsewhere && !clashes)
            continue;
        r->clause[0] = m->span[0];
        r->clause[1] = m->span[1];
        code = reader_refuse(r, CODE_UNMET, NULL,
                             "by that it cannot be where it is to stand");
    }
    return code;
}
