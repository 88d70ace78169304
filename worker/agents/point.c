/* See point.h. */
#include "worker/agents/point.h"

#include "worker/agents/block.h"
#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <string.h>

enum { TEXT_MAX = 120 };

static const loose_unit percents[] = {{"%", 1}, {NULL, 0}}, pixels[] = {{"px", 1}, {"pixels", 1}, {NULL, 0}};

static bool point_number_of(const json_t *value, double *ret, bool *percent)
{
    if (loose_number(value, pixels, ret)) return true;
    *percent = loose_number(value, percents, ret);
    return *percent;
}

static bool two_of(const json_t *x, const json_t *y, double ret[2], bool *ret_percent)
{
    bool percents_of[2] = {false, false};
    double read[2];
    if (!point_number_of(x, &read[0], &percents_of[0]) || !point_number_of(y, &read[1], &percents_of[1])) return false;
    if (percents_of[0] != percents_of[1]) return false;
    ret[0] = read[0];
    ret[1] = read[1];
    *ret_percent = percents_of[0];
    return true;
}

static bool in_text(const char *text, double ret[2], bool *ret_percent)
{
    return strlen(text) <= TEXT_MAX && point_find(text, strlen(text), ret, ret_percent) == 1;
}

uint32_t point_read(const json_t *value, const json_t *next, double ret[2], bool *ret_percent)
{
    const json_t *inner = json_array_size(value) == 1 ? json_array_get(value, 0) : value;
    const char *text = json_string_value(inner);
    bool found = false;
    if (json_is_array(inner) && json_array_size(inner) == 2)
        found = two_of(json_array_get(inner, 0), json_array_get(inner, 1), ret, ret_percent);
    if (json_is_object(inner)) found = two_of(loose_member(inner, "x"), loose_member(inner, "y"), ret, ret_percent);
    if (text && strpbrk(text, ", ;")) found = in_text(text, ret, ret_percent);
    if (found) return 1;
    return value && next && two_of(value, next, ret, ret_percent) ? 2 : 0;
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
static bool point_take_number(const char **at, const char *end, double *ret, bool *percent)
{
    const char *p = skip_label(*at, end);
    const char *digits = p;
    while (p < end && text_is_in(*p, "+-.0123456789")) p++;
    while (p > digits + 1 && p[-1] == '.') p--; /* that ends the sentence */
    const char *stop = p;
    if (!block_number(&digits, stop, ret) || digits != stop) return false;
    while (p < end && *p == ' ') p++;
    *percent = p < end && *p == '%';
    if (*percent) p++;
    if (end - p >= 2 && strncmp(p, "px", 2) == 0) p += 2;
    if (p < end && point_is_letter(*p)) return false;
    while (p < end && text_is_in(*p, " \t\n\"'*`")) p++;
    *at = p;
    return true;
}

/* "x, y" up to `shut`, at p behind its opening bracket. */
static bool take_pair(const char *p, const char *end, char shut, double ret[2], bool *ret_percent)
{
    bool percent[2];
    double pair[2];
    if (!point_take_number(&p, end, &pair[0], &percent[0])) return false;
    if (p < end && text_is_in(*p, ",;")) p++;
    if (!point_take_number(&p, end, &pair[1], &percent[1])) return false;
    if (p >= end || *p != shut || percent[0] != percent[1]) return false;
    ret[0] = pair[0];
    ret[1] = pair[1];
    *ret_percent = percent[0];
    return true;
}

/* All numbers of the text are two, x and y. */
static bool only_pair(const char *p, const char *end, double ret[2], bool *ret_percent)
{
    uint32_t count = 0;
    bool percent[2] = {false, false};
    while (p < end) {
        bool is_sign = text_is_in(*p, "+-.") && p + 1 < end && text_is_in(p[1], ".0123456789");
        bool starts = text_is_in(*p, "0123456789") || is_sign;
        if (!starts) {
            p++;
            continue;
        }
        double number;
        bool sign = false;
        if (count == 2 || !point_take_number(&p, end, &number, &sign)) return false;
        ret[count] = number;
        percent[count++] = sign;
    }
    *ret_percent = percent[0];
    return count == 2 && percent[0] == percent[1];
}

uint32_t point_find(const char *text, size_t size, double ret[2], bool *ret_percent)
{
    const char *end = text + size;
    uint32_t count = 0;
    double last[2] = {0, 0};
    for (const char *p = text; p < end; p++) {
        static const char opens[] = "[({<", shuts[] = "])}>";
        const char *kind = *p ? strchr(opens, *p) : NULL;
        double pair[2];
        bool percent = false;
        if (!kind) continue;
        if (!take_pair(p + 1, end, shuts[kind - opens], pair, &percent)) continue;
        bool same = count > 0 && pair[0] == last[0] && pair[1] == last[1];
        if (!same) count++;
        memcpy(last, pair, sizeof last);
        *ret_percent = percent;
    }
    memcpy(ret, last, sizeof last);
    if (count > 0) return count;
    return only_pair(text, end, ret, ret_percent) ? 1 : 0;
}
