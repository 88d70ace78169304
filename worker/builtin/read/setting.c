/* Tables and who sits at them: laying one, what goes before a seat, chairs
 * pushed in. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"
#include "worker/math/vec.h"

#include <math.h>

enum {
    SETTING_PEOPLE_MAX = 24
};

static const double seat_reach = 1.0; /* metres from its table, at most */
/* So many metres farther a table seems from a seat that turns its back on
 * it. */
static const double seat_turned = 0.5;

/* ---- laying a table ---- */

/* Where it lies at a seat, by its kind. */
static builtin_slot slot_of(const reader *r, uint32_t object)
{
    static const struct {
        const char *kind;
        builtin_slot slot;
    } slots[] = {{"plate", SLOT_PLATE},    {"bowl", SLOT_PLATE},
                 {"placemat", SLOT_PLATE}, {"fork", SLOT_LEFT},
                 {"napkin", SLOT_LEFT},    {"knife", SLOT_RIGHT},
                 {"spoon", SLOT_RIGHT},    {"glass", SLOT_FAR},
                 {"cup", SLOT_FAR},        {"mug", SLOT_FAR}};
    for (size_t i = 0; i < COUNT_OF(slots); i++) {
        if (object_is_kind(r, object, slots[i].kind))
            return slots[i].slot;
    }
    return SLOT_PLATE;
}

static bool object_sits_at(const reader *r,
                           uint32_t object,
                           const void *context)
{
    const uint32_t *table = context;
    if (object == *table || !object_is_seat(r, object) ||
        object_at(r, object)->is_static)
        return false;
    return object_way(r, object, *table) < seat_reach;
}

static double rank_by_way(const reader *r, uint32_t object, const void *context)
{
    const uint32_t *table = context;
    return object_way(r, object, *table);
}

static double rank_by_index(const reader *r,
                            uint32_t object,
                            const void *context)
{
    (void)r;
    (void)context;
    return object;
}

/* Seats that stand around the table: the nearest, at most `wanted` (0: all). */
static etna_code seats_find(reader *r,
                            uint32_t table,
                            uint32_t wanted,
                            builtin_set *ret)
{
    etna_code code = set_filter(r, object_sits_at, &table, ret);
    if (code != ETNA_OK || !wanted || ret->count <= wanted)
        return code;
    uint32_t *list =
        etna_arena_memdup(r->arena, ret->objects, ret->count * sizeof *list);
    if (!list)
        return reader_no_memory(r);
    set_sort(r, list, ret->count, 0, rank_by_way, &table);
    set_sort(r, list, wanted, 0, rank_by_index, NULL);
    *ret = (builtin_set){.count = wanted, .objects = list, .need = wanted};
    return ETNA_OK;
}

etna_code clause_refuse_too_few(const clause *c,
                                const builtin_set *what,
                                uint32_t needed)
{
    const char *is = what->count == 1 ? "is" : "are";
    const char *others = what->count == 1 ? "" : " and others";
    return reader_refuse(c->r, CODE_IMPOSSIBLE, c->said,
                         "%u are needed, and there %s %u: %.80s%s", needed, is,
                         what->count, object_at(c->r, what->objects[0])->name,
                         others);
}

/* One kind of thing for all seats. */
etna_code setting_add(const clause *c,
                      uint32_t table,
                      const builtin_set *seats,
                      uint32_t people,
                      const builtin_set *what)
{
    builtin_move m = move_plain(c, RELATION_SETTING);
    m.objects = *what;
    if (people)
        m.objects.need = people < what->count ? people : what->count;
    if (people > what->count && what->count > 0)
        return clause_refuse_too_few(c, what, people);
    m.reference = table;
    m.each = *seats;
    m.slot = what->count ? slot_of(c->r, what->objects[0]) : SLOT_PLATE;
    return move_add(c->r, &m);
}

/* "Its own plate": any plate. The phrase as it is where it says which. */
static const chart_node *ware_any(const reader *r, const chart_node *ware)
{
    const chart_node *core = chart_child(ware, "CORE");
    const bool which = chart_child(ware, "NUMBER") ||
                       chart_child(ware, "$quant") ||
                       node_says(ware, "$det", BIT(DET_THE));
    const chart_node *parts[] = {terminal_make(r, "$det", ware, DET_A), core};
    if (which || !core || !parts[0])
        return ware;
    if (!node_is(ware, "THING") || phrase_is_plural(r, ware))
        return ware;
    const chart_node *made = node_make(r, "THING", ware, parts, 2);
    return made ? made : ware;
}

