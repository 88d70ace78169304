/* What the tools work on: scene files, each read once, and any number of
 * arrangements of them, each a line of snapshots that can be walked back and
 * forth. An arrangement is named by an explicit handle (`scene_id`), so nothing
 * depends on the connection, which the modern revision does not have. The file
 * that the server was started with has "main" from the start; others are opened
 * by open_scene. One thread at a time. */
#ifndef ETNA_WORKER_MCP_WORLD_H
#define ETNA_WORKER_MCP_WORLD_H

#include "worker/jobs/scene_cache.h"
#include "worker/mcp/roots.h"

#include <jansson.h>

enum {
    WORLD_FILES_MAX = 8, /* scene files at once */
    /* of all of them, as things are brought in and taken out */
    WORLD_VERSIONS_MAX = 64,
    WORLD_SCENES_MAX = 32, /* arrangements at once */
    WORLD_EDITS_MAX = 500, /* snapshots of one; the oldest but the first go */
    WORLD_LABEL_MAX = 256, /* bytes */
    WORLD_NAME_MAX = 256
};

/* Reads a scene file into a bundle, which the caller frees. `cancelled` may be
 * NULL. */
typedef etna_code world_read(void *context,
                             const char *path,
                             const scene_options *options,
                             bool (*cancelled)(void *),
                             void *cancelled_context,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err);

typedef struct world_options { /* texts are borrowed */
    /* as the user typed it; NULL: the server begins without a scene */
    const char *scene_name;
    uint8_t *bundle; /* of that; taken over, also on failure */
    size_t bundle_size;
    const char *scene_path; /* never written to */
    const char *folder;     /* of files that tools may write; NULL: none */
    const char *program;    /* `etna`, for run_goal */
    const char *model;      /* run_goal's --model, or NULL */
    uint32_t threads;
    scene_options import; /* of files that open_scene reads */
    world_read *read;
    void *read_context;
    /* Writes a file whole or not at all (worker/cli's load_write). */
    etna_code (*write)(const char *path,
                       const uint8_t *data,
                       size_t size,
                       etna_error *err);
} world_options;

struct world;
struct world_file;

typedef struct world_edit {
    struct world_file *file; /* that the snapshot is of */
    char label[WORLD_LABEL_MAX];
    /* "e3": never given twice in an arrangement; 0 is the file as it is */
    uint32_t number;
    uint8_t *data; /* canonical bytes of the snapshot */
    size_t size;
    etna_hash hash;
} world_edit;

typedef struct world_file { /* a scene file that is open */
    char name[WORLD_NAME_MAX];
    char path[ROOTS_PATH_MAX]; /* never written to */
    uint8_t *bundle;           /* until it is imported */
    size_t bundle_size;
    cached_scene *warm; /* NULL: not yet imported */
    space *space;
    bool stays;    /* the server was started with it */
    uint32_t uses; /* edits of arrangements */
    bool base_known;
    space_check base; /* what was wrong in the file */
} world_file;

typedef struct world_scene { /* an arrangement */
    char id[24];
    struct world *world;
    world_file *file; /* of the edit that stands */
    /* edits[0] is the file as it is; edits[at] is what stands */
    uint32_t count, at;
    uint32_t made; /* numbers given to edits */
    world_edit *edits;
    uint32_t room;
} world_scene;

typedef struct world {
    world_options options;
    roots roots; /* where open_scene may read */
    job_shared *shared;
    uint32_t file_count;
    world_file *files[WORLD_VERSIONS_MAX];
    uint32_t scene_count, made;
    world_scene scenes[WORLD_SCENES_MAX];
} world;

/* Takes the options' bundle; imports nothing yet, so that a start costs
 * nothing. */
etna_code world_new(const world_options *options, world **ret, etna_error *err);
void world_free(world *w); /* NULL is fine */
/* Imports the scene that the server was started with, when there is one and
 * that has not been done. */
etna_code world_begin(world *w, etna_error *err);

/* The arrangement of that handle. NULL: the first one, while one file is open.
 * ETNA_E_INPUT when there is none, or it is not clear which. */
etna_code world_find(world *w,
                     const char *id,
                     world_scene **ret,
                     etna_error *err);
/* A new one of the file at `path`, which was found beneath a root; `name` is
 * what it is called. */
etna_code world_open(world *w,
                     const char *path,
                     const char *name,
                     bool (*cancelled)(void *),
                     void *context,
                     world_scene **ret,
                     etna_error *err);
/* A new one that begins as `from` stands. */
etna_code world_branch(world *w,
                       const world_scene *from,
                       world_scene **ret,
                       etna_error *err);
/* Closes its file, too, when it was the last one of that; not "main".
 * Arrangements move. */
void world_drop(world *w, world_scene *scene);

/* What stands, decoded; and the file's space set to it, with nothing hidden.
 * Free with snapshot_free. */
etna_code world_stand(const world_scene *scene, snapshot *ret, etna_error *err);
/* The arrangement goes on with `snap`; what could be redone is gone. */
etna_code world_push(world_scene *scene,
                     const snapshot *snap,
                     const char *label,
                     etna_error *err);

/* The arrangement goes on with another file that was made of what stands:
 * things came or went. The bundle is taken over in every case; on failure
 * nothing has changed. */
etna_code world_change(world_scene *scene,
                       uint8_t *bundle,
                       size_t size,
                       const char *label,
                       etna_error *err);
/* Another edit of the arrangement stands. */
void world_go_to(world_scene *scene, uint32_t edit);

/* The camera that `request` (a camera's name or number, auto, cutaway, or NULL)
 * means, found at the poses of the file so that it stays where it is; hides
 * what "cutaway" hides. The space stands at `snap` again after it. */
etna_code world_camera(world *w,
                       world_file *file,
                       const snapshot *snap,
                       const char *request,
                       scene_camera *ret,
                       etna_error *err);

/* Pairs and objects that were wrong in the file already. */
etna_code world_base(world_file *file,
                     const space_check **ret,
                     etna_error *err);

#endif
