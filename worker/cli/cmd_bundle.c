/* `etna-worker bundle`: reads a scene and all it names beneath its folder into
 * one bundle file, and imports it once, so that a scene that cannot be used is
 * refused here, in a child with limits, before a run exists. */
#include "proto/fd.h"
#include "store/wholefile.h"
#include "worker/cli/bring.h"
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
    "usage: etna-worker bundle SCENE [--unit METRES] [--up Y|Z] [--json] [--goal TEXT]... [--store DIR] [--camera C] --output FILE\n"
    "Writes the scene, its external buffers and images, its side file and the options into FILE.\n"
    "--only-staged: writes nothing unless a goal brings something in or takes something out.\n"
    "--goal: what a run will be asked. What it is to bring in or take out is staged: found in the store's index of assets, and\n"
    "waiting outside, or gone.\n"
    "With --json an error is printed as a JSON document, too.\n";

enum {
    GOALS_MAX = 1000
};

/* Readable by the owner only. What is cut off by a full disk is removed. */
static etna_code write_file(const char *path,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return etna_fail(err, ETNA_E_IO, "cannot write %s: %s", path,
                         strerror(errno));
    if (!fd_write(fd, data, size)) {
        int why = errno;
        close(fd);
        unlink(path);
        etna_code code = wholefile_code(why);
        return etna_fail(err, code, "cannot write %s: %s%s", path,
                         code == ETNA_E_FULL ? "the disk is full: " : "",
                         strerror(why));
    }
    if (close(fd))
        return etna_fail(err, ETNA_E_IO, "cannot write %s: %s", path,
                         strerror(errno));
    return ETNA_OK;
}

/* A hostile scene may try to take the machine with it: ten minutes of CPU and
 * no core file. Memory is bounded by the importer's own limits. */
static void limit_self(void)
{
    struct rlimit cpu = {.rlim_cur = 600, .rlim_max = 600};
    struct rlimit core = {0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
}

/* Texts stay where argv has them. */
typedef struct goals {
    const char *texts[GOALS_MAX];
    uint32_t count;
} goals;

static etna_code read_goal(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    goals *g = into;
    if (g->count == GOALS_MAX)
        return etna_fail(err, ETNA_E_USAGE, "more than %d --%s", GOALS_MAX,
                         name);
    g->texts[g->count++] = value;
    return ETNA_OK;
}

/* The scene, staged for what is asked of it where that brings something in or
 * takes something out. */
static etna_code bundle_write_scene(const char *path,
                                    const scene_options *options,
                                    const goals *asked,
                                    const bring_options *bring,
                                    bool only_staged,
                                    const char *output,
                                    etna_error *err)
{
    loaded_scene loaded = {0};
    uint8_t *staged = NULL;
    size_t size = 0;
    bring_options how = *bring;
    how.unit_is_said = options->metres_per_unit > 0;
    bool may_be = bring_may_be_asked(asked->texts, asked->count);
    if (only_staged && !may_be)
        return ETNA_OK;
    etna_code code = may_be ? load_scene(path, options, NULL, &loaded, err)
                            : load_scene_to_tell(path, options, &loaded, err);
    if (code == ETNA_OK && may_be)
        code = bring_stage(&loaded, asked->texts, asked->count, &how, &staged,
                           &size, err);
    if (code == ETNA_OK && (staged || !only_staged)) {
        code = staged
                   ? write_file(output, staged, size, err)
                   : write_file(output, loaded.bundle, loaded.bundle_size, err);
    }
    free(staged);
    load_scene_free(&loaded);
    return code;
}

/* Run by a parent for untrusted files: its limits are set before anything of
 * the file is read. */
int worker_cmd_bundle(int argc, char **argv)
{
    goals *asked = calloc(1, sizeof *asked);
    bring_options bring = {0};
    scene_options options = scene_options_default();
    const char *output = NULL;
    bool only_staged = false;
    bool json = false; /* load_errors_as_json() has seen it */
    const flags_row flags[] = {LOAD_UNIT_AND_UP(&options),
                               {"output", 'o', .text = &output},
                               {"json", .yes = &json},
                               {"only-staged", .yes = &only_staged},
                               {"goal", .read = read_goal, .into = asked},
                               {"store", .text = &bring.store},
                               {"camera", .text = &bring.camera},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna-worker bundle", argc, argv, flags, help, &exit_code);
    etna_error err = {0};
    if (!asked) {
        etna_fail(&err, ETNA_E_NOMEM, "out of memory");
        return load_report(&err);
    }
    if (first && (first + 1 != argc || !output)) {
        exit_code = load_usage(
            "bundle wants one scene and --output; see `etna-worker bundle --help`");
    } else if (first) {
        limit_self();
        exit_code = bundle_write_scene(argv[first], &options, asked, &bring,
                                       only_staged, output, &err) == ETNA_OK
                        ? 0
                        : load_report(&err);
    }
    free(asked);
    return exit_code;
}
