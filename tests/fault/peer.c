/* See peer.h. */
#include "tests/fault/peer.h"

#include <nng/protocol/reqrep0/req.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE_MS = 1500
};

void peer_fail(const char *what)
{
    fprintf(stderr, "peer: %s\n", what);
    exit(2);
}

peer_bytes peer_pack(const message *m)
{
    peer_bytes b;
    if (message_pack(m, &b.data, &b.size, NULL))
        peer_fail("no message");
    uint8_t *roomy = realloc(b.data, b.size + SEAL_SIZE);
    if (!roomy)
        abort();
    b.data = roomy;
    return b;
}

/* Both sorts wait so long, and no longer. */
static nng_socket socket_dial(nng_socket socket, const char *url)
{
    nng_socket_set_ms(socket, NNG_OPT_RECVTIMEO, PATIENCE_MS);
    nng_socket_set_ms(socket, NNG_OPT_SENDTIMEO, PATIENCE_MS);
    if (nng_dial(socket, url, NULL, 0))
        peer_fail("nobody listens");
    return socket;
}

nng_socket peer_dial(const char *url)
{
    nng_socket socket;
    if (nng_req0_open(&socket))
        peer_fail("no socket");
    nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE);
    return socket_dial(socket, url);
}

nng_socket peer_dial_raw(const char *url)
{
    nng_socket socket;
    if (nng_req0_open_raw(&socket))
        peer_fail("no socket");
    return socket_dial(socket, url);
}

/* A raw socket leaves the request's number to whoever sends. */
static bool message_number(nng_socket socket, nng_msg *msg)
{
    static uint32_t number = UINT32_C(1) << 31;
    bool is_raw = false;
    nng_socket_get_bool(socket, NNG_OPT_RAW, &is_raw);
    return !is_raw || !nng_msg_header_append_u32(msg, number++);
}

bool peer_send(nng_socket socket, nng_msg *msg)
{
    if (message_number(socket, msg) && !nng_sendmsg(socket, msg, 0))
        return true;
    nng_msg_free(msg);
    return false;
}

nng_msg *peer_exchange(nng_socket socket, const void *data, size_t size)
{
    nng_msg *msg;
    if (nng_msg_alloc(&msg, 0) || nng_msg_append(msg, data, size))
        abort();
    if (!peer_send(socket, msg))
        return NULL;
    return nng_recvmsg(socket, &msg, 0) ? NULL : msg;
}

void peer_tell(nng_msg *msg)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (!msg) {
        puts("nothing");
        return;
    }
    if (message_unpack(nng_msg_body(msg), nng_msg_len(msg), &arena, &m, NULL)) {
        puts("bytes that are no message");
    } else if (m.kind == MESSAGE_REFUSED) {
        printf("refused %s\n", m.body.refused.text);
    } else {
        puts(message_kind_name(m.kind));
    }
    nng_msg_free(msg);
    etna_arena_free(&arena);
}

static seal_role role_named(const char *name)
{
    for (int role = SEAL_WORKER; role < SEAL_ROLE_COUNT; role++) {
        if (!strcmp(seal_role_name((seal_role)role), name))
            return (seal_role)role;
    }
    peer_fail("no such role");
    return SEAL_NOBODY;
}

seal_session peer_greet(nng_socket socket, const char *file, const char *role)
{
    const message frame = {.sender = 99, .incarnation = 1, .sequence = 4};
    greeting g;
    seal_session session = {{{0}}, {{0}}};
    peer_bytes hello;
    join j;
    uint64_t epoch;
    if (join_read(file, &j, NULL))
        peer_fail("no join file");
    j.given[role_named(role)] = true;
    if (greeting_begin(&j, role_named(role), &frame, &g, &hello.data,
                       &hello.size, NULL))
        peer_fail("no greeting");
    nng_msg *answer = peer_exchange(socket, hello.data, hello.size);
    bool known =
        answer && !greeting_end(&j, &g, 0, nng_msg_body(answer),
                                nng_msg_len(answer), &session, &epoch, NULL);
    if (!known)
        fputs("not welcome; ", stdout);
    if (answer)
        nng_msg_free(answer);
    free(hello.data);
    return session;
}

void peer_seal(peer_bytes *b, const seal_session *session)
{
    seal_make(&session->asks, b->data, b->size, b->data + b->size);
    b->size += SEAL_SIZE;
}
