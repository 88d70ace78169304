/* Nouns that a phrase without one borrows: "the red one" is of the kind that
 * was spoken of before, moved or placed upon. */
#include "proto/ascii.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/stage_internal.h"

static bool word_is_one(const char *word)
{
    return lexicon_lists("noun: one", word);
}

/* A word that says which thing and not what it is: no noun is told by it,
 * unless it is the last and one itself. */
static bool word_is_no_noun(const char *word)
{
    bool superlative;
    if (lexicon_colour(word) || lexicon_size(word, &superlative))
        return true;
    if (ascii_is_digit(word[0]) || word[1] == 0)
        return true;
    return match_word_side(word) != 0;
}

/* Nouns for later phrases without one ("the red one"), in the singular. */
etna_code refer_remember(reader *r, const match_query *q, bool movers)
{
    r->memory.noun_count = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        const char *word = q->words[i];
        bool last = i + 1 == q->count;
        /* "chair B" is a chair, though "b" is a noun, too */
        const bool label = i > 0 && word[1] == 0;
        if (word_is_no_noun(word) && (label || !last || !kinds_known(word)))
            continue;
        char lemma[KINDS_WORD_SIZE];
        bool changes = last && kinds_lemma(word, lemma, sizeof lemma, NULL) > 0;
        if (changes)
            /* "the largest" of the boxes is one box */
            word = etna_arena_strdup(r->arena, lemma);
        if (!word)
            return reader_no_memory(r);
        r->memory.nouns[r->memory.noun_count++] = word;
    }
    uint32_t *count =
        movers ? &r->memory.mover_noun_count : &r->memory.place_noun_count;
    *count = r->memory.noun_count;
    memcpy(movers ? r->memory.mover_nouns : r->memory.place_nouns,
           r->memory.nouns, sizeof r->memory.nouns);
    return ETNA_OK;
}

/* Its own words but a last "one", of which "ones" are several; at most `room`.
 * How many there are. */
static uint32_t words_without_one(resolution *t,
                                  const char **ret,
                                  uint32_t room)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->word_count; i++) {
        bool one = i + 1 == t->word_count && word_is_one(t->words[i]);
        if (one && strcmp(t->words[i], "ones") == 0)
            t->plural = true;
        if (!one && used < room)
            ret[used++] = t->words[i];
    }
    return used;
}

/* Its own words and the nouns said before in the place of "one". */
static etna_code borrow_nouns(stage *s,
                              const char *const *nouns,
                              uint32_t noun_count)
{
    resolution *t = &s->t;
    const match_query before = t->query;
    const char *joined[REFER_WORDS_MAX] = {0};
    uint32_t borrowed =
        noun_count < REFER_WORDS_MAX - 1 ? noun_count : REFER_WORDS_MAX - 1;
    uint32_t used = words_without_one(t, joined, REFER_WORDS_MAX - borrowed);
    for (uint32_t i = 0; i < borrowed; i++)
        joined[used++] = nouns[i];
    etna_code code = stage_query(s, joined, used);
    t->query.ordinal_from_side = before.ordinal_from_side;
    t->query.ordinal_from_right = before.ordinal_from_right;
    if (before.generic && borrowed == 0)
        t->query.generic = true;
    if (used == 0)
        t->query.generic = true;
    return code;
}

/* "The others", "the rest": several, unless one is said. */
bool stage_says_all_others(const stage *s)
{
    if (s->t.word_count > 0 || !stage_says(s, SAYS_REST | SAYS_OTHER))
        return false;
    /* "one cup here and the other there" */
    if (strcmp(reader_word(s->t.r, s->t.thing->end - 1), "other") == 0)
        return false;
    const bool said =
        chart_find(s->t.thing, "$quant") || chart_child(s->t.thing, "REST");
    return said && !stage_says(s, SAYS_INDEFINITE) && s->t.amount.number != 1;
}

