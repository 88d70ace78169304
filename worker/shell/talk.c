/* Calls over the network, between the coordinator's "go" and a reply that is
 * kept: the request's images are made, the request is written, sent, its answer
 * read. A try that brings nothing is told to the coordinator, who says whether
 * and whom to ask again.
 *
 *   go -> pictures (fetch snapshots, draw) -> write -> send -> read --reply--> call_replied
 *         ^                                    ^               |  \--drop a parameter: write again, at once
 *         |                                    +---------------+
 *         +-- call_begin <-- wait <--again, perhaps another model-- LINK_CALL_FAIL --stop--> EVENT_FAILED
 *
 * What was sent goes as soon as it is sent: who waits for an answer holds no
 * body and no image; should it be sent again, it is written again.
 *
 * What is known of a run's models is shared by its errands: the list, and which
 * parameters its servers refused. */
#include "proto/array.h"
#include "worker/shell/shell.h"

#include "proto/secrets.h"
#include "worker/jobs/image_cache.h"
#include "worker/provider/provider.h"
#include "worker/shell/api_key.h"
#include "worker/shell/http.h"

#include <stdlib.h>
#include <string.h>

/* parameters that servers of one run may refuse; models of runs that are kept
 * after their last errand, as the next task of the same run comes soon */
enum {
    DROPS_MAX = 16,
    RUNS_KEPT = 16
};

struct talk_run {
    etna_id run;
    etna_arena arena;
    models all;
    uint32_t users;
    uint64_t last_used;
    struct {
        const char *endpoint, *name;
    } drops[DROPS_MAX]; /* only ever appended; by the loop */
    uint32_t drop_count;
    talk_run *next;
};

struct talk {
    const models_model *model;
    uint32_t tries;   /* of this model that failed */
    uint32_t dropped; /* parameters that the request under way is without */
    const char *names[DROPS_MAX];
    bool failing;
    bool is_out;          /* this try was begun with its server */
    uint64_t sent;        /* bytes of requests, of all tries */
    uint32_t images_sent; /* in them */
    etna_arena arena;     /* of this try */
    job_images *pictures;
    provider_call call;
    const provider_image *images;
    http_call *flying;
    provider_answer answer;
    provider_outcome outcome;
};

/* ---- what is known of a run ---- */

/* With what its servers refused. */
static void run_free(talk_run *r)
{
    etna_arena_free(&r->arena);
    free(r);
}

/* Those longest unused that nobody uses go until few are left. */
static void shrink(shell *s)
{
    uint32_t idle = 0;
    for (const talk_run *r = s->talk_runs; r; r = r->next)
        idle += r->users == 0;
    for (; idle > RUNS_KEPT; idle--) {
        talk_run **oldest = NULL;
        for (talk_run **link = &s->talk_runs; *link; link = &(*link)->next) {
            if ((*link)->users == 0 &&
                (!oldest || (*link)->last_used < (*oldest)->last_used))
                oldest = link;
        }
        if (!oldest)
            return;
        talk_run *gone = *oldest;
        *oldest = gone->next;
        run_free(gone);
    }
}

/* The run's list of models comes with each task; it is parsed once a run and
 * not once a task. */
static talk_run *run_of(errand *e, etna_error *err)
{
    shell *s = e->shell;
    for (talk_run *r = s->talk_runs; r; r = r->next) {
        if (etna_id_equal(&r->run, &e->run))
            return r;
    }
    const char *json = job_models(e->job);
    talk_run *r = json ? calloc(1, sizeof *r) : NULL;
    if (!json) {
        etna_fail(
            err, ETNA_E_USAGE,
            "no model is called \"%.80s\" here: the run names no list of models, so only builtin can be asked",
            call_model(e));
        return NULL;
    }
    if (!r) {
        etna_fail(err, ETNA_E_NOMEM, "out of memory for the models of a run");
        return NULL;
    }
    r->run = e->run;
    if (models_from_json(json, strlen(json), &r->arena, &r->all, err)) {
        run_free(r);
        return NULL;
    }
    guard_secrets(); /* from here on keys may be in memory */
    r->next = s->talk_runs;
    s->talk_runs = r;
    return r;
}

