/* Wanted readings are parsed to ranges and sets, so that "20 to 30 cm" or
 * "either wall" can be said; what a reader makes of it is compared field by
 * field. Places for one thing are a set of conditions: which of them is the
 * move's own relation and which stand beside it, is the reader's affair. */
#include "tests/unit/worker/agents/readings.h"

#include "proto/ascii.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    TEXT_MAX = 4000,
    NAMES_MAX = 16,     /* that one phrase of the notation allows */
    CONDITIONS_MAX = 8, /* of one move */
    WANTED_MAX = 24,    /* moves of one wanted reading */
    GOT_MAX = 256,      /* things of all moves that were read */
    PARTS_MAX = 3,      /* of one shift */
    RELATION_ALONG = RELATION_COUNT,
    /* a relation's bit is so much higher where it must not hold */
    RELATIONS_DENIED = 32
};

static const double NEAR = 0.05; /* metres */
static const double TURNED_BY =
    45; /* degrees: "left" is the picture's, or the room's nearest to it */

typedef enum need {
    NEED_NONE = 0,
    NEED_ALWAYS,
    NEED_MAYBE
} need;

typedef struct range {
    double low, high;
} range;

typedef struct names {
    uint32_t count;
    bool any; /* "*" */
    uint32_t objects[NAMES_MAX];
} names;

typedef struct condition { /* any of the relations to any of the references */
    uint64_t relations;
    names references, seconds;
    uint32_t turn_count;
    range turns[4];
    bool optional;
} condition;

typedef struct shift_part {
    range metres;
    char direction[16];
    names of;
} shift_part;

typedef struct place {
    uint32_t condition_count;
    condition conditions[CONDITIONS_MAX];
    need gap, sides, level, facing, shift, at, yaw, order, top, bottom, even,
        spacing, slot, each, align, eye, alone;
    range gap_range, level_range, yaw_range, spacing_range, at_range[3];
    unsigned side_mask, align_mask;
    bool backed;
    names faced, each_of, end;
    builtin_slot slot_wanted;
    uint32_t part_count;
    shift_part parts[PARTS_MAX];
} place;

typedef struct wanted_move {
    names things;
    bool maybe[NAMES_MAX], matched[NAMES_MAX], optional;
    uint32_t need, met; /* need 0: each of the things */
    place where;
} wanted_move;

static const char *const relation_names[] = {
    "on",      "in",     "under",   "above",   "beside", "left",   "right",
    "front",   "behind", "between", "against", "middle", "corner", "edge",
    "toward",  "away",   "place",   "swap",    "off",    "turn",   "turned",
    "line",    "shift",  "at",      "tuck",    "stack",  "around", "group",
    "setting", "level",  "over",    "end",     "along"};
static const char *const slot_names[] = {"plate", "right", "left", "far"};
static const char *const align_names[] = {"none", "top", "middle", "bottom",
                                          "height"};
static const char *const side_names[] = {"left", "right", "front", "back"};

static const char *name_of(const builtin_facts *facts, uint32_t object)
{
    if (object == BUILTIN_CAMERA)
        return "camera";
    return object < facts->object_count ? facts->objects[object].name : "?";
}

/* ---- writing ---- */

typedef struct sink {
    char *text;
    size_t size, used;
} sink;

static void put(sink *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(sink *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s->used < s->size) {
        int count =
            vsnprintf(s->text + s->used, s->size - s->used, format, arguments);
        if (count > 0)
            s->used += (size_t)count;
    }
    va_end(arguments);
}

static void put_sides(sink *s, unsigned sides)
{
    static const unsigned order[] = {SIDE_FRONT, SIDE_BACK, SIDE_LEFT,
                                     SIDE_RIGHT};
    static const char *const texts[] = {"front", "back", "left", "right"};
    put(s, " [side");
    for (int i = 0; i < 4; i++) {
        if (sides & order[i])
            put(s, " %s", texts[i]);
    }
    put(s, "]");
}

static void put_things(sink *s,
                       const builtin_facts *facts,
                       const uint32_t *objects,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(s, "%s%s", i ? " + " : "", name_of(facts, objects[i]));
}

static void put_relation(sink *s,
                         const builtin_facts *facts,
                         const builtin_move *move)
{
    put(s, "%s", relation_names[move->relation]);
    if (move->relation == RELATION_TURN)
        put(s, " %g", move->turn);
    if (move->relation == RELATION_LINE && move->reference != BUILTIN_NONE)
        put(s, " [along %s]", name_of(facts, move->reference));
    else if (move->reference != BUILTIN_NONE)
        put(s, " %s", name_of(facts, move->reference));
    if (move->second != BUILTIN_NONE)
        put(s, " & %s", name_of(facts, move->second));
}

