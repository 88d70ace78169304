/* What is meant by what else is spoken of: what goes there, whose it is, what was
 * named before. */
#include "worker/builtin/read/choose_internal.h"
#include "worker/builtin/read/clause.h"
#include "worker/math/vec.h"

#include <math.h>

/* ---- what was spoken of ---- */

/* The one that was spoken of. */
void keep_named(resolution *t)
{
    candidates *c = &t->found;
    uint32_t said = 0;
    uint32_t which = 0;
    if (c->count < 2 || (t->amount.says & (SAYS_OTHER | SAYS_INDEFINITE)))
        return;
    /* "the red tin here, the small there" */
    if (t->query.size && t->word_count == 1)
        return;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!set_has(&t->r->memory.named, c->items[i].object))
            continue;
        said++;
        which = i;
    }
    if (said == 1)
        candidates_only(c, which);
}

/* By or on what a move before in this text goes. */
static bool candidate_is_place(const void *context, uint32_t object)
{
    const reader *r = context;
    bool is = object == r->memory.last_reference;
    for (uint32_t i = r->first_move; i < r->reading->count; i++)
        is = is || r->reading->moves[i].reference == object;
    return is;
}

/* "The cup where the jar by the lamp is, and the jar on the tray": the jar that
 * was just said. */
void keep_place(resolution *t)
{
    const bool other =
        (t->amount.says & (SAYS_OTHER | SAYS_INDEFINITE | SAYS_ANY)) != 0;
    if (t->found.count < 2 || other || t->r->reading->count == t->r->first_move)
        return;
    candidates_prefer(&t->found, candidate_is_place, t->r);
}

static bool candidate_was_spoken_of(const void *context, uint32_t object)
{
    const reader *r = context;
    const builtin_move *before = move_before(r);
    if (before && before->reference == object)
        return true;
    return reading_moves(r->reading, 0, object) ||
           object == r->memory.last_reference ||
           set_has(&r->memory.last, object);
}

/* The candidate that the text names last before the phrase; BUILTIN_NONE: it
 * names none. */
static uint32_t mention_before(const resolution *t)
{
    const reader_memory *memory = &t->r->memory;
    const uint32_t own = t->r->part->first + t->thing->first;
    uint32_t latest = 0;
    uint32_t which = BUILTIN_NONE;
    for (uint32_t i = 0; i < memory->mention_count; i++) {
        const reader_mention *said = &memory->mentions[i];
        if (said->at >= own || (which != BUILTIN_NONE && said->at < latest))
            continue;
        for (uint32_t k = 0; k < t->found.count; k++) {
            if (t->found.items[k].object != said->object)
                continue;
            latest = said->at;
            which = k;
        }
    }
    return which;
}

/* Does it bear what the last move puts a thing by, or did so at the start? */
static bool candidate_bears_last_place(const void *context, uint32_t object)
{
    const reader *r = context;
    const builtin_move *own = reader_last_move(r);
    const builtin_move *before = own ? own : move_before(r);
    if (!before || before->reference >= r->facts->object_count)
        return false;
    const builtin_object *by = object_at(r, before->reference);
    for (uint32_t i = 0; i < by->start_by_count; i++) {
        if (by->start_by[i] == object)
            return true;
    }
    return builtin_stands_on(r->facts, before->reference, object);
}

typedef struct carrier {
    const reader *r;
    match_query query;
} carrier;

static bool candidate_is_carried(const void *context, uint32_t object)
{
    const carrier *const c = context;
    for (uint32_t i = 0; i < c->r->facts->object_count; i++) {
        const match_result m = reader_match(c->r, i, &c->query);
        if (m.cost < MATCH_NOT_HEAD && !m.by_kind &&
            builtin_is_above(c->r->facts, object, i))
            return true;
    }
    return false;
}

static bool candidates_have_word(const resolution *t, const char *word)
{
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (object_has_word(object_at(t->r, t->found.items[i].object), word))
            return true;
    }
    return false;
}

