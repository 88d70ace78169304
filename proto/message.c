/* The envelope and its bodies: a table of fields per struct, in the order of
 * wire.proto's field numbers.
 *
 * A message travels as protobuf and is worked with as a plain struct of
 * message.h. Between the two stand these tables and the machine of codec.c:
 * each row names a field's type, its place in the struct and its bound, and the
 * row's place in the table is the field's place in the .proto; a test compares
 * both by name. A SPARSE field is left out on the wire where it is 0. What no
 * row can say (a reference that must be there, a range that must lie within
 * another) is said by the shape's check, which is called in both directions. To
 * add a message: a struct in message.h, a message in wire.proto, its table
 * here, a row in `bodies`. */
#include "proto/message.h"
#include "proto/array.h"

#include "proto/codec_internal.h"
#include "proto/codec_rows.h"
#include "proto/models.h"
#include "wire.pb-c.h"
#include <assert.h>
#include <string.h>

#define SHAPE(message_, struct_, fields_, check_) \
    SHAPE_OF(etna__##message_##__descriptor, struct_, fields_, check_)

/* ---- parts ---- */

/* A task of a run under one lease. The ticket is what a worker shows when it
 * comes back. */
static const codec_field ref_fields[] = {
    SCALAR(CODEC_ID, message_task_ref, run),
    SCALAR(CODEC_U64, message_task_ref, task),
    SCALAR(CODEC_U32, message_task_ref, attempt),
    SCALAR(CODEC_ID, message_task_ref, ticket),
};
static const codec_shape ref_or_none_shape =
    SHAPE(task_ref, message_task_ref, ref_fields, NULL);

/* An id of zeros is none. The bodies below that begin with a run's id all go
 * through here. */
static bool check_id(codec *c, const codec_shape *shape, const etna_id *id)
{
    static const etna_id none;
    return !etna_id_equal(id, &none) ||
           codec_refuse(c, ETNA_E_MESSAGE, shape, "run", "is missing");
}

/* Only the run's id must be there: other members may be 0. */
static bool check_ref(codec *c, const void *value)
{
    return check_id(c, &ref_or_none_shape,
                    &((const message_task_ref *)value)->run);
}
static const codec_shape ref_shape =
    SHAPE(task_ref, message_task_ref, ref_fields, check_ref);

/* Where a call of a model belongs: replies are stored by it. */
static const codec_field slot_fields[] = {
    SCALAR(CODEC_U32, etna_slot, node),    SCALAR(CODEC_U32, etna_slot, branch),
    ENUM(etna_slot, role, ROLE_COUNT - 1), SCALAR(CODEC_U32, etna_slot, poll),
    SCALAR(CODEC_U32, etna_slot, turn),    SCALAR(CODEC_U32, etna_slot, repair),
};
static const codec_shape slot_shape = SHAPE(slot, etna_slot, slot_fields, NULL);

/* In the order in which they came to be: numbers of fields are never used
 * again. */
static const codec_field usage_fields[] = {
    SCALAR(CODEC_U64, message_usage, tokens_in),
    SCALAR(CODEC_U64, message_usage, tokens_out),
    SCALAR(CODEC_U64, message_usage, tokens_cached),
    SCALAR(CODEC_U64, message_usage, tokens_reasoning),
    SCALAR(CODEC_U64, message_usage, cost_micros),
    SCALAR(CODEC_U32, message_usage, calls),
    SCALAR(CODEC_U64, message_usage, tokens_written),
    SCALAR(CODEC_U64, message_usage, bytes_sent),
    SCALAR(CODEC_U32, message_usage, images_sent),
};
static bool message_check_usage(codec *c, const void *value);
const codec_shape message_usage_shape =
    SHAPE(usage, message_usage, usage_fields, message_check_usage);

/* A peer may say what it likes; a sum does not come round. */
static bool message_check_usage(codec *c, const void *value)
{
    const message_usage *usage = value;
    const uint64_t wide[] = {usage->tokens_in,        usage->tokens_out,
                             usage->tokens_cached,    usage->tokens_written,
                             usage->tokens_reasoning, usage->cost_micros,
                             usage->bytes_sent};
    uint64_t most = 0;
    for (size_t i = 0; i < COUNT_OF(wide); i++)
        most = wide[i] > most ? wide[i] : most;
    const bool is_possible = most <= MESSAGE_USAGE_MOST &&
                             usage->calls <= MESSAGE_CALLS_MOST &&
                             usage->images_sent <= MESSAGE_CALLS_MOST;
    return is_possible || codec_refuse(c, ETNA_E_LIMIT, &message_usage_shape,
                                       "usage", "more than there can be");
}

/* A hash of zeros is none. */
static bool check_hash(codec *c,
                       const codec_shape *shape,
                       const char *field,
                       const etna_hash *hash)
{
    return !etna_hash_is_zero(hash) ||
           codec_refuse(c, ETNA_E_MESSAGE, shape, field, "is missing");
}

/* ---- leases, results, orders ---- */

/* `warm`: scenes that the worker has at hand; `most`: tasks that it takes at
 * once. */
static const codec_field lease_request_fields[] = {
    SCALAR(CODEC_U32, message_lease_request, slots_free),
    SCALAR(CODEC_U32, message_lease_request, cpus),
    HASHES(message_lease_request, warm, warm_count, MESSAGE_WARM_MAX),
    TEXT(message_lease_request, build, MESSAGE_TEXT_MAX),
    SPARSE(CODEC_U32, message_lease_request, most, 0),
};
static const codec_shape lease_request_shape =
    SHAPE(lease_request, message_lease_request, lease_request_fields, NULL);

/* A kind of 0 says that there is nothing to do; everything else is empty
 * then. */
static const codec_field lease_fields[] = {
    SCALAR(CODEC_U32, message_lease, task_kind),
    ONE(message_lease, ref, ref_or_none_shape),
    SCALAR(CODEC_HASH, message_lease, scene),
    BYTES(message_lease, payload, payload_size, MESSAGE_PAYLOAD_MAX),
    SKIP(alone),
};

static bool check_lease(codec *c, const void *value)
{
    const message_lease *lease = value;
    return !lease->task_kind || check_ref(c, &lease->ref);
}
static const codec_shape lease_shape =
    SHAPE(lease, message_lease, lease_fields, check_lease);

static const codec_field leases_fields[] = {
    LIST(message_leases, leases, count, MESSAGE_LEASES_MAX, lease_shape),
};

static bool message_check_leases(codec *c, const void *value);
static const codec_shape leases_shape =
    SHAPE(leases, message_leases, leases_fields, message_check_leases);

/* An answer that brings nothing is one lease without a kind, and never this. */
static bool message_check_leases(codec *c, const void *value)
{
    const message_leases *leases = value;
    bool given = leases->count > 0;
    for (uint32_t i = 0; i < leases->count; i++)
        given = given && leases->leases[i].task_kind;
    return given || codec_refuse(c, ETNA_E_MESSAGE, &leases_shape, "leases",
                                 "brings no task");
}

/* A result beside the first one of a message: the worker's own state is told
 * once. */
static const codec_field further_result_fields[] = {
    ONE(message_further_result, ref, ref_shape),
    ENUM(message_further_result, error, ETNA_E_COUNT - 1),
    TEXT(message_further_result, error_text, MESSAGE_TEXT_MAX),
    BYTES(message_further_result, payload, payload_size, MESSAGE_PAYLOAD_MAX),
    SPARSE(CODEC_U64, message_further_result, cpu_us, 0),
};

/* As of the first. */
static bool message_check_further(codec *c, const void *value)
{
    return check_ref(c, &((const message_further_result *)value)->ref);
}
static const codec_shape further_result_shape = SHAPE(further_result,
                                                      message_further_result,
                                                      further_result_fields,
                                                      message_check_further);

/* Either a payload or an error with its text. With it a worker says how it
 * stands, which spares it a request. */
static const codec_field result_fields[] = {
    ONE(message_result, ref, ref_shape),
    ENUM(message_result, error, ETNA_E_COUNT - 1),
    TEXT(message_result, error_text, MESSAGE_TEXT_MAX),
    BYTES(message_result, payload, payload_size, MESSAGE_PAYLOAD_MAX),
    SPARSE(CODEC_U32, message_result, slots_free, 0),
    HASHES(message_result, warm, warm_count, MESSAGE_WARM_MAX),
    LIST(message_result,
         more,
         more_count,
         MESSAGE_RESULTS_MAX - 1,
         further_result_shape),
    SPARSE(CODEC_U64, message_result, cpu_us, 0),
};

/* A result is of some task. */
static bool message_check_result(codec *c, const void *value)
{
    return check_ref(c, &((const message_result *)value)->ref);
}
static const codec_shape result_shape =
    SHAPE(result, message_result, result_fields, message_check_result);

/* What a worker believes to hold, so that the coordinator learns of leases that
 * it lost. */
static const codec_field orders_request_fields[] = {
    LIST(message_orders_request,
         held,
         held_count,
         MESSAGE_ORDERS_MAX,
         ref_shape),
    SCALAR(CODEC_BOOL, message_orders_request, leaving),
    SCALAR(CODEC_U64, message_orders_request, heard_below),
};
static const codec_shape orders_request_shape =
    SHAPE(orders_request, message_orders_request, orders_request_fields, NULL);

static const codec_field orders_fields[] = {
    LIST(message_orders, cancel, cancel_count, MESSAGE_ORDERS_MAX, ref_shape),
    SCALAR(CODEC_BOOL, message_orders, drain),
};
static const codec_shape orders_shape =
    SHAPE(orders, message_orders, orders_fields, NULL);

/* ---- model calls ---- */

/* May I call this model? The estimate is booked until the call has ended. */
static const codec_field call_begin_fields[] = {
    ONE(message_call_begin, ref, ref_shape),
    ONE(message_call_begin, slot, slot_shape),
    SCALAR(CODEC_HASH, message_call_begin, request),
    ONE(message_call_begin, estimate, message_usage_shape),
    TEXT(message_call_begin, model, MESSAGE_TEXT_MAX),
};

static bool check_call_begin(codec *c, const void *value);
static const codec_shape call_begin_shape =
    SHAPE(call_begin, message_call_begin, call_begin_fields, check_call_begin);

/* The hash of the request decides whether its reply is known already. */
static bool check_call_begin(codec *c, const void *value)
{
    const message_call_begin *begin = value;
    return check_ref(c, &begin->ref) &&
           check_hash(c, &call_begin_shape, "request", &begin->request);
}

/* Go, wait so long, take this reply, or stop. */
static const codec_field call_answer_fields[] = {
    ENUM(message_call_answer, verdict, CALL_STOP),
    SCALAR(CODEC_HASH, message_call_answer, reply),
    ONE(message_call_answer, usage, message_usage_shape),
    SCALAR(CODEC_U32, message_call_answer, wait_ms),
    SCALAR(CODEC_BOOL, message_call_answer, mismatch),
    TEXT(message_call_answer, model, MESSAGE_TEXT_MAX),
};

static bool check_call_answer(codec *c, const void *value);
static const codec_shape call_answer_shape = SHAPE(
    call_answer, message_call_answer, call_answer_fields, check_call_answer);

/* A stored reply must be named. */
static bool check_call_answer(codec *c, const void *value)
{
    const message_call_answer *answer = value;
    if (!answer->verdict)
        return codec_refuse(c, ETNA_E_MESSAGE, &call_answer_shape, "verdict",
                            "is missing");
    return answer->verdict != CALL_STORED ||
           check_hash(c, &call_answer_shape, "reply", &answer->reply);
}

/* The reply is a blob that was put before, so that the journal never names one
 * that is missing. */
static const codec_field call_end_fields[] = {
    ONE(message_call_end, ref, ref_shape),
    ONE(message_call_end, slot, slot_shape),
    SCALAR(CODEC_HASH, message_call_end, request),
    SCALAR(CODEC_HASH, message_call_end, reply),
    ONE(message_call_end, usage, message_usage_shape),
    TEXT(message_call_end, model, MESSAGE_TEXT_MAX),
    SPARSE(CODEC_U32, message_call_end, images_left_out, 0),
    SPARSE(CODEC_U32, message_call_end, texts_left_out, 0),
};

static bool check_call_end(codec *c, const void *value);
static const codec_shape call_end_shape =
    SHAPE(call_end, message_call_end, call_end_fields, check_call_end);

/* Both hashes, as a reply without its request could not be found again. */
static bool check_call_end(codec *c, const void *value)
{
    const message_call_end *end = value;
    return check_ref(c, &end->ref) &&
           check_hash(c, &call_end_shape, "request", &end->request) &&
           check_hash(c, &call_end_shape, "reply", &end->reply);
}

/* No reply came: whether the call may have been paid (lost), and whether
 * another try has a point (final). */
static const codec_field call_fail_fields[] = {
    ONE(message_call_fail, ref, ref_shape),
    ONE(message_call_fail, slot, slot_shape),
    TEXT(message_call_fail, model, MESSAGE_TEXT_MAX),
    SCALAR(CODEC_BOOL, message_call_fail, lost),
    SCALAR(CODEC_BOOL, message_call_fail, overloaded),
    SCALAR(CODEC_BOOL, message_call_fail, down),
    SCALAR(CODEC_BOOL, message_call_fail, final),
    SCALAR(CODEC_U32, message_call_fail, wait_ms),
    TEXT(message_call_fail, text, MESSAGE_TEXT_MAX),
};

static bool check_call_fail(codec *c, const void *value);
static const codec_shape call_fail_shape =
    SHAPE(call_fail, message_call_fail, call_fail_fields, check_call_fail);

/* The text is for people and may be missing. */
static bool check_call_fail(codec *c, const void *value)
{
    const message_call_fail *fail = value;
    return check_ref(c, &fail->ref);
}

/* ---- blobs ---- */

/* The reference says for which task, so that a blob's reader is known to
 * live. */
static const codec_field blob_get_fields[] = {
    SCALAR(CODEC_HASH, message_blob_get, hash),
    SCALAR(CODEC_U64, message_blob_get, offset),
    ONE(message_blob_get, ref, ref_or_none_shape),
};

static bool check_blob_get(codec *c, const void *value);
static const codec_shape blob_get_shape =
    SHAPE(blob_get, message_blob_get, blob_get_fields, check_blob_get);

/* Offsets beyond the end are the shell's to refuse: it knows the size. */
static bool check_blob_get(codec *c, const void *value)
{
    return check_hash(c, &blob_get_shape, "hash",
                      &((const message_blob_get *)value)->hash);
}

/* A piece of at most MESSAGE_CHUNK bytes, going up or down. */
static const codec_field blob_chunk_fields[] = {
    SCALAR(CODEC_HASH, message_blob_chunk, hash),
    SCALAR(CODEC_U64, message_blob_chunk, total),
    SCALAR(CODEC_U64, message_blob_chunk, offset),
    BYTES(message_blob_chunk, data, size, MESSAGE_CHUNK),
    ONE(message_blob_chunk, ref, ref_or_none_shape),
};

static bool check_blob_chunk(codec *c, const void *value);
static const codec_shape blob_chunk_shape =
    SHAPE(blob_chunk, message_blob_chunk, blob_chunk_fields, check_blob_chunk);

/* Written so that no sum overflows. */
static bool check_blob_chunk(codec *c, const void *value)
{
    const message_blob_chunk *chunk = value;
    if (chunk->offset > chunk->total ||
        chunk->size > chunk->total - chunk->offset)
        return codec_refuse(c, ETNA_E_MESSAGE, &blob_chunk_shape, "data",
                            "reaches past the blob's end");
    return check_hash(c, &blob_chunk_shape, "hash", &chunk->hash);
}

static const codec_field blob_ack_fields[] = {
    SCALAR(CODEC_HASH, message_blob_ack, hash),
    SCALAR(CODEC_U64, message_blob_ack, received),
};

static bool check_blob_ack(codec *c, const void *value);
static const codec_shape blob_ack_shape =
    SHAPE(blob_ack, message_blob_ack, blob_ack_fields, check_blob_ack);

/* How much is there by now. */
static bool check_blob_ack(codec *c, const void *value)
{
    return check_hash(c, &blob_ack_shape, "hash",
                      &((const message_blob_ack *)value)->hash);
}

/* ---- runs ---- */

/* The configuration is packed by arrange.h: the wire does not look into it. */
static const codec_field run_submit_fields[] = {
    SCALAR(CODEC_ID, message_run_submit, run),
    BYTES(message_run_submit, config, config_size, MESSAGE_PAYLOAD_MAX),
    SKIP(mirror),
};

static bool check_run_submit(codec *c, const void *value);
static const codec_shape run_submit_shape =
    SHAPE(run_submit, message_run_submit, run_submit_fields, check_run_submit);

/* The name is chosen by who submits, so that asking again is harmless. */
static bool check_run_submit(codec *c, const void *value)
{
    return check_id(c, &run_submit_shape,
                    &((const message_run_submit *)value)->run);
}

static const codec_field run_ref_fields[] = {
    SCALAR(CODEC_ID, message_run_ref, run)};

static bool check_run_ref(codec *c, const void *value);
static const codec_shape run_ref_shape =
    SHAPE(run_ref, message_run_ref, run_ref_fields, check_run_ref);

/* For all requests that name a run and nothing else. */
static bool check_run_ref(codec *c, const void *value)
{
    return check_id(c, &run_ref_shape, &((const message_run_ref *)value)->run);
}

static const codec_field run_resume_fields[] = {
    SCALAR(CODEC_ID, message_run_resume, run),
    TEXT(message_run_resume, model, MESSAGE_TEXT_MAX),
    TEXT(message_run_resume, models, MODELS_JSON_MAX),
    SPARSE(CODEC_U32, message_run_resume, foreign, 0),
};

static bool check_run_resume(codec *c, const void *value);
static const codec_shape run_resume_shape =
    SHAPE(run_resume, message_run_resume, run_resume_fields, check_run_resume);

/* The models may be left as they are. */
static bool check_run_resume(codec *c, const void *value)
{
    return check_id(c, &run_resume_shape,
                    &((const message_run_resume *)value)->run);
}

/* `report`: the blob of the run's document, where it was asked for; `rests_by`:
 * what a resting run waits for. */
static const codec_field run_status_fields[] = {
    SCALAR(CODEC_ID, message_run_status, run),
    ENUM(message_run_status, state, RUN_CANCELLED),
    SCALAR(CODEC_U64, message_run_status, last_event),
    TEXT(message_run_status, text, MESSAGE_TEXT_MAX),
    SCALAR(CODEC_HASH, message_run_status, report),
    ENUM(message_run_status, keeper, RUN_KEEPER_COUNT - 1),
    SPARSE(CODEC_BOOL, message_run_status, stuck, 0),
    ENUM(message_run_status, rests_by, ETNA_E_COUNT - 1),
};
static const codec_shape run_status_shape =
    SHAPE(run_status, message_run_status, run_status_fields, NULL);

static const codec_field drain_fields[] = {
    SCALAR(CODEC_U32, message_drain, live)};
static const codec_shape drain_shape =
    SHAPE(drain, message_drain, drain_fields, NULL);

static const codec_field runs_request_fields[] = {
    SCALAR(CODEC_U32, message_runs_request, skip)};
static const codec_shape runs_request_shape =
    SHAPE(runs_request, message_runs_request, runs_request_fields, NULL);

/* A line of the list of runs. Texts are cut by the coordinator. */
static const codec_field run_row_fields[] = {
    SCALAR(CODEC_ID, message_run_row, run),
    ENUM(message_run_row, state, RUN_CANCELLED),
    SCALAR(CODEC_U64, message_run_row, started_ms),
    TEXT(message_run_row, scene, MESSAGE_RUN_TEXT_MAX),
    TEXT(message_run_row, goal, MESSAGE_RUN_TEXT_MAX),
    SCALAR(CODEC_BOOL, message_run_row, waiting),
};
static const codec_shape run_row_shape =
    SHAPE(run_row, message_run_row, run_row_fields, NULL);

static const codec_field runs_fields[] = {
    LIST(message_runs, runs, count, MESSAGE_RUNS_MAX, run_row_shape),
    SCALAR(CODEC_BOOL, message_runs, more),
};
static const codec_shape runs_shape =
    SHAPE(runs, message_runs, runs_fields, NULL);

static const codec_field events_request_fields[] = {
    SCALAR(CODEC_ID, message_events_request, run),
    SCALAR(CODEC_U64, message_events_request, after),
};

static bool check_events_request(codec *c, const void *value);
static const codec_shape events_request_shape = SHAPE(events_request,
                                                      message_events_request,
                                                      events_request_fields,
                                                      check_events_request);

/* `after`: the last line that the viewer has. */
static bool check_events_request(codec *c, const void *value)
{
    return check_id(c, &events_request_shape,
                    &((const message_events_request *)value)->run);
}

/* The line's event for programs: no number of it stands in the text alone. */
static const codec_field happening_fields[] = {
    SPARSE(CODEC_ENUM, message_happening, kind, HAPPENED_COUNT - 1),
    SPARSE(CODEC_U32, message_happening, step, 0),
    SPARSE(CODEC_U32, message_happening, node, 0),
    SPARSE(CODEC_U32, message_happening, branch, 0),
    SPARSE(CODEC_U32, message_happening, next_step, 0),
    SPARSE(CODEC_U32, message_happening, count, 0),
    TEXT(message_happening, text, MESSAGE_TEXT_MAX),
};
static const codec_shape happening_shape =
    SHAPE(happening, message_happening, happening_fields, NULL);

static const codec_field event_fields[] = {
    SCALAR(CODEC_U64, message_event, sequence),
    SCALAR(CODEC_U64, message_event, time_ms),
    TEXT(message_event, line, MESSAGE_TEXT_MAX),
    SPARSE_ONE(message_event, happening, happening_shape),
};
static const codec_shape event_shape =
    SHAPE(event, message_event, event_fields, NULL);

static const codec_field events_fields[] = {
    LIST(message_events, events, count, MESSAGE_EVENTS_MAX, event_shape),
    ENUM(message_events, state, RUN_CANCELLED),
};
static const codec_shape events_shape =
    SHAPE(events, message_events, events_fields, NULL);

/* A worker's parent tells how it died. */
static const codec_field death_fields[] = {
    SCALAR(CODEC_U64, message_death, worker),
    SCALAR(CODEC_U64, message_death, incarnation),
    SCALAR(CODEC_U32, message_death, signal),
    SCALAR(CODEC_BOOL, message_death, out_of_memory),
};
static const codec_shape death_shape =
    SHAPE(death, message_death, death_fields, NULL);

/* Request and answer have one shape: what is not asked for is 0. */
static const codec_field upkeep_fields[] = {
    ENUM(message_upkeep, kind, UPKEEP_COUNT - 1),
    SCALAR(CODEC_U64, message_upkeep, removed),
    SCALAR(CODEC_U64, message_upkeep, removed_bytes),
    SCALAR(CODEC_U64, message_upkeep, spared),
    SCALAR(CODEC_U64, message_upkeep, before_bytes),
    SCALAR(CODEC_U64, message_upkeep, after_bytes),
    SCALAR(CODEC_ID, message_upkeep, run),
};
static const codec_shape upkeep_shape =
    SHAPE(upkeep, message_upkeep, upkeep_fields, NULL);

static const codec_shape metrics_request_shape = {
    .descriptor = &etna__metrics_request__descriptor,
    .size = sizeof(message_metrics_request)};

static const codec_field metrics_fields[] = {
    BYTES(message_metrics, text, size, MESSAGE_PAYLOAD_MAX)};
static const codec_shape metrics_shape =
    SHAPE(metrics, message_metrics, metrics_fields, NULL);

static const codec_field refused_fields[] = {
    ENUM(message_refused, code, ETNA_E_COUNT - 1),
    TEXT(message_refused, text, MESSAGE_TEXT_MAX),
};

static bool check_refused(codec *c, const void *value);
static const codec_shape refused_shape =
    SHAPE(refused, message_refused, refused_fields, check_refused);

/* A refusal without a reason would be taken for success. */
static bool check_refused(codec *c, const void *value)
{
    return ((const message_refused *)value)->code != ETNA_OK ||
           codec_refuse(c, ETNA_E_MESSAGE, &refused_shape, "code",
                        "is missing");
}

/* ---- a connection's beginning ---- */

/* The first message of a connection over TCP, before any key is agreed on
 * (seal.h). */
static const codec_field hello_fields[] = {
    TEXT(message_hello, realm, SEAL_REALM_MAX),
    ENUM(message_hello, token_kind, SEAL_ROLE_COUNT - 1),
    SCALAR(CODEC_U32, message_hello, generation),
    SCALAR(CODEC_HASH, message_hello, nonce),
};

static bool check_hello(codec *c, const void *value);
static const codec_shape hello_shape =
    SHAPE(hello, message_hello, hello_fields, check_hello);

/* A realm and a kind of token: without them there is no key to look for. */
static bool check_hello(codec *c, const void *value)
{
    const message_hello *hello = value;
    if (!hello->realm)
        return codec_refuse(c, ETNA_E_MESSAGE, &hello_shape, "realm",
                            "is missing");
    if (hello->token_kind == SEAL_NOBODY)
        return codec_refuse(c, ETNA_E_MESSAGE, &hello_shape, "token_kind",
                            "is missing");
    return check_hash(c, &hello_shape, "nonce", &hello->nonce);
}

static const codec_field welcome_fields[] = {
    SCALAR(CODEC_HASH, message_welcome, nonce)};

static bool check_welcome(codec *c, const void *value);
static const codec_shape welcome_shape =
    SHAPE(welcome, message_welcome, welcome_fields, check_welcome);

/* Both sides' nonces make the connection's keys. */
static bool check_welcome(codec *c, const void *value)
{
    return check_hash(c, &welcome_shape, "nonce",
                      &((const message_welcome *)value)->nonce);
}

/* ---- the envelope ---- */

enum {
    HEADER_FIELDS = 6,
    BODY_FIELDS = 38
};

static const codec_field envelope_fields[HEADER_FIELDS] = {
    SCALAR(CODEC_U32, message, version),
    SCALAR(CODEC_U64, message, epoch),
    SCALAR(CODEC_U64, message, sender),
    SCALAR(CODEC_U64, message, incarnation),
    SCALAR(CODEC_U64, message, sequence),
    /* checked, and put at the end, by who knows the connection's keys
     * (seal.h) */
    SKIP(mac),
};
const codec_shape message_envelope_shape =
    SHAPE(envelope, message, envelope_fields, NULL);

/* A kind's field in Envelope is the HEADER_FIELDS + kind - 1st; the shape test
 * compares the names. */
static const struct {
    const char *name;
    const codec_shape *shape;
} bodies[MESSAGE_KIND_COUNT] = {
    [MESSAGE_LEASE_REQUEST] = {"lease_request", &lease_request_shape},
    [MESSAGE_LEASE] = {"lease", &lease_shape},
    [MESSAGE_RESULT] = {"result", &result_shape},
    [MESSAGE_RESULT_ACK] = {"result_ack", &ref_shape},
    [MESSAGE_ORDERS_REQUEST] = {"orders_request", &orders_request_shape},
    [MESSAGE_ORDERS] = {"orders", &orders_shape},
    [MESSAGE_CALL_BEGIN] = {"call_begin", &call_begin_shape},
    [MESSAGE_CALL_ANSWER] = {"call_answer", &call_answer_shape},
    [MESSAGE_CALL_END] = {"call_end", &call_end_shape},
    [MESSAGE_CALL_ACK] = {"call_ack", &slot_shape},
    [MESSAGE_BLOB_GET] = {"blob_get", &blob_get_shape},
    [MESSAGE_BLOB_CHUNK] = {"blob_chunk", &blob_chunk_shape},
    [MESSAGE_BLOB_PUT] = {"blob_put", &blob_chunk_shape},
    [MESSAGE_BLOB_ACK] = {"blob_ack", &blob_ack_shape},
    [MESSAGE_RUN_SUBMIT] = {"run_submit", &run_submit_shape},
    [MESSAGE_RUN_CANCEL] = {"run_cancel", &run_ref_shape},
    [MESSAGE_RUN_STATUS_REQUEST] = {"run_status_request", &run_ref_shape},
    [MESSAGE_RUN_STATUS] = {"run_status", &run_status_shape},
    [MESSAGE_EVENTS_REQUEST] = {"events_request", &events_request_shape},
    [MESSAGE_EVENTS] = {"events", &events_shape},
    [MESSAGE_REFUSED] = {"refused", &refused_shape},
    [MESSAGE_CALL_FAIL] = {"call_fail", &call_fail_shape},
    [MESSAGE_RUN_SUSPEND] = {"run_suspend", &run_ref_shape},
    [MESSAGE_RUN_RESUME] = {"run_resume", &run_resume_shape},
    [MESSAGE_DRAIN] = {"drain", &drain_shape},
    [MESSAGE_DRAIN_ACK] = {"drain_ack", &drain_shape},
    [MESSAGE_RUN_VIEW_REQUEST] = {"run_view_request", &run_ref_shape},
    [MESSAGE_RUNS_REQUEST] = {"runs_request", &runs_request_shape},
    [MESSAGE_RUNS] = {"runs", &runs_shape},
    [MESSAGE_HELLO] = {"hello", &hello_shape},
    [MESSAGE_WELCOME] = {"welcome", &welcome_shape},
    [MESSAGE_DEATH] = {"death", &death_shape},
    [MESSAGE_DEATH_ACK] = {"death_ack", &death_shape},
    [MESSAGE_UPKEEP] = {"upkeep", &upkeep_shape},
    [MESSAGE_UPKEEP_DONE] = {"upkeep_done", &upkeep_shape},
    [MESSAGE_METRICS_REQUEST] = {"metrics_request", &metrics_request_shape},
    [MESSAGE_METRICS] = {"metrics", &metrics_shape},
    [MESSAGE_LEASES] = {"leases", &leases_shape},
};

/* For the test that compares all shapes with their .proto. */
const codec_shape *const message_shapes[] = {&ref_shape,
                                             &slot_shape,
                                             &message_usage_shape,
                                             &lease_request_shape,
                                             &lease_shape,
                                             &leases_shape,
                                             &further_result_shape,
                                             &result_shape,
                                             &orders_request_shape,
                                             &orders_shape,
                                             &call_begin_shape,
                                             &call_answer_shape,
                                             &call_end_shape,
                                             &blob_get_shape,
                                             &blob_chunk_shape,
                                             &blob_ack_shape,
                                             &run_submit_shape,
                                             &run_ref_shape,
                                             &run_status_shape,
                                             &events_request_shape,
                                             &happening_shape,
                                             &event_shape,
                                             &events_shape,
                                             &refused_shape,
                                             &call_fail_shape,
                                             &drain_shape,
                                             &run_resume_shape,
                                             &runs_request_shape,
                                             &run_row_shape,
                                             &runs_shape,
                                             &death_shape,
                                             &upkeep_shape,
                                             &metrics_request_shape,
                                             &metrics_shape,
                                             &hello_shape,
                                             &welcome_shape,
                                             NULL};

/* `kind` is one of ours; NULL: MESSAGE_NONE. */
const codec_shape *message_body_shape(uint32_t kind)
{
    assert(kind < COUNT_OF(bodies));
    return bodies[kind].shape;
}

/* The caller frees *ret_data. A message that breaks its own rules is an error
 * here and is never sent. */
etna_code message_pack(const message *in,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    if (in->kind <= MESSAGE_NONE || in->kind >= MESSAGE_KIND_COUNT)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a message of kind %d cannot be packed",
                         (int)in->kind);
    const ProtobufCFieldDescriptor *field =
        &etna__envelope__descriptor.fields[HEADER_FIELDS + in->kind - 1];
    const codec_part parts[] = {
        {&message_envelope_shape, in, 0},
        {bodies[in->kind].shape, &in->body, field->id},
    };
    return codec_pack(parts, COUNT_OF(parts), MESSAGE_MAX, ret_data, ret_size,
                      err);
}

