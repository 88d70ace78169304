/* "On the table", "20 cm left of the lamp", "closer to me": a relation and its
 * phrase -> a destination. Its things are found first; then a table says,
 * relation by relation, what is meant of them. A new relation is a row of
 * it. */
#include "worker/builtin/read/preposition_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <string.h>
#include <strings.h>

/* ---- words for no thing ---- */

/* Where in the room who looks at it is, nothing says. */
static etna_code preposition_refuse_viewer(preposition *p)
{
    const etna_code code =
        reader_refuse_said(p->r, CODE_UNKNOWN, p->c->node,
                           "where in the room that is is not known");
    /* "bring it to me" is no step closer */
    return p->c->relation == REL_TO ? reader_refuse_finally(p->r, code) : code;
}

/* "Closer to me" is a step toward the picture's front; no place is beside,
 * behind or in front of who looks at it. */
static etna_code preposition_to_viewer(preposition *p)
{
    const uint32_t steps = BIT(REL_TOWARD) | BIT(REL_CLOSER) | RELS_AWAY;
    const bool so_far = p->c->relation == REL_TO && p->c->gap > 0;
    if (!so_far && !bit_is_in(p->c->relation, steps))
        return preposition_refuse_viewer(p);
    const builtin_set *movers = p->movers;
    bool away = bit_is_in(p->c->relation, RELS_AWAY);
    double metres = movers->count ? object_bit(p->r, movers->objects[0]) : 0.2;
    if (p->c->gap > 0)
        metres = p->c->gap;
    p->to.reference = BUILTIN_CAMERA;
    p->to.relation = away ? RELATION_AWAY : RELATION_TOWARD;
    p->to.is_shift = true;
    direction_way(p->r, away ? DIR_BACK : DIR_FRONT, p->to.shift);
    for (int k = 0; k < 3; k++)
        p->to.shift[k] *= metres;
    return ETNA_OK;
}

/* ---- the relations ---- */

/* Is it there to have things in it, and the thing small enough: "towels to the
 * hamper"? */
static bool vessel_takes(const reader *r, uint32_t vessel, uint32_t object)
{
    return object_area(r, object) < object_area(r, vessel) &&
           object_is_of(r, vessel, NOUNS_VESSEL);
}

/* Is it there to be loaded, and the thing no larger: "the crates to the
 * pallet"? */
static bool carrier_takes(const reader *r, uint32_t carrier, uint32_t object)
{
    return object_area(r, object) < object_area(r, carrier) &&
           object_bears_things(r, carrier) &&
           object_is_of(r, carrier, NOUNS_CARRIER);
}

/* Is its top as high as a table's, and has the thing stood at such a height
 * before: a bottle that goes over to a barrel? */
static bool stands_at_hand(const reader *r, uint32_t reference, uint32_t object)
{
    const double least = 0.4, most = 1.3; /* metres over its foot */
    const builtin_object *b = object_at(r, reference);
    const builtin_object *o = object_at(r, object);
    const double high = 2 * b->half[2];
    if (b->hovering || b->attached || high < least || high > most)
        return false;
    return builtin_foot(o) > builtin_foot(b) + least / 2;
}

/* Is it a low board on a table, with room for several such things: a mug that is
 * brought over to it is left on it? */
static bool is_slab_for(const reader *r, uint32_t reference, uint32_t object)
{
    const double flat = 0.35, share = 0.3; /* of its half, of its area */
    const builtin_object *b = object_at(r, reference);
    return b->half[2] < flat * builtin_half_shorter(b) &&
           !object_is_on_floor(r, reference) &&
           object_area(r, object) < share * object_area(r, reference);
}

/* Can the thing stand on it, as it is said? */
static bool reference_takes(const reader *r,
                            uint32_t reference,
                            uint32_t object,
                            lexicon_relation said)
{
    const double share = 0.95; /* of its area that may be taken */
    const double breast = 1.3; /* metres, half of a height */
    const builtin_object *b = object_at(r, reference);
    if (!object_bears_things(r, reference) || object_is_wall_like(r, reference))
        return false;
    if (object_is_kind(r, reference, "animal") ||
        object_is_of(r, reference, NOUNS_NO_TOP))
        return false;
    if (object_area(r, object) >= share * object_area(r, reference))
        return false;
    /* a tall plant stands beside a table, and on a shelf that hangs */
    const bool tall_only =
        b->attached && !object_is_kind(r, object, "furniture");
    if (object_is_furniture(r, object) && !tall_only)
        return false;
    if (object_is_kind(r, object, "waste bin"))
        return false; /* it stands on the floor */
    if (said == REL_OVER_TO)
        return builtin_is_bearer(b) || b->on_count > 0 ||
               stands_at_hand(r, reference, object) ||
               is_slab_for(r, reference, object);
    return said == REL_TO && b->half[2] < breast;
}

