/* Sentences -> moves. The language:
 *
 *   text    := clause { ("." | ";" | "," | "and" | "then" ...) clause }
 *   clause  := verb things { mark reference } [order]
 *   things  := phrase { ("," | "and") phrase } | "it" | "them"
 *   mark    := "on" | "to the left of" | "30 cm from" | "facing" ... (builtin_mark.c)
 *   order   := "from largest to smallest" | "smallest first" | "in order of size" ...
 *
 * The verb says what kind of clause it is: putting, swapping, clearing, stacking, turning, lining up. A clause without a verb takes
 * the one before, one without a place the place before. The last mark is where to; one before it tells which thing is
 * meant, which reference, or what to stand on. What does not fit is refused with the words that did not. */
#include "worker/model/builtin.h"

#include <stdio.h>
#include <string.h>

enum { PHRASES_MAX = 32, WORDS_QUOTED = 140, MARKS_MAX = 8 };

typedef enum verb { VERB_NONE = 0, VERB_PUT, VERB_TAKE, VERB_SWAP, VERB_CLEAR, VERB_STACK, VERB_TURN, VERB_LINE, VERB_CENTRE } verb;

typedef struct reader {
    const builtin_facts *facts;
    const char *sentence;
    builtin_word *words;
    uint32_t count;
    etna_arena *arena;
    builtin_reading *reading;
    etna_error *err;
    bool has_verb;           /* a clause before had one */
    builtin_set last;        /* what "it" means */
    uint32_t last_reference; /* and in "on it" */
    bool taken;              /* things were taken up and not yet put anywhere */
    uint32_t taken_at;
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


static const struct {
    const char *word;
    verb verb;
} verbs[] = {{"put", VERB_PUT},         {"puts", VERB_PUT},       {"move", VERB_PUT},      {"moves", VERB_PUT},     {"place", VERB_PUT},
             {"set", VERB_PUT},         {"lay", VERB_PUT},        {"stand", VERB_PUT},     {"bring", VERB_TAKE},    {"transfer", VERB_PUT},
             {"shift", VERB_PUT},       {"carry", VERB_PUT},      {"relocate", VERB_PUT},  {"rest", VERB_PUT},      {"position", VERB_PUT},
             {"slide", VERB_PUT},       {"push", VERB_PUT},       {"pull", VERB_PUT},      {"shove", VERB_PUT},     {"drag", VERB_PUT},
             {"stick", VERB_PUT},       {"drop", VERB_PUT},       {"pop", VERB_PUT},       {"plonk", VERB_PUT},     {"plop", VERB_PUT},
             {"deposit", VERB_PUT},     {"leave", VERB_PUT},      {"park", VERB_PUT},      {"nestle", VERB_PUT},    {"tuck", VERB_PUT},
             {"perch", VERB_PUT},       {"prop", VERB_PUT},       {"arrange", VERB_PUT},   {"situate", VERB_PUT},   {"locate", VERB_PUT},
             {"gather", VERB_PUT},      {"collect", VERB_PUT},    {"load", VERB_PUT},      {"keep", VERB_PUT},      {"send", VERB_PUT},
             {"station", VERB_PUT},     {"seat", VERB_PUT},       {"hang", VERB_PUT},      {"mount", VERB_PUT},     {"transport", VERB_PUT},
             {"reposition", VERB_PUT},  {"stash", VERB_PUT},      {"store", VERB_PUT},     {"return", VERB_PUT},    {"settle", VERB_PUT},
             {"lean", VERB_PUT},        {"install", VERB_PUT},    {"insert", VERB_PUT},    {"haul", VERB_PUT},      {"lower", VERB_PUT},
             {"raise", VERB_PUT},       {"pile", VERB_STACK},     {"stack", VERB_STACK},   {"take", VERB_TAKE},     {"remove", VERB_TAKE},
             {"get", VERB_TAKE},        {"fetch", VERB_TAKE},     {"grab", VERB_TAKE},     {"lift", VERB_TAKE},     {"pick", VERB_TAKE},
             {"swap", VERB_SWAP},       {"switch", VERB_SWAP},    {"exchange", VERB_SWAP}, {"interchange", VERB_SWAP}, {"trade", VERB_SWAP},
             {"clear", VERB_CLEAR},     {"empty", VERB_CLEAR},    {"unload", VERB_CLEAR},  {"free", VERB_CLEAR},    {"turn", VERB_TURN},
             {"rotate", VERB_TURN},     {"spin", VERB_TURN},      {"pivot", VERB_TURN},    {"orient", VERB_TURN},   {"point", VERB_TURN},
             {"twist", VERB_TURN},      {"swivel", VERB_TURN},    {"line", VERB_LINE},     {"align", VERB_LINE},    {"centre", VERB_CENTRE},
             {"center", VERB_CENTRE}};

static verb verb_at(const reader *r, uint32_t i)
{
    for (size_t k = 0; k < sizeof verbs / sizeof verbs[0]; k++) {
        if (is_word(r, i, verbs[k].word)) return verbs[k].verb;
    }
    return VERB_NONE;
}

static bool is_verb(const reader *r, uint32_t i) { return verb_at(r, i) != VERB_NONE; }

static bool mark_at(const reader *r, uint32_t i, uint32_t end, builtin_mark *ret) { return builtin_mark_at(r->words, end, i, ret); }

static bool is_conjunction(const reader *r, uint32_t i) { return is_word(r, i, "and") || is_word(r, i, ","); }

static bool is_stop(const reader *r, uint32_t i) { return is_word(r, i, ".") || is_word(r, i, "then"); }

static bool is_filler(const reader *r, uint32_t i)
{
    static const char *const fillers[] = {"please", "now",  "first", "firstly", "next", "finally", "also", "lastly", "afterwards", "kindly",
                                          "after",  "that", "then",  "and",     ",",    ".",       "can",  "you",    "could",      "would",
                                          "will",   "just", NULL};
    return is_one_of(r, i, fillers) && !(is_word(r, i, "next") && is_word(r, i + 1, "to"));
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
    builtin_mark mark;
    uint32_t at = skip_fillers(r, i);
    if (at == r->count || is_verb(r, at)) return true;
    if (mark_at(r, i, r->count, &mark) || mark_at(r, at, r->count, &mark)) return false; /* ", facing it", ", near the lamp" */
    for (uint32_t k = at; k < r->count && !is_stop(r, k) && !is_verb(r, k); k++) {
        if (mark_at(r, k, r->count, &mark) && mark.kind == MARK_RELATION) return true;
    }
    return false;
}

static uint32_t clause_end(const reader *r, uint32_t start)
{
    bool related = false, between = false;
    uint32_t i = start;
    while (i < r->count) {
        builtin_mark mark;
        if (is_stop(r, i)) return i;
        if (i > start && is_verb(r, i) && is_conjunction(r, i - 1)) return i - 1;
        if (related && is_conjunction(r, i)) {
            if (!between && clause_follows(r, i)) return i;
            between = false; /* the one within "between A and B" */
            if (is_word(r, i + 1, "facing")) i++;
        } else if (mark_at(r, i, r->count, &mark)) {
            related = related || mark.kind == MARK_RELATION;
            between = mark.kind == MARK_RELATION && mark.relation == RELATION_BETWEEN;
            i = mark.end;
            continue;
        }
        i++;
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
static builtin_order take_order(reader *r)
{
    builtin_word *words = r->words;
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


/* What "it" and "them" mean: the things of the last move; as a reference what the last one was. */
static bool pronoun(const reader *r, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const pronouns[] = {"it", "them", "they", NULL};
    if (end - first != 1 || !is_one_of(r, first, pronouns) || r->last.count == 0) return false;
    *ret = r->last;
    return true;
}

static etna_code add_move(reader *r, const builtin_move *move)
{
    if (r->reading->count == BUILTIN_MOVES_MAX) return etna_fail(r->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    r->reading->moves[r->reading->count++] = *move;
    r->last = move->objects;
    r->last_reference = move->reference;
    r->taken = false;
    return ETNA_OK;
}

static bool is_partner(const reader *r, uint32_t i) { return is_word(r, i, "with") || is_word(r, i, "for"); }

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
static uint32_t cut_phrases(const reader *r, uint32_t first, uint32_t end, bool swap, builtin_phrase phrases[PHRASES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = first; i < end && count < PHRASES_MAX;) {
        if (is_conjunction(r, i) || (swap && is_partner(r, i))) {
            i++;
            continue;
        }
        uint32_t stop = i;
        while (stop < end && !is_conjunction(r, stop) && !(swap && is_partner(r, stop))) stop++;
        phrases[count++] = phrase_of(r, i, stop);
        i = stop;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        phrases[i].noun_first = phrases[count - 1].first;
        phrases[i].noun_end = phrases[count - 1].end;
    }
    return count;
}

/* Without conjunctions and small words at both ends. */
static void trim(const reader *r, uint32_t *first, uint32_t *end)
{
    static const char *const small[] = {"please", "now", "is", "was", "are", "were", "stood", "stands", "currently", "again", "instead", NULL};
    while (*first < *end && (is_conjunction(r, *first) || is_word(r, *first, "please"))) ++*first;
    while (*end > *first && (is_conjunction(r, *end - 1) || is_one_of(r, *end - 1, small))) --*end;
}

static etna_code read_things(reader *r, uint32_t first, uint32_t end, uint32_t on, bool swap, builtin_set sets[PHRASES_MAX], uint32_t *ret_count)
{
    builtin_phrase phrases[PHRASES_MAX];
    uint32_t at = first;
    trim(r, &first, &end);
    uint32_t count = cut_phrases(r, first, end, swap, phrases);
    if (count == 0) return refuse(r, at, end, "it does not say what to move");
    uint32_t *before = NULL, before_count = 0;
    etna_code code = moved_before(r, &before, &before_count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        if (pronoun(r, phrases[i].first, phrases[i].end, &sets[i])) continue;
        builtin_scope scope = {.movers = true, .on = on, .barred = before, .barred_count = before_count};
        scope.alike = r->last.count ? r->last.objects[0] : BUILTIN_NONE;
        code = resolve(r, &phrases[i], &scope, &sets[i]);
    }
    *ret_count = count;
    return code;
}

/* One thing that the words [first, end) name; `flat`: something can stand on it. */
static etna_code read_reference(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets, uint32_t on, bool flat,
                                uint32_t *ret)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < thing_sets; i++) total += things[i].count;
    uint32_t *barred = etna_arena_alloc(r->arena, total, sizeof *barred);
    if (!barred) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < thing_sets; i++) {
        for (uint32_t k = 0; k < things[i].count && things[i].count == things[i].need; k++) barred[used++] = things[i].objects[k];
    }
    trim(r, &first, &end);
    builtin_set set = {0};
    if (end == first + 1 && is_word(r, first, "it") && r->last_reference < r->facts->object_count) {
        *ret = r->last_reference;
        return ETNA_OK;
    }
    if (end > first && pronoun(r, first, end, &set)) {
        if (set.count != 1) return refuse(r, first, end, "it does not say which one");
    } else {
        for (uint32_t i = first; i < end; i++) {
            if (is_conjunction(r, i)) return refuse(r, first, end, "a thing can stand in one place only");
        }
        builtin_phrase phrase = phrase_of(r, first, end);
        builtin_scope scope = {.on = on, .barred = barred, .barred_count = used, .alike = BUILTIN_NONE, .flat = flat};
        etna_code code = resolve(r, &phrase, &scope, &set);
        if (code != ETNA_OK) return code;
    }
    *ret = set.objects[0];
    return ETNA_OK;
}

static etna_code read_faced(reader *r, uint32_t first, uint32_t end, uint32_t reference, uint32_t *ret)
{
    static const char *const viewer[] = {"camera", "viewer", "me", "us", "observer", NULL};
    trim(r, &first, &end);
    if (end > first && is_one_of(r, end - 1, viewer)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    if (end == first + 1 && is_word(r, first, "it") && reference < r->facts->object_count) {
        *ret = reference;
        return ETNA_OK;
    }
    return read_reference(r, first, end, NULL, 0, BUILTIN_NONE, false, ret);
}

typedef struct clause {
    uint32_t start, first, end; /* first: behind the verb */
    verb verb;
    builtin_mark marks[MARKS_MAX];
    uint32_t mark_count, things_end;
    builtin_order order;
} clause;

static uint32_t argument_end(const clause *c, uint32_t k) { return k + 1 < c->mark_count ? c->marks[k + 1].first : c->end; }

static etna_code find_marks(reader *r, clause *c)
{
    c->things_end = c->end;
    for (uint32_t i = c->first; i < c->end;) {
        builtin_mark mark;
        if (!mark_at(r, i, c->end, &mark)) {
            i++;
            continue;
        }
        if (c->mark_count == 0) c->things_end = i;
        if (c->mark_count == MARKS_MAX) return refuse(r, c->start, c->end, "it says \"on\" too often");
        c->marks[c->mark_count++] = mark;
        i = mark.end;
    }
    return ETNA_OK;
}

/* "the desk's left edge": the argument ends before the 's, and the mark becomes what follows. */
static void read_possessive(const reader *r, builtin_mark *mark, uint32_t first, uint32_t *end)
{
    uint32_t stop = *end, start = first;
    trim(r, &start, &stop);
    for (uint32_t i = first; i + 1 < stop; i++) {
        if (!is_word(r, i, "'s") || !builtin_zone(r->words, i + 1, stop, mark)) continue;
        mark->bare_to = false;
        *end = i;
        return;
    }
}

static bool has_top(const reader *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->surface_count; i++) {
        if (r->facts->surfaces[i].object == object) return true;
    }
    return false;
}

static bool any_stands_on(const reader *r, const builtin_set *sets, uint32_t count, uint32_t on)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            if (builtin_is_above(r->facts, sets[i].objects[k], on)) return true;
        }
    }
    return false;
}

