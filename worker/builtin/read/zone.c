/* "In the corner", "at each end of the table", "on the other side of it": a
 * zone of a thing -> a destination. Whose it is comes first; a table says what
 * each kind of zone means for what is moved. */
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

typedef struct zone {
    reader *r;
    /* owner: the phrase; NULL: it is not said whose */
    const chart_node *node, *owner;
    const builtin_set *movers;
    unsigned sides;
    bool other;     /* the one that it is not in */
    bool each;      /* "at each end" */
    bool furniture; /* what is moved stands beside the owner, not on it */
    bool room;      /* the owner is the whole room */
    bool aside;     /* beside the owner, whatever that is */
    bool of_ring;   /* of what things were put around before */
    bool of_last;   /* of what was put there before */
    bool upon;      /* of what the clause puts it on */
    destination to;
} zone;

/* What people keep on the floor, and stands there: "at the end of the desk" is
 * beside it. */
static bool zone_is_of_floor(const zone *z)
{
    reader *const r = z->r;
    if (z->movers->count == 0)
        return false;
    const uint32_t thing = z->movers->objects[0];
    const builtin_object *const o = object_at(r, thing);
    return o->by_count > 0 && object_is_ground(r, o->by[0]) &&
           object_lives_on_ground(r, thing) &&
           !object_is_ground(r, z->to.reference) &&
           !builtin_is_covering(r->facts, z->to.reference);
}

/* "At", and not "on". */
static bool zone_is_at(const zone *z)
{
    const chart_node *const in = chart_child(z->node, "$zone_in");
    return in && reader_lists(z->r, in->first, "place: at");
}

/* Does what is moved stand beside the owner, and not on it? */
static bool zone_is_of_furniture(const zone *z)
{
    if (z->movers->count == 0 || z->upon)
        return false;
    return (object_is_furniture(z->r, z->movers->objects[0]) &&
            !object_at(z->r, z->to.reference)->is_static) ||
           (z->owner && zone_is_at(z) && zone_is_of_floor(z));
}

static void zone_relate_end(zone *z)
{
    destination *to = &z->to;
    if (!z->furniture && !z->each)
        return;
    to->relation = RELATION_END;
    to->sides = to->sides ? side_own(z->r, to->reference, to->sides)
                          : end_free(z->r, to->reference, z->movers);
}

/* "On the left side of the sofa": what people lay on seats lies on it, wherever
 * it is now. */
static bool zone_is_upon_seat(const zone *z)
{
    const double wide = 1.2;  /* metres: a seat that has sides to be on */
    const double small = 0.5; /* of the seat's area */
    const double low = 0.25;  /* metres: a lamp stands beside it */
    reader *const r = z->r;
    const uint32_t thing = z->movers->objects[0];
    const builtin_object *const seat = object_at(r, z->to.reference);
    return object_is_seat(r, z->to.reference) &&
           2 * builtin_half_longer(seat) >= wide &&
           !object_lives_on_ground(r, thing) &&
           2 * object_at(r, thing)->half[2] < low &&
           object_area(r, thing) < small * object_area(r, z->to.reference);
}

/* "On the near side of the bench", of what stands on furniture: upon it. */
static bool zone_is_upon(const zone *z)
{
    reader *const r = z->r;
    const chart_node *const in = chart_child(z->node, "$zone_in");
    const uint32_t owner = z->to.reference;
    if (!in || !reader_word_is(r, in->first, "on") || z->movers->count == 0)
        return false;
    if (object_is_seat(r, owner))
        return zone_is_upon_seat(z);
    return object_bears_things(r, owner) &&
           !object_is_on_floor(r, z->movers->objects[0]);
}

/* "On the left side of the desk": a cup stands on the desk then, a chair or the
 * bin beside it. So does what is put to a side of a thing that bears nothing.
 * Halves and parts are always on it. */
static bool zone_side_is_beside(const zone *z)
{
    const chart_node *word = chart_child(z->node, "$zone");
    const uint32_t owner = z->to.reference;
    if (z->furniture)
        return true;
    if (!word || !reader_word_is(z->r, word->end - 1, "side") || !z->to.sides)
        return z->each && !object_bears_things(z->r, owner);
    const bool bears =
        builtin_is_bearer(object_at(z->r, owner)) || zone_is_upon(z);
    const bool is_top = bears && !object_is_loose(z->r, owner);
    const bool of_floor =
        object_lives_on_ground(z->r, z->movers->objects[0]) && !zone_is_upon(z);
    return !is_top || of_floor;
}

/* "at the left side of the table" is beside it for what stands on the floor, on
 * it otherwise. */
