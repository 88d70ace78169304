/* Inside the tools: the arrangement a call is about, and words for results. */
#ifndef ETNA_WORKER_MCP_TOOLS_INTERNAL_H
#define ETNA_WORKER_MCP_TOOLS_INTERNAL_H

#include "worker/mcp/tools.h"

/* a call's arrangement as it stands in the world's space */
typedef struct standing {
    world *w;
    world_scene *scene;
    world_file *file; /* the scene's */
    snapshot snap;
    json_t *seen; /* what answers say of a camera around a target, or NULL */
} standing;

/* Of the argument scene_id. ETNA_E_INPUT for an unknown one. */
etna_code standing_begin(world *w,
                         const mcp_call *call,
                         standing *ret,
                         etna_error *err);
/* Frees what standing_begin made; fine after its failure, too. */
void standing_end(standing *s);
/* Goes on with `snap`, and says so in the result. */
etna_code standing_push(standing *s,
                        const snapshot *snap,
                        const char *label,
                        etna_error *err);
/* Takes the reference of `structured` and adds scene_id, the handle of the edit
 * that stands and how many there are; ETNA_E_NOMEM when it is NULL. */
etna_code standing_answer(const standing *s,
                          mcp_call *call,
                          json_t *structured,
                          etna_error *err);

enum {
    CAMERA_WORDS_MAX = 400
};
/* The camera of the argument `camera`; `words` gives the same one again. Of one
 * around a target the answer will tell how much of that shows. */
etna_code standing_camera(standing *s,
                          const mcp_call *call,
                          scene_camera *ret,
                          char words[CAMERA_WORDS_MAX],
                          etna_error *err);
/* The object of that name, in any spelling that is nobody else's. ETNA_E_INPUT
 * names those that are called alike. */
etna_code standing_object(const standing *s,
                          const char *name,
                          uint32_t *ret,
                          etna_error *err);
/* Names of what `object` stands on, or of what stands on it. */
json_t *standing_neighbours(const standing *s,
                            const space_support_state *state,
                            uint32_t object,
                            bool below);
/* Names of what it stands on in `snap`, into which the space is put. */
etna_code standing_on(const standing *s,
                      const snapshot *snap,
                      uint32_t object,
                      json_t **ret,
                      etna_error *err);

/* Encodes as JPEG or PNG under MCP_IMAGE_MAX, smaller and coarser as need be;
 * the call owns it. */
etna_code tools_image(mcp_call *call, const view_image *image, etna_error *err);
/* The picture of an answer to an edit, which has been made: what the file's
 * space stands at, with coordinates around it. Into `structured` goes what it
 * is, or why there is none, and whether `object` (SCENE_NONE: none) shows in
 * it. */
void tools_show(const standing *s,
                mcp_call *call,
                const scene_camera *camera,
                const char *words,
                uint32_t object,
                json_t *structured);
/* What a picture is, and what its margin (0: none) is for. */
json_t *tools_picture_words(const char *what, uint32_t margin);

/* NULL: not given */
const char *tools_text(const mcp_call *call, const char *key);
/* `otherwise` where it is not given or no number. */
double tools_number(const mcp_call *call, const char *key, double otherwise);
json_t *tools_metres(double value); /* to a micrometre, never -0 */
json_t *tools_vector(vec3 v);
json_t *tools_pose(const arrange_pose *pose); /* [x, y, z] */
double tools_degrees(double radians);         /* (-180, 180], to a thousandth */
/* of three numbers, as the schema has made sure */
vec3 tools_point(const json_t *array);

/* What an edit that moved `moved` of the standing scene into where its space
 * stands broke: "" or words. */
etna_code tools_broken(const standing *s,
                       const snapshot *after,
                       uint32_t moved,
                       const uint32_t *carried,
                       uint32_t carried_count,
                       char words[ARRANGE_REASON_MAX],
                       etna_error *err);

/* The handlers. */
etna_code tool_scene_info(world *w, mcp_call *call, etna_error *err);
/* The handlers of the table in tools.c: arguments are checked, the answer goes
 * into call->structured (and image). An error's text is for the model that
 * called. */
etna_code tool_object_info(world *w, mcp_call *call, etna_error *err);
/* Each answers one call of its tool; `call` has the arguments and takes the
 * answer. */
etna_code tool_list_in_view(world *w, mcp_call *call, etna_error *err);
etna_code tool_ray_probe(world *w, mcp_call *call, etna_error *err);
etna_code tool_highlight(world *w, mcp_call *call, etna_error *err);
etna_code tool_render(world *w, mcp_call *call, etna_error *err);
etna_code tool_place(world *w, mcp_call *call, etna_error *err);
etna_code tool_move(world *w, mcp_call *call, etna_error *err);
etna_code tool_check(world *w, mcp_call *call, etna_error *err);
etna_code tool_undo(world *w, mcp_call *call, etna_error *err);
etna_code tool_redo(world *w, mcp_call *call, etna_error *err);
etna_code tool_list_scenes(world *w, mcp_call *call, etna_error *err);
etna_code tool_history(world *w, mcp_call *call, etna_error *err);
etna_code tool_open(world *w, mcp_call *call, etna_error *err);
etna_code tool_close(world *w, mcp_call *call, etna_error *err);
etna_code tool_export(world *w, mcp_call *call, etna_error *err);
etna_code tool_run_goal(world *w, mcp_call *call, etna_error *err);
etna_code tool_find_asset(world *w, mcp_call *call, etna_error *err);
etna_code tool_add(world *w, mcp_call *call, etna_error *err);
etna_code tool_remove(world *w, mcp_call *call, etna_error *err);
etna_code tool_replace(world *w, mcp_call *call, etna_error *err);

#endif
