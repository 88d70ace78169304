/* Rows and piles, as one clause tells them: where they are, and what is in
 * them. */
#include "worker/builtin/read/row_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

enum {
    ROW_ABREAST = 2 /* $row of the lexicon */
};

/* What a row can be by, besides what it goes along. */
static const uint32_t row_neighbours =
    BIT(RELATION_BESIDE) | BIT(RELATION_LEFT) | BIT(RELATION_RIGHT) |
    BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) | BIT(RELATION_UNDER) |
    BIT(RELATION_BETWEEN) | BIT(RELATION_END);

/* "Along the wall, between the shelf and the table", "in a row on the counter by
 * the knife": it is by it, and not as long. */
static bool row_is_merely_by(const reader *r,
                             const builtin_move *m,
                             const destination *s)
{
    if (bit_is_in(s->relation, row_neighbours) && m->reference != BUILTIN_NONE)
        return true;
    const bool by = s->relation == RELATION_BESIDE &&
                    m->support != BUILTIN_NONE &&
                    s->reference < r->facts->object_count;
    return by && !object_is_furniture(r, s->reference) &&
           !object_at(r, s->reference)->is_static;
}

typedef struct group_side {
    const builtin_set *group;
    double way[3]; /* to the side that is told */
} group_side;

/* The farther that way the less, and of about equal ones the nearer to the middle
 * of them all. */
static double group_rank(const reader *r, uint32_t object, const void *context)
{
    const double same = 0.05; /* metres */
    const group_side *g = context;
    const double *at = object_at(r, object)->centre;
    double middle[2] = {0, 0};
    for (uint32_t i = 0; i < g->group->count; i++) {
        const double *c = object_at(r, g->group->objects[i])->centre;
        for (int k = 0; k < 2; k++)
            middle[k] += c[k] / g->group->count;
    }
    const double dx = at[0] - middle[0], dy = at[1] - middle[1];
    const double far = dx * g->way[0] + dy * g->way[1];
    const double aside = fabs(dx * -g->way[1] + dy * g->way[0]);
    return -floor(far / same + 0.5) * same + same * aside / (1 + aside);
}

/* "In a row behind the plates": behind the hindmost of them, and, where they
 * stand abreast, behind the middle one. */
static destination row_side_of_group(const reader *r, const destination *s)
{
    destination ret = *s;
    group_side g = {.group = &s->each};
    if (s->each.count < 2 || !bit_is_in(s->relation, RELATIONS_SIDE))
        return ret;
    direction_way(r, side_direction(side_of_relation(s->relation)), g.way);
    ret.reference = set_least(r, &s->each, group_rank, &g);
    return ret;
}

/* A row before a wall goes along it: a wall has no side but that. */
static bool row_is_before_wall(const reader *r, const destination *s)
{
    return s->relation == RELATION_FRONT && s->gap < 0 &&
           s->reference < r->facts->object_count &&
           object_is_wall_like(r, s->reference);
}

/* What one destination of the clause is for the row: what it stands on, what it
 * goes along, or where a pile's first goes. */
static etna_code row_take_destination(reader *r,
                                      builtin_move *m,
                                      const destination *told)
{
    const destination one = row_side_of_group(r, told), *const s = &one;
    const uint32_t along = BIT(RELATION_EDGE) | BIT(RELATION_LINE) |
                           BIT(RELATION_AGAINST) | BIT(RELATION_MIDDLE) |
                           BIT(RELATION_CORNER);
    if (bit_is_in(s->relation, RELATIONS_UPON) && told->each.count > 1)
        return reader_refuse_finally(
            r, reader_refuse(r, CODE_UNREAD, NULL,
                             "how a row goes there is not understood"));
    if (bit_is_in(s->relation, RELATIONS_UPON) && m->support == BUILTIN_NONE) {
        m->support = s->reference;
        m->level = s->level;
        return s->relation == RELATION_IN && m->relation == RELATION_LINE
                   ? move_add_condition(r, m, destination_condition(s))
                   : ETNA_OK;
    }
    if (m->relation == RELATION_STACK)
        return move_add_condition(r, m, destination_condition(s));
    if (!bit_is_in(s->relation, along | row_neighbours))
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "how a row goes there is not understood");
    const unsigned side = side_of_relation(s->relation);
    if (row_is_merely_by(r, m, s))
        return move_add_condition(r, m, destination_condition(s));
    m->reference = s->reference;
    m->sides = side ? side : s->sides;
    const bool before_wall = row_is_before_wall(r, s);
    if (before_wall)
        m->sides = 0;
    /* "side by side opposite the sofa": they look at it, as one would */
    if (s->faces && m->relation == RELATION_LINE) {
        m->facing = FACING_TO;
        m->faced = s->reference;
    }
    m->exact = m->exact ||
               (m->relation == RELATION_LINE && s->relation == RELATION_MIDDLE);
    /* "along the front edge of the second shelf" */
    if (s->level > 0 && m->support == BUILTIN_NONE) {
        m->support = s->reference;
        m->level = s->level;
    }
    return bit_is_in(s->relation, along) || before_wall
               ? ETNA_OK
               : move_add_condition(r, m, destination_condition(s));
}