static void zone_relate_side(zone *z)
{
    destination *to = &z->to;
    bool beside = zone_side_is_beside(z);
    if (beside)
        to->relation = side_relation(to->sides, RELATION_BESIDE);
    else if (z->each)
        to->relation = RELATION_BESIDE;
    if (z->other) {
        to->relation =
            side_opposite_of_last(z->r, z->movers->objects[0], to->reference);
        if (beside)
            destination_keep_side(z->r, to);
    }
    if (z->room)
        to->relation = RELATION_EDGE;
    /* "at the long side of the table" */
    const chart_node *const word = chart_child(z->node, "$zone");
    if (z->furniture && !z->each && !z->other && !to->sides && word &&
        reader_word_is(z->r, word->first, "long")) {
        to->relation = RELATION_END;
        to->sides = long_side_free(z->r, to->reference, z->movers);
    }
}

static void zone_relate_edge(zone *z)
{
    destination *to = &z->to;
    if (z->furniture)
        to->relation = side_relation(to->sides, RELATION_BESIDE);
    if ((z->sides & LEXICON_TOP) && !to->sides)
        to->relation = RELATION_ON;
}

/* Metres from the middle of what is moved to a corner of the reference, `right`
 * and `away` (1 or -1) as the picture has it; INFINITY where no corner is: a
 * room has them only where walls meet, unless it is said which. */
static double zone_way_to_corner(const zone *z, int right, int away)
{
    const builtin_facts *facts = z->r->facts;
    const builtin_object *base = object_at(z->r, z->to.reference);
    const builtin_object *first = object_at(z->r, z->movers->objects[0]);
    const builtin_move any = {.relation = RELATION_CORNER,
                              .reference = z->to.reference,
                              .second = BUILTIN_NONE,
                              .support = BUILTIN_NONE,
                              .gap = -1};
    double axes[2][2];
    double at[3] = {0, 0, builtin_top(base)};
    double sum = 0;
    const int signs[2] = {right, away};
    side_axes(facts, base, axes);
    for (int k = 0; k < 2; k++)
        at[k] = base->centre[k];
    for (int i = 0; i < 2; i++) {
        double inward = builtin_extent(base, axes[i]) -
                        builtin_extent(first, axes[i]) - 0.02;
        for (int k = 0; k < 2; k++)
            at[k] += signs[i] * inward * axes[i][k];
    }
    if (z->to.sides == 0 &&
        builtin_misfit(facts, &any, z->movers->objects[0], at) > 0)
        return INFINITY;
    for (uint32_t i = 0; i < z->movers->count; i++) {
        const double *c = object_at(z->r, z->movers->objects[i])->centre;
        sum += sqrt((c[0] - at[0]) * (c[0] - at[0]) +
                    (c[1] - at[1]) * (c[1] - at[1]));
    }
    return sum;
}

/* Several things in "the corner" are in one: of those that it may be, the
 * nearest to them all. */
static void zone_relate_corner(zone *z)
{
    static const struct {
        int right, away;
        unsigned sides;
    } corners[4] = {{-1, -1, SIDE_LEFT | SIDE_FRONT},
                    {1, -1, SIDE_RIGHT | SIDE_FRONT},
                    {-1, 1, SIDE_LEFT | SIDE_BACK},
                    {1, 1, SIDE_RIGHT | SIDE_BACK}};
    const chart_node *word = chart_child(z->node, "$zone");
    bool several = word && reader_word_is(z->r, word->end - 1, "corners");
    double nearest = INFINITY;
    unsigned sides = z->to.sides;
    if (z->movers->count < 2 || z->each || several)
        return;
    for (int corner = 0; corner < 4; corner++) {
        const unsigned is = corners[corner].sides;
        if (z->to.sides & ~is)
            continue;
        double way =
            zone_way_to_corner(z, corners[corner].right, corners[corner].away);
        if (way >= nearest)
            continue;
        nearest = way;
        sides = is;
    }
    z->to.guessed = z->to.sides == 0;
    z->to.sides = sides;
}

/* What each kind means, and what makes it mean something else (NULL: nothing
 * does). */
static const struct {
    builtin_relation relation;
    void (*relate)(zone *z);
} zones[] = {
    [ZONE_CORNER] = {RELATION_CORNER, zone_relate_corner},
    [ZONE_MIDDLE] = {RELATION_MIDDLE, NULL},
    [ZONE_EDGE] = {RELATION_EDGE, zone_relate_edge},
    [ZONE_END] = {RELATION_EDGE, zone_relate_end},
    [ZONE_SIDE] = {RELATION_EDGE, zone_relate_side},
};

/* "The bin at the left end of the counter, the stool at the right end": of what
 * the last one stands at the end of. */
static bool zone_is_other_end(const zone *z)
{
    const reader *r = z->r;
    const chart_node *word = chart_child(z->node, "$zone");
    if (!word || word->value != ZONE_END || r->reading->count == r->first_move)
        return false;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    return last->relation == RELATION_END &&
           last->reference < r->facts->object_count;
}

/* "The vase on the table, with a candle on each side": at the sides of what was
 * put there before. What lies under another thing is hidden by it, so that the
 * sides may be of either. */
