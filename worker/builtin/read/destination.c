/* See read/destination.h. */
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>

destination destination_plain(builtin_relation relation, uint32_t reference)
{
    return (destination){.relation = relation,
                         .reference = reference,
                         .second = BUILTIN_NONE,
                         .gap = -1};
}

void destination_keep_side(const reader *r, destination *to)
{
    const double along = 0.7; /* the cosine of an eighth of a turn */
    const bool deep =
        bit_is_in(to->relation, BIT(RELATION_FRONT) | BIT(RELATION_BEHIND));
    const builtin_move there = {.relation = to->relation,
                                .reference = to->reference,
                                .second = BUILTIN_NONE,
                                .support = BUILTIN_NONE,
                                .faced = BUILTIN_NONE,
                                .gap = -1};
    double way[2], right[2], away[2];
    if (!deep || to->reference >= r->facts->object_count)
        return;
    builtin_side_axis(r->facts, &there, way);
    builtin_picture_axes(r->facts, right, away);
    const double sign = to->relation == RELATION_BEHIND ? 1 : -1;
    if (sign * (way[0] * away[0] + way[1] * away[1]) > along)
        return;
    to->sides = side_own(r, to->reference, side_of_relation(to->relation));
    to->relation = RELATION_END;
}

builtin_condition destination_condition(const destination *s)
{
    return (builtin_condition){.relation = s->relation,
                               .reference = s->reference,
                               .second = s->second,
                               .sides = s->sides,
                               .gap = s->gap,
                               .bound = s->bound};
}

bool destination_is_measured(const destination *s)
{
    const uint32_t measured = RELATIONS_UPON | RELATIONS_ASIDE |
                              BIT(RELATION_UNDER) | BIT(RELATION_AGAINST) |
                              BIT(RELATION_BETWEEN);
    return bit_is_in(s->relation, measured) && s->each.count == 0 &&
           s->gap < 0 && s->level == 0 && !s->is_shift;
}

/* ---- the ground ---- */

/* What was just cleared is where things go next, when nothing else is said:
 * "clear the desk and put the lamp there". */
uint32_t ground_cleared(const reader *r, const builtin_set *movers)
{
    const builtin_set *taken = &r->memory.taken;
    if (r->memory.context >= r->facts->object_count)
        return BUILTIN_NONE;
    bool others = taken->count > 1;
    for (uint32_t i = 0; i < movers->count; i++)
        others = others && !set_has(taken, movers->objects[i]);
    if (others)
        return r->memory.context;
    const builtin_move *before = reader_last_move(r);
    if (!before)
        return BUILTIN_NONE;
    bool cleared = before->relation == RELATION_OFF &&
                   before->reference == r->memory.context;
    for (uint32_t i = 0; i < movers->count; i++)
        cleared = cleared && !set_has(&before->objects, movers->objects[i]);
    return cleared ? r->memory.context : BUILTIN_NONE;
}

static uint32_t ground_under(const reader *r, const builtin_set *movers)
{
    uint32_t floor = refer_floor(r->facts);
    if (movers->count == 0)
        return floor;
    const builtin_object *o = object_at(r, movers->objects[0]);
    bool on_floor =
        object_is_furniture(r, movers->objects[0]) || o->by_count == 0;
    return on_floor ? floor : o->by[0];
}

uint32_t ground_of(const reader *r, const builtin_set *movers)
{
    uint32_t cleared = ground_cleared(r, movers);
    return cleared == BUILTIN_NONE ? ground_under(r, movers) : cleared;
}

/* ---- what is neither a relation nor a zone ---- */

/* Of two things, first the one that is said first. */
static etna_code between_order(reader *r,
                               const chart_node *first,
                               const builtin_set *movers,
                               destination *s)
{
    refer_scope scope = {.on = BUILTIN_NONE, .barred = movers};
    reader before = *r;
    uint32_t object;
    etna_code code = refer_one(r, first, &scope, &object);
    if (code == ETNA_E_INPUT)
        *r = before;
    if (code != ETNA_OK || object != s->second)
        return code == ETNA_E_INPUT ? ETNA_OK : code;
    s->second = s->reference;
    s->reference = object;
    return ETNA_OK;
}

