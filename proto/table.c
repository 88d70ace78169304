/* The table of table.h: open addressing, linear probing, grown at two
 * thirds. */
#include "proto/table.h"

#include <assert.h>
#include <stdlib.h>

static char gone; /* its address marks a removed entry */

/* Multiplied by 2^64 over the golden ratio, so that keys which differ in few
 * bits, as counters, are spread. The low bits of the product are the worst
 * mixed; they are shifted out. */
static size_t table_home(const table *t, uint64_t key)
{
    uint64_t mixed = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 17) & (t->capacity - 1);
}

void table_free(table *t)
{
    free(t->slots);
    *t = (table){0};
}

/* The slot that has the key; NULL: none. The search ends, as a third of the
 * slots at least were never used (table_put grows the table before). */
static table_slot *table_find_place(const table *t, uint64_t key)
{
    if (!t->capacity)
        return NULL;
    for (size_t at = table_home(t, key);; at = (at + 1) & (t->capacity - 1)) {
        table_slot *slot = &t->slots[at];
        if (!slot->value)
            return NULL;
        if (slot->value != &gone && slot->key == key)
            return slot;
    }
}

void *table_get(const table *t, uint64_t key)
{
    const table_slot *slot = table_find_place(t, key);
    return slot ? slot->value : NULL;
}

/* Makes room for one more. What was removed is left behind here, so the table
 * may also stay as large as it is. */
static bool table_grow(table *t)
{
    table old = *t;
    size_t capacity = 16;
    while (capacity < (old.live + 1) * 3)
        capacity *= 2;
    table_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    *t = (table){.slots = slots, .capacity = capacity, .live = 0, .taken = 0};
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].value && old.slots[i].value != &gone)
            table_put(t, old.slots[i].key, old.slots[i].value);
    }
    free(old.slots);
    return true;
}

bool table_put(table *t, uint64_t key, void *value)
{
    assert(value); /* NULL is an empty slot */
    table_slot *known = table_find_place(t, key);
    if (known) {
        known->value = value;
        return true;
    }
    if ((t->taken + 1) * 3 > t->capacity * 2 && !table_grow(t))
        return false;
    size_t at = table_home(t, key);
    while (t->slots[at].value && t->slots[at].value != &gone)
        at = (at + 1) & (t->capacity - 1);
    if (!t->slots[at].value)
        t->taken++;
    t->slots[at] = (table_slot){key, value};
    t->live++;
    return true;
}

void table_remove(table *t, uint64_t key)
{
    table_slot *slot = table_find_place(t, key);
    if (!slot)
        return;
    assert(t->live > 0);
    slot->value = &gone;
    t->live--;
}
