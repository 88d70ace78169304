/* The words of a noun phrase -> what is asked of a thing, and whether a thing answers to that: by its name, its colour
 * as seen, or its category, description and materials. */
#include "worker/model/builtin_name_own.h"

#include <stdio.h>
#include <string.h>

bool query_one_of(const char *word, const char *const *list)
{
    for (; *list; list++) {
        if (strcmp(word, *list) == 0) return true;
    }
    return false;
}

static size_word size_of_word(const char *word)
{
    static const struct {
        const char *word;
        size_word size;
    } table[] = {
        {"largest", SIZE_LARGEST},   {"biggest", SIZE_LARGEST},  {"big", SIZE_LARGEST},       {"large", SIZE_LARGEST},
        {"bigger", SIZE_LARGEST},    {"larger", SIZE_LARGEST},   {"smallest", SIZE_SMALLEST}, {"small", SIZE_SMALLEST},
        {"little", SIZE_SMALLEST},   {"smaller", SIZE_SMALLEST}, {"tallest", SIZE_TALLEST},   {"tall", SIZE_TALLEST},
        {"taller", SIZE_TALLEST},    {"highest", SIZE_TALLEST},  {"tiniest", SIZE_SMALLEST},  {"tiny", SIZE_SMALLEST},
        {"huge", SIZE_LARGEST},      {"hugest", SIZE_LARGEST},   {"littlest", SIZE_SMALLEST}, {"lowest", SIZE_SHORTEST},
        {"shortest", SIZE_SHORTEST}, {"short", SIZE_SHORTEST},   {"shorter", SIZE_SHORTEST}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(word, table[i].word) == 0) return table[i].size;
    }
    return SIZE_NONE;
}

static place_word place_of_word(const char *word)
{
    static const struct {
        const char *word;
        place_word place;
    } table[] = {{"left", PLACE_LEFT},     {"leftmost", PLACE_LEFT},   {"left-hand", PLACE_LEFT},
                 {"right", PLACE_RIGHT},   {"rightmost", PLACE_RIGHT}, {"right-hand", PLACE_RIGHT},
                 {"middle", PLACE_MIDDLE}, {"centre", PLACE_MIDDLE},   {"center", PLACE_MIDDLE},
                 {"front", PLACE_FRONT},   {"frontmost", PLACE_FRONT}, {"back", PLACE_BACK},
                 {"rear", PLACE_BACK}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(word, table[i].word) == 0) return table[i].place;
    }
    return PLACE_NONE;
}

/* A word of the phrase that is no noun and no colour: true when it was understood. */
static bool take_small_word(query *q, const char *word, bool before_noun)
{
    static const char *const filler[] = {"the",      "my",    "your",      "its",   "this", "that",     "these",
                                         "those",    "their", "of",        "is",    "'s",   "are",      "which",
                                         "standing", "lying", "currently", "there", "here", "object's", NULL};
    static const char *const generic[] = {"one",     "ones", "thing", "things",     "object",
                                          "objects", "item", "items", "everything", NULL};
    if (strcmp(word, "leftmost") == 0 || strcmp(word, "rightmost") == 0) {
        q->place = place_of_word(word);
        return true;
    }
    if (strcmp(word, "from-left") == 0 || strcmp(word, "from-right") == 0) {
        q->from_right = strcmp(word, "from-right") == 0;
        if (q->ordinal) q->place = PLACE_NONE;
        return q->ordinal > 0;
    }
    if (!before_noun) {
        if (query_one_of(word, generic)) return q->generic = true;
        return query_one_of(word, filler);
    }
    if (strcmp(word, "a") == 0 || strcmp(word, "an") == 0 || strcmp(word, "any") == 0 || strcmp(word, "some") == 0 ||
        strcmp(word, "either") == 0)
        return q->any = true;
    if (strcmp(word, "all") == 0 || strcmp(word, "every") == 0 || strcmp(word, "each") == 0) return q->all = true;
    if (strcmp(word, "other") == 0 || strcmp(word, "remaining") == 0) return q->other = true;
    if (strcmp(word, "both") == 0) q->all = true;
    uint32_t ordinal = builtin_ordinal(word);
    if (ordinal > 0 && q->ordinal == 0) {
        q->ordinal = ordinal;
        return true;
    }
    if (place_of_word(word) != PLACE_NONE) {
        q->place = place_of_word(word);
        return true;
    }
    uint32_t number = strcmp(word, "couple") == 0 ? 2 : builtin_number(word);
    if (number > 0 && (q->extreme_of || q->part_of)) return true; /* "the smaller of the two books", "one of the two" */
    if (number > 0 && q->number == 0) {
        q->number = number;
        return true;
    }
    if (query_one_of(word, generic)) {
        q->all = q->all || strcmp(word, "everything") == 0;
        return q->generic = true;
    }
    size_word size = size_of_word(word);
    if (size != SIZE_NONE) {
        q->size = size;
        return true;
    }
    return query_one_of(word, filler);
}

