/* Names as the file writes them, and two phrases for one thing: "the lower plate
 * (SecondGlass)", "my chair, the left one". */
#include "proto/ascii.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

static bool name_is_alike(const char *a, const char *b)
{
    while (*a && ascii_lower(*a) == ascii_lower(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

/* The only one of that name in whatever case. */
static bool name_find_alike(const reader *r,
                            const char *name,
                            uint32_t *ret_object)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!name_is_alike(r->facts->objects[i].name, name))
            continue;
        *ret_object = i;
        count++;
    }
    return count == 1;
}

/* Does it call anything here, by its head? */
static bool kind_calls_any(const reader *r, const match_query *kind)
{
    uint32_t at = reader_match_next(r, 0, kind);
    while (at < r->facts->object_count) {
        if (reader_match(r, at, kind).cost < MATCH_NOT_HEAD)
            return true;
        at = reader_match_next(r, at + 1, kind);
    }
    return false;
}

/* "The tree Arbol.007": what the word before a name calls something else cannot
 * be what is named. A word that calls nothing here says nothing. */
static etna_code name_check_kind(reader *r,
                                 const chart_node *node,
                                 uint32_t object)
{
    match_query kind;
    if (!chart_child(node, "CORE"))
        return ETNA_OK;
    etna_code code = phrase_query(r, node, &kind);
    if (code != ETNA_OK || reader_match(r, object, &kind).cost < MATCH_NONE)
        return code;
    return kind_calls_any(r, &kind) ? reader_refuse_unread(r, node) : ETNA_OK;
}

/* A name just as the file has it or in other case, else words like those of a
 * name. */
etna_code refer_quoted(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret)
{
    const char *name = r->s->tokens[chart_child(node, "$quoted")->value].text;
    uint32_t object = BUILTIN_NONE;
    if (phrase_name_find(r, name, &object) ||
        name_find_alike(r, name, &object)) {
        if (scope->movers && !object_moves(r->facts, object))
            return refuse_fixed(r, node, object);
        *ret = set_one(r, object);
        return name_check_kind(r, node, object);
    }
    uint32_t count = 0;
    const char *const *words = builtin_name_words(name, r->arena, &count);
    resolution t = {.r = r,
                    .thing = node,
                    .scope = *scope,
                    .amount = {.says = SAYS_DEFINITE}};
    if (!words)
        return reader_no_memory(r);
    if (count > REFER_WORDS_MAX)
        count = REFER_WORDS_MAX;
    etna_code code = reader_query(r, words, count, &t.query);
    if (code == ETNA_OK)
        code = candidates_make(r, &t.found);
    if (code != ETNA_OK)
        return code;
    if (t.query.has_noun)
        gather(&t, &t.query, &t.found);
    return choose_one(&t, ret);
}

/* Is the phrase nothing but names as the file writes them? */
static bool phrase_is_names(const reader *r, const chart_node *node)
{
    uint32_t object;
    if (node_is(node, "QUOTED"))
        return true;
    if (node_is(node, "THING"))
        return phrase_is_name(r, node, &object);
    if (!node_is(node, "AND"))
        return false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *child = node->children[i];
        if (!child->is_terminal && !phrase_is_names(r, child))
            return false;
    }
    return true;
}

bool phrase_is_modified_alone(const chart_node *name)
{
    return node_is(name, "THING") && chart_child(name, "NUMBER") &&
           !chart_child(name, "CORE") && node_last_phrase(name);
}

/* "The left one", "(the red one and the blue one)" */
static bool phrase_narrows(reader *r, const chart_node *name)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(name, parts);
    match_query q;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        if (!phrase_narrows(r, parts[i]))
            return false;
    }
    if (count > 1 || phrase_is_modified_alone(name))
        return true;
    if (!phrase_lacks_noun(r, name, &q))
        return false;
    return q.generic || q.sides || q.size || q.colour;
}

/* Those of the first phrase's things that the second one's modifiers leave:
 * just as many as it says. */
static etna_code refer_modified_alone(reader *r,
                                      const chart_node *which,
                                      const builtin_set *set,
                                      builtin_set *ret)
{
    match_query q = {0};
    candidates c;
    const uint32_t number = phrase_quantity(which).number;
    etna_code code = candidates_of_set(r, set, &c);
    if (code == ETNA_OK)
        code = candidates_modify(r, which, &q, &c);
    if (code == ETNA_OK && q.sides)
        candidates_by_side(r, &c, &q, number);
    if (code != ETNA_OK)
        return code;
    if (c.count == number)
        return candidates_set(r, &c, number, ret);
    return refuse_count(r, c.count < number ? CODE_UNKNOWN : CODE_AMBIGUOUS,
                        which, number, c.count, c.count > 0 ? &c : NULL);
}

/* "My chair, the left one", "the night table, the one without a lamp": the
 * second phrase chooses among the first's. */
