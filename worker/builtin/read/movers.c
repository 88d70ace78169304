/* Which things a clause moves: what its phrase means among those at the place
 * they are taken from, but for the excepted. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

typedef struct origin { /* where they are taken from */
    /* its phrase, whose noun "the other one" means next */
    const chart_node *what;
    builtin_set from;
    bool is_level; /* a board of the only one */
    uint32_t level;
} origin;

/* "from the table": the things, or a level of one. */
static etna_code origin_find(reader *r, const chart_node *what, origin *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .flat = true};
    const builtin_set none = {0};
    uint32_t base = BUILTIN_NONE;
    *ret = (origin){.what = what};
    etna_code code =
        refer_level(r, what, &none, &ret->is_level, &base, &ret->level);
    if (code == ETNA_OK && !ret->is_level)
        return refer_things(r, what, &any, &ret->from);
    if (code == ETNA_OK)
        ret->from = set_one(r, base);
    return code;
}

/* "The plates off the table and the tray": of each its own. The phrase is read
 * anew for each, as if nothing had been read. */
static etna_code movers_at_each(reader *r,
                                const reader *before,
                                const chart_node *things,
                                const origin *o,
                                builtin_set *ret)
{
    builtin_set all = {0}, some;
    refer_scope scope = refer_scope_movers();
    etna_code code = ETNA_OK;
    scope.on_level = o->level;
    for (uint32_t i = 0; i < o->from.count && code == ETNA_OK; i++) {
        scope.on = o->from.objects[i];
        *r = *before;
        code = refer_things(r, things, &scope, &some);
        if (code == ETNA_OK)
            code = set_union(r, &all, &some, &all);
    }
    if (code == ETNA_OK)
        *ret = all;
    return code;
}

/* Those at the first of the origins that has such. */
static etna_code movers_at_one(reader *r,
                               const reader *before,
                               const chart_node *things,
                               const origin *o,
                               builtin_set *ret)
{
    refer_scope scope = refer_scope_movers();
    scope.on_level = o->level;
    for (uint32_t i = 0; i < o->from.count; i++) {
        scope.on = o->from.objects[i];
        *r = *before;
        etna_code code = refer_things(r, things, &scope, ret);
        if (code == ETNA_E_INPUT)
            continue;
        match_query q;
        if (code == ETNA_OK && phrase_has_noun(r, o->what, &q))
            code = refer_remember(r, &q, false);
        r->memory.context = scope.on;
        r->memory.context_level = o->level;
        if (o->is_level)
            r->memory.last_reference = scope.on;
        return code;
    }
    return ETNA_E_INPUT;
}

/* "The bottles off their tables": those at all of the origins that have
 * such. */
static etna_code movers_at_all(reader *r,
                               const reader *before,
                               const chart_node *things,
                               const origin *o,
                               builtin_set *ret)
{
    builtin_set all = {0};
    builtin_set some;
    refer_scope scope = refer_scope_movers();
    for (uint32_t i = 0; i < o->from.count; i++) {
        scope.on = o->from.objects[i];
        *r = *before;
        etna_code code = refer_things(r, things, &scope, &some);
        if (code == ETNA_OK)
            code = set_union(r, &all, &some, &all);
        if (code != ETNA_OK && code != ETNA_E_INPUT)
            return code;
    }
    *ret = all;
    return all.count > 0 ? ETNA_OK : ETNA_E_INPUT;
}

/* Are several things taken from several others, each from where it is? */
static bool origin_is_of_all(const reader *r,
                             const chart_node *things,
                             const origin *o)
{
    const bool several =
        o->from.count > 1 && o->from.need == o->from.count && !o->is_level;
    return several && phrase_is_plural(r, things) &&
           phrase_is_plural(r, o->what);
}

/* "One chair from the middle table": of several that may be meant, those that
 * stand by it. */
