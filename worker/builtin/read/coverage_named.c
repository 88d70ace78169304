/* What a place speaks of must be in the moves: "out of the sun", "closer to the
 * sofa", "in a square" would else be dropped in silence, each a wish that
 * nobody measures. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

enum {
    RELS_WAYS =
        BIT(REL_TOWARD) | BIT(REL_CLOSER) | BIT(REL_AWAY) | BIT(REL_FARTHER),
    RELATIONS_STANDING = BIT(RELATION_ON) | BIT(RELATION_IN) |
                         BIT(RELATION_UNDER) | BIT(RELATION_BETWEEN) |
                         BIT(RELATION_TUCK) | BIT(RELATION_STACK)
};

/* ---- what a phrase means ---- */

typedef struct named {
    bool known; /* it means something here, or needs not to */
    builtin_set things;
} named;

/* Without any trace of its having been read. */
static etna_code named_find(reader *r, const chart_node *what, named *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const reader before = *r;
    const etna_error why = *r->err;
    const builtin_set none = {0};
    bool is_level = false;
    uint32_t object = BUILTIN_NONE, level = 0;
    /* "their shelf", "the same shelf" is known by them */
    const bool its = node_says(what, "$det", BIT(DET_ITS)) ||
                     node_lists(r, what, "level: one");
    const builtin_set movers = its ? r->moving : none;
    *ret = (named){0};
    etna_code code = refer_level(r, what, &movers, &is_level, &object, &level);
    if (code == ETNA_OK && is_level)
        ret->things = set_one(&before, object);
    if (code != ETNA_E_NOMEM && !is_level)
        code = refer_things(r, what, &any, &ret->things);
    ret->known = code == ETNA_OK;
    *r = before;
    *r->err = why;
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* What needs no thing of the scene: "it", "me", "the room". */
static bool phrase_is_open(const reader *r, const chart_node *what)
{
    return node_is(what, "PRON") || phrase_means_room(r, what) ||
           phrase_is_a_room_of_several(r, what) || staged_named(r, what);
}

/* "The nearest table", of several things each its own; "the other wall", which
 * is another one now that it was spoken of. */
static bool phrase_is_of_moved(const reader *r, const chart_node *what)
{
    if (node_is(what, "THING") &&
        phrase_quantity(what).says & (SAYS_OTHER | SAYS_REST))
        return true;
    for (uint32_t at = what->first; at < what->end; at++) {
        if (reader_lists(r, at, "clause: nearest"))
            return true;
    }
    return false;
}

static bool moves_name_any(const reader *r,
                           uint32_t first,
                           const builtin_set *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        if (moves_name(r, first, things->objects[i]))
            return true;
    }
    return false;
}

/* "Facing the table and the stage" is not shown by the one of them. */
static etna_code conjuncts_check_named(reader *r,
                                       const chart_node *place,
                                       const chart_node *what,
                                       uint32_t first)
{
    const chart_node *conjuncts[CONJUNCTS_MAX];
    const uint32_t count =
        node_is(what, "AND") ? node_conjuncts(what, conjuncts) : 0;
    for (uint32_t i = 0; i < count; i++) {
        named n;
        if (phrase_is_open(r, conjuncts[i]) ||
            phrase_is_of_moved(r, conjuncts[i]))
            continue;
        const etna_code code = named_find(r, conjuncts[i], &n);
        if (code != ETNA_OK)
            return code;
        if (n.known && !moves_name_any(r, first, &n.things))
            return refuse_left_over(r, place);
    }
    return ETNA_OK;
}

/* Does what is moved stand on it, or close by? */
static bool moves_come_from(const reader *r,
                            uint32_t first,
                            const builtin_set *things)
{
    const double close = 1.0; /* metres */
    const builtin_set *moved = &r->reading->moves[first].objects;
    for (uint32_t i = 0; i < things->count; i++) {
        for (uint32_t k = 0; k < moved->count; k++) {
            const uint32_t from = things->objects[i], one = moved->objects[k];
            if (builtin_is_above(r->facts, one, from) ||
                object_way(r, from, one) < close)
                return true;
        }
    }
    return false;
}

/* ---- relations ---- */

static bool shows_way(const builtin_move *m)
{
    bool way =
        !bit_is_in(m->relation, RELATIONS_STANDING) || m->facing != FACING_NONE;
    for (uint32_t i = 0; i < m->also_count; i++)
        way = way || !bit_is_in(m->also[i].relation, RELATIONS_STANDING);
    return way;
}

static bool shows_one_corner(const builtin_move *m)
{
    bool shows = m->relation == RELATION_CORNER && m->sides != 0;
    for (uint32_t i = 0; i < m->also_count && m->relation == RELATION_STACK;
         i++)
        shows = shows || (m->also[i].relation == RELATION_CORNER &&
                          m->also[i].sides != 0);
    return shows;
}

