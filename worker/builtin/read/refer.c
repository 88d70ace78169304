/* A noun phrase -> things, by the kind of its node: one noun's phrase is
 * read/refer_thing.c's; here are pronouns, lists, exceptions, owners, parts and
 * names in quotes. What stays ambiguous is refused with the candidates. */
#include "proto/ascii.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

refer_scope refer_scope_movers(void)
{
    return (refer_scope){.movers = true, .on = BUILTIN_NONE};
}

refer_scope refer_scope_place(const builtin_set *movers)
{
    return (refer_scope){.flat = true, .barred = movers, .on = BUILTIN_NONE};
}

/* Is it larger, or as large and lower? */
static bool surface_is_floorlike(const builtin_surface *s,
                                 const builtin_surface *than)
{
    const double same = 1e-9; /* square metres */
    double area = builtin_surface_area(s);
    double most = builtin_surface_area(than);
    return area > most + same ||
           (area > most - same && s->height < than->height);
}

/* The object with the most floor-like surface. */
uint32_t refer_floor(const builtin_facts *facts)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!facts->objects[s->object].is_static)
            continue;
        if (!best || surface_is_floorlike(s, best))
            best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

static etna_code refuse_unread(reader *r, const chart_node *node)
{
    return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood",
                         reader_said(r, node));
}

/* The last child that is no word; NULL: there is none behind the first
 * child. */
static const chart_node *node_last_phrase(const chart_node *node)
{
    const chart_node *last = NULL;
    for (uint32_t i = 1; i < node->child_count; i++)
        last = node->children[i]->is_terminal ? last : node->children[i];
    return last;
}

/* ---- pronouns ---- */

static bool candidate_is_loose(const void *context, uint32_t object)
{
    return object_is_loose(context, object);
}

/* "On the floor": what is said of the things that are meant, or where they are
 * looked for. */
static bool place_is_ground(reader *r,
                            const chart_node *node,
                            const refer_scope *scope)
{
    const refer_scope place = {.on = BUILTIN_NONE, .flat = true};
    const chart_node *rel = chart_find(node, "REL");
    const chart_node *word = rel ? chart_child(rel, "$rel") : NULL;
    const chart_node *what = rel ? node_last_phrase(rel) : NULL;
    if (scope->on < r->facts->object_count)
        return object_is_ground(r, scope->on);
    if (!word || word->value != REL_ON || !what)
        return false;
    const reader before = *r;
    const etna_error why = *r->err;
    uint32_t ground = BUILTIN_NONE;
    etna_code code = refer_one(r, what, &place, &ground);
    *r = before;
    *r->err = why;
    return code == ETNA_OK && ground < r->facts->object_count &&
           object_is_ground(r, ground);
}

/* "Clear the desk: everything onto the shelf" is what stands on the desk. */
static refer_scope everything_scope(const reader *r,
                                    const chart_node *node,
                                    const refer_scope *scope)
{
    refer_scope all = *scope;
    bool bare = node->child_count <= 1 && scope->on == BUILTIN_NONE;
    if (!bare || r->memory.context == BUILTIN_NONE)
        return all;
    all.on = r->memory.context;
    all.on_level = r->memory.context_level;
    return all;
}

/* Has an earlier clause of the text said where it goes? */
static bool candidate_is_placed(const void *context, uint32_t object)
{
    const reader *r = context;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        bool placed =
            m->relation != RELATION_OFF && m->objects.need == m->objects.count;
        if (placed && set_has(&m->objects, object))
            return true;
    }
    return false;
}

/* Was it said to stay before anything was asked? */
static bool candidate_stays(const void *context, uint32_t object)
{
    const reader *r = context;
    return set_has(&r->memory.stays, object);
}

/* "Everything else": but for what was spoken of. */
static bool everything_is_the_rest(const reader *r, const chart_node *node)
{
    return node->end > node->first + 1 &&
           reader_word_is(r, node->first + 1, "else");
}

/* "everything on the table": only with some restriction; alone it would mean
 * the room. */
static etna_code refer_everything(reader *r,
                                  const chart_node *node,
                                  const refer_scope *given,
                                  builtin_set *ret)
{
    const refer_scope all = everything_scope(r, node, given);
    const refer_scope *scope = &all;
    resolution t = {
        .r = r, .thing = node, .scope = *scope, .amount = {.says = SAYS_ALL}};
    t.query = (match_query){.generic = true, .whole = ""};
    etna_code code = candidates_make(r, &t.found);
    if (code != ETNA_OK)
        return code;
    gather(&t, &t.query, &t.found);
    candidates_select(&t.found, candidate_moves, r->facts, true);
    candidates_select(&t.found, candidate_stays, r, false);
    code = candidates_modify(r, node, &t.query, &t.found);
    if (code != ETNA_OK)
        return code;
    if (everything_is_the_rest(r, node))
        candidates_select(&t.found, candidate_is_placed, r, false);
    if (place_is_ground(r, node, scope))
        candidates_prefer(&t.found, candidate_is_loose, r);
    bool restricted = node->child_count > 1 || scope->on != BUILTIN_NONE;
    if (!restricted)
        return reader_refuse(r, CODE_UNREAD, node,
                             "which things \"%s\" means is not said",
                             reader_said(r, node));
    if (t.found.count == 0)
        return reader_refuse(r, CODE_UNKNOWN, node, "nothing here is \"%s\"",
                             reader_said(r, node));
    return candidates_set(r, &t.found, t.found.count, ret);
}

/* "The helmet off the crate, the skateboard on it": what something else was
 * taken off just before; BUILTIN_NONE: nothing. */
