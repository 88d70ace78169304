/* Who submits runs and follows them: asks until it is answered, reads every
 * line in order, and looks how it ended. One that vanishes is followed by
 * another that reads from the beginning. */
#include "tests/sim/sim_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    AGAIN_MS = 2000,
    PATIENCE_MS = 15000
};

static sim_client *client_of(sim *s, uint32_t index)
{
    return &s->clients[index];
}

static void ask(sim *s, uint32_t index, message_kind kind)
{
    sim_client *c = client_of(s, index);
    message m = {.version = MESSAGE_VERSION,
                 .kind = kind,
                 .sender = SIM_CLIENTS + index,
                 .incarnation = c->life};
    uint8_t *config = NULL;
    if (c->waiting != kind)
        c->sequence++;
    m.sequence = c->sequence;
    c->waiting = kind;
    c->request++;
    c->asked_ms = s->now;
    if (!s->owners[c->owner].c || !c->pipe) {
        c->owner = s->owner;
        c->pipe = sim_pipe(s);
    }
    /* all of them begin like this */
    m.body.run_status_request.run = sim_run_id(index);
    if (kind == MESSAGE_EVENTS_REQUEST)
        m.body.events_request.after = c->after;
    if (kind == MESSAGE_RUN_SUBMIT) {
        const arrange_config asked = sim_config_of(s, index);
        if (arrange_config_pack(&asked, &config, &m.body.run_submit.config_size,
                                NULL))
            abort();
        m.body.run_submit.config = config;
    }
    sim_event letter = {.kind = SIM_TO_COORDINATOR,
                        .a = SIM_CLIENTS + index,
                        .b = c->life,
                        .c = c->request};
    letter.pipe = c->pipe;
    letter.owner = c->owner;
    if (message_pack(&m, &letter.bytes, &letter.size, NULL))
        abort();
    sim_network(s, &letter);
    free(config);
    sim_at(s, kind == MESSAGE_EVENTS_REQUEST ? PATIENCE_MS : AGAIN_MS,
           SIM_CLIENT, index, c->life, 0);
}

/* A client begins: the first, or after one that vanished. What that one was
 * told, this one has never heard. */
void client_start(sim *s, uint32_t index)
{
    sim_client *c = client_of(s, index);
    bool is_first = c->life == 0;
    if (c->pipe)
        sim_close(s, c->pipe);
    *c = (sim_client){
        .life = c->life + 1, .sequence = c->sequence, .owner = s->owner};
    /* again: it is the same run */
    bool submits = is_first || !s->runs[index].submitted || sim_percent(s, 50);
    ask(s, index, submits ? MESSAGE_RUN_SUBMIT : MESSAGE_EVENTS_REQUEST);
}

/* Its clock: nothing came, so it asks again over another connection. */
void client_due(sim *s, uint32_t index)
{
    sim_client *c = client_of(s, index);
    if (c->life == 0) {
        client_start(s, index);
        return;
    }
    uint64_t patience =
        c->waiting == MESSAGE_EVENTS_REQUEST ? PATIENCE_MS : AGAIN_MS;
    if (c->done || s->now < c->asked_ms + patience)
        return;
    if (c->waiting == MESSAGE_EVENTS_REQUEST && sim_is_calm(s))
        sim_breach(s, "a client's question is not answered");
    c->pipe = 0;
    c->owner = s->owner;
    ask(s, index, c->waiting);
}

static void events_came(sim *s, uint32_t index, const message_events *events)
{
    sim_client *c = client_of(s, index);
    for (uint32_t i = 0; i < events->count; i++) {
        if (events->events[i].sequence <= c->after)
            sim_breach(s, "lines come again or out of order");
        c->after = events->events[i].sequence;
        watch_told(s, index, c->line++, c->after, events->events[i].line);
    }
    bool has_ended = events->state >= RUN_COMPLETE;
    if (has_ended && !s->runs[index].ended && !s->options->lies)
        sim_breach(s, "an end is told before it is durable");
    ask(s, index,
        has_ended ? MESSAGE_RUN_STATUS_REQUEST : MESSAGE_EVENTS_REQUEST);
}

static void status_came(sim *s,
                        uint32_t index,
                        const message_run_status *status)
{
    sim_client *c = client_of(s, index);
    if (c->waiting == MESSAGE_RUN_SUBMIT) {
        if (!s->runs[index].submitted)
            sim_breach(s, "a run is accepted before it is durable");
        ask(s, index, MESSAGE_EVENTS_REQUEST);
        return;
    }
    if (status->state < RUN_COMPLETE && !s->options->lies)
        sim_breach(s, "a run that has ended has not");
    if (status->state < RUN_COMPLETE) {
        ask(s, index, MESSAGE_EVENTS_REQUEST);
        return;
    }
    if (c->line != s->runs[index].line_count && !s->options->lies)
        sim_breach(s, "a client has %u lines of %u", (unsigned)c->line,
                   (unsigned)s->runs[index].line_count);
    c->state = status->state;
    c->done = true;
}

void client_received(sim *s, const sim_event *event)
{
    uint32_t index = (uint32_t)(event->a - SIM_CLIENTS);
    sim_client *c = client_of(s, index);
    if (c->life != event->b || c->request != event->c || c->done)
        return;
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (message_unpack(event->bytes, event->size, &arena, &m, NULL)) {
        sim_breach(s, "an answer to a client does not unpack");
    } else if (m.kind == MESSAGE_EVENTS &&
               c->waiting == MESSAGE_EVENTS_REQUEST) {
        events_came(s, index, &m.body.events);
    } else if (m.kind == MESSAGE_RUN_STATUS &&
               c->waiting != MESSAGE_EVENTS_REQUEST) {
        status_came(s, index, &m.body.run_status);
    } else if (m.kind == MESSAGE_REFUSED &&
               m.body.refused.code == ETNA_E_NOTFOUND) {
        if (!s->options->lies)
            sim_breach(s, "an accepted run is not known: %s",
                       m.body.refused.text);
        c->waiting = MESSAGE_NONE;
        c->line = 0;
        c->after = 0;
        ask(s, index, MESSAGE_RUN_SUBMIT);
    } else {
        sim_breach(s, "a client is answered by a %s",
                   message_kind_name(m.kind));
    }
    etna_arena_free(&arena);
}

bool clients_done(const sim *s)
{
    for (uint32_t i = 0; i < s->options->runs; i++) {
        if (!s->clients[i].done)
            return false;
    }
    return true;
}
