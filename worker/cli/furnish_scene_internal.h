/* A scene that is furnished, for furnish_scene.c and furnish_guests.c. */
#ifndef ETNA_WORKER_CLI_FURNISH_SCENE_INTERNAL_H
#define ETNA_WORKER_CLI_FURNISH_SCENE_INTERNAL_H

#include "worker/assets/fetch.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/cli/furnish_scene.h"
#include "worker/cli/load.h"

/* an asset as it is brought in, for all items of it */
typedef struct furnish_model {
    etna_hash hash;
    asset_model model;
    asset source;
    json_t *told;
} furnish_model;

struct furnish_scene {
    const char *path;
    loaded_scene loaded;
    builtin_facts facts;
    etna_arena arena;
    const char **heads; /* of each object: what it is, or "" */
    bool *spoken,
        /* of each object: "the ..." of the text may mean it; it is a thing of
         * the room */
        *taken;
    vec3 origin; /* of the room's frame in the world: the middle of its floor */
    double angle, cosine,
        /* how far the room's frame is turned, counter-clockwise from above */
        sine;
    uint32_t fixed_count;
    layout_place fixed[LAYOUT_ITEMS_MAX]; /* what is there, thing by thing */
    uint32_t fixed_object[LAYOUT_ITEMS_MAX];
    uint32_t model_count;
    furnish_model models[LAYOUT_ITEMS_MAX];
    size_t staged_size; /* of the bundle of the last stage */
};

vec3 furnish_scene_at(const furnish_scene *s, const double at[3]);
void furnish_guests_free(furnish_scene *s);

#endif
