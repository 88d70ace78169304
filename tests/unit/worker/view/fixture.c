/* Opening scenes for the tests of worker/view (see fixture.h). */
#include "fixture.h"

#include "worker/gltf/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static fixture open_path(const char *path)
{
    fixture f = {0};
    etna_error err = {0};
    scene_options options = scene_options_default();
    uint8_t *bundle = NULL;
    size_t size = 0;
    etna_code code = bundle_read(path, &options, &bundle, &size, &err);
    if (code == ETNA_OK)
        code = scene_import(bundle, size, &f.s, &err);
    free(bundle);
    if (code == ETNA_OK)
        code = space_share(f.s, &f.shared, &err);
    if (code == ETNA_OK)
        code = space_new(f.shared, &f.sp, &err);
    if (code != ETNA_OK)
        fail_msg("%s: %s", path, err.text);
    f.camera = f.s->cameras[0];
    return f;
}

fixture fixture_open(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/%s", ETNA_BINARY_DIR, name);
    return open_path(path);
}

bool fixture_open_data(const char *path, fixture *ret)
{
    char full[2048];
    const char *data = getenv("ETNA_TEST_DATA");
    snprintf(full, sizeof full, "%s/%s",
             data ? data : ETNA_SOURCE_DIR "/../shared/data", path);
    if (access(full, R_OK) != 0)
        return false;
    *ret = open_path(full);
    return true;
}

void fixture_close(fixture *f)
{
    space_free(f->sp);
    space_shared_free(f->shared);
    scene_free(f->s);
    *f = (fixture){0};
}

uint32_t fixture_object(const fixture *f, const char *name)
{
    uint32_t object = scene_find_object(f->s, name);
    if (object == SCENE_NONE)
        fail_msg("no object %s", name);
    return object;
}
