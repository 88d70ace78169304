/* What a stretch of a text does. It tells how things are, and asks for nothing:
 * "the doctor is waiting", "it's getting cold". It is idle, whatever its words:
 * "Safety first". Or it only opens a wish: "I should be ever so grateful if".
 * What a word does is data: lexicon.inc, "told: ...". */
#include "worker/builtin/read/telling_internal.h"

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

etna_code words_name_thing(reader *r,
                           const char *first,
                           const char *second,
                           bool *ret)
{
    const char *const words[] = {first, second};
    char name[128];
    match_query q;
    *ret = false;
    snprintf(name, sizeof name, "%s %s", first, second);
    if (!kinds_known(name))
        return ETNA_OK;
    etna_code code = reader_query(r, words, 2, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    *ret = reader_match_next(r, 0, &q) < r->facts->object_count;
    return ETNA_OK;
}

bool word_bears(const char *word)
{
    bool superlative = false;
    if (lexicon_lists("told: bears not", word))
        return false;
    return lexicon_lists("told: bears", word) || lexicon_colour(word) ||
           lexicon_size(word, &superlative) || lexicon_asks_how(word);
}

bool word_arranges(const char *word)
{
    return lexicon_arranges(word) || lexicon_lists("passed: arranges", word);
}

bool word_is_finite(const char *word)
{
    static const char *const classes[] = {"told: be", "told: have",
                                          "told: denies", "told: modal"};
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        if (lexicon_lists(classes[i], word))
            return true;
    }
    return false;
}

bool word_is_doing(const char *word)
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

