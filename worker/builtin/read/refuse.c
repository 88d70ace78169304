/* How it is said that a phrase means nothing here, too many things, or what cannot be moved. */
#include "worker/builtin/read/refer_internal.h"

#include <stdio.h>

enum { NAMES_TOLD = 6 };

void refuse_names(const builtin_facts *facts, const candidates *c, char ret[REFER_NAMES_SIZE])
{
    size_t used = 0;
    ret[0] = 0;
    for (uint32_t i = 0; i < c->count && i < NAMES_TOLD && used + 1 < REFER_NAMES_SIZE; i++) {
        const builtin_object *o = &facts->objects[c->items[i].object];
        const char *colour = o->has_colour ? builtin_colour_name(builtin_colour_of(o->lab)) : NULL;
        const char *comma = i ? ", " : "";
        int n = colour ? snprintf(ret + used, REFER_NAMES_SIZE - used, "%s%.80s (%s)", comma, o->name, colour)
                       : snprintf(ret + used, REFER_NAMES_SIZE - used, "%s%.80s", comma, o->name);
        used += n > 0 ? (size_t)n : 0;
    }
    bool more = c->count > NAMES_TOLD && used + 8 < REFER_NAMES_SIZE;
    if (more) snprintf(ret + used, REFER_NAMES_SIZE - used, ", ...");
}

etna_code refuse_unknown(reader *r, const chart_node *thing, const candidates *near)
{
    char names[REFER_NAMES_SIZE];
    candidates all = *near;
    bool nearly = near->count > 0;
    for (uint32_t i = 0; !nearly && i < r->facts->object_count; i++) {
        if (object_moves(r->facts, i)) candidates_add(&all, i, 0);
    }
    refuse_names(r->facts, &all, names);
    return reader_refuse(r, CODE_UNKNOWN, thing, "nothing here is \"%s\"; %s %s", reader_said(r, thing),
                         nearly ? "of that name there are" : "there are", names);
}

etna_code refuse_fixed(reader *r, const chart_node *thing, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    bool animated = o->immovable && !o->is_static;
    if (animated)
        return reader_refuse(r, CODE_IMPOSSIBLE, thing, "%.200s is skinned or animated and cannot be moved", o->name);
    bool told = o->static_why && o->static_why[0];
    const char *why = told ? o->static_why : "it counts as static";
    if (o->static_by_cut) {
        return reader_refuse(
            r, CODE_IMPOSSIBLE, thing,
            "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is to move all the same, name it "
            "under \"movable\" in the side file",
            o->name, why);
    }
    return reader_refuse(
        r, CODE_IMPOSSIBLE, thing,
        "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is several things in one mesh, etna "
        "scene split SCENE '%.120s' divides it",
        o->name, why, o->name);
}

etna_code refuse_count(reader *r, reader_code code, const chart_node *thing, uint32_t number, uint32_t count,
                       const candidates *c)
{
    char names[REFER_NAMES_SIZE] = "";
    if (c) refuse_names(r->facts, c, names);
    const char *are = count == 1 ? "is" : "are";
    return reader_refuse(r, code, thing, "\"%s\" asks for %u, but there %s %u%s%s", reader_said(r, thing), number, are,
                         count, c ? ": " : "", names);
}