/* For choosing the wall between which and another thing the mover goes. */
typedef struct wall_rank {
    uint32_t by; /* what is on the other side */
    const builtin_set *movers;
    double least; /* metres that the thing takes */
} wall_rank;

/* Does a thing of about its size or more stand on the way straight from it to
 * the wall? `out` leads there, for `apart` metres from its middle. */
static bool wall_is_beyond(const reader *r,
                           const wall_rank *rank,
                           const double out[2],
                           double apart)
{
    const builtin_object *o = object_at(r, rank->by);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *other = object_at(r, i);
        const double dx = other->centre[0] - o->centre[0];
        const double dy = other->centre[1] - o->centre[1];
        const double along = dx * out[0] + dy * out[1];
        const double aside = fabs(dx * out[1] - dy * out[0]);
        const bool level = builtin_foot(other) < builtin_top(o) &&
                           builtin_top(other) > o->centre[2];
        const bool is_meant = i == rank->by || set_has(rank->movers, i);
        if (is_meant || !level || builtin_is_wall(other))
            continue;
        const bool large =
            2 * builtin_half_longer(other) >= builtin_half_longer(o);
        const double across[2] = {-out[1], out[0]};
        const bool ahead = along > builtin_extent(o, out) && along < apart;
        if (large && ahead && aside < builtin_extent(other, across))
            return true;
    }
    return false;
}

/* The nearest wall that leaves room for the thing, before those that leave
 * none, and both before those that something else stands at. */
static double wall_rank_room(const reader *r,
                             uint32_t wall,
                             const void *context)
{
    const double crowded = 1000; /* metres: farther than any wall with room */
    const wall_rank *rank = context;
    const builtin_object *o = object_at(r, rank->by), *w = object_at(r, wall);
    double out[2] = {w->half[1] <= w->half[0] ? w->heading[0] : -w->heading[1],
                     w->half[1] <= w->half[0] ? w->heading[1] : w->heading[0]};
    const double way = (w->centre[0] - o->centre[0]) * out[0] +
                       (w->centre[1] - o->centre[1]) * out[1];
    const double apart = fabs(way);
    const double room = apart - builtin_extent(o, out) - builtin_extent(w, out);
    if (way < 0) {
        out[0] = -out[0];
        out[1] = -out[1];
    }
    if (wall_is_beyond(r, rank, out, apart))
        return 2 * crowded + room;
    return room >= rank->least ? room : crowded - room;
}

/* "Between the bed and the wall": the bed, and of the walls the one that is
 * meant. */
static etna_code between_find_wall(reader *r,
                                   const chart_node *what,
                                   const builtin_set *movers,
                                   builtin_set *ret)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const bool pair = node_is(what, "AND") &&
                      node_conjuncts(what, parts) == 2 && movers->count > 0;
    const uint32_t at = pair && phrase_is_wall(r, parts[0]) ? 0 : 1;
    const refer_scope other = {.on = BUILTIN_NONE, .barred = movers};
    const refer_scope any = {.on = BUILTIN_NONE, .any = true};
    wall_rank rank = {.by = BUILTIN_NONE, .movers = movers};
    builtin_set walls;
    ret->count = 0;
    if (!pair || !phrase_is_wall(r, parts[at]))
        return ETNA_OK;
    etna_code code = refer_one(r, parts[1 - at], &other, &rank.by);
    if (code == ETNA_OK)
        code = refer_things(r, parts[at], &any, &walls);
    if (code != ETNA_OK || rank.by >= r->facts->object_count || walls.need != 1)
        return code;
    const builtin_object *o = object_at(r, movers->objects[0]);
    rank.least = 2 * builtin_half_shorter(o);
    const builtin_set one = set_one(r, rank.by);
    const builtin_set wall =
        set_one(r, set_least(r, &walls, wall_rank_room, &rank));
    return set_union(r, &one, &wall, ret);
}

bool placed_last_two(const reader *r,
                     const builtin_set *movers,
                     uint32_t ret[2])
{
    const builtin_reading *const reading = r->reading;
    if (reading->count < r->first_move + 2)
        return false;
    const builtin_move *const one = &reading->moves[reading->count - 2];
    const builtin_move *const other = &reading->moves[reading->count - 1];
    if (one->objects.count != 1 || other->objects.count != 1 ||
        one->reference != other->reference ||
        one->reference >= r->facts->object_count)
        return false;
    ret[0] = one->objects.objects[0];
    ret[1] = other->objects.objects[0];
    const bool moved = set_has(movers, ret[0]) || set_has(movers, ret[1]);
    return !moved && ret[0] != ret[1];
}

