/* See progress.h. */
#include "coordinator/report/progress.h"
#include "coordinator/report/page.h"
#include "coordinator/report/terminal.h"
#include "proto/arrange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

progress progress_new(void) { return (progress){.terminal = isatty(STDERR_FILENO), .phase = "reading the scene"}; }

/* ---- where the search stands ---- */

static const char *last_of(const char *text, const char *piece)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, piece)); at++) found = at;
    return found;
}

static void begin_step(progress *p, unsigned step, unsigned node)
{
    p->step = step;
    p->node = node;
    p->planned = false;
    p->instruction[0] = 0;
    p->phase = NULL;
    memset(p->branches, 0, sizeof p->branches);
    memset(p->verdicts, 0, sizeof p->verdicts);
}

static void follow_plan(progress *p, const char *rest)
{
    const char *end = strncmp(rest, "plan: \"", 7) ? NULL : last_of(rest, "\", ");
    if (!end || end <= rest + 7) return; /* finished, impossible: the decision comes with the next line */
    snprintf(p->instruction, sizeof p->instruction, "%.*s", (int)(end - rest - 7), rest + 7);
    p->planned = true;
}

static void follow_poll(progress *p, const char *said)
{
    for (uint32_t v = VERDICT_TERRIBLE; v <= VERDICT_EXCELLENT; v++) {
        if (!strcmp(said, arrange_verdict_name(v))) p->verdicts[v]++;
    }
}

static void follow_branch(progress *p, unsigned branch, const char *rest)
{
    unsigned number;
    int at = 0;
    if (branch >= PROGRESS_BRANCHES) return;
    if (branch >= p->branch_count) p->branch_count = branch + 1;
    if (sscanf(rest, " poll %u: %n", &number, &at) == 1 && at) {
        follow_poll(p, rest + at);
    } else if (!strncmp(rest, ": attempt ", 10)) {
        return; /* a lost or failed attempt: another will be made */
    } else if (!strncmp(rest, " fails", 6) || !strncmp(rest, " cannot be done", 15) ||
               !strncmp(rest, " is refused", 11)) {
        p->branches[branch] = BRANCH_IS_FAILED;
    } else if (rest[0] == ':') {
        p->branches[branch] = BRANCH_IS_VALID;
    }
}

static void follow_step(progress *p, const char *rest)
{
    unsigned branch;
    int at = 0;
    const char *back = last_of(rest, "; backtrack ");
    if (!strncmp(rest, "plan", 4)) {
        follow_plan(p, rest);
    } else if (sscanf(rest, "branch %u%n", &branch, &at) == 1) {
        follow_branch(p, branch, rest + at);
    } else if (!strncmp(rest, "edited:", 7)) {
        p->edits = p->step;
        begin_step(p, p->step + 1, p->node + 1);
    } else if (!strncmp(rest, "complete", 8)) {
        p->phase = "drawing pictures";
    } else if (!strncmp(rest, "failed", 6) && back && sscanf(back, "; backtrack %u:%n", &p->backtracks, &at) == 1) {
        const char *to = last_of(rest, ", back to step ");
        unsigned step = to ? (unsigned)strtoul(to + 15, NULL, 10) : 1;
        begin_step(p, step, p->node + 1);
        p->edits = step ? step - 1 : 0;
    }
}

void progress_follow(progress *p, const char *narrated)
{
    unsigned step, node;
    int at = 0;
    const char *facts = last_of(narrated, ": seed ");
    if (sscanf(narrated, "step %u (node %u) %n", &step, &node, &at) == 2 && at) {
        if (node != p->node) begin_step(p, step, node);
        follow_step(p, narrated + at);
    } else if (!strncmp(narrated, "import:", 7)) {
        p->phase = "planning";
    } else if (!strncmp(narrated, "image ", 6) || !strncmp(narrated, "export:", 7)) {
        p->phase = "drawing pictures";
        p->pictures += narrated[0] == 'i';
    } else if (facts && !p->branch_count && sscanf(facts, ": seed %*u, %u branches", &p->branch_count) == 1) {
        if (p->branch_count > PROGRESS_BRANCHES) p->branch_count = PROGRESS_BRANCHES;
    }
}

