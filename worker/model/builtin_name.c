/* "the red bottle" -> objects. Every word of a phrase must be accounted for by an object's name, its colour as seen, or its
 * category and description; among those that are, the one whose name says nothing else wins ("table" is Table_01 before
 * CoffeeTable), then one whose name's head is the phrase's head (a TableLamp is no table). Whatever stays ambiguous is
 * refused with the candidates' names: a guess would arrange the wrong thing. */
#include "worker/model/builtin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS_MAX = 24, TIERS = 3, NAMES_TOLD = 6 };

typedef enum size_word { SIZE_NONE = 0, SIZE_LARGEST, SIZE_SMALLEST, SIZE_TALLEST, SIZE_SHORTEST } size_word;

typedef enum place_word { PLACE_NONE = 0, PLACE_LEFT, PLACE_RIGHT, PLACE_MIDDLE, PLACE_FRONT, PLACE_BACK } place_word; /* in the image */

typedef struct token {
    const char *text;
    builtin_colour colour;
} token;

typedef struct query {
    token tokens[TOKENS_MAX];
    uint32_t token_count;
    const char *literal; /* a name in quotes */
    bool all, any, other, plural, generic, extreme_of; /* extreme_of: one of several, by its size or place */
    bool part_of; /* "two of the ..." */
    uint32_t number, ordinal; /* "the second cup" */
    bool from_right;
    place_word place;
    size_word size;
    uint32_t nearest_first, nearest_end; /* words behind "nearest" */
} query;

static bool one_of(const char *word, const char *const *list)
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
    } table[] = {{"largest", SIZE_LARGEST},   {"biggest", SIZE_LARGEST},   {"big", SIZE_LARGEST},     {"large", SIZE_LARGEST},
                 {"bigger", SIZE_LARGEST},    {"larger", SIZE_LARGEST},    {"smallest", SIZE_SMALLEST}, {"small", SIZE_SMALLEST},
                 {"little", SIZE_SMALLEST},   {"smaller", SIZE_SMALLEST},  {"tallest", SIZE_TALLEST}, {"tall", SIZE_TALLEST},
                 {"taller", SIZE_TALLEST},    {"highest", SIZE_TALLEST},   {"tiniest", SIZE_SMALLEST},  {"tiny", SIZE_SMALLEST},    {"huge", SIZE_LARGEST},
                 {"hugest", SIZE_LARGEST},    {"littlest", SIZE_SMALLEST}, {"lowest", SIZE_SHORTEST},    {"shortest", SIZE_SHORTEST}, {"short", SIZE_SHORTEST},  {"shorter", SIZE_SHORTEST}};
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
    } table[] = {{"left", PLACE_LEFT},       {"leftmost", PLACE_LEFT},   {"left-hand", PLACE_LEFT}, {"right", PLACE_RIGHT},   {"rightmost", PLACE_RIGHT},
                 {"right-hand", PLACE_RIGHT}, {"middle", PLACE_MIDDLE},  {"centre", PLACE_MIDDLE},  {"center", PLACE_MIDDLE}, {"front", PLACE_FRONT},
                 {"frontmost", PLACE_FRONT}, {"back", PLACE_BACK},       {"rear", PLACE_BACK}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(word, table[i].word) == 0) return table[i].place;
    }
    return PLACE_NONE;
}

/* A word of the phrase that is no noun and no colour: true when it was understood. */
static bool take_small_word(query *q, const char *word, bool before_noun)
{
    static const char *const filler[] = {"the",   "my",    "your",     "its",     "this",      "that",  "these", "those", "their", "of",   "is", "'s",
                                         "are",   "which", "standing", "lying",   "currently", "there", "here",
                                         "object's", NULL};
    static const char *const generic[] = {"one", "ones", "thing", "things", "object", "objects", "item", "items", "everything", NULL};
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
        if (one_of(word, generic)) return q->generic = true;
        return one_of(word, filler);
    }
    if (strcmp(word, "a") == 0 || strcmp(word, "an") == 0 || strcmp(word, "any") == 0 || strcmp(word, "some") == 0 || strcmp(word, "either") == 0) return q->any = true;
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
    if (one_of(word, generic)) {
        q->all = q->all || strcmp(word, "everything") == 0;
        return q->generic = true;
    }
    size_word size = size_of_word(word);
    if (size != SIZE_NONE) {
        q->size = size;
        return true;
    }
    return one_of(word, filler);
}

