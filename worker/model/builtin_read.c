/* Sentences -> moves. The language:
 *
 *   text    := clause { ("." | ";" | "," | "and" | "then" ...) clause }
 *   clause  := [verb] things [("on" | "from") reference] ("on" | "onto" | "on top of" | "to" ...) reference [order]
 *   things  := phrase { ("," | "and") phrase } | "it" | "them"
 *   order   := "from largest to smallest" | "smallest first" | "in order of size" ...
 *
 * A clause without a verb takes the one before. What does not fit is refused with the words that did not. */
#include "worker/model/builtin.h"

#include <string.h>

enum { PHRASES_MAX = 32, WORDS_QUOTED = 140 };

typedef struct reader {
    const builtin_facts *facts;
    const char *sentence;
    const builtin_word *words;
    uint32_t count;
    etna_arena *arena;
    builtin_reading *reading;
    etna_error *err;
    bool has_verb; /* a clause before had one */
} reader;

static bool is_word(const reader *r, uint32_t i, const char *text)
{
    return i < r->count && !r->words[i].quoted && strcmp(r->words[i].text, text) == 0;
}

static bool is_one_of(const reader *r, uint32_t i, const char *const *list)
{
    for (; *list; list++) {
        if (is_word(r, i, *list)) return true;
    }
    return false;
}

static bool is_verb(const reader *r, uint32_t i)
{
    static const char *const verbs[] = {"put",   "puts",  "move",     "moves", "place", "places", "set",   "lay",   "stand",
                                        "stack", "bring", "transfer", "shift", "carry", "relocate", "rest", "position", NULL};
    return is_one_of(r, i, verbs);
}

static bool is_relation(const reader *r, uint32_t i)
{
    static const char *const relations[] = {"on", "onto", "upon", "atop", "to", NULL};
    return is_one_of(r, i, relations);
}

static bool is_origin(const reader *r, uint32_t i) { return is_word(r, i, "from") || is_word(r, i, "off"); }

/* Relations of other kinds: understood well enough to know that they are not "on". */
static bool is_foreign(const reader *r, uint32_t i)
{
    static const char *const foreign[] = {"under",  "underneath", "below",   "beneath", "beside", "near",    "next",  "behind", "in",
                                          "into",   "inside",     "between", "against", "above",  "over",    "around", "left",  "right",
                                          "facing", "towards",    "toward",  "with",    "by",     "at",      "away",  "across", "along",
                                          "rotate", "turn",       "face",    "swap",    "without", "until",  "unless", "if",    NULL};
    return is_one_of(r, i, foreign);
}

static bool is_conjunction(const reader *r, uint32_t i) { return is_word(r, i, "and") || is_word(r, i, ","); }

static bool is_stop(const reader *r, uint32_t i) { return is_word(r, i, ".") || is_word(r, i, "then"); }

static bool is_filler(const reader *r, uint32_t i)
{
    static const char *const fillers[] = {"please", "now",  "first", "firstly", "next", "finally", "also", "lastly", "afterwards",
                                          "after",  "that", "then",  "and",     ",",    ".",       "can",  "you",    "could", NULL};
    return is_one_of(r, i, fillers);
}

/* Refuses the words [first, end) with a reason. */
static etna_code refuse(const reader *r, uint32_t first, uint32_t end, const char *why)
{
    if (r->count == 0) return etna_fail(r->err, ETNA_E_INPUT, "there are no words in it");
    if (first >= r->count) first = r->count - 1;
    if (end > r->count) end = r->count;
    if (end <= first) end = first + 1;
    uint32_t at = r->words[first].at, size = r->words[end - 1].end - at;
    return etna_fail(r->err, ETNA_E_INPUT, "\"%.*s\": %s", (int)(size < WORDS_QUOTED ? size : WORDS_QUOTED), r->sentence + at, why);
}

/* ---- where a clause ends ---- */