static uint32_t pronoun_bared(const reader *r, const refer_scope *scope)
{
    const builtin_set *last = &r->memory.last;
    const builtin_set *taken = &r->memory.taken;
    const bool other = scope->barred && last->count == 1 &&
                       !set_has(scope->barred, last->objects[0]);
    return other && set_has(taken, last->objects[0]) ? r->memory.context
                                                     : BUILTIN_NONE;
}

/* Is what the last place was by meant, and not what was moved last? */
static bool pronoun_means_reference(const reader *r, const refer_scope *scope)
{
    const builtin_set *last = &r->memory.last;
    uint32_t reference = r->memory.last_reference;
    if (reference == BUILTIN_NONE)
        return false;
    if (last->count == 0)
        return scope->barred || object_moves(r->facts, reference);
    if (last->count > 1)
        return !scope->movers;
    return scope->barred && set_has(scope->barred, last->objects[0]);
}

uint32_t topic_recall(const reader *r, const builtin_set *movers)
{
    const uint32_t topic = r->memory.topic - 1;
    const bool goes_on = r->is_elliptic && r->memory.topic != 0 &&
                         r->reading->count == r->memory.topic_move + 1;
    if (!goes_on || (movers && set_has(movers, topic)))
        return BUILTIN_NONE;
    return topic;
}

void topic_note(reader *r, uint32_t owner)
{
    r->memory.topic = owner + 1;
    r->memory.topic_move = r->reading->count;
}

uint32_t topic_owner(const reader *r, const builtin_set *movers)
{
    const uint32_t topic = topic_recall(r, movers);
    const builtin_set *last = &r->memory.last;
    if (topic != BUILTIN_NONE)
        return topic;
    const bool other = last->count == 1 && !set_has(movers, last->objects[0]);
    return other ? last->objects[0] : BUILTIN_NONE;
}

static etna_code pronoun_recall(reader *r,
                                const chart_node *node,
                                const refer_scope *scope,
                                bool several,
                                builtin_set *ret)
{
    uint32_t count = r->memory.last.count;
    if (scope->barred && set_is_within(&r->memory.last, scope->barred))
        count = 0; /* nothing goes to itself */
    if (count == 0 || (count > 1 && !several))
        return reader_refuse(r, CODE_AMBIGUOUS, node,
                             "what \"%s\" means is not clear",
                             reader_said(r, node));
    *ret = r->memory.last;
    return ETNA_OK;
}

/* "The green ball wants to play with the orange ball! Put them together": what
 * was moved and what it went to. */
static bool memory_is_of_two(const reader *r)
{
    const builtin_set *last = &r->memory.last;
    const uint32_t reference = r->memory.last_reference;
    if (last->count != 1 || r->reading->count == r->first_move ||
        reference >= r->facts->object_count)
        return false;
    const builtin_move *m = &r->reading->moves[r->reading->count - 1];
    return m->relation == RELATION_GROUP && m->reference == reference &&
           set_has(&m->objects, last->objects[0]);
}

static etna_code refer_both_of_last(reader *r, builtin_set *ret)
{
    const builtin_set reference = set_one(r, r->memory.last_reference);
    return set_union(r, &r->memory.last, &reference, ret);
}

/* "The bowl into the dish, then both of them onto the shelf": what bears the
 * other, which goes along as its load. BUILTIN_NONE: the last move made no such
 * two. */
static uint32_t memory_bearer(const reader *r)
{
    const builtin_set *last = &r->memory.last;
    if (last->count != 1 || r->reading->count == 0)
        return BUILTIN_NONE;
    const builtin_move *m = &r->reading->moves[r->reading->count - 1];
    const bool upon = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool two = upon && m->objects.count == 1 &&
                     set_has(&m->objects, last->objects[0]) &&
                     object_moves(r->facts, m->reference);
    return two ? m->reference : BUILTIN_NONE;
}

/* "The box over to the tulips, right next to them": of what the text speaks in
 * the plural, though it is one thing of the scene. */
static bool pronoun_means_plural_place(const reader *r,
                                       const refer_scope *scope)
{
    const uint32_t place = r->memory.last_reference;
    const builtin_set *last = &r->memory.last;
    const bool own = last->count == 0 ||
                     (scope->barred && set_is_within(last, scope->barred));
    if (scope->movers || !own || place >= r->facts->object_count)
        return false;
    const char *noun = builtin_noun(object_at(r, place));
    return noun && match_is_plural_word(noun);
}

/* Where that is moved onto another in turn, the lowest of them all. */
static uint32_t memory_lowest(const reader *r)
{
    const builtin_reading *reading = r->reading;
    uint32_t lowest = memory_bearer(r);
    for (uint32_t i = reading->count; i > r->first_move; i--) {
        const builtin_move *m = &reading->moves[i - 1];
        const bool upon =
            m->relation == RELATION_ON || m->relation == RELATION_IN;
        const bool own = upon && m->objects.count == 1 &&
                         lowest < r->facts->object_count &&
                         set_has(&m->objects, lowest);
        if (own && object_moves(r->facts, m->reference))
            lowest = m->reference;
    }
    return lowest;
}

/* "The lot", "all of it": of what was piled up one by one, all. */
static bool pronoun_wants_lot(const reader *r, const chart_node *word)
{
    return r->memory.last.count == 1 && word->end > word->first + 1 &&
           lexicon_lists("refer: lot", reader_word(r, word->end - 1));
}

/* "Wheel it over": what has wheels, and not its load. */
static bool pronoun_is_wheeled(const reader *r, const chart_node *word)
{
    return word->first > 0 &&
           lexicon_lists("refer: wheels", reader_word(r, word->first - 1));
}

/* "The keys into the bowl and that onto the shelf": the bowl, which the keys
 * were put into. BUILTIN_NONE: it means what "it" does. */
