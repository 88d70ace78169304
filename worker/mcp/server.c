/* One thread does all tools' work, in the order of the calls: a scene is edited
 * by one hand at a time, and an answer describes what stands. Transports call
 * from threads of their own; everything but the work itself is under one lock.
 * See server.h. */
#include "worker/mcp/server.h"

#include "worker/mcp/prompts.h"
#include "worker/mcp/tools.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Work for the thread. Owns tool and arguments and holds its line, which may
 * outlive its transport. */
typedef struct server_job {
    struct server_job *next;
    server_line *line;
    rpc_action_kind kind; /* CALL, READ or ROOTS */
    uint64_t call;        /* 0: nobody waits for an answer */
    char *tool;
    json_t *arguments;
    atomic_bool cancelled;
} server_job;

struct server_line {
    server *s;
    rpc *rpc;
    uint32_t users; /* the transport and each job */
    bool heard;     /* the transport is still there */
    server_ends ends;
};

/* Queue, running job and lines are under `lock`; `world` belongs to the thread
 * alone. */
struct server {
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t thread;
    bool started, stopping, ended;
    world *world;
    json_t *tools, *prompts, *resources, *templates;
    rpc_host host;
    server_job *first, **last, *running;
    uint32_t queued;
};

/* ---- lines ---- */

static void drop_line(server_line *line) /* under the lock */
{
    if (--line->users)
        return;
    rpc_free(line->rpc);
    free(line);
}

/* NULL: out of memory. */
server_line *server_line_new(server *s, const server_ends *ends)
{
    server_line *line = calloc(1, sizeof *line);
    if (line)
        line->rpc = rpc_new(&s->host);
    if (!line || !line->rpc) {
        free(line);
        return NULL;
    }
    line->s = s;
    line->users = 1;
    line->heard = true;
    line->ends = *ends;
    return line;
}

/* The transport's end: nothing is sent any more, but calls under way go on
 * until their jobs end. */
void server_line_free(server_line *line)
{
    server *s = line->s;
    pthread_mutex_lock(&s->lock);
    line->heard = false;
    drop_line(line);
    pthread_mutex_unlock(&s->lock);
}

/* ---- jobs ---- */

/* With its line, if nobody else has it. */
static void free_job(server_job *todo)
{
    drop_line(todo->line);
    json_decref(todo->arguments);
    free(todo->tool);
    free(todo);
}

/* A running job is only told; it ends when its tool looks. One that waits is
 * dropped at once. The protocol wants no answer in either case. */
static void cancel_job(server *s, const server_line *line, uint64_t call)
{
    server_job *running = s->running;
    if (running && running->line == line && running->call == call)
        atomic_store(&running->cancelled, true);
    for (server_job **at = &s->first; *at; at = &(*at)->next) {
        server_job *todo = *at;
        if (todo->line != line || todo->call != call)
            continue;
        *at = todo->next;
        if (s->last == &todo->next)
            s->last = at;
        s->queued--;
        free_job(todo);
        return;
    }
}

/* Takes the tool and arguments out of the action when it succeeds. */
static bool add_job(server_line *line, rpc_action *action)
{
    server *s = line->s;
    server_job *todo =
        s->queued < SERVER_QUEUE_MAX ? calloc(1, sizeof *todo) : NULL;
    if (!todo)
        return false;
    todo->line = line;
    line->users++;
    todo->kind = action->kind;
    todo->call = action->call;
    todo->tool = action->tool;
    todo->arguments = action->arguments;
    action->tool = NULL;
    action->arguments = NULL;
    *s->last = todo;
    s->last = &todo->next;
    s->queued++;
    pthread_cond_signal(&s->work);
    return true;
}

static void refuse_job(server_line *line, uint64_t call);

/* under the lock Frees `actions`. Sending happens under the lock, so answers
 * leave in the order in which they came to be; send must not block for long or
 * call back. */