/* "The cup at the left end, the jug at the right end, the bowl between them":
 * of the two, where only the jug was spoken of last. */
static bool between_says_last_two(const reader *r, const chart_node *what)
{
    return phrase_is_pronoun(what, PRON_THEM) && r->memory.last.count == 1;
}

/* Exactly two. */
static etna_code between_read(reader *r,
                              const chart_node *node,
                              const builtin_set *movers,
                              destination *ret)
{
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE, .many = true, .barred = movers};
    const chart_node *what = node->children[node->child_count - 1];
    uint32_t two[2];
    if (between_says_last_two(r, what) && placed_last_two(r, movers, two)) {
        *ret = destination_plain(RELATION_BETWEEN, two[0]);
        ret->second = two[1];
        ret->exact = node_value(node, "$between") > 0;
        return ETNA_OK;
    }
    etna_code code = between_find_wall(r, what, movers, &of);
    if (code == ETNA_OK && of.count == 0)
        code = refer_things(r, what, &scope, &of);
    if (code != ETNA_OK)
        return code;
    if (of.count != 2 || of.need != 2)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "between which two is not clear");
    *ret = destination_plain(RELATION_BETWEEN, of.objects[0]);
    ret->second = of.objects[1];
    /* "halfway between", "in the middle of the two" */
    ret->exact =
        node_value(node, "$between") > 0 || node_value(node, "$amidst") > 0;
    return node_is(what, "AND")
               ? between_order(r, what->children[0], movers, ret)
               : ETNA_OK;
}

/* "The bowl onto the sideboard, and the teapot in its place": in that of what
 * was moved before; "back in its place": in its own. BUILTIN_NONE: nothing else
 * was moved. */
static uint32_t old_of_last(const reader *r,
                            const chart_node *node,
                            const builtin_set *movers)
{
    const builtin_set *last = &r->memory.last;
    /* what was only taken up has no move yet */
    const bool some = r->reading->count > 0 || r->memory.taken.count > 0;
    const bool before = some && last->count == 1;
    const bool back =
        reader_word_is(r, node->first, "back") ||
        (node->first > 0 && reader_word_is(r, node->first - 1, "back"));
    if (!before || back || set_has(movers, last->objects[0]))
        return BUILTIN_NONE;
    return last->objects[0];
}

/* "Both where the third one is": several things have no room where one stands,
 * but beside it. */
static etna_code old_of_several(reader *r,
                                const chart_node *node,
                                const builtin_set *movers,
                                destination *ret)
{
    if (movers->count < 2 || ret->there.count > 1 || old_is_past(r, node))
        return ETNA_OK;
    if (set_has(movers, ret->reference))
        return reader_refuse_said(r, CODE_AMBIGUOUS, node,
                                  "which of them that is is not clear");
    ret->relation = RELATION_BESIDE;
    return ETNA_OK;
}

/* "In its old place comes the vase", with nothing before it: not the vase's. */
static bool old_is_of_before(const reader *r, const chart_node *node)
{
    return node->first == 0 || reader_lists(r, node->first - 1, "place: joins");
}

/* "Remove the sofa and put the armchair where it was": where things were that
 * are taken out is not kept. */
static bool old_is_gone(const reader *r, const chart_node *what, bool own)
{
    const reader_memory *m = &r->memory;
    bool is_of_gone = own && m->discarded && m->last.count == 0;
    return is_of_gone || (what && staged_removes(r, what));
}

/* Where the moved things were, or what was moved last. */
static etna_code old_read_own(reader *r,
                              const chart_node *node,
                              const builtin_set *movers,
                              destination *ret)
{
    const uint32_t last = old_of_last(r, node, movers);
    /* "in its corner" is that of something else that stood there */
    const bool corner = reader_word_is(r, node->end - 1, "corner");
    if (last == BUILTIN_NONE && (corner || old_is_of_before(r, node)))
        return reader_refuse(r, CODE_UNREAD, node,
                             "whose place \"%s\" is is not said",
                             reader_said(r, node));
    if (last != BUILTIN_NONE)
        ret->reference = last;
    return ETNA_OK;
}