static etna_code movers_by_origin(reader *r,
                                  const condition *from,
                                  builtin_set *movers)
{
    uint32_t *kept =
        etna_arena_alloc(r->arena, movers->count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < movers->count; i++) {
        double way = INFINITY;
        etna_code code = where_holds(r, from->node, movers->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (isfinite(way))
            kept[count++] = movers->objects[i];
    }
    if (count < movers->need)
        return reader_refuse(r, CODE_UNKNOWN, from->node,
                             "nothing that is meant stands \"%s\"",
                             reader_said(r, from->node));
    *movers =
        (builtin_set){.count = count, .objects = kept, .need = movers->need};
    return ETNA_OK;
}

/* The phrase without its number. NULL: it has none, or no memory. */
static const chart_node *phrase_without_number(const reader *r,
                                               const chart_node *phrase)
{
    const chart_node *kept[CONJUNCTS_MAX];
    uint32_t count = 0;
    if (!node_is(phrase, "THING") || phrase->child_count > CONJUNCTS_MAX ||
        !chart_child(phrase, "NUMBER"))
        return NULL;
    for (uint32_t i = 0; i < phrase->child_count; i++) {
        if (!node_is(phrase->children[i], "NUMBER"))
            kept[count++] = phrase->children[i];
    }
    return node_make(r, "THING", phrase, kept, count);
}

/* "The chair from the desk", where there are four chairs: the one that stands
 * by it; "the two crates from the wall", of three: those. The refusal that was
 * made stays where that does not help, and where "from it" measures rather than
 * tells which. */
static etna_code movers_one_by_origin(reader *r,
                                      const chart_node *things,
                                      const condition *from,
                                      const reader *before,
                                      builtin_set *ret)
{
    const reader refused = *r;
    const etna_error why = *r->err;
    const refer_scope many = {
        .movers = true, .on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    if (strcmp(r->refusal.code, "ambiguous") != 0 ||
        phrase_is_pronoun(from->what, PRON_IT))
        return ETNA_E_INPUT;
    *r = *before;
    const uint32_t number = phrase_number(things);
    const chart_node *const all =
        number > 1 ? phrase_without_number(r, things) : NULL;
    etna_code code = refer_things(r, all ? all : things, &many, &of);
    of.need = number > 1 ? number : 1;
    if (code == ETNA_OK)
        code = movers_by_origin(r, from, &of);
    if (code == ETNA_OK && of.count == of.need) {
        *ret = of;
        *r->err = (etna_error){0};
        return ETNA_OK;
    }
    if (code == ETNA_E_NOMEM)
        return code;
    *r = refused;
    *r->err = why;
    return ETNA_E_INPUT;
}

static bool object_is_there(const reader *r,
                            uint32_t object,
                            const void *context)
{
    const uint32_t *base = context;
    return builtin_stands_on(r->facts, object, *base);
}

static bool object_is_close_there(const reader *r,
                                  uint32_t object,
                                  const void *context)
{
    const double close = 0.6; /* metres */
    const uint32_t *base = context;
    return object != *base && object_way(r, object, *base) < close;
}

/* "Put the tin on the table", where all the tins are there already: a trash can
 * elsewhere answers worse than they do, and is not meant. */
static bool others_answer_as_well(reader *r,
                                  const chart_node *things,
                                  const builtin_set *there,
                                  const builtin_set *others)
{
    uint32_t least = MATCH_NONE;
    match_query q;
    if (!phrase_has_noun(r, things, &q))
        return true;
    for (uint32_t i = 0; i < there->count; i++) {
        const uint32_t cost = reader_match(r, there->objects[i], &q).cost;
        least = cost < least ? cost : least;
    }
    for (uint32_t i = 0; i < others->count; i++) {
        const uint32_t cost = reader_match(r, others->objects[i], &q).cost;
        if (cost > least && cost - least > SLACK_ONE)
            return false;
    }
    return true;
}

/* Those that stand already where the clause puts something, if it names one such
 * place; the reader is as it was. */
static etna_code movers_find_there(const clause *c,
                                   const reader *before,
                                   builtin_set *ret)
{
    reader *r = c->r;
    const refer_scope place = {.flat = true, .on = BUILTIN_NONE};
    uint32_t base = BUILTIN_NONE;
    *r = *before;
    etna_code code = refer_one(r, c->d.relations[0].what, &place, &base);
    const bool upon =
        bit_is_in(c->d.relations[0].relation, BIT(REL_ON) | BIT(REL_IN));
    if (code == ETNA_OK && base < r->facts->object_count)
        code = set_filter(r, upon ? object_is_there : object_is_close_there,
                          &base, ret);
    *r = *before;
    return code;
}

/* "Put the cushion on the sofa", where one of two lies there already: the other
 * one. "The other stool at the table" is the one that is not there. The refusal
 * that was made stays where that does not help. */
static etna_code movers_not_there(const clause *c,
                                  const chart_node *things,
                                  const reader *before,
                                  builtin_set *ret)
{
    reader *r = c->r;
    const reader refused = *r;
    const etna_error why = *r->err;
    const bool one_place = c->d.relation_count == 1 && c->d.zone_count == 0;
    builtin_set there = {0};
    /* "the box of gloves", where both stand there: no other box is one */
    const bool told = node_is(things, "THING") && chart_child(things, "OF");
    if (strcmp(r->refusal.code, "ambiguous") != 0 || !one_place || told)
        return ETNA_E_INPUT;
    const uint32_t by =
        BIT(REL_AT) | BIT(REL_TO) | BIT(REL_BESIDE) | BIT(REL_NEAR);
    const bool other =
        node_is(things, "THING") && (phrase_quantity(things).says & SAYS_OTHER);
    const uint32_t known = BIT(REL_ON) | BIT(REL_IN) | (other ? by : 0);
    if (!bit_is_in(c->d.relations[0].relation, known))
        return ETNA_E_INPUT;
    etna_code code = movers_find_there(c, before, &there);
    const refer_scope elsewhere = {
        .movers = true, .on = BUILTIN_NONE, .barred = &there};
    if (code == ETNA_OK && there.count > 0)
        code = refer_things(r, things, &elsewhere, ret);
    const bool helps = code == ETNA_OK && there.count > 0 &&
                       others_answer_as_well(r, things, &there, ret);
    if (helps) {
        *r->err = (etna_error){0};
        return ETNA_OK;
    }
    if (code != ETNA_OK && code != ETNA_E_INPUT)
        return code;
    *r = refused;
    *r->err = why;
    return ETNA_E_INPUT;
}

/* "On the second shelf from the bottom" counts the shelves: nothing is taken
 * from there. */
static bool origin_counts(const clause *c, const condition *from)
{
    const char *words[REFER_WORDS_MAX], *end[REFER_WORDS_MAX];
    if (!node_is(from->what, "THING") ||
        phrase_words(c->r, from->what, end) != 1)
        return false;
    if (strcmp(end[0], "bottom") != 0 && strcmp(end[0], "top") != 0)
        return false;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const condition *to = &c->d.relations[i];
        const bool before =
            node_is(to->what, "THING") && to->node->end == from->node->first;
        if (before && phrase_words(c->r, to->what, words) > 0 &&
            lexicon_ordinal(words[0]) > 0)
            return true;
    }
    return false;
}

/* "All the things from the stool", where nothing is on it: not all that there
 * is. */
static bool things_are_any(reader *r, const chart_node *things)
{
    match_query q;
    if (!node_is(things, "THING") || !chart_child(things, "CORE"))
        return false;
    return phrase_query(r, things, &q) == ETNA_OK && !q.has_noun && q.generic &&
           phrase_is_plural(r, things);
}

/* What is there of the name: at each, all of it, or some. */
static etna_code movers_at_origin(reader *r,
                                  const chart_node *things,
                                  const condition *from,
                                  builtin_set *ret)
{
    const reader before = *r;
    origin o;
    etna_code code = origin_find(r, from->what, &o);
    /* "one from table 3" is no table */
    r->memory.noun_count = before.memory.noun_count;
    memcpy(r->memory.nouns, before.memory.nouns, sizeof r->memory.nouns);
    if (code != ETNA_OK)
        return code;
    if (node_is(from->what, "AND"))
        return movers_at_each(r, &before, things, &o, ret);
    if (origin_is_of_all(r, things, &o))
        return movers_at_all(r, &before, things, &o, ret);
    return movers_at_one(r, &before, things, &o, ret);
}

static bool candidates_have(const candidates *c, uint32_t object)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->items[i].object == object)
            return true;
    }
    return false;
}

