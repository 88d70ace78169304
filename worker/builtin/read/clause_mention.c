/* Clauses that ask for nothing and say what is spoken of next: "the clock hangs
 * too high", "one of the chairs is empty", "the sofa is no place for the cup".
 * What they mention is what "it" means then. */
#include "worker/builtin/read/clause_mention.h"
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <math.h>

/* Metres from the nearest of the places that a remark names; INFINITY: it is at
 * none. */
static etna_code remark_way(const clause *c, uint32_t object, double *ret)
{
    etna_code code = ETNA_OK;
    *ret = INFINITY;
    for (uint32_t k = 0; k < c->said->child_count && code == ETNA_OK; k++) {
        double way = INFINITY;
        if (node_is(c->said->children[k], "REL"))
            code = where_holds(c->r, c->said->children[k], object, &way);
        *ret = way < *ret ? way : *ret;
    }
    return code;
}

/* The one of several that is farther from there than all others by some lead;
 * BUILTIN_NONE: there is no such. */
static etna_code remark_find(const clause *c,
                             const builtin_set *about,
                             uint32_t *ret)
{
    const double lead = 0.1; /* metres */
    double farthest = -1, second = -1;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        double way;
        etna_code code = remark_way(c, about->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (way > farthest)
            best = about->objects[i];
        second = way > farthest ? farthest : fmax(second, way);
        farthest = fmax(farthest, way);
    }
    bool leads =
        isfinite(farthest) ? farthest > second + lead : isfinite(second);
    *ret = leads && farthest > 0 ? best : BUILTIN_NONE;
    return ETNA_OK;
}

/* "A second car is coming", where there is one: it speaks of what is not here,
 * and of nothing that "it" could mean. */
static bool remark_is_of_nothing(const clause *c, etna_code code)
{
    const chart_node *det = chart_find(c->things, "$det");
    bool is_indefinite = det && det->value == DET_A;
    return code == ETNA_E_INPUT && node_is(c->said, "REMARK") && is_indefinite;
}

/* "The cup takes the spoon along": it tells of something to be done, in words
 * that nothing here reads. */
static bool remark_is_of_doing(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    return node_is(c->said, "REMARK") && !be && chart_child(c->said, "$pp");
}

