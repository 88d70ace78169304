/* Putting things somewhere: what most verbs come to. A row of steps, in their
 * order; each adds to the move, refuses, or ends the clause with moves of
 * another kind. Steps that tell one story share a file (put_internal.h); the
 * others are here. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

/* Ends with the first step that finishes the move or fails. */
static etna_code put_run(put *p, put_step *const *steps, size_t count)
{
    etna_code code = ETNA_OK;
    for (size_t i = 0; i < count && code == ETNA_OK && !p->done; i++)
        code = steps[i](p);
    return code;
}

/* ---- what the steps share ---- */

etna_code put_end(put *p)
{
    p->done = true;
    return move_add(p->r, &p->m);
}

etna_code put_leave(put *p, etna_code (*verb)(clause *c))
{
    p->done = true;
    return verb(p->c);
}

bool put_is_object(const put *p, uint32_t object)
{
    return object < p->r->facts->object_count;
}

bool clause_puts(const clause *c)
{
    const chart_node *word =
        node_is(c->said, "DO") ? chart_child(c->said, "$verb") : NULL;
    if (!word || c->verb != VERB_PUT)
        return false;
    return !reader_lists(c->r, word->first, "put: keeps");
}

/* Refused at once: no place would help. */
static etna_code put_check_hanging(put *p)
{
    /* whatever it is to hang from */
    for (uint32_t i = 0; p->m.hung && i < p->movers->count; i++) {
        uint32_t object = p->movers->objects[i];
        const char *why = builtin_why_not_hung(p->r->facts, object);
        if (!why)
            continue;
        return reader_refuse(p->r, CODE_IMPOSSIBLE, p->c->said,
                             "%.200s cannot be hung: %s",
                             object_at(p->r, object)->name, why);
    }
    return ETNA_OK;
}

static etna_code put_straight(put *p)
{
    return clause_turn_first(p->c);
}

/* Hundredths: "to the wall with the window" is that wall rather than a place
 * with the window; what is put somewhere is hardly moved aside at once. */
static uint32_t put_strain(const put *p)
{
    const uint32_t with = 50, moved_aside = 5;
    const details *d = p->d;
    uint32_t cost = 0;
    for (uint32_t i = 0; i < d->relation_count && d->relation_count > 1; i++)
        cost += d->relations[i].relation == REL_WITH ? with : 0;
    bool aside =
        d->shift && !chart_find(d->shift, "DIST") && d->relation_count > 0;
    return cost + (aside && p->c->verb == VERB_PUT ? moved_aside : 0);
}

/* All places that are said. What is unusual about them is a cost, so that a
 * likelier tree of the same words wins. */
static etna_code put_find_places(put *p)
{
    etna_code code =
        destinations_gather(p->r, p->d, p->movers, p->c->verb, &p->at);
    if (code == ETNA_OK)
        p->r->cost += put_strain(p);
    return code;
}

/* "Along the wall", of several things. */
static etna_code put_in_row(put *p)
{
    for (uint32_t i = 0; i < p->at.count; i++) {
        if (p->at.list[i].relation == RELATION_LINE)
            return put_leave(p, clause_row);
    }
    return ETNA_OK;
}

/* A way there rather than a place to stand: "past the sofa", "around it". */
static bool destination_is_path(const destination *s)
{
    return s->is_path || s->relation == RELATION_AROUND ||
           (s->relation == RELATION_AWAY && !s->is_shift);
}

/* "On the low table, away from the jug": of a thing that it is not at, or that
 * stands there as it does, it is to keep away there. */
static bool put_leaves(const put *p, const destination *s)
{
    const double near = 0.6; /* metres */
    const builtin_facts *facts = p->r->facts;
    const uint32_t mover = p->movers->objects[0];
    if (s->relation != RELATION_AWAY || !put_is_object(p, s->reference))
        return true;
    for (uint32_t i = 0; i < p->at.count; i++) {
        const uint32_t there = p->at.list[i].reference;
        if (put_is_object(p, there) && there != s->reference &&
            builtin_stands_on(facts, s->reference, there))
            return false;
    }
    return builtin_is_above(facts, mover, s->reference) ||
           where_between(&facts->objects[mover],
                         &facts->objects[s->reference]) <= near;
}