static bool shows_turn(const builtin_move *m)
{
    return m->relation == RELATION_TURN;
}

static const chart_node *relation_word(const chart_node *rel)
{
    const chart_node *word = chart_child(rel, "$rel");
    if (!word)
        word = chart_child(rel, "$rel_to");
    return word ? word : chart_child(rel, "$rel_off");
}

/* "Closer to the sofa" of what stands between two things, "90 degrees around
 * the table": the thing may be in the moves, and the way is not. */
static bool relation_is_lost(const reader *r, uint32_t said, uint32_t first)
{
    if (bit_is_in(said, RELS_WAYS))
        return !moves_show(r, first, shows_way);
    return said == REL_AROUND && moves_show(r, first, shows_turn);
}

/* "1 m away from the window, closer to the sofa": does what goes by a length
 * come nearer to the thing, or leave it, as is said? */
static etna_code way_check(reader *r,
                           const chart_node *rel,
                           uint32_t said,
                           uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    const chart_node *what = node_things(rel, 0);
    named n = {0};
    if (m->relation != RELATION_SHIFT || !what || m->objects.count != 1)
        return ETNA_OK;
    if (!bit_is_in(said, RELS_WAYS) || node_is(what, "PRON"))
        return ETNA_OK;
    etna_code code = named_find(r, what, &n);
    if (code != ETNA_OK || n.things.count != 1)
        return code;
    const double *from = object_at(r, m->objects.objects[0])->centre;
    const double *to = object_at(r, n.things.objects[0])->centre;
    const double along =
        m->shift[0] * (to[0] - from[0]) + m->shift[1] * (to[1] - from[1]);
    const bool away = bit_is_in(said, BIT(REL_AWAY) | BIT(REL_FARTHER));
    const bool agrees = away ? along <= 0 : along >= 0;
    if (agrees)
        return ETNA_OK;
    return reader_refuse_finally(r, refuse_left_over(r, rel));
}

/* "Out of the way": whose is not said. "Along the wall until above the desk",
 * "toward the wall" of what is moved by a length: a way, and no place. */
static bool relation_is_path(const reader *r,
                             const chart_node *rel,
                             uint32_t said,
                             uint32_t first)
{
    const builtin_move *m = &r->reading->moves[first];
    const bool origin = bit_is_in(said, RELS_ORIGIN);
    if (origin && reader_word_is(r, rel->end - 1, "way"))
        return true;
    const bool from_own = origin && reader_word_is(r, rel->first + 1, "its");
    if (from_own)
        return true; /* "from its corner": where it stands already */
    const bool around = said == REL_AROUND && !shows_turn(m);
    if (m->objects.count == 1 && (said == REL_ALONG || around))
        return true;
    return bit_is_in(said, RELS_WAYS) && m->relation == RELATION_SHIFT;
}

/* "On the very top", of nothing: a thing that is merely the topmost was not
 * named. */
static bool phrase_is_mere_end(const reader *r, const chart_node *what)
{
    const chart_node *core =
        node_is(what, "THING") ? chart_child(what, "CORE") : NULL;
    for (uint32_t at = core ? core->first : 0; core && at + 1 < core->end;
         at++) {
        if (!reader_word_is(r, at, "very"))
            return false;
    }
    return core && reader_lists(r, core->end - 1, "told: end");
}

static bool sets_meet(const builtin_set *a, const builtin_set *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        if (set_has(a, b->objects[i]))
            return true;
    }
    return false;
}

/* "In the basket, the white one first": two things, and no other name of the
 * first. */
static etna_code apposition_check(reader *r,
                                  const chart_node *rel,
                                  const chart_node *what)
{
    const chart_node *one = node_things(what, 0), *other = node_things(what, 1);
    named first = {0}, second = {0};
    const bool are_two = node_is(what, "APPOSED") && one && other;
    /* "the one by the door" is of the first's */
    if (!are_two || phrase_is_open(r, other) || phrase_is_modified_alone(other))
        return ETNA_OK;
    etna_code code = named_find(r, one, &first);
    if (code == ETNA_OK)
        code = named_find(r, other, &second);
    if (code != ETNA_OK || !first.known || !second.known)
        return code;
    return sets_meet(&first.things, &second.things) ? ETNA_OK
                                                    : refuse_left_over(r, rel);
}

