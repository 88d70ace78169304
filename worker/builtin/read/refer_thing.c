/* One noun phrase -> things, in stages. Each stage may change the query or the
 * candidates, refuse, or know the answer, which ends it: the words make a
 * query; a phrase without a noun borrows one; the scene gives candidates, by
 * several ways until one gives some; modifiers and colours narrow them; the
 * determiner says how many of these are meant. */
#include "proto/ascii.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

#include <stdio.h>

enum {
    COST_COUNTED_NAME = 30,
    COST_CALLED_AFTER = 20
};

/* A noun phrase on its way through the stages. */
typedef struct stage {
    resolution t;
    builtin_set *ret;
    const refer_scope *given; /* the caller's: t.scope may bar more or less */
    /* "of the two books" behind words without a noun; NULL: none */
    const chart_node *of;
    builtin_set others; /* all but these */
    bool borrows;       /* its noun is another phrase's */
    bool side_alone;    /* it has but a side's word: "the right" */
    /* all candidates answer only as far as anybody knows */
    bool unproven;
    bool done; /* *ret is the answer */
} stage;

static bool amount_says(const stage *s, unsigned bits)
{
    return (s->t.amount.says & bits) != 0;
}

static etna_code stage_answer(stage *s, builtin_set set)
{
    *s->ret = set;
    s->done = true;
    return ETNA_OK;
}

static etna_code query_set(stage *s, const char *const *words, uint32_t count)
{
    return reader_query(s->t.r, words, count, &s->t.query);
}

static bool word_is_one(const char *word)
{
    return strcmp(word, "one") == 0 || strcmp(word, "ones") == 0;
}

/* ---- the words ---- */

static etna_code read_name(stage *s)
{
    reader *r = s->t.r;
    uint32_t object;
    if (!phrase_is_name(r, s->t.thing, &object))
        return ETNA_OK;
    if (s->t.scope.movers && !object_moves(r->facts, object))
        return refuse_fixed(r, s->t.thing, object);
    return stage_answer(s, set_one(r, object));
}

/* "Green white red": a list without its commas is no thing of three colours. */
static bool query_contradicts(const match_query *q)
{
    uint32_t colour = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        bool last = i + 1 == q->count;
        uint32_t own = lexicon_colour(q->words[i]);
        if (!own)
            continue;
        bool noun = last && kinds_known(q->words[i]); /* "the yellow orange" */
        if (colour && own != colour && !noun)
            return true;
        colour = own;
    }
    return false;
}

static etna_code refuse_no(stage *s)
{
    reader *r = s->t.r;
    if (!amount_says(s, SAYS_NONE))
        return ETNA_OK;
    return reader_refuse(r, CODE_UNREAD, s->t.thing,
                         "\"%s\": what not to do is not understood",
                         reader_said(r, s->t.thing));
}

/* "Every second chair", "every other plate" where none was spoken of: in which
 * order they are counted nothing says. */
static etna_code refuse_alternate(stage *s)
{
    reader *r = s->t.r;
    const chart_node *thing = s->t.thing;
    if (thing->end < thing->first + 2 ||
        !reader_word_is(r, thing->first, "every"))
        return ETNA_OK;
    const char *const next = reader_word(r, thing->first + 1);
    const bool first = r->memory.last.count == 0 && strcmp(next, "other") == 0;
    if (!first && !lexicon_ordinal(next))
        return ETNA_OK;
    return reader_refuse(r, CODE_UNREAD, thing,
                         "\"%s\": which of them these are is not clear",
                         reader_said(r, thing));
}

/* by a comma */
typedef enum core_join {
    JOIN_NONE,
    JOIN_WORDS,
    JOIN_NOUNS
} core_join;

/* "Three cushions side by side": a bare "side" is no thing's name. */
static etna_code refuse_bare_part(stage *s)
{
    reader *r = s->t.r;
    const chart_node *thing = s->t.thing;
    if (thing->end != thing->first + 1 ||
        !reader_word_is(r, thing->first, "side"))
        return ETNA_OK;
    return reader_refuse(r, CODE_UNREAD, thing, "\"%s\" is not understood",
                         reader_said(r, thing));
}

/* "The big, red ball" is one phrase, "by the soap, bucket" two things. */
static core_join core_joins(const stage *s)
{
    const chart_node *core = chart_child(s->t.thing, "CORE");
    bool superlative, joins = false;
    for (uint32_t i = 1; core && i < core->child_count; i++) {
        if (!node_is(core->children[i], "','"))
            continue;
        const chart_node *before = core->children[i - 1];
        const char *word =
            node_is(before, "$w") ? s->t.r->s->tokens[before->value].text : "";
        const bool looks = lexicon_colour(word) ||
                           lexicon_size(word, &superlative) ||
                           lexicon_material(word);
        joins = joins || !(looks || lexicon_is_mere_adjective(word));
        if (joins && kinds_known(word))
            return JOIN_NOUNS;
    }
    return joins ? JOIN_WORDS : JOIN_NONE;
}

/* "One glass per plate": no plate of glass. */
static bool core_says_per(const stage *s)
{
    const chart_node *core = chart_child(s->t.thing, "CORE");
    for (uint32_t at = core ? core->first : 0; core && at < core->end; at++) {
        if (reader_word_is(s->t.r, at, "per"))
            return true;
    }
    return false;
}

static bool word_is_filler(const char *word)
{
    return strcmp(word, "thingy") == 0 || strcmp(word, "thingie") == 0;
}

/* Exactly so. */
static bool word_is_in_a_name(const resolution *t, const char *word)
{
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const builtin_object *o = &t->r->facts->objects[i];
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (strcmp(o->words[k], word) == 0)
                return true;
        }
    }
    return false;
}