static void put_numbers(sink *s, const builtin_move *move)
{
    if (move->relation == RELATION_SHIFT)
        put(s, " [by %g %g %g]", move->shift[0], move->shift[1],
            move->shift[2]);
    if (move->relation == RELATION_AT)
        put(s, " [at %g %g %g]", move->at[0], move->at[1], move->at[2]);
    if (move->relation == RELATION_AT && move->has_yaw)
        put(s, " [yaw %g]", move->yaw_deg);
    if (move->relation == RELATION_LINE && move->even)
        put(s, " [even]");
    if (move->relation == RELATION_LINE && move->spacing > 0)
        put(s, " [spacing %g]", move->spacing);
    if (move->relation == RELATION_SETTING && (unsigned)move->slot <= SLOT_FAR)
        put(s, " [slot %s]", slot_names[move->slot]);
    if (move->align > ALIGN_NONE && move->align <= ALIGN_HEIGHT)
        put(s, " [align %s]", align_names[move->align]);
}

void readings_place(const builtin_facts *facts,
                    const builtin_move *move,
                    char *text,
                    size_t size)
{
    sink s = {text, size, 0};
    put_relation(&s, facts, move);
    if (move->gap >= 0)
        put(&s, " [gap %g]", move->gap);
    if (move->sides)
        put_sides(&s, move->sides);
    if (move->level)
        put(&s, " [level %u]", move->level);
    if (move->support != BUILTIN_NONE)
        put(&s, " [on %s]", name_of(facts, move->support));
    if (move->facing)
        put(&s, " [%s %s]", move->facing == FACING_TO ? "face" : "back",
            name_of(facts, move->faced));
    put_numbers(&s, move);
    if (move->alone)
        put(&s, " [alone]");
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_condition *also = &move->also[i];
        put(&s, " [%s %s", also->denied ? "not" : "also",
            relation_names[also->relation]);
        if (also->reference != BUILTIN_NONE)
            put(&s, " %s", name_of(facts, also->reference));
        if (also->second != BUILTIN_NONE)
            put(&s, " & %s", name_of(facts, also->second));
        put(&s, "]");
        if (also->gap >= 0)
            put(&s, " [gap %g]", also->gap);
        if (also->sides)
            put_sides(&s, also->sides);
    }
    if (move->each.count) {
        put(&s, " [each ");
        put_things(&s, facts, move->each.objects, move->each.count);
        put(&s, "]");
    }
}

void readings_write(const builtin_facts *facts,
                    const builtin_reading *reading,
                    char *text,
                    size_t size)
{
    sink s = {text, size, 0};
    if (size)
        text[0] = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *move = &reading->moves[i];
        char where[TEXT_MAX];
        readings_place(facts, move, where, sizeof where);
        if (i)
            put(&s, " ; ");
        if (move->objects.need != move->objects.count)
            put(&s, "%u of ", move->objects.need);
        put_things(&s, facts, move->objects.objects, move->objects.count);
        put(&s, " > %s", where);
        if (move->row_count)
            put(&s, " [order ");
        put_things(&s, facts, move->row, move->row_count);
        if (move->row_count)
            put(&s, "]");
    }
}

/* ---- parsing ---- */

static char *trimmed(char *text)
{
    while (*text == ' ')
        text++;
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\n'))
        text[--size] = 0;
    return text;
}

/* The next piece up to `mark`, trimmed; NULL: none is left. Unlike strtok's,
 * `mark` is a text and pieces may be empty. */
static char *next_piece(char **text, const char *mark)
{
    if (!*text)
        return NULL;
    char *piece = *text, *stop = strstr(piece, mark);
    if (stop)
        *stop = 0;
    *text = stop ? stop + strlen(mark) : NULL;
    return trimmed(piece);
}

static uint32_t thing_of(const builtin_facts *facts, const char *name)
{
    if (strcmp(name, "camera") == 0)
        return BUILTIN_CAMERA;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) == 0)
            return i;
    }
    fail_msg("no thing of the scene is called '%s'", name);
    return BUILTIN_NONE;
}

static void read_names(const builtin_facts *facts,
                       char *text,
                       const char *mark,
                       names *ret)
{
    if (strcmp(text, "*") == 0) {
        ret->any = true;
        return;
    }
    for (char *one = next_piece(&text, mark); one;
         one = next_piece(&text, mark)) {
        if (ret->count == NAMES_MAX)
            fail_msg("too many names before '%s'", one);
        ret->objects[ret->count++] = thing_of(facts, one);
    }
}

static double read_number(const char *text)
{
    char *end = NULL;
    if (!text)
        text = ""; /* nothing stands there */
    double value = strtod(text, &end);
    if (*end || end == text)
        fail_msg("'%s' is no number", text);
    return value;
}

static range read_range(char *text)
{
    if (strcmp(text, "*") == 0)
        return (range){-1e9, 1e9};
    char *rest = text;
    double low = read_number(next_piece(&rest, ".."));
    return (range){low, rest ? read_number(trimmed(rest)) : low};
}