static etna_code add_tokens(query *q, const builtin_phrase *phrase, const builtin_word *word, etna_arena *arena, etna_error *err)
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

static bool has_noun(const query *q)
{
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].colour == COLOUR_NONE) return true;
    }
    return q->generic;
}

/* Words [first, end) into the query; `borrowed` ones give their nouns only. */
static etna_code parse(const builtin_phrase *phrase, uint32_t first, uint32_t end, bool borrowed, etna_arena *arena, query *q, etna_error *err)
{
    static const char *const shades[] = {"light", "dark", "bright", "pale", "deep", NULL};
    for (uint32_t i = first; i < end; i++) {
        const builtin_word *word = &phrase->words[i];
        if (word->quoted) q->literal = word->text;
        if (!word->quoted && (strcmp(word->text, "nearest") == 0 || strcmp(word->text, "closest") == 0) && i > first && i + 1 < end) {
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
        bool shade = !word->quoted && i + 1 < end && one_of(word->text, shades) && builtin_colour_word(phrase->words[i + 1].text);
        if (shade || (borrowed && !word->quoted && builtin_colour_word(word->text))) continue;
        if (!word->quoted && take_small_word(q, word->text, !has_noun(q))) continue;
        etna_code code = add_tokens(q, phrase, word, arena, err);
        if (code != ETNA_OK) return code;
        if (!word->quoted) q->plural = builtin_is_plural(word->text); /* the last noun's */
    }
    return ETNA_OK;
}

/* ---- does an object answer to a query? ---- */

static bool is_alphabetic(const char *word) { return word[0] && !(word[0] >= '0' && word[0] <= '9'); }

/* The last word of a name that says what the thing is. */
static uint32_t head_of(const builtin_object *object)
{
    uint32_t head = BUILTIN_NONE;
    for (uint32_t i = 0; i < object->word_count; i++) {
        const char *word = object->words[i];
        if (is_alphabetic(word) && strlen(word) >= 2 && builtin_colour_word(word) == COLOUR_NONE) head = i;
    }
    return head;
}

/* Marks the words of the name that token i (and perhaps i+1) stands for; 0: none; else how many tokens were used. */
static bool same(const char *a, const char *b, bool lenient) { return builtin_same_word(a, b) || (lenient && builtin_like_word(a, b)); }

static uint32_t match_name(const builtin_object *object, const query *q, uint32_t i, bool lenient, uint64_t *used)
{
    char joined[128];
    const char *text = q->tokens[i].text;
    uint32_t found = 0;
    for (uint32_t k = 0; !found && i + 1 < q->token_count && k < object->word_count && k < 64; k++) { /* "coffee table" for coffeetable, "light source" for lamp */
        snprintf(joined, sizeof joined, "%s%s", text, q->tokens[i + 1].text);
        if (!same(object->words[k], joined, lenient)) continue;
        *used |= UINT64_C(1) << k;
        found = 2;
    }
    if (found) return found;
    for (uint32_t k = 0; k < object->word_count && k < 64; k++) {
        if (same(object->words[k], text, lenient)) {
            *used |= UINT64_C(1) << k;
            found = 1;
        }
    }
    for (uint32_t k = 0; !found && k + 1 < object->word_count && k < 63; k++) { /* "nightstand" for NightStand */
        snprintf(joined, sizeof joined, "%s%s", object->words[k], object->words[k + 1]);
        if (!builtin_same_word(joined, text)) continue;
        *used |= UINT64_C(3) << k;
        found = 1;
    }
    return found;
}

static bool match_hint(const builtin_object *object, const char *text, bool lenient)
{
    for (uint32_t k = 0; k < object->hint_count; k++) {
        if (same(object->hints[k], text, lenient)) return true;
    }
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

/* 0: the name says that and no more; 1: its head is meant; 2: a word of it is; TIERS: it is not that. */
static uint32_t tier_of(const builtin_object *object, const query *q, bool lenient)
{
    uint64_t used = 0;
    bool by_hint = false;
    for (uint32_t i = 0; i < q->token_count;) {
        uint32_t tokens = match_name(object, q, i, lenient, &used);
        if (tokens == 0 && q->tokens[i].colour != COLOUR_NONE && match_colour(object, q->tokens[i].colour, lenient)) tokens = 1;
        if (tokens == 0 && match_hint(object, q->tokens[i].text, lenient)) {
            by_hint = true;
            tokens = 1;
        }
        if (tokens == 0) return TIERS;
        i += tokens;
    }
    uint32_t head = head_of(object), extra = 0;
    for (uint32_t k = 0; k < object->word_count && k < 64; k++) {
        const char *word = object->words[k];
        bool says = is_alphabetic(word) && strlen(word) >= 2 && builtin_colour_word(word) == COLOUR_NONE && size_of_word(word) == SIZE_NONE;
        if (says && k >= object->shared_words && !(used >> k & 1)) extra++;
    }
    if (q->generic && q->token_count == 0) return 1;
    if (extra == 0) return 0;
    if (by_hint || q->generic || (head < 64 && used >> head & 1)) return 1;
    return 2;
}

/* ---- choosing ---- */

typedef struct found {
    uint32_t *objects;
    uint32_t count;
} found;

static void told_names(const builtin_facts *facts, const found *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < list->count && i < NAMES_TOLD && used + 1 < size; i++) {
        const builtin_object *object = &facts->objects[list->objects[i]];
        const char *colour = object->has_colour ? builtin_colour_name(builtin_colour_of(object->lab)) : NULL;
        int n = snprintf(text + used, size - used, "%s%.80s%s%s%s", i ? ", " : "", object->name, colour ? " (" : "", colour ? colour : "",
                         colour ? ")" : "");
        used += n > 0 ? (size_t)n : 0;
    }
    if (list->count > NAMES_TOLD && used + 8 < size) snprintf(text + used, size - used, ", ...");
}

static void said(const builtin_phrase *phrase, char *text, size_t size)
{
    uint32_t at = phrase->words[phrase->first].at, end = phrase->words[phrase->end - 1].end;
    snprintf(text, size, "%.*s", (int)(end - at < 120 ? end - at : 120), phrase->sentence + at);
}

static bool allowed(const builtin_facts *facts, const builtin_scope *scope, const query *q, uint32_t object)
{
    if (scope->on != BUILTIN_NONE && !builtin_stands_on(facts, object, scope->on)) return false;
    const builtin_object *o = &facts->objects[object];
    if (scope->on != BUILTIN_NONE && builtin_off_level(facts, scope->on, scope->on_level, o->centre[2] - o->half[2]) > 0) return false;
    if (q->generic && q->token_count == 0 && facts->objects[object].is_static) return false;
    for (uint32_t i = 0; (q->other || !scope->movers) && i < scope->barred_count; i++) {
        if (scope->barred[i] == object) return false;
    }
    return true;
}

static void collect(const builtin_facts *facts, const builtin_scope *scope, const query *q, bool lenient, found tiers[TIERS])
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (!allowed(facts, scope, q, i)) continue;
        uint32_t tier = tier_of(&facts->objects[i], q, lenient);
        if (tier < TIERS) tiers[tier].objects[tiers[tier].count++] = i;
    }
}

