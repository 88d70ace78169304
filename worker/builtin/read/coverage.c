/* What a clause says and no move shows: a reading must not drop it in silence,
 * for its moves would be judged as all that was asked. Politeness, filler words
 * and asides are told by the grammar and never come here. */
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

/* The refusal names the phrase by its span, so that a user sees which words to
 * leave out or to say otherwise. */
etna_code refuse_left_over(reader *r, const chart_node *node)
{
    return reader_refuse(
        r, CODE_LEFT_OVER, node,
        "\"%s\": how that goes with the rest is not understood",
        reader_said(r, node));
}

/* ---- the clause ---- */

/* "The guitar is moved together": with whom is told by nothing. */
static bool group_is_of_one(const builtin_move *m)
{
    const bool says_with = m->reference != BUILTIN_NONE || m->each.count > 0;
    return m->relation == RELATION_GROUP && m->objects.count == 1 && !says_with;
}

/* "On the counter at arm's length": what stands on a thing is at no distance
 * from it. */
static bool gap_is_idle(const builtin_move *m)
{
    const bool upon = m->relation == RELATION_ON || m->relation == RELATION_IN;
    return upon && m->gap >= 0 && m->also_count == 0;
}

/* Does the first move ask for nothing that could be so? */
static bool move_is_idle(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    (void)said;
    const builtin_move *m = &r->reading->moves[first];
    return gap_is_idle(m) || group_is_of_one(m);
}

/* "How many chairs are at the table?", "does the lamp stand there?": whoever
 * asks how things are wants nothing moved. "How about moving the lamp" does. */
static bool clause_asks(const reader *r, const chart_node *said, uint32_t first)
{
    (void)first;
    if (!reader_lists(r, said->first, "told: question"))
        return false;
    return said->first + 1 >= said->end ||
           !reader_lists(r, said->first + 1, "told: no question");
}

/* "Both" as an adverb, anywhere below the node: "... are both to stand there".
 */
static bool said_of_both(const reader *r, const chart_node *node)
{
    if (node_is(node, "$adv"))
        return reader_word_is(r, node->first, "both");
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (said_of_both(r, node->children[i]))
            return true;
    }
    return false;
}

/* "The cup left of the jug, the bowl right of it, both 10 cm away": what is said
 * of both is so of the move before, too. */
static bool both_is_shared(const reader *r, uint32_t first)
{
    const builtin_move *const m = &r->reading->moves[first];
    const builtin_move *const before = m - 1;
    if (first <= r->first_move || before->objects.count != 1 ||
        before->reference != m->reference)
        return false;
    return (m->gap >= 0 || m->facing != FACING_NONE) && before->gap == m->gap &&
           before->facing == m->facing && before->faced == m->faced;
}

/* "... and both onto the pallet", where one thing is moved. */
static bool both_is_left(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    const builtin_set *moved = &r->reading->moves[first].objects;
    if (!said_of_both(r, said) || moved->count != 1 || both_is_shared(r, first))
        return false;
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        /* "the cup on the mat, both on the shelf", and the mat goes there */
        const bool upon = set_has(moved, m->reference);
        if (!upon && !set_is_within(&m->objects, moved))
            return false;
    }
    return true;
}

/* "The one on the counter" by itself says which, and wishes nothing. */
static bool clause_only_says_which(const reader *r,
                                   const chart_node *said,
                                   uint32_t first)
{
    (void)first;
    const uint32_t begin = said->first;
    if (chart_child(said, "$verb") || chart_child(said, "$be") ||
        chart_child(said, "$pp") || said->end < begin + 3)
        return false;
    const bool one = reader_lists(r, begin + 1, "noun: one");
    const bool alone = said->child_count > 0 &&
                       !said->children[0]->is_terminal &&
                       said->children[0]->end == begin + 2;
    return one && alone && reader_word_is(r, begin, "the");
}

/* "Make the chair look at the drums" is no place at them, and what is to "look
 * like" another is not merely turned. */
static bool look_is_left(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    bool looks = false;
    for (uint32_t at = said->first; at + 1 < said->end; at++) {
        if (!reader_lists(r, at, "clause: looks at"))
            continue;
        if (reader_word_is(r, at + 1, "like"))
            return true;
        looks = looks || reader_word_is(r, at + 1, "at");
    }
    return looks && !moves_show(r, first, shows_facing);
}

static bool shows_two_ends(const builtin_move *m)
{
    return m->relation == RELATION_END;
}

