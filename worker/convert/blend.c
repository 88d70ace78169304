/* Blender in the background, with factory settings, in a temporary folder that
 * is its home, too, and that is removed. */
#include "worker/convert/blend.h"
#include "worker/convert/child.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* Debian's Blender 3.4.1 comes with a newer NumPy than its glTF exporter was
 * written for: numpy.bool is gone. */
static const char SCRIPT[] =
    "import os, sys, bpy, numpy\n"
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

/* In the child, after its limits are set: exec keeps them. Scripts within the
 * file are not run (--disable-autoexec); HOME and every other place it might
 * write to is the temporary folder. */
static etna_code run_blender(void *context,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    const blend_job *job = context;
    const char *args[] = {"blender",
                          "--background",
                          "-noaudio",
                          "--factory-startup",
                          "--disable-autoexec",
                          "--threads",
                          "2",
                          "--python-exit-code",
                          "3",
                          job->path,
                          "--python-expr",
                          SCRIPT,
                          "--",
                          job->output,
                          NULL};
    (void)ret_data, (void)ret_size;
    setenv("TMPDIR", job->home, 1);
    setenv("HOME", job->home, 1);
    setenv("XDG_CONFIG_HOME", job->home, 1);
    setenv("XDG_CACHE_HOME", job->home, 1);
    setenv("XDG_RUNTIME_DIR", job->home, 1);
    unsetenv("DISPLAY");
    execv(job->program, (char **)(uintptr_t)args);
    return etna_fail(err, ETNA_E_INPUT, "Blender cannot be run: %s",
                     strerror(errno));
}

/* Which Blender wrote the first bytes of a file, as 100 * major + minor; 0: not
 * known. "BLENDER-v304" is 3.4, "BLENDER17-01v0500" 5.0. */
static unsigned version_in(const char *head, size_t size)
{
    unsigned value = 0, digits = 0;
    bool is_blend = size > 12 && memcmp(head, "BLENDER", 7) == 0;
    const char *v = is_blend ? memchr(head + 7, 'v', size - 7) : NULL;
    if (!v && is_blend)
        v = memchr(head + 7, 'V', size - 7);
    for (size_t i = v ? (size_t)(v - head) + 1 : size; i < size && digits < 4;
         i++) {
        unsigned digit = (unsigned)(head[i] - '0');
        if (digit > 9)
            break;
        value = 10 * value + digit;
        digits++;
    }
    return digits >= 3 ? value : 0;
}

/* Of the file, also a compressed one (zstd since 3.0; what gzip compressed is
 * older). */
static unsigned version_of_file(const char *path)
{
    char head[4096], plain[32];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t size = fd >= 0 ? read(fd, head, sizeof head) : -1;
    if (fd >= 0)
        close(fd);
    if (size < 20)
        return 0;
    if (memcmp(head, "\x28\xb5\x2f\xfd", 4) != 0)
        return version_in(head, 20);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_inBuffer from = {head, (size_t)size, 0};
    ZSTD_outBuffer to = {plain, sizeof plain, 0};
    bool read_on = context != NULL;
    while (read_on && to.pos < to.size && from.pos < from.size)
        read_on = !ZSTD_isError(ZSTD_decompressStream(context, &to, &from));
    ZSTD_freeDCtx(context);
    return version_in(plain, to.pos);
}

static etna_code ask_blender(void *context,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    static const char script[] =
        "import bpy, sys\n"
        "with open(sys.argv[-1], 'w') as f: f.write('%d' % (100 * bpy.app.version[0] + "
        "bpy.app.version[1]))\n";
    const blend_job *job = context;
    const char *args[] = {"blender",
                          "--background",
                          "-noaudio",
                          "--factory-startup",
                          "--python-expr",
                          script,
                          "--",
                          job->output,
                          NULL};
    (void)ret_data, (void)ret_size;
    setenv("HOME", job->home, 1);
    setenv("XDG_RUNTIME_DIR", job->home, 1);
    unsetenv("DISPLAY");
    execv(job->program, (char **)(uintptr_t)args);
    return etna_fail(err, ETNA_E_INPUT, "Blender cannot be run: %s",
                     strerror(errno));
}

/* Of the installed one, which is started for it: only to explain a failure. 0:
 * it does not say. */
