/* What the parts of the simulated coordinator share. Nobody else includes
 * this. */
#ifndef ETNA_TESTS_SIM_COORDINATOR_INTERNAL_H
#define ETNA_TESTS_SIM_COORDINATOR_INTERNAL_H

#include "tests/sim/sim_internal.h"

/* coordinator.c: requests that wait for an answer, by a handle from 1 */
uint64_t sim_context_new(sim_owner *k, const sim_context *from);
/* A breach and NULL where no such request waits. */
sim_context *sim_context_of(sim *s, sim_owner *k, uint64_t handle);
void sim_context_end(sim_owner *k, uint64_t handle);

/* coordinator_commit.c */
/* The blob that is on its way to the disk; NULL. */
const sim_blob *sim_blob_waiting(const sim_owner *k, const etna_hash *hash);
/* On the disk or on its way there. */
bool sim_blob_is_held(const sim *s, const sim_owner *k, const etna_hash *hash);
/* Lets wait what a step wrote and said, and an answer of the shell's own (`own`:
 * NULL, none). Takes the blob's data. */
void sim_group_add(sim *s,
                   sim_owner *k,
                   const core_update *update,
                   sim_blob blob,
                   const core_send *own);
/* Writes all of the list in one commit. */
etna_code sim_groups_keep(sim *s,
                          sim_owner *k,
                          const sim_group *list,
                          etna_error *err);
/* What is on the disk is true from here on. */
void sim_group_note_durable(sim *s, const sim_owner *k, const sim_group *g);
void sim_groups_free(sim_group **list);

#endif
