/* See consult.h. */
#include "worker/cli/consult.h"

#include "proto/secrets.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* A server that asks for a pause longer than WAIT_MAX_MS is not waited for. */
enum {
    TRIES = 3,
    WAIT_MAX_MS = 10000
};

/* The model of that name; "builtin" is refused, as there is nothing to ask
 * it. */
etna_code consult_read_list(const char *path,
                            const char *name,
                            etna_arena *arena,
                            models *ret,
                            const models_model **ret_model,
                            etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return etna_fail(err, ETNA_E_USAGE, "--list %s: %s", path,
                         strerror(errno));
    etna_code code = bundle_read_file(fd, path, &text, &size, err);
    if (code == ETNA_OK)
        code = models_from_json((const char *)text, size, arena, ret, err);
    free(text);
    if (code != ETNA_OK)
        return code;
    *ret_model = models_find(ret, name);
    bool is_there = *ret_model && strcmp(name, "builtin") != 0;
    return is_there
               ? ETNA_OK
               : etna_fail(err, ETNA_E_USAGE,
                           "--model %.80s: there is none of that name", name);
}

etna_code consult_open(consult *c,
                       const models *list,
                       const models_model *model,
                       uint32_t patience_ms,
                       etna_error *err)
{
    *c = (consult){.list = list,
                   .model = model,
                   .patience_ms = patience_ms,
                   .kept = ETNA_ARENA_INIT};
    if (uv_loop_init(&c->loop))
        return etna_fail(err, ETNA_E_IO, "no event loop");
    guard_secrets();
    etna_code code =
        api_key_read(&list->endpoints[model->endpoint], &c->key, err);
    return code == ETNA_OK ? http_new(&c->loop, &c->http, err) : code;
}

void consult_close(consult *c)
{
    http_close(c->http, NULL, NULL);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_loop_close(&c->loop);
    api_key_wipe(&c->key);
    etna_arena_free(&c->kept);
}

static void answer_came(void *context, const provider_answer *answer)
{
    consult *c = context;
    c->has_come = true;
    c->status = answer->status;
    if (c->texts)
        embed_read(c->list, c->model, c->texts, answer, c->arena, &c->outcome,
                   &c->vectors, &c->error);
    else
        provider_read(c->list, c->model, c->request, answer, c->arena,
                      &c->outcome, &c->error);
    uv_stop(&c->loop);
}

static void time_ran_out(uv_timer_t *timer)
{
    consult *c = timer->data;
    uv_stop(&c->loop);
}

/* Runs the loop until the answer is there or the time is over. */
static void loop_wait(consult *c, uint64_t ms)
{
    uv_timer_t timer;
    uv_timer_init(&c->loop, &timer);
    timer.data = c;
    uv_timer_start(&timer, time_ran_out, ms, 0);
    uv_run(&c->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&c->loop, UV_RUN_NOWAIT);
}

/* Texts to be embedded and messages to be answered go by different wires, but
 * through the same attempts and the same patience. */
static etna_code request_write(consult *c,
                               const provider_image *images,
                               provider_call *ret,
                               etna_error *err)
{
    if (c->texts)
        return embed_write(c->list, c->model, c->texts, &c->dropped, c->arena,
                           ret, err);
    return provider_write(c->list, c->model, c->request, images, &c->dropped,
                          c->arena, ret, err);
}

/* One attempt; what still flies when the patience ends is cancelled. */
static etna_code request_try(consult *c,
                             const provider_image *images,
                             etna_error *err)
{
    const models_endpoint *endpoint = &c->list->endpoints[c->model->endpoint];
    provider_call call;
    http_call *flying = NULL;
    c->has_come = false;
    c->status = 0;
    c->outcome = (provider_outcome){0};
    etna_code code = request_write(c, images, &call, err);
    uint64_t began = uv_hrtime();
    if (code == ETNA_OK)
        code = http_start(c->http, endpoint, &call, images,
                          c->key.given ? c->key.text : NULL, NULL, answer_came,
                          c, &flying, err);
    if (code != ETNA_OK)
        return code;
    loop_wait(c, c->patience_ms);
    c->ms = (uv_hrtime() - began) / 1000000;
    if (!c->has_come)
        http_cancel(flying);
    return c->error.code ? etna_fail(err, c->error.code, "%s", c->error.text)
                         : ETNA_OK;
}

/* The server refused a parameter: it is left out from now on. */
static bool parameter_drop(consult *c)
{
    const char *name =
        c->outcome.drop ? etna_arena_strdup(&c->kept, c->outcome.drop) : NULL;
    if (!name || c->dropped.count == MODELS_KNOBS_MAX)
        return false;
    c->dropped_names[c->dropped.count++] = name;
    c->dropped.names = c->dropped_names;
    return true;
}

/* With the repetitions a worker would make, within WAIT_MAX_MS; *ret_came
 * false: no answer in time. */
static etna_code consult_try(consult *c,
                             const provider_image *images,
                             bool *ret_came,
                             etna_error *err)
{
    for (uint32_t tries = 1;; tries++) {
        etna_code code = request_try(c, images, err);
        *ret_came = c->has_come;
        if (code != ETNA_OK || !c->has_come)
            return code;
        bool again = c->outcome.end == PROVIDER_AGAIN && tries < TRIES;
        if (c->outcome.end == PROVIDER_DROP)
            again = parameter_drop(c);
        if (!again)
            return ETNA_OK;
        uint64_t wait =
            c->outcome.end == PROVIDER_DROP
                ? 0
                : provider_backoff(&c->outcome, tries + 1, 500, tries);
        if (wait > WAIT_MAX_MS)
            return ETNA_OK;
        if (wait)
            loop_wait(c, wait);
    }
}

etna_code consult_ask(consult *c,
                      const model_request *request,
                      const provider_image *images,
                      etna_arena *arena,
                      bool *ret_came,
                      etna_error *err)
{
    c->request = request;
    c->texts = NULL;
    c->arena = arena;
    return consult_try(c, images, ret_came, err);
}

etna_code consult_embed(consult *c,
                        const embed_texts *texts,
                        etna_arena *arena,
                        bool *ret_came,
                        embed_vectors *ret,
                        etna_error *err)
{
    c->texts = texts;
    c->arena = arena;
    etna_code code = consult_try(c, NULL, ret_came, err);
    if (code == ETNA_OK)
        *ret = c->vectors;
    return code;
}