static bool object_covers_ground(const reader *r, uint32_t object)
{
    return object == refer_floor(r->facts) ||
           object_is_kind(r, object, "floor cover");
}

/* Is the other where such a thing lies, whatever its height? */
static bool object_lies_on(const reader *r, uint32_t object, uint32_t other)
{
    if (object_is_kind(r, object, "cushion") && object_is_seat(r, other))
        return true; /* "the chair gets a cushion" */
    return object_is_kind(r, object, "animal") &&
           object_is_kind(r, other, "bed"); /* "the cat goes to its bed" */
}

/* Of any of several ("each desk gets an instrument"), one that can stand there:
 * no piano is meant. */
static uint32_t mover_that_fits(const reader *r,
                                const builtin_set *movers,
                                uint32_t reference,
                                lexicon_relation said)
{
    const uint32_t some = movers->need < movers->count ? movers->count : 0;
    for (uint32_t i = 0; i < some; i++) {
        const uint32_t mover = movers->objects[i];
        if (reference_takes(r, reference, mover, said))
            return mover;
    }
    return movers->objects[0];
}

/* What "to" means for these two: onto, into, or beside. */
builtin_relation preposition_to(reader *r,
                                const builtin_set *movers,
                                uint32_t reference,
                                lexicon_relation said)
{
    if (reference >= r->facts->object_count || movers->count == 0)
        return RELATION_BESIDE;
    const uint32_t mover = mover_that_fits(r, movers, reference, said);
    const bool to = said == REL_TO;
    if (to && object_covers_ground(r, reference))
        return RELATION_ON;
    if (to && vessel_takes(r, reference, mover))
        return RELATION_IN;
    if (to && object_lies_on(r, mover, reference))
        return RELATION_ON;
    if (to && carrier_takes(r, reference, mover))
        return RELATION_ON;
    /* the shoes over to the bed: from floor to floor */
    if (said == REL_OVER_TO && object_is_on_floor(r, mover) &&
        object_lives_on_ground(r, mover))
        return RELATION_BESIDE;
    return reference_takes(r, reference, mover, said) ? RELATION_ON
                                                      : RELATION_BESIDE;
}

/* "To the left wall", of furniture: up to it. */
static bool preposition_reaches_wall(const preposition *p)
{
    const reader *r = p->r;
    const uint32_t to = p->to.reference;
    const bool way =
        bit_is_in(p->c->relation, BIT(REL_TO) | BIT(REL_OVER_TO)) &&
        p->to.gap < 0;
    if (!way || p->to.relation != RELATION_BESIDE)
        return false;
    if (p->movers->count == 0 || to >= r->facts->object_count)
        return false;
    const uint32_t mover = p->movers->objects[0];
    return builtin_is_wall(object_at(r, to)) && object_is_furniture(r, mover) &&
           object_is_on_floor(r, mover);
}

/* "Table: plates in the middle": a heading, and no table that goes to the
 * plates. */
static bool preposition_is_heading(const preposition *p)
{
    const reader *r = p->r;
    const uint32_t to = p->to.reference;
    if (!node_is(p->c->node, "TO") || p->movers->count == 0 ||
        to >= r->facts->object_count)
        return false;
    return object_is_furniture(r, p->movers->objects[0]) &&
           !object_is_furniture(r, to) && !object_at(r, to)->is_static;
}

static bool preposition_moves_seat(const preposition *p)
{
    return p->to.relation == RELATION_BESIDE && p->movers->count > 0 &&
           object_is_seat(p->r, p->movers->objects[0]);
}

/* A stool that goes "to the counter" stands before it, and not at its end. */
static bool preposition_goes_to_counter(preposition *p)
{
    if (!preposition_moves_seat(p) ||
        p->to.reference >= p->r->facts->object_count ||
        !builtin_is_counter(object_at(p->r, p->to.reference)))
        return false;
    p->to.relation = RELATION_FRONT;
    p->to.faces = true;
    if (p->to.gap < 0)
        p->to.gap = 0.03;
    return true;
}

/* A chair that goes "to the table" faces it. */
static etna_code preposition_relate_to(preposition *p)
{
    reader *r = p->r;
    destination *to = &p->to;
    if (preposition_is_heading(p))
        return reader_refuse(r, CODE_UNREAD, p->c->node,
                             "\"%s\": what goes where is not clear",
                             reader_said(r, p->c->node));
    to->relation = preposition_to(r, p->movers, to->reference, p->c->relation);
    if (p->is_level || p->verb == VERB_HANG)
        to->relation = RELATION_ON;
    if (preposition_reaches_wall(p))
        to->relation = RELATION_AGAINST;
    if (preposition_goes_to_counter(p) || !preposition_moves_seat(p))
        return ETNA_OK;
    bool table =
        object_is_table(r, to->reference) && !object_is_seat(r, to->reference);
    to->faces = table && !object_at(r, to->reference)->is_static;
    if (to->faces && to->gap < 0)
        to->gap = 0.03;
    return ETNA_OK;
}