static etna_code add_tokens(query *q, const builtin_phrase *phrase, const builtin_word *word, etna_arena *arena,
                            etna_error *err)
{
    char *raw = word->quoted ? etna_arena_strdup(arena, word->text)
                             : etna_arena_strndup(arena, phrase->sentence + word->at, word->end - word->at);
    uint32_t count = 0;
    const char *const *texts = raw ? builtin_name_words(raw, arena, &count) : NULL;
    if (!texts) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
    for (uint32_t i = 0; i < count; i++) {
        if (q->token_count == TOKENS_MAX) return etna_fail(err, ETNA_E_INPUT, "it has too many words for a name");
        q->tokens[q->token_count++] = (token){.text = texts[i], .colour = builtin_colour_word(texts[i])};
    }
    return ETNA_OK;
}

bool query_has_noun(const query *q)
{
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].colour == COLOUR_NONE) return true;
    }
    return q->generic;
}

etna_code query_parse(const builtin_phrase *phrase, uint32_t first, uint32_t end, bool borrowed, etna_arena *arena,
                      query *q, etna_error *err)
{
    static const char *const shades[] = {"light", "dark", "bright", "pale", "deep", NULL};
    for (uint32_t i = first; i < end; i++) {
        const builtin_word *word = &phrase->words[i];
        if (word->quoted) q->literal = word->text;
        if (!word->quoted && (strcmp(word->text, "nearest") == 0 || strcmp(word->text, "closest") == 0) && i > first &&
            i + 1 < end) {
            q->nearest_first = i + 1 + (!phrase->words[i + 1].quoted && strcmp(phrase->words[i + 1].text, "to") == 0);
            q->nearest_end = end;
            break;
        }
        if (!word->quoted && i + 1 == end && i > first && strcmp(word->text, "one") == 0) { /* "the other one" */
            q->generic = true;
            continue;
        }
        bool extreme = q->size != SIZE_NONE || q->ordinal > 0 || q->place != PLACE_NONE;
        bool of = !word->quoted && strcmp(word->text, "of") == 0 && q->token_count == 0;
        if (of && extreme) q->extreme_of = true;
        if (of && !extreme && !q->all && (q->any || q->number > 0)) q->part_of = true;
        if (of && q->part_of && q->number == 1) q->any = true;
        bool shade = !word->quoted && i + 1 < end && query_one_of(word->text, shades) &&
                     builtin_colour_word(phrase->words[i + 1].text);
        if (shade || (borrowed && !word->quoted && builtin_colour_word(word->text))) continue;
        if (!word->quoted && take_small_word(q, word->text, !query_has_noun(q))) continue;
        etna_code code = add_tokens(q, phrase, word, arena, err);
        if (code != ETNA_OK) return code;
        if (!word->quoted) q->plural = builtin_is_plural(word->text); /* the last noun's */
    }
    return ETNA_OK;
}

/* ---- does an object answer to a query? ---- */

static bool is_alphabetic(const char *word) { return word[0] && !(word[0] >= '0' && word[0] <= '9'); }

/* "glass left", "chair two": what tells a thing from its like is not what it is. */
static bool tells_apart(const char *word)
{
    static const char *const places[] = {"left",   "right",  "front",  "rear",  "upper", "lower",
                                         "middle", "centre", "center", "inner", "outer", NULL};
    return query_one_of(word, places) || builtin_number(word) > 0 || builtin_ordinal(word) > 0;
}

