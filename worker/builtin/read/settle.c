/* Moves of one text that say one thing together: "the chairs to the table, tuck
 * them in" is one way to stand, and so is "the plates on the table, one in
 * front of each chair". Judged apart they would ask for more than was said. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/reader.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

static bool relation_is_aside(builtin_relation relation)
{
    const uint32_t aside = BIT(RELATION_LEFT) | BIT(RELATION_RIGHT) |
                           BIT(RELATION_FRONT) | BIT(RELATION_BEHIND) |
                           BIT(RELATION_BESIDE);
    return bit_is_in(relation, aside);
}

static bool move_has_place(const builtin_move *m)
{
    bool in_place = m->relation == RELATION_TURN ||
                    m->relation == RELATION_TURNED ||
                    m->relation == RELATION_SHIFT;
    return !in_place && m->relation != RELATION_SWAP &&
           m->relation != RELATION_OFF;
}

/* "The ladder is by the door, put it by the plant": where it was told to be is
 * no wish. */
static bool move_overrules(const builtin_move *later,
                           const builtin_move *earlier)
{
    return move_has_place(later) && move_has_place(earlier) &&
           set_is_within(&earlier->objects, &later->objects);
}

/* "The ladder is by the door, put it by the plant": the first is context, where
 * it is so. Of two that are told, one that is not so may be a wish. */
static bool move_is_context(const builtin_move *later,
                            const builtin_move *earlier)
{
    if (earlier->told == TOLD_NOT || !move_overrules(later, earlier))
        return false;
    return earlier->told == TOLD_SO || later->told == TOLD_NOT;
}

/* Who tells what is not so has something else in mind. */
static etna_code move_refuse_untrue(reader *r, const builtin_move *told)
{
    const uint32_t longest = 160; /* bytes */
    const uint32_t size = told->span[1] - told->span[0];
    etna_code code = reader_refuse(
        r, CODE_UNMET, NULL, "\"%.*s\": that is not how it stands",
        (int)(size < longest ? size : longest), r->text + told->span[0]);
    r->refusal.from = told->span[0];
    r->refusal.to = told->span[1];
    return code;
}

/* "Two of the chairs around the table: the red and the blue one, facing it":
 * these are the two. */
static void move_names(const builtin_move *later, builtin_move *earlier)
{
    const builtin_set *some = &earlier->objects;
    const builtin_set *named = &later->objects;
    bool turned =
        later->relation == RELATION_TURNED && later->reference == BUILTIN_NONE;
    bool as_many = some->need < some->count && named->count == some->need &&
                   named->need == named->count;
    if (turned && as_many && set_is_within(named, some))
        earlier->objects = *named;
}

/* "The green ball to the orange one, put them together": one group. */
static bool move_groups_again(const builtin_move *later,
                              const builtin_move *earlier)
{
    const bool both = later->relation == RELATION_GROUP &&
                      earlier->relation == RELATION_GROUP;
    if (!both || later->reference != BUILTIN_NONE ||
        !set_has(&later->objects, earlier->reference))
        return false;
    return set_is_within(&earlier->objects, &later->objects);
}

/* "Sort the blocks: red and green to the left": which goes to a place of its
 * own is not with the others. */
static bool move_parts_group(const builtin_move *later,
                             const builtin_move *earlier)
{
    const bool together = earlier->relation == RELATION_GROUP &&
                          earlier->reference == BUILTIN_NONE &&
                          earlier->support == BUILTIN_NONE;
    return together && move_has_place(later) &&
           later->relation != RELATION_GROUP &&
           later->relation != RELATION_BETWEEN &&
           later->objects.need == later->objects.count &&
           later->objects.count < earlier->objects.count &&
           !set_is_within(&earlier->objects, &later->objects);
}

/* "Clear the desk: the clock to the shelf": what goes to a place of its own is
 * not to go anywhere. */
static bool move_places_cleared(const builtin_move *later,
                                const builtin_move *earlier)
{
    const bool whole = later->objects.need == later->objects.count &&
                       earlier->objects.need == earlier->objects.count;
    if (earlier->relation != RELATION_OFF || !whole || !move_has_place(later))
        return false;
    return later->reference != earlier->reference &&
           later->support != earlier->reference;
}

