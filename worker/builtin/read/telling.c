/* What a stretch of a text does. It tells how things are, and asks for nothing:
 * "the doctor is waiting", "it's getting cold". It is idle, whatever its words:
 * "Safety first". Or it only opens a wish: "I should be ever so grateful if".
 * What a word does is data: lexicon.inc, "told: ...". */
#include "worker/builtin/read/telling.h"

#include "worker/builtin/read/details.h"

#include <stdio.h>

/* ---- words ---- */

/* The word alone names something in the scene. */
etna_code word_names_thing(reader *r, const char *word, bool *ret)
{
    match_query q;
    *ret = false;
    if (lexicon_is_function_word(word))
        return ETNA_OK;
    etna_code code = reader_query(r, &word, 1, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    *ret = reader_match_next(r, 0, &q) < r->facts->object_count;
    return ETNA_OK;
}

static bool word_bears(const char *word)
{
    bool superlative = false;
    if (lexicon_lists("told: bears not", word))
        return false;
    return lexicon_lists("told: bears", word) || lexicon_colour(word) ||
           lexicon_size(word, &superlative) || lexicon_asks_how(word);
}

/* A verb in a form that tells: "is", "has", "can't", "will". */
static bool word_is_finite(const char *word)
{
    static const char *const classes[] = {"told: be", "told: have",
                                          "told: denies", "told: modal"};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (lexicon_lists(classes[i], word))
            return true;
    }
    return false;
}

/* Ends it as "waiting" does? */
static bool word_is_doing(const char *word)
{
    const size_t size = strlen(word);
    return size > 4 && strcmp(word + size - 3, "ing") == 0;
}

/* May the word be part of a wish, a denial or a condition? What people tell of
 * themselves may have more of these: "granny can't see it". */
static bool word_may_ask(const char *word, bool of_people)
{
    return lexicon_lists("told: asks", word) ||
           (!of_people && lexicon_lists("told: may ask", word));
}

