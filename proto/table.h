/* Two small containers that the core, the link and the shells are built of: a
 * circular list whose links live in its members, and a table from a 64-bit key
 * to pointers. The table is only ever asked for a key, never walked, so no
 * order of it can reach a decision. Pure. */
#ifndef ETNA_PROTO_TABLE_H
#define ETNA_PROTO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a head, or a member's link; a lone one points at itself */
typedef struct chain {
    struct chain *next, *previous;
} chain;

static inline void chain_init(chain *c)
{
    c->next = c->previous = c;
}
static inline bool chain_empty(const chain *head)
{
    return head->next == head;
}
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
static inline void chain_prepend(chain *head, chain *link)
{
    chain_append(head->next, link);
}

/* The struct that holds `link` as its member `field`. */
#define CHAIN_OF(type, field, link) \
    ((type *)((uintptr_t)(link)-offsetof(type, field)))

typedef struct table_slot {
    uint64_t key;
    void *value; /* NULL: never used; &table_gone: removed */
} table_slot;

typedef struct table { /* all zero is empty */
    table_slot *slots;
    size_t capacity, live, taken; /* taken counts removed ones too */
} table;

void table_free(table *t);
void *table_get(const table *t, uint64_t key); /* NULL when absent */
bool table_put(table *t,
               uint64_t key,
               /* replaces; value not NULL; false: out of memory */
               void *value);
void table_remove(table *t, uint64_t key);

#endif
