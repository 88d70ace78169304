/* Talk: a clause that gives no order, and names neither a thing of the scene nor
 * a place. Who or what it tells of says how much of it could be an order all the
 * same. What a word does there is data: lexicon.inc, "talk: ...". */
#include "worker/builtin/read/talk_internal.h"

#include <stdio.h>

bool word_is_alive(const char *word)
{
    if (lexicon_is_person(word) || lexicon_lists("told: people", word))
        return true;
    /* "far enough that nobody brushes it" binds */
    const bool named = !lexicon_lists("told: who", word);
    if (named && kinds_person(word))
        return true;
    return kinds_distance(word, "animal") < KINDS_NEAR ||
           kinds_distance(word, "person") < KINDS_NEAR;
}

/* "Coffee", "tea": what people think of when they say what it is for. */
bool word_is_meal(const char *word)
{
    return kinds_distance(word, "food") < KINDS_NEAR ||
           kinds_distance(word, "beverage") < KINDS_NEAR;
}

/* Nothing that could be put anywhere: people, times, and what is no thing. */
bool word_is_no_thing(const char *word)
{
    lexicon_verb verb;
    bool superlative = false;
    if (word_is_alive(word) || lexicon_lists("told: elsewhere", word) ||
        word_is_meal(word))
        return true;
    const bool closed =
        lexicon_is_function_word(word) || lexicon_lists("talk: which", word);
    const bool moves_it = word_is_doing(word) && word_moves(word);
    if (!kinds_word(word) || word_bears(word) || closed || moves_it)
        return false;
    if (kinds_known(word) && !kinds_abstract(word))
        return false;
    const bool moves = lexicon_find_verb(word, &verb) && verb != VERB_CANNOT;
    if (moves || lexicon_size(word, &superlative))
        return false;
    return !lexicon_lists("$dir", word) && !lexicon_lists("$part", word);
}

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
    const char *const word = stretch_word(w, at);
    const char *const before = stretch_word(w, at - 1);
    char lemma[64];
    if (word_is_finite(word) || lexicon_lists("talk: must", word) ||
        lexicon_lists("talk: wish", word) || stretch_goes_on(w, at))
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

/* "Space" of "saves space", "light" of "gives more light". */
static bool talk_does_good(const stretch *w, uint32_t at)
{
    return stretch_lists(w, w->first, "talk: does good") && at > w->first &&
           stretch_lists(w, at, "told: longed for");
}

/* "Smells of damp", "saves space" */
static bool talk_lacks_subject(const stretch *w)
{
    const char *const word = stretch_word(w, w->first);
    char lemma[64];
    if (stretch_lists(w, w->first, "talk: does good"))
        return w->end > w->first + 1;
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           strcmp(lemma, word) != 0 && kinds_tells(lemma) &&
           word[strlen(word) - 1] == 's' && !kinds_known(word) &&
           !word_is_alive(word) && w->end > w->first + 1;
}

