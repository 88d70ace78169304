/* What import decided, in words, and small helpers of the scene being made. */
#include "proto/utf8.h"
#include "worker/scene/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool make_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    uint32_t wanted = *room ? *room * 2 : 64;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown) {
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

/* The scene frees it at its end; on failure it is freed here. */
bool own_block(importer *m, void *block)
{
    struct scene_private *own = m->own;
    if (own->block_count == own->block_capacity) {
        size_t capacity = own->block_capacity ? own->block_capacity * 2 : 64;
        void **grown = realloc(own->blocks, capacity * sizeof *grown);
        if (!grown) {
            free(block);
            return false;
        }
        own->blocks = grown;
        own->block_capacity = capacity;
    }
    own->blocks[own->block_count++] = block;
    return true;
}

enum {
    REPORT_MAX = 1000
}; /* lines; a hostile file gets no endless list */

static void report_add_text(importer *m,
                            const char ***list,
                            uint32_t *count,
                            uint32_t *room,
                            const char *format,
                            va_list args) __attribute__((format(printf, 5, 0)));
/* Cleaned like names: the words hold names of the file's. */
static void report_add_text(importer *m,
                            const char ***list,
                            uint32_t *count,
                            uint32_t *room,
                            const char *format,
                            va_list args)
{
    char text[1024];
    if (*count >= REPORT_MAX) {
        return;
    }
    vsnprintf(text, sizeof text, format, args);
    void *array = (void *)(uintptr_t)*list;
    char *copy = clean_name(m, text, sizeof text - 1);
    if (!copy || !make_room(&array, *count, room, sizeof **list)) {
        m->no_memory = true;
        return;
    }
    *list = array;
    (*list)[(*count)++] = copy;
}

void report_line(importer *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_add_text(m, &m->lines, &m->line_count, &m->line_room, format, args);
    va_end(args);
}

void report_warning(importer *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_add_text(m, &m->warnings, &m->warning_count, &m->warning_room,
                    format, args);
    va_end(args);
}

/* What a converter said of a foreign file travels in the GLB it made. */
void report_converted(importer *m)
{
    const json_t *extras =
        json_object_get(json_object_get(m->doc.root, "asset"), "extras");
    const json_t *said = json_object_get(extras, "etna_converted");
    const json_t *lines = json_object_get(said, "lines");
    const json_t *warnings = json_object_get(said, "warnings");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *text = json_string_value(json_array_get(lines, i));
        report_line(m, "%s", text ? text : "");
    }
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *text = json_string_value(json_array_get(warnings, i));
        report_warning(m, "%s", text ? text : "");
    }
}

/* Copied as text: who brings things in reads it again (worker/assets), the
 * scene only keeps it. */
etna_code stage_read_told(importer *m, etna_error *err)
{
    const json_t *extras =
        json_object_get(json_object_get(m->doc.root, "asset"), "extras");
    const json_t *told = json_object_get(extras, "etna_stage");
    if (!json_is_object(told))
        return ETNA_OK;
    char *text = json_dumps(told, JSON_COMPACT | JSON_PRESERVE_ORDER);
    m->s->stage = text ? etna_arena_strdup(&m->own->arena, text) : NULL;
    free(text);
    return m->s->stage ? ETNA_OK
                       : etna_fail(err, ETNA_E_NOMEM,
                                   "no memory for what was brought in");
}

/* Control characters become spaces; U+0080..U+009F are such too, in two
 * bytes. */
static void blank_controls(char *text)
{
    for (char *c = text; *c; c++) {
        unsigned char first = (unsigned char)c[0];
        unsigned char second = (unsigned char)c[1];
        bool is_c1 = first == 0xc2 && second >= 0x80 && second < 0xa0;
        if (is_c1)
            c[1] = ' ';
        if (is_c1 || first < ' ' || first == 0x7f)
            c[0] = ' ';
    }
}

/* Cleaned once more, a name stays as it is: that is how the nodes that an
 * export adds are known again. */
char *clean_name(importer *m, const char *name, size_t max)
{
    while ((unsigned char)*name <= ' ' && *name) {
        name++;
    }
    size_t n = etna_utf8_cut(name, max);
    char *copy = etna_arena_strndup(&m->own->arena, name, n);
    if (!copy)
        return NULL;
    blank_controls(copy);
    while (n > 0 && copy[n - 1] == ' ') {
        copy[--n] = 0;
    }
    while (*copy == ' ') { /* was a control */
        copy++;
    }
    return copy;
}