static void zone_take_last_moved(zone *z)
{
    const reader *r = z->r;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    const builtin_set *moved = &r->memory.last;
    if (moved->count != 1 || last->relation == RELATION_UNDER)
        return;
    if (set_has(z->movers, moved->objects[0]))
        return;
    z->to.reference = moved->objects[0];
    z->of_last = true;
}

/* "On the sideboard, one at each end": of what the same clause puts them on. */
static bool zone_take_place(zone *z)
{
    const uint32_t place = z->r->memory.last_reference;
    if (!chart_child(z->node, "ONEEACH") || place >= z->r->facts->object_count)
        return false;
    z->to.reference = place;
    z->of_last = true;
    return true;
}

/* At an end of something, or in a row along such an end. */
static bool move_is_at_end(const builtin_move *m)
{
    bool at_end = m->relation == RELATION_END;
    for (uint32_t i = 0; i < m->also_count && m->relation == RELATION_LINE; i++)
        at_end = at_end || m->also[i].relation == RELATION_END;
    return at_end;
}

/* "The cup in the left corner of the tray and the spoon in the right corner",
 * "..., the bread in the middle", "the pot on the table and the bowl on its left
 * edge": of what the last thing was put upon. What stands on the floor itself
 * means the room. */
uint32_t zone_last_place(reader *r, const builtin_set *movers)
{
    const builtin_move *const last = reader_last_move(r);
    const uint32_t upon = RELATIONS_UPON | BIT(RELATION_CORNER) |
                          BIT(RELATION_EDGE) | BIT(RELATION_MIDDLE);
    if (!last || movers->count == 0)
        return BUILTIN_NONE;
    const uint32_t mover = movers->objects[0];
    const uint32_t place = last->reference;
    if (!bit_is_in(last->relation, upon) || place >= r->facts->object_count ||
        last->each.count > 0 || set_has(movers, place))
        return BUILTIN_NONE;
    if (object_is_ground(r, place) || !object_bears_things(r, place))
        return BUILTIN_NONE;
    const bool of_floor =
        object_is_on_floor(r, mover) && object_lives_on_ground(r, mover);
    return of_floor || object_is_furniture(r, mover) ? BUILTIN_NONE : place;
}

static bool zone_take_last_place(zone *z)
{
    const uint32_t place =
        z->each || z->other ? BUILTIN_NONE : zone_last_place(z->r, z->movers);
    if (place == BUILTIN_NONE)
        return false;
    z->to.reference = place;
    z->to.level = reader_last_move(z->r)->level;
    z->of_last = true;
    return true;
}

/* "One chair on this side of the desk, and one on the other side", "... around
 * the table, two on each side", "two along each long side of the table and one at
 * each end". */
static void zone_take_last_owner(zone *z)
{
    const reader *r = z->r;
    const chart_node *word = chart_child(z->node, "$zone");
    const bool other = z->other && word && word->value == ZONE_SIDE;
    const bool end = !z->each && zone_is_other_end(z);
    if (end)
        z->to.reference = r->reading->moves[r->reading->count - 1].reference;
    if ((!other && !z->each) || r->reading->count == r->first_move)
        return;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    /* "around the table, two on each side" */
    const uint32_t fitting = z->each ? BIT(RELATION_AROUND) : RELATIONS_ASIDE;
    /* the others of the same kind, and no candles beside the chairs */
    const bool others = z->each && last->objects.count > 0 &&
                        set_has(z->movers, last->objects.objects[0]);
    const bool aside =
        bit_is_in(last->relation, fitting) || (others && move_is_at_end(last));
    z->of_ring = z->each && aside;
    if (aside && last->reference < r->facts->object_count)
        z->to.reference = last->reference;
    else if (z->each)
        zone_take_last_moved(z);
}

/* "Its", of a person or an animal "his" and "her", too. */
static bool zone_says_its(const zone *z)
{
    const chart_node *const det = chart_child(z->node, "$det");
    return node_says(z->node, "$det", BIT(DET_ITS)) ||
           (det && reader_lists(z->r, det->first, "zone: whose"));
}

/* "The bowl in the middle of the table and the book on its right": a mere side
 * is that of what was put there before. */
static bool zone_of_last(zone *z)
{
    const reader *r = z->r;
    const builtin_set *last = &r->memory.last;
    const bool bare = !chart_child(z->node, "$zone") && !z->owner;
    if (!bare || last->count != 1 || r->reading->count == r->first_move)
        return false;
    if (set_has(z->movers, last->objects[0]))
        return false;
    z->to.reference = last->objects[0];
    z->aside = true;
    return true;
}

/* "The table in front of the sofa, and the vase in its centre": of what was
 * moved, where that bears things and was put on none that does. */
