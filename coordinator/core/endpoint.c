/* Where models are: what all runs and workers together may ask of an endpoint,
 * and whether it answers. A fact of this process's life, not of any run:
 * nothing of it is journaled, and a restarted coordinator begins afresh.
 *
 * Minute limits are buckets that fill evenly and hold a sixth of a minute (but
 * at least one call, whatever it takes). What slows one call down (429, 503,
 * 529) holds back all. After `breaker` failures in a row an endpoint is out of
 * service for half a minute; then one call tries it.
 *
 *   CLOSED ── breaker failures in a row ──> OPEN ── 30 s ──> TRYING (one call) ── reply ──> CLOSED
 *                                            ^────────────── failure ──┘ */
#include "coordinator/core/core_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MINUTE_MS = 60000,
    OPEN_MS = 30000,
    SLOW_LEAST_MS = 1000,
    SLOW_MOST_MS = 60000
};

/* Whole numbers alone: level and debt are in units of a sixty-thousandth. */
static void bucket_fill(core_bucket *b, uint64_t now)
{
    if (!b->limit)
        return;
    uint64_t passed = now - b->at;
    uint64_t room = b->limit / 6 ? b->limit / 6 : 1;
    uint64_t most = room * MINUTE_MS;
    b->at = now;
    if (b->debt) { /* debt is paid first */
        uint64_t paid =
            passed > b->debt / b->limit ? b->debt : passed * b->limit;
        b->debt -= paid;
        passed -= paid / b->limit;
    }
    b->level = passed > (most - b->level) / b->limit
                   ? most
                   : b->level + passed * b->limit;
}

/* A new limit begins with a full bucket. */
static void bucket_set(core_bucket *b, uint64_t limit, uint64_t now)
{
    if (b->limit == limit)
        return;
    *b = (core_bucket){.limit = limit,
                       .at = now,
                       .level = (limit / 6 ? limit / 6 : 1) * MINUTE_MS};
}

/* Milliseconds until `cost` may be taken; 0: now. A full bucket lets any cost
 * go, on credit. */
static uint64_t bucket_wait(const core_bucket *b, uint64_t cost)
{
    if (!b->limit)
        return 0;
    uint64_t most = (b->limit / 6 ? b->limit / 6 : 1) * MINUTE_MS;
    uint64_t wanted = cost > most / MINUTE_MS ? most : cost * MINUTE_MS;
    if (b->debt == 0 && b->level >= wanted)
        return 0;
    return (b->debt + (wanted > b->level ? wanted - b->level : 0)) / b->limit +
           1;
}

/* What is more than the level is a debt, paid before the next call. */
static void bucket_take(core_bucket *b, uint64_t cost)
{
    if (!b->limit)
        return;
    uint64_t taken =
        cost > UINT64_MAX / MINUTE_MS / 2 ? UINT64_MAX / 2 : cost * MINUTE_MS;
    uint64_t from_level = taken < b->level ? taken : b->level;
    b->level -= from_level;
    b->debt += taken - from_level;
}

/* ---- which ---- */

/* Made where it is new. NULL: core.failure. */
static core_endpoint *endpoint_named(core *c, const char *name)
{
    for (uint32_t i = 0; i < c->endpoint_count; i++) {
        if (strcmp(c->endpoints[i]->name, name) == 0)
            return c->endpoints[i];
    }
    core_endpoint **grown = core_grow(c, c->endpoints, &c->endpoint_capacity,
                                      c->endpoint_count, sizeof *c->endpoints);
    core_endpoint *e = grown ? calloc(1, sizeof *e) : NULL;
    if (grown)
        c->endpoints = grown;
    if (e)
        e->name = strdup(name);
    if (!e || !e->name) {
        free(e);
        core_trouble(c, ETNA_E_NOMEM, "an endpoint: out of memory");
        return NULL;
    }
    c->endpoints[c->endpoint_count++] = e;
    return e;
}

/* As endpoint_named. */
static core_model *model_named(core *c, const char *name)
{
    for (uint32_t i = 0; i < c->model_count; i++) {
        if (strcmp(c->models[i]->name, name) == 0)
            return c->models[i];
    }
    core_model **grown = core_grow(c, c->models, &c->model_capacity,
                                   c->model_count, sizeof *c->models);
    core_model *m = grown ? calloc(1, sizeof *m) : NULL;
    if (grown)
        c->models = grown;
    if (m)
        m->name = strdup(name);
    if (!m || !m->name) {
        free(m);
        core_trouble(c, ETNA_E_NOMEM, "a model: out of memory");
        return NULL;
    }
    c->models[c->model_count++] = m;
    return m;
}

/* Of every run that comes: the last list that names an endpoint decides its
 * limits, for all runs. */
