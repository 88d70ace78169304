/* See greeting.h. */
#include "proto/greeting.h"

#include <string.h>

etna_code greeting_begin(const join *j,
                         seal_role role,
                         const message *frame,
                         greeting *ret,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err)
{
    greeting g = {.role = role};
    if (role >= SEAL_ROLE_COUNT || !j->given[role])
        return etna_fail(
            err, ETNA_E_USAGE,
            "the join file has no %s's token; have one written that does: etna join",
            seal_role_name(role));
    if (!seal_random(g.nonce.bytes))
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    message hello = {.version = MESSAGE_VERSION,
                     .sender = frame->sender,
                     .incarnation = frame->incarnation,
                     .sequence = frame->sequence,
                     .kind = MESSAGE_HELLO};
    hello.body.hello = (message_hello){j->realm, role, j->generation, g.nonce};
    etna_code code = message_pack(&hello, ret_data, ret_size, err);
    if (!code)
        *ret = g;
    return code;
}

/* What stands in a welcome is not believed before its seal is checked with the
 * keys that follow from it. */
static bool greeting_is_welcome(const join *j,
                                const greeting *g,
                                const message *answer,
                                const void *data,
                                size_t size,
                                seal_session *ret_session)
{
    if (answer->kind != MESSAGE_WELCOME)
        return false;
    seal_opening opening = {.realm = j->realm,
                            .role = g->role,
                            .generation = j->generation,
                            .epoch = answer->epoch,
                            .asked = g->nonce,
                            .welcomed = answer->body.welcome.nonce};
    seal_session session = seal_agree(&j->tokens[g->role], &opening);
    size_t unsealed;
    bool known = seal_check(&session.answers, data, size, &unsealed);
    if (known)
        *ret_session = session;
    seal_forget(&session, sizeof session);
    return known;
}

etna_code greeting_end(const join *j,
                       const greeting *g,
                       uint64_t epoch,
                       const void *answer,
                       size_t size,
                       seal_session *ret_session,
                       uint64_t *ret_epoch,
                       etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    seal_session session;
    bool known = !message_unpack(answer, size, &arena, &m, NULL) &&
                 greeting_is_welcome(j, g, &m, answer, size, &session);
    etna_arena_free(&arena);
    if (!known) {
        return etna_fail(
            err, ETNA_E_NETWORK,
            "%.200s: who listens there does not know the %s's token of the join file: it is another "
            "coordinator, or the tokens were replaced; use its own join file: --connect @FILE",
            j->endpoint, seal_role_name(g->role));
    }
    if (m.epoch < epoch) {
        seal_forget(&session, sizeof session);
        return etna_fail(err, ETNA_E_STALE,
                         "%.200s: who listens there owns the store no more",
                         j->endpoint);
    }
    *ret_session = session;
    *ret_epoch = m.epoch;
    seal_forget(&session, sizeof session);
    return ETNA_OK;
}
