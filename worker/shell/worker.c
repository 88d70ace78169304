/* The worker's loop and its handles: signals, the parent's pipe, the timer of
 * the link, the wake-ups of NNG and the pool.
 *
 * Begin at worker_run. Everything that decides is elsewhere and pure: the link
 * (worker/link) says what to send and which jobs to begin, the jobs
 * (worker/jobs) say what they want. Here are only the handles that turn the
 * outside into events, and shell_pump (link_driver.c), which is called after
 * each of them and carries out what the link put out. All of it runs on one
 * thread; the pool's threads compute, and nothing else.
 *
 * Ends: drained (the link says exit): all is idle, everything is taken down in
 * order. A second signal, or the parent gone: at once; a job that computes
 * cannot be stopped, so after half a second of patience the memory is left to
 * the process's end. */
#include "worker/shell/worker.h"

#include "proto/build.h"
#include "proto/cpus.h"
#include "worker/shell/http.h"
#include "worker/shell/shell.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* The cookie is any number that memory does not hold by chance. UNANSWERED_MS:
 * a person who waits is told after two seconds. SLOTS_A_CPU: enough that a CPU
 * has work while results travel. REOPEN_MS: see shell_redial. CONVERSATIONS:
 * the design's number of calls that wait on a network. */
enum {
    OPTIONS_COOKIE = 0x3a0d0ff,
    PATIENCE_MS = 500,
    UNANSWERED_MS = 2000,
    SLOTS_A_CPU = 4,
    THREADS_MAX = 1024,
    REOPEN_MS = 10000,
    CONVERSATIONS = 512
};

#define CACHE_BYTES (UINT64_C(8) << 30)
#define CACHE_MEMORY_BYTES (UINT64_C(512) << 20)

/* Options must come from here. */
worker_options worker_options_default(void)
{
    return (worker_options){.cookie = OPTIONS_COOKIE, .parent_fd = -1};
}

/* A line for whoever started it. */
void shell_say(shell *s, const char *format, ...)
{
    if (!s->options.say)
        return;
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    s->options.say(s->options.context, line);
}

/* The loop ends with this turn. */
void shell_stop(shell *s)
{
    s->stopping = true;
    uv_stop(&s->loop);
}

/* The first failure is told. */
void shell_fail(shell *s, const etna_error *err)
{
    if (!s->stopping)
        s->error = *err;
    shell_stop(s);
}

/* ---- handles ---- */

/* From any thread; uv_async_send is the one call of libuv that may be. */
static void wake(void *context)
{
    shell *s = context;
    /* calls coalesce: the collectors take all there is */
    uv_async_send(&s->wake);
}

/* From NNG's threads and the pool's. */
static void on_wake(uv_async_t *handle)
{
    shell *s = handle->data;
    if (!s->stopping)
        net_collect(s->net);
    if (!s->stopping)
        pool_collect(s->pool);
    shell_pump(s);
}

/* A worker that `etna run` started stays silent: its parent narrates. */
bool shell_is_by_hand(const shell *s)
{
    return s->options.parent_fd < 0 || s->options.supervised;
}

/* The parent's pipe carries single bytes or nothing. */
static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    static char ignored[64];
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(ignored, sizeof ignored);
}

/* The first signal drains, the second ends at once. */
static void on_told_to_end(shell *s, int number)
{
    if (s->signals++) {
        s->end.signal = number;
        shell_stop(s);
        return;
    }
    leave_begin(s);
}

/* To end. */
static void on_signal(uv_signal_t *handle, int number)
{
    on_told_to_end(handle->data, number);
}

/* To connect anew, as after a laptop's sleep. */
static void on_hangup(uv_signal_t *handle, int number)
{
    (void)number;
    shell_redial(handle->data);
}

/* A supervisor's bytes are signals: those sent to all processes of a group
 * would else come twice. */
static void on_parent_says(shell *s, int number)
{
    if (number == SIGHUP) {
        shell_redial(s);
    } else {
        on_told_to_end(s, number);
    }
}

/* Its end means ours. */
static void on_parent(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    shell *s = stream->data;
    if (count < 0)
        shell_stop(s);
    for (ssize_t i = 0; i < count && s->options.supervised && !s->stopping; i++)
        on_parent_says(s, buf->base[i]);
}

/* Once. */
static void on_unanswered(uv_timer_t *timer)
{
    shell *s = timer->data;
    if (!s->told_unanswered)
        shell_say(s, "no coordinator answers at %s yet; trying until one does",
                  net_address(s->net));
    s->told_unanswered = true;
}

/* Also when nothing was under way: what NNG queues for the next pipe would not
 * tell of it. */
static void on_disconnected(void *context)
{
    shell_feed(context, &(link_event){.kind = LINK_LOST}, NULL);
}