/* "Around the table so that it stands to the right of it", "out of the way of
 * the cabinet and onto the table": one thing's way there is no place of its
 * own. */
static etna_code put_drop_path(put *p)
{
    destinations *at = &p->at;
    uint32_t kept = 0, paths = 0;
    for (uint32_t i = 0; i < at->count; i++)
        paths += destination_is_path(&at->list[i]);
    if (paths == at->count || p->movers->count != 1)
        return ETNA_OK;
    for (uint32_t i = 0; i < at->count; i++) {
        const destination *s = &at->list[i];
        if (!destination_is_path(s) || !put_leaves(p, s))
            at->list[kept++] = *s;
    }
    at->count = kept;
    return ETNA_OK;
}

/* Places that qualify each other become one: "behind the chair at the
 * desk". */
static etna_code put_chain(put *p)
{
    return destinations_chain(p->r, &p->m, &p->at);
}

/* The side that is said by itself: "left", "on the left", "left side". */
static unsigned put_side_said(const put *p)
{
    const chart_node *shift = p->d->shift;
    const uint32_t way =
        shift && !chart_find(shift, "DIST") ? node_value(shift, "$dir") : 0;
    if (way == DIR_LEFT)
        return SIDE_LEFT;
    if (way == DIR_RIGHT)
        return SIDE_RIGHT;
    return node_sides(p->d->side) & 15;
}

/* "Bring the mugs forward on the counter": to its front. */
static bool put_says_forward(const put *p)
{
    const chart_node *shift = p->d->shift;
    return shift && !p->d->second_shift && !chart_find(shift, "DIST") &&
           node_value(shift, "$dir") == DIR_FRONT;
}

/* "Shift it right until it is 20 cm from the shelf": so far it goes, and no
 * farther than that thing. */
static bool put_stops_short(const put *p, const destination *s)
{
    return p->c->verb == VERB_MOVE && p->d->shift && s->gap > 0 &&
           s->relation == RELATION_BESIDE;
}

/* "Left and right of the sign" is no one place. */
static bool put_sides_oppose(unsigned side, builtin_relation relation)
{
    return (side == SIDE_LEFT && relation == RELATION_RIGHT) ||
           (side == SIDE_RIGHT && relation == RELATION_LEFT);
}

/* "on the desk, left", "by the bed, left side" */
static etna_code put_at_side(put *p)
{
    destination *s = &p->at.list[0];
    const unsigned across = put_side_said(p);
    const bool forward =
        p->at.count == 1 && s->relation == RELATION_ON && put_says_forward(p);
    const unsigned side = forward ? SIDE_FRONT : across;
    if (p->at.count != 1 || !side)
        return ETNA_OK;
    if (put_sides_oppose(side, s->relation))
        return clause_refuse(p->c, "which side of it that is, is not clear");
    if (s->relation == RELATION_ON) {
        s->relation = RELATION_EDGE;
        s->sides = side;
    }
    if (bit_is_in(s->relation, BIT(RELATION_BESIDE) | BIT(RELATION_TOWARD)) &&
        !put_stops_short(p, s))
        s->relation = side_relation(side, s->relation);
    return ETNA_OK;
}

/* Chief place, support and further conditions, as destination.h divides them.
 */
static etna_code put_apply(put *p)
{
    etna_code code =
        destinations_apply(p->r, p->c->said, &p->at, p->movers, &p->m);
    /* elsewhere "evenly" is a row's, or not understood */
    if (p->m.relation == RELATION_AROUND)
        p->m.even = p->d->evenly != NULL;
    return code;
}

/* "Together on the desk": on one desk they are near each other, too; "together
 * with" says with whom. */
