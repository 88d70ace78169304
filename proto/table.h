/* Two small containers that the core, the link and the shells are built of: a
 * circular list whose links live in its members, and a table from a 64-bit key
 * to pointers. The table is only ever asked for a key, never walked, so no
 * order of it can reach a decision. Pure. */
#ifndef ETNA_PROTO_TABLE_H
#define ETNA_PROTO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A head, or a member's link; a lone one points at itself. A link is in one
 * chain at a time, and whoever frees its struct removes it first. */
typedef struct chain {
    struct chain *next, *previous;
} chain;

/* To be called once before any other use, of heads and links alike: all zero is
 * not an empty chain. */
static inline void chain_init(chain *c)
{
    c->next = c->previous = c;
}
/* Of a link: whether it is in no chain. */
static inline bool chain_empty(const chain *head)
{
    return head->next == head;
}
/* Takes it out of whatever chain it is in; a lone one may be removed again. */
static inline void chain_remove(chain *link)
{
    link->previous->next = link->next;
    link->next->previous = link->previous;
    chain_init(link);
}
static inline void chain_append(chain *head, chain *link) /* at the tail */
{
    link->previous = head->previous;
    link->next = head;
    head->previous->next = link;
    head->previous = link;
}
/* At the front. As with chain_append, the link must be lone: one that is in
 * another chain would break that. */
static inline void chain_prepend(chain *head, chain *link)
{
    chain_append(head->next, link);
}

/* The struct that holds `link` as its member `field`. */
#define CHAIN_OF(type, field, link) \
    ((type *)((uintptr_t)(link)-offsetof(type, field)))

/*  */
typedef struct table_slot {
    uint64_t key;
    void *value; /* NULL: never used; table.c's `gone`: removed */
} table_slot;

typedef struct table { /* all zero is empty */
    table_slot *slots;
    size_t capacity, live, taken; /* taken counts removed ones too */
} table;

/* Frees the slots, not what the values point to: these are the owner's. */
void table_free(table *t);
/* The value put under `key`; NULL when there is none. The table's growth moves
 * no value, so the pointer stays good for as long as its owner keeps it. */
void *table_get(const table *t, uint64_t key);
/* Puts `value`, which is not NULL, under `key`, in the place of what was there.
 * False: out of memory, and the table is as it was; replacing never fails. */
bool table_put(table *t, uint64_t key, void *value);
/* A key that is not there is fine. The value is not freed. */
void table_remove(table *t, uint64_t key);

#endif
