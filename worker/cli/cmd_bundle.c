/* `etna-worker bundle`: reads a scene and all it names beneath its folder into one bundle file, and imports it once, so
 * that a scene that cannot be used is refused here, in a child with limits, before a run exists. */
#include "store/wholefile.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char help[] =
    "usage: etna-worker bundle SCENE [--unit METRES] [--up Y|Z] [--json] --output FILE\n"
    "Writes the scene, its external buffers and images, its side file and the options into FILE.\n"
    "With --json an error is printed as a JSON document, too.\n";

static etna_code write_file(const char *path, const uint8_t *data, size_t size, etna_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return etna_fail(err, ETNA_E_IO, "cannot write %s: %s", path, strerror(errno));
    if (!wholefile_put(fd, data, size)) {
        int why = errno;
        close(fd);
        unlink(path);
        etna_code code = wholefile_code(why);
        return etna_fail(err, code, "cannot write %s: %s%s", path, code == ETNA_E_FULL ? "the disk is full: " : "",
                         strerror(why));
    }
    if (close(fd)) return etna_fail(err, ETNA_E_IO, "cannot write %s: %s", path, strerror(errno));
    return ETNA_OK;
}

/* A hostile scene may try to take the machine with it: ten minutes of CPU and no core file. Memory is bounded by the
 * importer's own limits. */
static void limit_self(void)
{
    struct rlimit cpu = {.rlim_cur = 600, .rlim_max = 600}, core = {0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
}

int worker_cmd_bundle(int argc, char **argv)
{
    scene_options options = scene_options_default();
    const char *output = NULL;
    bool json = false; /* load_errors_as_json() has seen it */
    const flags_row flags[] = {
        LOAD_UNIT_AND_UP(&options), {"output", 'o', .text = &output}, {"json", .yes = &json}, {0}};
    int exit_code, first = load_flags("etna-worker bundle", argc, argv, flags, help, &exit_code);
    if (!first) return exit_code;
    if (first + 1 != argc || !output)
        return load_usage("bundle wants one scene and --output; see `etna-worker bundle --help`");
    limit_self();
    etna_error err = {0};
    loaded_scene loaded = {0};
    etna_code code = load_scene_to_tell(argv[first], &options, &loaded, &err);
    if (code == ETNA_OK) code = write_file(output, loaded.bundle, loaded.bundle_size, &err);
    load_scene_free(&loaded);
    return code == ETNA_OK ? 0 : load_report(&err);
}
