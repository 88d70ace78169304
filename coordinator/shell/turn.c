/* The end of a turn: its group is committed, and then what waits for that is
 * sent and told. Where a coordinator serves others, a thread waits for the disk
 * (carrier.h), so that the next turn gathers meanwhile; the longer a commit
 * takes, the more the next one keeps at once.
 *
 *   gathers (shell.group, .output) ──> on its way (shell.left) ──> durable
 *
 * One turn is on its way at a time, and nothing of a later one, an answer
 * without records either, is heard before it. shell_flush() waits for both:
 * whatever changes the store outside of a group comes behind it. */
#include "coordinator/shell/full.h"
#include "coordinator/shell/shell_internal.h"

#include <stdlib.h>

/* Its texts. */
void notice_free(notice *n)
{
    free(n->text);
    free(n->said);
}

/* A commit is paid for by whose requests it keeps, as far as these are no
 * workers. */
static void turn_charge_guests(shell *s, uint64_t took_ns)
{
    const turn_left *left = &s->left;
    const uint64_t writers = (uint64_t)left->workers + left->guests;
    if (left->guests)
        inbox_charge_guests(s->in, took_ns * left->guests / writers);
}

/* Is anything to be committed or told? */
static bool turn_has_output(const shell *s)
{
    return s->group || s->output.out_count || s->output.notice_count;
}

/* What comes from here on belongs to the next turn. False: the store is
 * dead. */
static bool turn_leave(shell *s)
{
    etna_error err = {ETNA_OK, ""};
    if (s->group && store_group_leave(s->group, &err)) {
        shell_fail(s, err.code, "%s", err.text);
        return false;
    }
    s->left = (turn_left){.is_on_its_way = true,
                          .group = s->group,
                          .output = s->output,
                          .turn = s->turn++,
                          .has_blobs = s->group_blobs};
    s->left.workers = s->group_workers;
    s->left.guests = s->group_guests;
    s->group = NULL;
    s->output = (turn_output){0};
    s->group_blobs = false;
    s->group_workers = s->group_guests = 0;
    return true;
}

static void turn_tell(shell *s, const notice *t)
{
    if (!t->text) {
        if (s->options.changed)
            s->options.changed(s->options.context, &t->run, t->state);
        return;
    }
    core_line line = {.run = t->run,
                      .sequence = t->sequence,
                      .time_ms = t->time_ms,
                      .text = t->text,
                      .happening = t->happening,
                      .task = t->task,
                      .attempt = t->attempt};
    if (s->options.line)
        s->options.line(s->options.context, &line);
}

/* Takes it. A callback may step the core again: what comes of that belongs to
 * a later turn. */
static void turn_hand_out(shell *s, turn_output output)
{
    for (size_t i = 0; i < output.out_count; i++) {
        const outgoing *o = &output.out[i];
        if (o->data) {
            inbox_answer(s->in, o->request, o->data, o->size);
        } else {
            inbox_drop(s->in, o->request);
        }
    }
    free(output.out);
    for (size_t i = 0; i < output.notice_count; i++) {
        turn_tell(s, &output.notices[i]);
        notice_free(&output.notices[i]);
    }
    free(output.notices);
}

/* How the commit of the turn on its way went. False: the disk is full and it
 * waits, or the shell has failed. */
static bool turn_arrive(shell *s, etna_error *carried, uint64_t took_ns)
{
    turn_left *left = &s->left;
    if (left->group) {
        s->commit_ns += took_ns;
        s->commits++;
        turn_charge_guests(s, took_ns);
        left->workers = left->guests = 0; /* who waits for room paid once */
        bool may_wait = s->options.wait_full && s->running && !s->stopping;
        if (carried->code == ETNA_E_FULL && may_wait) { /* it is as it was */
            full_met(s, carried->text);
            return false;
        }
        if (carried->code == ETNA_E_FULL) {
            store_group_abandon(left->group);
        } else {
            store_group_arrive(left->group, carried);
        }
        left->group = NULL;
    }
    if (carried->code) {
        shell_fail(s, carried->code, "%s", carried->text);
        return false;
    }
    turn_output output = left->output;
    s->durable = left->turn;
    *left = (turn_left){.is_on_its_way = false};
    full_over(s);
    turn_hand_out(s, output);
    return true;
}

/* Waits for the carrier, or commits here. A turn without a group "commits" too:
 * its answers may leave. As turn_arrive(). */
static bool turn_commit(shell *s)
{
    etna_error err = {ETNA_OK, ""};
    uint64_t took_ns = 0;
    if (s->carrier && carrier_is_busy(s->carrier)) {
        carrier_take(s->carrier, &err, &took_ns);
    } else if (s->left.group) {
        const uint64_t begun_ns = uv_hrtime();
        err.code = store_group_carry(s->left.group, &err);
        took_ns = uv_hrtime() - begun_ns;
    }
    return turn_arrive(s, &err, took_ns);
}

/* A full disk holds everything back, answers too: nothing is said that is not
 * kept. */
void shell_flush(shell *s)
{
    if (s->flushing)
        return; /* a callback stepped: the loop below takes it up */
    s->flushing = true;
    bool waits = s->full && !full_is_due(s);
    while (!s->failure && !waits) {
        if (!s->left.is_on_its_way && !turn_has_output(s))
            break;
        if (s->left.is_on_its_way || turn_leave(s))
            waits = !turn_commit(s);
    }
    if (!s->failure && !s->full)
        rows_forget_old(s);
    s->flushing = false;
}

/* Only what is to be kept is worth a thread's while. At the end, and while the
 * disk is full, the loop has nothing better to do than wait. */
void shell_end_turn(shell *s)
{
    const bool may_carry = s->carrier && !s->full && !s->stopping;
    if (s->failure || s->flushing)
        return;
    if (!may_carry) {
        shell_flush(s);
        return;
    }
    if (s->left.is_on_its_way)
        return; /* shell_turn_arrived() will come */
    if (!s->group) {
        shell_flush(s);
    } else if (turn_leave(s)) {
        carrier_give(s->carrier, s->left.group);
    }
}

/* What was taken by a flush meanwhile has been seen to. */
void shell_turn_arrived(void *context)
{
    shell *s = context;
    etna_error err;
    uint64_t took_ns;
    const bool is_new = carrier_is_busy(s->carrier) && !s->flushing;
    if (s->failure || !is_new || !carrier_is_done(s->carrier))
        return;
    s->flushing = true;
    carrier_take(s->carrier, &err, &took_ns);
    if (turn_arrive(s, &err, took_ns))
        rows_forget_old(s);
    s->flushing = false;
    if (s->stopping)
        shell_flush(s); /* what a callback wanted when it ended us */
}

static void turn_forget_output(turn_output *output)
{
    for (size_t i = 0; i < output->out_count; i++)
        free(output->out[i].data);
    for (size_t i = 0; i < output->notice_count; i++)
        notice_free(&output->notices[i]);
    free(output->out);
    free(output->notices);
    *output = (turn_output){0};
}

/* After a failure, and at the end. */
void shell_forget_turn(shell *s)
{
    store_group_abandon(s->group);
    s->group = NULL;
    turn_forget_output(&s->output);
    if (!s->left.is_on_its_way)
        return;
    store_group_abandon(s->left.group);
    turn_forget_output(&s->left.output);
    s->left = (turn_left){.is_on_its_way = false};
}
