/* One envelope and its bodies as plain structs, and the only way between them
 * and bytes (wire.proto, protobuf-c). Nobody else touches generated code:
 * unpacking is bounded (8 x the message, at most 16 MiB, no recursion) and
 * validated (enums, counts, lengths, UTF-8, finiteness), so a message_* struct
 * in hand is always well formed.
 *
 * Flow: every exchange is a request of a worker (or a submitter, a viewer)
 * answered once by the coordinator. A request is repeated with the same
 * (sender, incarnation, sequence) until it is answered; a repeated or late one
 * does no harm. */
#ifndef ETNA_PROTO_MESSAGE_H
#define ETNA_PROTO_MESSAGE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "proto/seal.h"
#include "proto/seed.h"

enum {
    MESSAGE_VERSION = 1,
    MESSAGE_MAX = 2 << 20, /* bytes of a packed envelope; NNG_OPT_RECVMAXSZ */
    /* how long after it asked a worker may act on a CALL_GO; core.h, "Fence" */
    MESSAGE_GO_MS = 15000,
    MESSAGE_CHUNK = 1 << 20,       /* bytes of a blob chunk */
    MESSAGE_PAYLOAD_MAX = 1 << 20, /* bytes of a task's or a result's payload */
    MESSAGE_WARM_MAX = 64,         /* scenes a lease request may name */
    MESSAGE_LEASES_MAX = 16,       /* tasks that a result's answer may bring */
    MESSAGE_RESULTS_MAX = 32,      /* results in one message */
    /* tasks an orders message may name; 1.2 MB of them at most */
    MESSAGE_ORDERS_MAX = 32768,
    MESSAGE_EVENTS_MAX = 256,   /* events in one answer */
    MESSAGE_RUNS_MAX = 256,     /* runs in one answer */
    MESSAGE_RUN_TEXT_MAX = 512, /* of a run's goal in a list */
    MESSAGE_TEXT_MAX = 4096     /* bytes of any text field but payloads */
};

/* What a usage may say of tokens, money and bytes, and of calls and pictures: a
 * million of them can be added up. */
#define MESSAGE_USAGE_MOST (UINT64_C(1) << 44)
#define MESSAGE_CALLS_MOST (UINT32_C(1) << 12)

typedef struct message_usage { /* tokens of a model call, or a sum of them */
    uint64_t tokens_in, tokens_out, tokens_reasoning;
    /* of tokens_in: read from the vendor's cache of prompts, and put into it */
    uint64_t tokens_cached, tokens_written;
    uint64_t cost_micros; /* millionths of the price list's currency */
    uint32_t calls;
    uint64_t bytes_sent;  /* of requests: pictures above all */
    uint32_t images_sent; /* in them, each time that it went */
} message_usage;

typedef enum message_kind {
    MESSAGE_NONE = 0,
    /* worker to coordinator, and the answer */
    MESSAGE_LEASE_REQUEST,
    MESSAGE_LEASE, /* a task, or "nothing" (task_kind 0) */
    MESSAGE_RESULT,
    MESSAGE_RESULT_ACK,
    MESSAGE_ORDERS_REQUEST, /* the heartbeat */
    MESSAGE_ORDERS,
    MESSAGE_CALL_BEGIN,
    MESSAGE_CALL_ANSWER,
    MESSAGE_CALL_END,
    MESSAGE_CALL_ACK,
    /* anyone to coordinator */
    MESSAGE_BLOB_GET,
    MESSAGE_BLOB_CHUNK,
    MESSAGE_BLOB_PUT,
    MESSAGE_BLOB_ACK,
    MESSAGE_RUN_SUBMIT,
    MESSAGE_RUN_CANCEL,
    MESSAGE_RUN_STATUS_REQUEST,
    MESSAGE_RUN_STATUS, /* answers submit, cancel, status, suspend and resume */
    MESSAGE_EVENTS_REQUEST,
    MESSAGE_EVENTS,
    /* the answer to a request that cannot be served: an error code and its
     * text */
    MESSAGE_REFUSED,
    MESSAGE_CALL_FAIL,
    MESSAGE_RUN_SUSPEND,
    MESSAGE_RUN_RESUME,
    MESSAGE_DRAIN,
    MESSAGE_DRAIN_ACK,
    /* as RUN_STATUS_REQUEST, and the answer has a report in any state */
    MESSAGE_RUN_VIEW_REQUEST,
    MESSAGE_RUNS_REQUEST,
    MESSAGE_RUNS,
    MESSAGE_HELLO, /* the first request of a connection that wants a token */
    MESSAGE_WELCOME,
    MESSAGE_DEATH, /* of the sender's predecessor, as its supervisor saw it */
    MESSAGE_DEATH_ACK,
    MESSAGE_UPKEEP, /* of the store, by its owner */
    MESSAGE_UPKEEP_DONE,
    MESSAGE_METRICS_REQUEST,
    MESSAGE_METRICS,
    /* several tasks: answers LEASE_REQUEST, and RESULT that asks for work,
     * which it acknowledges */
    MESSAGE_LEASES,
    MESSAGE_KIND_COUNT
} message_kind;

