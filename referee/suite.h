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
    SUITE_DEPTH_MAX = 4,       /* of not, any, all and count */
    SUITE_NAME_MAX = 128
};

/* What can be asked of things A, B, C of a scene. SUITE.md has the exact rules;
 * "most" and "least" are the predicate's own, or the defaults there. */
typedef enum predicate_kind {
    /* A's middle is over B's outline, A's surface close above B's */
    PREDICATE_ON,
    /* A's middle is over B's outline, between its foot and its top */
    PREDICATE_INSIDE,
    /* A's middle is over B's outline, A's foot 5 cm or more below B's top */
    PREDICATE_UNDER,
    /* surfaces touch, and A's foot is 10 cm or more above B's */
    PREDICATE_HUNG,
    /* sides at most so far apart, A's middle not over B's outline */
    PREDICATE_NEXT,
    /* sides at most so far apart */
    PREDICATE_NEAR,
    /* A's middle lies between those of B and C, near their line */
    PREDICATE_BETWEEN,
    /* A is near two sides of B's least rectangle that meet */
    PREDICATE_CORNER,
    /* A's middle is at most a share of B's sides from B's middle */
    PREDICATE_MIDDLE,
    /* in the camera's image; so RIGHT */
    PREDICATE_LEFT,
    PREDICATE_RIGHT,
    /* nearer to the camera, level with the ground; BEHIND: farther */
    PREDICATE_BEFORE,
    PREDICATE_BEHIND,
    /* A's front looks toward B's middle, within so many degrees */
    PREDICATE_FACING,
    /* between their outlines, from least to most */
    PREDICATE_DISTANCE,
    /* A is where B was */
    PREDICATE_FORMER,
    /* counter-clockwise from above, by `degrees` */
    PREDICATE_TURNED,
    /* A's middle is over B's outline, at whatever height */
    PREDICATE_OVER,
    /* the height of A's lowest point in the world */
    PREDICATE_FOOT,
    /* the middle of A's box is close to `place` */
    PREDICATE_AT,
    /* A has come as far as `place` says, along each axis that is given */
    PREDICATE_SHIFTED,
    /* A's farthest corner has come so far */
    PREDICATE_MOVED,
    /* no corner of A, ... has come farther */
    PREDICATE_STILL,
    /* the same of everything in the scene but these */
    PREDICATE_STILL_BUT,
    /* a side of A's box is close to a plane of `place` */
    PREDICATE_SIDE,
    /* from B's middle to A's is within so many degrees of `place`, level */
    PREDICATE_DIRECTION,
    /* A's middle is so much farther along `place` than B's */
    PREDICATE_BEYOND,
    /* A's front looks by `degrees` from -Y, counter-clockwise from above */
    PREDICATE_HEADING,
    /* A's side is nearer to B's than to C's */
    PREDICATE_NEARER,
    /* no middle is farther off the line of the two that are farthest apart */
    PREDICATE_LINE,
    /* along that line the steps differ by at most so much */
    PREDICATE_SPACED,
    /* no two middles are farther apart, level */
    PREDICATE_TOGETHER,
    /* of one part; ANY, ALL and COUNT, from least to most, of several */
    PREDICATE_NOT,
    PREDICATE_ANY,
    PREDICATE_ALL,
    PREDICATE_COUNT,
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
    double degrees;     /* of TURNED and HEADING */
    /* of AT and SIDE, how far of SHIFTED, which way of DIRECTION and BEYOND, in
     * the world; NAN: any */
    double place[3];
    /* FORMER, TURNED, MOVED, STILL: against the scene before this step, not
     * that at the start */
    bool since_step;
    struct predicate *parts;
    uint32_t part_count; /* of NOT, ANY, ALL and COUNT */
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
/* ETNA_E_INPUT with the file, the line of the field in it, the field and why;
 * another where the file cannot be read any more. */
etna_code suite_fail_at(const char *path,
                        const char *field,
                        const char *why,
                        etna_error *err);
/* NULL: none */
const suite_scene *suite_find(const suite *s, const char *name);

/* The predicate as one would write it, into `to`, cut at its size. */
void predicate_say(const predicate *p, char *to, size_t size);

#endif
