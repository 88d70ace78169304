/* Which things of the scene answer to a noun phrase: several ways, until one
 * gives some, and what is refused where none does or nobody can know. */
#include "proto/ascii.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/stage_internal.h"

etna_code stage_find_by_words(stage *s)
{
    etna_code code = candidates_make(s->t.r, &s->t.found);
    if (code == ETNA_OK)
        gather(&s->t, &s->t.query, &s->t.found);
    return code;
}

/* How many things of the scene the word is the whole name of. */
static bool word_is_a_name(const resolution *t, const char *word)
{
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const builtin_object *o = &t->r->facts->objects[i];
        if (o->word_count == 1 && strcmp(o->words[0], word) == 0)
            return true;
    }
    return false;
}

/* "2 plates 2 glasses", "the towel one shelf": behind the noun of a thing comes
 * another number: two phrases, and no one name. */
static bool words_count_twice(const resolution *t)
{
    for (uint32_t i = 1; i + 1 < t->word_count; i++) {
        const char *const before = t->words[i - 1], *after = t->words[i + 1];
        const uint32_t number = lexicon_number(t->words[i]);
        const bool several =
            match_is_plural_word(before) && match_is_plural_word(after);
        const bool one = number == 1 && !word_is_number(t->words[i]) &&
                         kinds_known(before) && kinds_known(after);
        if (one || (several && number > 1))
            return true;
    }
    return false;
}

/* Is the word by itself what a thing of the scene is called? */
static bool word_calls_a_thing(const resolution *t, const char *word)
{
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const char *noun = builtin_noun(&t->r->facts->objects[i]);
        if (noun && strcmp(noun, word) == 0)
            return true;
    }
    return false;
}

/* "The mug next to the lamp, laptop on the desk": behind the noun of a thing a
 * comma begins another. */
static bool words_begin_again(const resolution *t)
{
    const chart_node *core = chart_child(t->thing, "CORE");
    for (uint32_t i = 0; core && i + 2 < core->child_count; i++) {
        const chart_node *const *at = &core->children[i];
        const bool listed = node_is(at[0], "$w") && node_is(at[1], "','") &&
                            node_is(at[2], "$w");
        if (!listed)
            continue;
        const char *before = reader_word(t->r, at[0]->first);
        const char *after = reader_word(t->r, at[2]->first);
        if (word_calls_a_thing(t, before) && word_calls_a_thing(t, after))
            return true;
    }
    return false;
}

etna_code stage_refuse_run_on(stage *s)
{
    enum {
        SEVERAL = 3
    };
    const resolution *t = &s->t;
    uint32_t names = 0;
    for (uint32_t i = 0; i < t->word_count; i++)
        names += word_is_a_name(t, t->words[i]);
    const bool run_on = names >= SEVERAL && names == t->word_count;
    if (!run_on && !words_count_twice(t) && !words_begin_again(t))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "\"%s\" names several things; put commas between them",
                         reader_said(t->r, t->thing));
}

static bool candidates_are_unproven(const resolution *t)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!reader_match(t->r, t->found.items[i].object, &t->query).unproven)
            return false;
    }
    return t->found.count > 0;
}

/* By its own words, else by all but the last, "one". What answers by a modifier
 * alone costs `most`. */
static etna_code find_called(stage *s, uint32_t most)
{
    resolution *t = &s->t;
    etna_code code = candidates_make(t->r, &t->found);
    for (uint32_t left_out = 0;
         left_out < 2 && code == ETNA_OK && t->found.count == 0; left_out++) {
        code = stage_query(s, t->words, t->word_count - left_out);
        if (code == ETNA_OK && (left_out == 0 || t->query.has_noun))
            gather(t, &t->query, &t->found);
    }
    for (uint32_t i = 0; i < t->found.count; i++) {
        uint32_t *cost = &t->found.items[i].cost;
        *cost = *cost < MATCH_NOT_HEAD ? *cost : most;
    }
    return code;
}

etna_code stage_find_of_any_kind(stage *s)
{
    resolution *t = &s->t;
    const match_query borrowed = t->query;
    const candidates before = t->found;
    const uint32_t called_after = 20; /* hundredths */
    if (!s->borrows || t->word_count < 2 ||
        strcmp(t->words[t->word_count - 1], "one") != 0)
        return ETNA_OK;
    /* "the tall one" of two cups is no cupboard */
    if (t->word_count == 2 && t->query.size && !t->query.colour)
        return ETNA_OK;
    if (t->found.count > 0 && !candidates_are_unproven(t))
        return ETNA_OK;
    etna_code code = find_called(s, called_after);
    if (code == ETNA_OK && t->found.count == 0) {
        t->query = borrowed;
        t->found = before;
    }
    return code;
}

