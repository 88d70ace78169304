/* An existing scene that is furnished: its room, what stands there, and what
 * came as guests of a stage (worker/convert/stage.h). Nothing that is there
 * moves. */
#ifndef ETNA_WORKER_CLI_FURNISH_SCENE_H
#define ETNA_WORKER_CLI_FURNISH_SCENE_H

#include "worker/cli/compose_stage.h"
#include "worker/cli/furnish.h"

/* Reads the scene into f->scene. ETNA_E_INPUT: it cannot be read. */
etna_code furnish_scene_open(furnishing *f,
                             const char *path,
                             const scene_options *options,
                             etna_error *err);
void furnish_scene_free(furnish_scene *s); /* NULL is fine */

/* Finds the room (f->room) and makes things of what stands in it; those that
 * the text speaks of by "the" are wishes that are there already. To be called
 * when the named things are f->things' first. ETNA_E_INPUT: there is no floor
 * to furnish. */
etna_code furnish_scene_enter(furnishing *f, etna_error *err);
/* How a thing that is there stands; for one of FURNISH_SCENE. */
void furnish_scene_lay(const furnishing *f, uint32_t thing, layout_thing *ret);
/* Is the item a thing that is there already? */
bool furnish_is_there(const furnishing *f, uint32_t item);

/* The scene with a guest for each placed item that is not there yet, and each
 * item's object in it. */
etna_code furnish_scene_stage(furnishing *f, staged *ret, etna_error *err);
/* Where the item's object is when the middle of its foot is at `at`, in the
 * room's frame. */
arrange_pose furnish_scene_pose(const furnishing *f,
                                const staged *s,
                                uint32_t item,
                                const double at[3]);
/* A direction of the room's frame (x and z) in the world. */
vec3 furnish_scene_way(const furnishing *f, double x, double z);
/* Prints what import warned of on stderr. */
void furnish_scene_warn(const furnishing *f);
/* Where the room is in the scene: {"path", "middle": [x, y, z] in the file's
 * frame, metres and Z up, "turned_deg"}. */
json_t *furnish_scene_json(const furnishing *f);
/* f->glb: the scene's own bytes, with what is placed appended. */
etna_code furnish_scene_write(furnishing *f, const staged *s, etna_error *err);

#endif