/* Metres between two things: of their boxes, and a little of their middles, for among those that touch. */
static double way_between(const builtin_object *a, const builtin_object *b)
{
    builtin_rect one = builtin_footprint(a, a->centre[0], a->centre[1], 0), two = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    double gap = 0, apart = 0;
    for (int k = 0; k < 3; k++) {
        double low[2] = {k < 2 ? one.low[k] : a->centre[2] - a->half[2], k < 2 ? two.low[k] : b->centre[2] - b->half[2]};
        double high[2] = {k < 2 ? one.high[k] : a->centre[2] + a->half[2], k < 2 ? two.high[k] : b->centre[2] + b->half[2]};
        double way = low[0] - high[1] > low[1] - high[0] ? low[0] - high[1] : low[1] - high[0];
        gap += way > 0 ? way * way : 0;
        apart += (a->centre[k] - b->centre[k]) * (a->centre[k] - b->centre[k]);
    }
    return sqrt(gap) + 0.05 * sqrt(apart);
}

/* "The dining chairs", where none is called so: the chairs by a thing that bears the word, a dining or kitchen table; "the desk lamp": the
 * lamp on a desk. The first word is the other thing's, the rest the thing's own. */
static void collect_by_place(const builtin_facts *facts, const builtin_scope *scope, const query *q, found tiers[TIERS])
{
    static const double within = 0.6; /* metres */
    query own = *q, where = {.token_count = 1, .tokens = {q->tokens[0]}};
    if (q->token_count < 2 || q->tokens[0].colour != COLOUR_NONE) return;
    own.token_count--;
    memmove(own.tokens, q->tokens + 1, own.token_count * sizeof *own.tokens);
    for (int lenient = 0; lenient < 2 && tiers[0].count + tiers[1].count + tiers[2].count == 0; lenient++) {
        for (uint32_t i = 0; i < facts->object_count; i++) {
            uint32_t tier = allowed(facts, scope, q, i) ? tier_of(&facts->objects[i], &own, false) : TIERS;
            bool by = false;
            for (uint32_t k = 0; k < facts->object_count && tier < TIERS && !by; k++) {
                bool room = facts->objects[k].is_static && facts->objects[k].half[0] > 1 && facts->objects[k].half[1] > 1;
                if (k == i || room || tier_of(&facts->objects[k], &where, lenient != 0) == TIERS) continue;
                by = builtin_is_above(facts, i, k) || way_between(&facts->objects[i], &facts->objects[k]) < within;
            }
            if (by) tiers[tier].objects[tiers[tier].count++] = i;
        }
    }
}