/* Of what the phrase may mean, what stands in other rooms than the named one.
 * Empty: nothing tells where that room is, or all of it is there. */
static etna_code movers_of_other_rooms(reader *r,
                                       const chart_node *things,
                                       const char *room,
                                       builtin_set *ret)
{
    const refer_scope any_of = {
        .movers = true, .on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set all = {0};
    candidates there;
    *ret = (builtin_set){0};
    etna_code code = refer_things(r, things, &any_of, &all);
    if (code == ETNA_OK)
        code = candidates_of_set(r, &all, &there);
    if (code != ETNA_OK || !candidates_by_room(r, room, &there))
        return code;
    uint32_t *others = etna_arena_alloc(r->arena, all.count, sizeof *others);
    if (!others)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!candidates_have(&there, all.objects[i]))
            others[ret->count++] = all.objects[i];
    }
    ret->objects = others;
    return ETNA_OK;
}

/* "The bin from the bedroom", of several rooms: no bin of another one, however
 * well that is in sight. */
static etna_code movers_of_room(reader *r,
                                const chart_node *things,
                                const condition *from,
                                builtin_set *ret)
{
    const char *words[REFER_WORDS_MAX];
    const reader before = *r;
    builtin_set others;
    if (!phrase_is_a_room_of_several(r, from->what) ||
        phrase_words(r, from->what, words) == 0)
        return ETNA_E_INPUT;
    etna_code code = movers_of_other_rooms(r, things, words[0], &others);
    *r = before;
    if (code != ETNA_OK || others.count == 0)
        return code == ETNA_OK ? ETNA_E_INPUT : code;
    const refer_scope scope = {
        .movers = true, .on = BUILTIN_NONE, .barred = &others};
    return refer_things(r, things, &scope, ret);
}

