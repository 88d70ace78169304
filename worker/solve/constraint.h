/* Constraints as an agent writes them (METHODS.md 3, Executor): JSON arrays in,
 * a typed list out. Strict; an error says which constraint, what is wrong and
 * what the form is, because an agent reads it and tries again. */
#ifndef ETNA_WORKER_SOLVE_CONSTRAINT_H
#define ETNA_WORKER_SOLVE_CONSTRAINT_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum constraint_kind {
    /* ["ObjectName", name]                                 exactly once */
    CONSTRAINT_OBJECT_NAME = 1,
    /* ["CloseToPix", "center"|"down", [x, y]], then perhaps a camera: at least
     * one, or a Place */
    CONSTRAINT_CLOSE_TO_PIX,
    CONSTRAINT_CONTACT, /* ["Contact", "down"|"side"|"up", plane] */
    /* ["NoOverhang", "down", plane, "full_only"|"center"] */
    CONSTRAINT_NO_OVERHANG,
    CONSTRAINT_DISTANCE, /* ["Distance", other, metres] */
    CONSTRAINT_FACE_TO,  /* ["FaceTo", object|plane|"camera"] */
    CONSTRAINT_BACK_TO,
    CONSTRAINT_ROTATE, /* ["Rotate", degrees] */
    /* Beyond the paper [D]. A Place gives the candidates' poses instead of a
     * pixel: no CloseToPix beside it, no descent.
     *   ["Place", [x, y, z]]                 the middle of the box's bottom face; with a Contact side or up, its centre
     *   ["Place", [x, y, z], metres]         or any place within so many metres horizontally, the nearest first
     *   ["Place", [x, y, z], [x, y, z]]      on the segment from the first to the second point, from the first on
     * World metres. At most one. With it the name of a Contact may be an
     * object's, too. */
    CONSTRAINT_PLACE,
    /* ["Heading", degrees]: the yaw itself, as `etna scene info` tells it. At
     * most one; nothing else may turn. */
    CONSTRAINT_HEADING,
    CONSTRAINT_KIND_COUNT
} constraint_kind;

typedef enum constraint_face {
    FACE_NONE = 0,
    FACE_CENTER,
    FACE_DOWN,
    FACE_SIDE,
    FACE_UP
} constraint_face;

typedef struct constraint {
    constraint_kind kind;
    /* CloseToPix: CENTER or DOWN; Contact: DOWN, SIDE, UP; NoOverhang: DOWN */
    constraint_face face;
    /* object, plane (also `ray:x,y`) or "camera"; NULL where the form has no
     * name */
    const char *name;
    double pixel[2]; /* CloseToPix, in [0, 1] */
    /* CloseToPix: whose picture; NULL: the one everything else is about */
    const char *camera;
    /* Distance: metres; Rotate, Heading: degrees; Place: metres of slack */
    double value;
    bool full_only;  /* NoOverhang */
    bool to_end;     /* Place: a segment */
    double point[3]; /* Place */
    double end[3];   /* Place, a segment: its other end */
} constraint;

enum {
    CONSTRAINTS_MAX = 32
};
#define CONSTRAINT_PLACE_FARTHEST \
    1e6                           /* metres: a coordinate of a Place at most */
#define CONSTRAINT_SLACK_MOST 100 /* metres */

typedef struct constraint_list {
    uint32_t count;
    const constraint *items; /* in the order written, ObjectName included */
    const char *object;      /* ObjectName's */
} constraint_list;

/* Reads a JSON array of arrays, or the same without the outer brackets (arrays
 * with commas between, one after the last allowed), as an executor's block
 * holds them. Strings live in the arena. ETNA_E_INPUT, ETNA_E_NOMEM. */
etna_code constraint_parse(const char *text,
                           size_t size,
                           etna_arena *arena,
                           constraint_list *ret,
                           etna_error *err);

/* "Contact", ...; never NULL. */
const char *constraint_kind_name(constraint_kind kind);

#endif
