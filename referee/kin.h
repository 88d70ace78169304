/* Whether a scene is made of another's things at all: a system that renames
 * nodes, or writes other units, would else be told of failures alone. */
#ifndef ETNA_REFEREE_KIN_H
#define ETNA_REFEREE_KIN_H

#include "referee/gltf_scene.h"

/* A sentence into `says` where most of the things of `start` bear no name that
 * `now` has, or are of another size there by half and more; "": they are its
 * things. A few that are gone were taken out. False: out of memory. */
bool kin_say(const gltf_scene *start,
             const gltf_scene *now,
             char *says,
             size_t size);

#endif
