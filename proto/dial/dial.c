/* See dial.h. */
#include "proto/dial/dial.h"
#include "proto/dial/engine_internal.h"

#include <nng/supplemental/tls/tls.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool dial_is_tls(const char *url)
{
    return strncmp(url, "tls+tcp://", 10) == 0;
}

static int dial_config_client(nng_tls_config *config, const char *certificate)
{
    int rv = nng_tls_config_version(config, NNG_TLS_1_2, NNG_TLS_1_2);
    if (!rv)
        rv = nng_tls_config_ca_chain(config, certificate, NULL);
    if (!rv)
        rv = nng_tls_config_server_name(config, DIAL_SERVER_NAME);
    if (!rv)
        rv = nng_tls_config_auth_mode(config, NNG_TLS_AUTH_MODE_REQUIRED);
    return rv;
}

static int dial_set_tls(nng_dialer dialer, const char *certificate)
{
    nng_tls_config *config;
    engine_use();
    int rv = nng_tls_config_alloc(&config, NNG_TLS_MODE_CLIENT);
    if (rv)
        return rv;
    rv = dial_config_client(config, certificate);
    if (!rv)
        rv = nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, config);
    nng_tls_config_free(config); /* the dialer holds it */
    return rv;
}

int dial_start(nng_socket socket, const join *j, int flags, nng_dialer *ret)
{
    nng_dialer dialer;
    int rv = nng_dialer_create(&dialer, socket, j->endpoint);
    if (rv)
        return rv;
    if (dial_is_tls(j->endpoint))
        rv = dial_set_tls(dialer, j->certificate);
    if (!rv)
        rv = nng_dialer_start(dialer, flags);
    if (rv) {
        nng_dialer_close(dialer);
    } else if (ret) {
        *ret = dialer;
    }
    return rv;
}

/* NNG knows these options of every dialer. */
void dial_pause(nng_dialer dialer, uint32_t first_ms, uint32_t most_ms)
{
    (void)nng_dialer_set_ms(dialer, NNG_OPT_RECONNMAXT, (int32_t)most_ms);
    (void)nng_dialer_set_ms(dialer, NNG_OPT_RECONNMINT, (int32_t)first_ms);
}

static int dial_config_server(nng_tls_config *config, const char *certificate)
{
    int rv = nng_tls_config_version(config, NNG_TLS_1_2, NNG_TLS_1_2);
    if (!rv)
        /* one PEM text with both: each argument finds its own part */
        rv = nng_tls_config_own_cert(config, certificate, certificate, NULL);
    if (!rv)
        /* clients prove themselves by tokens, not by certificates */
        rv = nng_tls_config_auth_mode(config, NNG_TLS_AUTH_MODE_NONE);
    return rv;
}

static int dial_show(nng_listener listener, const char *certificate)
{
    nng_tls_config *config;
    engine_use();
    int rv = nng_tls_config_alloc(&config, NNG_TLS_MODE_SERVER);
    if (rv)
        return rv;
    rv = dial_config_server(config, certificate);
    if (!rv)
        rv = nng_listener_set_ptr(listener, NNG_OPT_TLS_CONFIG, config);
    nng_tls_config_free(config);
    return rv;
}

int dial_listener(nng_socket socket,
                  const char *url,
                  const char *certificate,
                  nng_listener *ret)
{
    nng_listener listener;
    int rv = nng_listener_create(&listener, socket, url);
    if (rv)
        return rv;
    if (certificate)
        rv = dial_show(listener, certificate);
    if (rv) {
        nng_listener_close(listener);
    } else {
        *ret = listener;
    }
    return rv;
}

bool dial_peer_is_ours(nng_pipe pipe)
{
    uint64_t user;
    if (nng_pipe_get_uint64(pipe, NNG_OPT_IPC_PEER_UID, &user))
        return true;
    return user == geteuid() || user == 0;
}

etna_code dial_check_owner(const char *url, etna_error *err)
{
    static const char ipc[] = "ipc://";
    struct stat status;
    uid_t us = geteuid();
    if (us == 0 || strncmp(url, ipc, sizeof ipc - 1) ||
        stat(url + sizeof ipc - 1, &status))
        return ETNA_OK;
    if (status.st_uid == us || !S_ISSOCK(status.st_mode))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "%.300s is another user's (%lu), and over ipc a coordinator serves its own user alone: have it listen at "
        "tcp://127.0.0.1:PORT and connect by a join file (etna join)",
        url, (unsigned long)status.st_uid);
}

void dial_check_peer(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    (void)event;
    (void)context;
    if (!dial_peer_is_ours(pipe))
        nng_pipe_close(pipe);
}
