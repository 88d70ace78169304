/* The words that say where: "to the left of", "30 cm from", "in the back left corner of", "with its back to". Tables
 * and a few shapes, longest first; what is no such word is left to names (builtin_name.c). */
#include "worker/model/builtin.h"

#include <stdlib.h>
#include <string.h>

const char *builtin_relation_name(builtin_relation relation)
{
    static const char *const names[RELATION_COUNT] = {
        "on",     "in",     "under", "above",  "beside", "left",  "right", "front", "behind", "between", "against",
        "middle", "corner", "edge",  "toward", "away",   "place", "swap",  "off",   "turn",   "turned",  "line"};
    return (unsigned)relation < RELATION_COUNT ? names[relation] : "?";
}

static bool is(const builtin_word *words, uint32_t count, uint32_t i, const char *text)
{
    return i < count && !words[i].quoted && strcmp(words[i].text, text) == 0;
}

static bool is_any(const builtin_word *words, uint32_t count, uint32_t i, const char *const *list)
{
    for (; *list; list++) {
        if (is(words, count, i, *list)) return true;
    }
    return false;
}

/* Words of `phrase` at i; how many there are, or 0. */
static uint32_t spoken(const builtin_word *words, uint32_t count, uint32_t i, const char *phrase)
{
    uint32_t taken = 0;
    for (const char *p = phrase; *p;) {
        size_t size = strcspn(p, " ");
        if (i + taken >= count || words[i + taken].quoted) return 0;
        const char *text = words[i + taken].text;
        if (strlen(text) != size || memcmp(text, p, size) != 0) return 0;
        taken++;
        p += size;
        if (*p) p++;
    }
    return taken;
}

/* ---- lengths ---- */

static double unit_of(const char *word)
{
    static const struct {
        const char *word;
        double metres;
    } units[] = {
        {"m", 1},         {"metre", 1},           {"metres", 1},          {"meter", 1},         {"meters", 1},
        {"cm", 0.01},     {"centimetre", 0.01},   {"centimetres", 0.01},  {"centimeter", 0.01}, {"centimeters", 0.01},
        {"mm", 0.001},    {"millimetres", 0.001}, {"millimeters", 0.001}, {"inch", 0.0254},     {"inches", 0.0254},
        {"foot", 0.3048}, {"feet", 0.3048}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(word, units[i].word) == 0) return units[i].metres;
    }
    return 0;
}

/* Decimal digits with at most one point; *ret_end behind them. Not strtod: no locale, no hex, no exponent. */
static bool decimal(const char *text, const char **ret_end, double *ret)
{
    double value = 0, scale = 1;
    const char *p = text;
    while (*p >= '0' && *p <= '9' && p - text < 9) value = value * 10 + (*p++ - '0');
    if (p == text) return false;
    if (*p == '.' && p[1] >= '0' && p[1] <= '9') {
        for (p++; *p >= '0' && *p <= '9' && scale < 1e6; p++) {
            scale *= 10;
            value = value * 10 + (*p - '0');
        }
    }
    *ret_end = p;
    *ret = value / scale;
    return true;
}

uint32_t builtin_length_at(const builtin_word *words, uint32_t count, uint32_t i, double *ret_metres)
{
    if (i >= count || words[i].quoted) return 0;
    uint32_t half = spoken(words, count, i, "half a");
    if (half && i + half < count && unit_of(words[i + half].text) > 0) {
        *ret_metres = 0.5 * unit_of(words[i + half].text);
        return half + 1;
    }
    const char *end = NULL;
    double value = 0;
    if (!decimal(words[i].text, &end, &value)) {
        value = is(words, count, i, "a") ? 1 : builtin_number(words[i].text);
        end = "";
    }
    if (!(value > 0)) return 0;
    if (*end) {
        if (!(unit_of(end) > 0)) return 0;
        *ret_metres = value * unit_of(end);
        return 1;
    }
    if (i + 1 >= count || words[i + 1].quoted || !(unit_of(words[i + 1].text) > 0)) return 0;
    *ret_metres = value * unit_of(words[i + 1].text);
    return 2;
}

/* ---- sides and zones ---- */

static unsigned side_of(const builtin_word *word)
{
    static const struct {
        const char *word;
        unsigned side;
    } sides[] = {{"left", SIDE_LEFT},        {"left-hand", SIDE_LEFT}, {"lefthand", SIDE_LEFT}, {"right", SIDE_RIGHT},
                 {"right-hand", SIDE_RIGHT}, {"front", SIDE_FRONT},    {"near", SIDE_FRONT},    {"closer", SIDE_FRONT},
                 {"back", SIDE_BACK},        {"rear", SIDE_BACK},      {"far", SIDE_BACK},      {"upper", SIDE_BACK},
                 {"lower", SIDE_FRONT},      {"righthand", SIDE_RIGHT}};
    for (size_t i = 0; !word->quoted && i < sizeof sides / sizeof sides[0]; i++) {
        if (strcmp(word->text, sides[i].word) == 0) return sides[i].side;
    }
    return 0;
}