/* The list stays a while for the run's next task. */
void talk_leave(errand *e)
{
    if (!e->models)
        return;
    e->models->users--;
    e->models = NULL;
    shrink(e->shell);
}

/* At the end. */
void talk_free_all(shell *s)
{
    while (s->talk_runs) {
        talk_run *next = s->talk_runs->next;
        run_free(s->talk_runs);
        s->talk_runs = next;
    }
}

/* Of the model that is asked now. */
static const models_endpoint *endpoint_of(const errand *e)
{
    return &e->models->all.endpoints[e->talk->model->endpoint];
}

/* Pins the run's models for as long as the errand lives. */
bool talk_open(errand *e, etna_error *err)
{
    if (!e->models) {
        talk_run *r = run_of(e, err);
        if (!r)
            return false;
        r->users++;
        e->models = r;
    }
    e->models->last_used = ++e->shell->talk_clock;
    const models_model *model = models_find(&e->models->all, call_model(e));
    if (!model) {
        etna_fail(err, ETNA_E_USAGE,
                  "no model is called \"%.80s\" in the list of the run",
                  call_model(e));
        return false;
    }
    if (!e->talk)
        e->talk = calloc(1, sizeof *e->talk);
    if (!e->talk) {
        etna_fail(err, ETNA_E_NOMEM, "out of memory for a call");
        return false;
    }
    e->talk->model = model;
    return true;
}

/* ---- the end ---- */

/* What it took to be sent. */
static void forget_body(talk *t)
{
    job_images_close(t->pictures);
    t->pictures = NULL;
    t->images = NULL;
    etna_arena_free(&t->arena);
    t->arena = (etna_arena)ETNA_ARENA_INIT;
    memset(&t->call, 0, sizeof t->call);
    memset(&t->outcome, 0, sizeof t->outcome);
}

/* Of one try; the talk itself stays. */
static void hang_up(errand *e)
{
    talk *t = e->talk;
    if (t->flying)
        http_cancel(t->flying);
    t->flying = NULL;
    forget_body(t);
    due_drop(&e->shell->talks_due, &e->again);
    t->failing = t->is_out = false;
}

/* Also in the middle of a call. */
void talk_end(errand *e)
{
    if (!e->talk)
        return;
    hang_up(e);
    free(e->talk);
    e->talk = NULL;
}

/* Is it certain that nothing was sent? */
bool talk_is_unbilled(const errand *e)
{
    const talk *t = e->talk;
    if (!t)
        return false;
    if (t->failing)
        return !t->outcome.lost;
    return !t->is_out || (t->flying && !http_is_sent(t->flying));
}

/* In the pool, as it writes the request to measure it. */
void talk_estimate(errand *e)
{
    e->usage =
        provider_estimate(&e->models->all, e->talk->model, e->want.request);
}

/* ---- a try that brought nothing ---- */

/* Has the try failed, and the coordinator not said what now? */
bool talk_failing(const errand *e)
{
    return e->talk && e->talk->failing;
}

/* Whether and whom to ask again is the coordinator's to say: it counts tries,
 * money and circuit breakers over all workers. The wait is a proposal. */
static void tell_failure(errand *e)
{
    talk *t = e->talk;
    const provider_outcome *o = &t->outcome;
    bool final = o->end == PROVIDER_NEVER;
    uint64_t wait =
        final ? 0
              : provider_backoff(o, ++t->tries + 1, endpoint_of(e)->backoff_ms,
                                 e->want.request->seed);
    t->failing = true;
    shell_feed(
        e->shell,
        &(link_event){
            .kind = LINK_CALL_FAIL,
            .job = e->id,
            .slot = e->want.slot,
            .fail = {.model = call_model(e),
                     .lost = o->lost,
                     .overloaded = o->overloaded,
                     .down = o->endpoint_down,
                     .final = final,
                     .wait_ms = wait < UINT32_MAX ? (uint32_t)wait : UINT32_MAX,
                     .text = o->text ? o->text : ""}},
        NULL);
}

/* Nothing was sent. A key that is not set or a URL that is none: final, and
 * nothing was spent. */
static void cannot(errand *e, const char *why)
{
    talk *t = e->talk;
    const char *text = etna_arena_strdup(&t->arena, why);
    memset(&t->outcome, 0, sizeof t->outcome);
    t->outcome.end = PROVIDER_NEVER;
    t->outcome.text = text ? text : "out of memory for a call";
    tell_failure(e);
}

