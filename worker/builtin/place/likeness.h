/* What nameless things are called after: what looks just like them. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_LIKENESS_H
#define ETNA_WORKER_BUILTIN_PLACE_LIKENESS_H

#include "worker/builtin/builtin.h"

/* The last word of the name that is no number, colour or, where there is
 * another, side; NULL: there is none. */
const char *builtin_noun(const builtin_object *o);

/* Does its name say nothing of what it is: "Cube.004", or a word that is no
 * thing's? */
bool builtin_is_unnamed(const builtin_object *o);
/* Is its name only what programs call a thing: "Mesh.042"? */
bool builtin_is_anonymous(const builtin_object *o);

/* Gives a movable thing that is called as programs call things the nouns of the
 * movable things that are of its very size, where these agree: "Cube.004" as
 * large as the red book and the blue one is a book. Its own words become hints.
 * ETNA_E_NOMEM. */
etna_code builtin_name_by_likeness(builtin_object *objects,
                                   uint32_t count,
                                   etna_arena *arena,
                                   etna_error *err);

#endif