/* Where something else was. */
static etna_code old_read_of(reader *r,
                             const chart_node *node,
                             const chart_node *what,
                             const builtin_set *movers,
                             destination *ret)
{
    builtin_set of;
    refer_scope scope = {.on = BUILTIN_NONE,
                         .many = phrase_is_plural(r, what),
                         .barred = movers};
    const reader before = *r;
    etna_code code = refer_things(r, what, &scope, &of);
    if (code == ETNA_E_INPUT) { /* it may be one of the moved things itself */
        *r = before;
        scope.barred = NULL;
        code = refer_things(r, what, &scope, &of);
    }
    if (code != ETNA_OK)
        return code;
    ret->reference = of.objects[0];
    if (of.count > 1)
        ret->there = of;
    return old_of_several(r, node, movers, ret);
}

/* Where something was. */
static etna_code old_read(reader *r,
                          const chart_node *node,
                          const builtin_set *movers,
                          destination *ret)
{
    const chart_node *what = node_things(node, 0);
    bool own = !what || phrase_is_pronoun(what, PRON_IT) ||
               phrase_is_pronoun(what, PRON_THEM);
    if (old_is_gone(r, what, own))
        return reader_refuse_said(
            r, CODE_UNREAD, node,
            "what was there is taken out; say what comes in its place in one, as 'Replace the sofa with an armchair'");
    if (own && movers->count == 0)
        return reader_refuse(r, CODE_UNREAD, node,
                             "whose place \"%s\" is is not said",
                             reader_said(r, node));
    *ret = destination_plain(RELATION_PLACE,
                             movers->count ? movers->objects[0] : BUILTIN_NONE);
    return own ? old_read_own(r, node, movers, ret)
               : old_read_of(r, node, what, movers, ret);
}

/* What lies in a bed lies on its end: a pillow at the head, a blanket at the
 * foot; or what is put on it is told so. */
static bool end_is_upon(const reader *r,
                        const chart_node *node,
                        const builtin_set *movers,
                        uint32_t owner)
{
    const chart_node *in = chart_child(node, "$zone_in");
    if (movers->count == 0 || !object_bears_things(r, owner))
        return false;
    const uint32_t mover = movers->objects[0];
    const bool on =
        (in && reader_word_is(r, in->first, "on")) ||
        (object_is_table(r, owner) && !object_is_on_floor(r, mover));
    return (on && !object_is_furniture(r, mover)) ||
           object_is_of(r, mover, NOUNS_BEDDING);
}

/* The only bed there is, of which a head end is that is not said to be
 * another's; BUILTIN_NONE: there are several, or none. */
static uint32_t end_only_owner(const reader *r)
{
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!object_is_kind(r, i, "bed"))
            continue;
        if (found != BUILTIN_NONE)
            return BUILTIN_NONE;
        found = i;
    }
    return found;
}

/* "The foot of the parasol" is where it stands; a bed, and what else people lie
 * or sit at, has a foot end. */
static bool end_is_base(const reader *r,
                        const chart_node *word,
                        uint32_t reference)
{
    return !object_lies_long(r, reference) && word &&
           word->end == word->first + 1 &&
           reader_word_is(r, word->first, "foot");
}

/* A table's head is one of its two ends, whichever way it is turned: the one with
 * more room; `foot`: the other one. 0: it is no such table. */
static unsigned end_of_table(const reader *r,
                             uint32_t owner,
                             const builtin_set *movers,
                             bool foot)
{
    const double oblong = 1.2;
    const builtin_object *const o = object_at(r, owner);
    if (!object_is_table(r, owner) ||
        builtin_half_longer(o) < oblong * builtin_half_shorter(o))
        return 0;
    const unsigned head = end_free(r, owner, movers);
    unsigned ends[2];
    ends_own(r, owner, ends);
    const unsigned other = head == ends[0] ? ends[1] : ends[0];
    return foot ? other : head;
}

