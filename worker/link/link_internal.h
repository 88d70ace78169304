/* What the link's files share: its state, and who may touch which part. link.c:
 * the step and the standing requests; request.c: what is outstanding and its
 * timers; job.c: jobs, their wants and results. Thousands of jobs may be held
 * at once, so nothing that an event brings about looks at all of them, but for
 * what names all of them (an orders request) and what befalls all of them (a
 * lost pipe, a new epoch). */
#ifndef ETNA_WORKER_LINK_LINK_INTERNAL_H
#define ETNA_WORKER_LINK_LINK_INTERNAL_H

#include "proto/arena.h"
#include "proto/table.h"
#include "proto/timer_heap.h"
#include "worker/link/link.h"

typedef struct link_job link_job;

/* outstanding: sent, or to be sent again when it is due */
typedef struct link_request {
    due again; /* its id is also the request's sequence */
    chain all; /* in worker_link.requests */
    /* in worker_link.lost, when it is known not to be under way */
    chain lost;
    message_kind kind;
    link_job *job;  /* whose want or result; NULL: a standing request */
    uint64_t asked; /* when it was first sent */
    bool sent;      /* once at the least */
    uint32_t tries;
    uint32_t wants; /* tasks that it asks for */
    /* tasks that its answer may bring: the most that it ever asked for */
    uint32_t reserved;
} link_request;

typedef enum link_job_state {
    JOB_RUNNING = 1,
    JOB_CANCELLED,
    JOB_RESULT_PENDING,
    JOB_STATES
} link_job_state;

typedef enum link_want {
    LINK_WANT_NONE = 0,
    LINK_WANT_GET,
    LINK_WANT_KEEP,
    LINK_WANT_BEGIN,
    LINK_WANT_FAIL,
    LINK_WANT_END
} link_want;

struct link_job {
    due wait;       /* BEGIN: CALL_WAIT's end; its id is the job's */
    chain all;      /* in worker_link.jobs */
    link_job *same; /* the next of the same task, leased later */
    /* the one that is outstanding for it, or NULL; not for its result */
    link_request *request;
    /* RESULT_PENDING: in worker_link.results_waiting or results_sent */
    chain handing;
    bool sent;            /* in the latter */
    link_job_state state; /* set by job.c's turn alone, like `elsewhere` */
    /* from the begin of a call over the network to its end */
    bool elsewhere;
    message_task_ref ref;
    link_want want;
    etna_hash hash, reply;
    const uint8_t *data; /* KEEP: borrowed */
    /* KEEP: size; GET: of the first chunk, UINT64_MAX before. Where the next
     * chunk starts */
    uint64_t total, offset;
    uint32_t stalls; /* puts in a row that did not advance */
    etna_slot slot;
    message_usage usage;
    uint32_t images_left_out, texts_left_out;
    const char *model;      /* borrowed */
    message_call_fail fail; /* its texts borrowed */
    etna_code code;         /* RESULT_PENDING */
    char *text;
    uint8_t *payload;
    size_t payload_size;
    uint64_t cpu_us;
};

struct worker_link {
    link_config config;
    uint64_t now, epoch, next_sequence, next_job;
    /* in the order they were asked; in the order they were lost */
    chain requests, lost;
    link_request *lease, *orders, *death; /* the standing ones, or NULL */
    link_request *result;                 /* of all in results_sent, or NULL */
    chain results_waiting,
        /* jobs: what ends while results are under way goes with the next
         * message */
        results_sent;
    /* so many are sent by themselves: together they were refused */
    uint32_t results_alone;
    bool death_told;     /* or there is none to tell */
    table request_table; /* by id */
    due_heap requests_due;
    chain jobs; /* in the order they were leased */
    /* by id; by what a task is (job.c), the first of its `same` */
    table job_table, task_table;
    due_heap jobs_due;
    uint32_t job_count, in_state[JOB_STATES];
    uint32_t elsewhere; /* RUNNING, and waiting for a model elsewhere */
    uint32_t wanted;    /* the sum of `reserved` */
    etna_hash warm[MESSAGE_WARM_MAX];
    uint32_t warm_count;
    uint64_t lease_after, orders_after; /* not before */
    /* when an answer came last, or the connection was dialled */
    uint64_t silent_since;
    bool started, draining, away, exited;
    /* or told to end since, whichever was later; while draining and away */
    uint64_t away_since;
    bool failed;      /* out of memory: every later step says so */
    etna_arena arena; /* of the update */
    link_output *outputs;
    size_t output_count, output_room;
};

/* Appends an output; NULL when memory is at its end (l->failed). */
link_output *link_put(worker_link *l, link_output_kind kind);

/* link.c */
uint32_t link_slots_free(const worker_link *l);
/* Of the free slots those for which no request under way asks. */
uint32_t link_slots_unasked(const worker_link *l);

/* request.c */
/* Sends a request under a new sequence. `job` NULL: a standing request, or the
 * results; a job has one request at a time. */
void link_ask(worker_link *l, message_kind kind, link_job *job);
/* NULL: none outstanding */
link_request *link_request_by_id(const worker_link *l, uint64_t id);
void link_request_remove(worker_link *l, link_request *request);
/* Removes it and puts out LINK_OUT_DROP; NULL is fine. */
void link_request_drop(worker_link *l, link_request *request);
/* It is known not to be under way: sent again after a pause, or at once by
 * link_resend_lost. */
void link_request_lost(worker_link *l, link_request *request);
void link_requests_lost(worker_link *l); /* all */
void link_resend_lost(worker_link *l);
/* Sends again what has waited long enough. */
void link_requests_due(worker_link *l);
/* those that wait, unless others are under way */
void link_results_send(worker_link *l);
/* Is a message of that kind an answer to such a request? Any other is
 * ignored. */
bool link_answers(message_kind request, message_kind answer);

/* job.c */
link_job *link_job_by_id(const worker_link *l, uint64_t id);
/* A new job, and LINK_OUT_START; nothing new where one that we have does for
 * the lease. */
void link_job_leased(worker_link *l, const message_lease *lease);
/* The five LINK_* events by which a job wants something. */
void link_job_want(worker_link *l, const link_event *event);
void link_job_done(worker_link *l, const link_event *event);
void link_job_gone(worker_link *l, const link_event *event);
/* By an order: LINK_OUT_CANCEL, or the result that waits is dropped. */
void link_job_cancel(worker_link *l, const message_task_ref *ref);
/* all that run; results under way are waited for */
void link_jobs_hand_back(worker_link *l);
/* `asked` was answered and is outstanding no more; a copy. */
void link_job_answer(worker_link *l,
                     const link_request *asked,
                     const message *answer);
/* those in results_sent */
void link_results_answered(worker_link *l, bool refused);
/* all in results_sent */
void link_results_fill(worker_link *l, message *m);
/* CALL_WAITs that are over */
void link_jobs_due(worker_link *l);
/* the body of a job's request */
void link_job_fill(const link_request *request, message *m);
void link_job_free(link_job *j);

#endif
