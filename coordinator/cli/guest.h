/* A run whose store another process owns: handed to that one, watched there,
 * and taken along to the next owner when that one ends. What it left is read
 * from the store itself, which anybody may read. */
#ifndef ETNA_COORDINATOR_CLI_GUEST_H
#define ETNA_COORDINATOR_CLI_GUEST_H

#include "coordinator/cli/visit.h"
#include "store/store.h"

typedef struct guest {
    const runner_options *options;
    const char *store_path;
    progress *progress;
    store_owner owner; /* as it was found last */
    /* of the first owner that accepted the run; 0: none has yet */
    uint64_t epoch;
    visit_status status; /* as it was told last */
    uint64_t after;      /* the last event that was told */
    uint64_t lost_ms;    /* since when nobody serves it; 0: somebody does */
    bool told;           /* that it waits */
} guest;

typedef enum guest_end {
    /* there is no owner any more, or none that answers: look who it is now */
    GUEST_AGAIN = 1,
    GUEST_OVER, /* the run ended or rests */
    GUEST_LEFT  /* nothing more is to be said: the exit code */
} guest_end;

/* One stay with who owns the store now. */
guest_end guest_visit(guest *g, int *ret_exit);
/* Whether the run waits for a coordinator: then the store is not the guest's to
 * take. */
bool guest_waits(const guest *g);
/* A coordinator had the run made durable before it died, and its answer was
 * lost: it waits. */
void guest_leave_to_coordinator(guest *g);
/* A moment's pause between two stays. False: it has taken too long, or a signal
 * came; told, with the exit code. */
bool guest_pause(guest *g, int *ret_exit);

#endif
