/* How a worker ends when it is told to, or when its time is up: it takes no
 * more tasks and finishes what it holds; what is not finished within its grace
 * it hands back, so that others go on with it at once; what its coordinator has
 * not heard of a few seconds later it leaves behind.
 *
 *   told to end, or leave_at - grace - PARTING ──> finishing ── grace ──>
 *   handing back ── PARTING ──> ended */
#include "worker/shell/shell.h"

#include <time.h>

/* how long the coordinator has to hear of what was handed back */
enum {
    PARTING_MS = 5000
};

static void leave_all(uv_timer_t *timer)
{
    shell_stop(timer->data);
}

static void leave_hand_back(uv_timer_t *timer)
{
    shell *s = timer->data;
    if (link_jobs_running(s->link))
        shell_say(s, "its time is up: it hands back %u tasks",
                  (unsigned)link_jobs_running(s->link));
    shell_feed(s, &(link_event){.kind = LINK_LEAVE}, NULL);
    uv_timer_start(&s->leave, leave_all, PARTING_MS, 0);
    shell_pump(s);
}

void leave_begin(shell *s)
{
    if (s->options.grace_ms)
        uv_timer_start(&s->leave, leave_hand_back, s->options.grace_ms, 0);
    shell_feed(s, &(link_event){.kind = LINK_STOP}, NULL);
    shell_pump(s);
}

static void leave_is_due(uv_timer_t *timer)
{
    leave_begin(timer->data);
}

/* Wall time, since a batch system says when the machine goes by the clock on
 * the wall. It begins early enough for the grace and the parting to fit. */
void leave_watch(shell *s)
{
    struct timespec wall;
    if (!s->options.leave_at_ms)
        return;
    clock_gettime(CLOCK_REALTIME, &wall);
    uint64_t now =
        (uint64_t)wall.tv_sec * 1000 + (uint64_t)wall.tv_nsec / 1000000;
    uint64_t needed = now + s->options.grace_ms + PARTING_MS;
    uint64_t left =
        s->options.leave_at_ms > needed ? s->options.leave_at_ms - needed : 0;
    uv_timer_start(&s->leave, leave_is_due, left, 0);
}