/* May it be called? */
static void estimated(errand *e)
{
    call_begin(e);
}

/* On a thread of the pool. */
static void work_estimate(pool_task *task)
{
    talk_estimate(errand_of(task));
}

/* A fallback to the built-in agent needs no network: the talk ends. */
static void try_again(errand *e)
{
    etna_error err = {0};
    hang_up(e);
    if (call_is_builtin(e)) {
        e->usage = (message_usage){.calls = 1};
        e->images_left_out = e->texts_left_out = 0;
        talk_end(e);
        call_begin(e);
    } else if (!talk_open(e, &err)) {
        errand_failed(e, err.code, err.text);
    } else {
        errand_work(e, work_estimate, estimated);
    }
}

/* One timer for all that wait. */
static void set_patience(shell *s)
{
    const due *first = due_first(&s->talks_due);
    uint64_t now = uv_now(&s->loop);
    if (first)
        uv_timer_start(&s->patience, talk_patience,
                       first->at > now ? first->at - now : 0, 0);
}

/* Those whose wait is over. */
void talk_patience(uv_timer_t *timer)
{
    shell *s = timer->data;
    uint64_t now = uv_now(&s->loop);
    for (due *first; (first = due_first(&s->talks_due)) && first->at <= now;) {
        due_drop(&s->talks_due, first);
        try_again(CHAIN_OF(errand, again, first));
    }
    shell_pump(s);
    if (!s->stopping)
        set_patience(s);
}

/* Goes on with the model that the coordinator falls back to. False: nobody
 * knows it. */
static bool talk_fall_back(errand *e, const char *model)
{
    const models_model *other = models_find(&e->models->all, model);
    if (!other && strcmp(model, "builtin") != 0)
        return false;
    e->instead = other ? other->name : "builtin";
    e->talk->tries = 0;
    return true;
}

/* At least a millisecond, so that a wait always goes through the timer. */
void talk_answered(errand *e, const message_call_answer *answer)
{
    talk *t = e->talk;
    t->failing = false;
    if (answer->verdict != CALL_WAIT) {
        errand_failed(e, ETNA_E_CANCELLED,
                      t->outcome.text
                          ? t->outcome.text
                          : "the coordinator wants no more tries of this call");
        return;
    }
    const char *const model = answer->model ? answer->model : "";
    const bool other = *model && strcmp(model, call_model(e)) != 0;
    if (other && !talk_fall_back(e, model)) {
        errand_failed(
            e, ETNA_E_MESSAGE,
            "the coordinator names a fallback that is not in the list of the run");
        return;
    }
    if (due_set(&e->shell->talks_due, &e->again,
                uv_now(&e->shell->loop) +
                    (answer->wait_ms ? answer->wait_ms : 1))) {
        set_patience(e->shell);
    } else {
        errand_failed(e, ETNA_E_NOMEM, "out of memory for a call");
    }
}

/* ---- there and back ---- */

static void write_again(errand *e);

/* On the pool: what the loop copied from the answer becomes an outcome, and a
 * reply its bytes. */
static void work_read(pool_task *task)
{
    errand *e = errand_of(task);
    talk *t = e->talk;
    if (provider_read(&e->models->all, t->model, e->want.request, &t->answer,
                      &t->arena, &t->outcome, &e->error))
        return;
    if (t->outcome.end != PROVIDER_REPLY)
        return;
    if (model_reply_encode(&t->outcome.reply, &e->reply, &e->reply_size,
                           &e->error))
        return;
    e->usage = t->outcome.reply.usage;
    e->usage.bytes_sent = t->sent;
    e->usage.images_sent = t->images_sent;
    e->reply_hash = etna_hash_bytes(e->reply, e->reply_size);
}

