/* What is evicted, in which order, and what is found again. */
#include "proto/lru.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* the numbers of items, in the order they were evicted */
typedef struct forgotten {
    uint32_t count, numbers[8];
} forgotten;

static void note(void *owner, lru_item *item)
{
    forgotten *f = owner;
    f->numbers[f->count++] = item->number;
}

static void what_is_unused_for_longest_goes_first_and_what_is_pinned_never(
    void **state)
{
    (void)state;
    lru cache = {0};
    forgotten f = {0};
    lru_item items[4] = {{.bytes = 10, .number = 0},
                         {.bytes = 20, .number = 1},
                         {.bytes = 30, .number = 2},
                         {.bytes = 40, .number = 3}};
    for (int i = 0; i < 4; i++)
        lru_add(&cache, &items[i]);
    assert_null(lru_trim(&cache, 0, note, &f));
    lru_unpin(&cache, &items[2]);
    lru_unpin(&cache, &items[0]);
    lru_unpin(&cache, &items[3]);
    lru_pin(&cache, &items[2]); /* and back at the end */
    lru_grow(&cache, &items[2], 5);
    lru_unpin(&cache, &items[2]);
    assert_int_equal(cache.bytes, 105);
    assert_int_equal(cache.idle, 85);
    assert_null(lru_trim(&cache, 105, note, &f));
    assert_ptr_equal(lru_trim(&cache, 95, note, &f), &items[0]);
    /* the last one heads the list */
    assert_ptr_equal(lru_trim(&cache, 0, note, &f), &items[2]);
    assert_int_equal(f.count, 3);
    assert_int_equal(f.numbers[0], 0);
    assert_int_equal(f.numbers[1], 3);
    assert_int_equal(f.numbers[2], 2);
    assert_int_equal(cache.bytes, 20);
    assert_int_equal(cache.idle, 0);
}

static etna_hash key_of(uint32_t number)
{
    etna_hash key = {{0}};
    /* behind what chooses the bucket: all are in one */
    key.bytes[8] = (uint8_t)number;
    return key;
}

static void what_is_evicted_is_not_found_again_and_its_neighbours_are(
    void **state)
{
    (void)state;
    lru_map map = {0};
    lru_entry entries[5];
    etna_hash keys[5];
    memset(entries, 0, sizeof entries);
    for (uint32_t i = 0; i < 5; i++) {
        entries[i].item.bytes = 1;
        entries[i].key = key_of(i);
        lru_map_add(&map, &entries[i]);
        if (i != 3)
            lru_unpin(&map.lru, &entries[i].item);
    }
    assert_ptr_equal(lru_map_pin(&map, &entries[1].key), &entries[1]);
    lru_unpin(&map.lru, &entries[1].item);
    /* 3 is pinned; then 1, 4, 2, 0 */
    assert_int_equal(lru_map_keys(&map, keys, 5), 5);
    assert_int_equal(keys[0].bytes[8], 3);
    assert_int_equal(keys[1].bytes[8], 1);
    assert_int_equal(keys[2].bytes[8], 4);
    assert_int_equal(keys[4].bytes[8], 0);
    assert_int_equal(lru_map_keys(&map, keys, 2), 2);
    lru_item *gone = lru_map_trim(&map, 3);
    assert_ptr_equal(gone, &entries[2]);
    assert_ptr_equal(gone->newer, &entries[0]);
    assert_null(gone->newer->newer);
    assert_null(lru_map_pin(&map, &entries[0].key));
    assert_null(lru_map_pin(&map, &entries[2].key));
    assert_ptr_equal(lru_map_pin(&map, &entries[4].key), &entries[4]);
    assert_non_null(lru_map_clear(&map));
    assert_null(lru_map_pin(&map, &entries[3].key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            what_is_unused_for_longest_goes_first_and_what_is_pinned_never),
        cmocka_unit_test(
            what_is_evicted_is_not_found_again_and_its_neighbours_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
