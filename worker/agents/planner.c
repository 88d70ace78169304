/* See planner.h. Lenient in the form of an answer and strict in what it says: a
 * verdict or a plan, never both, because a guess here sends four branches after
 * it. */
#include "worker/agents/planner.h"

#include "proto/ascii.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/agents/inner.h"
#include "worker/agents/loose.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    arrange_plan_status status;
} verdicts[] = {{BLOCK_FINISHED, PLAN_FINISHED},
                {BLOCK_IMPOSSIBLE, PLAN_IMPOSSIBLE},
                {BLOCK_UNREADABLE, PLAN_UNREADABLE}};
enum {
    VERDICTS = sizeof verdicts / sizeof verdicts[0]
};

/* Nothing but white space. */
static bool planner_is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!text_is_in(text[i], " \t\r\n"))
            return false;
    }
    return true;
}

/* The last paragraph before the verdict, and before the blocks that may stand
 * with it: what it rests on. */
static const char *words_before(const plain *p, size_t mark, etna_arena *arena)
{
    static const char *const names[] = {BLOCK_ITEM, BLOCK_PART, BLOCK_REFUSAL};
    size_t start = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        block b;
        if (block_find(p, names[i], &b, NULL) == ETNA_OK && b.begin < mark)
            mark = b.begin;
    }
    for (size_t i = 0; i + 1 < mark; i++) {
        bool paragraph = p->text[i] == '\n' && p->text[i + 1] == '\n';
        if (paragraph && !planner_is_blank(p->text + i, mark - i))
            start = i + 2;
    }
    char *said = plain_written(p, start, mark, arena);
    return said ? text_clean(arena, said, strlen(said), ARRANGE_REASON_MAX)
                : NULL;
}

/* ---- the coordinate ---- */

/* "bottom center" is the middle of the bottom. */
static bool says_bottom_centre(const block *b)
{
    static const char *const words[] = {
        "bottom center",        "bottom centre",        "bottom-center",
        "bottom-centre",        "bottom_center",        "center of the bottom",
        "centre of the bottom", "center of its bottom", "middle of its bottom"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        for (size_t at = 0; at + length <= b->size; at++) {
            if (strncasecmp(b->text + at, words[i], length) == 0)
                return true;
        }
    }
    return false;
}

/* One of the words, in any case; of a script without cases and spaces
 * anywhere. */
static bool says_one_of(const block *b, const char *const *words)
{
    for (; *words; words++) {
        bool is_script = (unsigned char)**words >= 0x80;
        if (is_script ? memmem(b->text, b->size, *words, strlen(*words)) != NULL
                      : block_has_word(b, *words))
            return true;
    }
    return false;
}

/* A model that thinks in another language says it in that, too. */
static const char *const bottoms[] = {"bottom",
                                      "base",
                                      "underside",
                                      "unterseite",
                                      "boden",
                                      "unten",
                                      "bas",
                                      "fondo",
                                      "fundo",
                                      "inferior",
                                      "\u5e95",
                                      "inferiore",
                                      "foot",
                                      "dno",
                                      "\ubc14\ub2e5",
                                      "\ubc11\uba74",
                                      "\u043d\u0438\u0437",
                                      "\u043d\u0438\u0436\u043d",
                                      "\u0434\u043d\u043e",
                                      "\u041d\u0438\u0437",
                                      "\u041d\u0438\u0436\u043d",
                                      NULL};
static const char *const centres[] = {"center",
                                      "centre",
                                      "middle",
                                      "mitte",
                                      "zentrum",
                                      "centro",
                                      "milieu",
                                      "medio",
                                      "meio",
                                      "midden",
                                      "\u4e2d\u5fc3",
                                      "\u4e2d\u592e",
                                      "centroid",
                                      "midpoint",
                                      "mid-point",
                                      "\uc911\uc2ec",
                                      "\u0446\u0435\u043d\u0442\u0440",
                                      NULL};

static const char *const pixel_words[] = {"pixel", "pixels", NULL};

/* "The bottom of the object .. (the middle of the block)": what is said of the
 * object itself. */
static bool says_of_object(const block *b, const char *part)
{
    static const char *const behind[] = {" of the object", " of it",
                                         " of the moved object"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        char words[40];
        int size = snprintf(words, sizeof words, "%s%s", part, behind[i]);
        for (size_t at = 0; at + (size_t)size <= b->size; at++) {
            if (strncasecmp(b->text + at, words, (size_t)size) == 0)
                return true;
        }
    }
    return false;
}

/* What the model is told to write next time. */
static const char *anchor_advice(bool both, bool is_open)
{
    if (both)
        return ", not both";
    return is_open ? "; without a word of it the bottom will be meant" : "";
}

/* Does it say no more than that the place is one? "The upper edge" is neither,
 * and no bottom. */
static bool says_place_alone(const block *b)
{
    static const char *const words[] = {
        "the",        "of",          "object",
        "should",     "be",          "around",
        "at",         "about",       "its",
        "in",         "image",       "position",
        "location",   "place",       "near",
        "point",      "x",           "y",
        "is",         "it",          "point_2d",
        "label",      "to",          "and",
        "coordinate", "coordinates", "approximately",
        "normalized", NULL};
    char word[24];
    for (size_t i = 0; i < b->size; i++) {
        size_t used = 0;
        bool is_letter =
            (b->text[i] | 0x20) >= 'a' && (b->text[i] | 0x20) <= 'z';
        if (!is_letter && (unsigned char)b->text[i] < 0x80)
            continue;
        while (i < b->size &&
               !text_is_in(b->text[i], " \t\n.,;:=\"'`*[](){}<>/$")) {
            if (used + 1 < sizeof word)
                word[used++] = b->text[i];
            i++;
        }
        word[used] = 0;
        bool known = false;
        for (const char *const *w = words; *w; w++)
            known = known || strcasecmp(word, *w) == 0;
        if (!known)
            return false;
    }
    return true;
}

/* Where neither is said the bottom is meant, once it was said that this will be
 * so. `where`: what is said of the place alone, which may be in `b`. */
static etna_code read_anchor(const block *b,
                             const block *where,
                             picture_scale *scale,
                             planner_result *result,
                             etna_error *err)
{
    bool bottom = says_one_of(b, bottoms), centre = says_one_of(b, centres);
    if (bottom && centre && says_bottom_centre(b))
        centre = false;
    if (bottom && centre) {
        bool of_bottom = says_of_object(b, "bottom"),
             of_centre =
                 says_of_object(b, "center") || says_of_object(b, "centre");
        centre = !of_bottom || of_centre;
        bottom = of_bottom || !of_centre;
    }
    bool is_open = !bottom && !centre && says_place_alone(where);
    if (is_open && scale->asked_anchor)
        bottom = true;
    if (bottom == centre) {
        scale->asked_anchor = is_open;
        return etna_fail(
            err, ETNA_E_INPUT,
            "the [coordinate] block must say whether it is the object's center or its bottom%s",
            anchor_advice(bottom, is_open));
    }
    result->coordinate_is_bottom = bottom;
    return ETNA_OK;
}

/* {"bbox_2d": [..]}: a box that is hardly larger than a point. */
static bool find_boxed_point(const block *b,
                             double point[2],
                             point_unit *ret_unit)
{
    json_t *object = loose_find(b->text, b->size, "bbox_2d");
    bool is_read = object && point_read(object, NULL, point, ret_unit) == 1;
    json_decref(object);
    return is_read;
}

typedef struct led_point { /* a point in brackets */
    double at[2];
    point_unit unit;
    block lead; /* what is said before it, behind the one before */
} led_point;

