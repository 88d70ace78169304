/* See reading.h. */
#include "worker/mcp/reading.h"

#include "worker/gltf/bundle.h"
#include "worker/mcp/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program said last, without the path that the caller need not
 * know. */
static etna_code reading_refuse(const child_run *child,
                                const char *path,
                                etna_error *err)
{
    const char *why =
        strncmp(child->last, "etna: ", 6) == 0 ? child->last + 6 : child->last;
    size_t size = strlen(path);
    if (strncmp(why, path, size) == 0 && why[size] == ':')
        why += size + 1 + strspn(why + size + 1, " ");
    return etna_fail(err, ETNA_E_INPUT, "the scene can't be read: %.400s",
                     *why ? why : "it is damaged, or memory is short");
}

/* Reading a scene happens in a process of its own: importers of foreign formats
 * have crashed on damaged files, and a server must not. `--` ends the options,
 * for a path may begin with a dash. */
static etna_code reader_run(const char *program,
                            const char *path,
                            const scene_options *options,
                            const char *output,
                            bool (*cancelled)(void *),
                            void *cancelled_context,
                            etna_error *err)
{
    char unit[64];
    const char up[2] = {options->up, 0};
    const char *argv[12] = {program, "bundle", "--output", output};
    size_t n = 4;
    if (options->metres_per_unit > 0) {
        snprintf(unit, sizeof unit, "%.17g", options->metres_per_unit);
        argv[n++] = "--unit";
        argv[n++] = unit;
    }
    if (options->up) {
        argv[n++] = "--up";
        argv[n++] = up;
    }
    argv[n++] = "--";
    argv[n++] = path;
    child_run child = {
        .argv = argv, .cancelled = cancelled, .context = cancelled_context};
    etna_code code = child_do(&child, err);
    free(child.output);
    if (code != ETNA_OK)
        return code;
    return child.exit_code == 0 ? ETNA_OK : reading_refuse(&child, path, err);
}

/* The file is unlinked while its descriptor is open: nothing is left behind,
 * whatever happens to this process. TMPDIR is bounded in length, not checked:
 * it is the user's own. */
etna_code reading_scene(void *context,
                        const char *path,
                        const scene_options *options,
                        bool (*cancelled)(void *),
                        void *cancelled_context,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    char output[512];
    const char *tmp = getenv("TMPDIR");
    snprintf(output, sizeof output, "%.400s/etna-scene-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    int fd = mkostemp(output, O_CLOEXEC);
    if (fd < 0)
        return etna_fail(err, ETNA_E_IO, "cannot make a file for the scene: %s",
                         strerror(errno));
    etna_code code = reader_run(context, path, options, output, cancelled,
                                cancelled_context, err);
    unlink(output); /* what the program wrote is still there behind `fd` */
    if (code == ETNA_OK)
        return bundle_read_file(fd, path, ret_data, ret_size, err);
    close(fd);
    return code;
}