/* A letter of some name here, and no axis. */
static bool word_is_label(const reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->facts->object_count && word[1] == 0; i++) {
        const builtin_object *o = object_at(r, i);
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (strcmp(o->words[k], word) == 0)
                return true;
        }
    }
    return false;
}

/* Has the phrase no noun of its own, or but a label: "cups A, B and C"? */
static bool noun_is_lacking(const resolution *t)
{
    if (t->word_count == 0 || !t->query.has_noun)
        return true;
    const bool one =
        t->word_count > 1 && word_is_one(t->words[t->word_count - 1]);
    if (one && chart_child(t->thing, "$det"))
        /* "the picture one" is no picture, but "chair one" is a chair */
        return true;
    return t->word_count == 1 && word_is_label(t->r, t->words[0]);
}

static bool nouns_are_moved(const stage *s)
{
    return s->t.scope.movers && s->t.r->memory.mover_noun_count > 0;
}

/* "The mug and the other stuff": of what nobody said, so that it would be all
 * that the scene has, or nothing. */
static bool others_are_open(const stage *s)
{
    const resolution *const t = &s->t;
    const reader *const r = t->r;
    const bool others =
        t->scope.movers && stage_says(s, SAYS_OTHER | SAYS_REST);
    const bool placed = t->scope.on != BUILTIN_NONE ||
                        r->memory.context != BUILTIN_NONE ||
                        phrase_is_modified(t->thing);
    const bool bare =
        t->word_count == 0
            ? r->memory.mover_noun_count == 0 && r->memory.noun_count == 0
            : t->word_count == 1 && lexicon_lists("noun: any", t->words[0]);
    if (!others || placed || !bare)
        return false;
    return r->reading->count == r->first_move && r->memory.stays.count == 0;
}

etna_code stage_refuse_rest_of_all(stage *s)
{
    const resolution *t = &s->t;
    const bool rest =
        t->scope.movers && t->word_count == 0 && stage_says(s, SAYS_REST);
    const bool listed = t->r->memory.conjunct.count > 0;
    const bool open = others_are_open(s) || (rest && listed);
    if (!open && (!rest || nouns_are_moved(s)))
        return ETNA_OK;
    return reader_refuse(t->r, CODE_UNREAD, t->thing,
                         "what \"%s\" is the rest of is not said",
                         reader_said(t->r, t->thing));
}

/* "The green block between the balls, the red one on the green one": a green ball
 * is there, and so is what was just put there. */