/* "The two bottles on the floor by the third": the one that remains of three,
 * whatever the numbers in their names are. */
static bool third_remains(const resolution *t, const builtin_set *barred)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < t->found.count; i++)
        moved += set_has(barred, t->found.items[i].object);
    return t->found.count == t->query.ordinal && moved == barred->count &&
           moved + 1 == t->query.ordinal && moved > 1;
}

static bool candidate_is_barred(const void *context, uint32_t object)
{
    return set_has(context, object);
}

etna_code stage_find_counted(stage *s)
{
    resolution *t = &s->t;
    const builtin_set *barred = s->given->barred;
    t->query.partitive = s->of != NULL;
    if (!t->query.ordinal || !barred || s->of)
        return ETNA_OK;
    t->scope.barred = NULL;
    gather(t, &t->query, &t->found);
    if (!third_remains(t, barred))
        return ETNA_OK;
    t->query.ordinal = 0;
    candidates_select(&t->found, candidate_is_barred, barred, false);
    return ETNA_OK;
}

/* "The floor pillows" lie there, "the wall shelf" hangs there. */
static bool object_is_at_place(const void *context, uint32_t object)
{
    const resolution *t = context;
    if (strcmp(t->words[0], "wall") == 0)
        return object_at(t->r, object)->attached;
    return object_is_on_floor(t->r, object);
}

etna_code stage_find_by_ground(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count > 0 || t->word_count < 2 || !match_is_place(t->words[0]))
        return ETNA_OK;
    etna_code code = stage_query(s, t->words + 1, t->word_count - 1);
    if (code == ETNA_OK && t->query.has_noun)
        gather(t, &t->query, &t->found);
    if (code == ETNA_OK)
        candidates_select(&t->found, object_is_at_place, t, true);
    return code;
}

etna_code stage_find_beside(stage *s)
{
    candidates near;
    etna_code code = candidates_make(s->t.r, &near);
    if (code != ETNA_OK)
        return code;
    gather_beside(&s->t, &near);
    if (near.count == 0 && s->t.found.count > 0)
        gather_shelved(&s->t, &near);
    if (near.count > 0)
        s->t.found = near;
    return ETNA_OK;
}

etna_code stage_find_by_person(stage *s)
{
    resolution *t = &s->t;
    match_query own;
    candidates theirs;
    if (t->found.count > 0 && !candidates_are_unproven(t))
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &theirs);
    if (code == ETNA_OK)
        code = gather_of_person(t, &own, &theirs);
    if (code != ETNA_OK || theirs.count == 0)
        return code;
    t->query = own;
    t->found = theirs;
    return ETNA_OK;
}

etna_code stage_find_by_place(stage *s)
{
    resolution *t = &s->t;
    s->unproven = candidates_are_unproven(t);
    if (t->found.count > 0 && !s->unproven)
        return ETNA_OK;
    candidates near;
    etna_code code = candidates_make(t->r, &near);
    if (code == ETNA_OK)
        code = gather_by_place(t, &near);
    if (code != ETNA_OK || near.count == 0)
        return code;
    t->found = near;
    s->unproven = false;
    return ETNA_OK;
}

/* Does a thing hold what is called so: an umbrella pot, or a pot in which an
 * umbrella stands? */
static bool object_holds_called(const resolution *t,
                                uint32_t object,
                                const char *word)
{
    if (!object_is_of(t->r, object, NOUNS_VESSEL) &&
        !object_is_kind(t->r, object, "pot"))
        return false;
    if (object_has_word(object_at(t->r, object), word))
        return true;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        if (i != object && object_has_word(object_at(t->r, i), word) &&
            builtin_stands_on(t->r->facts, i, object))
            return true;
    }
    return false;
}

etna_code stage_find_by_held(stage *s)
{
    enum {
        COST_BY_HELD = 30
    };
    resolution *const t = &s->t;
    if (t->found.count > 0 || t->word_count != 2 || t->plural ||
        !lexicon_lists("stage: holder", t->words[1]) ||
        !lexicon_lists("stage: held", t->words[0]))
        return ETNA_OK;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        if (gather_allows(t, i) && object_holds_called(t, i, t->words[0]))
            candidates_add(&t->found, i, COST_BY_HELD);
    }
    return ETNA_OK;
}