static uint32_t pronoun_points_at_bearer(const reader *r,
                                         const chart_node *word,
                                         const refer_scope *scope)
{
    const bool points = word && (reader_word_is(r, word->first, "that") ||
                                 pronoun_is_wheeled(r, word));
    return points && scope->movers ? memory_bearer(r) : BUILTIN_NONE;
}

/* "Take the bag off the bench and put it on the floor beside it": nothing is
 * beside the floor that it stands on. BUILTIN_NONE: the last place is meant. */
static bool pronoun_means_ground(const reader *r, const refer_scope *scope)
{
    const uint32_t place = r->memory.last_reference;
    return scope->barred && !scope->movers && place < r->facts->object_count &&
           object_is_ground(r, place);
}

/* "Both of them", where one was spoken of: which two? */
static bool pronoun_wants_two(const reader *r, const chart_node *word)
{
    return r->memory.last.count == 1 && reader_word_is(r, word->first, "both");
}

/* "All but the grey one on the rack, that goes in the basket." */
static bool pronoun_means_spared(const reader *r, const refer_scope *scope)
{
    return scope->movers && r->memory.spared.count == 1 &&
           r->memory.last.count > 1;
}

/* "A plate on the table, and a cup on it": some plate, which is then that. */
static bool pronoun_means_any(const reader *r, const refer_scope *scope)
{
    const builtin_set *last = &r->memory.last;
    const builtin_reading *reading = r->reading;
    if (scope->movers || last->need != 1 || last->count < 2 ||
        reading->count == r->first_move)
        return false;
    const builtin_set *moved = &reading->moves[reading->count - 1].objects;
    return moved->need == 1 && moved->count == last->count &&
           set_is_within(moved, last);
}

static etna_code refer_any_of_last(reader *r, builtin_set *ret)
{
    const builtin_set *last = &r->memory.last;
    uint32_t one = last->objects[0];
    for (uint32_t i = last->count; i > 0; i--) {
        if (candidate_is_bare(r->facts, last->objects[i - 1]))
            one = last->objects[i - 1];
    }
    *ret = set_one(r, one);
    r->reading->moves[r->reading->count - 1].objects = *ret;
    r->memory.last = r->memory.named = *ret;
    return ETNA_OK;
}

/* "Why isn't the red cup there? All the others are, so put it with them": the
 * one that was spoken of before these. */
static bool pronoun_means_single(const reader *r,
                                 const chart_node *node,
                                 const refer_scope *scope)
{
    const builtin_set *single = &r->memory.single;
    bool them = false;
    for (uint32_t at = node->end; r->part->first + at < r->part->end; at++)
        them = them || reader_word_is(r, at, "them");
    return them && scope->movers && r->memory.last.count > 1 &&
           single->count == 1 && !set_is_within(single, &r->memory.last);
}

/* "The chairs at the table are too far out. Move them up to it": no other one
 * thing was spoken of than where these are. */
static bool pronoun_means_told_place(const reader *r, const refer_scope *scope)
{
    const builtin_set *last = &r->memory.last;
    const uint32_t place = r->memory.told_at - 1;
    const bool other = last->count == 1 &&
                       !(scope->barred && set_is_within(last, scope->barred));
    if (r->memory.told_at == 0 || scope->movers || other)
        return false;
    return r->memory.last_reference == BUILTIN_NONE &&
           !(scope->barred && set_has(scope->barred, place));
}

/* "Put the cup onto the saucer behind it": which saucer, told by the cup, where
 * nothing else was spoken of. */
static bool pronoun_means_moving(const reader *r, const refer_scope *scope)
{
    const bool nothing = r->memory.last.count == 0 &&
                         r->memory.last_reference == BUILTIN_NONE &&
                         r->memory.told_at == 0;
    return nothing && r->moving.count == 1 && !scope->movers && !scope->barred;
}

/* What was cleared, or bears what is moved; BUILTIN_NONE: it means no such. */
static uint32_t pronoun_bearer(const reader *r,
                               const chart_node *word,
                               const refer_scope *scope)
{
    const uint32_t bearer = pronoun_points_at_bearer(r, word, scope);
    if (bearer != BUILTIN_NONE)
        return bearer;
    const bool that = word && node_is(word, "$pron_is") && scope->barred;
    return that && memory_bared(r) != BUILTIN_NONE ? memory_bared(r)
                                                   : pronoun_bared(r, scope);
}

/* "It", "here", "that": one thing, or one place. */
static etna_code refer_it(reader *r,
                          const chart_node *node,
                          const refer_scope *scope,
                          builtin_set *ret)
{
    const uint32_t bared = pronoun_bearer(r, phrase_pronoun(node), scope);
    /* "keep it out of reach": that is to be, and tells not which */
    if (chart_child(node, "MOD"))
        return refuse_unread(r, node);
    const uint32_t topic =
        scope->movers ? BUILTIN_NONE : topic_recall(r, scope->barred);
    if (bared != BUILTIN_NONE || topic != BUILTIN_NONE) {
        *ret = set_one(r, bared != BUILTIN_NONE ? bared : topic);
        return ETNA_OK;
    }
    if (pronoun_means_spared(r, scope)) {
        *ret = r->memory.spared;
        return ETNA_OK;
    }
    if (pronoun_means_single(r, node, scope)) {
        *ret = r->memory.single;
        return ETNA_OK;
    }
    if (pronoun_means_any(r, scope))
        return refer_any_of_last(r, ret);
    if (pronoun_means_moving(r, scope)) {
        *ret = r->moving;
        return ETNA_OK;
    }
    if (pronoun_means_told_place(r, scope)) {
        *ret = set_one(r, r->memory.told_at - 1);
        return ETNA_OK;
    }
    if (!pronoun_means_reference(r, scope))
        return pronoun_recall(r, node, scope, scope->movers, ret);
    const bool ground = pronoun_means_ground(r, scope);
    const bool taken = ground && set_is_within(scope->barred, &r->memory.taken);
    const uint32_t bare = taken ? r->memory.context : BUILTIN_NONE;
    const uint32_t place = ground ? bare : r->memory.last_reference;
    if (ground && place == BUILTIN_NONE)
        return pronoun_recall(r, node, scope, scope->movers, ret);
    *ret = set_one(r, place);
    return ETNA_OK;
}