static uint64_t relation_of(const char *text, size_t size)
{
    for (unsigned i = 0; i < sizeof relation_names / sizeof relation_names[0];
         i++) {
        if (strlen(relation_names[i]) == size &&
            memcmp(relation_names[i], text, size) == 0)
            return (uint64_t)1 << i;
    }
    return 0;
}

/* 0: the word is no list of relations. */
static uint64_t relations_of(const char *word)
{
    uint64_t all = 0;
    while (true) {
        size_t size = strcspn(word, "/ ");
        uint64_t one = relation_of(word, size);
        if (!one)
            return 0;
        all |= one;
        if (word[size] != '/')
            return all;
        word += size + 1;
    }
}

static void read_condition(const builtin_facts *facts,
                           char *text,
                           bool optional,
                           place *ret)
{
    if (ret->condition_count == CONDITIONS_MAX)
        fail_msg("too many places: %s", text);
    condition *c = &ret->conditions[ret->condition_count++];
    c->optional = optional;
    c->relations = relations_of(text);
    if (!c->relations)
        fail_msg("'%s' begins with no relation", text);
    char *rest = trimmed(text + strcspn(text, " "));
    if (!*rest)
        return;
    if (c->relations & (uint64_t)1 << RELATION_TURN) {
        for (char *one = next_piece(&rest, "/"); one && c->turn_count < 4;
             one = next_piece(&rest, "/"))
            c->turns[c->turn_count++] = read_range(one);
        return;
    }
    char *first = next_piece(&rest, "&");
    read_names(facts, first, "/", &c->references);
    if (rest)
        read_names(facts, trimmed(rest), "/", &c->seconds);
}

static unsigned read_mask(char *text,
                          const char *const *list,
                          unsigned count,
                          const char *mark)
{
    unsigned mask = 0;
    for (char *one = next_piece(&text, mark); one;
         one = next_piece(&text, mark)) {
        unsigned bit = 0;
        for (unsigned i = 0; i < count; i++) {
            if (strcmp(list[i], one) == 0)
                bit = 1u << i;
        }
        if (!bit)
            fail_msg("'%s' is not known here", one);
        mask |= bit;
    }
    return mask;
}

/* "0.3 left 0.1 back", "0.3 toward Desk". */
static void read_shift(const builtin_facts *facts, char *text, place *ret)
{
    while (text && *text) {
        if (ret->part_count == PARTS_MAX)
            fail_msg("too many parts of a shift: %s", text);
        shift_part *part = &ret->parts[ret->part_count++];
        char *rest = text, *length = next_piece(&rest, " ");
        part->metres = read_range(length);
        if (!rest)
            fail_msg("a shift needs a direction");
        char *direction = next_piece(&rest, " ");
        snprintf(part->direction, sizeof part->direction, "%s", direction);
        bool named =
            strcmp(direction, "toward") == 0 || strcmp(direction, "away") == 0;
        if (named && !rest)
            fail_msg("'%s' what?", direction);
        if (named)
            read_names(facts, trimmed(rest), "/", &part->of);
        text = named || !rest ? NULL : trimmed(rest);
    }
}

static void read_at(char *text, place *ret)
{
    for (int i = 0; i < 3; i++) {
        char *one = next_piece(&text, " ");
        if (!one)
            fail_msg("a place has three numbers");
        ret->at_range[i] = read_range(one);
    }
}