/* What the phrase means wherever it stands; the origin (NULL: none is said)
 * tells which only where the phrase does not. */
static etna_code movers_anywhere(const clause *c,
                                 const chart_node *things,
                                 const condition *from,
                                 builtin_set *ret)
{
    reader *r = c->r;
    const refer_scope anywhere = refer_scope_movers();
    const reader before = *r;
    etna_code code = refer_things(r, things, &anywhere, ret);
    if (code == ETNA_E_INPUT && from)
        code = movers_one_by_origin(r, things, from, &before, ret);
    if (code == ETNA_E_INPUT)
        code = movers_not_there(c, things, &before, ret);
    bool any_of = code == ETNA_OK && ret->need != ret->count;
    return from && any_of ? movers_by_origin(r, from, ret) : code;
}

/* What a phrase calls so, and seats that it may be before. */
typedef struct seated {
    builtin_set called, seats;
} seated;

static bool object_is_before_seat(const reader *r,
                                  uint32_t object,
                                  const void *context)
{
    const seated *const at = context;
    bool before = false;
    for (uint32_t i = 0; i < at->seats.count && !before; i++)
        before = where_is_before_seat(r, object, at->seats.objects[i]);
    return before && set_has(&at->called, object);
}

/* All of them seats, each of which is meant? */
static bool set_is_of_seats(const reader *r, const builtin_set *set)
{
    bool seats = set->count > 0 && set->need == set->count;
    for (uint32_t i = 0; i < set->count && seats; i++)
        seats = object_is_seat(r, set->objects[i]);
    return seats;
}

/* "The plates from chair A", on which none lies: who sits there has them
 * before them. *ret_are_seats false: they are from something else. */