/* "The sofa cushion", where none is called so: of the cushions the one on the
 * sofa. */
void prefer_carried(resolution *t)
{
    const match_query *const q = &t->query;
    carrier by = {.r = t->r};
    for (uint32_t i = 0; i + 1 < q->count && t->found.count > 1; i++) {
        if (q->is_property[i] || !kinds_known(q->words[i]) ||
            candidates_have_word(t, q->words[i]))
            continue;
        if (reader_query(t->r, &q->words[i], 1, &by.query) == ETNA_OK)
            candidates_prefer(&t->found, candidate_is_carried, &by);
    }
}

/* "That chair": of several the one that was spoken of last, be it but as a
 * place, or was moved. "The cup where the book was. The chair at that desk ...":
 * the one on which that is. */
void keep_pointed(resolution *t)
{
    if (t->found.count < 2 || !(t->amount.says & SAYS_POINTED))
        return;
    const uint32_t last = mention_before(t);
    if (last != BUILTIN_NONE)
        candidates_only(&t->found, last);
    else if (!candidates_prefer(&t->found, candidate_was_spoken_of, t->r))
        candidates_prefer(&t->found, candidate_bears_last_place, t->r);
}

/* Does the text name the object before the phrase? */
static bool is_mentioned_before(const resolution *t, uint32_t object)
{
    const reader_memory *memory = &t->r->memory;
    const uint32_t own = t->r->part->first + t->thing->first;
    for (uint32_t i = 0; i < memory->mention_count; i++) {
        const reader_mention *said = &memory->mentions[i];
        if (said->object == object && said->at < own)
            return true;
    }
    return false;
}

static bool candidate_is_mentioned(const void *context, uint32_t object)
{
    const resolution *const t = context;
    return is_mentioned_before(t, object) &&
           !reader_match(t->r, object, &t->query).by_kind;
}

/* "The pad to the left lounge chair, the other pad to the right one, and both
 * chairs should face the table", of five: the two that were spoken of. */
void keep_many_mentioned(resolution *t)
{
    const uint32_t number = t->amount.number;
    const bool these = (t->amount.says & (SAYS_DEFINITE | SAYS_BOTH)) != 0 &&
                       !(t->amount.says & (SAYS_OTHER | SAYS_REST));
    if (!these || number < 2 || t->found.count <= number)
        return;
    if (candidates_count(&t->found, candidate_is_mentioned, t) == number)
        candidates_select(&t->found, candidate_is_mentioned, t, true);
}

/* "The chair", and no "other chair", "small" or "back". */
static bool phrase_recalls(const resolution *t)
{
    const bool definite =
        (t->amount.says & SAYS_DEFINITE) && !(t->amount.says & SAYS_OTHER);
    const bool ranked =
        t->query.ordinal || t->query.sides || t->query.superlative;
    const bool bare = t->query.size && t->word_count == 1;
    return definite && t->query.has_noun && !bare && !ranked;
}

/* "The kids table and the kids chair into the corner, the chair in front", of
 * many chairs: of all that may be called so the one that the text has named. */
bool recall_mentioned(resolution *t, const candidates *all)
{
    uint32_t said = 0, which = 0;
    if (!phrase_recalls(t))
        return false;
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t object = all->items[i].object;
        /* a table that was named is no nightstand; of a list each part is
         * another */
        if (!is_mentioned_before(t, object) ||
            set_has(&t->r->memory.conjunct, object) ||
            reader_match(t->r, object, &t->query).by_kind)
            continue;
        said++;
        which = i;
    }
    if (said != 1)
        return false;
    t->found.items[0] = all->items[which];
    t->found.count = 1;
    return true;
}

/* Does one of the two stand on the other? */
static bool objects_are_stacked(const reader *r, uint32_t a, uint32_t b)
{
    return builtin_is_above(r->facts, a, b) || builtin_is_above(r->facts, b, a);
}

/* "The chairs to table A, facing the board", where each table has one: the one
 * that stands on what was named, or bears it. What is moved tells nothing of a
 * place: it leaves where it is. */
