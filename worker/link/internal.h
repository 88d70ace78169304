/* What the link's files share: its state, and who may touch which part. link.c: the step and the standing requests;
 * request.c: what is outstanding and its timers; job.c: jobs, their wants and results. */
#ifndef ETNA_WORKER_LINK_INTERNAL_H
#define ETNA_WORKER_LINK_INTERNAL_H

#include "proto/arena.h"
#include "worker/link/link.h"

typedef struct link_request { /* outstanding: sent, or to be sent again at `deadline` */
    uint64_t id;              /* also its sequence */
    message_kind kind;
    uint64_t job; /* whose want or result; 0: none */
    uint64_t asked;    /* when it was first sent */
    uint64_t deadline;
    uint32_t tries;
    bool lost; /* known not to be under way */
} link_request;

typedef enum link_job_state { JOB_RUNNING = 1, JOB_CANCELLED, JOB_RESULT_PENDING } link_job_state;

typedef enum link_want { LINK_WANT_NONE = 0, LINK_WANT_GET, LINK_WANT_KEEP, LINK_WANT_BEGIN, LINK_WANT_FAIL, LINK_WANT_END } link_want;

typedef struct link_job {
    uint64_t id;
    link_job_state state;
    message_task_ref ref;
    link_want want;
    etna_hash hash, reply;
    const uint8_t *data; /* KEEP: borrowed */
    uint64_t total, offset; /* KEEP: size; GET: of the first chunk, UINT64_MAX before. Where the next chunk starts */
    uint32_t stalls;        /* puts in a row that did not advance */
    etna_slot slot;
    message_usage usage;
    uint32_t images_left_out, texts_left_out;
    const char *model;   /* borrowed */
    bool elsewhere;      /* from the begin of a call over the network to its end */
    message_call_fail fail; /* its texts borrowed */
    uint64_t wait_until; /* BEGIN: CALL_WAIT's end; 0: none */
    etna_code code;      /* RESULT_PENDING */
    char *text;
    uint8_t *payload;
    size_t payload_size;
} link_job;

struct worker_link {
    link_config config;
    uint64_t now, epoch, next_sequence, next_job;
    link_request *requests;
    size_t request_count, request_room;
    link_job **jobs; /* in the order they were leased */
    size_t job_count, job_room;
    etna_hash warm[MESSAGE_WARM_MAX];
    uint32_t warm_count;
    uint64_t lease_after, orders_after; /* not before */
    bool started, draining, away, exited;
    bool failed; /* out of memory: every later step says so */
    etna_arena arena; /* of the update */
    link_output *outputs;
    size_t output_count, output_room;
};

/* Appends an output; NULL when memory is at its end (l->failed). */
link_output *link_put(worker_link *l, link_output_kind kind);

/* link.c */
uint32_t link_slots_free(const worker_link *l);

/* request.c */
void link_ask(worker_link *l, message_kind kind, uint64_t job);              /* a new sequence */
link_request *link_request_of(worker_link *l, message_kind kind, uint64_t job); /* NULL: none outstanding */
link_request *link_request_by_id(worker_link *l, uint64_t id);
void link_request_remove(worker_link *l, uint64_t id);
void link_drop_requests_of(worker_link *l, uint64_t job);  /* with LINK_OUT_DROP */
void link_request_lost(worker_link *l, uint64_t id);       /* 0: all */
void link_resend_lost(worker_link *l);
void link_requests_due(worker_link *l);
bool link_answers(message_kind request, message_kind answer);

/* job.c */
link_job *link_job_by_id(worker_link *l, uint64_t id);
void link_job_leased(worker_link *l, const message_lease *lease);
void link_job_want(worker_link *l, const link_event *event);
void link_job_done(worker_link *l, const link_event *event);
void link_job_gone(worker_link *l, uint64_t id);
void link_job_cancel(worker_link *l, const message_task_ref *ref);
void link_job_answer(worker_link *l, const link_request *request, const message *answer);
void link_jobs_due(worker_link *l); /* CALL_WAITs that are over */
bool link_job_fill(const worker_link *l, const link_request *request, message *m); /* the body of a job's request */
void link_job_free(link_job *j);
uint32_t link_jobs_in(const worker_link *l, link_job_state state);
uint32_t link_jobs_elsewhere(const worker_link *l); /* RUNNING, and waiting for a model elsewhere */

#endif
