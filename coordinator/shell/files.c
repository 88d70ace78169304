/* See files.h. */
#include "coordinator/shell/files.h"

#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

/* The limit is named, as it is what can be changed. */
static void files_tell(const shell *s)
{
    char line[256];
    struct rlimit files = {.rlim_cur = 0};
    if (!s->options.trouble)
        return;
    if (!s->has_no_files) {
        s->options.trouble(s->options.context, "files can be opened again");
        return;
    }
    (void)getrlimit(RLIMIT_NOFILE, &files);
    snprintf(
        line, sizeof line,
        "no more files can be opened (this process may have %llu): who connects waits until others have gone; "
        "raise the limit (ulimit -n, LimitNOFILE=)",
        (unsigned long long)files.rlim_cur);
    s->options.trouble(s->options.context, line);
}

bool files_look(shell *s)
{
    int fd = eventfd(0, EFD_CLOEXEC);
    bool has_none = fd < 0;
    if (!has_none)
        close(fd);
    if (has_none != s->has_no_files) {
        s->has_no_files = has_none;
        files_tell(s);
    }
    return !has_none;
}
