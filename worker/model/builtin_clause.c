/* One clause -> moves. The last mark is where to; one before it tells which thing is meant ("the bottle on the tray"), which
 * reference ("the lamp on the desk") or what to stand on ("on the desk near the lamp"), whichever fits the scene first. */
#include "worker/model/builtin_read_own.h"

#include <stdio.h>
#include <string.h>

static builtin_phrase phrase_of(const reader *r, uint32_t first, uint32_t end)
{
    return (builtin_phrase){.words = r->words, .first = first, .end = end, .sentence = r->sentence};
}

static etna_code resolve(reader *r, const builtin_phrase *phrase, const builtin_scope *scope, builtin_set *ret)
{
    return builtin_resolve(r->facts, phrase, scope, r->arena, ret, r->err);
}


/* What "it" and "them" mean: the things of the last move; as a reference what the last one was. */
static bool pronoun(const reader *r, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const pronouns[] = {"it", "them", "they", NULL};
    if (end - first != 1 || !is_one_of(r, first, pronouns) || r->last.count == 0) return false;
    *ret = r->last;
    return true;
}

static etna_code add_move(reader *r, const builtin_move *move)
{
    if (r->reading->count == BUILTIN_MOVES_MAX) return etna_fail(r->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    r->reading->moves[r->reading->count++] = *move;
    r->last = move->objects;
    r->last_reference = move->reference;
    r->taken = false;
    return ETNA_OK;
}

static bool is_partner(const reader *r, uint32_t i) { return is_word(r, i, "with") || is_word(r, i, "for"); }

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

/* An order by size is over all things of a clause: its sets become one. Sets of which only some are meant stay apart. */
static etna_code merge_sets(reader *r, builtin_set *sets, uint32_t *count)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (sets[i].need != sets[i].count) return ETNA_OK;
        total += sets[i].count;
    }
    uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
    if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < *count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            uint32_t object = sets[i].objects[k], at = used;
            while (at > 0 && all[at - 1] > object) at--;
            if (at > 0 && all[at - 1] == object) continue;
            memmove(all + at + 1, all + at, (used - at) * sizeof *all);
            all[at] = object;
            used++;
        }
    }
    sets[0] = (builtin_set){.count = used, .objects = all, .need = used};
    *count = 1;
    return ETNA_OK;
}

/* Cuts [first, end) at "and" and ",": the phrases; without a noun of their own they borrow from the next that has one. */
static uint32_t cut_phrases(const reader *r, uint32_t first, uint32_t end, bool swap, builtin_phrase phrases[PHRASES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = first; i < end && count < PHRASES_MAX;) {
        if (is_conjunction(r, i) || (swap && is_partner(r, i))) {
            i++;
            continue;
        }
        uint32_t stop = i;
        while (stop < end && !is_conjunction(r, stop) && !(swap && is_partner(r, stop))) stop++;
        phrases[count++] = phrase_of(r, i, stop);
        i = stop;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        phrases[i].noun_first = phrases[count - 1].first;
        phrases[i].noun_end = phrases[count - 1].end;
    }
    return count;
}

/* Without conjunctions and small words at both ends. */
static void trim(const reader *r, uint32_t *first, uint32_t *end)
{
    static const char *const small[] = {"please", "now", "is", "was", "are", "were", "stood", "stands", "currently", "again", "instead",
                                       "located", "originally", "standing", NULL};
    while (*first < *end && (is_conjunction(r, *first) || is_word(r, *first, "please"))) ++*first;
    while (*end > *first && (is_conjunction(r, *end - 1) || is_one_of(r, *end - 1, small))) --*end;
}

static etna_code read_things(reader *r, uint32_t first, uint32_t end, uint32_t on, bool swap, builtin_set sets[PHRASES_MAX], uint32_t *ret_count)
{
    builtin_phrase phrases[PHRASES_MAX];
    uint32_t at = first;
    *ret_count = 0;
    trim(r, &first, &end);
    uint32_t count = cut_phrases(r, first, end, swap, phrases);
    if (count == 0) return reader_refuse(r, at, end, "it does not say what to move");
    uint32_t *before = NULL, before_count = 0;
    etna_code code = moved_before(r, &before, &before_count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        if (pronoun(r, phrases[i].first, phrases[i].end, &sets[i])) continue;
        builtin_scope scope = {.movers = true, .on = on, .on_level = on == BUILTIN_NONE ? 0 : r->on_level, .barred = before, .barred_count = before_count};
        scope.alike = r->last.count ? r->last.objects[0] : BUILTIN_NONE;
        code = resolve(r, &phrases[i], &scope, &sets[i]);
    }
    *ret_count = code == ETNA_OK ? count : 0;
    return code;
}