static bool put_says_together(const put *p)
{
    const chart_node *said = p->c->said;
    for (uint32_t at = said->first; at < said->end; at++) {
        if (reader_word_is(p->r, at, "together") &&
            !reader_word_is(p->r, at + 1, "with"))
            return true;
    }
    return false;
}

/* "Close together": near each other, wherever that is. */
static bool put_is_close(const put *p)
{
    const chart_node *together = p->d->together;
    const bool close = together && together->end - together->first > 1;
    return p->movers->count > 1 && close;
}

/* "Close together on the shelf": there, and near each other. */
static etna_code put_in_company(put *p)
{
    const bool upon = p->m.relation == RELATION_ON && p->m.also_count == 0 &&
                      put_is_object(p, p->m.reference);
    const bool near = put_is_close(p) || put_says_together(p);
    if (!near || !upon || p->movers->count < 2)
        return ETNA_OK;
    p->m.relation = RELATION_GROUP;
    p->m.support = p->m.reference;
    p->m.reference = BUILTIN_NONE;
    return ETNA_OK;
}

static bool put_goes_with(const put *p)
{
    return p->d->relation_count == 1 && p->d->relations[0].relation == REL_WITH;
}

/* Does it stand on something that this text has moved? */
static bool put_rides(const put *p, uint32_t object)
{
    const builtin_reading *reading = p->r->reading;
    for (uint32_t i = p->r->first_move; i < reading->count; i++) {
        const builtin_set *moved = &reading->moves[i].objects;
        for (uint32_t k = 0; k < moved->count; k++) {
            if (builtin_is_above(p->r->facts, object, moved->objects[k]))
                return true;
        }
    }
    return false;
}

/* "Move the pots to the bed, and their lids go with them": what stands on a
 * thing that is moved goes along, as it does anyway. */
static etna_code put_along(put *p)
{
    const uint32_t with = BIT(RELATION_GROUP) | BIT(RELATION_BESIDE);
    const builtin_reading *reading = p->r->reading;
    const bool is_moved =
        reading_moves(reading, p->r->first_move, p->m.reference);
    bool along = is_moved && bit_is_in(p->m.relation, with) &&
                 p->movers->count > 0 && put_goes_with(p);
    for (uint32_t i = 0; i < p->movers->count && along; i++)
        along = put_rides(p, p->movers->objects[i]);
    p->done = p->done || along;
    return ETNA_OK;
}

/* "The chair next to the other one, both facing the desk": that is turned, too. */
static bool put_turns_both(const put *p)
{
    const chart_node *const said = p->c->said;
    const uint32_t by = RELATIONS_ASIDE | BIT(RELATION_AGAINST);
    const bool aside = bit_is_in(p->m.relation, by) &&
                       put_is_object(p, p->m.reference) &&
                       object_moves(p->r->facts, p->m.reference);
    /* of what goes to either of two sides, "both" is said of the two */
    const bool of_sides = chart_child(said, "PAIR") ||
                          (node_is(said, "DO") && !chart_child(said, "$verb"));
    bool both = false;
    if (!aside || of_sides || p->movers->count != 1 ||
        p->m.facing == FACING_NONE || !p->c->things)
        return false;
    for (uint32_t at = p->c->things->end; at < said->end; at++)
        both = both || reader_word_is(p->r, at, "both");
    return both;
}

/* Is the word said behind the clause's one thing, as an adverb? */
static bool put_says_of_all(const put *p, const char *word)
{
    const chart_node *const said = p->c->said;
    if (!p->c->things || p->movers->count != 1 || chart_child(said, "$verb"))
        return false;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const adv = said->children[i];
        if (node_is(adv, "$adv") && adv->first >= p->c->things->end &&
            reader_word_is(p->r, adv->first, word))
            return true;
    }
    return false;
}

/* Does the move put one other thing by the same? Then what is said of both is
 * said of that, too. */
