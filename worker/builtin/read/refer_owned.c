/* "The desk's lamp", "David's chair", "two of the bottles": things by whose they
 * are, and a part of several. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

typedef struct ownership {
    const reader *r;
    uint32_t owner;
} ownership;

static bool object_is_owned(const void *context, uint32_t object)
{
    const double close = 1; /* metre */
    const ownership *o = context;
    return object_way(o->r, object, o->owner) < close;
}

/* "The table's things": what stands on it. */
static bool object_stands_on_owner(const void *context, uint32_t object)
{
    const ownership *o = context;
    return object != o->owner &&
           builtin_is_above(o->r->facts, object, o->owner);
}

typedef struct called { /* both halves of "the teacher's desk" */
    const reader *r;
    const match_query *owner, *own;
} called;

/* All said words are in the name. */
static bool name_says_all(const builtin_object *o, const match_query *q)
{
    uint32_t said = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        bool has = false;
        for (uint32_t k = 0; k < o->word_count && !has; k++)
            has = builtin_same_word(o->words[k], q->words[i]);
        said += has;
    }
    return q->count > 0 && said == q->count;
}

static bool object_is_called(const void *context, uint32_t object)
{
    const called *c = context;
    const builtin_object *o = &c->r->facts->objects[object];
    if (reader_match(c->r, object, c->own).cost >= MATCH_NOT_HEAD)
        return false; /* a trolley for books is no book */
    return name_says_all(o, c->owner) && name_says_all(o, c->own);
}

/* "David's chair", where one is called Chair David: somebody's name has no
 * article, and is no head of what is his. */
static void candidates_of_somebody(reader *r,
                                   const chart_node *owner,
                                   const called *both,
                                   candidates *named)
{
    const bool article =
        chart_child(owner, "$det") || chart_child(owner, "$quant");
    if (!node_is(owner, "THING") || article || named->count > 0)
        return;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = object_at(r, i);
        if (name_says_all(o, both->owner) && name_says_all(o, both->own))
            candidates_add(named, i, 0);
    }
}

/* "The teacher's desk", where something is named "Teacher desk": no teacher is
 * looked for. *ret_count 0: there is no such. */
static etna_code refer_by_both(reader *r,
                               const chart_node *node,
                               const match_query *own,
                               uint32_t *ret_count,
                               builtin_set *ret)
{
    match_query owner;
    candidates named;
    *ret_count = 0;
    etna_code code = phrase_query(r, node->children[0], &owner);
    if (code == ETNA_OK)
        code = candidates_make(r, &named);
    if (code != ETNA_OK)
        return code;
    const resolution any = {
        .r = r, .thing = node, .scope = {.on = BUILTIN_NONE}};
    gather(&any, own, &named);
    const called both = {.r = r, .owner = &owner, .own = own};
    candidates_select(&named, object_is_called, &both, true);
    candidates_of_somebody(r, node->children[0], &both, &named);
    bool plural =
        own->count > 0 && match_is_plural_word(own->words[own->count - 1]);
    if (named.count > 1 && !plural)
        return ETNA_OK;
    *ret_count = named.count;
    return named.count > 0 ? candidates_set(r, &named, named.count, ret)
                           : ETNA_OK;
}

static bool words_name_person(const char *const *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (lexicon_is_person(words[i]))
            return true;
    }
    return false;
}

static bool owner_is_person(reader *r, const chart_node *owner)
{
    const char *words[REFER_WORDS_MAX];
    return words_name_person(words, phrase_words(r, owner, words));
}

bool object_is_peoples(const void *context, uint32_t object)
{
    const reader *r = context;
    const builtin_object *o = &r->facts->objects[object];
    return words_name_person(o->words, o->word_count);
}

/* Is the word another for the same people: "kids" for children? */
static bool words_are_of_same_people(const char *a, const char *b)
{
    static const char *const groups[] = {"people: young", "people: female",
                                         "people: male", "people: guest",
                                         "people: learner"};
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        if (lexicon_lists(groups[i], a) && lexicon_lists(groups[i], b))
            return true;
    }
    return false;
}

typedef struct owners { /* who is no thing of the scene */
    const reader *r;
    uint32_t count; /* of words for them */
    const char *words[REFER_WORDS_MAX];
} owners;