/* What was nearly meant, for the refusal: objects that answer to the nouns without the colours, else what can be moved. */
static etna_code refuse_none(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope, const query *q,
                             found *near, etna_error *err)
{
    query nouns = *q;
    nouns.token_count = 0;
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].colour == COLOUR_NONE) nouns.tokens[nouns.token_count++] = q->tokens[i];
    }
    bool colours = nouns.token_count < q->token_count && nouns.token_count > 0;
    for (uint32_t first = colours ? 0 : 1; first < nouns.token_count && near->count == 0; first++) { /* at last its head alone: chairs for dining chairs */
        query rest = nouns;
        rest.token_count -= first;
        memmove(rest.tokens, nouns.tokens + first, rest.token_count * sizeof *rest.tokens);
        for (int lenient = 0; lenient < 2 && near->count == 0; lenient++) {
            for (uint32_t i = 0; i < facts->object_count; i++) {
                if (allowed(facts, scope, q, i) && tier_of(&facts->objects[i], &rest, lenient != 0) < TIERS) near->objects[near->count++] = i;
            }
        }
    }
    char text[160], names[280];
    bool nearly = near->count > 0;
    for (uint32_t i = 0; !nearly && i < facts->object_count; i++) {
        const builtin_object *object = &facts->objects[i];
        if (object->visible && !object->is_static) near->objects[near->count++] = i;
    }
    said(phrase, text, sizeof text);
    told_names(facts, near, names, sizeof names);
    return etna_fail(err, ETNA_E_INPUT, "nothing here is \"%s\"; %s %s", text, nearly ? "of that name there are" : "there are", names);
}

/* Keeps those for which `good` holds, if there are any. */
static void prefer(const builtin_facts *facts, found *list, bool (*good)(const builtin_facts *facts, uint32_t object))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) kept += good(facts, list->objects[i]);
    if (kept == 0 || kept == list->count) return;
    kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (good(facts, list->objects[i])) list->objects[kept++] = list->objects[i];
    }
    list->count = kept;
}

