/* The visual tools as a model calls them (METHODS.md 4; supplement Fig. 11):
 * their declarations, and the one way from a call's arguments to the probe
 * functions and back to JSON. A call that cannot be served is answered with
 * {"error": "..."} that says what to change, so that the model can. */
#ifndef ETNA_WORKER_AGENTS_TOOLS_H
#define ETNA_WORKER_AGENTS_TOOLS_H

#include "worker/agents/agent.h"
#include "worker/probe/probe.h"
#include "worker/view/view.h"

enum {
    TOOLS_COORDINATES_MAX = 64,    /* of one probe call */
    TOOLS_ARGUMENTS_MAX = 64 << 10 /* bytes of JSON */
};

typedef struct tools_scene { /* what the tools look at; all borrowed */
    const space *space;
    probe_shared *probes;
    const scene_camera *camera;
    const char *camera_name; /* as images are named */
    const uint32_t *ids;     /* instance map of width x height */
    uint32_t width, height;
    /* per object, of that picture; NULL: none are told */
    const view_colour *colours;
    /* a model reads what comes back: positions to a tenth of a millimetre, not
     * to the last bit */
    bool rounds;
    etna_hash snapshot; /* for images */
    /* tools_set: a call of any other tool is answered with those there are */
    uint32_t set;
    const char *object; /* TOOLS_EDIT: what was moved, and where from */
    etna_hash before;
} tools_scene;

typedef enum tools_set {
    /* list_all_object_in_view, ray_probe_for_plane, ray_probe,
     * render_with_highlighted_object */
    TOOLS_VISUAL = 0,
    /* the same with the name of any camera of the scene, and render_view */
    TOOLS_CAMERAS,
    /* render_view alone, of an edit as an evaluator is shown it */
    TOOLS_EDIT,
    /* get_scene_info, get_object_info: what is left without the visual tools
     * (VULCAN table 3) */
    TOOLS_LISTS,
    TOOLS_SETS
} tools_set;

/* Static storage. */
const model_tool *tools_list(uint32_t set, uint32_t *ret_count);

/* Name, location (centre of the box) and dimensions of every object as it
 * stands, NAMES_LISTED_MAX from `first` on; the rest is counted in *ret_left.
 * NULL: out of memory. */
struct json_t *tools_objects(const space *sp,
                             uint32_t first,
                             uint32_t *ret_left);

/* Runs one call; CPU work, for the pool. Every tool only looks, and the calls
 * of a turn may run at once on any threads, each with an arena of its own: what
 * one answers does not rest on another's. The result's texts live in `arena`.
 * Only ETNA_E_NOMEM and ETNA_E_INTERNAL are errors. */
etna_code tools_run(const tools_scene *look_at,
                    const model_part *call,
                    etna_arena *arena,
                    agent_tool_result *ret,
                    etna_error *err);

#endif