static bool any_stands_on(const reader *r, const builtin_set *sets, uint32_t count, uint32_t on)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            if (builtin_is_above(r->facts, sets[i].objects[k], on)) return true;
        }
    }
    return false;
}

/* Whose board is meant where nobody says whose: of the things that bear the noun (else of all) the one with what is moved on it, else
 * the one with the most boards. */
static etna_code find_owner(reader *r, const builtin_level_words *said, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets, uint32_t *ret)
{
    uint32_t best = BUILTIN_NONE, most = 0, other = BUILTIN_NONE;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        uint32_t levels = builtin_levels(r->facts, i), worth = levels;
        if (levels < 2) continue;
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (builtin_same_word(o->words[k], said->noun) || builtin_like_word(o->words[k], said->noun)) worth |= 1u << 20;
        }
        if (any_stands_on(r, things, thing_sets, i)) worth |= 1u << 10;
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
    snprintf(why, sizeof why, "it may be that of %.120s or of %.120s", r->facts->objects[best].name, other == BUILTIN_NONE ? "" : r->facts->objects[other].name);
    if (other != BUILTIN_NONE) return reader_refuse(r, first, end, why);
    *ret = best;
    return ETNA_OK;
}

/* Are there several things of that noun, one beside or above the other, or one that bears the words as its name? Then these are meant. */
static bool are_things(const reader *r, const builtin_level_words *said, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        bool noun = false, own = false;
        for (uint32_t k = 0; k < o->word_count; k++) {
            noun = noun || builtin_same_word(o->words[k], said->noun);
            for (uint32_t n = first; n < first + 2 && n < r->count; n++) own = own || (!is_word(r, n, "the") && !builtin_is_level_noun(r->words[n].text) && strcmp(o->words[k], r->words[n].text) == 0);
        }
        if (noun && own) return true;
        if (noun && !o->immovable) count++;
    }
    return count > 1;
}

/* "The second board of the shelf": the shelf, and r->level. *ret_found: it was that. */
static etna_code read_level(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets, uint32_t *ret, bool *ret_found)
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
        builtin_phrase phrase = phrase_of(r, said.owner_first, said.owner_end);
        code = resolve(r, &phrase, &(builtin_scope){.on = BUILTIN_NONE, .alike = BUILTIN_NONE, .flat = true}, &set);
        if (code == ETNA_OK) owner = set.objects[0];
    } else {
        code = find_owner(r, &said, first, end, things, thing_sets, &owner);
    }
    if (code != ETNA_OK) return code;
    uint32_t levels = builtin_levels(r->facts, owner), level = builtin_level_of(&said, levels);
    char why[300];
    snprintf(why, sizeof why, "%.120s has %u of them one above another; say which from the top or from the bottom", r->facts->objects[owner].name, levels);
    if (level == 0) return reader_refuse(r, first, end, why);
    r->level = levels > 1 ? level : 0;
    r->last_owner = *ret = owner;
    *ret_found = true;
    return ETNA_OK;
}

/* One thing that the words [first, end) name; `flat`: something can stand on it. */
static etna_code read_reference(reader *r, uint32_t first, uint32_t end, const builtin_set *things, uint32_t thing_sets, uint32_t on, bool flat,
                                uint32_t *ret)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < thing_sets; i++) total += things[i].count;
    uint32_t *barred = etna_arena_alloc(r->arena, total + 1u, sizeof *barred);
    if (!barred) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < thing_sets; i++) {
        for (uint32_t k = 0; k < things[i].count && things[i].count == things[i].need; k++) barred[used++] = things[i].objects[k];
    }
    trim(r, &first, &end);
    uint32_t hangs_on = total == 1 ? builtin_hangs_on(r->facts, things[0].objects[0]) : BUILTIN_NONE; /* "the other wall" is not that one */
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
    bool own = thing_sets > 0 && r->last.count == 1 && things[0].count > 0 && things[0].objects[0] == r->last.objects[0];
    bool other = !flat && r->last.count == 1 && thing_sets > 0 && !own; /* "put B beside it": what was moved; "on it": what that went to */
    if (end == first + 1 && is_word(r, first, "it") && !other && r->last_reference < r->facts->object_count) {
        *ret = r->last_reference;
        return ETNA_OK;
    }
    if (end > first && pronoun(r, first, end, &set)) {
        if (set.count != 1) return reader_refuse(r, first, end, "it does not say which one");
    } else {
        for (uint32_t i = first; i < end; i++) {
            if (is_conjunction(r, i)) return reader_refuse(r, first, end, "a thing can stand in one place only");
        }
        builtin_phrase phrase = phrase_of(r, first, end);
        builtin_scope scope = {.on = on, .barred = barred, .barred_count = used, .alike = BUILTIN_NONE, .flat = flat, .laden = r->clearing};
        etna_code code = resolve(r, &phrase, &scope, &set);
        if (code != ETNA_OK) return code;
    }
    *ret = set.objects[0];
    return ETNA_OK;
}

