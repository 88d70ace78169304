/* The things a clause speaks of: its words cut into phrases, each phrase the set of objects that it means, "them" what
 * was last moved. */
#include "worker/model/builtin_clause_own.h"

builtin_phrase clause_phrase(const reader *r, uint32_t first, uint32_t end)
{
    return (builtin_phrase){.words = r->words, .first = first, .end = end, .sentence = r->sentence};
}

etna_code clause_resolve(reader *r, const builtin_phrase *phrase, const builtin_scope *scope, builtin_set *ret)
{
    return builtin_resolve(r->facts, phrase, scope, r->arena, ret, r->err);
}

/* What "it" and "them" mean: the things of the last move; as a reference what the last one was. */
bool clause_pronoun(const reader *r, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const pronouns[] = {"it", "them", "they", NULL};
    if (end - first != 1 || !is_one_of(r, first, pronouns) || r->last.count == 0) return false;
    *ret = r->last;
    return true;
}

static etna_code moved_before(reader *r, uint32_t **ret, uint32_t *ret_count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < r->reading->count; i++) total += r->reading->moves[i].objects.count;
    uint32_t *list = etna_arena_alloc(r->arena, total, sizeof *list);
    if (!list) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    *ret_count = 0;
    for (uint32_t i = 0; i < r->reading->count; i++) {
        const builtin_set *set = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < set->count; k++) list[(*ret_count)++] = set->objects[k];
    }
    *ret = list;
    return ETNA_OK;
}

static bool is_partner(const reader *r, uint32_t i) { return is_word(r, i, "with") || is_word(r, i, "for"); }

/* Cuts [first, end) at "and" and ",": the phrases; without a noun of their own they borrow from the next that has one. */
uint32_t clause_cut(const reader *r, uint32_t first, uint32_t end, bool swap, builtin_phrase phrases[PHRASES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = first; i < end && count < PHRASES_MAX;) {
        if (is_conjunction(r, i) || (swap && is_partner(r, i))) {
            i++;
            continue;
        }
        uint32_t stop = i;
        while (stop < end && !is_conjunction(r, stop) && !(swap && is_partner(r, stop))) stop++;
        phrases[count++] = clause_phrase(r, i, stop);
        i = stop;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        phrases[i].noun_first = phrases[count - 1].first;
        phrases[i].noun_end = phrases[count - 1].end;
    }
    return count;
}

/* Without conjunctions and small words at both ends. */
void clause_trim(const reader *r, uint32_t *first, uint32_t *end)
{
    static const char *const small[] = {"please",  "now",     "is",         "was",       "are",
                                        "were",    "stood",   "stands",     "currently", "again",
                                        "instead", "located", "originally", "standing",  NULL};
    while (*first < *end && (is_conjunction(r, *first) || is_word(r, *first, "please"))) ++*first;
    while (*end > *first && (is_conjunction(r, *end - 1) || is_one_of(r, *end - 1, small))) --*end;
}

etna_code clause_things(reader *r, uint32_t first, uint32_t end, uint32_t on, bool swap, builtin_set sets[PHRASES_MAX],
                        uint32_t *ret_count)
{
    builtin_phrase phrases[PHRASES_MAX];
    uint32_t at = first;
    *ret_count = 0;
    clause_trim(r, &first, &end);
    uint32_t count = clause_cut(r, first, end, swap, phrases);
    if (count == 0) return reader_refuse(r, at, end, "it does not say what to move");
    uint32_t *before = NULL, before_count = 0;
    etna_code code = moved_before(r, &before, &before_count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        if (clause_pronoun(r, phrases[i].first, phrases[i].end, &sets[i])) continue;
        builtin_scope scope = {.movers = true,
                               .on = on,
                               .on_level = on == BUILTIN_NONE ? 0 : r->on_level,
                               .barred = before,
                               .barred_count = before_count};
        scope.alike = r->last.count ? r->last.objects[0] : BUILTIN_NONE;
        code = clause_resolve(r, &phrases[i], &scope, &sets[i]);
    }
    *ret_count = code == ETNA_OK ? count : 0;
    return code;
}

/* Sets laid flat, in the order said. ETNA_E_INPUT: some of several are meant. */
etna_code clause_flatten(reader *r, const clause *c, const builtin_set *sets, uint32_t set_count, uint32_t **ret,
                         uint32_t *ret_count)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < set_count; i++) total += sets[i].count;
    uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
    if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < set_count; i++) {
        if (sets[i].need != sets[i].count) return reader_refuse(r, c->start, c->end, "it does not say which ones");
        for (uint32_t k = 0; k < sets[i].count; k++) all[used++] = sets[i].objects[k];
    }
    *ret = all;
    *ret_count = used;
    return ETNA_OK;
}

bool clause_any_on(const reader *r, const builtin_set *sets, uint32_t count, uint32_t on)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            if (builtin_is_above(r->facts, sets[i].objects[k], on)) return true;
        }
    }
    return false;
}