/* The same; what a place is by stays the topic of the clauses without a verb
 * that follow. */
static etna_code refer_it_noted(reader *r,
                                const chart_node *node,
                                const refer_scope *scope,
                                builtin_set *ret)
{
    etna_code code = refer_it(r, node, scope, ret);
    if (code == ETNA_OK && !scope->movers && ret->count == 1)
        topic_note(r, ret->objects[0]);
    return code;
}

/* "Them", "both of them"; `word` is the pronoun. */
static etna_code refer_them(reader *r,
                            const chart_node *node,
                            const chart_node *word,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    const bool of_two = memory_is_of_two(r);
    const bool wants_two = scope->movers && pronoun_wants_two(r, word);
    const bool wants_lot = scope->movers && pronoun_wants_lot(r, word);
    const uint32_t bearer = wants_two   ? memory_bearer(r)
                            : wants_lot ? memory_lowest(r)
                                        : BUILTIN_NONE;
    if (pronoun_means_plural_place(r, scope)) {
        *ret = set_one(r, r->memory.last_reference);
        return ETNA_OK;
    }
    if (bearer != BUILTIN_NONE) {
        *ret = set_one(r, bearer);
        return ETNA_OK;
    }
    if (wants_two && !of_two)
        return reader_refuse(r, CODE_AMBIGUOUS, node,
                             "what \"%s\" means is not clear",
                             reader_said(r, node));
    if (!scope->movers || !of_two)
        return pronoun_recall(r, node, scope, true, ret);
    return refer_both_of_last(r, ret);
}

/* By what was last spoken of, as a thing or as a place. */
static etna_code refer_pronoun(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    const chart_node *word = phrase_pronoun(node);
    if (!word)
        word = chart_child(node, "$what");
    if (!word)
        word = chart_child(node, "$everything");
    switch (word ? word->value : 0) {
    case PRON_EVERYTHING: return refer_everything(r, node, scope, ret);
    case PRON_IT:
    case PRON_HERE: return refer_it_noted(r, node, scope, ret);
    case PRON_THEM: return refer_them(r, node, word, scope, ret);
    default:
        return reader_refuse(r, CODE_UNREAD, node,
                             "\"%s\" is not understood here",
                             reader_said(r, node));
    }
}

/* ---- several phrases ---- */

/* A conjunct without a noun ("the red and the green bottle") takes the next
 * one's. */
static void noun_look_ahead(reader *r, const chart_node *node, uint32_t from)
{
    for (uint32_t i = from; i < node->child_count; i++) {
        match_query q;
        if (!phrase_has_noun(r, phrase_thing(node->children[i]), &q))
            continue;
        refer_remember(r, &q, true);
        return;
    }
}

/* Of a set of which some will do, as many are needed of the sum. */
static etna_code set_add(reader *r, const builtin_set *set, builtin_set *sum)
{
    bool whole = sum->need == sum->count && set->need == set->count;
    uint32_t need = sum->need + set->need;
    etna_code code = set_union(r, sum, set, sum);
    if (!whole)
        sum->need = need;
    return code;
}

/* The things of a list together; a part without a noun may take the next one's
 * ("the red and the blue cup"). */
static etna_code refer_all(reader *r,
                           const chart_node *node,
                           const refer_scope *scope,
                           builtin_set *ret)
{
    builtin_set sum = {0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < node->child_count && code == ETNA_OK; i++) {
        const chart_node *child = node->children[i];
        match_query q;
        builtin_set one = {0};
        if (child->is_terminal)
            continue;
        if (phrase_lacks_noun(r, phrase_thing(child), &q))
            noun_look_ahead(r, node, i + 1);
        code = refer_things(r, child, scope, &one);
        if (code == ETNA_OK)
            code = set_add(r, &one, &sum);
        r->memory.conjunct = one;
    }
    r->memory.conjunct = (builtin_set){0};
    if (code == ETNA_OK)
        *ret = sum;
    return code;
}

static etna_code refer_any(reader *r,
                           const chart_node *node,
                           const refer_scope *scope,
                           builtin_set *ret)
{
    etna_code code = refer_all(r, node, scope, ret);
    if (code == ETNA_OK)
        ret->need = 1;
    return code;
}

/* "The three of them", "the cups, all three": as many as are said. */
static etna_code refer_all_of(reader *r,
                              const chart_node *node,
                              const refer_scope *scope,
                              builtin_set *ret)
{
    const chart_node *said = chart_child(node, "$num");
    refer_scope all = *scope;
    all.many = true;
    etna_code code = refer_things(r, node->children[0], &all, ret);
    if (code != ETNA_OK || !said || said->value == 1000 * ret->count)
        return code;
    return refuse_count(r, CODE_UNKNOWN, node, said->value / 1000, ret->count,
                        NULL);
}

static etna_code refer_last(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    return refer_things(r, node_last_phrase(node), scope, ret);
}

/* "Everything red except the pillow": of the things that are meant, else
 * any. */
