/* What the words of a noun phrase say: names, numbers, labels, and what was
 * spoken of before. They become the query that the scene answers. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/stage_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* "Planter 2 beside the largest one": its noun may be borrowed. */
static etna_code name_remember(stage *s, uint32_t object)
{
    reader *r = s->t.r;
    const builtin_object *o = object_at(r, object);
    match_query q;
    if (o->word_count == 0 || o->word_count > REFER_WORDS_MAX)
        return ETNA_OK;
    etna_code code = reader_query(r, o->words, o->word_count, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    return refer_remember(r, &q, s->t.scope.movers);
}

/* "Candle 1 to the left of the tray": what has its name needs no words to tell
 * it by, so that a place behind that is rather where it is to go. */
static etna_code name_weigh_place(stage *s)
{
    const uint32_t tells_nothing = 20; /* hundredths */
    const chart_node *const side = chart_child(s->t.thing, "FARSIDE");
    const chart_node *const of = chart_child(s->t.thing, "OF");
    if (side && of && of->first == side->end)
        return reader_refuse_said(
            s->t.r, CODE_UNREAD, side,
            "whether that says which or where is not clear");
    if (side || chart_child(s->t.thing, "MOD"))
        s->t.r->cost += tells_nothing;
    return ETNA_OK;
}

/* What is told of a named thing must ask for nothing else, and where it stands
 * must be so: else "put plate_1 on the shelf and plate_3 on the bench" would
 * tell of plate_1 that it is on the shelf. */
static etna_code name_check_told(stage *s, uint32_t object)
{
    const uint32_t untrue = 60; /* hundredths */
    reader *r = s->t.r;
    const builtin_set one = set_one(r, object);
    candidates found;
    match_query q = {0};
    /* "the end of Table_1 nearest to the door": no table is looked for */
    if (chart_child(s->t.thing, "NEAREST"))
        return reader_refuse_unread(r, s->t.thing);
    etna_code code = candidates_of_set(r, &one, &found);
    if (code == ETNA_OK)
        code = candidates_modify(r, s->t.thing, &q, &found);
    if (code == ETNA_OK && found.count == 0)
        r->cost += untrue;
    return code;
}

/* The named thing is the answer, whatever else may be called so. */
static etna_code name_answer(stage *s, uint32_t object)
{
    etna_code code = name_remember(s, object);
    if (code == ETNA_OK)
        code = name_weigh_place(s);
    if (code == ETNA_OK && phrase_is_modified(s->t.thing))
        code = name_check_told(s, object);
    return code == ETNA_OK ? stage_answer(s, set_one(s->t.r, object)) : code;
}

etna_code stage_read_name(stage *s)
{
    reader *r = s->t.r;
    uint32_t object;
    if (!phrase_is_name(r, s->t.thing, &object))
        return ETNA_OK;
    if (s->t.scope.movers && !object_moves(r->facts, object))
        return refuse_fixed(r, s->t.thing, object);
    return name_answer(s, object);
}

/* Can the word before a name, "chair" of "the red chair ChairD_003", be what the
 * named thing is? */
static etna_code name_suits(reader *r,
                            const char *noun,
                            uint32_t object,
                            bool *ret)
{
    match_query q;
    etna_code code = reader_query(r, &noun, 1, &q);
    *ret = code == ETNA_OK && !q.has_noun;
    if (code != ETNA_OK || *ret)
        return code;
    const uint32_t count = r->facts->object_count;
    uint32_t at = reader_match_next(r, 0, &q);
    const bool none = at >= count;
    while (at < count && at != object)
        at = reader_match_next(r, at + 1, &q);
    *ret = at == object || (none && builtin_is_anonymous(object_at(r, object)));
    return ETNA_OK;
}

/* "The red chair ChairD_003": colours are a matter of taste, and its name is
 * not. */
etna_code stage_read_name_last(stage *s)
{
    reader *r = s->t.r;
    uint32_t object;
    bool suits = false;
    if (!phrase_ends_in_name(r, s->t.thing, &object))
        return ETNA_OK;
    const chart_node *core = chart_child(s->t.thing, "CORE");
    etna_code code =
        name_suits(r, reader_word(r, core->end - 2), object, &suits);
    if (code == ETNA_OK && !suits)
        return reader_refuse_unread(r, s->t.thing);
    if (code == ETNA_OK && s->t.scope.movers && !object_moves(r->facts, object))
        return refuse_fixed(r, s->t.thing, object);
    return code == ETNA_OK ? name_answer(s, object) : code;
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

etna_code stage_refuse_no(stage *s)
{
    reader *r = s->t.r;
    if (!stage_says(s, SAYS_NONE))
        return ETNA_OK;
    return reader_refuse_said(r, CODE_UNREAD, s->t.thing,
                              "what not to do is not understood");
}

etna_code stage_refuse_alternate(stage *s)
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
    return reader_refuse_said(r, CODE_UNREAD, thing,
                              "which of them these are is not clear");
}

/* by a comma */
typedef enum core_join {
    JOIN_NONE,
    JOIN_WORDS,
    JOIN_NOUNS
} core_join;

etna_code stage_refuse_bare_part(stage *s)
{
    reader *r = s->t.r;
    const chart_node *thing = s->t.thing;
    if (thing->end != thing->first + 1 ||
        !reader_word_is(r, thing->first, "side"))
        return ETNA_OK;
    return reader_refuse_unread(r, thing);
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
    return lexicon_lists("stage: thing", word);
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

/* Does a name count what it names, as "2 Chairs" does and "Chair 2" does
 * not? */
static bool number_leads_a_name(const resolution *t)
{
    const char *said = t->words[1];
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const builtin_object *o = &t->r->facts->objects[i];
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            const char *own = o->words[k + 1];
            if (strcmp(o->words[k], t->words[0]) == 0 &&
                strncmp(said, own, strlen(own)) == 0)
                return true;
        }
    }
    return false;
}