/* a task's name within a run; attempt counts its leases from 1 */
typedef struct message_task_ref {
    etna_id run;
    uint64_t task;
    uint32_t attempt;
    etna_id ticket; /* of the lease, from the coordinator; zeros: none */
    /* not on the wire: the coordinator's shell found no right ticket in it */
    bool is_forged;
} message_task_ref;

typedef struct message_lease_request {
    uint32_t slots_free;
    uint32_t cpus;
    uint32_t warm_count;
    const etna_hash *warm; /* scene blobs held in memory, best first */
    const char *build;     /* program version */
    uint32_t most;         /* tasks that the answer may bring; 0: one */
} message_lease_request;

typedef struct message_lease {
    uint32_t task_kind; /* arrange.h's task_kind; 0: nothing now, ask again */
    message_task_ref ref;
    etna_hash scene; /* the scene the task works on, for warmth */
    const uint8_t *payload;
    size_t payload_size;
    uint64_t worker; /* not on the wire: to whom it is given, for its ticket */
    /* not on the wire: the record of its run that it follows from, which is to
     * be durable before */
    uint64_t follows;
} message_lease;

typedef struct message_leases {
    uint32_t count; /* 1..MESSAGE_LEASES_MAX */
    const message_lease *leases;
} message_leases;

typedef struct message_further_result { /* as message_result's first members */
    message_task_ref ref;
    uint32_t error;
    const char *error_text;
    const uint8_t *payload;
    size_t payload_size;
    uint64_t cpu_us;
} message_further_result;

typedef struct message_result {
    message_task_ref ref;
    /* etna_code; not ETNA_OK: the task could not be done at all, see
     * error_text */
    uint32_t error;
    const char *error_text;
    const uint8_t *payload; /* packed arrange_result when error is ETNA_OK */
    size_t payload_size;
    /* that many leases may come with the answer; 0: none is asked for */
    uint32_t slots_free;
    uint32_t warm_count; /* with slots_free, as message_lease_request's */
    const etna_hash *warm;
    /* < MESSAGE_RESULTS_MAX: one answer is for all, and one that is refused
     * refuses all */
    uint32_t more_count;
    const message_further_result *more;
    uint64_t cpu_us; /* that processors worked for it; 0: not said */
} message_result;

/* The heartbeat: a worker keeps one of these parked at the coordinator, and
 * loses its leases when none was answered for 25 s (wire.proto). */
typedef struct message_orders_request {
    uint32_t held_count;
    const message_task_ref *held; /* what the worker believes it holds */
    bool leaving;                 /* it asks for no more */
    /* what it asked for work under a lower sequence is answered, and the answer
     * was heard; 0: not said */
    uint64_t heard_below;
} message_orders_request;

typedef struct message_orders {
    uint32_t cancel_count;
    const message_task_ref *cancel; /* stop these; no result is wanted */
    bool drain;                     /* ask for no more leases; exit when idle */
} message_orders;