/* "Four chairs" are rather four than the one named "chair four"; where nothing
 * is named so, the word counts and is no name's. */
static void read_counted_name(stage *s)
{
    resolution *t = &s->t;
    const uint32_t number =
        t->plural && t->word_count > 1 ? lexicon_number(t->words[0]) : 0;
    if (number < 2)
        return;
    t->r->cost += COST_COUNTED_NAME;
    if (word_is_in_a_name(t, t->words[0]))
        return;
    t->amount.number = number;
    t->word_count--;
    memmove(t->words, t->words + 1, t->word_count * sizeof t->words[0]);
}

/* "One pile", where nothing here is a pile: one of what was named before. */
static bool counts_heap(const stage *s)
{
    const resolution *t = &s->t;
    const bool heap = t->word_count == 1 && match_is_collection(t->words[0]) &&
                      t->amount.number == 1;
    return heap && t->r->memory.noun_count > 0 &&
           !word_is_in_a_name(t, t->words[0]);
}

/* The words of the core and what they say of number; fillers are dropped where
 * the rest has a meaning. */
static etna_code read_words(stage *s)
{
    resolution *t = &s->t;
    if (core_says_per(s))
        return reader_refuse(t->r, CODE_UNREAD, t->thing,
                             "\"%s\": say it with \"each\"",
                             reader_said(t->r, t->thing));
    const core_join join = core_joins(s);
    if (join == JOIN_NOUNS)
        return reader_refuse(t->r, CODE_UNREAD, t->thing,
                             "\"%s\" is not understood",
                             reader_said(t->r, t->thing));
    if (join == JOIN_WORDS)
        t->r->cost += MATCH_NOT_HEAD;
    t->word_count = phrase_words(t->r, t->thing, t->words);
    const bool bare =
        !chart_child(t->thing, "$det") && !chart_child(t->thing, "$quant");
    if (bare && t->word_count == 1 && strcmp(t->words[0], "one") == 0)
        t->amount.number = 1; /* "one before each" */
    if (t->word_count > 1 && word_is_filler(t->words[t->word_count - 1]) &&
        kinds_known(t->words[t->word_count - 2]))
        t->word_count--; /* "the white board thingy" */
    if (counts_heap(s))
        t->word_count = 0; /* "one stack on the desk, one on the table" */
    t->plural =
        t->word_count > 0 && match_is_plural_word(t->words[t->word_count - 1]);
    read_counted_name(s);
    t->plural = t->plural || amount_says(s, SAYS_ALL | SAYS_BOTH | SAYS_EACH) ||
                t->amount.number > 1;
    return query_set(s, t->words, t->word_count);
}

/* "The first three plates" are three from the left, "the last two" from the
 * right. */
static etna_code read_first_few(stage *s)
{
    resolution *t = &s->t;
    uint32_t ordinal = t->word_count > 2 ? lexicon_ordinal(t->words[0]) : 0;
    uint32_t number = ordinal ? lexicon_number(t->words[1]) : 0;
    if (number < 2 || !t->plural || (ordinal != 1 && ordinal != UINT32_MAX))
        return ETNA_OK;
    t->word_count -= 2;
    memmove(t->words, t->words + 2, t->word_count * sizeof t->words[0]);
    etna_code code = query_set(s, t->words, t->word_count);
    t->amount.number = number;
    t->query.sides = ordinal == 1 ? LEXICON_LEFT : LEXICON_RIGHT;
    return code;
}

/* "Chairs A to D", "cups a-c": the first and the last letter; false: none are
 * said. */
static bool span_find_letters(const stage *s,
                              uint32_t *ret_first,
                              uint32_t *ret_last)
{
    const chart_node *span = chart_child(s->t.thing, "SPAN");
    const chart_node *first = span ? chart_child(span, "$letter") : NULL;
    const char *last =
        s->t.word_count > 1 ? s->t.words[s->t.word_count - 1] : "";
    const bool joined = !span && strlen(last) == 3 && last[1] == '-' &&
                        last[0] >= 'a' && last[2] <= 'z';
    if (!first && !joined)
        return false;
    *ret_first = first ? first->value : (uint32_t)(last[0] - 'a');
    *ret_last = first ? span->children[span->child_count - 1]->value
                      : (uint32_t)(last[2] - 'a');
    return *ret_last > *ret_first && *ret_last < 26;
}

/* "Crates 1-3", "plates 1 to 4": the first and the last number; false: none are
 * said. */
static bool span_find(const stage *s, uint32_t *ret_first, uint32_t *ret_last)
{
    enum {
        MOST = 20
    };
    const chart_node *span = chart_child(s->t.thing, "SPAN");
    const char *last =
        s->t.word_count > 1 ? s->t.words[s->t.word_count - 1] : "";
    int used = 0;
    if (span && chart_child(span, "$letter"))
        return false;
    *ret_first = span ? span->children[0]->value / 1000 : 0;
    *ret_last = span ? span->children[span->child_count - 1]->value / 1000 : 0;
    if (!span && sscanf(last, "%2u-%2u%n", ret_first, ret_last, &used) == 2 &&
        last[used])
        return false;
    return *ret_first > 0 && *ret_last > *ret_first &&
           *ret_last - *ret_first < MOST;
}

