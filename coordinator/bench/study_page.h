/* The files of a study's page, as they stand in page/. */
#ifndef ETNA_COORDINATOR_BENCH_STUDY_PAGE_H
#define ETNA_COORDINATOR_BENCH_STUDY_PAGE_H

typedef struct study_file {
    const char *name, *text;
} study_file;
extern const study_file study_files[]; /* a NULL name ends them */

#endif
