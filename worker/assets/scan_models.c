/* Models are read by helpers: processes that take up to LEASE models each and
 * write what came of each into a pipe. A helper that dies leaves the model that
 * it had in hand as the culprit; the others of its lease go out again. */
#include "proto/fd.h"
#include "proto/process.h"
#include "worker/assets/lot.h"
#include "worker/assets/scan_internal.h"
#include "worker/convert/convert.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* models a helper reads before it is replaced: large enough that fork costs
 * nothing, small enough that memory an importer leaks stays small */
enum {
    LEASE = 16,
    ANSWER_MAX = 8 << 20,
    CPU_S = 600
};

/* of one model, in the pipe; `size` bytes of what lot_read made of it, or of a
 * fault's text follow */
typedef struct answer_head {
    uint32_t item, size;
    uint8_t is_fault;
} answer_head;

typedef struct helper {
    pid_t pid; /* 0: none */
    int pipe;
    /* items of the queue; how many were answered */
    uint32_t lease[LEASE], count, done;
} helper;

enum {
    FAILED_MOST = 256 /* that a kill may cost: they are read again */
};

typedef struct reading {
    scanning *x;
    asset *list;
    etna_arena *arena;
    uint32_t *queue, from, to; /* items that wait, `to` is behind the last */
    uint32_t answered, all;
    uint32_t failed[FAILED_MOST], failed_count; /* not on the shelf yet */
    helper helpers[SCAN_JOBS_MAX];
} reading;

/* ---- in a helper ---- */

/* As asset_fetch does it later: the hash must come out the same. Caller frees
 * ret->bundle. */
static etna_code model_convert(const asset *a,
                               uint8_t **ret_bundle,
                               lot_item *ret,
                               etna_error *err)
{
    char path[PATH_BYTES + 16];
    uint8_t *glb = NULL;
    size_t glb_size = 0;
    scene_options options = scene_options_default();
    *ret = (lot_item){.stamp = a->stamp};
    etna_code code;
    if (a->number) { /* in metres and Y up, self-contained */
        snprintf(path, sizeof path, "%s#%u", a->path, a->number);
        code = convert_file(path, NULL, &glb, &glb_size, err);
        options.metres_per_unit = 1;
        options.up = 'Y';
        if (code == ETNA_OK)
            ret->known = etna_hash_bytes(glb, glb_size);
        if (code == ETNA_OK)
            code = bundle_around(glb, glb_size, NULL, 0, &options, ret_bundle,
                                 &ret->size, err);
        free(glb);
    } else {
        code = convert_asset(a->path, ret_bundle, &ret->size, err);
    }
    ret->bundle = *ret_bundle;
    return code;
}

static bool answer_write(
    int fd, uint32_t item, const char *fault, const void *bytes, size_t size)
{
    answer_head head;
    memset(&head, 0, sizeof head);
    head.item = item;
    head.is_fault = *fault != 0;
    head.size = (uint32_t)(head.is_fault ? strlen(fault) : size);
    return fd_write(fd, &head, sizeof head) &&
           fd_write(fd, head.is_fault ? (const void *)fault : bytes, head.size);
}

/* As a worker reads it, so that it comes out the same. */
static bool model_answer(const asset *a, uint32_t item, int fd)
{
    etna_error err = {ETNA_OK, ""};
    uint8_t *bundle = NULL, *lot = NULL, *read = NULL;
    size_t lot_size = 0, size = 0;
    lot_item model;
    etna_code code = model_convert(a, &bundle, &model, &err);
    if (code == ETNA_OK)
        code = lot_pack(&model, 1, &lot, &lot_size, &err);
    if (code == ETNA_OK)
        code = lot_read(lot, lot_size, &read, &size, &err);
    bool ok = answer_write(fd, item, err.text, read, size);
    free(bundle);
    free(lot);
    free(read);
    return ok;
}

/* Converted and kept for a lot; others read it. */
static bool model_gather(const asset *a,
                         const char *folder,
                         uint32_t item,
                         int fd)
{
    etna_error err = {ETNA_OK, ""};
    uint8_t *bundle = NULL;
    lot_item model;
    etna_code code = model_convert(a, &bundle, &model, &err);
    if (code == ETNA_OK)
        code = gather_keep(folder, &model, &err);
    /* a disk that is full is no fault of the model's */
    bool is_ours =
        code == ETNA_E_IO || code == ETNA_E_FULL || code == ETNA_E_NOMEM;
    free(bundle);
    return !is_ours && answer_write(fd, item, err.text, NULL, 0);
}

static _Noreturn void be_helper(const reading *r, const helper *h, int fd)
{
    const gathering *lots = r->x->gather;
    for (uint32_t i = 0; i < h->count; i++) {
        const asset *a = &r->list[h->lease[i]];
        bool ok = lots ? model_gather(a, lots->folder, h->lease[i], fd)
                       : model_answer(a, h->lease[i], fd);
        if (!ok)
            _exit(1);
    }
    _exit(0);
}

