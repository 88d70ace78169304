/* Journal records and the lines that tell of them (record.c, narrate.c,
 * ledger.c). */
#ifndef ETNA_COORDINATOR_CORE_RECORD_H
#define ETNA_COORDINATOR_CORE_RECORD_H

#include "coordinator/core/run.h"

/* The numbers are in journals: never renumber. record.c says what is a cause
 * and what a consequence. */
typedef enum record_kind {
    RECORD_SUBMITTED = 1,
    RECORD_REPLY,
    RECORD_RESULT,
    RECORD_DECISION,
    RECORD_REFUSED,
    RECORD_CAP,
    RECORD_CANCEL,
    RECORD_SUSPENDED,
    RECORD_ENDED,
    RECORD_CALL,   /* GO was said */
    RECORD_LOST,   /* a call in flight was booked as lost */
    RECORD_MODELS, /* the run goes on with others */
    RECORD_DEATH,  /* of a worker, laid to a task */
    RECORD_BUILD,  /* a worker of another build takes part */
    RECORD_KIND_COUNT
} record_kind;

/* The facts of a RESULT or REFUSED: which task, and how it ended. */
typedef struct record_result {
    uint32_t kind, node, branch, poll;
    etna_code error;
    const char *text;
    arrange_result result; /* when error is ETNA_OK */
} record_result;

/* One record as read; pointers live in the arena given. Which members count
 * depends on `kind`. */
typedef struct record {
    record_kind kind;
    uint64_t interval_ms;
    /* SUBMITTED */
    uint32_t version; /* another than ours: nothing else of it is read */
    /* its body was read; else it is only ever compared, and `body` has its
     * bytes */
    bool is_whole;
    arrange_config config;
    /* REPLY; CALL and LOST: reply.slot, CALL also reply.request */
    core_reply reply;
    /* LOST: at what it is booked; all zero: it was not billed */
    message_usage booked;
    bool reported; /* LOST: its caller said so */
    /* REPLY, CALL: taken back from what was booked as lost */
    message_usage recovered;
    /* CALL */
    uint64_t worker, incarnation, task, begin;
    uint32_t attempt;
    message_usage estimate;
    /* RESULT, REFUSED; DEATH: which task, and its text why; BUILD: its text
     * alone */
    record_result result;
    /* CAP */
    core_cap cap;
    /* MODELS */
    message_run_resume models;
    /* DECISION, ENDED, and to compare: everything after the header */
    const uint8_t *body;
    size_t body_size;
} record;

/* Reads a record. ETNA_E_MESSAGE: it is none, is malformed, or of an older
 * format; ETNA_E_NEWER. *ret is untouched then. ETNA_E_MESSAGE also where
 * `arena` finds no memory. */
etna_code record_parse(const void *data,
                       size_t size,
                       etna_arena *arena,
                       record *ret,
                       etna_error *err);
/* Each appends a record to what the update writes, and its line to what it
 * tells. In a replay nothing is written: what the core decides by itself is
 * compared with the journal's record of it. Failures are core.failure. */
void record_submitted(run *r);
void record_reply(run *r,
                  const core_reply *reply,
                  const message_usage *recovered);
void record_call(run *r, const record *rec);

/* ledger.c: the run's accounts by node, role and model, in `arena`; NULL: out
 * of memory. */
core_account *ledger_of(const run *r, etna_arena *arena, uint32_t *ret_count);
void record_lost(run *r,
                 const etna_slot *slot,
                 const message_usage *booked,
                 bool reported);
void record_result_of(run *r, const record_result *result);
void record_refused(run *r, const record_result *result);
void record_decision(run *r, const node *n, uint32_t next_step);
void record_cap(run *r, core_cap kind);
void record_plain(run *r, record_kind kind); /* CANCEL, SUSPENDED */
void record_ended(run *r);
void record_death(const task *t, const char *why);
void record_build(run *r, const char *build);
void record_models(run *r); /* those of its configuration now */
/* A configuration's canonical bytes: as in a SUBMITTED record. */
void record_config(canon_writer *w, const arrange_config *config);
/* Writes the decisions that a journal lacks because it was cut off. */
void record_flush_expected(run *r);
/* Keeps a line with the run, and tells it unless this is a replay. One without
 * a text is silent. */
void record_line(run *r, uint64_t sequence, narration told);
/* Whether the record is a consequence, which replay compares instead of
 * feeding. */
bool record_is_derived(const record *rec);

/* narrate.c: one line for each record; its texts are the run's. The void ones
 * tell what no record does. */
narration narrate_submitted(run *r);
narration narrate_result(run *r, const record_result *result);
narration narrate_refused(run *r, const record_result *result);
narration narrate_decision(run *r, const node *n, uint32_t next_step);
narration narrate_cap(run *r, core_cap kind);
narration narrate_ended(run *r);
narration narrate_plain(run *r, record_kind kind); /* CANCEL, SUSPENDED */
/* Of a reply to a request that was shortened. */
narration narrate_left_out(run *r, const core_reply *reply);
void narrate_worker_gone(core *c,
                         const worker *w,
                         const char *why,
                         uint32_t leases);
void narrate_lease_lost(run *r, const task *t, const char *why);
void narrate_doubled(run *r, const task *t); /* a second worker does it, too */
void narrate_task_error(run *r,
                        const task *t,
                        etna_code code,
                        const char *text);
void narrate_outage(run *r);
void narrate_fallback(run *r,
                      const char *from,
                      const char *to,
                      const char *why);
void narrate_mismatch(run *r, const etna_slot *slot);
void narrate_resumed(run *r);
narration narrate_models(run *r);
narration narrate_build(run *r, const char *build);
void narrate_worker_waits(core *c, const worker *w, const char *why);
narration narrate_death(run *r, const task *t, const char *why);

/* run.c: fills the body of a RUN_STATUS; texts are the run's. */
void run_status_message(const run *r, message *ret);

#endif