/* A room that is called a box is not what anybody moves. */
static bool candidates_stay(const resolution *t)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!t->scope.movers ||
            object_moves(t->r->facts, t->found.items[i].object))
            return false;
    }
    return true;
}

static bool candidate_holds_anything(const void *context, uint32_t object)
{
    const resolution *const t = context;
    return match_name_is_plain(object_at(t->r, object),
                               t->words[t->word_count - 1]);
}

/* "The paint tins", where they are called red tin and green tin: what holds
 * something, and nobody says what. */
static etna_code find_by_holder(stage *s)
{
    enum {
        COST_OF_CONTENT = 25
    };
    resolution *const t = &s->t;
    const match_query asked = t->query;
    candidates found;
    if (t->word_count != 2 || asked.is_property[0])
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &found);
    if (code == ETNA_OK)
        code = stage_query(s, t->words + 1, 1);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &found);
    candidates_select(&found, candidate_holds_anything, t, true);
    if (found.count == 0) {
        t->query = asked;
        return ETNA_OK;
    }
    for (uint32_t i = 0; i < found.count; i++)
        found.items[i].cost += COST_OF_CONTENT;
    t->found = found;
    return ETNA_OK;
}

/* "The seed packets", where they are called tomato seeds and bean seeds. */
static etna_code find_by_content_before(stage *s)
{
    resolution *t = &s->t;
    const char *head = t->word_count > 1 ? t->words[t->word_count - 1] : "";
    if (t->found.count > 0 || s->borrows || !phrase_word_holds(head) ||
        kinds_known(t->query.whole))
        return ETNA_OK;
    match_query content;
    candidates found;
    etna_code code = reader_query(t->r, t->words, t->word_count - 1, &content);
    if (code == ETNA_OK)
        code = candidates_make(t->r, &found);
    if (code != ETNA_OK || !content.has_noun)
        return code;
    gather(t, &content, &found);
    /* "the wine mug" is no wine bottle */
    if (found.count == 0)
        return find_by_holder(s);
    if (candidates_least(&found) >= MATCH_NOT_HEAD)
        return ETNA_OK;
    t->found = found;
    t->query = content;
    return ETNA_OK;
}

/* Is any of them called so by a word of its name? */
static bool candidates_are_called(const resolution *t)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!reader_match(t->r, t->found.items[i].object, &t->query).by_kind)
            return true;
    }
    return false;
}

/* "The jars of jam" that are called plum jam and orange jam, whatever a vase
 * may be: the words before the holder, and what it holds. */
static etna_code find_by_content_of(stage *s, const chart_node *inner)
{
    resolution *t = &s->t;
    const char *words[REFER_WORDS_MAX];
    match_query content;
    candidates found;
    const uint32_t before = t->word_count - 1;
    const uint32_t count = phrase_words(t->r, inner, words + before);
    if (count == 0)
        return ETNA_OK;
    memcpy(words, t->words, before * sizeof words[0]);
    etna_code code = reader_query(t->r, words, before + count, &content);
    if (code == ETNA_OK)
        code = candidates_make(t->r, &found);
    if (code != ETNA_OK)
        return code;
    gather(t, &content, &found);
    if (found.count == 0 || candidates_least(&found) >= MATCH_NOT_HEAD)
        return ETNA_OK;
    memcpy(t->words, words, (before + count) * sizeof words[0]);
    t->word_count = before + count;
    t->query = content;
    t->found = found;
    return ETNA_OK;
}

etna_code stage_find_by_content(stage *s)
{
    resolution *t = &s->t;
    const chart_node *of = chart_child(t->thing, "OF");
    const chart_node *inner = of ? of->children[of->child_count - 1] : NULL;
    const char *head = t->word_count ? t->words[t->word_count - 1] : "";
    if (!inner || !node_is(inner, "THING"))
        return find_by_content_before(s);
    const chart_node *core = chart_child(inner, "CORE");
    const bool fits =
        core && t->word_count + (core->end - core->first) <= REFER_WORDS_MAX;
    if (!fits || !phrase_word_holds(head) || candidates_are_called(t))
        return ETNA_OK;
    return find_by_content_of(s, inner);
}

