/* A planner on a world of boxes: moves of several things are expanded, and each
 * part is carried out as it is planned. */
#ifndef ETNA_TESTS_BUILTIN_EXPAND_STAGE_H
#define ETNA_TESTS_BUILTIN_EXPAND_STAGE_H

#include "read_world.h"
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>

typedef struct stage {
    facts_world world;
    etna_arena arena;
    builtin_talk talk;
    planner p;
    builtin_object *objects; /* of the scene as it is now */
    json_t *task;
} stage;

uint32_t at_index(const stage *s, const char *name);

void open_stage(stage *s, const facts_world *w);

void close_stage(stage *s);

builtin_set set_of(stage *s, const char *const *names, uint32_t count);

builtin_move move_of(stage *s,
                     builtin_relation relation,
                     const char *const *names,
                     uint32_t count,
                     const char *reference);

void expand(stage *s, const builtin_move *move);

/* Does every expanded move in the order given, and sees that it holds then.
 * Places are as the plans' first say. */
void carry_out(stage *s);

const double *place_of(const stage *s, const char *name);

/* A table with three tins on it, four chairs around, a plate and a glass on a
 * sideboard. */
facts_world kitchen(void);

/* A wall at the picture's back, with two barrels before it, not in its
 * middle. */
facts_world yard(void);

/* A row that something is said of besides: where it is by that. */
void row_by(stage *s,
            builtin_relation relation,
            unsigned sides,
            const char *reference,
            const char *second,
            const char *const *names);

const char *bearer_of(const stage *s, const char *name);

#endif