/* "Right up to the desk": a chair faces it there, too. */
static etna_code preposition_relate_against(preposition *p)
{
    const reader *r = p->r;
    const chart_node *rel = p->c->node ? chart_child(p->c->node, "$rel") : NULL;
    const bool seat =
        p->movers->count > 0 && object_is_seat(r, p->movers->objects[0]);
    const bool to = rel && reader_word_is(r, rel->end - 1, "to");
    if (seat && to && p->to.reference < r->facts->object_count)
        p->to.faces = object_is_table(r, p->to.reference) &&
                      !object_is_seat(r, p->to.reference);
    return ETNA_OK;
}

static etna_code preposition_relate_over(preposition *p)
{
    const reader *r = p->r;
    uint32_t mover = p->movers->count ? p->movers->objects[0] : BUILTIN_NONE;
    bool any = mover != BUILTIN_NONE;
    bool canopy = any && (object_is_kind(r, mover, "parasol") ||
                          object_is_kind(r, mover, "umbrella"));
    bool hangs = any && (object_at(r, mover)->attached ||
                         !builtin_why_not_hung(r->facts, mover));
    p->to.relation = canopy ? RELATION_OVER : RELATION_ABOVE;
    if (canopy || hangs || p->verb == VERB_HANG)
        return ETNA_OK;
    return reader_refuse(p->r, CODE_UNREAD, p->c->node,
                         "\"%s\": whether on it or above it is not clear",
                         reader_said(r, p->c->node));
}

/* Is there one side that is opposite it, wherever else a thing is now: of a
 * seat, and of what hangs on a wall or looks out from one? */
static bool preposition_looks_out(const preposition *p, uint32_t reference)
{
    const reader *r = p->r;
    double front[2];
    if (reference >= r->facts->object_count)
        return false;
    if (object_is_seat(r, reference))
        return builtin_front_of(r->facts, reference, front);
    if (object_is_table(r, reference))
        return false;
    return builtin_front_from_wall(r->facts, reference, front);
}

/* "Opposite the sofa", "opposite the mirror": before it; another seat looks at
 * it, and a television does. */
static void preposition_before_it(preposition *p)
{
    const uint32_t mover = p->movers->objects[0];
    double front[2];
    p->to.relation = RELATION_FRONT;
    p->to.faces = object_is_seat(p->r, mover) ||
                  builtin_front_of(p->r->facts, mover, front);
}

/* "The lamp on the other side of the desk", which stands on it: there it
 * stays. */
static bool preposition_stands_on(const preposition *p, uint32_t reference)
{
    return reference < p->r->facts->object_count && p->movers->count == 1 &&
           builtin_stands_on(p->r->facts, p->movers->objects[0], reference);
}

/* Across from where the other one is; of a seat, or of what is at a wall, the
 * side to which it looks. */
static etna_code preposition_relate_opposite(preposition *p)
{
    const chart_node *node = p->c->node;
    if (p->movers->count == 0)
        return reader_refuse(p->r, CODE_UNREAD, node,
                             "\"%s\" of what is not said",
                             reader_said(p->r, node));
    const uint32_t reference = p->to.reference;
    const chart_node *rel = chart_child(node, "$rel");
    const bool side = rel && rel->end > rel->first + 2 &&
                      reader_word_is(p->r, rel->end - 2, "side");
    const bool seat = reference < p->r->facts->object_count &&
                      object_is_seat(p->r, reference);
    const bool looks_out = preposition_looks_out(p, reference);
    if (!seat && !looks_out && chart_child(node, "$rel_across_from"))
        return reader_refuse(p->r, CODE_UNREAD, node,
                             "\"%s\": which side that is is not clear",
                             reader_said(p->r, node));
    p->to.across = true;
    p->to.relation =
        side_opposite_of_last(p->r, p->movers->objects[0], reference);
    if (side && preposition_stands_on(p, reference)) {
        p->to.sides = side_of_relation(p->to.relation);
        p->to.relation = RELATION_EDGE;
    } else if (side) {
        destination_keep_side(p->r, &p->to);
    }
    const bool hangs = p->verb == VERB_HANG ||
                       object_at(p->r, p->movers->objects[0])->attached;
    if (hangs && !seat)
        return reader_refuse(p->r, CODE_UNREAD, node,
                             "\"%s\": on which wall that is is not said",
                             reader_said(p->r, node));
    if (looks_out && !side)
        preposition_before_it(p);
    return ETNA_OK;
}

