/* BLAKE2b-256 by libsodium. Apart from hex.c so that the core can link the text form without the hash function. */
#include "proto/hash.h"

#include <sodium.h>

etna_hash etna_hash_bytes(const void *data, size_t size)
{
    etna_hash hash;
    static const unsigned char none = 0;
    crypto_generichash(hash.bytes, sizeof hash.bytes, data ? data : &none, size, NULL, 0);
    return hash;
}
