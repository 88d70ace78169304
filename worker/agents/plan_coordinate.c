/* The coordinate of an answer: where it stands, which of several is meant, and
 * whether it is the object's bottom or its center. */
#include "proto/array.h"
#include "worker/agents/plan_internal.h"

#include "proto/ascii.h"
#include "worker/agents/loose.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* "bottom center" is the middle of the bottom. */
static bool says_bottom_centre(const block *b)
{
    static const char *const words[] = {
        "bottom center",        "bottom centre",        "bottom-center",
        "bottom-centre",        "bottom_center",        "center of the bottom",
        "centre of the bottom", "center of its bottom", "middle of its bottom"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
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
    for (size_t i = 0; i < COUNT_OF(behind); i++) {
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

etna_code plan_read_anchor(const block *b,
                           const block *where,
                           picture_scale *scale,
                           planner_result *result,
                           etna_error *err)
{
    bool bottom = says_one_of(b, bottoms);
    bool centre = says_one_of(b, centres);
    if (bottom && centre && says_bottom_centre(b))
        centre = false;
    if (bottom && centre) {
        bool of_bottom = says_of_object(b, "bottom");
        bool of_centre =
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
    led_point p;
    led_point found = {.unit = POINT_PLAIN};
    uint32_t count = 0;
    bool is_bottom = false;
    for (size_t from = 0; next_led_point(b, &from, &p);) {
        if (says_one_of(&p.lead, asides))
            continue;
        if (says_one_of(&p.lead, corrections))
            count = 0;
        bool bottom =
            says_one_of(&p.lead, bottoms) && !says_one_of(&p.lead, centres);
        bool centre =
            says_one_of(&p.lead, centres) && !says_one_of(&p.lead, bottoms);
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

etna_code plan_read_coordinate(const block *b,
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
    return plan_read_anchor(&said, &said, scale, result, err);
}

etna_code plan_find_coordinate(const plain *p,
                               const block *instruction,
                               block *ret,
                               etna_error *err)
{
    plain behind = plain_part(p, instruction->behind, p->size);
    plain before = plain_part(p, 0, instruction->begin);
    block earlier;
    block rest = {.text = behind.text, .size = behind.size};
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
        at = text_skip(p->text, at, p->size, " \t*_#`>-.)0123456789");
        while (end < p->size && p->text[end] != '\n')
            end++;
        for (size_t i = 0; i < COUNT_OF(labels); i++) {
            size_t size = strlen(labels[i]);
            size_t behind = at + size;
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
    end = text_skip(p->text, end, p->size, "s*_` ");
    const char *shut = end < p->size && p->text[end] == '('
                           ? memchr(p->text + end, ')', p->size - end)
                           : NULL;
    if (shut && shut - (p->text + end) < ASIDE_MAX)
        end = (size_t)(shut - p->text) + 1;
    end = text_skip(p->text, end, p->size, "*_` ");
    return end < p->size && p->text[end] == ':';
}

/* "Coordinate (bottom): (0.5, 0.5)" in the midst of a line. */
static bool find_coordinate_label(const plain *p, block *ret)
{
    for (size_t at = 1; at + sizeof coordinate_word <= p->size; at++) {
        if (!is_coordinate_label(p, at))
            continue;
        size_t begin = text_skip_back(p->text, 0, at, "*_`# ");
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

bool plan_find_coordinate_within(const plain *p, block_end end, block *ret)
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