bool recall_borne(resolution *t)
{
    const reader_memory *memory = &t->r->memory;
    const uint32_t own = t->r->part->first + t->thing->first;
    if (!phrase_recalls(t))
        return false;
    for (uint32_t i = memory->mention_count; i > 0; i--) {
        const reader_mention *said = &memory->mentions[i - 1];
        const bool leaves =
            !t->scope.movers && (set_has(&t->r->moving, said->object) ||
                                 reading_moves(t->r->reading, 0, said->object));
        uint32_t count = 0, which = 0;
        if (said->at >= own || leaves)
            continue;
        for (uint32_t k = 0; k < t->found.count; k++) {
            if (!objects_are_stacked(t->r, said->object,
                                     t->found.items[k].object))
                continue;
            count++;
            which = k;
        }
        if (count != 1)
            continue;
        candidates_only(&t->found, which);
        return true;
    }
    return false;
}

bool recall_neighbour(resolution *t)
{
    const reader *r = t->r;
    const builtin_set *before = &r->memory.conjunct;
    const builtin_object *one =
        before->count == 1 ? object_at(r, before->objects[0]) : NULL;
    uint32_t count = 0, which = 0;
    if (t->scope.movers || !one || one->by_count != 1 ||
        object_is_ground(r, one->by[0]))
        return false;
    for (uint32_t i = 0; i < t->found.count; i++) {
        if (!builtin_stands_on(r->facts, t->found.items[i].object, one->by[0]))
            continue;
        count++;
        which = i;
    }
    if (count == 1)
        candidates_only(&t->found, which);
    return count == 1;
}

bool place_is_on_one_of(reader *r,
                        const chart_node *where,
                        const candidates *found)
{
    const uint32_t by =
        BIT(REL_BESIDE) | BIT(REL_NEAR) | BIT(REL_LEFT) | BIT(REL_RIGHT);
    const refer_scope any = {.on = BUILTIN_NONE};
    const chart_node *const rel =
        node_is(where, "REL") ? chart_child(where, "$rel") : NULL;
    const chart_node *const what = rel ? node_things(where, 0) : NULL;
    uint32_t of = BUILTIN_NONE;
    if (!what || !bit_is_in(rel->value, by))
        return false;
    if (refer_peek_one(r, what, &any, &of) != ETNA_OK ||
        of >= r->facts->object_count)
        return false;
    for (uint32_t i = 0; i < found->count; i++) {
        const uint32_t object = found->items[i].object;
        if (object != of && builtin_stands_on(r->facts, of, object))
            return true;
    }
    return false;
}

/* ---- what goes there ---- */

typedef struct ownership {
    const reader *r;
    const builtin_set *of;
} ownership;

static bool candidate_bears_owner(const void *context, uint32_t object)
{
    const ownership *own = context;
    for (uint32_t i = 0; i < own->of->count; i++) {
        if (!builtin_is_above(own->r->facts, own->of->objects[i], object))
            return false;
    }
    return own->of->count > 0;
}

/* Metres from the farthest of its owners. */
static double candidate_way_of_owners(const void *context, uint32_t object)
{
    const ownership *own = context;
    double most = 0;
    for (uint32_t i = 0; i < own->of->count; i++)
        most = math_max(most, object_way(own->r, own->of->objects[i], object));
    return most;
}

/* "The cup and the jug on the same table": on one of them, whichever is nearest
 * to what goes there. "It stays on the same wall": at which it is. */
void keep_same(resolution *t)
{
    const ownership own = {.r = t->r, .of = &t->r->moving};
    const bool same = node_says(t->thing, "$det", BIT(DET_SAME));
    if (!same || t->found.count < 2 || t->scope.movers || own.of->count == 0)
        return;
    if (own.of->count == 1 &&
        candidates_prefer(&t->found, candidate_bears_owner, &own) &&
        t->found.count == 1)
        return;
    candidates_sort(&t->found, candidate_way_of_owners, &own);
    candidates_only(&t->found, 0);
}

