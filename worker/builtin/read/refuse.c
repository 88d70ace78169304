/* How it is said that a phrase means nothing here, too many things, or what
 * cannot be moved. */
#include "worker/builtin/read/refer_internal.h"

#include <stdio.h>
#include <string.h>

enum {
    NAMES_TOLD = 6
};

/* Up to NAMES_TOLD names with their colours, to choose from. */
void refuse_names(const builtin_facts *facts,
                  const candidates *c,
                  char ret[REFER_NAMES_SIZE])
{
    size_t used = 0;
    ret[0] = 0;
    for (uint32_t i = 0;
         i < c->count && i < NAMES_TOLD && used + 1 < REFER_NAMES_SIZE; i++) {
        const builtin_object *o = &facts->objects[c->items[i].object];
        const char *colour =
            o->has_colour ? builtin_colour_name(builtin_colour_of(o->lab))
                          : NULL;
        const char *comma = i ? ", " : "";
        int n = colour ? snprintf(ret + used, REFER_NAMES_SIZE - used,
                                  "%s%.80s (%s)", comma, o->name, colour)
                       : snprintf(ret + used, REFER_NAMES_SIZE - used,
                                  "%s%.80s", comma, o->name);
        used += n > 0 ? (size_t)n : 0;
    }
    bool more = c->count > NAMES_TOLD && used + 8 < REFER_NAMES_SIZE;
    if (more)
        snprintf(ret + used, REFER_NAMES_SIZE - used, ", ...");
}

/* How little a thing is like what was said: by its kind, else by the spelling
 * of its name, else by how likely anybody would name it at all. */
static uint32_t refuse_unlikeness(const reader *r,
                                  const char *const *words,
                                  uint32_t count,
                                  const kinds_id *said,
                                  uint32_t object)
{
    enum {
        KIND_FAR = 200,
        OF_SPELLING = 40,
        HUNG = 20,
        UNNAMED = 20,
        UNSEEN = 10
    };
    const builtin_object *o = &r->facts->objects[object];
    const uint32_t kind = kinds_id_distance(&r->kinds[object], said);
    uint32_t unlike = kind < KIND_FAR ? kind : KIND_FAR;
    uint32_t spelling = KINDS_SPELLING_FAR;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < o->word_count; k++) {
            const uint32_t apart =
                kinds_spelling_distance(words[i], o->words[k]);
            spelling = apart < spelling ? apart : spelling;
        }
    }
    if (spelling < KINDS_SPELLING_FAR && unlike > OF_SPELLING * spelling)
        unlike = OF_SPELLING * spelling;
    unlike += o->attached ? HUNG : 0;
    unlike += r->kinds[object].head_words == 0 ? UNNAMED : 0;
    return unlike + (o->visible ? 0 : UNSEEN);
}

/* Is another of these called by the same noun? One of many books says that
 * there are books. */
static bool refuse_lists_noun(const reader *r,
                              const candidates *c,
                              uint32_t object)
{
    const char *noun = builtin_noun(&r->facts->objects[object]);
    for (uint32_t i = 0; i < c->count; i++) {
        const char *other =
            builtin_noun(&r->facts->objects[c->items[i].object]);
        const bool same = noun && other && strcmp(noun, other) == 0;
        if (same || c->items[i].object == object)
            return true;
    }
    return false;
}

/* Adds what is most like the words of those whose noun is not listed yet.
 * False: there is nothing more. */
static bool refuse_add_most_alike(const reader *r,
                                  const char *const *words,
                                  uint32_t count,
                                  const kinds_id *said,
                                  candidates *ret)
{
    uint32_t best = BUILTIN_NONE, least = UINT32_MAX;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!object_moves(r->facts, i) || refuse_lists_noun(r, ret, i))
            continue;
        const uint32_t unlike = refuse_unlikeness(r, words, count, said, i);
        if (unlike >= least)
            continue;
        best = i;
        least = unlike;
    }
    if (best != BUILTIN_NONE)
        candidates_add(ret, best, least);
    return best != BUILTIN_NONE;
}

/* The things that are most like what was said, a few, of one noun each. */
static void refuse_find_alike(const reader *r,
                              const chart_node *thing,
                              candidates *ret)
{
    const char *words[REFER_WORDS_MAX];
    char phrase[KINDS_PHRASE_SIZE] = "";
    const uint32_t count = phrase_words(r, thing, words);
    size_t used = 0;
    kinds_id said;
    for (uint32_t i = 0;
         i < count && used + strlen(words[i]) + 2 < sizeof phrase; i++)
        used += (size_t)snprintf(phrase + used, sizeof phrase - used, "%s%s",
                                 used ? " " : "", words[i]);
    kinds_find(phrase, &said);
    while (ret->count < NAMES_TOLD) {
        if (!refuse_add_most_alike(r, words, count, &said, ret))
            return;
    }
}

etna_code refuse_unknown(reader *r,
                         const chart_node *thing,
                         const candidates *near)
{
    char names[REFER_NAMES_SIZE];
    candidates all = *near;
    bool nearly = near->count > 0;
    if (!nearly)
        refuse_find_alike(r, thing, &all);
    if (all.count == 0)
        return reader_refuse(r, CODE_UNKNOWN, thing, "nothing here is \"%s\"",
                             reader_said(r, thing));
    refuse_names(r->facts, &all, names);
    return reader_refuse(r, CODE_UNKNOWN, thing,
                         "nothing here is \"%s\"; %s %s", reader_said(r, thing),
                         nearly ? "of that name there are" : "there are",
                         names);
}

/* With the way out, where there is one. */
etna_code refuse_fixed(reader *r, const chart_node *thing, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    bool animated = o->immovable && !o->is_static;
    if (animated)
        return reader_refuse(
            r, CODE_IMPOSSIBLE, thing,
            "%.200s is skinned or animated and cannot be moved", o->name);
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

etna_code refuse_count(reader *r,
                       reader_code code,
                       const chart_node *thing,
                       uint32_t number,
                       uint32_t count,
                       const candidates *c)
{
    char names[REFER_NAMES_SIZE] = "";
    if (c)
        refuse_names(r->facts, c, names);
    const char *are = count == 1 ? "is" : "are";
    return reader_refuse(
        r, code, thing, "\"%s\" asks for %u, but there %s %u%s%s",
        reader_said(r, thing), number, are, count, c ? ": " : "", names);
}