static etna_code read_faced(reader *r, uint32_t first, uint32_t end, uint32_t reference, uint32_t *ret)
{
    static const char *const viewer[] = {"camera", "viewer", "me", "us", "observer", NULL};
    trim(r, &first, &end);
    if (end > first && is_one_of(r, end - 1, viewer)) {
        *ret = BUILTIN_CAMERA;
        return ETNA_OK;
    }
    if (end == first + 1 && is_word(r, first, "it") && reference < r->facts->object_count) {
        *ret = reference;
        return ETNA_OK;
    }
    return read_reference(r, first, end, NULL, 0, BUILTIN_NONE, false, ret);
}

static uint32_t argument_end(const clause *c, uint32_t k) { return k + 1 < c->mark_count ? c->marks[k + 1].first : c->end; }

etna_code clause_find_marks(reader *r, clause *c)
{
    c->things_end = c->end;
    for (uint32_t i = c->first; i < c->end;) {
        builtin_mark mark;
        bool nearest = i > c->first && (is_word(r, i - 1, "nearest") || is_word(r, i - 1, "closest")); /* "closest to": which one, not where to */
        if (nearest || !mark_at(r, i, c->end, &mark)) {
            i++;
            continue;
        }
        bool over = mark.relation == RELATION_ABOVE && is_word(r, mark.end - 1, "over"); /* a cloth goes over a table by lying on it */
        bool hangs = c->verb == VERB_HANG || (mark.end > i + 1 && is_word(r, mark.end - 2, "hangs"));
        if (over && !hangs) return reader_refuse(r, i, c->end, "whether on it or above it is not clear");
        if (c->mark_count == 0) c->things_end = i;
        if (c->mark_count == MARKS_MAX) return reader_refuse(r, c->start, c->end, "it says \"on\" too often");
        c->marks[c->mark_count++] = mark;
        i = mark.end;
    }
    return ETNA_OK;
}

/* "the desk's left edge": the argument ends before the 's, and the mark becomes what follows. */
static void read_possessive(const reader *r, builtin_mark *mark, uint32_t first, uint32_t *end)
{
    uint32_t stop = *end, start = first;
    trim(r, &start, &stop);
    for (uint32_t i = first; i + 1 < stop; i++) {
        if (!is_word(r, i, "'s") || !builtin_zone(r->words, i + 1, stop, mark)) continue;
        mark->bare_to = false;
        *end = i;
        return;
    }
}

static bool has_top(const reader *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->surface_count; i++) {
        if (r->facts->surfaces[i].object == object) return true;
    }
    return false;
}

/* Is it there to have things on it, by its name? */
static bool is_bearer(const builtin_object *o)
{
    static const char *const bearers[] = {"tray", "plate", "saucer", "platter", "table", "desk", "shelf", "cabinet", "counter", "bench", "nightstand", "sideboard",
                                          "dresser", "rack", "bookcase", "carpet", "mat", "bed"};
    for (uint32_t i = 0; i < o->word_count; i++) {
        for (size_t k = 0; k < sizeof bearers / sizeof bearers[0]; k++) {
            if (builtin_same_word(o->words[i], bearers[k])) return true;
        }
    }
    return false;
}

static bool any_furniture(const reader *r, const builtin_set *sets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < sets[i].count; k++) {
            const builtin_object *o = &r->facts->objects[sets[i].objects[k]];
            for (uint32_t w = 0; w < o->word_count; w++) {
                if (builtin_like_word(o->words[w], "furniture")) return true;
            }
        }
    }
    return false;
}

/* Sets laid flat, in the order said. ETNA_E_INPUT: some of several are meant. */
static etna_code flatten(reader *r, const clause *c, const builtin_set *sets, uint32_t set_count, uint32_t **ret, uint32_t *ret_count)
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

/* What a thing stands on; not the carpet, but the floor under it. */
static uint32_t ground_of(const reader *r, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    for (int depth = 0; depth < 8 && o->by_count > 0; depth++) {
        uint32_t by = o->by[0];
        o = &r->facts->objects[by];
        if (o->is_static || o->half[2] > 0.015 || o->by_count == 0) return by;
    }
    return BUILTIN_NONE;
}

