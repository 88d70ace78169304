/* A batch: the runs of a list, submitted in the list's order to whoever carries
 * runs, watched, and fetched as they end. The carrier may be this process or
 * another one; either way the batch speaks to it over the wire as any client
 * does, so there is one way to drive it. The state of each line is in the
 * folder's journal and that of each run in its store. A batch that is started
 * again reads both and goes on.
 *
 *   WAITING ──submitted──> BEGUN ──ended, fetched, written──> ENDED
 *      ^                     │                                  ^
 *      ├──its store has none─┘                                  │
 *      └────────────its scene cannot be read────────────────────┘
 *
 * One thread uses a batch at a time: the thread in batch_drive(). */
#ifndef ETNA_COORDINATOR_CLI_BATCH_H
#define ETNA_COORDINATOR_CLI_BATCH_H

#include "coordinator/cli/batch_ahead.h"
#include "coordinator/cli/batch_folder.h"
#include "coordinator/cli/batch_list.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/summary.h"

/* The most runs that are begun and not ended, unless --active says otherwise:
 * enough to keep a cluster's workers busy while some runs wait for a model. */
enum {
    BATCH_ACTIVE = 64
};

/* See the drawing above. 0 is no state, so that a forgotten initialisation
 * shows. */
typedef enum batch_state {
    /* not submitted, or its store does not know it */
    BATCH_WAITING = 1,
    /* submitted; its carrier works on it, or it rests */
    BATCH_BEGUN,
    /* `record` holds its result; it is not asked for any more */
    BATCH_ENDED
} batch_state;

/* One line of the list and what has become of it. */
typedef struct batch_item {
    const batch_line *line;
    batch_state state;
    etna_id run; /* zero: not known yet */
    /* millionths of the batch's money set aside while this run is begun: all
     * that its own --max-cost lets it spend */
    uint64_t reserved;
    /* a slot has read its scene and works on it; until then it counts as
     * `fresh` */
    bool imported;
    /* ENDED: its result as the summaries show it (report/summary.h), owned */
    json_t *record;
    /* modification time and size of the scene's file when the run was named;
     * another stamp is another scene, thus another run */
    char stamp[48];
    /* how many times it was found suspended and was resumed; the pause doubles
     * with each */
    uint32_t rests;
    uint64_t resume_at_ms; /* not before */
    /* the user was told that it waits for its model; reset when it goes on */
    bool told_waiting;
} batch_item;

/* The one line of progress. Times are batch_now_ms()'s. */
typedef struct batch_meter {
    /* stderr is a terminal; its line is on the screen and must be ended or
     * erased before anything else is printed */
    bool terminal, shown;
    /* the start; when the line was last printed; when the summaries were last
     * written */
    uint64_t begun_ms, told_ms, written_ms;
    /* how many lines had ended at the start; when it was last printed */
    uint32_t ended_before, told_ended;
} batch_meter;

typedef struct batch {
    batch_folder folder;
    batch_item *items;
    uint32_t count, active_max;
    /* the window that is looked at: before `first` all have ended, from `next`
     * on none is begun */
    uint32_t first, next;
    /* items in BEGUN; those of them that no slot has taken up yet */
    uint32_t begun, fresh;
    /* items that are not in ENDED: the batch is done at 0 */
    uint32_t left;
    /* millionths of the currency of the models' prices. max 0: no bound; spent:
     * by lines in ENDED, those of earlier starts included; dearest: by one of
     * them */
    uint64_t cost_max, cost_reserved, cost_spent, cost_dearest;
    /* the user was told that the disk is full; reset when a write succeeds */
    bool told_full;
    /* A coordinator accepted runs of this batch and promised to finish them.
     * This process must not carry them, even where it could own the store. */
    bool of_coordinator;
    /* --store, or NULL: where what is brought in is found */
    const char *assets_store;
    /* of the runs whose line names none */
    uint32_t priority;
    /* not 0: end soon with ETNA_E_CANCELLED. Set before each batch_drive(); it
     * may be another thread's, or a signal handler's. Borrowed. */
    const atomic_int *stop;
    batch_meter meter;
    /* within batch_drive(): the line whose scene is being read, and how its run
     * is asked for, with its models */
    batch_ahead *ahead;
    batch_item *ahead_item;
    run_request ahead_request;
    etna_arena ahead_arena;
} batch;

/* Allocates the items and takes over what the folder's journal says of them.
 * `b->folder` is open, and locked unless the batch is only shown; `lines` is
 * borrowed until batch_close(). ETNA_E_NOMEM, ETNA_E_IO; batch_close() is to be
 * called then, too. */
etna_code batch_open(batch *b,
                     const batch_line *lines,
                     uint32_t count,
                     etna_error *err);
/* Frees the items. The folder stays open: it is its owner's. */
void batch_close(batch *b);

/* Works until every line has ended, or until it cannot go on: ETNA_E_CANCELLED
 * (*stop), ETNA_E_NETWORK and the like (whoever carries the runs went away, or
 * accepts no more), ETNA_E_IO (results cannot be written). Nothing is lost
 * then: call it again, also with another client. Runs begun by an earlier call
 * are asked for again, since another carrier may not know them. A full disk is
 * no error: it waits until there is room. */
etna_code batch_drive(batch *b, client *c, etna_error *err);

/* One row a line in the list's order, and one more that is zero. The rows
 * borrow from the batch; the caller frees the array. NULL: out of memory. */
summary_row *batch_rows(const batch *b);
/* Writes summary.csv and summary.html into the folder, each replaced whole. */
etna_code batch_write_summary(const batch *b, etna_error *err);

/* batch_meter.c: where the batch stands, on stderr. On a terminal it is one
 * line that is rewritten up to five times a second; elsewhere a line every ten
 * seconds at most, and only when a run has ended since. */
void batch_meter_start(batch *b);
void batch_meter_tell(batch *b);
/* Prints it for the last time and ends the line. */
void batch_meter_end(batch *b);
/* The monotonic clock, in milliseconds since an unspecified start. */
uint64_t batch_now_ms(void);

#endif