/* Each by itself: "a plate and a glass". */
static etna_code setting_add_said(const clause *c,
                                  uint32_t table,
                                  const builtin_set *seats,
                                  uint32_t people,
                                  const chart_node *things)
{
    const refer_scope scope = refer_scope_movers();
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(things, parts);
    etna_code code = ETNA_OK;
    const bool own = chart_child(c->said, "WARES");
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        const chart_node *ware = own ? ware_any(c->r, parts[i]) : parts[i];
        builtin_set what;
        code = refer_things(c->r, ware, &scope, &what);
        const bool furnishes = code == ETNA_OK && what.count > 0 &&
                               object_is_furniture(c->r, what.objects[0]);
        if (furnishes)
            return clause_refuse_all(c);
        if (code == ETNA_OK)
            code = setting_add(c, table, seats, people, &what);
    }
    return code;
}

typedef struct tableware {
    const char *kind;
    uint32_t table; /* which is none, whatever its name */
} tableware;

static bool object_is_tableware(const reader *r,
                                uint32_t object,
                                const void *context)
{
    const tableware *t = context;
    return object != t->table && !object_at(r, object)->is_static &&
           object_is_kind(r, object, t->kind);
}

/* The plates that there are, and whatever else is enough for all. */
static etna_code setting_add_usual(const clause *c,
                                   uint32_t table,
                                   const builtin_set *seats,
                                   uint32_t people)
{
    const char *const *const kinds = nouns_of(NOUNS_TABLEWARE);
    for (size_t k = 0; kinds[k]; k++) {
        const tableware ware = {kinds[k], table};
        builtin_set what;
        etna_code code = set_filter(c->r, object_is_tableware, &ware, &what);
        bool enough = what.count >= people || (k == 0 && what.count > 0);
        if (code == ETNA_OK && enough)
            code = setting_add(c, table, seats, people, &what);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* The word of that token, "" behind the last one: a look ahead needs no bounds
 * of its own. */
static const char *text_word(const reader *r, uint32_t at)
{
    return at < r->s->token_count ? r->s->tokens[at].text : "";
}

/* "We are", "we will be": ends what tells how many they are before the token? */
static bool party_is_before(const reader *r, uint32_t at)
{
    if (at < 2 || !lexicon_lists("party: are", text_word(r, at - 1)))
        return false;
    const char *const who = text_word(r, at - 2);
    return lexicon_lists("party: who", who) || lexicon_lists("party: are", who);
}

/* "We'll be four", "four people are coming": the number that begins or ends at
 * the token; 0: it tells none. */
static uint32_t party_told_at(const reader *r, uint32_t at)
{
    const uint32_t number = lexicon_number(text_word(r, at));
    const char *const next = text_word(r, at + 1);
    if (number == 0 || number > SETTING_PEOPLE_MAX)
        return 0;
    const bool ends = *next == 0 || lexicon_lists("party: behind", next);
    const bool they_are = party_is_before(r, at);
    const bool they_come = lexicon_lists("$people", next) &&
                           lexicon_lists("party: come", text_word(r, at + 2));
    return (ends && they_are) || they_come ? number : 0;
}

/* How many the text says there will be; 0: it does not say. */
static uint32_t party_told(const reader *r)
{
    uint32_t told = 0;
    for (uint32_t at = 0; at < r->s->token_count && told == 0; at++)
        told = party_told_at(r, at);
    return told;
}

/* For how many: as the clause says, else as the text does. */
static uint32_t setting_people(const clause *c)
{
    const chart_node *covers = chart_child(c->said, "COVERS");
    if (c->d.people)
        return node_value(c->d.people, "$num") / 1000;
    return covers ? node_value(covers, "$num") / 1000 : party_told(c->r);
}

/* "Lay the table, one white plate for each", "set three places on the table,
 * each with its own plate": a table, and what is no furniture. */
etna_code clause_read_laying(clause *c)
{
    reader *r = c->r;
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    const reader before = *r;
    uint32_t table = BUILTIN_NONE;
    details_gather(r, c->said, &c->d);
    etna_code code = refer_one(r, c->things, &flat, &table);
    if (code != ETNA_OK)
        return code;
    *r = before;
    const bool is = table < r->facts->object_count && object_is_table(r, table);
    code = is ? clause_lay(c) : clause_refuse_all(c);
    /* no dearer reading is meant where there are too few of them */
    return chart_child(c->said, "WARES") ? reader_refuse_finally(r, code)
                                         : code;
}

/* All wares that the clause names: none is no failure. */
static etna_code setting_add_all_said(clause *c,
                                      uint32_t table,
                                      const builtin_set *seats,
                                      uint32_t people)
{
    const chart_node *wares = chart_child(c->said, "WARES");
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->d.relation_count && code == ETNA_OK; i++) {
        const condition *with = &c->d.relations[i];
        if (with->relation == REL_WITH)
            code = setting_add_said(c, table, seats, people, with->what);
    }
    if (code != ETNA_OK || !wares)
        return code;
    return setting_add_said(c, table, seats, people, node_things(wares, 0));
}

/* "A plate for each, with a glass behind it": what is said of the one by the
 * other is no place at the table; NULL: nothing is. */
static const chart_node *setting_more(const details *d)
{
    if (d->order_count > 0)
        return d->orders[0];
    for (uint32_t i = 0; i < d->relation_count; i++) {
        const condition *at = &d->relations[i];
        const bool by_it = at->what && node_is(at->what, "PRON");
        if (at->relation == REL_WITH || by_it)
            return at->node;
    }
    return NULL;
}

/* "lay the table for four": what is said, else the usual. */
etna_code clause_lay(clause *c)
{
    reader *r = c->r;
    const refer_scope scope = {.on = BUILTIN_NONE, .flat = true};
    const uint32_t before = r->reading->count;
    uint32_t table = BUILTIN_NONE;
    uint32_t people = setting_people(c);
    builtin_set seats = {0};
    etna_code code = refer_one(r, c->things, &scope, &table);
    if (code == ETNA_OK)
        code = seats_find(r, table, people, &seats);
    if (code != ETNA_OK)
        return code;
    if (!people)
        people = seats.count;
    if (!people)
        return reader_refuse(
            r, CODE_UNREAD, c->said,
            "for how many the table is to be laid is not said, and there are no chairs at it");
    code = setting_add_all_said(c, table, &seats, people);
    r->memory.table = before + 1;
    /* "with the bowl in the middle" is no ware of each */
    const chart_node *const more = setting_more(&c->d);
    const bool idle = more && r->reading->count == before;
    if (code == ETNA_OK && (idle || c->d.order_count > 0))
        return refuse_left_over(r, more);
    if (code != ETNA_OK || r->reading->count > before)
        return code;
    code = setting_add_usual(c, table, &seats, people);
    if (code == ETNA_OK && r->reading->count == before)
        return reader_refuse(r, CODE_UNKNOWN, c->said,
                             "there are no plates to lay the table with");
    return code;
}

/* "A plate in front of chair 6, and a cup beside it", where "at each place"
 * tells nothing of its own. */
static bool setting_is_told_apart(const clause *c)
{
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const condition *at = &c->d.relations[i];
        const bool seat =
            at->what && reader_lists(c->r, at->what->end - 1, "setting: seat");
        if (at->what && !seat && !phrase_is_each(at->what) &&
            !phrase_is_plural(c->r, at->what))
            return true;
    }
    return false;
}

