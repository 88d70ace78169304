/* A host for jobs without network, loop or store: blobs in a list, the built-in
 * agent asked directly. */
#ifndef ETNA_TESTS_UNIT_WORKER_JOBS_HOST_H
#define ETNA_TESTS_UNIT_WORKER_JOBS_HOST_H

#include "worker/jobs/job.h"

typedef struct host {
    job_shared *shared;
    etna_arena arena; /* results live here */
    struct {
        etna_hash hash;
        uint8_t *data;
        size_t size;
    } blobs[256];
    uint32_t blob_count;
    uint32_t calls, works; /* of the last job */
    void (*look)(struct host *h,
                 job *j,
                 /* at every call of a model; NULL: none */
                 const model_request *request);
    uint32_t looked;
    /* instead of what the built-in agent would; NULL: as it would */
    const char *executor_says;
    bool (*answer)(struct host *h,
                   const model_request *request,
                   model_reply *ret); /* false: it does not; NULL: never does */
    /* that work the pieces of a job at once; 0: job_work does it all */
    uint32_t threads;
    /* drop the job after this many steps and start it again once; 0: never */
    uint32_t drop_after;
    etna_hash scene, base; /* what host_import made */
    const char *camera;
} host;

void host_open(host *h);
void host_close(host *h);
etna_hash host_put(host *h, const void *data, size_t size);
bool host_has(const host *h, const etna_hash *hash);
const uint8_t *host_get(const host *h, const etna_hash *hash, size_t *ret_size);
/* Runs one task to its end. ETNA_OK and *ret (in the host's arena), or the
 * job's error with its text in *err. */
etna_code host_run(host *h,
                   const arrange_task *task,
                   arrange_result *ret,
                   etna_error *err);
/* The same for what must succeed: a failure is the test's. */
arrange_result host_do(host *h, const arrange_task *task);
/* Imports the bundle (which it frees); `camera`: as of a task, or NULL. What
 * tasks are about from then on. */
arrange_result host_import(host *h,
                           uint8_t *bundle,
                           size_t size,
                           const char *goal,
                           const char *camera);
/* The same of a GLB (which it frees, too). */
arrange_result host_import_glb(
    host *h, uint8_t *glb, size_t size, const char *goal, const char *camera);
/* A task about the imported scene, at the run's first node. */
arrange_task host_task(const host *h, task_kind kind);

#endif