/* The argument of mark k as the move's reference (or two). */
static etna_code read_place(reader *r, const clause *c, uint32_t k, const builtin_set *sets, uint32_t set_count, uint32_t on, builtin_move *move)
{
    builtin_mark mark = c->marks[k];
    uint32_t first = mark.end, end = argument_end(c, k);
    etna_code code = ETNA_OK;
    move->gap = mark.gap;
    move->second = BUILTIN_NONE;
    if (mark.its) {
        move->relation = mark.relation;
        move->sides = mark.sides;
        move->reference = r->last_reference;
        if (r->last_reference >= r->facts->object_count) return refuse(r, mark.first, mark.end, "it does not say whose");
        return ETNA_OK;
    }
    read_possessive(r, &mark, first, &end);
    trim(r, &first, &end);
    move->relation = mark.relation;
    move->sides = mark.sides;
    if (mark.relation == RELATION_LINE) {
        move->reference = BUILTIN_NONE;
        return first == end ? ETNA_OK : refuse(r, first, end, "a row needs no place");
    }
    if (first >= end) return refuse(r, c->start, c->end, "it does not say on what to put it");
    if (mark.relation == RELATION_BETWEEN) {
        builtin_phrase phrases[PHRASES_MAX];
        builtin_set pair[PHRASES_MAX];
        uint32_t count = cut_phrases(r, first, end, false, phrases), refs[2] = {0}, used = 0;
        for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
            builtin_scope scope = {.movers = count == 1, .on = BUILTIN_NONE, .alike = BUILTIN_NONE};
            code = resolve(r, &phrases[i], &scope, &pair[i]);
            for (uint32_t n = 0; code == ETNA_OK && n < pair[i].need && used < 3; n++, used++) {
                if (used < 2) refs[used] = pair[i].objects[n];
            }
        }
        if (code != ETNA_OK) return code;
        if (used != 2 || refs[0] == refs[1]) return refuse(r, first, end, "it does not say between which two");
        move->reference = refs[0];
        move->second = refs[1];
        return ETNA_OK;
    }
    bool flat = move->relation == RELATION_ON || move->relation == RELATION_IN || (move->relation >= RELATION_MIDDLE && move->relation <= RELATION_EDGE);
    code = read_reference(r, first, end, sets, set_count, on, flat, &move->reference);
    if (code == ETNA_OK && mark.bare_to && !has_top(r, move->reference)) move->relation = RELATION_BESIDE;
    return code;
}