/* "Four chairs" are rather four than what is named so; where nothing is, the
 * word counts and is no name's. */
static void read_counted_name(stage *s)
{
    const uint32_t cost = 30; /* hundredths */
    resolution *t = &s->t;
    if (!t->plural || t->word_count < 2)
        return;
    const uint32_t number = ascii_is_digit(t->words[0][0])
                                ? (uint32_t)strtoul(t->words[0], NULL, 10)
                                : lexicon_number(t->words[0]);
    if (number < 2)
        return;
    t->r->cost += cost;
    if (number_leads_a_name(t))
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

/* "Two piles", where nothing here is called so. */
static bool names_heaps(const stage *s)
{
    const resolution *t = &s->t;
    const char *const last = t->word_count ? t->words[t->word_count - 1] : "";
    return t->plural && lexicon_lists("heaps", last) &&
           !word_is_in_a_name(t, last) && !stage_says(s, SAYS_DEFINITE);
}

/* Refuses a core that is no one phrase; words that a comma joins are hardly
 * one. */
static etna_code core_check(stage *s)
{
    resolution *t = &s->t;
    if (core_says_per(s))
        return reader_refuse(t->r, CODE_UNREAD, t->thing,
                             "\"%s\": say it with \"each\"",
                             reader_said(t->r, t->thing));
    const core_join join = core_joins(s);
    if (join == JOIN_NOUNS)
        return reader_refuse_unread(t->r, t->thing);
    if (join == JOIN_WORDS)
        t->r->cost += MATCH_NOT_HEAD;
    return ETNA_OK;
}

/* "The white board thingy"; a bare "one" is a number: "one before each". */
static void words_drop_fillers(resolution *t)
{
    const uint32_t count = t->word_count;
    const bool bare =
        !chart_child(t->thing, "$det") && !chart_child(t->thing, "$quant");
    if (bare && count == 1 && strcmp(t->words[0], "one") == 0)
        t->amount.number = 1;
    if (count > 1 && word_is_filler(t->words[count - 1]) &&
        kinds_known(t->words[count - 2]))
        t->word_count--;
}

/* "Every ball" means what "all balls" does, a basketball, too. True: out of
 * memory. */
static bool words_make_plural(stage *s)
{
    resolution *t = &s->t;
    char lemma[KINDS_WORD_SIZE];
    const bool every =
        stage_says(s, SAYS_EACH | SAYS_ALL) && t->amount.number == 0;
    if (!every || t->plural || t->word_count == 0)
        return false;
    const char **head = &t->words[t->word_count - 1];
    const char *many = etna_arena_printf(t->r->arena, "%ss", *head);
    if (!many)
        return true;
    if (match_is_plural_word(many) &&
        kinds_lemma(many, lemma, sizeof lemma, NULL) > 0 &&
        strcmp(lemma, *head) == 0)
        *head = many;
    return false;
}

/* "The footwear": as a plural. */
static bool words_are_of_several(const stage *s)
{
    const resolution *t = &s->t;
    return t->word_count > 0 && !stage_says(s, SAYS_OTHER | SAYS_INDEFINITE) &&
           lexicon_lists("account: of several", t->words[t->word_count - 1]);
}

/* "With the other paint", of three paint cans: all that are called after that
 * stuff, which no thing is called alone. */
static bool words_are_other_stuff(const stage *s)
{
    enum {
        SEVERAL = 3 /* with the one that is moved */
    };
    const resolution *t = &s->t;
    uint32_t called = 0;
    if (!stage_says(s, SAYS_OTHER) || stage_says(s, SAYS_INDEFINITE) ||
        t->amount.number > 0 || t->word_count != 1)
        return false;
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const builtin_object *o = object_at(t->r, i);
        const char *noun = builtin_noun(o);
        if (!object_has_word(o, t->words[0]))
            continue;
        /* "Chair_A" is a chair */
        if (noun && (!noun[1] || builtin_same_word(noun, t->words[0])))
            return false;
        called++;
    }
    return called >= SEVERAL;
}

