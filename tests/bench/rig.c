#include "tests/bench/rig.h"

#include "worker/gltf/bundle.h"

#include <stdlib.h>

void rig_must(etna_code code, const etna_error *err)
{
    if (code != ETNA_OK)
        bench_die("a line", err->text);
}

static void make_ready(rig *r)
{
    etna_error err = {0};
    rig_must(space_share(r->scene, &r->shared, &err), &err);
    rig_must(space_mark_static_by_cut(r->shared, &err), &err);
    rig_must(probe_share(r->scene, &r->probes, &err), &err);
    rig_must(space_new(r->shared, &r->space, &err), &err);
    r->triangles = made_triangles(r->scene);
}

void rig_open(rig *r, const char *path)
{
    etna_error err = {0};
    scene_options options = scene_options_default();
    *r = (rig){0};
    rig_must(bundle_read(path, &options, &r->bundle, &r->bundle_size, &err),
             &err);
    rig_must(scene_import(r->bundle, r->bundle_size, &r->scene, &err), &err);
    make_ready(r);
}

void rig_of_scene(rig *r, scene *s)
{
    *r = (rig){.scene = scene_ref(s)};
    make_ready(r);
}

void rig_close(rig *r)
{
    space_free(r->space);
    probe_shared_free(r->probes);
    space_shared_free(r->shared);
    scene_free(r->scene);
    free(r->bundle);
    *r = (rig){0};
}

arrange_pose rig_pose(
    const rig *r, uint32_t object, double x, double y, double z)
{
    arrange_pose pose = scene_base_pose(&r->scene->objects[object]);
    pose.position[0] += x;
    pose.position[1] += y;
    pose.position[2] += z;
    return pose;
}

void rig_solve(rig *r, const constraint_list *constraints, solve_result *ret)
{
    etna_error err = {0};
    solve_request request = solve_request_default();
    request.constraints = constraints;
    request.camera = &r->scene->cameras[0];
    request.seed = 5;
    rig_must(solve_run(r->space, r->probes, &request, ret, &err), &err);
}
