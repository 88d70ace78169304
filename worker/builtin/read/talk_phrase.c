/* Talk that is no clause: "a cold evening", "for the party", a heading. */
#include "worker/builtin/read/talk_internal.h"

/* Could it bound what is asked: how many, which, where, how? */
bool word_may_bound(const char *word)
{
    static const char *const classes[] = {"talk: which", "talk: bounds", "$dir",
                                          "$part", "$zone"};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (lexicon_lists(classes[i], word))
            return true;
    }
    return word_bears(word) || word_arranges(word);
}

/* "Tea for two", "for the wine": what for, and no thing. */
static bool phrase_is_meal(const stretch *w, uint32_t at, bool alone)
{
    const bool leads = strcmp(stretch_word(w, at + 1), "for") == 0;
    return (alone || leads) && word_is_meal(stretch_word(w, at));
}

/* "Last first", and neither "ladies first" nor "last night". */
static bool phrase_orders_by(const stretch *w, uint32_t at)
{
    const char *const before = at > w->first ? stretch_word(w, at - 1) : "";
    const char *const next = stretch_word(w, at + 1);
    if (lexicon_ordinal(stretch_word(w, at)) == 0)
        return false;
    const bool of_before = lexicon_ordinal(before) == 0 &&
                           (kinds_abstract(before) || word_is_alive(before));
    const bool of_next = lexicon_ordinal(next) == 0 && word_is_no_thing(next);
    return !of_before && !of_next;
}

/* "For my clothes": is it what people have, and nothing that bears things? */
static bool word_is_belonging(const char *word)
{
    return kinds_known(word) && !word_may_bound(word) &&
           kinds_distance(word, "furniture") >= KINDS_NEAR &&
           kinds_distance(word, "surface") >= KINDS_NEAR;
}

/* Does the word at `at` tell of no thing here: a meal, "dress rehearsal", "two
 * nights"? */
static bool phrase_word_is_idle(const stretch *w, uint32_t at, bool meal)
{
    const char *const word = stretch_word(w, at);
    const bool of_head = kinds_abstract(stretch_word(w, at + 1)) &&
                         kinds_word(word) && !word_may_bound(word);
    return meal || of_head || word_is_no_thing(word) ||
           lexicon_is_mere_adjective(word);
}

/* "Tea for two": a number that a word of talk leads, behind a meal. */
static bool phrase_counts_guests(const stretch *w, uint32_t at, bool food)
{
    const bool led = at > w->first && stretch_lists(w, at - 1, "told: leads");
    return led && food && lexicon_number(stretch_word(w, at)) > 0;
}

/* "Five of us", "two visitors": how many words say so; 0: none. */
static uint32_t phrase_counts_people(const stretch *w, uint32_t at)
{
    if (lexicon_number(stretch_word(w, at)) == 0)
        return 0;
    const char *const next = stretch_word(w, at + 1);
    /* "two more" are no people */
    const bool many =
        match_is_plural_word(next) || lexicon_lists("told: people", next);
    if (many && word_is_alive(next))
        return 2;
    const bool of_us = strcmp(stretch_word(w, at + 1), "of") == 0 &&
                       stretch_lists(w, at + 2, "told: speaker");
    return of_us ? 3 : 0;
}

/* "For my bag", whatever here is called so: whose purpose it is. */
bool phrase_is_own_purpose(const stretch *w)
{
    return stretch_lists(w, w->first, "told: whose") &&
           w->end == w->first + 2 &&
           word_is_belonging(stretch_word(w, w->first + 1));
}

