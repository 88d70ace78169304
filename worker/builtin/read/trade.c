/* Two things: they trade places, one takes the place of the other, or the gap
 * between them is told. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

/* Of the two, first the one that is said first. */
static etna_code traders_order(const clause *c, uint32_t pair[2])
{
    const refer_scope one = refer_scope_movers();
    const reader before = *c->r;
    uint32_t named;
    etna_code code = refer_one(c->r, c->things->children[0], &one, &named);
    if (code == ETNA_E_NOMEM)
        return code;
    if (code == ETNA_OK && named == pair[1]) {
        pair[1] = pair[0];
        pair[0] = named;
    } else {
        *c->r = before;
    }
    return ETNA_OK;
}

/* "It is too near to the table, increase the distance": that, and from what. */
static bool traders_complained_of(const reader *r, uint32_t ret[2])
{
    const builtin_set *last = &r->memory.last;
    const uint32_t from = r->memory.complained - 1;
    if (r->memory.complained == 0 || from >= r->facts->object_count ||
        last->count != 1 || last->objects[0] == from)
        return false;
    ret[0] = last->objects[0];
    ret[1] = from;
    return true;
}

/* "The vase is too close to the edge. Swap them": only the complaint names
 * two. */
static bool traders_are_unsaid(const clause *c)
{
    const reader_memory *memory = &c->r->memory;
    if (!c->things)
        return true;
    return phrase_is_pronoun(c->things, PRON_THEM) && memory->last.count == 1 &&
           memory->complained > 0;
}

/* Who trades places; false: it is not clear which two. */
static etna_code traders_find(const clause *c,
                              const condition *with,
                              uint32_t ret[2],
                              bool *ret_clear)
{
    reader *r = c->r;
    builtin_set a, b = {0};
    refer_scope scope = refer_scope_movers();
    if (traders_are_unsaid(c)) {
        *ret_clear = traders_complained_of(r, ret);
        return ETNA_OK;
    }
    scope.many = true;
    /* a gap may be from a wall */
    scope.movers = !node_is(c->said, "GAPPED");
    etna_code code = refer_things(r, c->things, &scope, &a);
    scope.movers = true;
    scope.many = false;
    scope.barred = &a;
    if (code == ETNA_OK && with)
        code = refer_things(r, with->what, &scope, &b);
    if (code != ETNA_OK)
        return code;
    *ret_clear =
        with ? a.count == 1 && b.count == 1 : a.count == 2 && a.need == 2;
    if (!*ret_clear)
        return ETNA_OK;
    ret[0] = a.objects[0];
    ret[1] = with ? b.objects[0] : a.objects[1];
    return !with && node_is(c->things, "AND") ? traders_order(c, ret) : ETNA_OK;
}

/* "The plates with the glasses", as one phrase: of the plates those that have
 * glasses with them, where two kinds were to trade places. */
static bool things_say_with(const clause *c)
{
    for (uint32_t i = c->things ? c->things->first : 0;
         c->things && i < c->things->end; i++) {
        if (reader_word_is(c->r, i, "with"))
            return true;
    }
    return false;
}

static etna_code traders_refuse(clause *c)
{
    return clause_refuse(c, "which two are to trade places is not clear");
}

static etna_code traders_move(clause *c, const uint32_t pair[2])
{
    reader *r = c->r;
    const builtin_set one = set_one(r, pair[0]);
    const builtin_set other = set_one(r, pair[1]);
    builtin_move m = move_plain(c, RELATION_SWAP);
    m.objects = one;
    m.reference = pair[1];
    etna_code code = move_add(r, &m);
    return code == ETNA_OK ? set_union(r, &one, &other, &r->memory.last) : code;
}

static etna_code traders_of_pair(clause *c,
                                 const chart_node *one,
                                 const chart_node *other)
{
    const refer_scope scope = refer_scope_movers();
    uint32_t pair[2];
    etna_code code = refer_one(c->r, one, &scope, &pair[0]);
    if (code == ETNA_OK)
        code = refer_one(c->r, other, &scope, &pair[1]);
    if (code == ETNA_OK && pair[0] == pair[1])
        code = traders_refuse(c);
    return code == ETNA_OK ? traders_move(c, pair) : code;
}

