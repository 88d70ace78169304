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
#include "worker/model/builtin_read_own.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_QUOTED = 140 };
static bool is_stop(const reader *r, uint32_t i) { return is_word(r, i, ".") || is_word(r, i, "then"); }

static bool is_filler(const reader *r, uint32_t i)
{
    static const char *const fillers[] = {"please", "now",    "first",      "firstly", "next",  "finally",
                                          "also",   "lastly", "afterwards", "kindly",  "after", "that",
                                          "then",   "and",    ",",          ".",       "can",   "you",
                                          "could",  "would",  "will",       "just",    NULL};
    return is_one_of(r, i, fillers) && !(is_word(r, i, "next") && is_word(r, i + 1, "to"));
}

etna_code reader_refuse(const reader *r, uint32_t first, uint32_t end, const char *why)
{
    if (r->count == 0) return etna_fail(r->err, ETNA_E_INPUT, "there are no words in it");
    if (first >= r->count) first = r->count - 1;
    if (end > r->count) end = r->count;
    if (end <= first) end = first + 1;
    uint32_t at = r->words[first].at, size = r->words[end - 1].end - at;
    return etna_fail(r->err, ETNA_E_INPUT, "\"%.*s\": %s", (int)(size < WORDS_QUOTED ? size : WORDS_QUOTED),
                     r->sentence + at, why);
}

/* ---- where a clause ends ---- */

uint32_t reader_skip_fillers(const reader *r, uint32_t i)
{
    while (i < r->count && is_filler(r, i)) i++;
    return i;
}