/* "May I call this model?" Asked before each call, so that a call which was
 * made once is not paid for twice, and so that caps and rates hold for all
 * workers together. */
typedef struct message_call_begin {
    message_task_ref ref;
    etna_slot slot;
    etna_hash request; /* of the request's canonical bytes */
    /* what it may use at most; reserved against the run's caps */
    message_usage estimate;
    const char *model;
} message_call_begin;

/* What the coordinator says to a worker that wants to call a model. */
typedef enum call_verdict {
    /* the slot was called before: here is its reply; call nobody */
    CALL_STORED = 1,
    /* call the model, within MESSAGE_GO_MS of first having asked */
    CALL_GO,
    /* a provider's limit, or another attempt may still act on its GO: ask again
     * after `wait_ms` */
    CALL_WAIT,
    /* no result is wanted any more, or a cap is reached: give the task up */
    CALL_STOP
} call_verdict;

typedef struct message_call_answer {
    uint32_t verdict;    /* call_verdict */
    etna_hash reply;     /* STORED: the reply's blob */
    message_usage usage; /* STORED */
    uint32_t wait_ms;    /* WAIT */
    /* STORED: the request's hash differs from the one stored; reported, reply
     * still used */
    bool mismatch;
    /* WAIT after a CALL_FAIL: call this one from now on; NULL: the same */
    const char *model;
} message_call_answer;

/* What a call returned. The reply counts from the answer (CALL_ACK) on. */
typedef struct message_call_end {
    message_task_ref ref;
    etna_slot slot;
    etna_hash request, reply; /* the reply's blob was put before */
    message_usage usage;
    const char *model;
    /* the request was too long for the model and was shortened by these */
    uint32_t images_left_out, texts_left_out;
} message_call_end;

/* answered by CALL_ANSWER: WAIT (then a new CALL_BEGIN) or STOP */
typedef struct message_call_fail {
    message_task_ref ref;
    etna_slot slot;
    const char *model;
    /* lost: it may have been billed all the same, so the estimate is booked.
     * overloaded: the server has too much to do, and everyone waits. down:
     * counts for the circuit breaker. final: trying again does not help. */
    bool lost, overloaded, down, final;
    uint32_t wait_ms;
    /* why, on one line */
    const char *text;
} message_call_fail;

/* Asks for the blob's bytes from `offset` on; answered by one BLOB_CHUNK. */
typedef struct message_blob_get {
    etna_hash hash;
    uint64_t offset;
    message_task_ref ref; /* a worker's: for which task */
} message_blob_get;

/* Bytes of a blob, at most MESSAGE_CHUNK of them: answers BLOB_GET, and is the
 * body of BLOB_PUT. Whoever gathers a blob hashes the whole of it, and believes
 * no chunk before. */
typedef struct message_blob_chunk {
    etna_hash hash;
    uint64_t total, offset;
    const uint8_t *data;
    size_t size;
    message_task_ref ref; /* BLOB_PUT, a worker's: of which task */
} message_blob_chunk;

typedef struct message_blob_ack {
    etna_hash hash;
    /* bytes from the start that the coordinator holds now; == total: whole,
     * hashed and durable */
    uint64_t received;
} message_blob_ack;

/* Begins a run under an id that the client has made. The same id again is the
 * same run, so that a submit may be repeated. */
typedef struct message_run_submit {
    etna_id run;
    const uint8_t *config; /* packed arrange_config */
    size_t config_size;
} message_run_submit;

typedef struct message_run_ref {
    etna_id run;
} message_run_ref;

typedef struct message_run_resume {
    etna_id run;
    /* that it goes on with; NULL: as before, and the rest means nothing */
    const char *model;
    const char *models; /* as arrange_config's; so `foreign` */
    uint32_t foreign;
} message_run_resume;

typedef enum run_state {
    /* there is no such run here */
    RUN_UNKNOWN = 0,
    RUN_RUNNING,
    /* it rests until somebody resumes it: nothing of it is leased */
    RUN_SUSPENDED,
    /* the goal, or all of the list, is done */
    RUN_COMPLETE,
    /* it ended before that, and its best sequence of edits is its result */
    RUN_PARTIAL,
    /* it ended and no edit was accepted */
    RUN_FAILED,
    RUN_CANCELLED
} run_state;