/* "Moved", "turns": another form of a verb that asks for a move. */
static bool word_moves(const char *word)
{
    char lemma[64];
    lexicon_verb verb;
    if (lexicon_lists("told: state", word) ||
        kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    return lexicon_find_verb(lemma, &verb);
}

/* "Has fallen", "smells": a verb in another form than an order's. */
static bool word_is_verb_form(const char *word)
{
    char lemma[64];
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           strcmp(lemma, word) != 0;
}

/* ---- stretches ---- */

typedef struct stretch { /* tokens of the text that are told in one breath */
    const sentence *s;
    uint32_t first, end;
} stretch;

static const char *stretch_word(const stretch *w, uint32_t at)
{
    return at < w->end ? w->s->tokens[at].text : "";
}

/* Is the word at a token of a class? */
static bool stretch_lists(const stretch *w, uint32_t at, const char *class)
{
    return lexicon_lists(class, stretch_word(w, at));
}

/* ---- how things are ---- */

/* "I'd like to", and no "I'd have it there". */
static bool stretch_would_like(const stretch *w)
{
    static const char *const would[] = {"i'd", "we'd"};
    static const char *const like[] = {"like", "love"};
    return WORD_IS_OF(stretch_word(w, w->first), would) &&
           WORD_IS_OF(stretch_word(w, w->first + 1), like) &&
           strcmp(stretch_word(w, w->first + 2), "to") == 0;
}

/* Behind "I", "somebody", "the little ones", "my parents", "there", of whom or
 * what nothing is asked; w->first: it speaks of things. */
static uint32_t stretch_people_end(const stretch *w)
{
    enum {
        WORDS_OF_SUBJECT = 3
    };
    if (stretch_lists(w, w->first, "told: who") || stretch_would_like(w))
        return w->first + 1;
    if (stretch_lists(w, w->first, "told: title") && w->first + 2 < w->end)
        return w->first + 2; /* "Mrs Hall" */
    for (uint32_t at = w->first + 1;
         at < w->end && at < w->first + WORDS_OF_SUBJECT; at++) {
        const char *const word = stretch_word(w, at);
        if (strcmp(stretch_word(w, at + 1), "'s") == 0)
            return w->first; /* "the teacher's desk" */
        const bool own = stretch_lists(w, w->first, "told: determiner") ||
                         lexicon_number(stretch_word(w, w->first)) > 0;
        if (lexicon_is_person(word) || lexicon_lists("told: people", word) ||
            (own && kinds_distance(word, "person") < KINDS_NEAR))
            return at + 1;
    }
    return w->first;
}

uint32_t stretch_people(const sentence *s, const sentence_part *w)
{
    const stretch all = {.s = s, .first = w->first, .end = w->end};
    return stretch_people_end(&all);
}

/* "Going to rain": what comes by itself, and no "going to the left". */
static bool stretch_foretells(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    char lemma[64];
    const char *const next = stretch_word(w, at + 1);
    if (at == w->first || strcmp(stretch_word(w, at), "to") != 0)
        return false;
    if (strcmp(stretch_word(w, at - 1), "going") != 0 ||
        lexicon_find_verb(next, &verb))
        return false;
    return strcmp(next, "be") != 0 &&
           kinds_verb_lemma(next, lemma, sizeof lemma) > 0;
}

/* "The kids want to paint", and neither "want to enlarge the sofa" nor "want to
 * have it there": what asks for no move, and of nothing that is here. */
static bool stretch_does(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    char lemma[64];
    lexicon_verb verb;
    if (stretch_lists(w, at, "told: does"))
        return true;
    if (at >= w->end || stretch_lists(w, at, "told: does with"))
        return false;
    if (lexicon_find_verb(word, &verb) && verb != VERB_CANNOT)
        return false;
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    for (uint32_t rest = at + 1; rest < w->end; rest++) {
        if (stretch_lists(w, rest, "told: definite"))
            return false;
    }
    return strcmp(lemma, word) == 0;
}

/* "It needs the light": all that is said is what does a thing good. */
static bool stretch_thrives(const stretch *w, uint32_t at)
{
    static const char *const wants[] = {"need",  "needs", "like",
                                        "likes", "love",  "loves"};
    uint32_t what = at + 1;
    if (at == w->first || !WORD_IS_OF(stretch_word(w, at), wants))
        return false;
    while (stretch_lists(w, what, "told: some"))
        what++;
    return what + 1 == w->end && stretch_lists(w, what, "told: thrives on");
}

/* "Granny wants to sit there", "I need more space": of people, and no thing is
 * wanted anywhere. */
static bool stretch_longs(const stretch *w, uint32_t at)
{
    static const char *const wants[] = {"want",  "wants", "need",
                                        "needs", "like",  "likes"};
    if (at == w->first || !WORD_IS_OF(stretch_word(w, at), wants))
        return false;
    const bool does = strcmp(stretch_word(w, at + 1), "to") == 0;
    if (does)
        return stretch_does(w, at + 2);
    uint32_t what = at + 1;
    const bool needs = strncmp(stretch_word(w, at), "need", 4) == 0;
    while (needs && stretch_lists(w, what, "told: some"))
        what++;
    return stretch_lists(w, what, "told: longed for");
}

/* "It gets dark early": what becomes so by itself, and nothing that gets
 * something. */
static bool stretch_becomes(const stretch *w, uint32_t at)
{
    static const char *const gets[] = {"get", "gets", "getting"};
    const char *const next = stretch_word(w, at + 1);
    return at > w->first && WORD_IS_OF(stretch_word(w, at), gets) &&
           stretch_lists(w, at - 1, "told: it") &&
           (lexicon_is_mere_adjective(next) ||
            lexicon_lists("told: becomes", next) ||
            lexicon_lists("told: degree", next));
}

/* "They keep bumping into it": what goes on, and nothing to be kept. */
static bool stretch_goes_on(const stretch *w, uint32_t at)
{
    static const char *const keeps[] = {"keep", "keeps", "kept"};
    const char *const next = stretch_word(w, at + 1);
    return at > w->first && WORD_IS_OF(stretch_word(w, at), keeps) &&
           word_is_doing(next) && word_is_verb_form(next);
}

/* Does the word, which may ask, only tell what comes by itself? */
static bool stretch_is_of_course(const stretch *w, uint32_t at, bool of_people)
{
    if (of_people && stretch_longs(w, at))
        return true;
    if (stretch_thrives(w, at))
        return true;
    return stretch_foretells(w, at) || stretch_becomes(w, at) ||
           (of_people && stretch_goes_on(w, at));
}

/* Nothing of it may ask: neither a word of wishes, nor a verb of moving. */
static bool stretch_asks(const stretch *w, bool of_people)
{
    for (uint32_t at = w->first; at < w->end; at++) {
        const sentence_token *t = &w->s->tokens[at];
        if (t->quoted || t->is_mark)
            return true;
        if (word_may_ask(t->text, of_people) &&
            !stretch_is_of_course(w, at, of_people))
            return true;
        if (!of_people && at > w->first && word_moves(t->text) &&
            !stretch_becomes(w, at))
            return true;
    }
    return false;
}

/* "... is blocking the way", "is still on the floor", "are a mess", "is my
 * sister's": how it is, and no place where it could be wanted. */
static bool state_is_telling(const stretch *w, uint32_t at)
{
    while (at < w->end && stretch_lists(w, at, "told: merely"))
        at++;
    const char *const word = stretch_word(w, at);
    const bool doing = word_is_doing(word);
    if (at >= w->end)
        return false;
    if (lexicon_lists("told: degree", word) ||
        lexicon_lists("told: possessor", word))
        return true;
    if (strcmp(stretch_word(w, w->end - 1), "'s") == 0)
        return true;
    if (doing)
        return word_is_verb_form(word) && !lexicon_lists("told: state", word);
    return word_is_verb_form(word) &&
           strcmp(stretch_word(w, at + 1), "by") == 0;
}

/* "Table 3 has two chairs", "the chair has wandered off". */
static bool having_is_telling(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    if (at >= w->end)
        return false;
    return lexicon_lists("told: possessed", word) || lexicon_number(word) ||
           (word_is_verb_form(word) && !word_moves(word));
}

static bool verb_is_telling(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    if (lexicon_lists("told: be", word))
        return state_is_telling(w, at + 1);
    if (lexicon_lists("told: have", word))
        return having_is_telling(w, at + 1);
    return lexicon_lists("told: denies", word) &&
           !stretch_lists(w, at + 1, "told: place");
}

static bool stretch_bears(const stretch *w)
{
    for (uint32_t at = w->first; at < w->end; at++) {
        if (word_bears(stretch_word(w, at)))
            return true;
    }
    return false;
}

/* "Its dirty", "its getting cold", and no "its handle". */
static bool word_is_state(const stretch *w, const char *told)
{
    if (word_is_doing(told) && word_is_verb_form(told))
        return true;
    const bool is_all = w->end == w->first + 2;
    return lexicon_lists("told: degree", told) ||
           (is_all && lexicon_is_mere_adjective(told));
}

/* "It's getting cold", "its dirty" as people write it, and no "its handle": how
 * it is, and nothing of where. */
static bool stretch_tells_it_is(const stretch *w)
{
    const char *const told = stretch_word(w, w->first + 1);
    if (stretch_bears(w))
        return false;
    if (strcmp(stretch_word(w, w->first), "its") == 0)
        return word_is_state(w, told);
    return stretch_lists(w, w->first, "told: it") && word_is_verb_form(told);
}

/* "They stick out into the hall", "that's where it is eaten": of what was named
 * before. */
static bool stretch_tells_again(const stretch *w)
{
    lexicon_verb verb;
    const char *const told = stretch_word(w, w->first + 1);
    const size_t size = strlen(told);
    /* "these chairs" */
    const bool is_noun =
        size > 3 && told[size - 1] == 's' && match_is_plural_word(told);
    if (stretch_lists(w, w->first, "told: it is"))
        return true;
    if (!stretch_lists(w, w->first, "told: again") || is_noun)
        return false;
    const bool does = lexicon_find_verb(told, &verb) && !stretch_bears(w);
    return lexicon_lists("told: be", told) || does ||
           verb_is_telling(w, w->first + 1);
}

/* A thing's own name, and then what it does. */
static bool stretch_tells_of_thing(const stretch *w)
{
    lexicon_verb verb;
    if (lexicon_find_verb(stretch_word(w, w->first), &verb))
        return false;
    for (uint32_t at = w->first + 1; at + 1 < w->end; at++) {
        if (verb_is_telling(w, at) || stretch_thrives(w, at))
            return true;
    }
    return false;
}

/* Somebody, and then a verb that orders nothing. */
static bool stretch_tells_of_people(const stretch *w, uint32_t at)
{
    char lemma[64];
    while (at < w->end && stretch_lists(w, at, "told: merely"))
        at++;
    const char *const word = stretch_word(w, at);
    if (word_is_finite(word) || stretch_goes_on(w, at))
        return true;
    /* "I like tea", and no "kids chairs" */
    const bool alone = at == w->first + 1;
    /* "the painters come", and no "kids table" */
    const bool many = at > w->first &&
                      match_is_plural_word(stretch_word(w, at - 1)) &&
                      !kinds_known(word);
    if (stretch_longs(w, at))
        return true;
    return alone || many ? kinds_verb_lemma(word, lemma, sizeof lemma) > 0
                         : word_is_verb_form(word);
}

/* "Why is the cake so far away?" asks for no move, and "why not move it?"
 * does. */
static bool stretch_asks_why(const stretch *w)
{
    const bool whole =
        w->end == w->s->token_count || w->s->tokens[w->end].is_mark;
    if (!whole || strcmp(stretch_word(w, w->first), "why") != 0)
        return false;
    for (uint32_t at = w->first; at < w->end; at++) {
        if (stretch_lists(w, at, "told: why not"))
            return false;
    }
    return true;
}

/* Reads like a story of people or a statement, and asks for nothing. */
static bool stretch_tells_plainly(const sentence *s,
                                  uint32_t first,
                                  uint32_t end)
{
    enum {
        SHORTEST = 3,
        SHORTEST_OF_PEOPLE = 2
    };
    stretch w = {.s = s, .first = first, .end = end};
    while (w.first < w.end && stretch_lists(&w, w.first, "told: joint"))
        w.first++;
    const uint32_t people = stretch_people_end(&w);
    const bool of_people = people > w.first;
    const uint32_t shortest = of_people ? SHORTEST_OF_PEOPLE : SHORTEST;
    if (stretch_asks(&w, of_people))
        return false;
    if (stretch_tells_it_is(&w) || stretch_asks_why(&w))
        return true;
    if (w.end < w.first + shortest)
        return false;
    if (of_people)
        return stretch_tells_of_people(&w, people);
    return stretch_tells_again(&w) || stretch_tells_of_thing(&w);
}

/* ---- talk: a clause that gives no order, and names neither a thing of the
 * scene nor a place. Who or what it tells of says how much of it could be an
 * order all the same ---- */

/* "Painter", "farmers": who does what the verb says, and no thing of a scene. */
static bool word_is_agent(const char *word)
{
    char stem[40], lemma[64];
    size_t size = strlen(word);
    size -= size > 0 && word[size - 1] == 's';
    if (size < 6 || size >= sizeof stem || kinds_known(word))
        return false;
    if (strncmp(word + size - 3, "ist", 3) == 0)
        return true; /* "dentist" */
    if (strncmp(word + size - 2, "er", 2) != 0)
        return false;
    memcpy(stem, word, size);
    stem[size - 1] = 0; /* "bake" of "baker" */
    if (kinds_verb_lemma(stem, lemma, sizeof lemma) > 0)
        return true;
    stem[size - 2] = 0;
    return kinds_verb_lemma(stem, lemma, sizeof lemma) > 0;
}

static bool word_is_alive(const char *word)
{
    if (lexicon_is_person(word) || lexicon_lists("told: people", word))
        return true;
    /* "far enough that nobody brushes it" binds */
    const bool named = !lexicon_lists("told: who", word);
    if (word_is_agent(word) || (named && kinds_person(word)))
        return true;
    return kinds_distance(word, "animal") < KINDS_NEAR ||
           kinds_distance(word, "person") < KINDS_NEAR;
}

/* Nothing that could be put anywhere: people, times, and what is no thing. */
static bool word_is_no_thing(const char *word)
{
    lexicon_verb verb;
    bool superlative = false;
    if (word_is_alive(word) || lexicon_lists("told: elsewhere", word) ||
        lexicon_lists("told: occasion", word))
        return true;
    if (kinds_known(word) || !kinds_word(word) || word_bears(word) ||
        lexicon_is_function_word(word))
        return false;
    if (lexicon_find_verb(word, &verb) || lexicon_size(word, &superlative))
        return false;
    return !lexicon_lists("$dir", word) && !lexicon_lists("$part", word);
}

typedef enum talk_subject {
    SUBJECT_NONE,
    SUBJECT_ASKED,  /* "you", "somebody": who could do what is asked */
    SUBJECT_PEOPLE, /* "my brother", "the patient", "the dog" */
    SUBJECT_AGAIN,  /* "it", "that", "there": what was spoken of */
    SUBJECT_OTHER   /* "the weather", "dinner", "my back" */
} talk_subject;

typedef struct talk { /* a clause that may be no more than that */
    stretch w;
    uint32_t named; /* behind the words that name its subject */
    uint32_t verb;
    talk_subject subject;
} talk;

/* ---- its verb ---- */

/* "I'd", "it's", "they'll": subject and verb in one word. */
static bool word_is_short_form(const char *word)
{
    return strchr(word, '\'') && word[0] != '\'' &&
           !lexicon_lists("told: denies", word) &&
           !lexicon_lists("told: be", word) && !lexicon_lists("$not", word);
}

/* "Is", "can", "went", "hurts", and "matter" of "vitamins matter". */
static bool verb_is_finite(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at), *const before =
                                                      stretch_word(w, at - 1);
    char lemma[64];
    if (word_is_finite(word) || lexicon_lists("talk: must", word) ||
        lexicon_lists("talk: wish", word))
        return true;
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0 ||
        lexicon_lists("told: determiner", before))
        return false;
    const bool doing = word_is_doing(word);
    const bool many =
        match_is_plural_word(before) || lexicon_lists("told: who", before);
    if (kinds_known(word) && !(many && word_is_alive(before)) &&
        !stretch_lists(w, at + 1, "told: object"))
        return false; /* "keys", and no "wakes me" */
    return strcmp(lemma, word) != 0 ? !doing : many;
}

