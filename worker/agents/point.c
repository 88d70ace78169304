/* See point.h. */
#include "worker/agents/point.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/block.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <string.h>

enum {
    TEXT_MAX = 120
};

static const loose_unit percents[] = {{"%", 1}, {NULL, 0}},
                        pixels[] = {{"px", 1}, {"pixels", 1}, {NULL, 0}};

/* "13/25". */
static bool point_fraction_of(const char *text, double *ret)
{
    const char *end = text ? text + strlen(text) : NULL;
    double over, under;
    if (!text || !block_number(&text, end, &over) || *text != '/')
        return false;
    text++;
    if (!block_number(&text, end, &under) || text != end || under <= 0)
        return false;
    *ret = over / under;
    return true;
}

/* Plain, in pixels, or in percent; a fraction is plain. */
static bool point_number_of(const json_t *value,
                            double *ret,
                            point_unit *ret_unit)
{
    *ret_unit = POINT_PLAIN;
    if (loose_number(value, NULL, ret) ||
        point_fraction_of(json_string_value(value), ret))
        return true;
    *ret_unit = POINT_PIXELS;
    if (loose_number(value, pixels, ret))
        return true;
    *ret_unit = POINT_PERCENT;
    return loose_number(value, percents, ret);
}

/* Both in one unit. */
static bool two_of(const json_t *x,
                   const json_t *y,
                   double ret[2],
                   point_unit *ret_unit)
{
    point_unit units[2];
    double read[2];
    if (!point_number_of(x, &read[0], &units[0]) ||
        !point_number_of(y, &read[1], &units[1]))
        return false;
    if (units[0] != units[1])
        return false;
    ret[0] = read[0];
    ret[1] = read[1];
    *ret_unit = units[0];
    return true;
}

/* "1,000" may be one number or two. */
static bool is_one_or_two(const char *text)
{
    size_t size = strspn(text, "+-0123456789,");
    return text[size] == 0 && strchr(text, ',') != NULL;
}

/* A short text that holds one point and nothing that could be another. */
static bool in_text(const char *text, double ret[2], point_unit *ret_unit)
{
    if (is_one_or_two(text))
        return false;
    return strlen(text) <= TEXT_MAX &&
           point_find(text, strlen(text), ret, ret_unit) == 1;
}

enum {
    CORNERS = 4
};

/* From the upper left to the lower right. */
static bool are_corners(const double at[CORNERS])
{
    const bool is_wide = at[0] >= 0 && at[2] > at[0];
    const bool is_high = at[1] >= 0 && at[3] > at[1];
    return is_wide && is_high;
}

/* Two corners that hardly differ: their middle. */
static bool point_in_box(const json_t *box, double ret[2], point_unit *ret_unit)
{
    /* of the image; thousandths and pixels are like one another */
    static const double least_share = 0.02, least_counted = 20;
    double at[CORNERS];
    for (size_t i = 0; i < CORNERS; i++) {
        if (!loose_number(json_array_get(box, i), NULL, &at[i]))
            return false;
    }
    bool is_share = at[2] <= 1 && at[3] <= 1;
    double most = is_share ? least_share : least_counted;
    double width = at[2] - at[0];
    double height = at[3] - at[1];
    const bool is_narrow = width >= 0 && width <= most;
    const bool is_low = height >= 0 && height <= most;
    const bool is_small = is_narrow && is_low;
    if (!is_small || json_array_size(box) != CORNERS)
        return false;
    ret[0] = (at[0] + at[2]) / 2;
    ret[1] = (at[1] + at[3]) / 2;
    *ret_unit = POINT_PLAIN;
    return true;
}

/* The middle of a box; "box_2d" is what a family calls one whose y comes
 * first. */
static void point_middle(const double at[CORNERS],
                         bool is_y_first,
                         double ret[2])
{
    ret[is_y_first] = (at[0] + at[2]) / 2;
    ret[!is_y_first] = (at[1] + at[3]) / 2;
}

