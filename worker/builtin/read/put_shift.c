/* Ways to go rather than places: back to where things were, 20 cm to the left,
 * nearer to something. These steps come before any place is looked for, and
 * refuse what might be either. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

enum {
    RELATIONS_OFF_BY = BIT(RELATION_BESIDE) | BIT(RELATION_LEFT) |
                       BIT(RELATION_RIGHT) | BIT(RELATION_FRONT) |
                       BIT(RELATION_BEHIND) | BIT(RELATION_END)
};

/* A way, and no word of how far, of another way, or of a place; NULL: there is
 * none. */
static const chart_node *put_bare_way(const put *p)
{
    const chart_node *shift = p->d->shift;
    if (!shift || p->d->second_shift || details_have_places(p->d))
        return NULL;
    return chart_find(shift, "DIST") ? NULL : chart_find(shift, "$dir");
}

/* "Put it back", and no word of how far. */
static bool put_says_back(const put *p)
{
    const chart_node *dir = put_bare_way(p);
    return dir && dir->end - dir->first == 1 &&
           reader_word_is(p->r, dir->first, "back");
}

/* "Where it was", and no other thing's place. */
static bool put_says_own(const put *p)
{
    const chart_node *old = p->d->old;
    return clause_says_own_place(p->c) || (old && !node_things(old, 0));
}

/* "Where it was before": a past place, and no other beside it. */
static bool put_says_past(const put *p)
{
    const chart_node *old = p->d->old;
    const bool alone =
        old && p->d->relation_count == 0 && p->d->zone_count == 0;
    return alone && old_is_past(p->r, old);
}

/* Was it in another place, and not merely turned there? */
static bool object_has_left(const builtin_object *o)
{
    const double away = 0.05; /* metres */
    const double dx = o->centre[0] - o->earlier[0];
    const double dy = o->centre[1] - o->earlier[1];
    const double dz = o->centre[2] - o->earlier[2];
    return o->was_elsewhere && sqrt(dx * dx + dy * dy + dz * dz) > away;
}

/* "Where the jug was": to where another thing stood before the last instruction
 * moved it; else that is where it stood at the beginning. */
static etna_code put_where_other_was(put *p)
{
    const refer_scope scope = {.on = BUILTIN_NONE};
    uint32_t place = BUILTIN_NONE;
    if (put_says_own(p) || !put_says_past(p) || p->movers->count != 1)
        return ETNA_OK;
    const reader before = *p->r;
    etna_code code = refer_one(p->r, node_things(p->d->old, 0), &scope, &place);
    const bool there = code == ETNA_OK && put_is_object(p, place) &&
                       object_has_left(object_at(p->r, place));
    p->done = there;
    if (there)
        return thing_put_where(p->c, p->movers->objects[0], place);
    *p->r = before; /* it is read as any place */
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

etna_code put_back(put *p)
{
    const bool says_back = put_says_back(p);
    const bool own = put_says_own(p) && put_says_past(p);
    const bool known = set_was_elsewhere(p->r, p->movers);
    const bool returns =
        clause_puts(p->c) || clause_word_is(p->c, "$verb", "clause: fetches");
    if (says_back && !known && returns)
        return clause_refuse(p->c, "where it was before is not known");
    if (!known || (!says_back && !own))
        return put_where_other_was(p);
    p->done = true;
    return things_put_back(p->c, p->movers);
}

/* "Out", "back": does the clause say that way from where it is? */
static bool put_says_outward(const put *p)
{
    const chart_node *const said = p->c->said;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const child = said->children[i];
        const chart_node *const word =
            node_is(child, "SHIFT") ? chart_find(child, "$dir") : child;
        const bool way =
            word && (node_is(word, "$dir") || node_is(word, "$adv"));
        if (way && word->end == word->first + 1 &&
            reader_lists(p->r, word->first, "shift: outward"))
            return true;
    }
    return false;
}

/* "Pull the chairs 30 cm out from the table": so far away from it as they are
 * moved, each the way it stands, and no place so far from it. */