/* Are these among what it moves, and that among the places for each? */
static bool move_has_pair(const builtin_move *m,
                          const builtin_set *things,
                          uint32_t place)
{
    return set_is_within(things, &m->objects) && set_has(&m->each, place);
}

/* "Both cups on the saucers, the left one on the left one": the other cup gets
 * what is left of these. */
static etna_code move_share(reader *r,
                            const builtin_move *later,
                            builtin_move *earlier)
{
    const bool one = later->objects.count == 1 && later->each.count == 0 &&
                     later->relation == earlier->relation;
    if (!one || earlier->each.count < 2 || earlier->objects.count < 2)
        return ETNA_OK;
    if (!move_has_pair(earlier, &later->objects, later->reference))
        return ETNA_OK;
    const builtin_set place = set_one(r, later->reference);
    etna_code code =
        set_without(r, &earlier->objects, &later->objects, &earlier->objects);
    if (code == ETNA_OK)
        code = set_without(r, &earlier->each, &place, &earlier->each);
    if (code != ETNA_OK)
        return code;
    earlier->reference = earlier->each.objects[0];
    /* "a book on each box, the black one on the largest": of the others so many
     * are left to go anywhere */
    if (earlier->objects.need < earlier->objects.count &&
        earlier->objects.need > earlier->each.count)
        earlier->objects.need = earlier->each.count;
    if (earlier->each.count == 1)
        earlier->each = (builtin_set){0};
    return ETNA_OK;
}

/* "Turn the chair to the window and put it by the desk": the turn is how it is
 * to stand there. */
static bool move_takes_turn(builtin_move *later, const builtin_move *earlier)
{
    if (earlier->relation != RELATION_TURNED || earlier->objects.count != 1)
        return false;
    if (later->objects.count != 1 ||
        !set_is_within(&later->objects, &earlier->objects))
        return false;
    if (!move_has_place(later) || later->facing != FACING_NONE)
        return false;
    later->facing = earlier->facing;
    later->faced = earlier->faced;
    return true;
}

/* "Push the chair up to the table and turn it to face that": how it is to stand
 * there tells where there. The turn stays, and holds then. */
static void move_gives_turn(const builtin_move *later, builtin_move *earlier)
{
    const bool one = later->relation == RELATION_TURNED &&
                     later->objects.count == 1 && earlier->objects.count == 1;
    if (!one || !set_is_within(&later->objects, &earlier->objects))
        return;
    const bool by = bit_is_in(earlier->relation,
                              BIT(RELATION_BESIDE) | BIT(RELATION_AGAINST));
    if (!by || earlier->facing != FACING_NONE ||
        earlier->reference != later->faced || later->facing == FACING_NONE)
        return;
    earlier->facing = later->facing;
    earlier->faced = later->faced;
}

/* Can it be said of it by itself on what it stands? "They look better side by
 * side" is on the shelf where they were put just before. */
static bool relation_leaves_support(builtin_relation relation)
{
    const uint32_t of_many =
        1u << RELATION_LINE | 1u << RELATION_STACK | 1u << RELATION_GROUP;
    return relation_is_aside(relation) || (of_many >> relation & 1);
}

/* "Put the cup on the table, left of the plate": the table is what it is to
 * stand on there. */
static bool move_takes_support(builtin_move *later, const builtin_move *earlier)
{
    const bool stands =
        earlier->relation == RELATION_ON && earlier->each.count == 0;
    const bool is_open =
        later->support == BUILTIN_NONE && later->also_count == 0;
    if (!stands || !is_open || !relation_leaves_support(later->relation))
        return false;
    if (later->reference == earlier->reference)
        return false; /* on it and beside it: not both can be meant */
    later->support = earlier->reference;
    later->level = earlier->level;
    return true;
}

/* May a pile as a whole be told to go where the move says? Then each place that
 * is told is the pile's. */
static bool move_tells_whole_place(const builtin_move *m)
{
    const uint32_t places = BIT(RELATION_ON) | BIT(RELATION_BETWEEN) |
                            BIT(RELATION_AGAINST) | BIT(RELATION_MIDDLE) |
                            BIT(RELATION_CORNER) | BIT(RELATION_EDGE);
    const bool is_place =
        relation_is_aside(m->relation) || bit_is_in(m->relation, places);
    return is_place && m->each.count == 0 && m->facing == FACING_NONE;
}