/* "The cup and the jug with the lamp and the vase": the first with the first. */
static etna_code traders_of_lists(clause *c, const condition *with)
{
    const chart_node *one[CONJUNCTS_MAX], *other[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, one);
    etna_code code = node_conjuncts(with->what, other) == count
                         ? ETNA_OK
                         : traders_refuse(c);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        code = traders_of_pair(c, one[i], other[i]);
    return code;
}

etna_code clause_trade_pairs(clause *c)
{
    const chart_node *verb = chart_child(c->said, "$verb");
    etna_code code = verb->value == VERB_SWAP ? ETNA_OK : clause_refuse_all(c);
    for (uint32_t i = 0; i < c->said->child_count && code == ETNA_OK; i++) {
        const chart_node *trade = c->said->children[i];
        if (node_is(trade, "TRADE"))
            code = traders_of_pair(c, node_things(trade, 0),
                                   node_things(trade, 1));
    }
    return code;
}

/* Two things trade places. */
etna_code clause_swap(clause *c)
{
    const condition *with = NULL;
    uint32_t pair[2];
    bool clear = false;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const condition *const to = &c->d.relations[i];
        const bool other =
            bit_is_in(to->relation, BIT(REL_WITH) | BIT(REL_TO)) &&
            !phrase_is_pronoun(to->what, PRON_EACH_OTHER);
        if (other)
            with = to;
    }
    if (c->things && with && node_is(with->what, "AND"))
        return traders_of_lists(c, with);
    etna_code code = traders_find(c, with, pair, &clear);
    if (code != ETNA_OK)
        return code;
    if (!clear || (!with && things_say_with(c)) ||
        chart_child(c->said, "ORDERED"))
        return traders_refuse(c);
    return traders_move(c, pair);
}

/* Has the text asked for a place of it already? */
static bool pair_is_placed(const reader *r, uint32_t object)
{
    const uint32_t turns = BIT(RELATION_TURN) | BIT(RELATION_TURNED);
    bool placed = false;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        placed = placed || (set_has(&m->objects, object) &&
                            !bit_is_in(m->relation, turns));
    }
    return placed;
}

/* Which of the two goes where nobody says: what can be moved, what has no place
 * from the text yet ("10 cm between the cup and the jug, and 10 cm between the
 * jug and the lamp"), else the smaller. */
static uint32_t pair_mover(const reader *r, const uint32_t pair[2])
{
    const bool moves[2] = {object_moves(r->facts, pair[0]),
                           object_moves(r->facts, pair[1])};
    const bool placed[2] = {pair_is_placed(r, pair[0]),
                            pair_is_placed(r, pair[1])};
    if (moves[0] != moves[1])
        return moves[0] ? 0 : 1;
    if (placed[0] != placed[1])
        return placed[0] ? 1 : 0;
    return object_area(r, pair[0]) < object_area(r, pair[1]) ? 0 : 1;
}

/* Is one of them put upon the other? */
static bool pair_is_borne(const reader *r, const uint32_t pair[2])
{
    const uint32_t upon = RELATIONS_UPON | BIT(RELATION_MIDDLE) |
                          BIT(RELATION_EDGE) | BIT(RELATION_CORNER);
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        for (uint32_t k = 0; k < 2; k++) {
            if (bit_is_in(m->relation, upon) && m->reference == pair[k] &&
                set_has(&m->objects, pair[1 - k]))
                return true;
        }
    }
    return false;
}

/* First the one that is to move: which is said ("by moving the table"), else
 * the smaller. */
static etna_code pair_order(const clause *c, uint32_t pair[2])
{
    reader *r = c->r;
    const chart_node *said = node_things(c->said, 1);
    const refer_scope movers = refer_scope_movers();
    if (!c->things)
        return ETNA_OK; /* it is known what was complained of */
    uint32_t moving = pair[pair_mover(r, pair)];
    r->memory.named = set_one(r, pair[0]);
    etna_code code = said ? refer_one(r, said, &movers, &moving) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (moving != pair[0] && moving != pair[1])
        return clause_refuse(c, "that is neither of the two");
    if (!object_moves(r->facts, moving))
        return clause_refuse(c, "neither of the two can be moved");
    if (moving == pair[1]) {
        pair[1] = pair[0];
        pair[0] = moving;
    }
    return ETNA_OK;
}

/* Is it put beside something, and not told how far from that? */
static bool move_lacks_gap(const builtin_move *m)
{
    return m && m->gap < 0 && m->objects.count == 1 &&
           bit_is_in(m->relation, RELATIONS_ASIDE);
}

