/* What must hold in every world, looked at from outside as it goes: who is
 * given what, what workers say and when, what is told to whom, and what the
 * model's server sees. The core looks at itself (core_check); here nothing is
 * believed of it. */
#include "tests/sim/sim_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* an answer's patience, and the longest pause after a lost connection:
 * worker/link/request.c */
enum {
    HEARTBEAT_MS = 14100 + 3400,
    REMEMBERED_MS = 15000, /* less than any coordinator remembers a name */
    MINUTE_MS = 60000
};

/* ---- tasks ---- */

static sim_task *task_of(sim *s, uint32_t run, uint64_t task)
{
    uint64_t key = (task + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ run;
    sim_task *first = table_get(&s->tasks, key), *found = first;
    while (found && (found->run != run || found->task != task))
        found = found->same;
    if (found)
        return found;
    found = etna_arena_alloc(&s->memory, 1, sizeof *found);
    if (!found)
        abort();
    *found = (sim_task){.same = first, .run = run, .task = task};
    if (!table_put(&s->tasks, key, found))
        abort();
    return found;
}

static bool is_warm(const sim_worker *w, const etna_hash *scene)
{
    for (uint32_t i = 0; i < w->warm_count; i++) {
        if (etna_hash_equal(&w->warm[i], scene))
            return true;
    }
    return false;
}

/* One who is served while others wait may not be served again before them for
 * long: how far apart the runs are. */
static void watch_turns(sim *s, uint32_t run)
{
    sim_run_seen *r = &s->runs[run];
    r->grants++;
    if (s->options->runs > SIM_CHECKED_WHOLE)
        return;
    for (uint32_t i = 0; i < s->options->runs; i++) {
        const sim_run_seen *other = &s->runs[i];
        if (!other->submitted || other->ended || i == run)
            continue;
        uint64_t apart =
            r->grants > other->grants ? r->grants - other->grants : 0;
        if (apart > s->report->grants_apart)
            s->report->grants_apart = apart;
    }
}

/* Its request for work may still be on its way when it says that it leaves; but
 * not for long. */
static bool is_fed_leaving(const sim *s,
                           const sim_worker *w,
                           const sim_context *to)
{
    const sim_options *o = s->options;
    bool is_punctual = !o->loss_pct && !o->late_pct && !o->repeat_pct &&
                       !o->slow_pct && !o->mishaps;
    bool knows = w->leaving_heard_ms &&
                 s->now > w->leaving_heard_ms + 2 * (uint64_t)o->delay_ms + 5;
    return is_punctual && knows && w->alive && w->life == to->life;
}

static void watch_given_to(sim *s,
                           const sim_context *to,
                           const message_lease *lease,
                           bool is_again)
{
    uint32_t run = sim_run_of(s, &lease->ref.run);
    sim_report *r = s->report;
    r->leases++;
    r->leases_again += lease->ref.attempt > 1;
    if (is_again)
        return;
    watch_turns(s, run);
    if (to->from >= s->worker_count)
        /* a stranger with a worker's token: what it does with it is nothing */
        return;
    const sim_worker *w = &s->workers[to->from];
    r->leases_cold += !is_warm(w, &lease->scene);
    if (is_fed_leaving(s, w, to))
        sim_breach(s, "a worker that leaves is given a task");
    if (s->options->other_build && to->from + 1 == s->options->workers)
        sim_breach(s, "a worker of another build is given a task");
}

static bool is_theirs(const sim_given *given,
                      const sim_context *to,
                      const message_lease *lease)
{
    bool same_worker =
        given->worker == to->from && given->incarnation == to->incarnation;
    return same_worker && given->attempt == lease->ref.attempt;
}

static bool is_death_of(const sim_death *death, const sim_worker *w)
{
    return death->worker == w->sender && death->incarnation == w->incarnation;
}

static uint32_t attempt_bit(uint32_t attempt)
{
    return UINT32_C(1) << (attempt % 32);
}

/* A task is in one worker's hands, or in two's where the coordinator said that
 * it lags. */
static void watch_hands(sim *s,
                        sim_task *t,
                        const message_lease *lease,
                        bool same_owner)
{
    uint32_t rests = s->runs[sim_run_of(s, &lease->ref.run)].rests;
    if (!same_owner || t->rests != rests)
        t->open = 0;
    t->rests = rests;
    bool is_held = t->open != 0;
    if (is_held && !t->is_straggler && s->options->workers <= SIM_CHECKED_WHOLE)
        sim_breach(
            s,
            "task %llx of run %u is given out as attempt %u, and nobody lost the one before",
            (unsigned long long)lease->ref.task,
            (unsigned)sim_run_of(s, &lease->ref.run),
            (unsigned)lease->ref.attempt);
    t->is_straggler = false;
    t->open |= attempt_bit(lease->ref.attempt);
}

static uint64_t result_heard(const sim *s,
                             const sim_context *to,
                             const sim_owner *by)
{
    if (to->from >= s->worker_count)
        return 0;
    const sim_worker *w = &s->workers[to->from];
    bool is_theirs =
        w->result_owner == by->life && w->result_incarnation == to->incarnation;
    return is_theirs ? w->result_heard : 0;
}

void watch_given(sim *s,
                 const sim_context *to,
                 const message_lease *lease,
                 const sim_owner *by)
{
    uint32_t run = sim_run_of(s, &lease->ref.run);
    if (run == s->options->runs) {
        sim_breach(s, "a task of a run that nobody submitted is given out");
        return;
    }
    if (by->place != s->owner)
        /* a stale one's: nothing of it counts, and its first record ends it */
        return;
    sim_task *t = task_of(s, run, lease->ref.task);
    bool same_owner = t->life && t->owner == by->life;
    bool is_again = same_owner && (is_theirs(&t->last, to, lease) ||
                                   is_theirs(&t->before, to, lease));
    /* a stale owner may give out what is done: nothing of that counts, and its
     * first record ends it */
    bool knows = by->place == s->owner && !s->options->lies;
    if (t->done && knows)
        sim_breach(
            s, "a task was given out again after its result was acknowledged");
    if (same_owner && !is_again && lease->ref.attempt <= t->last.attempt)
        sim_breach(
            s, "two have the same attempt of task %llx of run %u: %u after %u",
            (unsigned long long)lease->ref.task, (unsigned)run,
            (unsigned)lease->ref.attempt, (unsigned)t->last.attempt);
    if (s->runs[run].ended && knows)
        sim_breach(s, "a task of a run that has ended is given out");
    if (s->draining && knows)
        sim_breach(s, "a task is given out by a coordinator that drains");
    if (lease->ref.attempt > 1 && sim_is_calm(s))
        sim_breach(s, "a task is given out again though nothing went wrong");
    if (lease->worker != (to->from < s->worker_count
                              ? s->workers[to->from].sender
                              : lease->worker))
        sim_breach(s, "a lease names another worker than it goes to");
    watch_given_to(s, to, lease, is_again);
    if (is_again)
        return;
    t->stopped = (sim_death){.worker = 0};
    watch_hands(s, t, lease, same_owner);
    if (t->failed == lease->ref.attempt)
        t->failed_from = 0;
    if (t->failed_before == lease->ref.attempt)
        t->failed_from_before = 0;
    t->heard_before = result_heard(s, to, by);
    t->before = same_owner ? t->last : (sim_given){.attempt = 0};
    t->last = (sim_given){to->from, to->incarnation, lease->ref.attempt};
    t->life = to->life + 1;
    t->given_ms = s->now;
    if (to->from < s->worker_count &&
        is_death_of(&t->spared.death, &s->workers[to->from]))
        /* it got it again, and that need not wait */
        t->spared = (sim_spared){.attempt = 0};
    t->owner = by->life;
}

/* The first of the two that may go by one name keeps what is known of it. */
static sim_worker *of_name(sim *s, uint64_t index)
{
    return &s->workers[index % s->options->workers];
}

/* A name speaks for its newest process alone: once that is heard, one before it
 * gets neither tasks nor orders. A coordinator may forget who is silent. */
void watch_answered(sim *s,
                    const sim_context *to,
                    message_kind kind,
                    const sim_owner *by)
{
    bool feeds = kind == MESSAGE_LEASE || kind == MESSAGE_LEASES ||
                 kind == MESSAGE_ORDERS;
    if (to->from >= s->worker_count || !feeds)
        return;
    const sim_worker *name = of_name(s, to->from);
    bool is_known = name->newest_owner == by->life &&
                    s->now < name->newest_ms + REMEMBERED_MS;
    if (is_known && to->incarnation < name->newest_heard)
        sim_breach(s, "process %llu of a name is served after its process %llu",
                   (unsigned long long)to->incarnation,
                   (unsigned long long)name->newest_heard);
}

static void watch_newest(sim *s,
                         const sim_owner *by,
                         uint64_t index,
                         const message *m)
{
    sim_worker *name = of_name(s, index);
    bool is_known = name->newest_owner == by->life;
    if (is_known && m->incarnation < name->newest_heard)
        return;
    name->newest_owner = by->life;
    name->newest_heard = m->incarnation;
    name->newest_ms = s->now;
}

void watch_heard(sim *s,
                 const sim_owner *by,
                 const sim_event *event,
                 const message *m)
{
    if (event->a >= SIM_STRANGERS && by->c && core_leases(by->c, m->sender, 0))
        sim_breach(s, "a stranger holds a lease that it was never given");
    bool beats = m->kind == MESSAGE_ORDERS_REQUEST;
    bool leaves = beats && m->body.orders_request.leaving;
    if (event->a >= s->worker_count || !beats)
        return;
    watch_newest(s, by, event->a, m);
    sim_worker *w = &s->workers[event->a];
    if (m->incarnation > w->heard_incarnation)
        w->heard_sequence = 0;
    if (m->incarnation >= w->heard_incarnation &&
        m->sequence > w->heard_sequence) {
        w->heard_incarnation = m->incarnation;
        w->heard_sequence = m->sequence;
    }
    if (!leaves)
        return;
    if (w->life == event->b && !w->leaving_heard_ms)
        w->leaving_heard_ms = s->now;
}

void watch_result(sim *s, uint32_t run, uint64_t task)
{
    task_of(s, run, task)->done = true;
}

/* Who was told says what came of it: another may be told at once. A copy of
 * what one before it said, or a stranger's words, are no such thing. */
static void call_over(sim_slot *slot, const sim_event *from)
{
    if (slot->go_worker == from->a && slot->go_life == from->b)
        slot->go_open = false;
    if (slot->out_worker == from->a && slot->out_life == from->b)
        slot->out_owner = 0;
}

void watch_hears(sim *s,
                 const sim_owner *by,
                 const sim_event *event,
                 const message *m)
{
    bool is_late = event->owner_life && event->owner_life != by->life;
    s->late_begins += is_late && m->kind == MESSAGE_CALL_BEGIN;
    if (m->kind == MESSAGE_CALL_FAIL)
        call_over(sim_slot_of(s, sim_run_of(s, &m->body.call_fail.ref.run),
                              &m->body.call_fail.slot),
                  event);
    if (event->a >= s->worker_count || m->kind != MESSAGE_RESULT)
        return;
    sim_worker *w = &s->workers[event->a];
    bool is_known =
        w->result_owner == by->life && w->result_incarnation == m->incarnation;
    if (!is_known)
        w->result_heard = 0;
    w->result_owner = by->life;
    w->result_incarnation = m->incarnation;
    if (m->sequence > w->result_heard)
        w->result_heard = m->sequence;
}

/* ---- calls ---- */

void watch_resumed(sim *s, const sim_owner *by, uint32_t run)
{
    sim_run_seen *r = &s->runs[run];
    if (r->resumed_owner != by->life)
        r->resumed_ms = s->now;
    r->resumed_owner = by->life;
}

static bool is_same_caller(const sim_context *context,
                           uint64_t worker,
                           uint64_t life)
{
    return context->from == worker && context->life == life;
}

/* A coordinator that was started anew does not know whether the word to go that
 * the journal holds has left and arrived: for so long nobody else is told
 * to. */
static bool is_fenced(const sim *s,
                      const sim_slot *slot,
                      const sim_owner *by,
                      const sim_context *context)
{
    const sim_run_seen *r = &s->runs[context->run];
    bool is_of_before = slot->out_owner && slot->out_owner != by->life;
    if (!is_of_before || slot->acknowledged || s->options->lies)
        return false;
    const sim_worker *w = slot->out_worker < s->worker_count
                              ? &s->workers[slot->out_worker]
                              : NULL;
    bool may_call = w && w->life == slot->out_life &&
                    worker_is_calling(s, slot->out_worker, slot);
    return may_call &&
           !is_same_caller(context, slot->out_worker, slot->out_life) &&
           s->now < r->resumed_ms + core_options_default().fence_ms;
}

void watch_goes(sim *s, const sim_owner *by, const sim_context *context)
{
    sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
    if (is_fenced(s, slot, by, context))
        sim_breach(
            s,
            "node %u: another is told to call %llu ms after a restart, though one may have been told before it",
            (unsigned)context->slot.node,
            (unsigned long long)(s->now - s->runs[context->run].resumed_ms));
    slot->go_worker = context->from;
    slot->go_life = context->life;
    slot->go_owner = by->life;
    slot->go_task = context->task;
    slot->go_attempt = context->attempt;
    slot->go_open = true;
}

void watch_kept(sim *s, const sim_owner *by, const sim_context *context)
{
    sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
    if (!slot->go_open)
        return; /* said again, and over meanwhile */
    slot->out_worker = context->from;
    slot->out_life = context->life;
    slot->out_owner = by->life;
}

/* Of a step that is decided nobody's calls are wanted any more. */
static bool is_open(const sim_owner *by, uint32_t run, uint32_t node)
{
    etna_arena arena = ETNA_ARENA_INIT;
    const etna_id id = sim_run_id(run);
    core_run_view view;
    bool is_there = !core_view(by->c, &id, &arena, &view, NULL);
    bool is_found = is_there && !node; /* of the run itself */
    for (uint32_t i = 0; is_there && i < view.node_count; i++) {
        const core_node_view *n = &view.nodes[i];
        is_found = is_found || (n->number == node && !n->decided_ms);
    }
    etna_arena_free(&arena);
    return is_found;
}

/* While one calls who was told to, an end of who was told before is not
 * taken. */
void watch_ended(sim *s, const sim_owner *by, const sim_context *context)
{
    sim_slot *slot = sim_slot_of(s, context->run, &context->slot);
    const sim_task *t = task_of(s, context->run, slot->go_task);
    bool is_held = t->owner == by->life &&
                   (t->open & attempt_bit(slot->go_attempt)) &&
                   t->rests == s->runs[context->run].rests;
    bool is_last = is_same_caller(context, slot->go_worker, slot->go_life) &&
                   context->attempt == slot->go_attempt;
    bool is_called = slot->go_open && slot->go_owner == by->life && is_held;
    bool is_of_older =
        is_called && !is_last && !slot->acknowledged && !s->options->lies;
    if (is_of_older && is_open(by, context->run, context->slot.node))
        sim_breach(s,
                   "node %u: the end of a call is taken while another makes it",
                   (unsigned)context->slot.node);
    slot->go_open = false;
}

/* Who was told last to call brings the answer that counts, and not one who was
 * told before. */
void watch_refused(sim *s,
                   uint32_t index,
                   const message_task_ref *ref,
                   const etna_slot *at)
{
    const sim_slot *slot = sim_slot_of(s, sim_run_of(s, &ref->run), at);
    const sim_worker *w = &s->workers[index];
    bool is_last = slot->go_worker == index && slot->go_life == w->life;
    bool was_told = is_last && slot->go_owner == s->owners[s->owner].life;
    if (was_told && !s->options->lies)
        sim_breach(s, "node %u: of who was told last to call no end is taken",
                   (unsigned)at->node);
}

/* Of one call all act on one reply, whoever repeats it. */
void watch_acted(sim *s, sim_slot *slot, const etna_hash *reply)
{
    bool is_other = !etna_hash_is_zero(&slot->acted) &&
                    !etna_hash_equal(&slot->acted, reply);
    if (is_other && !s->options->lies && !s->options->rotten)
        sim_breach(s, "node %u: two replies to one call are acted on",
                   (unsigned)slot->slot.node);
    slot->acted = *reply;
}

/* ---- lines ---- */

static uint64_t key_of(uint64_t sequence, const char *text)
{
    const etna_hash hash = etna_hash_bytes(text, strlen(text));
    uint64_t key;
    memcpy(&key, hash.bytes, sizeof key);
    return key ^ sequence * UINT64_C(0x9e3779b97f4a7c15);
}

static void watch_lost(sim *s, const sim_task *t, const core_line *line)
{
    if (!t->life || t->last.attempt != line->attempt ||
        t->last.worker >= s->worker_count)
        return;
    const sim_worker *w = &s->workers[t->last.worker];
    bool lives = w->alive && w->incarnation == t->last.incarnation;
    if (lives && t->owner == s->owners[s->owner].life)
        sim_breach(s, "its process lives: %s", line->text);
}

void watch_failed(sim *s, const message_task_ref *ref)
{
    uint32_t run = sim_run_of(s, &ref->run);
    if (run < s->options->runs)
        task_of(s, run, ref->task)->failures++;
}

/* What was said before the lease was given is no word of it, though the numbers
 * of attempts begin anew behind a restart. */
static bool is_of_before(const sim_task *t,
                         const sim_context *context,
                         uint32_t attempt)
{
    bool is_holder = t->life && t->last.worker == context->from &&
                     t->last.incarnation == context->incarnation;
    return is_holder && t->last.attempt == attempt &&
           context->sequence <= t->heard_before;
}

void watch_error(sim *s, const sim_context *context, const message_result *came)
{
    const message_task_ref *ref = &came->ref;
    const uint64_t from = context->from;
    uint32_t run = sim_run_of(s, &ref->run);
    if (run == s->options->runs || from >= 64)
        return;
    sim_task *t = task_of(s, run, ref->task);
    /* what was said before may be repeated after what came later */
    bool is_new =
        came->error != ETNA_E_CANCELLED && ref->attempt > t->failed_most;
    if (ref->attempt > t->failed_most)
        t->failed_most = ref->attempt;
    if (is_new && ++t->errors > t->failures && !s->options->lies)
        sim_breach(s, "an error of attempt %u is reported, which nobody made",
                   (unsigned)ref->attempt);
    if (is_of_before(t, context, ref->attempt))
        return;
    if (t->failed != ref->attempt) {
        t->failed_before = t->failed;
        t->failed_from_before = t->failed_from;
        t->failed_from = 0;
    }
    t->failed = ref->attempt;
    t->failed_from |= UINT64_C(1) << from;
    t->open &= ~attempt_bit(ref->attempt);
}

/* An error counts only of who holds the task. */
static void watch_undone(sim *s, const sim_task *t, const core_line *line)
{
    bool is_known = t->life && t->owner == s->owners[s->owner].life &&
                    t->last.attempt == line->attempt;
    if (!is_known || t->last.worker >= 64)
        return;
    bool did =
        t->failed == line->attempt && (t->failed_from >> t->last.worker & 1);
    bool did_before = t->failed_before == line->attempt &&
                      (t->failed_from_before >> t->last.worker & 1);
    if (!did && !did_before)
        sim_breach(s, "who holds it said nothing: %s", line->text);
}

static bool has_said(const core_line *line, const char *words)
{
    return strstr(line->text, words) != NULL;
}

/* A later death, of who has it by then, is another matter; so is what another
 * coordinator knew. */
static bool was_spared(const sim *s, const sim_task *t)
{
    bool is_same = t->spared.death.worker == s->told.worker &&
                   t->spared.death.incarnation == s->told.incarnation;
    return s->told.worker && is_same &&
           t->spared.owner == s->owners[s->owner].life;
}

/* Models are doubted for what they said, and not for what their workers could
 * not do. Nothing of it is forgotten: a coordinator that died before it was
 * durable is followed by one that finds the same. */
static void watch_rests(sim *s, sim_run_seen *r, const core_line *line)
{
    enum {
        UNREAD_LEAST = 2
    };
    bool is_doubted = has_said(line, " can't be read: ");
    r->rests++;
    if (is_doubted && r->unread < UNREAD_LEAST && !s->options->lies)
        sim_breach(s, "%u verdicts could not be read: %s", (unsigned)r->unread,
                   line->text);
}

void watch_verdict(sim *s, const message_task_ref *ref, uint32_t verdict)
{
    uint32_t run = sim_run_of(s, &ref->run);
    if (run < s->options->runs)
        s->runs[run].unread += verdict == VERDICT_ABSTAIN;
}

void watch_stopped(sim *s, uint32_t index, const message_task_ref *ref)
{
    uint32_t run = sim_run_of(s, &ref->run);
    if (run == s->options->runs)
        return;
    const sim_worker *w = &s->workers[index];
    sim_task *t = task_of(s, run, ref->task);
    t->stopped = (sim_death){w->sender, w->incarnation};
    t->stopped_at = index;
    t->stopped_sequence = w->sent_sequence;
}

static bool is_same_death(const sim_death *a, const sim_death *b)
{
    return a->worker == b->worker && a->incarnation == b->incarnation;
}

/* Had its process said, before it died, that it does it no more? */
static bool had_stopped(const sim *s, const sim_task *t)
{
    const sim_worker *w = &s->workers[t->stopped_at];
    return is_same_death(&t->stopped, &s->told) &&
           w->heard_incarnation == s->told.incarnation &&
           w->heard_sequence > t->stopped_sequence;
}

/* One death counts once, and not of what its process had stopped. */
static void watch_laid(sim *s, sim_task *t, const core_line *line)
{
    uint64_t by = s->owners[s->owner].life;
    if (was_spared(s, t))
        sim_breach(s, "a death is laid to who only waited: %s", line->text);
    if (!s->told.worker)
        return;
    if (t->laid_by == by && is_same_death(&t->laid, &s->told))
        sim_breach(s, "one death is laid to it twice: %s", line->text);
    if (had_stopped(s, t))
        sim_breach(s, "who died had stopped it: %s", line->text);
    t->laid = s->told;
    t->laid_by = by;
}

void watch_said(sim *s, const core_line *line)
{
    uint32_t run = sim_run_of(s, &line->run);
    if (run == s->options->runs)
        return;
    if (strncmp(line->text, "suspended", strlen("suspended")) == 0)
        watch_rests(s, &s->runs[run], line);
    if (!line->task)
        return;
    sim_task *t = task_of(s, run, line->task);
    if (has_said(line, " is lost: its process"))
        watch_lost(s, t, line);
    if (has_said(line, " could not be done ("))
        watch_undone(s, t, line);
    if (has_said(line, " is lost: "))
        t->open &= ~attempt_bit(line->attempt);
    if (has_said(line, "; another worker does it, too"))
        t->is_straggler = true;
    if (has_said(line, "a worker's death is laid to it"))
        watch_laid(s, t, line);
}

static void watch_deaths(sim *s, const sim_line *line)
{
    const sim_task *t = task_of(s, line->run, line->task);
    bool is_refused = strstr(line->text, " workers that did it died") != NULL;
    if (is_refused && !t->is_deadly)
        sim_breach(s, "a task that fells nobody is refused: %s", line->text);
}

/* Its worker was given the task once more, and had not begun that when it
 * died. */
static bool is_other_attempt(const sim_given *given,
                             uint32_t index,
                             const sim_worker *w,
                             uint32_t attempt)
{
    bool is_theirs =
        given->worker == index && given->incarnation == w->incarnation;
    return is_theirs && given->attempt != attempt;
}

void watch_died(sim *s,
                uint32_t index,
                const message_task_ref *ref,
                bool is_of_it,
                bool is_spared)
{
    uint32_t run = sim_run_of(s, &ref->run);
    if (run == s->options->runs)
        return;
    sim_task *t = task_of(s, run, ref->task);
    t->is_deadly = t->is_deadly || is_of_it;
    const sim_worker *w = &s->workers[index];
    if (!is_spared || is_other_attempt(&t->last, index, w, ref->attempt) ||
        is_other_attempt(&t->before, index, w, ref->attempt))
        return;
    t->spared = (sim_spared){{w->sender, w->incarnation},
                             .attempt = ref->attempt,
                             .owner = s->owners[s->owner].life};
}

/* Where all are told to leave an end may be seen before the last word of who
 * ended is heard. */
static bool goes_home(const sim *s, const sim_line *line)
{
    return s->draining && strstr(line->text, ": its process ended; 0 tasks ");
}

void watch_line(sim *s, const sim_line *line)
{
    bool is_loss = !line->sequence && (strstr(line->text, " is lost: ") ||
                                       strstr(line->text, " is gone: "));
    s->report->leases_lost += is_loss;
    if (is_loss && !goes_home(s, line) && sim_is_calm(s))
        sim_breach(s, "though nothing went wrong: %s", line->text);
    if (line->task && line->run < s->options->runs)
        watch_deaths(s, line);
    if (!line->sequence || line->run == s->options->runs ||
        !s->options->clients)
        return;
    sim_run_seen *r = &s->runs[line->run];
    r->lines =
        sim_room(r->lines, &r->line_room, r->line_count, sizeof *r->lines);
    r->lines[r->line_count++] =
        (sim_told){key_of(line->sequence, line->text), s->now};
}

/* Line number `at` of a run as a client has it. Its answer may wait for the
 * commit that is under way and for its own. */
void watch_told(
    sim *s, uint32_t run, uint32_t at, uint64_t sequence, const char *text)
{
    const sim_run_seen *r = &s->runs[run];
    bool is_known =
        at < r->line_count && r->lines[at].key == key_of(sequence, text);
    uint64_t on_disk = 2 * (uint64_t)s->options->slow_disk_ms;
    uint64_t on_its_way = 4 * (uint64_t)s->options->delay_ms + on_disk + 300;
    if (is_known && sim_is_calm(s) && s->now > r->lines[at].at_ms + on_its_way)
        sim_breach(s, "line %u of run %u is told %llu ms late", (unsigned)at,
                   (unsigned)run,
                   (unsigned long long)(s->now - r->lines[at].at_ms));
    if (!is_known && !s->options->lies)
        sim_breach(
            s,
            "line %u of run %u is told otherwise, or before it is durable: %s",
            (unsigned)at, (unsigned)run, text);
}

/* ---- workers ---- */

/* Where no message is lost nobody need ask twice. */
static void watch_patience(sim *s, sim_worker *w, const message *m)
{
    const sim_options *o = s->options;
    bool is_lossless = !o->loss_pct && !o->late_pct && !o->slow_pct &&
                       o->delay_ms <= 900 && o->slow_disk_ms <= 40;
    bool is_quiet = !o->mishaps && !o->planned_count && !o->deadly_pct &&
                    !o->clocks && !o->down_for_ms;
    bool is_new = m->sequence > w->sent_sequence;
    if (is_new)
        w->sent_sequence = m->sequence;
    if (!is_new && is_lossless && is_quiet)
        sim_breach(s,
                   "a worker has to ask twice (%s), though no message is lost",
                   message_kind_name(m->kind));
}

void watch_answer(sim *s, uint32_t index, const message *m)
{
    sim_worker *w = &s->workers[index];
    for (uint32_t i = 0; i < w->handing_count; i++) {
        if (w->handing[i].sequence == m->sequence)
            w->handing[i] = w->handing[--w->handing_count];
    }
}

/* A result that asked for no task may have been answered without: what it asks
 * for when it is sent again would never come. */
static void watch_handing(sim *s, sim_worker *w, const message *m)
{
    enum {
        MOST = sizeof w->handing / sizeof *w->handing
    };
    if (m->kind != MESSAGE_RESULT)
        return;
    bool asks = m->body.result.slots_free > 0;
    for (uint32_t i = 0; i < w->handing_count; i++) {
        if (w->handing[i].sequence != m->sequence)
            continue;
        if (asks && !w->handing[i].asked)
            sim_breach(
                s,
                "a result that asked for no task asks when it is sent again");
        return;
    }
    if (w->handing_count < MOST)
        w->handing[w->handing_count++] = (sim_handing){m->sequence, asks};
}

/* What comes after a worker was told to leave is handed back at once. */
static bool is_handed_back(const link_update *update, uint64_t job)
{
    for (size_t i = 0; i < update->count; i++) {
        if (update->outputs[i].kind == LINK_OUT_CANCEL &&
            update->outputs[i].job == job)
            return true;
    }
    return false;
}

void watch_step(sim *s,
                uint32_t index,
                const link_event *event,
                const link_update *update)
{
    sim_worker *w = &s->workers[index];
    bool is_leaving = w->drained_for_ms && s->now > w->drained_ms;
    for (size_t i = 0; i < update->count && is_leaving; i++) {
        const link_output *out = &update->outputs[i];
        if (out->kind == LINK_OUT_START && !is_handed_back(update, out->job))
            sim_breach(s, "a worker that leaves begins a task");
    }
    bool is_heard = event->kind == LINK_RECEIVED && event->message;
    bool is_stale = is_heard && event->message->epoch < w->epoch_seen;
    for (size_t i = 0; i < update->count && is_stale && !s->options->lies;
         i++) {
        if (update->outputs[i].kind != LINK_OUT_SEND)
            sim_breach(s, "a worker acts on what a stale coordinator answered");
    }
    if (is_heard && event->message->epoch > w->epoch_seen)
        w->epoch_seen = event->message->epoch;
}

void watch_sent(sim *s, uint32_t index, const message *m)
{
    sim_worker *w = &s->workers[index];
    if (m->sender != w->sender || m->incarnation != w->incarnation)
        sim_breach(s, "a worker speaks for another");
    watch_patience(s, w, m);
    watch_handing(s, w, m);
    if (m->kind == MESSAGE_LEASE_REQUEST) {
        uint32_t slots = m->body.lease_request.slots_free;
        /* one that waits may find itself without a slot */
        bool is_new = m->sequence > w->lease_sequence;
        if (is_new)
            w->lease_sequence = m->sequence;
        if (slots > s->options->slots || (is_new && !slots))
            sim_breach(s, "a worker asks for work with %u free slots",
                       (unsigned)m->body.lease_request.slots_free);
        if (w->drained_for_ms && s->now > w->drained_ms)
            sim_breach(s, "a worker that leaves asks for work");
    }
    if (m->kind == MESSAGE_DEATH)
        w->orders_ms = s->now; /* before that it asks for nothing */
    if (m->kind != MESSAGE_ORDERS_REQUEST)
        return;
    bool is_stopped = s->now < w->stopped_until + HEARTBEAT_MS;
    if (s->now - w->orders_ms > HEARTBEAT_MS + HEARTBEAT_MS / 20 && !is_stopped)
        sim_breach(s, "a worker was silent for %llu ms",
                   (unsigned long long)(s->now - w->orders_ms));
    w->orders_ms = s->now;
}

void watch_started(sim *s,
                   uint32_t index,
                   const message_task_ref *ref,
                   uint32_t same)
{
    const sim_worker *w = &s->workers[index];
    const sim_death own = {w->sender, w->incarnation};
    uint32_t run = sim_run_of(s, &ref->run);
    sim_task *t = run < s->options->runs ? task_of(s, run, ref->task) : NULL;
    if (t && is_same_death(&t->stopped, &own))
        t->stopped = (sim_death){0}; /* it does it again */
    uint32_t most =
        s->options->jobs_most ? s->options->jobs_most : s->options->slots;
    if (same > 1)
        sim_breach(s, "a worker does a task twice at once");
    if (w->job_count > most)
        sim_breach(s, "a worker has %u jobs of at most %u",
                   (unsigned)w->job_count, (unsigned)most);
}

void watch_exit(sim *s, uint32_t index, bool is_alone)
{
    const sim_worker *w = &s->workers[index];
    if (w->job_count && !is_alone)
        sim_breach(s, "a worker goes home with work in its hands");
    if (w->handing_count && !is_alone)
        sim_breach(s,
                   "a worker goes home before its last result is acknowledged");
    if (!w->drained_for_ms && !s->draining)
        sim_breach(s, "a worker goes home though nobody sent it");
}

/* ---- the model's server ---- */

/* More than a sixth of a minute is never saved up: so many in any minute, and a
 * sixth. */
static void watch_rate(sim *s)
{
    const sim_options *o = s->options;
    uint32_t most = o->per_minute + o->per_minute / 6 + 2;
    if (!o->per_minute)
        return;
    uint64_t *at = &s->served[s->served_count % o->per_minute];
    /* the call per_minute before this one: with what was saved up the minute
     * may be a sixth shorter */
    bool is_early =
        s->served_count >= most && s->now - *at < MINUTE_MS - MINUTE_MS / 4;
    if (is_early && sim_is_calm(s))
        sim_breach(s, "more than %u calls in a minute",
                   (unsigned)o->per_minute);
    *at = s->now;
    s->served_count++;
}

void watch_call(sim *s, bool begins)
{
    const sim_options *o = s->options;
    s->serving += begins ? 1 : UINT32_MAX;
    bool is_down =
        sim_model_is_down(s, "sim") && s->now > o->down_ms + MINUTE_MS;
    if (begins && is_down && s->serving > s->report->tried_while_down)
        s->report->tried_while_down = s->serving;
    if (begins)
        watch_rate(s);
    /* a call whose task is not wanted any more makes room before its worker has
     * heard of that */
    bool is_over = o->in_flight && s->serving > 2 * o->in_flight + 2;
    if (begins && is_over && sim_is_calm(s))
        sim_breach(s, "%u calls at once of at most %u", (unsigned)s->serving,
                   (unsigned)o->in_flight);
}

/* ---- the end ---- */

static void watch_waiting(sim *s)
{
    const sim_owner *k = &s->owners[s->owner];
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < k->context_count; i++)
        waiting += k->contexts[i].taken;
    uint32_t most =
        s->draining ? 0 : 2 * s->options->workers + s->options->runs;
    if (waiting > most)
        sim_breach(s, "%u requests wait for an answer that never comes",
                   (unsigned)waiting);
}

void watch_end(sim *s)
{
    const sim_report *r = s->report;
    if (!sim_is_calm(s))
        return;
    if (r->calls != r->slots)
        sim_breach(s, "%u calls of %u slots", (unsigned)r->calls,
                   (unsigned)r->slots);
    watch_waiting(s);
}