etna_code refer_excepted(reader *r,
                         const chart_node *but,
                         const builtin_set *all,
                         builtin_set *ret)
{
    builtin_set others;
    etna_code code = set_others(r, all, &others);
    if (code != ETNA_OK)
        return code;
    const refer_scope among = {
        .on = BUILTIN_NONE, .many = true, .barred = &others};
    const refer_scope any = {.on = BUILTIN_NONE,
                             .many = true,
                             .barred = all->count == 1 ? all : NULL};
    const reader before = *r;
    const etna_error why = *r->err;
    /* "the small box, not the big one": of others */
    const bool one = all->count == 1;
    code = one ? ETNA_E_INPUT : refer_things(r, but, &among, ret);
    if (code == ETNA_E_INPUT) {
        *r = before;
        *r->err = why;
        code = refer_things(r, but, &any, ret);
    }
    r->memory = before.memory;
    return code;
}

/* ETNA_E_INPUT when nothing is left. */
static etna_code refer_except(reader *r,
                              const chart_node *node,
                              const refer_scope *scope,
                              builtin_set *ret)
{
    builtin_set all;
    builtin_set but;
    const chart_node *last = node_last_phrase(node);
    /* "apart from the vase, everything ..." */
    bool but_first = node_is(node, "BUTFOR");
    etna_code code =
        refer_things(r, but_first ? last : node->children[0], scope, &all);
    if (code != ETNA_OK)
        return code;
    code = refer_excepted(r, but_first ? node->children[1] : last, &all, &but);
    if (code != ETNA_OK)
        return code;
    r->excepted = but;
    code = set_without(r, &all, &but, &all);
    if (code != ETNA_OK)
        return code;
    if (all.count == 0)
        return reader_refuse(r, CODE_UNKNOWN, node, "\"%s\" leaves nothing",
                             reader_said(r, node));
    *ret = (builtin_set){
        .count = all.count, .objects = all.objects, .need = all.count};
    return ETNA_OK;
}

/* ---- owners and parts ---- */

typedef struct ownership {
    const reader *r;
    uint32_t owner;
} ownership;

static bool object_is_owned(const void *context, uint32_t object)
{
    const double close = 1; /* metre */
    const ownership *o = context;
    return object_way(o->r, object, o->owner) < close;
}

typedef struct called { /* both halves of "the teacher's desk" */
    const reader *r;
    const match_query *owner, *own;
} called;

/* All said words are in the name. */
static bool name_says_all(const builtin_object *o, const match_query *q)
{
    uint32_t said = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        bool has = false;
        for (uint32_t k = 0; k < o->word_count && !has; k++)
            has = builtin_same_word(o->words[k], q->words[i]);
        said += has;
    }
    return q->count > 0 && said == q->count;
}

static bool object_is_called(const void *context, uint32_t object)
{
    const called *c = context;
    const builtin_object *o = &c->r->facts->objects[object];
    if (reader_match(c->r, object, c->own).cost >= MATCH_NOT_HEAD)
        return false; /* a trolley for books is no book */
    return name_says_all(o, c->owner) && name_says_all(o, c->own);
}

/* "David's chair", where one is called Chair David: somebody's name has no
 * article, and is no head of what is his. */
static void candidates_of_somebody(reader *r,
                                   const chart_node *owner,
                                   const called *both,
                                   candidates *named)
{
    const bool article =
        chart_child(owner, "$det") || chart_child(owner, "$quant");
    if (!node_is(owner, "THING") || article || named->count > 0)
        return;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *o = object_at(r, i);
        if (name_says_all(o, both->owner) && name_says_all(o, both->own))
            candidates_add(named, i, 0);
    }
}

/* "The teacher's desk", where something is named "Teacher desk": no teacher is
 * looked for. *ret_count 0: there is no such. */
static etna_code refer_by_both(reader *r,
                               const chart_node *node,
                               const match_query *own,
                               uint32_t *ret_count,
                               builtin_set *ret)
{
    match_query owner;
    candidates named;
    *ret_count = 0;
    etna_code code = phrase_query(r, node->children[0], &owner);
    if (code == ETNA_OK)
        code = candidates_make(r, &named);
    if (code != ETNA_OK)
        return code;
    const resolution any = {
        .r = r, .thing = node, .scope = {.on = BUILTIN_NONE}};
    gather(&any, own, &named);
    const called both = {.r = r, .owner = &owner, .own = own};
    candidates_select(&named, object_is_called, &both, true);
    candidates_of_somebody(r, node->children[0], &both, &named);
    bool plural =
        own->count > 0 && match_is_plural_word(own->words[own->count - 1]);
    if (named.count > 1 && !plural)
        return ETNA_OK;
    *ret_count = named.count;
    return named.count > 0 ? candidates_set(r, &named, named.count, ret)
                           : ETNA_OK;
}

static bool words_name_person(const char *const *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (lexicon_is_person(words[i]))
            return true;
    }
    return false;
}

static bool owner_is_person(reader *r, const chart_node *owner)
{
    const char *words[REFER_WORDS_MAX];
    return words_name_person(words, phrase_words(r, owner, words));
}

static bool object_is_peoples(const void *context, uint32_t object)
{
    const reader *r = context;
    const builtin_object *o = &r->facts->objects[object];
    return words_name_person(o->words, o->word_count);
}

/* Is the word another for the same people: "kids" for children? */
static bool words_are_of_same_people(const char *a, const char *b)
{
    static const char *const groups[] = {"people: young", "people: female",
                                         "people: male", "people: guest"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (lexicon_lists(groups[i], a) && lexicon_lists(groups[i], b))
            return true;
    }
    return false;
}

typedef struct owners { /* who is no thing of the scene */
    const reader *r;
    const chart_node *said;
} owners;

/* "The children's bike", where one is called kids bike. */
static bool object_is_called_theirs(const void *context, uint32_t object)
{
    const owners *own = context;
    const builtin_object *o = object_at(own->r, object);
    const char *words[REFER_WORDS_MAX];
    const uint32_t count = phrase_words(own->r, own->said, words);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < o->word_count; k++) {
            if (words_are_of_same_people(words[i], o->words[k]))
                return true;
        }
    }
    return false;
}