static bool zone_of(const builtin_word *word, builtin_relation *ret)
{
    static const struct {
        const char *word;
        builtin_relation relation;
    } zones[] = {{"middle", RELATION_MIDDLE}, {"centre", RELATION_MIDDLE},  {"center", RELATION_MIDDLE},
                 {"corner", RELATION_CORNER}, {"corners", RELATION_CORNER}, {"edges", RELATION_EDGE},
                 {"end", RELATION_EDGE},      {"edge", RELATION_EDGE},      {"rim", RELATION_EDGE},
                 {"border", RELATION_EDGE},   {"top", RELATION_ON}};
    for (size_t i = 0; !word->quoted && i < sizeof zones / sizeof zones[0]; i++) {
        if (strcmp(word->text, zones[i].word) != 0) continue;
        *ret = zones[i].relation;
        return true;
    }
    return false;
}

static builtin_relation beside_of(unsigned sides)
{
    return sides == SIDE_LEFT    ? RELATION_LEFT
           : sides == SIDE_RIGHT ? RELATION_RIGHT
           : sides == SIDE_FRONT ? RELATION_FRONT
           : sides == SIDE_BACK  ? RELATION_BEHIND
                                 : RELATION_BESIDE;
}

bool builtin_zone(const builtin_word *words, uint32_t first, uint32_t end, builtin_mark *ret)
{
    unsigned sides = 0;
    uint32_t i = first;
    for (; i < end && side_of(&words[i]); i++) sides |= side_of(&words[i]);
    if (i + 1 == end && zone_of(&words[i], &ret->relation)) {
        ret->sides = sides;
        return true;
    }
    static const char *const once[] = {"old", "original", "former", "previous", "initial", "first", NULL};
    static const char *const places[] = {"place", "position", "spot", "location", NULL};
    uint32_t at = first;
    while (is_any(words, end, at, once)) at++;
    if (at + 1 == end && is_any(words, end, at, places)) { /* "the phone's old place" */
        ret->relation = RELATION_PLACE;
        return true;
    }
    if (i + 1 == end && is(words, end, i, "side")) i++;
    if (i != end || !sides) return false;
    ret->relation = beside_of(sides);
    return true;
}

/* "[in] [the] [back left] corner [of]", "to the left [side] of", "in its middle". `i` is behind the preposition. */
static bool zone_at(const builtin_word *words, uint32_t count, uint32_t i, builtin_mark *ret)
{
    static const char *const exact[] = {"very", "exact", "far", "dead", NULL};
    bool its = is(words, count, i, "its");
    if (spoken(words, count, i, "one of the"))
        i += 3;
    else if (its || is(words, count, i, "the") || is(words, count, i, "a") || is(words, count, i, "one"))
        i++;
    while (is_any(words, count, i, exact) && i + 1 < count &&
           (side_of(&words[i + 1]) || zone_of(&words[i + 1], &ret->relation)))
        i++;
    unsigned sides = 0;
    for (; i < count && side_of(&words[i]); i++) sides |= side_of(&words[i]);
    builtin_relation relation = RELATION_ON;
    bool zone = i < count && zone_of(&words[i], &relation);
    if (zone)
        i++;
    else if (sides && (is(words, count, i, "side") || is(words, count, i, "hand")))
        i += is(words, count, i + 1, "side") ? 2 : 1;
    if (!zone && !sides) return false;
    bool bare = false;
    if (!its && !is(words, count, i, "of")) { /* "in a corner, facing the sofa" */
        static const char *const stops[] = {",", ".", ";", "and", "then", "so", "facing", "with", "please", NULL};
        bare = zone && relation != RELATION_ON && (i == count || is_any(words, count, i, stops));
        if (!bare) return false;
    } else if (!its) {
        i++;
    }
    ret->relation = zone ? relation : beside_of(sides);
    ret->sides = zone ? sides : 0;
    ret->its = its || bare;
    ret->bare = bare;
    ret->end = i;
    return true;
}

/* ---- marks ---- */