/* "at its foot end" */
static etna_code end_read(reader *r,
                          const chart_node *node,
                          const builtin_set *movers,
                          destination *ret)
{
    const chart_node *word = chart_child(node, "$end_own"),
                     *owner = zone_owner(node);
    refer_scope scope = {.on = BUILTIN_NONE, .barred = movers};
    *ret = destination_plain(RELATION_END, r->memory.last_reference);
    ret->sides = word ? word->value : SIDE_FRONT;
    if (!owner && ret->reference >= r->facts->object_count)
        ret->reference = end_only_owner(r);
    etna_code code =
        owner ? refer_one(r, owner, &scope, &ret->reference) : ETNA_OK;
    if (code == ETNA_OK && ret->reference >= r->facts->object_count)
        return reader_refuse(r, CODE_UNREAD, node, "whose end is not said");
    /* a bed has its head at an end, a cat on top */
    if (code == ETNA_OK && object_is_kind(r, ret->reference, "animal"))
        return reader_refuse(r, CODE_NO_PLACE, node,
                             "\"%s\" is no place to put things",
                             reader_said(r, node));
    if (code == ETNA_OK && end_is_base(r, word, ret->reference)) {
        *ret = destination_plain(RELATION_BESIDE, ret->reference);
        return ETNA_OK;
    }
    if (code != ETNA_OK)
        return code;
    const unsigned end =
        end_of_table(r, ret->reference, movers, ret->sides == SIDE_FRONT);
    ret->sides = end ? end : ret->sides;
    if (!end_is_upon(r, node, movers, ret->reference))
        return code;
    ret->relation = RELATION_EDGE;
    ret->sides = side_in_picture(r, ret->reference, ret->sides);
    return ETNA_OK;
}

/* ---- gathering ---- */

/* "Opposite the sofa, on the other side of the table": away from the sofa, and
 * not from where the thing stands now. */
static void destination_lead_across(const reader *r,
                                    destination *s,
                                    const destination *before)
{
    const uint32_t objects = r->facts->object_count;
    const bool two = before->reference < objects && s->reference < objects &&
                     before->reference != s->reference;
    /* "at the table, opposite the red chair": where who sits there looks */
    const bool looks = two && object_is_seat(r, s->reference) &&
                       object_is_table(r, before->reference);
    if (two && !looks && bit_is_in(s->relation, RELATIONS_ASIDE))
        s->relation = side_opposite(r, before->reference, s->reference);
}

/* Is anything said that the place is by, and not merely on or in? What hangs
 * hangs before and behind nothing. */
static bool details_say_neighbour(const details *d, lexicon_relation relation)
{
    const uint32_t stands =
        relation == REL_AGAINST ? BIT(REL_FRONT) | BIT(REL_BEHIND) : 0;
    const uint32_t by = BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_LEFT) |
                        BIT(REL_RIGHT) | BIT(REL_ABOVE) | BIT(REL_OVER) |
                        BIT(REL_UNDER) | stands;
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (bit_is_in(d->relations[i].relation, by))
            return true;
    }
    return false;
}

/* "On the shelf instead of the dresser": where they stand now, and no place
 * that something leaves to them. */
static bool set_is_upon(const reader *r,
                        const builtin_set *things,
                        uint32_t base)
{
    bool all = things->count > 0 && base < r->facts->object_count;
    for (uint32_t i = 0; i < things->count && all; i++)
        all = builtin_is_above(r->facts, things->objects[i], base);
    return all;
}

/* "Across the table from the lamp" is not on the table, wherever the thing is
 * taken from. */
static bool details_lie_across(const reader *r, const details *d, uint32_t at)
{
    bool from = false;
    for (uint32_t i = at + 1; i < d->relation_count; i++)
        from = from || d->relations[i].relation == REL_FROM;
    return from && d->relations[at].relation == REL_ON &&
           reader_word_is(r, d->relations[at].node->first, "across");
}

/* "Cutlery: the knife and the spoon on the mat": a heading over what it is about,
 * and no place by the knife. */
static etna_code destination_check(reader *r,
                                   const condition *c,
                                   const builtin_set *movers)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set of = {0};
    /* "its underside 1 m above the floor" is a height, and no place */
    if (c->what && chart_child(c->node, "$rel_above") &&
        phrase_means_floor(r, c->what))
        return reader_refuse_unread(r, c->node);
    if (!node_is(c->node, "TO") || movers->count < 2 || !c->what)
        return ETNA_OK;
    etna_code code = refer_peek_things(r, c->what, &any, &of);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    const bool among =
        code == ETNA_OK && of.count > 0 && set_is_within(&of, movers);
    return among ? reader_refuse_unread(r, c->node) : ETNA_OK;
}