/* "where the chair and the plant are": several things whose place is meant. */
static bool names_several(const reader *r, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (is_conjunction(r, i)) return true;
    }
    return end > first && !r->words[end - 1].quoted && builtin_is_plural(r->words[end - 1].text);
}

static etna_code read_there(reader *r, const clause *c, uint32_t first, uint32_t end, builtin_set *ret)
{
    static const char *const stand[] = {"stand", "lie", "sit", "rest", NULL};
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    if (end > first + 1 && is_one_of(r, end - 1, stand)) end--;
    etna_code code = read_things(r, first, end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
    if (code == ETNA_OK) *ret = (builtin_set){.count = count, .objects = all, .need = count};
    return code;
}

/* The argument of mark k as the move's reference (or two). */
static etna_code read_place(reader *r, const clause *c, uint32_t k, const builtin_set *sets, uint32_t set_count, uint32_t on, builtin_move *move)
{
    builtin_mark mark = c->marks[k];
    uint32_t first = mark.end, end = argument_end(c, k);
    etna_code code = ETNA_OK;
    move->gap = mark.gap;
    move->second = BUILTIN_NONE;
    if (mark.its) {
        move->relation = mark.relation;
        move->sides = mark.sides;
        move->reference = r->last_reference;
        if (mark.bare && r->last_reference >= r->facts->object_count && set_count > 0) move->reference = ground_of(r, sets[0].objects[0]);
        if (move->reference >= r->facts->object_count) return reader_refuse(r, mark.first, mark.end, "it does not say whose");
        return ETNA_OK;
    }
    read_possessive(r, &mark, first, &end);
    trim(r, &first, &end);
    move->relation = mark.relation;
    move->sides = mark.sides;
    if (mark.relation == RELATION_LINE) {
        move->reference = BUILTIN_NONE;
        return first == end ? ETNA_OK : reader_refuse(r, first, end, "a row needs no place");
    }
    if (first >= end) return reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    if (mark.relation == RELATION_PLACE && names_several(r, first, end)) {
        code = read_there(r, c, first, end, &move->there);
        if (code == ETNA_OK) move->reference = move->there.objects[0];
        return code;
    }
    if (mark.relation == RELATION_BETWEEN) {
        builtin_phrase phrases[PHRASES_MAX];
        builtin_set pair[PHRASES_MAX];
        uint32_t count = cut_phrases(r, first, end, false, phrases), refs[2] = {0}, used = 0;
        for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
            builtin_scope scope = {.movers = count == 1, .on = BUILTIN_NONE, .alike = BUILTIN_NONE};
            code = resolve(r, &phrases[i], &scope, &pair[i]);
            for (uint32_t n = 0; code == ETNA_OK && n < pair[i].need && used < 3; n++, used++) {
                if (used < 2) refs[used] = pair[i].objects[n];
            }
        }
        if (code != ETNA_OK) return code;
        if (used != 2 || refs[0] == refs[1]) return reader_refuse(r, first, end, "it does not say between which two");
        move->reference = refs[0];
        move->second = refs[1];
        return ETNA_OK;
    }
    bool flat = move->relation == RELATION_ON || move->relation == RELATION_IN || (move->relation >= RELATION_MIDDLE && move->relation <= RELATION_EDGE);
    code = read_reference(r, first, end, sets, set_count, on, flat, &move->reference);
    if (code == ETNA_OK && r->level > 0) {
        if (!flat && !mark.bare_to && !mark.over_to) return reader_refuse(r, mark.first, end, "things can be on or in a board of a thing, not beside or under it");
        move->level = r->level;
        if (!flat || move->relation == RELATION_IN) move->relation = RELATION_ON;
    }
    if (code == ETNA_OK && mark.bare_to && !has_top(r, move->reference)) move->relation = RELATION_BESIDE;
    bool onto = code == ETNA_OK && mark.over_to && is_bearer(&r->facts->objects[move->reference]) && !any_furniture(r, sets, set_count);
    if (onto) move->relation = RELATION_ON; /* the cup over to the tray, but the chair over to the table */
    return code;
}