static const struct {
    const char *words;
    builtin_mark_kind kind;
    builtin_relation relation;
    builtin_facing facing;
} table[] = {
    /* longer ones before those they begin with */
    {"with its back toward", MARK_FACING, 0, FACING_BACK},
    {"with its back towards", MARK_FACING, 0, FACING_BACK},
    {"with its back against", MARK_FACING, 0, FACING_BACK},
    {"with its back to", MARK_FACING, 0, FACING_BACK},
    {"with the back to", MARK_FACING, 0, FACING_BACK},
    {"facing away from", MARK_FACING, 0, FACING_BACK},
    {"and facing", MARK_FACING, 0, FACING_TO},
    {"facing toward", MARK_FACING, 0, FACING_TO},
    {"facing towards", MARK_FACING, 0, FACING_TO},
    {"facing", MARK_FACING, 0, FACING_TO},
    {"so that it faces", MARK_FACING, 0, FACING_TO},
    {"so it faces", MARK_FACING, 0, FACING_TO},
    {"so that it looks at", MARK_FACING, 0, FACING_TO},
    {"so it looks at", MARK_FACING, 0, FACING_TO},
    {"so that it looks toward", MARK_FACING, 0, FACING_TO},
    {"so that it points at", MARK_FACING, 0, FACING_TO},
    {"looking at", MARK_FACING, 0, FACING_TO},
    {"looking toward", MARK_FACING, 0, FACING_TO},
    {"looking towards", MARK_FACING, 0, FACING_TO},
    {"pointing at", MARK_FACING, 0, FACING_TO},
    {"to face", MARK_FACING, 0, FACING_TO},
    {"away from", MARK_RELATION, RELATION_AWAY, 0},
    {"further from", MARK_RELATION, RELATION_AWAY, 0},
    {"farther from", MARK_RELATION, RELATION_AWAY, 0},
    {"far from", MARK_RELATION, RELATION_AWAY, 0},
    {"turned to face", MARK_FACING, 0, FACING_TO},
    {"turned toward", MARK_FACING, 0, FACING_TO},
    {"turned towards", MARK_FACING, 0, FACING_TO},
    {"turned to", MARK_FACING, 0, FACING_TO},
    {"turned away from", MARK_FACING, 0, FACING_BACK},
    {"directed at", MARK_FACING, 0, FACING_TO},
    {"aimed at", MARK_FACING, 0, FACING_TO},
    {"pointing to", MARK_FACING, 0, FACING_TO},
    {"pointing toward", MARK_FACING, 0, FACING_TO},
    {"pointing towards", MARK_FACING, 0, FACING_TO},
    {"so that it points to", MARK_FACING, 0, FACING_TO},
    {"so it points at", MARK_FACING, 0, FACING_TO},
    {"from on top of", MARK_ORIGIN, 0, 0},
    {"from the top of", MARK_ORIGIN, 0, 0},
    {"off the top of", MARK_ORIGIN, 0, 0},
    {"from", MARK_ORIGIN, 0, 0},
    {"off of", MARK_ORIGIN, 0, 0},
    {"off", MARK_ORIGIN, 0, 0},
    {"out of", MARK_ORIGIN, 0, 0},
    {"closer to", MARK_RELATION, RELATION_TOWARD, 0},
    {"nearer to", MARK_RELATION, RELATION_TOWARD, 0},
    {"in the direction of", MARK_RELATION, RELATION_TOWARD, 0},
    {"toward", MARK_RELATION, RELATION_TOWARD, 0},
    {"towards", MARK_RELATION, RELATION_TOWARD, 0},
    {"on top of", MARK_RELATION, RELATION_ON, 0},
    {"on the top of", MARK_RELATION, RELATION_ON, 0},
    {"to the top of", MARK_RELATION, RELATION_ON, 0},
    {"on to", MARK_RELATION, RELATION_ON, 0},
    {"onto", MARK_RELATION, RELATION_ON, 0},
    {"upon", MARK_RELATION, RELATION_ON, 0},
    {"atop", MARK_RELATION, RELATION_ON, 0},
    {"in a row", MARK_RELATION, RELATION_LINE, 0},
    {"in a line", MARK_RELATION, RELATION_LINE, 0},
    {"in place of", MARK_RELATION, RELATION_PLACE, 0},
    {"in-place-of", MARK_RELATION, RELATION_PLACE, 0},
    {"to where", MARK_RELATION, RELATION_PLACE, 0},
    {"where", MARK_RELATION, RELATION_PLACE, 0},
    {"in front of", MARK_RELATION, RELATION_FRONT, 0},
    {"ahead of", MARK_RELATION, RELATION_FRONT, 0},
    {"before", MARK_RELATION, RELATION_FRONT, 0},
    {"in back of", MARK_RELATION, RELATION_BEHIND, 0},
    {"behind", MARK_RELATION, RELATION_BEHIND, 0},
    {"halfway between", MARK_RELATION, RELATION_BETWEEN, 0},
    {"midway between", MARK_RELATION, RELATION_BETWEEN, 0},
    {"in between", MARK_RELATION, RELATION_BETWEEN, 0},
    {"between", MARK_RELATION, RELATION_BETWEEN, 0},
    {"amid", MARK_RELATION, RELATION_BETWEEN, 0},
    {"up against", MARK_RELATION, RELATION_AGAINST, 0},
    {"against", MARK_RELATION, RELATION_AGAINST, 0},
    {"next to", MARK_RELATION, RELATION_BESIDE, 0},
    {"beside", MARK_RELATION, RELATION_BESIDE, 0},
    {"alongside", MARK_RELATION, RELATION_BESIDE, 0},
    {"adjacent to", MARK_RELATION, RELATION_BESIDE, 0},
    {"by the side of", MARK_RELATION, RELATION_BESIDE, 0},
    {"at the side of", MARK_RELATION, RELATION_BESIDE, 0},
    {"close to", MARK_RELATION, RELATION_BESIDE, 0},
    {"close by", MARK_RELATION, RELATION_BESIDE, 0},
    {"near to", MARK_RELATION, RELATION_BESIDE, 0},
    {"near", MARK_RELATION, RELATION_BESIDE, 0},
    {"by", MARK_RELATION, RELATION_BESIDE, 0},
    {"over to", MARK_RELATION, RELATION_BESIDE, 0},
    {"up to", MARK_RELATION, RELATION_BESIDE, 0},
    {"over by", MARK_RELATION, RELATION_BESIDE, 0},
    {"inside of", MARK_RELATION, RELATION_IN, 0},
    {"inside", MARK_RELATION, RELATION_IN, 0},
    {"into", MARK_RELATION, RELATION_IN, 0},
    {"within", MARK_RELATION, RELATION_IN, 0},
    {"in", MARK_RELATION, RELATION_IN, 0},
    {"underneath", MARK_RELATION, RELATION_UNDER, 0},
    {"under", MARK_RELATION, RELATION_UNDER, 0},
    {"below", MARK_RELATION, RELATION_UNDER, 0},
    {"beneath", MARK_RELATION, RELATION_UNDER, 0},
    {"above", MARK_RELATION, RELATION_ABOVE, 0},
    {"at", MARK_RELATION, RELATION_BESIDE, 0},
    {"over", MARK_RELATION, RELATION_ABOVE, 0}, /* for what hangs; else it is refused (clause_find_marks) */
    {"left of", MARK_RELATION, RELATION_LEFT, 0},
    {"right of", MARK_RELATION, RELATION_RIGHT, 0},
    {"on", MARK_RELATION, RELATION_ON, 0},
};