/* Is the one word right before the other in any name? */
static bool words_are_in_a_name(const resolution *t,
                                const char *first,
                                const char *second)
{
    for (uint32_t i = 0; i < t->r->facts->object_count; i++) {
        const builtin_object *o = object_at(t->r, i);
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            if (strcmp(o->words[k], first) == 0 &&
                builtin_same_word(o->words[k + 1], second))
                return true;
        }
    }
    return false;
}

/* "The 24 kg kettlebell", which is called Kettlebell 24. */
static void words_drop_measures(resolution *t)
{
    for (uint32_t i = 1; i + 1 < t->word_count; i++) {
        if (!word_is_number(t->words[i - 1]) ||
            !lexicon_lists("torn: measure", t->words[i]) ||
            words_are_in_a_name(t, t->words[i - 1], t->words[i]))
            continue;
        memmove(t->words + i, t->words + i + 1,
                (t->word_count - i - 1) * sizeof t->words[0]);
        t->word_count--;
    }
}

etna_code stage_read_words(stage *s)
{
    resolution *t = &s->t;
    etna_code code = core_check(s);
    if (code != ETNA_OK)
        return code;
    t->word_count = phrase_words(t->r, t->thing, t->words);
    const bool has_words = t->word_count > 0;
    words_drop_fillers(t);
    words_drop_measures(t);
    if (has_words && t->word_count == 0)
        /* "to the very | left of it" */
        return reader_refuse_unread(t->r, t->thing);
    if (counts_heap(s))
        t->word_count = 0; /* "one stack on the desk, one on the table" */
    t->plural =
        t->word_count > 0 && match_is_plural_word(t->words[t->word_count - 1]);
    if (names_heaps(s)) /* "two piles of two" are two things to make */
        return reader_refuse_unread(t->r, t->thing);
    read_counted_name(s);
    if (words_make_plural(s))
        return reader_no_memory(t->r);
    t->plural =
        t->plural || words_are_of_several(s) || words_are_other_stuff(s) ||
        stage_says(s, SAYS_ALL | SAYS_BOTH | SAYS_EACH) || t->amount.number > 1;
    return stage_query(s, t->words, t->word_count);
}