/* Two places: which is where to, and what does the other one say? Tries in the order of builtin_read's notes. */
static etna_code read_two_places(reader *r, const clause *c, const uint32_t at[2], uint32_t on, builtin_set *sets, uint32_t *set_count, builtin_move *move)
{
    etna_error first_why = {0}, *err = r->err;
    const builtin_mark *a = &c->marks[at[0]], *b = &c->marks[at[1]];
    builtin_move other = {0};
    etna_code code;
    if (a->relation == RELATION_ON && !a->bare_to) { /* the bottle on the table onto the block */
        uint32_t things_on = BUILTIN_NONE;
        r->err = &first_why;
        code = read_reference(r, a->end, argument_end(c, at[0]), NULL, 0, BUILTIN_NONE, true, &things_on);
        if (code == ETNA_OK) code = read_things(r, c->first, c->things_end, things_on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move);
        r->err = err;
        if (code == ETNA_OK && b->relation != RELATION_ON && any_stands_on(r, sets, *set_count, things_on) &&
            builtin_is_above(r->facts, move->reference, things_on)) {
            move->support = things_on; /* it stays on the table, near the lamp */
        }
        if (code != ETNA_E_INPUT || a->is_said) {
            if (code != ETNA_OK && err) *err = first_why;
            return code;
        }
    }
    if (b->relation == RELATION_ON && !b->bare_to) { /* near the lamp on the desk */
        uint32_t under = BUILTIN_NONE;
        etna_error why = {0};
        r->err = &why;
        code = read_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, &other);
        under = other.reference;
        if (code == ETNA_OK) code = read_place(r, c, at[0], sets, *set_count, under, move);
        if (code == ETNA_OK && a->relation != RELATION_ON) move->support = under;
        if (code == ETNA_E_INPUT && other.reference < r->facts->object_count) {
            code = read_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, move);
            move->support = under;
        }
        r->err = err;
        if (code != ETNA_E_INPUT) {
            if (code != ETNA_OK && err) *err = why;
            return code;
        }
    }
    if (a->relation == RELATION_ON) { /* on the desk near the phone */
        code = read_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, &other);
        if (code == ETNA_OK && b->relation == RELATION_ON) {
            if (err && first_why.text[0]) *err = first_why;
            return first_why.text[0] ? ETNA_E_INPUT : refuse(r, a->first, c->end, "it is not clear what is to stand on what");
        }
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move);
        if (code == ETNA_OK) move->support = other.reference;
        return code;
    }
    return refuse(r, a->first, c->end, "it is not clear which of the two places is meant");
}