static etna_code one_may_be_moved(stage *s, const match_query *own, bool *ret)
{
    resolution *const t = &s->t;
    const reader_memory *const memory = &t->r->memory;
    const builtin_move *const m = reader_last_move(t->r);
    const match_query found = t->query;
    candidates all = t->found;
    *ret = false;
    if (!m || m->objects.count != 1 || !own->colour ||
        memory->mover_noun_count == 0)
        return ETNA_OK;
    t->query = *own;
    etna_code code =
        borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
    if (code == ETNA_OK)
        code = candidates_make(t->r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    candidates_by_colour(t->r, &t->found, &t->query, false, 1);
    const bool moved =
        t->found.count == 1 && set_has(&m->objects, t->found.items[0].object);
    t->found = all;
    t->query = found;
    candidates_by_colour(t->r, &all, &t->query, false, 1);
    *ret = moved && all.count > 0 && !set_has(&m->objects, all.items[0].object);
    return ETNA_OK;
}

/* "On the right one" is of what the last place was, where there are several of
 * it, or another than what is left. */
static etna_code borrow_place(stage *s, bool *ret_is_borrowed)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const match_query own = t->query;
    const bool last = t->word_count > 0 && /* "the other", "the other one" */
                      word_is_one(t->words[t->word_count - 1]);
    const bool other = stage_says(s, SAYS_OTHER) && t->amount.number < 2 &&
                       (t->word_count == 0 || last);
    if (memory->place_noun_count == 0 ||
        !(other || (last && t->word_count > 1)))
        return ETNA_OK;
    etna_code code =
        borrow_nouns(s, memory->place_nouns, memory->place_noun_count);
    if (code == ETNA_OK)
        code = candidates_make(t->r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    const bool left_one = other && t->found.count == 1 &&
                          t->found.items[0].object != memory->last_reference;
    *ret_is_borrowed = t->found.count > 1 || left_one;
    bool moved = false;
    if (*ret_is_borrowed && !other)
        code = one_may_be_moved(s, &own, &moved);
    if (code == ETNA_OK && moved)
        return reader_refuse_unclear(t->r, t->thing);
    if (!*ret_is_borrowed)
        t->query = own;
    return code;
}

/* "The hairdryer on the counter with the other two", "with the others": of its
 * own kind. */
static bool says_as_many_others(const stage *s)
{
    const resolution *t = &s->t;
    const uint32_t at = t->thing->first;
    const bool with = at > 0 && reader_word_is(t->r, at - 1, "with") &&
                      stage_says_all_others(s);
    const bool several = t->amount.number > 1 || with;
    return t->word_count == 0 && stage_says(s, SAYS_OTHER) && several &&
           t->r->memory.mover_noun_count > 0;
}

/* "The mug on the counter, next to the others", where there is one counter: of
 * the mugs. */
static etna_code others_find_noun(const stage *s, bool *ret_moved)
{
    enum {
        CALLED_SO = 11 /* hundredths */
    };
    const resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    match_query q;
    candidates called;
    *ret_moved = false;
    if (t->scope.movers || !stage_says_all_others(s) ||
        memory->mover_noun_count == 0 || memory->noun_count == 0)
        return ETNA_OK;
    etna_code code = gather_called(t->r, memory->nouns, memory->noun_count,
                                   CALLED_SO, &q, &called);
    *ret_moved = code == ETNA_OK && called.count < 2;
    return code;
}

/* "The lamp in the back left corner and the phone in the front right one": no
 * lamp is meant. */
static bool says_another_zone(const stage *s)
{
    const resolution *t = &s->t;
    const reader *r = t->r;
    const uint32_t zones = BIT(RELATION_CORNER) | BIT(RELATION_EDGE) |
                           BIT(RELATION_END) | BIT(RELATION_MIDDLE);
    bool sides = t->word_count > 1 && !t->scope.movers;
    if (r->reading->count == r->first_move ||
        !bit_is_in(r->reading->moves[r->reading->count - 1].relation, zones))
        return false;
    for (uint32_t i = 0; i + 1 < t->word_count && sides; i++)
        sides = match_word_side(t->words[i]) != 0;
    return sides && word_is_one(t->words[t->word_count - 1]);
}

/* "The red one", "the second": words that say which. */
static bool noun_may_be_borrowed(const resolution *t, uint32_t noun_count)
{
    const match_query *q = &t->query;
    const bool says_which = q->generic || q->count > 0 || q->ordinal;
    return t->word_count == 0 || (noun_count > 0 && says_which);
}

/* How many things the borrowed noun may mean. */
static etna_code borrow_count(stage *s, uint32_t *ret)
{
    resolution *t = &s->t;
    etna_code code = candidates_make(t->r, &t->found);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    *ret = t->found.count;
    return code;
}

/* Does the phrase, as it was said, need several that it compares? */
static bool borrowed_compares(const resolution *t, const match_query *own)
{
    const bool one =
        t->word_count > 0 && word_is_one(t->words[t->word_count - 1]);
    /* "the light" of the only mug: no noun was left out */
    const bool bare = own->size && t->word_count == 1 && !own->superlative;
    return bare || (one && own->superlative && !t->scope.movers);
}

/* "The planter nearest to the bench beside the largest one": of several, hence
 * of those that are moved rather than of the only bench. */
static etna_code borrow_compared(stage *s, const match_query *own)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    uint32_t count = 0;
    if (!borrowed_compares(t, own))
        return ETNA_OK;
    etna_code code = t->query.generic ? ETNA_OK : borrow_count(s, &count);
    if (code != ETNA_OK || count > 1)
        return code;
    if (memory->mover_noun_count > 0) {
        t->query = *own;
        code = borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
        if (code == ETNA_OK)
            code = borrow_count(s, &count);
        if (code != ETNA_OK || count > 1)
            return code;
    }
    return reader_refuse(t->r, CODE_AMBIGUOUS, t->thing,
                         "of which things \"%s\" is one is not said",
                         reader_said(t->r, t->thing));
}