/* Of a relation what can be told without its thing; *ret_done: that is all. */
static etna_code relation_check_form(reader *r,
                                     const chart_node *rel,
                                     const chart_node *what,
                                     uint32_t first,
                                     bool *ret_done)
{
    const uint32_t relation = relation_word(rel)->value;
    *ret_done = true;
    if (phrase_is_mere_end(r, what))
        return refuse_left_over(r, rel);
    etna_code code = apposition_check(r, rel, what);
    if (code != ETNA_OK)
        return code;
    if (relation_is_path(r, rel, relation, first))
        return way_check(r, rel, relation, first);
    const bool measured =
        moves_show(r, first, shows_distance) || touch_is_within(r, rel, first);
    if (chart_child(rel, "DIST") && !measured)
        return refuse_left_over(r, rel);
    if (moves_show(r, first, shows_one_corner))
        return ETNA_OK; /* "in the corner by the door" */
    if (relation_is_lost(r, relation, first))
        return refuse_left_over(r, rel);
    *ret_done = phrase_is_open(r, what) || phrase_is_of_moved(r, what);
    return ETNA_OK;
}

/* Does the move put something on the thing, or leave what it is on open? */
static bool move_is_upon(const builtin_move *m, uint32_t object)
{
    const uint32_t elsewhere = BIT(RELATION_PLACE) | BIT(RELATION_SWAP);
    bool upon = m->support == object || set_has(&m->objects, object) ||
                !bit_is_in(m->relation, elsewhere);
    for (uint32_t i = 0; i < m->also_count; i++)
        upon = upon || m->also[i].relation == RELATION_ON;
    return upon;
}

/* "On the blue book, where the blue one is": its place is no place on it. */
static bool upon_is_lost(const reader *r,
                         uint32_t said,
                         const builtin_set *things,
                         uint32_t first)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        if (things->count != 1 || said != REL_ON ||
            move_is_upon(&r->reading->moves[i], things->objects[0]))
            return false;
    }
    return true;
}

/* The thing that a phrase names must be one of those that the moves name. */
static etna_code relation_check_named(reader *r,
                                      const chart_node *rel,
                                      uint32_t first)
{
    const chart_node *word = relation_word(rel), *what = node_things(rel, 0);
    named n;
    bool is_done = false;
    if (what && node_is(what, "EXCEPT"))
        what = what->children[0];
    if (!word || !what || word->value == REL_WITH)
        return ETNA_OK; /* coverage.c: partner_check */
    if (staged_replaces(r, what))
        return ETNA_OK; /* "replaced by a bigger one" */
    etna_code code = relation_check_form(r, rel, what, first, &is_done);
    if (code != ETNA_OK || is_done)
        return code;
    code = named_find(r, what, &n);
    if (code != ETNA_OK)
        return code;
    bool shown = n.known && moves_name_any(r, first, &n.things);
    if (bit_is_in(word->value, RELS_ORIGIN | BIT(REL_INSTEAD)))
        shown = shown || (n.known && moves_come_from(r, first, &n.things));
    /* "within reach of both chairs" */
    const bool all = node_says(what, "$quant", BIT(DET_BOTH));
    for (uint32_t i = 0; all && shown && i < n.things.count; i++)
        shown = moves_name(r, first, n.things.objects[i]);
    if (!shown || upon_is_lost(r, word->value, &n.things, first))
        return refuse_left_over(r, rel);
    return bit_is_in(word->value, RELS_ORIGIN)
               ? ETNA_OK
               : conjuncts_check_named(r, rel, what, first);
}

static etna_code phrase_check_named(reader *r,
                                    const chart_node *place,
                                    const chart_node *what,
                                    uint32_t first)
{
    named n;
    if (!what || phrase_is_open(r, what) || phrase_is_of_moved(r, what))
        return ETNA_OK;
    etna_code code = named_find(r, what, &n);
    if (code != ETNA_OK)
        return code;
    return n.known && !moves_name_any(r, first, &n.things)
               ? refuse_left_over(r, place)
               : conjuncts_check_named(r, place, what, first);
}

/* ---- the rest ---- */

/* "In opposite corners", of several: nothing says which of them each is in. */
static bool zone_is_lost(const reader *r,
                         const chart_node *zone,
                         uint32_t first)
{
    enum {
        OPPOSITE = 1,
        SAME = 3
    };
    const builtin_move *m = &r->reading->moves[first];
    for (uint32_t i = 0; i < zone->child_count; i++) {
        const chart_node *c = zone->children[i];
        if (node_is(c, "NUMBER") && m->objects.count > 1)
            return true; /* "all on one side of it" */
        if (node_is(c, "$det") && c->value == DET_SAME)
            return true;
        if (!node_is(c, "$zone_other"))
            continue;
        const bool opposite =
            c->value == OPPOSITE && m->objects.count > 1 && !m->sides;
        if (c->value == SAME || opposite)
            return true;
    }
    return false;
}