etna_code put_outward(put *p)
{
    details *const d = &p->c->d;
    condition *const from = &d->relations[0];
    const bool one = d->relation_count == 1 && d->zone_count == 0;
    const bool only_from =
        one && from->relation == REL_FROM && !d->second_shift;
    if (p->c->verb != VERB_MOVE || !only_from || !put_says_outward(p))
        return ETNA_OK;
    const chart_node *const dist =
        d->shift ? chart_find(d->shift, "DIST") : NULL;
    if (!from->has_gap && !dist)
        return ETNA_OK;
    if (!from->has_gap)
        from->gap = where_metres(p->r, dist, NULL);
    from->has_gap = true;
    from->relation = REL_AWAY;
    d->shift = NULL;
    return ETNA_OK;
}

/* "To the nearest table", said of several: of each its own. */
static bool put_says_nearest(const put *p)
{
    const chart_node *what = p->d->relations[0].what;
    for (uint32_t at = what ? what->first : 0; what && at < what->end; at++) {
        if (reader_lists(p->r, at, "clause: nearest"))
            return !chart_find(what, "NEAREST");
    }
    return false;
}

etna_code put_one_by_one(put *p)
{
    const uint32_t nearer =
        BIT(REL_CLOSER) | BIT(REL_FARTHER) | BIT(REL_TOWARD);
    const builtin_set *all = p->movers;
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0 &&
                     all->count > 1 && all->need == all->count;
    etna_code code = ETNA_OK;
    if (!one)
        return ETNA_OK;
    const condition *to = &p->d->relations[0];
    const bool ways = to->has_gap && bit_is_in(to->relation, nearer);
    if (!ways && !put_says_nearest(p))
        return ETNA_OK;
    const builtin_set moving = p->r->moving;
    for (uint32_t i = 0; i < all->count && code == ETNA_OK; i++) {
        clause own = *p->c;
        own.movers = p->r->moving = set_one(p->r, all->objects[i]);
        code = clause_put(&own);
    }
    p->r->moving = moving;
    p->done = true;
    return code;
}

/* "The chair to the left end of the table, the stool to the right": to its
 * other end. */
static etna_code put_at_other_end(put *p,
                                  const builtin_move *last,
                                  const chart_node *dir)
{
    unsigned said = dir->value == DIR_LEFT ? SIDE_LEFT : 0;
    if (dir->value == DIR_RIGHT)
        said = SIDE_RIGHT;
    if (!said || !put_is_object(p, last->reference) ||
        set_has(p->movers, last->reference))
        return ETNA_OK;
    const bool own = last->relation == RELATION_END;
    const unsigned sides = own ? side_own(p->r, last->reference, said) : said;
    if (last->sides == 0 || (sides & last->sides))
        return ETNA_OK;
    p->m.relation = last->relation;
    p->m.reference = last->reference;
    p->m.support = last->support;
    p->m.sides = sides;
    return put_end(p);
}

etna_code put_beside_same(put *p)
{
    const reader *r = p->r;
    const chart_node *dir = put_bare_way(p);
    if (!dir || chart_child(p->c->said, "$verb") ||
        r->reading->count == r->first_move)
        return ETNA_OK;
    const builtin_move *last = &r->reading->moves[r->reading->count - 1];
    const bool right =
        last->relation == RELATION_LEFT && dir->value == DIR_RIGHT;
    const bool left =
        last->relation == RELATION_RIGHT && dir->value == DIR_LEFT;
    if (bit_is_in(last->relation, BIT(RELATION_END) | BIT(RELATION_EDGE)))
        return put_at_other_end(p, last, dir);
    if ((!right && !left) || set_has(p->movers, last->reference))
        return ETNA_OK;
    p->m.relation = right ? RELATION_RIGHT : RELATION_LEFT;
    p->m.reference = last->reference;
    p->m.support = last->support;
    return put_end(p);
}