static uint32_t skip_fillers(const reader *r, uint32_t i)
{
    while (i < r->count && is_filler(r, i)) i++;
    return i;
}

/* After a conjunction at i: does another clause begin there? */
static bool clause_follows(const reader *r, uint32_t i)
{
    uint32_t at = skip_fillers(r, i);
    if (at == r->count || is_verb(r, at)) return true;
    for (uint32_t k = at; k < r->count && !is_stop(r, k) && !is_verb(r, k); k++) {
        if (is_relation(r, k)) return true;
    }
    return false;
}

static uint32_t clause_end(const reader *r, uint32_t start)
{
    bool related = false;
    for (uint32_t i = start; i < r->count; i++) {
        if (is_stop(r, i)) return i;
        if (is_relation(r, i)) related = true;
        if (related && is_conjunction(r, i) && clause_follows(r, i)) return i;
        if (i > start && is_verb(r, i) && is_conjunction(r, i - 1)) return i - 1;
    }
    return r->count;
}

/* ---- "from largest to smallest" ---- */

static builtin_order order_word(const reader *r, uint32_t i)
{
    static const char *const large[] = {"largest", "biggest", "large", "big", NULL}, *const small[] = {"smallest", "small", "littlest", NULL};
    return is_one_of(r, i, large) ? ORDER_LARGEST : is_one_of(r, i, small) ? ORDER_SMALLEST : ORDER_AS_SAID;
}

/* Is an order said at i? Then its words' number, and which. */
static uint32_t order_at(const reader *r, uint32_t i, builtin_order *ret)
{
    uint32_t at = i;
    if (is_word(r, at, "in") && is_word(r, at + 1, "order") && is_word(r, at + 2, "of") && is_word(r, at + 3, "size")) {
        *ret = ORDER_LARGEST;
        return 4;
    }
    if (is_word(r, at, "ordered") && is_word(r, at + 1, "by") && is_word(r, at + 2, "size")) {
        *ret = ORDER_LARGEST;
        return 3;
    }
    if (is_word(r, at, "by") && is_word(r, at + 1, "size")) {
        *ret = ORDER_LARGEST;
        return 2;
    }
    if (is_word(r, at, "from")) at++;
    if (is_word(r, at, "the")) at++;
    builtin_order order = order_word(r, at);
    if (order == ORDER_AS_SAID) return 0;
    if (is_word(r, at + 1, "first")) {
        *ret = order;
        return at + 2 - i;
    }
    uint32_t to = at + 1;
    if (!is_word(r, to, "to")) return 0;
    to++;
    if (is_word(r, to, "the")) to++;
    if (order_word(r, to) == ORDER_AS_SAID) return 0;
    *ret = order;
    return to + 1 - i;
}

/* Takes the order out of the sentence, so that its "to" is no relation. One order for all clauses of a sentence. */
static builtin_order take_order(reader *r, builtin_word *words)
{
    builtin_order order = ORDER_AS_SAID;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t taken = order_at(r, i, &order);
        if (taken == 0) continue;
        if (i > 0 && is_word(r, i - 1, ",")) {
            i--;
            taken++;
        }
        memmove(words + i, words + i + taken, (r->count - i - taken) * sizeof *words);
        r->count -= taken;
        break;
    }
    return order;
}

/* ---- clauses ---- */

static builtin_phrase phrase_of(const reader *r, uint32_t first, uint32_t end)
{
    return (builtin_phrase){.words = r->words, .first = first, .end = end, .sentence = r->sentence};
}

static etna_code resolve(reader *r, const builtin_phrase *phrase, const builtin_scope *scope, builtin_set *ret)
{
    return builtin_resolve(r->facts, phrase, scope, r->arena, ret, r->err);
}

/* What "it" and "them" mean: the things of the last move. */
static bool pronoun(const reader *r, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const pronouns[] = {"it", "them", "they", NULL};
    if (end - first != 1 || !is_one_of(r, first, pronouns) || r->reading->count == 0) return false;
    *ret = r->reading->moves[r->reading->count - 1].objects;
    return true;
}