/* After a conjunction at i: does another clause begin there? */
static bool clause_follows(const reader *r, uint32_t i)
{
    builtin_mark mark;
    uint32_t at = reader_skip_fillers(r, i);
    if (at == r->count || reader_is_verb(r, at)) return true;
    if (mark_at(r, i, r->count, &mark) || mark_at(r, at, r->count, &mark))
        return false; /* ", facing it", ", near the lamp" */
    for (uint32_t k = at; k < r->count && !is_stop(r, k) && !reader_is_verb(r, k); k++) {
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
        if (i > start && reader_is_verb(r, i) && is_conjunction(r, i - 1)) return i - 1;
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
    static const char *const large[] = {"largest", "biggest", "large", "big", NULL}, *const small[] = {
                                                                                         "smallest", "small",
                                                                                         "littlest", NULL};
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
    static const char *const modals[] = {
        "should be",  "should stand", "should go", "should lie",  "ought to be", "ought to stand",
        "must be",    "must stand",   "must go",   "needs to be", "need to be",  "has to be",
        "have to be", "belongs",      "belong",    "goes",        "go"};
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
    static const char *const trades[] = {"trade places",    "swap places",    "switch places",  "change places",
                                         "exchange places", "swap positions", "trade positions"};
    for (size_t k = 0; k < sizeof trades / sizeof trades[0]; k++) {
        if (c->end < c->first + 3 || !spoken_at(r, c->end - 2, trades[k])) continue;
        c->end -= 2;
        return clause_swap(r, c);
    }
    uint32_t modal_end = 0;
    if (find_modal(r, c, &modal_end)) {
        uint32_t things_end = c->things_end, first = c->first;
        c->first = modal_end;
        etna_code code = clause_find_marks(r, c);
        c->first = first;
        c->things_end = things_end;
        if (code == ETNA_OK && c->mark_count == 0)
            return reader_refuse(r, c->start, c->end, "it does not say on what to put it");
        r->has_verb = true;
        r->moving = false;
        return code == ETNA_OK ? clause_put(r, c) : code;
    }
    if (!wish && !r->has_verb) return reader_refuse(r, c->start, c->end, "it does not begin with put, move or place");
    r->has_verb = true;
    r->moving = r->moving && !wish;
    etna_code code = clause_find_marks(r, c);
    return code == ETNA_OK ? clause_put(r, c) : code;
}

/* One clause, the words [start, end). */
static etna_code read_clause(reader *r, uint32_t start, uint32_t end, builtin_order order)
{
    static const char *const wishes[] = {
        "i want you to", "i want", "i would like you to", "i would like", "i'd like you to", "i'd like", "let",
        "have",          "let's",  "go ahead and",        "we need",      "i need"};
    static const char *const towers[] = {"build a tower out of", "build a tower of", "make a tower out of",
                                         "make a tower of",      "build a stack of", "make a stack of"};
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
    c.verb = reader_verb_at(r, c.first);
    uint32_t tower = 0;
    for (size_t k = 0; k < sizeof towers / sizeof towers[0] && !tower; k++) tower = spoken_at(r, c.first, towers[k]);
    if (tower) {
        c.verb = VERB_STACK;
        c.first += tower;
    } else if (is_word(r, c.first, "change") && clause_skip_positions(r, c.first + 1) > c.first + 1) {
        c.verb = VERB_PUT;
        c.first = clause_skip_positions(r, c.first + 1);
    } else if (c.verb != VERB_NONE) {
        c.first++;
        if (c.verb == VERB_CLEAR && is_word(r, c.first, "off")) c.first++;
        if (is_one_of(r, c.first, particles) && !(is_word(r, c.first, "over") && is_word(r, c.first + 1, "to")))
            c.first++;
    } else {
        return read_statement(r, &c, wish);
    }
    r->has_verb = true;
    r->moving = (c.verb == VERB_PUT || c.verb == VERB_TAKE) && !is_word(r, start, "keep");
    if (c.verb == VERB_SWAP) return clause_swap(r, &c);
    if (c.verb == VERB_CLEAR) return clause_clear(r, &c);
    etna_code code = clause_find_marks(r, &c);
    if (code != ETNA_OK) return code;
    if (c.verb == VERB_TURN) return clause_turn(r, &c);
    if (c.verb == VERB_STACK) return clause_stack(r, &c);
    if (c.verb == VERB_LINE) return clause_line(r, &c);
    for (uint32_t k = 0; is_word(r, c.first - 1, "butt") && k < c.mark_count; k++) {
        if (c.marks[k].relation == RELATION_BESIDE) c.marks[k].relation = RELATION_AGAINST;
    }
    for (uint32_t k = 0; c.verb == VERB_CENTRE && k < c.mark_count; k++) {
        if (c.marks[k].relation == RELATION_ON || c.marks[k].relation == RELATION_IN)
            c.marks[k].relation = RELATION_MIDDLE;
    }
    return clause_put(r, &c);
}

/* ---- the words made plain ---- */

/* "tray's" is two words; "on the left" without "of" tells which one ("leftmost"); "what is" is "everything that is"; a
 * place said first comes last ("Where the phone is, put the mug"). */
static etna_code take_words(reader *r)
{
    const builtin_word *said = NULL;
    uint32_t count = 0, used = 0;
    etna_code code = builtin_words(r->sentence, r->arena, &said, &count, r->err);
    if (code != ETNA_OK) return code;
    builtin_word *words = etna_arena_alloc(r->arena, 2 * (size_t)count + 1, sizeof *words);
    if (!words) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(said[i].text),
               mark = size > 4 && memcmp(said[i].text + size - 4, "\xE2\x80\x99s", 4) == 0 ? 4 : 2;
        bool owns = !said[i].quoted && size > 2 && (mark == 4 || memcmp(said[i].text + size - 2, "'s", 2) == 0) &&
                    strcmp(said[i].text, "let's") != 0;
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

/* Words [first, end) of `from` behind those of *to. */
static void append(builtin_word *to, uint32_t *count, const builtin_word *from, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) to[(*count)++] = from[i];
}

static void append_said(builtin_word *to, uint32_t *count, const char *text, const builtin_word *like)
{
    to[*count] = *like;
    to[*count].text = text;
    to[(*count)++].quoted = false;
}

static uint32_t find_word(const reader *r, uint32_t first, uint32_t end, const char *text)
{
    while (first < end && !is_word(r, first, text)) first++;
    return first;
}

/* Clauses that say the thing last or the place as an object are said the common way:
 *   "leave a gap of 20 cm between A and B"  put A 20 cm from B       "rid X of its cups"      remove cups from X
 *   "substitute A for B", "replace B with A"  put A in-place-of B    "juxtapose A with B"     put A beside B
 *   "flip the positions of A and B"  swap A and B
 * `start` is where the clause begins; the words stay as they are when it is none of these. ETNA_E_NOMEM. */
static etna_code say_commonly(reader *r, uint32_t start)
{
    static const char *const keeps[] = {"leave", "keep", "make", "have", "allow", NULL}, *const gaps[] = {
                                                                                             "gap", "distance", "space",
                                                                                             "clearance", NULL};
    static const char *const flips[] = {"flip", "reverse", "invert", NULL};
    uint32_t end = start, used = 0, length, with;
    double metres;
    while (end < r->count && !is_stop(r, end) &&
           !(end > start && is_conjunction(r, end) && reader_is_verb(r, reader_skip_fillers(r, end))))
        end++;
    builtin_word *out = etna_arena_alloc(r->arena, (size_t)r->count + 4, sizeof *out);
    if (!out) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    const builtin_word *w = r->words;
    append(out, &used, w, 0, start);
    uint32_t gap = start + 1 + (is_word(r, start + 1, "a") || is_word(r, start + 1, "some"));
    if (is_one_of(r, start, keeps) && is_one_of(r, gap, gaps) && is_word(r, gap + 1, "of") &&
        (length = builtin_length_at(w, r->count, gap + 2, &metres)) > 0 && is_word(r, gap + 2 + length, "between")) {
        uint32_t at = gap + 2, between = at + length, and = find_word(r, between, end, "and");
        if (and == end) return ETNA_OK;
        append_said(out, &used, "put", &w[start]);
        append(out, &used, w, between + 1, and);
        append(out, &used, w, at, between);
        append_said(out, &used, "from", &w[between]);
        append(out, &used, w, and+1, end);
    } else if (is_word(r, start, "substitute") && (with = find_word(r, start, end, "for")) < end) {
        append_said(out, &used, "put", &w[start]);
        append(out, &used, w, start + 1, with);
        append_said(out, &used, "in-place-of", &w[with]);
        append(out, &used, w, with + 1, end);
    } else if (is_word(r, start, "replace") &&
               ((with = find_word(r, start, end, "with")) < end || (with = find_word(r, start, end, "by")) < end)) {
        append_said(out, &used, "put", &w[start]);
        append(out, &used, w, with + 1, end);
        append_said(out, &used, "in-place-of", &w[with]);
        append(out, &used, w, start + 1, with);
    } else if (is_word(r, start, "juxtapose") && (with = find_word(r, start, end, "with")) < end) {
        append(out, &used, w, start, with);
        append_said(out, &used, "beside", &w[with]);
        append(out, &used, w, with + 1, end);
    } else if (is_word(r, start, "rid") && (with = find_word(r, start, end, "of")) < end) {
        append_said(out, &used, "remove", &w[start]);
        append(out, &used, w, with + 1, end);
        append_said(out, &used, "from", &w[with]);
        append(out, &used, w, start + 1, with);
    } else if (is_one_of(r, start, flips) && clause_skip_positions(r, start + 1) > start + 1) {
        append_said(out, &used, "swap", &w[start]);
        append(out, &used, w, clause_skip_positions(r, start + 1), end);
    } else {
        return ETNA_OK;
    }
    append(out, &used, w, end, r->count);
    r->words = out;
    r->count = used;
    return ETNA_OK;
}

/* "that is farthest left", "the farthest to the right": the leftmost, the rightmost. */
static void say_extremes(reader *r, uint32_t i)
{
    static const char *const far[] = {"farthest", "furthest", NULL};
    uint32_t at = i;
    if (is_word(r, at, "that") && is_word(r, at + 1, "is")) at += 2;
    if (at > i && is_word(r, at, "the")) at++;
    if (!is_one_of(r, at, far)) return;
    at++;
    if (is_word(r, at, "to") && is_word(r, at + 1, "the")) at += 2;
    bool left = is_word(r, at, "left"), right = is_word(r, at, "right");
    if (!left && !right) return;
    r->words[i].text = left ? "leftmost" : "rightmost";
    r->words[i].end = r->words[at].end;
    cut_words(r, i + 1, at - i);
}

static void make_plain(reader *r)
{
    static const char *const before[] = {"on", "at", "to", "from", NULL}, *const after[] = {"of",     "side", "edge",
                                                                                            "corner", "hand", "rim",
                                                                                            "border", NULL};
    for (uint32_t i = 0; i + 2 < r->count; i++) {
        say_extremes(r, i);
        uint32_t taken = spoken_at(r, i, "with nothing on it");
        if (taken) cut_words(r, i, taken);
        if (spoken_at(r, i, "used to be") || spoken_at(r, i, "used to stand") || spoken_at(r, i, "used to lie")) {
            r->words[i].text = "was";
            cut_words(r, i + 1, 2);
        }
        if (spoken_at(r, i, "what is") || spoken_at(r, i, "whatever is") || spoken_at(r, i, "what stands")) {
            r->words[i].text = "everything";
            r->words[i + 1].text = "that-is";
        }
        bool counted = i > 1 && is_word(r, i, "from") && builtin_is_level_noun(r->words[i - 1].text) &&
                       builtin_ordinal(r->words[i - 2].text);
        uint32_t end = is_word(r, i + 1, "the") ? i + 2 : i + 1; /* "the second board from the bottom" */
        if (counted && (is_word(r, end, "top") || is_word(r, end, "bottom"))) {
            r->words[i].text = is_word(r, end, "top") ? "from-top" : "from-bottom";
            r->words[i].end = r->words[end].end;
            cut_words(r, i + 1, end - i);
            continue;
        }
        bool far = is_word(r, i + 2, "far");
        uint32_t at = i + 2 + far;
        bool side = is_word(r, at, "left") || is_word(r, at, "right");
        if (!is_one_of(r, i, before) || !is_word(r, i + 1, "the") || !side || is_one_of(r, at + 1, after)) continue;
        builtin_mark next;
        bool ends = at + 1 == r->count || is_stop(r, at + 1) || is_conjunction(r, at + 1) ||
                    mark_at(r, at + 1, r->count, &next);
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
    uint32_t start = reader_skip_fillers(r, 0), comma = start, end;
    builtin_mark mark;
    if (!mark_at(r, start, r->count, &mark)) return ETNA_OK;
    while (comma < r->count && !is_word(r, comma, ",") && !is_stop(r, comma)) comma++;
    if (!is_word(r, comma, ",") || !reader_is_verb(r, reader_skip_fillers(r, comma))) return ETNA_OK;
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
    static const char *const negations[] = {"not",   "don't",   "never",  "unless",  "if",
                                            "until", "without", "except", "nothing", NULL};
    for (uint32_t i = 0; i < r->count; i++) {
        if (!is_one_of(r, i, negations) || (is_word(r, i, "until") && is_word(r, i + 1, "it")))
            continue; /* "until it is 30 cm from" */
        *ret = i;
        return true;
    }
    return false;
}

etna_code builtin_read(const builtin_facts *facts, const char *text, etna_arena *arena, builtin_reading *reading,
                       etna_error *err)
{
    reader r = {.facts = facts,
                .sentence = text,
                .arena = arena,
                .reading = reading,
                .err = err,
                .last_reference = BUILTIN_NONE,
                .last_owner = BUILTIN_NONE};
    etna_code code = take_words(&r);
    if (code != ETNA_OK) return code;
    if (reading->count > 0) {
        r.last = reading->moves[reading->count - 1].objects;
        r.last_reference = reading->moves[reading->count - 1].reference;
        r.last_relation = reading->moves[reading->count - 1].relation;
    }
    uint32_t whole = r.count, negation = 0;
    make_plain(&r);
    if (find_negation(&r, &negation))
        return reader_refuse(&r, negation, r.count, "what not to do and conditions are not understood");
    builtin_order order = take_order(&r);
    code = turn_round(&r);
    uint32_t at = reader_skip_fillers(&r, 0), before = reading->count;
    while (code == ETNA_OK && at < r.count) {
        code = say_commonly(&r, at);
        if (code != ETNA_OK) break;
        uint32_t end = clause_end(&r, at);
        code = read_clause(&r, at, end, order);
        at = reader_skip_fillers(&r, end);
    }
    if (code == ETNA_OK && r.taken) code = reader_refuse(&r, r.taken_at, r.count, "it does not say on what to put it");
    if (code == ETNA_OK && reading->count == before) {
        r.count = whole;
        code = reader_refuse(&r, 0, whole, "it asks for nothing");
    }
    return code;
}