static unsigned version_installed(const blend_job *job)
{
    char path[PATH_MAX + 16], text[16] = "";
    blend_job asked = {
        .program = job->program, .home = job->home, .output = path};
    child_limits limits = {.cpu_s = 60, .wall_s = 60};
    uint8_t *nothing = NULL;
    size_t nothing_size = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/version", job->home) >=
        sizeof path)
        return 0;
    if (child_run("blender", &limits, ask_blender, &asked, &nothing,
                  &nothing_size, NULL) != ETNA_OK)
        return 0;
    free(nothing);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    return size > 0 ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* True, and *err says so, where the file is newer than the installed
 * Blender. */
static bool is_too_new(const blend_job *job, const char *path, etna_error *err)
{
    unsigned of_file = version_of_file(job->path);
    unsigned installed = of_file > 0 ? version_installed(job) : 0;
    if (installed == 0 || of_file <= installed)
        return false;
    etna_fail(
        err, ETNA_E_INPUT,
        "%s: it was saved by Blender %u.%u, and %u.%u is installed; install the newer one, or export the scene "
        "there as glTF 2.0",
        path, of_file / 100, of_file % 100, installed / 100, installed % 100);
    return true;
}

/* PATH entries that are empty mean the working folder, where a scene may lie:
 * they are passed over. */
static bool find_blender(char to[PATH_MAX])
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n > 0 && n + 9 < PATH_MAX) {
            memcpy(to, path, n);
            strcpy(to + n, "/blender");
            if (access(to, X_OK) == 0)
                return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

static int remove_entry(const char *path,
                        const struct stat *st,
                        int type,
                        struct FTW *place)
{
    (void)st, (void)type, (void)place;
    (void)remove(path); /* what cannot be removed stays; the others go */
    return 0;
}

/* A folder of its own beneath $TMPDIR; false with errno. */
static bool make_home(char home[PATH_MAX])
{
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/')
        base = "/tmp";
    int length = snprintf(home, PATH_MAX, "%s/etna-blend.XXXXXX", base);
    return length < PATH_MAX && mkdtemp(home);
}

/* What Blender wrote, after it ended with `code`. */
static etna_code take_output(const blend_job *job,
                             const char *path,
                             etna_code code,
                             uint8_t **ret_glb,
                             size_t *ret_size,
                             etna_error *err)
{
    int fd = code == ETNA_OK
                 ? open(job->output, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                 : -1;
    if (fd >= 0)
        return bundle_read_file(fd, job->output, ret_glb, ret_size, err);
    /* Blender ran, and found nothing to write */
    bool read_it = code == ETNA_OK || code == ETNA_E_INPUT;
    if (read_it && is_too_new(job, path, err))
        return ETNA_E_INPUT;
    if (code != ETNA_OK)
        return code;
    return etna_fail(err, ETNA_E_INPUT,
                     "%s: Blender made no scene of it; is it a damaged file?",
                     path);
}

/* No bound on memory: Blender maps far more than it uses. Ten minutes of CPU
 * and of wall time. */
etna_code blend_convert(const char *path,
                        uint8_t **ret_glb,
                        size_t *ret_size,
                        etna_error *err)
{
    char program[PATH_MAX], full[PATH_MAX], home[PATH_MAX],
        output[PATH_MAX + 16];
    child_limits limits = {.memory = 0, .cpu_s = 600, .wall_s = 600};
    uint8_t *nothing = NULL;
    size_t nothing_size = 0;
    if (!realpath(path, full))
        return etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    if (!find_blender(program)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: a .blend file is read by Blender, which is not in PATH; install it, or open the file there and use "
            "File > Export > glTF 2.0",
            path);
    }
    if (!make_home(home)) {
        return etna_fail(err, ETNA_E_IO, "%s: no temporary folder: %s", path,
                         strerror(errno));
    }
    snprintf(output, sizeof output, "%s/scene.glb", home);
    blend_job job = {
        .program = program, .path = full, .home = home, .output = output};
    etna_code code = child_run(path, &limits, run_blender, &job, &nothing,
                               &nothing_size, err);
    free(nothing);
    code = take_output(&job, path, code, ret_glb, ret_size, err);
    nftw(home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}
