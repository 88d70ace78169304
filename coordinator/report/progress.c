/* A small state machine that follows the events of a run, and the two ways of
 * showing where it stands. */
#include "coordinator/report/progress.h"
#include "coordinator/report/page.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

progress progress_new(void)
{
    return (progress){.terminal = isatty(STDERR_FILENO),
                      .phase = "reading the scene"};
}

/* ---- where the search stands ---- */

/* A node was begun: what belonged to the step before is forgotten. */
static void begin_step(progress *p, uint32_t step, uint32_t node)
{
    p->step = step;
    p->node = node;
    p->planned = false;
    p->instruction[0] = 0;
    p->phase = NULL;
    memset(p->branches, 0, sizeof p->branches);
    memset(p->verdicts, 0, sizeof p->verdicts);
}

/* From now on its branches are shown. */
static void follow_plan(progress *p, const message_happening *happening)
{
    snprintf(p->instruction, sizeof p->instruction, "%s",
             happening->text ? happening->text : "");
    p->planned = true;
}

/* Branches beyond PROGRESS_BRANCHES are not shown one by one. */
static void follow_branch(progress *p, const message_happening *happening)
{
    uint32_t branch = happening->branch;
    if (branch >= PROGRESS_BRANCHES)
        return;
    if (branch >= p->branch_count)
        p->branch_count = branch + 1;
    p->branches[branch] = happening->kind == HAPPENED_BRANCH_VALID
                              ? BRANCH_IS_VALID
                              : BRANCH_IS_FAILED;
    p->planned = true; /* a single agent's plan comes with its branch */
}

/* What happens within a step. The core numbers nodes one after the other, so
 * after an edit or a backtrack the next event is of node + 1. */
static void follow_step(progress *p, const message_happening *happening)
{
    switch (happening->kind) {
    case HAPPENED_PLANNED: follow_plan(p, happening); break;
    case HAPPENED_BRANCH_VALID:
    case HAPPENED_BRANCH_FAILED: follow_branch(p, happening); break;
    case HAPPENED_POLLED:
        if (happening->count < PROGRESS_VERDICTS)
            p->verdicts[happening->count]++;
        break;
    case HAPPENED_EDITED:
        p->edits = p->step;
        begin_step(p, happening->next_step, p->node + 1);
        break;
    case HAPPENED_COMPLETE: p->phase = "drawing pictures"; break;
    case HAPPENED_BACKTRACKED:
        begin_step(p, happening->next_step, p->node + 1);
        p->backtracks = happening->count;
        p->edits = p->step ? p->step - 1 : 0;
        break;
    default: break;
    }
}

/* A new node begins a new line. */
void progress_follow(progress *p, const message_happening *happening)
{
    bool begins = happening->node && happening->node != p->node;
    if (begins)
        begin_step(p, happening->step, happening->node);
    switch (happening->kind) {
    case HAPPENED_SUBMITTED:
        p->branch_count = happening->count < PROGRESS_BRANCHES
                              ? happening->count
                              : PROGRESS_BRANCHES;
        break;
    case HAPPENED_IMPORTED: p->phase = "planning"; break;
    case HAPPENED_DRAWN:
        p->phase = "drawing pictures";
        p->pictures++;
        break;
    case HAPPENED_EXPORTED: p->phase = "drawing pictures"; break;
    default: follow_step(p, happening);
    }
}

/* Counts by how they stand. */
static void add_branches(const progress *p, page *to)
{
    static const char *const words[] = {"running", "valid", "failed"};
    unsigned count[3] = {0};
    const char *between = " ";
    for (unsigned i = 0; i < p->branch_count && i < PROGRESS_BRANCHES; i++)
        count[p->branches[i]]++;
    for (int i = 0; i < 3; i++) {
        if (!count[i])
            continue;
        page_add(to, "%s%u %s", between, count[i], words[i]);
        between = ", ";
    }
}

/* The best first. */
static void add_verdicts(const progress *p, page *to)
{
    const char *between = " | ";
    for (uint32_t v = VERDICT_EXCELLENT; v >= VERDICT_TERRIBLE; v--) {
        if (!p->verdicts[v])
            continue;
        page_add(to, "%s%u %s", between, p->verdicts[v],
                 arrange_verdict_name(v));
        between = ", ";
    }
}

/* Nothing for 0. */
static void add_count(page *to, unsigned count, const char *what)
{
    if (count)
        page_add(to, " | %u %s%s", count, what, count == 1 ? "" : "s");
}