uint32_t query_head_of(const builtin_object *object)
{
    uint32_t head = BUILTIN_NONE;
    for (uint32_t i = 0; i < object->word_count; i++) {
        const char *word = object->words[i];
        if (!is_alphabetic(word) || strlen(word) < 2 || builtin_colour_word(word) != COLOUR_NONE) continue;
        if (head == BUILTIN_NONE || !tells_apart(word)) head = i;
    }
    return head;
}

/* Marks the words of the name that token i (and perhaps i+1) stands for; 0: none; else how many tokens were used. */
static bool same(const char *a, const char *b, bool lenient)
{
    return builtin_same_word(a, b) || (lenient && builtin_like_word(a, b));
}

static uint32_t match_name(const builtin_object *object, const query *q, uint32_t i, bool lenient, uint64_t *used)
{
    char joined[128];
    const char *text = q->tokens[i].text;
    uint32_t matched = 0;
    for (uint32_t k = 0; !matched && i + 1 < q->token_count && k < object->word_count && k < 64;
         k++) { /* "coffee table" for coffeetable, "light source" for lamp */
        snprintf(joined, sizeof joined, "%s%s", text, q->tokens[i + 1].text);
        if (!same(object->words[k], joined, lenient)) continue;
        *used |= UINT64_C(1) << k;
        matched = 2;
    }
    if (matched) return matched;
    for (uint32_t k = 0; k < object->word_count && k < 64; k++) {
        if (same(object->words[k], text, lenient)) {
            *used |= UINT64_C(1) << k;
            matched = 1;
        }
    }
    for (uint32_t k = 0; !matched && k + 1 < object->word_count && k < 63; k++) { /* "nightstand" for NightStand */
        snprintf(joined, sizeof joined, "%s%s", object->words[k], object->words[k + 1]);
        if (!builtin_same_word(joined, text)) continue;
        *used |= UINT64_C(3) << k;
        matched = 1;
    }
    return matched;
}

static bool match_hint(const builtin_object *object, const char *text, bool lenient)
{
    for (uint32_t k = 0; k < object->hint_count; k++) {
        if (same(object->hints[k], text, lenient)) return true;
    }
    return false;
}

static bool match_stuff(const builtin_object *object, const char *text)
{
    for (uint32_t k = 0; k < object->material_count; k++) {
        if (builtin_is_stuff(object->materials[k], text)) return true;
    }
    return false;
}

static bool match_colour(const builtin_object *object, builtin_colour colour, bool lenient)
{
    if (colour == COLOUR_NONE || !object->has_colour) return false;
    return builtin_colour_of(object->lab) == colour || (lenient && builtin_colour_near(object->lab, colour));
}

uint32_t query_tier_of(const builtin_object *object, const query *q, bool lenient)
{
    uint64_t used = 0;
    bool by_hint = false, by_stuff = false, by_name = false;
    for (uint32_t i = 0; i < q->token_count;) {
        uint32_t tokens = match_name(object, q, i, lenient, &used);
        by_name = by_name || tokens > 0;
        if (tokens == 0 && q->tokens[i].colour != COLOUR_NONE && match_colour(object, q->tokens[i].colour, lenient))
            tokens = 1;
        if (tokens == 0 && match_hint(object, q->tokens[i].text, lenient)) {
            by_hint = true;
            tokens = 1;
        }
        if (tokens == 0 && match_stuff(object, q->tokens[i].text)) {
            by_stuff = true;
            tokens = 1;
        }
        if (tokens == 0) return TIERS;
        i += tokens;
    }
    uint32_t head = query_head_of(object), extra = 0;
    for (uint32_t k = 0; k < object->word_count && k < 64; k++) {
        const char *word = object->words[k];
        bool says = is_alphabetic(word) && strlen(word) >= 2 && builtin_colour_word(word) == COLOUR_NONE &&
                    size_of_word(word) == SIZE_NONE;
        if (says && k >= object->shared_words && !(used >> k & 1)) extra++;
    }
    if (q->generic && q->token_count == 0) return 1;
    if (extra == 0) return 0;
    if (by_stuff && !by_name && !by_hint && !q->generic)
        return 2; /* a cupboard with panes is not what "the glass" is */
    if (by_hint || by_stuff || q->generic || (head < 64 && used >> head & 1)) return 1;
    return 2;
}