/* One "[...]". */
static void read_extra(const builtin_facts *facts,
                       char *text,
                       need state,
                       place *ret)
{
    if (strncmp(text, "not ", 4) == 0) {
        read_condition(facts, trimmed(text + 4), state == NEED_MAYBE, ret);
        ret->conditions[ret->condition_count - 1].relations <<=
            RELATIONS_DENIED;
        return;
    }
    if (strncmp(text, "also ", 5) == 0 || relations_of(text)) {
        bool is_number =
            strncmp(text, "level ", 6) == 0 && ascii_is_digit(text[6]);
        bool is_where = strncmp(text, "at ", 3) == 0;
        if (!is_number && !is_where) {
            read_condition(facts,
                           strncmp(text, "also ", 5) == 0 ? trimmed(text + 5)
                                                          : text,
                           state == NEED_MAYBE, ret);
            return;
        }
    }
    char *rest = text, *word = next_piece(&rest, " ");
    char *more = rest ? trimmed(rest) : NULL;
    struct {
        const char *word;
        need *state;
        range *numbers;
        names *things;
        const char *mark;
    } table[] = {{"gap", &ret->gap, &ret->gap_range, NULL, NULL},
                 {"level", &ret->level, &ret->level_range, NULL, NULL},
                 {"yaw", &ret->yaw, &ret->yaw_range, NULL, NULL},
                 {"spacing", &ret->spacing, &ret->spacing_range, NULL, NULL},
                 {"face", &ret->facing, NULL, &ret->faced, "/"},
                 {"back", &ret->facing, NULL, &ret->faced, "/"},
                 {"each", &ret->each, NULL, &ret->each_of, "+"},
                 {"top", &ret->top, NULL, &ret->end, "/"},
                 {"bottom", &ret->bottom, NULL, &ret->end, "/"},
                 {"order", &ret->order, NULL, NULL, NULL},
                 {"even", &ret->even, NULL, NULL, NULL},
                 {"eye", &ret->eye, NULL, NULL, NULL},
                 {"by", &ret->shift, NULL, NULL, NULL},
                 {"at", &ret->at, NULL, NULL, NULL},
                 {"side", &ret->sides, NULL, NULL, NULL},
                 {"align", &ret->align, NULL, NULL, NULL},
                 {"slot", &ret->slot, NULL, NULL, NULL},
                 {"alone", &ret->alone, NULL, NULL, NULL}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].word, word) != 0)
            continue;
        *table[i].state = state;
        bool bare = table[i].state == &ret->order ||
                    table[i].state == &ret->even || table[i].state == &ret->eye;
        if (bare || table[i].state == &ret->alone)
            return;
        if (!more)
            fail_msg("[%s] says nothing", word);
        if (table[i].numbers)
            *table[i].numbers = read_range(more);
        if (table[i].things)
            read_names(facts, more, table[i].mark, table[i].things);
        if (strcmp(word, "back") == 0)
            ret->backed = true;
        if (strcmp(word, "by") == 0)
            read_shift(facts, more, ret);
        if (strcmp(word, "at") == 0)
            read_at(more, ret);
        if (strcmp(word, "side") == 0)
            ret->side_mask = read_mask(more, side_names, 4, " ");
        if (strcmp(word, "align") == 0)
            ret->align_mask = read_mask(more, align_names, 5, "/");
        if (strcmp(word, "slot") == 0) {
            unsigned mask = read_mask(more, slot_names, 4, " ");
            while (mask > 1) {
                mask >>= 1;
                ret->slot_wanted++;
            }
        }
        return;
    }
    fail_msg("[%s ...] is not known", word);
}

static void read_place(const builtin_facts *facts, char *text, place *ret)
{
    char *open = strchr(text, '[');
    bool maybe = open && open > text && open[-1] == '?';
    if (open) {
        *open = 0;
        if (maybe)
            open[-1] = 0;
    }
    text = trimmed(text);
    read_condition(facts, text, false, ret);
    while (open) {
        char *stop = strchr(open + 1, ']'), *next;
        if (!stop)
            fail_msg("no ']' after [%s", open + 1);
        *stop = 0;
        read_extra(facts, trimmed(open + 1), maybe ? NEED_MAYBE : NEED_ALWAYS,
                   ret);
        next = strchr(stop + 1, '[');
        maybe = next && next > stop + 1 && next[-1] == '?';
        open = next;
    }
}

static void read_things(const builtin_facts *facts,
                        char *text,
                        wanted_move *ret)
{
    char *of = strstr(text, " of ");
    if (of && text[0] >= '1' && text[0] <= '9') {
        ret->need = (uint32_t)strtoul(text, NULL, 10);
        text = of + 4;
    }
    for (char *one = next_piece(&text, "+"); one;
         one = next_piece(&text, "+")) {
        size_t size = strlen(one);
        if (ret->things.count == NAMES_MAX)
            fail_msg("too many things before %s", one);
        bool next_maybe = size > 0 && one[size - 1] == '?';
        if (next_maybe) {
            one[size - 1] = 0;
            if (ret->things.count + 1 < NAMES_MAX)
                ret->maybe[ret->things.count + 1] = true;
        }
        ret->things.objects[ret->things.count++] =
            thing_of(facts, trimmed(one));
    }
}

static uint32_t read_moves(const builtin_facts *facts,
                           char *text,
                           wanted_move *ret)
{
    uint32_t count = 0;
    for (char *move = next_piece(&text, ";"); move;
         move = next_piece(&text, ";")) {
        char *arrow = strchr(move, '>');
        if (!arrow)
            fail_msg("no '>' in '%s'", move);
        if (count == WANTED_MAX)
            fail_msg("too many moves");
        *arrow = 0;
        wanted_move *w = &ret[count++];
        w->optional = move[0] == '?';
        read_things(facts, trimmed(w->optional ? move + 1 : move), w);
        read_place(facts, trimmed(arrow + 1), &w->where);
    }
    return count;
}

/* ---- comparing ---- */

static bool within(double value, range r)
{
    double slack = 1e-3 + 0.02 * fabs(value);
    return value >= r.low - slack && value <= r.high + slack;
}

static bool is_among(uint32_t object, const names *list)
{
    if (list->any)
        return true;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->objects[i] == object)
            return true;
    }
    return false;
}