static bool can_move(const builtin_facts *facts, uint32_t object) { return !facts->objects[object].is_static && !facts->objects[object].immovable; }

/* "carpet 1" is Carpet_01_001 before Carpet_01_002: the last number of a name counts them. */
static void prefer_number(const builtin_facts *facts, found *list, const query *q)
{
    const char *number = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].text[0] >= '0' && q->tokens[i].text[0] <= '9') number = q->tokens[i].text;
    }
    for (int pass = 0; number && pass < 2; pass++) {
        if (pass && kept == 0) return;
        kept = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const builtin_object *o = &facts->objects[list->objects[i]];
            if (o->word_count == 0 || strcmp(o->words[o->word_count - 1], number) != 0) continue;
            if (pass) list->objects[kept] = list->objects[i];
            kept++;
        }
        if (pass) list->count = kept;
    }
}

static bool is_seen(const builtin_facts *facts, uint32_t object) { return facts->objects[object].visible; }

static bool carries(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object) return true;
    }
    return false;
}

static double middle_of(const builtin_object *o, int axis) { return 0.5 * (o->image_box[axis] + o->image_box[axis + 2]); }

/* From left to right as seen, unseen ones last; ties in file order. */
static void sort_by_image(const builtin_facts *facts, found *list, int axis)
{
    for (uint32_t i = 1; i < list->count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const builtin_object *a = &facts->objects[list->objects[k - 1]], *b = &facts->objects[list->objects[k]];
            bool before = !b->visible || (a->visible && middle_of(a, axis) <= middle_of(b, axis));
            if (before) break;
            uint32_t swap = list->objects[k];
            list->objects[k] = list->objects[k - 1];
            list->objects[k - 1] = swap;
        }
    }
}

static void keep_run(found *list, uint32_t first, uint32_t count)
{
    memmove(list->objects, list->objects + first, count * sizeof *list->objects);
    list->count = count;
    for (uint32_t i = 1; i < count; i++) { /* file order again */
        for (uint32_t k = i; k > 0 && list->objects[k - 1] > list->objects[k]; k--) {
            uint32_t swap = list->objects[k];
            list->objects[k] = list->objects[k - 1];
            list->objects[k - 1] = swap;
        }
    }
}

/* "the left one", "the two leftmost", "the middle one", "the second from the left": as the image shows them. */
static void prefer_place(const builtin_facts *facts, found *list, const query *q, uint32_t wanted)
{
    if (wanted == 0) wanted = 1;
    if ((q->place == PLACE_NONE && !q->ordinal) || list->count <= (q->ordinal ? 0 : wanted)) return;
    if (q->ordinal) {
        sort_by_image(facts, list, 0);
        uint32_t at = q->ordinal == BUILTIN_NONE ? list->count : q->ordinal;
        if (at > list->count) {
            list->count = 0;
            return;
        }
        bool backward = q->from_right || q->place == PLACE_RIGHT;
        keep_run(list, backward ? list->count - at : at - 1, 1);
        return;
    }
    sort_by_image(facts, list, q->place == PLACE_FRONT || q->place == PLACE_BACK);
    if (q->place == PLACE_LEFT || q->place == PLACE_BACK) keep_run(list, 0, wanted);
    else if (q->place != PLACE_MIDDLE) keep_run(list, list->count - wanted, wanted);
    else if ((list->count - wanted) % 2 == 0) keep_run(list, (list->count - wanted) / 2, wanted);
}

static void prefer_nearest(const builtin_facts *facts, found *list, uint32_t to)
{
    uint32_t best = 0;
    double least = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        double way = way_between(&facts->objects[list->objects[i]], &facts->objects[to]);
        if (i > 0 && way >= least) continue;
        best = i;
        least = way;
    }
    keep_run(list, best, list->count ? 1 : 0);
}

static double measure(const builtin_object *object, size_word size)
{
    double volume = object->half[0] * object->half[1] * object->half[2];
    switch (size) {
    case SIZE_LARGEST: return volume;
    case SIZE_SMALLEST: return -volume;
    case SIZE_TALLEST: return object->half[2];
    default: return -object->half[2];
    }
}

