/* A batch: the runs of a list, given one after the other to who carries runs,
 * watched, and fetched as they end. Whoever carries them, a process of ours or
 * another, is spoken to over the wire, as by every client. What has become of
 * each line is in the folder's journal, and of each run in its store: a batch
 * that is started again asks for both and goes on.
 *
 *   WAITING ──submitted──> BEGUN ──ended, fetched, written──> ENDED
 *      ^                     │                                  ^
 *      ├──its store has none─┘                                  │
 *      └────────────its scene cannot be read────────────────────┘ */
#ifndef ETNA_COORDINATOR_CLI_BATCH_H
#define ETNA_COORDINATOR_CLI_BATCH_H

#include "coordinator/cli/batch_folder.h"
#include "coordinator/cli/batch_list.h"
#include "coordinator/cli/visit.h"
#include "coordinator/report/summary.h"

/* runs begun and not ended, unless --active says otherwise */
enum {
    BATCH_ACTIVE = 64
};

typedef enum batch_state {
    BATCH_WAITING = 1,
    BATCH_BEGUN,
    BATCH_ENDED
} batch_state;

typedef struct batch_item {
    const batch_line *line;
    batch_state state;
    etna_id run;       /* zero: not known yet */
    uint64_t reserved; /* of the batch's money, while it is begun */
    bool imported;     /* a slot has taken it up */
    json_t *record;    /* ENDED */
    char stamp[48];    /* of the scene's file when the run was named */
    /* how often it was found at rest, and told to go on */
    uint32_t rests;
    uint64_t resume_at_ms; /* not before */
    bool told_waiting;     /* that it waits for its model */
} batch_item;

typedef struct batch_meter { /* the one line of progress */
    bool terminal, shown;
    uint64_t begun_ms, told_ms, written_ms;
    uint32_t ended_before, told_ended; /* at the start; when it was told last */
} batch_meter;

typedef struct batch {
    batch_folder folder;
    batch_item *items;
    uint32_t count, active_max;
    /* before `first` all are ended, from `next` on none is begun */
    uint32_t first, next;
    uint32_t begun, fresh; /* not ended; of these, not taken up by a slot */
    uint32_t left;         /* not ended */
    /* millionths; max 0: no bound */
    uint64_t cost_max, cost_reserved, cost_spent;
    /* that the disk is full; while it is */
    bool told_full;
    /* a coordinator accepted runs of it: they are for coordinators alone */
    bool of_coordinator;
    /* --store, or NULL: where what is brought in is found */
    const char *assets_store;
    uint32_t priority; /* of runs that say none of their own */
    const atomic_int *stop;
    batch_meter meter;
} batch;

/* Takes over what the folder's journal says of the lines. ETNA_E_IO,
 * ETNA_E_NOMEM. */
etna_code batch_open(batch *b,
                     const batch_line *lines,
                     uint32_t count,
                     etna_error *err);
void batch_close(batch *b);

/* Until every line has ended. ETNA_E_CANCELLED: *stop; ETNA_E_NETWORK and the
 * like: who carries them went, or takes no more; ETNA_E_IO: results cannot be
 * written. Nothing is lost then. A full disk is waited for. */
etna_code batch_drive(batch *b, client *c, etna_error *err);

/* Lines as the summaries tell them; the caller frees. NULL: out of memory. */
summary_row *batch_rows(const batch *b);
etna_code batch_write_summary(const batch *b, etna_error *err);

/* batch_meter.c: where it stands, on stderr: on a terminal one line that is
 * rewritten, elsewhere one now and then. */
void batch_meter_start(batch *b);
void batch_meter_tell(batch *b);
void batch_meter_end(batch *b); /* tells it once more, for good */
uint64_t batch_now_ms(void);

#endif