static void line_perform(server_line *line, rpc_actions *actions)
{
    for (uint32_t i = 0; i < actions->count; i++) {
        rpc_action *action = &actions->items[i];
        if (action->kind == RPC_CANCEL)
            cancel_job(line->s, line, action->call);
        bool is_work = action->kind == RPC_CALL || action->kind == RPC_READ ||
                       action->kind == RPC_ROOTS;
        if (is_work && !add_job(line, action))
            refuse_job(line, action->call);
        if (action->kind == RPC_SEND && line->heard) {
            line->ends.send(line->ends.context, action, action->text);
            action->text = NULL;
        }
    }
    rpc_actions_free(actions);
}

/* Answered as a result with is_error, which models read, and not as a protocol
 * error, which many clients hide. It recurses once: the actions of a refusal
 * hold no work. */
static void refuse_job(server_line *line, uint64_t call)
{
    rpc_actions actions = {0};
    rpc_result result = {
        .content = json_pack(
            "[{s:s, s:s}]", "type", "text", "text",
            "too many calls wait already; wait for their answers first"),
        .is_error = true};
    rpc_finish(line->rpc, call, result, &actions);
    line_perform(line, &actions);
}

/* ---- the worker ---- */

/* From the tool's thread. */
static bool job_cancelled(void *context)
{
    server_job *todo = context;
    return atomic_load(&todo->cancelled);
}

/* From the worker thread, while the lock is free. */
static void job_progress(void *context,
                         double progress,
                         double total,
                         const char *said)
{
    server_job *todo = context;
    server *s = todo->line->s;
    rpc_actions actions = {0};
    pthread_mutex_lock(&s->lock);
    rpc_progress(todo->line->rpc, todo->call, progress, total, said, &actions);
    line_perform(todo->line, &actions);
    pthread_mutex_unlock(&s->lock);
}

/* under the lock, which is given up for the work */
static void do_job(server *s, server_job *todo)
{
    rpc_result result = {0};
    rpc_actions actions = {0};
    uint64_t nobody = 0;
    pthread_mutex_unlock(&s->lock);
    if (todo->kind == RPC_CALL)
        mcp_tools_call(s->world, todo->tool, todo->arguments, job_cancelled,
                       job_progress, todo, &result);
    if (todo->kind == RPC_READ)
        mcp_resource_read(s->world, todo->tool, &result);
    if (todo->kind == RPC_ROOTS)
        roots_take_clients(&s->world->roots, todo->arguments);
    pthread_mutex_lock(&s->lock);
    /* nobody asked for this end, and nobody hears of it */
    if (s->stopping)
        rpc_forget_call(todo->line->rpc, todo->call);
    rpc_finish(todo->line->rpc, todo->call, result, &actions);
    line_perform(todo->line, &actions);
    if (todo->line->heard)
        todo->line->ends.wake(todo->line->ends.context, nobody);
}

/* A job that is running when the server stops is still finished and freed
 * here. */
static void *server_work(void *context)
{
    server *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->stopping) {
        server_job *todo = s->first;
        if (!todo) {
            pthread_cond_wait(&s->work, &s->lock);
            continue;
        }
        s->first = todo->next;
        if (!s->first)
            s->last = &s->first;
        s->queued--;
        s->running = todo;
        do_job(s, todo);
        s->running = NULL;
        free_job(todo);
    }
    s->ended = true;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- what transports call ---- */

/* From any transport's thread. */
void server_receive(server_line *line,
                    uint64_t origin,
                    const rpc_headers *headers,
                    const char *text,
                    size_t size)
{
    server *s = line->s;
    rpc_actions actions = {0};
    pthread_mutex_lock(&s->lock);
    rpc_receive(line->rpc, origin, headers, text, size, &actions);
    line_perform(line, &actions);
    line->ends.wake(line->ends.context, origin);
    pthread_mutex_unlock(&s->lock);
}

/* Answers that a connection still waits for. */
uint32_t server_waiting(server_line *line, uint64_t origin)
{
    pthread_mutex_lock(&line->s->lock);
    uint32_t count = rpc_waiting(line->rpc, origin);
    pthread_mutex_unlock(&line->s->lock);
    return count;
}