/* The middle of {"bbox_2d": [x1, y1, x2, y2]} or a bare list of four. */
bool point_read_box(const json_t *value, double ret[2])
{
    static const char y_first[] = "box_2d";
    static const char *const names[] = {y_first, "bbox_2d", "bbox", "box",
                                        "bounding_box"};
    double at[CORNERS];
    const json_t *outer =
        json_array_size(value) == 1 ? json_array_get(value, 0) : value;
    const json_t *list = outer;
    for (size_t i = 0; json_is_object(list) && i < COUNT_OF(names); i++) {
        const json_t *member = loose_member(list, names[i]);
        list = member ? member : list;
    }
    if (json_array_size(list) != CORNERS)
        return false;
    for (size_t i = 0; i < CORNERS; i++) {
        if (!loose_number(json_array_get(list, i), NULL, &at[i]))
            return false;
    }
    if (!are_corners(at))
        return false;
    point_middle(at, loose_member(outer, y_first) != NULL, ret);
    return true;
}

/* The member by one of the names that models know for a place. NULL: it has
 * none. */
static const json_t *point_member(const json_t *object)
{
    static const char *const names[] = {"point_2d",   "point",   "coordinates",
                                        "coordinate", "coord",   "xy",
                                        "pixel",      "position"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const json_t *found = loose_member(object, names[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* {"x": .., "y": ..}, {"point_2d": [x, y], "label": ..}, {"bbox_2d": [..]}. */
static bool point_in_object(const json_t *object,
                            double ret[2],
                            point_unit *ret_unit)
{
    if (two_of(loose_member(object, "x"), loose_member(object, "y"), ret,
               ret_unit))
        return true;
    const json_t *list = point_member(object);
    if (json_array_size(list) == 2)
        return two_of(json_array_get(list, 0), json_array_get(list, 1), ret,
                      ret_unit);
    const json_t *box = loose_member(object, "bbox_2d");
    return point_in_box(box ? box : loose_member(object, "bbox"), ret,
                        ret_unit);
}

/* [x, y], or [x, y, 0]: a picture has no depth. */
static bool point_in_list(const json_t *list,
                          double ret[2],
                          point_unit *ret_unit)
{
    double depth = 1;
    size_t size = json_array_size(list);
    bool is_flat = size == 3 &&
                   loose_number(json_array_get(list, 2), NULL, &depth) &&
                   depth == 0;
    return (size == 2 || is_flat) &&
           two_of(json_array_get(list, 0), json_array_get(list, 1), ret,
                  ret_unit);
}

/* Whether the value says a point, in whatever form. */
bool point_is_place(const json_t *value)
{
    double at[2];
    point_unit unit;
    if (json_is_object(value))
        return point_in_object(value, at, &unit);
    return json_is_array(value) && point_in_list(value, at, &unit);
}

/* A point of `value` alone (1), or of it and the number next to it (2); 0:
 * neither. */
uint32_t point_read(const json_t *value,
                    const json_t *next,
                    double ret[2],
                    point_unit *ret_unit)
{
    const json_t *inner =
        json_array_size(value) == 1 ? json_array_get(value, 0) : value;
    const char *text = json_string_value(inner);
    bool found = false;
    if (json_is_array(inner))
        found = point_in_list(inner, ret, ret_unit);
    if (json_is_object(inner))
        found = point_in_object(inner, ret, ret_unit);
    if (text && strpbrk(text, ", ;"))
        found = in_text(text, ret, ret_unit);
    if (found)
        return 1;
    return value && next && two_of(value, next, ret, ret_unit) ? 2 : 0;
}

/* ---- in prose ---- */

static bool point_is_letter(char c)
{
    return ascii_is_letter(c) || c == '_';
}

/* Over spaces, "x=", "y:", quotes and emphasis: what may stand before a number
 * of a pair. */
static const char *skip_label(const char *p, const char *end)
{
    for (;;) {
        p = text_behind(p, end, " \t\n\"'*`~");
        bool labelled =
            p + 1 < end && text_is_in(*p, "xyXY") && !point_is_letter(p[1]);
        if (!labelled)
            return p;
        p = text_behind(p + 1, end, " \t\"'");
        if (p < end && text_is_in(*p, "=:"))
            p++;
    }
}

/* What the unit is that stands at *at, which goes behind it. */
static point_unit point_take_unit(const char **at, const char *end)
{
    static const struct {
        const char *sign;
        point_unit unit;
    } signs[] = {{"%", POINT_PERCENT},
                 {"percent", POINT_PERCENT},
                 {"pixels", POINT_PIXELS},
                 {"px", POINT_PIXELS}};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        size_t size = strlen(signs[i].sign);
        if ((size_t)(end - *at) < size ||
            strncmp(*at, signs[i].sign, size) != 0)
            continue;
        *at += size;
        return signs[i].unit;
    }
    return POINT_PLAIN;
}

/* Words that join the two numbers of a place, or say what they count. */
static bool point_is_joint(const char *at, const char *end)
{
    static const char *const words[] = {"and ", "of ", "from ", "horizontal",
                                        "vertical"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - at) >= size && strncmp(at, words[i], size) == 0)
            return true;
    }
    return false;
}

/* "0,52" as "0.52": where a semicolon parts the two numbers, and nothing stands
 * before the comma but a nought. False: it does not stand there. */
static bool take_comma_number(const char **at,
                              const char *end,
                              bool has_semicolon,
                              double *ret)
{
    enum {
        DIGITS_MAX = 24
    };
    char digits[DIGITS_MAX];
    size_t size = 0;
    while (*at + size < end && text_is_in((*at)[size], "0123456789,"))
        size++;
    const bool fits = size > 2 && size < sizeof digits;
    const bool is_point = has_semicolon && fits && strncmp(*at, "0,", 2) == 0;
    if (!is_point || memchr(*at + 2, ',', size - 2))
        return false;
    memcpy(digits, *at, size);
    digits[size] = 0;
    digits[1] = '.';
    const char *from = digits;
    if (!block_number(&from, digits + size, ret))
        return false;
    *at += size;
    return true;
}

/* Behind a number: "+/- 0.01", which says how sure it is. */
static const char *skip_doubt(const char *p, const char *end)
{
    static const char *const about[] = {"\u00b1", "+/-", "+-"};
    double doubt;
    const char *at = text_behind(p, end, " ");
    for (size_t i = 0; i < COUNT_OF(about); i++) {
        size_t size = strlen(about[i]);
        if ((size_t)(end - at) <= size || strncmp(at, about[i], size) != 0)
            continue;
        at = text_behind(at + size, end, " ");
        return block_number(&at, end, &doubt) ? at : p;
    }
    return p;
}

/* Behind a number: "/ 100", which it is divided by, or how sure it is. */
static const char *take_behind(const char *p, const char *end, double *number)
{
    double divisor;
    const char *at = text_behind(p, end, " ");
    if (at + 1 >= end || *at != '/')
        return skip_doubt(p, end);
    at = text_behind(at + 1, end, " ");
    if (!block_number(&at, end, &divisor) || divisor <= 0)
        return p;
    *number /= divisor;
    return at;
}

/* "0.50-0.54": about the middle of a narrow range. `at` is behind its first
 * number, *number; false: it is none. */
static bool take_range(const char *at, const char *stop, double *number)
{
    /* thousandths, pixels */
    static const double most_share = 0.1, most_counted = 100;
    double last;
    if (at >= stop || *at != '-')
        return false;
    at++;
    if (!block_number(&at, stop, &last) || at != stop)
        return false;
    double wide = last - *number;
    double most = last <= 1 ? most_share : most_counted;
    if (wide <= 0 || wide > most)
        return false;
    *number = (*number + last) / 2;
    return true;
}

/* Where the digits that begin at `digits` end: before the plus of "+/-", and
 * before a stop that ends the sentence. */
static const char *digits_end(const char *digits, const char *end)
{
    const char *p = text_behind(digits, end, "+-.0123456789");
    const bool slash = p < end && *p == '/';
    if (p > digits + 1 && slash && p[-1] == '+')
        p--;
    while (p > digits + 1 && p[-1] == '.')
        p--;
    return p;
}

/* The value of a number that begins at *at, which goes behind it: a plain one,
 * one with a comma for its point, or a narrow range. False: it is none. */
static bool take_value(const char **at,
                       const char *end,
                       bool has_semicolon,
                       double *ret)
{
    const char *digits = *at;
    const char *stop = digits_end(digits, end);
    if (take_comma_number(&digits, end, has_semicolon, ret)) {
        *at = digits;
        return true;
    }
    *at = stop;
    if (!block_number(&digits, stop, ret))
        return false;
    return digits == stop || take_range(digits, stop, ret);
}

/* A number with its unit. Whatever word follows must be one that joins the two
 * numbers of a place: "5 cups" is none. */
static bool point_take_number(const char **at,
                              const char *end,
                              bool has_semicolon,
                              double *ret,
                              point_unit *ret_unit)
{
    const char *p = skip_label(*at, end);
    if (!take_value(&p, end, has_semicolon, ret))
        return false;
    p = text_behind(take_behind(p, end, ret), end, " ");
    *ret_unit = point_take_unit(&p, end);
    p = text_behind(p, end, " ");
    if (p < end && point_is_letter(*p) && !point_is_joint(p, end))
        return false;
    *at = text_behind(p, end, " \t\n\"'*`");
    return true;
}

/* Behind ", 0", the depth that a picture does not have; else `p`. */
static const char *skip_depth(const char *p, const char *end)
{
    const char *at = p;
    double depth;
    if (at >= end || *at != ',')
        return p;
    at++;
    at = text_behind(at, end, " ");
    return block_number(&at, end, &depth) && depth == 0 ? at : p;
}

/* The axis' letter before a number, small; 0: there is none. */
static char axis_at(const char *p, const char *end)
{
    p = text_behind(p, end, " \t\n\"'*`~");
    bool is_label =
        p + 1 < end && text_is_in(*p, "xyXY") && !point_is_letter(p[1]);
    return is_label ? (char)(*p | 0x20) : 0;
}

/* "x, y" up to `shut`, at p behind its opening bracket. */
static bool take_pair(const char *p,
                      const char *end,
                      char shut,
                      double ret[2],
                      point_unit *ret_unit)
{
    point_unit units[2];
    double pair[2];
    const char *stop = memchr(p, shut, (size_t)(end - p));
    bool has_semicolon = stop && memchr(p, ';', (size_t)(stop - p));
    bool is_y_first = axis_at(p, end) == 'y';
    if (!point_take_number(&p, end, has_semicolon, &pair[0], &units[0]))
        return false;
    if (p < end && text_is_in(*p, ",;"))
        p++;
    is_y_first = is_y_first && axis_at(p, end) == 'x';
    if (!point_take_number(&p, end, has_semicolon, &pair[1], &units[1]))
        return false;
    p = skip_depth(p, end);
    if (p >= end || *p != shut || units[0] != units[1])
        return false;
    ret[is_y_first] = pair[0];
    ret[!is_y_first] = pair[1];
    *ret_unit = units[0];
    return true;
}

/* The value behind a label at `p`, "x =", "y:" or <x>; NULL: none begins
 * there. */
static const char *axis_value(const char *text, const char *p, const char *end)
{
    bool begins =
        text_is_in(*p, "xyXY") && (p == text || !point_is_letter(p[-1]));
    const char *at = p + 1;
    if (!begins)
        return NULL;
    at = text_behind(at, end, " \t\"'*");
    const bool opened = p > text && p[-1] == '<';
    const bool is_tag = opened && at < end && *at == '>';
    bool is_label = is_tag || (at < end && text_is_in(*at, "=:~"));
    if (!is_label)
        return NULL;
    return text_behind(at + 1, end, " \t\"'*~");
}

/* The number at `at` with its unit; false: there is none. */
static bool axis_number(const char *at,
                        const char *end,
                        bool has_semicolon,
                        double *ret,
                        point_unit *ret_unit)
{
    const char *stop = at, *digits = at;
    stop = text_behind(stop, end, "+-.0123456789");
    while (stop > at && stop[-1] == '.')
        stop--;
    bool has_comma = take_comma_number(&digits, end, has_semicolon, ret);
    if (!has_comma && !block_number(&digits, stop, ret))
        return false;
    if (has_comma)
        stop = digits;
    *ret_unit = point_take_unit(&stop, end);
    return true;
}

/* "x = 0.52", "y: 0.56", each once: the numbers that say themselves which they
 * are. */
static bool labelled_pair(const char *text,
                          const char *end,
                          double ret[2],
                          point_unit *ret_unit)
{
    point_unit units[2];
    uint32_t counts[2] = {0, 0};
    bool has_semicolon = memchr(text, ';', (size_t)(end - text)) != NULL;
    for (const char *p = text; p < end; p++) {
        const char *value = axis_value(text, p, end);
        uint32_t axis = (*p | 0x20) == 'y';
        if (value &&
            axis_number(value, end, has_semicolon, &ret[axis], &units[axis]))
            counts[axis]++;
    }
    *ret_unit = counts[0] ? units[0] : POINT_PLAIN;
    return counts[0] == 1 && counts[1] == 1 && units[0] == units[1];
}

/* Does a word, not an axis' letter, go right up to `at`? */
static bool ends_word(const char *text, const char *at)
{
    size_t size = 0;
    while (at - size > text && point_is_letter(at[-1 - (ptrdiff_t)size]) &&
           at[-1 - (ptrdiff_t)size] != '_')
        size++;
    return size > 1 || (size == 1 && !text_is_in(at[-1], "xyXY"));
}

/* All numbers of the text are two, x and y. A digit that belongs to a word, as
 * in "Image3" or "loc0573", is none. A third number refuses it: who knows which
 * two are meant. */
static bool only_pair(const char *p,
                      const char *end,
                      double ret[2],
                      point_unit *ret_unit)
{
    uint32_t count = 0;
    const char *const text = p;
    point_unit units[2] = {POINT_PLAIN, POINT_PLAIN};
    bool has_semicolon = memchr(p, ';', (size_t)(end - p)) != NULL;
    while (p < end) {
        bool is_sign = text_is_in(*p, "+-.") && p + 1 < end &&
                       text_is_in(p[1], ".0123456789");
        bool starts = text_is_in(*p, "0123456789") || is_sign;
        if (!starts) {
            p++;
            continue;
        }
        if (ends_word(text, p)) {
            /* "approx.0.52": it ends the word, and the number is one */
            bool is_stop = *p++ == '.';
            while (!is_stop && p < end && text_is_in(*p, "0123456789"))
                p++;
            continue;
        }
        double number;
        point_unit unit = POINT_PLAIN;
        if (count == 2 ||
            !point_take_number(&p, end, has_semicolon, &number, &unit))
            return false;
        ret[count] = number;
        units[count++] = unit;
    }
    *ret_unit = units[0];
    return count == 2 && units[0] == units[1];
}

/* May a number begin at `p`, and none stand before it that a comma joins to
 * it? */
static bool joined_may_begin(const char *text, const char *p)
{
    const char *before = p;
    if (!text_is_in(*p, ".0123456789"))
        return false;
    if (p > text && !text_is_in(p[-1], " \n~=:"))
        return false;
    while (before > text && before[-1] == ' ')
        before--;
    return before == text || before[-1] != ',';
}

/* "0.52, 0.56" at *at, which goes behind it; "0,52" may be one number. */
static bool joined_take(const char **at,
                        const char *end,
                        double ret[2],
                        point_unit *ret_unit)
{
    const char *p = *at;
    point_unit unit;
    if (!point_take_number(&p, end, false, &ret[0], ret_unit))
        return false;
    if (p + 1 >= end || *p != ',' || p[1] != ' ')
        return false;
    p++;
    if (!point_take_number(&p, end, false, &ret[1], &unit))
        return false;
    *at = p;
    return unit == *ret_unit;
}

/* The only two numbers with nothing but a comma between them, among others that
 * count things: "Bottle.001 .. at 0.52, 0.56". */
static bool joined_pair(const char *text,
                        const char *end,
                        double ret[2],
                        point_unit *ret_unit)
{
    uint32_t count = 0;
    for (const char *p = text; p < end; p++) {
        const char *at = p;
        double pair[2];
        point_unit unit;
        if (!joined_may_begin(text, p) || !joined_take(&at, end, pair, &unit))
            continue;
        if (at < end && *at == ',')
            return false; /* three of them are no place in a picture */
        memcpy(ret, pair, sizeof pair);
        *ret_unit = unit;
        count++;
        p = at - 1;
    }
    return count == 1;
}

/* A pair in the brackets that open at `p`, perhaps with its unit behind them.
 * False: none opens there, or it holds something else. */
static bool bracketed_pair(const char *p,
                           const char *end,
                           double ret[2],
                           point_unit *ret_unit)
{
    static const char opens[] = "[({<", shuts[] = "])}>";
    const char *kind = *p ? strchr(opens, *p) : NULL;
    point_unit unit = POINT_PLAIN;
    if (!kind || !take_pair(p + 1, end, shuts[kind - opens], ret, &unit))
        return false;
    const char *behind = memchr(p, shuts[kind - opens], (size_t)(end - p));
    behind = text_behind(behind, end, " ])}>");
    *ret_unit = unit == POINT_PLAIN ? point_take_unit(&behind, end) : unit;
    return true;
}

/* Numbers with their axes' names. Models that were taught to write <point>
 * count in hundredths in it. */
static bool labelled_point(const char *text,
                           size_t size,
                           double ret[2],
                           point_unit *ret_unit)
{
    if (!labelled_pair(text, text + size, ret, ret_unit))
        return false;
    bool is_tag = memmem(text, size, "<point", 6) != NULL;
    const bool counts = ret[0] > 1 || ret[1] > 1;
    const bool is_hundredths = counts && ret[0] <= 100 && ret[1] <= 100;
    if (is_tag && *ret_unit == POINT_PLAIN && is_hundredths)
        *ret_unit = POINT_PERCENT;
    return true;
}

/* How many different points stand in brackets, with the last of them; without
 * brackets 1 when labels or the only numbers say one. 0: none. */
uint32_t point_find(const char *text,
                    size_t size,
                    double ret[2],
                    point_unit *ret_unit)
{
    const char *end = text + size;
    uint32_t count = 0;
    double last[2] = {0, 0};
    double pair[2];
    for (const char *p = text; p < end; p++) {
        if (!bracketed_pair(p, end, pair, ret_unit))
            continue;
        bool same = count > 0 && pair[0] == last[0] && pair[1] == last[1];
        count += !same;
        memcpy(last, pair, sizeof last);
    }
    memcpy(ret, last, sizeof last);
    if (count > 0)
        return count;
    return labelled_point(text, size, ret, ret_unit) ||
                   only_pair(text, end, ret, ret_unit) ||
                   joined_pair(text, end, ret, ret_unit)
               ? 1
               : 0;
}

/* Four numbers and a bracket's end, at p behind its beginning. */
static bool point_take_corners(const char *p,
                               const char *end,
                               double at[CORNERS])
{
    for (int i = 0; i < CORNERS; i++) {
        p = text_behind(p, end, " ,;()[]");
        if (!block_number(&p, end, &at[i]))
            return false;
    }
    p = text_behind(p, end, " ");
    return p < end && text_is_in(*p, "])");
}

/* "x1=0.48, y1: 0.50, x2=0.56, y2=0.56", in whatever order. */
static bool labelled_corners(const char *text,
                             const char *end,
                             double at[CORNERS])
{
    static const char *const names[CORNERS] = {"x1", "y1", "x2", "y2"};
    for (int i = 0; i < CORNERS; i++) {
        const char *name = memmem(text, (size_t)(end - text), names[i], 2);
        if (!name)
            return false;
        for (name += 2; name < end && text_is_in(*name, " \"'=:~");)
            name++;
        const char *stop = text_behind(name, end, ".0123456789");
        while (stop > name && stop[-1] == '.')
            stop--;
        if (!block_number(&name, stop, &at[i]))
            return false;
    }
    return true;
}

/* The middle of the only box of the text. */
bool point_find_box(const char *text, size_t size, double ret[2])
{
    static const char y_first[] = "box_2d";
    const char *end = text + size;
    double at[CORNERS], found[CORNERS];
    unsigned count = 0;
    for (const char *p = text; p < end; p++) {
        bool opens = text_is_in(*p, "[(");
        if (!opens || !point_take_corners(p + 1, end, at))
            continue;
        memcpy(found, at, sizeof found);
        count++;
        while (p < end && !text_is_in(*p, "])"))
            p++;
    }
    if (count == 0 && labelled_corners(text, end, found))
        count = 1;
    if (count != 1 || !are_corners(found))
        return false;
    const char *named = memmem(text, size, y_first, sizeof y_first - 1);
    point_middle(found, named && (named == text || !point_is_letter(named[-1])),
                 ret);
    return true;
}
