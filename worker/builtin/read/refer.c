/* A noun phrase -> things, by the kind of its node: here are the table of the
 * forms and the lists; refer_internal.h says where the others are. What stays
 * ambiguous is refused with the candidates. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/spoken.h"

refer_scope refer_scope_movers(void)
{
    return (refer_scope){.movers = true, .on = BUILTIN_NONE};
}

refer_scope refer_scope_place(const builtin_set *movers)
{
    return (refer_scope){.flat = true, .barred = movers, .on = BUILTIN_NONE};
}

/* Is it in reach and the other not, larger, or about as large and lower? A
 * ceiling that lies on the walls is a little wider than the floor. */
static bool surface_is_floorlike(const builtin_surface *s,
                                 const builtin_surface *than)
{
    const double same = 0.8; /* of the other's area */
    const double area = builtin_surface_area(s);
    const double most = builtin_surface_area(than);
    if (s->shut != than->shut)
        return than->shut;
    if (area * same > most || most * same > area)
        return area > most;
    return s->height < than->height;
}

/* The object with the most floor-like surface. */
uint32_t refer_floor(const builtin_facts *facts)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!facts->objects[s->object].is_static)
            continue;
        if (!best || surface_is_floorlike(s, best))
            best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

/* ---- several phrases ---- */

const chart_node *node_last_phrase(const chart_node *node)
{
    const chart_node *last = NULL;
    for (uint32_t i = 1; i < node->child_count; i++)
        last = node->children[i]->is_terminal ? last : node->children[i];
    return last;
}

/* A conjunct without a noun ("the red and the green bottle") takes the next
 * one's. */
static void noun_look_ahead(reader *r, const chart_node *node, uint32_t from)
{
    for (uint32_t i = from; i < node->child_count; i++) {
        match_query q;
        if (!phrase_has_noun(r, phrase_thing(node->children[i]), &q))
            continue;
        refer_remember(r, &q, true);
        return;
    }
}

/* Of a set of which some will do, as many are needed of the sum. */
static etna_code set_add(reader *r, const builtin_set *set, builtin_set *sum)
{
    bool whole = sum->need == sum->count && set->need == set->count;
    uint32_t need = sum->need + set->need;
    etna_code code = set_union(r, sum, set, sum);
    if (!whole)
        sum->need = need;
    return code;
}

/* "The art book and the sketch book", where either would be the one: two are
 * meant. */
static bool part_is_said_twice(const chart_node *part,
                               const builtin_set *one,
                               const builtin_set *before)
{
    /* a mere "D" is of the part before it */
    return node_is(part, "THING") && chart_child(part, "CORE") &&
           chart_child(part, "$det") && one->count == 1 &&
           set_has(before, one->objects[0]);
}

/* The things of a list together; a part without a noun may take the next one's
 * ("the red and the blue cup"). */
static etna_code refer_all(reader *r,
                           const chart_node *node,
                           const refer_scope *scope,
                           builtin_set *ret)
{
    builtin_set sum = {0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < node->child_count && code == ETNA_OK; i++) {
        const chart_node *child = node->children[i];
        match_query q;
        builtin_set one = {0};
        if (child->is_terminal)
            continue;
        if (phrase_lacks_noun(r, phrase_thing(child), &q))
            noun_look_ahead(r, node, i + 1);
        code = refer_things(r, child, scope, &one);
        /* "a cup and the jug": one of the cups, and not any two of them all */
        if (one.need > 0 && one.need < one.count && node->child_count > 1)
            one.count = one.need;
        if (code == ETNA_OK && scope->movers &&
            part_is_said_twice(child, &one, &sum))
            return reader_refuse_said(r, CODE_AMBIGUOUS, child,
                                      "that would be a thing of the list once "
                                      "more");
        if (code == ETNA_OK)
            code = set_add(r, &one, &sum);
        r->memory.conjunct = one;
    }
    r->memory.conjunct = (builtin_set){0};
    if (code == ETNA_OK)
        *ret = sum;
    return code;
}

static etna_code refer_any(reader *r,
                           const chart_node *node,
                           const refer_scope *scope,
                           builtin_set *ret)
{
    etna_code code = refer_all(r, node, scope, ret);
    if (code == ETNA_OK)
        ret->need = 1;
    return code;
}

/* "Next to the chair, both facing it": of one thing neither is said. */
static bool all_of_is_more(const reader *r,
                           const chart_node *node,
                           const builtin_set *found)
{
    const chart_node *const word = chart_child(node, "$pron");
    return word && reader_word_is(r, word->first, "both") && found->count != 2;
}

/* "The three of them", "the cups, all three": as many as are said. */
static etna_code refer_all_of(reader *r,
                              const chart_node *node,
                              const refer_scope *scope,
                              builtin_set *ret)
{
    const chart_node *said = chart_child(node, "$num");
    refer_scope all = *scope;
    all.many = true;
    etna_code code = refer_things(r, node->children[0], &all, ret);
    if (code == ETNA_OK && all_of_is_more(r, node, ret))
        return reader_refuse_unread(r, node);
    if (code != ETNA_OK || !said || said->value == 1000 * ret->count)
        return code;
    return refuse_count(r, CODE_UNKNOWN, node, said->value / 1000, ret->count,
                        NULL);
}

static etna_code refer_last(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    return refer_things(r, node_last_phrase(node), scope, ret);
}

