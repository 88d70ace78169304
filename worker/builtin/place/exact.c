/* Writing and reading exact plans. */
#include "worker/builtin/place/exact.h"

#include "proto/ascii.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180,
                    coordinate_most = 1e5, slack_most = 100;

static double exact_within_circle(double degrees)
{
    double turn = degrees - 360 * floor(degrees / 360);
    return turn >= 360 ? 0 : turn;
}

double builtin_turn_between(const double from[2], const double to[2])
{
    double cross = from[0] * to[1] - from[1] * to[0];
    double dot = from[0] * to[0] + from[1] * to[1];
    return exact_within_circle(math_atan2(cross, dot) / degree);
}

double builtin_yaw_toward(const builtin_object *object, const double way[2])
{
    return exact_within_circle(object->yaw_deg +
                               builtin_turn_between(object->heading, way));
}

void builtin_heading_at(const builtin_object *object,
                        double yaw_deg,
                        double ret[2])
{
    double sine, cosine;
    math_sincos((yaw_deg - object->yaw_deg) * degree, &sine, &cosine);
    ret[0] = cosine * object->heading[0] - sine * object->heading[1];
    ret[1] = sine * object->heading[0] + cosine * object->heading[1];
}

/* ---- writing ---- */

static const char *exact_place(builtin_talk *talk, const double at[3])
{
    double rounded[3];
    for (int i = 0; i < 3; i++)
        rounded[i] = fabs(at[i]) < 0.00005 ? 0 : at[i]; /* no "-0.0000" */
    return etna_arena_printf(talk->arena, "(%.4f, %.4f, %.4f)", rounded[0],
                             rounded[1], rounded[2]);
}

/* " on "Table"" unless that is as `before`; NULL: no memory. */
static const char *exact_support_words(builtin_talk *talk,
                                       const builtin_exact *exact,
                                       const builtin_exact *before)
{
    bool as_before = before && exact->support == before->support &&
                     exact->into == before->into;
    if (exact->kind == EXACT_MOVE || as_before)
        return "";
    const char *name =
        builtin_quote(talk, talk->facts.objects[exact->support].name);
    return name ? etna_arena_printf(talk->arena, " %s %s",
                                    exact->into ? "in" : "on", name)
                : NULL;
}

static const char *exact_way_words(builtin_talk *talk,
                                   const builtin_exact *exact)
{
    if (!exact->is_way)
        return "";
    const char *end = exact_place(talk, exact->to);
    return end ? etna_arena_printf(talk->arena, " up to %s", end) : NULL;
}

static const char *exact_turn_words(builtin_talk *talk,
                                    const builtin_exact *exact)
{
    if (!exact->has_yaw)
        return "";
    double tenths = floor(10 * exact_within_circle(exact->yaw_deg) + 0.5);
    return etna_arena_printf(talk->arena, ", turned to %.1f degrees",
                             exact_within_circle(tenths / 10));
}

/* " on "Table" at (..) within 0.050 m, turned to 35.0 degrees"; what it is to
 * be on only where that is not as `before`. */
static const char *exact_clause(builtin_talk *talk,
                                const builtin_exact *exact,
                                const builtin_exact *before)
{
    const char *at = exact_place(talk, exact->at);
    const char *slack = "";
    const char *support = exact_support_words(talk, exact, before);
    const char *to = exact_way_words(talk, exact);
    const char *yaw = exact_turn_words(talk, exact);
    if (exact->slack > 0)
        slack = etna_arena_printf(talk->arena, " within %.3f m", exact->slack);
    bool has_place = at && support && to;
    if (!has_place || !slack || !yaw)
        return NULL;
    const char *where = exact->is_way ? "from" : "at";
    if (exact->kind == EXACT_MOVE)
        where = "to";
    return etna_arena_printf(talk->arena, "%s %s %s%s%s%s", support, where, at,
                             to, slack, yaw);
}

/* The sentence that builtin_exact_read reads again: the planner hands places to
 * the executor through it. NULL: out of memory. */
