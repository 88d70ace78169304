/* BLAKE2b-256 by libsodium. Apart from hex.c so that the core can link the text form without the hash function. */
#include "proto/hash.h"

#include <sodium.h>
#include <stdlib.h>

etna_hash etna_hash_bytes(const void *data, size_t size)
{
    etna_hash hash;
    static const unsigned char none = 0;
    crypto_generichash(hash.bytes, sizeof hash.bytes, data ? data : &none, size, NULL, 0);
    return hash;
}

struct etna_hasher {
    crypto_generichash_state state;
};

etna_hasher *etna_hasher_new(void)
{
    void *hasher = NULL;
    if (posix_memalign(&hasher, _Alignof(etna_hasher), sizeof(etna_hasher))) return NULL;
    crypto_generichash_init(&((etna_hasher *)hasher)->state, NULL, 0, sizeof(etna_hash));
    return hasher;
}

void etna_hasher_add(etna_hasher *hasher, const void *data, size_t size)
{
    if (size) crypto_generichash_update(&hasher->state, data, size);
}

void etna_hasher_end(etna_hasher *hasher, etna_hash *ret)
{
    if (ret) crypto_generichash_final(&hasher->state, ret->bytes, sizeof ret->bytes);
    free(hasher);
}