static etna_code add_moves(reader *r, const clause *c, builtin_set *sets, uint32_t set_count, const builtin_move *like)
{
    etna_code code = ETNA_OK;
    if (c->order != ORDER_AS_SAID || like->relation == RELATION_LINE) code = merge_sets(r, sets, &set_count);
    for (uint32_t i = 0; code == ETNA_OK && i < set_count; i++) {
        builtin_move move = *like;
        move.objects = sets[i];
        for (uint32_t k = 0; k < sets[i].count && sets[i].count == sets[i].need; k++) {
            if (sets[i].objects[k] == move.reference || sets[i].objects[k] == move.second) {
                return refuse(r, c->start, c->end, "a thing cannot be placed by itself");
            }
        }
        code = add_move(r, &move);
    }
    if (code == ETNA_OK && set_count > 1) { /* "them" is all of these */
        uint32_t total = 0, used = 0;
        for (uint32_t i = 0; i < set_count; i++) total += sets[i].count;
        uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
        if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
        for (uint32_t i = 0; i < set_count; i++) {
            for (uint32_t k = 0; k < sets[i].count; k++) all[used++] = sets[i].objects[k];
        }
        r->last = (builtin_set){.count = used, .objects = all, .need = used};
    }
    return code;
}

static builtin_move plain_move(const clause *c)
{
    return (builtin_move){.reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE, .gap = -1, .order = c->order};
}

