/* The one thing by which a place or a heading is said, or one board of it: "the shelf", "the second board of the
 * shelf", "it". */
#include "worker/model/builtin_clause_own.h"

#include <stdio.h>

/* Whose board is meant where nobody says whose: of the things that bear the noun (else of all) the one with what is
 * moved on it, else the one with the most boards. */
static etna_code find_owner(reader *r, const builtin_level_words *said, uint32_t first, uint32_t end,
                            const builtin_set *things, uint32_t thing_sets, uint32_t *ret)
{
    uint32_t best = BUILTIN_NONE, most = 0, other = BUILTIN_NONE;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        uint32_t levels = builtin_levels(r->facts, i), worth = levels;
        if (levels < 2) continue;
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (builtin_same_word(o->words[k], said->noun) || builtin_like_word(o->words[k], said->noun))
                worth |= 1u << 20;
        }
        if (clause_any_on(r, things, thing_sets, i)) worth |= 1u << 10;
        if (worth > most) {
            best = i;
            most = worth;
            other = BUILTIN_NONE;
        } else if (worth == most) {
            other = i;
        }
    }
    if (best == BUILTIN_NONE) return reader_refuse(r, first, end, "nothing here has several boards one above another");
    char why[300];
    snprintf(why, sizeof why, "it may be that of %.120s or of %.120s", r->facts->objects[best].name,
             other == BUILTIN_NONE ? "" : r->facts->objects[other].name);
    if (other != BUILTIN_NONE) return reader_refuse(r, first, end, why);
    *ret = best;
    return ETNA_OK;
}

/* Are there several things of that noun, one beside or above the other, or one that bears the words as its name? Then
 * these are meant. */
static bool are_things(const reader *r, const builtin_level_words *said, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool noun = false, own = false;
        for (uint32_t k = 0; k < o->word_count; k++) {
            noun = noun || builtin_same_word(o->words[k], said->noun);
            for (uint32_t n = first; n < first + 2 && n < r->count; n++)
                own = own || (!is_word(r, n, "the") && !builtin_is_level_noun(r->words[n].text) &&
                              strcmp(o->words[k], r->words[n].text) == 0);
        }
        if (noun && own) return true;
        if (noun && !o->immovable) count++;
    }
    return count > 1;
}

/* "The second board of the shelf": the shelf, and r->level. *ret_found: it was that. */
static etna_code read_level(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets,
                            uint32_t *ret, bool *ret_found)
{
    builtin_level_words said;
    *ret_found = false;
    if (!builtin_level_said(r->words, first, end, &said)) return ETNA_OK;
    bool owned = said.owner_first < said.owner_end, one = strcmp(said.noun, "one") == 0;
    if (one && (owned || r->last_owner >= r->facts->object_count)) return ETNA_OK;
    if (!owned && !one && are_things(r, &said, first)) return ETNA_OK;
    etna_code code = ETNA_OK;
    uint32_t owner = BUILTIN_NONE;
    if (one) {
        owner = r->last_owner;
    } else if (owned) {
        builtin_set set = {0};
        builtin_phrase phrase = clause_phrase(r, said.owner_first, said.owner_end);
        code =
            clause_resolve(r, &phrase, &(builtin_scope){.on = BUILTIN_NONE, .alike = BUILTIN_NONE, .flat = true}, &set);
        if (code == ETNA_OK) owner = set.objects[0];
    } else {
        code = find_owner(r, &said, first, end, things, thing_sets, &owner);
    }
    if (code != ETNA_OK) return code;
    bool own_word = strcmp(said.noun, "level") == 0; /* builtin_level_name's, which counts all of them */
    uint32_t levels = own_word ? builtin_levels(r->facts, owner) : builtin_shelves(r->facts, owner);
    uint32_t level = builtin_level_of(&said, levels);
    char why[300];
    snprintf(why, sizeof why, "%.120s has %u of them one above another; say which from the top or from the bottom",
             r->facts->objects[owner].name, levels);
    if (level == 0) return reader_refuse(r, first, end, why);
    r->level = levels > 1 ? level : 0;
    r->last_owner = *ret = owner;
    *ret_found = true;
    return ETNA_OK;
}

/* One thing that the words [first, end) name; `flat`: something can stand on it. */
etna_code clause_reference(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets,
                           uint32_t on, bool flat, uint32_t *ret)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < thing_sets; i++) total += things[i].count;
    uint32_t *barred = etna_arena_alloc(r->arena, total + 1u, sizeof *barred);
    if (!barred) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < thing_sets; i++) {
        for (uint32_t k = 0; k < things[i].count && things[i].count == things[i].need; k++)
            barred[used++] = things[i].objects[k];
    }
    clause_trim(r, &first, &end);
    uint32_t hangs_on = total == 1 ? builtin_hangs_on(r->facts, things[0].objects[0])
                                   : BUILTIN_NONE; /* "the other wall" is not that one */
    for (uint32_t i = first; i < end && hangs_on != BUILTIN_NONE; i++) {
        if (!is_word(r, i, "other")) continue;
        barred[used++] = r->facts->walls[hangs_on].object;
        break;
    }
    r->level = 0;
    bool is_level = false;
    etna_code level_code = read_level(r, first, end, things, thing_sets, ret, &is_level);
    if (level_code != ETNA_OK || is_level) return level_code;
    builtin_set set = {0};
    bool own =
        thing_sets > 0 && r->last.count == 1 && things[0].count > 0 && things[0].objects[0] == r->last.objects[0];
    bool aside = r->last_relation >= RELATION_BESIDE && r->last_relation <= RELATION_AGAINST;
    bool other = (!flat || aside) && r->last.count == 1 && thing_sets > 0 &&
                 !own; /* "put B beside it": what was moved; "on it": what that went onto, if it went on something */
    if (end == first + 1 && is_word(r, first, "it") && !other && r->last_reference < r->facts->object_count) {
        *ret = r->last_reference;
        return ETNA_OK;
    }
    if (end > first && clause_pronoun(r, first, end, &set)) {
        if (set.count != 1) return reader_refuse(r, first, end, "it does not say which one");
    } else {
        for (uint32_t i = first; i < end; i++) {
            if (is_conjunction(r, i)) return reader_refuse(r, first, end, "a thing can stand in one place only");
        }
        builtin_phrase phrase = clause_phrase(r, first, end);
        builtin_scope scope = {.on = on,
                               .barred = barred,
                               .barred_count = used,
                               .alike = BUILTIN_NONE,
                               .flat = flat,
                               .laden = r->clearing};
        etna_code code = clause_resolve(r, &phrase, &scope, &set);
        if (code != ETNA_OK) return code;
    }
    *ret = set.objects[0];
    return ETNA_OK;
}

etna_code clause_faced(reader *r, uint32_t first, uint32_t end, uint32_t reference, uint32_t *ret)
{
    static const char *const viewer[] = {"camera", "viewer", "me", "us", "observer", NULL};
    clause_trim(r, &first, &end);
    if (end > first && is_one_of(r, end - 1, viewer)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    if (end == first + 1 && is_word(r, first, "it") && reference < r->facts->object_count) {
        *ret = reference;
        return ETNA_OK;
    }
    return clause_reference(r, first, end, NULL, 0, BUILTIN_NONE, false, ret);
}
