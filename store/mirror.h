/* Private to the store: a second place where every change is, on any file
 * system, before it takes effect here. What is left of a lost host is then in
 * the mirror: store_rebuild() makes a store of it elsewhere.
 *
 * Writing. Each write transaction of the mirrored tables is one group: appended
 * and synced while the transaction is open, just before its commit. So the
 * mirror has all that a commit made true, and at most one group more, whose
 * effects nobody saw. A mirror that cannot be written fails the write, as a
 * full disk does.
 *
 * Fencing. An owner claims its epoch by a file that only one can create. After
 * each append it looks whether a higher claim is there, and fails with
 * ETNA_E_STALE if so: who claims first and reads afterwards sees every group
 * that took effect. What a fenced owner appends later is not read. A store
 * knows the claims that it made, and is refused where the highest is another's.
 *
 * Going on. The place where the store stands in its mirror is a row of its own
 * (meta `mirror`), written by the same transaction. If the mirror has that
 * place, a new owner's segments go on from there; else they begin with a copy
 * of all rows (a base), after which the older segments are removed. So they
 * are, too, where they have grown far over the store. */
#ifndef ETNA_STORE_MIRROR_H
#define ETNA_STORE_MIRROR_H

#include "store/kv.h"
#include "store/segment.h"

/* Puts a mirror in the directory `path` (made when missing) in front of
 * `inner`, which *ret owns from then on; on failure it stays the caller's.
 * `self`: this owner, its epoch raised already. ETNA_E_STALE: another process
 * has claimed the mirror since; ETNA_E_USAGE: it is another store's; ETNA_E_IO,
 * ETNA_E_FULL, ETNA_E_CORRUPT, ETNA_E_NOMEM. */
etna_code mirror_open(const char *path,
                      const store_owner *self,
                      kv *inner,
                      kv **ret,
                      etna_error *err);

/* The row `mirror` of meta: where a store stands in its mirror. */
typedef struct mirror_place {
    /* chosen at random when a store is first mirrored: whose changes a segment
     * holds */
    etna_id store;
    segment_point point; /* epoch 0: nothing is in the mirror yet */
    /* the claim that this store made last, as far as it knows; 0: none */
    uint64_t claimed;
    /* the one it was about to make: a crash may have come before the file */
    uint64_t claiming;
} mirror_place;
/* Whether the mirror's highest claim is this store's, so that nobody has gone
 * on from the mirror since. Epochs don't tell: they follow the clock, and a
 * fenced store that is opened later has a higher one than whoever fenced it. */
bool mirror_claim_is_own(const mirror_place *place, uint64_t claim);
/* Writes the row, within the caller's write transaction. */
etna_code mirror_place_put(kv_txn *txn,
                           const mirror_place *place,
                           etna_error *err);
/* False: malformed, and *ret is untouched. */
bool mirror_place_decode(kv_view row, mirror_place *ret);
/* ETNA_E_NOTFOUND: this store was never mirrored; ETNA_E_CORRUPT. */
etna_code mirror_place_get(kv_txn *txn, mirror_place *ret, etna_error *err);

#endif