static bool put_share(const put *p, builtin_move *before)
{
    const uint32_t by =
        RELATIONS_ASIDE | BIT(RELATION_AGAINST) | BIT(RELATION_END);
    if (before->objects.count != 1 || before->reference != p->m.reference)
        return false;
    if (!bit_is_in(before->relation, by) || !bit_is_in(p->m.relation, by) ||
        set_has(p->movers, before->objects.objects[0]))
        return false;
    if (before->gap < 0 && p->m.gap >= 0) {
        before->gap = p->m.gap;
        before->bound = p->m.bound;
    }
    if (before->facing == FACING_NONE) {
        before->facing = p->m.facing;
        before->faced = p->m.faced;
    }
    return true;
}

/* "Cup 1 left of the jug, cup 2 right of it, both 10 cm away": of the one that
 * the clause before puts there as well; "all": of those before it, too. */
static bool put_share_both(const put *p)
{
    const builtin_reading *const reading = p->r->reading;
    const bool all = put_says_of_all(p, "all");
    const uint32_t most = all ? BUILTIN_MOVES_MAX : 1;
    uint32_t shared = 0;
    if (!all && !put_says_of_all(p, "both"))
        return false;
    for (uint32_t i = reading->count; i > p->r->first_move; i--) {
        builtin_move *const before = &p->r->reading->moves[i - 1];
        if (shared == most || !put_share(p, before))
            break;
        shared++;
    }
    return shared > 0;
}

static etna_code put_turn_other(put *p)
{
    builtin_move other = p->m;
    other.relation = RELATION_TURNED;
    other.objects = set_one(p->r, p->m.reference);
    other.reference = other.support = BUILTIN_NONE;
    other.gap = -1;
    other.also_count = 0;
    return move_add(p->r, &other);
}

/* "Close together beside the bench", "gather them beside it": each is beside it,
 * and then they are near each other. */
static etna_code put_end_in_company(put *p)
{
    builtin_move near = move_plain(p->c, RELATION_GROUP);
    const bool aside = bit_is_in(p->m.relation, RELATIONS_ASIDE) &&
                       put_is_object(p, p->m.reference);
    const bool both = !put_share_both(p) && put_turns_both(p);
    etna_code code = put_end(p);
    if (code == ETNA_OK && both)
        return put_turn_other(p);
    const bool close = put_is_close(p) || p->c->verb == VERB_GROUP;
    if (code != ETNA_OK || !close || !aside || p->movers->count < 2)
        return code;
    near.objects = *p->movers;
    return move_add(p->r, &near);
}

static etna_code put_face(put *p)
{
    return move_face(p->c, &p->m);
}

/* "Push the two together so that they touch": one of them goes to the other. */
static void put_touch(put *p)
{
    const builtin_set *both = p->movers;
    if (p->m.relation != RELATION_GROUP || both->count != 2)
        return;
    if (p->m.reference != BUILTIN_NONE || p->m.support != BUILTIN_NONE)
        return;
    p->m.relation = RELATION_AGAINST;
    p->m.reference = both->objects[0];
    p->m.objects = set_one(p->r, both->objects[1]);
}

bool put_says_gap_alone(const put *p)
{
    return p->d->apart_by && chart_child(p->d->apart_by, "GAPALONE");
}

etna_code put_at_gap(put *p)
{
    builtin_move *m = &p->m;
    if (p->d->no_gap)
        put_touch(p);
    if (p->d->no_gap &&
        bit_is_in(m->relation, BIT(RELATION_BESIDE) | BIT(RELATION_TOWARD))) {
        m->relation = RELATION_AGAINST;
        m->gap = -1;
    }
    if (p->d->no_gap && m->gap < 0 && bit_is_in(m->relation, RELATIONS_SIDE))
        m->gap = 0;
    if (p->d->apart_by && m->gap < 0 && m->relation == RELATION_TOWARD)
        m->relation = RELATION_BESIDE; /* so near, and no nearer */
    /* "hang it below the painting, with 10 cm in between" */
    const uint32_t over = BIT(RELATION_ABOVE) | BIT(RELATION_UNDER);
    const bool hangs = m->hung && bit_is_in(m->relation, over);
    const bool ends = m->relation == RELATION_END && put_says_gap_alone(p);
    if (p->d->apart_by && m->gap < 0 &&
        (hangs || ends || bit_is_in(m->relation, RELATIONS_ASIDE))) {
        if (node_is_of_centres(p->d->apart_by))
            return clause_refuse_centres(p->c);
        double most,
            least =
                where_metres(p->r, chart_find(p->d->apart_by, "DIST"), &most);
        m->gap = most > least ? (least + most) / 2 : least;
    }
    return ETNA_OK;
}