/* Whether trying without `name` is something new. */
static bool drop(errand *e, const char *name)
{
    talk *t = e->talk;
    talk_run *r = e->models;
    for (uint32_t i = 0; i < t->dropped; i++) {
        if (strcmp(t->names[i], name) == 0)
            return false;
    }
    /* another call found out meanwhile */
    for (uint32_t i = 0; i < r->drop_count; i++) {
        if (strcmp(r->drops[i].name, name) == 0 &&
            strcmp(r->drops[i].endpoint, endpoint_of(e)->name) == 0)
            return true;
    }
    char *copy =
        r->drop_count < DROPS_MAX ? etna_arena_strdup(&r->arena, name) : NULL;
    if (!copy)
        return false;
    r->drops[r->drop_count].name = copy;
    r->drops[r->drop_count++].endpoint = endpoint_of(e)->name;
    shell_say(e->shell, "endpoint %s does without the parameter %s from now on",
              endpoint_of(e)->name, name);
    return true;
}

/* A reply, a parameter to leave out, or a failure. */
static void was_read(errand *e)
{
    talk *t = e->talk;
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
    } else if (t->outcome.end == PROVIDER_REPLY) {
        call_replied(e);
    } else if (t->outcome.end == PROVIDER_DROP && drop(e, t->outcome.drop)) {
        if (t->pictures) { /* it answered before it had read all */
            write_again(e);
        } else {
            talk_go(e);
        }
    } else {
        if (t->outcome.end == PROVIDER_DROP)
            t->outcome.end = PROVIDER_NEVER;
        tell_failure(e);
    }
}

/* libcurl's memory is valid during the callback only; the pool reads a copy. */
static bool keep_answer(talk *t, const provider_answer *answer)
{
    const char **texts[] = {&t->answer.transport,    &t->answer.content_type,
                            &t->answer.retry_after,  &t->answer.retry_after_ms,
                            &t->answer.should_retry, &t->answer.request_id};
    t->answer = *answer;
    bool ok = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *from = *texts[i];
        *texts[i] = etna_arena_strdup(&t->arena, from);
        ok = ok && (!from || *texts[i]);
    }
    t->answer.body =
        answer->size ? etna_arena_memdup(&t->arena, answer->body, answer->size)
                     : NULL;
    return ok && (!answer->size || t->answer.body);
}

/* A callback of libcurl's: it ends by pumping what it fed. */
static void came(void *context, const provider_answer *answer)
{
    errand *e = context;
    shell *s = e->shell;
    e->talk->flying = NULL;
    if (keep_answer(e->talk, answer)) {
        errand_work(e, work_read, was_read);
    } else {
        errand_failed(e, ETNA_E_NOMEM, "out of memory for a model's answer");
    }
    shell_pump(s);
}

/* NULL: out of memory. */
static models_pair *keep_pairs(etna_arena *arena,
                               const models_pair *from,
                               uint32_t count)
{
    models_pair *pairs = etna_arena_alloc(arena, count, sizeof *pairs);
    for (uint32_t i = 0; pairs && i < count; i++) {
        pairs[i] = (models_pair){etna_arena_strdup(arena, from[i].name),
                                 etna_arena_strdup(arena, from[i].value)};
        if (!pairs[i].name || !pairs[i].value)
            return NULL;
    }
    return pairs;
}

/* False: out of memory. Pieces without text are pictures. */
static bool keep_pieces(etna_arena *arena,
                        const provider_call *from,
                        provider_piece *ret)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < from->piece_count; i++) {
        ret[i] = from->pieces[i];
        if (ret[i].text)
            ret[i].text = etna_arena_memdup(arena, ret[i].text, ret[i].size);
        ok = ret[i].text || !from->pieces[i].text;
    }
    return ok;
}

/* What a call is made of, without what it took to write it: that is several
 * times as much. */
static bool keep_call(talk *t, const provider_call *from)
{
    provider_piece *pieces =
        etna_arena_alloc(&t->arena, from->piece_count, sizeof *pieces);
    t->call = *from;
    t->call.url = etna_arena_strdup(&t->arena, from->url);
    t->call.key_header = etna_arena_strdup(&t->arena, from->key_header);
    t->call.key_prefix = etna_arena_strdup(&t->arena, from->key_prefix);
    t->call.headers = keep_pairs(&t->arena, from->headers, from->header_count);
    t->call.pieces = pieces;
    bool ok = pieces && t->call.url && t->call.headers &&
              (t->call.key_header || !from->key_header) &&
              (t->call.key_prefix || !from->key_prefix);
    return ok && keep_pieces(&t->arena, from, pieces);
}