/* Nothing leaves a wall that does not hang there. */
static etna_code preposition_relate_off(preposition *p)
{
    const reader *r = p->r;
    const bool wall = p->to.reference < r->facts->object_count &&
                      object_is_wall_like(r, p->to.reference);
    for (uint32_t i = 0; wall && i < p->movers->count; i++) {
        if (object_at(r, p->movers->objects[i])->attached)
            continue;
        return reader_refuse(p->r, CODE_UNREAD, p->c->node,
                             "\"%s\": %.100s does not hang there",
                             reader_said(r, p->c->node),
                             object_at(r, p->movers->objects[i])->name);
    }
    return ETNA_OK;
}

static void preposition_shift(preposition *p, double metres)
{
    p->to.is_shift = true;
    shift_toward(p->r, p->movers->objects[0], p->to.reference, metres,
                 bit_is_in(p->c->relation, RELS_AWAY), p->to.shift);
}

/* "20 cm closer to the sofa"; but "stand it 15 cm away from the box" is a
 * place. */
static etna_code preposition_relate_closer(preposition *p)
{
    const condition *c = p->c;
    const chart_node *rel = chart_child(c->node, "$rel");
    if (!rel)
        rel = chart_child(c->node, "$rel_to");
    if (!c->has_gap || p->to.reference >= p->r->facts->object_count)
        return ETNA_OK;
    const bool place = p->verb == VERB_PUT || c->bound == BOUND_MOST;
    bool put = c->relation == REL_FARTHER && c->gap > 0 && place;
    bool away = rel && reader_word_is(p->r, rel->first, "away");
    if (put && (away || c->bound != BOUND_NONE))
        p->to.relation = RELATION_BESIDE;
    else if (p->movers->count == 1)
        preposition_shift(
            p, c->gap > 0 ? c->gap : object_bit(p->r, p->movers->objects[0]));
    return ETNA_OK;
}

/* "30 cm toward the door"; but "it should be 30 cm away from the door" is a
 * place. */
static etna_code preposition_relate_toward(preposition *p)
{
    bool measured = p->c->has_gap && p->c->gap > 0;
    if (!measured || p->verb == VERB_TURN)
        return ETNA_OK;
    const bool moved = bit_is_in(p->verb, BIT(VERB_MOVE) | BIT(VERB_TAKE));
    /* "move it there, not more than a metre away from it" */
    const bool apart = !moved || p->c->is_gap || p->c->bound != BOUND_NONE;
    if (p->c->relation == REL_AWAY && apart)
        p->to.relation = RELATION_BESIDE;
    else if (p->movers->count == 1)
        preposition_shift(p, p->c->gap);
    return ETNA_OK;
}

/* Several things along something are a row; a single one at a wall slides along
 * it. */
static etna_code preposition_relate_along(preposition *p)
{
    if (p->movers->count > 1)
        p->to.relation = RELATION_LINE;
    else if (!object_is_wall_like(p->r, p->to.reference))
        p->to.relation = RELATION_BESIDE;
    else
        p->to.is_path = p->movers->count == 1 &&
                        object_at(p->r, p->movers->objects[0])->attached;
    return ETNA_OK;
}

/* "Along the counter's front" is on the floor before it for stools. For cups it
 * may be on it as well. */
static etna_code preposition_relate_front(preposition *p)
{
    const bool part = chart_child(p->c->node, "$rel_fore") != NULL;
    for (uint32_t i = 0; part && i < p->movers->count; i++) {
        if (!object_is_furniture(p->r, p->movers->objects[i]))
            return reader_refuse(
                p->r, CODE_UNREAD, p->c->node,
                "\"%s\": whether on it or before it is not said",
                reader_said(p->r, p->c->node));
    }
    return ETNA_OK;
}

static etna_code preposition_relate_in(preposition *p)
{
    if (p->is_level || p->to.reference == refer_floor(p->r->facts))
        p->to.relation = RELATION_ON;
    return ETNA_OK;
}

/* "By the window" is rather where a chair stands than where what lies on a
 * table goes. */
static uint32_t cost_of_small_by_wall(const preposition *p)
{
    enum {
        COST_SMALL_BY_WALL = 32
    };
    const reader *r = p->r;
    if (p->movers->count == 0 || p->to.reference >= r->facts->object_count)
        return 0;
    const builtin_object *o = object_at(r, p->movers->objects[0]);
    const builtin_object *b = object_at(r, p->to.reference);
    const bool stands =
        o->by_count > 0 && !o->attached && !object_is_ground(r, o->by[0]);
    const bool by_wall = b->attached || object_is_wall_like(r, p->to.reference);
    const bool small = stands && !object_is_furniture(r, p->movers->objects[0]);
    return small && by_wall ? COST_SMALL_BY_WALL : 0;
}

/* Does what lies lower come up onto a shelf, rather than up beside it? */
static bool preposition_goes_up(const preposition *p)
{
    const double step = 0.25; /* metres */
    const reader *r = p->r;
    const uint32_t to = p->to.reference;
    if (p->movers->count == 0 || p->c->has_gap)
        return false;
    const builtin_object *thing = object_at(r, p->movers->objects[0]);
    const builtin_object *place = object_at(r, to);
    const double bottom = builtin_foot(thing);
    const double top = builtin_top(place);
    return bottom + step < top &&
           reference_takes(r, to, p->movers->objects[0], REL_TO);
}