const char *builtin_exact_write(builtin_talk *talk,
                                const builtin_exact_list *list)
{
    enum {
        BYTES_MAX = 1600
    }; /* further places are left out; an instruction holds no more than 2048 */
    static const char *const verbs[] = {
        [EXACT_PUT] = "Put", [EXACT_HANG] = "Hang", [EXACT_MOVE] = "Move"};
    const char *object =
        builtin_quote(talk, talk->facts.objects[list->items[0].object].name);
    const char *text = NULL;
    for (uint32_t i = 0; i < list->count && object; i++) {
        const char *clause =
            exact_clause(talk, &list->items[i], i ? &list->items[i - 1] : NULL);
        if (!clause)
            return NULL;
        if (i > 0 && strlen(text) + strlen(clause) > BYTES_MAX)
            break;
        text =
            i ? etna_arena_printf(talk->arena, "%s\nor%s", text, clause)
              : etna_arena_printf(talk->arena, "%s %s%s",
                                  verbs[list->items[0].kind], object, clause);
        if (!text)
            return NULL;
    }
    return text;
}

/* Is the same done with the same things, wherever? */
static bool exact_same_kind(const builtin_exact *a, const builtin_exact *b)
{
    bool things = a->object == b->object && a->support == b->support;
    bool kind = a->kind == b->kind && a->into == b->into;
    bool way = a->is_way == b->is_way && a->has_yaw == b->has_yaw;
    return things && kind && way;
}

/* Within what writing and reading again may change. */
bool builtin_exact_same(const builtin_exact *a, const builtin_exact *b)
{
    const double written = 0.0002, turn = 0.11; /* metres, degrees */
    if (!exact_same_kind(a, b) || fabs(a->slack - b->slack) > 0.001)
        return false;
    for (int k = 0; k < 3; k++) {
        double to = a->is_way ? fabs(a->to[k] - b->to[k]) : 0;
        if (fabs(a->at[k] - b->at[k]) > written || to > written)
            return false;
    }
    double apart = exact_within_circle(a->yaw_deg - b->yaw_deg);
    return !a->has_yaw || apart < turn || apart > 360 - turn;
}

/* ---- reading ---- */

static bool exact_skip(const char **at, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Is the name what stands at `at`, closed by the quote, if there is one? */
static bool exact_name_fits(const char *at,
                            const char *name,
                            size_t length,
                            char quote)
{
    if (strncmp(at, name, length) != 0)
        return false;
    return !quote || (at[length] == quote && !strchr(name, quote));
}

/* A name in quotes, or bare where it holds all kinds of quotes: the longest
 * name that fits. */
static bool exact_name(const builtin_facts *facts,
                       const char **at,
                       uint32_t *ret)
{
    char quote = **at && strchr("\"'`", **at) ? **at : 0;
    const char *begin = *at + (quote ? 1 : 0);
    size_t longest = 0;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const char *name = facts->objects[i].name;
        size_t length = strlen(name);
        if (length <= longest || !exact_name_fits(begin, name, length, quote))
            continue;
        longest = length;
        *ret = i;
    }
    if (longest == 0)
        return false;
    *at = begin + longest + (quote ? 1 : 0);
    return true;
}

/* A plain decimal number of at most seven and six digits. */
static bool exact_number(const char **at, double most, double *ret)
{
    const char *p = *at;
    bool negative = *p == '-';
    double value = 0, share = 1;
    int digits = 0;
    p += negative;
    for (; ascii_is_digit(*p); p++) {
        if (++digits > 7)
            return false;
        value = 10 * value + (*p - '0');
    }
    if (digits == 0)
        return false;
    if (*p == '.') {
        digits = 0;
        for (p++; ascii_is_digit(*p); p++) {
            if (++digits > 6)
                return false;
            value = 10 * value + (*p - '0');
            share *= 10;
        }
        if (digits == 0)
            return false;
    }
    value = (negative ? -value : value) / share;
    if (!(fabs(value) <= most))
        return false;
    *ret = value;
    *at = p;
    return true;
}