/* Two places: which is where to, and what does the other one say? Tries in the order of builtin_read's notes. */
static etna_code read_two_places(reader *r, const clause *c, const uint32_t at[2], uint32_t on, builtin_set *sets, uint32_t *set_count, builtin_move *move)
{
    etna_error first_why = {0}, *err = r->err;
    const builtin_mark *a = &c->marks[at[0]], *b = &c->marks[at[1]];
    builtin_move other = {.reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE};
    etna_code code;
    if (b->relation == RELATION_PLACE && a->relation != RELATION_PLACE && is_word(r, b->first, "where")) { /* in front of it, where the chair is */
        code = read_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, move);
        return code == ETNA_OK ? read_there(r, c, b->end, argument_end(c, at[1]), &move->there) : code;
    }
    if (a->relation == RELATION_ON && !a->bare_to) { /* the bottle on the table onto the block */
        uint32_t things_on = BUILTIN_NONE;
        r->err = &first_why;
        uint32_t from_level = r->on_level;
        code = read_reference(r, a->end, argument_end(c, at[0]), NULL, 0, BUILTIN_NONE, true, &things_on);
        r->on_level = r->level;
        if (code == ETNA_OK) code = read_things(r, c->first, c->things_end, things_on, false, sets, set_count);
        r->on_level = from_level;
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move);
        r->err = err;
        if (code == ETNA_OK && b->relation != RELATION_ON && any_stands_on(r, sets, *set_count, things_on) &&
            builtin_is_above(r->facts, move->reference, things_on)) {
            move->support = things_on; /* it stays on the table, near the lamp */
        }
        if (code != ETNA_E_INPUT || a->is_said) {
            if (code != ETNA_OK && err) *err = first_why;
            return code;
        }
    }
    if (b->relation == RELATION_ON && !b->bare_to) { /* near the lamp on the desk */
        uint32_t under = BUILTIN_NONE;
        etna_error why = {0};
        r->err = &why;
        code = read_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, &other);
        under = other.reference;
        if (code == ETNA_OK) code = read_place(r, c, at[0], sets, *set_count, under, move);
        if (code == ETNA_OK && a->relation != RELATION_ON) {
            move->support = under;
            move->level = other.level;
        }
        if (code == ETNA_E_INPUT && other.reference < r->facts->object_count) {
            code = read_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, move);
            move->support = under;
            move->level = other.level;
        }
        r->err = err;
        if (code != ETNA_E_INPUT) {
            if (code != ETNA_OK && err) *err = why;
            return code;
        }
    }
    if (a->relation == RELATION_ON || a->over_to) { /* on the desk near the phone, over to the counter, next to the kettle */
        code = read_things(r, c->first, c->things_end, on, false, sets, set_count);
        if (code == ETNA_OK) code = read_place(r, c, at[0], sets, *set_count, BUILTIN_NONE, &other);
        if (code == ETNA_OK && other.relation != RELATION_ON) return reader_refuse(r, a->first, c->end, "it is not clear which of the two places is meant");
        if (code == ETNA_OK && b->relation == RELATION_ON) {
            if (err && first_why.text[0]) *err = first_why;
            return first_why.text[0] ? ETNA_E_INPUT : reader_refuse(r, a->first, c->end, "it is not clear what is to stand on what");
        }
        if (code == ETNA_OK) code = read_place(r, c, at[1], sets, *set_count, BUILTIN_NONE, move);
        if (code == ETNA_OK) {
            move->support = other.reference;
            move->level = other.level;
        }
        return code;
    }
    return reader_refuse(r, a->first, c->end, "it is not clear which of the two places is meant");
}

static etna_code add_moves(reader *r, const clause *c, builtin_set *sets, uint32_t set_count, const builtin_move *like)
{
    etna_code code = ETNA_OK;
    if (c->order != ORDER_AS_SAID || like->relation == RELATION_LINE) code = merge_sets(r, sets, &set_count);
    for (uint32_t i = 0; code == ETNA_OK && i < set_count; i++) {
        builtin_move move = *like;
        move.objects = sets[i];
        for (uint32_t k = 0; k < sets[i].count && sets[i].count == sets[i].need; k++) {
            if (sets[i].objects[k] == move.reference || sets[i].objects[k] == move.second) {
                return reader_refuse(r, c->start, c->end, "a thing cannot be placed by itself");
            }
        }
        code = add_move(r, &move);
    }
    if (code == ETNA_OK && set_count > 1) { /* "them" is all of these */
        uint32_t total = 0, used = 0;
        for (uint32_t i = 0; i < set_count; i++) total += sets[i].count;
        uint32_t *all = etna_arena_alloc(r->arena, total, sizeof *all);
        if (!all) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
        for (uint32_t i = 0; i < set_count; i++) {
            for (uint32_t k = 0; k < sets[i].count; k++) all[used++] = sets[i].objects[k];
        }
        r->last = (builtin_set){.count = used, .objects = all, .need = used};
    }
    return code;
}

static builtin_move plain_move(const clause *c)
{
    return (builtin_move){.reference = BUILTIN_NONE, .second = BUILTIN_NONE, .support = BUILTIN_NONE, .faced = BUILTIN_NONE, .gap = -1, .order = c->order,
                          .hung = c->verb == VERB_HANG};
}