/* The one that is largest (smallest, ...), if it is so by more than 2 %. */
static void prefer_size(const builtin_facts *facts, found *list, size_word size)
{
    if (size == SIZE_NONE || list->count < 2) return;
    uint32_t best = 0;
    for (uint32_t i = 1; i < list->count; i++) {
        if (measure(&facts->objects[list->objects[i]], size) > measure(&facts->objects[list->objects[best]], size)) best = i;
    }
    double most = measure(&facts->objects[list->objects[best]], size), slack = 0.02 * (most < 0 ? -most : most);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i != best && measure(&facts->objects[list->objects[i]], size) > most - slack) return;
    }
    list->objects[0] = list->objects[best];
    list->count = 1;
}

/* The first two tiers in one, in order: tier 0's array has room for every object. */
static void merge_tiers(found tiers[TIERS])
{
    found *list = &tiers[0];
    for (uint32_t i = 0; i < tiers[1].count; i++) {
        uint32_t at = list->count++;
        while (at > 0 && list->objects[at - 1] > tiers[1].objects[i]) {
            list->objects[at] = list->objects[at - 1];
            at--;
        }
        list->objects[at] = tiers[1].objects[i];
    }
    tiers[1].count = 0;
}

/* A notebook is the thing called so before a laptop, which is called a notebook, too. */
static void prefer_said(const builtin_facts *facts, found *list, const query *q)
{
    uint32_t kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && (kept == 0 || kept == list->count)) return;
        kept = 0;
        for (uint32_t i = 0; i < list->count; i++) {
            const builtin_object *o = &facts->objects[list->objects[i]];
            bool all = q->token_count > 0;
            for (uint32_t t = 0; t < q->token_count && all; t++) {
                bool own = q->tokens[t].colour != COLOUR_NONE;
                for (uint32_t k = 0; k < o->word_count && !own; k++) own = strcmp(o->words[k], q->tokens[t].text) == 0;
                all = own;
            }
            if (!all) continue;
            if (pass) list->objects[kept] = list->objects[i];
            kept++;
        }
        if (pass) list->count = kept;
    }
}

/* "The table" beside a side table is the one that is laid: it bears clearly more things than any other. To be cleared: more than none. */
static void prefer_laden(const builtin_facts *facts, found *list, bool clearing)
{
    uint32_t best = 0, most = 0, next = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t on = facts->objects[list->objects[i]].on_count;
        if (facts->objects[list->objects[i]].half[2] < 0.02) return; /* what stands on a carpet stands in the room */
        if (on > most) {
            next = most;
            most = on;
            best = i;
        } else if (on > next) {
            next = on;
        }
    }
    bool clearly = most >= 2 && most >= 2 * next && most > next;
    if (clearly || (clearing && most > 0 && next == 0)) keep_run(list, best, 1);
}

static etna_code choose_one(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope, const query *q,
                            uint32_t nearest_to, found tiers[TIERS], builtin_set *ret, etna_error *err)
{
    bool compared = q->size != SIZE_NONE && tiers[0].count > 0 && tiers[1].count > 0; /* "the small sofa": of all that are sofas */
    if (compared) merge_tiers(tiers);
    found *list = tiers[0].count ? &tiers[0] : tiers[1].count ? &tiers[1] : &tiers[2];
    if (scope->movers) prefer(facts, list, can_move);
    else if (scope->flat) prefer(facts, list, carries);
    prefer(facts, list, is_seen);
    if (list->count > 1) prefer_number(facts, list, q);
    if (list->count > 1) prefer_said(facts, list, q);
    prefer_size(facts, list, q->size);
    prefer_place(facts, list, q, 1);
    if (nearest_to != BUILTIN_NONE) prefer_nearest(facts, list, nearest_to);
    if (list->count > 1 && scope->flat && !q->any) prefer_laden(facts, list, scope->laden);
    if (list->count == 0) {
        char text[160];
        said(phrase, text, sizeof text);
        return etna_fail(err, ETNA_E_INPUT, "there are not so many things that \"%s\" could mean", text);
    }
    if (list->count > 1 && !q->any) {
        char text[160], names[280];
        said(phrase, text, sizeof text);
        told_names(facts, list, names, sizeof names);
        return etna_fail(err, ETNA_E_INPUT, "\"%s\" may be any of %u: %s", text, list->count, names);
    }
    *ret = (builtin_set){.count = list->count, .objects = list->objects, .need = 1};
    return ETNA_OK;
}