/* "up to the wall" is against it, "up to the shelf" on it. */
static void preposition_relate_up_to(preposition *p)
{
    const reader *r = p->r;
    const uint32_t to = p->to.reference;
    if (to >= r->facts->object_count)
        return;
    if (object_is_wall_like(r, to))
        p->to.relation = RELATION_AGAINST;
    else if (object_is_shelf(r, to) && preposition_goes_up(p))
        p->to.relation = RELATION_ON;
}

enum {
    COST_OF_SIDES = 10
};

static etna_code preposition_relate_beside(preposition *p)
{
    const chart_node *rel = chart_child(p->c->node, "$rel");
    const bool up_to = rel && rel->end - rel->first == 2 &&
                       reader_word_is(p->r, rel->first, "up");
    /* "on the side of the table nearest to the door": rather of its sides */
    const bool of_sides = rel && rel->end - rel->first > 2 && p->c->what &&
                          reader_word_is(p->r, rel->end - 2, "side") &&
                          chart_find(p->c->what, "NEAREST");
    if (of_sides)
        p->r->cost += COST_OF_SIDES;
    if (up_to)
        preposition_relate_up_to(p);
    if (up_to && preposition_goes_to_counter(p))
        return ETNA_OK;
    p->r->cost += cost_of_small_by_wall(p);
    return ETNA_OK;
}

/* "60 cm from its door": that is at its front. */
static void preposition_relate_front_part(preposition *p)
{
    if (p->to.relation == RELATION_BESIDE &&
        phrase_names_front(p->r, p->c->what, p->to.reference))
        p->to.relation = RELATION_FRONT;
}

/* "20 cm from the lamp"; without a distance it is where a thing comes from. */
static etna_code preposition_relate_from(preposition *p)
{
    if (p->c->has_gap) {
        preposition_relate_front_part(p);
        return ETNA_OK;
    }
    const chart_node *node = p->c->node;
    return reader_refuse(p->r, CODE_UNREAD, node,
                         "\"%s\": where to is not said",
                         reader_said(p->r, node));
}

enum {
    COST_WITH_PLACED = 100
}; /* "put the vase with the jug next to the bed": rather both go next to it */

/* "The cabinet with the television": what stands on a thing goes along with it,
 * and is no place for it. */
static etna_code preposition_relate_with(preposition *p)
{
    const reader *r = p->r;
    const uint32_t other = p->to.reference;
    if (chart_child(p->c->what, "MOD"))
        p->r->cost += COST_WITH_PLACED;
    for (uint32_t i = 0; other < r->facts->object_count && i < p->movers->count;
         i++) {
        if (!builtin_is_above(r->facts, other, p->movers->objects[i]))
            continue;
        return reader_refuse(
            p->r, CODE_UNREAD, p->c->node,
            "\"%s\": %.100s stands on it and goes along; where to is not said",
            reader_said(r, p->c->node), object_at(r, other)->name);
    }
    return ETNA_OK;
}

/* "In between the lamp": of one thing alone the second is missing. Collectives
 * ("among the crockery") are several things. */
static etna_code preposition_relate_among(preposition *p)
{
    const bool is_one = p->to.each.count <= 1 && p->c->what &&
                        !phrase_is_plural(p->r, p->c->what);
    return is_one ? reader_refuse_said(p->r, CODE_UNREAD, p->c->node,
                                       "between which two is not clear")
                  : ETNA_OK;
}

/* What each relation means, and what makes it mean something else (NULL:
 * nothing does). */
static const struct {
    builtin_relation relation;
    etna_code (*relate)(preposition *p);
} relations[] = {
    [REL_ON] = {RELATION_ON, NULL},
    [REL_IN] = {RELATION_IN, preposition_relate_in},
    [REL_UNDER] = {RELATION_UNDER, NULL},
    [REL_ABOVE] = {RELATION_ABOVE, NULL},
    [REL_OVER] = {RELATION_ABOVE, preposition_relate_over},
    [REL_BESIDE] = {RELATION_BESIDE, preposition_relate_beside},
    [REL_NEAR] = {RELATION_BESIDE, NULL},
    [REL_LEFT] = {RELATION_LEFT, NULL},
    [REL_RIGHT] = {RELATION_RIGHT, NULL},
    [REL_FRONT] = {RELATION_FRONT, preposition_relate_front},
    [REL_BEHIND] = {RELATION_BEHIND, NULL},
    [REL_AGAINST] = {RELATION_AGAINST, preposition_relate_against},
    [REL_TOWARD] = {RELATION_TOWARD, preposition_relate_toward},
    [REL_AWAY] = {RELATION_AWAY, preposition_relate_toward},
    [REL_FROM] = {RELATION_BESIDE, preposition_relate_from},
    [REL_OFF] = {RELATION_OFF, preposition_relate_off},
    [REL_AT] = {RELATION_BESIDE, preposition_relate_to},
    [REL_TO] = {RELATION_BESIDE, preposition_relate_to},
    [REL_AROUND] = {RELATION_AROUND, NULL},
    [REL_WITH] = {RELATION_GROUP, preposition_relate_with},
    [REL_ALONG] = {RELATION_AGAINST, preposition_relate_along},
    [REL_OPPOSITE] = {RELATION_BESIDE, preposition_relate_opposite},
    [REL_CLOSER] = {RELATION_TOWARD, preposition_relate_closer},
    [REL_FARTHER] = {RELATION_AWAY, preposition_relate_closer},
    [REL_AMONG] = {RELATION_GROUP, preposition_relate_among},
    [REL_INSTEAD] = {RELATION_PLACE, NULL},
    [REL_OVER_TO] = {RELATION_BESIDE, preposition_relate_to},
};