static bool zone_is_of_moved(zone *z)
{
    const reader *r = z->r;
    const builtin_set *last = &r->memory.last;
    if (last->count != 1 || z->owner || r->reading->count == r->first_move ||
        set_has(z->movers, last->objects[0]))
        return false;
    const builtin_move *before = &r->reading->moves[r->reading->count - 1];
    const bool moved = set_has(&before->objects, last->objects[0]);
    if (!moved || bit_is_in(before->relation, RELATIONS_UPON) ||
        !object_bears_things(r, last->objects[0]))
        return false;
    z->to.reference = last->objects[0];
    return true;
}

/* "The lantern on the bench, at the right end": of what the clause puts it on,
 * though it stands on the floor as yet. */
static bool zone_take_base(zone *z)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    const bool parts =
        word && bit_is_in(word->value,
                          BIT(ZONE_END) | BIT(ZONE_EDGE) | BIT(ZONE_CORNER));
    const uint32_t base = z->r->upon - 1;
    if (!parts || z->r->upon == 0 || object_is_ground(z->r, base))
        return false;
    z->to.reference = base;
    z->of_last = z->upon = true;
    return true;
}

/* Of several things: any of them, for one thing that is moved. */
static etna_code zone_find_owners(zone *z)
{
    reader *r = z->r;
    refer_scope scope = refer_scope_place(z->movers);
    builtin_set refs;
    scope.many = true;
    etna_code code = refer_things(r, z->owner, &scope, &refs);
    if (code != ETNA_OK)
        return code;
    z->to.reference = refs.objects[0];
    if (refs.count < 2 || z->each)
        return ETNA_OK;
    /* the middle of several is on none of them */
    if (node_says(z->node, "$zone", BIT(ZONE_MIDDLE)) ||
        chart_find(z->node, "$mid"))
        return reader_refuse_said(
            r, CODE_UNREAD, z->node,
            "where the middle of several things is, is not understood");
    /* not all of them on the first, nor one on any */
    return reader_refuse_said(
        r, CODE_UNREAD, z->node,
        "which thing goes to which of them is not understood");
}

/* The one table of the scene at which several seats stand; BUILTIN_NONE: there
 * is none, or there are more. */
static uint32_t table_of_seats(const reader *r)
{
    const double at_it = 0.8; /* metres */
    const uint32_t count = r->facts->object_count;
    uint32_t found = BUILTIN_NONE;
    for (uint32_t table = 0; table < count; table++) {
        uint32_t seats = 0;
        if (!object_is_table(r, table))
            continue;
        for (uint32_t i = 0; i < count; i++)
            seats += object_is_seat(r, i) && object_way(r, table, i) < at_it;
        if (seats < 2)
            continue;
        if (found != BUILTIN_NONE)
            return BUILTIN_NONE;
        found = table;
    }
    return found;
}

/* "One chair on each long side": of the table where chairs stand, and not of
 * the floor. */
static void zone_take_table(zone *z)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    const bool part =
        word && bit_is_in(word->value, BIT(ZONE_END) | BIT(ZONE_SIDE));
    if (!part || !z->each || z->movers->count == 0 ||
        !object_is_ground(z->r, z->to.reference) ||
        !object_is_seat(z->r, z->movers->objects[0]))
        return;
    const uint32_t table = table_of_seats(z->r);
    if (table == BUILTIN_NONE || set_has(z->movers, table))
        return;
    z->to.reference = table;
    z->of_last = true;
}

/* "All but the bowl onto the shelf, the bowl to the middle": of what that stands
 * on, and not of the shelf. */
static bool zone_take_spared(zone *z)
{
    const builtin_set *const spared = &z->r->memory.spared;
    if (z->movers->count != 1 || !set_is_within(z->movers, spared))
        return false;
    const builtin_object *const o = object_at(z->r, z->movers->objects[0]);
    if (o->by_count != 1 || object_is_ground(z->r, o->by[0]))
        return false;
    z->to.reference = o->by[0];
    z->of_last = true;
    return true;
}

/* Whose zone it is. */
static etna_code zone_find_owner(zone *z)
{
    reader *r = z->r;
    refer_scope scope = refer_scope_place(z->movers);
    uint32_t *reference = &z->to.reference;
    bool is_level = false;
    bool its = zone_says_its(z);
    *reference = ground_of(r, z->movers);
    if (its && (zone_of_last(z) || zone_is_of_moved(z)))
        return ETNA_OK;
    bool last = its && ground_cleared(r, z->movers) == BUILTIN_NONE;
    if (last && r->memory.last_reference < r->facts->object_count)
        *reference = r->memory.last_reference;
    const bool taken = z->owner || zone_take_place(z) || zone_take_base(z) ||
                       zone_take_spared(z);
    if (!taken && !zone_take_last_place(z))
        zone_take_last_owner(z);
    if (!z->owner)
        zone_take_table(z);
    if (!z->owner)
        return ETNA_OK;
    if (phrase_is_plural(r, z->owner) && !phrase_means_room(r, z->owner))
        return zone_find_owners(z);
    etna_code code =
        refer_level(r, z->owner, z->movers, &is_level, reference, &z->to.level);
    if (code != ETNA_OK || is_level)
        return code;
    return refer_one(r, z->owner, &scope, reference);
}

