/* A small coordinator for the worker shell's tests: REP contexts on threads,
 * answering from what the test told it, and noting what came. Only the test's
 * own thread asserts. */
#ifndef ETNA_TESTS_SHELL_COORDINATOR_H
#define ETNA_TESTS_SHELL_COORDINATOR_H

#include "proto/message.h"

#include <pthread.h>
#include <stdbool.h>

enum {
    FAKE_CONTEXTS = 6,
    FAKE_BLOBS = 16,
    FAKE_TASKS = 16,
    FAKE_PAYLOAD = 64,
    FAKE_HELD = 16
};

typedef struct fake_blob {
    etna_hash hash;
    uint8_t *data; /* of `total` bytes */
    uint64_t total, received;
    unsigned gets; /* BLOB_GET from offset 0 */
} fake_blob;

typedef struct fake_result {
    uint64_t task;
    uint32_t error;
    char text[512];
    uint8_t payload[512];
    size_t size;
    uint64_t cpu_us;
} fake_result;

typedef struct fake_task {
    uint64_t task;
    uint8_t payload[FAKE_PAYLOAD];
} fake_task;

typedef struct fake {
    /* guards everything below, which tests read and write under it */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t epoch;
    fake_task tasks[FAKE_TASKS]; /* to be leased, in order */
    uint32_t task_first, task_count;
    uint32_t lease_requests;
    /* of the newest lease request: a repeat takes the place of what it
     * repeats */
    uint64_t lease_sequence, lease_arrival;
    /* the task it was answered with, as an index; -1: none yet */
    int64_t lease_granted;
    fake_blob blobs[FAKE_BLOBS];
    uint32_t blob_count;
    fake_result results[FAKE_TASKS];
    uint32_t result_count;
    uint64_t cancel; /* a task the next orders answer cancels; 0: none */
    bool drain;
    uint64_t held[FAKE_HELD]; /* of the last orders request */
    uint32_t held_count, orders_requests,
        /* cancelled_at: orders_requests when `cancel` was given out */
        cancelled_at;
    uint32_t call_verdict;
    etna_hash stored_reply;
    uint32_t call_begins, call_ends;
    bool hold_call_ends; /* no call_ack until false */
    bool corrupt;        /* flips a bit of each chunk */
    uint32_t garbage;    /* so many answers are not messages */
    bool closing;
    struct fake_net *net;
} fake;

void fake_init(fake *f);
void fake_open(fake *f, const char *url); /* listens; epoch + 1 */
/* and forgets nothing: it may be opened again */
void fake_close(fake *f);
void fake_free(fake *f);
void fake_add_task(fake *f, uint64_t task, const uint8_t *payload, size_t size);
etna_hash fake_add_blob(fake *f, const uint8_t *data, size_t size);
/* Waits, at most 20 s, until `is` holds; asked under the mutex. */
bool fake_wait(fake *f,
               bool (*is)(const fake *f, uint64_t what),
               uint64_t what);
/* under the mutex; NULL: none */
fake_blob *fake_find(fake *f, const etna_hash *hash);

#endif
