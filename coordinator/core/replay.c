/* Recovery: the journal's causes are fed to the same functions that met them
 * the first time, and the consequences these come to must be the ones the
 * journal holds next. What a journal cut short lacks is written when the run is
 * resumed. */
#include "coordinator/core/core_internal.h"

#include <stdlib.h>
#include <string.h>

/* ETNA_E_CORRUPT that names run and record. */
static etna_code refuse_record(const run *r,
                               uint64_t sequence,
                               etna_error *err,
                               const char *why)
{
    char id[33] = "?";
    if (r)
        etna_id_hex(&r->id, id);
    return etna_fail(err, ETNA_E_CORRUPT, "run %s, record %llu: %s", id,
                     (unsigned long long)sequence, why);
}

/* A run is decided by one version alone: another one's journal is refused
 * rather than decided differently. */
static etna_code replay_submit(core *c,
                               const etna_id *id,
                               const record *rec,
                               etna_error *err)
{
    if (rec->version > CORE_VERSION) {
        return etna_fail(
            err, ETNA_E_NEWER,
            "the run was decided by core version %u, this one is %d; use a newer etna",
            (unsigned)rec->version, (int)CORE_VERSION);
    }
    if (rec->version < CORE_VERSION) {
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "the run was decided by core version %u, this one is %d; use another --store",
            (unsigned)rec->version, (int)CORE_VERSION);
    }
    etna_code code = run_config_check(&rec->config, err);
    if (code != ETNA_OK)
        return code;
    run *r = core_add_run(c, id, &rec->config);
    if (!r)
        return ETNA_OK; /* core.failure says why */
    r->dormant = r->replayed = true;
    r->sequence = 1;
    r->clock_ms = rec->interval_ms;
    record_line(r, 1, narrate_submitted(r));
    run_begin(r);
    return ETNA_OK;
}

/* A consequence must be the next one that the core came to by itself. */
static etna_code replay_compare(run *r,
                                uint64_t sequence,
                                const record *rec,
                                etna_error *err)
{
    if (r->expected_at == r->expected_count)
        return refuse_record(r, sequence, err,
                             "a decision that does not follow");
    run_expected *e = &r->expected[r->expected_at];
    bool same = e->kind == rec->kind && e->size == rec->body_size &&
                memcmp(e->body, rec->body, e->size) == 0;
    if (!same)
        return refuse_record(
            r, sequence, err,
            "decided differently now; was it written by another version?");
    record_line(r, sequence, e->told);
    free(e->body);
    e->body = NULL;
    r->expected_at++;
    if (r->expected_at == r->expected_count)
        r->expected_at = r->expected_count = 0;
    return ETNA_OK;
}

/* A result is fed to the task that it names, by the same checks as when it
 * came. */
static etna_code replay_result(run *r,
                               uint64_t sequence,
                               const record *rec,
                               etna_error *err)
{
    const record_result *facts = &rec->result;
    task *t = task_find(
        r, task_id(facts->kind, facts->node, facts->branch, facts->poll));
    bool is_same_place =
        t && t->node == facts->node && t->branch == facts->branch;
    if (!is_same_place || t->kind != facts->kind || t->poll != facts->poll)
        return refuse_record(r, sequence, err,
                             "the result of a task that is not open");
    bool refused = rec->kind == RECORD_REFUSED;
    bool done = facts->error == ETNA_OK;
    if (done && (refused || !task_result_valid(t, &facts->result))) {
        return refuse_record(r, sequence, err,
                             "a result that would not have been accepted");
    }
    record_line(r, sequence,
                refused ? narrate_refused(r, facts) : narrate_result(r, facts));
    task_settle(t, facts, refused);
    return ETNA_OK;
}

static bool replay_death(run *r, uint64_t sequence, const record_result *facts)
{
    task *t = task_find(
        r, task_id(facts->kind, facts->node, facts->branch, facts->poll));
    if (!t)
        return false;
    task_death_replayed(t);
    record_line(r, sequence, narrate_death(r, t, facts->text));
    return true;
}

static void replay_reply(run *r, uint64_t sequence, const record *rec)
{
    const core_reply *reply = &rec->reply;
    call_store(r, &reply->slot, &reply->request, &reply->reply, &reply->usage,
               &rec->recovered, reply->model);
    if (reply->images_left_out || reply->texts_left_out)
        record_line(r, sequence, narrate_left_out(r, reply));
}

/* What was decided of a run from outside: a cap, its end, other models. False:
 * the run has ended before. */
static bool replay_decision_of_run(run *r, uint64_t sequence, const record *rec)
{
    if (r->phase == PHASE_ENDED)
        return false;
    switch (rec->kind) {
    case RECORD_CAP:
        if (r->phase == PHASE_FINISHING)
            return false;
        record_line(r, sequence, narrate_cap(r, rec->cap));
        cap_apply(r, rec->cap);
        return true;
    case RECORD_CANCEL:
        record_line(r, sequence, narrate_plain(r, RECORD_CANCEL));
        run_stop(r);
        return true;
    default: break;
    }
    run_models_set(r, &rec->models);
    record_line(r, sequence, narrate_models(r));
    return true;
}

