/* One noun phrase -> things, in stages. Each stage may change the query or the
 * candidates, refuse, or know the answer, which ends it: the words make a query
 * (stage_words.c); a phrase without a noun borrows one (stage_borrow.c); the
 * scene gives candidates, by several ways until one gives some (stage_find.c);
 * modifiers and colours narrow them; the determiner says how many of these are
 * meant. */
#include "worker/builtin/read/stage_internal.h"

/* ---- what the stages share ---- */

bool stage_says(const stage *s, unsigned bits)
{
    return (s->t.amount.says & bits) != 0;
}

etna_code stage_answer(stage *s, builtin_set set)
{
    *s->ret = set;
    s->done = true;
    return ETNA_OK;
}

etna_code stage_query(stage *s, const char *const *words, uint32_t count)
{
    return reader_query(s->t.r, words, count, &s->t.query);
}

/* ---- narrowing ---- */

etna_code stage_narrow_by_modifiers(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count == 0)
        return ETNA_OK;
    return candidates_modify(t->r, t->thing, &t->query, &t->found);
}

etna_code stage_narrow_by_colour(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count == 0 || !t->query.colour)
        return ETNA_OK;
    bool fruit = false;
    /* of a red and a blue paint no book is the black one */
    const bool told = candidates_called_by_colour(t->r, &t->found) > 1;
    candidates_by_colour(t->r, &t->found, &t->query, t->plural,
                         t->amount.number);
    /* "the orange crate" may be one of oranges, and is no orange box */
    for (uint32_t i = 0; i < t->query.count; i++)
        fruit = fruit || (lexicon_colour(t->query.words[i]) &&
                          kinds_known(t->query.words[i]));
    if (t->found.count == 0 && !told && !fruit)
        gather_of_family(t, &t->found);
    return ETNA_OK;
}

/* ---- choosing ---- */

/* By plural, number or "each". */
static bool means_many(const stage *s)
{
    const resolution *t = &s->t;
    const match_query *q = &t->query;
    bool number_is_many = t->amount.number > 1;
    bool each_moved = stage_says(s, SAYS_EACH) && t->scope.movers;
    if (!t->plural && !each_moved)
        return false;
    if (number_is_many)
        return true;
    bool names_many =
        q->count > 0 && match_is_plural_word(q->words[q->count - 1]);
    return !q->ordinal && (!q->superlative || names_many);
}

static etna_code stage_choose(stage *s)
{
    return means_many(s) ? choose_many(&s->t, s->ret)
                         : choose_one(&s->t, s->ret);
}

/* Of several: those that can be moved. */
static etna_code stage_keep_movable(stage *s)
{
    reader *r = s->t.r;
    builtin_set *ret = s->ret;
    if (!s->t.scope.movers)
        return ETNA_OK;
    uint32_t *kept = etna_arena_alloc(r->arena, ret->count + 1u, sizeof *kept);
    uint32_t used = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < ret->count; i++) {
        if (object_moves(r->facts, ret->objects[i]))
            kept[used++] = ret->objects[i];
    }
    if (used == ret->count)
        return ETNA_OK;
    if (used == 0)
        return refuse_fixed(r, s->t.thing, ret->objects[0]);
    uint32_t need = ret->need == ret->count ? used : ret->need;
    *ret = (builtin_set){.count = used, .objects = kept, .need = need};
    return ETNA_OK;
}

void refer_mention(reader *r, const chart_node *thing, uint32_t object)
{
    reader_memory *memory = &r->memory;
    if (memory->mention_count == MENTIONS_MAX) {
        memory->mention_count--;
        memmove(memory->mentions, memory->mentions + 1,
                memory->mention_count * sizeof memory->mentions[0]);
    }
    memory->mentions[memory->mention_count++] =
        (reader_mention){r->part->first + thing->first, object};
}

/* A noun phrase: the stages read its words, find candidates, narrow them down,
 * and choose. Each may end it. */
etna_code refer_thing(reader *r,
                      const chart_node *thing,
                      const refer_scope *scope,
                      builtin_set *ret)
{
    static stage_step *const stages[] = {stage_read_name,
                                         stage_read_name_last,
                                         stage_refuse_no,
                                         stage_refuse_alternate,
                                         stage_refuse_bare_part,
                                         stage_read_words,
                                         stage_read_first_few,
                                         stage_refuse_plural_label,
                                         stage_read_labels,
                                         stage_read_span,
                                         stage_refuse_infinitive,
                                         stage_refuse_bare_side,
                                         stage_refuse_colours,
                                         stage_refuse_piles,
                                         stage_read_partitive,
                                         stage_read_pile,
                                         stage_read_heap,
                                         stage_read_collection,
                                         stage_read_memory,
                                         stage_refuse_rest_of_all,
                                         stage_find_moved_one,
                                         stage_find_noun,
                                         stage_refuse_run_on,
                                         stage_find_by_words,
                                         stage_find_by_last_noun,
                                         stage_find_by_last_name,
                                         stage_find_of_any_kind,
                                         stage_find_by_ground,
                                         stage_find_counted,
                                         stage_find_beside,
                                         stage_find_by_person,
                                         stage_find_by_held,
                                         stage_find_by_place,
                                         stage_find_part,
                                         stage_find_by_content,
                                         stage_find_by_form,
                                         stage_find_undescribed,
                                         stage_find_by_default,
                                         stage_prove_by_size,
                                         stage_refuse_part,
                                         stage_refuse_unproven,
                                         stage_find_room,
                                         stage_refuse_only_side,
                                         stage_narrow_by_modifiers,
                                         stage_prefer_moved_of_colour,
                                         stage_prefer_moved_called_so,
                                         stage_prefer_moved_to_place_again,
                                         stage_narrow_by_colour,
                                         stage_find_of_moved,
                                         stage_refuse_none,
                                         stage_choose,
                                         stage_refuse_same_again,
                                         stage_refuse_side_of_moved,
                                         stage_refuse_unshown,
                                         stage_keep_movable};
    stage s = {.ret = ret, .given = scope};
    s.t = (resolution){.r = r,
                       .thing = thing,
                       .scope = *scope,
                       .amount = phrase_quantity(thing)};
    for (size_t i = 0; i < COUNT_OF(stages) && !s.done; i++) {
        etna_code code = stages[i](&s);
        if (code != ETNA_OK)
            return code;
    }
    /* "all three", where one was spoken of */
    if (stage_says(&s, SAYS_ALL) && s.t.amount.number > 1 &&
        !chart_child(thing, "CORE") && ret->count < s.t.amount.number)
        return reader_refuse_unclear(r, thing);
    if (ret->count == 1)
        refer_mention(r, thing, ret->objects[0]);
    return ETNA_OK;
}
