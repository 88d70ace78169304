/* Finds who carries a batch's runs, and finds the next one when that one ends.
 *
 *    --connect URL:  one visit, which waits for a restarted coordinator
 *    otherwise:      take the store and carry them here
 *                    owned by another: visit the owner
 *                    that owner went: pause, again from the start
 *
 * Where this process owns the store, the loop that carries runs has the main
 * thread, as in `etna run`, and the batch is a client of it on a thread of its
 * own. So reading scenes and writing results keeps no worker waiting. */
#include "coordinator/cli/batch_carry.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/left.h"
#include "coordinator/cli/remote.h"
#include "coordinator/report/run_json.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/endpoint.h"
#include "coordinator/shell/shell.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long to wait for an answer of an owner that is alive: it may itself be
 * waiting for room on its disk. */
enum {
    FULL_PATIENCE_MS = 3600000
};
/* Milliseconds. OUTAGE: a run whose model does not answer retries by itself
 * after this. LOOK: between two looks for an owner. The last two: how long a
 * store may be without an owner before the batch gives up; a coordinator is
 * restarted by hand or by a supervisor, which takes longer. */
enum {
    OUTAGE_MS = 30000,
    LOOK_MS = 100,
    OWNER_PATIENCE_MS = 60000,
    COORDINATOR_PATIENCE_MS = 600000
};

/* Shared by the main thread (the shell's loop) and the batch's thread. The
 * latter writes `code` and `err` before it sets `over`; the former sets `stop`
 * and joins. All else is the main thread's. */
typedef struct batch_carrier {
    batch *b;
    const batch_carry_options *options;
    char store_path[4000], cache[4096], program[4096];
    endpoint endpoint;
    store *store;
    shell *shell;
    atomic_int stop;  /* of the thread */
    atomic_bool over; /* it has nothing more to do */
    bool told_others; /* whose runs go on in this process */
    etna_code code;   /* the thread's; after `over` */
    etna_error err;
    store_owner owner; /* who was found to own the store */
    uint64_t epoch;    /* of the first of these that was visited; 0: none was */
    /* since when nobody carries the runs; 0: somebody does */
    uint64_t lost_ms;
    bool told_waiting;
    int signal;
} batch_carrier;

/* Drives the batch through one carrier until it is done or that one is gone. */
static etna_code batch_visit(batch *b,
                             const char *url,
                             const client_options *options,
                             etna_error *err)
{
    client *c;
    b->stop = options->stop;
    etna_code code = client_open(url, options, &c, err);
    if (code)
        return code;
    code = batch_drive(b, c, err);
    client_close(c);
    return code;
}

/* ---- by this process ---- */

/* The batch as a client of our own loop; wakes the loop when it has ended. */
static void *batch_thread(void *context)
{
    batch_carrier *k = context;
    client_options options = client_options_default();
    options.stop = &k->stop;
    options.answer_ms = FULL_PATIENCE_MS;
    k->code = batch_visit(k->b, k->endpoint.url, &options, &k->err);
    k->over = true;
    shell_wake(k->shell);
    return NULL;
}

/* On the loop's thread. The batch has ended: the loop ends with it, unless runs
 * of other submitters go on here, which are carried to their end. Where the
 * batch failed, everything is left as it is for the next start. */
static void batch_is_over(batch_carrier *k)
{
    if (!k->over || !k->shell)
        return;
    uint32_t others = core_live(shell_core(k->shell));
    if (k->code) {
        shell_leave(k->shell);
    } else if (!others) {
        shell_stop(k->shell);
    } else if (!k->told_others) {
        const char *plural = others == 1 ? "" : "s";
        const char *verb_end = others == 1 ? "es" : "";
        k->told_others = true;
        fprintf(
            stderr,
            "etna: the batch is done; %u other run%s of this store go%s on in this process\n",
            (unsigned)others, plural, verb_end);
    }
}

static void batch_trouble(void *context, const char *text)
{
    (void)context;
    fputs("etna: ", stderr);
    terminal_print(stderr, text);
    fputc('\n', stderr);
}

static void batch_woken(void *context)
{
    batch_is_over(context);
}

static void batch_changed(void *context, const etna_id *run, run_state state)
{
    (void)run;
    (void)state;
    batch_is_over(context);
}

static etna_code batch_open_shell(batch_carrier *k, etna_error *err)
{
    shell_options options = shell_options_default();
    if (!children_program(k->program, sizeof k->program))
        return etna_fail(err, ETNA_E_IO,
                         "the path of this program is too long");
    cli_raise_files();
    snprintf(k->cache, sizeof k->cache, "%s/cache", k->store_path);
    options.store = k->store;
    options.url = k->endpoint.url;
    options.outage_ms = OUTAGE_MS;
    cli_share_processors(&options, k->options->workers);
    options.worker_program = k->program;
    options.cache = k->cache;
    options.context = k;
    options.wait_full = true;
    options.trouble = batch_trouble;
    options.changed = batch_changed;
    options.woken = batch_woken;
    options.report = run_json_report;
    return shell_new(&options, &k->shell, err);
}

static void batch_drop_shell(batch_carrier *k)
{
    shell_free(k->shell);
    k->shell = NULL;
}

/* What came of the batch, once its shell has ended without an error. */
static etna_code batch_ended(const batch_carrier *k, etna_error *err)
{
    if (k->signal)
        return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
    if (k->code && err)
        *err = k->err;
    return k->code;
}

/* Carries the batch's runs in this process until they are done. After a second
 * signal every destructor is skipped. */