static bool word_is_theirs(const owners *own, const char *word)
{
    for (uint32_t i = 0; i < own->count; i++) {
        if (builtin_same_word(word, own->words[i]) ||
            words_are_of_same_people(own->words[i], word))
            return true;
    }
    return false;
}

/* "The children's bike", where one is called kids bike. */
static bool object_is_called_theirs(const void *context, uint32_t object)
{
    const owners *own = context;
    const builtin_object *o = object_at(own->r, object);
    for (uint32_t k = 0; k < o->word_count; k++) {
        if (lexicon_is_person(o->words[k]) && word_is_theirs(own, o->words[k]))
            return true;
    }
    return false;
}

/* The table or desk that is nearest to a seat. BUILTIN_NONE: none is close. */
static uint32_t seat_table(const reader *r, uint32_t object)
{
    double least = 1; /* metre */
    uint32_t found = BUILTIN_NONE;
    if (!object_is_seat(r, object))
        return found;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i == object || !object_is_table(r, i))
            continue;
        const double way = object_way(r, i, object);
        found = way < least ? i : found;
        least = way < least ? way : least;
    }
    return found;
}

/* "The doctor's chair": at the desk that is called so. */
static bool object_is_at_theirs(const void *context, uint32_t object)
{
    const owners *own = context;
    const uint32_t table = seat_table(own->r, object);
    return table != BUILTIN_NONE && object_is_called_theirs(own, table);
}

/* A seat at somebody else's desk. */
static bool object_is_at_others(const void *context, uint32_t object)
{
    const owners *own = context;
    const uint32_t table = seat_table(own->r, object);
    return table != BUILTIN_NONE && object_is_peoples(own->r, table) &&
           !object_is_called_theirs(own, table);
}

/* What is called theirs; else what is nobody else's and, where some stands at
 * theirs, that. False: nothing says that it is theirs. */
static bool candidates_of_owners(const owners *own, candidates *c)
{
    if (candidates_prefer(c, object_is_called_theirs, own))
        return true;
    candidates_select(c, object_is_peoples, own->r, false);
    if (candidates_prefer(c, object_is_at_theirs, own))
        return true;
    candidates_select(c, object_is_at_others, own, false);
    return false;
}

/* "The pupils' chairs", where no pupil is in the scene: the chairs, but for
 * those that are called somebody else's. *ret_theirs: something says so. */