etna_code stage_read_first_few(stage *s)
{
    resolution *t = &s->t;
    uint32_t ordinal = t->word_count > 2 ? lexicon_ordinal(t->words[0]) : 0;
    /* "the front two chairs" */
    const unsigned side =
        t->word_count > 2 && !ordinal ? match_word_side(t->words[0]) : 0;
    uint32_t number = ordinal || side ? lexicon_number(t->words[1]) : 0;
    const bool of_end = ordinal == 1 || ordinal == UINT32_MAX || side;
    if (number < 2 || !t->plural || !of_end)
        return ETNA_OK;
    t->word_count -= 2;
    memmove(t->words, t->words + 2, t->word_count * sizeof t->words[0]);
    etna_code code = stage_query(s, t->words, t->word_count);
    t->amount.number = number;
    t->query.sides = ordinal == 1 ? LEXICON_LEFT : LEXICON_RIGHT;
    if (side)
        t->query.sides = side;
    t->query.first_few = !side;
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

/* Adds the one that the phrase's first `count` words, its label the last,
 * mean. */
static etna_code labelled_add(resolution *one, uint32_t count, builtin_set *sum)
{
    builtin_set found;
    etna_code code = reader_query(one->r, one->words, count, &one->query);
    if (code != ETNA_OK)
        return code;
    gather(one, &one->query, &one->found);
    code = choose_one(one, &found);
    return code == ETNA_OK ? set_union(one->r, sum, &found, sum) : code;
}

etna_code stage_read_labels(stage *s)
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
        if (!node_is(label, "$num") && !node_is(label, "$letter"))
            continue;
        one.words[s->t.word_count] = reader_word(one.r, label->first);
        code = labelled_add(&one, s->t.word_count + 1, &sum);
    }
    if (code == ETNA_OK && s->t.query.has_noun)
        code = refer_remember(s->t.r, &s->t.query, s->t.scope.movers);
    return code == ETNA_OK ? stage_answer(s, sum) : code;
}

/* "3", or of letters "d". NULL: no memory. */
static const char *span_label(reader *r, uint32_t n, bool is_letter)
{
    return is_letter ? etna_arena_printf(r->arena, "%c", (char)('a' + n))
                     : etna_arena_printf(r->arena, "%u", n);
}

etna_code stage_read_span(stage *s)
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
        one.words[nouns] = span_label(one.r, n, letters);
        if (!one.words[nouns])
            return reader_no_memory(one.r);
        code = labelled_add(&one, nouns + 1, &sum);
    }
    return code == ETNA_OK ? stage_answer(s, sum) : code;
}

/* "The benches two to a table" names no bench; "cups one and two" do. */
static bool label_is_one_of_several(const stage *s)
{
    const resolution *t = &s->t;
    const uint32_t end = t->thing->end;
    return end < t->r->part->end - t->r->part->first &&
           reader_lists(t->r, end, "stage: joint");
}

etna_code stage_refuse_plural_label(stage *s)
{
    const resolution *t = &s->t;
    const uint32_t count = t->word_count;
    const bool labelled = count > 1 &&
                          lexicon_number(t->words[count - 1]) > 0 &&
                          match_is_plural_word(t->words[count - 2]);
    if (!labelled || label_is_one_of_several(s))
        return ETNA_OK;
    return reader_refuse_unread(t->r, t->thing);
}

static etna_code refuse_side(const resolution *t)
{
    return reader_refuse_unread(t->r, t->thing);
}

/* "The ...", "some ...", "two ...": with anything before its noun. */
static bool phrase_is_determined(const chart_node *thing)
{
    return chart_child(thing, "$det") || chart_child(thing, "$quant") ||
           chart_child(thing, "NUMBER");
}

/* "The vase must to stand on the left": what it does, and no stand. */
etna_code stage_refuse_infinitive(stage *s)
{
    const resolution *t = &s->t;
    const uint32_t first = t->thing->first;
    const bool led = first > 1 && reader_word_is(t->r, first - 1, "to") &&
                     reader_lists(t->r, first - 2, "$be");
    const bool bare = t->word_count == 1 && !phrase_is_determined(t->thing);
    return led && bare && reader_lists(t->r, first, "$be")
               ? reader_refuse_unread(t->r, t->thing)
               : ETNA_OK;
}

etna_code stage_refuse_bare_side(stage *s)
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
    return phrase_is_determined(t->thing) ? ETNA_OK : refuse_side(t);
}

