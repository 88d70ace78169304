/* Giving things to others: "give table 3 a menu". */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/trait.h"

/* "Give table 3 a menu", "table 3 gets a menu", and not "make table 3 a
 * menu". */
static bool clause_gives(const clause *c)
{
    const chart_node *verb = chart_child(c->said, "$verb");
    if (!verb)
        return true; /* the grammar has only "gets" without a verb of ours */
    /* "put a cup per table" */
    const bool is_dealt = chart_child(c->said, "FOREACH") != NULL;
    return reader_lists(c->r, verb->first, "give: gives") ||
           (is_dealt && reader_lists(c->r, verb->first, "give: puts"));
}

/* "The sofa gets a cushion": on it, whatever stands before it. */
static bool lies_on_seats(const reader *r, uint32_t object)
{
    return object_is_of(r, object, NOUNS_ON_SEATS);
}

/* "The table wants a vase in the middle" says where, and not which. */
static bool give_says_where(const chart_node *what)
{
    const chart_node *mod = chart_child(what, "MOD");
    return mod && mod->child_count > 0 && node_is(mod->children[0], "ZONE");
}

/* "The vase gets the lamp's place": where that stands, and not the lamp. */
static bool give_is_of_place(const clause *c, const chart_node *what)
{
    const reader *r = c->r;
    for (uint32_t at = what->first; at < what->end; at++) {
        const bool ends =
            at + 1 == what->end || strcmp(reader_word(r, at + 1), "of") == 0;
        if (at > what->first && ends && reader_lists(r, at, "$old_place"))
            return true;
    }
    return false;
}

/* "Chair 1 gets a plate": on the table in front of it, where it stands at one;
 * *ret_done false: it does not, or that is no place for it. */
static etna_code give_at_table(clause *c, bool *ret_done)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const uint32_t first = r->reading->count;
    const chart_node *what = node_things(c->said, 1);
    const chart_node *front[] = {terminal_make(r, "$rel", c->said, REL_FRONT),
                                 c->things};
    const chart_node *rel =
        front[0] ? node_make(r, "REL", c->said, front, 2) : NULL;
    const chart_node *parts[] = {what, rel};
    const chart_node *said = rel ? node_make(r, "DO", c->said, parts, 2) : NULL;
    *ret_done = false;
    if (!said)
        return reader_no_memory(r);
    clause put = {.r = r, .said = said, .things = what, .verb = VERB_PUT};
    details_gather(r, said, &put.d);
    etna_code code = clause_act(&put);
    const builtin_reading *reading = r->reading;
    const builtin_move *m = &reading->moves[first];
    *ret_done = code == ETNA_OK && reading->count == first + 1 &&
                m->relation == RELATION_SETTING &&
                !lies_on_seats(r, m->objects.objects[0]);
    if (*ret_done || code == ETNA_E_NOMEM)
        return code;
    *r = before;
    *r->err = why;
    r->reading->count = first;
    return ETNA_OK;
}

/* Do several get one each? */
static bool give_is_to_each(const clause *c)
{
    const chart_node *per = chart_child(c->said, "FOREACH");
    if (per && reader_word_is(c->r, per->first, "per"))
        return true;
    return phrase_is_each(c->things) || chart_child(c->said, "'each'");
}

/* "Both tables get a cup" */
static bool give_is_to_all(const clause *c)
{
    return node_says(c->things, "$quant", BIT(DET_BOTH) | BIT(DET_ALL));
}

/* "Every table gets a cup except table 3": of the tables, so as if they had been
 * named without that. */
static etna_code give_take_exception(clause *c)
{
    const chart_node *const but = chart_child(c->said, "BUT");
    if (!but)
        return ETNA_OK;
    match_query q;
    const chart_node *const left_out = node_things(but, 0);
    /* "the one at the back": a table, or what it gets? */
    const bool unclear = !phrase_has_noun(c->r, phrase_thing(left_out), &q);
    if ((!give_is_to_each(c) && !give_is_to_all(c)) || unclear)
        return clause_refuse_all(c);
    const chart_node *parts[] = {c->things, left_out};
    const chart_node *const things =
        node_make(c->r, "EXCEPT", c->things, parts, 2);
    const chart_node *given[] = {things, node_things(c->said, 1)};
    const chart_node *const said =
        things ? node_make(c->r, "GIVE", c->said, given, 2) : NULL;
    if (!said)
        return reader_no_memory(c->r);
    c->said = said;
    c->things = things;
    return ETNA_OK;
}

/* The "table" of "a cup per table" as "each table"; NULL: no memory. */
static const chart_node *give_each_of(const clause *c, const chart_node *what)
{
    const chart_node *const per = chart_child(c->said, "FOREACH");
    const chart_node *const core = chart_child(what, "CORE");
    if (!reader_word_is(c->r, per->first, "per") || !node_is(what, "THING") ||
        !core || what->child_count > 1)
        return what;
    const chart_node *parts[] = {terminal_make(c->r, "$quant", what, DET_EACH),
                                 core};
    return parts[0] ? node_make(c->r, "THING", what, parts, 2) : NULL;
}

