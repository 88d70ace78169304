/* A thread that waits for the disk, so that the loop need not: it carries one
 * commit group at a time (store.h, store_group_leave), and wakes the loop when
 * it is through. It touches nothing but that group. */
#ifndef ETNA_COORDINATOR_SHELL_CARRIER_H
#define ETNA_COORDINATOR_SHELL_CARRIER_H

#include "store/store.h"

#include <uv.h>

typedef struct carrier carrier;

/* `arrived` is called on the loop after a group was carried; perhaps also when
 * it was taken already. Does not keep the loop going. ETNA_E_NOMEM, ETNA_E_IO.
 */
etna_code carrier_new(uv_loop_t *loop,
                      void (*arrived)(void *context),
                      void *context,
                      carrier **ret_carrier,
                      etna_error *err);
/* Waits for what is under way, whose end nobody hears of then. The memory goes
 * when the loop has closed its handle. NULL is fine. */
void carrier_close(carrier *c);

/* Begins to carry it. The one before was taken. */
void carrier_give(carrier *c, store_group *group);
/* A group was given and not taken. */
bool carrier_is_busy(const carrier *c);
/* The one that was given has been carried: carrier_take() waits for nothing. */
bool carrier_is_done(carrier *c);
/* Waits for the one that was given. *ret_err: how it went, its code ETNA_OK or
 * store_group_carry()'s; *ret_ns: how long that took. */
void carrier_take(carrier *c, etna_error *ret_err, uint64_t *ret_ns);

#endif