/* "Chairs 1, 2 and 4": each by the number that is said of it. */
static etna_code read_labels(stage *s)
{
    const chart_node *labels = chart_child(s->t.thing, "LABELS");
    builtin_set sum = {0};
    if (!labels || s->t.word_count == REFER_WORDS_MAX)
        return ETNA_OK;
    resolution one = s->t;
    one.plural = false;
    one.amount = (quantity){.says = SAYS_DEFINITE};
    etna_code code = candidates_make(one.r, &one.found);
    for (uint32_t i = 0; i < labels->child_count && code == ETNA_OK; i++) {
        const chart_node *const label = labels->children[i];
        builtin_set found;
        if (!node_is(label, "$num"))
            continue;
        one.words[s->t.word_count] = reader_word(one.r, label->first);
        code = reader_query(one.r, one.words, s->t.word_count + 1, &one.query);
        if (code == ETNA_OK)
            gather(&one, &one.query, &one.found);
        if (code == ETNA_OK)
            code = choose_one(&one, &found);
        if (code == ETNA_OK)
            code = set_union(one.r, &sum, &found, &sum);
    }
    if (code == ETNA_OK && s->t.query.has_noun)
        code = refer_remember(s->t.r, &s->t.query, s->t.scope.movers);
    return code == ETNA_OK ? stage_answer(s, sum) : code;
}

/* Each of them by its own number. */
static etna_code read_span(stage *s)
{
    uint32_t first, last;
    builtin_set sum = {0};
    const bool letters = span_find_letters(s, &first, &last);
    if (!letters && !span_find(s, &first, &last))
        return ETNA_OK;
    uint32_t nouns = s->t.word_count - !chart_child(s->t.thing, "SPAN");
    match_query called;
    etna_code known = reader_query(s->t.r, s->t.words, nouns, &called);
    if (known == ETNA_OK && called.has_noun)
        known = refer_remember(s->t.r, &called, s->t.scope.movers);
    if (known != ETNA_OK)
        return known;
    resolution one = s->t;
    one.plural = false;
    one.amount = (quantity){.says = SAYS_DEFINITE};
    etna_code code = candidates_make(one.r, &one.found);
    for (uint32_t n = first;
         n <= last && code == ETNA_OK && nouns < REFER_WORDS_MAX; n++) {
        builtin_set found;
        one.words[nouns] =
            letters ? etna_arena_printf(one.r->arena, "%c", (char)('a' + n))
                    : etna_arena_printf(one.r->arena, "%u", n);
        if (!one.words[nouns])
            return reader_no_memory(one.r);
        code = reader_query(one.r, one.words, nouns + 1, &one.query);
        if (code == ETNA_OK)
            gather(&one, &one.query, &one.found);
        if (code == ETNA_OK)
            code = choose_one(&one, &found);
        if (code == ETNA_OK)
            code = set_union(one.r, &sum, &found, &sum);
    }
    return code == ETNA_OK ? stage_answer(s, sum) : code;
}

static etna_code refuse_side(const resolution *t)
{
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "\"%s\" is not understood",
                         reader_said(t->r, t->thing));
}

/* "The left of the two books" is one of them. "The left of the plate", "of each
 * plate", "of the plates" is a place beside it, and the "top" of "on top of" no
 * thing either. */
static etna_code refuse_bare_side(stage *s)
{
    const resolution *t = &s->t;
    s->side_alone = t->word_count == 1 && t->query.sides &&
                    !t->query.has_noun && !t->query.generic;
    if (!s->side_alone)
        return ETNA_OK;
    if (node_says(t->thing, "$det", BIT(DET_ITS)))
        return refuse_side(t); /* "its back" is a part of it */
    const chart_node *of = chart_child(t->thing, "OF");
    if (of && !chart_find(of, "NUMBER"))
        return refuse_side(t);
    bool counted =
        chart_child(t->thing, "$quant") || chart_child(t->thing, "NUMBER");
    return counted || chart_child(t->thing, "$det") ? ETNA_OK : refuse_side(t);
}

/* "On the right": beside what was named before, where there is but one of it
 * and no right one. */
static etna_code refuse_only_side(stage *s)
{
    return s->side_alone && s->t.found.count < 2 ? refuse_side(&s->t) : ETNA_OK;
}

static etna_code refuse_colours(stage *s)
{
    const resolution *t = &s->t;
    if (!query_contradicts(&t->query))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "\"%s\" has several colours",
                         reader_said(t->r, t->thing));
}

/* "The smaller of the two books": everything but these is barred. */
static etna_code read_partitive(stage *s)
{
    resolution *t = &s->t;
    const match_query *q = &t->query;
    const chart_node *of = chart_child(t->thing, "OF");
    const chart_node *inner = of ? of->children[of->child_count - 1] : NULL;
    bool says_which = q->colour || query_is_ranked(q);
    if (!says_which || q->has_noun)
        return ETNA_OK;
    if (!inner || !phrase_is_plural(t->r, inner))
        return ETNA_OK;
    builtin_set set;
    refer_scope many = *s->given;
    many.many = true;
    etna_code code = refer_things(t->r, inner, &many, &set);
    if (code != ETNA_OK)
        return code;
    s->of = of;
    t->scope.barred = &s->others;
    return set_others(t->r, &set, &s->others);
}

/* "One cup here, the other cup there": of two of which any was meant, any
 * again. */
static bool other_of_some(const stage *s)
{
    const reader *r = s->t.r;
    const builtin_set *last = &r->memory.last;
    if (last->count != 2 || last->need != 1)
        return false;
    for (uint32_t i = 0; i < last->count && s->t.word_count > 0; i++) {
        if (reader_match(r, last->objects[i], &s->t.query).cost >=
            MATCH_NOT_HEAD)
            return false;
    }
    return true;
}

/* "Clear the table apart from the bowl. The rest goes on the bench": what was
 * to leave it; NULL: nothing was cleared right before. */