/* "Over the sofa, its lower edge 60 cm above the sofa": one place, and how high
 * over it. */
static bool destination_tells_height(const destination *s, destination *before)
{
    const uint32_t over = BIT(RELATION_ABOVE) | BIT(RELATION_OVER);
    const bool same = bit_is_in(s->relation, over) &&
                      bit_is_in(before->relation, over) &&
                      s->reference == before->reference;
    if (!same || before->gap >= 0 || s->gap < 0)
        return false;
    const bool exact = before->exact;
    *before = *s;
    before->exact = exact;
    return true;
}

/* "On the nightstand next to the book": what the place is by, too. NULL: it is
 * on nothing, or by nothing else. */
static const chart_node *details_neighbour(const details *d, uint32_t at)
{
    const uint32_t by = BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_LEFT) |
                        BIT(REL_RIGHT) | BIT(REL_FRONT) | BIT(REL_BEHIND);
    if (d->relations[at].relation != REL_ON)
        return NULL;
    for (uint32_t i = 0; i < d->relation_count; i++) {
        if (i != at && bit_is_in(d->relations[i].relation, by))
            return d->relations[i].what;
    }
    return NULL;
}

/* In the order of the text, as one phrase may lean on the one before. */
static etna_code destinations_of_relations(reader *r,
                                           const details *d,
                                           const builtin_set *movers,
                                           lexicon_verb verb,
                                           destinations *ret)
{
    const bool elsewhere = details_lead_elsewhere(d);
    for (uint32_t i = 0; i < d->relation_count; i++) {
        condition c = d->relations[i];
        bool distance = c.has_gap && c.relation == REL_FROM;
        if (details_lie_across(r, d, i))
            return reader_refuse_said(r, CODE_UNREAD, c.node,
                                      "which side that is is not clear");
        if (elsewhere && condition_is_origin(&c) && !distance)
            continue;
        destination *s = &ret->list[ret->count];
        c.exact = d->exact;
        c.in_company = details_say_neighbour(d, c.relation);
        c.neighbour = details_neighbour(d, i);
        c.behind = ret->count > 0 ? ret->list[ret->count - 1].reference + 1 : 0;
        etna_code code = destination_check(r, &c, movers);
        if (code == ETNA_OK)
            code = preposition_read(r, &c, movers, verb, s);
        if (code != ETNA_OK)
            return code;
        if (c.relation == REL_INSTEAD && d->relation_count > 1 &&
            set_is_upon(r, movers, s->reference))
            continue;
        if (c.relation == REL_OPPOSITE && ret->count > 0)
            destination_lead_across(r, s, &ret->list[ret->count - 1]);
        if (s->reference < r->facts->object_count)
            r->memory.last_reference = s->reference;
        if (ret->count > 0 && destination_tells_height(s, s - 1))
            continue;
        ret->count++;
    }
    return ETNA_OK;
}

bool shift_is_its_side(const reader *r,
                       const chart_node *shift,
                       const builtin_set *movers)
{
    const chart_node *dir = shift ? chart_find(shift, "$dir") : NULL;
    bool sided = dir && bit_is_in(dir->value, BIT(DIR_LEFT) | BIT(DIR_RIGHT)) &&
                 dir->end - dir->first > 2;
    if (!sided || !reader_word_is(r, dir->first + 1, "its"))
        return false;
    return topic_owner(r, movers) != BUILTIN_NONE;
}

static void destinations_of_shift(reader *r,
                                  const chart_node *shift,
                                  const builtin_set *movers,
                                  destinations *ret)
{
    const chart_node *dist = shift ? chart_find(shift, "DIST") : NULL;
    if (!shift_is_its_side(r, shift, movers) || ret->count == CONDITIONS_MAX)
        return;
    bool left = node_value(shift, "$dir") == DIR_LEFT;
    const uint32_t owner = topic_owner(r, movers);
    destination *s = &ret->list[ret->count++];
    *s = destination_plain(left ? RELATION_LEFT : RELATION_RIGHT, owner);
    topic_note(r, owner);
    if (dist)
        s->gap = where_metres(r, dist, NULL);
}