/* "The pupils' chairs", where no pupil is in the scene: the chairs, but for
 * those that are called somebody else's. */
static etna_code refer_peoples(reader *r,
                               const chart_node *node,
                               resolution *t,
                               builtin_set *ret)
{
    enum {
        COST_OF_PEOPLE = 20
    };
    const chart_node *owner = node->children[0];
    const match_query *q = &t->query;
    const owners them = {.r = r, .said = owner};
    t->plural = q->count > 0 && match_is_plural_word(q->words[q->count - 1]);
    t->plural = t->plural || phrase_is_each(owner);
    *r->err = (etna_error){0};
    r->cost += COST_OF_PEOPLE;
    etna_code code = candidates_make(r, &t->found);
    if (code != ETNA_OK)
        return code;
    gather(t, &t->query, &t->found);
    if (!candidates_prefer(&t->found, object_is_called_theirs, &them))
        candidates_select(&t->found, object_is_peoples, r, false);
    if (t->found.count == 0)
        return refuse_unknown(r, node, &t->found);
    return t->plural ? choose_many(t, ret) : choose_one(t, ret);
}

/* "The desk's lamp" is the nearest to it, "the desk's lamps" those close by. */
static etna_code refer_owned(reader *r,
                             const chart_node *node,
                             const refer_scope *scope,
                             builtin_set *ret)
{
    ownership own = {.r = r};
    refer_scope any = {.on = BUILTIN_NONE};
    resolution t = {.r = r,
                    .thing = node,
                    .scope = *scope,
                    .amount = {.says = SAYS_DEFINITE}};
    uint32_t named = 0;
    etna_code code = phrase_query(r, node, &t.query);
    if (code == ETNA_OK)
        code = refer_by_both(r, node, &t.query, &named, ret);
    if (code != ETNA_OK || named > 0)
        return code;
    if (phrase_is_a_room_of_several(r, node->children[0]))
        return reader_refuse(
            r, CODE_UNKNOWN, node,
            "\"%s\": which room is which is not known: several are here",
            reader_said(r, node));
    code = refer_one(r, node->children[0], &any, &own.owner);
    if (code == ETNA_E_INPUT && owner_is_person(r, node->children[0]))
        return refer_peoples(r, node, &t, ret);
    if (code != ETNA_OK)
        return code;
    /* "the shelf's front" is a place */
    bool is_thing = t.query.has_noun || t.query.generic;
    if (!is_thing)
        return refuse_unread(r, node);
    code = candidates_make(r, &t.found);
    if (code != ETNA_OK)
        return code;
    gather(&t, &t.query, &t.found);
    bool plural = t.query.count > 0 &&
                  match_is_plural_word(t.query.words[t.query.count - 1]);
    if (plural)
        candidates_select(&t.found, object_is_owned, &own, true);
    const builtin_set to = {.count = 1, .objects = &own.owner, .need = 1};
    if (!plural)
        candidates_by_way(r, &t.found, &to, false);
    if (t.found.count == 0)
        return refuse_unknown(r, node, &t.found);
    return candidates_set(r, &t.found, t.found.count, ret);
}

/* "Two of the bottles". */
static etna_code refer_part_of(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    quantity q = phrase_quantity(node);
    const bool alternate = node->end > node->first + 1 &&
                           reader_word_is(r, node->first, "every") &&
                           lexicon_ordinal(reader_word(r, node->first + 1)) > 0;
    if (alternate) /* "every second chair": in which order nothing says */
        return refuse_unread(r, node);
    builtin_set whole;
    refer_scope all = *scope;
    all.many = true;
    etna_code code =
        refer_things(r, node->children[node->child_count - 1], &all, &whole);
    if (code != ETNA_OK)
        return code;
    if (q.number > whole.count)
        return refuse_count(r, CODE_UNKNOWN, node, q.number, whole.count, NULL);
    *ret = whole;
    bool one = q.number == 0 && (q.says & SAYS_ANY);
    if (q.number && q.number < whole.count)
        ret->need = q.number;
    if (one)
        ret->need = 1;
    return ETNA_OK;
}

/* ---- names ---- */