static const builtin_set *rest_of_cleared(const stage *s)
{
    const reader *r = s->t.r;
    const builtin_reading *reading = r->reading;
    const bool rest = s->t.word_count == 0 && amount_says(s, SAYS_REST);
    if (!rest || !s->t.scope.movers || reading->count == r->first_move)
        return NULL;
    const builtin_move *last = &reading->moves[reading->count - 1];
    const bool cleared =
        last->relation == RELATION_OFF && last->reference == r->memory.context;
    return cleared ? &last->objects : NULL;
}

/* One thing, and no pair of shoes. */
static bool last_is_one(const reader *r)
{
    const builtin_set *last = &r->memory.last;
    if (last->count != 1)
        return false;
    const char *noun = builtin_noun(object_at(r, last->objects[0]));
    return !noun || !match_is_plural_word(noun);
}

/* "All of them", "both": what was spoken of last. */
static etna_code read_memory(stage *s)
{
    reader *r = s->t.r;
    const builtin_set *last = &r->memory.last;
    if (amount_says(s, SAYS_OTHER) && other_of_some(s))
        return stage_answer(s, (builtin_set){last->count, last->objects, 1});
    const builtin_set *rest = rest_of_cleared(s);
    if (rest)
        return stage_answer(s, *rest);
    if (s->t.word_count > 0 || amount_says(s, SAYS_OTHER | SAYS_REST))
        return ETNA_OK;
    bool all_of_them = amount_says(s, SAYS_ALL | SAYS_BOTH) ||
                       s->t.amount.number == last->count;
    if (amount_says(s, SAYS_BOTH) && last_is_one(r))
        return reader_refuse(r, CODE_AMBIGUOUS, s->t.thing,
                             "what \"%s\" means is not clear",
                             reader_said(r, s->t.thing));
    if (last->count > 0 && all_of_them)
        return stage_answer(s, *last);
    if (r->memory.noun_count > 0)
        return ETNA_OK;
    return reader_refuse(r, CODE_AMBIGUOUS, s->t.thing,
                         "what \"%s\" means is not clear",
                         reader_said(r, s->t.thing));
}

/* ---- borrowed nouns ---- */

/* A word that says which thing and not what it is: no noun is told by it,
 * unless it is the last and one itself. */
static bool word_is_no_noun(const char *word)
{
    static const char *const sides[] = {"left", "right", "middle", "leftmost",
                                        "rightmost"};
    bool superlative;
    if (lexicon_colour(word) || lexicon_size(word, &superlative))
        return true;
    if (ascii_is_digit(word[0]) || word[1] == 0)
        return true;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        if (strcmp(word, sides[i]) == 0)
            return true;
    }
    return false;
}

/* Nouns for later phrases without one ("the red one"), in the singular. */
etna_code refer_remember(reader *r, const match_query *q, bool movers)
{
    r->memory.noun_count = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        const char *word = q->words[i];
        bool last = i + 1 == q->count;
        if (word_is_no_noun(word) && !(last && kinds_known(word)))
            continue;
        char lemma[KINDS_WORD_SIZE];
        bool changes = last && kinds_lemma(word, lemma, sizeof lemma, NULL) > 0;
        if (changes)
            /* "the largest" of the boxes is one box */
            word = etna_arena_strdup(r->arena, lemma);
        if (!word)
            return reader_no_memory(r);
        r->memory.nouns[r->memory.noun_count++] = word;
    }
    uint32_t *count =
        movers ? &r->memory.mover_noun_count : &r->memory.place_noun_count;
    *count = r->memory.noun_count;
    memcpy(movers ? r->memory.mover_nouns : r->memory.place_nouns,
           r->memory.nouns, sizeof r->memory.nouns);
    return ETNA_OK;
}

/* Its own words and the nouns said before in the place of "one". */
static etna_code borrow_nouns(stage *s,
                              const char *const *nouns,
                              uint32_t noun_count)
{
    resolution *t = &s->t;
    const match_query before = t->query;
    const char *joined[REFER_WORDS_MAX] = {0};
    uint32_t borrowed =
        noun_count < REFER_WORDS_MAX - 1 ? noun_count : REFER_WORDS_MAX - 1;
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->word_count; i++) {
        bool one = i + 1 == t->word_count && word_is_one(t->words[i]);
        if (one && strcmp(t->words[i], "ones") == 0)
            t->plural = true;
        if (!one && used + borrowed < REFER_WORDS_MAX)
            joined[used++] = t->words[i];
    }
    for (uint32_t i = 0; i < borrowed; i++)
        joined[used++] = nouns[i];
    etna_code code = query_set(s, joined, used);
    t->query.ordinal_from_side = before.ordinal_from_side;
    t->query.ordinal_from_right = before.ordinal_from_right;
    if (before.generic && borrowed == 0)
        t->query.generic = true;
    if (used == 0)
        t->query.generic = true;
    return code;
}

/* "The others", "the rest": several, unless one is said. */
static bool says_all_others(const stage *s)
{
    if (s->t.word_count > 0 || !amount_says(s, SAYS_REST | SAYS_OTHER))
        return false;
    return !amount_says(s, SAYS_INDEFINITE) && s->t.amount.number != 1 &&
           chart_find(s->t.thing, "$quant");
}

/* Has the phrase no noun of its own, or but a label: "cups A, B and C"? */
static bool noun_is_lacking(const resolution *t)
{
    if (t->word_count == 0 || !t->query.has_noun)
        return true;
    const bool one =
        t->word_count > 1 && word_is_one(t->words[t->word_count - 1]);
    if (one && chart_child(t->thing, "$det"))
        /* "the picture one" is no picture, but "chair one" is a chair */
        return true;
    return t->word_count == 1 && t->words[0][1] == 0;
}

