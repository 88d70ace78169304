/* Hashes and run ids as text. Pure: used by the core. */
#include "proto/ascii.h"
#include "proto/hash.h"

#include <string.h>

static void to_hex(const uint8_t *bytes, size_t count, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * count] = 0;
}

static bool from_hex(const char *text, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int high = ascii_hex(text[2 * i]);
        int low = high < 0 ? -1 : ascii_hex(text[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return text[2 * count] == 0;
}

void etna_hash_hex(const etna_hash *hash, char text[65])
{
    to_hex(hash->bytes, 32, text);
}

void etna_id_hex(const etna_id *id, char text[33])
{
    to_hex(id->bytes, 16, text);
}

bool etna_hash_parse(const char *text, etna_hash *ret_hash)
{
    etna_hash hash;
    if (!from_hex(text, hash.bytes, sizeof hash.bytes))
        return false;
    *ret_hash = hash;
    return true;
}

bool etna_id_parse(const char *text, etna_id *ret_id)
{
    etna_id id;
    if (!from_hex(text, id.bytes, sizeof id.bytes))
        return false;
    *ret_id = id;
    return true;
}

bool etna_hash_equal(const etna_hash *a, const etna_hash *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool etna_hash_is_zero(const etna_hash *hash)
{
    static const etna_hash zero;
    return memcmp(hash, &zero, sizeof zero) == 0;
}

bool etna_id_equal(const etna_id *a, const etna_id *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