/* "Pick up the bowl on the cabinet and set it in the shelf": the first place is where it stands now. */
static bool is_taken_up(const reader *r, const clause *c, uint32_t k)
{
    uint32_t next = reader_skip_fillers(r, c->end);
    bool goes_on = next < r->count && reader_is_verb(r, next) && (is_word(r, next + 1, "it") || is_word(r, next + 1, "them"));
    return c->verb == VERB_TAKE && goes_on && c->marks[k].relation == RELATION_ON && !c->marks[k].bare_to && is_word(r, c->marks[k].first, "on");
}

/* Putting: the common clause. */
etna_code clause_put(reader *r, clause *c)
{
    uint32_t places[MARKS_MAX], place_count = 0, origin = BUILTIN_NONE, facing = BUILTIN_NONE, on = BUILTIN_NONE, set_count = 0;
    builtin_set sets[PHRASES_MAX];
    builtin_move move = plain_move(c);
    for (uint32_t k = 0; k < c->mark_count; k++) {
        if (c->marks[k].kind == MARK_FACING) facing = k;
        else if (c->marks[k].kind == MARK_ORIGIN && origin == BUILTIN_NONE) origin = k;
        else if (c->marks[k].kind == MARK_RELATION) places[place_count++] = k;
        else return reader_refuse(r, c->start, c->end, "it says \"from\" too often");
    }
    if (place_count > 2) return reader_refuse(r, c->start, c->end, "it says \"on\" too often");
    etna_code code = ETNA_OK;
    if (origin != BUILTIN_NONE) {
        uint32_t first = c->marks[origin].end, end = argument_end(c, origin);
        r->clearing = true; /* it bears what leaves it */
        code = read_reference(r, first, end, NULL, 0, BUILTIN_NONE, true, &on);
        r->clearing = false;
        if (code != ETNA_OK) return code;
        r->on_level = r->level;
        bool leaves = c->verb == VERB_TAKE || !is_word(r, c->marks[origin].first, "from");
        if (place_count == 0 && !leaves) return reader_refuse(r, c->marks[origin].first, c->end, "it is not clear what is to stand on what");
    }
    if (place_count == 2) {
        code = read_two_places(r, c, places, on, sets, &set_count, &move);
    } else {
        bool said = place_count == 1 && (c->marks[places[0]].is_said || is_taken_up(r, c, places[0]));
        if (said && c->verb == VERB_TAKE) { /* "take what is on the book" */
            code = read_reference(r, c->marks[places[0]].end, argument_end(c, places[0]), NULL, 0, BUILTIN_NONE, true, &on);
            r->on_level = r->level;
            place_count = 0;
        }
        if (code == ETNA_OK) code = read_things(r, c->first, c->things_end, on, false, sets, &set_count);
        if (code == ETNA_OK && place_count == 1) code = read_place(r, c, places[0], sets, set_count, BUILTIN_NONE, &move);
    }
    if (code != ETNA_OK) return code;
    if (place_count == 0 && origin != BUILTIN_NONE) {
        move.relation = RELATION_OFF;
        move.reference = on;
        move.level = r->on_level;
        bool follows = reader_is_verb(r, reader_skip_fillers(r, c->end)) || reader_is_verb(r, c->end + 1);
        if (follows && c->verb == VERB_TAKE) { /* "and stand it beside the plant" says where to */
            uint32_t next = reader_is_verb(r, c->end + 1) ? c->end + 2 : reader_skip_fillers(r, c->end) + 1;
            if (is_word(r, next, "it") || is_word(r, next, "them")) place_count = 0;
            else follows = false;
        }
        if (!follows) return add_moves(r, c, sets, set_count, &move);
    }
    if (place_count == 0 && facing == BUILTIN_NONE) {
        if (c->verb == VERB_TAKE && set_count == 1) {
            r->last = sets[0];
            r->last_reference = on;
            r->taken = true;
            r->taken_at = c->start;
            return ETNA_OK;
        }
        if (c->first == c->start && r->reading->count > 0) { /* "then the other one": where the one before went */
            builtin_move like = r->reading->moves[r->reading->count - 1];
            return add_moves(r, c, sets, set_count, &like);
        }
        return reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    }
    if (place_count == 0) move.relation = RELATION_TURNED;
    if (facing != BUILTIN_NONE) {
        move.facing = c->marks[facing].facing;
        code = read_faced(r, c->marks[facing].end, argument_end(c, facing), move.reference, &move.faced);
        if (code != ETNA_OK) return code;
        if (place_count == 0) move.reference = BUILTIN_NONE;
    }
    return add_moves(r, c, sets, set_count, &move);
}