/* Putting: the common clause. */
static etna_code read_put(reader *r, clause *c)
{
    uint32_t places[MARKS_MAX], place_count = 0, origin = BUILTIN_NONE, facing = BUILTIN_NONE, on = BUILTIN_NONE, set_count = 0;
    builtin_set sets[PHRASES_MAX];
    builtin_move move = plain_move(c);
    for (uint32_t k = 0; k < c->mark_count; k++) {
        if (c->marks[k].kind == MARK_FACING) facing = k;
        else if (c->marks[k].kind == MARK_ORIGIN && origin == BUILTIN_NONE) origin = k;
        else if (c->marks[k].kind == MARK_RELATION) places[place_count++] = k;
        else return refuse(r, c->start, c->end, "it says \"from\" too often");
    }
    if (place_count > 2) return refuse(r, c->start, c->end, "it says \"on\" too often");
    etna_code code = ETNA_OK;
    if (origin != BUILTIN_NONE) {
        uint32_t first = c->marks[origin].end, end = argument_end(c, origin);
        code = read_reference(r, first, end, NULL, 0, BUILTIN_NONE, false, &on);
        if (code != ETNA_OK) return code;
        bool leaves = c->verb == VERB_TAKE || !is_word(r, c->marks[origin].first, "from");
        if (place_count == 0 && !leaves) return refuse(r, c->marks[origin].first, c->end, "it is not clear what is to stand on what");
    }
    if (place_count == 2) {
        code = read_two_places(r, c, places, on, sets, &set_count, &move);
    } else {
        bool said = place_count == 1 && c->marks[places[0]].is_said;
        if (said && c->verb == VERB_TAKE) { /* "take what is on the book" */
            code = read_reference(r, c->marks[places[0]].end, argument_end(c, places[0]), NULL, 0, BUILTIN_NONE, true, &on);
            place_count = 0;
        }
        if (code == ETNA_OK) code = read_things(r, c->first, c->things_end, on, false, sets, &set_count);
        if (code == ETNA_OK && place_count == 1) code = read_place(r, c, places[0], sets, set_count, BUILTIN_NONE, &move);
    }
    if (code != ETNA_OK) return code;
    if (place_count == 0 && origin != BUILTIN_NONE) {
        move.relation = RELATION_OFF;
        move.reference = on;
        bool follows = is_verb(r, skip_fillers(r, c->end)) || is_verb(r, c->end + 1);
        if (follows && c->verb == VERB_TAKE) { /* "and stand it beside the plant" says where to */
            uint32_t next = is_verb(r, c->end + 1) ? c->end + 2 : skip_fillers(r, c->end) + 1;
            if (is_word(r, next, "it") || is_word(r, next, "them")) place_count = 0;
            else follows = false;
        }
        if (!follows) return add_moves(r, c, sets, set_count, &move);
    }
    if (place_count == 0 && facing == BUILTIN_NONE) {
        if (c->verb == VERB_TAKE && set_count == 1) {
            r->last = sets[0];
            r->last_reference = on;
            r->taken = true;
            r->taken_at = c->start;
            return ETNA_OK;
        }
        if (c->first == c->start && r->reading->count > 0) { /* "then the other one": where the one before went */
            builtin_move like = r->reading->moves[r->reading->count - 1];
            return add_moves(r, c, sets, set_count, &like);
        }
        return refuse(r, c->start, c->end, "it does not say on what to put it");
    }
    if (place_count == 0) move.relation = RELATION_TURNED;
    if (facing != BUILTIN_NONE) {
        move.facing = c->marks[facing].facing;
        code = read_faced(r, c->marks[facing].end, argument_end(c, facing), move.reference, &move.faced);
        if (code != ETNA_OK) return code;
        if (place_count == 0) move.reference = BUILTIN_NONE;
    }
    return add_moves(r, c, sets, set_count, &move);
}

/* "by 90 degrees clockwise", "a quarter turn", "around": degrees, and where the words about it begin. */
static bool read_degrees(const reader *r, const clause *c, uint32_t *ret_at, double *ret)
{
    double degrees = 0;
    int way = 1;
    uint32_t at = c->end;
    for (uint32_t i = c->first; i < c->end; i++) {
        bool word = true;
        uint32_t number = builtin_number(r->words[i].text);
        size_t digits = strspn(r->words[i].text, "0123456789");
        if (digits && strcmp(r->words[i].text + digits, "\xC2\xB0") == 0) {
            number = 0;
            for (size_t k = 0; k < digits && number < 10000; k++) number = number * 10 + (uint32_t)(r->words[i].text[k] - '0');
            degrees = number;
        } else if (number && (is_word(r, i + 1, "degrees") || is_word(r, i + 1, "degree"))) degrees = number;
        else if (is_word(r, i, "quarter")) degrees = 90;
        else if (is_word(r, i, "half") && (is_word(r, i + 1, "turn") || is_word(r, i + 2, "turn"))) degrees = 180;
        else if (is_word(r, i, "around") || is_word(r, i, "round") || is_word(r, i, "about")) degrees = 180;
        else if (is_word(r, i, "clockwise")) way = -1;
        else word = is_word(r, i, "counterclockwise") || is_word(r, i, "anticlockwise") || is_word(r, i, "counter-clockwise") || is_word(r, i, "anti-clockwise");
        if (!word) continue;
        uint32_t start = i > c->first && (is_word(r, i - 1, "by") || is_word(r, i - 1, "a")) ? i - 1 : i;
        if (start < at) at = start;
    }
    *ret_at = at;
    *ret = way * degrees;
    return degrees > 0;
}