static bool is_set(const builtin_set *set, const names *list)
{
    bool same = list->any || set->count == list->count;
    for (uint32_t i = 0; same && i < set->count; i++)
        same = is_among(set->objects[i], list);
    return same;
}

static bool fits(double turn, const condition *wanted)
{
    double within_half = remainder(turn, 360);
    if (!wanted->turn_count)
        return true;
    for (uint32_t i = 0; i < wanted->turn_count; i++) {
        for (int k = -1; k <= 1; k++) {
            if (within(within_half + 360 * k, wanted->turns[i]))
                return true;
        }
    }
    return false;
}

typedef struct spoken { /* one condition of what was read */
    uint64_t relation;
    uint32_t reference, second;
    double turn;
} spoken;

static bool condition_fits(const spoken *got, const condition *wanted)
{
    if (!(got->relation & wanted->relations))
        return false;
    if (got->relation == (uint64_t)1 << RELATION_TURN)
        return fits(got->turn, wanted);
    bool seated = got->relation == (uint64_t)1 << RELATION_SETTING;
    bool none = !wanted->references.count && !wanted->references.any;
    if (none)
        return got->reference == BUILTIN_NONE || seated;
    if (seated && !wanted->seconds.count)
        return is_among(got->reference, &wanted->references);
    if (!wanted->seconds.count)
        return got->second == BUILTIN_NONE &&
               is_among(got->reference, &wanted->references);
    bool straight = is_among(got->reference, &wanted->references) &&
                    is_among(got->second, &wanted->seconds);
    bool crossed = is_among(got->second, &wanted->references) &&
                   is_among(got->reference, &wanted->seconds);
    return straight || (crossed && !seated);
}

/* A present field is asked for, a missing one is not needed. */
static bool state_fits(need wanted, bool present, bool same)
{
    return present ? wanted != NEED_NONE && same : wanted != NEED_ALWAYS;
}

/* An end is a side of the thing's own frame; the rows speak of the picture. The
 * picture's side (a bit) of an own one. */
static unsigned side_in_picture(const builtin_facts *facts,
                                uint32_t object,
                                unsigned side)
{
    double right[2], away[2];
    const double *heading = facts->objects[object].heading;
    const bool lengthwise = side & (SIDE_FRONT | SIDE_BACK);
    const double sign = side & (SIDE_BACK | SIDE_RIGHT) ? -1 : 1;
    const double way[2] = {sign * (lengthwise ? heading[0] : -heading[1]),
                           sign * (lengthwise ? heading[1] : heading[0])};
    builtin_picture_axes(facts, right, away);
    const double across = way[0] * right[0] + way[1] * right[1],
                 along = way[0] * away[0] + way[1] * away[1];
    if (fabs(across) >= fabs(along))
        return across > 0 ? SIDE_RIGHT : SIDE_LEFT;
    return along > 0 ? SIDE_BACK : SIDE_FRONT;
}

/* What the move's own relation is called: "at the left end of" is to the left
 * of it, too. */
static uint64_t relations_spoken(const builtin_facts *facts,
                                 const builtin_move *move)
{
    const uint64_t own = (uint64_t)1 << move->relation;
    if (move->relation != RELATION_END || !move->sides ||
        move->reference >= facts->object_count)
        return own;
    switch (side_in_picture(facts, move->reference, move->sides)) {
    case SIDE_LEFT: return own | (uint64_t)1 << RELATION_LEFT;
    case SIDE_RIGHT: return own | (uint64_t)1 << RELATION_RIGHT;
    case SIDE_FRONT: return own | (uint64_t)1 << RELATION_FRONT;
    default: return own | (uint64_t)1 << RELATION_BEHIND;
    }
}

static bool sides_fit(const builtin_facts *facts,
                      const builtin_move *move,
                      unsigned sides,
                      const place *wanted)
{
    bool end = move->relation == RELATION_END && move->sides &&
               move->reference < facts->object_count;
    if (end && wanted->sides == NEED_NONE)
        return true; /* the relation has told it */
    bool same = sides == wanted->side_mask;
    same = same || (end && side_in_picture(facts, move->reference,
                                           move->sides) == wanted->side_mask);
    return state_fits(wanted->sides, sides != 0, same);
}

static uint32_t spoken_of(const builtin_facts *facts,
                          const builtin_move *move,
                          spoken *ret)
{
    uint32_t count = 0;
    bool row = move->relation == RELATION_LINE ||
               move->relation == RELATION_SHIFT ||
               move->relation == RELATION_AT;
    const uint64_t relations = relations_spoken(facts, move);
    ret[count++] = (spoken){relations, row ? BUILTIN_NONE : move->reference,
                            move->second, move->turn};
    if (move->relation == RELATION_LINE && move->reference != BUILTIN_NONE)
        ret[count++] = (spoken){(uint64_t)1 << RELATION_ALONG, move->reference,
                                BUILTIN_NONE, 0};
    for (uint32_t i = 0; i < move->also_count && count < CONDITIONS_MAX; i++) {
        const builtin_condition *also = &move->also[i];
        const uint64_t relation = (uint64_t)1 << also->relation;
        ret[count++] =
            (spoken){also->denied ? relation << RELATIONS_DENIED : relation,
                     also->reference, also->second, 0};
    }
    if (move->support != BUILTIN_NONE && count < CONDITIONS_MAX)
        ret[count++] = (spoken){(uint64_t)1 << RELATION_ON, move->support,
                                BUILTIN_NONE, 0};
    return count;
}

