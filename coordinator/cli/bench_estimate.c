/* See bench_folder.h: the money of a whole suite beforehand. Each run is what a
 * batch's line makes of it, so that the estimate is of the very runs. */
#include "coordinator/cli/batch_list.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/estimate.h"
#include "coordinator/cli/models_file.h"
#include "proto/fd.h"
#include "store/wholefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The batch's list as a file in memory: *ret_fd is the caller's. */
static etna_code list_make(const plan_job *jobs,
                           uint32_t count,
                           const plan_options *plan,
                           int *ret_fd,
                           etna_error *err)
{
    int fd = memfd_create("etna-list", MFD_CLOEXEC);
    if (fd < 0)
        return etna_fail(err, ETNA_E_IO, "memory for a list: %s",
                         strerror(errno));
    *ret_fd = fd;
    for (uint32_t i = 0; i < count; i++) {
        json_t *line = plan_line(&jobs[i], plan, jobs[i].scene->scene);
        char *dump = line ? json_dumps(line, JSON_COMPACT) : NULL;
        bool good =
            dump && fd_write(fd, dump, strlen(dump)) && fd_write(fd, "\n", 1);
        free(dump);
        json_decref(line);
        if (!good)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory for a list of %u runs",
                             (unsigned)count);
    }
    return ETNA_OK;
}

static etna_code judges_find(const bench_judges *judges,
                             const plan_job *jobs,
                             uint32_t count,
                             etna_arena *arena,
                             models *all,
                             estimate_judges *ret,
                             etna_error *err)
{
    char path[4096];
    etna_code code =
        models_file_all(judges->models, arena, all, path, sizeof path, err);
    if (code)
        return code;
    *ret = (estimate_judges){.model = judges->model,
                             .listed = models_find(all, judges->model)};
    if (!ret->listed)
        return etna_fail(err, ETNA_E_USAGE,
                         "--judge-model %.80s: there is none of that name",
                         judges->model);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t steps = jobs[i].run.is_goal ? 1 : jobs[i].scene->step_count;
        ret->calls += judges->count;
        ret->pictures += (uint64_t)judges->count * (steps + 1);
    }
    return ETNA_OK;
}

static etna_code lines_tell(batch_line *lines,
                            uint32_t count,
                            const estimate_judges *judges,
                            const char *store,
                            bool json,
                            etna_arena *arena,
                            etna_error *err)
{
    const arrange_config **configs =
        etna_arena_alloc(arena, count, sizeof *configs);
    if (!configs)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for an estimate");
    for (uint32_t i = 0; i < count; i++) {
        etna_code code = run_request_read_models(&lines[i].request, arena, err);
        if (code)
            return code;
        configs[i] = &lines[i].request.config;
    }
    return estimate_tell(configs, count, judges, store, json, err);
}

etna_code bench_estimate(const char *suite_path,
                         const plan_options *plan,
                         const struct bench_judges *judges,
                         const char *store,
                         bool json,
                         etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    suite s;
    plan_job *jobs = NULL;
    batch_line *lines = NULL;
    uint32_t count = 0, line_count = 0;
    int fd = -1;
    char path[32];
    models all;
    estimate_judges asked;
    etna_code code = suite_read(suite_path, &arena, &s, err);
    if (!code)
        code = plan_make(&s, plan, &arena, &jobs, &count, err);
    if (!code && judges->model)
        code = judges_find(judges, jobs, count, &arena, &all, &asked, err);
    if (!code)
        code = list_make(jobs, count, plan, &fd, err);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!code)
        code = batch_list_read(path, &arena, &lines, &line_count, err);
    if (!code)
        code = lines_tell(lines, line_count, judges->model ? &asked : NULL,
                          store, json, &arena, err);
    if (fd >= 0)
        close(fd);
    etna_arena_free(&arena);
    return code;
}
