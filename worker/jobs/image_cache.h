/* The images of a request to a network model, as files: what model_image says
 * is drawn, overlaid and encoded here. A file is made once a process for all
 * polls, branches and turns that show the same, kept while memory allows, and
 * held by who sends it. */
#ifndef ETNA_WORKER_JOBS_IMAGE_CACHE_H
#define ETNA_WORKER_JOBS_IMAGE_CACHE_H

#include "worker/jobs/job.h"
#include "worker/provider/provider.h"

typedef struct image_cache image_cache; /* of a process; thread-safe */
image_cache *image_cache_new(void);     /* NULL: out of memory */
void image_cache_free(image_cache *table);

typedef struct job_images job_images; /* of one request of one job */

/* The pictures of `request`'s IMAGE parts in order, for `model` (sizes by role,
 * quality): those that are there are held. The request lives as long as the
 * result. ETNA_E_NOMEM. */
etna_code job_images_open(job *j,
                          const model_request *request,
                          const models_model *model,
                          job_images **ret,
                          etna_error *err);
/* A snapshot that is still needed to draw; false: none. Bring it with
 * job_images_give, which copies, until there is none. */
bool job_images_want(const job_images *p, etna_hash *ret);
etna_code job_images_give(job_images *p,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err);
/* How many pictures are to be drawn, once all snapshots are there; and on the
 * pool, any of them at the same time: each below that number. Who draws none of
 * them first has job_images_make draw them, one after another. */
uint32_t job_images_missing(const job_images *p);
/* Draws one of the pictures that are missing; what fails is told by
 * job_images_make. Pieces may run in several threads at once. */
void job_images_draw(job_images *p, uint32_t piece);
/* On the pool: draws what is still missing; the first thing that failed is its
 * error. The images are the pictures' own and live until job_images_close. */
etna_code job_images_make(job_images *p,
                          const provider_image **ret,
                          etna_error *err);
void job_images_close(job_images *p); /* NULL is fine */

#endif
