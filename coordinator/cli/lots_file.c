/* See lots_file.h. */
#include "coordinator/cli/lots_file.h"
#include "coordinator/shell/children.h"
#include "proto/process.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

etna_code lots_file_fail(const char *what, etna_error *err)
{
    return etna_fail(err, errno == ENOMEM ? ETNA_E_NOMEM : ETNA_E_IO, "%s: %s",
                     what, strerror(errno));
}

etna_code lots_file_open(lots_file *f, etna_error *err)
{
    *f = (lots_file){.fd = memfd_create("etna-lots", MFD_CLOEXEC)};
    return f->fd >= 0 ? ETNA_OK : lots_file_fail("memory", err);
}

void lots_file_close(lots_file *f)
{
    if (f->data)
        munmap(f->data, f->size);
    if (f->fd >= 0)
        close(f->fd);
    *f = (lots_file){.fd = -1};
}

etna_code lots_file_fill(const lots_file *f,
                         const char *const *args,
                         int in,
                         int *ret_exit,
                         etna_error *err)
{
    char program[4096];
    process_options options = process_options_default();
    process_end end = {0};
    pid_t pid;
    if (!children_program(program, sizeof program))
        return etna_fail(err, ETNA_E_NOMEM,
                         "the path of this program is too long");
    if (in >= 0)
        options.fds[STDIN_FILENO] = in;
    options.fds[LOTS_FD] = f->fd;
    etna_code code = process_start(program, args, &options, &pid, err);
    if (!code)
        code = process_wait(pid, 0, NULL, &end, err);
    *ret_exit = end.signal ? 128 + end.signal : end.exit_code;
    return code;
}

static uint64_t lots_number(const uint8_t *at, int bytes)
{
    uint64_t n = 0;
    for (int i = 0; i < bytes; i++)
        n |= (uint64_t)at[i] << (8 * i);
    return n;
}

etna_code lots_file_read(lots_file *f,
                         lots_each each,
                         void *context,
                         etna_error *err)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return lots_file_fail("what the worker wrote", err);
    if (st.st_size == 0)
        return ETNA_OK;
    void *data =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, f->fd, 0);
    if (data == MAP_FAILED)
        return lots_file_fail("memory for what the worker wrote", err);
    f->data = data;
    f->size = (size_t)st.st_size;
    etna_code code = ETNA_OK;
    size_t at = 0;
    while (!code && at + LOTS_HEAD <= f->size) {
        uint64_t size = lots_number(f->data + at, 8);
        uint32_t what = (uint32_t)lots_number(f->data + at + 8, 4);
        at += LOTS_HEAD;
        if (size > f->size - at)
            break;
        code = each(context, what, f->data + at, (size_t)size, err);
        at += (size_t)size;
    }
    return code || at == f->size
               ? code
               : etna_fail(err, ETNA_E_INTERNAL,
                           "what the worker wrote is not whole");
}