/* "On the very top", of nothing: what a thing stands on already has no top to
 * go to. */
static bool zone_is_bare_top(const zone *z)
{
    const unsigned upright = LEXICON_TOP | LEXICON_BOTTOM;
    const bool only_upright = z->sides && !(z->sides & ~upright);
    const bool says_whose = z->owner || zone_says_its(z);
    return only_upright && !says_whose &&
           z->to.reference == ground_of(z->r, z->movers);
}

/* "At the short end", "on the long side", of nothing: a floor has sides and
 * corners, and its ends are those of something on it. */
static bool zone_is_bare_end(const zone *z)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    const bool long_side = word && reader_word_is(z->r, word->first, "long");
    if (!word || z->owner || z->of_last ||
        (word->value != ZONE_END && !long_side))
        return false;
    return !node_says(z->node, "$det", BIT(DET_ITS)) &&
           object_is_ground(z->r, z->to.reference);
}

/* Sides as bits; other: "the other end". */
static void zone_find_sides(zone *z)
{
    bool other = false;
    for (uint32_t i = 0; i < z->node->child_count; i++) {
        const chart_node *c = z->node->children[i];
        if (node_is(c, "$side") || node_is(c, "$side_seen") ||
            node_is(c, "$side_of"))
            z->sides |= c->value;
        if (node_is(c, "$zone_other") && c->value)
            other = c->value == 1;
    }
    const chart_node *word = chart_child(z->node, "$zone");
    const bool of_two =
        word && bit_is_in(word->value, BIT(ZONE_END) | BIT(ZONE_SIDE));
    other = other || (of_two && node_says(z->node, "$quant", BIT(DET_OTHER)));
    z->other = other && z->movers->count == 1;
}

/* ---- the part of it that is nearest to something ---- */

/* "The corner of the table nearest the door": said of the corner, or of a table
 * among several, and then of its corner, too. NULL: nothing of the kind is said.
 */
static const chart_node *zone_find_nearest(const zone *z)
{
    const uint32_t parts =
        BIT(ZONE_CORNER) | BIT(ZONE_EDGE) | BIT(ZONE_END) | BIT(ZONE_SIDE);
    const chart_node *const own = chart_child(z->node, "NEAREST");
    const chart_node *const word = chart_child(z->node, "$zone");
    const bool is_part = word && bit_is_in(word->value, parts);
    if (own || !z->owner || !is_part)
        return own;
    if (z->sides || z->each)
        return own;
    return chart_child(z->owner, "NEAREST");
}

/* The side of the reference where that thing is, or for `far` the one across:
 * for a corner two of them, for an end one across its length. 0: about as much
 * of one as of another. */
static unsigned zone_side_near(const zone *z,
                               uint32_t kind,
                               uint32_t to,
                               bool far)
{
    static const unsigned toward[2][2] = {{SIDE_LEFT, SIDE_RIGHT},
                                          {SIDE_FRONT, SIDE_BACK}};
    const builtin_object *const base = object_at(z->r, z->to.reference);
    const double *const at = object_at(z->r, to)->centre;
    const double clear = 0.05; /* metres */
    double axes[2][2], way[2], beyond[2], extent[2];
    unsigned sides[2];
    side_axes(z->r->facts, base, axes);
    for (int i = 0; i < 2; i++) {
        way[i] = (at[0] - base->centre[0]) * axes[i][0] +
                 (at[1] - base->centre[1]) * axes[i][1];
        extent[i] = builtin_extent(base, axes[i]);
        beyond[i] = fabs(way[i]) - extent[i];
        sides[i] = toward[i][(way[i] > 0) != far];
    }
    const int end = extent[1] > extent[0];
    if (kind == ZONE_CORNER)
        return fabs(way[0]) > clear && fabs(way[1]) > clear
                   ? sides[0] | sides[1]
                   : 0;
    if (kind == ZONE_END)
        return fabs(way[end]) > clear ? sides[end] : 0;
    return fabs(beyond[1] - beyond[0]) > clear ? sides[beyond[1] > beyond[0]]
                                               : 0;
}

static etna_code zone_take_nearest(zone *z)
{
    reader *const r = z->r;
    const chart_node *const word = chart_child(z->node, "$zone");
    refer_scope scope = refer_scope_place(z->movers);
    const chart_node *const near = zone_find_nearest(z);
    builtin_set all = {0};
    uint32_t to = BUILTIN_NONE;
    if (!near)
        return ETNA_OK;
    const bool far = node_value(near, "$nearest") == 2;
    scope.any = scope.many = true; /* "the window", of two */
    const uint32_t kind = word ? word->value : ZONE_EDGE;
    if (z->sides || kind == ZONE_MIDDLE || z->each ||
        z->to.reference >= r->facts->object_count)
        return reader_refuse_said(r, CODE_UNREAD, z->node,
                                  "which part of it that is, is not clear");
    const etna_code code = refer_things(r, node_things(near, 0), &scope, &all);
    if (code != ETNA_OK)
        return code;
    to = set_nearest(r, &all, z->to.reference);
    if (to == z->to.reference || (far && all.count > 1))
        return reader_refuse_said(r, CODE_UNREAD, z->node,
                                  "which part of it that is, is not clear");
    z->sides = zone_side_near(z, kind, to, far);
    return z->sides
               ? ETNA_OK
               : reader_refuse_said(r, CODE_AMBIGUOUS, z->node,
                                    "which part of it that is is not clear");
}

