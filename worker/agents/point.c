/* See point.h. */
#include "worker/agents/point.h"

#include "worker/agents/block.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <string.h>

enum { TEXT_MAX = 120 };

static const loose_unit percents[] = {{"%", 1}, {NULL, 0}}, pixels[] = {{"px", 1}, {"pixels", 1}, {NULL, 0}};

static bool point_number_of(const json_t *value, double *ret, point_unit *ret_unit)
{
    *ret_unit = POINT_PLAIN;
    if (loose_number(value, NULL, ret)) return true;
    *ret_unit = POINT_PIXELS;
    if (loose_number(value, pixels, ret)) return true;
    *ret_unit = POINT_PERCENT;
    return loose_number(value, percents, ret);
}

static bool two_of(const json_t *x, const json_t *y, double ret[2], point_unit *ret_unit)
{
    point_unit units[2];
    double read[2];
    if (!point_number_of(x, &read[0], &units[0]) || !point_number_of(y, &read[1], &units[1])) return false;
    if (units[0] != units[1]) return false;
    ret[0] = read[0];
    ret[1] = read[1];
    *ret_unit = units[0];
    return true;
}

static bool in_text(const char *text, double ret[2], point_unit *ret_unit)
{
    return strlen(text) <= TEXT_MAX && point_find(text, strlen(text), ret, ret_unit) == 1;
}

uint32_t point_read(const json_t *value, const json_t *next, double ret[2], point_unit *ret_unit)
{
    const json_t *inner = json_array_size(value) == 1 ? json_array_get(value, 0) : value;
    const char *text = json_string_value(inner);
    bool found = false;
    if (json_is_array(inner) && json_array_size(inner) == 2)
        found = two_of(json_array_get(inner, 0), json_array_get(inner, 1), ret, ret_unit);
    if (json_is_object(inner)) found = two_of(loose_member(inner, "x"), loose_member(inner, "y"), ret, ret_unit);
    if (text && strpbrk(text, ", ;")) found = in_text(text, ret, ret_unit);
    if (found) return 1;
    return value && next && two_of(value, next, ret, ret_unit) ? 2 : 0;
}

/* ---- in prose ---- */

static bool point_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Over spaces, "x=", "y:", quotes and emphasis: what may stand before a number of a pair. */
static const char *skip_label(const char *p, const char *end)
{
    for (;;) {
        while (p < end && text_is_in(*p, " \t\n\"'*`~")) p++;
        bool labelled = p + 1 < end && text_is_in(*p, "xyXY") && !point_is_letter(p[1]);
        if (!labelled) return p;
        p++;
        while (p < end && text_is_in(*p, " \t\"'")) p++;
        if (p < end && text_is_in(*p, "=:")) p++;
    }
}

/* A number with its unit. */
/* What the unit is that stands at *at, which goes behind it. */
static point_unit point_take_unit(const char **at, const char *end)
{
    static const struct {
        const char *sign;
        point_unit unit;
    } signs[] = {{"%", POINT_PERCENT}, {"percent", POINT_PERCENT}, {"pixels", POINT_PIXELS}, {"px", POINT_PIXELS}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i].sign);
        if ((size_t)(end - *at) < size || strncmp(*at, signs[i].sign, size) != 0) continue;
        *at += size;
        return signs[i].unit;
    }
    return POINT_PLAIN;
}

/* Words that join the two numbers of a place, or say what they count. */
static bool point_is_joint(const char *at, const char *end)
{
    static const char *const words[] = {"and ", "of ", "from "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - at) >= size && strncmp(at, words[i], size) == 0) return true;
    }
    return false;
}

static bool point_take_number(const char **at, const char *end, double *ret, point_unit *ret_unit)
{
    const char *p = skip_label(*at, end);
    const char *digits = p;
    while (p < end && text_is_in(*p, "+-.0123456789")) p++;
    while (p > digits + 1 && p[-1] == '.') p--; /* that ends the sentence */
    const char *stop = p;
    if (!block_number(&digits, stop, ret) || digits != stop) return false;
    while (p < end && *p == ' ') p++;
    *ret_unit = point_take_unit(&p, end);
    while (p < end && *p == ' ') p++;
    if (p < end && point_is_letter(*p) && !point_is_joint(p, end)) return false;
    while (p < end && text_is_in(*p, " \t\n\"'*`")) p++;
    *at = p;
    return true;
}

/* "x, y" up to `shut`, at p behind its opening bracket. */
static bool take_pair(const char *p, const char *end, char shut, double ret[2], point_unit *ret_unit)
{
    point_unit units[2];
    double pair[2];
    if (!point_take_number(&p, end, &pair[0], &units[0])) return false;
    if (p < end && text_is_in(*p, ",;")) p++;
    if (!point_take_number(&p, end, &pair[1], &units[1])) return false;
    if (p >= end || *p != shut || units[0] != units[1]) return false;
    ret[0] = pair[0];
    ret[1] = pair[1];
    *ret_unit = units[0];
    return true;
}

/* All numbers of the text are two, x and y. */
static bool only_pair(const char *p, const char *end, double ret[2], point_unit *ret_unit)
{
    uint32_t count = 0;
    point_unit units[2] = {POINT_PLAIN, POINT_PLAIN};
    while (p < end) {
        bool is_sign = text_is_in(*p, "+-.") && p + 1 < end && text_is_in(p[1], ".0123456789");
        bool starts = text_is_in(*p, "0123456789") || is_sign;
        if (!starts) {
            p++;
            continue;
        }
        double number;
        point_unit unit = POINT_PLAIN;
        if (count == 2 || !point_take_number(&p, end, &number, &unit)) return false;
        ret[count] = number;
        units[count++] = unit;
    }
    *ret_unit = units[0];
    return count == 2 && units[0] == units[1];
}

uint32_t point_find(const char *text, size_t size, double ret[2], point_unit *ret_unit)
{
    const char *end = text + size;
    uint32_t count = 0;
    double last[2] = {0, 0};
    for (const char *p = text; p < end; p++) {
        static const char opens[] = "[({<", shuts[] = "])}>";
        const char *kind = *p ? strchr(opens, *p) : NULL;
        double pair[2];
        point_unit unit = POINT_PLAIN;
        if (!kind) continue;
        if (!take_pair(p + 1, end, shuts[kind - opens], pair, &unit)) continue;
        const char *behind = memchr(p, shuts[kind - opens], (size_t)(end - p));
        while (behind < end && text_is_in(*behind, " ])}>")) behind++;
        if (unit == POINT_PLAIN) unit = point_take_unit(&behind, end);
        bool same = count > 0 && pair[0] == last[0] && pair[1] == last[1];
        if (!same) count++;
        memcpy(last, pair, sizeof last);
        *ret_unit = unit;
    }
    memcpy(ret, last, sizeof last);
    if (count > 0) return count;
    return only_pair(text, end, ret, ret_unit) ? 1 : 0;
}