/* Standing on `by` goes without saying where the thing, or what it is put to,
 * stands there. */
static bool goes_without_saying(const builtin_facts *facts,
                                uint32_t by,
                                uint32_t thing,
                                const spoken *got,
                                uint32_t count)
{
    if (by >= facts->object_count)
        return false;
    if (facts->objects[by].is_static || builtin_stands_on(facts, thing, by))
        return true;
    for (uint32_t i = 0; i < count; i++) {
        bool known = got[i].reference < facts->object_count;
        if (known && builtin_is_above(facts, got[i].reference, by))
            return true;
    }
    return false;
}

static bool conditions_fit(const builtin_facts *facts,
                           const builtin_move *move,
                           uint32_t thing,
                           const place *wanted)
{
    const uint64_t on = (uint64_t)1 << RELATION_ON;
    spoken got[CONDITIONS_MAX + 1];
    bool used[CONDITIONS_MAX + 1] = {false};
    uint32_t count = spoken_of(facts, move, got),
             from = move->each.count ? 1 : 0;
    bool each_fits = false;
    if (from) { /* `each` takes the place of the reference */
        spoken first = got[0];
        bool seat = move->relation == RELATION_SETTING;
        first.reference = seat ? move->reference : BUILTIN_NONE;
        first.second = BUILTIN_NONE;
        each_fits = condition_fits(&first, &wanted->conditions[0]);
        if (!each_fits)
            return false;
    }
    for (uint32_t k = from; k < wanted->condition_count; k++) {
        const condition *c = &wanted->conditions[k];
        bool met = false;
        for (uint32_t i = from; !met && i < count; i++) {
            met = !used[i] && condition_fits(&got[i], c);
            if (met)
                used[i] = true;
        }
        bool implied = (c->relations & on) && c->references.count == 1 &&
                       goes_without_saying(facts, c->references.objects[0],
                                           thing, got, count);
        if (!met && !c->optional && !implied)
            return false;
    }
    for (uint32_t i = from; i < count; i++) {
        bool extra =
            i > 0 && got[i].relation == on &&
            goes_without_saying(facts, got[i].reference, thing, got, i);
        if (!used[i] && !extra)
            return false;
    }
    return true;
}

static bool unit_of(const builtin_facts *facts,
                    const shift_part *part,
                    uint32_t thing,
                    uint32_t of,
                    bool nearest,
                    double ret[3])
{
    const char *d = part->direction;
    const double *right = facts->right, *forward = facts->forward;
    ret[0] = ret[1] = ret[2] = 0;
    if (strcmp(d, "up") == 0 || strcmp(d, "down") == 0) {
        ret[2] = d[0] == 'u' ? 1 : -1;
        return true;
    }
    double sign = strcmp(d, "left") == 0 || strcmp(d, "front") == 0 ||
                          strcmp(d, "away") == 0
                      ? -1
                      : 1;
    const double *along =
        strcmp(d, "left") == 0 || strcmp(d, "right") == 0 ? right : forward;
    double x = along[0], y = along[1];
    if (part->of.count) {
        const builtin_object *from = &facts->objects[thing];
        const double *to =
            of == BUILTIN_CAMERA ? facts->position : facts->objects[of].centre;
        x = to[0] - from->centre[0];
        y = to[1] - from->centre[1];
        /* to the nearest point of its box */
        if (nearest && of != BUILTIN_CAMERA) {
            const builtin_object *o = &facts->objects[of];
            double u[2] = {o->heading[1], -o->heading[0]},
                   v[2] = {o->heading[0], o->heading[1]};
            double p =
                fmin(fmax(-(x * u[0] + y * u[1]), -o->half[0]), o->half[0]);
            double q =
                fmin(fmax(-(x * v[0] + y * v[1]), -o->half[1]), o->half[1]);
            x += p * u[0] + q * v[0];
            y += p * u[1] + q * v[1];
        }
    }
    double length = sqrt(x * x + y * y);
    if (length < 1e-9)
        return false;
    ret[0] = sign * x / length;
    ret[1] = sign * y / length;
    return true;
}