/* "To the right of the ladder, and leave 40 cm between them": what was moved
 * last, and what it was put beside. */
static etna_code space_of_last(const clause *c, const chart_node *dist)
{
    builtin_move *const m = reader_last_move(c->r);
    if (!dist || !move_lacks_gap(m))
        return reader_refuse_finally(
            c->r, clause_refuse(c, "between which two is not clear"));
    m->gap = where_metres(c->r, dist, NULL);
    m->bound = details_bound(dist);
    return ETNA_OK;
}

/* "Leave 5 cm between each shelf and the wall": the two phrases; false: the gap
 * is between no several things and one. */
static bool space_parties(const clause *c, const chart_node *ret[2])
{
    const chart_node *parties[CONJUNCTS_MAX];
    const bool two = c->things && node_is(c->things, "AND") &&
                     chart_child(c->said, "DIST") &&
                     node_conjuncts(c->things, parties) == 2;
    if (!two ||
        !(phrase_is_plural(c->r, parties[0]) || phrase_is_each(parties[0])))
        return false;
    ret[0] = parties[0];
    ret[1] = parties[1];
    return true;
}

/* Each of them goes so far from the one. */
static etna_code space_of_each(clause *c, const chart_node *const parties[2])
{
    reader *r = c->r;
    refer_scope scope = refer_scope_movers();
    builtin_set all;
    uint32_t from = BUILTIN_NONE;
    scope.many = true;
    etna_code code = refer_things(r, parties[0], &scope, &all);
    if (code != ETNA_OK)
        return code;
    const refer_scope place = refer_scope_place(&all);
    code = refer_one(r, parties[1], &place, &from);
    if (code == ETNA_OK && all.need != all.count)
        code = clause_refuse(c, "between which two is not clear");
    for (uint32_t i = 0; i < all.count && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_BESIDE);
        const chart_node *const dist = chart_child(c->said, "DIST");
        m.objects = set_one(r, all.objects[i]);
        m.reference = from;
        m.gap = where_metres(r, dist, NULL);
        m.bound = details_bound(dist);
        code = move_add(r, &m);
    }
    r->memory.last = all;
    r->memory.last_reference = from;
    return code;
}

/* "Leave 80 cm between the crates": the smaller goes so far from the other. */
etna_code clause_space(clause *c)
{
    reader *r = c->r;
    const chart_node *parties[2];
    uint32_t pair[2];
    bool clear = false;
    if (space_parties(c, parties))
        return space_of_each(c, parties);
    etna_code code = traders_find(c, NULL, pair, &clear);
    if (code != ETNA_OK)
        return code;
    if (!clear)
        return space_of_last(c, chart_child(c->said, "DIST"));
    builtin_move m = move_plain(c, RELATION_BESIDE);
    code = pair_order(c, pair);
    if (code != ETNA_OK)
        return code;
    if (pair_is_borne(r, pair))
        return clause_refuse(c, "one of the two is to stand on the other");
    m.objects = set_one(r, pair[0]);
    m.reference = pair[1];
    const chart_node *dist = chart_child(c->said, "DIST");
    m.gap = dist ? where_metres(r, dist, NULL) : 0; /* "no gap between" */
    m.bound = dist ? details_bound(dist) : BOUND_NONE;
    r->memory.last = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}

etna_code clause_close_up(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move *m = reader_last_move(r);
    builtin_set things = {0};
    if (!m || !bit_is_in(m->relation, RELATIONS_ASIDE) || m->gap > 0)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &movers, &things);
    if (code != ETNA_OK)
        return code;
    const uint32_t other = m->reference;
    const bool same = set_is_within(&things, &m->objects);
    const bool pushed = things.count == 1 && things.objects[0] == other &&
                        m->objects.count == 1;
    if (!same && !pushed)
        return clause_refuse_all(c);
    if (pushed) { /* the other of the two is to move */
        m->reference = m->objects.objects[0];
        m->objects = things;
    }
    m->gap = 0;
    return ETNA_OK;
}