/* Once for each reason. */
static void on_unknown(void *context, const char *why)
{
    shell *s = context;
    s->told_unanswered = true;
    if (strncmp(s->refusal, why, sizeof s->refusal - 1) == 0)
        return; /* it is tried again and again */
    snprintf(s->refusal, sizeof s->refusal, "%s", why);
    shell_say(s, "%s", why);
}

/* Connecting itself happens later, and again. */
static etna_code open_net(shell *s, etna_error *err)
{
    net_handlers handlers = {
        s, wake, shell_received, shell_lost, on_disconnected, on_unknown};
    return net_open(s->options.url, s->options.store, &handlers, &s->net, err);
}

/* A coordinator that stays away may be our own fault: NNG 1.5 sometimes never
 * finishes with a lost pipe (net.c), and then its socket does not connect
 * again. A new socket does. */
void shell_redial(shell *s)
{
    etna_error err = {0};
    if (s->stopping)
        return;
    net_close(s->net);
    s->net = NULL;
    if (open_net(s, &err)) {
        shell_fail(s, &err);
        return;
    }
    shell_feed(s, &(link_event){.kind = LINK_LOST}, NULL);
    shell_pump(s);
}

/* While nobody answers. */
static void on_reopen(uv_timer_t *timer)
{
    shell_redial(timer->data);
}

/* Tries again every REOPEN_MS. */
void shell_away(shell *s, bool away)
{
    if (away) {
        uv_timer_start(&s->reopen, on_reopen, REOPEN_MS, REOPEN_MS);
    } else {
        uv_timer_stop(&s->reopen);
    }
}

/* Of a supervised worker its supervisor tells it. */
static int start_signals(shell *s)
{
    int rv = uv_signal_init(&s->loop, &s->terminate);
    if (!rv)
        rv = uv_signal_init(&s->loop, &s->interrupt);
    if (!rv)
        rv = uv_signal_init(&s->loop, &s->hangup);
    if (rv || s->options.supervised)
        return rv;
    rv = uv_signal_start(&s->terminate, on_signal, SIGTERM);
    if (!rv)
        rv = uv_signal_start(&s->interrupt, on_signal, SIGINT);
    if (!rv)
        rv = uv_signal_start(&s->hangup, on_hangup, SIGHUP);
    return rv;
}

/* All of the loop's, before anything can use them. */
static etna_code start_handles(shell *s, etna_error *err)
{
    s->looking.data = s->patience.data = s->wake.data = s->timer.data =
        s->unanswered.data = s->reopen.data = s->leave.data =
            s->terminate.data = s->interrupt.data = s->hangup.data =
                s->parent.data = s;
    int rv = uv_async_init(&s->loop, &s->wake, on_wake);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->timer);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->patience);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->looking);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->unanswered);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->reopen);
    if (!rv)
        rv = uv_timer_init(&s->loop, &s->leave);
    if (!rv && shell_is_by_hand(s))
        rv = uv_timer_start(&s->unanswered, on_unanswered, UNANSWERED_MS, 0);
    if (!rv)
        rv = start_signals(s);
    if (rv)
        return etna_fail(err, ETNA_E_IO, "cannot start the worker's loop: %s",
                         uv_strerror(rv));
    if (s->options.parent_fd < 0)
        return ETNA_OK;
    rv = uv_pipe_init(&s->loop, &s->parent, 0);
    if (!rv)
        rv = uv_pipe_open(&s->parent, s->options.parent_fd);
    if (!rv)
        rv = uv_read_start((uv_stream_t *)&s->parent, on_alloc, on_parent);
    if (rv)
        return etna_fail(err, ETNA_E_USAGE,
                         "--parent-fd %d is not an open pipe: %s",
                         s->options.parent_fd, uv_strerror(rv));
    return ETNA_OK;
}

/* For uv_walk. */
static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* ---- parts ---- */

/* An eighth of the machine: several workers may share one, and renders need
 * memory, too. */
static size_t memory_for_scenes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    uint64_t eighth =
        pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 8 : 0;
    if (eighth < UINT64_C(256) << 20)
        return (size_t)256 << 20;
    return eighth > UINT64_C(8) << 30 ? (size_t)8 << 30 : (size_t)eighth;
}

/* With neither given: four slots a CPU and 512 conversations. With slots alone,
 * as many conversations: who bounds a worker's tasks means all of them. */