/* The next clause says with what. */
etna_code setting_tell(clause *c, bool *ret_done)
{
    reader *r = c->r;
    *ret_done = false;
    if (!r->memory.table || !c->things)
        return ETNA_OK;
    if (setting_is_told_apart(c)) { /* that is how it is to be laid */
        r->reading->count = r->memory.table - 1;
        r->memory.table = 0;
        return ETNA_OK;
    }
    const chart_node *const more = setting_more(&c->d);
    if (more)
        return refuse_left_over(r, more);
    const builtin_move first = r->reading->moves[r->memory.table - 1];
    r->reading->count = r->memory.table - 1;
    etna_code code = setting_add_said(c, first.reference, &first.each,
                                      first.objects.need, c->things);
    if (code != ETNA_OK)
        return code;
    r->memory.table = 0;
    *ret_done = true;
    return ETNA_OK;
}

/* "One plate before each chair, glasses too" */
etna_code setting_repeat(clause *c, const builtin_move *before, bool *ret_done)
{
    const builtin_set seats = before->each;
    const uint32_t people = seats.count;
    etna_code code =
        setting_add_said(c, before->reference, &seats, people, c->things);
    *ret_done = code == ETNA_OK;
    return code;
}

/* ---- before a seat ---- */

/* Is the table before it, and not beside it or behind its back? */
static bool seat_looks_at(const reader *r, uint32_t seat, uint32_t table)
{
    const double least = 0.5; /* cosine */
    const builtin_object *o = object_at(r, seat);
    const builtin_rect top = builtin_rect_of(object_at(r, table));
    double front[2];
    double along = 0, way = 0;
    if (!builtin_front_of(r->facts, seat, front))
        return true;
    for (int k = 0; k < 2; k++) {
        const double nearest =
            math_min(math_max(o->centre[k], top.low[k]), top.high[k]);
        const double to = nearest - o->centre[k];
        along += front[k] * to;
        way += to * to;
    }
    return along >= least * sqrt(way);
}