/* The next one in brackets that begins at *from or later; *from goes behind
 * it. */
static bool next_led_point(const block *b, size_t *from, led_point *ret)
{
    for (size_t i = *from; i < b->size; i++) {
        if (!text_is_in(b->text[i], "[("))
            continue;
        const char *shut =
            memchr(b->text + i, b->text[i] == '[' ? ']' : ')', b->size - i);
        size_t size = shut ? (size_t)(shut - (b->text + i)) + 1 : 0;
        bool is_around =
            b->text[i] == '(' && size > 0 && memchr(b->text + i, '[', size);
        if (!size || is_around ||
            point_find(b->text + i, size, ret->at, &ret->unit) != 1)
            continue;
        ret->lead = (block){.text = b->text + *from, .size = i - *from};
        *from = i + size;
        return true;
    }
    return false;
}

/* Where it was, or another way of saying where it is to be: "from [0.3, 0.7] to
 * around [0.5, 0.5]", "[0.5, 0.5] (now at [0.3, 0.7])", "i.e. grid cell (5,
 * 5)". */
static const char *const asides[] = {
    "from",     "currently", "now",  "was", "previous", "previously", "old",
    "original", "cell",      "grid", "not", "instead",  NULL};

/* "[0.5, 0.4]. Wait, that is the back part: [0.5, 0.5]": what was said before
 * is taken back. */
static const char *const corrections[] = {
    "wait", "correction", "corrected", "scratch", "oops", "sorry", NULL};

/* The only one that is no aside; of two, the bottom's beside the center's.
 * *ret_said: what is said of it. */
static bool find_meant_point(const block *b,
                             double point[2],
                             point_unit *ret_unit,
                             block *ret_said)
{
    led_point p, found = {.unit = POINT_PLAIN};
    uint32_t count = 0;
    bool is_bottom = false;
    for (size_t from = 0; next_led_point(b, &from, &p);) {
        if (says_one_of(&p.lead, asides))
            continue;
        if (says_one_of(&p.lead, corrections))
            count = 0;
        bool bottom = says_one_of(&p.lead, bottoms) &&
                      !says_one_of(&p.lead, centres),
             centre = says_one_of(&p.lead, centres) &&
                      !says_one_of(&p.lead, bottoms);
        bool is_other = count == 1 && is_bottom && centre;
        if (is_other)
            continue;
        is_bottom = bottom;
        found = p;
        count++;
    }
    if (count != 1)
        return false;
    memcpy(point, found.at, sizeof found.at);
    *ret_unit = found.unit;
    if (is_bottom)
        *ret_said = found.lead;
    return true;
}

/* The reading that is surest first: one point in brackets, then a small box,
 * then one of several that is not an aside, then a box's middle (once that was
 * said to be so). ETNA_E_INPUT asks the model again. */
static etna_code read_coordinate(const block *b,
                                 picture_scale *scale,
                                 planner_result *result,
                                 etna_error *err)
{
    point_unit unit = POINT_PLAIN;
    block said = *b;
    uint32_t points = point_find(b->text, b->size, result->coordinate, &unit);
    if (points == 0 && find_boxed_point(b, result->coordinate, &unit))
        points = 1;
    if (points > 1 && find_meant_point(b, result->coordinate, &unit, &said))
        points = 1;
    if (unit == POINT_PLAIN && says_one_of(b, pixel_words))
        unit = POINT_PIXELS;
    if (points == 0 && point_find_box(b->text, b->size, result->coordinate)) {
        if (!scale_takes_box(scale, err))
            return ETNA_E_INPUT;
        points = 1;
    }
    if (points != 1) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the [coordinate] block holds %u coordinates; give exactly one as [x, y] in plain decimals",
            points);
    }
    if (!scale_point(scale, result->coordinate, unit, err))
        return ETNA_E_INPUT;
    result->coordinates = scale->found;
    return read_anchor(&said, &said, scale, result, err);
}

/* ---- what may stand beside a plan ---- */

/* The number of a list's instruction, from 1; 0: none is said. */
static uint32_t planner_read_item(const plain *p)
{
    block b;
    double number;
    if (block_find(p, BLOCK_ITEM, &b, NULL) != ETNA_OK)
        return 0;
    const char *at = b.text, *end = b.text + b.size;
    while (at < end && planner_is_blank(at, 1))
        at++;
    if (!block_number(&at, end, &number) ||
        !planner_is_blank(at, (size_t)(end - at)))
        return 0;
    bool is_number = number >= 1 && number <= ARRANGE_STEPS_MAX &&
                     number == (double)(uint32_t)number;
    return is_number ? (uint32_t)number : 0;
}

/* "12 57": bytes of the goal. */
static void planner_read_part(const plain *p, arrange_part *ret)
{
    block b;
    double from = 0, to = 0;
    if (block_find(p, BLOCK_PART, &b, NULL) != ETNA_OK)
        return;
    const char *at = b.text, *end = b.text + b.size;
    while (at < end && planner_is_blank(at, 1))
        at++;
    if (!block_number(&at, end, &from))
        return;
    while (at < end && planner_is_blank(at, 1))
        at++;
    if (!block_number(&at, end, &to) ||
        !planner_is_blank(at, (size_t)(end - at)))
        return;
    bool is_span = from >= 0 && from < to && to <= MESSAGE_TEXT_MAX;
    bool is_whole =
        is_span && from == (double)(uint32_t)from && to == (double)(uint32_t)to;
    if (is_whole)
        *ret = (arrange_part){.from = (uint32_t)from, .to = (uint32_t)to};
}

/* REFUSAL_NONE: no such word. */
static uint32_t refusal_code(const char *name)
{
    for (uint32_t code = REFUSAL_UNREAD; name && code <= REFUSAL_NO_PLACE;
         code++) {
        if (strcmp(name, arrange_refusal_name(code)) == 0)
            return code;
    }
    return REFUSAL_NONE;
}

/* NULL: out of memory. What is no text is "". */
static const char *refusal_text(const json_t *from,
                                const char *key,
                                size_t max,
                                etna_arena *arena)
{
    const json_t *value = json_object_get(from, key);
    if (!json_is_string(value))
        return "";
    return text_clean(arena, json_string_value(value),
                      json_string_length(value), max);
}

/* Bytes of the sentence; what is no sensible span is left out, since it only
 * marks the words. */
static void planner_read_span(const json_t *span, arrange_refusal *refusal)
{
    json_int_t from = json_integer_value(json_array_get(span, 0)),
               to = json_integer_value(json_array_get(span, 1));
    const bool is_within = from >= 0 && to > from && to <= MESSAGE_TEXT_MAX;
    if (json_array_size(span) != 2 || !is_within)
        return;
    refusal->from = (uint32_t)from;
    refusal->to = (uint32_t)to;
}

/* False: out of memory. */
static bool read_refusal(const plain *p,
                         etna_arena *arena,
                         arrange_refusal *ret)
{
    enum {
        BYTES_MAX = 8192
    };
    block b;
    arrange_refusal refusal = {.code = REFUSAL_NONE};
    if (block_find(p, BLOCK_REFUSAL, &b, NULL) != ETNA_OK || b.size > BYTES_MAX)
        return true;
    json_t *parts = loose_find(b.text, b.size, "code");
    refusal.code =
        refusal_code(json_string_value(json_object_get(parts, "code")));
    bool is_read = refusal.code != REFUSAL_NONE;
    if (is_read) {
        refusal.what = refusal_text(parts, "what", ARRANGE_REASON_MAX, arena);
        refusal.where = refusal_text(parts, "where", ARRANGE_NAME_MAX, arena);
        refusal.advice = refusal_text(parts, "do", ARRANGE_REASON_MAX, arena);
        planner_read_span(json_object_get(parts, "span"), &refusal);
    }
    json_decref(parts);
    const bool has_memory = refusal.what && refusal.where && refusal.advice;
    if (is_read && !has_memory)
        return false;
    *ret = refusal;
    return true;
}