/* The one body, or false. */
static bool message_find_body(const ProtobufCMessage *wire,
                              message_kind *ret_kind,
                              const ProtobufCMessage **ret_body)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < BODY_FIELDS; i++) {
        const ProtobufCMessage *body;
        memcpy(&body,
               (const char *)wire +
                   etna__envelope__descriptor.fields[HEADER_FIELDS + i].offset,
               sizeof body);
        if (!body)
            continue;
        found++;
        *ret_kind = (message_kind)(i + 1);
        *ret_body = body;
    }
    return found == 1 && *ret_kind < MESSAGE_KIND_COUNT;
}

/* The version is judged before the body, so that a newer peer is told to be
 * newer and not to be wrong. */
static etna_code read_envelope(const ProtobufCMessage *wire,
                               etna_arena *arena,
                               message *ret_message,
                               etna_error *err)
{
    codec c = {.arena = arena, .err = err};
    message got;
    memset(&got, 0, sizeof got);
    if (!codec_from_wire(&c, &message_envelope_shape, wire, &got))
        return c.code;
    if (got.version > MESSAGE_VERSION)
        return etna_fail(
            err, ETNA_E_NEWER,
            "a message of version %u; this program speaks %d: update it",
            (unsigned)got.version, MESSAGE_VERSION);
    if (got.version == 0)
        return etna_fail(err, ETNA_E_MESSAGE,
                         "message field Envelope.version: is missing");
    const ProtobufCMessage *body = NULL;
    if (!message_find_body(wire, &got.kind, &body))
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "an envelope must have exactly one body that version %d knows",
            MESSAGE_VERSION);
    if (!codec_from_wire(&c, bodies[got.kind].shape, body, &got.body))
        return c.code;
    *ret_message = got;
    return ETNA_OK;
}