static uint32_t talk_find_verb(const stretch *w)
{
    if (stretch_lists(w, w->first, "told: merely") &&
        word_is_verb_form(stretch_word(w, w->first + 1)))
        return w->first + 1;
    if (word_is_short_form(stretch_word(w, w->first)))
        return w->first;
    for (uint32_t at = w->first + 1; at < w->end; at++) {
        if (verb_is_finite(w, at))
            return at;
    }
    return w->end;
}

/* ---- who or what it tells of ---- */

/* "The lady | at the table on the right": where somebody is says who. */
static uint32_t talk_named_end(const stretch *w, uint32_t verb)
{
    uint32_t at = w->first + 1;
    while (at < verb && !stretch_lists(w, at, "told: leads") &&
           !stretch_lists(w, at, "talk: of whom"))
        at++;
    while (at > w->first && stretch_lists(w, at - 1, "told: merely"))
        at--;
    return at;
}

static talk_subject talk_subject_of(const stretch *w,
                                    uint32_t end,
                                    uint32_t verb)
{
    for (uint32_t at = end; at < verb; at++) {
        if (strcmp(stretch_word(w, at), "that") == 0)
            return SUBJECT_NONE; /* "bear in mind that it must" */
    }
    if (end == w->first) /* "just moved in" */
        return stretch_lists(w, w->first, "told: merely") ? SUBJECT_PEOPLE
                                                          : SUBJECT_NONE;
    if (stretch_lists(w, w->first, "talk: asked"))
        return SUBJECT_ASKED;
    if (stretch_lists(w, w->first, "talk: again"))
        return SUBJECT_AGAIN;
    if (stretch_people_end(w) > w->first ||
        stretch_lists(w, w->first, "told: wisher") ||
        word_is_alive(stretch_word(w, end - 1)))
        return SUBJECT_PEOPLE;
    return SUBJECT_OTHER;
}