/* ---- in the parent ---- */

static void model_fault(reading *r, uint32_t item, const char *text)
{
    asset *a = &r->list[item];
    const char *copy = etna_arena_strdup(r->arena, text);
    a->fault = copy ? copy : "no memory";
}

/* The lease is taken from the queue before the fork; a helper that dies gives
 * the rest back (helper_end). */
static etna_code helper_start(reading *r, helper *h, etna_error *err)
{
    int ends[2];
    h->count = h->done = 0;
    while (h->count < LEASE && r->from < r->to)
        h->lease[h->count++] = r->queue[r->from++];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return etna_fail(err, ETNA_E_IO, "no pipe to read models through: %s",
                         strerror(errno));
    const process_options options = {
        .fds = {PROCESS_NULL, PROCESS_NULL, PROCESS_NULL, PROCESS_INHERIT},
        .death_signal = SIGKILL,
        .cpu_s = CPU_S};
    pid_t pid;
    etna_code code = process_fork(&options, &pid, err);
    if (code != ETNA_OK) {
        close(ends[0]);
        close(ends[1]);
        return etna_error_prefix(err, "reading models");
    }
    if (pid == 0) {
        close(ends[0]);
        be_helper(r, h, ends[1]);
    }
    close(ends[1]);
    h->pid = pid;
    h->pipe = ends[0];
    return ETNA_OK;
}

static etna_code failed_flush(reading *r, etna_error *err)
{
    etna_code code =
        shelf_put_faults(r->x->shelf, r->list, r->failed, r->failed_count, err);
    r->failed_count = 0;
    return code;
}

/* Many together: each transaction is a sync of the disk. */
static etna_code failed_keep(reading *r, uint32_t item, etna_error *err)
{
    r->failed[r->failed_count++] = item;
    return r->failed_count < FAILED_MOST ? ETNA_OK : failed_flush(r, err);
}

/* What came of the item goes into its asset and onto the shelf. */
static etna_code answer_keep(reading *r,
                             const answer_head *head,
                             const uint8_t *bytes,
                             etna_error *err)
{
    asset *a = &r->list[head->item];
    lot_scan scans[LOT_MODELS];
    uint32_t count = 0;
    lot_scan failed = {.stamp = a->stamp,
                       .fault = head->is_fault ? (const char *)bytes : ""};
    if (head->is_fault) {
        model_fault(r, head->item, failed.fault);
        return failed_keep(r, head->item, err);
    }
    if (r->x->gather)
        return ETNA_OK; /* the lots tell */
    bool is_one = lot_scans(bytes, head->size, r->arena, scans, &count, NULL) ==
                      ETNA_OK &&
                  count == 1 && etna_hash_equal(&scans[0].stamp, &a->stamp);
    if (!is_one) {
        failed.fault = "what was measured of it is damaged";
        scans[0] = failed;
    }
    a->hash = scans[0].hash;
    a->shape = scans[0].shape;
    if (scans[0].fault[0])
        model_fault(r, head->item, scans[0].fault);
    return shelf_put_scan(r->x->shelf, &scans[0], err);
}

/* What a helper says is as hostile as the model: it may only speak of the item
 * it has in hand. */
static etna_code answer_take(reading *r,
                             helper *h,
                             bool *ret_ended,
                             etna_error *err)
{
    answer_head head;
    uint8_t *bytes = NULL;
    bool is_whole =
        fd_read(h->pipe, &head, sizeof head) == (ssize_t)sizeof head &&
        h->done < h->count && head.item == h->lease[h->done] &&
        head.size <= ANSWER_MAX && (bytes = malloc(head.size + 1u)) &&
        fd_read(h->pipe, bytes, head.size) == (ssize_t)head.size;
    *ret_ended = !is_whole;
    if (!is_whole) {
        free(bytes);
        return ETNA_OK;
    }
    bytes[head.size] = 0;
    h->done++;
    r->answered++;
    r->x->report.read++;
    etna_code code = answer_keep(r, &head, bytes, err);
    free(bytes);
    return code;
}

/* A helper that ended before its lease: the model it had in hand is left out,
 * the rest waits again. */
static void helper_end(reading *r, helper *h)
{
    process_end end = {.exit_code = -1};
    char why[120];
    close(h->pipe);
    process_wait(h->pid, 0, NULL, &end, NULL);
    h->pid = 0;
    if (h->done >= h->count)
        return;
    snprintf(
        why, sizeof why,
        "reading it ended by signal %d; the file is damaged or made to do harm",
        end.signal);
    model_fault(r, h->lease[h->done], why);
    r->answered++;
    while (h->count > h->done + 1)
        r->queue[--r->from] = h->lease[--h->count];
}