static uint32_t talk_find_verb(const stretch *w)
{
    if (stretch_lists(w, w->first, "told: merely") &&
        word_is_verb_form(stretch_word(w, w->first + 1)))
        return w->first + 1;
    if (word_is_short_form(stretch_word(w, w->first)) || talk_lacks_subject(w))
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

/* Has its first word, or what stands before its apostrophe, the class: "he'd",
 * "they'll"? */
static bool talk_begins_as(const stretch *w, const char *class)
{
    const char *const word = stretch_word(w, w->first);
    const size_t size = strcspn(word, "'");
    char said[40];
    if (lexicon_lists(class, word))
        return true;
    if (size == 0 || size >= sizeof said)
        return false;
    memcpy(said, word, size);
    said[size] = 0;
    return lexicon_lists(class, said);
}

/* "My Harold" */
static bool talk_ends_in_name(const stretch *w, uint32_t end)
{
    const sentence_token *const name = &w->s->tokens[end - 1];
    return end == w->first + 2 && name->capital && !kinds_word(name->text) &&
           stretch_lists(w, w->first, "told: whose");
}

/* "Just | moved in", and no "both of them | ... is": is nobody told of before the
 * verb? */
static bool talk_is_merely(const stretch *w, uint32_t verb)
{
    for (uint32_t at = w->first; at < verb; at++) {
        if (!stretch_lists(w, at, "told: merely"))
            return false;
    }
    return true;
}

static talk_subject talk_subject_of(const stretch *w,
                                    uint32_t end,
                                    uint32_t verb)
{
    for (uint32_t at = end; at < verb; at++) {
        if (strcmp(stretch_word(w, at), "that") == 0)
            return SUBJECT_NONE; /* "bear in mind that it must" */
    }
    if (talk_lacks_subject(w))
        return SUBJECT_AGAIN;
    if (end == w->first && verb > w->first) /* "just moved in" */
        return talk_is_merely(w, verb) ? SUBJECT_PEOPLE : SUBJECT_NONE;
    if (talk_begins_as(w, "talk: asked"))
        return SUBJECT_ASKED;
    if (talk_begins_as(w, "talk: again"))
        return SUBJECT_AGAIN;
    if (stretch_people_end(w) > w->first || talk_begins_as(w, "told: who") ||
        talk_ends_in_name(w, end) ||
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

/* Behind "need": "it", "those two", and nothing of where. */
static bool talk_needs_again(const stretch *w, uint32_t at)
{
    uint32_t end = at + 1;
    if (lexicon_lists("talk: these", stretch_word(w, at)) &&
        lexicon_number(stretch_word(w, end)) > 1)
        return end + 1 == w->end;
    if (!stretch_lists(w, at, "passed: object"))
        return false;
    return end == w->end || stretch_lists(w, end, "talk: by oneself");
}

/* Behind a word of wishing: "it that way", "it in the morning", and nothing of
 * where it is wanted. */
static bool talk_wants_it_so(const stretch *w, uint32_t at)
{
    uint32_t next = at + 1;
    if (!stretch_lists(w, at, "passed: object"))
        return false;
    if (next == w->end)
        return true;
    if (stretch_lists(w, next, "talk: so it is"))
        return next + 1 == w->end ||
               (next + 2 == w->end && stretch_lists(w, next + 1, "talk: way"));
    if (!stretch_lists(w, next, "told: leads"))
        return false;
    for (next++; next < w->end; next++) {
        if (!stretch_lists(w, next, "told: determiner") &&
            !word_is_no_thing(stretch_word(w, next)))
            return false;
    }
    return word_is_no_thing(stretch_word(w, w->end - 1));
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
    if (next >= w->end || talk_wants_it_so(w, next))
        return true;
    /* "Dad needs it tonight", and no "needs it there" */
    if (strncmp(stretch_word(w, at), "need", 4) == 0 &&
        (stretch_lists(w, next, "passed: object") || talk_needs_again(w, next)))
        return talk_needs_again(w, next);
    if (denied && !stretch_lists(w, next, "told: definite"))
        return true; /* "I do not want any stains" */
    const bool to = strcmp(stretch_word(w, next), "to") == 0;
    const bool must = stretch_lists(w, at, "talk: must");
    const bool need = strncmp(stretch_word(w, at), "need", 4) == 0;
    if (must || (to && (need || stretch_lists(w, at, "told: have"))))
        return stretch_is_own_act(w, next + to) || talk_is_duty(w, next + to);
    if (to)
        return stretch_is_own_act(w, next + 1);
    return stretch_longs_for(w, next);
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
    const char *const word = stretch_word(&t->w, t->named - 1);
    return t->subject == SUBJECT_OTHER && t->named > t->w.first &&
           (word_is_no_thing(word) || lexicon_lists("told: thrives on", word));
}

/* "It's supposed to rain" */
static bool talk_is_of_weather(const stretch *w, uint32_t at)
{
    return strcmp(stretch_word(w, at), "supposed") == 0 &&
           strcmp(stretch_word(w, at + 1), "to") == 0 &&
           stretch_lists(w, at + 2, "told: elsewhere");
}

/* "It belongs to somebody else", "it looks like rain", "that is better". */
static bool talk_word_tells(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    if (talk_is_of_weather(w, at) ||
        (at > w->first && talk_is_of_weather(w, at - 1)))
        return true;
    if (stretch_thrives(w, at) || stretch_foretells(w, at) ||
        stretch_becomes(w, at))
        return true;
    if (strcmp(stretch_word(w, at), "here") == 0)
        return talk_is_of_no_thing(t) || talk_lacks_subject(w);
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
    /* "every single morning" */
    const bool when = kinds_abstract(stretch_word(w, at + 1)) ||
                      kinds_abstract(stretch_word(w, at + 2));
    if (at >= t->verb && !when && stretch_lists(w, at, "talk: of many"))
        return true;
    if (at >= t->verb && talk_word_wishes(t, at))
        return true;
    return stretch_lists(w, at, "told: modal") &&
           !stretch_is_own_act(w, at + 1) && !talk_modal_tells(w, at);
}

/* "Their own tune", "the scene seems calm", "they want some peace": a word that
 * orders nothing, whatever it is elsewhere. */
static bool talk_word_is_idle(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const char *const word = stretch_word(w, at);
    if (talk_does_good(w, at))
        return true;
    const bool before_verb = at < t->verb;
    const bool whose = stretch_lists(w, w->first, "told: whose");
    if (at < t->named && (t->does || whose))
        return true;
    if (t->does && at == t->verb)
        return true;
    if (before_verb && lexicon_lists("talk: scene", word))
        return true;
    if (lexicon_lists("talk: seems", word) || talk_word_tells(t, at))
        return true;
    return !before_verb && stretch_lists(w, w->first, "talk: they") &&
           stretch_lists(w, at, "talk: wish") && talk_wish_is_own(t, at);
}

/* A verb of what nobody could ask for here: "broken", "painted". */
bool word_is_beyond(const char *word)
{
    lexicon_verb verb;
    char lemma[64];
    return kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
           lexicon_find_verb(lemma, &verb) && verb == VERB_CANNOT;
}

static bool talk_word_orders_of_things(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const char *const word = stretch_word(w, at);
    if (talk_word_is_idle(t, at))
        return false;
    if (lexicon_lists("told: asks", word) || lexicon_lists("talk: must", word))
        return true;
    if (word_bears(word) || lexicon_lists("told: bounds", word) ||
        word_arranges(word))
        return true;
    const bool denies =
        t->subject == SUBJECT_AGAIN && lexicon_lists("$not", word);
    const bool to_be = at > w->first && strcmp(word, "to") == 0 &&
                       (stretch_lists(w, at - 1, "told: be") ||
                        stretch_lists(w, at - 1, "told: have"));
    if (denies || to_be)
        return true;
    /* "air can get at it" */
    if (lexicon_lists("told: modal", word))
        return !talk_is_of_no_thing(t) && !talk_modal_tells(w, at);
    /* "the jug travels along": with what is moved */
    if (at > t->verb && at + 1 == w->end && strcmp(word, "along") == 0)
        return true;
    /* "the boiler is broken" */
    return at > t->verb && word_moves(word) && !word_is_beyond(word) &&
           !talk_is_of_no_thing(t);
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
    bool wishes = t->subject != SUBJECT_PEOPLE && t->subject != SUBJECT_ASKED &&
                  !talk_is_of_no_thing(t);
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
    /* "to see if it fits" */
    const bool wondered = at > t->verb && stretch_wonders(&t->w, at - 1);
    if (lexicon_lists("talk: bounds", token->text) && !only && !wondered)
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

/* ---- what a thing does by itself: "the tin leaks", "cones scare the dog" ---- */

/* A verb that moves nothing and says no place. */
static bool word_is_harmless(const char *word)
{
    lexicon_verb verb;
    char lemma[64];
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0 ||
        lexicon_find_verb(lemma, &verb))
        return false;
    return kinds_tells(lemma) && !lexicon_lists("told: asks", word) &&
           !word_is_finite(word) && !lexicon_lists("talk: wish", word);
}

/* Behind a preposition: is it no more than when, of what or to whom? */
static bool talk_leads_nowhere(const stretch *w, uint32_t at)
{
    uint32_t last = at + 1;
    if (strcmp(stretch_word(w, at), "of") == 0)
        return true;
    while (last + 1 < w->end && !stretch_lists(w, last + 1, "told: leads"))
        last++;
    return last < w->end && word_is_no_thing(stretch_word(w, last));
}

/* "All night", "every time": how long or when, and nothing of which. */
static bool talk_says_when(const stretch *w, uint32_t at)
{
    const uint32_t next =
        at + 1 + (strcmp(stretch_word(w, at + 1), "the") == 0);
    return stretch_lists(w, at, "talk: which") && next < w->end &&
           kinds_abstract(stretch_word(w, next));
}

/* Of the words behind the verb none says where or which way. */
static bool talk_stays_put(const talk *t)
{
    static const char *const classes[] = {"talk: which", "$dir", "$part",
                                          "$zone", "$rel"};
    const stretch *const w = &t->w;
    for (uint32_t at = t->verb + 1; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        const bool leads = lexicon_lists("told: leads", word);
        if (talk_says_when(w, at))
            continue;
        if (leads && !talk_leads_nowhere(w, at))
            return false;
        for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
            if (!leads && lexicon_lists(classes[i], word))
                return false;
        }
        if (strcmp(word, "there") == 0)
            return false;
    }
    return true;
}

/* "The tin leaks", "the keys keep disappearing", be the thing here or not. */
static bool talk_is_harmless(const talk *t)
{
    const stretch *const w = &t->w;
    const bool goes_on = stretch_goes_on(w, t->verb) &&
                         !word_moves(stretch_word(w, t->verb + 1));
    return goes_on || word_is_harmless(stretch_word(w, t->verb));
}

/* "Symmetry sells", "the match starts at noon": what happens, or when. */
static bool talk_happens(const talk *t)
{
    const stretch *const w = &t->w;
    const char *const verb = stretch_word(w, t->verb);
    const bool when =
        t->verb + 1 < w->end && kinds_abstract(stretch_word(w, w->end - 1));
    char lemma[64];
    return kinds_verb_lemma(verb, lemma, sizeof lemma) > 0 &&
           kinds_verb_class(lemma) == KINDS_VERB_NONE &&
           !lexicon_lists("told: place", lemma) &&
           !lexicon_lists("told: asks", verb) && !word_is_finite(verb) &&
           !lexicon_lists("talk: wish", verb) &&
           (when || kinds_abstract(stretch_word(w, t->named - 1)));
}

static bool talk_thing_does(const talk *t)
{
    if (t->subject != SUBJECT_OTHER || t->named != t->verb)
        return false;
    return (talk_is_harmless(t) || talk_happens(t)) && talk_stays_put(t);
}

/* "The tin leaks.": its last word is a noun as well, but none of what is here.
 * In a list it may be one: "the cups, the tin lids". */
static etna_code talk_find_doubtful(reader *r, talk *t)
{
    const stretch *const w = &t->w;
    const bool begins =
        w->first == 0 || (w->s->tokens[w->first - 1].is_mark &&
                          strcmp(w->s->tokens[w->first - 1].text, ",") != 0);
    bool is_noun = true;
    if (!begins || !stretch_lists(w, w->first, "told: definite"))
        return ETNA_OK;
    for (uint32_t at = w->first + 2; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        const char *const before = stretch_word(w, at - 1);
        if (!word_is_verb_form(word) || word_is_doing(word) ||
            match_is_plural_word(before))
            continue;
        etna_code code = word_names_thing(r, word, &is_noun);
        if (code != ETNA_OK)
            return code;
        if (!is_noun && kinds_known(before)) {
            t->verb = t->named = at;
            t->subject = SUBJECT_OTHER;
            return ETNA_OK;
        }
    }
    return ETNA_OK;
}

/* ---- what it names ---- */

bool stretch_handles_none(const stretch *w)
{
    char lemma[64] = "";
    if (strcmp(stretch_word(w, w->first), "nobody") != 0)
        return false;
    for (uint32_t at = w->first + 1; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        kinds_verb_lemma(word, lemma, sizeof lemma);
        const bool at_rest = lexicon_lists("told: does", lemma);
        if ((word_moves(word) && !at_rest) || strcmp(lemma, "touch") == 0)
            return true;
    }
    return false;
}

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
    if (stretch_handles_none(w))
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

/* "My aunt gave me a lamp", "out of a pallet": of what people did or had, any
 * thing of its kind, and none of these here. */
static bool talk_is_of_some(const talk *t, uint32_t at)
{
    char lemma[64];
    const char *const verb = stretch_word(&t->w, t->verb);
    const bool past = kinds_verb_lemma(verb, lemma, sizeof lemma) > 0 &&
                      strcmp(lemma, verb) != 0 && !word_is_doing(verb) &&
                      verb[strlen(verb) - 1] != 's';
    return past && t->subject == SUBJECT_PEOPLE && at > t->verb &&
           lexicon_lists("talk: some", stretch_word(&t->w, at - 1));
}

/* "It", "them": is anything of the text but this clause said of what was named
 * before? */
static bool talk_is_taken_up(const talk *t)
{
    const sentence *const s = t->w.s;
    for (uint32_t at = t->w.end; at < s->token_count; at++) {
        if (lexicon_lists("told: moved", s->tokens[at].text))
            return true;
    }
    return false;
}

/* "Soap's for hands", "the tins are for the food bank": whose or what for a
 * thing is that something is asked of. It ends behind "for". 0: no such. */
static uint32_t talk_meant_end(const talk *t)
{
    const stretch *const w = &t->w;
    if (t->subject != SUBJECT_OTHER || t->named != t->verb ||
        !stretch_lists(w, t->verb, "told: be") ||
        strcmp(stretch_word(w, t->verb + 1), "for") != 0)
        return 0;
    const bool again = talk_word_comes_again(t, stretch_word(w, t->named - 1));
    return again || talk_is_taken_up(t) ? t->verb + 2 : 0;
}

/* Does the word there tell who is meant, what they do or what is good about it,
 * and name nothing that something is asked of? */
static bool talk_passes_word(const talk *t, uint32_t at)
{
    const stretch *const w = &t->w;
    const bool to = at > w->first && strcmp(stretch_word(w, at - 1), "to") == 0;
    if (to && at + 1 > t->verb)
        return true;
    if (t->subject == SUBJECT_PEOPLE && at >= t->named && at < t->verb)
        return true;
    if (talk_does_good(w, at))
        return true;
    if (at <= t->verb && t->does && talk_is_harmless(t))
        return true;
    return talk_may_name(t, stretch_word(w, at)) || talk_is_of_some(t, at);
}

/* `end`: of what is looked at. */
static etna_code talk_word_names(
    reader *r, const talk *t, uint32_t at, uint32_t end, bool *ret)
{
    const char *const word = stretch_word(&t->w, at);
    *ret = word_is_ground(word) || lexicon_lists("$zone", word);
    etna_code code = *ret ? ETNA_OK : word_names_thing(r, word, ret);
    /* "kitchen roll": neither word alone is one */
    if (code == ETNA_OK && !*ret && at + 1 < end)
        code = words_name_thing(r, word, stretch_word(&t->w, at + 1), ret);
    return code;
}

/* A thing of the scene or a place of it; who is meant may be told by one. */
etna_code talk_names(reader *r, const talk *t, bool *ret)
{
    etna_code code = ETNA_OK;
    *ret = false;
    /* "it needs the light" of no lamp */
    const uint32_t end = stretch_thrives(&t->w, t->verb) ? t->verb : t->w.end;
    const uint32_t meant = talk_meant_end(t);
    for (uint32_t at = meant ? meant : t->w.first;
         at < end && !*ret && code == ETNA_OK; at++) {
        /* "the food bank" is no food */
        const bool qualifies =
            meant && kinds_known(stretch_word(&t->w, at + 1));
        if (!qualifies && !talk_passes_word(t, at))
            code = talk_word_names(r, t, at, end, ret);
    }
    return code;
}

/* ---- all of it ---- */

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
    while (at < w->end &&
           (stretch_lists(w, at, "told: joint") ||
            (at > w->first && strcmp(stretch_word(w, at), ",") == 0)))
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
    return lexicon_lists("$interj", said) || lexicon_lists("$polite", said) ||
           lexicon_lists("talk: exclaims", said);
}

/* The end of a letter, of nobody who is here. */
static etna_code talk_signs(reader *r, const stretch *w, bool *ret)
{
    bool names = false;
    *ret = phrase_closes(w);
    for (uint32_t at = w->first; at < w->end && *ret; at++) {
        const bool polite = w->s->tokens[at].is_mark ||
                            stretch_lists(w, at, "talk: closes") ||
                            stretch_lists(w, at, "talk: closing");
        etna_code code =
            polite ? ETNA_OK : word_names_thing(r, stretch_word(w, at), &names);
        if (code != ETNA_OK)
            return code;
        *ret = !names;
    }
    return ETNA_OK;
}

/* "Isn't it", "doesn't she": asks for no more than a nod. */
static bool talk_is_tag(const stretch *w)
{
    const char *const verb = stretch_word(w, w->first);
    const size_t size = strlen(verb);
    const bool denies = size > 3 && strcmp(verb + size - 3, "n't") == 0;
    const bool who = stretch_lists(w, w->first + 1, "told: who") ||
                     stretch_lists(w, w->first + 1, "talk: again");
    return w->end == w->first + 2 && denies && word_is_finite(verb) && who;
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
    talk t = talk_of(r->s, words);
    bool names = false;
    *ret = talk_exclaims(&t.w) || talk_is_tag(&t.w);
    if (*ret || t.w.first >= t.w.end)
        return ETNA_OK;
    etna_code code = talk_signs(r, &all, ret);
    if (code != ETNA_OK || *ret)
        return code;
    if (talk_is_heading(&t)) {
        code = heading_names(r, &t, &names);
        *ret = code == ETNA_OK && !names;
        return code;
    }
    if (t.verb == t.w.end)
        code = talk_find_doubtful(r, &t);
    t.does = talk_thing_does(&t);
    if (code != ETNA_OK || talk_orders(&t) || talk_binds(&t, &all))
        return code;
    const bool is_for =
        t.w.first > 0 && strcmp(r->s->tokens[t.w.first - 1].text, "for") == 0;
    const bool phrase = t.verb == t.w.end;
    if (phrase && !talk_is_phrase(&t, alone, is_for))
        return ETNA_OK;
    if (!phrase && t.subject == SUBJECT_NONE)
        return ETNA_OK;
    if (!is_for || !phrase_is_own_purpose(&t.w))
        code = talk_names(r, &t, &names);
    *ret = code == ETNA_OK && !names;
    return code;
}

/* "With the visor", "my dad's": no word of it calls a thing, bounds a place or
 * tells an order. */
static etna_code word_is_besides(reader *r, const char *word, bool *ret)
{
    lexicon_verb verb;
    bool names = false;
    *ret = lexicon_lists("talk: links", word) ||
           lexicon_lists("told: determiner", word) ||
           lexicon_lists("told: quality", word) ||
           lexicon_lists("talk: much", word) || strcmp(word, "'s") == 0;
    if (*ret)
        return ETNA_OK;
    const bool asks = word_may_bound(word) || word_arranges(word) ||
                      lexicon_is_function_word(word) || word_moves(word) ||
                      lexicon_find_verb(word, &verb) ||
                      lexicon_number(word) > 0;
    etna_code code = asks ? ETNA_OK : word_names_thing(r, word, &names);
    *ret = code == ETNA_OK && !asks && !names;
    return code;
}

/* One piece of what stands in brackets. */
static etna_code piece_is_besides(reader *r, const sentence_part *w, bool *ret)
{
    bool idle = true, names = false;
    etna_code code = ETNA_OK;
    for (uint32_t at = w->first; at < w->end && code == ETNA_OK; at++) {
        const char *const word = r->s->tokens[at].text;
        bool is_besides = false, named = false;
        code = word_is_besides(r, word, &is_besides);
        if (code == ETNA_OK && !is_besides)
            code = word_names_thing(r, word, &named);
        idle = idle && is_besides;
        /* "the orange" may be a thing, too */
        names = names || named || lexicon_colour(word);
    }
    *ret = idle;
    return code != ETNA_OK || idle || names ? code
                                            : stretch_is_talk(r, w, true, ret);
}

etna_code stretch_is_besides(reader *r, const sentence_part *words, bool *ret)
{
    etna_code code = ETNA_OK;
    *ret = true;
    for (uint32_t at = words->first; at < words->end && *ret; at++) {
        sentence_part piece = {.first = at, .end = at};
        while (piece.end < words->end &&
               strcmp(r->s->tokens[piece.end].text, ",") != 0)
            piece.end++;
        code = piece_is_besides(r, &piece, ret);
        if (code != ETNA_OK)
            return code;
        at = piece.end;
    }
    return ETNA_OK;
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

uint32_t stretch_verb(const sentence *s, const sentence_part *words)
{
    return talk_of(s, words).verb;
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