/* "At every side", "on all four sides" are more than its two ends. */
static bool sides_are_left(const reader *r,
                           const chart_node *said,
                           uint32_t first)
{
    bool every = false;
    for (uint32_t at = said->first; at < said->end; at++) {
        every = every || reader_lists(r, at, "clause: every");
        const bool side = reader_lists(r, at, "zone: side");
        if (every && side)
            return moves_show(r, first, shows_two_ends);
    }
    return false;
}

/* "At the end of the counter the black hairdryer ...": no clause ends between
 * an adjective and its noun. */
static bool clause_splits_noun(const reader *r,
                               const chart_node *said,
                               uint32_t first)
{
    (void)first;
    bool superlative;
    const uint32_t behind = r->part->first + said->end;
    if (behind >= r->part->end || r->s->tokens[behind].is_mark)
        return false;
    const char *const last = reader_word(r, said->end - 1);
    const char *const next = reader_word(r, said->end);
    const bool adjective =
        lexicon_colour(last) > 0 || lexicon_size(last, &superlative) != 0;
    const bool noun =
        kinds_known(next) || mend_vocabulary_has(r->vocabulary, next);
    return adjective && !lexicon_is_function_word(next) && noun;
}

/* "The mug on the side | table should go ...": no clause ends within a name. */
static bool clause_splits_name(const reader *r,
                               const chart_node *said,
                               uint32_t first)
{
    (void)first;
    const uint32_t next = r->part->first + said->end;
    if (next >= r->part->end || r->s->tokens[next].is_mark)
        return false;
    const char *const last = r->s->tokens[next - 1].text;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = &r->facts->objects[i];
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            if (strcmp(o->words[k], last) == 0 &&
                strcmp(o->words[k + 1], r->s->tokens[next].text) == 0)
                return true;
        }
    }
    return false;
}

/* "Take it off the counter, one metre between the two": nothing of how it is to
 * stand there shows in what is only taken up. */
static etna_code coverage_check_taken(reader *r, const chart_node *said)
{
    if (!node_is(said, "DO") || r->memory.taken.count == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (!place->is_terminal &&
            !place_is_shown(r, said, place, r->reading->count))
            return refuse_left_over(r, place);
    }
    return ETNA_OK;
}

/* The things of which one of the clause's places tells of each; NULL: none
 * does. */
static const chart_node *place_of_each(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const place = said->children[i];
        const chart_node *const what =
            node_is(place, "REL") ? node_things(place, 0) : NULL;
        if (what && phrase_is_each(what))
            return what;
    }
    return NULL;
}

/* "Glasses on the table, each behind a plate" */
static bool place_is_each(const reader *r, const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const place = said->children[i];
        const chart_node *const each =
            node_is(place, "REL") ? chart_child(place, "$adv") : NULL;
        if (each && reader_word_is(r, each->first, "each"))
            return true;
    }
    return false;
}

/* "Put two blocks on each chair": are they so many for each? A pile, a row or a
 * way of its own for each is nothing that a move can ask. */
static bool each_is_lost(const reader *r,
                         const chart_node *said,
                         uint32_t first)
{
    if (first >= r->reading->count)
        return false;
    const builtin_move *const m = &r->reading->moves[first];
    const uint32_t number = phrase_number(node_things(said, 0));
    const bool is_joint =
        m->relation == RELATION_STACK || m->relation == RELATION_LINE;
    const bool is_dealt = chart_find(said, "EACHNUM") != NULL ||
                          chart_child(said, "'each'") != NULL ||
                          place_is_each(r, said);
    const chart_node *const each = place_of_each(said);
    /* "each table next to the board" */
    const bool is_told = each && chart_child(phrase_thing(each), "MOD");
    if (each && m->each.count == 0 && (is_joint || is_told))
        return true;
    if (is_dealt)
        return m->each.count == 0;
    return each && number > 1 && m->each.count > 1 && m->each_number != number;
}

/* "In a row parallel | to the bench": no clause ends before what it is parallel
 * to, and no place begins with it. */
static bool parallel_is_cut(const reader *r,
                            const chart_node *said,
                            uint32_t first)
{
    (void)first;
    const chart_node *const straight = chart_find(said, "STRAIGHT");
    if (!straight || !chart_child(straight, "'parallel'") ||
        r->part->first + straight->end >= r->part->end)
        return false;
    return reader_lists(r, straight->end, "straight: to");
}

/* "The third stays on the sofa", where it does not stand: another is meant, or
 * another sofa. "Must stay" asks for it. */
