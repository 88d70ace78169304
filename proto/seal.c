/* See seal.h. */
#include "proto/seal.h"

#include <sodium.h>
#include <string.h>

/* Envelope.mac as protobuf writes it: field 6, of bytes, and how many. */
enum {
    TAG = 6 << 3 | 2,
    TAG_SIZE = 2,
    MAC_SIZE = SEAL_SIZE - TAG_SIZE
};

/* What a key is for, so that none of them is ever another's. */
enum {
    FOR_ASKS = 'q',
    FOR_ANSWERS = 'a'
};

const char *seal_role_name(seal_role role)
{
    static const char *const names[SEAL_ROLE_COUNT] = {"nobody", "worker",
                                                       "submitter", "viewer"};
    return role < SEAL_ROLE_COUNT ? names[role] : "unknown";
}

bool seal_random(uint8_t bytes[SEAL_KEY])
{
    if (sodium_init() < 0)
        return false;
    randombytes_buf(bytes, SEAL_KEY);
    return true;
}

typedef crypto_generichash_state digest;

static void digest_add_number(digest *d, uint64_t number)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    crypto_generichash_update(d, bytes, sizeof bytes);
}

/* Every text goes in with its length before it, so that no two openings give
 * the same bytes: "ab" and "c" are not "a" and "bc". */
static void digest_add_text(digest *d, const char *text)
{
    size_t size = strlen(text);
    digest_add_number(d, size);
    crypto_generichash_update(d, (const unsigned char *)text, size);
}

/* The state is forgotten too: with it the key could be had again. */
static seal_key digest_end(digest *d)
{
    seal_key key;
    crypto_generichash_final(d, key.bytes, sizeof key.bytes);
    seal_forget(d, sizeof *d);
    return key;
}

seal_key seal_token(const seal_key *secret, const char *realm, seal_role role)
{
    digest d;
    crypto_generichash_init(&d, secret->bytes, sizeof secret->bytes, SEAL_KEY);
    digest_add_text(&d, "etna token 1");
    digest_add_text(&d, realm);
    digest_add_number(&d, role);
    return digest_end(&d);
}

/* All that the two have told each other goes into the key, so that a change of
 * any of it on the way makes every later seal wrong. */
static seal_key seal_derive(const seal_key *token,
                            const seal_opening *o,
                            uint64_t purpose)
{
    digest d;
    crypto_generichash_init(&d, token->bytes, sizeof token->bytes, SEAL_KEY);
    digest_add_text(&d, "etna session 1");
    digest_add_number(&d, purpose);
    digest_add_text(&d, o->realm);
    digest_add_number(&d, o->role);
    digest_add_number(&d, o->generation);
    digest_add_number(&d, o->epoch);
    crypto_generichash_update(&d, o->asked.bytes, sizeof o->asked.bytes);
    crypto_generichash_update(&d, o->welcomed.bytes, sizeof o->welcomed.bytes);
    return digest_end(&d);
}

seal_session seal_agree(const seal_key *token, const seal_opening *opening)
{
    return (seal_session){.asks = seal_derive(token, opening, FOR_ASKS),
                          .answers = seal_derive(token, opening, FOR_ANSWERS)};
}

void seal_make(const seal_key *key,
               const void *data,
               size_t size,
               uint8_t seal[SEAL_SIZE])
{
    static const unsigned char none = 0;
    seal[0] = TAG;
    seal[1] = MAC_SIZE;
    crypto_generichash(seal + TAG_SIZE, MAC_SIZE, data ? data : &none, size,
                       key->bytes, sizeof key->bytes);
}

bool seal_is_there(const void *data, size_t size)
{
    if (size < SEAL_SIZE)
        return false;
    const uint8_t *seal = (const uint8_t *)data + size - SEAL_SIZE;
    return seal[0] == TAG && seal[1] == MAC_SIZE;
}

bool seal_check(const seal_key *key,
                const void *data,
                size_t size,
                size_t *ret_size)
{
    uint8_t expected[SEAL_SIZE];
    if (!seal_is_there(data, size))
        return false;
    size_t before = size - SEAL_SIZE;
    seal_make(key, data, before, expected);
    if (sodium_memcmp(expected, (const uint8_t *)data + before, SEAL_SIZE) != 0)
        return false;
    *ret_size = before;
    return true;
}

void seal_forget(void *secret, size_t size)
{
    sodium_memzero(secret, size);
}