etna_code stage_find_by_form(stage *s)
{
    resolution *t = &s->t;
    match_query rest = t->query;
    candidates alike;
    if (!candidates_stay(t))
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &alike);
    if (code == ETNA_OK)
        code = gather_by_form(t, &rest, &alike);
    if (code != ETNA_OK || alike.count == 0)
        return code;
    t->found = alike;
    t->query = rest;
    return ETNA_OK;
}

/* An English word that is no noun, and nothing by which things are told apart
 * here. */
static bool word_merely_describes(const char *word)
{
    bool superlative;
    const bool is_letter = word[0] && !word[1]; /* of "box A" */
    bool counts = lexicon_number(word) || lexicon_ordinal(word) ||
                  ascii_is_digit(word[0]) || is_letter;
    bool tells = lexicon_colour(word) || lexicon_size(word, &superlative) ||
                 lexicon_material(word);
    if (counts || tells || lexicon_is_person(word))
        return false;
    if (lexicon_lists("$what", word))
        return false; /* "what stands there" is no stand */
    return kinds_word(word) && !kinds_known(word);
}

/* How many words before the last one tell nothing that is known here. */
static uint32_t words_that_describe(const resolution *t)
{
    uint32_t count = 0;
    while (count + 1 < t->word_count && word_merely_describes(t->words[count]))
        count++;
    return count;
}

/* Are the words the phrase's own, and together no kind, as "dining table" is? */
static bool noun_is_own(const stage *s)
{
    const match_query *q = &s->t.query;
    return q->has_noun && !s->borrows && !kinds_known(q->whole);
}

etna_code stage_find_undescribed(stage *s)
{
    enum {
        COST_UNDESCRIBED = 15
    };
    resolution *t = &s->t;
    const uint32_t skip = words_that_describe(t);
    if (skip == 0 || !noun_is_own(s) || (t->found.count > 0 && !s->unproven))
        return ETNA_OK;
    s->unproven = false;
    etna_code code = stage_query(s, t->words + skip, t->word_count - skip);
    if (code == ETNA_OK && t->query.has_noun)
        gather(t, &t->query, &t->found);
    t->r->cost += COST_UNDESCRIBED;
    if (code == ETNA_OK && stage_says(s, SAYS_ONLY) && t->found.count > 1)
        /* "only the clean plates" */
        return reader_refuse_said(t->r, CODE_UNKNOWN, t->thing,
                                  "which of them these are is not known");
    return code;
}

etna_code stage_find_by_default(stage *s)
{
    resolution *t = &s->t;
    candidates one;
    const bool several =
        stage_says(s, SAYS_ALL | SAYS_BOTH | SAYS_EACH) || t->amount.number > 1;
    if (t->found.count > 0 || s->borrows || several)
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &one);
    if (code != ETNA_OK)
        return code;
    gather_by_default(t, &one);
    if (one.count == 0)
        return ETNA_OK;
    t->found = one;
    t->plural = false;
    t->query.colour = 0; /* it is of that */
    return ETNA_OK;
}

etna_code stage_prove_by_size(stage *s)
{
    resolution *t = &s->t;
    candidates fit;
    if (!s->unproven)
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &fit);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < t->found.count; i++)
        candidates_add(&fit, t->found.items[i].object, t->found.items[i].cost);
    if (!candidates_by_kind_size(t, &fit) || fit.count == 0)
        return ETNA_OK;
    t->found = fit;
    s->unproven = false;
    return ETNA_OK;
}

/* Is the word what something is called that is none of the candidates, and in
 * none of their names? */
static etna_code word_calls_another(const resolution *t,
                                    const char *const *word,
                                    bool *ret)
{
    match_query q;
    *ret = false;
    etna_code code = match_query_make(word, 1, t->r->arena, &q, t->r->err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t k = 0; k < t->found.count; k++) {
        const match_result own =
            reader_match(t->r, t->found.items[k].object, &q);
        if (own.cost < MATCH_NONE && !own.by_kind)
            return ETNA_OK;
    }
    for (uint32_t i = 0; i < t->r->facts->object_count && !*ret; i++) {
        const match_result m = reader_match(t->r, i, &q);
        *ret =
            m.cost < MATCH_NOT_HEAD && !m.by_kind && !object_is_ground(t->r, i);
    }
    return ETNA_OK;
}