/* What the move says of a place, beside what it stands on, as conditions of a
 * pile. */
static etna_code move_keep_places(reader *r, builtin_move *m)
{
    const builtin_condition own = {.relation = m->relation,
                                   .reference = m->reference,
                                   .second = m->second,
                                   .sides = m->sides,
                                   .gap = m->gap,
                                   .bound = m->bound};
    if (m->relation != RELATION_ON)
        return move_add_condition(r, m, own);
    m->support = m->reference;
    return ETNA_OK;
}

/* "Make a pile of the books, and put it on the desk beside the lamp": the pile
 * is made there, and no book stands beside the lamp by itself. `later` is
 * changed then. */
static etna_code move_takes_pile(reader *r,
                                 builtin_move *later,
                                 const builtin_move *earlier,
                                 bool *ret)
{
    const bool is_open = earlier->relation == RELATION_STACK &&
                         earlier->support == BUILTIN_NONE &&
                         earlier->also_count == 0;
    const bool same = set_is_within(&later->objects, &earlier->objects) &&
                      set_is_within(&earlier->objects, &later->objects);
    *ret = is_open && same && move_tells_whole_place(later);
    if (!*ret)
        return ETNA_OK;
    etna_code code = move_keep_places(r, later);
    if (code != ETNA_OK)
        return code;
    later->relation = RELATION_STACK;
    later->reference = earlier->reference;
    later->second = earlier->second;
    later->sides = earlier->sides;
    later->gap = earlier->gap;
    later->bound = earlier->bound;
    later->objects = earlier->objects;
    later->order = earlier->order;
    later->row = earlier->row;
    later->row_count = earlier->row_count;
    return ETNA_OK;
}

/* Does the later move take the earlier one in? `later` is changed then. */
static bool move_absorbs(builtin_move *later, const builtin_move *earlier)
{
    const bool part = set_is_within(&later->objects, &earlier->objects);
    const bool same = part && later->objects.count == earlier->objects.count;
    const bool one_place = earlier->reference == later->reference;
    if (move_takes_turn(later, earlier) || move_groups_again(later, earlier))
        return true;
    if (later->relation == RELATION_TUCK)
        return part && one_place &&
               bit_is_in(earlier->relation,
                         BIT(RELATION_BESIDE) | BIT(RELATION_TOWARD));
    if (later->relation == RELATION_SETTING && earlier->relation == RELATION_ON)
        return same && one_place;
    return same && move_takes_support(later, earlier);
}

/* "The books in the bookcase, the red one on the table": which goes to a place
 * of its own is none of those. */
static bool move_takes_out(const builtin_move *later,
                           const builtin_move *earlier)
{
    const uint32_t upon = 1u << RELATION_ON | 1u << RELATION_IN;
    const bool both =
        (upon >> later->relation & 1) && (upon >> earlier->relation & 1);
    const bool whole = earlier->objects.need == earlier->objects.count &&
                       later->objects.need == later->objects.count;
    if (!both || !whole || later->objects.count >= earlier->objects.count)
        return false;
    if (later->each.count > 0 || earlier->each.count > 0)
        return false;
    const bool elsewhere = later->reference != earlier->reference ||
                           later->level != earlier->level;
    return elsewhere && set_is_within(&later->objects, &earlier->objects);
}

/* Is each of the things tucked in or otherwise taken on by a move from `from`
 * on? */
static bool move_is_spread(const builtin_reading *reading,
                           const builtin_move *earlier,
                           uint32_t from)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < earlier->objects.count; k++) {
        for (uint32_t i = from; i < reading->count; i++) {
            const builtin_move *m = &reading->moves[i];
            bool own = m->relation == RELATION_TUCK &&
                       m->reference == earlier->reference;
            if (!own || !set_has(&m->objects, earlier->objects.objects[k]))
                continue;
            found++;
            break;
        }
    }
    return found == earlier->objects.count;
}