etna_code put_shift(put *p)
{
    const chart_node *shift = p->d->shift;
    if (!shift || details_have_places(p->d) ||
        shift_is_its_side(p->r, shift, p->movers))
        return ETNA_OK;
    bool told = chart_find(shift, "$dir") || chart_find(shift, "DIST");
    return told ? put_leave(p, clause_shift) : ETNA_OK;
}

/* "20 cm to the left on the table", "forward on the shelf": how far it is to go
 * there, or a way that is no side to be at. */
static bool put_goes_on_there(const put *p, const condition *at)
{
    const chart_node *const shift = p->d->shift;
    const chart_node *const dir = chart_find(shift, "$dir");
    const uint32_t level =
        BIT(DIR_LEFT) | BIT(DIR_RIGHT) | BIT(DIR_FRONT) | BIT(DIR_BACK);
    const bool there =
        bit_is_in(at->relation, BIT(REL_ON) | BIT(REL_AT) | BIT(REL_ALONG));
    /* "the lamp 20 cm to the left on the desk" */
    const bool verbless =
        !chart_child(p->c->said, "$verb") && !chart_child(p->c->said, "$be");
    const bool moves = verbless || p->c->verb == VERB_MOVE;
    if (!moves || !dir || !there || !bit_is_in(dir->value, level) ||
        p->d->second_shift)
        return false;
    const bool deep = bit_is_in(dir->value, BIT(DIR_FRONT) | BIT(DIR_BACK));
    return chart_find(shift, "DIST") || deep;
}

etna_code put_shift_there(put *p)
{
    const chart_node *shift = p->d->shift;
    const bool one = p->d->relation_count == 1 && p->d->zone_count == 0 &&
                     p->movers->need == p->movers->count;
    if (!shift || !one || p->movers->count == 0)
        return ETNA_OK;
    const condition *at = &p->d->relations[0];
    const bool from_here = chart_child(shift, "$from_here") &&
                           bit_is_in(at->relation, BIT(REL_ON) | BIT(REL_AT));
    if (at->has_gap || (!from_here && !put_goes_on_there(p, at)))
        return ETNA_OK;
    for (uint32_t i = 0; i < p->movers->count; i++) {
        double way = INFINITY;
        const etna_code code =
            where_holds(p->r, at->node, p->movers->objects[i], &way);
        if (code != ETNA_OK || !isfinite(way))
            return code;
    }
    return put_leave(p, clause_shift);
}

/* "1 m to the left and 50 cm toward the wall": two lengths, one way to go. */
static bool put_has_vector(const put *p)
{
    const chart_node *shift = p->d->shift;
    bool measured = p->d->relation_count == 1 && p->d->relations[0].has_gap &&
                    p->movers->count > 0;
    if (!measured || !shift)
        return false;
    return chart_find(shift, "DIST") && chart_find(shift, "$dir");
}

etna_code put_vector(put *p)
{
    reader *r = p->r;
    destination s;
    if (!put_has_vector(p))
        return ETNA_OK;
    builtin_move m = move_plain(p->c, RELATION_SHIFT);
    const reader before = *r;
    etna_code code =
        preposition_read(r, &p->d->relations[0], p->movers, p->c->verb, &s);
    bool place = code == ETNA_OK && !s.is_shift;
    if (code == ETNA_E_INPUT || place) {
        *r = before;
        return ETNA_OK;
    }
    if (code == ETNA_OK)
        code = shift_read(r, p->d->shift, 0, p->movers->objects[0], m.shift);
    if (code != ETNA_OK)
        return code;
    for (int k = 0; k < 3; k++)
        m.shift[k] += s.shift[k];
    p->done = true;
    return move_add(r, &m);
}

etna_code put_check_from_here(put *p)
{
    const chart_node *shift =
        p->d->second_shift ? p->d->second_shift : p->d->shift;
    if (!shift || !chart_child(shift, "$from_here") ||
        !details_have_places(p->d))
        return ETNA_OK;
    return reader_refuse_said(
        p->r, CODE_UNREAD, shift,
        "whether it is to go so far or to that place is not clear");
}