/* "A cup for each table": what is given is named first. */
static etna_code give_turn_round(clause *c)
{
    const chart_node *per = chart_child(c->said, "FOREACH");
    if (!per)
        return ETNA_OK;
    const chart_node *parts[3] = {give_each_of(c, node_things(c->said, 1)),
                                  node_things(c->said, 0), per};
    if (!parts[0])
        return reader_no_memory(c->r);
    const chart_node *said = node_make(c->r, "GIVE", c->said, parts, 3);
    if (!said)
        return reader_no_memory(c->r);
    c->said = said;
    c->things = parts[0];
    return give_is_to_each(c) || give_is_to_all(c) ? ETNA_OK
                                                   : clause_refuse_all(c);
}

/* "The lamp needs the plant", and no word of what for. */
static bool give_is_need(const clause *c)
{
    static const char *const words[] = {"'needs'", "'need'",  "'takes'",
                                        "'take'",  "'wants'", "'lacks'",
                                        "'lack'",  "'misses'"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (chart_child(c->said, words[i]))
            return true;
    }
    return false;
}

/* "The shelf is for the books", "it should hold them" */
static bool give_bears(const clause *c)
{
    return chart_child(c->said, "BEARING") || chart_child(c->said, "MEANT");
}

/* Whatever "should carry" things has them on it, as far as they are to be told
 * from what it has in it. */
static builtin_relation give_relation(const clause *c,
                                      const builtin_set *objects,
                                      uint32_t reference)
{
    reader *const r = c->r;
    const builtin_relation to = preposition_to(r, objects, reference, REL_TO);
    const bool bears =
        chart_child(c->said, "BEARING") && object_bears_things(r, reference);
    return to == RELATION_BESIDE && bears ? RELATION_ON : to;
}

/* "every table a cup", "every table two chairs" */
static etna_code give_deal(clause *c, const builtin_set *each, builtin_move *m)
{
    const uint32_t number = phrase_number(node_things(c->said, 1));
    const uint32_t need = each->count * (number > 1 ? number : 1);
    m->each = *each;
    m->reference = each->objects[0];
    if (give_is_to_all(c) && m->objects.need != 1 && !phrase_is_each(c->things))
        return clause_refuse_all(c);
    /* a number of any size may be said */
    if (number > m->objects.count / each->count || m->objects.count < need)
        return clause_refuse_too_few(c, &m->objects, need);
    if (m->objects.need == 1 || number > 1)
        m->objects.need = need;
    m->each_number = number > 1 ? number : 0;
    return ETNA_OK;
}

/* What is given, and to what. */
static etna_code give_find(clause *c, builtin_move *m)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    refer_scope place = refer_scope_place(NULL);
    builtin_set each = {0};
    place.many = give_is_to_all(c) || give_is_to_each(c);
    etna_code code = place.many
                         ? refer_things(r, c->things, &place, &each)
                         : refer_one(r, c->things, &place, &m->reference);
    if (code == ETNA_OK)
        code = refer_things(r, node_things(c->said, 1), &movers, &m->objects);
    return code == ETNA_OK && place.many ? give_deal(c, &each, m) : code;
}

/* Does the clause not say what for, or not where: "the lamp needs the plant",
 * "a cup for each chair" of chairs at no table? */
static bool give_is_vague(const clause *c, const builtin_move *m)
{
    const reader *r = c->r;
    const bool upon = give_is_need(c) || give_bears(c);
    const bool on_seats = chart_child(c->said, "FOREACH") &&
                          object_is_seat(r, m->reference) &&
                          !lies_on_seats(r, m->objects.objects[0]);
    const bool before_seats = node_is(c->things, "EXCEPT") &&
                              object_is_seat(r, m->reference) &&
                              !lies_on_seats(r, m->objects.objects[0]);
    return on_seats || before_seats || (upon && m->relation == RELATION_BESIDE);
}

/* "give the table a cup". */
etna_code clause_give(clause *c)
{
    reader *r = c->r;
    bool done = false;
    builtin_move m = move_plain(c, RELATION_BESIDE);
    etna_code set = give_turn_round(c);
    if (set == ETNA_OK)
        set = give_take_exception(c);
    if (set != ETNA_OK)
        return set;
    const chart_node *const what = node_things(c->said, 1);
    if (!clause_gives(c) || give_says_where(what) || give_is_of_place(c, what))
        return clause_refuse_all(c);
    const bool takes = node_is(what, "PRON");
    if (!takes && !give_bears(c))
        set = give_at_table(c, &done);
    if (set != ETNA_OK || done)
        return set;
    etna_code code = give_find(c, &m);
    if (code != ETNA_OK)
        return code;
    m.relation = give_relation(c, &m.objects, m.reference);
    if (give_is_vague(c, &m))
        return clause_refuse_all(c);
    r->memory.last = m.objects;
    r->memory.last_reference = m.reference;
    return move_add(r, &m);
}
