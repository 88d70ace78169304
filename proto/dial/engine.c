/* See engine_internal.h. All that NNG calls here of one connection it calls
 * under that connection's lock, and a configuration is complete before the
 * first connection has it. Neither is seen from outside NNG, so what is called
 * says it itself (proto/tsan.h): takes the connection first, and gives it back
 * last. Two calls at once would still be told as a race. */
#include "proto/array.h"
#include "proto/dial/engine_internal.h"
#include "proto/hash.h"
#include "proto/seal.h"
#include "proto/tsan.h"

#include <mbedtls/aesni.h>
#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>
#include <nng/nng.h>
#include <nng/supplemental/tls/engine.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 8, /* bytes of a message's length, and of NNG's greeting */
    /* what is held of a message: with a record's own bytes no more than NNG
     * takes at once */
    HELD = 16000,
    NAME_ROOM = 256,
    PROTOCOL_ROOM = 64,
    SUITES_MOST = 256 /* that are offered; mbedTLS has some 150 */
};

struct nng_tls_engine_config {
    mbedtls_ssl_config ssl;
    mbedtls_x509_crt believed, own;
    mbedtls_pk_context key;
    char server_name[NAME_ROOM]; /* empty: none is asked for */
    char protocol[PROTOCOL_ROOM];
    const char *protocols[2]; /* that one and NULL, as mbedTLS wants it */
};

/* Where in NNG's stream of messages we are: each is its length, in eight bytes,
 * and so many more. It begins with a greeting that has no length before it. */
typedef struct engine_frame {
    uint64_t left;
    uint8_t head[HEAD];
    size_t head_size;
} engine_frame;

struct nng_tls_engine_conn {
    mbedtls_ssl_context ssl;
    void *below; /* NNG's stream beneath */
    engine_frame frame;
    uint8_t *held; /* HELD bytes, while some are; else NULL */
    size_t held_size, written;
    /* of what NNG hands over now so much is held, and it was not told so yet */
    size_t taken;
};

/* What was freed by one connection may be another's next: NNG's allocations
 * are not seen either. */
static char engine_memory;

/* ---- configurations ---- */

static int engine_random(void *context, unsigned char *into, size_t size)
{
    (void)context;
    uint8_t some[SEAL_KEY];
    for (size_t at = 0; at < size; at += sizeof some) {
        if (!seal_random(some))
            return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
        memcpy(into + at, some,
               size - at < sizeof some ? size - at : sizeof some);
    }
    seal_forget(some, sizeof some);
    return 0;
}

/* Does the processor compute AES by itself, and mbedTLS by that? */
static bool engine_has_aes(void)
{
#if defined(MBEDTLS_AESNI_C) && defined(__x86_64__)
    return mbedtls_aesni_has_support(MBEDTLS_AESNI_AES) &&
           mbedtls_aesni_has_support(MBEDTLS_AESNI_CLMUL);
#else
    return false;
#endif
}

static bool suite_is_known(const int *suites, size_t count, int suite)
{
    for (size_t i = 0; i < count; i++) {
        if (suites[i] == suite)
            return true;
    }
    return false;
}

/* mbedTLS's own order begins with ChaCha20, which it computes by plain code:
 * where the processor does AES that comes first, at a third of the price. A
 * server decides by its own order. */
static int suites[SUITES_MOST + 1];

static void suites_begin(void)
{
    static const int quick[] = {
        MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384};
    size_t count = 0;
    for (size_t i = 0; engine_has_aes() && i < COUNT_OF(quick); i++)
        suites[count++] = quick[i];
    for (const int *at = mbedtls_ssl_list_ciphersuites();
         *at && count < SUITES_MOST; at++) {
        if (!suite_is_known(suites, count, *at))
            suites[count++] = *at;
    }
}

static const int *engine_suites(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, suites_begin);
    return suites;
}

/* NNG's number of an error of mbedTLS. */
static int engine_error(int rv)
{
    switch (rv) {
    case 0: return 0;
    case MBEDTLS_ERR_SSL_WANT_READ:
    case MBEDTLS_ERR_SSL_WANT_WRITE: return NNG_EAGAIN;
    case MBEDTLS_ERR_SSL_ALLOC_FAILED: return NNG_ENOMEM;
    case MBEDTLS_ERR_SSL_CONN_EOF:
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY: return NNG_ECLOSED;
    case MBEDTLS_ERR_SSL_PEER_VERIFY_FAILED:
    case MBEDTLS_ERR_X509_CERT_VERIFY_FAILED: return NNG_EPEERAUTH;
    default: return NNG_ECRYPTO;
    }
}