/* How far a way leads toward the other thing; negative: away from it. */
static double shift_along(const reader *r,
                          uint32_t object,
                          uint32_t other,
                          const double way[3])
{
    const double *const from = object_at(r, object)->centre;
    const double *const at = object_at(r, other)->centre;
    return way[0] * (at[0] - from[0]) + way[1] * (at[1] - from[1]);
}

/* "A bit left, away from the lamp": one thing, one direction and one place. */
static bool put_is_one_way(const put *p)
{
    const details *d = p->d;
    const bool directed = d->shift && chart_find(d->shift, "$dir");
    return directed && d->relation_count == 1 && d->zone_count == 0 &&
           p->movers->count == 1;
}

/* "20 cm to the left, toward the right wall": there is no such way. */
static bool shift_is_contrary(const put *p,
                              uint32_t of,
                              bool away,
                              const double way[3])
{
    double there[3];
    shift_toward(p->r, p->movers->objects[0], of, 1, away, there);
    return way[0] * there[0] + way[1] * there[1] < 0;
}

/* "20 cm forward, away from the back wall": off the wall is square to it, however
 * the picture is turned. False: that is another way than the one that is said. */
static bool shift_square_to_wall(const put *p,
                                 uint32_t wall,
                                 bool away,
                                 double way[3])
{
    const double least = 0.5; /* cosine of how far the two may be apart */
    const double metres = sqrt(way[0] * way[0] + way[1] * way[1]);
    double square[3];
    shift_toward(p->r, p->movers->objects[0], wall, metres, away, square);
    const double along = way[0] * square[0] + way[1] * square[1];
    if (along < least * metres * metres)
        return false;
    memcpy(way, square, sizeof square);
    return true;
}

static etna_code put_shift_by(put *p, const double way[3])
{
    builtin_move m = move_plain(p->c, RELATION_SHIFT);
    memcpy(m.shift, way, sizeof m.shift);
    etna_code code = move_face(p->c, &m);
    p->done = true;
    return code == ETNA_OK ? move_add(p->r, &m) : code;
}