static etna_code start_link(shell *s, uint32_t cpus, etna_error *err)
{
    link_config config = link_config_default();
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    config.incarnation =
        (uint64_t)wall.tv_sec * 1000000 + (uint64_t)wall.tv_nsec / 1000;
    config.death = s->options.death;
    config.death.worker = config.sender = s->options.sender;
    if (s->options.incarnation)
        config.incarnation = s->options.incarnation;
    if (!config.sender && getrandom(&config.sender, sizeof config.sender, 0) !=
                              (ssize_t)sizeof config.sender)
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    if (!config.sender)
        config.sender = 1;
    config.cpus = cpus;
    config.slots = s->options.slots ? s->options.slots : SLOTS_A_CPU * cpus;
    uint32_t most =
        s->options.conversations ? s->options.conversations : CONVERSATIONS;
    if (!s->options.slots && config.slots > most)
        config.slots = most;
    config.jobs_most =
        s->options.conversations || !s->options.slots ? most : s->options.slots;
    if (config.jobs_most < config.slots)
        return etna_fail(err, ETNA_E_USAGE,
                         "--conversations %u is fewer than --slots %u",
                         (unsigned)config.jobs_most, (unsigned)config.slots);
    config.build = shell_is_by_hand(s)
                       ? etna_build()
                       /* whoever starts its own workers knows of which build
                        * they are */
                       : "";
    return link_new(&config, &s->link, err);
}

/* A cache on disk that cannot be opened is no reason to stop: the worker
 * downloads more. */
static etna_code start_cache(shell *s, etna_error *err)
{
    if (s->options.cache) {
        etna_error why;
        uint64_t most =
            s->options.cache_bytes ? s->options.cache_bytes : CACHE_BYTES;
        if (!cache_open(s->options.cache, most, &s->cache, &why)) {
            s->cache_folder = s->options.cache;
            return ETNA_OK;
        }
        shell_say(s, "no cache on disk, in memory instead: %s", why.text);
    }
    return cache_open(NULL, CACHE_MEMORY_BYTES, &s->cache, err);
}

/* What jobs share, and the threads that do them. */
static etna_code start_jobs(shell *s,
                            uint32_t cpus,
                            uint32_t threads,
                            etna_error *err)
{
    const size_t memory =
        s->options.memory ? s->options.memory : memory_for_scenes();
    etna_code code = job_shared_new(memory, &s->shared, err);
    if (code)
        return code;
    job_shared_use_threads(s->shared, cpus);
    return pool_new(threads, wake, s, &s->pool, err);
}

/* In the order in which one needs the other. */
static etna_code start(shell *s, etna_error *err)
{
    uint32_t cpus = s->options.cpus ? s->options.cpus : cpus_usable();
    uint32_t threads = s->options.threads ? s->options.threads : cpus;
    if (threads > THREADS_MAX || cpus > THREADS_MAX)
        return etna_fail(
            err, ETNA_E_USAGE,
            "at most %d CPUs and threads a worker; start several workers",
            THREADS_MAX);
    etna_code code = start_handles(s, err);
    if (!code)
        code = start_link(s, cpus, err);
    if (!code)
        code = start_cache(s, err);
    if (!code)
        code = start_jobs(s, cpus, threads, err);
    if (!code)
        code = open_net(s, err);
    return code;
}

/* The network and the pool first, as their threads call into the rest. A pool
 * that does not stop keeps everything alive; the process then ends by _exit. */
static void take_down(shell *s)
{
    net_close(s->net);
    s->end.abandoned = !pool_free(s->pool, PATIENCE_MS);
    if (s->end.abandoned)
        return;
    errand_free_all(s);
    talk_free_all(s);
    shell_feed_free(s);
    job_shared_free(s->shared);
    cache_close(s->cache);
    link_free(s->link);
    http_close(s->http, NULL, NULL);
    uv_walk(&s->loop, close_handle, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
    pthread_mutex_destroy(&s->cache_mutex);
}

/* Returns when it was told to end, or failed. */
etna_code worker_run(const worker_options *options,
                     worker_end *ret_end,
                     etna_error *err)
{
    *ret_end = (worker_end){0};
    if (options->cookie != OPTIONS_COOKIE || !options->url)
        return etna_fail(
            err, ETNA_E_USAGE,
            "a worker's options must come from worker_options_default() and have a URL");
    shell *s = calloc(1, sizeof *s);
    if (!s || uv_loop_init(&s->loop)) {
        free(s);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a worker");
    }
    s->options = *options;
    s->fed_last = &s->fed_first;
    chain_init(&s->elsewhere);
    pthread_mutex_init(&s->cache_mutex, NULL);
    etna_code code = start(s, err);
    if (!code) {
        leave_watch(s);
        shell_feed(s, &(link_event){.kind = LINK_START}, NULL);
        shell_pump(s);
        if (!s->stopping)
            uv_run(&s->loop, UV_RUN_DEFAULT);
        code = s->error.code;
        if (code && err)
            *err = s->error;
    }
    take_down(s);
    *ret_end = s->end;
    if (!s->end.abandoned)
        free(s);
    return code;
}
