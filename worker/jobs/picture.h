/* The images of a request to a network model, as files: what model_image says is drawn, overlaid and encoded here. A
 * file is made once a process for all polls, branches and turns that show the same, kept while memory allows, and held
 * by who sends it. */
#ifndef ETNA_WORKER_JOBS_PICTURE_H
#define ETNA_WORKER_JOBS_PICTURE_H

#include "worker/jobs/job.h"
#include "worker/provider/provider.h"

typedef struct picture_table picture_table; /* of a process; thread-safe */
picture_table *picture_table_new(void);     /* NULL: out of memory */
void picture_table_free(picture_table *table);

typedef struct job_pictures job_pictures; /* of one request of one job */

/* The pictures of `request`'s IMAGE parts in order, for `model` (sizes by role, quality): those that are there are
 * held. The request lives as long as the result. ETNA_E_NOMEM. */
etna_code job_pictures_open(job *j, const model_request *request, const models_model *model, job_pictures **ret,
                            etna_error *err);
/* A snapshot that is still needed to draw; false: none. Bring it with job_pictures_give, which copies, until there is
 * none. */
bool job_pictures_want(const job_pictures *p, etna_hash *ret);
etna_code job_pictures_give(job_pictures *p, const etna_hash *hash, const uint8_t *data, size_t size, etna_error *err);
/* How many pictures are to be drawn, once all snapshots are there; and on the pool, any of them at the same time: each
 * below that number. Who draws none of them first has job_pictures_make draw them, one after another. */
uint32_t job_pictures_missing(const job_pictures *p);
void job_pictures_draw(job_pictures *p, uint32_t piece);
/* On the pool: draws what is still missing; the first thing that failed is its error. The images are the pictures' own
 * and live until job_pictures_close. */
etna_code job_pictures_make(job_pictures *p, const provider_image **ret, etna_error *err);
void job_pictures_close(job_pictures *p); /* NULL is fine */

#endif