static etna_code helpers_wait(reading *r, etna_error *err)
{
    struct pollfd fds[SCAN_JOBS_MAX];
    helper *of[SCAN_JOBS_MAX];
    nfds_t count = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < r->x->options->jobs; i++) {
        if (!r->helpers[i].pid)
            continue;
        fds[count] =
            (struct pollfd){.fd = r->helpers[i].pipe, .events = POLLIN};
        of[count++] = &r->helpers[i];
    }
    if (poll(fds, count, -1) < 0)
        return errno == EINTR
                   ? ETNA_OK
                   : etna_fail(err, ETNA_E_IO, "poll: %s", strerror(errno));
    for (nfds_t i = 0; code == ETNA_OK && i < count; i++) {
        bool ended = false;
        if (!fds[i].revents)
            continue;
        code = answer_take(r, of[i], &ended, err);
        if (ended)
            helper_end(r, of[i]);
    }
    return code;
}

static bool reading_works(const reading *r)
{
    for (uint32_t i = 0; i < r->x->options->jobs; i++) {
        if (r->helpers[i].pid)
            return true;
    }
    return false;
}

static etna_code helpers_start(reading *r, etna_error *err)
{
    etna_code code = ETNA_OK;
    uint32_t jobs = r->x->options->jobs;
    for (uint32_t i = 0; code == ETNA_OK && i < jobs && r->from < r->to; i++) {
        if (!r->helpers[i].pid)
            code = helper_start(r, &r->helpers[i], err);
    }
    return code;
}

/* Only after a failure or at the end; what they had in hand is not answered any
 * more. */
static void helpers_end(reading *r)
{
    for (uint32_t i = 0; i < r->x->options->jobs; i++) {
        if (!r->helpers[i].pid)
            continue;
        kill(r->helpers[i].pid, SIGKILL);
        r->helpers[i].done = r->helpers[i].count;
        helper_end(r, &r->helpers[i]);
    }
}

static etna_code reading_run(reading *r, etna_error *err)
{
    etna_code code = ETNA_OK;
    while (code == ETNA_OK && (r->from < r->to || reading_works(r))) {
        code = helpers_start(r, err);
        if (code == ETNA_OK)
            code = helpers_wait(r, err);
        if (r->x->options->progress)
            r->x->options->progress(r->x->options->context, r->answered,
                                    r->all);
    }
    helpers_end(r);
    return code;
}

/* What is gathered for lots is converted once, also by a scan that was
 * killed. */
static void reading_queue(reading *r, uint32_t item)
{
    const gathering *lots = r->x->gather;
    bool waits = lots && lots->count + (r->to - r->from) >= lots->most;
    bool is_kept = lots && gather_has(lots->folder, &r->list[item].stamp);
    if (!waits && !is_kept)
        r->queue[r->to++] = item;
}

/* In the list's order, so that the same models make the same lots. */
static etna_code reading_gather(reading *r, uint32_t count, etna_error *err)
{
    gathering *lots = r->x->gather;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; lots && code == ETNA_OK && i < count; i++) {
        const asset *a = &r->list[i];
        bool is_wanted = !a->fault[0] && etna_hash_is_zero(&a->hash);
        if (is_wanted && gather_has(lots->folder, &a->stamp))
            code = gather_add(lots, &a->stamp, err);
    }
    return code;
}

/* Asks the shelf; what it does not know is put into the queue. */
static etna_code reading_recall(reading *r, uint32_t count, etna_error *err)
{
    char fault[512];
    for (uint32_t i = 0; i < count; i++) {
        asset *a = &r->list[i];
        if (a->fault[0])
            continue; /* the catalogue says so */
        etna_code code = shelf_get_scan(r->x->shelf, &a->stamp, &a->hash, fault,
                                        sizeof fault, err);
        if (code == ETNA_E_NOTFOUND)
            reading_queue(r, i);
        else if (code != ETNA_OK)
            return code;
        else if (fault[0])
            model_fault(r, i, fault);
    }
    r->all = r->to;
    return ETNA_OK;
}

etna_code scan_models(scanning *x,
                      asset *list,
                      uint32_t count,
                      etna_arena *arena,
                      etna_error *err)
{
    reading *r = calloc(1, sizeof *r);
    uint32_t *queue = malloc((count + 1u) * sizeof *queue);
    etna_code code = r && queue ? ETNA_OK
                                : etna_fail(err, ETNA_E_NOMEM,
                                            "no memory for %u models", count);
    if (code == ETNA_OK) {
        *r = (reading){.x = x, .list = list, .arena = arena, .queue = queue};
        code = reading_recall(r, count, err);
    }
    if (code == ETNA_OK)
        code = reading_run(r, err);
    if (code == ETNA_OK)
        code = failed_flush(r, err);
    if (code == ETNA_OK)
        code = reading_gather(r, count, err);
    free(r);
    free(queue);
    return code;
}