static bool nouns_are_moved(const stage *s)
{
    return s->t.scope.movers && s->t.r->memory.mover_noun_count > 0;
}

/* "The rest" after "everything blue" is of no kind that was said. */
static etna_code refuse_rest_of_all(stage *s)
{
    const resolution *t = &s->t;
    bool rest =
        t->scope.movers && t->word_count == 0 && amount_says(s, SAYS_REST);
    if (!rest || nouns_are_moved(s))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "what \"%s\" is the rest of is not said",
                         reader_said(t->r, t->thing));
}

/* "On the right one" is of what the last place was, where there are several of
 * it. */
static etna_code borrow_place(stage *s, bool *ret_is_borrowed)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const match_query own = t->query;
    bool one = t->word_count > 1 && word_is_one(t->words[t->word_count - 1]);
    if (memory->place_noun_count == 0 || !one)
        return ETNA_OK;
    etna_code code =
        borrow_nouns(s, memory->place_nouns, memory->place_noun_count);
    if (code == ETNA_OK)
        code = candidates_make(t->r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    *ret_is_borrowed = t->found.count > 1;
    if (!*ret_is_borrowed)
        t->query = own;
    return ETNA_OK;
}

/* "The hairdryer on the counter with the other two": of its own kind. */
static bool says_as_many_others(const stage *s)
{
    return s->t.word_count == 0 && amount_says(s, SAYS_OTHER) &&
           s->t.amount.number > 1 && s->t.r->memory.mover_noun_count > 0;
}

/* "The lamp in the back left corner and the phone in the front right one": no
 * lamp is meant. */
static bool says_another_zone(const stage *s)
{
    const resolution *t = &s->t;
    const reader *r = t->r;
    const uint32_t zones = BIT(RELATION_CORNER) | BIT(RELATION_EDGE) |
                           BIT(RELATION_END) | BIT(RELATION_MIDDLE);
    bool sides = t->word_count > 1 && !t->scope.movers;
    if (r->reading->count == r->first_move ||
        !bit_is_in(r->reading->moves[r->reading->count - 1].relation, zones))
        return false;
    for (uint32_t i = 0; i + 1 < t->word_count && sides; i++)
        sides = match_word_side(t->words[i]) != 0;
    return sides && word_is_one(t->words[t->word_count - 1]);
}

/* A phrase without a noun borrows the one spoken of before. */
static etna_code find_noun(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    bool as_moved = nouns_are_moved(s) || says_as_many_others(s);
    const char *const *nouns = as_moved ? memory->mover_nouns : memory->nouns;
    uint32_t noun_count =
        as_moved ? memory->mover_noun_count : memory->noun_count;
    bool says_which =
        t->query.generic || t->query.count > 0 || t->query.ordinal;
    bool can_borrow = t->word_count == 0 || (noun_count > 0 && says_which);
    s->borrows = can_borrow && noun_is_lacking(t);
    if (t->word_count == 0 && memory->noun_count == 0)
        t->query.generic = true;
    if (!s->borrows)
        return t->query.has_noun
                   ? refer_remember(t->r, &t->query, t->scope.movers)
                   : ETNA_OK;
    if (says_another_zone(s))
        return reader_refuse(t->r, CODE_AMBIGUOUS, t->thing,
                             "what \"%s\" means is not clear",
                             reader_said(t->r, t->thing));
    bool as_place = false;
    etna_code code = t->scope.movers ? ETNA_OK : borrow_place(s, &as_place);
    if (code == ETNA_OK && !as_place)
        code = borrow_nouns(s, nouns, noun_count);
    t->plural = t->plural || says_all_others(s);
    return code;
}

/* ---- candidates ---- */

static etna_code find_by_words(stage *s)
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

/* "2 plates 2 glasses" behind a noun of several comes another number: two
 * phrases, and no one name. */
static bool words_count_twice(const resolution *t)
{
    for (uint32_t i = 1; i + 1 < t->word_count; i++) {
        const bool several = match_is_plural_word(t->words[i - 1]) &&
                             match_is_plural_word(t->words[i + 1]);
        if (several && lexicon_number(t->words[i]) > 1)
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
        const char *before = reader_word(t->r, at[0]->first),
                   *after = reader_word(t->r, at[2]->first);
        if (word_calls_a_thing(t, before) && word_calls_a_thing(t, after))
            return true;
    }
    return false;
}

/* "Stapler scissors pencil": names one behind the other are no one thing's. */
static etna_code refuse_run_on(stage *s)
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

/* "The dino book next to the picture one": of what was said before the noun
 * alone. */
static etna_code find_by_last_noun(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const bool as_moved = memory->mover_noun_count > 0;
    const char *const *nouns = as_moved ? memory->mover_nouns : memory->nouns;
    const uint32_t count =
        as_moved ? memory->mover_noun_count : memory->noun_count;
    if (t->found.count > 0 || !s->borrows || count < 2 || t->word_count < 2)
        return ETNA_OK;
    etna_code code = borrow_nouns(s, &nouns[count - 1], 1);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    return code;
}

/* What was named before may be called otherwise than it was: by its own name's
 * noun. */