double seat_way(const reader *r, uint32_t seat, uint32_t table)
{
    return object_way(r, table, seat) +
           (seat_looks_at(r, seat, table) ? 0 : seat_turned);
}

static double rank_table_of_seat(const reader *r,
                                 uint32_t object,
                                 const void *context)
{
    const uint32_t *seat = context;
    bool table = object_is_table(r, object) && object_bears_things(r, object) &&
                 !object_is_seat(r, object);
    double way = table ? seat_way(r, *seat, object) : INFINITY;
    return way < seat_reach ? way : INFINITY;
}

/* Slippers and cushions before a seat lie on the floor, whatever table is
 * near. */
static bool object_may_be_laid(const reader *r, uint32_t object)
{
    return !object_is_furniture(r, object) &&
           !object_is_of(r, object, NOUNS_WORN) &&
           !object_is_of(r, object, NOUNS_BEDDING);
}

/* "put a plate before each chair" lays the table that all the chairs are at;
 * BUILTIN_NONE: it does not. */
uint32_t setting_table(const reader *r, const builtin_move *m)
{
    const builtin_set all = set_all(r);
    const builtin_set alone = {.count = 1, .objects = &m->reference, .need = 1};
    const builtin_set *seats = m->each.count ? &m->each : &alone;
    uint32_t table = BUILTIN_NONE;
    if (!object_may_be_laid(r, m->objects.objects[0]))
        return BUILTIN_NONE;
    for (uint32_t i = 0; i < seats->count; i++) {
        uint32_t seat = seats->objects[i];
        const bool is_seat =
            seat < r->facts->object_count && object_is_seat(r, seat);
        if (!is_seat || object_is_kind(r, seat, "bed"))
            return BUILTIN_NONE;
        uint32_t nearest = set_least(r, &all, rank_table_of_seat, &seat);
        if (nearest == BUILTIN_NONE)
            continue; /* a chair that stands apart */
        if (table != BUILTIN_NONE && table != nearest)
            return BUILTIN_NONE;
        table = nearest;
    }
    return m->support == BUILTIN_NONE || m->support == table ? table
                                                             : BUILTIN_NONE;
}

/* ---- under a table ---- */

typedef struct tucking {
    const clause *c;
    uint32_t seat;
    /* the tables that are named; count 0: none is */
    const builtin_set *under;
} tucking;

/* Do chairs go under it: a table, a counter, or what is as high as one and
 * bears things? */
static bool object_is_tucked_under(const reader *r, uint32_t object)
{
    const builtin_object *o = object_at(r, object);
    if (object_is_table(r, object) || object_is_kind(r, object, "counter"))
        return true;
    return o->half[2] > 0.25 && object_is_on_floor(r, object) &&
           builtin_is_bearer(o);
}

/* The nearest table under which a chair goes, of those that are named;
 * INFINITY: it is none. */