bool talk_is_phrase(const talk *t, bool alone, bool is_for)
{
    enum {
        LONGEST = 6
    };
    const stretch *const w = &t->w;
    bool named = false, food = false;
    /* "with the title showing" says how it is to lie */
    const bool shows = strcmp(stretch_word(w, w->first), "with") == 0 &&
                       word_is_doing(stretch_word(w, w->end - 1));
    if (shows || w->end > w->first + LONGEST)
        return false;
    for (uint32_t at = w->first; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        if (phrase_orders_by(w, at) || word_arranges(word))
            return false;
        const uint32_t people = phrase_counts_people(w, at);
        if (people > 0) {
            at += people - 1;
            named = true;
            continue;
        }
        if (stretch_lists(w, at, "talk: links") ||
            phrase_counts_guests(w, at, food))
            continue;
        const bool meal = phrase_is_meal(w, at, alone);
        food = food || meal;
        const bool idle = phrase_word_is_idle(w, at, meal);
        if (!idle && !(is_for && word_is_belonging(word)))
            return false;
        named = named || !lexicon_is_mere_adjective(word);
    }
    const char *const last = stretch_word(w, w->end - 1);
    const bool when = kinds_abstract(last) || word_is_alive(last) ||
                      lexicon_lists("told: elsewhere", last);
    const bool ends = when || food;
    return named && (alone || is_for || ends);
}

static bool token_is_stop(const sentence_token *t)
{
    static const char *const stops[] = {".", "!", "?"};
    return t->is_mark || (!t->quoted && WORD_IS_OF(t->text, stops));
}

/* "K.", "Mrs Miller", and no "Table": may be whoever signs there. Behind a full
 * stop any word has a capital. */
static bool word_is_signer(const sentence_token *t, bool begins)
{
    if (t->quoted || t->is_mark || lexicon_number(t->text) > 0)
        return false;
    if (lexicon_lists("told: title", t->text) || word_is_alive(t->text) ||
        !kinds_word(t->text))
        return true;
    return t->capital && (!begins || !t->text[1] || !kinds_known(t->text));
}

static bool token_closes(const sentence_token *t)
{
    return lexicon_lists("talk: closes", t->text) ||
           lexicon_lists("talk: closing", t->text);
}

/* Do the words before it close a letter: "Many thanks in advance! | Anna"? */
static bool phrase_is_behind_close(const stretch *w)
{
    const sentence_token *const tokens = w->s->tokens;
    uint32_t at = w->first;
    bool closes = false;
    while (at > 0 && token_is_stop(&tokens[at - 1]))
        at--;
    if (at == w->first)
        return false;
    for (; at > 0 && token_closes(&tokens[at - 1]); at--)
        closes = closes || lexicon_lists("talk: closes", tokens[at - 1].text);
    return closes;
}

/* Is it the end of the text? */
static bool phrase_is_last(const stretch *w)
{
    for (uint32_t at = w->end; at < w->s->token_count; at++) {
        if (!token_is_stop(&w->s->tokens[at]))
            return false;
    }
    return true;
}

bool phrase_closes(const stretch *w)
{
    enum {
        LONGEST = 3
    };
    const sentence_token *const tokens = w->s->tokens;
    bool closes = false;
    uint32_t at = w->first;
    if (!phrase_is_last(w))
        return false;
    for (; at < w->end && (token_closes(&tokens[at]) || tokens[at].is_mark);
         at++)
        closes = closes || lexicon_lists("talk: closes", tokens[at].text);
    const bool begins =
        at == w->first && at > 0 && strcmp(tokens[at - 1].text, ",") != 0;
    if (at == w->first)
        closes = phrase_is_behind_close(w);
    if (!closes || w->end - at > LONGEST)
        return false;
    for (; at < w->end; at++) {
        if (!word_is_signer(&tokens[at], begins))
            return false;
    }
    return true;
}

/* "Zorb: put it on the rug": is what follows said of it? */
static bool heading_is_topic(const stretch *w)
{
    const char *const last = stretch_word(w, w->end - 1);
    if (kinds_word(last) && (!kinds_known(last) || kinds_abstract(last)))
        return false;
    for (uint32_t at = w->end; at < w->s->token_count; at++) {
        if (lexicon_lists("talk: which", w->s->tokens[at].text))
            return true;
    }
    return false;
}