/* ---- could it be an order? ---- */

/* "Behind it": a place by what is moved. */
static bool predicate_says_place(const stretch *w, uint32_t at)
{
    return stretch_lists(w, at, "$rel") &&
           strcmp(stretch_word(w, at), "for") != 0 &&
           stretch_lists(w, at + 1, "told: moved");
}

/* A verb of moving with what is to be moved, or alone: "stand up", "leave at
 * six". */
static bool talk_moves_something(const stretch *w, uint32_t at)
{
    const uint32_t next = at + 1;
    return next < w->end && !stretch_lists(w, next, "told: leads") &&
           !stretch_lists(w, next, "talk: by oneself");
}

/* Behind "must", "have to": a duty of theirs, "reach the top", and no "have it
 * there". */
static bool talk_is_duty(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    const char *const word = stretch_word(w, at);
    char lemma[64];
    const bool moves = lexicon_find_verb(word, &verb) && verb != VERB_CANNOT;
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 && !moves &&
           !lexicon_lists("talk: of things", word);
}

/* "Some privacy", "a coffee": what is wished for is nothing that could be put
 * somewhere. */
static bool talk_longs_for(const stretch *w, uint32_t at)
{
    uint32_t end = at;
    while (end < w->end && !stretch_lists(w, end, "told: leads"))
        end++;
    if (end == at || stretch_lists(w, at, "told: definite") ||
        strcmp(stretch_word(w, end - 1), "there") == 0)
        return false;
    const char *const what = stretch_word(w, end - 1);
    if (lexicon_is_function_word(what) || !kinds_word(what))
        return false;
    return lexicon_lists("told: longed for", what) || !kinds_known(what) ||
           kinds_distance(what, "food") < KINDS_NEAR ||
           kinds_distance(what, "beverage") < KINDS_NEAR;
}

/* "To stand up", "to catch a train", and neither "to move the sofa" nor "to have
 * it there". */