/* The only piece of furniture among them: "the desk with what is on it".
 * BUILTIN_NONE: there is none, or several. */
static uint32_t set_furniture(const reader *r, const builtin_set *of)
{
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = 0; i < of->count; i++) {
        if (!object_is_furniture(r, of->objects[i]))
            continue;
        if (found != BUILTIN_NONE)
            return BUILTIN_NONE;
        found = of->objects[i];
    }
    return found;
}

/* "Clear table 2 and move its chairs": the piece of furniture that the text
 * spoke of last, be it moved or cleared or a place. BUILTIN_NONE: none was. */
static uint32_t memory_furniture(const reader *r)
{
    const builtin_move *const move = reader_last_move(r);
    const uint32_t told[] = {set_furniture(r, &r->memory.last),
                             r->memory.last_reference, r->memory.context,
                             move ? set_furniture(r, &move->objects)
                                  : BUILTIN_NONE};
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        if (told[i] < r->facts->object_count && object_is_furniture(r, told[i]))
            return told[i];
    }
    return BUILTIN_NONE;
}

/* Of the doctor's desk no visitor's chair is meant. */
static void candidates_not_others(resolution *t, uint32_t owner)
{
    const builtin_object *own = object_at(t->r, owner);
    candidates *c = &t->found;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const builtin_object *o = object_at(t->r, c->items[i].object);
        bool others = false;
        for (uint32_t k = 0; k < o->word_count; k++)
            others = others || (lexicon_is_person(o->words[k]) &&
                                !object_has_word(own, o->words[k]));
        if (!others)
            c->items[kept++] = c->items[i];
    }
    c->count = kept > 0 ? kept : c->count;
}

/* "The desk to the wall, but leave its chair": the one that is clearly nearest to
 * the furniture that was spoken of before. */
static void keep_its_own(resolution *t)
{
    const double lead = 0.3, close = 1.2; /* metres */
    const builtin_set conjunct = t->r->memory.conjunct;
    const uint32_t owner =
        conjunct.count == 1 ? conjunct.objects[0] : memory_furniture(t->r);
    const builtin_set one = set_one(t->r, owner);
    const ownership own = {.r = t->r, .of = &one};
    candidates *c = &t->found;
    if (!t->scope.movers || owner >= t->r->facts->object_count)
        return;
    candidates_not_others(t, owner);
    if (c->count < 2)
        return;
    candidates_sort(c, candidate_way_of_owners, &own);
    const double least = candidate_way_of_owners(&own, c->items[0].object);
    if (least < close &&
        candidate_way_of_owners(&own, c->items[1].object) > least + lead)
        candidates_only(c, 0);
}

/* "Its chair"; of whoever sits there "his chair" or "her chair". */
static bool phrase_says_its(const resolution *t)
{
    const chart_node *const det = chart_child(t->thing, "$det");
    return node_says(t->thing, "$det", BIT(DET_ITS)) ||
           (det && reader_lists(t->r, det->first, "choose: his"));
}

/* Is it named for that thing: an umbrella stand for the umbrella, a book shelf
 * for the green book? */
static bool object_is_named_for(const reader *r, uint32_t object, uint32_t of)
{
    const builtin_object *const o = object_at(r, object);
    const builtin_object *const owner = object_at(r, of);
    for (uint32_t i = 0; i + 1 < o->word_count; i++) {
        const char *const word = o->words[i];
        const bool tells = lexicon_colour(word) == 0 &&
                           lexicon_number(word) == 0 &&
                           !lexicon_is_mere_adjective(word);
        if (tells && object_has_word(owner, word))
            return true;
    }
    return false;
}

static bool candidate_is_named_for(const void *context, uint32_t object)
{
    const ownership *const own = context;
    bool all = own->of->count > 0;
    for (uint32_t i = 0; i < own->of->count && all; i++)
        all = object_is_named_for(own->r, object, own->of->objects[i]);
    return all;
}

