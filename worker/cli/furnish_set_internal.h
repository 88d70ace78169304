/* What the parts of furnish_set share: one item after another is set on its
 * triangles. Nobody else includes this.
 *
 *   furnish_faults.c  as published, and what is wrong with a room
 *   furnish_set.c     floor, walls and ceiling; what is at fault is left out
 *   furnish_set_on.c  on something that stands already */
#ifndef ETNA_WORKER_CLI_FURNISH_SET_INTERNAL_H
#define ETNA_WORKER_CLI_FURNISH_SET_INTERNAL_H

#include "worker/cli/compose_stage.h"
#include "worker/cli/furnish.h"
#include "worker/cli/furnish_scene.h"

#define PARKED \
    1000.0 /* metres above the room: where things wait for their turn */
/* The furniture in a space of its own, in which it is set down on true
 * triangles. */
typedef struct setter {
    furnishing *f;
    staged stage;
    uint32_t of_object[LAYOUT_ITEMS_MAX]; /* the item */
    etna_error *err;
} setter;

/* The room with all that the layout placed, still without places. */
etna_code setter_spec_make(setter *s);
/* f->glb anew, of what has its place. */
etna_code setter_write(setter *s);
/* Everything where the layout has it: nothing is let down, looked at or left
 * out. */
etna_code furnish_set_as_published(setter *s);
/* Of the scene in which it is set. */
uint32_t setter_object(const setter *s, uint32_t item);
/* The middle of its foot to `at`. */
etna_code setter_move(setter *s, uint32_t item, const double at[3]);
/* Does it collide with nothing where it is? */
etna_code setter_is_clear(setter *s, uint32_t item, bool *ret);
/* Down onto whatever is below, from `from` above the floor; *ret_met: the
 * scene's object, or SCENE_NONE. */
etna_code setter_let_down(setter *s,
                          uint32_t item,
                          double x,
                          double z,
                          double from,
                          uint32_t *ret_met);
/* On an item that stands. *ret false: it has no level place for it. */
etna_code setter_set_on(setter *s, uint32_t item, uint32_t bearer, bool *ret);

#endif
