/* The one line of progress of a batch: done, failed, running, rate, what
 * remains, what it cost. On a terminal it is rewritten in place; in a log file
 * it would fill pages, so there it is a line now and then. */
#include "coordinator/cli/batch.h"
#include "proto/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* the shortest time between two prints, on a terminal and in a log */
enum {
    TERMINAL_MS = 200,
    LOG_MS = 10000
};

uint64_t batch_now_ms(void)
{
    return clock_now_ms();
}

void batch_meter_start(batch *b)
{
    uint64_t now = batch_now_ms();
    b->meter = (batch_meter){.terminal = isatty(STDERR_FILENO),
                             .begun_ms = now,
                             .written_ms = now,
                             .told_ms = now};
    b->meter.ended_before = b->meter.told_ended = b->count - b->left;
}

/* "9 s", "12 min", "3.4 h". */
static void batch_meter_time(double seconds, char *to, size_t size)
{
    if (seconds < 120) {
        snprintf(to, size, "%.0f s", seconds);
    } else if (seconds < 7200) {
        snprintf(to, size, "%.0f min", seconds / 60);
    } else {
        snprintf(to, size, "%.1f h", seconds / 3600);
    }
}

/* The rate counts this start alone: results of earlier starts took no time now.
 * "" until the first run has ended. */
static void batch_meter_rate(const batch *b,
                             uint64_t now,
                             char *to,
                             size_t size)
{
    char left[32];
    uint32_t done = b->count - b->left - b->meter.ended_before;
    double seconds = (double)(now - b->meter.begun_ms) / 1000;
    to[0] = 0;
    if (!done || seconds <= 0)
        return;
    double rate = done / seconds;
    batch_meter_time(b->left / rate, left, sizeof left);
    if (rate >= 1) {
        snprintf(to, size, ", %.1f/s, %s left", rate, left);
    } else {
        snprintf(to, size, ", %.1f/min, %s left", 60 * rate, left);
    }
}

static void batch_meter_print(batch *b, uint64_t now)
{
    char rate[96];
    summary_row *rows = batch_rows(b);
    if (!rows)
        return;
    summary_counts sum = summary_count(rows, b->count);
    free(rows);
    batch_meter_rate(b, now, rate, sizeof rate);
    fprintf(stderr, "%s%u of %u done, %u failed, %u running%s, cost %.2f%s",
            b->meter.terminal ? "\r\033[K" : "",
            (unsigned)(sum.complete + sum.failed), (unsigned)b->count,
            (unsigned)sum.failed, (unsigned)b->begun, rate, sum.cost,
            b->meter.terminal ? "" : "\n");
    fflush(stderr);
    b->meter.shown = b->meter.terminal;
    b->meter.told_ms = now;
    b->meter.told_ended = b->count - b->left;
}

void batch_meter_tell(batch *b)
{
    uint64_t now = batch_now_ms();
    bool news = b->meter.told_ended != b->count - b->left;
    bool due =
        now - b->meter.told_ms >= (b->meter.terminal ? TERMINAL_MS : LOG_MS);
    if (due && (news || b->meter.terminal))
        batch_meter_print(b, now);
}

void batch_meter_end(batch *b)
{
    batch_meter_print(b, batch_now_ms());
    if (b->meter.shown)
        fputc('\n', stderr);
    b->meter.shown = false;
}