static bool name_is_alike(const char *a, const char *b)
{
    while (*a && ascii_lower(*a) == ascii_lower(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

/* The only one of that name in whatever case. */
static bool name_find_alike(const reader *r,
                            const char *name,
                            uint32_t *ret_object)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (!name_is_alike(r->facts->objects[i].name, name))
            continue;
        *ret_object = i;
        count++;
    }
    return count == 1;
}

/* A name just as the file has it or in other case, else words like those of a
 * name. */
static etna_code refer_quoted(reader *r,
                              const chart_node *node,
                              const refer_scope *scope,
                              builtin_set *ret)
{
    const char *name = r->s->tokens[chart_child(node, "$quoted")->value].text;
    uint32_t object = BUILTIN_NONE;
    if (phrase_name_find(r, name, &object) ||
        name_find_alike(r, name, &object)) {
        if (scope->movers && !object_moves(r->facts, object))
            return refuse_fixed(r, node, object);
        *ret = set_one(r, object);
        return ETNA_OK;
    }
    uint32_t count = 0;
    const char *const *words = builtin_name_words(name, r->arena, &count);
    resolution t = {.r = r,
                    .thing = node,
                    .scope = *scope,
                    .amount = {.says = SAYS_DEFINITE}};
    if (!words)
        return reader_no_memory(r);
    if (count > REFER_WORDS_MAX)
        count = REFER_WORDS_MAX;
    etna_code code = reader_query(r, words, count, &t.query);
    if (code == ETNA_OK)
        code = candidates_make(r, &t.found);
    if (code != ETNA_OK)
        return code;
    if (t.query.has_noun)
        gather(&t, &t.query, &t.found);
    return choose_one(&t, ret);
}

/* "Not the big box but the small one": what is denied says of which kind the
 * other is. */
static etna_code refer_contrast(reader *r,
                                const chart_node *node,
                                const refer_scope *scope,
                                builtin_set *ret)
{
    const chart_node *denied = node_things(node, 0),
                     *meant = node_things(node, 1);
    const reader before = *r;
    const etna_error why = *r->err;
    refer_scope other = *scope;
    builtin_set but = {0};
    match_query q;
    if (!denied || !meant)
        return refuse_unread(r, node);
    etna_code code = refer_things(r, denied, scope, &but);
    *r = before;
    *r->err = why;
    if (code == ETNA_E_NOMEM)
        return code;
    if (phrase_has_noun(r, phrase_thing(denied), &q))
        refer_remember(r, &q, scope->movers);
    other.barred = scope->barred || code != ETNA_OK ? scope->barred : &but;
    return refer_things(r, meant, &other, ret);
}

static bool sets_are_alike(const reader *r,
                           const builtin_set *a,
                           const builtin_set *b)
{
    if (a->count == 0 || b->count == 0)
        return false;
    return object_is_furniture(r, a->objects[0]) ==
           object_is_furniture(r, b->objects[0]);
}

/* "The sofa, no, the table": another than was said first, and of its sort. "On
 * the sofa, no, the vase" may correct what was put there. */
static etna_code refer_corrected(reader *r,
                                 const chart_node *node,
                                 const refer_scope *scope,
                                 builtin_set *ret)
{
    const reader before = *r;
    const etna_error why = *r->err;
    refer_scope any = *scope;
    builtin_set first = {0};
    any.any = true;
    any.many = true;
    etna_code code = refer_things(r, node->children[0], &any, &first);
    *r = before;
    *r->err = why;
    if (code == ETNA_E_NOMEM)
        return code;
    const uint32_t moved = r->memory.mover_noun_count;
    r->memory.mover_noun_count = 0; /* "the right one" is another place */
    code = refer_contrast(r, node, scope, ret);
    r->memory.mover_noun_count = moved;
    if (code != ETNA_OK)
        return code;
    const bool same = first.count == ret->count && set_is_within(ret, &first);
    const bool slip = first.count == 0; /* what is not here was not meant */
    if (slip || (!same && sets_are_alike(r, &first, ret)))
        return ETNA_OK;
    return reader_refuse(r, CODE_UNREAD, node,
                         "\"%s\": what is corrected is not clear",
                         reader_said(r, node));
}

/* Is the phrase nothing but names as the file writes them? */
static bool phrase_is_names(const reader *r, const chart_node *node)
{
    uint32_t object;
    if (node_is(node, "QUOTED"))
        return true;
    if (node_is(node, "THING"))
        return phrase_is_name(r, node, &object);
    if (!node_is(node, "AND"))
        return false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *child = node->children[i];
        if (!child->is_terminal && !phrase_is_names(r, child))
            return false;
    }
    return true;
}

/* "The one on the floor", "the two by the door": without a word of its own. */
static bool phrase_is_modified_alone(const chart_node *name)
{
    return node_is(name, "THING") && chart_child(name, "NUMBER") &&
           !chart_child(name, "CORE") && node_last_phrase(name);
}

/* "The left one", "(the red one and the blue one)" */
static bool phrase_narrows(reader *r, const chart_node *name)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(name, parts);
    match_query q;
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        if (!phrase_narrows(r, parts[i]))
            return false;
    }
    if (count > 1 || phrase_is_modified_alone(name))
        return true;
    if (!phrase_lacks_noun(r, name, &q))
        return false;
    return q.generic || q.sides || q.size || q.colour;
}

/* Those of the first phrase's things that the second one's modifiers leave:
 * just as many as it says. */
static etna_code refer_modified_alone(reader *r,
                                      const chart_node *which,
                                      const builtin_set *set,
                                      builtin_set *ret)
{
    match_query q = {0};
    candidates c;
    const uint32_t number = phrase_quantity(which).number;
    etna_code code = candidates_make(r, &c);
    for (uint32_t i = 0; code == ETNA_OK && i < set->count; i++)
        candidates_add(&c, set->objects[i], 0);
    if (code == ETNA_OK)
        code = candidates_modify(r, which, &q, &c);
    if (code == ETNA_OK && q.sides)
        candidates_by_side(r, &c, &q, number);
    if (code != ETNA_OK)
        return code;
    if (c.count == number)
        return candidates_set(r, &c, number, ret);
    return refuse_count(r, c.count < number ? CODE_UNKNOWN : CODE_AMBIGUOUS,
                        which, number, c.count, c.count > 0 ? &c : NULL);
}

/* "My chair, the left one", "the night table, the one without a lamp": the
 * second phrase chooses among the first's. */
static etna_code refer_narrowed(reader *r,
                                const chart_node *node,
                                const chart_node *which,
                                const refer_scope *scope,
                                builtin_set *ret)
{
    builtin_set set, others;
    refer_scope many = *scope, one = *scope;
    many.many = many.any = true;
    match_query q;
    etna_code code = refer_things(r, node->children[0], &many, &set);
    if (code == ETNA_OK && phrase_is_modified_alone(which))
        return refer_modified_alone(r, which, &set, ret);
    if (code == ETNA_OK)
        code = phrase_query(r, which, &q);
    /* "along the wall, the biggest next to the ladder": of what is lined up */
    if (code == ETNA_OK && set.count == 1 && q.superlative)
        return refuse_unread(r, node);
    if (code == ETNA_OK)
        code = set_others(r, &set, &others);
    one.barred = &others;
    return code == ETNA_OK ? refer_things(r, which, &one, ret) : code;
}