static etna_code choose_set(const builtin_facts *facts, const builtin_phrase *phrase, const query *q, found tiers[TIERS], builtin_set *ret,
                            etna_error *err)
{
    found exact = tiers[0];
    merge_tiers(tiers);
    found list = tiers[0];
    if (list.count == 0) list = tiers[2];
    prefer(facts, &list, can_move);
    uint32_t number = q->number;
    if (q->place != PLACE_NONE && number && number < list.count) prefer_place(facts, &list, q, number);
    if (number && number != list.count && exact.count == number) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < list.count; i++) {
            if (tier_of(&facts->objects[list.objects[i]], q, true) == 0) list.objects[kept++] = list.objects[i];
        }
        list.count = kept;
    }
    bool short_of = number > list.count, too_many = number && number < list.count && q->all;
    if (short_of || too_many) {
        char text[160], names[280];
        said(phrase, text, sizeof text);
        told_names(facts, &list, names, sizeof names);
        return etna_fail(err, ETNA_E_INPUT, "\"%s\" asks for %u, but there are %u: %s", text, number, list.count, names);
    }
    *ret = (builtin_set){.count = list.count, .objects = list.objects, .need = number ? number : q->any ? 1 : list.count};
    return ETNA_OK;
}

static etna_code refuse_static(const builtin_facts *facts, const builtin_set *set, etna_error *err)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const builtin_object *object = &facts->objects[set->objects[i]];
        if (object->is_static) {
            const char *why = object->static_why && object->static_why[0] ? object->static_why : "it counts as static";
            if (strstr(why, "cuts into")) { /* a tree rooted in the terrain is one thing, not several */
                return etna_fail(err, ETNA_E_INPUT, "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is to move all the same, name it "
                                 "under \"movable\" in the side file", object->name, why);
            }
            return etna_fail(err, ETNA_E_INPUT,
                             "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is several things in one mesh, etna scene split SCENE '%.120s' divides it",
                             object->name, why, object->name);
        }
        if (object->immovable) return etna_fail(err, ETNA_E_INPUT, "%.200s is skinned or animated and cannot be moved", object->name);
    }
    return ETNA_OK;
}

static etna_code resolve_literal(const builtin_facts *facts, const char *name, etna_arena *arena, builtin_set *ret, etna_error *err)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) != 0) continue;
        uint32_t *object = etna_arena_memdup(arena, &i, sizeof i);
        if (!object) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
        *ret = (builtin_set){.count = 1, .objects = object, .need = 1};
        return ETNA_OK;
    }
    return ETNA_E_NOTFOUND;
}

/* "The corner of the room": where things stand in a room is its floor. */
static bool means_room(const query *q)
{
    static const char *const rooms[] = {"room", "scene", "whole", "living", "dining", "bed", "sitting", NULL};
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (!one_of(q->tokens[i].text, rooms)) return false;
    }
    return q->token_count > 0 && (strcmp(q->tokens[q->token_count - 1].text, "room") == 0 || strcmp(q->tokens[q->token_count - 1].text, "scene") == 0);
}

/* The largest of the fixed surfaces; the lowest of equals. */
static uint32_t floor_of(const builtin_facts *facts)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!facts->objects[s->object].is_static) continue;
        double area = s->cell * s->columns * s->cell * s->rows, most = best ? best->cell * best->columns * best->cell * best->rows : 0;
        if (!best || area > most + 1e-9 || (area > most - 1e-9 && s->height < best->height)) best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