/* "Put one on the table": of what, a word before has to say. "The one on the
 * chair" is told by its place. */
static bool one_is_bare(const resolution *t)
{
    const unsigned told = SAYS_DEFINITE | SAYS_POINTED;
    return t->scope.movers && t->word_count == 1 && word_is_one(t->words[0]) &&
           !(t->amount.says & told);
}

/* "Put the big one on the table", where nothing was spoken of: of whatever is
 * big here. */
static bool one_is_of_nothing(const resolution *t)
{
    const reader_memory *memory = &t->r->memory;
    const bool known = memory->noun_count > 0 || memory->mover_noun_count > 0 ||
                       memory->place_noun_count > 0 || memory->named.count > 0;
    const bool one =
        t->word_count > 1 && word_is_one(t->words[t->word_count - 1]);
    /* "the third" of nothing that was said */
    const bool nth = t->word_count == 1 && t->query.ordinal &&
                     !t->query.has_noun && t->scope.movers;
    /* "the two middle ones" */
    const bool ranked = t->query.size || (t->query.sides && t->plural);
    const bool has_noun = memory->noun_count + memory->mover_noun_count > 0;
    if (one_is_bare(t) && !has_noun)
        return true;
    return !known && (nth || (one && ranked));
}

/* The row that the clause before has told of. NULL: it has told of none. */
static builtin_move *row_told_last(const reader *r)
{
    const reader_memory *memory = &r->memory;
    const uint32_t row =
        memory->ordered ? memory->ordered : memory->ordered_before;
    const bool is_there = row > 0 && row <= r->reading->count;
    return is_there && r->reading->moves[row - 1].relation == RELATION_LINE
               ? &r->reading->moves[row - 1]
               : NULL;
}

/* "Line up the crates along the wall and put the book on the middle one": of
 * the row, and not of the wall. */
static bool says_one_of_row(const stage *s)
{
    const resolution *t = &s->t;
    const bool one =
        t->word_count > 1 && word_is_one(t->words[t->word_count - 1]);
    return one && row_told_last(t->r) && (t->query.sides || t->query.ordinal);
}

/* Which way a row goes, unit, where nobody told its order: along its wall, else
 * to the picture's right. */
static void row_way(const reader *r, const builtin_move *row, double ret[2])
{
    double away[2];
    builtin_picture_axes(r->facts, ret, away);
    const bool by_wall = row->reference < r->facts->object_count &&
                         builtin_is_wall(object_at(r, row->reference));
    if (!by_wall)
        return;
    const builtin_object *wall = object_at(r, row->reference);
    const bool along = wall->half[1] > wall->half[0];
    const double way[2] = {along ? wall->heading[0] : -wall->heading[1],
                           along ? wall->heading[1] : wall->heading[0]};
    const double sign = way[0] * ret[0] + way[1] * ret[1] < 0 ? -1 : 1;
    ret[0] = sign * way[0];
    ret[1] = sign * way[1];
}

static double row_rank_along(const reader *r,
                             uint32_t object,
                             const void *context)
{
    const double *way = context;
    const double *at = object_at(r, object)->centre;
    return at[0] * way[0] + at[1] * way[1];
}

/* Which of a row is spoken of tells its order: as they stand along it now.
 * *ret_way: from its first to its last. */
static etna_code row_fix_order(reader *r, builtin_move *row, double ret_way[2])
{
    row_way(r, row, ret_way);
    if (row->row_count > 0)
        return ETNA_OK;
    const uint32_t count = row->objects.count;
    uint32_t *order = etna_arena_memdup(r->arena, row->objects.objects,
                                        count * sizeof *order);
    if (!order)
        return reader_no_memory(r);
    set_sort(r, order, count, 0, row_rank_along, ret_way);
    row->row = order;
    row->row_count = count;
    return ETNA_OK;
}