/* "to the block's left": to a side of a thing, not onto it */
static bool zone_is_beside(const zone *z)
{
    const chart_node *in = chart_child(z->node, "$zone_in");
    bool bare = z->owner && in && !chart_child(z->node, "$zone");
    return bare && z->movers->count && reader_word_is(z->r, in->end - 1, "to");
}

/* "10 cm toward the back edge of the desk": a way to go, and no place */
static void zone_become_shift(zone *z)
{
    const chart_node *rel = chart_child(z->node, "$rel");
    destination *to = &z->to;
    bool way = rel && bit_is_in(rel->value, BIT(REL_TOWARD) | BIT(REL_CLOSER));
    if (!way || to->gap <= 0 || !to->sides)
        return;
    to->is_shift = true;
    direction_way(z->r, side_direction(to->sides), to->shift);
    for (int k = 0; k < 3; k++)
        to->shift[k] *= to->gap;
    to->gap = -1;
    to->sides = 0;
}

/* From the word of the zone to a relation. */
static void zone_relate(zone *z)
{
    const chart_node *word = chart_child(z->node, "$zone");
    destination *to = &z->to;
    uint32_t kind = word ? word->value : ZONE_EDGE;
    if ((z->sides & LEXICON_MIDDLE) || chart_child(z->node, "$mid"))
        kind = ZONE_MIDDLE;
    to->relation = zones[kind].relation;
    if (zones[kind].relate)
        zones[kind].relate(z);
    if (z->aside || zone_is_beside(z))
        to->relation = side_relation(to->sides, to->relation);
    if (bit_is_in(to->relation, RELATIONS_SIDE))
        to->sides = 0;
}

/* "On the very top of the bookcase", "on the bookcase's top": on none of the
 * boards that it holds. */
static void zone_find_top(zone *z)
{
    destination *to = &z->to;
    const bool on_top = to->relation == RELATION_ON &&
                        (z->sides & LEXICON_TOP) && to->level == 0;
    const uint32_t levels =
        on_top ? builtin_levels(z->r->facts, to->reference) : 0;
    if (levels > 1)
        to->level = levels;
}

/* "Flush with its front": of what stands beside it, and not before it. */
static bool zone_is_flush_aside(const zone *z)
{
    const chart_node *in = chart_child(z->node, "$zone_in");
    return in && reader_word_is(z->r, in->first, "flush") &&
           (bit_is_in(z->to.relation, RELATIONS_ASIDE) || zone_is_of_floor(z));
}

/* "In each corner" */
static bool zone_is_every_corner(const chart_node *node)
{
    const chart_node *word = chart_child(node, "$zone");
    return word && word->value == ZONE_CORNER &&
           node_says(node, "$quant", BIT(DET_EACH) | BIT(DET_ALL));
}

/* "Between the sofa and the bookcase, with 20 cm on either side": of what is
 * put there, and no side of the floor. */
static bool zone_is_gap_of_own(const zone *z)
{
    const bool of_other = z->owner || z->of_ring || z->of_last;
    return !of_other && z->movers->count == 1 && chart_child(z->node, "DIST") &&
           node_says(z->node, "$quant", BIT(DET_ANY));
}

/* "In the corner of the table at the back on the left": the second side tells
 * which table, or which corner. Of the room it tells the corner. */
static bool zone_side_is_open(const zone *z)
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < z->node->child_count; i++)
        places += node_is(z->node->children[i], "$zone_in");
    return places > 1 && z->owner && !phrase_means_room(z->r, z->owner);
}

/* "25 cm to the left": so far from where it is, and no edge to be so far
 * from. */
static bool zone_is_way(const zone *z)
{
    const chart_node *const dist = chart_child(z->node, "DIST");
    const chart_node *const rel = chart_child(z->node, "$rel");
    if (!dist || !rel || z->owner)
        return false;
    const bool to = reader_word_is(z->r, rel->first, "to");
    return to && !chart_child(z->node, "$zone") &&
           !chart_find(z->node, "$part");
}

/* "At the back at the front" */
static bool zone_sides_deny(const zone *z)
{
    const unsigned across = LEXICON_LEFT | LEXICON_RIGHT;
    const unsigned along = LEXICON_FRONT | LEXICON_BACK;
    return (z->sides & across) == across || (z->sides & along) == along;
}

