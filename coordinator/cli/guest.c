/* A visit speaks the public wire protocol to whoever owns the store, on that
 * owner's private endpoint. The owner may die at any point, so each visit
 * begins by reading who owns the store now and asks for nothing that it
 * remembers. */
#include "coordinator/cli/guest.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/outcome.h"
#include "coordinator/report/terminal.h"
#include "proto/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds: a pause is PAUSE to PAUSE + PAUSE_MORE. How long nobody may
 * serve the run: a coordinator is restarted by a person or a supervisor, an
 * owner that died is replaced at once. */
enum {
    PAUSE_MS = 50,
    PAUSE_MORE_MS = 64,
    OWNER_PATIENCE_MS = 60000,
    COORDINATOR_PATIENCE_MS = 600000
};

bool guest_waits(const guest *g)
{
    return g->status.keeper == RUN_KEEPER_COORDINATOR;
}

void guest_leave_to_coordinator(guest *g)
{
    g->status.keeper = RUN_KEEPER_COORDINATOR;
}

/* Called by the client while the connection is down: whether to stop waiting
 * for it, since the store has no owner or another one. */
static bool guest_owner_gone(void *context, uint64_t away_ms)
{
    const guest *g = context;
    (void)away_ms;
    return cli_owner_is_gone(g->store_path, &g->owner);
}

/* `etna resume` of a run that another process is carrying just now: two users
 * would watch and suspend one run. */
static etna_code guest_refuse_living(const guest *g, etna_error *err)
{
    char name[33];
    etna_id_hex(&g->options->run, name);
    return etna_fail(
        err, ETNA_E_OWNED,
        "process %llu on %s goes on with this run; end it with: etna cancel %s",
        (unsigned long long)g->owner.pid, g->owner.host, name);
}

/* Submits a new run, or resumes one that rests. Repeating it is harmless: the
 * run's name is chosen by us, and a known one is only looked at. */
static etna_code guest_hand_over(guest *g, client *c, etna_error *err)
{
    const runner_options *o = g->options;
    etna_code code = o->config ? visit_submit(c, o, &g->status, err)
                               : visit_ask(c, MESSAGE_RUN_STATUS_REQUEST,
                                           &o->run, &g->status, err);
    bool others = !o->config && !g->epoch && g->status.state == RUN_RUNNING;
    if (!code && others)
        return guest_refuse_living(g, err);
    if (!code && g->status.state == RUN_SUSPENDED)
        code = visit_resume(c, o, &g->status, err);
    if (!code && !g->epoch)
        g->epoch = client_epoch(c);
    if (!code)
        g->lost_ms = 0;
    return code;
}

/* A signal came: our run is suspended there, all others go on. If it ended in
 * the meantime, that is reported as usual. Before any owner accepted it there
 * is nothing to suspend. */
static guest_end guest_suspend(guest *g, client *c, int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    int number = atomic_exchange(visit_signal(), 0);
    if (!g->epoch) {
        *ret_exit = outcome_interrupted(g->options, NULL, number);
        return GUEST_LEFT;
    }
    bool suspended =
        !visit_ask(c, MESSAGE_RUN_SUSPEND, &g->options->run, &g->status, &err);
    if (suspended && g->status.state >= RUN_COMPLETE)
        return GUEST_OVER;
    progress_end(g->progress);
    *ret_exit = outcome_interrupted(g->options, "suspended", number);
    return GUEST_LEFT;
}

/* Whether another owner may serve the run: this one went, or it is a plain
 * command which refuses a run that belongs to a coordinator. */
static bool guest_is_to_look_again(const guest *g, etna_code code)
{
    bool unserved = code == ETNA_E_NETWORK || code == ETNA_E_STALE;
    bool is_taken = g->epoch || (g->options->config && guest_waits(g));
    /* by who is no coordinator, and in the way of one */
    bool refused = code == ETNA_E_OWNED && is_taken;
    return unserved || refused;
}

/* From submission to the end of the run, on one connection. */
static guest_end guest_stay(guest *g, client *c, int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    etna_code code = guest_hand_over(g, c, &err);
    if (!code)
        code = visit_watch(c, &g->options->run, g->progress, &g->after, &err);
    if (!code)
        code = visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, &g->options->run,
                         &g->status, &err);
    if (!code)
        return GUEST_OVER;
    if (code == ETNA_E_CANCELLED)
        return guest_suspend(g, c, ret_exit);
    if (guest_is_to_look_again(g, code))
        return GUEST_AGAIN;
    progress_end(g->progress);
    *ret_exit = cli_fail(&err);
    return GUEST_LEFT;
}

guest_end guest_visit(guest *g, int *ret_exit)
{
    etna_error err = {ETNA_OK, ""};
    client_options options = client_options_default();
    client *c;
    bool alive = false;
    if (store_owner_read(g->store_path, &g->owner, &alive, NULL) || !alive)
        return GUEST_AGAIN;
    if (!g->owner.endpoint[0])
        return GUEST_AGAIN; /* it only tidies up, and is done soon */
    visit_catch_signals();
    options.store = g->store_path;
    options.stop = visit_signal();
    options.context = g;
    options.gone = guest_owner_gone;
    if (client_open(g->owner.endpoint, &options, &c, &err))
        return GUEST_AGAIN;
    guest_end end = guest_stay(g, c, ret_exit);
    client_close(c);
    return end;
}

static void guest_tell_waiting(guest *g)
{
    if (g->told)
        return;
    g->told = true;
    terminal_printf(
        stderr,
        "etna: waiting for a coordinator of the store %s to be started again",
        g->store_path);
    fputc('\n', stderr);
}

static bool guest_give_up(const guest *g, int *ret_exit)
{
    etna_error err;
    if (guest_waits(g)) {
        etna_fail(
            &err, ETNA_E_NETWORK,
            "%s: no coordinator was started again; the run is kept and goes on when one is",
            g->store_path);
    } else {
        etna_fail(
            &err, ETNA_E_OWNED,
            "%s: process %llu on %s owns this store and does not answer; stop it first",
            g->store_path, (unsigned long long)g->owner.pid, g->owner.host);
    }
    *ret_exit = cli_fail(&err);
    return false;
}

bool guest_pause(guest *g, int *ret_exit)
{
    uint64_t now = clock_now_ms();
    if (!g->lost_ms)
        g->lost_ms = now;
    uint64_t patience =
        guest_waits(g) ? COORDINATOR_PATIENCE_MS : OWNER_PATIENCE_MS;
    if (now - g->lost_ms > patience)
        return guest_give_up(g, ret_exit);
    if (guest_waits(g))
        guest_tell_waiting(g);
    int number = *visit_signal();
    if (number) {
        *ret_exit = outcome_interrupted(g->options,
                                        g->epoch ? "it rests" : NULL, number);
        return false;
    }
    /* Those who wait for one store don't look in step. */
    uint64_t pause = PAUSE_MS + (uint64_t)getpid() % PAUSE_MORE_MS;
    struct timespec wait = {.tv_nsec = (long)pause * 1000000};
    nanosleep(&wait, NULL);
    return true;
}