static etna_code read_turn(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, at = c->end;
    builtin_move move = plain_move(c);
    if (read_degrees(r, c, &at, &move.turn)) {
        bool before = at == c->first; /* "turn around the chair" */
        etna_code code = before ? read_things(r, at + 1, c->end, BUILTIN_NONE, false, sets, &set_count)
                                : read_things(r, c->first, at, BUILTIN_NONE, false, sets, &set_count);
        move.relation = RELATION_TURN;
        return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
    }
    if (c->mark_count == 0) { /* "point the chair at the desk" */
        uint32_t i = c->first;
        while (i < c->end && !is_word(r, i, "at")) i++;
        if (i == c->end) return refuse(r, c->start, c->end, "it does not say how far, or toward what");
        c->things_end = i;
        c->marks[c->mark_count++] = (builtin_mark){.kind = MARK_FACING, .first = i, .end = i + 1, .facing = FACING_TO, .gap = -1};
    }
    builtin_mark *mark = &c->marks[0];
    if (c->mark_count != 1 || mark->kind == MARK_ORIGIN) return refuse(r, c->start, c->end, "it is not clear toward what");
    move.facing = mark->kind == MARK_FACING ? mark->facing : mark->relation == RELATION_AWAY ? FACING_BACK : FACING_TO;
    bool toward = mark->relation == RELATION_TOWARD || mark->relation == RELATION_AWAY || mark->bare_to;
    if (mark->kind == MARK_RELATION && !toward) return refuse(r, c->start, c->end, "it is not clear toward what");
    move.relation = RELATION_TURNED;
    etna_code code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = read_faced(r, mark->end, c->end, BUILTIN_NONE, &move.faced);
    return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
}

/* "the positions of" and the like say nothing more than the verb. */
static uint32_t skip_positions(const reader *r, uint32_t i)
{
    static const char *const places[] = {"position", "positions", "place", "places", "spots", "locations", NULL};
    uint32_t at = is_word(r, i, "the") ? i + 1 : i;
    return is_one_of(r, at, places) && is_word(r, at + 1, "of") ? at + 2 : i;
}

/* Sets laid flat, in the order said. ETNA_E_INPUT: some of several are meant. */
static etna_code flatten(reader *r, const clause *c, const builtin_set *sets, uint32_t set_count, uint32_t **ret, uint32_t *ret_count)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < set_count; i++) total += sets[i].count;
    uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
    if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < set_count; i++) {
        if (sets[i].need != sets[i].count) return refuse(r, c->start, c->end, "it does not say which ones");
        for (uint32_t k = 0; k < sets[i].count; k++) all[used++] = sets[i].objects[k];
    }
    *ret = all;
    *ret_count = used;
    return ETNA_OK;
}

static etna_code read_swap(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = read_things(r, skip_positions(r, c->first), c->end, BUILTIN_NONE, true, sets, &set_count);
    if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count != 2 || all[0] == all[1]) return refuse(r, c->start, c->end, "two things can be swapped");
    builtin_move move = plain_move(c);
    move.relation = RELATION_SWAP;
    move.objects = (builtin_set){.count = 1, .objects = all, .need = 1};
    move.reference = all[1];
    return add_move(r, &move);
}

/* Everything that stands on a thing goes. */
static etna_code read_clear(reader *r, clause *c)
{
    uint32_t first = c->first, end = c->end, base = BUILTIN_NONE, used = 0;
    builtin_mark zone = {0};
    uint32_t top = is_word(r, first, "the") ? first + 1 : first;
    if (is_word(r, top, "top") && is_word(r, top + 1, "of")) first = top + 2;
    read_possessive(r, &zone, first, &end);
    etna_code code = read_reference(r, first, end, NULL, 0, BUILTIN_NONE, true, &base);
    if (code != ETNA_OK) return code;
    const builtin_object *o = &r->facts->objects[base];
    uint32_t *on = etna_arena_alloc(r->arena, o->on_count, sizeof *on);
    if (!on) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < o->on_count; i++) {
        if (!r->facts->objects[o->on[i]].is_static) on[used++] = o->on[i];
    }
    builtin_move move = plain_move(c);
    move.relation = RELATION_OFF;
    move.reference = base;
    move.objects = (builtin_set){.count = used, .objects = on, .need = used};
    code = add_move(r, &move);
    r->last = (builtin_set){.count = 1, .objects = &o->on[0], .need = 1};
    if (used == 0) r->last = (builtin_set){0};
    return code;
}

static etna_code read_stack(reader *r, clause *c)
{
    for (uint32_t k = 0; k < c->mark_count; k++) {
        if (c->marks[k].kind == MARK_RELATION) return read_put(r, c);
    }
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count < 2) return refuse(r, c->start, c->end, "it does not say on what to put it");
    for (uint32_t i = 1; set_count == 1 && i < count; i++) { /* "stack the boxes": the larger ones below */
        for (uint32_t k = i; k > 0; k--) {
            const double *a = r->facts->objects[all[k - 1]].half, *b = r->facts->objects[all[k]].half;
            if (a[0] * a[1] >= b[0] * b[1]) break;
            uint32_t swap = all[k];
            all[k] = all[k - 1];
            all[k - 1] = swap;
        }
    }
    for (uint32_t i = 1; code == ETNA_OK && i < count; i++) {
        builtin_move move = plain_move(c);
        move.objects = (builtin_set){.count = 1, .objects = &all[i], .need = 1};
        move.reference = all[i - 1];
        code = add_move(r, &move);
    }
    return code;
}

static etna_code read_line(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0;
    builtin_move move = plain_move(c);
    move.relation = RELATION_LINE;
    etna_code code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
}

/* ---- what kind of clause ---- */

