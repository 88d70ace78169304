/* Scenes of boxes for the verifier's own tests: a few pieces, each at rest
 * until a test moves it. */
#ifndef ETNA_TESTS_UNIT_REFEREE_BOX_MODEL_H
#define ETNA_TESTS_UNIT_REFEREE_BOX_MODEL_H

#include "referee/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    PIECES = 12
};

typedef struct model {
    piece pieces[PIECES];
    size_t count;
} model;

/* A box of this size about its middle, at rest with that middle at `from`;
 * returns its number. */
static size_t model_box(model *m, const char *name, point size, point from)
{
    static const int sides[12][3] = {
        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    piece *p = &m->pieces[m->count];
    *p = (piece){.name = strdup(name), .root = strdup(name), .triangles = 12};
    p->corners = malloc(36 * sizeof *p->corners);
    assert_non_null(p->corners);
    for (int i = 0; i < 36; i++) {
        int k = sides[i / 3][i % 3];
        point half = point_times(size, 0.5);
        p->corners[i] =
            (point){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                    k & 4 ? half.z : -half.z};
    }
    p->before = p->after = motion_identity();
    p->before.t = p->after.t = from;
    return m->count++;
}

/* A floor slab of 4 by 4 m, its top at 0, and a table of 1 by 1 m whose top is
 * at 0.7; returns the table's number. */
static inline size_t model_with_table(model *m)
{
    model_box(m, "floor", (point){4, 4, 0.1}, (point){0, 0, -0.05});
    return model_box(m, "table", (point){1, 1, 0.7}, (point){1, 1, 0.3501});
}

/* The findings' names are the model's. */
static inline void model_free(model *m, findings *found)
{
    free(found->list);
    for (size_t i = 0; i < m->count; i++) {
        free(m->pieces[i].name);
        free(m->pieces[i].root);
        free(m->pieces[i].corners);
    }
}

#endif