/* What the built-in planner tells beside its plan: item, part of the goal,
 * refusal. The reason stands for the refusal's words and the other way round,
 * whichever is missing. */
static bool read_beside(const plain *p,
                        etna_arena *arena,
                        planner_result *result)
{
    bool refused =
        result->status == PLAN_IMPOSSIBLE || result->status == PLAN_UNREADABLE;
    result->item = planner_read_item(p);
    planner_read_part(p, &result->part);
    if (refused && !read_refusal(p, arena, &result->refusal))
        return false;
    if (result->refusal.code == REFUSAL_NONE)
        return true;
    if (!*result->refusal.what)
        result->refusal.what = result->reason;
    if (!*result->reason)
        result->reason = result->refusal.what;
    result->refusal.item = result->item;
    result->refusal.part = result->part;
    return true;
}

/* NULL: the instruction was not passed over. */
static const arrange_passed *planner_passed(const arrange_task *task,
                                            uint32_t item)
{
    for (uint32_t i = 0; i < task->passed_count; i++) {
        if (task->passed[i].item == item)
            return &task->passed[i];
    }
    return NULL;
}

/* The instruction of a list that this step is about; 0: there is none. */
uint32_t planner_current(const arrange_task *task)
{
    uint32_t at = 0;
    for (uint32_t item = 1; !task->open_list && item <= task->step_count;
         item++) {
        at += !planner_passed(task, item);
        if (at == task->step)
            return item;
    }
    return 0;
}

/* Numbers that lie outside of the task are dropped: they come from a model. */
void planner_fit(const arrange_task *task, planner_result *result)
{
    arrange_refusal *refusal = &result->refusal;
    if (result->item > task->step_count)
        result->item = 0;
    if (!task->goal || result->part.to > strlen(task->goal))
        result->part = (arrange_part){0, 0};
    refusal->part =
        refusal->code != REFUSAL_NONE ? result->part : (arrange_part){0, 0};
    refusal->item = refusal->code != REFUSAL_NONE ? result->item : 0;
    uint32_t marked = refusal->item;
    if (!marked && !task->goal)
        marked = planner_current(task);
    const char *sentence = task->goal;
    if (!sentence && marked >= 1 && marked <= task->step_count)
        sentence = task->steps[marked - 1];
    bool within = sentence && refusal->to <= strlen(sentence);
    if (!within)
        refusal->from = refusal->to = 0;
}

/* ---- verdicts ---- */

/* "It is not <finished>", "until it is <finished>": said of what is not so. */
static bool is_denied(const plain *p, size_t mark)
{
    static const char *const words[] = {"not",    "never",  "cannot", "until",
                                        "before", "unless", "if",     "when",
                                        "would",  "isn't",  "no"};
    size_t start = mark;
    while (start > 0 && !text_is_in(p->text[start - 1], "\n.;!?"))
        start--;
    block line = {.text = p->text + start, .size = mark - start};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (block_has_word(&line, words[i]))
            return true;
    }
    return false;
}

typedef struct verdict_search {
    unsigned count; /* different ones */
    size_t at;
    arrange_plan_status status;
} verdict_search;

/* Verdicts in the part that ends before `to`; `alone` as of block_word. */
static void find_verdicts(
    const plain *p, size_t from, size_t to, bool alone, verdict_search *ret)
{
    plain part = plain_part(p, from, to);
    for (int i = 0; i < VERDICTS; i++) {
        size_t at = 0;
        if (!block_word(&part, verdicts[i].name, 0, alone, &at) ||
            is_denied(p, from + at))
            continue;
        bool again = ret->count > 0 && ret->status == verdicts[i].status;
        if (!again)
            ret->count++;
        ret->at = from + at;
        ret->status = verdicts[i].status;
    }
}

/* Which verdict the word is; VERDICTS: none. */
static int verdict_named(const char *word, size_t size)
{
    int i = 0;
    while (i < VERDICTS && !(strlen(verdicts[i].name) == size &&
                             strncasecmp(word, verdicts[i].name, size) == 0))
        i++;
    return i;
}

/* "Status: finished", {"status": "finished"}: words that only say what is
 * told. */
static bool is_status_word(const char *word, size_t size)
{
    static const char *const words[] = {
        "status", "state", "verdict", "answer", "decision", "result", "final"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0)
            return true;
    }
    return false;
}

/* The verdict that the line [from, to) is, alone or as a status; VERDICTS:
 * none. */
static int line_verdict(const plain *p, size_t from, size_t to)
{
    int found = VERDICTS;
    for (size_t i = from; i < to; i++) {
        size_t size = 0;
        while (i + size < to && ascii_is_letter(p->text[i + size]))
            size++;
        bool is_other = text_is_in(p->text[i], "0123456789?") ||
                        (unsigned char)p->text[i] >= 0x80;
        if (size == 0 && is_other)
            return VERDICTS;
        if (size == 0 || is_status_word(p->text + i, size)) {
            i += size ? size - 1 : 0;
            continue;
        }
        int named = verdict_named(p->text + i, size);
        if (named == VERDICTS || found < VERDICTS)
            return VERDICTS;
        found = named;
        i += size - 1;
    }
    return found;
}

/* What may stand behind a line's last word, but for a question. */
static bool is_closing_sign(char c)
{
    bool is_plain = (unsigned char)c < 0x80;
    return is_plain && !ascii_is_letter(c) && c != '?';
}

/* How long the pictograph is that ends before `end`; 0: none does. */
static size_t emoji_size(const plain *p, size_t end)
{
    static const char *const leads[] = {"\xf0\x9f", "\xe2\x98", "\xe2\x99",
                                        "\xe2\x9a", "\xe2\x9b", "\xe2\x9c",
                                        "\xe2\x9d", "\xe2\x9e"};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        size_t size = i == 0 ? 4 : 3;
        if (end >= size && memcmp(p->text + end - size, leads[i], 2) == 0)
            return size;
    }
    return 0;
}

/* Where the line's last sentence ends, without signs and pictures behind it. */
static size_t line_words_end(const plain *p, size_t end)
{
    for (size_t before = end + 1; end < before;) {
        before = end;
        while (end > 0 && is_closing_sign(p->text[end - 1]))
            end--;
        end -= emoji_size(p, end);
    }
    return end;
}

/* The word without its mark as a line before `end` that has words, or as its
 * last sentence. Returns where the line begins. */
static size_t find_line_before(const plain *p, size_t end, verdict_search *ret)
{
    end = line_words_end(p, end);
    size_t start = end;
    while (start > 0 && p->text[start - 1] != '\n')
        start--;
    size_t sentence = end;
    while (sentence > start && !text_is_in(p->text[sentence - 1], ".!"))
        sentence--;
    int found = line_verdict(p, start, end);
    if (found == VERDICTS && sentence > start)
        found = line_verdict(p, sentence, end);
    if (found < VERDICTS)
        *ret = (verdict_search){
            .count = 1, .at = start, .status = verdicts[found].status};
    return start;
}