etna_code stage_refuse_only_side(stage *s)
{
    return s->side_alone && s->t.found.count < 2 ? refuse_side(&s->t) : ETNA_OK;
}

/* "The two into the corner on the left": no place is the left one of what goes
 * there, or of what was put elsewhere just before. */
etna_code stage_refuse_side_of_moved(stage *s)
{
    const reader *r = s->t.r;
    const bool place = s->side_alone && !s->t.scope.movers && s->ret->count > 0;
    return place && (set_is_within(s->ret, &r->moving) ||
                     set_is_within(s->ret, &r->memory.last))
               ? refuse_side(&s->t)
               : ETNA_OK;
}

etna_code stage_refuse_colours(stage *s)
{
    const resolution *t = &s->t;
    if (!query_contradicts(&t->query))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "\"%s\" has several colours",
                         reader_said(t->r, t->thing));
}

etna_code stage_refuse_piles(stage *s)
{
    resolution *t = &s->t;
    const chart_node *const core = chart_child(t->thing, "CORE");
    const char *const head = core ? reader_word(t->r, core->end - 1) : "";
    if (!chart_child(t->thing, "OF") || !lexicon_lists("heaps", head) ||
        word_is_in_a_name(t, head))
        return ETNA_OK;
    return reader_refuse_finally(
        t->r, reader_refuse(t->r, CODE_UNREAD, t->thing,
                            "\"%s\": how many each of them has is not said",
                            reader_said(t->r, t->thing)));
}

etna_code stage_read_partitive(stage *s)
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

/* "One cup here, the other cup there", "... the rest there": of those of which
 * any was meant, any again. */
static bool other_of_some(const stage *s)
{
    const reader *r = s->t.r;
    const builtin_set *last = &r->memory.last;
    if (last->need == 0 || last->need >= last->count)
        return false;
    const bool one_is_left = last->count - last->need == 1;
    const bool rest = s->t.word_count == 0 && stage_says(s, SAYS_REST);
    const bool several = s->t.plural || stage_says_all_others(s);
    if (!rest && several == one_is_left)
        return false;
    for (uint32_t i = 0; i < last->count && s->t.word_count > 0; i++) {
        if (reader_match(r, last->objects[i], &s->t.query).cost >=
            MATCH_NOT_HEAD)
            return false;
    }
    return true;
}

/* "A blanket on the chair and the rest in the hamper": the green one is one of
 * the rest, too, though a plain blanket was looked for first. */
static bool other_is_kin(const reader *r, const match_query *q, uint32_t object)
{
    return object_moves(r->facts, object) &&
           reader_match(r, object, q).cost < MATCH_NOT_HEAD &&
           !set_has(&r->memory.last, object);
}

/* In a list of its own, for it is not the one that was spoken of. */
static etna_code other_answer(stage *s)
{
    reader *r = s->t.r;
    const reader_memory *memory = &r->memory;
    const builtin_set *last = &memory->last;
    const uint32_t most = r->facts->object_count;
    uint32_t *own = etna_arena_alloc(r->arena, most, sizeof *own);
    if (!own)
        return reader_no_memory(r);
    uint32_t count = 0;
    for (uint32_t i = 0; i < last->count; i++)
        own[count++] = last->objects[i];
    const bool all = s->t.word_count == 0 && s->t.amount.number == 0 &&
                     memory->mover_noun_count > 0;
    match_query q;
    etna_code code =
        all ? reader_query(r, memory->mover_nouns, memory->mover_noun_count, &q)
            : ETNA_OK;
    for (uint32_t i = 0; all && code == ETNA_OK && i < most; i++) {
        if (other_is_kin(r, &q, i))
            own[count++] = i;
    }
    return code == ETNA_OK
               ? stage_answer(s, (builtin_set){count, own, count - last->need})
               : code;
}

/* "The rest", "the others", "the other things" */
static bool says_the_rest(const stage *s)
{
    if (s->t.word_count > 0)
        return s->t.query.generic && s->t.plural && stage_says(s, SAYS_OTHER);
    return stage_says(s, SAYS_REST) || stage_says_all_others(s);
}

/* "Clear the table apart from the bowl. The rest goes on the bench": what was
 * to leave it; NULL: nothing was cleared right before. */
