/* What the tools work on: one scene file, read once, and any number of arrangements of it, each a line of snapshots
 * that can be walked back and forth. An arrangement is named by an explicit handle (`scene_id`), so nothing depends on
 * the connection, which the modern revision does not have; "main" is there from the start. One thread at a time. */
#ifndef ETNA_WORKER_MCP_WORLD_H
#define ETNA_WORKER_MCP_WORLD_H

#include "worker/jobs/scene_cache.h"

#include <jansson.h>

enum {
    WORLD_SCENES_MAX = 32, /* arrangements at once */
    WORLD_EDITS_MAX = 500, /* snapshots of one; the oldest but the first go */
    WORLD_LABEL_MAX = 256  /* bytes */
};

typedef struct world_options { /* texts are borrowed */
    const char *scene_name;    /* as the user typed it */
    uint8_t *bundle;           /* taken over, also on failure */
    size_t bundle_size;
    const char *scene_path; /* never written to */
    int folder;             /* of files that tools may write, open; -1: none */
    const char *program;    /* `etna`, for run_goal */
    const char *model;      /* run_goal's --model, or NULL */
    uint32_t threads;
    /* Reads a scene file into a bundle (worker/convert's convert_scene). */
    etna_code (*read)(const char *path, const scene_options *options, uint8_t **ret_data, size_t *ret_size,
                      etna_error *err);
    /* Writes a file whole or not at all (worker/cli's load_write). */
    etna_code (*write)(const char *path, const uint8_t *data, size_t size, etna_error *err);
} world_options;

typedef struct world_edit {
    char label[WORLD_LABEL_MAX];
    uint8_t *data; /* canonical bytes of the snapshot */
    size_t size;
    etna_hash hash;
} world_edit;

typedef struct world_scene { /* an arrangement */
    char id[24];
    uint32_t count, at; /* edits[0] is the file as it is; edits[at] is what stands */
    world_edit *edits;
    uint32_t room;
} world_scene;

typedef struct world {
    world_options options;
    job_shared *shared;
    cached_scene *warm; /* NULL: not yet opened */
    space *space;
    uint32_t scene_count, made;
    world_scene scenes[WORLD_SCENES_MAX];
    bool base_known;
    space_check base; /* what was wrong in the file */
} world;

/* Takes the options' bundle; imports nothing yet, so that a start costs nothing. */
etna_code world_new(const world_options *options, world **ret, etna_error *err);
void world_free(world *w); /* NULL is fine */
/* Imports the scene when that has not been done. */
etna_code world_open(world *w, etna_error *err);

/* The arrangement of that handle (NULL: "main"). ETNA_E_INPUT when there is none. */
etna_code world_find(world *w, const char *id, world_scene **ret, etna_error *err);
/* A new one that begins as `from` stands. */
etna_code world_branch(world *w, const world_scene *from, world_scene **ret, etna_error *err);
void world_drop(world *w, world_scene *scene); /* not "main" */

/* What stands, decoded; and the world's space set to it, with nothing hidden. Free with snapshot_free. */
etna_code world_stand(world *w, const world_scene *scene, snapshot *ret, etna_error *err);
/* The arrangement goes on with `snap`; what could be redone is gone. */
etna_code world_push(world *w, world_scene *scene, const snapshot *snap, const char *label, etna_error *err);

/* The camera that `request` (a camera's name or number, auto, cutaway, or NULL) means, found at the poses of the file
 * so that it stays where it is; hides what "cutaway" hides. The space stands at `snap` again after it. */
etna_code world_camera(world *w, const snapshot *snap, const char *request, scene_camera *ret, etna_error *err);

/* Pairs and objects that were wrong in the file already. */
etna_code world_base(world *w, const space_check **ret, etna_error *err);

#endif
