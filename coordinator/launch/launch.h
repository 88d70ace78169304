/* `etna launch`: the job scripts and units that start a coordinator and its
 * workers where a scheduler, a supervisor or a person with ssh keeps them
 * running. They are written, not carried out: what is to happen can be read
 * before. A script names files with tokens and holds none. */
#ifndef ETNA_COORDINATOR_LAUNCH_LAUNCH_H
#define ETNA_COORDINATOR_LAUNCH_LAUNCH_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is to be started, from the command line; texts are borrowed. Every text
 * must be plain (letters, digits, a few signs), since it stands unquoted in
 * scripts, units and #SBATCH lines. */
typedef struct launch_plan {
    const char *kind; /* slurm, ssh, systemd, local, kubernetes */
    /* absolute; for slurm on a file system that all nodes share */
    const char *directory;
    /* absolute path of the directory of `etna` and `etna-worker` */
    const char *programs;
    /* the coordinator's address, tcp or tls+tcp; NULL: the kind's own */
    const char *listen;
    /* where a host keeps its store and cache; NULL: the kind's own */
    const char *local;
    const char *partition, *time; /* slurm; NULL: the scheduler's own */
    const char *hosts;            /* ssh: names, comma-separated */
    /* kubernetes: the image with both programs; NULL: etna */
    const char *image;
    uint32_t workers; /* how many, at least 1; ssh: one a host */
    /* of a worker, at least 1; 0: all that it finds */
    uint32_t cpus;
} launch_plan;

/* How many files the kind has; 0: there is no such kind. The first is what
 * starts everything. */
size_t launch_file_count(const char *kind);
/* Name of the kind's file `index`, below launch_file_count(). Static. */
const char *launch_file_name(const char *kind, size_t index);

/* Writes the kind's files into the directory, which is made when missing; what
 * stands there is replaced. ETNA_E_USAGE: a value that cannot stand in a script
 * (quotes, spaces and the like), no such kind, or what the kind wants is
 * missing; ETNA_E_IO, ETNA_E_FULL, ETNA_E_NOMEM. */
etna_code launch_write(const launch_plan *plan, etna_error *err);

/* The text of one file, malloc'd for the caller. Pure. */
etna_code launch_text(const launch_plan *plan,
                      const char *name,
                      char **ret,
                      etna_error *err);

#endif
