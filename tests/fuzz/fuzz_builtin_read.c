/* The reader of plain words on hostile text of up to 4 KB, over a small room.
 * Whatever comes, it ends, refuses in words or reads moves of things that are
 * there, from bytes that are there, and the same the second time. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/facts_world.h"
#include "worker/builtin/builtin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 4096
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* Made once; lives as long as the program. */
static const builtin_facts *room(void)
{
    static builtin_facts facts;
    static etna_arena arena = ETNA_ARENA_INIT;
    static bool made;
    if (made)
        return &facts;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 6, 5, 0.1, "grey", -1);
    w.things[floor].is_static = true;
    int wall =
        facts_world_add(&w, "wall north", 0, 2.6, 6, 0.1, 2.5, "white", -1);
    w.things[wall].is_static = true;
    w.things[wall].no_top = true;
    int table =
        facts_world_add(&w, "Table", 0, 0, 1.4, 0.8, 0.7, "brown", floor);
    int shelf =
        facts_world_add(&w, "Shelf_02", 2, 1.5, 0.9, 0.4, 1.4, "white", floor);
    facts_world_add(&w, "Sofa", -2, 1, 2, 0.9, 0.5, "blue", floor);
    facts_world_add(&w, "Chair 1", -0.5, -0.9, 0.4, 0.4, 0.8, "brown", floor);
    facts_world_add(&w, "Chair 2", 0.5, -0.9, 0.4, 0.4, 0.8, "brown", floor);
    facts_world_add(&w, "Red Book", 0.3, 0.1, 0.2, 0.15, 0.03, "red", table);
    facts_world_add(&w, "Blue Book", 0.3, -0.2, 0.2, 0.15, 0.03, "blue", table);
    facts_world_add(&w, "Mug", -0.3, 0.1, 0.1, 0.1, 0.1, "white", table);
    facts_world_add(&w, "Mug.001", -0.5, -0.1, 0.1, 0.1, 0.1, "red", table);
    facts_world_add(&w, "Vase", 2, 1.5, 0.2, 0.2, 0.3, "green", shelf);
    char *json = facts_world_json(&w);
    check(builtin_facts_read(json, strlen(json), &arena, &facts, NULL) ==
          ETNA_OK);
    free(json);
    made = true;
    return &facts;
}

static void check_set(const builtin_facts *facts, const builtin_set *set)
{
    check(set->need <= set->count);
    for (uint32_t i = 0; i < set->count; i++)
        check(set->objects[i] < facts->object_count);
}

static void check_thing(const builtin_facts *facts, uint32_t object)
{
    check(object < facts->object_count || object == BUILTIN_NONE ||
          object == BUILTIN_CAMERA);
}

static void check_move(const builtin_facts *facts,
                       const builtin_move *move,
                       size_t size)
{
    check((unsigned)move->relation < RELATION_COUNT);
    check(move->span[0] <= move->span[1] && move->span[1] <= size);
    check(move->objects.count > 0);
    check_set(facts, &move->objects);
    check_set(facts, &move->each);
    check_thing(facts, move->reference);
    check_thing(facts, move->second);
    check_thing(facts, move->support);
    if (move->facing)
        check_thing(facts, move->faced);
    for (uint32_t i = 0; i < move->row_count; i++)
        check(move->row[i] < facts->object_count);
    for (uint32_t i = 0; i < move->also_count; i++) {
        check((unsigned)move->also[i].relation < RELATION_COUNT);
        check_thing(facts, move->also[i].reference);
        check_thing(facts, move->also[i].second);
        check(isfinite(move->also[i].gap));
    }
    for (int k = 0; k < 3; k++)
        check(isfinite(move->shift[k]) && isfinite(move->at[k]));
    check(isfinite(move->gap) && isfinite(move->turn) &&
          isfinite(move->spacing) && isfinite(move->yaw_deg));
}

/* How many moves; UINT32_MAX: refused. */
static uint32_t read_once(const builtin_facts *facts, const char *text)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
    uint32_t count = UINT32_MAX;
    check(reading != NULL);
    memset(reading, 0, sizeof *reading);
    etna_code code = builtin_read(facts, text, &arena, reading, &err);
    if (code == ETNA_OK) {
        check(reading->count <= BUILTIN_MOVES_MAX);
        for (uint32_t i = 0; i < reading->count; i++)
            check_move(facts, &reading->moves[i], strlen(text));
        count = reading->count;
    } else {
        check(code == ETNA_E_INPUT && err.text[0] != 0);
        check(reading->refusal.from <= reading->refusal.to &&
              reading->refusal.to <= strlen(text));
    }
    etna_arena_free(&arena);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const builtin_facts *facts = room();
    if (size > TEXT_MAX)
        return 0;
    char *text = malloc(size + 1);
    check(text != NULL);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    check(read_once(facts, text) == read_once(facts, text));
    free(text);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const sentences[] = {
        "Put the red book on the shelf, then the other one next to it",
        "pls mug -> shelf!!",
        "Would you kindly place the vase in the corner behind the sofa, facing the table?",
        "Translate chair 2 by 30 cm toward the table; rotate it 90 deg CCW",
        "I want every book that is on the table except the red one to be on the second board from the top",
        "Put one mug in front of each chair, half a metre from the blue book",
        "Swap the vase and the book on the left. Put everything else where the vase was initially.",
        "Line up the books, the mugs and the vase along the back edge of the table, 10 cm apart, in this order: a, b",
        "Stack \"Red Book\" on \"Blue Book\" and \"Mug.001\" between Chair 1 & Chair 2",
        "tidy: books on the shelf, chairs in, the rest under the table",
        "stelle die Tasse auf den Tisch",
    };
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        add(sentences[i], strlen(sentences[i]));
    char deep[TEXT_MAX];
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = "the mug on the table that is on "[i % 32];
    add(deep, sizeof deep);
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = "a,and "[i % 6];
    add(deep, sizeof deep);
}