static int engine_auth(nng_tls_engine_config *config, nng_tls_auth_mode mode)
{
    static const int modes[] = {
        [NNG_TLS_AUTH_MODE_NONE] = MBEDTLS_SSL_VERIFY_NONE,
        [NNG_TLS_AUTH_MODE_OPTIONAL] = MBEDTLS_SSL_VERIFY_OPTIONAL,
        [NNG_TLS_AUTH_MODE_REQUIRED] = MBEDTLS_SSL_VERIFY_REQUIRED};
    if ((unsigned)mode >= sizeof modes / sizeof *modes)
        return NNG_EINVAL;
    mbedtls_ssl_conf_authmode(&config->ssl, modes[mode]);
    HANDOVER_GIVE(config);
    return 0;
}

static int engine_config_init(nng_tls_engine_config *config, nng_tls_mode mode)
{
    bool is_server = mode == NNG_TLS_MODE_SERVER;
    HANDOVER_TAKE(&engine_memory);
    mbedtls_ssl_config_init(&config->ssl);
    mbedtls_x509_crt_init(&config->believed);
    mbedtls_x509_crt_init(&config->own);
    mbedtls_pk_init(&config->key);
    int rv = mbedtls_ssl_config_defaults(
        &config->ssl, is_server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
        MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
    if (rv)
        return engine_error(rv);
    mbedtls_ssl_conf_rng(&config->ssl, engine_random, NULL);
    mbedtls_ssl_conf_ciphersuites(&config->ssl, engine_suites());
    mbedtls_ssl_conf_min_version(&config->ssl, MBEDTLS_SSL_MAJOR_VERSION_3,
                                 MBEDTLS_SSL_MINOR_VERSION_3);
    mbedtls_ssl_conf_max_version(&config->ssl, MBEDTLS_SSL_MAJOR_VERSION_3,
                                 MBEDTLS_SSL_MINOR_VERSION_3);
    return engine_auth(config, is_server ? NNG_TLS_AUTH_MODE_NONE
                                         : NNG_TLS_AUTH_MODE_REQUIRED);
}

static void engine_config_fini(nng_tls_engine_config *config)
{
    HANDOVER_TAKE(config);
    mbedtls_ssl_config_free(&config->ssl);
    mbedtls_x509_crt_free(&config->believed);
    mbedtls_x509_crt_free(&config->own);
    mbedtls_pk_free(&config->key);
    HANDOVER_GIVE(&engine_memory);
}

static int engine_server(nng_tls_engine_config *config, const char *name)
{
    size_t size = strlen(name) + 1;
    if (size > sizeof config->server_name)
        return NNG_EINVAL;
    memcpy(config->server_name, name, size);
    HANDOVER_GIVE(config);
    return 0;
}

/* The protocol (RFC 7301) that a client asks for and a server speaks is named
 * after the server's certificate, which nobody has but who has a join file. So
 * a server turns strangers away at their first message: to sign one handshake
 * takes it as long as many tasks. */
static int engine_name_protocol(nng_tls_engine_config *config,
                                const mbedtls_x509_crt *shown)
{
    char hex[65];
    const etna_hash hash = etna_hash_bytes(shown->raw.p, shown->raw.len);
    etna_hash_hex(&hash, hex);
    snprintf(config->protocol, sizeof config->protocol, "etna/%.32s", hex);
    config->protocols[0] = config->protocol;
    config->protocols[1] = NULL;
    return mbedtls_ssl_conf_alpn_protocols(&config->ssl, config->protocols);
}

static int engine_believe(nng_tls_engine_config *config,
                          const char *pem,
                          const char *revoked)
{
    if (revoked)
        return NNG_ENOTSUP;
    int rv = mbedtls_x509_crt_parse(
        &config->believed, (const unsigned char *)pem, strlen(pem) + 1);
    if (rv)
        return NNG_ECRYPTO;
    mbedtls_ssl_conf_ca_chain(&config->ssl, &config->believed, NULL);
    rv = engine_name_protocol(config, &config->believed);
    HANDOVER_GIVE(config);
    return rv ? NNG_ECRYPTO : 0;
}

static int engine_own(nng_tls_engine_config *config,
                      const char *certificate,
                      const char *key,
                      const char *password)
{
    const unsigned char *shown = (const unsigned char *)certificate;
    if (password)
        return NNG_ENOTSUP;
    int rv =
        mbedtls_x509_crt_parse(&config->own, shown, strlen(certificate) + 1);
    if (!rv)
        rv = mbedtls_pk_parse_key(&config->key, (const unsigned char *)key,
                                  strlen(key) + 1, NULL, 0);
    if (!rv)
        rv =
            mbedtls_ssl_conf_own_cert(&config->ssl, &config->own, &config->key);
    if (!rv)
        rv = engine_name_protocol(config, &config->own);
    HANDOVER_GIVE(config);
    return rv ? NNG_ECRYPTO : 0;
}

/* TLS 1.2 is what all of Debian's mbedTLS speak. */
static int engine_version(nng_tls_engine_config *config,
                          nng_tls_version least,
                          nng_tls_version most)
{
    (void)config;
    return least <= NNG_TLS_1_2 && most >= NNG_TLS_1_2 ? 0 : NNG_ENOTSUP;
}

/* ---- connections ---- */

static int engine_write_below(void *context,
                              const unsigned char *data,
                              size_t size)
{
    int rv = nng_tls_engine_send(context, data, &size);
    if (rv == NNG_EAGAIN)
        return MBEDTLS_ERR_SSL_WANT_WRITE;
    return rv ? MBEDTLS_ERR_SSL_CONN_EOF : (int)size;
}

static int engine_read_below(void *context, unsigned char *into, size_t size)
{
    int rv = nng_tls_engine_recv(context, into, &size);
    if (rv == NNG_EAGAIN)
        return MBEDTLS_ERR_SSL_WANT_READ;
    return rv ? MBEDTLS_ERR_SSL_CONN_EOF : (int)size;
}

static int engine_conn_begin(nng_tls_engine_conn *c,
                             void *below,
                             nng_tls_engine_config *config)
{
    c->below = below;
    c->frame = (engine_frame){.left = HEAD};
    mbedtls_ssl_init(&c->ssl);
    int rv = mbedtls_ssl_setup(&c->ssl, &config->ssl);
    if (!rv && config->server_name[0])
        rv = mbedtls_ssl_set_hostname(&c->ssl, config->server_name);
    if (rv) {
        mbedtls_ssl_free(&c->ssl);
        return engine_error(rv);
    }
    mbedtls_ssl_set_bio(&c->ssl, below, engine_write_below, engine_read_below,
                        NULL);
    return 0;
}

static int engine_conn_init(nng_tls_engine_conn *c,
                            void *below,
                            nng_tls_engine_config *config)
{
    HANDOVER_TAKE(&engine_memory);
    HANDOVER_TAKE(config);
    int rv = engine_conn_begin(c, below, config);
    HANDOVER_GIVE(config);
    HANDOVER_GIVE(c);
    return rv;
}

static void engine_release(nng_tls_engine_conn *c)
{
    free(c->held);
    c->held = NULL;
    c->held_size = c->written = 0;
}

static void engine_conn_fini(nng_tls_engine_conn *c)
{
    HANDOVER_TAKE(c);
    mbedtls_ssl_free(&c->ssl);
    engine_release(c);
    HANDOVER_GIVE(&engine_memory);
}

static void engine_close(nng_tls_engine_conn *c)
{
    HANDOVER_TAKE(c);
    /* best effort: the stream beneath may be gone */
    (void)mbedtls_ssl_close_notify(&c->ssl);
    HANDOVER_GIVE(c);
}

/* Only a server answers a hello. Who asked for another protocol than ours was
 * refused by mbedTLS already, but not who asked for none. */
static bool engine_is_strangers(const nng_tls_engine_conn *c)
{
    bool is_to_answer = c->ssl.state == MBEDTLS_SSL_SERVER_HELLO;
    bool is_server = c->ssl.conf->endpoint == MBEDTLS_SSL_IS_SERVER;
    return is_server && is_to_answer && !mbedtls_ssl_get_alpn_protocol(&c->ssl);
}

static int engine_shake(nng_tls_engine_conn *c)
{
    while (c->ssl.state != MBEDTLS_SSL_HANDSHAKE_OVER) {
        if (engine_is_strangers(c))
            return NNG_ECRYPTO;
        int rv = mbedtls_ssl_handshake_step(&c->ssl);
        if (rv)
            return engine_error(rv);
    }
    return 0;
}

static int engine_handshake(nng_tls_engine_conn *c)
{
    HANDOVER_TAKE(c);
    int rv = engine_shake(c);
    HANDOVER_GIVE(c);
    return rv;
}

static int engine_recv(nng_tls_engine_conn *c, uint8_t *into, size_t *size)
{
    HANDOVER_TAKE(c);
    int rv = mbedtls_ssl_read(&c->ssl, into, *size);
    HANDOVER_GIVE(c);
    if (rv == 0)
        return NNG_ECLOSED;
    if (rv < 0)
        return engine_error(rv);
    *size = (size_t)rv;
    return 0;
}

/* Goes on in the stream, at most to a message's end; how many bytes. */
static size_t frame_take(engine_frame *f, const uint8_t *bytes, size_t size)
{
    if (f->left) {
        size_t n = f->left < size ? (size_t)f->left : size;
        f->left -= n;
        return n;
    }
    size_t n = HEAD - f->head_size < size ? HEAD - f->head_size : size;
    memcpy(f->head + f->head_size, bytes, n);
    f->head_size += n;
    if (f->head_size < HEAD)
        return n;
    for (size_t i = 0; i < HEAD; i++)
        f->left = f->left << 8 | f->head[i];
    f->head_size = 0;
    return n;
}

static bool frame_ended(const engine_frame *f)
{
    return !f->left && !f->head_size;
}

/* Takes of the bytes what finds room, at most to the message's end. */
static int engine_hold(nng_tls_engine_conn *c,
                       const uint8_t *bytes,
                       size_t size)
{
    if (!c->held)
        c->held = malloc(HELD);
    if (!c->held)
        return NNG_ENOMEM;
    while (c->taken < size && c->held_size < HELD) {
        const uint8_t *from = bytes + c->taken;
        size_t rest = size - c->taken;
        size_t room = HELD - c->held_size;
        size_t n = frame_take(&c->frame, from, rest < room ? rest : room);
        memcpy(c->held + c->held_size, from, n);
        c->held_size += n;
        c->taken += n;
        if (frame_ended(&c->frame))
            break;
    }
    return 0;
}

static int engine_flush(nng_tls_engine_conn *c)
{
    while (c->written < c->held_size) {
        int rv = mbedtls_ssl_write(&c->ssl, c->held + c->written,
                                   c->held_size - c->written);
        if (rv < 0)
            return engine_error(rv);
        c->written += (size_t)rv;
    }
    engine_release(c);
    return 0;
}

/* What is held waits for the rest of its message. Where it can't leave now, NNG
 * hands the same bytes over again once there is room: they are held already. */
static int engine_put(nng_tls_engine_conn *c,
                      const uint8_t *bytes,
                      size_t *size)
{
    int rv = c->taken ? 0 : engine_hold(c, bytes, *size);
    bool is_due = c->held_size == HELD || frame_ended(&c->frame);
    if (!rv && is_due)
        rv = engine_flush(c);
    if (rv)
        return rv;
    *size = c->taken;
    c->taken = 0;
    return 0;
}

static int engine_send(nng_tls_engine_conn *c,
                       const uint8_t *bytes,
                       size_t *size)
{
    HANDOVER_TAKE(c);
    int rv = engine_put(c, bytes, size);
    HANDOVER_GIVE(c);
    return rv;
}

static bool engine_verified(nng_tls_engine_conn *c)
{
    HANDOVER_TAKE(c);
    bool is_verified = mbedtls_ssl_get_verify_result(&c->ssl) == 0;
    HANDOVER_GIVE(c);
    return is_verified;
}

/* ---- the engine ---- */

static void engine_register(void)
{
    static nng_tls_engine_config_ops config_ops = {
        .size = sizeof(nng_tls_engine_config),
        .init = engine_config_init,
        .fini = engine_config_fini,
        .server = engine_server,
        .auth = engine_auth,
        .ca_chain = engine_believe,
        .own_cert = engine_own,
        .version = engine_version};
    static nng_tls_engine_conn_ops conn_ops = {.size =
                                                   sizeof(nng_tls_engine_conn),
                                               .init = engine_conn_init,
                                               .fini = engine_conn_fini,
                                               .close = engine_close,
                                               .handshake = engine_handshake,
                                               .recv = engine_recv,
                                               .send = engine_send,
                                               .verified = engine_verified};
    static const nng_tls_engine engine = {.version = NNG_TLS_ENGINE_V1,
                                          .config_ops = &config_ops,
                                          .conn_ops = &conn_ops,
                                          .name = "etna",
                                          .description = "mbedTLS, a message "
                                                         "in one record"};
    (void)nng_tls_engine_register(&engine);
}

void engine_use(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, engine_register);
}