static etna_code moved_before(reader *r, uint32_t **ret, uint32_t *ret_count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < r->reading->count; i++) total += r->reading->moves[i].objects.count;
    uint32_t *list = etna_arena_alloc(r->arena, total, sizeof *list);
    if (!list) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    *ret_count = 0;
    for (uint32_t i = 0; i < r->reading->count; i++) {
        const builtin_set *set = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < set->count; k++) list[(*ret_count)++] = set->objects[k];
    }
    *ret = list;
    return ETNA_OK;
}

static etna_code add_move(reader *r, const builtin_set *objects, uint32_t reference, builtin_order order)
{
    if (r->reading->count == BUILTIN_MOVES_MAX) return etna_fail(r->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    r->reading->moves[r->reading->count++] = (builtin_move){.objects = *objects, .reference = reference, .order = order};
    return ETNA_OK;
}

/* An order by size is over all things of a clause: its sets become one. Sets of which only some are meant stay apart. */
static etna_code merge_sets(reader *r, builtin_set *sets, uint32_t *count)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (sets[i].need != sets[i].count) return ETNA_OK;
        total += sets[i].count;
    }
    uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
    if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < *count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            uint32_t object = sets[i].objects[k], at = used;
            while (at > 0 && all[at - 1] > object) at--;
            if (at > 0 && all[at - 1] == object) continue;
            memmove(all + at + 1, all + at, (used - at) * sizeof *all);
            all[at] = object;
            used++;
        }
    }
    sets[0] = (builtin_set){.count = used, .objects = all, .need = used};
    *count = 1;
    return ETNA_OK;
}

/* Cuts [first, end) at "and" and ",": the phrases; without a noun of their own they borrow from the next that has one. */
static uint32_t cut_phrases(const reader *r, uint32_t first, uint32_t end, builtin_phrase phrases[PHRASES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = first; i < end && count < PHRASES_MAX;) {
        if (is_conjunction(r, i)) {
            i++;
            continue;
        }
        uint32_t stop = i;
        while (stop < end && !is_conjunction(r, stop)) stop++;
        phrases[count++] = phrase_of(r, i, stop);
        i = stop;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        phrases[i].noun_first = phrases[count - 1].first;
        phrases[i].noun_end = phrases[count - 1].end;
    }
    return count;
}

static etna_code read_things(reader *r, uint32_t first, uint32_t end, uint32_t on, builtin_set sets[PHRASES_MAX], uint32_t *ret_count)
{
    builtin_phrase phrases[PHRASES_MAX];
    uint32_t count = cut_phrases(r, first, end, phrases);
    if (count == 0) return refuse(r, first, end, "it does not say what to move");
    uint32_t *before = NULL, before_count = 0;
    etna_code code = moved_before(r, &before, &before_count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        if (pronoun(r, phrases[i].first, phrases[i].end, &sets[i])) continue;
        builtin_scope scope = {.movers = true, .on = on, .barred = before, .barred_count = before_count};
        code = resolve(r, &phrases[i], &scope, &sets[i]);
    }
    *ret_count = count;
    return code;
}

static uint32_t after_relation(const reader *r, uint32_t relation)
{
    uint32_t at = relation + 1;
    if (is_word(r, relation, "on") && is_word(r, at, "to")) at++;
    uint32_t top = is_word(r, at, "the") ? at + 1 : at;
    if (is_word(r, top, "top") && is_word(r, top + 1, "of")) at = top + 2;
    return at;
}