static uint32_t spoken_at(const reader *r, uint32_t i, const char *phrase)
{
    uint32_t taken = 0;
    for (const char *p = phrase; *p;) {
        size_t size = strcspn(p, " ");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)size, p);
        if (!is_word(r, i + taken, word)) return 0;
        taken++;
        p += size;
        if (*p) p++;
    }
    return taken;
}

/* "The cup should be on the tray": where the things end and the place begins. */
static bool find_modal(const reader *r, clause *c, uint32_t *ret_end)
{
    static const char *const modals[] = {"should be", "should stand", "should go", "should lie", "ought to be", "ought to stand", "must be", "must stand",
                                         "must go",   "needs to be", "need to be", "has to be",  "have to be",  "belongs",     "belong",  "goes",      "go"};
    for (uint32_t i = c->first + 1; i < c->end; i++) {
        for (size_t k = 0; k < sizeof modals / sizeof modals[0]; k++) {
            uint32_t taken = spoken_at(r, i, modals[k]);
            if (!taken) continue;
            *ret_end = i + taken;
            c->things_end = i;
            return true;
        }
    }
    return false;
}

static etna_code read_statement(reader *r, clause *c, bool wish)
{
    static const char *const trades[] = {"trade places", "swap places", "switch places", "change places", "exchange places", "swap positions", "trade positions"};
    for (size_t k = 0; k < sizeof trades / sizeof trades[0]; k++) {
        if (c->end < c->first + 3 || !spoken_at(r, c->end - 2, trades[k])) continue;
        c->end -= 2;
        return read_swap(r, c);
    }
    uint32_t modal_end = 0;
    if (find_modal(r, c, &modal_end)) {
        uint32_t things_end = c->things_end, first = c->first;
        c->first = modal_end;
        etna_code code = find_marks(r, c);
        c->first = first;
        c->things_end = things_end;
        if (code == ETNA_OK && c->mark_count == 0) return refuse(r, c->start, c->end, "it does not say on what to put it");
        r->has_verb = true;
        return code == ETNA_OK ? read_put(r, c) : code;
    }
    if (!wish && !r->has_verb) return refuse(r, c->start, c->end, "it does not begin with put, move or place");
    r->has_verb = true;
    etna_code code = find_marks(r, c);
    return code == ETNA_OK ? read_put(r, c) : code;
}

/* One clause, the words [start, end). */
static etna_code read_clause(reader *r, uint32_t start, uint32_t end, builtin_order order)
{
    static const char *const wishes[] = {"i want you to", "i want", "i would like you to", "i would like", "i'd like you to", "i'd like", "let", "have", "let's",
                                         "go ahead and", "we need", "i need"};
    static const char *const towers[] = {"build a tower out of", "build a tower of", "make a tower out of", "make a tower of", "build a stack of", "make a stack of"};
    static const char *const particles[] = {"down", "up", "over", "away", NULL};
    clause c = {.start = start, .first = start, .end = end, .order = order};
    bool wish = false;
    for (size_t k = 0; k < sizeof wishes / sizeof wishes[0]; k++) {
        uint32_t taken = spoken_at(r, c.first, wishes[k]);
        if (!taken) continue;
        c.first += taken;
        wish = true;
        break;
    }
    c.verb = verb_at(r, c.first);
    uint32_t tower = 0;
    for (size_t k = 0; k < sizeof towers / sizeof towers[0] && !tower; k++) tower = spoken_at(r, c.first, towers[k]);
    if (tower) {
        c.verb = VERB_STACK;
        c.first += tower;
    } else if (is_word(r, c.first, "change") && skip_positions(r, c.first + 1) > c.first + 1) {
        c.verb = VERB_PUT;
        c.first = skip_positions(r, c.first + 1);
    } else if (c.verb != VERB_NONE) {
        c.first++;
        if (is_one_of(r, c.first, particles) && !(is_word(r, c.first, "over") && is_word(r, c.first + 1, "to"))) c.first++;
    } else {
        return read_statement(r, &c, wish);
    }
    r->has_verb = true;
    if (c.verb == VERB_SWAP) return read_swap(r, &c);
    if (c.verb == VERB_CLEAR) return read_clear(r, &c);
    etna_code code = find_marks(r, &c);
    if (code != ETNA_OK) return code;
    if (c.verb == VERB_TURN) return read_turn(r, &c);
    if (c.verb == VERB_STACK) return read_stack(r, &c);
    if (c.verb == VERB_LINE) return read_line(r, &c);
    for (uint32_t k = 0; c.verb == VERB_CENTRE && k < c.mark_count; k++) {
        if (c.marks[k].relation == RELATION_ON || c.marks[k].relation == RELATION_IN) c.marks[k].relation = RELATION_MIDDLE;
    }
    return read_put(r, &c);
}

/* ---- the words made plain ---- */

/* "tray's" is two words; "on the left" without "of" tells which one ("leftmost"); "what is" is "everything that is"; a place
 * said first comes last ("Where the phone is, put the mug"). */