/* Has the client introduced itself? */
bool server_has_session(server_line *line)
{
    pthread_mutex_lock(&line->s->lock);
    bool has = rpc_session(line->rpc) != NULL;
    pthread_mutex_unlock(&line->s->lock);
    return has;
}

/* A connection is gone: its calls are cancelled. */
void server_forget(server_line *line, uint64_t origin)
{
    rpc_actions actions = {0};
    pthread_mutex_lock(&line->s->lock);
    rpc_forget(line->rpc, origin, &actions);
    line_perform(line, &actions);
    pthread_mutex_unlock(&line->s->lock);
}

/* ---- beginning and end ---- */

/* NULL is fine. */
static void free_host(server *s)
{
    if (!s)
        return;
    json_decref(s->tools);
    json_decref(s->prompts);
    json_decref(s->resources);
    json_decref(s->templates);
}

/* False: out of memory. */
static bool make_host(server *s)
{
    s->tools = mcp_tools_list();
    s->prompts = mcp_prompts_list();
    s->resources = mcp_resources_list();
    s->templates = mcp_templates_list();
    s->host = (rpc_host){.name = "etna",
                         .title = "Etna",
                         .version = ETNA_VERSION,
                         .instructions = mcp_instructions,
                         .tools = s->tools,
                         .prompts = s->prompts,
                         .resources = s->resources,
                         .templates = s->templates,
                         .prompt = mcp_prompt_fill};
    bool has_lists = s->tools && s->prompts;
    return has_lists && s->resources && s->templates;
}

/* *ret is the caller's to free by server_free. */
etna_code server_new(const world_options *options,
                     const char *const *root_paths,
                     uint32_t root_count,
                     bool asks_roots,
                     server **ret,
                     etna_error *err)
{
    world *w = NULL;
    etna_code code = world_new(options, &w, err);
    if (code != ETNA_OK)
        return code;
    server *s = calloc(1, sizeof *s);
    if (!s || !make_host(s)) {
        free_host(s);
        free(s);
        world_free(w);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a server");
    }
    s->world = w;
    s->host.asks_roots = asks_roots;
    for (uint32_t i = 0; i < root_count && code == ETNA_OK; i++)
        code = roots_add(&w->roots, root_paths[i], err);
    s->last = &s->first;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    if (code != ETNA_OK) {
        server_free(s);
        return code;
    }
    if (pthread_create(&s->thread, NULL, server_work, s)) {
        server_free(s);
        return etna_fail(err, ETNA_E_NOMEM, "cannot start a thread");
    }
    s->started = true;
    *ret = s;
    return ETNA_OK;
}

/* Tools that have a process of their own under way, and a folder. These have a
 * process or a temporary folder that is to be cleaned up; other tools may end
 * with the process. */
static bool is_outside(const char *tool)
{
    return strcmp(tool, "run_goal") == 0 || strcmp(tool, "open_scene") == 0;
}

/* Does it wait for a run, which could be cancelled? */
static bool server_waits_outside(const server *s)
{
    bool is_busy = s->running && !s->ended;
    return is_busy && s->running->kind == RPC_CALL &&
           is_outside(s->running->tool);
}

/* Drops what waits, cancels what runs. Returns whether the thread is idle, so
 * that the caller may free; else it must leave the process, as the thread still
 * uses the server. */
bool server_stop(server *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 8; /* child.c ends within that */
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    while (s->first) {
        server_job *todo = s->first;
        s->first = todo->next;
        free_job(todo);
    }
    s->last = &s->first;
    s->queued = 0;
    if (s->running)
        atomic_store(&s->running->cancelled, true);
    pthread_cond_broadcast(&s->work);
    while (server_waits_outside(s)) {
        if (pthread_cond_timedwait(&s->work, &s->lock, &until))
            break;
    }
    bool idle = !s->running;
    pthread_mutex_unlock(&s->lock);
    return idle;
}

/* Only after server_stop said that it is idle, or before the thread was
 * started: it joins. */
void server_free(server *s)
{
    if (s->started)
        pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    free_host(s);
    world_free(s->world);
    free(s);
}