/* In one of the last lines: a courtesy may follow. */
static void find_last_lines(const plain *p, verdict_search *ret)
{
    enum {
        LINES_MAX = 2
    };
    size_t end = p->size;
    for (int i = 0; i < LINES_MAX && end > 0 && !ret->count; i++)
        end = find_line_before(p, end, ret);
}

/* "After this edit the goal will be <finished>.": said of what the plan brings
 * about. */
static bool is_foretold(const plain *p, size_t mark)
{
    static const char *const words[] = {"will", "after", "then", "once",
                                        "afterwards"};
    size_t start = mark;
    while (start > 0 && !text_is_in(p->text[start - 1], "\n.;!?"))
        start--;
    const block line = {.text = p->text + start, .size = mark - start};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (block_has_word(&line, words[i]))
            return true;
    }
    return false;
}

/* ---- the plan ---- */

typedef struct draft { /* what stands for a plan */
    bool there;
    block instruction;
} draft;

/* An instruction that is a verdict's mark and nothing else. */
static bool is_verdict(const plain *p, const block *instruction)
{
    enum {
        SIGNS = 8
    };
    plain inner = plain_part(p, instruction->from, instruction->to);
    for (int i = 0; i < VERDICTS; i++) {
        size_t at = 0;
        bool there = block_word(&inner, verdicts[i].name, 0, true, &at) &&
                     planner_is_blank(inner.text, at);
        if (there && inner.size - at <= strlen(verdicts[i].name) + SIGNS)
            return true;
    }
    return false;
}

/* Says the part only that there is nothing to say, as a template that is filled
 * all the same does? */
static bool says_nothing(const plain *p, const block *part)
{
    static const char *const words[] = {"none",    "na",  "null",
                                        "nothing", "nil", "notapplicable"};
    char letters[16];
    size_t used = 0;
    for (size_t i = part->from; i < part->to; i++) {
        if (!ascii_is_letter(p->text[i]))
            continue;
        if (used + 1 >= sizeof letters)
            return false;
        letters[used++] = (char)(p->text[i] | 0x20);
    }
    letters[used] = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(letters, words[i]) == 0)
            return true;
    }
    return false;
}

/* The line [*ret_from, *ret_to) before `end` that has words, without the number
 * that it must begin with. 0: it has none. */
static unsigned numbered_line_before(const plain *p,
                                     size_t end,
                                     size_t *ret_from,
                                     size_t *ret_to)
{
    while (end > 0 && text_is_in(p->text[end - 1], " \t\n"))
        end--;
    size_t from = end;
    while (from > 0 && p->text[from - 1] != '\n')
        from--;
    size_t at = from;
    while (at < end && text_is_in(p->text[at], " *"))
        at++;
    size_t sign = at + 1;
    bool is_item = sign + 1 < end && ascii_is_digit(p->text[at]) &&
                   text_is_in(p->text[sign], ".)");
    if (!is_item)
        return 0;
    *ret_from = sign + 1;
    *ret_to = end;
    return (unsigned)(p->text[at] - '0');
}

/* "3. Put ..", "4. The bottom of the object should be around [x, y].": the
 * numbers and the sentence of our prompts without their marks. The last line
 * but what is blank. */
static bool find_numbered(const plain *p, block *ret_instruction)
{
    static const char *const sentences[] = {
        "of the object should be", "of the object is", "of the object at"};
    size_t from = 0, to = 0, before_from = 0, before_to = 0;
    double point[2];
    point_unit unit = POINT_PLAIN;
    const unsigned last = numbered_line_before(p, p->size, &from, &to);
    size_t line = from;
    while (line > 0 && p->text[line - 1] != '\n')
        line--;
    bool is_place = false;
    for (size_t i = 0; last && i < sizeof sentences / sizeof *sentences; i++)
        is_place = is_place || memmem(p->text + from, to - from, sentences[i],
                                      strlen(sentences[i])) != NULL;
    is_place =
        is_place && point_find(p->text + from, to - from, point, &unit) == 1;
    if (!is_place ||
        numbered_line_before(p, line, &before_from, &before_to) + 1 != last)
        return false;
    *ret_instruction = (block){.text = p->text + before_from,
                               .size = before_to - before_from,
                               .from = before_from,
                               .to = before_to,
                               .begin = before_from,
                               .behind = before_to,
                               .end = BLOCK_CLOSED};
    return true;
}

/* Beside a plan a verdict must stand alone on its line: an instruction may well
 * speak of <finished>. */
static verdict_search find_verdict(const plain *p, const draft *d)
{
    verdict_search found = {.count = 0};
    if (d->there) {
        find_verdicts(p, 0, d->instruction.begin, true, &found);
        find_verdicts(p, d->instruction.behind, p->size, true, &found);
        if (!found.count && is_verdict(p, &d->instruction))
            found = (verdict_search){.count = 1, .at = d->instruction.begin};
    } else {
        find_verdicts(p, 0, p->size, true, &found);
        if (!found.count)
            find_verdicts(p, 0, p->size, false, &found);
        if (!found.count)
            find_last_lines(p, &found);
    }
    return found;
}

/* A verdict that fills the instruction's part, where no coordinate stands
 * beside it: which one. */
static bool is_told_as_plan(const plain *p,
                            const draft *d,
                            verdict_search *verdict)
{
    block coordinate;
    verdict_search within = {.count = 0};
    bool has_place =
        block_find(p, BLOCK_COORDINATE, &coordinate, NULL) == ETNA_OK &&
        !says_nothing(p, &coordinate);
    if (has_place || !is_verdict(p, &d->instruction))
        return false;
    find_verdicts(p, d->instruction.from, d->instruction.to, true, &within);
    if (within.count != 1)
        return false;
    *verdict = (verdict_search){
        .count = 1, .at = d->instruction.begin, .status = within.status};
    return true;
}

/* Without the quotes, emphasis or list sign around all of it. */
static const char *planner_bare(char *text)
{
    static const char around[] = "\"'`*_";
    size_t size = strlen(text);
    while (size > 2 && text_is_in(*text, "->") && text[1] == ' ') {
        text += 2;
        size -= 2;
    }
    while (size > 2 && text_is_in(*text, around) && text[size - 1] == *text) {
        char sign = *text;
        const char *next = memchr(text + 1, sign, size - 2);
        const bool quotes = next && !text_is_in(sign, "*_");
        /* "A" onto "B": no quotes of all */
        const bool ends_first = quotes && next[-1] != ' ';
        if (ends_first)
            break;
        text[--size] = 0;
        text++;
        size--;
    }
    return text;
}

/* "Updated instruction: .." within its own block, YAML's sign of a text that
 * follows, a table's line. */
static char *drop_label(char *text)
{
    static const char *const labels[] = {"updated instruction",
                                         "updated_instruction", "instruction",
                                         "new instruction"};
    const char *cell = strstr(text, " |"); /* and the rule beneath it */
    bool is_cell = cell && cell[strspn(cell, " |-")] == 0;
    if (is_cell)
        text[cell - text] = 0;
    if (text_is_in(*text, "|>") &&
        text_is_in(text[1 + strspn(text + 1, "-+")], " "))
        text += 1 + strspn(text + 1, " -+");
    char *at = text + strspn(text, "*_ `");
    /* "Updated instruction (step 1): .." */
    const char *aside = *at == '(' ? strstr(at, "):") : NULL;
    enum {
        ASIDE_MAX = 24
    };
    bool is_aside = aside && aside - at < ASIDE_MAX;
    if (is_aside)
        return text + (aside + 2 - text) + strspn(aside + 2, "*_` ");
    static const char step[] = "step ";
    size_t digits = strncasecmp(at, step, sizeof step - 1) == 0
                        ? strspn(at + sizeof step - 1, "0123456789")
                        : 0;
    char *numbered = at + sizeof step - 1 + digits; /* "Step 1: .." */
    if (digits > 0 && text_is_in(*numbered, ":.)"))
        return numbered + 1 + strspn(numbered + 1, "*_` ");
    size_t count = strspn(at, "0123456789");
    bool is_item =
        count > 0 && text_is_in(at[count], ".)") && at[count + 1] == ' ';
    if (is_item)
        /* "1. Put .." */
        return at + count + 1 + strspn(at + count + 1, "*_` ");
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t length = strlen(labels[i]);
        if (strncasecmp(at, labels[i], length) != 0)
            continue;
        char *behind = at + length + strspn(at + length, "*_` ");
        if (text_is_in(*behind, ":="))
            return behind + 1 + strspn(behind + 1, "*_` ");
    }
    return text;
}

