/* Between the link and the rest: events queue up here, the link is stepped with
 * one after the other, and what it puts out is done. Whoever feeds an event
 * while outputs are being done only queues it: the link is never re-entered. */
#include "worker/shell/shell.h"

#include "proto/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fed {
    link_event event;
    void *owned;
    struct fed *next;
    char text[]; /* TEXT_ROOM bytes where the event has a text */
};

enum {
    TEXT_ROOM = MESSAGE_TEXT_MAX + 1
};

/* What no message could carry is cut off or replaced; a text is for people. */
static void copy_text(char *to, size_t room, const char *text)
{
    size_t size = strnlen(text, room - 1);
    memcpy(to, text, size);
    to[size] = 0;
    if (etna_utf8_valid(to, size))
        return;
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)to[i] >= 0x80)
            to[i] = '?';
    }
}

static void pump_no_memory(shell *s)
{
    shell_fail(s, &(etna_error){
                      .code = ETNA_E_NOMEM,
                      .text = "out of memory; give the worker fewer --slots"});
}

/* The text is copied with a bound, since it comes from anywhere and ends in a
 * message of bounded size. */
void shell_feed(shell *s, const link_event *event, void *owned)
{
    fed *f = calloc(1, sizeof *f + (event->text ? TEXT_ROOM : 0));
    if (!f) {
        free(owned);
        pump_no_memory(s);
        return;
    }
    f->event = *event;
    f->owned = owned;
    if (event->text) {
        copy_text(f->text, TEXT_ROOM, event->text);
        f->event.text = f->text;
    }
    *s->fed_last = f;
    s->fed_last = &f->next;
}

static fed *pump_take(shell *s)
{
    fed *f = s->fed_first;
    if (!f)
        return NULL;
    s->fed_first = f->next;
    if (!s->fed_first)
        s->fed_last = &s->fed_first;
    return f;
}

void shell_feed_free(shell *s)
{
    for (fed *f; (f = pump_take(s));) {
        free(f->owned);
        free(f);
    }
}

/* ---- outputs ---- */

/* A message that cannot be packed is a bug of ours and ends the worker; one
 * that cannot be sent is lost, and the link sends it again. */
static void send_out(shell *s, const link_output *out)
{
    uint8_t *data;
    size_t size;
    etna_error err = {0};
    etna_code code = message_pack(out->message, &data, &size, &err);
    if (!code) {
        code = net_send(s->net, out->request, data, size, &err);
        free(data);
    }
    /* the link tries again */
    if (code == ETNA_E_NOMEM || code == ETNA_E_NETWORK) {
        shell_feed(s, &(link_event){.kind = LINK_LOST, .request = out->request},
                   NULL);
    } else if (code) {
        etna_error_prefix(&err, "a %s message",
                          message_kind_name(out->message->kind));
        shell_fail(s, &err);
    }
}

static void tell_refusal(shell *s, const link_output *out)
{
    const char *text = out->text ? out->text : etna_code_name(out->code);
    if (strncmp(s->refusal, text, sizeof s->refusal - 1) == 0)
        return; /* it is asked again every few seconds */
    snprintf(s->refusal, sizeof s->refusal, "%s", text);
    shell_say(s, "the coordinator refuses this worker: %s", s->refusal);
}

/* Outputs for an errand that is gone or cancelled are late and mean nothing. */
static void output_of_job(shell *s, const link_output *out)
{
    errand *e = errand_by_id(s, out->job);
    if (!e || e->cancelled)
        return;
    switch (out->kind) {
    case LINK_OUT_CANCEL: errand_cancel(e); break;
    case LINK_OUT_BLOB: blob_chunk_came(e, out->chunk); break;
    case LINK_OUT_KEPT: blob_kept(e); break;
    case LINK_OUT_CALL: call_answered(e, out->call); break;
    case LINK_OUT_ENDED: call_ended(e); break;
    case LINK_OUT_FAILED:
        if (e->keeping) {
            blob_not_kept(e, out->code, out->text);
        } else {
            errand_failed(e, out->code, out->text);
        }
        break;
    default: break;
    }
}

static void output(shell *s, const link_output *out)
{
    /* else the parent's end comes soon enough */
    bool by_hand = shell_is_by_hand(s);
    switch (out->kind) {
    case LINK_OUT_SEND: send_out(s, out); break;
    case LINK_OUT_DROP: net_drop(s->net, out->request); break;
    case LINK_OUT_START: errand_start(s, out->job, out->lease); break;
    case LINK_OUT_AWAY:
        shell_away(s, true);
        if (by_hand)
            shell_say(
                s, "lost the coordinator at %s; trying again until it is back",
                net_address(s->net));
        break;
    case LINK_OUT_BACK:
        shell_away(s, false);
        if (by_hand)
            shell_say(s, "the coordinator at %s is back", net_address(s->net));
        break;
    case LINK_OUT_REDIAL: shell_redial(s); break;
    case LINK_OUT_REFUSED: tell_refusal(s, out); break;
    case LINK_OUT_EXIT: shell_stop(s); break;
    default: output_of_job(s, out); break;
    }
}

/* ---- steps ---- */

static uint64_t now_ms(shell *s)
{
    uv_update_time(&s->loop);
    return uv_now(&s->loop);
}

/* Outputs are done before the next event is taken: they point into the link's
 * memory until then. */
static void pump_step(shell *s, link_event *event)
{
    link_update update;
    etna_error err = {0};
    event->time_ms = now_ms(s);
    if (link_step(s->link, event, &update, &err)) {
        shell_fail(s, &err);
        return;
    }
    for (size_t i = 0; i < update.count && !s->stopping; i++)
        output(s, &update.outputs[i]);
}

static void on_timer(uv_timer_t *timer)
{
    shell *s = timer->data;
    shell_feed(s, &(link_event){.kind = LINK_TICK}, NULL);
    shell_pump(s);
}

/* `more` says that events follow, so the link sends results together. */
void shell_pump(shell *s)
{
    for (fed *f; !s->stopping && (f = pump_take(s));) {
        f->event.more = s->fed_first != NULL;
        pump_step(s, &f->event);
        free(f->owned);
        free(f);
    }
    if (s->stopping)
        return;
    uint64_t next = link_next_deadline(s->link);
    uint64_t now = now_ms(s);
    if (next == UINT64_MAX) {
        uv_timer_stop(&s->timer);
    } else {
        uv_timer_start(&s->timer, on_timer, next > now ? next - now : 0, 0);
    }
}

/* Stepped at once and not queued: the message lives in this function's
 * arena. */
void shell_received(void *context,
                    uint64_t request,
                    const uint8_t *data,
                    size_t size)
{
    shell *s = context;
    if (s->stopping)
        return;
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    message m;
    s->told_unanswered = true;
    if (message_unpack(data, size, &arena, &m, &err)) {
        /* Asking again will hardly help, but a broken answer is no reason to
         * give up what else we do. */
        tell_refusal(s, &(link_output){.code = err.code, .text = err.text});
        shell_feed(s, &(link_event){.kind = LINK_LOST, .request = request},
                   NULL);
    } else {
        pump_step(s, &(link_event){.kind = LINK_RECEIVED,
                                   .request = request,
                                   .message = &m,
                                   .more = true});
        /* when all of this turn of the loop is known */
        shell_feed(s, &(link_event){.kind = LINK_TICK}, NULL);
    }
    etna_arena_free(&arena);
}

void shell_lost(void *context, uint64_t request)
{
    shell_feed(context, &(link_event){.kind = LINK_LOST, .request = request},
               NULL);
}