/* "by 90 degrees clockwise", "a quarter turn", "around": degrees, and where the words about it begin. */
static bool read_degrees(const reader *r, const clause *c, uint32_t *ret_at, double *ret)
{
    double degrees = 0;
    int way = 1;
    uint32_t at = c->end;
    for (uint32_t i = c->first; i < c->end; i++) {
        bool word = true;
        uint32_t number = builtin_number(r->words[i].text);
        size_t digits = strspn(r->words[i].text, "0123456789");
        if (digits && strcmp(r->words[i].text + digits, "\xC2\xB0") == 0) {
            number = 0;
            for (size_t k = 0; k < digits && number < 10000; k++) number = number * 10 + (uint32_t)(r->words[i].text[k] - '0');
            degrees = number;
        } else if (number && (is_word(r, i + 1, "degrees") || is_word(r, i + 1, "degree"))) degrees = number;
        else if (is_word(r, i, "quarter")) degrees = 90;
        else if (is_word(r, i, "half") && (is_word(r, i + 1, "turn") || is_word(r, i + 2, "turn"))) degrees = 180;
        else if (is_word(r, i, "around") || is_word(r, i, "round") || is_word(r, i, "about")) degrees = 180;
        else if (is_word(r, i, "clockwise")) way = -1;
        else word = is_word(r, i, "counterclockwise") || is_word(r, i, "anticlockwise") || is_word(r, i, "counter-clockwise") || is_word(r, i, "anti-clockwise");
        if (!word) continue;
        uint32_t start = i;
        while (start > c->first && (is_word(r, start - 1, "by") || is_word(r, start - 1, "a"))) start--;
        if (start < at) at = start;
    }
    *ret_at = at;
    *ret = way * degrees;
    return degrees > 0;
}

etna_code clause_turn(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, at = c->end;
    builtin_move move = plain_move(c);
    if (read_degrees(r, c, &at, &move.turn)) {
        bool before = at == c->first; /* "turn around the chair" */
        etna_code code = before ? read_things(r, at + 1, c->end, BUILTIN_NONE, false, sets, &set_count)
                                : read_things(r, c->first, at, BUILTIN_NONE, false, sets, &set_count);
        move.relation = RELATION_TURN;
        return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
    }
    if (c->mark_count == 0) return reader_refuse(r, c->start, c->end, "it does not say how far, or toward what");
    builtin_mark *mark = &c->marks[0];
    if (c->mark_count != 1 || mark->kind == MARK_ORIGIN) return reader_refuse(r, c->start, c->end, "it is not clear toward what");
    move.facing = mark->kind == MARK_FACING ? mark->facing : mark->relation == RELATION_AWAY ? FACING_BACK : FACING_TO;
    bool toward = mark->relation == RELATION_TOWARD || mark->relation == RELATION_AWAY || mark->bare_to || is_word(r, mark->first, "at");
    if (mark->kind == MARK_RELATION && !toward) return reader_refuse(r, c->start, c->end, "it is not clear toward what");
    move.relation = RELATION_TURNED;
    etna_code code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = read_faced(r, mark->end, c->end, BUILTIN_NONE, &move.faced);
    return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
}

uint32_t clause_skip_positions(const reader *r, uint32_t i)
{
    static const char *const places[] = {"position", "positions", "place", "places", "spots", "locations", NULL};
    uint32_t at = is_word(r, i, "the") ? i + 1 : i;
    return is_one_of(r, at, places) && is_word(r, at + 1, "of") ? at + 2 : i;
}

etna_code clause_swap(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = read_things(r, clause_skip_positions(r, c->first), c->end, BUILTIN_NONE, true, sets, &set_count);
    if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count != 2 || all[0] == all[1]) return reader_refuse(r, c->start, c->end, "two things can be swapped");
    builtin_move move = plain_move(c);
    move.relation = RELATION_SWAP;
    move.objects = (builtin_set){.count = 1, .objects = all, .need = 1};
    move.reference = all[1];
    return add_move(r, &move);
}

