/* BLAKE2b-256 by libsodium. Apart from hex.c so that the core can link the text
 * form without the hash function. */
#include "proto/hash.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

static void sodium_begin(void)
{
    /* without it the same bits come out of slower code */
    if (sodium_init() < 0)
        return;
}

/* libsodium computes by its plain code until it was told to look for what the
 * processor has. */
static void hash_prepare(void)
{
    static pthread_once_t begun = PTHREAD_ONCE_INIT;
    pthread_once(&begun, sodium_begin);
}

etna_hash etna_hash_bytes(const void *data, size_t size)
{
    etna_hash hash;
    static const unsigned char none = 0;
    hash_prepare();
    crypto_generichash(hash.bytes, sizeof hash.bytes, data ? data : &none, size,
                       NULL, 0);
    return hash;
}

/* more than malloc promises */
enum {
    STATE_ALIGNMENT = _Alignof(crypto_generichash_state)
};

struct etna_hasher {
    unsigned char room[sizeof(crypto_generichash_state) + STATE_ALIGNMENT - 1];
};

static crypto_generichash_state *state_of(etna_hasher *hasher)
{
    uintptr_t at = ((uintptr_t)hasher->room + STATE_ALIGNMENT - 1) &
                   ~(uintptr_t)(STATE_ALIGNMENT - 1);
    return (crypto_generichash_state *)at;
}

etna_hasher *etna_hasher_new(void)
{
    etna_hasher *hasher = malloc(sizeof *hasher);
    hash_prepare();
    if (hasher)
        crypto_generichash_init(state_of(hasher), NULL, 0, sizeof(etna_hash));
    return hasher;
}

void etna_hasher_add(etna_hasher *hasher, const void *data, size_t size)
{
    if (size)
        crypto_generichash_update(state_of(hasher), data, size);
}

void etna_hasher_end(etna_hasher *hasher, etna_hash *ret)
{
    if (ret)
        crypto_generichash_final(state_of(hasher), ret->bytes,
                                 sizeof ret->bytes);
    free(hasher);
}
