/* SUITE.json, which configs/suite/SUITE.md describes: scenes, what is asked of
 * each step by step, and by what it is known whether it was done. All of it is
 * checked when it is read. */
#ifndef ETNA_REFEREE_SUITE_H
#define ETNA_REFEREE_SUITE_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SUITE_BYTES_MAX = 64 << 20,
    SUITE_SCENES_MAX = 10000,
    SUITE_STEPS_MAX = 64,
    SUITE_PREDICATES_MAX = 64, /* of a step */
    SUITE_THINGS_MAX = 64,     /* of a predicate */
    SUITE_DEPTH_MAX = 4,       /* of not, any and all */
    SUITE_NAME_MAX = 128
};

typedef enum predicate_kind {
    PREDICATE_ON,
    PREDICATE_INSIDE,
    PREDICATE_UNDER,
    PREDICATE_HUNG,
    PREDICATE_NEXT,
    PREDICATE_NEAR,
    PREDICATE_BETWEEN,
    PREDICATE_CORNER,
    PREDICATE_MIDDLE,
    PREDICATE_LEFT,
    PREDICATE_RIGHT,
    PREDICATE_BEFORE,
    PREDICATE_BEHIND,
    PREDICATE_FACING,
    PREDICATE_DISTANCE,
    PREDICATE_FORMER,
    PREDICATE_TURNED,
    PREDICATE_OVER,
    PREDICATE_FOOT,
    PREDICATE_AT,
    PREDICATE_SHIFTED,
    PREDICATE_MOVED,
    PREDICATE_STILL,
    PREDICATE_STILL_BUT,
    PREDICATE_NOT,
    PREDICATE_ANY,
    PREDICATE_ALL,
    PREDICATE_KINDS
} predicate_kind;
/* As the file has it, "next to"; never NULL. */
const char *predicate_word(predicate_kind kind);

typedef struct predicate {
    predicate_kind kind;
    /* nodes' names; of FACING the second may be "camera" */
    const char **things;
    uint32_t thing_count;
    double least, most; /* metres, degrees, or of MIDDLE a share: SUITE.md */
    double degrees;     /* of TURNED */
    /* of AT, and how far of SHIFTED, in the world; NAN: any */
    double place[3];
    /* FORMER, TURNED, MOVED, STILL: against the scene before this step, not
     * that at the start */
    bool since_step;
    struct predicate *parts;
    uint32_t part_count; /* of NOT, ANY and ALL */
} predicate;

typedef struct suite_step {
    const char *text;
    predicate *after;
    uint32_t after_count;
} suite_step;

/* which way a thing's front looks, where that is not its own +Z */
typedef struct suite_front {
    const char *thing;
    double along[3]; /* an axis of the node's */
} suite_front;

typedef struct suite_scene {
    const char *name; /* letters, digits, . _ -: a folder's name */
    /* as the file has it: beside it, or absolute; of a .json: what is to be
     * composed */
    const char *scene;
    const char *camera;    /* NULL: none said */
    const char *unit, *up; /* as `etna run` takes them, or NULL */
    bool is_test, is_hard;
    suite_step *steps;
    uint32_t step_count;
    suite_step goal; /* text NULL: none */
    suite_front *fronts;
    uint32_t front_count;
} suite_scene;

typedef struct suite {
    const char *name;
    suite_scene *scenes;
    uint32_t scene_count, task_count; /* tasks: steps of all scenes */
} suite;

/* Everything lives in `arena`. ETNA_E_INPUT names file, line and field. */
etna_code suite_read(const char *path,
                     etna_arena *arena,
                     suite *ret,
                     etna_error *err);
/* The same of text; `path` is for the errors. */
etna_code suite_parse(const char *path,
                      const char *text,
                      size_t size,
                      etna_arena *arena,
                      suite *ret,
                      etna_error *err);
/* NULL: none */
const suite_scene *suite_find(const suite *s, const char *name);

/* The predicate as one would write it, into `to`, cut at its size. */
void predicate_say(const predicate *p, char *to, size_t size);

#endif