static etna_code read_reference(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets, uint32_t *ret)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < thing_sets; i++) total += things[i].count;
    uint32_t *barred = etna_arena_alloc(r->arena, total, sizeof *barred);
    if (!barred) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < thing_sets; i++) {
        for (uint32_t k = 0; k < things[i].count && things[i].count == things[i].need; k++) barred[used++] = things[i].objects[k];
    }
    builtin_set set = {0};
    if (pronoun(r, first, end, &set)) {
        if (set.count != 1) return refuse(r, first, end, "it does not say which one");
    } else {
        builtin_phrase phrase = phrase_of(r, first, end);
        builtin_scope scope = {.on = BUILTIN_NONE, .barred = barred, .barred_count = used};
        etna_code code = resolve(r, &phrase, &scope, &set);
        if (code != ETNA_OK) return code;
    }
    *ret = set.objects[0];
    return ETNA_OK;
}

/* One clause, the words [start, end): cut at its relations. */
static etna_code read_clause(reader *r, uint32_t start, uint32_t end, builtin_order order)
{
    uint32_t first = start, cuts[3], cut_count = 0;
    if (is_verb(r, first)) {
        first++;
        r->has_verb = true;
    } else if (!r->has_verb) {
        return refuse(r, start, end, "it does not begin with put, move or place");
    }
    for (uint32_t i = first; i < end; i++) {
        if (is_foreign(r, i)) return refuse(r, i, end, "only \"on\" is understood as a place");
        if (is_relation(r, i) && !(is_word(r, i, "to") && i > first && is_word(r, i - 1, "on"))) {
            if (cut_count == 3) return refuse(r, start, end, "it says \"on\" too often");
            cuts[cut_count++] = i;
        } else if (is_origin(r, i)) {
            if (cut_count == 3) return refuse(r, start, end, "it says \"on\" too often");
            cuts[cut_count++] = i;
        }
    }
    if (cut_count == 0) return refuse(r, start, end, "it does not say on what to put it");
    if (cut_count > 2 || is_origin(r, cuts[cut_count - 1]) || (cut_count == 2 && is_word(r, cuts[0], "to"))) {
        return refuse(r, cuts[0], end, "it is not clear what is to stand on what");
    }
    uint32_t on = BUILTIN_NONE, reference = BUILTIN_NONE, set_count = 0;
    builtin_set sets[PHRASES_MAX];
    etna_code code = ETNA_OK;
    if (cut_count == 2) code = read_reference(r, after_relation(r, cuts[0]), cuts[1], NULL, 0, &on);
    if (code == ETNA_OK) code = read_things(r, first, cuts[0], on, sets, &set_count);
    if (code != ETNA_OK) return code;
    uint32_t place = after_relation(r, cuts[cut_count - 1]);
    for (uint32_t i = place; i < end; i++) {
        if (is_conjunction(r, i)) return refuse(r, place, end, "a thing can stand in one place only");
    }
    if (place >= end) return refuse(r, start, end, "it does not say on what to put it");
    if (order != ORDER_AS_SAID) code = merge_sets(r, sets, &set_count);
    if (code == ETNA_OK) code = read_reference(r, place, end, sets, set_count, &reference);
    for (uint32_t i = 0; code == ETNA_OK && i < set_count; i++) code = add_move(r, &sets[i], reference, order);
    return code;
}

etna_code builtin_read(const builtin_facts *facts, const char *text, etna_arena *arena, builtin_reading *reading, etna_error *err)
{
    reader r = {.facts = facts, .sentence = text, .arena = arena, .reading = reading, .err = err};
    etna_code code = builtin_words(text, arena, &r.words, &r.count, err);
    if (code != ETNA_OK) return code;
    builtin_word *words = etna_arena_memdup(arena, r.words, r.count * sizeof *words);
    if (!words) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    r.words = words;
    uint32_t whole = r.count;
    builtin_order order = take_order(&r, words);
    uint32_t at = skip_fillers(&r, 0), before = reading->count;
    while (code == ETNA_OK && at < r.count) {
        uint32_t end = clause_end(&r, at);
        code = read_clause(&r, at, end, order);
        at = skip_fillers(&r, end);
    }
    if (code == ETNA_OK && reading->count == before) {
        r.count = whole;
        code = refuse(&r, 0, whole, "it asks for nothing");
    }
    return code;
}
