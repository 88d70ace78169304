/* The furnish task: its scene is the index that models are found by, its
 * snapshot the brief, and its blob the room with all that is told of it. What
 * makes rooms lies above this room, so that whoever starts jobs says who it is.
 *
 *   index, brief -> pool: open, work -> fetch what is wanted -> pool: work ->
 *   ... -> keep */
#include "worker/jobs/task.h"

#include <stdlib.h>
#include <string.h>

static const job_furnisher *furnisher;

void job_use_furnisher(const job_furnisher *f)
{
    furnisher = f;
}

/* A room that is being made. */
typedef struct making {
    void *room; /* the furnisher's; NULL: it is not opened */
    uint8_t *brief;
    size_t brief_size;
} making;

static void furnish_want_next(job *j, const job_event *event, job_want *want);

/* On the pool. When nothing more is wanted it is made. */
static void furnish_work(job *j)
{
    making *m = j->state;
    etna_error *err = &j->error;
    etna_code code = ETNA_OK;
    if (!m->room)
        code = furnisher->open(j->bundle, j->bundle_size, m->brief,
                               m->brief_size, &m->room, err);
    if (code == ETNA_OK)
        code = furnisher->work(m->room, err);
    if (code == ETNA_OK && !furnisher->wants(m->room)) {
        code = furnisher->take(m->room, &j->made.data, &j->made.size, err);
        if (code == ETNA_OK)
            j->made.hash = etna_hash_bytes(j->made.data, j->made.size);
    }
    j->error.code = code;
}

static void furnish_fetched(job *j, const job_event *event, job_want *want)
{
    const making *m = j->state;
    etna_code code =
        furnisher->give(m->room, event->data, event->size, &j->error);
    if (code == ETNA_OK)
        furnish_want_next(j, event, want);
    else
        task_fail(j, want, code, j->error.text);
}

/* After work what is wanted first, after the last of it work again. */
static void furnish_want_next(job *j, const job_event *event, job_want *want)
{
    const making *m = j->state;
    const etna_hash *hash = furnisher->wants(m->room);
    if (j->made.data) {
        task_want_keep(j, want, task_done_blob);
    } else if (hash) {
        j->phase = furnish_fetched;
        *want = (job_want){.kind = WANT_FETCH, .hash = *hash};
    } else {
        task_want_pool(j, want, furnish_work, furnish_want_next);
    }
    (void)event;
}

static void furnish_took_brief(job *j, const job_event *event, job_want *want)
{
    making *m = j->state;
    m->brief = malloc(event->size + 1);
    if (!m->brief) {
        task_fail(j, want, ETNA_E_NOMEM, "out of memory for a brief");
        return;
    }
    if (event->size)
        memcpy(m->brief, event->data, event->size);
    m->brief_size = event->size;
    task_want_pool(j, want, furnish_work, furnish_want_next);
}

static void furnish_begin(job *j, const job_event *event, job_want *want)
{
    (void)event;
    if (!furnisher) {
        task_fail(j, want, ETNA_E_INTERNAL, "nobody here furnishes rooms");
        return;
    }
    j->state = etna_arena_alloc(&j->arena, 1, sizeof(making));
    if (!j->state) {
        task_fail(j, want, ETNA_E_NOMEM, "out of memory for a room");
        return;
    }
    j->phase = furnish_took_brief;
    *want = (job_want){.kind = WANT_FETCH, .hash = j->task.snapshot};
}

static void furnish_end(job *j)
{
    making *m = j->state;
    if (m->room)
        furnisher->close(m->room);
    free(m->brief);
}

const job_kind task_furnish = {.name = "furnish",
                               .takes_bytes = true,
                               .begin = furnish_begin,
                               .end = furnish_end};