/* The place in the row that is meant, from 0; BUILTIN_NONE: it is not known. In
 * a row that leads into the picture nobody knows its left. */
static uint32_t row_place_meant(const stage *s,
                                const builtin_move *row,
                                const double way[2])
{
    const double shown = 0.35; /* cosine */
    const match_query *q = &s->t.query;
    const uint32_t last = row->row_count - 1;
    double right[2], away[2];
    if (row->row_count == 0 || row->objects.need < row->objects.count)
        return BUILTIN_NONE;
    if (q->sides == LEXICON_MIDDLE && !q->ordinal)
        return last % 2 ? BUILTIN_NONE : last / 2;
    builtin_picture_axes(s->t.r->facts, right, away);
    if (q->ordinal || way[0] * right[0] + way[1] * right[1] < shown)
        return BUILTIN_NONE;
    if (q->sides == LEXICON_LEFT)
        return 0;
    return q->sides == LEXICON_RIGHT ? last : BUILTIN_NONE;
}

static etna_code noun_of_row(stage *s)
{
    resolution *t = &s->t;
    builtin_move *row = row_told_last(t->r);
    double way[2];
    etna_code code = row_fix_order(t->r, row, way);
    if (code != ETNA_OK)
        return code;
    const uint32_t place = row_place_meant(s, row, way);
    if (place == BUILTIN_NONE)
        return reader_refuse_unclear(t->r, t->thing);
    return stage_answer(s, set_one(t->r, row->row[place]));
}

/* The place's own noun where that may be and is meant, else these. */
static etna_code noun_borrow(stage *s,
                             const char *const *nouns,
                             uint32_t noun_count,
                             bool may_be_place)
{
    resolution *t = &s->t;
    const match_query own = t->query;
    bool as_place = false;
    if (says_one_of_row(s))
        return noun_of_row(s);
    etna_code code = may_be_place ? borrow_place(s, &as_place) : ETNA_OK;
    if (code == ETNA_OK && !as_place)
        code = borrow_nouns(s, nouns, noun_count);
    t->plural = t->plural || stage_says_all_others(s);
    return code == ETNA_OK ? borrow_compared(s, &own) : code;
}

/* Has one of them that colour, by its name or to the eye, or is it only the
 * nearest to it? */
static bool candidates_show_colour(const resolution *t)
{
    const uint32_t colour = t->query.colour;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const builtin_object *o = object_at(t->r, t->found.items[i].object);
        if (object_shows_colour(o, (builtin_colour)colour))
            return true;
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (lexicon_colour(o->words[k]) == colour)
                return true;
        }
    }
    return false;
}

/* What the moves of the text take, each for sure, and what a trade is with. */
static etna_code moved_by_text(reader *r, builtin_set *ret)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count && code == ETNA_OK;
         i++) {
        const builtin_move *const m = &r->reading->moves[i];
        if (m->objects.need == m->objects.count)
            code = set_union(r, ret, &m->objects, ret);
        const builtin_set other = set_one(r, m->reference);
        if (code == ETNA_OK && m->relation == RELATION_SWAP)
            code = set_union(r, ret, &other, ret);
    }
    return code;
}

/* Leaves the one that is meant; false: none is told. */
static bool moved_tell_one(const resolution *t, candidates *of)
{
    if (t->query.colour) {
        candidates_by_colour(t->r, of, &t->query, false, 1);
        return of->count == 1 && candidates_show_colour(t);
    }
    const bool several = of->count > 1;
    candidates_by_size(t->r, of, t->query.size, 1);
    return several && of->count == 1;
}

/* "Both balls by the wall, the small one in front of the big one": one of those
 * that were moved together, by another of them. */