static const builtin_set *rest_of_cleared(const stage *s)
{
    const reader *r = s->t.r;
    const builtin_reading *reading = r->reading;
    if (!says_the_rest(s) || !s->t.scope.movers ||
        reading->count == r->first_move)
        return NULL;
    const builtin_move *last = &reading->moves[reading->count - 1];
    const bool cleared =
        last->relation == RELATION_OFF && last->reference == r->memory.context;
    return cleared ? &last->objects : NULL;
}

/* "Leave the jug on the table; the rest ...": what stands there beside it.
 * BUILTIN_NONE: nothing was told to stay on anything right before. */
static uint32_t rest_is_left_on(const stage *s)
{
    const reader *r = s->t.r;
    const bool rest = s->t.word_count == 0 && stage_says(s, SAYS_REST);
    const builtin_move *last = reader_last_move(r);
    if (!rest || !s->t.scope.movers || !last || last->objects.count != 1)
        return BUILTIN_NONE;
    const bool stays =
        last->relation == RELATION_ON &&
        last->reference < r->facts->object_count &&
        builtin_is_above(r->facts, last->objects.objects[0], last->reference);
    return stays && !object_is_ground(r, last->reference) ? last->reference
                                                          : BUILTIN_NONE;
}

/* All of that, where it is not also the rest of one kind alone: "leave one plate
 * on the table" may speak of plates or of the table. */
static etna_code rest_answer_left(stage *s, uint32_t base)
{
    const reader *r = s->t.r;
    const uint32_t most = r->facts->object_count;
    const uint32_t left = reader_last_move(r)->objects.objects[0];
    const char *noun = builtin_noun(object_at(r, left));
    uint32_t *own = etna_arena_alloc(r->arena, most, sizeof *own);
    uint32_t count = 0, alike = 0;
    if (!own)
        return reader_no_memory(s->t.r);
    for (uint32_t i = 0; i < most; i++) {
        if (i == left || !object_moves(r->facts, i) ||
            !builtin_is_above(r->facts, i, base))
            continue;
        const char *other = builtin_noun(object_at(r, i));
        own[count++] = i;
        alike += noun && other && strcmp(noun, other) == 0;
    }
    if (alike > 0 && alike < count)
        return reader_refuse(
            s->t.r, CODE_AMBIGUOUS, s->t.thing,
            "whether \"%s\" is of them or of all that is on %.120s is not clear",
            reader_said(s->t.r, s->t.thing), object_at(r, base)->name);
    return count > 0 ? stage_answer(s, (builtin_set){count, own, count})
                     : ETNA_OK;
}

/* Does a move of this text put it, or what bears it, anywhere? */
static bool object_has_place(const reader *r, uint32_t object)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        if (m->relation == RELATION_OFF)
            continue;
        for (uint32_t k = 0; k < m->objects.count; k++) {
            const uint32_t moved = m->objects.objects[k];
            if (object == moved || builtin_is_above(r->facts, object, moved))
                return true;
        }
    }
    return false;
}

/* "The mug and the bowl onto the sideboard, the rest onto the counter": of what
 * those of several kinds were taken from. BUILTIN_NONE: of no one thing. */
static uint32_t rest_came_from(const stage *s)
{
    const reader *r = s->t.r;
    const bool rest = s->t.word_count == 0 && stage_says(s, SAYS_REST);
    const builtin_move *last = reader_last_move(r);
    if (!rest || !s->t.scope.movers || !last || last->objects.count < 2 ||
        last->relation == RELATION_OFF)
        return BUILTIN_NONE;
    const uint32_t *const moved = last->objects.objects;
    const builtin_object *const first = object_at(r, moved[0]);
    const uint32_t base = first->by_count > 0 ? first->by[0] : BUILTIN_NONE;
    if (base == BUILTIN_NONE || object_is_ground(r, base) ||
        base == last->reference)
        return BUILTIN_NONE;
    bool kinds = false;
    for (uint32_t i = 0; i < last->objects.count; i++) {
        const char *noun = builtin_noun(first);
        const char *other = builtin_noun(object_at(r, moved[i]));
        kinds = kinds || !noun || !other || strcmp(noun, other) != 0;
        if (!builtin_stands_on(r->facts, moved[i], base))
            return BUILTIN_NONE;
    }
    return kinds ? base : BUILTIN_NONE;
}