static etna_code movers_before_seats(reader *r,
                                     const chart_node *things,
                                     const condition *from,
                                     builtin_set *ret,
                                     bool *ret_are_seats)
{
    const refer_scope any = {
        .movers = true, .on = BUILTIN_NONE, .many = true, .any = true};
    const quantity said = phrase_quantity(phrase_thing(things));
    origin o;
    seated at = {0};
    builtin_set there = {0};
    etna_code code = origin_find(r, from->what, &o);
    *ret_are_seats = code == ETNA_OK && from->relation == REL_FROM &&
                     set_is_of_seats(r, &o.from);
    if (!*ret_are_seats)
        return code;
    at.seats = o.from;
    code = refer_things(r, things, &any, &at.called);
    if (code == ETNA_OK)
        code = set_filter(r, object_is_before_seat, &at, &there);
    /* the only coat from a chair may hang on it */
    *ret_are_seats = code != ETNA_OK || at.called.count > 1;
    if (code != ETNA_OK || !*ret_are_seats)
        return code;
    const bool one = !said.number && !phrase_is_plural(r, things);
    const uint32_t wanted = one ? 1 : said.number;
    if (there.count == 0 || (wanted > 0 && wanted != there.count))
        return reader_refuse(r, CODE_UNKNOWN, from->node,
                             "%u of what is meant stand \"%s\"", there.count,
                             reader_said(r, from->node));
    *ret = there;
    return ETNA_OK;
}

/* What is moved, from where it is moved. If nothing of that name is there, a
 * plain reading without the origin is tried. */
static etna_code movers_at(const clause *c,
                           const chart_node *things,
                           builtin_set *ret)
{
    reader *r = c->r;
    const condition *from = details_origin(&c->d, false);
    const reader before = *r;
    if (from && origin_counts(c, from))
        return clause_refuse_all(c);
    const bool pronoun = phrase_is_pronoun(things, PRON_IT) ||
                         phrase_is_pronoun(things, PRON_THEM);
    if (from && !pronoun) {
        etna_code code = movers_of_room(r, things, from, ret);
        if (code != ETNA_E_INPUT)
            return code;
        *r = before;
        code = movers_at_origin(r, things, from, ret);
        if (code != ETNA_E_INPUT || things_are_any(r, things))
            return code;
        *r = before;
        bool are_seats = false;
        code = movers_before_seats(r, things, from, ret, &are_seats);
        if (are_seats)
            return code;
        *r = before;
    }
    return movers_anywhere(c, things, from, ret);
}

/* "Clear the desk: everything onto the shelf except the lamp": nor is the lamp
 * cleared away. */
etna_code clearing_spare(reader *r, const builtin_set *but)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count && code == ETNA_OK;
         i++) {
        builtin_move *m = &r->reading->moves[i];
        builtin_set rest;
        if (m->relation != RELATION_OFF || m->reference != r->memory.context)
            continue;
        code = set_without(r, &m->objects, but, &rest);
        if (code == ETNA_OK && rest.count > 0)
            m->objects = (builtin_set){.count = rest.count,
                                       .objects = rest.objects,
                                       .need = rest.count};
    }
    return code;
}

/* The members of `kind` that the parts of a list name, one each. A member that
 * is named twice counts once. */
static etna_code members_named(reader *r,
                               const chart_node *const *parts,
                               uint32_t count,
                               const builtin_set *kind,
                               builtin_set *ret)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        uint32_t object = 0;
        code = member_find(r, parts[i], kind, &object);
        const builtin_set one = set_one(r, object);
        if (code == ETNA_OK)
            code = set_union(r, ret, &one, ret);
    }
    return code;
}

/* "The three tins, from left to right red, green, white", where there are four:
 * those that are listed. *ret untouched where that tells no such. */
static etna_code movers_find_listed(const clause *c,
                                    const chart_node *things,
                                    builtin_set *ret,
                                    bool *ret_done)
{
    reader *r = c->r;
    const chart_node *parts[CONJUNCTS_MAX];
    const chart_node *list =
        c->d.in_order ? chart_child(c->d.in_order, "AND") : NULL;
    const chart_node *all = list ? phrase_without_number(r, things) : NULL;
    const uint32_t count = list ? node_conjuncts(list, parts) : 0;
    builtin_set kind = {0}, named = {0};
    *ret_done = false;
    if (!all || phrase_quantity(things).number != count)
        return ETNA_OK;
    etna_code code = movers_at(c, all, &kind);
    if (code == ETNA_OK)
        code = members_named(r, parts, count, &kind, &named);
    *ret_done = code == ETNA_OK && named.count == count;
    if (*ret_done)
        *ret = named;
    return code;
}