static etna_code find_by_last_name(stage *s)
{
    resolution *t = &s->t;
    const builtin_set *named = &t->r->memory.named;
    if (t->found.count > 0 || !s->borrows || named->count == 0)
        return ETNA_OK;
    const char *words[REFER_WORDS_MAX] = {0};
    const char *noun = builtin_noun(&t->r->facts->objects[named->objects[0]]);
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->word_count && used + 1 < REFER_WORDS_MAX; i++) {
        if (!word_is_one(t->words[i]))
            words[used++] = t->words[i];
    }
    if (noun)
        words[used++] = noun;
    etna_code code = query_set(s, words, used);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    return code;
}

static bool candidates_unproven(const resolution *t)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!reader_match(t->r, t->found.items[i].object, &t->query).unproven)
            return false;
    }
    return t->found.count > 0;
}

/* "The oak one": whatever is of oak; "the sun one": what is called after it,
 * though it be called a poster and was spoken of as a picture. Of what answers
 * only as far as anybody knows, such a thing is rather meant. */
static etna_code find_of_any_kind(stage *s)
{
    resolution *t = &s->t;
    const match_query borrowed = t->query;
    const candidates before = t->found;
    if (!s->borrows || t->word_count < 2 ||
        strcmp(t->words[t->word_count - 1], "one") != 0)
        return ETNA_OK;
    if (t->found.count > 0 && !candidates_unproven(t))
        return ETNA_OK;
    etna_code code = candidates_make(t->r, &t->found);
    for (uint32_t left_out = 0;
         left_out < 2 && code == ETNA_OK && t->found.count == 0; left_out++) {
        code = query_set(s, t->words, t->word_count - left_out);
        if (code == ETNA_OK && (left_out == 0 || t->query.has_noun))
            gather(t, &t->query, &t->found);
    }
    for (uint32_t i = 0; i < t->found.count; i++) {
        uint32_t *cost = &t->found.items[i].cost;
        *cost = *cost < MATCH_NOT_HEAD ? *cost : COST_CALLED_AFTER;
    }
    if (code == ETNA_OK && t->found.count == 0) {
        t->query = borrowed;
        t->found = before;
    }
    return code;
}

/* "The third" counts what is moved, too. */
static etna_code find_counted(stage *s)
{
    resolution *t = &s->t;
    t->query.partitive = s->of != NULL;
    if (!t->query.ordinal || !s->given->barred || s->of)
        return ETNA_OK;
    t->scope.barred = NULL;
    gather(t, &t->query, &t->found);
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

static etna_code find_by_ground(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count > 0 || t->word_count < 2 || !match_is_place(t->words[0]))
        return ETNA_OK;
    etna_code code = query_set(s, t->words + 1, t->word_count - 1);
    if (code == ETNA_OK && t->query.has_noun)
        gather(t, &t->query, &t->found);
    if (code == ETNA_OK)
        candidates_select(&t->found, object_is_at_place, t, true);
    return code;
}