/* as scripts see it: "complete", ...; "unknown" */
const char *run_state_name(uint32_t state);

/* by whom a run was accepted, and so who may take it up again when it rests */
typedef enum run_keeper {
    RUN_KEEPER_NONE = 0,
    /* the command that began it, or `etna resume` */
    RUN_KEEPER_COMMAND,
    /* a coordinator of its store */
    RUN_KEEPER_COORDINATOR,
    RUN_KEEPER_COUNT
} run_keeper;

typedef struct message_run_status {
    etna_id run;
    uint32_t state; /* run_state */
    uint64_t last_event;
    const char *text; /* why, when ended */
    /* of an ended run: blob of its JSON document, ready for BLOB_GET; the shell
     * fills it in */
    etna_hash report;
    uint32_t keeper; /* run_keeper; the shell fills it in */
    /* it rests, and would so again: its model refuses for good, or cannot be
     * read, or there is no room for its result */
    bool stuck;
    /* etna_code; ETNA_E_NETWORK: its models. Another: why its result could not
     * be written */
    uint32_t rests_by;
} message_run_status;

/* "take no new run, and end when the live ones have": its answer says how
 * many */
typedef struct message_drain {
    uint32_t live; /* of the answer */
} message_drain;

typedef struct message_runs_request { /* the newest first */
    uint32_t skip;                    /* how many are known */
} message_runs_request;

typedef struct message_run_row {
    etna_id run;
    uint32_t state; /* run_state */
    uint64_t started_ms;
    const char *scene, *goal; /* <= MESSAGE_RUN_TEXT_MAX */
    bool waiting; /* running, but for its model to answer, or for room */
} message_run_row;

typedef struct message_runs {
    uint32_t count;
    const message_run_row *runs;
    bool more; /* there are older ones */
} message_runs;

/* parked until there is an event after `after`, or 10 s */
typedef struct message_events_request {
    etna_id run;
    uint64_t after;
} message_events_request;

/* What happened, for programs: a screen that shows where a run stands reads
 * this and not the line. */
typedef enum message_happening_kind {
    HAPPENED_OTHER = 0,     /* the line alone tells it */
    HAPPENED_SUBMITTED,     /* count: branches of a step */
    HAPPENED_IMPORTED,      /* the search begins, or a reader reads */
    HAPPENED_PLANNED,       /* text: the instruction of the edit */
    HAPPENED_BRANCH_VALID,  /* branch */
    HAPPENED_BRANCH_FAILED, /* branch */
    HAPPENED_POLLED,        /* branch; count: the arrange_verdict */
    HAPPENED_EDITED,        /* next_step */
    HAPPENED_COMPLETE,
    HAPPENED_BACKTRACKED, /* next_step; count: backtracks so far */
    HAPPENED_DRAWN,       /* an image is there */
    HAPPENED_EXPORTED,
    HAPPENED_COUNT
} message_happening_kind;

typedef struct message_happening {
    uint32_t kind;       /* message_happening_kind */
    uint32_t step, node; /* from 1; 0: it is of no step */
    uint32_t branch;     /* from 0 */
    uint32_t next_step;  /* the step that is begun by it, from 1 */
    uint32_t count;
    const char *text; /* <= MESSAGE_TEXT_MAX; NULL: none */
} message_happening;

typedef struct message_event {
    /* of the journal record it tells of; ordered and complete */
    uint64_t sequence;
    uint64_t time_ms; /* of the run's recorded time */
    const char *line; /* one line of narration */
    message_happening happening;
} message_event;

typedef struct message_events {
    uint32_t count;
    const message_event *events;
    uint32_t state; /* run_state after the last of them */
} message_events;

/* how the process of an earlier incarnation of the sender ended */
typedef struct message_death {
    uint64_t worker, incarnation;
    uint32_t signal;    /* 0: it exited */
    bool out_of_memory; /* the system killed it for memory */
} message_death;

