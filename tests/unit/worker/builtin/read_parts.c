/* See read_parts.h. */
#include "read_parts.h"

#include "read_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void read_parts_begin(read_parts *p, const char *text)
{
    facts_world w = read_world();
    *p = (read_parts){.arena = ETNA_ARENA_INIT};
    p->facts = read_world_facts(&w, &p->arena);
    uint32_t count = 0;
    for (size_t at = 0; text[at] && count < READ_PARTS_MAX;) {
        const size_t size = strcspn(text + at, " ");
        const char *word = etna_arena_strndup(&p->arena, text + at, size);
        p->tokens[count++] = (sentence_token){.text = word,
                                              .written = word,
                                              .at = (uint32_t)at,
                                              .end = (uint32_t)(at + size)};
        at += size + (text[at + size] == ' ');
    }
    p->part = (sentence_part){.first = 0, .end = count};
    p->s = (sentence){.tokens = p->tokens, .token_count = count};
    for (uint32_t i = 0; i < p->facts.object_count; i++)
        p->indices[i] = i;
    p->r = (reader){.facts = &p->facts,
                    .text = text,
                    .s = &p->s,
                    .part = &p->part,
                    .arena = &p->arena,
                    .reading = &p->reading,
                    .indices = p->indices,
                    .err = &p->err};
    p->r.memory.last_reference = p->r.memory.context = BUILTIN_NONE;
}

void read_parts_end(read_parts *p)
{
    etna_arena_free(&p->arena);
}

uint32_t read_parts_thing(const read_parts *p, const char *name)
{
    for (uint32_t i = 0; i < p->facts.object_count; i++) {
        if (strcmp(p->facts.objects[i].name, name) == 0)
            return i;
    }
    fail_msg("there is no %s", name);
    return BUILTIN_NONE;
}

/* Objects of a set ascend. */
static void set_insert(uint32_t *objects, uint32_t *count, uint32_t object)
{
    uint32_t at = (*count)++;
    for (; at > 0 && objects[at - 1] > object; at--)
        objects[at] = objects[at - 1];
    objects[at] = object;
}

builtin_move read_parts_move(read_parts *p,
                             const char *things,
                             builtin_relation relation,
                             const char *reference)
{
    builtin_move m = {.relation = relation,
                      .reference = reference ? read_parts_thing(p, reference)
                                             : BUILTIN_NONE,
                      .second = BUILTIN_NONE,
                      .support = BUILTIN_NONE,
                      .faced = BUILTIN_NONE,
                      .gap = -1,
                      .spacing = -1};
    uint32_t *objects = etna_arena_alloc(&p->arena, 8, sizeof *objects);
    assert_non_null(objects);
    for (const char *at = things; *at;) {
        const size_t size = strcspn(at, "+");
        const char *name = etna_arena_strndup(&p->arena, at, size);
        set_insert(objects, &m.objects.count, read_parts_thing(p, name));
        at += size + (at[size] == '+');
    }
    m.objects.objects = objects;
    m.objects.need = m.objects.count;
    return m;
}

void read_parts_add(read_parts *p, builtin_move m)
{
    p->reading.moves[p->reading.count++] = m;
}

chart_node read_parts_node(const read_parts *p,
                           const char *name,
                           const chart_node *const *children,
                           uint32_t count)
{
    return (chart_node){.name = name,
                        .first = 0,
                        .end = p->part.end,
                        .child_count = count,
                        .children = count ? children : NULL};
}

chart_node read_parts_word(const char *category, uint32_t token, uint32_t value)
{
    return (chart_node){.name = category,
                        .first = token,
                        .end = token + 1,
                        .value = value,
                        .is_terminal = true};
}
