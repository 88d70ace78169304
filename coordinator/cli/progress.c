/* See progress.h. */
#include "coordinator/cli/progress.h"
#include "coordinator/cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

progress progress_new(void) { return (progress){.terminal = isatty(STDERR_FILENO)}; }

static void show(progress *p, const char *line)
{
    if (!p->terminal) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    struct winsize size = {0};
    unsigned columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 8 ? size.ws_col : 80;
    size_t bytes = 0;
    for (unsigned used = 0; line[bytes] && used + 1 < columns; bytes++) {
        if ((line[bytes + 1] & 0xc0) != 0x80) used++; /* whole characters */
    }
    fprintf(stderr, "\r\033[K%.*s", (int)bytes, line);
    fflush(stderr);
    p->shown = true;
}

void progress_line(progress *p, uint64_t time_ms, const char *text)
{
    char line[2048], escaped[2000];
    text_escape(text, escaped, sizeof escaped);
    snprintf(line, sizeof line, "%8.3f  %s", (double)time_ms / 1000, escaped);
    if (p->open || p->terminal) { /* a terminal's line is cleared again */
        show(p, line);
        return;
    }
    size_t had = p->held ? strlen(p->held) : 0, more = strlen(line);
    char *grown = realloc(p->held, had + more + 2);
    if (!grown) return;
    memcpy(grown + had, line, more);
    memcpy(grown + had + more, "\n", 2);
    p->held = grown;
}

void progress_open(progress *p)
{
    if (!p->open && p->held) fputs(p->held, stderr);
    free(p->held);
    p->held = NULL;
    p->open = true;
}

void progress_end(progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    free(p->held);
    *p = (progress){.terminal = p->terminal};
}
