/* The arguments come from /proc/self/cmdline rather than from main(), as the
 * caller is far from it; the program from /proc/self/exe, which names the file
 * that runs even where another one was installed under its path. */
#include "coordinator/cli/anew.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* more words, or longer ones, and it refuses to begin anew */
enum {
    WORDS_MOST = 256,
    WORDS_BYTES = 64 * 1024
};

/* All words, each ended by a zero, as the kernel has them. -1: they cannot be
 * read or are too long. */
static ssize_t anew_read_words(char *bytes, size_t room)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    size_t size = 0;
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 && size < room) {
        n = read(fd, bytes + size, room - size);
        if (n > 0)
            size += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return n == 0 ? (ssize_t)size : -1;
}

etna_code anew_begin(etna_error *err)
{
    char *bytes = malloc(WORDS_BYTES);
    char *words[WORDS_MOST + 1];
    size_t count = 0;
    sigset_t none;
    if (!bytes)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory to begin again");
    ssize_t size = anew_read_words(bytes, WORDS_BYTES);
    for (ssize_t at = 0; at < size && count < WORDS_MOST;
         at += (ssize_t)strlen(bytes + at) + 1)
        words[count++] = bytes + at;
    words[count] = NULL;
    bool is_whole = size > 0 && bytes[size - 1] == 0 && count < WORDS_MOST;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fflush(NULL);
    if (is_whole) {
        (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0u,
                      CLOSE_RANGE_CLOEXEC);
        execv("/proc/self/exe", words);
    }
    free(bytes);
    return etna_fail(err, ETNA_E_IO, "cannot begin again: %s",
                     is_whole ? strerror(errno) : "its words are unknown");
}