static etna_code take_words(reader *r)
{
    const builtin_word *said = NULL;
    uint32_t count = 0, used = 0;
    etna_code code = builtin_words(r->sentence, r->arena, &said, &count, r->err);
    if (code != ETNA_OK) return code;
    builtin_word *words = etna_arena_alloc(r->arena, 2 * (size_t)count + 1, sizeof *words);
    if (!words) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(said[i].text), mark = size > 4 && memcmp(said[i].text + size - 4, "\xE2\x80\x99s", 4) == 0 ? 4 : 2;
        bool owns = !said[i].quoted && size > 2 && (mark == 4 || memcmp(said[i].text + size - 2, "'s", 2) == 0) && strcmp(said[i].text, "let's") != 0;
        words[used] = said[i];
        if (owns) {
            char *owner = etna_arena_strndup(r->arena, said[i].text, size - mark);
            if (!owner) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
            words[used].text = owner;
            words[used].end -= (uint32_t)mark;
            words[++used] = (builtin_word){.text = "'s", .at = said[i].end - (uint32_t)mark, .end = said[i].end};
        }
        used++;
    }
    r->words = words;
    r->count = used;
    return ETNA_OK;
}

static void cut_words(reader *r, uint32_t at, uint32_t taken)
{
    memmove(r->words + at, r->words + at + taken, (r->count - at - taken) * sizeof *r->words);
    r->count -= taken;
}

static void make_plain(reader *r)
{
    static const char *const before[] = {"on", "at", "to", "from", NULL}, *const after[] = {"of", "side", "edge", "corner", "hand", "rim", "border", NULL};
    for (uint32_t i = 0; i + 2 < r->count; i++) {
        uint32_t taken = spoken_at(r, i, "with nothing on it");
        if (taken) cut_words(r, i, taken);
        if (spoken_at(r, i, "what is") || spoken_at(r, i, "whatever is") || spoken_at(r, i, "what stands")) {
            r->words[i].text = "everything";
            r->words[i + 1].text = "that-is";
        }
        bool far = is_word(r, i + 2, "far");
        uint32_t at = i + 2 + far;
        bool side = is_word(r, at, "left") || is_word(r, at, "right");
        if (!is_one_of(r, i, before) || !is_word(r, i + 1, "the") || !side || is_one_of(r, at + 1, after)) continue;
        builtin_mark next;
        bool ends = at + 1 == r->count || is_stop(r, at + 1) || is_conjunction(r, at + 1) || mark_at(r, at + 1, r->count, &next);
        if (!ends) continue; /* "on the left saucer" */
        bool from = is_word(r, i, "from"), left = is_word(r, at, "left");
        r->words[i].text = from ? left ? "from-left" : "from-right" : left ? "leftmost" : "rightmost";
        r->words[i].end = r->words[at].end;
        cut_words(r, i + 1, at - i);
    }
}

/* A place in front of the verb goes behind it. */
static etna_code turn_round(reader *r)
{
    uint32_t start = skip_fillers(r, 0), comma = start, end;
    builtin_mark mark;
    if (!mark_at(r, start, r->count, &mark)) return ETNA_OK;
    while (comma < r->count && !is_word(r, comma, ",") && !is_stop(r, comma)) comma++;
    if (!is_word(r, comma, ",") || !is_verb(r, skip_fillers(r, comma))) return ETNA_OK;
    for (end = comma; end < r->count && !is_stop(r, end);) end++;
    builtin_word *words = etna_arena_alloc(r->arena, r->count, sizeof *words);
    if (!words) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    uint32_t place = comma - start, rest = end - comma - 1;
    memcpy(words, r->words + comma + 1, rest * sizeof *words);
    memcpy(words + rest, r->words + start, place * sizeof *words);
    memcpy(words + rest + place, r->words + end, (r->count - end) * sizeof *words);
    r->count = rest + place + (r->count - end);
    r->words = words;
    return ETNA_OK;
}

static bool find_negation(const reader *r, uint32_t *ret)
{
    static const char *const negations[] = {"not", "don't", "never", "unless", "if", "until", "without", "except", "nothing", NULL};
    for (uint32_t i = 0; i < r->count; i++) {
        if (!is_one_of(r, i, negations)) continue;
        *ret = i;
        return true;
    }
    return false;
}

etna_code builtin_read(const builtin_facts *facts, const char *text, etna_arena *arena, builtin_reading *reading, etna_error *err)
{
    reader r = {.facts = facts, .sentence = text, .arena = arena, .reading = reading, .err = err, .last_reference = BUILTIN_NONE};
    etna_code code = take_words(&r);
    if (code != ETNA_OK) return code;
    if (reading->count > 0) {
        r.last = reading->moves[reading->count - 1].objects;
        r.last_reference = reading->moves[reading->count - 1].reference;
    }
    uint32_t whole = r.count, negation = 0;
    make_plain(&r);
    if (find_negation(&r, &negation)) return refuse(&r, negation, r.count, "what not to do and conditions are not understood");
    builtin_order order = take_order(&r);
    code = turn_round(&r);
    uint32_t at = skip_fillers(&r, 0), before = reading->count;
    while (code == ETNA_OK && at < r.count) {
        uint32_t end = clause_end(&r, at);
        code = read_clause(&r, at, end, order);
        at = skip_fillers(&r, end);
    }
    if (code == ETNA_OK && r.taken) code = refuse(&r, r.taken_at, r.count, "it does not say on what to put it");
    if (code == ETNA_OK && reading->count == before) {
        r.count = whole;
        code = refuse(&r, 0, whole, "it asks for nothing");
    }
    return code;
}