/* A preposition that "over" and its like may stand before. */
static bool is_preposition(const builtin_word *words, uint32_t count, uint32_t i)
{
    static const char *const prepositions[] = {"on",     "onto",    "in",   "into",   "to",   "by",     "upon", "at",
                                               "toward", "towards", "next", "beside", "near", "behind", NULL};
    return is_any(words, count, i, prepositions);
}

/* Words that stand before a mark and say nothing more: "so that it is on", "directly behind", "over onto". */
static uint32_t before_mark(const builtin_word *words, uint32_t count, uint32_t i, bool *ret_said)
{
    static const char *const loose[] = {
        "directly", "just",      "straight", "exactly", "immediately", "right",    "down",    "up",    "over",
        "across",   "round",     "around",   "along",   "back",        "standing", "sitting", "lying", "resting",
        "placed",   "somewhere", "lie",      "sit",     "stand",       "rest",     "stay",    NULL};
    static const char *const so[] = {"so that it is",
                                     "so that it stands",
                                     "so that it lies",
                                     "so that it sits",
                                     "so that it hangs",
                                     "so it hangs",
                                     "until it is",
                                     "until it stands",
                                     "so it is",
                                     "so it stands",
                                     "so it lies",
                                     "so it sits",
                                     "to be",
                                     "to stand",
                                     "to lie",
                                     "to sit",
                                     "to go"};
    static const char *const said[] = {"that is",   "that stands", "which is",  "that are", "which stands",
                                       "which are", "that lies",   "that sits", "that-is"};
    uint32_t start = i;
    for (size_t k = 0; k < sizeof so / sizeof so[0]; k++) {
        uint32_t taken = spoken(words, count, i, so[k]);
        if (taken) {
            i += taken;
            break;
        }
    }
    for (size_t k = 0; k < sizeof said / sizeof said[0]; k++) {
        uint32_t taken = spoken(words, count, i, said[k]);
        if (!taken) continue;
        i += taken;
        *ret_said = true;
        break;
    }
    while (is_any(words, count, i, loose) && (!is(words, count, i, "over") || is_preposition(words, count, i + 1))) i++;
    return i - start;
}

