/* Join files: whatever is read is written as it stands, and read as the
 * same. */
#include "proto/join.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[JOIN_FILE_MAX];
    join j, again;
    if (join_parse((const char *)data, size, &j, NULL))
        return 0;
    size_t written = join_format(&j, text, sizeof text);
    if (!written || join_parse(text, written, &again, NULL))
        abort();
    if (memcmp(&j.tokens, &again.tokens, sizeof j.tokens) != 0 ||
        strcmp(j.endpoint, again.endpoint) != 0)
        abort();
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char text[] =
        "etna-join 1\nconnect tls+tcp://host:7890\nrealm 0f\ngeneration 3\nelsewhere x\n"
        "worker 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
        "viewer 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
        "certificate\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    add(text, sizeof text - 1);
}