/* "Reduce the gap between the bed and the chair by 10 cm" */
etna_code clause_space_by(clause *c)
{
    reader *r = c->r;
    uint32_t pair[2];
    bool clear = false, away = false;
    etna_code code = traders_find(c, NULL, pair, &clear);
    if (code == ETNA_OK && !clear)
        return clause_refuse(c, "between which two is not clear");
    if (code == ETNA_OK)
        code = pair_order(c, pair);
    if (code != ETNA_OK)
        return code;
    const char *const verb = reader_word(r, c->said->first);
    away = away || lexicon_lists("trade: widens", verb);
    builtin_move m = move_plain(c, RELATION_SHIFT);
    m.objects = set_one(r, pair[0]);
    m.reference = pair[1];
    shift_toward(r, pair[0], pair[1],
                 where_metres(r, chart_child(c->said, "DIST"), NULL), away,
                 m.shift);
    r->memory.last = m.objects;
    return move_add(r, &m);
}

/* "The two stools a bit closer together": one of them towards the other, and not
 * both of them towards us. */
etna_code clause_draw_together(clause *c)
{
    reader *r = c->r;
    const builtin_set *const movers = &c->movers;
    const chart_node *const dist = chart_find(c->d.shift, "DIST");
    if (movers->count != 2 || movers->need != 2)
        return dist ? reader_refuse_finally(
                          r, clause_refuse(c, "between which two is not clear"))
                    : clause_group(c);
    uint32_t pair[2] = {movers->objects[0], movers->objects[1]};
    etna_code code = pair_order(c, pair);
    if (code != ETNA_OK)
        return code;
    builtin_move m = move_plain(c, RELATION_SHIFT);
    m.objects = set_one(r, pair[0]);
    m.reference = pair[1];
    shift_toward(r, pair[0], pair[1], shift_metres(r, dist, pair[0]), false,
                 m.shift);
    return move_add(r, &m);
}

bool node_is_of_centres(const chart_node *node)
{
    const chart_node *const word = chart_find(node, "$spacing");
    return word && word->value == 1;
}

etna_code clause_refuse_centres(clause *c)
{
    return reader_refuse_finally(
        c->r, clause_refuse(c, "from centre to centre things are spaced in a "
                               "row only, and else from side to side"));
}

/* "..., spacing 5 cm", "equal gaps": of the row that was told of, or of the two
 * that stand beside each other. */
etna_code clause_space_last(clause *c)
{
    reader *r = c->r;
    builtin_move *m = reader_last_move(r);
    if (!m)
        return clause_refuse_all(c);
    const chart_node *dist = chart_find(c->said, "DIST");
    const bool centres = node_is_of_centres(c->said);
    const bool row = m->relation == RELATION_LINE;
    if (centres && (!row || (!dist && m->spacing <= 0)))
        return clause_refuse_centres(c);
    if (centres && !dist)
        return ETNA_OK; /* a row's spacing is told so */
    if (dist && move_lacks_gap(m))
        return space_of_last(c, dist);
    if (m->relation != RELATION_LINE)
        return clause_refuse_all(c);
    const double metres = dist ? where_metres(r, dist, NULL) : -1;
    m->even = m->even || !dist;
    m->spacing = dist ? metres : m->spacing;
    return ETNA_OK;
}

/* "Replace it with the cup", "by the cup" */
static bool replace_names_other(const clause *c, const condition *other)
{
    if (!other)
        return false;
    return other->relation == REL_WITH ||
           ((chart_child(c->said, "$pp") || c->verb == VERB_REPLACE) &&
            reader_word_is(c->r, other->node->first, "by"));
}

/* "Replace the lamp with the cup", "substitute the cup for the lamp", "the lamp
 * should be replaced by the cup": the cup goes where the lamp is. */
etna_code clause_replace(clause *c)
{
    reader *r = c->r;
    const condition *other = c->d.relation_count ? &c->d.relations[0] : NULL;
    if (!replace_names_other(c, other))
        return clause_refuse(c, "it does not say by what to replace it");
    const refer_scope movers = refer_scope_movers();
    const refer_scope place = {.on = BUILTIN_NONE};
    const bool replaces = c->verb == VERB_REPLACE;
    builtin_move m = move_plain(c, RELATION_PLACE);
    etna_code code = refer_things(r, replaces ? other->what : c->things,
                                  &movers, &m.objects);
    if (code == ETNA_OK)
        code = refer_one(r, replaces ? c->things : other->what, &place,
                         &m.reference);
    if (code != ETNA_OK)
        return code;
    /* "the toy box with a chest", where the only chest is that box */
    if (m.objects.count == 1 && m.objects.objects[0] == m.reference)
        return clause_refuse(c, "it is to be replaced by itself");
    r->memory.last = r->memory.named = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}
