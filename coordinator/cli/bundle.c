/* See bundle.h. */
#include "coordinator/cli/bundle.h"
#include "coordinator/cli/cli.h"
#include "coordinator/shell/children.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int bundle_io_fault(const char *what)
{
    etna_error err;
    etna_fail(&err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO, "%s: %s", what, strerror(errno));
    return cli_fail(&err);
}

/* How the child ended, as an exit code of ours. */
static int bundle_exit_code_of(int status, const char *scene)
{
    etna_error err;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 4) return WEXITSTATUS(status);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
        return 128 + WTERMSIG(status);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        etna_fail(&err, ETNA_E_INPUT, "%s: reading it takes too long", scene);
    } else if (WIFSIGNALED(status)) {
        etna_fail(&err, ETNA_E_INPUT, "%s: reading it ended by signal %d; is the scene damaged, or memory short?",
                  scene, WTERMSIG(status));
    } else {
        etna_fail(&err, ETNA_E_IO, "etna-worker ended with code %d; it belongs beside the etna program",
                  WEXITSTATUS(status));
    }
    return cli_fail(&err);
}

static int run_child(const char *scene, const char *unit, const char *up, int fd)
{
    char program[4096], path[32];
    const char *args[12] = {"etna-worker", "bundle", "--output", path};
    int count = 4, status;
    pid_t pid;
    if (!children_program(program, sizeof program)) return bundle_io_fault("the path of this program");
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    if (unit) args[count++] = "--unit", args[count++] = unit;
    if (up) args[count++] = "--up", args[count++] = up;
    if (cli_errors_are_json()) args[count++] = "--json";
    args[count++] = "--";
    args[count++] = scene;
    int rv = posix_spawn(&pid, program, NULL, NULL, (char **)(uintptr_t)args, environ);
    if (rv) {
        errno = rv;
        return bundle_io_fault(program);
    }
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return bundle_io_fault("waiting for etna-worker");
    }
    return bundle_exit_code_of(status, scene);
}

int bundle_make(const char *scene, const char *unit, const char *up, bundle *ret)
{
    struct stat st;
    int fd = memfd_create("etna-bundle", 0); /* inherited by the child */
    if (fd < 0) return bundle_io_fault("memory for the scene");
    int code = run_child(scene, unit, up, fd);
    if (!code && (fstat(fd, &st) || st.st_size <= 0)) {
        errno = EIO;
        code = bundle_io_fault("etna-worker wrote no bundle");
    }
    void *data = code ? MAP_FAILED : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (!code && data == MAP_FAILED) code = bundle_io_fault("memory for the scene");
    close(fd);
    if (!code) *ret = (bundle){data, (size_t)st.st_size};
    return code;
}

void bundle_free(bundle *b)
{
    if (b->data) munmap((void *)(uintptr_t)b->data, b->size);
    *b = (bundle){NULL, 0};
}