/* Far longer than broad, and no bed: a bicycle stands along a wall. */
static bool object_goes_along(const reader *r, uint32_t object)
{
    const double longer = 1.8;
    const builtin_object *o = object_at(r, object);
    return !object_is_seat(r, object) && o->half[1] > longer * o->half[0];
}

/* A seat at a wall has its back to it. */
static etna_code put_back_to_wall(put *p)
{
    builtin_move *m = &p->m;
    if (m->relation != RELATION_AGAINST || m->facing != FACING_NONE ||
        !p->movers->count)
        return ETNA_OK;
    uint32_t mover = p->movers->objects[0];
    const builtin_object *o = object_at(p->r, mover);
    bool fronted =
        object_is_seat(p->r, mover) || o->has_front || o->front_is_seen;
    if (!fronted || object_goes_along(p->r, mover))
        return ETNA_OK;
    if (!put_is_object(p, m->reference) ||
        !object_is_wall_like(p->r, m->reference))
        return ETNA_OK;
    m->facing = FACING_BACK;
    m->faced = m->reference;
    return ETNA_OK;
}

/* "Take the painting down and lean it against the wall": what hangs comes to
 * stand on the floor. */
static etna_code put_off_its_wall(put *p)
{
    const reader *r = p->r;
    builtin_move *m = &p->m;
    const chart_node *word =
        node_is(p->c->said, "DO") ? chart_child(p->c->said, "$verb") : NULL;
    const bool to_wall =
        m->relation == RELATION_AGAINST && m->support == BUILTIN_NONE &&
        put_is_object(p, m->reference) && object_is_wall_like(r, m->reference);
    if (!to_wall || !word || !reader_lists(r, word->first, "put: stands"))
        return ETNA_OK;
    for (uint32_t i = 0; i < p->movers->count; i++) {
        if (builtin_hangs_on(r->facts, p->movers->objects[i]) == BUILTIN_NONE)
            return ETNA_OK;
    }
    m->support = refer_floor(r->facts);
    return ETNA_OK;
}

/* "Straight in front of the cupboard" */
static bool put_says_straight(const put *p)
{
    bool straight = false;
    for (uint32_t i = 0; i < p->d->relation_count; i++) {
        const chart_node *const node = p->d->relations[i].node;
        straight =
            straight || (node && reader_word_is(p->r, node->first, "straight"));
    }
    return straight;
}

/* "Lay the spade along the wall": long things lie as that runs. "Straight in
 * front of the cupboard": not askew to it. */
static etna_code put_square(put *p)
{
    const builtin_move *const m = &p->m;
    const uint32_t by =
        BIT(RELATION_BESIDE) | BIT(RELATION_AGAINST) | RELATIONS_SIDE;
    const bool near = bit_is_in(m->relation, by) &&
                      put_is_object(p, m->reference) && m->each.count == 0;
    if (!near || m->facing != FACING_NONE || p->movers->count == 0)
        return ETNA_OK;
    bool along = object_goes_along(p->r, p->movers->objects[0]);
    bool says_along = false;
    for (uint32_t i = 0; i < p->d->relation_count; i++)
        says_along = says_along || p->d->relations[i].relation == REL_ALONG;
    along = along && says_along;
    return along || put_says_straight(p)
               ? clause_turn_along(p->c, m->reference, along)
               : ETNA_OK;
}

