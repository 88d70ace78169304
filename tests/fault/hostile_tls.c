/* See hostile_tls.h. A thread a connection passes bytes between TLS and a
 * socket pair. */
#include "tests/fault/hostile_tls.h"

#ifdef HOSTILE_TLS

#include "tests/support/loopback.h"

#include <gnutls/gnutls.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static gnutls_certificate_credentials_t credentials;

bool tls_load(const char *cert_and_key)
{
    char cert[1024];
    const char *comma = strchr(cert_and_key, ',');
    if (!comma || (size_t)(comma - cert_and_key) >= sizeof cert)
        return false;
    snprintf(cert, sizeof cert, "%.*s", (int)(comma - cert_and_key),
             cert_and_key);
    return gnutls_certificate_allocate_credentials(&credentials) == 0 &&
           gnutls_certificate_set_x509_key_file(credentials, cert, comma + 1,
                                                GNUTLS_X509_FMT_PEM) >= 0;
}

typedef struct line {
    int outer, inner;
} line;

/* Until the plain end has no more to say. */
static void pump(gnutls_session_t tls, const line *l)
{
    char piece[16384];
    bool open = true; /* the far end may still say something */
    for (;;) {
        struct pollfd both[2] = {{l->inner, POLLIN, 0},
                                 {open ? l->outer : -1, POLLIN, 0}};
        bool pending = gnutls_record_check_pending(tls) > 0;
        if (!pending && poll(both, 2, -1) < 0)
            return;
        if (pending || (both[1].revents & (POLLIN | POLLHUP | POLLERR))) {
            ssize_t got = gnutls_record_recv(tls, piece, sizeof piece);
            if (got > 0) {
                loopback_send(l->inner, piece, (size_t)got);
            } else if (got != GNUTLS_E_AGAIN && got != GNUTLS_E_INTERRUPTED) {
                open = false;
                shutdown(l->inner, SHUT_WR);
            }
        }
        if (both[0].revents & (POLLIN | POLLHUP | POLLERR)) {
            ssize_t got = recv(l->inner, piece, sizeof piece, 0);
            if (got <= 0 || gnutls_record_send(tls, piece, (size_t)got) <= 0)
                return;
        }
    }
}

static void *serve(void *given)
{
    line *l = given;
    gnutls_session_t tls;
    if (gnutls_init(&tls, GNUTLS_SERVER) == 0) {
        int told = gnutls_set_default_priority(tls) ||
                           gnutls_credentials_set(tls, GNUTLS_CRD_CERTIFICATE,
                                                  credentials)
                       ? -1
                       : GNUTLS_E_AGAIN;
        gnutls_transport_set_int(tls, l->outer);
        while (told == GNUTLS_E_AGAIN || told == GNUTLS_E_INTERRUPTED)
            told = gnutls_handshake(tls);
        if (told == 0) {
            pump(tls, l);
            gnutls_bye(tls, GNUTLS_SHUT_WR);
        }
        gnutls_deinit(tls);
    }
    close(l->inner);
    close(l->outer);
    free(l);
    return NULL;
}

int tls_open(int fd)
{
    int pair[2];
    pthread_t thread;
    line *l = malloc(sizeof *l);
    if (!l || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
        free(l);
        close(fd);
        return -1;
    }
    *l = (line){fd, pair[1]};
    if (pthread_create(&thread, NULL, serve, l)) {
        free(l);
        close(fd);
        close(pair[0]);
        close(pair[1]);
        return -1;
    }
    pthread_detach(thread);
    return pair[0];
}

#else

#include <unistd.h>

bool tls_load(const char *cert_and_key)
{
    (void)cert_and_key;
    return false;
}

int tls_open(int fd)
{
    close(fd);
    return -1;
}

#endif