/* Where the row stands. */
etna_code row_take_destinations(clause *c, builtin_move *m)
{
    details d = c->d;
    destinations at;
    d.side = NULL;
    etna_code code = destinations_gather(c->r, &d, &c->movers, c->verb, &at);
    if (code != ETNA_OK)
        return code;
    if (c->movers.count < 2)
        return clause_refuse(c, "a row or a pile takes several things");
    if (at.count == 0 && details_say_there(c->r, &c->d))
        destinations_add_there(c->r, &c->movers, &at);
    destinations_choose_corner(c->r, &at);
    for (uint32_t i = 0; i < at.count && code == ETNA_OK; i++)
        code = row_take_destination(c->r, m, &at.list[i]);
    return code;
}

/* "..., red, green, blue from left to right": of the row that was told just
 * before. */
static builtin_move *row_told_again(const reader *r, const builtin_move *m)
{
    builtin_move *last = reader_last_move(r);
    const bool bare = m->reference == BUILTIN_NONE &&
                      m->support == BUILTIN_NONE && m->also_count == 0 &&
                      m->spacing < 0 && m->facing == FACING_NONE;
    const bool alike = last && last->relation == m->relation &&
                       last->row_count == 0 &&
                       last->objects.count == m->objects.count;
    if (!bare || !alike || m->row_count == 0 ||
        !set_is_within(&m->objects, &last->objects))
        return NULL;
    return last;
}

static etna_code row_add(clause *c, const builtin_move *m)
{
    builtin_move *before = row_told_again(c->r, m);
    if (!before)
        return move_add(c->r, m);
    before->row = m->row;
    before->row_count = m->row_count;
    before->even = before->even || m->even;
    before->abreast = before->abreast || m->abreast;
    return ETNA_OK;
}

/* "Arrange the chairs around the table at 60 cm intervals": a ring, and no row
 * of those that stand there already. */
static bool row_is_a_ring(const clause *c, const builtin_move *m)
{
    const bool placed =
        m->reference != BUILTIN_NONE || m->support != BUILTIN_NONE;
    const chart_node *mod = c->things ? chart_child(c->things, "MOD") : NULL;
    const chart_node *rel = mod ? chart_child(mod, "REL") : NULL;
    const chart_node *word = rel ? chart_child(rel, "$rel") : NULL;
    return c->verb != VERB_LINE && !placed && word && word->value == REL_AROUND;
}

/* Where the row goes, and which way it lies. */
static etna_code row_find_place_of(clause *c, builtin_move *m)
{
    /* "parallel to the desk" is said of the row */
    const bool lengthwise =
        c->d.straight && chart_child(c->d.straight, "$rel_length");
    const bool turned = lengthwise || straight_is_mutual(c) ||
                        (c->d.face && node_is(c->d.face, "TOVIEWER"));
    etna_code code = turned ? clause_turn_first(c) : ETNA_OK;
    if (code == ETNA_OK)
        code = row_take_destinations(c, m);
    /* "put the cups at the front of the shelf in this order" puts them there */
    const bool nowhere = m->reference == BUILTIN_NONE &&
                         m->support == BUILTIN_NONE && m->also_count == 0;
    const bool is_put = code == ETNA_OK && nowhere && c->verb == VERB_PUT;
    if (is_put && c->things && chart_child(c->things, "FARSIDE"))
        return clause_refuse(c, "whether that says which or where is not "
                                "clear");
    return code == ETNA_OK && row_is_a_ring(c, m) ? clause_refuse_all(c) : code;
}