etna_code put_shift_agrees(put *p)
{
    const uint32_t away = BIT(REL_AWAY) | BIT(REL_FARTHER);
    const uint32_t ways = away | BIT(REL_TOWARD) | BIT(REL_CLOSER);
    const chart_node *shift = p->d->shift;
    const condition *to = &p->d->relations[0];
    const refer_scope place = refer_scope_place(p->movers);
    reader *r = p->r;
    uint32_t of = BUILTIN_NONE;
    double way[3];
    if (!put_is_one_way(p) || to->has_gap || !bit_is_in(to->relation, ways))
        return ETNA_OK;
    const uint32_t object = p->movers->objects[0];
    const reader before = *r;
    etna_code code = refer_one(r, to->what, &place, &of);
    if (code == ETNA_OK)
        code = shift_read(r, shift, 0, object, way);
    const bool leaves = bit_is_in(to->relation, away);
    const double sign = leaves ? -1 : 1;
    const bool known = code == ETNA_OK && of < r->facts->object_count;
    const bool wall = known && object_is_wall_like(r, of);
    if (wall && shift_square_to_wall(p, of, leaves, way))
        return put_shift_by(p, way);
    if (known && !wall && sign * shift_along(r, object, of, way) > 0)
        return put_leave(p, clause_shift);
    if (known && shift_is_contrary(p, of, leaves, way))
        return reader_refuse_finally(
            r, clause_refuse(p->c, "the one way is not the other"));
    *r = before;
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "..., each 10 cm away", of one thing: said of those before, too. */
static bool put_says_each_so_far(const put *p)
{
    const chart_node *const said = p->c->said;
    bool each = false;
    for (uint32_t at = said->first; at + 1 < said->end; at++)
        each = each || (reader_word_is(p->r, at, "each") &&
                        ascii_is_digit(reader_word(p->r, at + 1)[0]));
    return each && p->movers->count == 1;
}

etna_code put_check_distance(put *p)
{
    const chart_node *shift = p->d->shift;
    if (put_says_each_so_far(p))
        return clause_refuse(p->c, "how far each of them is to be is not "
                                   "clear");
    /* "until there are 30 cm between them and the table", of any two of four */
    if (chart_find(p->c->said, "$rel_distance_of") &&
        p->movers->need < p->movers->count)
        return reader_refuse_finally(
            p->r, clause_refuse(p->c, "which of them that is is not clear"));
    /* "closer to the edge and a bit to the left" */
    if (p->d->second_shift && p->d->zone_count > 0)
        return reader_refuse_said(p->r, CODE_UNREAD, p->d->second_shift,
                                  "how that goes with the rest is not "
                                  "understood");
    bool both = shift && chart_find(shift, "DIST") && details_have_places(p->d);
    if (!both || details_origin(p->d, true))
        return ETNA_OK;
    return reader_refuse_said(
        p->r, CODE_UNREAD, shift,
        "whether it is to go so far or to that place is not clear");
}

/* "Put the cup from the table": to put is to put somewhere, and to put off is
 * another thing. */
static bool put_only_from(const put *p)
{
    bool from = clause_puts(p->c);
    for (uint32_t i = 0; i < p->d->relation_count; i++)
        from = from && p->d->relations[i].relation == REL_FROM;
    return from;
}

etna_code put_take_up(put *p)
{
    const details *d = p->d;
    bool origins =
        d->relation_count > 0 && !details_lead_elsewhere(d) && !p->m.hung;
    for (uint32_t i = 0; i < d->relation_count; i++)
        origins = origins && !d->relations[i].has_gap;
    bool turned = d->face || d->angle;
    if (!origins || turned)
        return ETNA_OK;
    if (put_only_from(p))
        return clause_refuse(p->c, "where to is not said");
    if (p->r->memory.context == BUILTIN_NONE)
        return ETNA_OK;
    p->r->memory.last = p->r->memory.named = p->r->memory.taken = *p->movers;
    p->done = true;
    return ETNA_OK;
}

/* ---- how far from what was named ---- */

/* The move of this text that puts the thing beside something, and does not say
 * how far from it; NULL: there is none. */
static builtin_move *move_lacks_gap(const clause *c, uint32_t object)
{
    reader *r = c->r;
    for (uint32_t i = r->reading->count; i > r->first_move; i--) {
        builtin_move *const m = &r->reading->moves[i - 1];
        if (!set_has(&m->objects, object))
            continue;
        const bool lacks = bit_is_in(m->relation, RELATIONS_OFF_BY) &&
                           m->gap < 0 && set_is_within(&m->objects, &c->movers);
        return lacks ? m : NULL;
    }
    return NULL;
}

/* "The cup beside the jug, the bowl 10 cm away", "the cup on the tray. It should
 * be 10 cm away": from something that was named. */
static bool shift_is_from_named(const clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    if (!last)
        return false;
    return bit_is_in(last->relation, RELATIONS_OFF_BY) ||
           reading_moves_any(c->r->reading, c->r->first_move, &c->movers);
}

etna_code shift_tells_gap(clause *c, bool *ret_done)
{
    const chart_node *const dir = chart_find(c->d.shift, "$dir");
    const chart_node *const dist = chart_find(c->d.shift, "DIST");
    const bool away = dir && dist && dir->value == DIR_AWAY &&
                      !c->d.second_shift && !chart_child(c->said, "$verb");
    uint32_t found = 0;
    *ret_done = false;
    for (uint32_t i = 0; away && i < c->movers.count; i++)
        found += move_lacks_gap(c, c->movers.objects[i]) ? 1 : 0;
    if (!away || (found == 0 && !shift_is_from_named(c)))
        return ETNA_OK;
    if (found < c->movers.count)
        return clause_refuse(c, "from what is not clear");
    for (uint32_t i = 0; i < c->movers.count; i++) {
        builtin_move *const m = move_lacks_gap(c, c->movers.objects[i]);
        if (!m)
            continue; /* of one move with another of them */
        m->gap = where_metres(c->r, dist, NULL);
        m->bound = details_bound(dist);
    }
    *ret_done = true;
    return ETNA_OK;
}
