/* What hangs on a wish and asks for nothing: behind it a clause with a word of
 * its own ("where it's cooler", "before the cat knocks it over"), before it what
 * it is for ("to avoid accidents"). Nothing of it may name a thing that is
 * here. */
#include "worker/builtin/read/telling_internal.h"

/* ---- behind it ---- */

/* A clause with a verb, and talk. */
static etna_code clause_is_talk(reader *r, const stretch *w, bool *ret)
{
    const sentence_part words = {.first = w->first, .end = w->end};
    *ret = false;
    if (w->end < w->first + 2 || stretch_verb(w->s, &words) >= w->end)
        return ETNA_OK;
    return stretch_is_talk(r, &words, false, ret);
}

/* "It's cooler", "it is safe", "they stay warm": no more than how it is. */
static bool place_is_praised(const stretch *w)
{
    uint32_t at = w->first;
    if (stretch_lists(w, at, "told: it is"))
        at++;
    else if (stretch_lists(w, at, "told: same") &&
             (stretch_lists(w, at + 1, "told: be") ||
              stretch_lists(w, at + 1, "trail: keeps so")))
        at += 2;
    if (at == w->first)
        return false;
    while (stretch_lists(w, at, "trail: degree"))
        at++;
    return at + 1 == w->end && stretch_lists(w, at, "trail: praises");
}

/* "Nobody steps on it", "the dog can't get it", and not "nobody sees it". */
static bool place_is_safe(const stretch *w)
{
    bool safe = false;
    for (uint32_t at = w->first; at < w->end; at++) {
        if (stretch_lists(w, at, "trail: sees") ||
            word_binds(stretch_word(w, at)))
            return false;
        safe = safe || stretch_lists(w, at, "talk: denies") ||
               stretch_lists(w, at, "told: denies");
    }
    return safe;
}

static etna_code trail_where(reader *r, const stretch *w, bool *ret)
{
    *ret = place_is_praised(w);
    if (*ret || !place_is_safe(w))
        return ETNA_OK;
    return clause_is_talk(r, w, ret);
}

/* "The cat knocks it over", "it gets wet", and not "you move the chair". */
static etna_code trail_before(reader *r, const stretch *w, bool *ret)
{
    *ret = false;
    if (stretch_lists(w, w->first, "trail: asked"))
        return ETNA_OK;
    return clause_is_talk(r, w, ret);
}

/* "Please" of "will please": a bare verb that asks for no move. */
static bool verb_is_harmless(const char *verb)
{
    char lemma[64];
    lexicon_verb listed;
    return kinds_verb_lemma(verb, lemma, sizeof lemma) > 0 &&
           strcmp(lemma, verb) == 0 && !lexicon_find_verb(verb, &listed) &&
           !word_is_finite(verb);
}

/* "Which drives me mad", "which will please my aunt", and not "which is the red
 * one". */
static etna_code trail_which(reader *r, const stretch *w, bool *ret)
{
    const bool will = stretch_lists(w, w->first, "trail: will");
    const uint32_t does = w->first + will;
    const char *const verb = stretch_word(w, does);
    bool names = false;
    *ret = false;
    if (w->end < does + 2 || (!will && stretch_lists(w, does, "told: asks")))
        return ETNA_OK;
    if (will ? !verb_is_harmless(verb)
             : word_is_finite(verb) || !word_is_verb_form(verb))
        return ETNA_OK;
    const bool of_people = stretch_lists(w, does + 1, "told: speaker") ||
                           stretch_lists(w, does + 1, "talk: asked") ||
                           stretch_lists(w, does + 1, "told: whose");
    for (uint32_t at = does + 1; at < w->end && !names; at++) {
        const char *const word = stretch_word(w, at);
        names = word_bears(word) || word_arranges(word) ||
                stretch_lists(w, at, "talk: which");
        etna_code code = names ? ETNA_OK : word_names_thing(r, word, &names);
        if (code != ETNA_OK)
            return code;
    }
    *ret = of_people && !names;
    return ETNA_OK;
}

/* "A king's crown", "a surgeon's table": whatever it is, it is somebody's, and
 * no shape to lay things in. */