void move_drop(reader *r, uint32_t at)
{
    builtin_reading *reading = r->reading;
    memmove(&reading->moves[at], &reading->moves[at + 1],
            (reading->count - 1 - at) * sizeof reading->moves[0]);
    reading->count--;
    if (r->memory.ordered > at)
        r->memory.ordered--;
    if (r->memory.table > at)
        r->memory.table--;
}

/* As move_absorbs, but for moves that tuck in: each takes on a seat, and only
 * together may they take the place of the earlier one (move_is_tucked). */
static bool move_takes_on(builtin_move *later, const builtin_move *earlier)
{
    return later->relation != RELATION_TUCK && move_absorbs(later, earlier);
}

/* "Two of the towels on the shelf and the third on the rail": the two are
 * others than the third, if there are so many. */
static bool move_takes_one_of(const builtin_move *later,
                              const builtin_move *earlier)
{
    const builtin_set *some = &earlier->objects;
    const builtin_set *fixed = &later->objects;
    const bool whole = fixed->need == fixed->count;
    if (some->need >= some->count || !whole || !set_is_within(fixed, some))
        return false;
    const bool elsewhere = later->relation != earlier->relation ||
                           later->reference != earlier->reference;
    return elsewhere && move_has_place(later) && move_has_place(earlier) &&
           some->count - fixed->count >= some->need;
}

/* Does the later one take things out of the earlier one? */
static bool move_takes_things(const builtin_move *later,
                              const builtin_move *earlier)
{
    return move_takes_out(later, earlier) ||
           move_takes_one_of(later, earlier) ||
           move_places_cleared(later, earlier) ||
           move_parts_group(later, earlier);
}

/* Nothing is left of it, or but one thing to be put together. */
static bool move_is_left_empty(const builtin_move *m)
{
    const bool together =
        m->relation == RELATION_GROUP && m->reference == BUILTIN_NONE;
    return m->objects.count < (together ? 2u : 1u);
}

/* "All of them on ice, two on each tray": which goes on which is told then. */
static bool move_is_dealt(const builtin_move *later,
                          const builtin_move *earlier)
{
    const bool same = later->relation == earlier->relation &&
                      set_has(&later->each, earlier->reference);
    return same && earlier->each.count == 0 && earlier->also_count == 0 &&
           set_is_within(&earlier->objects, &later->objects) &&
           later->objects.need * later->each.count >= earlier->objects.need;
}

/* What the moves from `from` on leave of the one at `at`; *ret_drop: it goes. */
static etna_code move_settle(reader *r,
                             uint32_t at,
                             uint32_t from,
                             bool *ret_drop)
{
    builtin_reading *reading = r->reading;
    builtin_move *earlier = &reading->moves[at];
    *ret_drop = false;
    for (uint32_t k = from; k < reading->count && !*ret_drop; k++) {
        builtin_move *later = &reading->moves[k];
        move_names(later, earlier);
        move_gives_turn(later, earlier);
        etna_code code = move_share(r, later, earlier);
        if (code == ETNA_OK && move_takes_things(later, earlier))
            code = set_without(r, &earlier->objects, &later->objects,
                               &earlier->objects);
        if (code != ETNA_OK)
            return code;
        const bool context = move_is_context(later, earlier);
        if (context && earlier->told == TOLD_UNTRUE)
            return move_refuse_untrue(r, earlier);
        bool piled = false;
        code = move_takes_pile(r, later, earlier, &piled);
        if (code != ETNA_OK)
            return code;
        *ret_drop = context || piled || move_is_left_empty(earlier) ||
                    move_takes_on(later, earlier) ||
                    move_is_dealt(later, earlier);
    }
    return ETNA_OK;
}

/* Seats that are tucked in one by one: those moves say all of it. */
static bool move_is_tucked(builtin_reading *reading,
                           const builtin_move *earlier,
                           uint32_t from)
{
    if (from >= reading->count)
        return false;
    builtin_move *first = &reading->moves[from];
    return first->relation == RELATION_TUCK && move_absorbs(first, earlier) &&
           move_is_spread(reading, earlier, from);
}

/* "Bring the towel to the shelf. It is lying on the mat": nothing stands on both,
 * so what is told behind the wish is how things stand. */
