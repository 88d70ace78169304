/* The furnish task, with a furnisher that wants one blob after another: what it
 * is given, what it makes, and how it fails. */
#include "tests/unit/worker/jobs/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WANTED = 3
};

/* Makes of index and brief the bytes of all that it was given, in order. */
typedef struct pile {
    uint8_t made[256];
    size_t size;
    uint32_t given, worked;
} pile;

static etna_hash wanted[WANTED];
static uint32_t closed;
static bool is_short_of_memory;

static void pile_add(pile *p, const uint8_t *data, size_t size)
{
    assert_true(p->size + size <= sizeof p->made);
    memcpy(p->made + p->size, data, size);
    p->size += size;
}

static etna_code pile_open(const uint8_t *index,
                           size_t index_size,
                           const uint8_t *brief,
                           size_t brief_size,
                           void **ret,
                           etna_error *err)
{
    (void)err;
    pile *p = calloc(1, sizeof *p);
    assert_non_null(p);
    pile_add(p, index, index_size);
    pile_add(p, brief, brief_size);
    *ret = p;
    return ETNA_OK;
}

/* The first blob alone, then the others together. */
static etna_code pile_work(void *room, etna_error *err)
{
    pile *p = room;
    if (is_short_of_memory)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a room");
    p->worked++;
    return ETNA_OK;
}

static const etna_hash *pile_wants(const void *room)
{
    const pile *p = room;
    uint32_t due = p->worked == 0 ? 0 : p->worked == 1 ? 1 : WANTED;
    return p->given < due ? &wanted[p->given] : NULL;
}

static etna_code pile_give(void *room,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    (void)err;
    pile *p = room;
    pile_add(p, data, size);
    p->given++;
    return ETNA_OK;
}

static etna_code pile_take(void *room,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    const pile *p = room;
    (void)err;
    *ret = malloc(p->size);
    assert_non_null(*ret);
    memcpy(*ret, p->made, p->size);
    *ret_size = p->size;
    return ETNA_OK;
}

static void pile_close(void *room)
{
    closed++;
    free(room);
}

static const job_furnisher piler = {pile_open, pile_work, pile_wants,
                                    pile_give, pile_take, pile_close};

static arrange_task task_of(host *h)
{
    arrange_task task = host_task(h, TASK_FURNISH);
    task.scene = host_put(h, "index ", 6);
    task.snapshot = host_put(h, "brief ", 6);
    wanted[0] = host_put(h, "one ", 4);
    wanted[1] = host_put(h, "two ", 4);
    wanted[2] = host_put(h, "three", 5);
    return task;
}

static void a_room_gets_what_it_wants_and_is_kept(void **state)
{
    (void)state;
    host h;
    size_t size = 0;
    host_open(&h);
    job_use_furnisher(&piler);
    closed = 0;
    const arrange_task task = task_of(&h);
    const arrange_result result = host_do(&h, &task);
    const uint8_t *made = host_get(&h, &result.blob, &size);
    assert_int_equal(size, 25);
    assert_memory_equal(made, "index brief one two three", 25);
    assert_int_equal(closed, 1);
    host_close(&h);
}

static void a_room_that_finds_no_memory_fails_its_task(void **state)
{
    (void)state;
    host h;
    etna_error err = {0};
    arrange_result result = {0};
    host_open(&h);
    job_use_furnisher(&piler);
    closed = 0;
    is_short_of_memory = true;
    const arrange_task task = task_of(&h);
    assert_int_equal(host_run(&h, &task, &result, &err), ETNA_E_NOMEM);
    assert_int_equal(closed, 1);
    is_short_of_memory = false;
    host_close(&h);
}

static void without_a_furnisher_the_task_fails(void **state)
{
    (void)state;
    host h;
    etna_error err = {0};
    arrange_result result = {0};
    host_open(&h);
    job_use_furnisher(NULL);
    const arrange_task task = task_of(&h);
    assert_int_equal(host_run(&h, &task, &result, &err), ETNA_E_INTERNAL);
    host_close(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_gets_what_it_wants_and_is_kept),
        cmocka_unit_test(a_room_that_finds_no_memory_fails_its_task),
        cmocka_unit_test(without_a_furnisher_the_task_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
