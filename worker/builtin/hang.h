/* What hangs, and free places on walls (place/hang.c). */
#ifndef ETNA_WORKER_BUILTIN_HANG_H
#define ETNA_WORKER_BUILTIN_HANG_H

#include "worker/builtin/builtin.h"

typedef struct builtin_hook { /* a place on a wall */
    uint32_t wall;
    double at[2];              /* s, t of the middle of the thing's box */
    double point[3], image[2]; /* of the same */
} builtin_hook;

/* Is the move about hanging: said so, above something, on or along a wall by
 * what already hangs? */
bool builtin_is_hung(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object);
/* Upright and thin, as a picture or a mirror is. */
bool builtin_is_flat(const builtin_object *object);
/* NULL: the thing can hang as it is turned (flat and upright, or hanging
 * already); else why not. */
const char *builtin_why_not_hung(const builtin_facts *facts, uint32_t object);
/* The wall the thing hangs on; BUILTIN_NONE: on none that is seen. */
uint32_t builtin_hangs_on(const builtin_facts *facts, uint32_t object);
/* LEVEL and `align`: how high the middle of the thing's box is to come; false:
 * nothing of the kind is asked. */
bool builtin_aligned_height(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object,
                            double *ret);
/* The yaw that the thing hangs with on that wall: what is at the wall now stays
 * there. */
double builtin_hang_yaw(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t wall);
/* Does it hang as the move wants it? */
bool builtin_hangs_as_asked(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object);
typedef struct builtin_hanging { /* what is asked of a place on a wall */
    const builtin_move *move;
    uint32_t object;
    uint32_t avoid_count;
    const double (*avoid)[3]; /* as in builtin_wish */
    /* taken for gone, with what hangs on it; BUILTIN_NONE: nothing */
    uint32_t without;
} builtin_hanging;

/* Free places on walls where the move holds, at most BUILTIN_SPOTS_MAX, best
 * first and apart. ETNA_E_NOMEM. */
etna_code builtin_hooks(const builtin_facts *facts,
                        const builtin_hanging *asked,
                        etna_arena *arena,
                        builtin_hook *ret,
                        uint32_t *ret_count,
                        etna_error *err);

#endif