/* "To the back half": of what it was on, and never of the floor. */
static bool zone_is_half_of_ground(const zone *z)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    const bool half = word && reader_word_is(z->r, word->end - 1, "half");
    return half && !z->owner && !z->of_last &&
           object_is_ground(z->r, z->to.reference);
}

/* "A chair on each side": of a table, and not of the floor. */
static bool zone_seats_stand_on_ground(const zone *z)
{
    return z->movers->count > 0 &&
           object_is_seat(z->r, z->movers->objects[0]) &&
           object_is_ground(z->r, z->to.reference);
}

/* "On my side of the desk", "on this side": it takes somebody who speaks, and no
 * scene shows where that one is. */
static bool zone_is_somebodys(const zone *z)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    const uint32_t parts = BIT(ZONE_END) | BIT(ZONE_SIDE) | BIT(ZONE_EDGE);
    const uint32_t whose = BIT(DET_OWN) | BIT(DET_THIS);
    const bool told = node_says(z->node, "$det", whose) ||
                      node_says(z->node, "$quant", whose);
    if (!word || !bit_is_in(word->value, parts) || z->sides)
        return false;
    return zone_says_its(z) ? z->owner != NULL : told;
}

/* What the words do not say: of what, or of which of several. ETNA_E_INPUT: the
 * refusal. */
static etna_code zone_check_said(zone *z)
{
    reader *const r = z->r;
    const chart_node *const node = z->node;
    if (z->to.reference >= r->facts->object_count)
        return reader_refuse(
            r, CODE_NO_PLACE, node,
            "there is no floor or table that \"%s\" could be of",
            reader_said(r, node));
    if (zone_is_somebodys(z))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "which side that is, is not known");
    if (zone_side_is_open(z) || zone_sides_deny(z) || zone_is_way(z))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "which part of it that is, is not clear");
    const bool goes_on = r->reading->count > r->first_move;
    const bool unsaid = z->each && !z->owner && !z->of_ring && !z->of_last;
    if (zone_is_half_of_ground(z))
        return reader_refuse_said(r, CODE_UNREAD, node, "of what is not said");
    const bool bare_end = zone_is_bare_end(z);
    const bool of_seats = unsaid && zone_seats_stand_on_ground(z);
    const bool no_owner =
        (unsaid && goes_on) || of_seats || zone_is_gap_of_own(z);
    if (no_owner || zone_is_bare_top(z) || bare_end)
        return reader_refuse_said(r, bare_end ? CODE_UNMET : CODE_UNREAD, node,
                                  "of what is not said");
    if (zone_is_every_corner(node))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "which goes to which is not understood");
    const bool other = node_says(node, "$zone_other", BIT(1)) ||
                       node_says(node, "$quant", BIT(DET_OTHER));
    if (other && z->movers->need < z->movers->count)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "of which of them is not clear");
    return ETNA_OK;
}

/* What its words make of it: a place, a board's top, or a way to go. */
static void zone_find_place(zone *z)
{
    const chart_node *dist = chart_child(z->node, "DIST");
    zone_relate(z);
    zone_find_top(z);
    if (dist) {
        z->to.gap = where_metres(z->r, dist, NULL);
        z->to.bound = details_bound(dist);
    }
    zone_become_shift(z);
}

/* "The left end" of what the picture shows from its end: the one side of it is
 * left there, and it has no end there. */
static bool zone_end_is_unclear(const zone *z)
{
    const double oblong = 1.5, shown = 0.5; /* times, cosine */
    const reader *r = z->r;
    const bool aside = z->to.sides == SIDE_LEFT || z->to.sides == SIDE_RIGHT;
    if (z->to.relation != RELATION_EDGE || !aside ||
        z->to.reference >= r->facts->object_count)
        return false;
    const builtin_object *o = object_at(r, z->to.reference);
    if (builtin_half_longer(o) < oblong * builtin_half_shorter(o))
        return false;
    const bool lengthwise = o->half[1] > o->half[0];
    const double length[2] = {lengthwise ? o->heading[0] : -o->heading[1],
                              lengthwise ? o->heading[1] : o->heading[0]};
    double way[3];
    direction_way(r, side_direction(z->to.sides), way);
    return fabs(length[0] * way[0] + length[1] * way[1]) < shown;
}

/* Is the last thing put to a part of another one, as this is: "at the left end
 * of the table and ... in the middle of it"? */
static bool zone_is_of_same(const builtin_move *last, uint32_t moved)
{
    const uint32_t parts = BIT(RELATION_CORNER) | BIT(RELATION_EDGE) |
                           BIT(RELATION_MIDDLE) | BIT(RELATION_END);
    return last && set_has(&last->objects, moved) &&
           bit_is_in(last->relation, parts);
}

/* "The vase in the middle of the table, a candle on each side of it": what is in
 * a middle has its sides around it. */