/* "One on the left side of the table, one on the right side": the side that is
 * across from the last one is a side of the same thing. */
static void side_of_last(const reader *r,
                         const builtin_set *movers,
                         destination *s)
{
    if (r->reading->count == r->first_move)
        return;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    const bool zone = last->relation == RELATION_EDGE;
    const unsigned its = zone ? last->sides : side_of_relation(last->relation);
    const bool across = side_relation(s->sides, RELATION_BESIDE) ==
                        relation_opposite(side_relation(its, RELATION_BESIDE));
    const bool again = set_is_within(movers, &last->objects) &&
                       last->objects.need == last->objects.count;
    if (!its || !across || again || last->reference >= r->facts->object_count)
        return;
    s->reference = last->reference;
    s->relation = last->relation;
    if (zone)
        return;
    s->relation = side_relation(s->sides, last->relation);
    s->sides = 0;
}

/* "on the left": of what it stands on */
static void destinations_of_side(reader *r,
                                 const chart_node *side,
                                 const builtin_set *movers,
                                 destinations *ret)
{
    const uint32_t tidied = r->memory.tidied;
    destination s = destination_plain(
        RELATION_EDGE, tidied ? tidied - 1 : ground_under(r, movers));
    s.sides = node_sides(side) & 15;
    side_of_last(r, movers, &s);
    if (s.reference < r->facts->object_count && s.sides)
        ret->list[ret->count++] = s;
}

/* "Take the lamp off the table and put the vase there": what is in the hand has
 * left a place for something else. */
static bool taken_frees_place(const reader *r, const builtin_set *movers)
{
    const builtin_set *taken = &r->memory.taken;
    return taken->count > 0 && !set_is_within(movers, taken) &&
           r->memory.context < r->facts->object_count;
}

void destinations_add_there(reader *r,
                            const builtin_set *movers,
                            destinations *list)
{
    const reader_there *there = &r->memory.there;
    const builtin_set *last = &r->memory.last;
    const uint32_t spoken = last->count == 1 ? last->objects[0] : BUILTIN_NONE;
    if (list->count == CONDITIONS_MAX)
        return;
    destination *const added = &list->list[list->count];
    if (taken_frees_place(r, movers)) {
        *added = destination_plain(RELATION_ON, r->memory.context);
        added->level = r->memory.context_level;
        list->count++;
        return;
    }
    if (there->object > 0 && !set_has(movers, there->object - 1)) {
        *added = destination_plain(there->relation, there->object - 1);
        added->level = there->level;
        list->count++;
        return;
    }
    if (spoken >= r->facts->object_count || set_has(movers, spoken) ||
        there_is_of_several(r, r->reading->count))
        return;
    if (!builtin_is_bearer(object_at(r, spoken)) &&
        !object_is_furniture(r, spoken))
        return;
    *added =
        destination_plain(preposition_to(r, movers, spoken, REL_TO), spoken);
    list->count++;
}

/* Between things, where it stood before, at a thing's own end. */
static etna_code destinations_of_others(reader *r,
                                        const details *d,
                                        const builtin_set *movers,
                                        destinations *ret)
{
    const struct {
        const chart_node *node;
        etna_code (*read)(reader *r,
                          const chart_node *node,
                          const builtin_set *movers,
                          destination *ret);
    } others[] = {
        {d->between, between_read}, {d->old, old_read}, {d->end_own, end_read}};
    etna_code code = ETNA_OK;
    for (size_t i = 0; i < COUNT_OF(others) && code == ETNA_OK; i++) {
        if (!others[i].node || ret->count == CONDITIONS_MAX)
            continue;
        destination *other = &ret->list[ret->count++];
        code = others[i].read(r, others[i].node, movers, other);
        /* "centre it between the two" */
        const bool is_exact = d->exact || d->centred;
        other->exact =
            other->exact || (is_exact && other->relation == RELATION_BETWEEN);
    }
    return code;
}

const destination *destination_find(const destinations *list,
                                    builtin_relation relation)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->list[i].relation == relation)
            return &list->list[i];
    }
    return NULL;
}

/* "Next to the sofa, on the left side": of the sofa, and not of the floor; "on
 * its left", too, and not of what was put somewhere before. */