/* "The stool into the kitchen" is on its floor, and a mug must stand on
 * something there. */
static etna_code preposition_relate_room(preposition *p)
{
    for (uint32_t i = 0; i < p->movers->count; i++) {
        const uint32_t mover = p->movers->objects[i];
        const bool grounded = object_is_on_floor(p->r, mover) ||
                              object_is_furniture(p->r, mover) ||
                              object_lives_on_ground(p->r, mover);
        if (!grounded)
            return reader_refuse(p->r, CODE_UNREAD, p->c->node,
                                 "\"%s\": it does not say on what to put it",
                                 reader_said(p->r, p->c->node));
    }
    const uint32_t floor = refer_floor(p->r->facts);
    p->to.relation = RELATION_ON;
    if (floor != BUILTIN_NONE) /* a ceiling bounds the room, too */
        p->to.reference = floor;
    return ETNA_OK;
}

/* By the table of relations; a function of its own where the word alone does
 * not decide. */
static etna_code preposition_relate(preposition *p)
{
    const lexicon_relation said = p->c->relation;
    p->to.gap = p->c->gap;
    p->to.bound = p->c->bound;
    if (said == REL_AGAINST && p->to.bound == BOUND_MOST)
        p->to.gap = -1; /* what touches is within any distance */
    p->to.relation = relations[said].relation;
    etna_code code =
        relations[said].relate ? relations[said].relate(p) : ETNA_OK;
    const unsigned side = side_of_relation(p->to.relation);
    if (code == ETNA_OK && side && !p->c->has_gap && p->c->node &&
        side_is_of_top(p->r, chart_child(p->c->node, "$rel"), side, p->movers,
                       p->to.reference)) {
        p->to.relation = RELATION_EDGE;
        p->to.sides = side;
    }
    if (code == ETNA_OK && p->upon && phrase_means_room(p->r, p->c->what))
        code = preposition_relate_room(p);
    return code;
}

/* "The plates on the table, the cups on them": as many of the one as of the
 * other, and one goes on each. */
static bool them_are_dealt(const reader *r,
                           const condition *c,
                           const builtin_set *movers)
{
    const builtin_set *const last = &r->memory.last;
    const bool whole = last->need == last->count &&
                       movers->need == movers->count && movers->count > 1;
    if (!bit_is_in(c->relation, BIT(REL_ON) | BIT(REL_IN)) || !whole ||
        !phrase_is_pronoun(c->what, PRON_THEM))
        return false;
    return last->count == movers->count && !set_is_within(last, movers);
}

/* The scope within which the phrase may find its things: not the movers, unless
 * nothing else fits. */
static preposition preposition_of(reader *r,
                                  const condition *c,
                                  const builtin_set *movers,
                                  lexicon_verb verb)
{
    const chart_node *what = c->what;
    preposition p = {.r = r,
                     .c = c,
                     .movers = movers,
                     .verb = verb,
                     .upon = bit_is_in(c->relation, RELS_UPON)};
    bool by_wall = bit_is_in(c->relation, RELS_BY) && phrase_is_wall(r, what);
    p.to = destination_plain(RELATION_ON, BUILTIN_NONE);
    p.to.exact = c->exact;
    p.to.upon = bit_is_in(c->relation, BIT(REL_ON) | BIT(REL_IN));
    p.scope = refer_scope_place(movers->need == movers->count ? movers : NULL);
    p.scope.flat = bit_is_in(c->relation, RELS_FLAT);
    p.to.any_wall = bit_is_in(c->relation, BIT(REL_ON) | BIT(REL_AGAINST)) &&
                    c->in_company && phrase_is_wall(r, what);
    /* "the wall" that is nearest */
    p.scope.any = (by_wall || p.to.any_wall) && movers->count > 0;
    p.scope.many = bit_is_in(c->relation, RELS_SEVERAL) ||
                   phrase_is_plural(r, what) || phrase_is_each(what) ||
                   them_are_dealt(r, c, movers);
    return p;
}