static bool talk_does(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    const char *const word = stretch_word(w, at);
    char lemma[64];
    if (at >= w->end)
        return false;
    /* "get up early", "see me at noon" */
    if (stretch_lists(w, at, "told: does") ||
        stretch_lists(w, at + 1, "talk: by oneself") ||
        stretch_lists(w, at + 1, "told: speaker"))
        return true;
    /* "look at the garden", "have a coffee" */
    if (strcmp(word, "look") == 0)
        return stretch_lists(w, at + 1, "told: leads");
    if (stretch_lists(w, at, "told: does with"))
        return strcmp(word, "have") == 0 && talk_longs_for(w, at + 1);
    if (lexicon_find_verb(word, &verb) && verb != VERB_CANNOT)
        return !talk_moves_something(w, at);
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    for (uint32_t rest = at + 1; rest < w->end; rest++) {
        if (stretch_lists(w, rest, "talk: which"))
            return false;
    }
    return strcmp(lemma, word) == 0;
}

/* Behind a word of wishing or of what must be, of people: only what they do or
 * long for themselves. */
static bool talk_wish_is_own(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    uint32_t next = at + 1;
    bool denied = at > w->first && stretch_lists(w, at - 1, "talk: denies");
    while (stretch_lists(w, next, "talk: much") ||
           stretch_lists(w, next, "$not"))
        next++;
    if (next >= w->end)
        return true;
    /* "Dad needs it tonight", and no "needs it there" */
    if (strncmp(stretch_word(w, at), "need", 4) == 0 &&
        stretch_lists(w, next, "passed: object"))
        return next + 1 == w->end ||
               stretch_lists(w, next + 1, "talk: by oneself");
    if (denied && !stretch_lists(w, next, "told: definite"))
        return true; /* "I do not want any stains" */
    const bool to = strcmp(stretch_word(w, next), "to") == 0;
    const bool must = stretch_lists(w, at, "talk: must");
    if (must || (to && stretch_lists(w, at, "told: have")))
        return talk_does(w, next + to) || talk_is_duty(w, next + to);
    if (to)
        return talk_does(w, next + 1);
    return talk_longs_for(w, next);
}

/* "It would look nicer", "dinner will be ready soon", and no "it could go
 * there". */
static bool talk_modal_tells(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    uint32_t next = at + 1;
    while (stretch_lists(w, next, "told: merely") ||
           stretch_lists(w, next, "$not"))
        next++;
    const char *const word = stretch_word(w, next);
    if (strcmp(word, "be") == 0 || lexicon_lists("talk: seems", word))
        return true;
    return !lexicon_lists("told: place", word) &&
           !lexicon_find_verb(word, &verb);
}

/* "The winter", "life": it tells of nothing that could be a thing. */
static bool talk_is_of_no_thing(const talk *t)
{
    return t->subject == SUBJECT_OTHER && t->named > t->w.first &&
           word_is_no_thing(stretch_word(&t->w, t->named - 1));
}

/* "It belongs to somebody else", "it looks like rain", "that is better". */
static bool talk_word_tells(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    if (stretch_thrives(w, at) || stretch_foretells(w, at) ||
        stretch_becomes(w, at))
        return true;
    if (strcmp(stretch_word(w, at), "here") == 0)
        return talk_is_of_no_thing(t);
    if (at > w->first + 2 && strcmp(stretch_word(w, at), "way") == 0)
        return strcmp(stretch_word(w, at - 1), "the") == 0 &&
               strcmp(stretch_word(w, at - 2), "in") == 0;
    if (strncmp(stretch_word(w, at), "belong", 6) == 0)
        return strcmp(stretch_word(w, at + 1), "to") == 0;
    const bool judges = stretch_lists(w, at, "talk: judges");
    return judges && at > w->first &&
           (stretch_lists(w, at - 1, "told: be") ||
            stretch_lists(w, at - 1, "talk: seems"));
}

/* "I want", "we have to", "you could": what people say is to be, and that is no
 * more than what they do or long for themselves. */
static bool talk_word_wishes(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    for (uint32_t i = t->verb; i < at; i++) {
        if (!stretch_lists(w, i, "told: modal") &&
            !stretch_lists(w, i, "talk: helps"))
            return false; /* "I read that plants like that" */
    }
    const bool has_to = stretch_lists(w, at, "told: have") &&
                        strcmp(stretch_word(w, at + 1), "to") == 0;
    const bool wishes = has_to || stretch_lists(w, at, "talk: wish") ||
                        stretch_lists(w, at, "talk: must");
    /* "nobody needs to see it", "you can never reach it" */
    const bool need = strncmp(stretch_word(w, at), "need", 4) == 0;
    if (need && stretch_lists(w, w->first, "talk: denies"))
        return !talk_wish_is_own(t, at);
    uint32_t next = at + 1;
    while (stretch_lists(w, next, "talk: denies"))
        next++;
    if (t->subject == SUBJECT_ASKED &&
        (wishes || stretch_lists(w, at, "told: modal")))
        return !stretch_lists(w, next, "talk: knows");
    return wishes && !talk_wish_is_own(t, at);
}

static bool talk_word_orders_of_people(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    if (at >= t->verb && stretch_lists(w, at, "talk: of many"))
        return true;
    if (at >= t->verb && talk_word_wishes(t, at))
        return true;
    return stretch_lists(w, at, "told: modal") && !talk_does(w, at + 1) &&
           !talk_modal_tells(w, at);
}

/* "Their own tune", "the scene seems calm", "they want some peace": a word that
 * orders nothing, whatever it is elsewhere. */
static bool talk_word_is_idle(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const char *const word = stretch_word(w, at);
    const bool before_verb = at < t->verb;
    if (at < t->named && stretch_lists(w, w->first, "told: whose"))
        return true;
    if (before_verb && lexicon_lists("talk: scene", word))
        return true;
    if (lexicon_lists("talk: seems", word) || talk_word_tells(t, at))
        return true;
    return !before_verb && stretch_lists(w, w->first, "talk: they") &&
           stretch_lists(w, at, "talk: wish") && talk_wish_is_own(t, at);
}