/* "Push the chairs under their table": what is named for them, else what bears
 * them, else what is clearly nearest to all of what is moved. */
void keep_its(resolution *t)
{
    const double lead = 0.3; /* metres */
    candidates *c = &t->found;
    const ownership own = {.r = t->r, .of = &t->r->moving};
    if (c->count < 2 || !phrase_says_its(t))
        return;
    if (own.of->count == 0 || t->scope.movers) {
        keep_its_own(t);
        return;
    }
    /* "each at its table" */
    const bool each =
        own.of->count > 1 && !reader_word_is(t->r, t->thing->first, "their");
    if (each || t->r->deals)
        return;
    if (candidates_prefer(c, candidate_is_named_for, &own) && c->count == 1)
        return;
    if (candidates_prefer(c, candidate_bears_owner, &own) && c->count == 1)
        return;
    candidates_sort(c, candidate_way_of_owners, &own);
    const double least = candidate_way_of_owners(&own, c->items[0].object);
    if (candidate_way_of_owners(&own, c->items[1].object) > least + lead)
        candidates_only(c, 0);
}

/* Sorts the candidates by how near they are to the thing; the one that is
 * clearly the nearest. What bears the thing is none of them. BUILTIN_NONE: none
 * is. */
static uint32_t nearest_to(const reader *r, candidates *c, uint32_t object)
{
    const double lead = 0.02; /* metres */
    const builtin_set one = set_one(r, object);
    const ownership own = {.r = r, .of = &one};
    candidates_select(c, candidate_bears_owner, &own, false);
    candidates_sort(c, candidate_way_of_owners, &own);
    if (c->count == 0)
        return BUILTIN_NONE;
    const double least = candidate_way_of_owners(&own, c->items[0].object);
    const bool shared =
        c->count > 1 &&
        candidate_way_of_owners(&own, c->items[1].object) < least + lead;
    return shared ? BUILTIN_NONE : c->items[0].object;
}

/* "The nearest table" of what is moved: to that, and not to who looks. Where
 * several are moved that are nearest to different ones, none leads. */
void keep_nearest_to_moved(resolution *t)
{
    const builtin_set *moved = &t->r->moving;
    candidates *c = &t->found;
    const bool said =
        query_says(&t->query, "nearest") || query_says(&t->query, "closest");
    if (t->scope.movers || !said)
        return;
    if (moved->count == 0 || c->count < 2)
        return;
    t->query.sides &= ~(unsigned)LEXICON_FRONT;
    t->scope.any = false;
    uint32_t nearest = BUILTIN_NONE;
    for (uint32_t i = 0; i < moved->count; i++) {
        const uint32_t of = nearest_to(t->r, c, moved->objects[i]);
        const bool same = nearest == BUILTIN_NONE || of == nearest;
        if (of == BUILTIN_NONE || !same)
            return;
        nearest = of;
    }
    candidates_only(c, 0);
}

/* Level, across a wall. */
static void wall_axis(const builtin_object *wall, double ret[2])
{
    const bool along = wall->half[1] <= wall->half[0];
    ret[0] = along ? wall->heading[0] : -wall->heading[1];
    ret[1] = along ? wall->heading[1] : wall->heading[0];
}

/* Among the phrase's own words, also where the query goes without it. */
static bool core_says(const resolution *t, const char *word)
{
    const chart_node *core = chart_child(t->thing, "CORE");
    for (uint32_t at = core ? core->first : 0; core && at < core->end; at++) {
        if (reader_word_is(t->r, at, word))
            return true;
    }
    return false;
}

/* "The opposite wall": across the room from the one that the moved thing is at.
 * Where the room is open there, it is none of the others. */