/* The sign of a quotation that the line begins with: how long. */
static size_t quote_sign(const char *line)
{
    size_t blank = strspn(line, " \t"), signs = strspn(line + blank, ">");
    bool is_blank =
        signs > 0 && (line[blank + signs] == '\n' || !line[blank + signs]);
    if (is_blank)
        return blank + signs;
    return signs > 0 && line[blank + signs] == ' ' ? blank + signs + 1 : 0;
}

/* Lines of a code fence are no part of it, nor are the signs of a quotation
 * before its lines. */
static void drop_fences(char *text)
{
    char *out = text;
    for (char *line = text; *line;) {
        size_t size = strcspn(line, "\n");
        size_t whole = size + (line[size] == '\n');
        const char *sign = line + strspn(line, " \t");
        bool rule = strspn(sign, "-*_=") >= 3 &&
                    text_is_in(sign[strspn(sign, "-*_= ")], "\n");
        bool fence = rule || strncmp(sign, "```", 3) == 0 ||
                     strncmp(sign, ":::", 3) == 0;
        size_t quote = quote_sign(line);
        if (!fence) {
            memmove(out, line + quote, whole - quote);
            out += whole - quote;
        }
        line += whole;
    }
    *out = 0;
}

/* How long the tag at `text` is that only says how words look; 0: there is
 * none. *ret_parts: it parts words. */
static size_t look_tag(const char *text, bool *ret_parts)
{
    enum {
        PARTING = 6
    }; /* the first of them */
    static const char *const names[] = {"br",     "p",    "h1",  "h2", "h3",
                                        "h4",     "b",    "i",   "u",  "em",
                                        "strong", "code", "span"};
    if (*text != '<')
        return 0;
    const char *name = text + 1 + (text[1] == '/');
    size_t length = strcspn(name, " />"),
           end = length + strspn(name + length, " /");
    for (size_t i = 0; name[end] == '>' && i < sizeof names / sizeof *names;
         i++) {
        bool same = strlen(names[i]) == length &&
                    strncasecmp(name, names[i], length) == 0;
        *ret_parts = i < PARTING;
        if (same)
            return (size_t)(name + end + 1 - text);
    }
    return 0;
}

/* <b>, <span ..>: words stay. */
static void drop_look_tags(char *text)
{
    char *out = text;
    while (*text) {
        bool parts = false;
        size_t tag = look_tag(text, &parts);
        if (!tag || parts)
            *out++ = tag ? ' ' : *text;
        text += tag ? tag : 1;
    }
    *out = 0;
}

/* Its lines as one; but further places, each on a line that begins with "or",
 * stay on theirs (arrange.proto, Result). NULL: out of memory. */
static char *clean_instruction(etna_arena *arena, const char *said)
{
    char *text = NULL;
    for (const char *line = said; line && *line;) {
        size_t size = strcspn(line, "\n");
        while (line[size] && strncmp(line + size, "\nor ", 4) != 0)
            size += 1 + strcspn(line + size + 1, "\n");
        char *clean = text_clean(arena, line, size, ARRANGE_INSTRUCTION_MAX);
        text = text && clean ? etna_arena_printf(arena, "%s\n%s", text, clean)
                             : clean;
        if (!text)
            return NULL;
        line = line[size] ? line + size + 1 : NULL;
    }
    return text ? text : etna_arena_strdup(arena, "");
}

/* Cleans what was said in the order fences, tags, lines, label, quotes: each
 * may stand within the next. */
static etna_code take_instruction(char *said,
                                  etna_arena *arena,
                                  planner_result *result,
                                  etna_error *err)
{
    if (!said)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    drop_fences(said);
    drop_look_tags(said);
    size_t size = strlen(said);
    if (size > ARRANGE_INSTRUCTION_MAX) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the instruction has %zu bytes, at most %d are read",
                         size, ARRANGE_INSTRUCTION_MAX);
    }
    char *clean = clean_instruction(arena, said);
    if (!clean)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    clean = drop_label(clean);
    result->status = PLAN_EDIT;
    result->instruction = planner_bare(clean);
    if (!result->instruction[0])
        return etna_fail(err, ETNA_E_INPUT,
                         "the [updated_instruction] block is empty");
    return ETNA_OK;
}

/* The coordinate that belongs to the instruction: behind it, marked or not;
 * before it where there is one draft only. */
static etna_code find_coordinate(const plain *p,
                                 const block *instruction,
                                 block *ret,
                                 etna_error *err)
{
    plain behind = plain_part(p, instruction->behind, p->size),
          before = plain_part(p, 0, instruction->begin);
    block earlier, rest = {.text = behind.text, .size = behind.size};
    double point[2];
    point_unit unit = POINT_PLAIN;
    if (instruction->end == BLOCK_MARKED)
        behind = plain_part(p, instruction->to, p->size);
    if (block_find(&behind, BLOCK_COORDINATE, ret, NULL) == ETNA_OK)
        return ETNA_OK;
    bool several =
        block_find(&before, BLOCK_INSTRUCTION, &earlier, NULL) == ETNA_OK;
    /* said again, and then cut off */
    bool same = several && earlier.size == instruction->size &&
                memcmp(earlier.text, instruction->text, earlier.size) == 0;
    if ((same || !several) &&
        block_find(&before, BLOCK_COORDINATE, ret, NULL) == ETNA_OK)
        return ETNA_OK;
    if (point_find(rest.text, rest.size, point, &unit) != 1)
        rest = (block){.text = instruction->text, .size = instruction->size};
    if (point_find(rest.text, rest.size, point, &unit) != 1)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_COORDINATE);
    *ret = rest;
    return ETNA_OK;
}

/* "Location: bottom at [0.5, 0.5]" as a line of its own. */
static bool find_place_line(const plain *p, block *ret)
{
    static const char *const labels[] = {
        "location",    "position",        "target",         "place",
        "destination", "target location", "target position"};
    for (size_t line = 0; line < p->size; line++) {
        size_t at = line, end = line;
        while (at < p->size && text_is_in(p->text[at], " \t*_#`>-.)0123456789"))
            at++;
        while (end < p->size && p->text[end] != '\n')
            end++;
        for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
            size_t size = strlen(labels[i]), behind = at + size;
            bool same =
                behind < end && strncasecmp(p->text + at, labels[i], size) == 0;
            while (same && behind < end && text_is_in(p->text[behind], "*_` "))
                behind++;
            if (!same || p->text[behind] != ':')
                continue;
            *ret = (block){.text = p->text + behind + 1,
                           .size = end - behind - 1,
                           .from = behind + 1,
                           .to = end,
                           .begin = line,
                           .behind = end,
                           .end = BLOCK_OPEN};
            return true;
        }
        line = end;
    }
    return false;
}