typedef enum upkeep_kind {
    UPKEEP_NONE = 0,
    UPKEEP_COLLECT,
    UPKEEP_COMPACT,
    UPKEEP_REMOVE,
    UPKEEP_COUNT
} upkeep_kind;

typedef struct message_upkeep {
    uint32_t kind; /* upkeep_kind */
    /* COLLECT, in the answer: blobs and their bytes; REMOVE: runs */
    uint64_t removed, removed_bytes;
    /* not removed, as they were put within the hour */
    uint64_t spared;
    uint64_t before_bytes, after_bytes; /* COMPACT: of the data's file */
    etna_id run;                        /* REMOVE: which */
} message_upkeep;

typedef struct message_metrics_request {
    char nothing; /* C has no empty struct */
} message_metrics_request;

/* The answer to METRICS_REQUEST: the coordinator's counters. */
typedef struct message_metrics {
    const uint8_t *text; /* Prometheus' text format, without a terminator */
    size_t size;         /* <= MESSAGE_PAYLOAD_MAX */
} message_metrics;

/* The answer to a request that cannot be served, whatever it was. */
typedef struct message_refused {
    uint32_t code; /* etna_code */
    const char *text;
} message_refused;

/* The first request of a connection over TCP (seal.h). It is not sealed and
 * holds no secret. */
typedef struct message_hello {
    const char *realm;
    uint32_t token_kind; /* seal_role */
    uint32_t generation;
    etna_hash nonce;
} message_hello;

/* The coordinator's answer, the first sealed message of a connection. */
typedef struct message_welcome {
    etna_hash nonce;
} message_welcome;

typedef struct message {
    uint32_t version;
    uint64_t epoch;       /* of the owner, as the sender knows it; 0: not yet */
    uint64_t sender;      /* a worker's random id; 0 from the coordinator */
    uint64_t incarnation; /* grows with each start of that sender */
    uint64_t sequence;    /* of the request; the answer repeats it */
    message_kind kind;
    union {
        message_lease_request lease_request;
        message_lease lease;
        message_result result;
        message_task_ref result_ack;
        message_orders_request orders_request;
        message_orders orders;
        message_call_begin call_begin;
        message_call_answer call_answer;
        message_call_end call_end;
        etna_slot call_ack;
        message_blob_get blob_get;
        message_blob_chunk blob_chunk;
        message_blob_chunk blob_put;
        message_blob_ack blob_ack;
        message_run_submit run_submit;
        message_run_ref run_cancel;
        message_run_ref run_status_request;
        message_run_status run_status;
        message_events_request events_request;
        message_events events;
        message_refused refused;
        message_call_fail call_fail;
        message_run_ref run_suspend;
        message_run_resume run_resume;
        message_drain drain, drain_ack;
        message_run_ref run_view_request;
        message_runs_request runs_request;
        message_runs runs;
        message_hello hello;
        message_welcome welcome;
        message_death death, death_ack;
        message_upkeep upkeep, upkeep_done;
        message_metrics_request metrics_request;
        message_metrics metrics;
        message_leases leases;
    } body;
} message;

/* Packs into malloc'd bytes the caller frees. ETNA_E_LIMIT when a bound above
 * would be passed, ETNA_E_NOMEM. */
etna_code message_pack(const message *in,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err);

/* Unpacks and validates. All pointers of *ret_message live in `arena` (copied,
 * the bytes may go). ETNA_E_MESSAGE says which field is wrong; ETNA_E_NEWER for
 * a higher version. */
etna_code message_unpack(const uint8_t *data,
                         size_t size,
                         etna_arena *arena,
                         message *ret_message,
                         etna_error *err);

/* Of bytes that message_unpack refused: who sent them and as which request, so
 * that the sender can be told why. False when not even that can be read. The
 * kind is MESSAGE_NONE, the version is what the sender says, and no pointer is
 * set. */
bool message_header(const uint8_t *data, size_t size, message *ret_header);

/* As in the .proto, "lease_request", ...; "none" for anything else. Static. */
const char *message_kind_name(message_kind kind);

#endif
