/* What of a text with several wishes can be left out, and what is read of the
 * rest. */
#include "read_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    PARTS = 12
};

static void add_moves(const builtin_facts *facts,
                      const builtin_reading *reading,
                      char *text,
                      size_t size)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        const char *on = m->reference < facts->object_count
                             ? facts->objects[m->reference].name
                             : "-";
        size_t at = strlen(text);
        snprintf(text + at, size - at, "%s%s%s %s %s", i ? "; " : "",
                 facts->objects[m->objects.objects[0]].name,
                 m->objects.count > 1 ? "+" : "",
                 builtin_relation_name(m->relation), on);
    }
}

/* Leaves out part after part, as a run would; "refused" where the whole is. */
static void read_leaving(const char *text, char *ret, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    const builtin_facts facts = read_world_facts(&w, &arena);
    builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
    uint32_t left[PARTS][2], count = 0;
    assert_non_null(reading);
    ret[0] = 0;
    for (;;) {
        *reading = (builtin_reading){.left = (const uint32_t(*)[2])left,
                                     .left_count = count};
        etna_error err = {0};
        if (builtin_read(&facts, text, &arena, reading, &err) == ETNA_OK)
            break;
        const uint32_t *part = reading->refusal.part;
        if (part[1] == 0 || count == PARTS) {
            snprintf(ret, size, "refused");
            etna_arena_free(&arena);
            return;
        }
        size_t at = strlen(ret);
        snprintf(ret + at, size - at, "(%.*s) ", (int)(part[1] - part[0]),
                 text + part[0]);
        uint32_t to = count++;
        for (; to > 0 && left[to - 1][0] > part[0]; to--)
            memcpy(left[to], left[to - 1], sizeof *left);
        memcpy(left[to], part, sizeof *left);
    }
    add_moves(&facts, reading, ret, size);
    etna_arena_free(&arena);
}

static void the_rest_is_read_without_a_wish_that_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *text, *read;
    } rows[] = {
        {"Put the cup on the nightstand and hang the mirror above the table, then put the vase on the coffee table",
         "(hang the mirror above the table) TeaCup on NightStand_02; obj_17 on CoffeeTable_01_001"},
        {"Polish the table, then put the cup on the nightstand",
         "(Polish the table) TeaCup on NightStand_02"},
        {"Put the cup on the nightstand. Juggle the bottles. Put the vase on the table.",
         "(Juggle the bottles) TeaCup on NightStand_02; obj_17 on Table_01"},
        /* "it" is what was not done, and drops too, as does what would go on
         * from another verb */
        {"Put the mirror on the table, turn it to the window, and put the vase on the coffee table",
         "(Put the mirror on the table) (turn it to the window) obj_17 on CoffeeTable_01_001"},
        {"Put the vase on the coffee table, put the mirror on the table, and put the cup on it",
         "(put the mirror on the table) (put the cup on it) obj_17 on CoffeeTable_01_001"},
        {"Polish the table and the chairs by the nightstand. Put the cup on the nightstand.",
         "(Polish the table) (the chairs by the nightstand) TeaCup on NightStand_02"},
        /* a list of places goes on behind what is left out */
        {"Put the cup on the nightstand, the mirror on the table and the vase on the coffee table",
         "(the mirror on the table) TeaCup on NightStand_02; obj_17 on CoffeeTable_01_001"},
        /* what bounds the others is nothing that they can be done without */
        {"Put the cup on the nightstand and leave the mirror on the table where it is",
         "refused"},
        {"Put the cup on the nightstand, but do not let it touch the mirror",
         "refused"},
        {"If the mirror is clean, put the cup on the nightstand", "refused"},
        {"Put the cup on the nightstand and avoid bumping the mirror",
         "refused"},
        {"Put the cup on the nightstand unless the mirror is there", "refused"},
        {"Put the mirror on the nightstand unless the vase is on the table",
         "refused"},
        {"Put the mirror on the table or put the cup on the nightstand",
         "refused"},
        {"Put the mirror on the table, otherwise put the cup on the nightstand",
         "refused"},
        {"Put the cup and the mirror on the nightstand", "refused"},
        {"Put the cup on the table, likewise the mirror", "refused"},
        {"Put the mirror on the table, likewise the cup", "refused"},
        /* nothing else is asked */
        {"Polish the table", "refused"},
        {"Polish the table and juggle the bottles", "refused"},
        {"Take the cup, polish it, and put it on the nightstand", "refused"},
        /* a wish that can be read is left alone */
        {"Put the cup on the nightstand and the vase on the table",
         "TeaCup on NightStand_02; obj_17 on Table_01"},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char read[1000];
        read_leaving(rows[i].text, read, sizeof read);
        if (strcmp(read, rows[i].read) == 0)
            continue;
        print_message("%s\n    wanted %s\n    read   %s\n", rows[i].text,
                      rows[i].read, read);
        failed++;
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_is_read_without_a_wish_that_is_not)};
    return cmocka_run_group_tests_name("leave", tests, NULL, NULL);
}