/* What a part of a row's list names; where that may be any of several, the one
 * within the scope `own`. */
static etna_code row_find_mover(reader *r,
                                const chart_node *part,
                                const refer_scope *own,
                                builtin_set *ret)
{
    const refer_scope any = refer_scope_movers();
    const reader before = *r;
    etna_code code = refer_things(r, part, &any, ret);
    if (code != ETNA_E_INPUT || strcmp(r->refusal.code, "ambiguous") != 0)
        return code;
    *r = before;
    return refer_things(r, part, own, ret);
}

/* Of a row's things, one that may be any of several is the one that stands where
 * the row goes. */
static etna_code movers_of_row(const clause *c,
                               const chart_node *things,
                               builtin_set *ret,
                               bool *ret_done)
{
    reader *r = c->r;
    const chart_node *parts[CONJUNCTS_MAX];
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    const bool there = c->d.relation_count == 1 && c->d.zone_count == 0 &&
                       bit_is_in(c->d.relations[0].relation, BIT(REL_ON));
    const uint32_t count = node_conjuncts(things, parts);
    refer_scope own = refer_scope_movers();
    builtin_set all = {0};
    *ret_done = false;
    if (!there || count < 2)
        return ETNA_OK;
    etna_code code = refer_one(r, c->d.relations[0].what, &flat, &own.on);
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        builtin_set one = {0};
        code = row_find_mover(r, parts[i], &own, &one);
        if (code == ETNA_OK)
            code = set_union(r, &all, &one, &all);
    }
    *ret_done = code == ETNA_OK;
    if (*ret_done)
        *ret = all;
    return code;
}

/* What the phrase means; where it means more than it asks for, a list of the
 * clause may tell which. */
static etna_code movers_or_listed(const clause *c,
                                  const chart_node *things,
                                  builtin_set *ret)
{
    reader *r = c->r;
    const reader start = *r;
    etna_code code = movers_at(c, things, ret);
    if (code != ETNA_E_INPUT || (!c->d.in_order && !c->d.row))
        return code;
    const reader refused = *r;
    const etna_error why = *r->err;
    bool done = false;
    *r = start;
    if (c->d.in_order)
        code = movers_find_listed(c, things, ret, &done);
    else if (node_is(things, "AND"))
        code = movers_of_row(c, things, ret, &done);
    if (done || code == ETNA_E_NOMEM)
        return code;
    *r = refused;
    *r->err = why;
    return ETNA_E_INPUT;
}

/* Is it in the other, and not merely on it: a third of its height, or 5 cm,
 * below that one's top? */
static bool object_is_contained(const reader *r, uint32_t object, uint32_t in)
{
    const double share = 0.3, deep = 0.05; /* metres */
    const builtin_object *const o = object_at(r, object);
    const builtin_object *const by = object_at(r, in);
    const double bottom = o->centre[2] - o->half[2];
    const double below = by->centre[2] + by->half[2] - bottom;
    return builtin_is_above(r->facts, object, in) &&
           below > fmin(deep, share * 2 * o->half[2]);
}

/* "The two rolls and the whole basket into the corner": what is in the basket
 * stays there. */
static etna_code movers_drop_contents(const clause *c,
                                      const chart_node *things,
                                      builtin_set *ret)
{
    builtin_set inside = {0};
    const bool each = c->d.row || c->d.in_order || c->d.pile;
    const uint32_t verbs = BIT(VERB_PUT) | BIT(VERB_MOVE);
    if (each || !node_is(things, "AND") || !bit_is_in(c->verb, verbs) ||
        ret->need != ret->count)
        return ETNA_OK;
    for (uint32_t i = 0; i < ret->count; i++) {
        for (uint32_t k = 0; k < ret->count; k++) {
            builtin_set one = set_one(c->r, ret->objects[i]);
            const bool is_in =
                i != k &&
                object_is_contained(c->r, ret->objects[i], ret->objects[k]);
            if (is_in && set_union(c->r, &inside, &one, &inside) != ETNA_OK)
                return ETNA_E_NOMEM;
        }
    }
    return inside.count ? set_without(c->r, ret, &inside, ret) : ETNA_OK;
}