/* Objects whose place proves the words ("the kitchen chair"). */
static etna_code find_by_place(stage *s)
{
    resolution *t = &s->t;
    s->unproven = candidates_unproven(t);
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

/* What holds another thing, and may be no thing of its own here. */
static bool word_holds(const char *word)
{
    static const char *const holders[] = {
        "bottle", "can",    "carton", "glass",  "cup",   "jar",   "bag",
        "box",    "packet", "pack",   "pot",    "tub",   "tube",  "loaf",
        "roll",   "bar",    "sheet",  "mug",    "jug",   "tin",   "crate",
        "bowl",   "tray",   "pair",   "bundle", "bunch", "piece", "pile",
        "stack",  "bucket", "flask",  "case",   "slice"};
    for (size_t i = 0; i < sizeof holders / sizeof holders[0]; i++) {
        if (builtin_same_word(word, holders[i]))
            return true;
    }
    return false;
}

/* "The seed packets", where they are called tomato seeds and bean seeds. */
static etna_code find_by_content_before(stage *s)
{
    resolution *t = &s->t;
    const char *head = t->word_count > 1 ? t->words[t->word_count - 1] : "";
    if (t->found.count > 0 || s->borrows || !word_holds(head) ||
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
    if (found.count == 0 || candidates_least(&found) >= MATCH_NOT_HEAD)
        return ETNA_OK;
    t->found = found;
    t->query = content;
    return ETNA_OK;
}

/* "The bottles of beer" may be called just Beer: what holds a thing and is none
 * of its own here is left out. */
static etna_code find_by_content(stage *s)
{
    resolution *t = &s->t;
    const chart_node *of = chart_child(t->thing, "OF"),
                     *inner = of ? of->children[of->child_count - 1] : NULL;
    const char *head = t->word_count ? t->words[t->word_count - 1] : "";
    const char *words[REFER_WORDS_MAX];
    if (t->found.count > 0)
        return ETNA_OK;
    if (!inner || !node_is(inner, "THING"))
        return find_by_content_before(s);
    const uint32_t count =
        word_holds(head) ? phrase_words(t->r, inner, words) : 0;
    if (count == 0 || t->word_count - 1 + count > REFER_WORDS_MAX)
        return ETNA_OK;
    memcpy(t->words + t->word_count - 1, words, count * sizeof words[0]);
    t->word_count += count - 1;
    etna_code code = query_set(s, t->words, t->word_count);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    return code;
}

/* Objects of the form said ("the round table") where names tell nothing. */
static etna_code find_by_form(stage *s)
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
    bool counts = lexicon_number(word) || lexicon_ordinal(word) ||
                  ascii_is_digit(word[0]);
    bool tells = lexicon_colour(word) || lexicon_size(word, &superlative) ||
                 lexicon_material(word);
    return !counts && !tells && !lexicon_is_person(word) && kinds_word(word) &&
           !kinds_known(word);
}

/* "Folded" and the like are in no name, and tell nothing that is known of a
 * thing: what they are said of is meant. */
static etna_code find_undescribed(stage *s)
{
    enum {
        COST_UNDESCRIBED = 15
    };
    resolution *t = &s->t;
    uint32_t skip = 0;
    while (skip + 1 < t->word_count && word_merely_describes(t->words[skip]))
        skip++;
    /* no "dining table" */
    bool own_words =
        t->query.has_noun && !s->borrows && !kinds_known(t->query.whole);
    if (skip == 0 || !own_words || (t->found.count > 0 && !s->unproven))
        return ETNA_OK;
    s->unproven = false;
    etna_code code = query_set(s, t->words + skip, t->word_count - skip);
    if (code == ETNA_OK && t->query.has_noun)
        gather(t, &t->query, &t->found);
    t->r->cost += COST_UNDESCRIBED;
    if (code == ETNA_OK && amount_says(s, SAYS_ONLY) && t->found.count > 1)
        /* "only the clean plates" */
        return reader_refuse(t->r, CODE_UNKNOWN, t->thing,
                             "\"%s\": which of them these are is not known",
                             reader_said(t->r, t->thing));
    return code;
}

/* What nothing is called that is here, where one thing has no name. */
static etna_code find_by_default(stage *s)
{
    resolution *t = &s->t;
    candidates one;
    const bool several = amount_says(s, SAYS_ALL | SAYS_BOTH | SAYS_EACH) ||
                         t->amount.number > 1;
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

static bool thing_is_modified(const chart_node *thing)
{
    for (uint32_t i = 0; i < thing->child_count; i++) {
        const chart_node *c = thing->children[i];
        if (!c->is_terminal && !node_is(c, "CORE") && !node_is(c, "NUMBER"))
            return true;
    }
    return false;
}

/* "The coffee table" for the one low table there is. */
static etna_code prove_by_size(stage *s)
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

/* Is a word before its noun what something else here is called: "the bed
 * window"? */
static etna_code names_something_else(const stage *s, bool *ret)
{
    const match_query *q = &s->t.query;
    *ret = false;
    for (uint32_t i = 0; i + 1 < q->count && !*ret; i++) {
        etna_code code = q->is_property[i]
                             ? ETNA_OK
                             : word_calls_another(&s->t, &q->words[i], ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "The wardrobe door", where a wardrobe stands by itself: a part of it, and no
 * door of the room. */
static etna_code refuse_part(stage *s)
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

/* "The garden chair" for a chair that nobody knows to be one: only where
 * nothing else can be meant. */
static etna_code refuse_unproven(stage *s)
{
    resolution *t = &s->t;
    bool as_many = t->found.count == (t->amount.number ? t->amount.number : 1);
    bool other = false;
    etna_code code = s->unproven ? names_something_else(s, &other) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    bool told = (as_many && !other) || thing_is_modified(t->thing);
    return s->unproven && !told ? refuse_unknown(t->r, t->thing, &t->found)
                                : ETNA_OK;
}

static etna_code find_room(stage *s)
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
    return floor == BUILTIN_NONE ? ETNA_OK
                                 : stage_answer(s, set_one(t->r, floor));
}

/* ---- narrowing ---- */

static etna_code narrow_by_modifiers(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count == 0)
        return ETNA_OK;
    return candidates_modify(t->r, t->thing, &t->query, &t->found);
}

/* Has one of them that colour, by its name or to the eye, or is it only the
 * nearest to it? */
static bool candidates_show_colour(const resolution *t)
{
    const uint32_t colour = t->query.colour;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const builtin_object *o = object_at(t->r, t->found.items[i].object);
        if (o->has_colour &&
            builtin_colour_of(o->lab) == (builtin_colour)colour)
            return true;
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (lexicon_colour(o->words[k]) == colour)
                return true;
        }
    }
    return false;
}

typedef bool stage_test(const stage *s);

/* Takes the noun of what is moved where that of the place has nothing that
 * passes. */
static etna_code prefer_moved(stage *s, stage_test *passes)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const match_query own = t->query;
    if (!s->borrows || t->scope.movers || memory->mover_noun_count == 0 ||
        t->word_count == 0)
        return ETNA_OK;
    if (t->found.count == 0 || passes(s))
        return ETNA_OK;
    candidates as_place = t->found;
    etna_code code = candidates_make(t->r, &t->found);
    if (code == ETNA_OK)
        code = borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    code = narrow_by_modifiers(s);
    if (code != ETNA_OK || passes(s))
        return code;
    t->query = own;
    t->found = as_place;
    return ETNA_OK;
}

static bool stage_shows_colour(const stage *s)
{
    return s->t.query.colour == 0 || candidates_show_colour(&s->t);
}

/* "The green hat on the table next to the blue one": where no table is blue,
 * the blue hat. */
static etna_code prefer_moved_of_colour(stage *s)
{
    return prefer_moved(s, stage_shows_colour);
}

/* Its name has all words but the noun. */
static bool object_is_called_so(const stage *s, uint32_t object)
{
    const resolution *t = &s->t;
    const builtin_object *o = object_at(t->r, object);
    for (uint32_t i = 0; i + 1 < t->word_count; i++) {
        bool has = false;
        for (uint32_t k = 0; k < o->word_count; k++)
            has = has || builtin_same_word(o->words[k], t->words[i]);
        if (!has)
            return false;
    }
    return true;
}

/* "The heavy one": a word that a name could have, and no noun. */
static bool says_which_one(const stage *s)
{
    const resolution *t = &s->t;
    return t->word_count > 1 && word_is_one(t->words[t->word_count - 1]) &&
           !t->query.colour;
}