/* A chair under a table is tucked in. */
static etna_code put_under_table(put *p)
{
    bool under = p->m.relation == RELATION_UNDER && p->movers->count &&
                 put_is_object(p, p->m.reference);
    if (!under || !object_is_seat(p->r, p->movers->objects[0]) ||
        !object_is_table(p->r, p->m.reference))
        return ETNA_OK;
    clause own = *p->c;
    own.d.relation_count = 0;
    for (uint32_t i = 0; i < p->d->relation_count; i++) {
        if (p->d->relations[i].relation == REL_UNDER)
            own.d.relations[own.d.relation_count++] = p->d->relations[i];
    }
    p->done = true;
    return clause_tuck(&own);
}

/* "Everything" is not what it goes to. */
static etna_code put_leave_place(put *p)
{
    uint32_t *not_moved = &p->r->memory.not_moved;
    if (!*not_moved)
        return ETNA_OK;
    const builtin_set place = set_one(p->r, *not_moved - 1);
    *not_moved = 0;
    return set_without(p->r, &p->m.objects, &place, &p->m.objects);
}

/* "Both chairs", "the cup and the plate": all of them are meant, wherever they
 * are. */
static bool put_names_each(const put *p)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const chart_node *things = p->c->things;
    if (!things || !node_is(things, "AND"))
        return phrase_counts(things);
    const uint32_t count = node_conjuncts(things, parts);
    for (uint32_t i = 0; i < count; i++) {
        if (phrase_is_plural(p->r, parts[i]) && !phrase_counts(parts[i]))
            return false;
    }
    return true;
}

/* "Take the chairs away from the table": those that are there, on it or by
 * it. */
static etna_code put_leave_where_far(put *p)
{
    const double near = 0.6; /* metres */
    const builtin_facts *facts = p->r->facts;
    const builtin_set *all = &p->m.objects;
    builtin_set upon = {0}, by = {0};
    if (p->m.relation != RELATION_AWAY || all->need < all->count ||
        !put_is_object(p, p->m.reference))
        return ETNA_OK;
    /* what leans on a wall stands by it, as its neighbour does */
    const bool is_wall = builtin_is_wall(&facts->objects[p->m.reference]);
    uint32_t *list =
        etna_arena_alloc(p->r->arena, 2 * all->count + 1u, sizeof *list);
    if (!list)
        return reader_no_memory(p->r);
    upon.objects = list;
    by.objects = list + all->count;
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t object = all->objects[i];
        const double way = where_between(&facts->objects[object],
                                         &facts->objects[p->m.reference]);
        if (!is_wall && builtin_is_above(facts, object, p->m.reference)) {
            list[upon.count++] = object;
        } else if (way <= near) {
            list[all->count + by.count++] = object;
        }
    }
    const builtin_set there = upon.count > 0 ? upon : by;
    /* what is taken away from a thing is there; what is moved may be farther */
    const chart_node *verb = chart_child(p->c->said, "$verb");
    if (there.count == 0 && verb && verb->value == VERB_TAKE)
        return reader_refuse_finally(
            p->r, clause_refuse(p->c, "none of them is there"));
    if (there.count == 0 || put_names_each(p))
        return ETNA_OK;
    p->m.objects = there;
    p->m.objects.need = there.count;
    return ETNA_OK;
}

/* ---- the verbs ---- */

/* In which order things are put that go to one place. */
static builtin_order clause_order(const clause *c)
{
    static const builtin_order orders[] = {ORDER_AS_SAID, ORDER_LARGEST,
                                           ORDER_SMALLEST};
    uint32_t order = details_order(&c->d);
    return order < COUNT_OF(orders) ? orders[order] : ORDER_AS_SAID;
}

/* "The red tin next to the white one, | both on the shelf": of one thing no such
 * word is said, so that others are meant, too. */