bool word_moves(const char *word)
{
    char lemma[64];
    lexicon_verb verb;
    if (lexicon_lists("told: state", word) ||
        kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    return lexicon_find_verb(lemma, &verb);
}

bool word_is_verb_form(const char *word)
{
    char lemma[64];
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           strcmp(lemma, word) != 0;
}

/* ---- stretches ---- */

const char *stretch_word(const stretch *w, uint32_t at)
{
    return at < w->end ? w->s->tokens[at].text : "";
}

bool stretch_lists(const stretch *w, uint32_t at, const char *class)
{
    return lexicon_lists(class, stretch_word(w, at));
}

/* ---- how things are ---- */

/* "I'd like to", and no "I'd have it there". */
static bool stretch_would_like(const stretch *w)
{
    return lexicon_lists("telling: would", stretch_word(w, w->first)) &&
           lexicon_lists("passed: likes", stretch_word(w, w->first + 1)) &&
           strcmp(stretch_word(w, w->first + 2), "to") == 0;
}

uint32_t stretch_people_end(const stretch *w)
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

bool stretch_foretells(const stretch *w, uint32_t at)
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

bool stretch_thrives(const stretch *w, uint32_t at)
{
    uint32_t what = at + 1;
    if (at == w->first || !stretch_lists(w, at, "told: thrives"))
        return false;
    while (stretch_lists(w, what, "told: some"))
        what++;
    return what + 1 == w->end && stretch_lists(w, what, "told: thrives on");
}

/* "Granny wants to sit there", "I need more space": of people, and no thing is
 * wanted anywhere. */
static bool stretch_longs(const stretch *w, uint32_t at)
{
    if (at == w->first || !lexicon_lists("telling: longs", stretch_word(w, at)))
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

bool stretch_becomes(const stretch *w, uint32_t at)
{
    const char *const next = stretch_word(w, at + 1);
    return at > w->first &&
           lexicon_lists("telling: gets", stretch_word(w, at)) &&
           stretch_lists(w, at - 1, "told: it") &&
           (lexicon_is_mere_adjective(next) ||
            lexicon_lists("told: becomes", next) ||
            lexicon_lists("told: degree", next));
}

bool stretch_goes_on(const stretch *w, uint32_t at)
{
    const char *const next = stretch_word(w, at + 1);
    return at > w->first &&
           lexicon_lists("telling: keeps", stretch_word(w, at)) &&
           word_is_doing(next) && word_is_verb_form(next);
}

/* "Keeps licking it", and no "keeps standing there". */
static bool stretch_does_on(const stretch *w, uint32_t at)
{
    const char *const does = stretch_word(w, at + 1);
    return stretch_goes_on(w, at) && !word_moves(does) &&
           !lexicon_lists("told: state", does);
}

/* Does the word, which may ask, only tell what comes by itself? */
static bool stretch_is_of_course(const stretch *w, uint32_t at, bool of_people)
{
    if (of_people && stretch_longs(w, at))
        return true;
    if (stretch_thrives(w, at))
        return true;
    if (stretch_foretells(w, at) || stretch_becomes(w, at))
        return true;
    return of_people ? stretch_goes_on(w, at) : stretch_does_on(w, at);
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

/* The same of the clause behind "every time". */
static bool stretch_asks_of_time(const stretch *w)
{
    stretch when = *w;
    while (stretch_lists(&when, when.first, "told: time"))
        when.first++;
    return stretch_asks(&when, true);
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
    /* "are in my way" */
    if (strcmp(word, "in") == 0 &&
        strcmp(stretch_word(w, w->end - 1), "way") == 0)
        return at + 3 == w->end && (stretch_lists(w, at + 1, "told: whose") ||
                                    stretch_lists(w, at + 1, "told: definite"));
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
        if (verb_is_telling(w, at) || stretch_thrives(w, at) ||
            stretch_does_on(w, at))
            return true;
    }
    return false;
}

/* Somebody, and then a verb that orders nothing. */
static bool stretch_tells_of_people(const stretch *w, uint32_t at)
{
    char lemma[64];
    while (at < w->end && (stretch_lists(w, at, "told: merely") ||
                           stretch_lists(w, at, "told: how often")))
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

/* "Tomorrow I roll up the rug": what the speaker does then asks for nothing
 * now. */
static bool stretch_plans(const stretch *w)
{
    char lemma[64];
    uint32_t at = w->first + 1;
    if (!stretch_lists(w, w->first, "told: later"))
        return false;
    at += strcmp(stretch_word(w, at), ",") == 0;
    if (!stretch_lists(w, at, "told: planner"))
        return false;
    at++;
    while (stretch_lists(w, at, "told: merely") ||
           strcmp(stretch_word(w, at), "will") == 0)
        at++;
    const char *const does = stretch_word(w, at);
    if (kinds_verb_lemma(does, lemma, sizeof lemma) == 0 ||
        strcmp(lemma, does) != 0 || stretch_lists(w, at, "told: does with"))
        return false;
    for (; at < w->end; at++) {
        if (w->s->tokens[at].quoted || stretch_lists(w, at, "told: asks"))
            return false;
    }
    return true;
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

static bool stretch_tells_plainly(const sentence *s,
                                  uint32_t first,
                                  uint32_t end);

/* "Each time I come in I trip over it", "when I cook, the stool is in my way":
 * both of its clauses ask for nothing, and the second one tells something. */
static bool when_tells(const stretch *w)
{
    const uint32_t main = stretch_main(w);
    if (main == w->first || main >= w->end)
        return false;
    const bool comma = strcmp(w->s->tokens[main - 1].text, ",") == 0;
    const stretch when = {
        .s = w->s, .first = w->first + 1, .end = comma ? main - 1 : main};
    return !stretch_asks_of_time(&when) &&
           stretch_tells_plainly(w->s, main, w->end);
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
    const uint32_t then = stretch_when_end(&w);
    if (stretch_is_when(&w))
        return when_tells(&w);
    if (stretch_plans(&w))
        return true;
    w.first = then;
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

/* ---- purposes: "so that one can still open the window" asks for room, and "so
 * nobody trips over it" for nothing ---- */

bool stretch_is_purpose(const stretch *w)
{
    if (w->first > 0 && strcmp(w->s->tokens[w->first - 1].text, "so") == 0)
        return true;
    uint32_t at = w->first;
    while (at < w->end && stretch_lists(w, at, "told: joint") &&
           !stretch_lists(w, at, "told: aims"))
        at++;
    return stretch_lists(w, at, "told: aims");
}

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

/* "Up where the doll sits" says where, whatever is called so. */
static bool stretch_says_where(const stretch *w)
{
    return stretch_lists(w, w->first, "told: up") &&
           strcmp(stretch_word(w, w->first + 1), "where") == 0;
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
    const bool places = stretch_denies_place(&all) || stretch_says_where(&all);
    if (w->end - w->first > LONGEST || places ||
        stretch_lists(&all, w->first + 1, "told: corrects"))
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

/* A thing of the scene; "camp fire time" is none, whatever burns here. */
static etna_code frame_names(reader *r, const stretch *w, bool *ret)
{
    *ret = false;
    if (kinds_abstract(stretch_word(w, w->end - 1)))
        return ETNA_OK;
    for (uint32_t at = w->first; at < w->end && !*ret; at++) {
        etna_code code = word_names_thing(r, stretch_word(w, at), ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

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