static const char coordinate_word[] = "coordinate";

/* Is the word at `at` a label: with a colon behind it, perhaps in the plural or
 * with an aside of a few words in brackets? */
static bool is_coordinate_label(const plain *p, size_t at)
{
    enum {
        ASIDE_MAX = 24
    };
    const size_t size = sizeof coordinate_word - 1;
    bool is_within =
        ascii_is_letter_or_beyond(p->text[at - 1]) || p->text[at - 1] == '_';
    if (is_within || strncasecmp(p->text + at, coordinate_word, size) != 0)
        return false;
    size_t end = at + size;
    while (end < p->size && text_is_in(p->text[end], "s*_` "))
        end++;
    const char *shut = end < p->size && p->text[end] == '('
                           ? memchr(p->text + end, ')', p->size - end)
                           : NULL;
    if (shut && shut - (p->text + end) < ASIDE_MAX)
        end = (size_t)(shut - p->text) + 1;
    while (end < p->size && text_is_in(p->text[end], "*_` "))
        end++;
    return end < p->size && p->text[end] == ':';
}

/* "Coordinate (bottom): (0.5, 0.5)" in the midst of a line. */
static bool find_coordinate_label(const plain *p, block *ret)
{
    for (size_t at = 1; at + sizeof coordinate_word <= p->size; at++) {
        if (!is_coordinate_label(p, at))
            continue;
        size_t begin = at;
        while (begin > 0 && text_is_in(p->text[begin - 1], "*_`# "))
            begin--;
        *ret = (block){.text = p->text + at,
                       .size = p->size - at,
                       .from = at,
                       .to = p->size,
                       .begin = begin,
                       .behind = p->size,
                       .end = BLOCK_OPEN};
        return true;
    }
    return false;
}

/* The coordinate that stands within an instruction's part, which may have no
 * other end: by its mark, also in the midst of a line, or as a line that says
 * where. */
static bool find_coordinate_within(const plain *p, block_end end, block *ret)
{
    static const char mark[] = "[coordinate]";
    double point[2];
    point_unit unit = POINT_PLAIN;
    if (block_find(p, BLOCK_COORDINATE, ret, NULL) == ETNA_OK)
        return true;
    if (end != BLOCK_OPEN)
        return false;
    const char *at = memmem(p->text, p->size, mark, sizeof mark - 1);
    size_t from = at ? (size_t)(at - p->text) + sizeof mark - 1 : 0;
    if (at)
        *ret = (block){.text = p->text + from,
                       .size = p->size - from,
                       .from = from,
                       .to = p->size,
                       .begin = from - (sizeof mark - 1),
                       .behind = p->size,
                       .end = BLOCK_OPEN};
    bool is_said =
        at || find_coordinate_label(p, ret) || find_place_line(p, ret);
    return is_said && point_find(ret->text, ret->size, point, &unit) == 1;
}

/* The instruction ends where a coordinate begins in it: some models close
 * neither. `scale` NULL: no coordinate is asked for. */
static etna_code read_blocks(const plain *p,
                             const draft *d,
                             picture_scale *scale,
                             etna_arena *arena,
                             planner_result *result,
                             etna_error *err)
{
    block coordinate, own = d->instruction;
    block *instruction = &own;
    plain within = plain_part(p, instruction->from, instruction->to);
    bool is_inside =
        scale &&
        find_coordinate_within(&within, instruction->end, &coordinate) &&
        coordinate.begin > 0;
    if (instruction->end == BLOCK_OPEN && !is_inside) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the [%s] block is cut off: [end of %s] is missing",
                         BLOCK_INSTRUCTION, BLOCK_INSTRUCTION);
    }
    if (is_inside)
        instruction->to = instruction->from + coordinate.begin;
    etna_code code = scale && !is_inside
                         ? find_coordinate(p, instruction, &coordinate, err)
                         : ETNA_OK;
    if (code == ETNA_OK && scale)
        code = read_coordinate(&coordinate, scale, result, err);
    if (code != ETNA_OK)
        return code;
    return take_instruction(
        plain_written(p, instruction->from, instruction->to, arena), arena,
        result, err);
}

/* {"status": "finished"}, {"impossible": true}: an object that says the
 * verdict. NULL: there is none. New reference. */
static json_t *find_verdict_object(const plain *p, arrange_plan_status *ret)
{
    static const char *const keys[] = {"status", "verdict", "state", "decision",
                                       "result", "action",  "name"};
    for (int i = 0; i < VERDICTS; i++) {
        json_t *object = loose_find(p->text, p->size, verdicts[i].name);
        *ret = verdicts[i].status;
        if (json_is_true(loose_member(object, verdicts[i].name)))
            return object;
        json_decref(object);
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        json_t *object = loose_find(p->text, p->size, keys[k]);
        const char *said = json_string_value(loose_member(object, keys[k]));
        int named = said ? verdict_named(said, strlen(said)) : VERDICTS;
        if (named < VERDICTS) {
            *ret = verdicts[named].status;
            return object;
        }
        json_decref(object);
    }
    return NULL;
}

/* With the reason, under whichever name it has. */
static etna_code read_verdict_object(const json_t *object,
                                     arrange_plan_status status,
                                     etna_arena *arena,
                                     planner_result *result,
                                     etna_error *err)
{
    static const char *const keys[] = {"reason", "explanation", "why",
                                       "message", "analysis"};
    const char *said = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !said; i++)
        said = json_string_value(loose_member(object, keys[i]));
    result->status = status;
    result->reason =
        said ? text_clean(arena, said, strlen(said), ARRANGE_REASON_MAX) : "";
    return result->reason ? ETNA_OK
                          : etna_fail(err, ETNA_E_NOMEM,
                                      "out of memory while reading a plan");
}

/* The member that says where, by one of the names that models give it. NULL:
 * there is none. Borrowed. */