static bool replay_build(run *r, uint64_t sequence, const char *build)
{
    if (!run_build_add(r, build))
        return false;
    record_line(r, sequence, narrate_build(r, build));
    return true;
}

/* Feeds a cause. What cannot come at this point is a damaged journal. */
static etna_code replay_cause(run *r,
                              uint64_t sequence,
                              const record *rec,
                              etna_error *err)
{
    call *begun;
    bool may_come = true;
    switch (rec->kind) {
    case RECORD_CALL: may_come = call_go(r, rec, &begun); break;
    case RECORD_LOST:
        may_come = call_lose(r, &rec->reply.slot, &rec->booked, rec->reported);
        break;
    case RECORD_REPLY: replay_reply(r, sequence, rec); break;
    case RECORD_RESULT:
    case RECORD_REFUSED: return replay_result(r, sequence, rec, err);
    case RECORD_CAP:
    case RECORD_CANCEL:
    case RECORD_MODELS:
        may_come = replay_decision_of_run(r, sequence, rec);
        break;
    case RECORD_DEATH:
        may_come = replay_death(r, sequence, &rec->result);
        break;
    case RECORD_BUILD:
        may_come = replay_build(r, sequence, rec->result.text);
        break;
    case RECORD_SUSPENDED:
        record_line(r, sequence, narrate_plain(r, RECORD_SUSPENDED));
        break;
    default: may_come = false; break;
    }
    return may_come ? ETNA_OK
                    : refuse_record(r, sequence, err, "it cannot come here");
}

static etna_code replay_next(core *c,
                             const etna_id *id,
                             uint64_t sequence,
                             const record *rec,
                             etna_error *err)
{
    run *r = core_find(c, id);
    if (rec->kind == RECORD_SUBMITTED) {
        if (r || sequence != 1)
            return refuse_record(
                r, sequence, err,
                "a run is submitted once, by its first record");
        return replay_submit(c, id, rec, err);
    }
    if (!r || !r->dormant || sequence != r->sequence + 1) {
        return refuse_record(r, sequence, err,
                             "it does not follow the record before");
    }
    r->clock_ms += rec->interval_ms;
    etna_code code;
    if (record_is_derived(rec)) {
        code = replay_compare(r, sequence, rec, err);
    } else if (r->expected_at < r->expected_count) {
        code =
            refuse_record(r, sequence, err, "a decision is missing before it");
    } else {
        code = replay_cause(r, sequence, rec, err);
    }
    if (code == ETNA_OK)
        r->sequence = sequence;
    return code;
}

/* The record, in the core's scratch memory, which it clears. ETNA_E_MESSAGE: it
 * is none. A core that has failed gives its failure. */
static etna_code replay_parse(
    core *c, const void *data, size_t size, record *ret, etna_error *err)
{
    if (c->failure != ETNA_OK)
        return etna_fail(err, c->failure, "%s", c->failure_text);
    core_update_reset(c);
    return record_parse(data, size, &c->scratch, ret, err);
}

etna_code core_replay(core *c,
                      const etna_id *run_id,
                      uint64_t sequence,
                      const void *data,
                      size_t size,
                      etna_error *err)
{
    record rec;
    etna_code code = replay_parse(c, data, size, &rec, err);
    if (code != ETNA_OK)
        return code;
    c->replaying = true;
    code = replay_next(c, run_id, sequence, &rec, err);
    c->replaying = false;
    if (code == ETNA_OK && c->failure != ETNA_OK)
        code = etna_fail(err, c->failure, "%s", c->failure_text);
    return code;
}

etna_code core_replay_task(core *c,
                           const etna_id *run_id,
                           const void *data,
                           size_t size,
                           bool *ret_answers,
                           arrange_task *ret_task,
                           arrange_result *ret_result,
                           etna_error *err)
{
    record rec;
    etna_code code = replay_parse(c, data, size, &rec, err);
    if (code != ETNA_OK)
        return code;
    const record_result *facts = &rec.result;
    const run *r = core_find(c, run_id);
    bool done = r && rec.kind == RECORD_RESULT && facts->error == ETNA_OK;
    const task *t = done ? task_find(r, task_id(facts->kind, facts->node,
                                                facts->branch, facts->poll))
                         : NULL;
    arrange_task filled = {0};
    if (t)
        task_fill(t, &filled);
    if (c->failure != ETNA_OK)
        return etna_fail(err, c->failure, "%s", c->failure_text);
    *ret_answers = t != NULL;
    *ret_task = filled;
    *ret_result = facts->result;
    return ETNA_OK;
}

etna_code core_record_reply(const void *data,
                            size_t size,
                            etna_arena *arena,
                            bool *ret_is,
                            core_reply *ret,
                            etna_error *err)
{
    record rec;
    etna_code code = record_parse(data, size, arena, &rec, err);
    if (code != ETNA_OK)
        return code;
    *ret_is = rec.kind == RECORD_REPLY;
    if (*ret_is)
        *ret = rec.reply;
    return ETNA_OK;
}