static etna_code batch_own(batch_carrier *k, etna_error *err)
{
    pthread_t thread;
    bool twice = false;
    k->stop = 0;
    k->over = false;
    etna_code code = batch_open_shell(k, err);
    /* Who was the guest of an owner that died takes up what that one ran. */
    if (!code && k->epoch)
        code = left_resume(k->shell, k->store, RUN_KEEPER_COMMAND, k->epoch,
                           NULL, err);
    if (!code && pthread_create(&thread, NULL, batch_thread, k))
        code = etna_fail(err, ETNA_E_NOMEM, "the system gives no thread");
    if (code) {
        batch_drop_shell(k);
        return code;
    }
    code = shell_run(k->shell, &k->signal, &twice, err);
    if (twice) { /* at once: workers are killed, the system takes the rest */
        endpoint_remove(&k->endpoint);
        _exit(128 + k->signal);
    }
    k->stop = 1;
    pthread_join(thread, NULL);
    batch_drop_shell(k);
    return code ? code : batch_ended(k, err);
}

/* ---- by others ---- */

static bool batch_owner_gone(void *context, uint64_t away_ms)
{
    const batch_carrier *k = context;
    (void)away_ms;
    return cli_owner_is_gone(k->store_path, &k->owner);
}

/* One visit of the store's owner. ETNA_E_NETWORK: there is none, or it went.
 * Any progress resets the patience with owners that come and go. */
static etna_code batch_visit_owner(batch_carrier *k, etna_error *err)
{
    client_options options = client_options_default();
    bool alive = false;
    etna_code code = store_owner_read(k->store_path, &k->owner, &alive, NULL);
    bool serves = !code && alive && k->owner.endpoint[0];
    if (!serves)
        return etna_fail(err, ETNA_E_NETWORK,
                         "%s: nobody carries runs of this store",
                         k->store_path);
    if (!k->epoch)
        k->epoch = k->owner.epoch;
    visit_catch_signals();
    options.store = k->store_path;
    options.stop = visit_signal();
    options.context = k;
    options.gone = batch_owner_gone;
    options.answer_ms = FULL_PATIENCE_MS;
    uint32_t before = k->b->left;
    code = batch_visit(k->b, k->owner.endpoint, &options, err);
    if (k->b->left != before || code != ETNA_E_NETWORK)
        k->lost_ms = 0;
    return code;
}

static etna_code batch_connect(batch_carrier *k, etna_error *err)
{
    remote_patience patience = {.url = k->options->connect,
                                .wait_s = k->options->wait_s};
    visit_catch_signals();
    client_options options = remote_client_options(&patience);
    options.store = k->options->store;
    return batch_visit(k->b, k->options->connect, &options, err);
}

/* ---- one after the other ---- */

/* A pause before the next look for an owner. False: it has taken too long, or a
 * signal came. */
static bool batch_wait(batch_carrier *k)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    uint64_t now = batch_now_ms();
    if (!k->lost_ms)
        k->lost_ms = now;
    bool waits = k->b->of_coordinator;
    if (waits && !k->told_waiting) {
        k->told_waiting = true;
        terminal_printf(
            stderr,
            "etna: waiting for a coordinator of the store %s to be started again",
            k->store_path);
        fputc('\n', stderr);
    }
    nanosleep(&pause, NULL);
    return now - k->lost_ms <
               (waits ? COORDINATOR_PATIENCE_MS : OWNER_PATIENCE_MS) &&
           !*visit_signal();
}

/* The owner of the store went, or a run is for coordinators alone and none is
 * there yet. */
static bool batch_is_to_look_again(const batch_carrier *k, etna_code code)
{
    bool unserved = code == ETNA_E_NETWORK || code == ETNA_E_STALE;
    return unserved || (code == ETNA_E_OWNED && k->b->of_coordinator);
}

static etna_code batch_take_store(batch_carrier *k, etna_error *err)
{
    etna_code code = cli_own_store(k->options->store, k->store_path,
                                   k->endpoint.url, &k->store, err);
    if (code)
        return code;
    code = batch_own(k, err);
    store_close(k->store);
    k->store = NULL;
    return code;
}

/* Takes the store, or stays with who has it. */
static etna_code batch_turn(batch_carrier *k, etna_error *err)
{
    etna_code code =
        k->b->of_coordinator ? ETNA_E_OWNED : batch_take_store(k, err);
    return code == ETNA_E_OWNED ? batch_visit_owner(k, err) : code;
}

static etna_code batch_carry_here(batch_carrier *k, etna_error *err)
{
    etna_code code;
    do {
        code = batch_turn(k, err);
    } while (batch_is_to_look_again(k, code) && batch_wait(k));
    return code;
}

etna_code batch_carry(batch *b,
                      const batch_carry_options *options,
                      int *ret_signal,
                      etna_error *err)
{
    batch_carrier *k = calloc(1, sizeof *k);
    if (!k)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    k->b = b;
    k->options = options;
    k->endpoint.lock_fd = -1;
    etna_code code;
    if (options->connect) {
        code = batch_connect(k, err);
    } else {
        code = cli_store_path(options->store, k->store_path,
                              sizeof k->store_path, err);
        if (!code)
            code = endpoint_make(&k->endpoint, err);
        if (!code)
            code = batch_carry_here(k, err);
        endpoint_remove(&k->endpoint);
    }
    *ret_signal = k->signal ? k->signal : *visit_signal();
    bool interrupted = code && *ret_signal;
    free(k);
    return interrupted ? ETNA_E_CANCELLED : code;
}