/* Those of the things for which it holds, in their order. */
static etna_code mention_filter(const clause *c,
                                const builtin_set *about,
                                etna_code (*holds)(const clause *c,
                                                   uint32_t object,
                                                   bool *ret),
                                builtin_set *ret)
{
    uint32_t *kept =
        etna_arena_alloc(c->r->arena, about->count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(c->r);
    for (uint32_t i = 0; i < about->count; i++) {
        bool is_kept = false;
        etna_code code = holds(c, about->objects[i], &is_kept);
        if (code != ETNA_OK)
            return code;
        if (is_kept)
            kept[count++] = about->objects[i];
    }
    *ret = (builtin_set){.count = count, .objects = kept, .need = count};
    return ETNA_OK;
}

static etna_code remark_holds(const clause *c, uint32_t object, bool *ret)
{
    double way;
    etna_code code = remark_way(c, object, &way);
    *ret = code == ETNA_OK && isfinite(way);
    return code;
}

etna_code mention_keep_there(const clause *c, builtin_set *about)
{
    builtin_set there;
    etna_code code = mention_filter(c, about, remark_holds, &there);
    if (code == ETNA_OK && there.count > 0)
        *about = there;
    return code;
}

/* "A plate's width apart": how far, and nothing that somebody is. */
static bool remark_is_measure(const clause *c)
{
    const chart_node *said = c->said;
    const bool is_last = said->child_count &&
                         node_is(said->children[said->child_count - 1], "$any");
    return node_is(said, "REMARK") && is_last &&
           reader_lists(c->r, said->end - 1, "told: measure");
}

/* "As you see it from the door": whose left and right are meant. */
static bool remark_tells_viewer(const clause *c)
{
    const reader *r = c->r;
    const uint32_t first = c->said->first;
    bool from = false;
    if (first + 1 >= c->said->end || !reader_lists(r, first, "clause: looks"))
        return false;
    for (uint32_t i = first; i < c->said->end; i++)
        from = from || reader_word_is(r, i, "from");
    return from && reader_lists(r, first + 1, "clause: looked at");
}

/* "So that the drawers can be opened": what must be possible is no mere
 * remark. */
static bool remark_binds(const clause *c)
{
    const uint32_t first = c->said->first;
    bool aims = first > 0 && reader_word_is(c->r, first - 1, "so");
    bool binds = false;
    for (uint32_t at = first; at < c->said->end && aims; at++)
        binds = binds || reader_lists(c->r, at, "told: binds");
    return binds;
}

/* "The cups shouldn't be on the saucers": neither there nor beside, wherever
 * they go next. What is not understood of it is denied by the next place. */
static etna_code remark_deny(const clause *c, const builtin_set *about)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    details d = {0};
    destinations at = {0};
    uint32_t count = 0;
    details_gather(r, c->said, &d);
    etna_code code = destinations_gather(r, &d, about, VERB_PUT, &at);
    *r = before;
    *r->err = why;
    if (code != ETNA_OK)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    for (uint32_t i = 0; i < at.count; i++) {
        destination s = at.list[i];
        const uint32_t most = s.each.count ? s.each.count : 1;
        if (!bit_is_in(s.relation, RELATIONS_UPON))
            continue;
        for (uint32_t k = 0; k < most && count < READER_DENIED_MAX; k++) {
            if (s.each.count)
                s.reference = s.each.objects[k];
            if (s.reference < r->facts->object_count)
                r->memory.denied_at[count++] = s.reference;
        }
    }
    r->memory.denied_at_count = count;
    return ETNA_OK;
}

/* "Bottles don't belong on the floor", where "does not belong to any table"
 * only tells which is meant. */
static bool remark_unfits(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const chart_node *rel = chart_find(c->said, "$rel");
    /* "no shoes on the rug", and not "the plant gets no sun" */
    const chart_node *const no = chart_child(c->said, "'no'");
    if (no)
        return no->first == c->said->first || node_is(c->said, "NOTSTATE");
    if (!node_is(c->said, "NOTSTATE") || !be || !rel)
        return false;
    return bit_is_in(rel->value, BIT(REL_ON) | BIT(REL_IN)) &&
           reader_lists(c->r, be->first, "mention: belongs");
}

/* "The clock hangs lower than the picture", "the crate blocks the door": another
 * thing that is spoken of, too. */
static bool remark_is_of_two(const clause *c)
{
    static const char *const words[] = {"'than'", "'way'", "'blocking'",
                                        "'blocks'", "'block'"};
    bool two = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        two = two || chart_child(c->said, words[i]);
    return two && node_things(c->said, 1);
}

/* The other one: "the left clock hangs lower than the other". */
static etna_code remark_compare(const clause *c, const builtin_set *about)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = about};
    uint32_t other = BUILTIN_NONE;
    etna_code code = refer_one(c->r, node_things(c->said, 1), &scope, &other);
    if (code == ETNA_OK)
        c->r->memory.last_reference = other;
    return code;
}

bool mention_is_of_posture(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const char *const word = be ? reader_word(c->r, be->first) : "";
    return be && be->end + 1 == c->said->end &&
           !lexicon_lists("told: be", word) &&
           lexicon_lists("clause: is", word) &&
           reader_lists(c->r, be->end, "mention: posture");
}

/* "So that the lamp is not hidden": it must be so then. */
bool mention_is_purpose(const clause *c)
{
    const uint32_t first = c->r->part->first + c->said->first;
    return first > 0 && reader_word_is(c->r, c->said->first, "that") &&
           strcmp(c->r->s->tokens[first - 1].text, "so") == 0;
}

/* What could be a condition is refused rather than passed over. */
static bool remark_may_ask(const clause *c)
{
    return mention_is_purpose(c) || remark_is_of_doing(c) ||
           remark_is_measure(c) || remark_binds(c) || mention_is_of_posture(c);
}

