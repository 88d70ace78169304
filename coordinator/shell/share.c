/* See share.h. */
#include "coordinator/shell/share.h"

/* LATELY: after so long without a word of them the workers are not at work.
 * SLICE: for so long at once, when they are not. CREDIT_MOST, DEBT_MOST: what is
 * kept of unused time, and of one request that took longer than it might. */
#define MS UINT64_C(1000000)
#define LATELY (50 * MS)
#define SLICE (5 * MS)
#define CREDIT_MOST (int64_t)(5 * MS)
#define DEBT_MOST (100 * MS)

enum {
    PART = 20
};

void share_note_worker(share *s, uint64_t now)
{
    s->worker_at = now;
}

/* By what was heard of them until then. */
static bool share_workers_are_at_work(const share *s, uint64_t now)
{
    return s->worker_at && (s->worker_at > now || now - s->worker_at < LATELY);
}

uint64_t share_may_take(share *s, uint64_t now, uint64_t idle)
{
    uint64_t passed = now > s->seen ? now - s->seen : 0;
    uint64_t idled = idle - s->idle;
    uint64_t busy = passed > idled ? passed - idled : 0;
    s->seen = now;
    s->idle = idle;
    s->credit += (int64_t)(idled + busy / PART);
    if (s->credit > CREDIT_MOST)
        s->credit = CREDIT_MOST;
    if (!share_workers_are_at_work(s, now))
        return SLICE;
    return s->credit > 0 ? (uint64_t)s->credit : 0;
}

/* What took longer than LATELY kept the workers' messages waiting: that none
 * came meanwhile says nothing of the workers. Nor is that time the others' to
 * take a part of. */
void share_take(share *s, uint64_t now, uint64_t took)
{
    if (!share_workers_are_at_work(s, now - took))
        return;
    s->worker_at += took;
    s->seen += took;
    s->credit -= took < DEBT_MOST ? (int64_t)took : (int64_t)DEBT_MOST;
    if (s->credit < -(int64_t)DEBT_MOST)
        s->credit = -(int64_t)DEBT_MOST;
}