static bool like_is_of_somebody(const stretch *w)
{
    const uint32_t who = w->first + stretch_lists(w, w->first, "talk: links");
    const bool person =
        lexicon_is_person(stretch_word(w, who)) ||
        stretch_lists(w, who, "trail: person") ||
        kinds_distance(stretch_word(w, who), "person") < KINDS_NEAR;
    if (!person || strcmp(stretch_word(w, who + 1), "'s") != 0)
        return false;
    for (uint32_t at = who + 2; at < w->end; at++) {
        const char *const word = stretch_word(w, at);
        if (word_bears(word) || word_arranges(word))
            return false;
    }
    return w->end > who + 2;
}

/* "They do at school", "in the army", "a pro", and neither "a fan" nor
 * "soldiers", which tell a shape. */
static etna_code trail_like(reader *r, const stretch *w, bool *ret)
{
    bool names = false;
    const bool done = stretch_lists(w, w->first, "told: who") ||
                      stretch_lists(w, w->first, "told: again") ||
                      stretch_people_end(w) > w->first;
    const bool where = stretch_lists(w, w->first, "told: locates");
    const bool one = stretch_lists(w, w->first, "talk: links") &&
                     w->end == w->first + 2 &&
                     (lexicon_is_person(stretch_word(w, w->first + 1)) ||
                      stretch_lists(w, w->first + 1, "trail: person"));
    bool does = !done;
    *ret = like_is_of_somebody(w);
    if (*ret || (!done && !where && !one))
        return ETNA_OK;
    for (uint32_t at = w->first; at < w->end && !names; at++) {
        const char *const word = stretch_word(w, at);
        does = does || stretch_lists(w, at, "trail: does so");
        names = word_bears(word) || word_arranges(word);
        etna_code code = names ? ETNA_OK : word_names_thing(r, word, &names);
        if (code != ETNA_OK)
            return code;
    }
    *ret = does && !names;
    return ETNA_OK;
}

static bool stretch_is_asked(const stretch *w)
{
    return strcmp(stretch_word(w, w->first), "you") == 0;
}

/* "I forget it", "I'll get cross", "my wife gets angry": what comes if it is not
 * done. */
static etna_code trail_or(reader *r, const stretch *w, bool *ret)
{
    const bool somebody = stretch_people_end(w) > w->first ||
                          stretch_lists(w, w->first, "trail: threatens");
    *ret = false;
    if (!somebody || stretch_is_asked(w))
        return ETNA_OK;
    for (uint32_t at = w->first; at < w->end; at++) {
        /* "gets angry", and no "gets it" */
        const bool becomes =
            lexicon_lists("telling: gets", stretch_word(w, at)) &&
            !stretch_lists(w, at + 1, "told: definite");
        if (!becomes && word_moves(stretch_word(w, at)))
            return ETNA_OK; /* "or I put it there" */
    }
    return clause_is_talk(r, w, ret);
}

etna_code stretch_trails(reader *r, const sentence_part *words, bool *ret)
{
    static const struct {
        const char *word;
        etna_code (*tells)(reader *r, const stretch *w, bool *ret);
    } trails[] = {{"where", trail_where},
                  {"before", trail_before},
                  {"which", trail_which},
                  {"like", trail_like},
                  {"or", trail_or}};
    const char *const first = r->s->tokens[words->first].text;
    const stretch behind = {
        .s = r->s, .first = words->first + 1, .end = words->end};
    *ret = false;
    for (uint32_t at = behind.first; at < behind.end; at++) {
        if (r->s->tokens[at].is_mark || r->s->tokens[at].quoted)
            return ETNA_OK;
    }
    for (size_t i = 0; i < COUNT_OF(trails) && behind.end > behind.first; i++) {
        if (strcmp(first, trails[i].word) == 0)
            return trails[i].tells(r, &behind, ret);
    }
    return ETNA_OK;
}

/* ---- before it ---- */

typedef struct lead { /* words before a wish */
    stretch w;
    uint32_t what; /* behind its preposition or "to" and a verb */
    bool handles;  /* "to protect the floor": may name it */
} lead;

