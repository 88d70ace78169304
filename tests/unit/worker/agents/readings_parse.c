/* The notation of strangers_tuned.txt, cut up in place. What cannot be read
 * fails the test. */
#include "proto/ascii.h"
#include "tests/unit/worker/agents/readings_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const side_names[] = {"left", "right", "front", "back"};

char *readings_trim(char *text)
{
    while (*text == ' ')
        text++;
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\n'))
        text[--size] = 0;
    return text;
}

char *readings_piece(char **text, const char *mark)
{
    if (!*text)
        return NULL;
    char *piece = *text, *stop = strstr(piece, mark);
    if (stop)
        *stop = 0;
    *text = stop ? stop + strlen(mark) : NULL;
    return readings_trim(piece);
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
    for (char *one = readings_piece(&text, mark); one;
         one = readings_piece(&text, mark)) {
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
    double low = read_number(readings_piece(&rest, ".."));
    return (range){low, rest ? read_number(readings_trim(rest)) : low};
}

static uint64_t relation_of(const char *text, size_t size)
{
    for (unsigned i = 0; i < RELATION_ALONG + 1; i++) {
        if (strlen(readings_relations[i]) == size &&
            memcmp(readings_relations[i], text, size) == 0)
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
    char *rest = readings_trim(text + strcspn(text, " "));
    if (!*rest)
        return;
    if (c->relations & (uint64_t)1 << RELATION_TURN) {
        for (char *one = readings_piece(&rest, "/"); one && c->turn_count < 4;
             one = readings_piece(&rest, "/"))
            c->turns[c->turn_count++] = read_range(one);
        return;
    }
    char *first = readings_piece(&rest, "&");
    read_names(facts, first, "/", &c->references);
    if (rest)
        read_names(facts, readings_trim(rest), "/", &c->seconds);
}

static unsigned read_mask(char *text,
                          const char *const *list,
                          unsigned count,
                          const char *mark)
{
    unsigned mask = 0;
    for (char *one = readings_piece(&text, mark); one;
         one = readings_piece(&text, mark)) {
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
        char *rest = text, *length = readings_piece(&rest, " ");
        part->metres = read_range(length);
        if (!rest)
            fail_msg("a shift needs a direction");
        char *direction = readings_piece(&rest, " ");
        snprintf(part->direction, sizeof part->direction, "%s", direction);
        bool named =
            strcmp(direction, "toward") == 0 || strcmp(direction, "away") == 0;
        if (named && !rest)
            fail_msg("'%s' what?", direction);
        if (named)
            read_names(facts, readings_trim(rest), "/", &part->of);
        text = named || !rest ? NULL : readings_trim(rest);
    }
}

static void read_at(char *text, place *ret)
{
    for (int i = 0; i < 3; i++) {
        char *one = readings_piece(&text, " ");
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
        read_condition(facts, readings_trim(text + 4), state == NEED_MAYBE,
                       ret);
        ret->conditions[ret->condition_count - 1].relations <<=
            RELATIONS_DENIED;
        return;
    }
    if (strncmp(text, "also ", 5) == 0 || relations_of(text)) {
        bool is_number =
            strncmp(text, "level ", 6) == 0 && ascii_is_digit(text[6]);
        bool is_where = strncmp(text, "at ", 3) == 0;
        if (!is_number && !is_where) {
            read_condition(
                facts,
                strncmp(text, "also ", 5) == 0 ? readings_trim(text + 5) : text,
                state == NEED_MAYBE, ret);
            return;
        }
    }
    char *rest = text, *word = readings_piece(&rest, " ");
    char *more = rest ? readings_trim(rest) : NULL;
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
                 {"per", &ret->per, &ret->per_range, NULL, NULL},
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
            ret->align_mask =
                read_mask(more, readings_aligns, READINGS_ALIGNS, "/");
        if (strcmp(word, "slot") == 0) {
            unsigned mask =
                read_mask(more, readings_slots, READINGS_SLOTS, " ");
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
    text = readings_trim(text);
    read_condition(facts, text, false, ret);
    while (open) {
        char *stop = strchr(open + 1, ']'), *next;
        if (!stop)
            fail_msg("no ']' after [%s", open + 1);
        *stop = 0;
        read_extra(facts, readings_trim(open + 1),
                   maybe ? NEED_MAYBE : NEED_ALWAYS, ret);
        next = strchr(stop + 1, '[');
        maybe = next && next > stop + 1 && next[-1] == '?';
        open = next;
    }
}

static void read_things(const builtin_facts *facts,
                        char *text,
                        wanted_move ret[WANTED_MAX])
{
    char *of = strstr(text, " of ");
    if (of && text[0] >= '1' && text[0] <= '9') {
        ret->need = (uint32_t)strtoul(text, NULL, 10);
        text = of + 4;
    }
    for (char *one = readings_piece(&text, "+"); one;
         one = readings_piece(&text, "+")) {
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
            thing_of(facts, readings_trim(one));
    }
}

uint32_t readings_parse(const builtin_facts *facts,
                        char *text,
                        wanted_move ret[WANTED_MAX])
{
    uint32_t count = 0;
    for (char *move = readings_piece(&text, ";"); move;
         move = readings_piece(&text, ";")) {
        char *arrow = strchr(move, '>');
        if (!arrow)
            fail_msg("no '>' in '%s'", move);
        if (count == WANTED_MAX)
            fail_msg("too many moves");
        *arrow = 0;
        wanted_move *w = &ret[count++];
        w->optional = move[0] == '?';
        read_things(facts, readings_trim(w->optional ? move + 1 : move), w);
        read_place(facts, readings_trim(arrow + 1), &w->where);
    }
    return count;
}