/* Which of the things it tells of, and what is denied of them. *ret_one: one of
 * several that the place tells; BUILTIN_NONE: it tells none. */
static etna_code remark_narrow(const clause *c,
                               bool denies,
                               builtin_set *about,
                               uint32_t *ret_one)
{
    reader *r = c->r;
    *ret_one = BUILTIN_NONE;
    const bool many = denies && phrase_is_plural(r, c->things);
    etna_code code =
        many ? mention_keep_there(c, about) : remark_find(c, about, ret_one);
    if (code == ETNA_OK && remark_is_of_two(c))
        code = remark_compare(c, about);
    if (code != ETNA_OK || !denies)
        return code;
    r->memory.denied = *about; /* "put it in the cup" may follow */
    return remark_deny(c, about);
}

/* Any words may stand in some remarks: these are looked at by themselves. */
static etna_code remark_pass(reader *r,
                             const chart_node *said,
                             const builtin_set *about)
{
    const sentence_part passed = {.first = r->part->first + said->first,
                                  .end = r->part->first + said->end};
    const bool open =
        chart_child(said, "$any") || chart_child(said, "$happened");
    etna_code code = open ? passed_check(r, &passed) : ETNA_OK;
    if (code == ETNA_OK && open && passed_arranges(r->s, &passed))
        code = unmet_await(r, about, r->reading->count);
    if (code == ETNA_OK)
        reader_remark(r, said);
    return code;
}

/* What is no mere remark. */
static etna_code remark_check(clause *c, bool denies)
{
    if (denies && !node_is(c->said, "NOTSTATE"))
        return clause_read_denial(c);
    if (remark_may_ask(c))
        return clause_refuse_all(c);
    if (remark_tells_viewer(c))
        return clause_refuse(
            c, "left and right are understood as the picture has them");
    return ETNA_OK;
}

/* "The shelf is full": why something goes elsewhere, and not what "it" means
 * next. */
static bool remark_is_of_fullness(const clause *c)
{
    return reader_lists(c->r, c->said->end - 1, "clause: filled");
}

/* Says something of things: they can be "it" later. */
etna_code clause_read_remark(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = refer_scope_movers();
    builtin_set about = {0};
    uint32_t one;
    const bool denies = coverage_is_request(r, c->said) || remark_unfits(c);
    etna_code code = remark_check(c, denies);
    if (code != ETNA_OK)
        return code;
    code = refer_things(r, c->things, &scope, &about);
    if (remark_is_of_nothing(c, code)) {
        r->memory.last = r->memory.named = (builtin_set){0};
        return ETNA_OK;
    }
    if (code == ETNA_OK)
        code = remark_narrow(c, denies, &about, &one);
    if (code != ETNA_OK)
        return code;
    if (!denies)
        code = remark_pass(r, c->said, &about);
    if (code != ETNA_OK)
        return code;
    const bool told = denies || node_is(c->said, "REMARK");
    if (remark_is_of_fullness(c))
        return ETNA_OK;
    if (told && about.need == about.count)
        r->memory.last = r->memory.named = about;
    if (one != BUILTIN_NONE)
        r->memory.last = r->memory.named = set_one(r, one);
    return ETNA_OK;
}

/* Metres to the nearest thing that can be moved. */
static double object_way_to_any(const reader *r, uint32_t object)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (i != object && object_moves(r->facts, i))
            nearest = fmin(nearest, object_way(r, object, i));
    }
    return nearest;
}

/* The one that is farther from all else than any other by some lead;
 * BUILTIN_NONE: there is no such. */
static uint32_t solitary_of(const reader *r, const builtin_set *about)
{
    const double lead = 0.2; /* metres */
    double most = -1, second = -1;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        const double way = object_way_to_any(r, about->objects[i]);
        if (way > most)
            best = about->objects[i];
        second = way > most ? most : fmax(second, way);
        most = fmax(most, way);
    }
    return most > second + lead ? best : BUILTIN_NONE;
}

