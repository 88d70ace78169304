/* All steps of a scene made nearly done: see near.h. */
#include "referee/near.h"

#include <stdio.h>

typedef struct nearing {
    const judge_request *request;
    const char *folder;
    double past_m;
    gltf_scene start, before, now;
    bool has_before; /* else it is the start */
    json_t *list;
    etna_error *err;
} nearing;

static etna_code scene_open(const char *path, gltf_scene *ret, etna_error *err)
{
    char why[256];
    if (gltf_scene_read(path, ret, why))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INPUT, "%.200s: %s", path, why);
}

static etna_code miss_tell(const nearing *a,
                           const near_step *n,
                           uint32_t i,
                           const near_miss *miss)
{
    char name[32], path[4096];
    snprintf(name, sizeof name, "near-%02u.glb", (unsigned)i + 1);
    snprintf(path, sizeof path, "%s/%s", a->folder, name);
    etna_code code =
        near_write(n, &miss->by, a->request->states[i], path, a->err);
    json_t *one = json_pack("{s:I, s:s, s:f}", "step", (json_int_t)i + 1,
                            "file", name, "margin", miss->margin);
    if (!code && json_array_append(a->list, one))
        code = etna_fail(a->err, ETNA_E_NOMEM, "out of memory for near misses");
    json_decref(one);
    return code;
}

/* The first of all ways that is one. Steps begin by ways of their own, so that
 * not all are missed to the same side. */
static etna_code miss_find(const nearing *a, near_step *n, uint32_t i)
{
    double margin = -1;
    bool any, found = false;
    near_miss miss;
    etna_code code = near_margin(n, &margin, &any, a->err);
    for (int k = 0; !code && margin >= 0 && !found && k < NEAR_WAYS; k++) {
        int way = (int)((i + (uint32_t)k) % NEAR_WAYS);
        code = near_find(n, way, &miss, &found, a->err);
    }
    return !code && found ? miss_tell(a, n, i, &miss) : code;
}

static etna_code state_near(nearing *a, uint32_t i)
{
    const judge_request *r = a->request;
    const double degrees_a_metre = 100;
    etna_code code = scene_open(r->states[i], &a->now, a->err);
    if (code)
        return code;
    const near_step how = {.scene = r->scene,
                           .step = r->is_goal ? &r->scene->goal
                                              : &r->scene->steps[i],
                           .start = &a->start,
                           .before = a->has_before ? &a->before : &a->start,
                           .now = &a->now,
                           .past_m = a->past_m,
                           .past_deg = a->past_m * degrees_a_metre};
    near_step n;
    /* what has other nodes than before is left out */
    if (near_begin(&how, &n)) {
        code = miss_find(a, &n, i);
        near_end(&n);
    }
    if (a->has_before)
        gltf_scene_free(&a->before);
    a->before = a->now;
    a->has_before = true;
    return code;
}

etna_code near_scene(const judge_request *request,
                     const char *folder,
                     double past_m,
                     json_t **ret,
                     etna_error *err)
{
    nearing a = {.request = request,
                 .folder = folder,
                 .past_m = past_m,
                 .list = json_array(),
                 .err = err};
    etna_code code = scene_open(request->start, &a.start, err);
    for (uint32_t i = 0; !code && i < request->state_count; i++) {
        if (request->states[i])
            code = state_near(&a, i);
    }
    if (a.has_before)
        gltf_scene_free(&a.before);
    gltf_scene_free(&a.start);
    json_t *whole = json_pack("{s:s, s:f, s:O}", "scene", request->scene->name,
                              "past_m", past_m, "near", a.list);
    json_decref(a.list);
    if (!code && !whole)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for near misses");
    if (code)
        json_decref(whole);
    else
        *ret = whole;
    return code;
}
