/* See mapped_files.h. In the handler nothing is called that is not
 * async-signal-safe. */
#include "proto/mapped_files.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define TOLD \
    "a file that is read through a map was cut short, or its disk gave out: most likely the store is damaged; " \
    "look with: etna store verify, and restore it from a copy"

enum {
    EXIT_OUT_OF_SERVICE = 4
};

static const char *guarded_program = "";
static bool guarded_json;

static void mapped_files_say(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t put = write(fd, text, left);
        if (put <= 0)
            return;
        text += put;
        left -= (size_t)put;
    }
}

static void mapped_files_end(int number)
{
    (void)number;
    if (guarded_json)
        mapped_files_say(
            STDOUT_FILENO,
            "{\"schema\":\"etna.error/1\",\"error\":{\"code\":\"corrupt\",\"what\":\"" TOLD
            "\",\"where\":\"\",\"span\":null,\"do\":\"etna store verify\"}}\n");
    mapped_files_say(STDERR_FILENO, guarded_program);
    mapped_files_say(STDERR_FILENO, ": " TOLD "\n");
    _exit(EXIT_OUT_OF_SERVICE);
}

void mapped_files_guard(const char *program, bool json)
{
    struct sigaction action = {.sa_handler = mapped_files_end,
                               .sa_flags = (int)SA_RESETHAND};
    guarded_program = program;
    guarded_json = json;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