static bool move_is_told_behind(const builtin_move *later,
                                const builtin_move *earlier)
{
    const uint32_t upon = RELATIONS_UPON;
    const bool both = bit_is_in(earlier->relation, upon) &&
                      bit_is_in(later->relation, upon) &&
                      earlier->reference != later->reference;
    return both && earlier->told == TOLD_NOT && later->told != TOLD_NOT &&
           set_is_within(&later->objects, &earlier->objects);
}

/* Where it is not so, "the red one is on the blue one" is wished for; of the
 * ground nobody says that. */
static etna_code move_settle_behind(reader *r,
                                    uint32_t at,
                                    uint32_t from,
                                    bool *ret_drop)
{
    const builtin_move *const later = &r->reading->moves[at];
    *ret_drop = false;
    for (uint32_t i = r->first_move; i < from && !*ret_drop; i++)
        *ret_drop = move_is_told_behind(later, &r->reading->moves[i]);
    if (!*ret_drop || later->told == TOLD_SO)
        return ETNA_OK;
    *ret_drop = false;
    const bool ground = later->reference < r->facts->object_count &&
                        object_is_ground(r, later->reference);
    return ground ? move_refuse_untrue(r, later) : ETNA_OK;
}

static etna_code moves_settle_behind(reader *r, uint32_t from)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = from; i < r->reading->count && code == ETNA_OK;) {
        bool drop = false;
        code = move_settle_behind(r, i, from, &drop);
        if (drop)
            move_drop(r, i);
        else
            i++;
    }
    return code;
}

/* What a later clause says again, takes out or overrules is dropped from
 * earlier moves. */
etna_code moves_settle(reader *r, uint32_t from)
{
    const etna_code behind = moves_settle_behind(r, from);
    if (behind != ETNA_OK)
        return behind;
    for (uint32_t i = r->first_move; i < from;) {
        bool drop = false;
        etna_code code = move_settle(r, i, from, &drop);
        if (code != ETNA_OK)
            return code;
        const bool tucked =
            move_is_tucked(r->reading, &r->reading->moves[i], from);
        if (!drop && !tucked) {
            i++;
            continue;
        }
        move_drop(r, i);
        from--;
    }
    return ETNA_OK;
}

/* "The towel is on the rail. Put the soap beside it", where it is not: neither
 * is it known what stands where, nor that it is a wish. */
etna_code moves_check_told(reader *r)
{
    const builtin_reading *reading = r->reading;
    bool asks = false;
    for (uint32_t i = reading->count; i > r->first_move; i--) {
        const builtin_move *m = &reading->moves[i - 1];
        if (asks && m->told == TOLD_UNTRUE)
            return move_refuse_untrue(r, m);
        asks = asks || m->told == TOLD_NOT;
    }
    return ETNA_OK;
}

/* Is the word in the span of the move? */
static bool move_says(const reader *r, const builtin_move *m, const char *word)
{
    for (uint32_t i = 0; i < r->s->token_count; i++) {
        const sentence_token *t = &r->s->tokens[i];
        if (t->at >= m->span[0] && t->end <= m->span[1] &&
            strcmp(t->text, word) == 0)
            return true;
    }
    return false;
}

/* Where in a move's conditions a thing's place is: BUILTIN_NONE: in none. */
static uint32_t move_find_place_of(const builtin_move *m)
{
    for (uint32_t i = 0; i < m->also_count; i++) {
        if (m->also[i].relation == RELATION_PLACE)
            return i;
    }
    return BUILTIN_NONE;
}

/* What is to leave its place to the things, beside what else is said of where:
 * BUILTIN_NONE: nothing is. */
static uint32_t move_find_leaving(const builtin_move *m)
{
    const bool also_told = m->also_count > 0 ||
                           (m->support != BUILTIN_NONE && m->there.count == 0);
    const uint32_t at = move_find_place_of(m);
    if (m->relation == RELATION_PLACE && also_told)
        return m->reference;
    return at == BUILTIN_NONE ? BUILTIN_NONE : m->also[at].reference;
}

/* "Before the dryer instead of the basin": by which all of them stand now. */
static bool move_comes_from(const reader *r, const builtin_move *m, uint32_t by)
{
    const double close_m = 0.5;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t object = m->objects.objects[i];
        if (where_between(object_at(r, object), object_at(r, by)) > close_m)
            return false;
    }
    return m->objects.count > 0;
}