static bool stay_is_untrue(const reader *r,
                           const chart_node *said,
                           uint32_t first)
{
    const chart_node *const be = chart_child(said, "$be");
    if (!be || be->first == 0 || first >= r->reading->count ||
        !node_is(said, "STATE") || !reader_lists(r, be->first, "stay: stays"))
        return false;
    const builtin_move *const m = &r->reading->moves[first];
    bool stands = m->relation != RELATION_ON || m->each.count > 0;
    for (uint32_t i = 0; i < m->objects.count; i++)
        stands = stands || builtin_is_above(r->facts, m->objects.objects[i],
                                            m->reference);
    return !stands;
}

/* ---- all of a clause ---- */

/* What can be told of a clause without its places. */
static bool clause_is_left(const reader *r,
                           const chart_node *said,
                           uint32_t first)
{
    static bool (*const checks[])(const reader *r, const chart_node *said,
                                  uint32_t first) = {
        move_is_idle,           clause_asks,        both_is_left,
        clause_only_says_which, look_is_left,       clause_splits_noun,
        sides_are_left,         clause_splits_name, parallel_is_cut,
        stay_is_untrue};
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        if (checks[i](r, said, first))
            return true;
    }
    return false;
}

/* "Beside the sofa, for the hat": what for is no second place. */
static bool place_is_purpose(const reader *r,
                             const chart_node *said,
                             const chart_node *place)
{
    const chart_node *const word = chart_child(place, "$rel");
    if (!node_is(place, "REL") || !word ||
        !reader_word_is(r, word->first, "for"))
        return false;
    /* "for each board, put a chair ..." */
    const chart_node *const what = node_things(place, 0);
    if (what && phrase_is_each(what))
        return true;
    /* "I want the sofa for the vase" is the other way round, if at all */
    if (chart_child(said, "$want") ||
        (place->first > 0 && reader_word_is(r, place->first - 1, ",")))
        return true;
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *const other = said->children[i];
        if (other != place && (node_is(other, "REL") || node_is(other, "ZONE")))
            return true;
    }
    return false;
}

/* Each of its places must show, and nothing of what it names be left out. */
static etna_code clause_place_check(reader *r,
                                    const chart_node *said,
                                    const chart_node *place,
                                    uint32_t first)
{
    const bool purpose = node_is(place, "SOTHAT");
    const bool shown = purpose ? purpose_is_shown(r, place, first)
                               : place_is_shown(r, said, place, first);
    if (!shown || place_is_purpose(r, said, place)) {
        const etna_code code = refuse_left_over(r, place);
        /* a set phrase: read as a thing it would be some level of a shelf */
        return node_is(place, "EYELEVEL") ? reader_refuse_finally(r, code)
                                          : code;
    }
    return purpose ? purpose_check_places(r, place, first)
                   : place_check(r, place, first);
}

/* Guards against moves that leave out half of what was said: each phrase must
 * show in them. It is better to refuse than to do something else. */
/* "The mug on the shelf, only the remote stays", of what was all to leave: the
 * last of it leaves no more, and its move is gone. */
static bool clause_spares(reader *r, const chart_node *said)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *const things = node_things(said, 0);
    builtin_set kept = {0};
    return things && r->memory.stays.count > 0 &&
           refer_peek_things(r, things, &any, &kept) == ETNA_OK &&
           kept.count > 0 && set_is_within(&kept, &r->memory.stays);
}

etna_code coverage_check(reader *r, const chart_node *said, uint32_t first_move)
{
    if (r->reading->count == first_move)
        return coverage_check_taken(r, said);
    if (r->reading->count < first_move && clause_spares(r, said))
        return ETNA_OK;
    if (r->reading->count < first_move)
        /* it has taken the place of moves before it */
        first_move = r->first_move;
    if (clause_is_left(r, said, first_move))
        return refuse_left_over(r, said);
    if (each_is_lost(r, said, first_move)) {
        const etna_code code = refuse_left_over(r, said);
        /* no dearer tree means another number */
        return chart_find(said, "EACHNUM") ? code
                                           : reader_refuse_finally(r, code);
    }
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (place->is_terminal)
            continue;
        etna_code code = clause_place_check(r, said, place, first_move);
        if (code != ETNA_OK)
            return code;
    }
    return moves_check(r, said, first_move);
}

bool coverage_is_request(const reader *r, const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *word = said->children[i];
        const bool done = /* "have been used", and no "have to be" */
            reader_word_is(r, word->end - 1, "been");
        if (node_is(word, "$be") && !done &&
            reader_lists(r, word->first, "clause: requests"))
            return true;
        if (node_is(word, "$not") &&
            reader_lists(r, word->first, "clause: forbids"))
            return true; /* "cannot stay there" */
    }
    return false;
}