/* "Into the tent, the football and the lamp": the tent is known, and neither of
 * these is it. */
static etna_code apposition_check(reader *r,
                                  const chart_node *node,
                                  const refer_scope *scope,
                                  const builtin_set *named)
{
    refer_scope all = *scope;
    builtin_set first;
    const reader before = *r;
    const etna_error why = *r->err;
    all.many = all.any = true;
    etna_code code = refer_things(r, node->children[0], &all, &first);
    *r = before;
    *r->err = why;
    if (code == ETNA_E_INPUT)
        return ETNA_OK; /* only the names say what it is */
    bool other = code == ETNA_OK && !set_is_within(named, &first);
    return other ? refuse_unread(r, node) : code;
}

/* "The lower glass plate (SecondGlass)", "the two bishops, Object_6 and
 * Object_9": the names say which. */
static etna_code refer_apposed(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    const chart_node *name = node_last_phrase(node);
    match_query q;
    if (phrase_narrows(r, name))
        return refer_narrowed(r, node, name, scope, ret);
    if (!phrase_is_names(r, name))
        return refuse_unread(r, node);
    if (phrase_has_noun(r, phrase_thing(node->children[0]), &q))
        refer_remember(r, &q, scope->movers);
    etna_code code = refer_things(r, name, scope, ret);
    return code == ETNA_OK ? apposition_check(r, node, scope, ret) : code;
}

/* "On which the coat was lying": before anything was moved. */
static bool phrase_is_past(const reader *r, const chart_node *node)
{
    static const char *const past[] = {"was", "were", "stood", "lay", "sat"};
    for (uint32_t at = node->first; at < node->end; at++) {
        if (WORD_IS_OF(reader_word(r, at), past))
            return true;
    }
    return false;
}

/* "The same shelf as the lamp": what that stands on, where the words may call
 * it so. */
static etna_code refer_base(reader *r,
                            const chart_node *node,
                            const refer_scope *scope,
                            builtin_set *ret)
{
    /* "the white one" is of what is moved */
    const refer_scope any = {.movers = true, .on = BUILTIN_NONE};
    const chart_node *what = node_things(node, 0);
    match_query q;
    uint32_t object;
    (void)scope;
    etna_code code = phrase_query(r, node, &q);
    if (code == ETNA_OK)
        code = refer_one(r, what, &any, &object);
    if (code != ETNA_OK)
        return code;
    const builtin_object *o = object_at(r, object);
    const bool once = phrase_is_past(r, node);
    const uint32_t *const by = once ? o->start_by : o->by;
    const uint32_t by_count = once ? o->start_by_count : o->by_count;
    const char *noun = q.count > 0 ? q.words[q.count - 1] : "";
    for (uint32_t i = 0; i < by_count; i++) {
        const bool levelled = q.count == 0 || builtin_is_level_noun(noun);
        const bool board = levelled && builtin_levels(r->facts, by[i]) > 0;
        if (!board && reader_match(r, by[i], &q).cost >= MATCH_NOT_HEAD)
            continue;
        *ret = set_one(r, by[i]);
        return ETNA_OK;
    }
    return reader_refuse(r, CODE_UNKNOWN, node,
                         "\"%s\": nothing called so bears it",
                         reader_said(r, node));
}

/* ---- all kinds ---- */

static const struct {
    const char *node;
    etna_code (*refer)(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret);
} phrases[] = {{"THING", refer_thing},
               {"PRON", refer_pronoun},
               {"AND", refer_all},
               {"EXCEPT", refer_except},
               {"BUTFOR", refer_except},
               {"NAMELY", refer_last},
               {"OWNED", refer_owned},
               {"OF", refer_part_of},
               {"QUOTED", refer_quoted},
               {"NOTBUT", refer_contrast},
               {"CORRECTED", refer_corrected},
               {"ALLOF", refer_all_of},
               {"OR", refer_any},
               {"APPOSED", refer_apposed},
               {"BASE", refer_base}};

/* What a phrase of any form means. What was brought in for this text is meant
 * before all else. */
etna_code refer_things(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret)
{
    const builtin_staged *came = staged_named(r, node);
    if (came) {
        *ret = (builtin_set){.count = came->count,
                             .objects = came->objects,
                             .need = came->count};
        return ETNA_OK;
    }
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        if (node_is(node, phrases[i].node))
            return phrases[i].refer(r, node, scope, ret);
    }
    return refuse_unread(r, node);
}

/* With the names of what it may be. */
static etna_code refuse_several(reader *r,
                                const chart_node *node,
                                const builtin_set *set)
{
    char names[REFER_NAMES_SIZE];
    candidates c;
    etna_code code = candidates_make(r, &c);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < set->count; i++)
        candidates_add(&c, set->objects[i], 0);
    refuse_names(r->facts, &c, names);
    return reader_refuse(
        r, CODE_AMBIGUOUS, node,
        "\"%s\" means %u things (%s), and a place is by one of them: say it for each",
        reader_said(r, node), set->count, names);
}

/* The same where only one thing makes sense. */
etna_code refer_one(reader *r,
                    const chart_node *node,
                    const refer_scope *scope,
                    uint32_t *ret)
{
    builtin_set set;
    etna_code code = refer_things(r, node, scope, &set);
    if (code != ETNA_OK)
        return code;
    bool one = set.count == 1 || (set.count > 1 && set.need == 1);
    if (!one)
        return refuse_several(r, node, &set);
    *ret = set.objects[0];
    return ETNA_OK;
}