/* Where the search stands. */
static void add_step(const progress *p, page *to)
{
    page_add(to, "step %u:", p->step);
    if (!p->planned) {
        page_raw(to, " planning");
        return;
    }
    add_branches(p, to);
    add_verdicts(p, to);
}

/* One line, cut at `room`; control characters of texts are escaped. */
void progress_status(const progress *p, uint64_t time_ms, char *to, size_t room)
{
    char escaped[1024];
    page line = {0};
    page_add(&line, "%.1f s  ", (double)time_ms / 1000);
    if (p->phase) {
        page_raw(&line, p->phase);
        if (p->pictures)
            page_add(&line, ", %u done", p->pictures);
    } else {
        add_step(p, &line);
    }
    add_count(&line, p->edits, "edit");
    add_count(&line, p->backtracks, "backtrack");
    terminal_escape(p->instruction, escaped, sizeof escaped);
    if (!p->phase && *escaped)
        page_add(&line, " | %s", escaped);
    snprintf(to, room, "%s", line.data ? line.data : "");
    page_free(&line);
}

/* ---- the terminal ---- */

/* The size of the character that a text begins with, and the columns it takes.
 * The table has the wide blocks of the Basic Multilingual Plane; what lies
 * beyond it (pictographs, rare ideographs) takes two. */
static size_t character_measure(const char *at, unsigned *ret_columns)
{
    static const struct {
        uint32_t first, end;
    } wide[] = {{0x1100, 0x1160}, {0x2e80, 0xa4d0},   {0xac00, 0xd7a4},
                {0xf900, 0xfb00}, {0xfe30, 0xfe70},   {0xff00, 0xff61},
                {0xffe0, 0xffe7}, {0x10000, 0x110000}};
    uint32_t code = 0;
    size_t size = etna_utf8_character(at, ETNA_UTF8_MAX, &code);
    *ret_columns = 1;
    for (size_t i = 0; i < COUNT_OF(wide); i++) {
        if (code >= wide[i].first && code < wide[i].end)
            *ret_columns = 2;
    }
    return size ? size : 1;
}

/* Bytes that fit into so many columns, whole characters alone. */
size_t progress_fit(const char *text, unsigned columns)
{
    size_t bytes = 0;
    while (text[bytes]) {
        unsigned takes;
        size_t size = character_measure(text + bytes, &takes);
        if (takes > columns)
            break;
        columns -= takes;
        bytes += size;
    }
    return bytes;
}

/* Columns that a text takes. */
unsigned progress_width(const char *text)
{
    unsigned columns = 0;
    while (*text) {
        unsigned takes;
        text += character_measure(text, &takes);
        columns += takes;
    }
    return columns;
}

/* The line is cut to the terminal's width less one: a full row would wrap, and
 * a wrapped line cannot be rewritten by a carriage return. */
static void progress_show(progress *p, const char *line)
{
    struct winsize size = {0};
    unsigned columns =
        !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 8
            ? size.ws_col
            : 80;
    fprintf(stderr, "\r\033[K%.*s", (int)progress_fit(line, columns - 1), line);
    fflush(stderr);
    p->shown = true;
}

/* On a terminal one line that is rewritten, else a line for each event. Lines
 * are held back until it is clear that there is something to tell
 * (progress_open). */
void progress_line(progress *p,
                   uint64_t time_ms,
                   const char *text,
                   const message_happening *happening)
{
    char line[2048], escaped[2000];
    if (p->silent)
        return;
    /* its line is cleared again, so nothing needs to be held back */
    if (p->terminal) {
        progress_follow(p, happening);
        progress_status(p, time_ms, line, sizeof line);
        progress_show(p, line);
        return;
    }
    terminal_escape(text, escaped, sizeof escaped);
    snprintf(line, sizeof line, "%8.3f  %s", (double)time_ms / 1000, escaped);
    if (p->open) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    size_t had = p->pending ? strlen(p->pending) : 0;
    size_t more = strlen(line);
    char *grown = realloc(p->pending, had + more + 2);
    if (!grown)
        return;
    memcpy(grown + had, line, more);
    memcpy(grown + had + more, "\n", 2);
    p->pending = grown;
}

/* What was held back is told now. */
void progress_open(progress *p)
{
    if (!p->open && p->pending)
        fputs(p->pending, stderr);
    free(p->pending);
    p->pending = NULL;
    p->open = true;
}

/* The line is cleared for what follows. */
void progress_end(progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    free(p->pending);
    *p = (progress){.terminal = p->terminal};
}
