/* What a text wants brought in or taken out, before a scene is staged for it:
 * the text is read again and again, each time with the want that stopped it as
 * if it had been granted, until nothing more is wished. */
#include "worker/builtin/read/reader.h"
#include "worker/builtin/read/set.h"

#include <stdio.h>

enum {
    WANTES_MAX = 32,
    WANT_THINGS_MAX = 64
};

/* facts is a copy to which imagined objects are added, one for each thing that
 * is wanted. */
typedef struct gathering {
    builtin_facts facts;
    etna_arena *arena;
    const char *text;
    builtin_object *objects;
    builtin_staged *staged;
    builtin_want *wants;
    uint32_t count;
} gathering;

/* A thing of that name as if it waited outside. */
static bool gathering_imagine(gathering *g, const char *name)
{
    uint32_t count = 0;
    builtin_object o = {.name = name,
                        .centre = {0, 0, -20},
                        .half = {0.25, 0.25, 0.25},
                        .heading = {0, -1},
                        .static_why = ""};
    const char *const *words = builtin_name_words(name, g->arena, &count);
    builtin_object_call(&o, words, words ? count : 0);
    memcpy(o.start, o.centre, sizeof o.start);
    g->objects[g->facts.object_count++] = o;
    return words != NULL;
}

/* Imagines that the wanted thing is there, so that the rest of the text can be
 * read with it. */
static bool gathering_grant(gathering *g, const builtin_want *want)
{
    builtin_staged *s = &g->staged[g->count];
    uint32_t count = want->kind == CHANGE_REMOVE ? 0 : want->count;
    if (count > WANT_THINGS_MAX)
        count = WANT_THINGS_MAX;
    uint32_t *objects = etna_arena_alloc(g->arena, count + 1u, sizeof *objects);
    double(*at)[3] = etna_arena_alloc(g->arena, count + 1u, sizeof *at);
    double *yaw = etna_arena_alloc(g->arena, count + 1u, sizeof *yaw);
    bool ok = objects && at && yaw;
    *s = (builtin_staged){.kind = want->kind,
                          .said = want->said,
                          .by = want->by,
                          .text = g->text,
                          .from = want->from,
                          .refused = "",
                          .count = count};
    for (uint32_t i = 0; ok && i < count; i++) {
        const char *name = etna_arena_printf(g->arena, "%s %u-%u", want->query,
                                             g->count + 1, i + 1);
        objects[i] = g->facts.object_count;
        memset(at[i], 0, sizeof at[i]);
        yaw[i] = 0;
        ok = name && gathering_imagine(g, name);
    }
    s->objects = objects;
    s->at = (const double(*)[3])at;
    s->yaw_deg = yaw;
    g->wants[g->count++] = *want;
    g->facts.staged_count = g->count;
    return ok;
}

/* Room for what is to come, behind the facts' own things. False: no memory. */
static bool gathering_begin(gathering *g, const builtin_facts *facts)
{
    const uint32_t own = facts->object_count;
    g->facts = *facts;
    g->objects = etna_arena_alloc(g->arena, own + WANTES_MAX * WANT_THINGS_MAX,
                                  sizeof *g->objects);
    g->staged = etna_arena_alloc(g->arena, WANTES_MAX, sizeof *g->staged);
    g->wants = etna_arena_alloc(g->arena, WANTES_MAX, sizeof *g->wants);
    if (!g->objects || !g->staged || !g->wants)
        return false;
    if (own)
        memcpy(g->objects, facts->objects, own * sizeof *g->objects);
    g->facts.objects = g->objects;
    g->facts.staged = g->staged;
    g->facts.staged_count = 0;
    g->facts.gathers = true;
    return true;
}

/* Is it told to stay, or where to stand? */
static bool reading_keeps(const builtin_reading *reading, uint32_t object)
{
    return set_has(&reading->stays, object) ||
           reading_moves(reading, 0, object);
}

/* "Remove the blocks but keep the red one", "... and leave the red one on the
 * table": what another clause keeps goes not. A want of which nothing is left
 * is dropped, so that its clause is refused. False: no memory. */
static bool gathering_spare(gathering *g, const builtin_reading *reading)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        builtin_want want = g->wants[i];
        const builtin_set all = want.objects;
        uint32_t *left =
            etna_arena_alloc(g->arena, all.count + 1u, sizeof *left);
        if (!left)
            return false;
        want.objects.objects = left;
        want.objects.count = 0;
        for (uint32_t k = 0; k < all.count; k++) {
            if (!reading_keeps(reading, all.objects[k]))
                left[want.objects.count++] = all.objects[k];
        }
        want.objects.need = want.objects.count;
        if (want.kind == CHANGE_REPLACE)
            want.count = want.objects.count;
        if (want.objects.count > 0 || want.kind == CHANGE_ADD)
            g->wants[kept++] = want;
    }
    g->count = kept;
    return true;
}

/* Reads the text again and again; each time the first thing that is missing
 * becomes a want. *reading: the last reading. */
etna_code builtin_gather(const builtin_facts *facts,
                         const char *text,
                         etna_arena *arena,
                         builtin_want **ret,
                         uint32_t *ret_count,
                         builtin_reading *reading,
                         etna_error *err)
{
    gathering g = {.arena = arena, .text = text};
    bool ok = gathering_begin(&g, facts);
    while (ok && g.count < WANTES_MAX) {
        etna_error why = {0};
        *reading = (builtin_reading){.count = 0};
        etna_code code = builtin_read(&g.facts, text, arena, reading, &why);
        if (code == ETNA_E_NOMEM)
            ok = false;
        const builtin_want *want = reading->refusal.want;
        if (code != ETNA_OK)
            reading->count = 0;
        if (code != ETNA_E_INPUT || !want)
            break;
        ok = gathering_grant(&g, want);
    }
    ok = ok && gathering_spare(&g, reading);
    if (!ok)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading what to bring in");
    *ret = g.wants;
    *ret_count = g.count;
    return ETNA_OK;
}