static etna_code peoples_find(resolution *t, bool *ret_theirs)
{
    reader *r = t->r;
    const chart_node *owner = t->thing->children[0];
    const match_query *q = &t->query;
    owners them = {.r = r};
    them.count = phrase_words(r, owner, them.words);
    t->plural = q->count > 0 && match_is_plural_word(q->words[q->count - 1]);
    t->plural = t->plural || phrase_is_each(owner);
    etna_code code = candidates_make(r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    *ret_theirs = candidates_of_owners(&them, &t->found);
    return ETNA_OK;
}

static etna_code peoples_choose(resolution *t, builtin_set *ret)
{
    enum {
        COST_OF_PEOPLE = 20
    };
    t->r->cost += COST_OF_PEOPLE;
    if (t->found.count == 0)
        return refuse_unknown(t->r, t->thing, &t->found);
    return t->plural ? choose_many(t, ret) : choose_one(t, ret);
}

etna_code gather_of_person(const resolution *t,
                           match_query *ret_own,
                           candidates *ret)
{
    enum {
        COST_OF_PERSON = 30
    };
    owners them = {.r = t->r, .count = 1, .words = {t->words[0]}};
    ret->count = 0;
    if (t->word_count < 2 || !lexicon_is_person(t->words[0]))
        return ETNA_OK;
    etna_code code =
        reader_query(t->r, t->words + 1, t->word_count - 1, ret_own);
    if (code != ETNA_OK || !ret_own->has_noun)
        return code;
    gather(t, ret_own, ret);
    /* "the ladies shoes", of which nothing says that they are theirs */
    if (!candidates_of_owners(&them, ret))
        ret->count = 0;
    for (uint32_t i = 0; i < ret->count; i++)
        ret->items[i].cost += COST_OF_PERSON;
    return ETNA_OK;
}

/* "The desk's lamp" is the nearest to it, "the desk's lamps" those close by. */
static etna_code owned_find(resolution *t,
                            const ownership *own,
                            builtin_set *ret)
{
    const builtin_set to = {.count = 1, .objects = &own->owner, .need = 1};
    const match_query *q = &t->query;
    etna_code code = candidates_make(t->r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, q, &t->found);
    if (!q->has_noun)
        candidates_select(&t->found, object_stands_on_owner, own, true);
    else if (q->count > 0 && match_is_plural_word(q->words[q->count - 1]))
        candidates_select(&t->found, object_is_owned, own, true);
    else
        candidates_by_way(t->r, &t->found, &to, false);
    const bool part = !t->scope.movers && q->count > 0 &&
                      word_is_part(q->words[q->count - 1]);
    if (t->found.count == 0 && part) {
        *ret = set_one(t->r, own->owner);
        return ETNA_OK;
    }
    if (t->found.count == 0)
        return refuse_unknown(t->r, t->thing, &t->found);
    return candidates_set(t->r, &t->found, t->found.count, ret);
}

etna_code refer_owned(reader *r,
                      const chart_node *node,
                      const refer_scope *scope,
                      builtin_set *ret)
{
    ownership own = {.r = r};
    refer_scope any = {.on = BUILTIN_NONE};
    resolution t = {.r = r,
                    .thing = node,
                    .scope = *scope,
                    .amount = {.says = SAYS_DEFINITE}};
    uint32_t named = 0;
    etna_code code = phrase_query(r, node, &t.query);
    if (code == ETNA_OK)
        code = refer_by_both(r, node, &t.query, &named, ret);
    if (code != ETNA_OK || named > 0)
        return code;
    if (phrase_is_a_room_of_several(r, node->children[0]))
        return reader_refuse_said(
            r, CODE_UNKNOWN, node,
            "which room is which is not known: several are here");
    const bool person = owner_is_person(r, node->children[0]);
    bool theirs = false;
    if (person)
        code = peoples_find(&t, &theirs);
    if (code != ETNA_OK || theirs)
        return code == ETNA_OK ? peoples_choose(&t, ret) : code;
    /* "the doctor's mug" is on the doctor's desk */
    code = refer_one(r, node->children[0], &any, &own.owner);
    if (code == ETNA_E_INPUT && person) {
        *r->err = (etna_error){0};
        return peoples_choose(&t, ret);
    }
    if (code != ETNA_OK)
        return code;
    /* "the shelf's front" is a place */
    bool is_thing = t.query.has_noun || t.query.generic;
    return is_thing ? owned_find(&t, &own, ret) : reader_refuse_unread(r, node);
}

/* "The rest of them": of the kind that was spoken of what nothing was told of,
 * and not of these things themselves. */
static bool part_is_rest_of_them(const chart_node *node)
{
    return (phrase_quantity(node).says & SAYS_REST) &&
           phrase_is_pronoun(node->children[node->child_count - 1], PRON_THEM);
}

/* "To one of the benches and the plates to the other": one of what a list joins
 * is no place. */
static bool part_joins_places(const chart_node *node, const refer_scope *scope)
{
    const quantity q = phrase_quantity(node);
    const bool one = q.number == 1 || (q.says & SAYS_ANY);
    return one && !scope->movers &&
           node_is(node->children[node->child_count - 1], "AND");
}

/* "Two of the bottles". */
etna_code refer_part_of(reader *r,
                        const chart_node *node,
                        const refer_scope *scope,
                        builtin_set *ret)
{
    quantity q = phrase_quantity(node);
    const bool alternate = node->end > node->first + 1 &&
                           reader_word_is(r, node->first, "every") &&
                           lexicon_ordinal(reader_word(r, node->first + 1)) > 0;
    if (alternate) /* "every second chair": in which order nothing says */
        return reader_refuse_unread(r, node);
    if (part_is_rest_of_them(node))
        return refer_thing(r, node, scope, ret);
    if (part_joins_places(node, scope))
        return reader_refuse_unread(r, node);
    builtin_set whole;
    refer_scope all = *scope;
    all.many = true;
    etna_code code =
        refer_things(r, node->children[node->child_count - 1], &all, &whole);
    if (code != ETNA_OK)
        return code;
    if (q.number > whole.count)
        return refuse_count(r, CODE_UNKNOWN, node, q.number, whole.count, NULL);
    *ret = whole;
    bool one = q.number == 0 && (q.says & SAYS_ANY);
    if (q.number && q.number < whole.count)
        ret->need = q.number;
    if (one)
        ret->need = 1;
    return ETNA_OK;
}