void keep_opposite_wall(resolution *t)
{
    const double parallel = 0.9; /* cosine */
    const builtin_facts *facts = t->r->facts;
    const builtin_set *moved = &t->r->moving;
    candidates *c = &t->found;
    double own[2];
    bool walls = c->count > 0 && core_says(t, "opposite");
    for (uint32_t i = 0; i < c->count && walls; i++)
        walls = builtin_is_wall(&facts->objects[c->items[i].object]);
    if (!walls || t->scope.movers || moved->count == 0)
        return;
    const ownership by = {.r = t->r, .of = moved};
    candidates_sort(c, candidate_way_of_owners, &by);
    wall_axis(&facts->objects[c->items[0].object], own);
    uint32_t found = 0;
    for (uint32_t i = 1; i < c->count && found == 0; i++) {
        double axis[2];
        wall_axis(&facts->objects[c->items[i].object], axis);
        if (fabs(axis[0] * own[0] + axis[1] * own[1]) > parallel)
            found = i;
    }
    t->scope.any = false;
    if (found > 0)
        candidates_only(c, found);
    else
        c->count = 0;
}

static bool candidate_is_joined(const resolution *t, uint32_t object)
{
    const double joint = 0.3; /* metres between two lengths of it */
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t other = t->found.items[i].object;
        if (other != object && object_way(t->r, object, other) < joint)
            return true;
    }
    return false;
}

/* What people see as one where it stands end to end in lengths. */
static bool candidate_is_length(const resolution *t, uint32_t object)
{
    return object_is_of(t->r, object, NOUNS_LENGTHS) &&
           candidate_is_joined(t, object);
}

/* "The fence", which the file has in lengths that stand end to end: the one
 * that is nearest to what goes there. */
void keep_joined(resolution *t)
{
    const builtin_set *goes = t->scope.barred;
    uint32_t nearest = 0;
    const bool is_known = goes && goes->count > 0;
    if (t->scope.movers || !is_known || t->found.count < 2)
        return;
    for (uint32_t i = 0; i < t->found.count; i++) {
        const uint32_t object = t->found.items[i].object;
        if (!candidate_is_length(t, object))
            return;
        const double way = object_way(t->r, object, goes->objects[0]);
        if (way <
            object_way(t->r, t->found.items[nearest].object, goes->objects[0]))
            nearest = i;
    }
    candidates_only(&t->found, nearest);
}

/* ---- several ---- */

static bool candidate_is_on_cleared(const void *context, uint32_t object)
{
    const reader *r = context;
    return builtin_is_above(r->facts, object, r->memory.context);
}

/* "Clear the rug: the two books into the case": those that lie on it. */
void prefer_cleared(resolution *t)
{
    const reader *r = t->r;
    const bool cleared =
        t->scope.movers && r->memory.context < r->facts->object_count;
    const uint32_t number = t->amount.number ? t->amount.number : 1;
    if (!cleared || t->found.count <= number)
        return;
    if (candidates_count(&t->found, candidate_is_on_cleared, r) >= number)
        candidates_select(&t->found, candidate_is_on_cleared, r, true);
}

/* "Table 3 and its chairs": those that stand by it, and nearer to it than to any
 * other table. */
static bool candidate_is_its(const void *context, uint32_t object)
{
    const double close = 1.2; /* metres */
    const ownership *own = context;
    const reader *r = own->r;
    const uint32_t owner = own->of->objects[0];
    const double way = object_way(r, object, owner);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const bool rival =
            i != owner && i != object &&
            kinds_id_distance(&r->kinds[i], &r->kinds[owner]) == 0;
        if (rival && object_way(r, object, i) < way)
            return false;
    }
    return way < close;
}

/* "Table 2 and its chairs": of the table that was named with them, or before
 * them. */
void keep_many_its(resolution *t)
{
    const bool its = phrase_says_its(t);
    builtin_set owner = t->r->memory.conjunct;
    const ownership own = {.r = t->r, .of = &owner};
    if (!its || !t->scope.movers)
        return;
    if (owner.count == 1) {
        candidates_select(&t->found, candidate_is_its, &own, true);
        return;
    }
    const uint32_t told = memory_furniture(t->r);
    if (told == BUILTIN_NONE)
        return;
    owner = set_one(t->r, told);
    candidates_prefer(&t->found, candidate_is_its, &own);
}