static etna_code put_check_several(put *p)
{
    static const char *const several[] = {"'both'", "'all'"};
    const chart_node *const said = p->c->said;
    for (uint32_t i = 0; i < said->child_count && p->movers->count == 1; i++) {
        if (WORD_IS_OF(said->children[i]->name, several))
            return clause_refuse_all(p->c);
    }
    /* "both cups closer to the jug, side by side": a row of how many? */
    if (p->movers->count > 1 && chart_find(said, "$abreast"))
        return clause_refuse_all(p->c);
    return ETNA_OK;
}

/* Is what the relation is by told by a trait alone: "from heavy", "to thin"? */
static bool relation_is_by_trait(const reader *r,
                                 const condition *c,
                                 lexicon_relation relation)
{
    const char *words[REFER_WORDS_MAX];
    if (c->relation != relation || !c->what || !node_is(c->what, "THING"))
        return false;
    const quantity q = phrase_quantity(c->what);
    return !q.says && !q.number && phrase_words(r, c->what, words) == 1 &&
           match_word_is_trait(words[0]);
}

/* "From heavy to light" is an order that nothing here tells, and no way from
 * one thing to another. */
static etna_code put_check_range(put *p)
{
    const chart_node *from = NULL, *to = NULL;
    for (uint32_t i = 0; i < p->d->relation_count; i++) {
        const condition *const c = &p->d->relations[i];
        if (relation_is_by_trait(p->r, c, REL_FROM))
            from = c->node;
        if (relation_is_by_trait(p->r, c, REL_TO))
            to = c->node;
    }
    return from && to ? refuse_left_over(p->r, from) : ETNA_OK;
}

/* All of the steps start from "on", the commonest; each that knows better sets
 * it. */
static put put_of(clause *c)
{
    return (put){.c = c,
                 .r = c->r,
                 .d = &c->d,
                 .movers = &c->movers,
                 .m = move_plain(c, RELATION_ON)};
}

/* The steps in their order; each may finish the move, refuse it, or leave it to
 * the next. The first that fits a form of speech takes it, hence the special
 * ones come first. */
etna_code clause_put(clause *c)
{
    static put_step *const steps[] = {
        put_check_hanging,   put_check_several,  put_check_range,
        put_outward,         put_turn_back,      put_one_by_other,
        put_one_by_one,      put_back,           put_beside_same,
        put_at_height,       put_higher,         put_shift_there,
        put_shift,           put_vector,         put_shift_agrees,
        put_check_from_here, put_check_distance, put_take_up,
        put_opposed,         put_straight,       put_find_places,
        put_join_zones,      put_at_each_end,    put_in_the_middle,
        put_find_unsaid,     put_in_row,         put_drop_path,
        put_chain,           put_at_side,        put_apply,
        put_both_gaps,       put_along,          put_in_company,
        put_denied,          put_denied_before,  put_denied_neighbour,
        put_align,           put_face,           put_at_gap,
        put_back_to_wall,    put_off_its_wall,   put_square,
        put_under_table,     put_with_others,    put_leave_place,
        put_leave_where_far, put_to_own,         put_before_seats,
        put_pair_up,         put_keep_there,     put_one_elsewhere,
        put_skip_asked,      put_count,          put_end_in_company};
    put p = put_of(c);
    p.m.hung = c->verb == VERB_HANG;
    p.m.goes = c->verb == VERB_MOVE || clause_puts(c);
    p.m.order = clause_order(c);
    return put_run(&p, steps, COUNT_OF(steps));
}

etna_code clause_group(clause *c)
{
    put p = put_of(c);
    etna_code code = destinations_gather(p.r, p.d, p.movers, VERB_GROUP, &p.at);
    p.r->cost += put_strain(&p);
    p.m.relation = RELATION_GROUP;
    if (code == ETNA_OK && p.at.count)
        code = put_apply(&p);
    if (code == ETNA_OK && p.at.count && p.d->face)
        code = put_face(&p);
    if (code == ETNA_OK)
        code = put_at_gap(&p);
    return code == ETNA_OK ? put_end_in_company(&p) : code;
}