static etna_code move_drop_condition(reader *r, builtin_move *m, uint32_t at)
{
    builtin_condition *const left =
        etna_arena_memdup(r->arena, m->also, m->also_count * sizeof *m->also);
    if (!left)
        return reader_no_memory(r);
    left[at] = left[m->also_count - 1];
    m->also = left;
    m->also_count--;
    return ETNA_OK;
}

/* "On the table instead of the lamp", which nothing takes from there. */
static etna_code move_check_instead(reader *r, builtin_move *m)
{
    const uint32_t leaves = move_find_leaving(m);
    const uint32_t at = move_find_place_of(m);
    if (leaves >= r->facts->object_count ||
        reading_moves(r->reading, 0, leaves) || !move_says(r, m, "instead"))
        return ETNA_OK;
    if (at != BUILTIN_NONE && move_comes_from(r, m, leaves))
        return move_drop_condition(r, m, at);
    return reader_refuse(r, CODE_UNREAD, NULL,
                         "where %.120s is to go instead is not said",
                         object_at(r, leaves)->name);
}

etna_code moves_check_instead(reader *r)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        if (code == ETNA_OK)
            code = move_check_instead(r, &r->reading->moves[i]);
    }
    return code;
}

/* "Back where it belongs": no way that it is to be moved by. */
static bool move_is_to_home(const reader *r, const builtin_move *m)
{
    return m->relation == RELATION_SHIFT && move_says(r, m, "where") &&
           (move_says(r, m, "belong") || move_says(r, m, "belongs"));
}

/* "Table 3 and its chairs to the wall": a group to which the same is not to be
 * done one by one. A shift leaves it as it stands. */
static bool move_is_of_group(const reader *r, const builtin_move *m)
{
    const uint32_t whole =
        BIT(RELATION_SHIFT) | BIT(RELATION_TURN) | BIT(RELATION_TURNED);
    uint32_t tables = 0, seats = 0;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        tables += object_is_table(r, m->objects.objects[i]);
        seats += object_is_seat(r, m->objects.objects[i]);
    }
    return tables > 0 && seats > 0 && !bit_is_in(m->relation, whole) &&
           (move_says(r, m, "its") || move_says(r, m, "their"));
}

/* "Table 1 to the corner, chairs with it": its chairs, and they are to stand at
 * it as they did. A group beside it is neither. */
static bool move_takes_seats_along(const reader *r, uint32_t at)
{
    const builtin_move *const m = &r->reading->moves[at];
    bool taken = m->relation == RELATION_GROUP && m->objects.count > 0 &&
                 m->reference < r->facts->object_count &&
                 object_is_table(r, m->reference);
    for (uint32_t i = 0; i < m->objects.count && taken; i++)
        taken = object_is_seat(r, m->objects.objects[i]);
    for (uint32_t i = r->first_move; i < at && taken; i++) {
        if (set_has(&r->reading->moves[i].objects, m->reference))
            return true;
    }
    return false;
}

etna_code moves_check_ways(reader *r)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        if (move_is_to_home(r, &r->reading->moves[i]))
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "where they belong is not known");
        if (move_is_of_group(r, &r->reading->moves[i]) ||
            move_takes_seats_along(r, i))
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "how they are to stand to each other then is "
                                 "not said; move the table first");
    }
    return ETNA_OK;
}

/* Of one thing, to one side of the picture or of what it goes to the end of. */
static bool move_is_of_side(const builtin_move *m)
{
    const uint32_t ends = BIT(RELATION_END) | BIT(RELATION_EDGE);
    const bool one_side = m->sides && (m->sides & (m->sides - 1)) == 0;
    return bit_is_in(m->relation, ends) && one_side && m->also_count == 0 &&
           m->objects.count == 1;
}

/* Which way that side is, level. */
static void move_side_way(const reader *r, const builtin_move *m, double ret[2])
{
    double way[3] = {0, 0, 0};
    if (m->relation == RELATION_END)
        side_way(r, m->reference, m->sides, way);
    else
        direction_way(r, side_direction(m->sides), way);
    ret[0] = way[0];
    ret[1] = way[1];
}

