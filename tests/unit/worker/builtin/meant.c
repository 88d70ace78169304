/* See meant.h. */
#include "meant.h"
#include "read_world.h"
#include "worker/builtin/builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void write_moves(const builtin_facts *facts,
                        const builtin_reading *reading,
                        char *text,
                        size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++)
            used += (size_t)snprintf(
                text + used, size - used, "%s%s", k ? "+" : (i ? "; " : ""),
                facts->objects[m->objects.objects[k]].name);
        used += (size_t)snprintf(text + used, size - used, " %s%s%s",
                                 builtin_relation_name(m->relation),
                                 m->reference < facts->object_count ? " " : "",
                                 m->reference < facts->object_count
                                     ? facts->objects[m->reference].name
                                     : "");
    }
}

void assert_meant(const facts_world *w, const meant *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(w, &arena);
        builtin_reading reading = {0};
        etna_error err = {0};
        char text[2000] = "";
        if (builtin_read(&facts, rows[i].sentence, &arena, &reading, &err) ==
            ETNA_OK)
            write_moves(&facts, &reading, text, sizeof text);
        if (strcmp(text, rows[i].reading) != 0)
            fail_msg("\"%s\": %s (%s), not %s", rows[i].sentence, text,
                     err.text, rows[i].reading);
        etna_arena_free(&arena);
    }
}
