/* One instruction a line, as a person writes it in an editor. The file is
 * outside input: every length is bounded before anything is copied. */
#include "coordinator/cli/steps.h"
#include "coordinator/report/terminal.h"
#include "proto/arrange.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

etna_code steps_check(const char *where, const char *text, etna_error *err)
{
    size_t size = strlen(text);
    if (size > ARRANGE_INSTRUCTION_MAX) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: an instruction of %zu bytes; the limit is %d, make it several steps",
            where, size, ARRANGE_INSTRUCTION_MAX);
    }
    if (!terminal_is_plain(text))
        return etna_fail(err, ETNA_E_INPUT, "%s: is no plain UTF-8 text",
                         where);
    return ETNA_OK;
}

static etna_code steps_take_line(const char *path,
                                 unsigned number,
                                 char *line,
                                 etna_arena *arena,
                                 const char **steps,
                                 uint32_t *count,
                                 etna_error *err)
{
    static const char white[] = " \t\r\n\v\f";
    char where[512];
    size_t size = strlen(line);
    while (size && strchr(white, line[size - 1]))
        line[--size] = 0;
    line += number == 1 ? etna_utf8_mark(line, size) : 0;
    line += strspn(line, white);
    if (!*line)
        return ETNA_OK;
    snprintf(where, sizeof where, "%s, line %u", path, number);
    etna_code code = steps_check(where, line, err);
    if (code)
        return code;
    if (*count == ARRANGE_STEPS_MAX)
        return etna_fail(err, ETNA_E_INPUT, "%s: more than %d instructions",
                         path, ARRANGE_STEPS_MAX);
    const char *copy = etna_arena_strdup(arena, line);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", path);
    steps[(*count)++] = copy;
    return ETNA_OK;
}

/* The buffer is filled with ones first, so that a NUL byte in the file, which
 * ends what fgets() gives as a string, is told from the terminator. */
static etna_code steps_read_line(FILE *file,
                                 const char *path,
                                 unsigned number,
                                 char *line,
                                 size_t size,
                                 bool *ret_more,
                                 etna_error *err)
{
    memset(line, 1, size);
    *ret_more = fgets(line, (int)size, file) != NULL;
    if (!*ret_more)
        return ferror(file) ? etna_fail(err, ETNA_E_INPUT, "%s: %s", path,
                                        strerror(errno))
                            : ETNA_OK;
    size_t n = strlen(line);
    bool is_cut = n && line[n - 1] != '\n' && !feof(file); /* by a NUL byte */
    if (is_cut || n + 1 == size)
        return etna_fail(err, ETNA_E_INPUT,
                         "%s, line %u: is too long, or no text", path, number);
    return ETNA_OK;
}

etna_code steps_read(const char *path,
                     etna_arena *arena,
                     const char *const **ret_steps,
                     uint32_t *ret_count,
                     etna_error *err)
{
    enum {
        LINE_MAX_BYTES = 8192
    };
    char line[LINE_MAX_BYTES];
    FILE *file = fopen(path, "re");
    if (!file)
        return etna_fail(err, ETNA_E_INPUT, "%s: %s", path, strerror(errno));
    const char **steps =
        etna_arena_alloc(arena, ARRANGE_STEPS_MAX, sizeof *steps);
    uint32_t count = 0;
    etna_code code =
        steps ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", path);
    bool more = true;
    for (unsigned number = 1; !code && more; number++) {
        code =
            steps_read_line(file, path, number, line, sizeof line, &more, err);
        if (!code && more)
            code =
                steps_take_line(path, number, line, arena, steps, &count, err);
    }
    fclose(file);
    if (!code && !count)
        code = etna_fail(err, ETNA_E_INPUT,
                         "%s: holds no instruction; write one a line", path);
    if (code)
        return code;
    *ret_steps = steps;
    *ret_count = count;
    return ETNA_OK;
}