/* 1: to the same side; -1: to the opposite one; 0: neither. */
static int moves_side_agree(const reader *r,
                            const builtin_move *one,
                            const builtin_move *other)
{
    const double along = 0.7; /* the cosine of an eighth of a turn */
    double a[2], b[2];
    move_side_way(r, one, a);
    move_side_way(r, other, b);
    const double same = a[0] * b[0] + a[1] * b[1];
    return same > along ? 1 : same < -along ? -1 : 0;
}

/* The move before `late` that puts another thing to the other side of what `one`
 * is about; BUILTIN_NONE: none does. */
static uint32_t side_find_partner(const reader *r, uint32_t one, uint32_t late)
{
    const builtin_move *const moves = r->reading->moves;
    for (uint32_t i = r->first_move; i < late; i++) {
        const bool same = i != one && move_is_of_side(&moves[i]) &&
                          moves[i].relation == moves[one].relation &&
                          moves[i].reference == moves[one].reference;
        if (same && moves_side_agree(r, &moves[one], &moves[i]) < 0)
            return i;
    }
    return BUILTIN_NONE;
}

/* Does the late move say of the thing of `one` no more than to which side of that
 * it goes: of the same thing, or of what either of them stands on? */
static bool side_is_of(const reader *r,
                       const builtin_move *late,
                       const builtin_move *one)
{
    const uint32_t thing = one->objects.objects[0];
    if (!move_is_of_side(one) || late->objects.objects[0] != thing)
        return false;
    return late->reference == one->reference ||
           builtin_is_above(r->facts, one->reference, late->reference) ||
           builtin_is_above(r->facts, thing, late->reference);
}

/* "One on either side of the lamp, the red one on the left": the last move says
 * which of the two goes where. *ret_dealt: it has been taken up so. */
static etna_code side_deal(reader *r, uint32_t late, bool *ret_dealt)
{
    builtin_move *const moves = r->reading->moves;
    *ret_dealt = false;
    for (uint32_t i = r->first_move; i < late && !*ret_dealt; i++) {
        const uint32_t other = side_is_of(r, &moves[late], &moves[i])
                                   ? side_find_partner(r, i, late)
                                   : BUILTIN_NONE;
        if (other == BUILTIN_NONE)
            continue;
        const int agree = moves_side_agree(r, &moves[late], &moves[i]);
        const builtin_set thing = moves[i].objects;
        if (agree == 0)
            return reader_refuse(
                r, CODE_UNREAD, NULL,
                "which of the two goes to which side of %.120s "
                "is not clear",
                r->facts->objects[moves[i].reference].name);
        if (agree < 0) {
            moves[i].objects = moves[other].objects;
            moves[other].objects = thing;
        }
        *ret_dealt = true;
    }
    return ETNA_OK;
}

/* "One on either side of the mat, blue left, grey right": who is told a side of
 * nothing behind them is another one than was taken. */
static etna_code sides_check_dealt(reader *r)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        if (m->relation == RELATION_EDGE && move_is_of_side(m) && m->gap < 0 &&
            object_is_ground(r, m->reference))
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "which of them goes to which side is not "
                                 "clear");
    }
    return ETNA_OK;
}

etna_code moves_deal_sides(reader *r)
{
    bool any = false;
    for (uint32_t i = r->first_move; i < r->reading->count;) {
        bool dealt = false;
        etna_code code = move_is_of_side(&r->reading->moves[i])
                             ? side_deal(r, i, &dealt)
                             : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        any = any || dealt;
        if (dealt)
            move_drop(r, i);
        else
            i++;
    }
    return any ? sides_check_dealt(r) : ETNA_OK;
}

/* "On the shelf, where the red one is kept" tells which part of the shelf: two
 * places are said, and the red one leaves neither. */
void moves_spare_stayers(reader *r)
{
    builtin_reading *reading = r->reading;
    for (uint32_t i = r->first_move; i < reading->count; i++) {
        builtin_move *m = &reading->moves[i];
        if (m->relation != RELATION_PLACE || m->support == BUILTIN_NONE)
            continue;
        if (m->there.count > 0 || reading_moves(reading, 0, m->reference))
            continue;
        if (builtin_stands_on(r->facts, m->reference, m->support))
            m->relation = RELATION_BESIDE;
    }
}