etna_code builtin_resolve(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope, etna_arena *arena,
                          builtin_set *ret, etna_error *err)
{
    if (phrase->first >= phrase->end) return etna_fail(err, ETNA_E_INPUT, "a name is missing");
    query q = {0};
    builtin_set set = {0};
    etna_code code = parse(phrase, phrase->first, phrase->end, false, arena, &q, err);
    if (code == ETNA_OK && !has_noun(&q) && phrase->noun_first < phrase->noun_end) {
        code = parse(phrase, phrase->noun_first, phrase->noun_end, true, arena, &q, err);
    }
    if (code != ETNA_OK) return code;
    if (!q.literal) { /* a name written as the file has it, without an article: "Block" beside "Block.001" */
        uint32_t at = phrase->words[phrase->first].at, size = phrase->words[phrase->end - 1].end - at;
        char *raw = etna_arena_strndup(arena, phrase->sentence + at, size);
        if (!raw) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
        if (raw[strcspn(raw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] && at > 0) q.literal = raw;
    }
    if (q.literal) code = resolve_literal(facts, q.literal, arena, &set, err);
    if (q.literal && code != ETNA_E_NOTFOUND) {
        if (code == ETNA_OK && scope->movers) code = refuse_static(facts, &set, err);
        if (code == ETNA_OK) *ret = set;
        return code;
    }
    found tiers[TIERS] = {0}, near = {0};
    for (int i = 0; i < TIERS; i++) tiers[i].objects = etna_arena_alloc(arena, facts->object_count, sizeof(uint32_t));
    near.objects = etna_arena_alloc(arena, facts->object_count, sizeof(uint32_t));
    if (!tiers[0].objects || !tiers[1].objects || !tiers[2].objects || !near.objects) {
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
    }
    uint32_t nearest_to = BUILTIN_NONE;
    if (q.nearest_first < q.nearest_end) { /* once only: what follows is read without another "nearest" */
        const builtin_phrase rest = {.words = phrase->words, .first = q.nearest_first, .end = q.nearest_end, .sentence = phrase->sentence};
        query inner = {0};
        code = parse(&rest, rest.first, rest.end, false, arena, &inner, err);
        if (code == ETNA_OK && inner.nearest_end) code = etna_fail(err, ETNA_E_INPUT, "it says \"nearest\" twice");
        if (code == ETNA_OK) code = builtin_resolve(facts, &rest, &(builtin_scope){.on = BUILTIN_NONE, .alike = BUILTIN_NONE}, arena, &set, err);
        if (code != ETNA_OK) return code;
        nearest_to = set.objects[0];
    }
    if (q.other && q.generic && q.token_count == 0 && scope->alike < facts->object_count && head_of(&facts->objects[scope->alike]) != BUILTIN_NONE) {
        const builtin_object *like = &facts->objects[scope->alike];
        q.tokens[q.token_count++] = (token){.text = like->words[head_of(like)]};
    }
    bool means = q.token_count > 0 || q.generic;
    if (means) collect(facts, scope, &q, false, tiers);
    if (means && tiers[0].count + tiers[1].count + tiers[2].count == 0) collect(facts, scope, &q, true, tiers);
    if (means && tiers[0].count + tiers[1].count + tiers[2].count == 0) collect_by_place(facts, scope, &q, tiers);
    uint32_t room = tiers[0].count + tiers[1].count + tiers[2].count == 0 && !scope->movers && means_room(&q) ? floor_of(facts) : BUILTIN_NONE;
    if (room != BUILTIN_NONE) tiers[0].objects[tiers[0].count++] = room;
    if (tiers[0].count + tiers[1].count + tiers[2].count == 0) return refuse_none(facts, phrase, scope, &q, &near, err);
    bool many = scope->movers && !q.extreme_of && (q.all || q.plural || q.number > 1);
    code = many ? choose_set(facts, phrase, &q, tiers, &set, err) : choose_one(facts, phrase, scope, &q, nearest_to, tiers, &set, err);
    if (code == ETNA_OK && scope->movers) code = refuse_static(facts, &set, err);
    if (code == ETNA_OK) *ret = set;
    return code;
}