/* "At the left end, till to the right end", "at the corner, on the front": the
 * other side of a place on something, where no move has it. An end's side is of
 * the thing's own frame. */
static bool zone_side_is_lost(const reader *r,
                              const chart_node *zone,
                              uint32_t first)
{
    const uint32_t zones = BIT(RELATION_EDGE) | BIT(RELATION_CORNER);
    const unsigned all = SIDE_LEFT | SIDE_RIGHT | SIDE_FRONT | SIDE_BACK;
    unsigned said = 0;
    for (uint32_t i = 0; i < zone->child_count; i++) {
        if (node_is(zone->children[i], "$side"))
            said |= zone->children[i]->value & all;
    }
    bool lost = said != 0 && !chart_child(zone, "$zone_other") &&
                !chart_child(zone, "DIST");
    for (uint32_t i = first; i < r->reading->count && lost; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        lost = bit_is_in(m->relation, zones) && m->also_count == 0 &&
               (m->sides & said) == 0;
    }
    return lost;
}

static bool shows_middle_of(const builtin_move *m)
{
    const uint32_t amid = BIT(RELATION_MIDDLE) | BIT(RELATION_AT) |
                          BIT(RELATION_BETWEEN) | BIT(RELATION_OVER) |
                          BIT(RELATION_END) | BIT(RELATION_AGAINST) |
                          BIT(RELATION_EDGE) | BIT(RELATION_SETTING);
    bool middle = bit_is_in(m->relation, amid) || m->exact;
    for (uint32_t i = 0; i < m->also_count; i++)
        middle = middle || bit_is_in(m->also[i].relation, amid);
    return middle || m->align == ALIGN_MIDDLE || m->row_count > 2;
}

/* "Side by side in the middle of the table": a row somewhere on it is not in its
 * middle. */
static bool zone_middle_is_lost(const reader *r,
                                const chart_node *zone,
                                uint32_t first)
{
    const chart_node *const word = chart_child(zone, "$zone");
    const builtin_move *const m = &r->reading->moves[first];
    const uint32_t joint = BIT(RELATION_LINE) | BIT(RELATION_GROUP);
    return word && word->value == ZONE_MIDDLE &&
           bit_is_in(m->relation, joint) &&
           !moves_show(r, first, shows_middle_of);
}

/* "Narrow end first", "on the long side": an end of what is moved, which
 * nothing turns so. */
static bool zone_is_of_trait(reader *r, const chart_node *zone)
{
    const chart_node *owner = zone_owner(zone),
                     *word = chart_child(zone, "$zone");
    match_query q;
    const bool before =
        owner && word && owner->end == word->first && node_is(owner, "THING");
    if (!before || !chart_child(owner, "CORE") || chart_child(owner, "OF"))
        return false;
    return phrase_lacks_noun(r, owner, &q) && q.count > 0;
}

/* The same for "the edge of the table". */
static etna_code zone_check_named(reader *r,
                                  const chart_node *zone,
                                  uint32_t first)
{
    if (zone_is_lost(r, zone, first) || zone_side_is_lost(r, zone, first) ||
        zone_is_of_trait(r, zone) || zone_middle_is_lost(r, zone, first))
        return refuse_left_over(r, zone);
    named n;
    const chart_node *owner = zone_owner(zone);
    etna_code code = phrase_check_named(r, zone, owner, first);
    if (code != ETNA_OK || !owner)
        return code;
    if (phrase_is_open(r, owner) || phrase_is_of_moved(r, owner))
        return code;
    code = named_find(r, owner, &n);
    return code == ETNA_OK && !n.known ? refuse_left_over(r, zone) : code;
}

static etna_code things_check_named(reader *r,
                                    const chart_node *place,
                                    uint32_t first)
{
    const chart_node *what = node_things(place, 0);
    const uint32_t reference = r->reading->moves[first].reference;
    bool again = false;
    etna_code code =
        what ? phrase_is_again(r, what, reference, &again) : ETNA_OK;
    if (code != ETNA_OK || again)
        return code;
    return phrase_check_named(r, place, what, first);
}

etna_code place_check_named(reader *r, const chart_node *place, uint32_t first)
{
    static const struct {
        const char *name;
        etna_code (*check)(reader *r, const chart_node *place, uint32_t first);
    } rows[] = {
        {"REL", relation_check_named},   {"ZONE", zone_check_named},
        {"BETWEEN", things_check_named}, {"FACE", things_check_named},
        {"SEES", things_check_named},    {"BACKTO", things_check_named}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (node_is(place, rows[i].name))
            return rows[i].check(r, place, first);
    }
    return ETNA_OK;
}