/* "... on its own by the bench": those that stand there, where some of any
 * do. */
static etna_code alone_by_place(const clause *c, builtin_set *about)
{
    uint32_t *there =
        etna_arena_alloc(c->r->arena, about->count + 1u, sizeof *there);
    uint32_t count = 0;
    if (!there)
        return reader_no_memory(c->r);
    if (about->need == about->count)
        return ETNA_OK;
    for (uint32_t i = 0; i < about->count; i++) {
        double way;
        etna_code code = remark_way(c, about->objects[i], &way);
        if (code != ETNA_OK)
            return code;
        if (isfinite(way))
            there[count++] = about->objects[i];
    }
    if (count >= about->need)
        *about = (builtin_set){
            .count = count, .objects = there, .need = about->need};
    return ETNA_OK;
}

etna_code clause_read_alone(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {
        .movers = true, .many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    if (coverage_is_request(r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code != ETNA_OK)
        return code;
    code = alone_by_place(c, &about);
    if (code != ETNA_OK)
        return code;
    const bool one = about.need == 1 && about.count > 1;
    const uint32_t alone = one ? solitary_of(r, &about) : BUILTIN_NONE;
    if (alone != BUILTIN_NONE)
        about = set_one(r, alone);
    if (about.need != about.count)
        return clause_refuse(c, "which of them that is is not clear");
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return ETNA_OK;
}

typedef struct piled { /* of these, what one of them bears or stands on */
    const reader *r;
    const builtin_set *about;
} piled;

/* Stands on another of the set, or another on it. */
static bool object_is_piled(const void *context, uint32_t object)
{
    const piled *p = context;
    for (uint32_t i = 0; i < p->about->count; i++) {
        const uint32_t other = p->about->objects[i];
        if (other == object)
            continue;
        if (builtin_stands_on(p->r->facts, object, other) ||
            builtin_stands_on(p->r->facts, other, object))
            return true;
    }
    return false;
}

etna_code clause_read_piled(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {
        .movers = true, .many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    candidates found;
    const piled p = {.r = r, .about = &about};
    if (coverage_is_request(r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code == ETNA_OK)
        code = candidates_of_set(r, &about, &found);
    if (code != ETNA_OK)
        return code;
    candidates_select(&found, object_is_piled, &p, true);
    if (found.count != about.need)
        return clause_refuse(c, "that is not how they stand");
    code = candidates_set(r, &found, found.count, &r->memory.last);
    r->memory.named = r->memory.last;
    reader_remark(r, c->said);
    return code;
}

/* Those of the things that pass, where some of any would do, are spoken of
 * next. */
static etna_code told_choose(clause *c,
                             builtin_set *about,
                             candidate_test *test,
                             const void *context)
{
    reader *r = c->r;
    candidates found;
    etna_code code = candidates_of_set(r, about, &found);
    if (code != ETNA_OK)
        return code;
    candidates_select(&found, test, context, true);
    if (found.count != about->need)
        return clause_refuse(c, "which of them that is is not clear");
    code = candidates_set(r, &found, found.count, about);
    r->memory.last = r->memory.named = *about;
    reader_remark(r, c->said);
    return code;
}

etna_code clause_read_vacant(clause *c)
{
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    if (coverage_is_request(c->r, c->said))
        return clause_refuse_all(c);
    etna_code code = refer_things(c->r, c->things, &any, &about);
    return code == ETNA_OK
               ? told_choose(c, &about, candidate_is_bare, c->r->facts)
               : code;
}

static bool candidate_lies_on_floor(const void *context, uint32_t object)
{
    return object_is_on_floor(context, object);
}

etna_code clause_read_found(clause *c)
{
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    etna_code code = refer_things(c->r, c->things, &any, &about);
    return code == ETNA_OK
               ? told_choose(c, &about, candidate_lies_on_floor, c->r)
               : code;
}

bool mention_is_there(const clause *c, const chart_node *node)
{
    return node->end - node->first == 1 &&
           reader_word_is(c->r, node->first, "there");
}

/* The farther half of the picture is the other side. */
static bool way_is_on_side(const chart_node *where, double way)
{
    const double half = 50; /* hundredths of the picture */
    return !node_is(where, "SIDE") || way <= half;
}

/* All places that a clause names hold for the object. */
static etna_code told_holds(const clause *c, uint32_t object, bool *ret_holds)
{
    *ret_holds = true;
    for (uint32_t i = 0; i < c->said->child_count && *ret_holds; i++) {
        const chart_node *where = c->said->children[i];
        double way;
        const bool is_place = !where->is_terminal && where != c->things;
        if (!is_place || mention_is_there(c, where))
            continue;
        etna_code code = where_holds(c->r, where, object, &way);
        if (code != ETNA_OK)
            return code;
        *ret_holds = isfinite(way) && way_is_on_side(where, way);
    }
    return ETNA_OK;
}

etna_code clause_read_told_where(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0}, there = {0};
    etna_code code = refer_things(r, c->things, &any, &about);
    if (code == ETNA_OK)
        code = mention_filter(c, &about, told_holds, &there);
    if (code != ETNA_OK)
        return code;
    if (there.count == 0 || there.count < about.need)
        return clause_refuse(c, "that is not how it stands");
    /* of several, none is what "it" means */
    r->memory.last = r->memory.named =
        there.count == about.need ? there : (builtin_set){0};
    reader_remark(r, c->said);
    return ETNA_OK;
}

etna_code clause_read_no_place(clause *c)
{
    reader *r = c->r;
    const bool last = r->part == &r->s->parts[r->s->part_count - 1];
    const refer_scope movers = refer_scope_movers();
    builtin_set about = {0};
    if (last)
        return clause_refuse(c, "where it is to be instead is not said");
    etna_code code = refer_things(r, node_things(c->said, 1), &movers, &about);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return ETNA_OK;
}

etna_code clause_read_negative(clause *c)
{
    const bool has_place = chart_find(c->said, "REL") ||
                           chart_find(c->said, "ZONE") ||
                           chart_find(c->said, "BETWEEN");
    etna_code code = clause_read_remark(c);
    c->r->cost += 30;
    if (code == ETNA_OK && has_place)
        code = clause_note_denied(c);
    /* "it isn't straight" */
    if (code == ETNA_OK && !has_place)
        code = unmet_await(c->r, &c->r->memory.last, c->r->reading->count);
    return code == ETNA_OK ? unmet_note(c) : code;
}

etna_code clause_read_free_order(clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    const uint32_t in_order = BIT(RELATION_LINE) | BIT(RELATION_STACK);
    const bool is_row = last && bit_is_in(last->relation, in_order);
    if (c->r->memory.ordered == 0 && !is_row)
        return clause_refuse_all(c);
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

etna_code clause_read_awaited(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    if (!c->things)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &any, &about);
    if (code != ETNA_OK)
        return code;
    /* "two piles of two": no dearer tree means it */
    if (about.need != about.count)
        return reader_refuse_finally(
            r, clause_refuse(c, "which of them that is is not clear"));
    r->memory.last = r->memory.named = about;
    if (about.count == 1)
        r->memory.last_reference = about.objects[0];
    reader_remark(r, c->said);
    return unmet_await(r, &about, r->reading->count);
}

/* Who tells otherwise than what was moved last stands has something else in
 * mind, or wishes for it. */
etna_code clause_read_it_told(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.many = true, .on = BUILTIN_NONE};
    builtin_set about = {0};
    bool holds = true;
    if (!c->things)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &any, &about);
    for (uint32_t i = 0; i < about.count && code == ETNA_OK && holds; i++)
        code = told_holds(c, about.objects[i], &holds);
    if (code != ETNA_OK)
        return code;
    if (!holds)
        return clause_refuse_all(c);
    reader_remark(r, c->said);
    return ETNA_OK;
}