/* With "except ..." taken out; r->excepted keeps those, as they must stay. */
etna_code movers_find(const clause *c,
                      const chart_node *things,
                      builtin_set *ret)
{
    reader *r = c->r;
    etna_code code = movers_or_listed(c, things, ret);
    if (code == ETNA_OK)
        code = movers_drop_contents(c, things, ret);
    if (code != ETNA_OK || !c->d.except)
        return code;
    builtin_set but;
    /* "the pillows off the bed except the white one", the only one there */
    if (ret->count == 1 && phrase_is_plural(r, things))
        return reader_refuse_said(r, CODE_UNMET, c->d.except,
                                  "there is but one, and it may be that");
    code = refer_excepted(r, c->d.except, ret, &but);
    if (code != ETNA_OK)
        return code;
    const bool some = but.need < but.count;
    r->excepted = some ? (builtin_set){0} : but;
    code = refer_without(r, things, &but, ret);
    if (code == ETNA_OK && !some)
        code = clearing_spare(r, &but);
    if (code == ETNA_OK && ret->count == 0)
        return reader_refuse(r, CODE_UNKNOWN, things, "\"%s\" leaves nothing",
                             reader_said(r, things));
    return code;
}

/* ---- as many as there are places ---- */

static bool object_answers(const reader *r,
                           uint32_t object,
                           const void *context)
{
    const match_query *q = context;
    return !object_at(r, object)->is_static &&
           reader_match(r, object, q).cost < 100;
}

/* The words of the phrase itself. */
static etna_code movers_query(const clause *c, match_query *ret)
{
    reader *r = c->r;
    const char *words[REFER_WORDS_MAX];
    const chart_node *core = chart_child(c->things, "CORE");
    uint32_t count = 0;
    for (uint32_t i = 0;
         core && i < core->child_count && count < REFER_WORDS_MAX; i++) {
        if (node_is(core->children[i], "$w"))
            words[count++] = r->s->tokens[core->children[i]->value].text;
    }
    if (count > 1 && strcmp(words[count - 1], "back") == 0)
        count--; /* "the cushion back on the sofa" */
    return reader_query(r, words, count, ret);
}

/* How many go to the two places together; 0: that is not clear. "Two at each
 * end" are four, "two at both ends" are two. */
static uint32_t movers_for_two(const clause *c)
{
    const builtin_set *movers = &c->movers;
    const bool some = movers->need < movers->count;
    const bool counted = chart_child(c->things, "NUMBER") != NULL;
    const bool definite = node_says(c->things, "$det", BIT(DET_THE)) ||
                          chart_child(c->things, "$quant");
    const bool any = some || (counted && !definite);
    if (details_say_each(&c->d) && movers->need > 1 && any)
        return 2 * movers->need;
    if (movers->need < 2)
        return 2;
    /* "the four plates on the table, one at each side" */
    if (movers->need > 2 && chart_child(c->d.zones[0], "ONEEACH"))
        return 0;
    return movers->need % 2 == 0 ? movers->need : 0;
}

/* "one lamp at each end": two of that kind. */
etna_code movers_find_for_ends(clause *c)
{
    builtin_set *movers = &c->movers;
    builtin_set kind;
    if (!details_say_each_end(c->r, &c->d))
        return ETNA_OK;
    if (movers->count != 1) {
        const uint32_t need = movers_for_two(c);
        if (need == 0)
            return clause_refuse(c, "how many go to each side is not clear");
        if (need > movers->count)
            return clause_refuse_too_few(c, movers, need);
        movers->need = need;
        return ETNA_OK;
    }
    match_query q;
    etna_code code = movers_query(c, &q);
    if (code == ETNA_OK)
        code = set_filter(c->r, object_answers, &q, &kind);
    if (code != ETNA_OK || kind.count < 2)
        return code;
    *movers = kind;
    movers->need = 2;
    return ETNA_OK;
}

/* what a phrase may mean as well as the one found, but for what is on the
 * base */