static void add_branches(const progress *p, page *to)
{
    static const char *const words[] = {"running", "valid", "failed"};
    unsigned count[3] = {0};
    const char *between = " ";
    for (unsigned i = 0; i < p->branch_count && i < PROGRESS_BRANCHES; i++) count[p->branches[i]]++;
    for (int i = 0; i < 3; i++) {
        if (!count[i]) continue;
        page_add(to, "%s%u %s", between, count[i], words[i]);
        between = ", ";
    }
}

static void add_verdicts(const progress *p, page *to)
{
    const char *between = " | ";
    for (uint32_t v = VERDICT_EXCELLENT; v >= VERDICT_TERRIBLE; v--) {
        if (!p->verdicts[v]) continue;
        page_add(to, "%s%u %s", between, p->verdicts[v], arrange_verdict_name(v));
        between = ", ";
    }
}

static void add_count(page *to, unsigned count, const char *what)
{
    if (count) page_add(to, " | %u %s%s", count, what, count == 1 ? "" : "s");
}

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

void progress_status(const progress *p, uint64_t time_ms, char *to, size_t room)
{
    char escaped[1024];
    page line = {0};
    page_add(&line, "%.1f s  ", (double)time_ms / 1000);
    if (p->phase) {
        page_raw(&line, p->phase);
        if (p->pictures) page_add(&line, ", %u done", p->pictures);
    } else {
        add_step(p, &line);
    }
    add_count(&line, p->edits, "edit");
    add_count(&line, p->backtracks, "backtrack");
    terminal_escape(p->instruction, escaped, sizeof escaped);
    if (!p->phase && *escaped) page_add(&line, " | %s", escaped);
    snprintf(to, room, "%s", line.data ? line.data : "");
    page_free(&line);
}

/* ---- the terminal ---- */

/* Columns of a character by its first bytes: East Asian wide ones and pictographs take two. */
static unsigned columns_of(const unsigned char *at)
{
    if (at[0] < 0xe1) return 1;
    if (at[0] < 0xf0) {
        uint32_t code = (uint32_t)(at[0] & 15) << 12 | (uint32_t)(at[1] & 63) << 6 | (at[2] & 63);
        bool wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
                    (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
                    (code >= 0xfe30 && code < 0xfe70) || (code >= 0xff00 && code < 0xff61) ||
                    (code >= 0xffe0 && code < 0xffe7);
        return wide ? 2 : 1;
    }
    return 2;
}

size_t progress_fit(const char *text, unsigned columns)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = 0;
    while (at[bytes]) {
        size_t size = 1;
        while ((at[bytes + size] & 0xc0) == 0x80) size++; /* whole characters; the text is valid UTF-8 */
        unsigned wide = size == 1 ? 1 : columns_of(at + bytes);
        if (wide > columns) break;
        columns -= wide;
        bytes += size;
    }
    return bytes;
}

unsigned progress_width(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned columns = 0;
    for (size_t i = 0; at[i];) {
        size_t size = 1;
        while ((at[i + size] & 0xc0) == 0x80) size++;
        columns += size == 1 ? 1 : columns_of(at + i);
        i += size;
    }
    return columns;
}

static void progress_show(progress *p, const char *line)
{
    struct winsize size = {0};
    unsigned columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 8 ? size.ws_col : 80;
    fprintf(stderr, "\r\033[K%.*s", (int)progress_fit(line, columns - 1), line);
    fflush(stderr);
    p->shown = true;
}

void progress_line(progress *p, uint64_t time_ms, const char *text)
{
    char line[2048], escaped[2000];
    if (p->terminal) { /* its line is cleared again, so nothing needs to be held back */
        progress_follow(p, text);
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
    size_t had = p->pending ? strlen(p->pending) : 0, more = strlen(line);
    char *grown = realloc(p->pending, had + more + 2);
    if (!grown) return;
    memcpy(grown + had, line, more);
    memcpy(grown + had + more, "\n", 2);
    p->pending = grown;
}

void progress_open(progress *p)
{
    if (!p->open && p->pending) fputs(p->pending, stderr);
    free(p->pending);
    p->pending = NULL;
    p->open = true;
}

void progress_end(progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    fflush(stderr);
    free(p->pending);
    *p = (progress){.terminal = p->terminal};
}