/* "Bed" of "bedside", where what it is beside is a thing; else the word.
 * NULL: out of memory. */
static const char *word_without_side(const resolution *t, const char *word)
{
    static const char side[] = "side";
    const size_t size = strlen(word);
    const size_t end = sizeof side - 1;
    if (size <= end || strcmp(word + size - end, side) != 0)
        return word;
    const char *thing =
        etna_arena_printf(t->r->arena, "%.*s", (int)(size - end), word);
    return !thing || kinds_known(thing) ? thing : word;
}

/* Is a word before its noun what something else here is called, or what it is
 * said to be beside: "the bed window", "the bedside table"? */
static etna_code names_something_else(const stage *s, bool *ret)
{
    const match_query *q = &s->t.query;
    *ret = false;
    for (uint32_t i = 0; i + 1 < q->count && !*ret; i++) {
        if (q->is_property[i])
            continue;
        const char *word = word_without_side(&s->t, q->words[i]);
        etna_code code = word ? word_calls_another(&s->t, &word, ret)
                              : reader_no_memory(s->t.r);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code stage_refuse_part(stage *s)
{
    const resolution *t = &s->t;
    const char *const head = t->word_count ? t->words[t->word_count - 1] : "";
    bool other = false;
    const bool own_kind = t->query.said.head_words > 1; /* "the front door" */
    if (t->word_count < 2 || t->found.count == 0 || own_kind)
        return ETNA_OK;
    if (!lexicon_lists("part of a thing", head))
        return ETNA_OK;
    etna_code code = names_something_else(s, &other);
    if (code != ETNA_OK || !other)
        return code;
    return reader_refuse(t->r, CODE_UNKNOWN, t->thing,
                         "\"%s\" is no thing of its own here",
                         reader_said(t->r, t->thing));
}

static bool candidates_are_named(const resolution *t)
{
    const builtin_set *const named = &t->r->memory.named;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!set_has(named, t->found.items[i].object))
            return false;
    }
    return named->count < t->r->facts->object_count;
}

/* "The paint tins", of a red and a green tin: what holds something, and no name
 * says that it is anything else. */
static bool candidates_hold_anything(const stage *s)
{
    const resolution *const t = &s->t;
    const char *const head = t->word_count ? t->words[t->word_count - 1] : "";
    /* "the paint tins: red, green, white": each is one of those */
    if (s->borrows)
        return candidates_are_named(t);
    const bool holds =
        t->plural && t->word_count > 1 && phrase_word_holds(head);
    for (uint32_t i = 0; holds && i < t->found.count; i++) {
        if (!candidate_holds_anything(t, t->found.items[i].object))
            return false;
    }
    return holds;
}

etna_code stage_refuse_unproven(stage *s)
{
    resolution *t = &s->t;
    bool as_many = t->found.count == (t->amount.number ? t->amount.number : 1);
    bool other = false;
    etna_code code = s->unproven ? names_something_else(s, &other) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    const bool one_kind = as_many || candidates_hold_anything(s);
    bool told = (one_kind && !other) || phrase_is_modified(t->thing);
    return s->unproven && !told ? refuse_unknown(t->r, t->thing, &t->found)
                                : ETNA_OK;
}

etna_code stage_find_room(stage *s)
{
    resolution *t = &s->t;
    if (phrase_is_a_room_of_several(t->r, t->thing))
        return reader_refuse(
            t->r, CODE_UNKNOWN, t->thing,
            "where \"%s\" is is not known: several rooms are here",
            reader_said(t->r, t->thing));
    const bool floor_is_meant =
        phrase_means_floor(t->r, t->thing) || phrase_means_room(t->r, t->thing);
    if (t->found.count > 0 || t->scope.movers || !floor_is_meant)
        return ETNA_OK;
    uint32_t floor = refer_floor(t->r->facts);
    if (floor == BUILTIN_NONE)
        return ETNA_OK;
    if (!phrase_is_modified(t->thing))
        return stage_answer(s, set_one(t->r, floor));
    /* "the floor next to the door": what tells which is held against it, too */
    candidates_add(&t->found, floor, 0);
    return ETNA_OK;
}

etna_code stage_refuse_none(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count > 0)
        return ETNA_OK;
    etna_code code = gather_nearly(t, &t->found);
    return code == ETNA_OK ? refuse_unknown(t->r, t->thing, &t->found) : code;
}