static bool talk_word_orders_of_things(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const char *const word = stretch_word(w, at);
    if (talk_word_is_idle(t, at))
        return false;
    if (lexicon_lists("told: asks", word) || lexicon_lists("talk: must", word))
        return true;
    if (word_bears(word) || lexicon_lists("told: bounds", word))
        return true;
    const bool denies =
        t->subject == SUBJECT_AGAIN && lexicon_lists("$not", word);
    const bool to_be = at > w->first && strcmp(word, "to") == 0 &&
                       (stretch_lists(w, at - 1, "told: be") ||
                        stretch_lists(w, at - 1, "told: have"));
    if (denies || to_be)
        return true;
    if (lexicon_lists("told: modal", word))
        return !talk_modal_tells(w, at);
    return at > t->verb && word_moves(word);
}

/* "Put", "polish the", and no "place is scarce". */
static bool talk_is_imperative(const talk *t)
{
    const stretch *const w = &t->w;
    const char *const word = stretch_word(w, w->first);
    lexicon_verb verb;
    char lemma[64];
    if (t->verb == w->first + 1 && t->verb < w->end)
        return false;
    if (lexicon_find_verb(word, &verb))
        return true;
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           strcmp(lemma, word) == 0 &&
           stretch_lists(w, w->first + 1, "told: definite");
}

/* "The guests want to sit around it" wishes a place, and "somebody trips over
 * it" none. */
static bool talk_says_place(const talk *t, uint32_t at)
{
    bool wishes = t->subject != SUBJECT_PEOPLE && t->subject != SUBJECT_ASKED;
    for (uint32_t i = t->verb; i < t->w.end && !wishes; i++)
        wishes = stretch_lists(&t->w, i, "talk: wish") ||
                 stretch_lists(&t->w, i, "talk: must");
    return wishes && predicate_says_place(&t->w, at);
}

static bool talk_word_orders(const talk *t, uint32_t at)
{
    const sentence_token *const token = &t->w.s->tokens[at];
    /* "the lawyer sees only its back" */
    const bool only = strcmp(token->text, "only") == 0 &&
                      t->subject == SUBJECT_PEOPLE && at > t->verb;
    /* "I want to see the garden, not the house" */
    const bool contrast = token->is_mark && strcmp(token->text, ",") == 0 &&
                          stretch_lists(&t->w, at + 1, "$not");
    if (token->quoted || (token->is_mark && !contrast))
        return true;
    if (lexicon_lists("talk: bounds", token->text) && !only)
        return true;
    if (t->verb == t->w.end)
        return lexicon_lists("told: asks", token->text);
    if (talk_says_place(t, at))
        return true;
    return t->subject == SUBJECT_PEOPLE || t->subject == SUBJECT_ASKED
               ? talk_word_orders_of_people(t, at)
               : talk_word_orders_of_things(t, at);
}

static bool talk_orders(const talk *t)
{
    for (uint32_t at = t->w.first; at < t->w.end; at++) {
        if (talk_word_orders(t, at))
            return true;
    }
    return talk_is_imperative(t);
}

/* ---- what it names ---- */

/* Is what is wished or must be no more than that somebody is somewhere: "to sit
 * at it", and no "to see it there"? */
static bool talk_wish_is_of_oneself(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const bool to = strcmp(stretch_word(w, at + 1), "to") == 0;
    const uint32_t does = at + 1 + to;
    return stretch_lists(w, does, "told: does") ||
           strcmp(stretch_word(w, does), "look") == 0;
}

/* "Nobody sits at it", "I don't want to look at it any more": of that is asked
 * nothing. */
static bool talk_is_denied(const talk *t)
{
    const stretch *const w = &t->w;
    bool denied = false;
    if (t->subject != SUBJECT_PEOPLE && t->subject != SUBJECT_ASKED)
        return false;
    for (uint32_t at = w->first; at < w->end; at++) {
        denied = denied || stretch_lists(w, at, "talk: denies") ||
                 stretch_lists(w, at, "told: denies");
        const bool wishes = stretch_lists(w, at, "talk: wish") ||
                            stretch_lists(w, at, "talk: must");
        if (wishes && !talk_wish_is_of_oneself(t, at))
            return false;
    }
    return denied;
}

/* Is the word said elsewhere in the text, too? What is asked there is asked of
 * that thing then. */
static bool talk_word_comes_again(const talk *t, const char *word)
{
    const sentence *const s = t->w.s;
    for (uint32_t at = 0; at < s->token_count; at++) {
        const bool within = at >= t->w.first && at < t->w.end;
        if (!within && strcmp(s->tokens[at].text, word) == 0)
            return true;
    }
    return false;
}

/* Of what people do, a thing of the scene may be named as where they do it. */
static bool talk_may_name(const talk *t, const char *word)
{
    return talk_is_denied(t) ||
           (t->subject == SUBJECT_PEOPLE && talk_word_comes_again(t, word));
}

