/* Names shown to people and models: unique, stable (they follow the file's
 * order and nothing else), fit to be printed. */
#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

bool name_begins_hump(const char *letter)
{
    if (!ascii_is_upper(*letter))
        return false;
    return ascii_is_lower(letter[-1]) ||
           (ascii_is_upper(letter[-1]) && ascii_is_lower(letter[1]));
}

const char *name_word(const char *name, size_t *ret_length)
{
    while (*name && !ascii_is_letter(*name))
        name++;
    size_t length = *name ? 1 : 0;
    while (length && ascii_is_letter(name[length]) &&
           !name_begins_hump(name + length))
        length++;
    *ret_length = length;
    return name;
}

typedef struct name_entry {
    const char *name;
    uint32_t next; /* the number the next namesake tries */
} name_entry;

typedef struct name_table {
    name_entry *entries;
    uint32_t size; /* a power of two, at least twice the names */
} name_table;

/* The entry of that name, or the empty one where it belongs. */
static name_entry *find_entry(const name_table *t, const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a; only speed depends on it */
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    uint32_t at = hash & (t->size - 1);
    while (t->entries[at].name && strcmp(t->entries[at].name, name) != 0) {
        at = (at + 1) & (t->size - 1);
    }
    return &t->entries[at];
}

/* The name an object asks for: the side file's, its node's, its mesh's; an
 * instance's number behind it. */
static const char *wished_name(importer *m, const scene_object *o)
{
    const scene_node *node = &m->own->nodes[o->node];
    const char *name = node->name;
    if (o->name) {
        return o->name; /* given by the side file before */
    }
    if (!*name && node->mesh != GLTF_NONE) {
        const char *of_mesh =
            gltf_text(json_array_get(m->doc.meshes, node->mesh), "name");
        name = clean_name(m, of_mesh ? of_mesh : "", ARRANGE_NAME_MAX);
    }
    if (name && !*name) {
        name = "object";
    }
    if (!name || o->instance == SCENE_NONE) {
        return name;
    }
    char room[ARRANGE_NAME_MAX + 16];
    snprintf(room, sizeof room, "%.*s.%u", (int)etna_utf8_cut(name, 200), name,
             o->instance);
    return clean_name(m, room, ARRANGE_NAME_MAX);
}

/* The first of each name has it plain; namesakes get ".2", ".3" ..., past any
 * that the file gives out itself. */
static bool number_namesakes(importer *m, name_table *t, bool *plain)
{
    uint32_t count = m->s->object_count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = wished_name(m, &m->objects[i]);
        if (!name) {
            return false;
        }
        m->objects[i].name = name;
        name_entry *entry = find_entry(t, name);
        plain[i] = entry->name == NULL;
        if (plain[i]) {
            *entry = (name_entry){name, 2};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        while (!plain[i]) {
            char room[ARRANGE_NAME_MAX + 16];
            name_entry *first = find_entry(t, m->objects[i].name);
            snprintf(room, sizeof room, "%.*s.%u",
                     (int)etna_utf8_cut(m->objects[i].name, 240),
                     m->objects[i].name, first->next++);
            const char *name = clean_name(m, room, ARRANGE_NAME_MAX);
            name_entry *entry = name ? find_entry(t, name) : NULL;
            if (!entry) {
                return false;
            }
            if (!entry->name) {
                *entry = (name_entry){name, 2};
                m->objects[i].name = name;
                plain[i] = true;
            }
        }
    }
    return true;
}

/* Called after each division, as new objects need names; names that are unique
 * already stay. */
etna_code names_make(importer *m, etna_error *err)
{
    name_table t = {.size = 64};
    while (t.size < 2 * m->s->object_count + 2) {
        t.size *= 2;
    }
    t.entries = calloc(t.size, sizeof *t.entries);
    bool *plain = calloc((size_t)m->s->object_count + 1, 1);
    bool ok = t.entries && plain && number_namesakes(m, &t, plain);
    free(t.entries);
    free(plain);
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM, "no memory for %u names",
                          m->s->object_count);
}