static bool stage_is_called_so(const stage *s)
{
    if (!says_which_one(s) || s->t.query.ordinal)
        return true;
    for (uint32_t i = 0; i < s->t.found.count; i++) {
        if (object_is_called_so(s, s->t.found.items[i].object))
            return true;
    }
    return false;
}

/* "The heavy weight on the rack, beside the light one": no rack is light, by
 * its name. */
static etna_code prefer_moved_called_so(stage *s)
{
    return prefer_moved(s, stage_is_called_so);
}

static bool says_the_other(const stage *s)
{
    return s->t.word_count == 1 && word_is_one(s->t.words[0]) &&
           amount_says(s, SAYS_OTHER);
}

/* Is another meant than the place itself, or one that stands there? */
static bool stage_is_another(const stage *s)
{
    const resolution *t = &s->t;
    const uint32_t place = t->r->memory.last_reference;
    if (place == BUILTIN_NONE || (!says_the_other(s) && !says_which_one(s)))
        return true;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (t->found.items[i].object != place)
            return true;
    }
    return false;
}

static bool stage_is_there(const stage *s)
{
    const resolution *t = &s->t;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (builtin_is_above(t->r->facts, t->found.items[i].object,
                             t->r->memory.last_reference))
            return true;
    }
    return false;
}

/* "On the bench, beside the big one": of a place that there is one of, no other
 * can be told, but of what stands there. Whose other "the other one" is, nobody
 * knows. */
static etna_code prefer_moved_to_place_again(stage *s)
{
    const bool any = s->t.found.count > 0 && s->t.word_count > 0;
    if (!any || !s->borrows || s->t.scope.movers || stage_is_another(s))
        return ETNA_OK;
    if (!says_the_other(s))
        return prefer_moved(s, stage_is_there);
    return reader_refuse(s->t.r, CODE_AMBIGUOUS, s->t.thing,
                         "what \"%s\" means is not clear",
                         reader_said(s->t.r, s->t.thing));
}

static etna_code narrow_by_colour(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count == 0 || !t->query.colour)
        return ETNA_OK;
    /* of a red and a blue paint no book is the black one */
    const bool told = candidates_called_by_colour(t->r, &t->found) > 1;
    candidates_by_colour(t->r, &t->found, &t->query, t->plural,
                         t->amount.number);
    if (t->found.count == 0 && !told)
        gather_of_family(t, &t->found);
    return ETNA_OK;
}

/* "The cup on the table next to the white one": no table is white, and of what
 * is moved one may be. */
static etna_code find_of_moved(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    if (t->found.count > 0 || !s->borrows || memory->mover_noun_count == 0 ||
        t->word_count == 0)
        return ETNA_OK;
    etna_code code =
        borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    code = narrow_by_modifiers(s);
    return code == ETNA_OK ? narrow_by_colour(s) : code;
}

static etna_code refuse_none(stage *s)
{
    resolution *t = &s->t;
    if (t->found.count > 0)
        return ETNA_OK;
    etna_code code = gather_nearly(t, &t->found);
    return code == ETNA_OK ? refuse_unknown(t->r, t->thing, &t->found) : code;
}

/* ---- choosing ---- */

/* By plural, number or "each". */
static bool means_many(const stage *s)
{
    const resolution *t = &s->t;
    const match_query *q = &t->query;
    bool number_is_many = t->amount.number > 1;
    bool each_moved = amount_says(s, SAYS_EACH) && t->scope.movers;
    if (!t->plural && !each_moved)
        return false;
    if (number_is_many)
        return true;
    bool names_many =
        q->count > 0 && match_is_plural_word(q->words[q->count - 1]);
    return !q->ordinal && (!q->superlative || names_many);
}

static etna_code choose(stage *s)
{
    return means_many(s) ? choose_many(&s->t, s->ret)
                         : choose_one(&s->t, s->ret);
}

/* Of several: those that can be moved. */
static etna_code keep_movable(stage *s)
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

typedef etna_code stage_step(stage *s);

/* A noun phrase: the stages read its words, find candidates, narrow them down,
 * and choose. Each may end it. */
etna_code refer_thing(reader *r,
                      const chart_node *thing,
                      const refer_scope *scope,
                      builtin_set *ret)
{
    static stage_step *const stages[] = {read_name,
                                         refuse_no,
                                         refuse_alternate,
                                         refuse_bare_part,
                                         read_words,
                                         read_first_few,
                                         read_labels,
                                         read_span,
                                         refuse_bare_side,
                                         refuse_colours,
                                         read_partitive,
                                         read_memory,
                                         refuse_rest_of_all,
                                         find_noun,
                                         refuse_run_on,
                                         find_by_words,
                                         find_by_last_noun,
                                         find_by_last_name,
                                         find_of_any_kind,
                                         find_by_ground,
                                         find_counted,
                                         find_by_place,
                                         find_by_content,
                                         find_by_form,
                                         find_undescribed,
                                         find_by_default,
                                         prove_by_size,
                                         refuse_part,
                                         refuse_unproven,
                                         find_room,
                                         refuse_only_side,
                                         narrow_by_modifiers,
                                         prefer_moved_of_colour,
                                         prefer_moved_called_so,
                                         prefer_moved_to_place_again,
                                         narrow_by_colour,
                                         find_of_moved,
                                         refuse_none,
                                         choose,
                                         keep_movable};
    stage s = {.ret = ret, .given = scope};
    s.t = (resolution){.r = r,
                       .thing = thing,
                       .scope = *scope,
                       .amount = phrase_quantity(thing)};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && !s.done; i++) {
        etna_code code = stages[i](&s);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