static bool exact_point(const char **at, double ret[3])
{
    static const char *const before[3] = {"(", ", ", ", "};
    for (int i = 0; i < 3; i++) {
        if (!exact_skip(at, before[i]) ||
            !exact_number(at, coordinate_most, &ret[i]))
            return false;
    }
    return exact_skip(at, ")");
}

/* *at goes behind it. */
static bool exact_verb(const char **at, builtin_exact_kind *ret)
{
    static const char *const verbs[] = {
        [EXACT_PUT] = "Put ", [EXACT_HANG] = "Hang ", [EXACT_MOVE] = "Move "};
    for (int i = 0; i < 3; i++) {
        if (!exact_skip(at, verbs[i]))
            continue;
        *ret = (builtin_exact_kind)i;
        return true;
    }
    return false;
}

/* "at (..)", "from (..) up to (..)", "to (..)". */
static bool exact_where(const char **at, builtin_exact *ret)
{
    if (ret->kind == EXACT_MOVE)
        return exact_skip(at, " to ") && exact_point(at, ret->at);
    ret->is_way = exact_skip(at, " from ");
    if (!ret->is_way)
        return exact_skip(at, " at ") && exact_point(at, ret->at);
    return exact_point(at, ret->at) && exact_skip(at, " up to ") &&
           exact_point(at, ret->to);
}

/* " on "Table"" or " in "Bowl""; nothing where it is the same as in the clause
 * before. False: it names nothing. */
static bool exact_support(const builtin_facts *facts,
                          const char **at,
                          builtin_exact *exact)
{
    bool into = exact->kind == EXACT_PUT && exact_skip(at, " in ");
    if (!into && !exact_skip(at, " on "))
        return true;
    exact->into = into;
    return exact_name(facts, at, &exact->support);
}

/* A further place: on a line of its own, as it is written, or behind a blank,
 * as a task has it. */
static bool exact_skip_or(const char **at)
{
    return exact_skip(at, "\nor") || exact_skip(at, " or");
}

/* A number with its unit behind a word that may be missing. *ret_there: it is
 * there. False: the word is, and no number. */
static bool exact_amount(const char **at,
                         const char *word,
                         const char *unit,
                         double most,
                         double *ret,
                         bool *ret_there)
{
    *ret_there = exact_skip(at, word);
    return !*ret_there || (exact_number(at, most, ret) && exact_skip(at, unit));
}

/* One clause, after the object's name or after "or". */
static bool exact_read_clause(const builtin_facts *facts,
                              const char **at,
                              builtin_exact *exact)
{
    if (!exact_support(facts, at, exact))
        return false;
    if ((exact->support == BUILTIN_NONE) != (exact->kind == EXACT_MOVE))
        return false;
    if (!exact_where(at, exact) || exact->object == exact->support)
        return false;
    bool has_slack = false;
    if (!exact_amount(at, " within ", " m", slack_most, &exact->slack,
                      &has_slack))
        return false;
    if (!exact_amount(at, ", turned to ", " degrees", 360, &exact->yaw_deg,
                      &exact->has_yaw))
        return false;
    return exact->slack >= 0 && exact->yaw_deg >= 0;
}

/* False: the sentence is none of ours, and is read as a person's. A further
 * place ("or ..") inherits what the one before said of its support. */
bool builtin_exact_read(const builtin_facts *facts,
                        const char *sentence,
                        builtin_exact_list *ret)
{
    builtin_exact first = {.support = BUILTIN_NONE};
    builtin_exact_list list = {.count = 0};
    const char *at = sentence;
    if (!exact_verb(&at, &first.kind) || !exact_name(facts, &at, &first.object))
        return false;
    do {
        if (list.count == BUILTIN_EXACT_MAX)
            return false;
        list.items[list.count] = first;
        if (list.count > 0) {
            list.items[list.count].support = list.items[list.count - 1].support;
            list.items[list.count].into = list.items[list.count - 1].into;
        }
        if (!exact_read_clause(facts, &at, &list.items[list.count++]))
            return false;
    } while (exact_skip_or(&at));
    exact_skip(&at, ".");
    if (*at)
        return false;
    *ret = list;
    return true;
}