/* "Paint day", "roof repair": its last word is what happens. */
static bool heading_is_of_doing(const stretch *w)
{
    const char *const last = stretch_word(w, w->end - 1);
    for (uint32_t at = w->first; at < w->end; at++) {
        if (stretch_lists(w, at, "told: leads"))
            return false; /* "photos at noon" */
    }
    return w->end > w->first + 1 && kinds_abstract(last) &&
           !word_may_bound(last);
}

/* "Clear the", and neither "rest day" nor "reset for". */
static bool heading_orders(const stretch *w)
{
    lexicon_verb verb;
    char lemma[64];
    const char *const word = stretch_word(w, w->first);
    const bool acts = kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
                      strcmp(lemma, word) == 0;
    const bool determined = stretch_lists(w, w->first + 1, "told: definite") ||
                            stretch_lists(w, w->first + 1, "told: determiner");
    if (stretch_lists(w, w->first + 1, "told: leads"))
        return false;
    if (acts && determined)
        return true;
    const bool orders = lexicon_find_verb(word, &verb) && !kinds_abstract(word);
    /* "paint day" */
    return orders && (verb != VERB_CANNOT || !heading_is_of_doing(w));
}

/* "Play corner", "breakfast spot for my mother": a place by what is done
 * there. */
static bool heading_is_place_for(const stretch *w, uint32_t at)
{
    const bool ends =
        at + 1 == w->end || strcmp(stretch_word(w, at + 1), "for") == 0;
    if (at == w->first || !ends || !stretch_lists(w, at, "talk: spot"))
        return false;
    const char *const what = stretch_word(w, at - 1);
    return kinds_word(what) && !word_may_bound(what) &&
           !lexicon_is_function_word(what);
}

static bool heading_may_hold(const stretch *w, uint32_t at)
{
    const char *const word = stretch_word(w, at);
    const sentence_token *const token = &w->s->tokens[at];
    /* "act two", "safety first" */
    const bool label = at > w->first &&
                       kinds_abstract(stretch_word(w, at - 1)) &&
                       (lexicon_number(word) > 0 || lexicon_ordinal(word) > 0);
    if (label)
        return true;
    if (heading_is_place_for(w, at) || stretch_lists(w, at, "talk: of whose"))
        return true;
    if (token->is_mark || token->quoted || !kinds_word(word) ||
        word_may_bound(word) || lexicon_ordinal(word) > 0)
        return false;
    if (word_binds(word))
        return false; /* "tight fit" */
    if (word_is_doing(word) && word_moves(word) && !word_is_beyond(word))
        return false; /* "no stacking" */
    return at > w->first || !heading_orders(w);
}

/* "Interview scene: ...", "Reset for act two: ...", "Think spa: ...": what all
 * that follows is for. No word of it may bound that or be a thing that is
 * here. */
bool talk_is_heading(const talk *t)
{
    enum {
        LONGEST = 6
    };
    static const char *const marks[] = {":", "!", "-"};
    const stretch *const w = &t->w;
    const sentence *const s = w->s;
    const bool begins = w->first == 0 || s->tokens[w->first - 1].is_mark;
    const bool more = w->end < s->token_count && w->end <= w->first + LONGEST;
    if (!begins || !more || !WORD_IS_OF(s->tokens[w->end].text, marks))
        return false;
    for (uint32_t at = w->first; at < w->end; at++) {
        if (!heading_may_hold(w, at))
            return false;
    }
    return !stretch_lists(w, w->first, "told: definite") &&
           !heading_is_topic(w);
}

/* "Paint day" is of no paint that is here, "play corner" of no corner. */
etna_code heading_names(reader *r, const talk *t, bool *ret)
{
    talk rest = *t;
    *ret = false;
    if (heading_is_of_doing(&t->w))
        return ETNA_OK;
    for (uint32_t at = t->w.first; at < t->w.end; at++) {
        if (!heading_is_place_for(&t->w, at))
            continue;
        rest.w.first = at + 1;
        etna_code code = word_names_thing(r, stretch_word(&t->w, at - 1), ret);
        if (code != ETNA_OK || *ret)
            return code;
    }
    return talk_names(r, &rest, ret);
}