/* "On which the coat was lying": before anything was moved. */
static bool phrase_is_past(const reader *r, const chart_node *node)
{
    for (uint32_t at = node->first; at < node->end; at++) {
        if (reader_lists(r, at, "refer: was"))
            return true;
    }
    return false;
}

/* "The same shelf": a board may be called so, too, and no "hymn board". */
static bool base_is_called(const reader *r, uint32_t base, const match_query *q)
{
    bool levelled = true;
    bool named = false;
    for (uint32_t i = 0; i < q->count; i++) {
        const bool level = builtin_is_level_noun(q->words[i]);
        levelled = levelled && (q->is_property[i] || level);
        named = named || level; /* and no "red tin" of colour and metal */
    }
    const bool board = levelled && named && builtin_levels(r->facts, base) > 0;
    return board || reader_match(r, base, q).cost < MATCH_NOT_HEAD ||
           object_is_told_beside(r, base, &q->said);
}

/* "The same shelf as the lamp": what that stands on, where the words may call
 * it so. */
static etna_code refer_base(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    /* "the white one" is of what is moved */
    const refer_scope any = {.movers = true, .on = BUILTIN_NONE};
    const chart_node *what = node_things(node, 0);
    match_query q;
    uint32_t object;
    (void)scope;
    etna_code code = phrase_query(r, node, &q);
    if (code == ETNA_OK)
        code = refer_one(r, what, &any, &object);
    if (code != ETNA_OK)
        return code;
    const builtin_object *o = object_at(r, object);
    const bool once = phrase_is_past(r, node);
    const uint32_t *const by = once ? o->start_by : o->by;
    const uint32_t by_count = once ? o->start_by_count : o->by_count;
    for (uint32_t i = 0; i < by_count; i++) {
        if (!base_is_called(r, by[i], &q))
            continue;
        *ret = set_one(r, by[i]);
        return ETNA_OK;
    }
    return reader_refuse_said(r, CODE_UNKNOWN, node,
                              "nothing called so bears it");
}

/* ---- all kinds ---- */

static const struct {
    const char *node;
    refer_form *refer;
} phrases[] = {{"THING", refer_thing},
               {"PRON", refer_pronoun},
               {"AND", refer_all},
               {"EXCEPT", refer_except},
               {"BUTFOR", refer_except},
               {"NAMELY", refer_last},
               {"OWNED", refer_owned},
               {"OF", refer_part_of},
               {"QUOTED", refer_quoted},
               {"NOTBUT", refer_contrast},
               {"CORRECTED", refer_corrected},
               {"ALLOF", refer_all_of},
               {"OR", refer_any},
               {"APPOSED", refer_apposed},
               {"BASE", refer_base}};

/* Its noun is that of "another one", too. */
static etna_code refer_came(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            const builtin_staged *came,
                            builtin_set *ret)
{
    match_query q;
    *ret = (builtin_set){
        .count = came->count, .objects = came->objects, .need = came->count};
    if (!phrase_has_noun(r, node, &q))
        return ETNA_OK;
    return refer_remember(r, &q, scope->movers);
}

static etna_code refer_by_form(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    const builtin_staged *came = staged_named(r, node);
    if (came)
        return refer_came(r, node, scope, came, ret);
    for (size_t i = 0; i < COUNT_OF(phrases); i++) {
        if (node_is(node, phrases[i].node))
            return phrases[i].refer(r, node, scope, ret);
    }
    return reader_refuse_unread(r, node);
}

/* What a phrase of any form means. What was brought in for this text is meant
 * before all else. */
etna_code refer_things(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret)
{
    etna_code code = refer_by_form(r, node, scope, ret);
    return code == ETNA_OK ? spoken_note_meant(r, node, ret) : code;
}

/* With the names of what it may be. */
static etna_code refuse_several(reader *r,
                                const chart_node *node,
                                const builtin_set *set)
{
    char names[REFER_NAMES_SIZE];
    candidates c;
    etna_code code = candidates_of_set(r, set, &c);
    if (code != ETNA_OK)
        return code;
    refuse_names(r->facts, &c, names);
    return reader_refuse(
        r, CODE_AMBIGUOUS, node,
        "\"%s\" means %u things (%s), and a place is by one of them: say it for each",
        reader_said(r, node), set->count, names);
}

/* One thing, or any one of several. */
static bool set_is_one(const builtin_set *set)
{
    return set->count == 1 || (set->count > 1 && set->need == 1);
}

/* The same where only one thing makes sense. */
etna_code refer_one(reader *r,
                    const chart_node *node,
                    const refer_scope *scope,
                    uint32_t *ret)
{
    builtin_set set;
    etna_code code = refer_things(r, node, scope, &set);
    if (code != ETNA_OK)
        return code;
    if (!set_is_one(&set))
        return refuse_several(r, node, &set);
    *ret = set.objects[0];
    return ETNA_OK;
}

etna_code refer_peek_things(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    const reader before = *r;
    const etna_error why = *r->err;
    const etna_code code = refer_things(r, node, scope, ret);
    *r = before;
    *r->err = why;
    return code;
}

etna_code refer_peek_one(reader *r,
                         const chart_node *node,
                         const refer_scope *scope,
                         uint32_t *ret)
{
    builtin_set set;
    const etna_code code = refer_peek_things(r, node, scope, &set);
    if (code != ETNA_OK)
        return code;
    if (!set_is_one(&set))
        return ETNA_E_INPUT;
    *ret = set.objects[0];
    return ETNA_OK;
}