/* *ret_message is set on success alone; it lies in `arena` and needs `data` no
 * more. */
etna_code message_unpack(const uint8_t *data,
                         size_t size,
                         etna_arena *arena,
                         message *ret_message,
                         etna_error *err)
{
    if (size > MESSAGE_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "a message of %zu bytes is above the limit of %d",
                         size, MESSAGE_MAX);
    etna_arena scratch = ETNA_ARENA_INIT;
    ProtobufCMessage *wire;
    etna_code code = codec_unpack(&etna__envelope__descriptor, data, size,
                                  &scratch, &wire, err);
    if (!code)
        code = read_envelope(wire, arena, ret_message, err);
    etna_arena_free(&scratch);
    return code;
}

/* Only for what an answer needs to be addressed; false: not even that can be
 * read. */
bool message_header(const uint8_t *data, size_t size, message *ret_header)
{
    etna_arena scratch = ETNA_ARENA_INIT;
    ProtobufCMessage *wire;
    message got;
    memset(&got, 0, sizeof got);
    codec c = {.arena = &scratch};
    bool known = size <= MESSAGE_MAX &&
                 !codec_unpack(&etna__envelope__descriptor, data, size,
                               &scratch, &wire, NULL) &&
                 codec_from_wire(&c, &message_envelope_shape, wire, &got);
    if (known)
        *ret_header = got;
    etna_arena_free(&scratch);
    return known;
}

/* "none" for what is no kind. */
const char *message_kind_name(message_kind kind)
{
    return kind > MESSAGE_NONE && kind < MESSAGE_KIND_COUNT ? bodies[kind].name
                                                            : "none";
}