static double rank_table_to_tuck(const reader *r,
                                 uint32_t object,
                                 const void *context)
{
    const tucking *t = context;
    if (t->under->count > 0)
        return set_has(t->under, object) ? seat_way(r, t->seat, object)
                                         : INFINITY;
    if (!object_is_tucked_under(r, object))
        return INFINITY;
    bool moved = object == t->seat || set_has(&t->c->movers, object);
    return moved || object_is_seat(r, object) ? INFINITY
                                              : seat_way(r, t->seat, object);
}

static const double REACH_OF_TABLE = 0.9; /* metres */

/* "All the chairs at the kitchen table": where some stand at it, those are
 * meant. */
static bool tuck_tells_which(const clause *c, uint32_t table)
{
    const uint32_t at =
        BIT(REL_AT) | BIT(REL_AROUND) | BIT(REL_BESIDE) | BIT(REL_NEAR);
    bool is_at = false;
    /* "both chairs in at the table": as many as are said */
    if (node_says(c->things, "$quant", BIT(DET_BOTH)) ||
        chart_find(c->things, "$num"))
        return false;
    for (uint32_t i = 0; i < c->d.relation_count; i++)
        is_at = is_at || bit_is_in(c->d.relations[i].relation, at);
    for (uint32_t i = 0;
         i < c->movers.count && is_at && table < c->r->facts->object_count;
         i++) {
        if (object_way(c->r, c->movers.objects[i], table) < REACH_OF_TABLE)
            return true;
    }
    return false;
}

/* "The pillow on the bench and the stool underneath it": under what bears that,
 * for nothing goes under a pillow. */
static void tuck_leave_load(const clause *c, builtin_set *under)
{
    const builtin_move *last = reader_last_move(c->r);
    if (under->count != 1 || !last ||
        object_is_tucked_under(c->r, under->objects[0]))
        return;
    if (set_has(&last->objects, under->objects[0]) &&
        last->reference < c->r->facts->object_count &&
        object_is_tucked_under(c->r, last->reference))
        *under = set_one(c->r, last->reference);
}

/* Under which tables, where that is said; none otherwise. */
static etna_code tuck_find_under(const clause *c, builtin_set *ret)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = &c->movers};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < c->d.relation_count && code == ETNA_OK; i++) {
        const condition *to = &c->d.relations[i];
        /* "under their desks" */
        bool own = node_says(to->what, "$det", BIT(DET_ITS));
        if (!condition_is_origin(to) && !own)
            code = refer_things(c->r, to->what, &scope, ret);
    }
    tuck_leave_load(c, ret);
    return code;
}

/* One seat under its table. */
static etna_code tuck_one(const clause *c, const tucking *t)
{
    reader *r = c->r;
    const builtin_set all = set_all(r);
    builtin_move m = move_plain(c, RELATION_TUCK);
    m.objects = set_one(r, t->seat);
    m.reference = set_least(r, &all, rank_table_to_tuck, t);
    /* amid that side of it, where two have no room */
    m.exact = c->d.centred && c->movers.count == 1;
    /* "push it in" of a mug on a shelf: no table is meant */
    const bool raised = t->under->count == 0 &&
                        object_at(r, t->seat)->by_count > 0 &&
                        !object_is_on_floor(r, t->seat);
    if (m.reference == BUILTIN_NONE || raised)
        return clause_refuse(c,
                             "under what is not said, and there is no table");
    return move_add(r, &m);
}

/* Each chair under the table named, under its nearest of those named, or under
 * its own. */
etna_code clause_tuck(clause *c)
{
    reader *r = c->r;
    builtin_set under = {0};
    if (c->d.opposed)
        return clause_refuse(c, "which of them goes to which side of the table "
                                "is not said");
    etna_code code = tuck_find_under(c, &under);
    const bool near = code == ETNA_OK && under.count == 1 &&
                      tuck_tells_which(c, under.objects[0]);
    for (uint32_t i = 0; i < c->movers.count && code == ETNA_OK; i++) {
        const tucking t = {c, c->movers.objects[i], &under};
        if (near && object_way(r, t.seat, under.objects[0]) >= REACH_OF_TABLE)
            continue;
        code = tuck_one(c, &t);
    }
    return code;
}