/* A thing of the scene or a place of it; who is meant may be told by one. */
static etna_code talk_names(reader *r, const talk *t, bool *ret)
{
    const bool people = t->subject == SUBJECT_PEOPLE;
    *ret = false;
    /* "it needs the light" of no lamp */
    const uint32_t end = stretch_thrives(&t->w, t->verb) ? t->verb : t->w.end;
    for (uint32_t at = t->w.first; at < end && !*ret; at++) {
        const char *const word = stretch_word(&t->w, at);
        const bool does = at > t->w.first && at + 1 > t->verb &&
                          strcmp(stretch_word(&t->w, at - 1), "to") == 0;
        if (does || (people && at >= t->named && at < t->verb))
            continue;
        if (talk_may_name(t, word))
            continue;
        *ret = word_is_ground(word) || lexicon_lists("$zone", word);
        etna_code code = *ret ? ETNA_OK : word_names_thing(r, word, ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* ---- what is no clause ---- */

/* "Coffee", "tea": what people think of when they say what it is for. */
static bool word_is_meal(const char *word)
{
    return kinds_distance(word, "food") < KINDS_NEAR ||
           kinds_distance(word, "beverage") < KINDS_NEAR;
}

/* "Tea for two", "for the wine": what for, and no thing. */
static bool phrase_is_meal(const stretch *w, uint32_t at, bool alone)
{
    const bool leads = strcmp(stretch_word(w, at + 1), "for") == 0;
    return (alone || leads) && word_is_meal(stretch_word(w, at));
}

/* "More guests", "tea for two", "photos at noon", "good night": a few words
 * without a verb, of which none is a thing or tells a way. `alone`: nothing is
 * said beside it. */
static bool talk_is_phrase(const talk *t, bool alone)
{
    enum {
        LONGEST = 6
    };
    const stretch *const w = &t->w;
    bool named = false, food = false;
    if (w->end > w->first + LONGEST)
        return false;
    for (uint32_t at = w->first; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        const bool led =
            at > w->first && stretch_lists(w, at - 1, "told: leads");
        const bool number = lexicon_number(word) > 0;
        if (stretch_lists(w, at, "talk: links") || (number && led && food))
            continue;
        const bool meal = phrase_is_meal(w, at, alone);
        food = food || meal;
        if (!meal && !word_is_no_thing(word) &&
            !lexicon_is_mere_adjective(word))
            return false;
        named = named || !lexicon_is_mere_adjective(word);
    }
    const char *const last = stretch_word(w, w->end - 1);
    const bool when = lexicon_lists("told: occasion", last) ||
                      lexicon_lists("told: elsewhere", last) ||
                      word_is_alive(last);
    return named && (alone || when || food);
}

/* ---- all of it ---- */

/* Behind "so", "such that", "where": what must be so of the place. */
static bool stretch_is_purpose(const stretch *w)
{
    if (w->first > 0 && strcmp(w->s->tokens[w->first - 1].text, "so") == 0)
        return true;
    uint32_t at = w->first;
    while (at < w->end && stretch_lists(w, at, "told: joint") &&
           !stretch_lists(w, at, "told: aims"))
        at++;
    return stretch_lists(w, at, "told: aims");
}

/* "So that the cable reaches the socket": what must be so of a thing, be it here
 * or not. */
static bool talk_binds(const talk *t, const stretch *all)
{
    return t->subject == SUBJECT_OTHER && !talk_is_of_no_thing(t) &&
           stretch_is_purpose(all);
}

/* "Hope you are well", "before somebody trips": what opens a clause. */
static uint32_t talk_begin(const stretch *w)
{
    uint32_t at = w->first;
    while (at < w->end && stretch_lists(w, at, "told: joint"))
        at++;
    const bool joined =
        at > w->first || stretch_lists(w, at + 1, "told: determiner");
    if (joined && strcmp(stretch_word(w, at), "that") == 0)
        at++;
    while (at + 2 < w->end && stretch_lists(w, at, "talk: opens"))
        at++;
    return at;
}

/* The whole of it is a courtesy or an exclamation of the grammar. */
static bool talk_exclaims(const stretch *w)
{
    char said[64] = "";
    size_t used = 0;
    for (uint32_t at = w->first; at < w->end; at++) {
        const bool apart = used > 0 && stretch_word(w, at)[0] != '\'';
        const int size = snprintf(said + used, sizeof said - used, "%s%s",
                                  apart ? " " : "", stretch_word(w, at));
        if (size < 0 || (size_t)size >= sizeof said - used)
            return false;
        used += (size_t)size;
    }
    return lexicon_lists("$interj", said);
}

static talk talk_of(const sentence *s, const sentence_part *words)
{
    talk t = {.w = {.s = s, .first = words->first, .end = words->end}};
    t.w.first = talk_begin(&t.w);
    t.verb = t.named = t.w.end;
    if (t.w.first >= t.w.end)
        return t;
    t.verb = talk_find_verb(&t.w);
    t.named = talk_named_end(&t.w, t.verb);
    if (t.verb < t.w.end)
        t.subject = talk_subject_of(&t.w, t.named, t.verb);
    return t;
}

etna_code stretch_is_talk(reader *r,
                          const sentence_part *words,
                          bool alone,
                          bool *ret)
{
    const stretch all = {.s = r->s, .first = words->first, .end = words->end};
    const talk t = talk_of(r->s, words);
    bool names = false;
    *ret = talk_exclaims(&t.w);
    if (*ret || t.w.first >= t.w.end || talk_orders(&t) || talk_binds(&t, &all))
        return ETNA_OK;
    const bool is_for =
        t.w.first > 0 && strcmp(r->s->tokens[t.w.first - 1].text, "for") == 0;
    const bool phrase = t.verb == t.w.end;
    if (phrase && !talk_is_phrase(&t, alone || is_for))
        return ETNA_OK;
    if (!phrase && t.subject == SUBJECT_NONE)
        return ETNA_OK;
    etna_code code = talk_names(r, &t, &names);
    *ret = code == ETNA_OK && !names;
    return code;
}

/* "Could you feed the cat", and no "would you have the kindness to". */
static bool talk_asks_to(const stretch *w)
{
    const char *const does = stretch_word(w, w->first + 2);
    char lemma[64];
    return stretch_lists(w, w->first, "told: modal") &&
           strcmp(stretch_word(w, w->first + 1), "you") == 0 &&
           kinds_verb_lemma(does, lemma, sizeof lemma) > 0 &&
           !lexicon_lists("told: links", does) &&
           stretch_lists(w, w->first + 3, "told: determiner");
}

/* "It is to be turned". */
static bool talk_is_to_be(const talk *t)
{
    return stretch_lists(&t->w, t->verb, "told: be") &&
           strcmp(stretch_word(&t->w, t->verb + 1), "to") == 0;
}

etna_code stretch_wishes(reader *r, const sentence_part *words, bool *ret)
{
    const talk t = talk_of(r->s, words);
    bool names = false;
    *ret = talk_asks_to(&t.w) || talk_is_to_be(&t);
    /* "I should be grateful if" */
    const bool frame = stretch_lists(&t.w, t.w.end - 1, "told: links");
    const bool people =
        t.subject == SUBJECT_PEOPLE || t.subject == SUBJECT_ASKED;
    for (uint32_t at = t.verb; at < t.w.end && people && !frame && !*ret; at++)
        *ret = talk_word_wishes(&t, at);
    etna_code code = *ret ? talk_names(r, &t, &names) : ETNA_OK;
    *ret = *ret && !names;
    return code;
}

/* A thing of the scene; "camp fire time" is none, whatever burns here. */
static etna_code frame_names(reader *r, const stretch *w, bool *ret)
{
    *ret = false;
    if (stretch_lists(w, w->end - 1, "told: occasion"))
        return ETNA_OK;
    for (uint32_t at = w->first; at < w->end && !*ret; at++) {
        etna_code code = word_names_thing(r, stretch_word(w, at), ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* ---- purposes: "so that one can still open the window" asks for room, and "so
 * nobody trips over it" for nothing ---- */

bool word_binds(const char *word)
{
    return lexicon_lists("told: binds", word);
}

/* Does it say what must be possible or free, or of which other thing? */
static etna_code purpose_binds(reader *r, const stretch *w, bool *ret)
{
    *ret = strcmp(stretch_word(w, w->first), "where") == 0;
    for (uint32_t at = w->first; at < w->end && !*ret; at++) {
        *ret = word_binds(stretch_word(w, at));
        etna_code code =
            *ret ? ETNA_OK : word_names_thing(r, stretch_word(w, at), ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "The floor is no place for books" asks for another one. */
static bool stretch_denies_place(const stretch *w)
{
    for (uint32_t at = w->first; at + 1 < w->end; at++) {
        if (strcmp(stretch_word(w, at), "no") == 0 &&
            stretch_lists(w, at + 1, "told: home"))
            return true;
    }
    return false;
}

/* Whether these words may be passed over as telling only. In doubt they may
 * not. */
etna_code stretch_tells(reader *r,
                        const sentence_part *w,
                        bool heads,
                        bool *ret)
{
    /* words; each is looked at beside each, for each place to cut */
    enum {
        LONGEST = 40
    };
    const stretch all = {.s = r->s, .first = w->first, .end = w->end};
    bool binds = false;
    *ret = false;
    if (w->end - w->first > LONGEST || stretch_denies_place(&all))
        return ETNA_OK;
    etna_code code =
        stretch_is_purpose(&all) ? purpose_binds(r, &all, &binds) : ETNA_OK;
    if (code != ETNA_OK || binds)
        return code;
    const bool alone = w->first == r->part->first && w->end == r->part->end;
    *ret = stretch_tells_plainly(r->s, w->first, w->end);
    return *ret ? ETNA_OK : stretch_is_talk(r, w, heads || alone, ret);
}

/* ---- frames ---- */

/* A word that says what is wanted, or that it is not. */
static bool frame_is_broken(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    const sentence_token *t = &w->s->tokens[at];
    lexicon_verb verb;
    const char *const next = stretch_word(w, at + 1);
    const bool doing = word_is_doing(next);
    if (lexicon_lists("told: past", word) && !doing)
        return true; /* "it was nice to see" */
    const bool links = stretch_lists(w, at, "told: pleads") ||
                       stretch_lists(w, at, "told: links");
    const bool denies =
        lexicon_lists("$not", word) || lexicon_lists("told: unsure", word);
    if (t->quoted || t->is_mark || denies)
        return true;
    return !links && (word_bears(word) || lexicon_find_verb(word, &verb));
}

/* "I would suggest that", and no "I am glad that". */
static bool frame_is_open(const stretch *w)
{
    for (uint32_t at = w->first; at < w->end; at++) {
        if (stretch_lists(w, at, "told: opens"))
            return true;
    }
    return false;
}

/* "The guests want to": what others do is nothing that is asked. */
static bool frame_is_of_others(const stretch *w)
{
    const uint32_t people = stretch_people_end(w);
    const char *const last = stretch_word(w, w->end - 1);
    return people > w->first && strcmp(last, "to") == 0 &&
           !stretch_lists(w, w->first, "told: wisher") &&
           !stretch_lists(w, w->first, "told: speaker");
}

/* "i would like it if", "what matters to me is that". */
etna_code stretch_is_frame(reader *r, uint32_t first, uint32_t end, bool *ret)
{
    enum {
        LONGEST = 12
    };
    const stretch w = {.s = r->s, .first = first, .end = end};
    bool pleads = false, names = false;
    *ret = false;
    if (end - first > LONGEST || end < first + 2 ||
        !stretch_lists(&w, end - 1, "told: links") || frame_is_of_others(&w))
        return ETNA_OK;
    for (uint32_t at = first; at < end; at++) {
        if (frame_is_broken(&w, at))
            return ETNA_OK;
        pleads = pleads || stretch_lists(&w, at, "told: pleads");
    }
    pleads = pleads && (strcmp(stretch_word(&w, end - 1), "that") != 0 ||
                        frame_is_open(&w));
    etna_code code = pleads ? frame_names(r, &w, &names) : ETNA_OK;
    *ret = code == ETNA_OK && pleads && !names;
    return code;
}
