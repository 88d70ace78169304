/* Constraints as an agent writes them (METHOD.md 3, Executor): JSON arrays in, a typed list out. Strict; an error says
 * which constraint, what is wrong and what the form is, because an agent reads it and tries again. */
#ifndef ETNA_WORKER_SOLVE_CONSTRAINT_H
#define ETNA_WORKER_SOLVE_CONSTRAINT_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum constraint_kind {
    CONSTRAINT_OBJECT_NAME = 1, /* ["ObjectName", name]                                 exactly once */
    CONSTRAINT_CLOSE_TO_PIX,    /* ["CloseToPix", "center"|"down", [x, y]], then perhaps a camera: at least one */
    CONSTRAINT_CONTACT,         /* ["Contact", "down"|"side"|"up", plane] */
    CONSTRAINT_NO_OVERHANG,     /* ["NoOverhang", "down", plane, "full_only"|"center"] */
    CONSTRAINT_DISTANCE,        /* ["Distance", other, metres] */
    CONSTRAINT_FACE_TO,         /* ["FaceTo", object|plane|"camera"] */
    CONSTRAINT_BACK_TO,
    CONSTRAINT_ROTATE, /* ["Rotate", degrees] */
    CONSTRAINT_KIND_COUNT
} constraint_kind;

typedef enum constraint_face { FACE_NONE = 0, FACE_CENTER, FACE_DOWN, FACE_SIDE, FACE_UP } constraint_face;

typedef struct constraint {
    constraint_kind kind;
    constraint_face face; /* CloseToPix: CENTER or DOWN; Contact: DOWN, SIDE, UP; NoOverhang: DOWN */
    const char *name;     /* object, plane (also `ray:x,y`) or "camera"; NULL for CloseToPix and Rotate */
    double pixel[2];      /* CloseToPix, in [0, 1] */
    const char *camera;   /* CloseToPix: whose picture; NULL: the one everything else is about */
    double value;         /* Distance: metres; Rotate: degrees */
    bool full_only;       /* NoOverhang */
} constraint;

enum { CONSTRAINTS_MAX = 32 };

typedef struct constraint_list {
    uint32_t count;
    const constraint *items; /* in the order written, ObjectName included */
    const char *object;      /* ObjectName's */
} constraint_list;

/* Reads a JSON array of arrays, or the same without the outer brackets (arrays with commas between, one after the last
 * allowed), as an executor's block holds them. Strings live in the arena. ETNA_E_INPUT, ETNA_E_NOMEM. */
etna_code constraint_parse(const char *text, size_t size, etna_arena *arena, constraint_list *ret, etna_error *err);

/* "Contact", ...; never NULL. */
const char *constraint_kind_name(constraint_kind kind);

#endif
