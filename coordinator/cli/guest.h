/* A run whose store another process owns. It is handed to that process, watched
 * there, and handed to the next owner when that one ends. What the run leaves
 * behind is read from the store itself, which anybody may read. */
#ifndef ETNA_COORDINATOR_CLI_GUEST_H
#define ETNA_COORDINATOR_CLI_GUEST_H

#include "coordinator/cli/visit.h"
#include "store/store.h"

/* Filled by runner_run(): options, store_path and progress, all borrowed; the
 * rest starts at zero. Main thread only. */
typedef struct guest {
    const runner_options *options;
    const char *store_path;
    progress *progress;
    /* the owner that was found last */
    store_owner owner;
    /* of the first owner that accepted the run; 0: none did yet. If we own
     * the store later, runs from this epoch on are ours to take up
     * (left_resume). */
    uint64_t epoch;
    /* as the last answer had it; keeper COORDINATOR also where we found out by
     * the store that a coordinator had accepted it */
    visit_status status;
    /* number of the last event that was printed */
    uint64_t after;
    /* monotonic; since when nobody serves the run; 0: somebody does */
    uint64_t lost_ms;
    /* the user was told that it waits for a coordinator */
    bool told;
} guest;

/* How a visit ended. */
typedef enum guest_end {
    /* the owner went, or does not answer: look who owns the store now */
    GUEST_AGAIN = 1,
    /* the run ended or is suspended: the store says how */
    GUEST_OVER,
    /* the user was told everything: end with the exit code */
    GUEST_LEFT
} guest_end;

/* One visit of the store's present owner: submits or resumes the run there if
 * that is not done yet, and stays until it ends, the owner goes, or a signal
 * comes (which suspends the run). Sets *ret_exit with GUEST_LEFT alone. Prints
 * errors itself. */
guest_end guest_visit(guest *g, int *ret_exit);
/* Whether a coordinator has accepted the run. Then this process must not take
 * the store, as a command would carry the run on in a way its submitter was not
 * promised. */
bool guest_waits(const guest *g);
/* The store showed that a coordinator made the run durable, although its answer
 * never came: from now on the guest waits for a coordinator. */
void guest_leave_to_coordinator(guest *g);
/* 50 to 114 ms between two visits. False: nobody has served the run for a
 * minute (ten where a coordinator is awaited), or a signal came; the user was
 * told, and *ret_exit is set. */
bool guest_pause(guest *g, int *ret_exit);

#endif
