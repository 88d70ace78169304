/* See full.h. */
#include "coordinator/shell/full.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    RETRY_MS = 1000
};

void full_met(shell *s, const char *why)
{
    s->full_try_ms = shell_now() + RETRY_MS;
    if (s->full)
        return;
    s->full = true;
    if (!s->options.trouble)
        return;
    char line[640];
    snprintf(line, sizeof line,
             "%s; nothing is lost: all waits until there is room", why);
    s->options.trouble(s->options.context, line);
}

/* Past the group that waits: an answer that decides nothing. */
static void full_answer(shell *s,
                        uint64_t request,
                        message *answer,
                        uint64_t incarnation,
                        uint64_t sequence)
{
    uint8_t *data;
    size_t size;
    answer->version = MESSAGE_VERSION;
    answer->epoch = store_epoch(s->options.store);
    answer->incarnation = incarnation;
    answer->sequence = sequence;
    if (message_pack(answer, &data, &size, NULL)) {
        inbox_drop(s->in, request);
    } else {
        inbox_answer(s->in, request, data, size);
    }
}

static void full_answer_orders(shell *s)
{
    for (size_t i = 0; i < s->full_count; i++) {
        message none = {.kind = MESSAGE_ORDERS};
        full_answer(s, s->full_orders[i].request, &none,
                    s->full_orders[i].incarnation, s->full_orders[i].sequence);
    }
    s->full_count = 0;
}

void full_over(shell *s)
{
    if (!s->full)
        return;
    s->full = false;
    full_answer_orders(s);
    if (s->options.trouble)
        s->options.trouble(s->options.context,
                           "there is room on the disk again; all goes on");
}

bool full_is_due(shell *s)
{
    if (shell_now() < s->full_try_ms)
        return false;
    full_answer_orders(s);
    return true;
}

static bool full_keep_orders(shell *s, uint64_t request, const message *m)
{
    if (s->full_count == s->full_room) {
        size_t room = s->full_room ? 2 * s->full_room : 64;
        full_order *grown = realloc(s->full_orders, room * sizeof *grown);
        if (!grown)
            return false;
        s->full_orders = grown;
        s->full_room = room;
    }
    s->full_orders[s->full_count++] =
        (full_order){request, m->incarnation, m->sequence};
    return true;
}

void full_take(shell *s, uint64_t request, const message *m)
{
    if (m->kind == MESSAGE_ORDERS_REQUEST && full_keep_orders(s, request, m))
        return;
    if (m->kind != MESSAGE_LEASE_REQUEST) {
        inbox_drop(s->in, request);
        return;
    }
    message later = {.kind = MESSAGE_REFUSED};
    later.body.refused = (message_refused){
        ETNA_E_FULL,
        "its disk is full; it gives nothing out until there is room"};
    full_answer(s, request, &later, m->incarnation, m->sequence);
}

void full_free(shell *s)
{
    free(s->full_orders);
    s->full_orders = NULL;
    s->full_count = s->full_room = 0;
}