static etna_code rest_answer_from(stage *s, uint32_t base)
{
    const reader *r = s->t.r;
    const uint32_t most = r->facts->object_count;
    uint32_t *own = etna_arena_alloc(r->arena, most, sizeof *own);
    uint32_t count = 0;
    if (!own)
        return reader_no_memory(s->t.r);
    for (uint32_t i = 0; i < most; i++) {
        if (object_moves(r->facts, i) && builtin_stands_on(r->facts, i, base) &&
            !object_has_place(r, i))
            own[count++] = i;
    }
    return count > 0 ? stage_answer(s, (builtin_set){count, own, count})
                     : ETNA_OK;
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

/* NULL: it made none. */
const builtin_move *pile_last(const reader *r)
{
    for (uint32_t i = r->reading->count; i > r->first_move; i--) {
        const builtin_move *m = &r->reading->moves[i - 1];
        if (m->relation == RELATION_STACK && m->row_count > 1)
            return m;
    }
    return NULL;
}

bool phrase_is_stood_on(const stage *s)
{
    const uint32_t at = s->t.thing->first;
    for (uint32_t back = 1; back <= at && back <= 2; back++) {
        if (reader_lists(s->t.r, at - back, "stage: onto"))
            return true;
    }
    /* "the pile carries the vase", "use it as a stand for the vase" */
    const reader *const r = s->t.r;
    const uint32_t end = s->t.thing->end;
    const bool more = r->part->first + end < r->part->end;
    return (more && reader_lists(r, end, "stage: bears")) ||
           (at > 0 && reader_word_is(r, at - 1, "use"));
}

/* "Stack the crates, and the bucket next to the pile": beside what lies lowest
 * there, and on what lies on top. */
etna_code stage_read_pile(stage *s)
{
    resolution *t = &s->t;
    const bool says_pile = t->word_count == 1 && stage_says(s, SAYS_DEFINITE) &&
                           lexicon_lists("stage: pile", t->words[0]);
    const builtin_move *const pile =
        says_pile && !t->scope.movers ? pile_last(t->r) : NULL;
    if (!pile)
        return ETNA_OK;
    candidates own;
    etna_code code = candidates_make(t->r, &own);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &own);
    if (own.count > 0)
        return ETNA_OK; /* a thing is called so */
    const uint32_t at = phrase_is_stood_on(s) ? pile->row_count - 1 : 0;
    return stage_answer(s, set_one(t->r, pile->row[at]));
}

etna_code stage_read_memory(stage *s)
{
    reader *r = s->t.r;
    const builtin_set *last = &r->memory.last;
    if (stage_says(s, SAYS_OTHER | SAYS_REST) && other_of_some(s))
        return other_answer(s);
    const builtin_set *rest = rest_of_cleared(s);
    if (rest)
        return stage_answer(s, *rest);
    const uint32_t base = rest_is_left_on(s);
    if (base != BUILTIN_NONE)
        return rest_answer_left(s, base);
    const uint32_t from = rest_came_from(s);
    if (from != BUILTIN_NONE)
        return rest_answer_from(s, from);
    if (s->t.word_count > 0 || stage_says(s, SAYS_OTHER | SAYS_REST))
        return ETNA_OK;
    bool all_of_them = stage_says(s, SAYS_ALL | SAYS_BOTH) ||
                       s->t.amount.number == last->count;
    if (stage_says(s, SAYS_BOTH) && last_is_one(r))
        return reader_refuse_unclear(r, s->t.thing);
    const bool lot = stage_says(s, SAYS_ALL) && s->t.scope.movers;
    if (lot && last_is_one(r) && memory_is_scattered(r)) {
        s->done = true;
        return refer_lot(r, s->ret);
    }
    if (last->count > 0 && all_of_them)
        return stage_answer(s, *last);
    if (r->memory.noun_count > 0)
        return ETNA_OK;
    return reader_refuse_unclear(r, s->t.thing);
}
