/* What the commands that work on one file share: a scene from disk (bundle,
 * import, static parts, a space at the base poses), its camera, and the way
 * they take flags, print results and write files. */
#ifndef ETNA_WORKER_CLI_LOAD_H
#define ETNA_WORKER_CLI_LOAD_H

#include "proto/flags.h"
#include "worker/probe/probe.h"
#include "worker/space/space.h"

#include <jansson.h>

typedef struct loaded_scene { /* all zero is empty */
    uint8_t *bundle;
    size_t bundle_size;
    scene *scene;
    space_shared *shared;
    space *space;
} loaded_scene;

/* ETNA_E_INPUT and friends with the path in the text; *ret is empty then.
 * `like`: NULL, or the scene whose division into objects and whose static flags
 * hold for this file too (scene_import_like). */
etna_code load_scene(const char *path,
                     const scene_options *options,
                     const scene *like,
                     loaded_scene *ret,
                     etna_error *err);
/* The same for who casts no ray: ret->space is NULL, and no mesh is made ready
 * for rays. */
etna_code load_scene_only(const char *path,
                          const scene_options *options,
                          loaded_scene *ret,
                          etna_error *err);
/* Both for who makes no snapshot and no export of it (scene_import_to_look):
 * load_scene, and load_scene_only. */
etna_code load_scene_to_look(const char *path,
                             const scene_options *options,
                             const scene *like,
                             loaded_scene *ret,
                             etna_error *err);
/* Its objects, cameras and report alone: neither rays nor a snapshot. */
etna_code load_scene_to_tell(const char *path,
                             const scene_options *options,
                             loaded_scene *ret,
                             etna_error *err);
/* load_scene_to_look of a bundle that is there, which is taken over, and freed
 * on failure; `path` is for texts. */
etna_code load_bundle_to_look(const char *path,
                              uint8_t *bundle,
                              size_t size,
                              loaded_scene *ret,
                              etna_error *err);
void load_scene_free(loaded_scene *loaded);
/* Prints what import warned of on stderr. */
void load_warn(const loaded_scene *loaded);

/* An object moved when its box's centre is elsewhere or its heading turned;
 * export rounds far below this. The two are the same object of a scene and of
 * one imported like it. */
bool load_moved(const scene_object *now, const scene_object *before);

/* `--camera`: a name, an index, "auto", or what view_read_cutaway() reads
 * ("cutaway", "top", "orbit:AZ,EL"), which hides ceiling and near walls in the
 * scene's space; NULL: the file's first, else the derived one. ETNA_E_USAGE for
 * an unknown one. */
etna_code load_camera(loaded_scene *loaded,
                      const char *request,
                      scene_camera *ret_camera,
                      etna_error *err);

/* What `request` hides for a camera that was chosen in another scene (the one
 * before an edit): nothing unless view_read_cutaway() reads it. */
etna_code load_hide(loaded_scene *loaded,
                    const char *request,
                    const scene_camera *camera,
                    etna_error *err);

/* The rows of `--unit METRES` and `--up Y|Z`, for scene_options. */
#define LOAD_UNIT_AND_UP(options_) \
    {"unit", .read = load_unit, .into = (options_)}, \
    { \
        "up", .read = load_up, .into = (options_) \
    }
etna_code load_unit(const char *name,
                    const char *value,
                    void *into,
                    etna_error *err);
etna_code load_up(const char *name,
                  const char *value,
                  void *into,
                  etna_error *err);
/* The row of `--mesh-memory MIB`: space_bound_meshes, for scenes loaded from
 * now on, and for programs started then. */
#define LOAD_MESH_MEMORY \
    { \
        "mesh-memory", .read = load_mesh_memory \
    }
#define LOAD_MESH_MEMORY_HELP \
    "  --mesh-memory MIB  about how much what is made of the scene's meshes, and can be made again, may take: trees\n" \
    "                     for rays, shapes, planes ($ETNA_MESH_MEMORY, else 4096); no result depends on it\n"
etna_code load_mesh_memory(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err);
/* The same by $ETNA_MESH_MEMORY, where it is set and not empty. */
etna_code load_memory_of_environment(etna_error *err);
/* Of `--collision` and `--floating`, which can only be "paper", for a bool. */
etna_code load_paper(const char *name,
                     const char *value,
                     void *into,
                     etna_error *err);
/* `--reach on|off` into a bool that says "any place will do". */
etna_code load_reach(const char *name,
                     const char *value,
                     void *into,
                     etna_error *err);
/* `count` finite numbers with `between` between them and nothing else; false
 * otherwise, without a word. */
bool load_numbers(const char *text, char between, uint32_t count, double *ret);

/* The flags of `command` (flags_read): the index of the first argument that is
 * none. 0: the command ends with *ret_exit, as help was asked for and printed,
 * or a flag was wrong and that was told. */
int load_flags(const char *command,
               int argc,
               char **argv,
               const flags_row *flags,
               const char *help,
               int *ret_exit);

/* Prints "etna: text" on stderr without control characters and returns the exit
 * code; load_usage the same for exit 2. Where the command was asked for JSON,
 * stdout gets the error as a document, too. Is --json among the arguments?
 * Called once, at the start. */
void load_errors_as_json(int argc, char **argv);
bool load_errors_are_json(void);
int load_report(const etna_error *err);
int load_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- results ---- */
json_t *load_vector(vec3 v);         /* [x, y, z]; never -0 */
double load_degrees(double radians); /* 0 for what is 0 but for rounding */
/* for words with four decimals: what would print as -0.0000 is 0 */
double load_tidy(double value);
/* A name as a terminal may show it: no control characters. Cut at the buffer's
 * size. */
const char *load_plain(const char *name, char *room, size_t size);
/* Prints the document with its "schema", frees it and ends stdout; returns
 * `exit_code`, or 4 with a line when it cannot be written or `document` is NULL
 * (out of memory). */
int load_print(const char *schema, json_t *document, int exit_code);
/* The same for what was printed as words. */
int load_printed(int exit_code);

/* ---- files ---- */
/* ETNA_E_USAGE when `output` is the file `input`, which is never changed, or a
 * directory. For before the work. */
etna_code load_check_output(const char *output,
                            const char *input,
                            etna_error *err);
/* The file appears whole or not at all: written beside it, synced, renamed.
 * ETNA_E_FULL, ETNA_E_IO. */
etna_code load_write(const char *path,
                     const uint8_t *data,
                     size_t size,
                     etna_error *err);

#endif
