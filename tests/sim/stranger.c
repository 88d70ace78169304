/* Who overhears the wire and has a worker's token of its own, but no lease: it
 * says again what others said, under its own name, says it changed, says it in
 * another version's words or from another time, and says what is no message.
 * Nothing of that may reach a run. (In another's name it cannot speak: every
 * message is sealed, which is tested where the seals are.) */
#include "tests/sim/sim_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 16,
    LARGEST = 1 << 16,
    EVERY_MS = 1500
};
static const uint64_t stranger_sender = UINT64_C(0xbadbadbad);

void stranger_hears(sim *s, const sim_event *letter)
{
    if (letter->a >= SIM_STRANGERS || letter->size > LARGEST)
        return;
    uint32_t at = s->overheard_count++ % KEPT;
    free(s->overheard[at]);
    s->overheard[at] = sim_new(1, letter->size);
    s->overheard_size[at] = letter->size;
    memcpy(s->overheard[at], letter->bytes, letter->size);
}

/* Takes the bytes. */
static void say(sim *s, uint8_t *bytes, size_t size)
{
    sim_event letter = {.kind = SIM_TO_COORDINATOR,
                        .a = SIM_STRANGERS,
                        .b = 1,
                        .c = ++s->strangers_life};
    letter.pipe = sim_pipe(s);
    letter.owner = s->owner;
    letter.bytes = bytes;
    letter.size = size;
    sim_network(s, &letter);
}

static void change(sim *s, uint8_t *bytes, size_t size)
{
    for (uint64_t times = 1 + sim_chance(s, 4); times && size; times--)
        bytes[sim_chance(s, size)] ^= (uint8_t)(1u << sim_chance(s, 8));
}

/* The same, as far as it is a message, in its own name; it asks for no work, or
 * it would get some. */
static void say_as_own(sim *s, const uint8_t *bytes, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (!message_unpack(bytes, size, &arena, &m, NULL)) {
        uint8_t *packed = NULL;
        size_t packed_size = 0;
        m.sender = stranger_sender + sim_chance(s, 3);
        m.epoch += sim_percent(s, 20) ? sim_chance(s, 100) : 0;
        bool is_deed =
            m.kind == MESSAGE_LEASE_REQUEST || m.kind == MESSAGE_RUN_SUBMIT;
        if (!is_deed && !message_pack(&m, &packed, &packed_size, NULL))
            say(s, packed, packed_size);
    } else {
        uint8_t *copy = sim_new(1, size);
        memcpy(copy, bytes, size);
        say(s, copy, size);
    }
    etna_arena_free(&arena);
}

static void say_in_version(sim *s, const uint8_t *bytes, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (!message_unpack(bytes, size, &arena, &m, NULL)) {
        uint8_t *packed = NULL;
        size_t packed_size = 0;
        m.sender = stranger_sender;
        m.version = sim_percent(s, 50)
                        ? 0
                        : MESSAGE_VERSION + 1 + (uint32_t)sim_chance(s, 9);
        if (!message_pack(&m, &packed, &packed_size, NULL))
            say(s, packed, packed_size);
    }
    etna_arena_free(&arena);
}

void stranger_speaks(sim *s)
{
    sim_at(s, 1 + sim_chance(s, 2 * EVERY_MS), SIM_STRANGER, 0, 0, 0);
    if (!s->overheard_count)
        return;
    uint32_t at = (uint32_t)sim_chance(
        s, s->overheard_count < KEPT ? s->overheard_count : KEPT);
    size_t size = s->overheard_size[at];
    uint8_t *bytes = sim_new(1, size);
    memcpy(bytes, s->overheard[at], size);
    uint64_t way = sim_chance(s, 4);
    if (way == 0) {
        say_as_own(s, bytes, size);
    } else if (way == 1) {
        change(s, bytes, size);
        say_as_own(s, bytes, size);
    } else if (way == 2) {
        say_in_version(s, bytes, size);
    } else {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)sim_chance(s, 256);
        say(s, bytes, size);
        return;
    }
    free(bytes);
}

void stranger_answered(sim *s, const sim_event *event)
{
    etna_arena arena = ETNA_ARENA_INIT;
    message m;
    if (!message_unpack(event->bytes, event->size, &arena, &m, NULL)) {
        s->report->refusals += m.kind == MESSAGE_REFUSED;
        bool is_deed = m.kind == MESSAGE_CALL_ACK ||
                       m.kind == MESSAGE_BLOB_CHUNK ||
                       m.kind == MESSAGE_LEASE || m.kind == MESSAGE_LEASES;
        if (is_deed || m.kind == MESSAGE_RESULT_ACK)
            sim_breach(s, "a stranger is answered by a %s",
                       message_kind_name(m.kind));
    }
    etna_arena_free(&arena);
}