/* "To the right side of the room" is in it. */
static bool preposition_at_side_of_room(preposition *p)
{
    const lexicon_relation said = p->c->relation;
    const uint32_t floor = refer_floor(p->r->facts);
    bool side =
        bit_is_in(said, RELS_SIDE) && phrase_means_room(p->r, p->c->what);
    if (!side || floor == BUILTIN_NONE)
        return false;
    p->to.reference = floor;
    p->to.relation = RELATION_EDGE;
    p->to.sides = side_of_relation(relations[said].relation);
    return true;
}

/* Words that name no thing come first ("each other", "me", "the left side of
 * the room"). */
static etna_code preposition_read_phrase(preposition *p)
{
    if (phrase_is_pronoun(p->c->what, PRON_EACH_OTHER)) {
        /* "next to each other by the wardrobe": where, and not which */
        if (chart_child(p->c->what, "MOD"))
            return reader_refuse_unread(p->r, p->c->what);
        if (p->c->relation == REL_OPPOSITE)
            return reader_refuse(p->r, CODE_UNREAD, p->c->node,
                                 "\"%s\": of which two is not clear",
                                 reader_said(p->r, p->c->node));
        /* which of several touch which is not said */
        if (p->c->relation == REL_AGAINST)
            return reader_refuse_unread(p->r, p->c->what);
        p->to.relation = RELATION_GROUP;
        return ETNA_OK;
    }
    if (phrase_is_pronoun(p->c->what, PRON_ME))
        return preposition_to_viewer(p);
    if (preposition_at_side_of_room(p))
        return ETNA_OK;
    etna_code code = preposition_find(p);
    if (code == ETNA_OK)
        code = preposition_choose(p);
    return code == ETNA_OK ? preposition_relate(p) : code;
}

/* "On top of the bookcase", "on the shelf's top": on its uppermost level, and
 * on none of the boards that it holds, too. */
static void preposition_on_top(preposition *p)
{
    const chart_node *node = p->c->node;
    bool on_top = false;
    for (uint32_t i = node->first; i < node->end && !on_top; i++)
        on_top = reader_lists(p->r, i, "place: top");
    bool on_one = p->to.relation == RELATION_ON &&
                  p->to.reference < p->r->facts->object_count &&
                  p->to.level == 0;
    const uint32_t levels =
        on_top && on_one ? builtin_levels(p->r->facts, p->to.reference) : 0;
    if (levels > 1)
        p->to.level = levels;
}

/* "On the floor" of a room in one mesh: on its lowest level, and on none of the
 * boards that are built in. */
static void preposition_on_floor(preposition *p)
{
    const bool on_one = p->to.relation == RELATION_ON &&
                        p->to.reference < p->r->facts->object_count;
    if (!on_one || p->to.level > 0 || !phrase_means_floor(p->r, p->c->what))
        return;
    if (builtin_levels(p->r->facts, p->to.reference) > 1)
        p->to.level = 1;
}

bool preposition_shares_out(const reader *r,
                            const condition *c,
                            const builtin_set *movers,
                            lexicon_verb verb)
{
    return verb == VERB_ARRANGE && movers->count > 1 &&
           bit_is_in(c->relation, BIT(REL_AMONG) | BIT(REL_OVER)) &&
           phrase_is_plural(r, c->what);
}

/* One phrase of place; ret is one destination among those of its clause. */
/* "To the right" is a way to go, and to no right one of several. */
static bool preposition_is_way(const reader *r, const condition *c)
{
    const chart_node *core =
        c->relation == REL_TO && c->what && node_is(c->what, "THING")
            ? chart_child(c->what, "CORE")
            : NULL;
    return core && core->end - core->first == 1 &&
           !chart_child(c->what, "OF") &&
           match_word_side(reader_word(r, core->first)) != 0;
}

/* "Chairs 4 to 6": so many of them, and no way from one to another. */
static bool preposition_is_span(const reader *r, const condition *c)
{
    const uint32_t at = c->node ? c->node->first : 0;
    if (at < 2 || !c->what || c->what->end - c->what->first != 1)
        return false;
    return reader_word_is(r, c->what->first - 1, "to") &&
           ascii_is_digit(reader_word(r, at - 1)[0]) &&
           ascii_is_digit(reader_word(r, c->what->first)[0]) &&
           match_is_plural_word(reader_word(r, at - 2));
}

/* "In the middle of the three cups": among them, and not in the middle one. */
static bool preposition_is_amid(const reader *r, const condition *c)
{
    const chart_node *const core =
        bit_is_in(c->relation, RELS_UPON | BIT(REL_AT)) && c->what &&
                node_is(c->what, "THING")
            ? chart_child(c->what, "CORE")
            : NULL;
    return core && core->end - core->first == 1 && chart_child(c->what, "OF") &&
           reader_lists(r, core->first, "zone: middle");
}