/* Everything that stands on a thing goes. */
etna_code clause_clear(reader *r, clause *c)
{
    uint32_t first = c->first, end = c->end, base = BUILTIN_NONE, used = 0;
    builtin_mark zone = {0};
    uint32_t top = is_word(r, first, "the") ? first + 1 : first;
    if (is_word(r, top, "top") && is_word(r, top + 1, "of")) first = top + 2;
    read_possessive(r, &zone, first, &end);
    r->clearing = true;
    etna_code code = read_reference(r, first, end, NULL, 0, BUILTIN_NONE, true, &base);
    r->clearing = false;
    if (code != ETNA_OK) return code;
    const builtin_object *o = &r->facts->objects[base];
    uint32_t *on = etna_arena_alloc(r->arena, o->on_count, sizeof *on);
    if (!on) return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < o->on_count; i++) {
        const builtin_object *thing = &r->facts->objects[o->on[i]];
        if (builtin_off_level(r->facts, base, r->level, thing->centre[2] - thing->half[2]) > 0) continue;
        if (!thing->is_static) on[used++] = o->on[i];
    }
    builtin_move move = plain_move(c);
    move.relation = RELATION_OFF;
    move.reference = base;
    move.level = r->level;
    move.objects = (builtin_set){.count = used, .objects = on, .need = used};
    return add_move(r, &move);
}

/* One on the other; "stack A, B and C on X" begins on X, while "pile A and B onto X" says of each only that it is there. */
etna_code clause_stack(reader *r, clause *c)
{
    uint32_t places = 0, at = 0;
    for (uint32_t k = 0; k < c->mark_count; k++) {
        if (c->marks[k].kind != MARK_RELATION) continue;
        places++;
        at = k;
    }
    bool base = places == 1 && c->mark_count == 1 && c->marks[at].relation == RELATION_ON && !is_word(r, c->first - 1, "pile");
    if (places > 0 && !base) return clause_put(r, c);
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, *all = NULL, count = 0;
    etna_code code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (base && (code != ETNA_OK || set_count == 0 || (set_count == 1 && sets[0].count != sets[0].need))) return clause_put(r, c);
    if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
    if (code != ETNA_OK) return code;
    if (count < 2) return base ? clause_put(r, c) : reader_refuse(r, c->start, c->end, "it does not say on what to put it");
    for (uint32_t i = 1; set_count == 1 && i < count; i++) { /* "stack the boxes": the larger ones below */
        for (uint32_t k = i; k > 0; k--) {
            const double *a = r->facts->objects[all[k - 1]].half, *b = r->facts->objects[all[k]].half;
            if (a[0] * a[1] >= b[0] * b[1]) break;
            uint32_t swap = all[k];
            all[k] = all[k - 1];
            all[k - 1] = swap;
        }
    }
    if (base) {
        builtin_move move = plain_move(c);
        code = read_place(r, c, at, sets, set_count, BUILTIN_NONE, &move);
        move.objects = (builtin_set){.count = 1, .objects = &all[0], .need = 1};
        if (code == ETNA_OK && move.reference == all[0]) code = reader_refuse(r, c->start, c->end, "a thing cannot be placed by itself");
        if (code == ETNA_OK) code = add_move(r, &move);
    }
    for (uint32_t i = 1; code == ETNA_OK && i < count; i++) {
        builtin_move move = plain_move(c);
        move.objects = (builtin_set){.count = 1, .objects = &all[i], .need = 1};
        move.reference = all[i - 1];
        code = add_move(r, &move);
    }
    return code;
}

etna_code clause_line(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0;
    builtin_move move = plain_move(c);
    move.relation = RELATION_LINE;
    uint32_t on = BUILTIN_NONE;
    etna_code code = ETNA_OK;
    bool in_row = c->mark_count == 1 && c->marks[0].relation == RELATION_LINE; /* queue them up in a row */
    if (c->mark_count > 0 && !in_row) { /* "the books on the shelf", or "on the shelf" says where to */
        if (c->mark_count > 1 || c->marks[0].kind != MARK_RELATION || c->marks[0].relation != RELATION_ON) {
            return reader_refuse(r, c->marks[0].first, c->end, "a row can be asked on a thing; beside others say of each where it is to stand");
        }
        code = read_reference(r, c->marks[0].end, c->end, NULL, 0, BUILTIN_NONE, true, &on);
        if (code != ETNA_OK) return code;
        etna_error why = {0}, *err = r->err;
        r->err = &why;
        r->on_level = r->level;
        code = read_things(r, c->first, c->things_end, on, false, sets, &set_count);
        r->err = err;
        uint32_t *all = NULL, count = 0;
        if (code == ETNA_OK) code = flatten(r, c, sets, set_count, &all, &count);
        if (code == ETNA_OK && count > 1) return add_moves(r, c, sets, set_count, &move);
        if (code != ETNA_OK && code != ETNA_E_INPUT) return code;
        move.support = on;
        move.level = r->level;
    }
    code = read_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    return code == ETNA_OK ? add_moves(r, c, sets, set_count, &move) : code;
}