/* "The two speakers 80 cm apart, with the laptop in the middle": so far are the
 * two from each other, and what is none of them comes between. NULL: nothing
 * does. */
static etna_code row_find_between(const clause *c, const chart_node **ret)
{
    const chart_node *const said =
        c->d.order_count == 1 ? c->d.orders[0] : NULL;
    const bool two = c->movers.count == 2 && c->movers.need == 2;
    uint32_t object = BUILTIN_NONE;
    *ret = NULL;
    if (!said || !two || !c->d.apart_by || !chart_find(said, "$centred"))
        return ETNA_OK;
    const reader before = *c->r;
    const etna_error why = *c->r->err;
    const etna_code code =
        member_find(c->r, node_things(said, 0), &c->movers, &object);
    *c->r = before;
    *c->r->err = why;
    if (code == ETNA_E_INPUT)
        *ret = said;
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

static etna_code row_put_between(const clause *c, const chart_node *said)
{
    const refer_scope movers = refer_scope_movers();
    builtin_move m = move_plain(c, RELATION_BETWEEN);
    uint32_t object = BUILTIN_NONE;
    const etna_code code =
        refer_one(c->r, node_things(said, 0), &movers, &object);
    if (code != ETNA_OK)
        return code;
    m.objects = set_one(c->r, object);
    m.reference = c->movers.objects[0];
    m.second = c->movers.objects[1];
    m.exact = true;
    m.facing = FACING_NONE;
    return move_add(c->r, &m);
}

/* "With the red one in the middle" */
static etna_code row_take_orders(const clause *c, builtin_move *m)
{
    for (uint32_t i = 0; i < c->d.order_count; i++) {
        const chart_node *said = c->d.orders[i];
        bool done;
        etna_code code =
            row_order(c->r, m, node_things(said, 0),
                      said->children[said->child_count - 1], &done);
        if (code == ETNA_OK && !done)
            return clause_refuse(c, "which place in it that is, is not clear");
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "Side by side with their backs to the wall": along that, as who puts one thing
 * so puts it there. */
static void row_back_to_wall(const clause *c, builtin_move *m)
{
    const bool nowhere = m->reference == BUILTIN_NONE &&
                         m->support == BUILTIN_NONE && m->also_count == 0;
    if (m->relation == RELATION_LINE && nowhere && m->facing == FACING_BACK &&
        m->faced < c->r->facts->object_count &&
        object_bounds_place(c->r, m->faced))
        m->reference = m->faced;
}

/* A row, pile, ring or line with its order, spacing and direction. */
static etna_code row_read(clause *c, builtin_relation relation)
{
    reader *r = c->r;
    const details *d = &c->d;
    const chart_node *step =
        d->apart_by ? chart_find(d->apart_by, "DIST") : NULL;
    builtin_move m = move_plain(c, relation);
    etna_code code = row_find_place_of(c, &m);
    /* rows run across the picture, or along what is named */
    if (code == ETNA_OK && details_order(d) == IN_DEPTH)
        return reader_refuse_finally(
            r, clause_refuse(c, "a row from back to front is not known"));
    if (code == ETNA_OK)
        code = row_find_order(c, &m);
    r->memory.sized = order_is_by_size(details_order(d));
    r->memory.backward = order_is_backward(details_order(d));
    if (code == ETNA_OK)
        code = row_take_list(c, &m);
    m.even = d->evenly || c->verb == VERB_SPACE;
    m.abreast = d->row && node_value(d->row, "$row") == ROW_ABREAST;
    if (step)
        m.spacing = where_metres(r, step, NULL);
    else if (d->no_gap)
        m.spacing = 0;
    const chart_node *between = NULL;
    if (code == ETNA_OK && relation == RELATION_LINE)
        code = row_find_between(c, &between);
    if (code == ETNA_OK && !between)
        code = row_take_orders(c, &m);
    if (code == ETNA_OK)
        code = move_face(c, &m);
    row_back_to_wall(c, &m);
    if (code == ETNA_OK)
        code = row_add(c, &m);
    if (code == ETNA_OK)
        r->memory.ordered = r->reading->count;
    if (code == ETNA_OK && between)
        code = row_put_between(c, between);
    r->memory.ordered_next = 0;
    return code;
}

/* On what "side by side" things are said to be; BUILTIN_NONE: nothing is. */
static etna_code abreast_find_support(clause *c, uint32_t *ret)
{
    destinations at = {0};
    *ret = BUILTIN_NONE;
    etna_code code = destinations_gather(c->r, &c->d, &c->movers, c->verb, &at);
    if (code != ETNA_OK || at.count == 0)
        return code;
    *ret = at.list[0].reference;
    return at.count == 1 && at.list[0].relation == RELATION_ON
               ? ETNA_OK
               : clause_refuse_all(c);
}

/* The first of them comes there, too, unless it is there. */
static etna_code abreast_put_first(clause *c, uint32_t support)
{
    const builtin_set first = set_one(c->r, c->movers.objects[0]);
    const builtin_set on = set_one(c->r, support);
    builtin_move m = move_plain(c, RELATION_ON);
    if (set_is_carried(c->r, &first, &on))
        return ETNA_OK;
    m.objects = first;
    m.reference = support;
    return move_add(c->r, &m);
}

/* "The two benches parallel to each other, 1 m apart": each along a long side of
 * the one before, and in no line end to end. The first one stays where it is on
 * what is said. */
static etna_code abreast_read(clause *c)
{
    reader *const r = c->r;
    const builtin_set *const all = &c->movers;
    const double *const first = object_at(r, all->objects[0])->centre;
    const double *const next = object_at(r, all->objects[1])->centre;
    unsigned sides[2];
    double way[2];
    uint32_t support = BUILTIN_NONE;
    etna_code code = clause_turn_first(c);
    if (code == ETNA_OK)
        code = abreast_find_support(c, &support);
    if (code == ETNA_OK && support != BUILTIN_NONE)
        code = abreast_put_first(c, support);
    sides_long(r, all->objects[0], sides);
    side_way(r, all->objects[0], sides[0], way);
    const bool there =
        (next[0] - first[0]) * way[0] + (next[1] - first[1]) * way[1] > 0;
    for (uint32_t i = 1; i < all->count && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_END);
        m.objects = set_one(r, all->objects[i]);
        m.reference = all->objects[i - 1];
        m.support = support;
        m.sides = sides[there ? 0 : 1];
        m.gap = where_metres(r, chart_find(c->d.apart_by, "DIST"), NULL);
        code = move_add(r, &m);
    }
    return code;
}

static bool row_is_abreast(const clause *c)
{
    const double oblong = 1.2; /* times */
    const bool apart = c->d.apart_by && chart_find(c->d.apart_by, "DIST");
    /* at an edge they lie in a row along that */
    bool is = apart && straight_is_mutual(c) && c->d.zone_count == 0 &&
              c->movers.count > 1;
    is = is && c->movers.need == c->movers.count;
    for (uint32_t i = 0; i < c->movers.count && is; i++) {
        const builtin_object *const o = object_at(c->r, c->movers.objects[i]);
        is = builtin_half_longer(o) > oblong * builtin_half_shorter(o);
    }
    return is;
}

etna_code clause_row(clause *c)
{
    return row_is_abreast(c) ? abreast_read(c) : row_read(c, RELATION_LINE);
}

etna_code clause_pile(clause *c)
{
    return row_read(c, RELATION_STACK);
}

/* ---- told one by one ---- */

/* Each thing of the list, from the end that is said of the first. */
static etna_code pile_take_listed(clause *c,
                                  uint32_t list[CONJUNCTS_MAX],
                                  uint32_t *ret_count)
{
    const chart_node *said = c->said;
    *ret_count = 0;
    for (uint32_t i = 0; i < said->child_count && *ret_count < CONJUNCTS_MAX;
         i++) {
        const chart_node *what = said->children[i];
        const refer_scope scope = refer_scope_movers();
        builtin_set one;
        if (what->is_terminal ||
            !(node_is(what, "THING") || node_is(what, "QUOTED")))
            continue;
        etna_code code = refer_things(c->r, what, &scope, &one);
        if (code != ETNA_OK)
            return code;
        for (uint32_t k = 0; k < *ret_count; k++) {
            if (list[k] == one.objects[0])
                return reader_refuse(c->r, CODE_AMBIGUOUS, what,
                                     "\"%s\" is in the order already",
                                     reader_said(c->r, what));
        }
        if (one.count != 1)
            return reader_refuse(c->r, CODE_AMBIGUOUS, what,
                                 "\"%s\" may be any of %u",
                                 reader_said(c->r, what), one.count);
        list[(*ret_count)++] = one.objects[0];
    }
    return ETNA_OK;
}

/* "... at the bottom, ..., ... on top": the ends that are said must be those of
 * the list. *ret_down: it goes from the top down. */
static bool pile_ends_agree(const chart_node *said,
                            uint32_t count,
                            bool *ret_down)
{
    uint32_t at = 0;
    *ret_down = false;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *c = said->children[i];
        at += node_is(c, "THING") || node_is(c, "QUOTED");
        const bool top = node_is(c, "TOP"), bottom = node_is(c, "BOTTOM");
        if (!top && !bottom)
            continue;
        if (at == 1)
            *ret_down = top;
        else if (at != count || (top == *ret_down))
            return false;
    }
    return true;
}

/* As a set has its things. */
static double row_rank_index(const reader *r,
                             uint32_t object,
                             const void *context)
{
    (void)r;
    (void)context;
    return object;
}

/* "A tower of the four crates: ...": what the pile is made of; the list is of
 * these. No such phrase: count 0. */
static etna_code pile_take_named(clause *c, builtin_set *ret)
{
    const chart_node *const of = chart_child(c->said, "PILEOF");
    const chart_node *const verb = chart_child(c->said, "$verb");
    refer_scope scope = refer_scope_movers();
    *ret = (builtin_set){0};
    if (!of)
        return ETNA_OK;
    if (verb && verb->value != VERB_STACK)
        return clause_refuse_all(c);
    scope.many = true;
    const chart_node *const things = node_things(of, 0);
    etna_code code = refer_things(c->r, things, &scope, ret);
    return code == ETNA_OK ? refer_remember_noun(c->r, things) : code;
}

/* Are they all of the named, and no others? */
static bool pile_is_of_named(const builtin_set *named,
                             const uint32_t *list,
                             uint32_t count)
{
    bool same = named->count == 0 || named->count == count;
    for (uint32_t i = 0; i < count && same && named->count > 0; i++)
        same = set_has(named, list[i]);
    return same;
}

/* "a on b on c": the order is that of the words. */
etna_code clause_pile_up(clause *c)
{
    uint32_t list[CONJUNCTS_MAX], count = 0;
    builtin_set named;
    bool down = false;
    details_gather(c->r, c->said, &c->d);
    c->d.top = NULL;
    c->verb = VERB_STACK;
    etna_code code = pile_take_named(c, &named);
    if (code == ETNA_OK)
        code = pile_take_listed(c, list, &count);
    if (code != ETNA_OK)
        return code;
    if (!pile_is_of_named(&named, list, count))
        return clause_refuse_all(c);
    if (count < 2 || !pile_ends_agree(c->said, count, &down))
        return clause_refuse_all(c);
    uint32_t *row = etna_arena_memdup(c->r->arena, list, count * sizeof *row);
    uint32_t *all = etna_arena_memdup(c->r->arena, list, count * sizeof *all);
    if (!row || !all)
        return reader_no_memory(c->r);
    if (down)
        row_reverse(row, count);
    set_sort(c->r, all, count, 0, row_rank_index, NULL);
    c->movers = (builtin_set){.count = count, .objects = all, .need = count};
    builtin_move m = move_plain(c, RELATION_STACK);
    code = row_take_destinations(c, &m);
    m.row = row;
    m.row_count = count;
    if (code == ETNA_OK)
        code = move_add(c->r, &m);
    c->r->memory.last = c->r->memory.named = c->movers;
    return code;
}