static bool movers_are_of_last(const resolution *t, const builtin_move *last)
{
    const builtin_set *const movers = t->scope.barred;
    return movers && movers->count == 1 && last->objects.count > 1 &&
           last->objects.need == last->objects.count &&
           set_is_within(movers, &last->objects);
}

/* The largest or the smallest of those, where that is no mover itself. */
static etna_code moved_find_sibling(stage *s, const builtin_move *last)
{
    resolution *const t = &s->t;
    candidates of;
    etna_code code = candidates_of_set(t->r, &last->objects, &of);
    if (code != ETNA_OK || !moved_tell_one(t, &of) ||
        set_has(t->scope.barred, of.items[0].object))
        return code;
    return stage_answer(s, set_one(t->r, of.items[0].object));
}

/* "Swap the red and the blue book and lay the phone on the blue one": what was
 * moved, and no phone; "on the taller one", too. Where the last place was of a
 * kind with that colour, that is asked first. */
etna_code stage_find_moved_one(stage *s)
{
    resolution *const t = &s->t;
    reader *const r = t->r;
    const builtin_move *const last = reader_last_move(r);
    const bool bare = t->word_count == 2 && word_is_one(t->words[1]) &&
                      (t->query.colour || t->query.size) &&
                      !stage_says(s, SAYS_OTHER);
    const bool at_place = r->memory.place_noun_count > 0 && last &&
                          last->relation != RELATION_SWAP;
    builtin_set moved = {0};
    candidates of;
    if (bare && !t->scope.movers && last && movers_are_of_last(t, last))
        return moved_find_sibling(s, last);
    if (!bare || t->scope.movers || !last || at_place)
        return ETNA_OK;
    etna_code code = moved_by_text(r, &moved);
    if (code == ETNA_OK && t->scope.barred)
        code = set_without(r, &moved, t->scope.barred, &moved);
    if (code == ETNA_OK)
        code = candidates_of_set(r, &moved, &of);
    if (code != ETNA_OK || of.count == 0)
        return code;
    t->found = of;
    const bool told = moved_tell_one(t, &t->found);
    return told ? stage_answer(s, set_one(r, t->found.items[0].object))
                : ETNA_OK;
}

static bool word_is_of_a_name(const reader *r, const char *word)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (object_has_word(object_at(r, i), word))
            return true;
    }
    return false;
}

/* "Best on the left", "the dirty one": nothing that is told of things here, and
 * no noun. */
static bool words_describe_nothing(const resolution *t)
{
    uint32_t mere = 0;
    for (uint32_t i = 0; i < t->word_count; i++) {
        const char *const word = t->words[i];
        if (word_is_one(word))
            continue;
        if (!lexicon_is_mere_adjective(word) || word_is_of_a_name(t->r, word))
            return false;
        mere++;
    }
    return mere > 0;
}

bool memory_opposes_side(const reader *r, uint32_t before, const char *word)
{
    const reader_memory *memory = &r->memory;
    const unsigned own = match_word_side(word);
    if (own == 0 || memory->place_noun_count == 0)
        return false;
    const char *noun = memory->place_nouns[memory->place_noun_count - 1];
    for (uint32_t at = 0; at + 1 < before; at++) {
        const unsigned side = match_word_side(reader_word(r, at));
        /* "along the left wall, the tallest at the back" is no such pair */
        const bool across = (own | side) == (LEXICON_LEFT | LEXICON_RIGHT);
        const bool away = (own | side) == (LEXICON_FRONT | LEXICON_BACK);
        const bool opposed = side != own && (across || away);
        if (side && opposed && reader_word_is(r, at + 1, noun))
            return true;
    }
    return false;
}

/* "A cup on the left shelf, a jug on the right": the right shelf. */
static bool word_is_other_side(const resolution *t)
{
    return !t->scope.movers && t->word_count == 1 &&
           lexicon_lists("$side_h", t->words[0]) &&
           memory_opposes_side(t->r, t->thing->first, t->words[0]);
}

/* "At the front": a side of the place, and no thing that something else goes
 * to. */
