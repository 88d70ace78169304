/* "It", "them", "everything", "there": what was spoken of last, as a thing or as
 * a place, and all that stands somewhere. */
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

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
    uint32_t ground = BUILTIN_NONE;
    etna_code code = refer_peek_one(r, what, &place, &ground);
    return code == ETNA_OK && ground < r->facts->object_count &&
           object_is_ground(r, ground);
}

/* "Put the vase on the chest. What stands there now goes ...": where something
 * was just put. BUILTIN_NONE: that is not meant. */
static uint32_t everything_there(const reader *r, const chart_node *node)
{
    const builtin_move *const m = reader_last_move(r);
    if (!m || m->relation != RELATION_ON ||
        !node_lists(r, node, "refer: there"))
        return BUILTIN_NONE;
    return m->reference;
}

/* "Clear the desk: everything onto the shelf" is what stands on the desk. */
static refer_scope everything_scope(const reader *r,
                                    const chart_node *node,
                                    const refer_scope *scope)
{
    refer_scope all = *scope;
    bool bare = node->child_count <= 1 && scope->on == BUILTIN_NONE;
    if (bare && r->memory.context == BUILTIN_NONE)
        all.on = everything_there(r, node);
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

/* "Clear the desk except for the lamp. The stuff goes ...": left where it is. */
static bool candidate_is_kept(const void *context, uint32_t object)
{
    const reader *r = context;
    return set_has(&r->memory.kept, object);
}

/* "All but the plate. Everything else goes ...": what was left out. */
static bool candidate_is_spared(const void *context, uint32_t object)
{
    const reader *r = context;
    return set_has(&r->memory.spared, object) || candidate_is_kept(r, object);
}

static bool candidate_is_not_last(const void *context, uint32_t object)
{
    const reader *r = context;
    return !set_has(&r->memory.last, object);
}

/* "What you take away": what was told to leave a place just before. */
static etna_code refer_cleared(reader *r,
                               const chart_node *node,
                               builtin_set *ret)
{
    const builtin_move *const m = reader_last_move(r);
    if (!m || m->relation != RELATION_OFF)
        return reader_refuse(r, CODE_UNREAD, node,
                             "which things \"%s\" means is not said",
                             reader_said(r, node));
    *ret = m->objects;
    return ETNA_OK;
}

bool everything_is_the_rest(const reader *r, const chart_node *node)
{
    return node_lists(r, node, "refer: all else");
}

/* "everything on the table": only with some restriction; alone it would mean
 * the room. */
static etna_code refer_everything(reader *r,
                                  const chart_node *node,
                                  const refer_scope *given,
                                  builtin_set *ret)
{
    if (node_lists(r, node, "refer: cleared"))
        return refer_cleared(r, node, ret);
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
    candidates_select(&t.found, candidate_is_kept, r, false);
    if (node_lists(r, node, "refer: there"))
        candidates_prefer(&t.found, candidate_is_not_last, r);
    code = candidates_modify(r, node, &t.query, &t.found);
    if (code != ETNA_OK)
        return code;
    if (everything_is_the_rest(r, node)) {
        candidates_select(&t.found, candidate_is_placed, r, false);
        candidates_select(&t.found, candidate_is_spared, r, false);
    }
    if (place_is_ground(r, node, scope))
        candidates_prefer(&t.found, candidate_is_loose, r);
    bool restricted = node->child_count > 1 || scope->on != BUILTIN_NONE;
    /* "the tape on top of everything": on the pile that was made */
    const builtin_move *const pile = scope->movers ? NULL : pile_last(r);
    if (!restricted && pile) {
        *ret = set_one(r, pile->row[pile->row_count - 1]);
        return ETNA_OK;
    }
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

/* "The candles left and right of the vase, and move it to the middle": several
 * are no "it", unless they were made one thing or are in the hand; what they
 * stand by is, where it can be moved. */
static bool pronoun_is_of_place(const reader *r)
{
    const uint32_t as_one = BIT(RELATION_STACK) | BIT(RELATION_LINE) |
                            BIT(RELATION_GROUP) | BIT(RELATION_AROUND);
    const builtin_move *const m = reader_last_move(r);
    const uint32_t place = r->memory.last_reference;
    const bool whole = r->memory.last.need == r->memory.last.count;
    if (!m || !whole || r->memory.taken.count > 0 ||
        bit_is_in(m->relation, as_one | BIT(RELATION_OFF)))
        return false;
    return object_moves(r->facts, place) && !set_has(&r->memory.last, place);
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
        return !scope->movers || pronoun_is_of_place(r);
    return scope->barred && set_has(scope->barred, last->objects[0]);
}

/* BUILTIN_NONE: the clause has a verb, no pronoun told the place before, or it
 * is one of the movers (NULL: none are known). */
static uint32_t topic_recall(const reader *r, const builtin_set *movers)
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
        return reader_refuse_unclear(r, node);
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

/* "The red book next to the blue one, and stack them": what arranges speaks of
 * those that were brought there and of what they were brought to, where all are
 * of one kind. */
static bool pronoun_is_arranged(const reader *r, const chart_node *word)
{
    bool arranges = false;
    for (uint32_t at = word->first; at > 0 && !arranges; at--) {
        const char *const before = reader_word(r, at - 1);
        if (strcmp(before, "and") == 0 || strcmp(before, ",") == 0)
            break;
        lexicon_verb verb;
        const bool stacks =
            lexicon_find_verb(before, &verb) &&
            bit_is_in(verb, BIT(VERB_STACK) | BIT(VERB_LINE) | BIT(VERB_SPACE));
        arranges = stacks || lexicon_lists("$row_noun", before) ||
                   lexicon_lists("$row", before) || lexicon_arranges(before);
    }
    return arranges;
}

static bool memory_has_neighbour(const reader *r)
{
    const builtin_set *const last = &r->memory.last;
    const builtin_move *const m = reader_last_move(r);
    if (!m || last->count == 0 || !bit_is_in(m->relation, RELATIONS_ASIDE) ||
        m->reference >= r->facts->object_count || m->each.count > 0)
        return false;
    for (uint32_t i = 0; i < last->count; i++) {
        const uint32_t object = last->objects[i];
        if (!set_has(&m->objects, object) || object == m->reference ||
            kinds_id_distance(&r->kinds[object], &r->kinds[m->reference]) >=
                KINDS_STEP)
            return false;
    }
    return true;
}

static etna_code refer_with_neighbour(reader *r, builtin_set *ret)
{
    const builtin_set beside = set_one(r, reader_last_move(r)->reference);
    return set_union(r, &r->memory.last, &beside, ret);
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
    if (last->count == 0 || r->reading->count == 0)
        return BUILTIN_NONE;
    const builtin_move *m = &r->reading->moves[r->reading->count - 1];
    const bool upon = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool whole =
        m->objects.need == m->objects.count && m->objects.count == last->count;
    const bool two = upon && whole && m->each.count == 0 &&
                     set_is_within(&m->objects, last) &&
                     object_moves(r->facts, m->reference) &&
                     !builtin_is_covering(r->facts, m->reference);
    return two ? m->reference : BUILTIN_NONE;
}

static bool object_is_named_plural(const reader *r, uint32_t object)
{
    const char *noun = builtin_noun(object_at(r, object));
    return noun && match_is_plural_word(noun);
}

/* "The box over to the tulips, right next to them", "the knife in front of the
 * scales, the bowl behind them": of what the text speaks in the plural, though
 * it is one thing of the scene. */
static bool pronoun_means_plural_place(const reader *r,
                                       const refer_scope *scope)
{
    const uint32_t place = r->memory.last_reference;
    const builtin_set *last = &r->memory.last;
    const bool single =
        last->count == 1 && !object_is_named_plural(r, last->objects[0]);
    const bool own = last->count == 0 || single ||
                     (scope->barred && set_is_within(last, scope->barred));
    if (scope->movers || !own || place >= r->facts->object_count)
        return false;
    return object_is_named_plural(r, place);
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
                         !builtin_is_covering(r->facts, m->reference) &&
                         set_has(&m->objects, lowest);
        if (own && object_moves(r->facts, m->reference))
            lowest = m->reference;
    }
    return lowest;
}

bool memory_is_scattered(const reader *r)
{
    const uint32_t lowest = memory_lowest(r);
    for (uint32_t i = 0; i < r->reading->count; i++) {
        const uint32_t place = r->reading->moves[i].reference;
        if (place != lowest && !reading_moves(r->reading, 0, place))
            return true;
    }
    return false;
}

/* "The lot", "all of it": of what was piled up one by one, all. */
static bool pronoun_wants_lot(const reader *r, const chart_node *word)
{
    return r->memory.last.count > 0 && word->end > word->first + 1 &&
           reader_lists(r, word->end - 1, "refer: lot");
}

/* "Wheel it over": what has wheels, and not its load. */
static bool pronoun_is_wheeled(const reader *r, const chart_node *word)
{
    return word->first > 0 && reader_lists(r, word->first - 1, "refer: wheels");
}

/* "The keys into the bowl and that onto the shelf": the bowl, which the keys
 * were put into. BUILTIN_NONE: it means what "it" does. */
static uint32_t pronoun_points_at_bearer(const reader *r,
                                         const chart_node *word,
                                         const refer_scope *scope)
{
    const bool points = word && (reader_word_is(r, word->first, "that") ||
                                 pronoun_is_wheeled(r, word));
    const bool one = r->memory.last.count == 1;
    return points && one && scope->movers ? memory_bearer(r) : BUILTIN_NONE;
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
    return r->memory.last.count == 1 &&
           (reader_word_is(r, word->first, "both") ||
            reader_word_is(r, word->end - 1, "both"));
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

static void refer_any_of_last(reader *r, builtin_set *ret)
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

/* The place that a remark told, or what it said a thing is too near to;
 * BUILTIN_NONE: it told none. */
static uint32_t memory_told_place(const reader *r)
{
    const uint32_t near = r->memory.complained - 1;
    if (r->memory.told_at > 0)
        return r->memory.told_at - 1;
    return r->memory.complained > 0 && near < r->facts->object_count
               ? near
               : BUILTIN_NONE;
}

/* "The chairs at the table are too far out. Move them up to it": no other one
 * thing was spoken of than where these are. */
static bool pronoun_means_told_place(const reader *r, const refer_scope *scope)
{
    const builtin_set *last = &r->memory.last;
    const uint32_t place = memory_told_place(r);
    const bool other = last->count == 1 &&
                       !(scope->barred && set_is_within(last, scope->barred));
    const bool known = place != BUILTIN_NONE && !object_is_ground(r, place);
    if (!known || scope->movers || other)
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

/* "The paper on the side table, that's where the mug goes": where something was
 * just put, and not that. */
static uint32_t pronoun_put_on(const reader *r, const refer_scope *scope)
{
    if (scope->movers || r->reading->count == r->first_move)
        return BUILTIN_NONE;
    const builtin_move *const m = &r->reading->moves[r->reading->count - 1];
    const bool put = m->relation == RELATION_ON || m->relation == RELATION_IN;
    const bool same =
        set_is_within(&r->memory.last, &m->objects) && r->memory.last.count > 0;
    return put && same && m->reference < r->facts->object_count ? m->reference
                                                                : BUILTIN_NONE;
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
    if (that && pronoun_put_on(r, scope) != BUILTIN_NONE)
        return pronoun_put_on(r, scope);
    return that && memory_bared(r) != BUILTIN_NONE ? memory_bared(r)
                                                   : pronoun_bared(r, scope);
}

/* "Take the lid off the pot and lay it beside it": as a place of what is in the
 * hand, what it was taken off. */
static bool pronoun_means_origin(const reader *r, const refer_scope *scope)
{
    const builtin_set *const taken = &r->memory.taken;
    const uint32_t origin = r->memory.context;
    return !scope->movers && scope->barred && taken->count > 0 &&
           set_is_within(scope->barred, taken) &&
           origin < r->facts->object_count && !object_is_ground(r, origin);
}

/* "The table and the stool beside it": the part of the list before. What is on
 * it goes along anyway. */
static bool pronoun_means_conjunct(const reader *r,
                                   const chart_node *node,
                                   const refer_scope *scope)
{
    const builtin_set *conjunct = &r->memory.conjunct;
    const bool load =
        node->first > 0 && reader_lists(r, node->first - 1, "stage: onto");
    return !scope->movers && !load && conjunct->count == 1 &&
           !(scope->barred && set_is_within(conjunct, scope->barred));
}

/* What "it" means by what the text told of one thing besides moving it. False:
 * it told nothing such. */
static bool pronoun_finds_told(reader *r,
                               const chart_node *node,
                               const refer_scope *scope,
                               builtin_set *ret)
{
    if (pronoun_means_spared(r, scope))
        *ret = r->memory.spared;
    else if (pronoun_means_single(r, node, scope))
        *ret = r->memory.single;
    else if (pronoun_means_conjunct(r, node, scope))
        *ret = r->memory.conjunct;
    else if (pronoun_means_any(r, scope))
        refer_any_of_last(r, ret);
    else if (pronoun_means_moving(r, scope))
        *ret = r->moving;
    else if (pronoun_means_told_place(r, scope))
        *ret = set_one(r, memory_told_place(r));
    else if (pronoun_means_origin(r, scope))
        *ret = set_one(r, r->memory.context);
    else
        return false;
    return true;
}

/* What the last place is by; of the ground what it was taken off, or cleared
 * from. BUILTIN_NONE: nothing is by the ground. */
static uint32_t pronoun_place(const reader *r, const refer_scope *scope)
{
    if (!pronoun_means_ground(r, scope))
        return r->memory.last_reference;
    const bool comes_from_there =
        set_is_within(scope->barred, &r->memory.taken) ||
        set_is_within(scope->barred, &r->memory.last);
    return comes_from_there ? r->memory.context : BUILTIN_NONE;
}

etna_code refer_lot(reader *r, builtin_set *ret)
{
    etna_code code = ETNA_OK;
    *ret = r->memory.last;
    for (uint32_t i = 0; i < r->reading->count && code == ETNA_OK; i++) {
        const builtin_set *moved = &r->reading->moves[i].objects;
        if (moved->need == moved->count)
            code = set_union(r, ret, moved, ret);
    }
    return code;
}

/* "Spread the cloth on the table and set the table's plate on it": nothing is put
 * where it stands, but on what came there just before. */
uint32_t it_stands_upon(const reader *r, const builtin_set *movers)
{
    const builtin_move *const m = reader_last_move(r);
    const uint32_t place = r->memory.last_reference;
    if (!m || m->relation != RELATION_ON || m->reference != place ||
        m->objects.count != 1 || set_has(movers, m->objects.objects[0]))
        return place;
    for (uint32_t i = 0; i < movers->count; i++) {
        if (!builtin_stands_on(r->facts, movers->objects[i], place))
            return place;
    }
    return movers->count > 0 ? m->objects.objects[0] : place;
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
        return reader_refuse_unread(r, node);
    /* "sack 2 on top of it, sack 3 on top of that" */
    const chart_node *const word = phrase_pronoun(node);
    const bool goes_on =
        !scope->movers && word && !reader_word_is(r, word->first, "that");
    const uint32_t topic =
        goes_on ? topic_recall(r, scope->barred) : BUILTIN_NONE;
    if (bared != BUILTIN_NONE || topic != BUILTIN_NONE) {
        *ret = set_one(r, bared != BUILTIN_NONE ? bared : topic);
        return ETNA_OK;
    }
    if (pronoun_finds_told(r, node, scope, ret))
        return ETNA_OK;
    if (!pronoun_means_reference(r, scope))
        return pronoun_recall(r, node, scope, scope->movers, ret);
    const uint32_t place = pronoun_place(r, scope);
    if (place == BUILTIN_NONE)
        return pronoun_recall(r, node, scope, scope->movers, ret);
    *ret = set_one(r, place);
    return ETNA_OK;
}

/* Of a pronoun's things those that what stands behind it tells; none is refused:
 * "it with the jug" is no thing that has one. */
static etna_code pronoun_modify(reader *r,
                                const chart_node *node,
                                candidates *found,
                                builtin_set *ret)
{
    match_query q = {0};
    etna_code code = candidates_of_set(r, ret, found);
    if (code == ETNA_OK)
        code = candidates_modify(r, node, &q, found);
    if (code == ETNA_OK && found->count == 0)
        code = refuse_unknown(r, node, found);
    return code;
}

/* "The slippers beside the bed: he sleeps left": no thing of the scene sleeps,
 * but a doll or a dog is spoken of so. */
static bool pronoun_is_of_nobody_here(const reader *r,
                                      const chart_node *node,
                                      const builtin_set *things)
{
    if (!reader_lists(r, node->first, "told: of the living"))
        return false;
    for (uint32_t i = 0; i < things->count; i++) {
        if (!object_is_of(r, things->objects[i], NOUNS_LIVING))
            return true;
    }
    return false;
}

/* The same; what a place is by stays the topic of the clauses without a verb
 * that follow. */
static etna_code refer_it_noted(reader *r,
                                const chart_node *node,
                                const refer_scope *scope,
                                builtin_set *ret)
{
    candidates found;
    etna_code code = refer_it(r, node, scope, ret);
    if (code == ETNA_OK && phrase_is_modified(node))
        code = pronoun_modify(r, node, &found, ret);
    if (code == ETNA_OK && pronoun_is_of_nobody_here(r, node, ret))
        return reader_refuse_said(r, CODE_UNREAD, node,
                                  "who that is is not clear");
    if (code == ETNA_OK && !scope->movers && ret->count == 1)
        topic_note(r, ret->objects[0]);
    return code;
}

/* Of "both" and "the lot": what bears the others, which go along. BUILTIN_NONE:
 * the words say neither, or nothing does. */
static uint32_t pronoun_bearer_of_all(const reader *r, const chart_node *word)
{
    if (pronoun_wants_two(r, word))
        return memory_bearer(r);
    const bool piled = pronoun_wants_lot(r, word) && !memory_is_scattered(r);
    return piled ? memory_lowest(r) : BUILTIN_NONE;
}

/* "Cup 1 left of the jug, cup 2 right of it, both on the tray": the two that the
 * text moved one by one. Empty: it moved no such two. */
static etna_code refer_both_moved(reader *r, builtin_set *ret)
{
    builtin_set both = {0};
    bool plain = true;
    etna_code code = ETNA_OK;
    *ret = both;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        plain = plain && m->objects.count == 1 &&
                !reading_moves(r->reading, r->first_move, m->reference);
        if (code == ETNA_OK)
            code = set_union(r, &both, &m->objects, &both);
    }
    if (code == ETNA_OK && plain && both.count == 2)
        *ret = both;
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
    const uint32_t bearer =
        scope->movers ? pronoun_bearer_of_all(r, word) : BUILTIN_NONE;
    if (pronoun_means_plural_place(r, scope)) {
        *ret = set_one(r, r->memory.last_reference);
        return ETNA_OK;
    }
    if (bearer != BUILTIN_NONE) {
        *ret = set_one(r, bearer);
        return ETNA_OK;
    }
    /* "the vase left of the mug, the books behind both": behind two things;
     * where one lies on the other, on top of both is on the upper one */
    const builtin_move *const last = reader_last_move(r);
    const bool piled = last && bit_is_in(last->relation, RELATIONS_UPON);
    if (!scope->movers && !piled && pronoun_wants_two(r, word))
        return reader_refuse_finally(r, reader_refuse_unclear(r, node));
    if (wants_two && !of_two) {
        const etna_code code = refer_both_moved(r, ret);
        return code == ETNA_OK && ret->count == 0
                   ? reader_refuse_unclear(r, node)
                   : code;
    }
    if (scope->movers && pronoun_wants_lot(r, word) && memory_is_scattered(r))
        return refer_lot(r, ret);
    if (scope->movers && memory_has_neighbour(r) &&
        pronoun_is_arranged(r, word))
        return refer_with_neighbour(r, ret);
    if (!scope->movers || !of_two)
        return pronoun_recall(r, node, scope, true, ret);
    return refer_both_of_last(r, ret);
}

/* "The plates: the two on the table": those of them that are there, as many as
 * are said. */
static etna_code refer_some_of_them(reader *r,
                                    const chart_node *node,
                                    const chart_node *word,
                                    const refer_scope *scope,
                                    builtin_set *ret)
{
    candidates found;
    etna_code code = refer_them(r, node, word, scope, ret);
    if (code == ETNA_OK && phrase_is_modified(node))
        code = pronoun_modify(r, node, &found, ret);
    if (code != ETNA_OK || !phrase_is_modified(node))
        return code;
    const uint32_t number = lexicon_number(reader_word(r, word->end - 1));
    if (number > 1 && number != found.count)
        return refuse_count(r, CODE_UNKNOWN, node, number, found.count, &found);
    return candidates_set(r, &found, found.count, ret);
}

bool there_is_of_several(const reader *r, uint32_t first)
{
    uint32_t from = 0, places = 0;
    if (first > r->first_move)
        return false;
    for (uint32_t i = 0; i < r->s->part_count; i++) {
        if (r->s->parts[i].end <= r->part->first)
            from = r->s->parts[i].first;
    }
    for (uint32_t at = from; at < r->part->first; at++) {
        const char *const word = r->s->tokens[at].text;
        places += lexicon_lists("told: leads", word) && strcmp(word, "to") != 0;
        if (lexicon_lists("$between", word))
            return true;
    }
    return places > 1;
}

/* "Stack the plates and put the bowl on top of them": on the pile that was made;
 * BUILTIN_NONE: they are none, or nothing goes onto them. */
static uint32_t them_as_pile(const reader *r,
                             const chart_node *node,
                             const refer_scope *scope)
{
    const builtin_set *const last = &r->memory.last;
    const builtin_move *const pile = scope->movers ? NULL : pile_last(r);
    bool onto = false;
    for (uint32_t back = 1; back <= 2 && back <= node->first; back++)
        onto = onto || reader_lists(r, node->first - back, "stage: onto");
    if (!pile || !onto || last->count < 2 || pile != reader_last_move(r) ||
        !set_is_within(last, &pile->objects))
        return BUILTIN_NONE;
    return pile->row[pile->row_count - 1];
}

/* By what was last spoken of, as a thing or as a place. */
etna_code refer_pronoun(reader *r,
                        const chart_node *node,
                        const refer_scope *scope,
                        builtin_set *ret)
{
    const chart_node *word = phrase_pronoun(node);
    if (!word)
        word = chart_child(node, "$what");
    if (!word)
        word = chart_child(node, "$everything");
    const uint32_t top = word && word->value == PRON_THEM
                             ? them_as_pile(r, node, scope)
                             : BUILTIN_NONE;
    if (top != BUILTIN_NONE) {
        *ret = set_one(r, top);
        return ETNA_OK;
    }
    switch (word ? word->value : 0) {
    case PRON_EVERYTHING: return refer_everything(r, node, scope, ret);
    case PRON_IT:
    case PRON_HERE: return refer_it_noted(r, node, scope, ret);
    case PRON_THEM: return refer_some_of_them(r, node, word, scope, ret);
    default:
        return reader_refuse(r, CODE_UNREAD, node,
                             "\"%s\" is not understood here",
                             reader_said(r, node));
    }
}