static json_t *planner_place_member(const json_t *object)
{
    static const char *const names[] = {BLOCK_COORDINATE,
                                        "coordinates",
                                        "bottom_coordinate",
                                        "center_coordinate",
                                        "target_coordinate",
                                        "coord",
                                        "target",
                                        "location",
                                        "position",
                                        "point",
                                        "destination"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *found = loose_member(object, names[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* The sentence that a member holds, itself or as {"object": .., "instruction":
 * ..}. NULL: none. Borrowed. */
static const char *planner_sentence(const json_t *said)
{
    static const char *const names[] = {"text", "instruction", "sentence",
                                        "content"};
    if (!json_is_object(said))
        return json_string_value(said);
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = json_string_value(loose_member(said, names[i]));
    return found;
}

/* What an object says of where: the member that is the place, and the rest of
 * the object as words. */
typedef struct object_place {
    const json_t *coordinate; /* borrowed; NULL: it says none */
    block words;              /* of all members but the instruction */
    block where;              /* of the coordinate */
} object_place;

/* The coordinate as it is written: its own text, or {"bottom": [x, y]} as JSON.
 * NULL: there is none, or out of memory. */
static const char *coordinate_text(const json_t *coordinate, etna_arena *arena)
{
    const char *own = json_string_value(coordinate);
    return own || !coordinate
               ? own
               : text_json_short(arena, coordinate, JSON_COMPACT);
}

/* NULL is "". */
static block block_of_text(const char *text)
{
    return (block){.text = text ? text : "", .size = text ? strlen(text) : 0};
}

/* Underscores become blanks so that "bottom_coordinate" reads as words. */
static object_place object_place_of(json_t *object, etna_arena *arena)
{
    object_place place = {.coordinate = planner_place_member(object)};
    json_t *rest = json_copy(object);
    json_object_del(rest, BLOCK_INSTRUCTION);
    json_object_del(rest, "instruction");
    char *dump = text_json_short(arena, rest, JSON_COMPACT);
    json_decref(rest);
    for (char *at = dump; at && *at; at++)
        /* "bottom_coordinate" says which part it is */
        *at = *at == '_' ? ' ' : *at;
    place.words = block_of_text(dump);
    place.where = block_of_text(coordinate_text(place.coordinate, arena));
    return place;
}

/* The pixel that it says, or the middle of a box's lower side. */
static etna_code object_place_read(const object_place *place,
                                   picture_scale *scale,
                                   planner_result *result,
                                   etna_error *err)
{
    const char *const text = place->where.text;
    const size_t size = place->where.size;
    point_unit unit = POINT_PLAIN;
    double point[2];
    const bool is_point =
        point_read(place->coordinate, NULL, point, &unit) == 1 ||
        (size && point_find(text, size, point, &unit) == 1);
    const bool is_box =
        !is_point && (point_read_box(place->coordinate, point) ||
                      (size && point_find_box(text, size, point)));
    if (!is_point && !is_box)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_COORDINATE);
    memcpy(result->coordinate, point, sizeof point);
    bool is_taken = is_point || scale_takes_box(scale, err);
    is_taken = is_taken && scale_point(scale, result->coordinate,
                                       is_point ? unit : POINT_PLAIN, err);
    const block *const where = is_point ? &place->where : &place->words;
    etna_code code = is_taken
                         ? read_anchor(&place->words, where, scale, result, err)
                         : ETNA_E_INPUT;
    result->coordinates = scale->found;
    return code;
}

/* A verdict of the object, or what is wrong with one that has neither a plan
 * nor a verdict alone. */
static etna_code object_read_verdict(const json_t *verdict,
                                     arrange_plan_status status,
                                     bool has_plan,
                                     etna_arena *arena,
                                     planner_result *result,
                                     etna_error *err)
{
    if (!verdict)
        return etna_fail(err, ETNA_E_INPUT, "there is no [%s] block",
                         BLOCK_INSTRUCTION);
    if (has_plan)
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives a verdict and a plan; give one or the other");
    return read_verdict_object(verdict, status, arena, result, err);
}

/* A plan, or a verdict, as members of one object. */
static etna_code planner_read_object(const plain *p,
                                     picture_scale *scale,
                                     etna_arena *arena,
                                     planner_result *result,
                                     etna_error *err)
{
    json_t *object = loose_find(p->text, p->size, BLOCK_INSTRUCTION);
    if (!object)
        object = loose_find(p->text, p->size, "instruction");
    json_t *said = loose_member(object, BLOCK_INSTRUCTION);
    if (!said)
        said = loose_member(object, "instruction");
    const char *text = planner_sentence(said);
    arrange_plan_status status = PLAN_MALFORMED;
    json_t *verdict = find_verdict_object(p, &status);
    const bool has_plan = text && *text;
    if (verdict || !has_plan) {
        etna_code code =
            object_read_verdict(verdict, status, has_plan, arena, result, err);
        json_decref(verdict);
        json_decref(object);
        return code;
    }
    char *copy = etna_arena_strdup(arena, text);
    etna_code code = ETNA_OK;
    if (scale) {
        const object_place place = object_place_of(object, arena);
        code = object_place_read(&place, scale, result, err);
    }
    json_decref(object);
    return code == ETNA_OK ? take_instruction(copy, arena, result, err) : code;
}

/* `scale` NULL: no coordinate is asked for. */
static etna_code read_plan(const char *text,
                           picture_scale *scale,
                           etna_arena *arena,
                           planner_result *ret,
                           etna_error *err)
{
    planner_result result = {.instruction = "", .reason = ""};
    plain p;
    draft d = {.there = false};
    etna_code code = plain_make(text, arena, &p, err);
    if (code != ETNA_OK)
        return code;
    d.there = block_find(&p, BLOCK_INSTRUCTION, &d.instruction, NULL) == ETNA_OK
                  ? !says_nothing(&p, &d.instruction)
                  : scale && find_numbered(&p, &d.instruction);
    verdict_search verdict = find_verdict(&p, &d);
    if (d.there && verdict.count == 1 && is_told_as_plan(&p, &d, &verdict))
        d.there = false;
    if (verdict.count > 1)
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives %u verdicts; give at most one of <finished>, <impossible>, <unreadable>",
            verdict.count);
    if (verdict.count == 1 && d.there && is_foretold(&p, verdict.at))
        verdict.count = 0;
    if (verdict.count == 1 && d.there)
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives a verdict and a plan; give one or the other");
    if (verdict.count == 1) {
        result.status = verdict.status;
        result.reason = words_before(&p, verdict.at, arena);
        if (!result.reason)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading a plan");
    } else {
        code = d.there ? read_blocks(&p, &d, scale, arena, &result, err)
                       : planner_read_object(&p, scale, arena, &result, err);
    }
    if (code != ETNA_OK)
        return code;
    if (!read_beside(&p, arena, &result))
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading a plan");
    *ret = result;
    return ETNA_OK;
}

/* As executor_read. A question about the coordinate ends the search: another
 * reading would hide it. */
static etna_code read_wrapped(const char *text,
                              picture_scale *scale,
                              etna_arena *arena,
                              planner_result *ret,
                              etna_error *err)
{
    const char *own = inner_own_turn(text, arena),
               *carried = inner_carried(text, arena);
    const uint32_t asked = scale ? scale_questions(scale) : 0;
    if (own && read_plan(own, scale, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    if (own && scale && scale_questions(scale) > asked)
        return ETNA_E_INPUT;
    if (carried && read_plan(carried, scale, arena, ret, err) == ETNA_OK)
        return ETNA_OK;
    /* read, but for what is unclear in it */
    bool is_asked = scale && scale_questions(scale) > asked;
    if (is_asked)
        return ETNA_E_INPUT;
    etna_code code = read_plan(text, scale, arena, ret, err);
    const char *inner = code == ETNA_E_INPUT ? inner_text(text, arena) : NULL;
    bool is_read =
        inner && read_plan(inner, scale, arena, ret, NULL) == ETNA_OK;
    return is_read ? ETNA_OK : code;
}

/* For tests and the log as well as for the agent: the pure reader. */
etna_code planner_read(const char *text,
                       picture_scale *known,
                       etna_arena *arena,
                       planner_result *ret,
                       etna_error *err)
{
    picture_scale none = {.known = COORDINATES_UNKNOWN};
    return read_wrapped(text, known ? known : &none, arena, ret, err);
}

/* For answers that have the plan in plain words. */
etna_code planner_read_words(const char *text,
                             etna_arena *arena,
                             planner_result *ret,
                             etna_error *err)
{
    return read_wrapped(text, NULL, arena, ret, err);
}

/* A network model's instruction goes on as one line of plain characters:
 * whoever carries it out may know no others. The built-in agent writes names as
 * the scene has them, whatever is in them. */
static etna_code make_plain(agent *a, etna_error *err)
{
    plain p;
    planner_result *result = &a->result.planner;
    bool keeps =
        strcmp(a->request.model, "builtin") == 0 || result->status != PLAN_EDIT;
    if (keeps)
        return ETNA_OK;
    etna_code code = plain_make(result->instruction, &a->arena, &p, err);
    if (code != ETNA_OK || p.size == 0)
        return code;
    result->instruction =
        text_clean(&a->arena, p.text, p.size, ARRANGE_INSTRUCTION_MAX);
    return result->instruction
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM,
                           "out of memory while reading a plan");
}

/* Coordinates are brought to shares of the picture. */
static etna_code planner_read_reply(agent *a, const char *text, etna_error *err)
{
    etna_code code =
        planner_read(text, &a->scale, &a->arena, &a->result.planner, err);
    return code == ETNA_OK ? make_plain(a, err) : code;
}

/* In the ablation without a coordinate (VULCAN table 3). */
static etna_code planner_take_words(agent *a, const char *text, etna_error *err)
{
    etna_code code =
        planner_read_words(text, &a->arena, &a->result.planner, err);
    return code == ETNA_OK ? make_plain(a, err) : code;
}

/* PLAN_MALFORMED. */
static void planner_give_up(agent *a, const char *reason)
{
    a->result.planner = (planner_result){
        .status = PLAN_MALFORMED, .instruction = "", .reason = reason};
}

/* "current": for which of them the step is; "passed_over": with why. */
static json_t *list_instructions(agent *a, const arrange_task *task)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    const uint32_t marked = planner_current(task);
    for (uint32_t i = 0; ok && i < task->step_count; i++) {
        json_t *row = json_object();
        const arrange_passed *passed = planner_passed(task, i + 1);
        bool current = i + 1 == marked;
        ok = agent_json_set(row, "number", json_integer(i + 1)) &&
             agent_json_set(
                 row, "text",
                 agent_json_text(a, task->steps[i], ARRANGE_INSTRUCTION_MAX)) &&
             (!current || agent_json_set(row, "current", json_true())) &&
             (!passed || agent_json_set(row, "passed_over",
                                        agent_json_text(a, passed->reason,
                                                        ARRANGE_NAME_MAX)));
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* What of a goal was passed over, as bytes of it and why. */
static json_t *planner_left_out(agent *a, const arrange_task *task)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = 0; ok && i < task->passed_count; i++) {
        const arrange_passed *passed = &task->passed[i];
        json_t *span = json_pack("[I,I]", (json_int_t)passed->part.from,
                                 (json_int_t)passed->part.to);
        json_t *row = json_object();
        ok = agent_json_set(row, "span", span) &&
             agent_json_set(
                 row, "why",
                 agent_json_text(a, passed->reason, ARRANGE_NAME_MAX));
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* What the run's reader made of the goal: it was checked before it was
 * journaled. */
static bool put_meaning(json_t *block_json, const char *meaning)
{
    json_t *value = json_loads(meaning, JSON_REJECT_DUPLICATES, NULL);
    return !value || agent_json_set(block_json, "meaning", value);
}

/* What was asked, done and tried; the pictures come beside it. */
json_t *planner_task(agent *a, const arrange_task *task)
{
    json_t *block_json = json_object();
    bool ok = task->goal
                  ? agent_json_set(
                        block_json, "goal",
                        agent_json_text(a, task->goal, ARRANGE_INSTRUCTION_MAX))
                  : agent_json_set(block_json, "instructions",
                                   list_instructions(a, task));
    if (task->goal && task->passed_count)
        ok = ok &&
             agent_json_set(block_json, "left_out", planner_left_out(a, task));
    ok = ok && agent_json_set(block_json, "step", json_integer(task->step));
    ok = ok && agent_json_set(block_json, "maximum_steps",
                              json_integer(task->max_steps));
    ok = ok && agent_json_set(block_json, "edits", agent_json_edits(a, task));
    if (!etna_hash_is_zero(&task->start))
        ok = ok &&
             agent_json_set(block_json, "before", agent_json_before(a, task));
    if (task->meaning && *task->meaning)
        ok = ok && put_meaning(block_json, task->meaning);
    ok = ok && agent_json_set(block_json, "failed_here",
                              agent_json_failures(a, task));
    ok = ok && agent_json_set(block_json, "given_up_here",
                              agent_json_given_up(a, task));
    if (ok)
        return block_json;
    json_decref(block_json);
    return NULL;
}

/* The start, each step's result, the present. Returns NULL: out of memory. All
 * but the last are the same in the next step, so they are marked stable. */
agent_picture *planner_history(agent *a,
                               const arrange_task *task,
                               uint32_t *ret_count)
{
    agent_picture *pictures =
        etna_arena_alloc(&a->arena, task->edit_count + 2, sizeof *pictures);
    if (!pictures)
        return NULL;
    uint32_t used = 0;
    /* Where something was is read from the first: it has the grid, too, and a
     * smaller one will do for that. The results tell what was done, for which
     * half the side will do. */
    model_image image = {.camera = a->camera,
                         .width = a->width * 6 / 7,
                         .height = a->height * 6 / 7,
                         .grid = true};
    image.snapshot = task->first_snapshot;
    if (task->edit_count > 0)
        pictures[used++] = (agent_picture){
            "Image 1: the scene at the start, under the grid.", image, true};
    image.width = a->width * 4 / 7;
    image.height = a->height * 4 / 7;
    for (uint32_t i = 0; i < task->edit_count; i++) {
        image.before = i ? task->edits[i - 1].snapshot : task->first_snapshot;
        image.snapshot = task->edits[i].snapshot;
        image.object = etna_arena_strdup(
            &a->arena, task->edits[i].object ? task->edits[i].object : "");
        const char *label = etna_arena_printf(
            &a->arena, "Image %u: the result of step %u, under the grid.",
            used + 1, task->edits[i].step);
        if (!image.object || !label)
            return NULL;
        pictures[used++] = (agent_picture){label, image, true};
    }
    model_image now = {.camera = a->camera,
                       .width = a->width,
                       .height = a->height,
                       .grid = true,
                       .snapshot = task->snapshot};
    const char *label = etna_arena_printf(
        &a->arena, "Image %u: the current scene, under the grid.", used + 1);
    if (!label)
        return NULL;
    pictures[used++] = (agent_picture){label, now, false};
    *ret_count = used;
    return pictures;
}

/* The template by the form of the request; "-coordinate" leaves out what is
 * said of coordinates. */
static const char *prompt_of(const arrange_task *task, bool points)
{
    if (task->goal)
        return points ? "planner_goal" : "planner_goal-coordinate";
    if (task->open_list)
        return points ? "planner_list" : "planner_list-coordinate";
    return points ? "planner_steps" : "planner_steps-coordinate";
}

/* Polls are for the evaluator; hence 0. */
etna_code planner_begin(const arrange_task *task,
                        const agent_view *view,
                        agent **ret_agent,
                        agent_step *ret_step,
                        etna_error *err)
{
    static const agent_role pointing = {ROLE_PLANNER, 1, planner_read_reply,
                                        planner_give_up},
                            wordy = {ROLE_PLANNER, 1, planner_take_words,
                                     planner_give_up};
    bool points = task->ablation != ABLATION_NO_PLANNER_COORDINATE;
    agent *a = NULL;
    etna_code code =
        agent_new(points ? &pointing : &wordy, task, view, &a, err);
    if (code != ETNA_OK)
        return code;
    a->slot.poll = 0;
    a->is_wordy = !points;
    uint32_t picture_count = 0;
    agent_picture *pictures = planner_history(a, task, &picture_count);
    const char *prompt = prompt_of(task, points);
    code = pictures ? agent_open(a, prompt, planner_task(a, task),
                                 picture_count, pictures, view->facts, err)
                    : etna_fail(err, ETNA_E_NOMEM,
                                "out of memory while beginning a plan");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

/* Borrowed from the agent. */
const planner_result *planner_done(const agent *a)
{
    return &a->result.planner;
}