/* "To avoid", "to protect": a verb that asks for no move itself. */
static bool lead_find_aim(lead *l)
{
    const uint32_t verb = l->w.first + 1;
    if (strcmp(stretch_word(&l->w, l->w.first), "to") != 0 ||
        !stretch_lists(&l->w, verb, "trail: aims"))
        return false;
    l->what = verb + 1;
    l->handles = stretch_lists(&l->w, verb, "trail: spares");
    return true;
}

/* "For", "according to", "in case of", "because of" */
static bool lead_find_preposition(lead *l)
{
    static const struct {
        const char *first, *second, *third;
    } ways[] = {{"according", "to", NULL}, {"in", "case", "of"},
                {"because", "of", NULL},   {"due", "to", NULL},
                {"thanks", "to", NULL},    {"in", "view", "of"},
                {"in", "spite", "of"},     {"with", "regard", "to"},
                {"for", NULL, NULL},       {"despite", NULL, NULL},
                {"after", NULL, NULL},     {"being", NULL, NULL}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const char *const words[] = {ways[i].first, ways[i].second,
                                     ways[i].third};
        uint32_t at = l->w.first;
        bool same = true;
        for (size_t k = 0; k < COUNT_OF(words) && words[k] && same; k++)
            same = strcmp(stretch_word(&l->w, at++), words[k]) == 0;
        if (!same)
            continue;
        l->what = at;
        /* "according to size" and "after one hour" bound */
        return !lexicon_lists("trail: bounds", words[0]) ||
               stretch_lists(&l->w, at, "told: determiner");
    }
    return false;
}

/* A wish may begin there: "I need", "we'll want", "put", "the hammer goes". */
static bool lead_may_end(const stretch *w, uint32_t at)
{
    lexicon_verb verb;
    const char *const word = stretch_word(w, at);
    if (stretch_lists(w, at, "told: wisher") ||
        stretch_lists(w, at, "trail: wishes"))
        return true;
    if (stretch_lists(w, at, "told: definite") &&
        !stretch_lists(w, at - 1, "told: leads"))
        return true;
    return lexicon_find_verb(word, &verb) && verb != VERB_CANNOT;
}

/* May the word stand in what a wish is for? */
static etna_code lead_may_hold(reader *r, const lead *l, uint32_t at, bool *ret)
{
    const char *const word = stretch_word(&l->w, at);
    const sentence_token *const token = &l->w.s->tokens[at];
    bool names = false;
    const bool bounds =
        token->quoted || token->is_mark || lexicon_number(word) > 0 ||
        lexicon_lists("$dir", word) || lexicon_lists("$zone", word) ||
        word_arranges(word) || lexicon_colour(word);
    *ret = false;
    if (bounds || lexicon_lists("talk: bounds", word))
        return ETNA_OK;
    etna_code code = l->handles ? ETNA_OK : word_names_thing(r, word, &names);
    *ret = code == ETNA_OK && !names;
    return code;
}

etna_code stretch_find_lead(reader *r, sentence_part *words, bool *ret)
{
    enum {
        LONGEST = 6
    };
    lead l = {.w = {.s = r->s, .first = words->first, .end = words->end}};
    *ret = false;
    if (!lead_find_aim(&l) && !lead_find_preposition(&l))
        return ETNA_OK;
    uint32_t at = l.what;
    /* "the repair", "more safety", "my wife's party" */
    while (stretch_lists(&l.w, at, "told: determiner") ||
           stretch_lists(&l.w, at, "told: some"))
        at++;
    for (const uint32_t noun = at; at < l.w.end && at < l.what + LONGEST;
         at++) {
        const bool comma = strcmp(stretch_word(&l.w, at), ",") == 0;
        const bool ends = comma || (!l.handles && lead_may_end(&l.w, at));
        if (at > noun && ends) {
            *ret = true;
            words->end = at;
            return ETNA_OK;
        }
        bool holds = false;
        etna_code code = lead_may_hold(r, &l, at, &holds);
        if (code != ETNA_OK || !holds)
            return code;
    }
    return ETNA_OK;
}