static bool shift_fits_to(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t thing,
                          const place *wanted,
                          uint32_t of,
                          bool nearest)
{
    double low[3] = {0}, sum[3] = {0};
    for (uint32_t i = 0; i < wanted->part_count; i++) {
        const shift_part *part = &wanted->parts[i];
        double unit[3], metres = (part->metres.low + part->metres.high) / 2;
        if (!unit_of(facts, part, thing, of, nearest, unit))
            return false;
        for (int k = 0; k < 3; k++)
            sum[k] += metres * unit[k];
        for (int k = 0; k < 3; k++)
            low[k] += part->metres.low * unit[k];
    }
    double ask = 0, least = 0, got = 0, dot = 0;
    for (int k = 0; k < 3; k++) {
        ask += sum[k] * sum[k];
        least += low[k] * low[k];
        got += move->shift[k] * move->shift[k];
        dot += sum[k] * move->shift[k];
    }
    ask = sqrt(ask);
    least = sqrt(least);
    got = sqrt(got);
    if (got < 1e-9 || !within(got, (range){least, 2 * ask - least}))
        return false;
    return dot / (ask * got) >= cos(TURNED_BY * 3.14159265358979 / 180);
}

static bool shift_fits(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t thing,
                       const place *wanted)
{
    const names *of = &wanted->parts[0].of;
    for (uint32_t i = 0; i < (of->count ? of->count : 1); i++) {
        uint32_t to = of->count ? of->objects[i] : BUILTIN_NONE;
        if (shift_fits_to(facts, move, thing, wanted, to, false) ||
            shift_fits_to(facts, move, thing, wanted, to, true))
            return true;
    }
    return false;
}

static bool row_fits(const builtin_move *move,
                     const place *wanted,
                     const names *things)
{
    bool same = move->row_count == things->count;
    for (uint32_t i = 0; same && i < things->count; i++)
        same = move->row[i] == things->objects[i];
    if (wanted->order == NEED_ALWAYS && !same)
        return false;
    if (wanted->order == NEED_MAYBE && move->row_count && !same)
        return false;
    bool ended = wanted->top == NEED_ALWAYS || wanted->bottom == NEED_ALWAYS;
    if (!ended)
        return true;
    return move->row_count > 0 &&
           is_among(wanted->top ? move->row[move->row_count - 1] : move->row[0],
                    &wanted->end);
}

/* Eye level: the middle of it 1.2 to 1.8 m up, or as high as something else
 * that hangs. */
static bool is_at_eyes(const builtin_move *move)
{
    return move->relation == RELATION_AT &&
           within(move->at[2], (range){1.2, 1.8});
}

static double first_gap(const builtin_move *move)
{
    double gap = move->gap;
    for (uint32_t i = 0; gap < 0 && i < move->also_count; i++)
        gap = move->also[i].gap;
    return gap;
}

static bool place_fits(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t thing,
                       const wanted_move *wanted)
{
    const place *w = &wanted->where;
    double gap = first_gap(move);
    unsigned sides = move->sides;
    for (uint32_t i = 0; i < move->also_count; i++)
        sides |= move->also[i].sides;
    bool at = move->relation == RELATION_AT,
         seated = move->relation == RELATION_SETTING;
    bool at_fits = true;
    for (int k = 0; k < 3; k++)
        at_fits = at_fits && within(move->at[k], w->at_range[k]);
    double yaw = remainder(move->yaw_deg, 360);
    bool yaw_fits = within(yaw, w->yaw_range) ||
                    within(yaw + 360, w->yaw_range) ||
                    within(yaw - 360, w->yaw_range);
    bool faced = is_among(move->faced, &w->faced) &&
                 (w->faced.any || (move->facing == FACING_BACK) == w->backed);
    if (!conditions_fit(facts, move, thing, w))
        return false;
    /* that is what "at" and "by" say */
    bool near = move->relation == RELATION_BESIDE && gap <= NEAR;
    bool gapped = gap >= 0 && move->relation != RELATION_SHIFT &&
                  (!near || w->gap == NEED_ALWAYS);
    if (!state_fits(w->gap, gapped, within(gap, w->gap_range)))
        return false;
    if (!sides_fit(facts, move, sides, w))
        return false;
    if (!state_fits(w->level, move->level != 0,
                    within(move->level, w->level_range)))
        return false;
    bool leans = move->relation == RELATION_AGAINST &&
                 move->facing == FACING_BACK && move->faced == move->reference;
    bool facing =
        move->facing != FACING_NONE && (!leans || w->facing == NEED_ALWAYS);
    if (!state_fits(w->facing, facing, faced))
        return false;
    if (move->relation == RELATION_SHIFT && !shift_fits(facts, move, thing, w))
        return false;
    if (w->eye && at && !is_at_eyes(move))
        return false;
    if (!w->eye && !state_fits(w->at, at, at_fits))
        return false;
    if (!state_fits(w->yaw, at && move->has_yaw, yaw_fits))
        return false;
    if (w->even == NEED_ALWAYS && !move->even)
        return false;
    if (!state_fits(w->alone, move->alone, true))
        return false;
    bool spaced = move->relation == RELATION_LINE && move->spacing > 0;
    if (!state_fits(w->spacing, spaced,
                    within(move->spacing, w->spacing_range)))
        return false;
    if (w->slot == NEED_ALWAYS && (!seated || move->slot != w->slot_wanted))
        return false;
    if (!state_fits(w->each, move->each.count != 0,
                    is_set(&move->each, &w->each_of)))
        return false;
    bool aligned = move->align != ALIGN_NONE;
    if (!w->eye &&
        !state_fits(w->align, aligned, (w->align_mask >> move->align & 1) != 0))
        return false;
    return row_fits(move, w, &wanted->things);
}