static bool word_is_mere_side(const resolution *t)
{
    if (t->scope.movers || t->word_count != 1 || t->plural ||
        word_is_other_side(t))
        return false;
    return t->query.sides && !t->query.has_noun &&
           lexicon_lists("$side_h", t->words[0]);
}

/* "By the right wall, the small one in front of the big one": walls are told by
 * their sides, and not by their size. */
static bool noun_has_no_size(const stage *s,
                             const char *const *nouns,
                             uint32_t count)
{
    const bool wall = count > 0 && builtin_same_word(nouns[count - 1], "wall");
    return wall && s->t.query.size != 0 && s->t.query.sides == 0;
}

etna_code stage_find_noun(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    if (one_is_of_nothing(t) || words_describe_nothing(t) ||
        word_is_mere_side(t))
        return reader_refuse(t->r, CODE_AMBIGUOUS, t->thing,
                             "of which things \"%s\" is one is not said",
                             reader_said(t->r, t->thing));
    bool others = false;
    const etna_code code = others_find_noun(s, &others);
    if (code != ETNA_OK)
        return code;
    others = others || says_as_many_others(s);
    const bool as_moved = others || nouns_are_moved(s);
    const uint32_t noun_count =
        as_moved ? memory->mover_noun_count : memory->noun_count;
    s->borrows = noun_may_be_borrowed(t, noun_count) && noun_is_lacking(t);
    if (t->word_count == 0 && memory->noun_count == 0)
        t->query.generic = true;
    if (!s->borrows && !t->query.has_noun)
        return ETNA_OK;
    if (!s->borrows)
        return refer_remember(t->r, &t->query, t->scope.movers);
    if (word_is_other_side(t))
        return noun_borrow(s, memory->place_nouns, memory->place_noun_count,
                           false);
    if (says_another_zone(s))
        return reader_refuse_unclear(t->r, t->thing);
    const bool sized =
        noun_has_no_size(s, memory->place_nouns, memory->place_noun_count) ||
        noun_has_no_size(s, memory->nouns, memory->noun_count);
    if (sized && !as_moved)
        return noun_borrow(s, memory->mover_nouns, memory->mover_noun_count,
                           false);
    return noun_borrow(s, as_moved ? memory->mover_nouns : memory->nouns,
                       noun_count, !t->scope.movers && !others);
}

etna_code stage_find_by_last_noun(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const bool as_moved = memory->mover_noun_count > 0;
    const char *const *nouns = as_moved ? memory->mover_nouns : memory->nouns;
    const uint32_t count =
        as_moved ? memory->mover_noun_count : memory->noun_count;
    if (t->found.count > 0 || !s->borrows || count < 2 || t->word_count < 2)
        return ETNA_OK;
    etna_code code = borrow_nouns(s, &nouns[count - 1], 1);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    return code;
}

etna_code stage_find_by_last_name(stage *s)
{
    resolution *t = &s->t;
    const builtin_set *named = &t->r->memory.named;
    if (t->found.count > 0 || !s->borrows || named->count == 0)
        return ETNA_OK;
    const char *words[REFER_WORDS_MAX] = {0};
    const char *noun = builtin_noun(&t->r->facts->objects[named->objects[0]]);
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->word_count && used + 1 < REFER_WORDS_MAX; i++) {
        if (!word_is_one(t->words[i]))
            words[used++] = t->words[i];
    }
    if (noun)
        words[used++] = noun;
    etna_code code = stage_query(s, words, used);
    if (code == ETNA_OK)
        gather(t, &t->query, &t->found);
    return code;
}

typedef bool stage_test(const stage *s);

/* Takes the noun of what is moved where that of the place has nothing that
 * passes. */