typedef struct rival {
    match_query query;
    uint32_t cost; /* of the one found */
    uint32_t base;
} rival;

static bool object_is_elsewhere(const reader *r,
                                uint32_t object,
                                const void *context)
{
    const rival *of = context;
    if (object == of->base || object_at(r, object)->is_static ||
        builtin_is_above(r->facts, object, of->base))
        return false;
    return reader_match(r, object, &of->query).cost <= of->cost;
}

/* Does the phrase say which, and not only what? */
static bool query_tells_which(const match_query *q)
{
    const bool looks = q->colour || q->size || q->superlative;
    const bool ranks = q->sides || q->ordinal || q->partitive;
    return looks || ranks || q->room;
}

/* "put the cup on the table" while one is there already: another of them is
 * meant, if it is the only one elsewhere. */
etna_code movers_take_one_elsewhere(const clause *c,
                                    uint32_t base,
                                    builtin_set *movers)
{
    reader *r = c->r;
    rival of = {.base = base};
    builtin_set elsewhere = {0};
    bool one = movers->count == 1 && base < r->facts->object_count &&
               node_is(c->things, "THING");
    /* what is told besides tells which one, wherever that stands */
    if (!one || phrase_is_modified(c->things) ||
        !builtin_stands_on(r->facts, movers->objects[0], base))
        return ETNA_OK;
    etna_code code = movers_query(c, &of.query);
    if (code != ETNA_OK || query_tells_which(&of.query))
        return code;
    of.cost = reader_match(r, movers->objects[0], &of.query).cost;
    if (of.cost < MATCH_NONE)
        code = set_filter(r, object_is_elsewhere, &of, &elsewhere);
    if (code != ETNA_OK || elsewhere.count == 0)
        return code;
    if (elsewhere.count > 1)
        return reader_refuse(
            r, CODE_AMBIGUOUS, c->things,
            "\"%s\" may be any of %u that do not stand there yet",
            reader_said(r, c->things), elsewhere.count);
    *movers = set_one(r, elsewhere.objects[0]);
    return ETNA_OK;
}

/* ---- one of them ---- */

/* "The smallest", and nothing else about it. */
static bool query_is_by_size_alone(const match_query *q)
{
    const bool more = q->ordinal || q->colour || q->sides;
    return q->superlative && q->size && !more;
}

/* "The smallest": of all of them, whatever each is called. */
static etna_code member_find_by_size(reader *r,
                                     const chart_node *phrase,
                                     const builtin_set *set,
                                     uint32_t *ret,
                                     bool *ret_found)
{
    match_query q;
    candidates c;
    const bool bare =
        phrase_lacks_noun(r, phrase, &q) && query_is_by_size_alone(&q);
    if (!bare || set->need != set->count)
        return ETNA_OK;
    etna_code code = candidates_of_set(r, set, &c);
    if (code != ETNA_OK)
        return code;
    candidates_by_size(r, &c, q.size, 1);
    *ret_found = c.count == 1;
    if (*ret_found)
        *ret = c.items[0].object;
    return ETNA_OK;
}

/* Which of the set a phrase means; only the set's own things are looked at. */
etna_code member_find(reader *r,
                      const chart_node *phrase,
                      const builtin_set *set,
                      uint32_t *ret)
{
    builtin_set others, one;
    etna_code code = set_others(r, set, &others);
    if (code != ETNA_OK)
        return code;
    const refer_scope scope = {
        .movers = true, .on = BUILTIN_NONE, .barred = &others, .any = true};
    const reader_memory memory = r->memory;
    bool is_found = false;
    code = member_find_by_size(r, phrase, set, ret, &is_found);
    if (code != ETNA_OK || is_found)
        return code;
    r->memory.named = *set; /* "the red": of these */
    code = refer_things(r, phrase, &scope, &one);
    r->memory = memory;
    if (code == ETNA_OK && one.count != 1 && one.need != 1)
        return reader_refuse(r, CODE_AMBIGUOUS, phrase,
                             "\"%s\" may be any of %u", reader_said(r, phrase),
                             one.count);
    if (code == ETNA_OK)
        *ret = one.objects[0];
    return code;
}