static bool take_one(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t thing,
                     wanted_move *wanted,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wanted_move *w = &wanted[i];
        for (uint32_t k = 0; k < w->things.count; k++) {
            bool open = !w->matched[k] && (!w->need || w->met < w->need);
            if (!open || w->things.objects[k] != thing ||
                !place_fits(facts, move, thing, w))
                continue;
            w->matched[k] = true;
            w->met++;
            return true;
        }
    }
    return false;
}

static bool take_some(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        wanted_move *w = &wanted[i];
        bool same = w->need == move->objects.need && !w->met &&
                    is_set(&move->objects, &w->things);
        if (!same || !place_fits(facts, move, move->objects.objects[0], w))
            continue;
        w->met = w->need;
        return true;
    }
    return false;
}

static bool take_swap(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    builtin_move turned = *move;
    uint32_t thing = move->objects.objects[0];
    turned.reference = thing;
    return take_one(facts, &turned, move->reference, wanted, count);
}

static bool take_move(const builtin_facts *facts,
                      const builtin_move *move,
                      wanted_move *wanted,
                      uint32_t count)
{
    if (move->objects.need != move->objects.count)
        return take_some(facts, move, wanted, count);
    for (uint32_t k = 0; k < move->objects.count; k++) {
        bool taken =
            take_one(facts, move, move->objects.objects[k], wanted, count);
        bool swapped = !taken && move->relation == RELATION_SWAP &&
                       take_swap(facts, move, wanted, count);
        if (!taken && !swapped)
            return false;
    }
    return true;
}

static bool all_met(const wanted_move *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const wanted_move *w = &wanted[i];
        if (w->optional && !w->met)
            continue;
        if (w->need && w->met < w->need)
            return false;
        for (uint32_t k = 0; !w->need && k < w->things.count; k++) {
            if (!w->matched[k] && !w->maybe[k])
                return false;
        }
    }
    return true;
}

static bool is_one(const builtin_facts *facts,
                   const builtin_reading *reading,
                   char *text)
{
    wanted_move *wanted = calloc(WANTED_MAX, sizeof *wanted);
    if (!wanted)
        fail_msg("out of memory");
    uint32_t count = read_moves(facts, text, wanted);
    bool same = reading != NULL;
    for (uint32_t i = 0; same && i < reading->count; i++)
        same = take_move(facts, &reading->moves[i], wanted, count);
    same = same && all_met(wanted, count);
    free(wanted);
    return same;
}

static bool is_code(const char *text)
{
    static const char *const codes[] = {"unknown", "ambiguous", "impossible",
                                        "unread", "no_place"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(text, codes[i]) == 0)
            return true;
    }
    return false;
}

bool readings_match(const builtin_facts *facts,
                    const builtin_reading *reading,
                    const char *wanted)
{
    char copy[TEXT_MAX], *rest = copy;
    bool fits = false;
    if (snprintf(copy, sizeof copy, "%s", wanted) >= (int)sizeof copy)
        fail_msg("too long: %s", wanted);
    for (char *one = next_piece(&rest, "||"); one;
         one = next_piece(&rest, "||")) {
        if (one[0] == '!') {
            if (!is_code(trimmed(one + 1)))
                fail_msg("'%s' is no code", one);
            fits = fits || !reading;
            continue;
        }
        bool same = is_one(facts, reading, one);
        fits = fits || same;
    }
    return fits;
}

bool readings_refused(const char *wanted)
{
    char copy[TEXT_MAX], *rest = copy;
    bool all = true;
    snprintf(copy, sizeof copy, "%s", wanted);
    for (char *one = next_piece(&rest, "||"); one;
         one = next_piece(&rest, "||"))
        all = all && one[0] == '!';
    return all;
}

bool readings_has_code(const char *wanted, const char *code)
{
    char copy[TEXT_MAX], *rest = copy;
    bool found = false;
    snprintf(copy, sizeof copy, "%s", wanted);
    for (char *one = next_piece(&rest, "||"); code && one;
         one = next_piece(&rest, "||"))
        found = found || (one[0] == '!' && strcmp(trimmed(one + 1), code) == 0);
    return found;
}