static bool plain_mark(const builtin_word *words, uint32_t count, uint32_t i, builtin_mark *ret)
{
    static const char *const before_zone[] = {"in", "on", "at", "to", "into", "onto", "towards", NULL};
    if (is_any(words, count, i, before_zone) && zone_at(words, count, i + 1, ret)) {
        ret->kind = MARK_RELATION;
        return true;
    }
    if ((is(words, count, i, "over") || is(words, count, i, "down")) && is_any(words, count, i + 1, before_zone) &&
        zone_at(words, count, i + 2, ret)) {
        ret->kind = MARK_RELATION;
        return true;
    }
    static const char *const places[] = {"place", "position", "spot", "location", NULL};
    if (is_any(words, count, i, before_zone)) { /* "at the original place of" */
        uint32_t at = i + 1;
        if (is(words, count, at, "the")) at++;
        if (is(words, count, at, "original") || is(words, count, at, "old") || is(words, count, at, "former") ||
            is(words, count, at, "initial"))
            at++;
        if (is_any(words, count, at, places) && (is(words, count, at + 1, "of") || is(words, count, at + 1, "where"))) {
            ret->kind = MARK_RELATION;
            ret->relation = RELATION_PLACE;
            ret->end = at + 2;
            return true;
        }
    }
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        uint32_t taken = spoken(words, count, i, table[k].words);
        if (!taken || (taken == 1 && is(words, count, i, "over") && is_preposition(words, count, i + 1)))
            continue; /* "over onto" */
        ret->kind = table[k].kind;
        ret->relation = table[k].relation;
        ret->facing = table[k].facing;
        ret->end = i + taken;
        ret->over_to = spoken(words, count, i, "over to") == taken || spoken(words, count, i, "up to") == taken;
        return true;
    }
    if (!is(words, count, i, "to")) return false;
    ret->kind = MARK_RELATION;
    ret->relation = RELATION_ON;
    ret->bare_to = true;
    ret->end = i + 1;
    return true;
}

/* "30 cm from", "20 cm to the left of", "within 15 cm of". */
static bool length_mark(const builtin_word *words, uint32_t count, uint32_t i, builtin_mark *ret)
{
    uint32_t start = i;
    if (is(words, count, i, "to") && is(words, count, i + 1, "within")) i++;
    bool within = is(words, count, i, "within");
    if (within) i++;
    double gap = -1;
    uint32_t length = builtin_length_at(words, count, i, &gap), at = i + length;
    if (!length || (i > start && !within)) return false;
    if (is(words, count, at, "away") && is(words, count, at + 1, "from")) at++;
    if (is(words, count, at, "from") || is(words, count, at, "off") || (within && is(words, count, at, "of"))) {
        ret->kind = MARK_RELATION;
        ret->relation = RELATION_BESIDE;
        ret->end = at + 1;
    } else if (within || !plain_mark(words, count, at, ret) || ret->kind != MARK_RELATION) {
        return false;
    }
    ret->gap = gap;
    return true;
}

bool builtin_mark_at(const builtin_word *words, uint32_t count, uint32_t i, builtin_mark *ret)
{
    const builtin_mark none = {.first = i, .gap = -1};
    builtin_mark mark = none;
    double gap;
    if (length_mark(words, count, i, &mark)) {
        *ret = mark;
        return true;
    }
    if (builtin_length_at(words, count, i, &gap)) return false;
    mark = none;
    static const char *const infinitives[] = {"be", "stand", "lie", "sit", "go", NULL};
    bool said = false,
         infinitive = is(words, count, i, "to") && is_any(words, count, i + 1, infinitives); /* "to stand on" */
    if (!infinitive && plain_mark(words, count, i, &mark)) {
        *ret = mark;
        return true;
    }
    uint32_t loose = before_mark(words, count, i, &said);
    mark = none;
    if (!loose) return false;
    if (!length_mark(words, count, i + loose, &mark)) {
        mark = none;
        if (!plain_mark(words, count, i + loose, &mark)) return false;
    }
    mark.is_said = said;
    for (uint32_t k = i; k < i + loose; k++) mark.exact = mark.exact || is(words, count, k, "exactly");
    *ret = mark;
    return true;
}