/* Does any of them stand on that? */
static bool set_is_upon_any(const reader *r,
                            const builtin_set *things,
                            const builtin_set *base)
{
    bool upon = false;
    for (uint32_t i = 0; i < things->count; i++)
        upon = upon ||
               builtin_is_above(r->facts, things->objects[i], base->objects[0]);
    return upon;
}

/* "The vase on the table and the stool under it": nothing as high goes under
 * what was put down just now, but under what bears that. */
static void preposition_under_bearer(preposition *p)
{
    const double thin = 0.025; /* metres of half height: what lies under it */
    const builtin_move *const last = reader_last_move(p->r);
    const bool under = p->to.relation == RELATION_UNDER && p->movers->count > 0;
    if (!under || !last || !phrase_is_pronoun(p->c->what, PRON_IT) ||
        last->objects.count != 1 || last->objects.objects[0] != p->to.reference)
        return;
    const uint32_t bearer = last->support < p->r->facts->object_count
                                ? last->support
                                : last->reference;
    const uint32_t upon = RELATIONS_UPON | BIT(RELATION_MIDDLE) |
                          BIT(RELATION_EDGE) | BIT(RELATION_CORNER) |
                          BIT(RELATION_END);
    if (!bit_is_in(last->relation, upon) ||
        bearer >= p->r->facts->object_count || object_is_ground(p->r, bearer) ||
        set_has(p->movers, bearer))
        return;
    if (object_at(p->r, p->movers->objects[0])->half[2] > thin)
        p->to.reference = bearer;
}

/* "In front | of the doll's house": a bare side that its owner was cut off. */
static bool preposition_is_cut_off(const reader *r, const condition *c)
{
    const chart_node *const node = c->node;
    const uint32_t end = node ? r->part->first + node->end : 0;
    return node && chart_child(node, "$rel_bare") && end < r->part->end &&
           strcmp(r->s->tokens[end].text, "of") == 0;
}

/* "On the armrest of the sofa", where that is no thing of its own: on the sofa is
 * elsewhere. */
static etna_code preposition_check_part(const preposition *p)
{
    const condition *const c = p->c;
    if (c->relation != REL_ON ||
        !phrase_names_bare_part(p->r, c->what, p->to.reference))
        return ETNA_OK;
    return reader_refuse_finally(
        p->r,
        reader_refuse_said(p->r, CODE_UNREAD, c->what,
                           "the file has it as no thing of its own, so that no "
                           "place on it is known"));
}

etna_code preposition_read(reader *r,
                           const condition *c,
                           const builtin_set *movers,
                           lexicon_verb verb,
                           destination *ret)
{
    condition to_each = *c;
    match_query q;
    if (preposition_is_cut_off(r, c))
        return reader_refuse_unread(r, c->node);
    if (preposition_is_way(r, c) || preposition_is_span(r, c))
        return reader_refuse_unread(r, c->what);
    /* "for it" is why, and no place */
    if (chart_child(c->node, "$rel_for") && phrase_pronoun(c->what))
        return reader_refuse_unread(r, c->node);
    /* "the books: green ..." names no place */
    if (node_is(c->node, "TO") && node_is(c->what, "THING") &&
        phrase_lacks_noun(r, c->what, &q))
        return reader_refuse_unread(r, c->node);
    if (preposition_is_amid(r, c))
        return reader_refuse_said(
            r, CODE_UNREAD, c->node,
            "where the middle of several things is, is not understood");
    if (preposition_shares_out(r, c, movers, verb))
        to_each.relation = REL_TO;
    preposition p = preposition_of(r, &to_each, movers, verb);
    etna_code code = preposition_bar(&p);
    if (code == ETNA_OK && p.upon)
        code = refer_level(r, c->what, movers, &p.is_level, &p.to.reference,
                           &p.to.level);
    if (code == ETNA_OK)
        code =
            p.is_level ? preposition_relate(&p) : preposition_read_phrase(&p);
    if (code != ETNA_OK)
        return code;
    code = preposition_check_part(&p);
    if (code != ETNA_OK)
        return code;
    /* "the jug on the tray and the cup to its right" are two things to do, and
     * not both to the right of the tray */
    const builtin_set of = set_one(r, p.to.reference);
    if (movers->count > 1 && chart_find(c->what, "$pron_its") &&
        p.to.reference < r->facts->object_count &&
        set_is_upon_any(r, movers, &of))
        return reader_refuse_said(r, CODE_AMBIGUOUS, c->node,
                                  "of which of them is not clear");
    preposition_on_top(&p);
    preposition_on_floor(&p);
    preposition_under_bearer(&p);
    *ret = p.to;
    return ETNA_OK;
}