static void zone_take_neighbour(const reader *r,
                                const destinations *list,
                                destination *zone)
{
    const destination *const beside = destination_find(list, RELATION_BESIDE);
    const bool side = bit_is_in(zone->relation, RELATIONS_SIDE);
    const bool open =
        zone->its || (zone->unowned && object_is_ground(r, zone->reference));
    if (beside && side && open)
        zone->reference = beside->reference;
}

/* "In the corner, on the floor", "on the table, 10 cm from the left edge": may
 * the corner or edge be that of what it is put upon? */
static bool zone_is_of(const reader *r,
                       const destination *zone,
                       const destination *upon)
{
    const bool edge = zone->relation == RELATION_EDGE && zone->unowned &&
                      upon->each.count == 0;
    return zone->relation == RELATION_CORNER ||
           (edge && upon->reference < r->facts->object_count &&
            !object_is_ground(r, upon->reference));
}

/* "Its centre 30 cm from the left edge and 20 cm from the front edge": of the
 * zone, or of one before it. */
static bool zones_say_middle(const details *d, uint32_t zone)
{
    bool middle = false;
    for (uint32_t i = 0; i <= zone; i++)
        middle = middle || chart_child(d->zones[i], "FROMMID");
    return middle && chart_child(d->zones[zone], "DIST");
}

/* What is measured from the middle of the thing, from its own side. */
static etna_code zone_measure_middle(reader *r,
                                     const chart_node *node,
                                     const builtin_set *movers,
                                     destination *s)
{
    double way[3];
    const lexicon_direction side = side_direction(s->sides);
    if (movers->count != 1 || s->relation != RELATION_EDGE || side == 0)
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "from which edge that is, is not clear");
    direction_way(r, side, way);
    s->gap -= builtin_extent(object_at(r, movers->objects[0]), way);
    return s->gap >= 0 ? ETNA_OK
                       : reader_refuse_said(r, CODE_IMPOSSIBLE, node,
                                            "it would reach over the edge");
}

/* "At both ends of the work table, 40 cm from the table": relations are read
 * first, but the text has named what the zones before them are of. */
static void destinations_mention_zones(reader *r,
                                       const details *d,
                                       const builtin_set *movers)
{
    const refer_scope scope = refer_scope_place(movers);
    for (uint32_t i = 0; i < d->zone_count && d->relation_count > 0; i++) {
        const chart_node *const zone = d->zones[i];
        const chart_node *const of = chart_child(zone, "THING");
        uint32_t object = BUILTIN_NONE;
        if (!of || zone->first > d->relations[0].node->first)
            continue;
        if (refer_peek_one(r, of, &scope, &object) != ETNA_OK)
            continue;
        refer_mention(r, of, object);
        r->memory.last_reference = object;
    }
}

/* All places that the clause names; which of them is the chief one is decided
 * later (destinations_apply). */
etna_code destinations_gather(reader *r,
                              const details *d,
                              const builtin_set *movers,
                              lexicon_verb verb,
                              destinations *ret)
{
    ret->count = 0;
    destinations_mention_zones(r, d, movers);
    etna_code code = destinations_of_relations(r, d, movers, verb, ret);
    if (code == ETNA_OK)
        destinations_of_shift(r, d->shift, movers, ret);
    const destination *const upon = destination_find(ret, RELATION_ON);
    r->upon = upon && upon->reference < r->facts->object_count
                  ? upon->reference + 1
                  : 0;
    for (uint32_t i = 0;
         i < d->zone_count && code == ETNA_OK && ret->count < CONDITIONS_MAX;
         i++) {
        destination *const zone = &ret->list[ret->count++];
        code = zone_read(r, d->zones[i], movers, zone);
        const bool of_upon =
            code == ETNA_OK && upon && zone_is_of(r, zone, upon);
        if (of_upon && !zone_owner(d->zones[i]))
            zone->reference = upon->reference;
        if (code == ETNA_OK && zones_say_middle(d, i))
            code = zone_measure_middle(r, d->zones[i], movers, zone);
        if (code == ETNA_OK)
            zone_take_neighbour(r, ret, zone);
    }
    r->upon = 0;
    if (code == ETNA_OK)
        code = destinations_of_others(r, d, movers, ret);
    if (d->side && ret->count == 0 && code == ETNA_OK)
        destinations_of_side(r, d->side, movers, ret);
    return code;
}