static etna_code refer_narrowed(reader *r,
                                const chart_node *node,
                                const chart_node *which,
                                const refer_scope *scope,
                                builtin_set *ret)
{
    builtin_set set, others;
    refer_scope many = *scope;
    refer_scope one = *scope;
    many.many = many.any = true;
    match_query q;
    etna_code code = refer_things(r, node->children[0], &many, &set);
    if (code == ETNA_OK && phrase_is_modified_alone(which))
        return refer_modified_alone(r, which, &set, ret);
    if (code == ETNA_OK)
        code = phrase_query(r, which, &q);
    /* "along the wall, the biggest next to the ladder": of what is lined up */
    if (code == ETNA_OK && set.count == 1 && q.superlative)
        return reader_refuse_unread(r, node);
    if (code == ETNA_OK)
        code = set_others(r, &set, &others);
    one.barred = &others;
    if (code == ETNA_OK)
        code = refer_things(r, which, &one, ret);
    /* "tin_red (that's the orange)": another thing's name */
    bool other = code == ETNA_OK && !set_is_within(ret, &set);
    return other ? reader_refuse_unread(r, node) : code;
}

/* "Into the tent, the football and the lamp": the tent is known, and neither of
 * these is it. */
static etna_code apposition_check(reader *r,
                                  const chart_node *node,
                                  const refer_scope *scope,
                                  const builtin_set *named)
{
    refer_scope all = *scope;
    builtin_set first;
    all.many = all.any = true;
    etna_code code = refer_peek_things(r, node->children[0], &all, &first);
    if (code == ETNA_E_INPUT)
        return ETNA_OK; /* only the names say what it is */
    bool other = code == ETNA_OK && !set_is_within(named, &first);
    return other ? reader_refuse_unread(r, node) : code;
}

/* Are the things called what programs call everything: "Object_22"? */
static bool set_is_anonymous(const reader *r, const builtin_set *set)
{
    bool all = set->count > 0;
    for (uint32_t i = 0; i < set->count && all; i++)
        all = builtin_is_anonymous(object_at(r, set->objects[i]));
    return all;
}

/* Is a thing of the scene called by the phrase's last word? */
static bool phrase_has_namesake(const reader *r, const chart_node *phrase)
{
    const chart_node *core = chart_find(phrase, "CORE");
    const char *const noun = core ? reader_word(r, core->end - 1) : "";
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (strcmp(o->words[k], noun) == 0)
                return true;
        }
    }
    return false;
}

/* "Object_17 (that's the waste bin)": the name says which, and what it is called
 * there may not be another thing. */
static etna_code refer_glossed(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    refer_scope all = *scope;
    builtin_set called;
    all.many = all.any = true;
    const chart_node *gloss = node_last_phrase(node);
    etna_code code = refer_things(r, node->children[0], scope, ret);
    if (code != ETNA_OK)
        return code;
    if (set_is_anonymous(r, ret) && !phrase_has_namesake(r, gloss))
        return ETNA_OK;
    code = refer_peek_things(r, gloss, &all, &called);
    if (code == ETNA_E_NOMEM)
        return code;
    return code == ETNA_OK && set_is_within(ret, &called)
               ? ETNA_OK
               : reader_refuse_unread(r, node);
}

/* "My boots (sea boots)": both phrases mean the same things. */
static etna_code refer_bracketed(reader *r,
                                 const chart_node *node,
                                 const refer_scope *scope,
                                 builtin_set *ret)
{
    etna_code code = refer_things(r, node_last_phrase(node), scope, ret);
    return code == ETNA_OK ? apposition_check(r, node, scope, ret) : code;
}

/* Right behind the other phrase, or after where that is: "everything over there
 * (the ball, the bag)". */
static bool phrase_is_bracketed(const reader *r,
                                const chart_node *node,
                                const chart_node *name)
{
    return reader_word_is(r, node->children[0]->end, "(") ||
           (name->first > 0 && reader_word_is(r, name->first - 1, "("));
}

/* "The lower glass plate (SecondGlass)", "the two bishops, Object_6 and
 * Object_9": the names say which. */
etna_code refer_apposed(reader *r,
                        const chart_node *node,
                        const refer_scope *scope,
                        builtin_set *ret)
{
    const chart_node *name = node_last_phrase(node);
    match_query q;
    if (phrase_narrows(r, name))
        return refer_narrowed(r, node, name, scope, ret);
    if (!phrase_is_names(r, name)) {
        if (phrase_is_names(r, node->children[0]))
            return refer_glossed(r, node, scope, ret);
        return phrase_is_bracketed(r, node, name)
                   ? refer_bracketed(r, node, scope, ret)
                   : reader_refuse_unread(r, node);
    }
    if (phrase_has_noun(r, phrase_thing(node->children[0]), &q))
        refer_remember(r, &q, scope->movers);
    etna_code code = refer_things(r, name, scope, ret);
    if (code != ETNA_OK)
        return code;
    return set_is_anonymous(r, ret) &&
                   !phrase_has_namesake(r, node->children[0])
               ? ETNA_OK
               : apposition_check(r, node, scope, ret);
}

/* "Plates 1 and 2 stay. The other two ...": of plates. */
etna_code refer_remember_noun(reader *r, const chart_node *things)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(things, parts);
    const chart_node *const one = phrase_thing(count > 1 ? parts[0] : things);
    match_query q;
    return phrase_has_noun(r, one, &q) ? refer_remember(r, &q, true) : ETNA_OK;
}
