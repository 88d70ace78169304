/* What the files of readings.h share. Nobody else includes this.
 *
 *   readings.c       is a reading one of those that are wanted?
 *   readings_parse.c what is wanted, from the notation
 *   readings_write.c a reading in that notation */
#ifndef ETNA_TESTS_AGENTS_READINGS_INTERNAL_H
#define ETNA_TESTS_AGENTS_READINGS_INTERNAL_H

#include "tests/unit/worker/agents/readings.h"

enum {
    TEXT_MAX = 4000,
    NAMES_MAX = 16,     /* that one phrase of the notation allows */
    CONDITIONS_MAX = 8, /* of one move */
    WANTED_MAX = 24,    /* moves of one wanted reading */
    PARTS_MAX = 3,      /* of one shift */
    RELATION_ALONG = RELATION_COUNT,
    /* a relation's bit is so much higher where it must not hold */
    RELATIONS_DENIED = 32
};

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
    need per, gap, sides, level, facing, shift, at, yaw, order, top, bottom,
        even, spacing, slot, each, align, eye, alone;
    range per_range, gap_range, level_range, yaw_range, spacing_range,
        at_range[3];
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

/* The notation's words: of a relation, by its number and RELATION_ALONG; of a
 * builtin_slot; of a builtin_align. */
enum {
    READINGS_SLOTS = 4,
    READINGS_ALIGNS = 5
};
extern const char *const readings_relations[RELATION_ALONG + 1];
extern const char *const readings_slots[READINGS_SLOTS];
extern const char *const readings_aligns[READINGS_ALIGNS];
/* "camera" for BUILTIN_CAMERA, "?" for what is no thing. */
const char *readings_name(const builtin_facts *facts, uint32_t object);

/* The next piece up to `mark`, trimmed; NULL: none is left. Unlike strtok's,
 * `mark` is a text and pieces may be empty. */
char *readings_piece(char **text, const char *mark);
/* One alternative of a wanted reading, cut up; how many moves it has. Fails the
 * test when it is none or names a thing that the facts do not have. */
uint32_t readings_parse(const builtin_facts *facts,
                        char *text,
                        wanted_move ret[WANTED_MAX]);

#endif