static bool zone_is_around(const zone *z, const builtin_move *last)
{
    const chart_node *const word = chart_child(z->node, "$zone");
    return last->relation == RELATION_MIDDLE && word &&
           word->value == ZONE_SIDE;
}

/* "The chair to the end of the table, and the plates in the middle of it": of
 * the table, as nothing comes into the middle of a seat that stands at one. Nor
 * has a ball an end of its own; a tray has. */
static etna_code zone_mean_table(zone *z)
{
    reader *const r = z->r;
    const builtin_move *const last = reader_last_move(r);
    const uint32_t moved = z->to.reference;
    const bool it = z->owner ? phrase_is_pronoun(z->owner, PRON_IT)
                             : zone_says_its(z) && r->is_elliptic;
    if (!it || !last || last->reference >= r->facts->object_count ||
        !set_has(&last->objects, moved))
        return ETNA_OK;
    const bool seat = object_is_seat(r, moved) &&
                      object_is_table(r, last->reference) &&
                      z->to.relation == RELATION_MIDDLE;
    if (!seat && (!zone_is_of_same(last, moved) || zone_is_around(z, last)))
        return ETNA_OK;
    const builtin_object *const o = object_at(r, moved);
    const bool flat = o->half[2] < 0.5 * builtin_half_shorter(o);
    if (!seat && flat && object_bears_things(r, moved))
        return reader_refuse_said(r, CODE_AMBIGUOUS,
                                  z->owner ? z->owner : z->node,
                                  "which of the two that is is not clear");
    z->to.reference = last->reference;
    return ETNA_OK;
}

/* What the place that was found cannot be. */
static etna_code zone_check_place(zone *z)
{
    reader *const r = z->r;
    const destination *const to = &z->to;
    const chart_node *const rel = chart_child(z->node, "$rel");
    const bool way = rel && bit_is_in(rel->value, BIT(REL_CLOSER));
    /* "10 cm closer to the edge" is no 10 cm from it */
    if (way && to->gap > 0 && !to->is_shift)
        return reader_refuse_said(r, CODE_UNREAD, z->node,
                                  "to which of its edges is not said");
    if (to->relation == RELATION_CORNER && zone_is_at(z) && zone_is_of_floor(z))
        return reader_refuse_said(r, CODE_UNREAD, z->node,
                                  "whether on it or beside it is not said");
    /* "at the middle of the desk": a chair stands at it */
    if (to->relation == RELATION_MIDDLE && z->movers->count > 0 &&
        object_is_seat(r, z->movers->objects[0]) &&
        object_is_table(r, to->reference))
        return reader_refuse_said(r, CODE_UNREAD, z->node,
                                  "at which of its sides is not said");
    return ETNA_OK;
}

/* "on the left edge of the table", "in the corner", "in the middle". */
etna_code zone_read(reader *r,
                    const chart_node *node,
                    const builtin_set *movers,
                    destination *ret)
{
    zone z = {.r = r,
              .node = node,
              .movers = movers,
              .each = zone_says_each(node, movers->count > 1) ||
                      (movers->count > 1 && zone_says_ends(r, node))};
    z.to = destination_plain(RELATION_EDGE, BUILTIN_NONE);
    z.owner = zone_owner(node);
    zone_find_sides(&z);
    etna_code code = zone_find_owner(&z);
    if (code == ETNA_OK)
        code = zone_check_said(&z);
    if (code != ETNA_OK)
        return code;
    z.room = phrase_means_room(r, z.owner ? z.owner : node);
    if (z.room && refer_floor(r->facts) != BUILTIN_NONE)
        z.to.reference = refer_floor(r->facts);
    const chart_node *said = chart_child(node, "$zone");
    const bool is_end = said && said->value == ZONE_END;
    code = zone_take_nearest(&z);
    if (code != ETNA_OK)
        return code;
    if (z.other)
        z.sides =
            sides_other(r, z.sides, movers->objects[0], z.to.reference, is_end);
    z.to.sides = z.sides & 15;
    z.furniture = zone_is_of_furniture(&z);
    zone_find_place(&z);
    code = zone_mean_table(&z);
    if (code == ETNA_OK)
        code = zone_check_place(&z);
    if (code != ETNA_OK)
        return code;
    if (zone_is_flush_aside(&z))
        return reader_refuse_said(
            r, CODE_UNREAD, node,
            "how it is to be flush with that is not understood");
    if (is_end && zone_end_is_unclear(&z))
        return reader_refuse_said(r, CODE_AMBIGUOUS, node,
                                  "which end of it that is, is not clear");
    z.to.furthest = !said && !chart_child(node, "$zone_in") &&
                    chart_child(node, "$side") != NULL;
    z.to.is_side = !said || said->value == ZONE_SIDE;
    z.to.its = zone_says_its(&z);
    z.to.unowned = !z.owner && !z.room && !z.to.its;
    *ret = z.to;
    return ETNA_OK;
}