void endpoint_models(core *c, const core_event *event)
{
    const models *all = event->models;
    for (uint32_t i = 0; all && i < all->endpoint_count; i++) {
        const models_endpoint *from = &all->endpoints[i];
        core_endpoint *e = endpoint_named(c, from->name);
        if (!e)
            return;
        bucket_set(&e->requests, from->requests_per_minute, c->now);
        bucket_set(&e->tokens, from->tokens_per_minute, c->now);
        e->in_flight_most = from->in_flight;
        e->attempts = from->attempts;
        e->budget_ms = from->budget_ms;
        e->breaker = from->breaker;
    }
    for (uint32_t i = 0; all && i < all->model_count; i++) {
        const models_model *from = &all->models[i];
        core_model *m = model_named(c, from->name);
        if (!m)
            return;
        m->endpoint = endpoint_named(c, all->endpoints[from->endpoint].name);
        m->price = (models_model){.price_in = from->price_in,
                                  .price_out = from->price_out,
                                  .price_cached = from->price_cached,
                                  .price_written = from->price_written};
        free(m->fallback);
        m->fallback = from->fallback ? strdup(from->fallback) : NULL;
        if (from->fallback && !m->fallback)
            core_trouble(c, ETNA_E_NOMEM, "a model: out of memory");
    }
}

void endpoint_free_all(core *c)
{
    for (uint32_t i = 0; i < c->endpoint_count; i++) {
        free(c->endpoints[i]->name);
        free(c->endpoints[i]);
    }
    for (uint32_t i = 0; i < c->model_count; i++) {
        free(c->models[i]->name);
        free(c->models[i]->fallback);
        free(c->models[i]);
    }
    free(c->endpoints);
    free(c->models);
}

/* Borrowed. */
const core_model *endpoint_model(const core *c, const char *name)
{
    for (uint32_t i = 0; name && i < c->model_count; i++) {
        if (strcmp(c->models[i]->name, name) == 0)
            return c->models[i];
    }
    return NULL; /* one without limits: the built-in agent */
}

/* ---- may it be called ---- */

/* Out of service, or one call is trying. */
static bool is_open(const core *c, const core_endpoint *e)
{
    return e->open_until_ms && (c->now < e->open_until_ms || e->trying);
}

/* The built-in agent never is. */
bool endpoint_out(const core *c, const core_model *m)
{
    return m && m->endpoint && is_open(c, m->endpoint);
}

static uint64_t endpoint_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Milliseconds, 0: go. The longest of all that stands against it. */
uint64_t endpoint_wait(core *c,
                       const core_model *m,
                       const message_usage *estimate)
{
    core_endpoint *e = m ? m->endpoint : NULL;
    if (!e)
        return 0;
    bucket_fill(&e->requests, c->now);
    bucket_fill(&e->tokens, c->now);
    uint64_t wait = e->slow_until_ms > c->now ? e->slow_until_ms - c->now : 0;
    wait = endpoint_later(wait, bucket_wait(&e->requests, 1));
    wait =
        endpoint_later(wait, bucket_wait(&e->tokens, estimate->tokens_in +
                                                         estimate->tokens_out));
    if (e->in_flight_most && e->in_flight >= e->in_flight_most)
        wait = endpoint_later(wait, c->options.call_wait_ms);
    return wait;
}

/* Takes its share; endpoint_landed gives the place back. */
void endpoint_go(core *c, call *a, const core_model *m)
{
    core_endpoint *e = m ? m->endpoint : NULL;
    a->endpoint = e;
    if (!e)
        return;
    e->in_flight++;
    bucket_take(&e->requests, 1);
    bucket_take(&e->tokens, a->estimate.tokens_in + a->estimate.tokens_out);
    if (e->open_until_ms && c->now >= e->open_until_ms)
        e->trying = true;
}

/* However it ended. */
void endpoint_landed(call *a)
{
    if (!a->endpoint)
        return;
    a->endpoint->in_flight--;
    a->endpoint->trying = false;
    a->endpoint = NULL;
}

/* All is forgiven. */
void endpoint_answered(core_endpoint *e)
{
    if (!e)
        return;
    e->failures = 0;
    e->slow_ms = 0;
    e->open_until_ms = 0;
}

/* Overload holds back all calls, for as long as the server said or twice as
 * long as the last time; failures that mean that it is down are counted for the
 * breaker. A quota of a day says "tomorrow": nobody is held longer than a call
 * may take in all, so that the next one asks again and its run hears why. */
void endpoint_failed(core *c, core_endpoint *e, const message_call_fail *fail)
{
    if (!e)
        return;
    if (fail->overloaded) {
        uint64_t doubled =
            e->slow_ms < SLOW_MOST_MS / 2 ? 2 * e->slow_ms : SLOW_MOST_MS;
        e->slow_ms = e->slow_ms ? doubled : SLOW_LEAST_MS;
        uint64_t wait = fail->wait_ms ? fail->wait_ms : e->slow_ms;
        uint64_t most = endpoint_later(e->budget_ms, e->slow_ms);
        if (wait > most)
            wait = most;
        e->slow_until_ms = endpoint_later(e->slow_until_ms, c->now + wait);
    }
    if (!fail->down)
        return;
    e->failures++;
    if (e->breaker && e->failures >= e->breaker)
        e->open_until_ms = c->now + OPEN_MS;
}