/* Written into a scratch arena and copied: JSON trees and escapes take several
 * times what is sent, and conversations wait by the hundred. */
static void work_write(pool_task *task)
{
    errand *e = errand_of(task);
    talk *t = e->talk;
    const provider_dropped dropped = {t->dropped, t->names};
    etna_arena scratch = ETNA_ARENA_INIT;
    provider_call call = {0};
    memset(&t->call, 0, sizeof t->call);
    if (job_images_make(t->pictures, &t->images, &e->error))
        return;
    etna_code code =
        provider_write(&e->models->all, t->model, e->want.request, t->images,
                       &dropped, &scratch, &call, &e->error);
    if (!code && !keep_call(t, &call))
        etna_fail(&e->error, ETNA_E_NOMEM,
                  "out of memory while writing a request to a model");
    etna_arena_free(&scratch);
}

/* From within libcurl: only memory may be touched. */
static void body_sent(void *context)
{
    forget_body(((errand *)context)->talk);
}

/* What a request took that has left. */
static void talk_count_sent(talk *t)
{
    t->sent += t->call.body_size;
    for (uint32_t i = 0; i < t->call.piece_count; i++)
        t->images_sent += t->call.pieces[i].text == NULL;
}

/* The key is in memory between api_key_read and api_key_wipe only. A missing
 * one is told as a failed try, so that a fallback may be asked. */
static void written(errand *e)
{
    talk *t = e->talk;
    etna_error err = {0};
    api_key k;
    if (e->error.code) {
        errand_failed(e, e->error.code, e->error.text);
        return;
    }
    /* told with the reply: the journal says so */
    e->images_left_out = t->call.images_left_out;
    e->texts_left_out = t->call.messages_cut;
    etna_code code = e->shell->http
                         ? ETNA_OK
                         : http_new(&e->shell->loop, &e->shell->http, &err);
    if (!code)
        code = api_key_read(endpoint_of(e), &k, &err);
    if (!code) {
        code = http_start(e->shell->http, endpoint_of(e), &t->call, t->images,
                          k.given ? k.text : NULL, body_sent, came, e,
                          &t->flying, &err);
        api_key_wipe(&k);
    }
    t->is_out = !code;
    if (!code)
        talk_count_sent(t);
    if (code == ETNA_E_USAGE) {
        cannot(e, err.text);
    } else if (code) {
        errand_failed(e, code, err.text);
    }
}

/* The parameters are gathered anew: another call may have found out more
 * meanwhile. */
static void write_again(errand *e)
{
    talk *t = e->talk;
    t->dropped = 0;
    for (uint32_t i = 0; i < e->models->drop_count; i++) {
        if (strcmp(e->models->drops[i].endpoint, endpoint_of(e)->name) == 0)
            t->names[t->dropped++] = e->models->drops[i].name;
    }
    errand_work(e, work_write, written);
}

static void fetch_next(errand *e);

/* The next one, or drawing. */
static void snapshot_came(errand *e)
{
    etna_error err = {0};
    etna_code code =
        job_images_give(e->talk->pictures, &e->hash, e->data, e->size, &err);
    blob_forget(e);
    if (code) {
        errand_failed(e, code, err.text);
    } else {
        fetch_next(e);
    }
}

/* On a thread of the pool. */
static void work_draw(errand *e, uint32_t piece)
{
    job_images_draw(e->talk->pictures, piece);
}

/* Snapshots one by one, then the drawing in pieces where there is more than one
 * picture. */
static void fetch_next(errand *e)
{
    etna_hash hash;
    uint32_t missing = job_images_missing(e->talk->pictures);
    if (job_images_want(e->talk->pictures, &hash)) {
        blob_fetch(e, &hash, snapshot_came);
    } else if (missing > 1) {
        errand_work_pieces(e, missing, work_draw, write_again);
    } else {
        /* a single one has all threads to itself when the request is written */
        write_again(e);
    }
}

/* After "go": from here on it is written and sent. */
void talk_go(errand *e)
{
    etna_error err = {0};
    if (job_images_open(e->job, e->want.request, e->talk->model,
                        &e->talk->pictures, &err)) {
        errand_failed(e, err.code, err.text);
    } else {
        fetch_next(e);
    }
}
