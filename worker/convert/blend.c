/* Blender in the background, with factory settings, in a temporary folder that is its home, too, and that is removed.
 */
#include "worker/convert/blend.h"
#include "worker/convert/child.h"
#include "worker/scene/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Debian's Blender 3.4.1 comes with a newer NumPy than its glTF exporter was written for: numpy.bool is gone. */
static const char SCRIPT[] = "import os, sys, bpy, numpy\n"
                             "if 'bool' not in numpy.__dict__: numpy.bool = bool\n"
                             "out = sys.argv[sys.argv.index('--') + 1]\n"
                             "folder = os.path.realpath(os.path.dirname(bpy.data.filepath)) + os.sep\n"
                             "for image in list(bpy.data.images):\n"
                             "    if image.source == 'FILE' and not image.packed_file and image.filepath:\n"
                             "        if not os.path.realpath(bpy.path.abspath(image.filepath)).startswith(folder): "
                             "bpy.data.images.remove(image)\n"
                             "for library in list(bpy.data.libraries):\n"
                             "    if not os.path.realpath(bpy.path.abspath(library.filepath)).startswith(folder): "
                             "bpy.data.libraries.remove(library)\n"
                             "bpy.ops.export_scene.gltf(filepath=out, export_format='GLB', export_apply=True, "
                             "export_cameras=True, export_lights=True,\n"
                             "                          export_animations=False)\n";

typedef struct blend_job {
    const char *program, *path, *home, *output;
} blend_job;

static etna_code run_blender(void *context, uint8_t **ret_data, size_t *ret_size, etna_error *err)
{
    const blend_job *job = context;
    const char *args[] = {
        "blender", "--background",       "-noaudio", "--factory-startup", "--disable-autoexec", "--threads",
        "2",       "--python-exit-code", "3",        job->path,           "--python-expr",      SCRIPT,
        "--",      job->output,          NULL};
    (void)ret_data, (void)ret_size;
    setenv("TMPDIR", job->home, 1);
    setenv("HOME", job->home, 1);
    setenv("XDG_CONFIG_HOME", job->home, 1);
    setenv("XDG_CACHE_HOME", job->home, 1);
    setenv("XDG_RUNTIME_DIR", job->home, 1);
    unsetenv("DISPLAY");
    execv(job->program, (char **)(uintptr_t)args);
    return etna_fail(err, ETNA_E_INPUT, "Blender cannot be run: %s", strerror(errno));
}

static bool find_blender(char to[PATH_MAX])
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n > 0 && n + 9 < PATH_MAX) {
            memcpy(to, path, n);
            strcpy(to + n, "/blender");
            if (access(to, X_OK) == 0) return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st, (void)type, (void)place;
    (void)remove(path); /* what cannot be removed stays; the others go */
    return 0;
}

etna_code blend_convert(const char *path, uint8_t **ret_glb, size_t *ret_size, etna_error *err)
{
    char program[PATH_MAX], full[PATH_MAX], home[PATH_MAX], output[PATH_MAX + 16];
    const char *base = getenv("TMPDIR");
    child_limits limits = {.memory = 0, .cpu_s = 600, .wall_s = 600};
    uint8_t *nothing = NULL;
    size_t nothing_size = 0;
    if (!realpath(path, full)) return etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (!find_blender(program)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: a .blend file is read by Blender, which is not in PATH; install it, or open the file there and use "
            "File > Export > glTF 2.0",
            path);
    }
    if ((size_t)snprintf(home, sizeof home, "%s/etna-blend.XXXXXX", base && base[0] == '/' ? base : "/tmp") >=
            sizeof home ||
        !mkdtemp(home)) {
        return etna_fail(err, ETNA_E_IO, "%s: no temporary folder: %s", path, strerror(errno));
    }
    snprintf(output, sizeof output, "%s/scene.glb", home);
    blend_job job = {.program = program, .path = full, .home = home, .output = output};
    etna_code code = child_run(path, &limits, run_blender, &job, &nothing, &nothing_size, err);
    free(nothing);
    int fd = code == ETNA_OK ? open(output, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (code == ETNA_OK && fd < 0) {
        code = etna_fail(err, ETNA_E_INPUT,
                         "%s: Blender made no scene of it; is it a damaged file, or one of a newer Blender?", path);
    } else if (fd >= 0) {
        code = bundle_read_file(fd, output, ret_glb, ret_size, err);
    }
    nftw(home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}