static etna_code prefer_moved(stage *s, stage_test *passes)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    const match_query own = t->query;
    if (!s->borrows || t->scope.movers || memory->mover_noun_count == 0 ||
        t->word_count == 0)
        return ETNA_OK;
    if (t->found.count == 0 || passes(s))
        return ETNA_OK;
    candidates as_place = t->found;
    etna_code code = candidates_make(t->r, &t->found);
    if (code == ETNA_OK)
        code = borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    code = stage_narrow_by_modifiers(s);
    if (code != ETNA_OK || passes(s))
        return code;
    t->query = own;
    t->found = as_place;
    return ETNA_OK;
}

static bool stage_shows_colour(const stage *s)
{
    return s->t.query.colour == 0 || candidates_show_colour(&s->t);
}

etna_code stage_prefer_moved_of_colour(stage *s)
{
    return prefer_moved(s, stage_shows_colour);
}

/* Its name has all words but the noun. */
static bool object_is_called_so(const stage *s, uint32_t object)
{
    const resolution *t = &s->t;
    const builtin_object *o = object_at(t->r, object);
    for (uint32_t i = 0; i + 1 < t->word_count; i++) {
        bool has = false;
        for (uint32_t k = 0; k < o->word_count; k++)
            has = has || builtin_same_word(o->words[k], t->words[i]);
        if (!has)
            return false;
    }
    return true;
}

/* "The heavy one": a word that a name could have, and no noun. */
static bool says_which_one(const stage *s)
{
    const resolution *t = &s->t;
    return t->word_count > 1 && word_is_one(t->words[t->word_count - 1]) &&
           !t->query.colour;
}

static bool stage_is_called_so(const stage *s)
{
    if (!says_which_one(s) || s->t.query.ordinal)
        return true;
    for (uint32_t i = 0; i < s->t.found.count; i++) {
        if (object_is_called_so(s, s->t.found.items[i].object))
            return true;
    }
    return false;
}

etna_code stage_prefer_moved_called_so(stage *s)
{
    return prefer_moved(s, stage_is_called_so);
}

static bool says_the_other(const stage *s)
{
    return s->t.word_count == 1 && word_is_one(s->t.words[0]) &&
           stage_says(s, SAYS_OTHER);
}

/* Is another meant than the place itself, or one that stands there? */
static bool stage_is_another(const stage *s)
{
    const resolution *t = &s->t;
    const uint32_t place = t->r->memory.last_reference;
    if (place == BUILTIN_NONE || (!says_the_other(s) && !says_which_one(s)))
        return true;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (t->found.items[i].object != place)
            return true;
    }
    return false;
}

static bool stage_is_there(const stage *s)
{
    const resolution *t = &s->t;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (builtin_is_above(t->r->facts, t->found.items[i].object,
                             t->r->memory.last_reference))
            return true;
    }
    return false;
}

etna_code stage_prefer_moved_to_place_again(stage *s)
{
    const bool any = s->t.found.count > 0 && s->t.word_count > 0;
    if (!any || !s->borrows || s->t.scope.movers || stage_is_another(s))
        return ETNA_OK;
    if (!says_the_other(s))
        return prefer_moved(s, stage_is_there);
    return reader_refuse_unclear(s->t.r, s->t.thing);
}

etna_code stage_find_of_moved(stage *s)
{
    resolution *t = &s->t;
    const reader_memory *memory = &t->r->memory;
    if (t->found.count > 0 || !s->borrows || memory->mover_noun_count == 0 ||
        t->word_count == 0)
        return ETNA_OK;
    etna_code code =
        borrow_nouns(s, memory->mover_nouns, memory->mover_noun_count);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    code = stage_narrow_by_modifiers(s);
    return code == ETNA_OK ? stage_narrow_by_colour(s) : code;
}

/* "The mug and the other one", where there is one mug. */
etna_code stage_refuse_same_again(stage *s)
{
    const builtin_set *const before = &s->t.r->memory.conjunct;
    if (!stage_says(s, SAYS_OTHER) || !s->t.scope.movers ||
        before->count == 0 || s->ret->count == 0)
        return ETNA_OK;
    return set_is_within(s->ret, before)
               ? reader_refuse_unclear(s->t.r, s->t.thing)
               : ETNA_OK;
}
