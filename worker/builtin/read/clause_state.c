/* How things should be: "the cup should be on the table". Such a state is an
 * order; one that is only told is one where it is not so, and says otherwise
 * which things are spoken of. */
#include "worker/builtin/read/clause_state.h"
#include "worker/builtin/read/clause_list.h"
#include "worker/builtin/read/clause_mention.h"
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/coverage.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"

#include <math.h>

/* "Is not centred over the sofa": what follows right behind the verb is
 * denied. */
static bool state_denies_first_place(const chart_node *said)
{
    for (uint32_t i = 0; i < said->child_count; i++) {
        const chart_node *place = said->children[i];
        if (place->is_terminal || node_things(said, 0) == place)
            continue;
        return node_is(place, "NOTPLACE");
    }
    return false;
}

/* "should never be on the shelf": what is denied is the whole, not some other
 * place. */
static bool state_is_denied(const clause *c)
{
    const chart_node *not_place = chart_child(c->said, "NOTPLACE");
    if (not_place && chart_child(not_place, "STAYS"))
        return true;
    if (chart_child(c->said, "$be") && state_denies_first_place(c->said))
        return true;
    return clause_word_is(c, "$any", "clause: denies");
}

bool state_is_bare(const clause *c)
{
    return !chart_child(c->said, "$be") && !chart_child(c->said, "$want");
}

/* "It should lie half on the table": a word before a place that limits it,
 * where "safely" and "together" do not. */
static bool state_is_limited(const clause *c)
{
    return clause_word_is(c, "$any", "clause: limits");
}

/* "Everyone needs a plate on the table": one is not enough. */
static bool state_is_for_each(const clause *c)
{
    return chart_child(c->said, "$wants") &&
           reader_lists(c->r, c->said->first, "clause: of each");
}

/* "The radio should sing to the barrel", "the lamp should shine on it": no verb
 * of being there, as "sleep on" and "swim in". */
static bool state_is_of_doing(const clause *c)
{
    const chart_node *any = chart_child(c->said, "$any");
    const chart_node *listed = chart_child(c->said, "$verb");
    lexicon_verb verb;
    char lemma[64];
    const condition *first =
        c->d.relation_count > 0 ? &c->d.relations[0] : NULL;
    /* "play with the ball": near it */
    bool with = first && first->relation == REL_WITH;
    /* "eat with us": a reason */
    with = with && !phrase_is_pronoun(first->what, PRON_ME);
    if (listed && listed->value == VERB_CANNOT)
        return !with;
    if (!any || clause_word_is(c, "$any", "clause: adverb"))
        return false;
    const char *const word = reader_word(c->r, any->first);
    if (lexicon_find_verb(word, &verb))
        return verb == VERB_CANNOT;
    bool to =
        c->d.relation_count > 0 &&
        bit_is_in(c->d.relations[0].relation, BIT(REL_TO) | BIT(REL_OVER_TO));
    bool acts = kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
                strcmp(lemma, word) == 0;
    return acts && (to || clause_word_is(c, "$any", "clause: afar"));
}

/* Complaints and statements that ask for nothing: "it is too close to the
 * edge". */
static bool state_asks_nothing(const clause *c)
{
    bool verb = state_trades(c) || chart_child(c->said, "$pp");
    const bool silent = !details_say_anything(&c->d) && c->d.order_count == 0;
    return c->d.too || (!verb && silent);
}

/* "It hangs too high, 30 cm lower please": the way is what is asked. */
static bool state_mends_complaint(const clause *c)
{
    return c->d.too && c->d.shift && chart_find(c->d.shift, "$dir");
}

/* "The chair is too far from the desk, move it closer." */
static etna_code state_complain_of(clause *c)
{
    const chart_node *rel = chart_find(c->d.too, "REL");
    const chart_node *what = rel ? node_phrase(rel, 0) : NULL;
    if (!what && c->d.relation_count > 0)
        what = c->d.relations[0].what; /* "too far | from the bed" */
    const refer_scope scope = refer_scope_place(&c->r->memory.last);
    const etna_error why = *c->r->err;
    reader before = *c->r;
    uint32_t of = BUILTIN_NONE;
    if (!what)
        return ETNA_OK;
    etna_code code = refer_one(c->r, what, &scope, &of);
    *c->r = before;
    *c->r->err = why;
    const bool known = code == ETNA_OK && of < c->r->facts->object_count;
    c->r->memory.complained = known ? of + 1 : COMPLAINED_OF_UNKNOWN;
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

/* "It hangs 15 cm too high. Lower it": by that much. */
static void state_note_measure(const clause *c, const builtin_set *about)
{
    const chart_node *dist = chart_find(c->said, "DIST");
    const double metres = dist ? where_metres(c->r, dist, NULL) : -1;
    if (metres <= 0)
        return;
    c->r->memory.off_things = *about;
    c->r->memory.off_metres = metres;
}

/* "Blue goes down first", "I'd like the yellow one up there": whoever says so
 * wants something, be the place understood or not. */
static bool state_wants(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const bool goes = be && reader_lists(c->r, be->first, "passed: goes");
    return goes || chart_child(c->said, "$want") != NULL;
}

/* "The vase leaves", "lies down", and no "the vase is lovely". */
static bool state_moves(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const char *const word = be ? reader_word(c->r, be->first) : "";
    return be && !lexicon_lists("told: be", word) &&
           !lexicon_lists("told: have", word);
}

/* "The lamp is too close to the edge", of something that need not be here. */
static etna_code state_speak_of_too(clause *c)
{
    const uint32_t cost = 5; /* hundredths */
    reader *r = c->r;
    const refer_scope scope = refer_scope_movers();
    const reader before = *r;
    builtin_set about;
    if (!c->things)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code == ETNA_E_INPUT) {
        *r = before;
    } else if (code != ETNA_OK) {
        return code;
    } else {
        r->memory.last = r->memory.named = about;
        state_note_measure(c, &about);
    }
    r->cost += cost;
    reader_remark(r, c->said);
    return state_complain_of(c);
}

/* "Biggest below": a phrase of where or how, which is more than what is spoken
 * of. */
static bool state_says_how(const clause *c)
{
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *const child = c->said->children[i];
        if (child != c->things && !child->is_terminal &&
            !place_is_shown(c->r, c->said, child, c->r->reading->count))
            return true;
    }
    return false;
}

/* A statement that asks for nothing is remembered, as it says what is spoken of
 * next. */
static etna_code state_speak_of(clause *c)
{
    const uint32_t cost = 60; /* hundredths */
    reader *r = c->r;
    const refer_scope scope = refer_scope_movers();
    builtin_set about;
    if (c->d.too)
        return state_speak_of_too(c);
    if (state_wants(c))
        return clause_refuse(c, "it does not say on what to put it");
    if (state_says_how(c) || mention_is_purpose(c))
        return clause_refuse_all(c);
    /* "red and blue, 5 cm apart" */
    const bool spaced = c->d.apart_by || c->d.no_gap;
    if (spaced || coverage_is_request(r, c->said))
        return clause_refuse_all(c);
    if (!c->things) /* "there is their place" */
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &scope, &about);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = about;
    r->cost += cost;
    reader_remark(r, c->said);
    return state_moves(c) ? unmet_await(r, &about, r->first_move) : ETNA_OK;
}

/* "The vase was on the sofa", and no "I'd be glad if it was". */
static bool state_is_past(const clause *c)
{
    return clause_word_is(c, "$be", "clause: was") && c->said->first == 0 &&
           !chart_child(c->said, "$want");
}

/* "The vase looks great on the table", and neither "looks better" nor "would
 * look great" there. */
static bool state_praises(const clause *c)
{
    const chart_node *const be = chart_child(c->said, "$be");
    return be && reader_lists(c->r, be->first, "clause: appears") &&
           be->end < c->said->end &&
           reader_lists(c->r, be->end, "clause: praises");
}

/* "Is", and nothing that asks for it: it may be how things should be, or how
 * they are. */
static bool state_is_told(const clause *c)
{
    return state_is_past(c) || clause_word_is(c, "$be", "clause: is") ||
           state_praises(c);
}

/* "All pots to the shed; the tiny one on the table, too": it stands there
 * already and was told where to go, so the place tells which one that is. */
static bool state_tells_which(const clause *c, uint32_t at)
{
    const reader *r = c->r;
    const builtin_reading *reading = r->reading;
    const uint32_t next = c->said->end;
    const bool more = r->part->first + next < r->part->end;
    const bool too = more && reader_lists(r, next, "state: too");
    if (!too || !state_is_bare(c) || reading->count != at + 1)
        return false;
    if (!move_is_carried(r, &reading->moves[at]))
        return false;
    for (uint32_t i = r->first_move; i < at; i++) {
        const builtin_move *m = &reading->moves[i];
        const bool other = m->relation != RELATION_OFF &&
                           m->reference != reading->moves[at].reference;
        if (other && set_is_within(&reading->moves[at].objects, &m->objects))
            return true;
    }
    return false;
}

/* The clause's things, where they are at most so many of these; else none, and
 * the reader is as it was. ETNA_E_NOMEM. */
static etna_code movers_among(clause *c,
                              const builtin_set *of,
                              uint32_t most,
                              builtin_set *ret)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const etna_code code = movers_find(c, c->things, ret);
    if (code == ETNA_OK && ret->count <= most && set_is_within(ret, of))
        return ETNA_OK;
    *ret = (builtin_set){0};
    *r = before;
    *r->err = why;
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

/* Does it put things beside one thing, none of which each has its own? */
static bool move_is_by_one(const reader *r, const builtin_move *m)
{
    return m->relation == RELATION_BESIDE && m->each.count == 0 &&
           m->reference < r->facts->object_count;
}

/* What the text moved last, and with it what it moved together with others
 * before it told their sides: "the cups beside the tray, one left". */
static const builtin_move *state_moved_together(const reader *r)
{
    const uint32_t aside = BIT(RELATION_LEFT) | BIT(RELATION_RIGHT);
    const builtin_move *const moves = r->reading->moves;
    const uint32_t last = r->reading->count - 1;
    uint32_t at = last;
    while (at > r->first_move && moves[at].objects.count == 1 &&
           bit_is_in(moves[at].relation, aside))
        at--;
    const bool holds = moves[at].objects.count > 1 &&
                       move_is_by_one(r, &moves[at]) &&
                       moves[at].reference == moves[last].reference;
    return holds ? &moves[at] : &moves[last];
}

/* "Both pairs of shoes under the bed, the heels on the left": of the other one,
 * and not of the room. */
static etna_code state_side_among(clause *c, bool *ret_done)
{
    reader *r = c->r;
    details rest = c->d;
    builtin_set movers = {0}, others = {0};
    rest.side = NULL;
    *ret_done = false;
    if (!c->d.side || details_say_anything(&rest) ||
        r->reading->count == r->first_move)
        return ETNA_OK;
    const builtin_move last = *state_moved_together(r);
    if (last.objects.count < 2)
        return ETNA_OK;
    etna_code code =
        movers_among(c, &last.objects, last.objects.count - 1, &movers);
    if (code != ETNA_OK || movers.count == 0)
        return code;
    code = set_without(r, &last.objects, &movers, &others);
    if (code != ETNA_OK)
        return code;
    const bool by_one = move_is_by_one(r, &last);
    if (!by_one && (movers.count != 1 || others.count != 1))
        return clause_refuse(c, "of which of the others is not clear");
    const uint32_t sides = node_sides(c->d.side);
    builtin_move m = move_plain(c, side_relation(sides, RELATION_BESIDE));
    m.objects = movers;
    m.reference = by_one ? last.reference : others.objects[0];
    *ret_done = true;
    r->memory.last = r->memory.named = movers;
    return move_add(r, &m);
}

/* "In the middle", of nothing. */
static bool state_is_in_middle(const clause *c)
{
    const chart_node *zone = c->d.zone_count == 1 ? c->d.zones[0] : NULL;
    const bool bare = zone && !zone_owner(zone) && c->d.relation_count == 0;
    return (bare && reader_word_is(c->r, zone->end - 1, "middle")) ||
           (c->d.centred && c->d.relation_count == 0 && c->d.zone_count == 0);
}

/* "The crates next to each other, the red one in the middle": of these, and not
 * of the room. */
static etna_code state_middle_among(clause *c, bool *ret_done)
{
    reader *r = c->r;
    builtin_set movers = {0}, others = {0};
    *ret_done = false;
    if (!state_is_in_middle(c) || r->reading->count == r->first_move)
        return ETNA_OK;
    const builtin_move last = r->reading->moves[r->reading->count - 1];
    if (last.relation != RELATION_GROUP || last.objects.count < 3)
        return ETNA_OK;
    etna_code code = movers_among(c, &last.objects, 1, &movers);
    if (code != ETNA_OK || movers.count == 0)
        return code;
    code = set_without(r, &last.objects, &movers, &others);
    if (code != ETNA_OK)
        return code;
    if (others.count != 2)
        return clause_refuse(c, "between which of the others is not clear");
    builtin_move m = move_plain(c, RELATION_BETWEEN);
    m.objects = movers;
    m.reference = others.objects[0];
    m.second = others.objects[1];
    *ret_done = true;
    r->memory.last = r->memory.named = movers;
    return move_add(r, &m);
}

/* "The ball is lying on the ground", in a scene that has none by name, before
 * something is asked of it. */
static bool state_tells_ground(const clause *c)
{
    const reader *r = c->r;
    const bool last = r->part == &r->s->parts[r->s->part_count - 1];
    if (!state_is_told(c) || last || c->d.relation_count != 1 ||
        refer_floor(r->facts) != BUILTIN_NONE)
        return false;
    const condition *where = &c->d.relations[0];
    const uint32_t word = where->node->end - 1;
    return where->relation == REL_ON && word_is_ground(reader_word(r, word));
}

/* "The mug | that was there": where something else was, and no clause. */
static bool state_is_relative(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const bool past = be && reader_lists(c->r, be->first, "state: was");
    const bool that =
        c->things && reader_word_is(c->r, c->things->first, "that");
    const bool goes_on =
        c->said->first > 0 &&
        !c->r->s->tokens[c->r->part->first + c->said->first - 1].is_mark;
    return past && that && goes_on;
}

/* "The others are there", "it has been there for years" */
static bool state_tells_there(const clause *c)
{
    details rest = c->d;
    rest.there = NULL;
    return c->d.there && state_is_told(c) && !details_say_anything(&rest);
}

/* "One cup is closest to the sugar bowl": that one, where it leads. */
static etna_code state_keep_nearest(const clause *c, builtin_set *about)
{
    const double lead = 0.02; /* metres */
    reader *r = c->r;
    const uint32_t to = r->memory.last_reference;
    double least = INFINITY, second = INFINITY;
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < about->count; i++) {
        const double way = where_between(&r->facts->objects[about->objects[i]],
                                         &r->facts->objects[to]);
        if (way < least)
            best = about->objects[i];
        second = way < least ? least : fmin(second, way);
        least = fmin(least, way);
    }
    if (second > least + lead)
        *about = set_one(r, best);
    return ETNA_OK;
}

static bool state_says_nearest(const clause *c)
{
    bool nearest = false;
    for (uint32_t at = c->said->first; at < c->said->end && !nearest; at++)
        nearest = reader_lists(c->r, at, "clause: nearest");
    return nearest && c->r->memory.last_reference < c->r->facts->object_count;
}

/* "Four books are lying on the floor, put them ...": of five those that lie
 * there. Where these are not so many, "they" may be any. */
static etna_code state_tell_some(const clause *c, builtin_move *told)
{
    reader *r = c->r;
    builtin_set about = r->memory.last;
    if (about.need >= about.count)
        return ETNA_OK;
    const uint32_t need = about.need;
    const bool nearest = need == 1 && state_says_nearest(c);
    etna_code code =
        nearest ? state_keep_nearest(c, &about) : mention_keep_there(c, &about);
    if (code != ETNA_OK)
        return code;
    if (about.count == need) {
        r->memory.last = r->memory.named = told->objects = about;
        return ETNA_OK;
    }
    r->memory.last = r->memory.named = (builtin_set){0};
    r->memory.last_reference = BUILTIN_NONE;
    return ETNA_OK;
}

/* "The stool should be covered by the cloth": who does it, and no place beside
 * it, as "placed by" and "kept by" are. */
static bool state_is_done_by(const clause *c)
{
    const chart_node *any = chart_child(c->said, "$any");
    const chart_node *done = any ? any : chart_child(c->said, "$pp");
    char lemma[64];
    if (!done)
        done = chart_child(c->said, "$verb");
    if (!done || c->d.relation_count == 0 || done->end >= c->said->end)
        return false;
    const char *const word = reader_word(c->r, done->end - 1);
    const bool by = reader_word_is(c->r, done->end, "by") &&
                    c->d.relations[0].node->first == done->end;
    const bool inflected = kinds_verb_lemma(word, lemma, sizeof lemma) > 0 &&
                           strcmp(lemma, word) != 0;
    return by && (any ? inflected : lexicon_lists("clause: by whom", word));
}

/* "On the left", of nothing; NULL: it says no such place. */
static const chart_node *state_bare_side(const clause *c)
{
    const chart_node *zone = c->d.zone_count == 1 ? c->d.zones[0] : NULL;
    const bool bare = zone && !zone_owner(zone) && !chart_child(zone, "$zone");
    if (bare && !node_says(zone, "$det", BIT(DET_ITS)))
        return zone;
    return c->d.side;
}

/* Is the side the opposite of the one by which the last place was told? */
static bool state_opposes_side(const clause *c)
{
    const chart_node *said = state_bare_side(c);
    return c->d.relation_count == 0 &&
           memory_opposes_side(c->r, c->said->first,
                               reader_word(c->r, said->end - 1));
}

/* "The phone on the right shelf, the book on the left": rather on the left
 * shelf than on the left of the right one. */
static bool state_side_is_of_other(const clause *c)
{
    const reader *r = c->r;
    const chart_node *said = state_bare_side(c);
    const builtin_move *const last = reader_last_move(r);
    /* "a cushion on each armchair, the blue one on the left" */
    if (said && !c->d.relation_count && last && last->each.count > 1 &&
        last->each_number == 0)
        return true;
    return said && state_opposes_side(c);
}

/* "On the right" as a phrase of place with a thing that lacks its noun; NULL: out
 * of memory. */
static const chart_node *side_as_place(const reader *r,
                                       const chart_node *side,
                                       const chart_node *word)
{
    const chart_node *const noun =
        terminal_make(r, "$w", word, r->part->first + word->first);
    const chart_node *const core =
        noun ? node_make(r, "CORE", word, &noun, 1) : NULL;
    const chart_node *const words[] = {terminal_make(r, "$det", word, DET_THE),
                                       core};
    const chart_node *const thing =
        words[0] && core ? node_make(r, "THING", word, words, 2) : NULL;
    const chart_node *const parts[] = {terminal_make(r, "$rel", side, REL_ON),
                                       thing};
    return parts[0] && parts[1] ? node_make(r, "REL", side, parts, 2) : NULL;
}

/* "Two cushions on the left armchair and one on the right": on the right
 * armchair. Of what a place's noun is not told so it is refused. */
static etna_code state_put_on_other(clause *c)
{
    const chart_node *const said = state_bare_side(c);
    const chart_node *const word = chart_child(said, "$side_h");
    const bool on_side = said == c->d.side && word && chart_child(said, "$on");
    if (!on_side || !state_opposes_side(c))
        return reader_refuse_said(c->r, CODE_UNREAD, said,
                                  "of which of them is not clear");
    const chart_node *const place = side_as_place(c->r, said, word);
    const chart_node **children =
        etna_arena_memdup(c->r->arena, c->said->children,
                          c->said->child_count * sizeof *children);
    for (uint32_t i = 0; children && i < c->said->child_count; i++) {
        if (children[i] == said)
            children[i] = place;
    }
    const chart_node *const other =
        children && place ? node_make(c->r, c->said->name, c->said, children,
                                      c->said->child_count)
                          : NULL;
    if (!other)
        return reader_no_memory(c->r);
    c->said = other;
    c->d = (details){0};
    return clause_read_state(c);
}

/* "The hammer too with the saw": as well, and not too close to it. */
static bool state_too_is_also(const clause *c)
{
    const uint32_t places = BIT(REL_WITH) | BIT(REL_ON) | BIT(REL_IN) |
                            BIT(REL_UNDER) | BIT(REL_BESIDE) | BIT(REL_TO) |
                            BIT(REL_BEHIND) | BIT(REL_FRONT) | BIT(REL_ABOVE);
    const chart_node *rel = c->d.too ? chart_find(c->d.too, "$rel") : NULL;
    return rel && state_is_bare(c) && bit_is_in(rel->value, places);
}

static bool state_is_unclear(const clause *c)
{
    return state_too_is_also(c) || state_is_limited(c) ||
           state_is_of_doing(c) || state_is_done_by(c);
}

static etna_code state_refuse_for_each(clause *c)
{
    return clause_refuse(c, "for how many that is is not said");
}

static etna_code state_refuse_all(clause *c)
{
    return clause_refuse_all(c);
}

static etna_code state_refuse_unclear(clause *c)
{
    return clause_refuse(c, "how that is to be is not understood");
}

static bool state_says_stay(const clause *c)
{
    return stay_is_said(c) && !c->d.too;
}

/* "Where it is", and not where it was before the last move, or "the vase to the
 * shelf and the jug to where it was", where the vase was. */
static bool state_says_own_place(const clause *c)
{
    if (!clause_says_own_place(c))
        return false;
    const bool moved =
        move_before(c->r) || c->r->reading->count > c->r->first_move;
    return !moved || !old_is_past(c->r, c->d.old);
}

static bool node_is_place_told(const chart_node *node)
{
    static const char *const places[] = {"REL", "SIDE", "ZONE", "BETWEEN",
                                         "SHIFT"};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (node_is(node, places[i]))
            return true;
    }
    return false;
}

/* "Is", "stands", and no "is to". */
static bool node_tells(const clause *c, const chart_node *node)
{
    return node_is(node, "$be") && node->end - node->first == 1 &&
           reader_lists(c->r, node->first, "clause: is");
}

/* "On the right is a bed": the place, how it is and then the thing. Behind a
 * wish it goes on from that: "in a row, in the middle is the red one". */
static bool state_tells_where(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    if (!be || !c->things || c->things->first < be->end)
        return false;
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *node = c->said->children[i];
        const bool fits =
            node->is_terminal ? node_tells(c, node) : node_is_place_told(node);
        /* "there is", of which "there" is no place */
        const bool is_there = mention_is_there(c, node);
        if (node != c->things && !fits && !is_there)
            return false;
    }
    return c->r->reading->count == c->r->first_move;
}

/* "Is on the rail", and neither "is to be there" nor "is for it". */
static bool state_is_plain_statement(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    /* "were laid there" is rather wished for */
    const bool past = state_is_past(c) && !chart_child(c->said, "$pp") &&
                      !chart_child(c->said, "$verb");
    if (!be || !(node_tells(c, be) || past || state_praises(c)))
        return false;
    /* "on the sofa, the vase was" ends with it */
    const bool last = c->r->part->first + be->end >= c->r->part->end;
    if (!last && reader_lists(c->r, be->end, "state: wishes"))
        return false;
    /* "its place is on the shelf" */
    for (uint32_t at = c->said->first; at < be->first; at++) {
        if (reader_lists(c->r, at, "told: home"))
            return false;
    }
    return true;
}

/* "A cushion on the floor! Lift it ...": what somebody sees. */
static bool state_exclaims(const clause *c)
{
    const reader *r = c->r;
    const chart_node *det = c->things ? chart_child(c->things, "$det") : NULL;
    const bool last = r->part == &r->s->parts[r->s->part_count - 1];
    const bool whole =
        c->said->first == 0 && c->said->end == r->part->end - r->part->first;
    if (!state_is_bare(c) || !det || det->value != DET_A)
        return false;
    if (last || !whole)
        return false;
    return r->part->end < r->s->token_count &&
           strcmp(r->s->tokens[r->part->end].text, "!") == 0;
}

/* Does each of the things stand now as the clause's places say? What cannot be
 * asked of them may be so. */
static etna_code state_compare(const clause *c,
                               const builtin_set *things,
                               builtin_told *ret)
{
    static const char *const places[] = {"REL", "ZONE", "BETWEEN"};
    reader own = *c->r;
    etna_error local = {0};
    own.err = &local;
    *ret = TOLD_SO;
    if (!state_is_plain_statement(c))
        return ETNA_OK;
    for (uint32_t i = 0; i < c->said->child_count && *ret == TOLD_SO; i++) {
        const chart_node *where = c->said->children[i];
        if (!WORD_IS_OF(where->name, places))
            continue;
        for (uint32_t k = 0; k < things->count; k++) {
            double way = INFINITY;
            etna_code code = where_holds(&own, where, things->objects[k], &way);
            if (code == ETNA_E_NOMEM)
                return reader_no_memory(c->r);
            if (code == ETNA_OK && !isfinite(way))
                *ret = TOLD_UNTRUE;
        }
    }
    return ETNA_OK;
}

static etna_code state_note_told(const clause *c, uint32_t first)
{
    builtin_reading *reading = c->r->reading;
    etna_code code = ETNA_OK;
    for (uint32_t i = first; i < reading->count && code == ETNA_OK; i++)
        code = state_compare(c, &reading->moves[i].objects,
                             &reading->moves[i].told);
    return code;
}

/* What is so already tells which things are spoken of next. */
static etna_code state_act(clause *c)
{
    reader *r = c->r;
    const uint32_t at = r->reading->count;
    etna_code code = clause_act(c);
    const bool sees = state_exclaims(c);
    const bool told = code == ETNA_OK && (state_is_told(c) || sees);
    if (told && r->reading->count == at + 1)
        code = state_tell_some(c, &r->reading->moves[at]);
    if (told && code == ETNA_OK)
        code = state_note_told(c, at);
    /* one of several, which "it" tells nothing of */
    if (code == ETNA_OK && (sees || state_tells_which(c, at))) {
        r->reading->count = at;
        reader_remark(r, c->said);
    }
    return code;
}

/* "One is left": what is still there, and no way to go. */
static bool state_is_left_over(const clause *c)
{
    const chart_node *be = chart_child(c->said, "$be");
    const chart_node *way = c->d.shift;
    if (!be || !way || !node_tells(c, be))
        return false;
    const bool is_one_word = way->end == way->first + 1;
    const bool ends = way->first == be->end && way->end == c->said->end;
    return is_one_word && ends && reader_word_is(c->r, way->first, "left");
}

/* How a state is read; the first row that fits takes it. */
typedef struct state_row {
    bool (*when)(const clause *c);
    etna_code (*read)(clause *c);
} state_row;

/* "Tools: saw, shovel", where there are tools: what they are, and no place.
 * "Counter: cup left, jug right": more than what is on it. */
static bool state_lists_more(const clause *c)
{
    const chart_node *const first = c->said->children[0];
    const chart_node *const place =
        node_is(first, "TO") ? node_things(first, 0) : NULL;
    const chart_node *parts[CONJUNCTS_MAX];
    if (!place || !c->things || !state_is_bare(c))
        return false;
    bool more = phrase_is_plural(c->r, place);
    const uint32_t count = node_conjuncts(c->things, parts);
    for (uint32_t i = 0; i < count && !more; i++) {
        const char *const last = reader_word(c->r, parts[i]->end - 1);
        more = lexicon_lists("$side", last) || lexicon_lists("$side_h", last);
    }
    return more;
}

static const state_row states_refused[] = {
    {state_lists_more, state_refuse_all},
    {state_is_denied, clause_read_denial},
    {state_is_for_each, state_refuse_for_each},
    {state_is_relative, state_refuse_all},
    {state_is_unclear, state_refuse_unclear},
    {state_is_left_over, state_refuse_all},
    {mention_is_of_posture, state_refuse_all},
    {state_side_is_of_other, state_put_on_other},
};

static const state_row states[] = {
    {state_tells_where, clause_read_told_where},
    {state_says_stay, clause_let_stay},
    {state_asks_nothing, state_speak_of},
    {state_says_own_place, clause_keep},
    {state_tells_ground, state_speak_of},
    {state_tells_there, state_speak_of},
};

static const state_row *state_row_find(const clause *c,
                                       const state_row *rows,
                                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].when(c))
            return &rows[i];
    }
    return NULL;
}

/* A place alone may belong to what was said before; *ret_done: it does. */
static etna_code state_go_on(clause *c, bool *ret_done)
{
    *ret_done = false;
    if (!state_is_bare(c))
        return ETNA_OK;
    etna_code code = clause_tell_more(c, ret_done);
    if (code == ETNA_OK && !*ret_done)
        code = state_side_among(c, ret_done);
    if (code == ETNA_OK && !*ret_done)
        code = state_middle_among(c, ret_done);
    return code;
}

/* "To the left" as the place "on the left"; NULL: the node says no such way, or
 * there is no memory. */
static const chart_node *shift_as_side(const reader *r, const chart_node *node)
{
    static const struct {
        uint32_t direction, side;
    } sides[] = {{DIR_LEFT, LEXICON_LEFT}, {DIR_RIGHT, LEXICON_RIGHT}};
    const chart_node *const dir = chart_child(node, "$dir");
    if (!node_is(node, "SHIFT") || node->child_count != 1 || !dir)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        const chart_node *const word =
            dir->value == sides[i].direction
                ? terminal_make(r, "$side_h", node, sides[i].side)
                : NULL;
        if (word)
            return node_make(r, "SIDE", node, &word, 1);
    }
    return NULL;
}

/* Is one of those meant that the last move puts somewhere together? */
static bool state_is_of_member(const clause *c)
{
    reader *const r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const builtin_move *const last = reader_last_move(r);
    const uint32_t somewhere = RELATIONS_UPON | BIT(RELATION_LINE);
    uint32_t object;
    if (!last || last->objects.count < 2 ||
        !bit_is_in(last->relation, somewhere))
        return false;
    const bool is =
        member_find(r, c->things, &last->objects, &object) == ETNA_OK;
    *r = before;
    *r->err = why;
    return is;
}

/* "The vase on the table and the mug to the left": of the vase, or as it stands
 * now? */
static bool state_is_beside_put(const clause *c)
{
    const builtin_move *const last = reader_last_move(c->r);
    return last && last->objects.count == 1 &&
           bit_is_in(last->relation, RELATIONS_UPON) &&
           !phrase_is_pronoun(c->things, PRON_IT);
}

etna_code state_take_side(clause *c)
{
    const chart_node *side = NULL;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->said->child_count && !side; i++) {
        side = shift_as_side(c->r, c->said->children[i]);
        at = i;
    }
    if (!side || !c->things || !state_is_bare(c))
        return ETNA_OK;
    if (state_is_beside_put(c))
        return reader_refuse_finally(
            c->r,
            clause_refuse(c, "whether that is a way to go or a side of what "
                             "was put before is not clear"));
    if (!state_is_of_member(c))
        return ETNA_OK;
    const chart_node **children =
        etna_arena_memdup(c->r->arena, c->said->children,
                          c->said->child_count * sizeof *children);
    if (!children)
        return reader_no_memory(c->r);
    children[at] = side;
    c->said =
        node_make(c->r, c->said->name, c->said, children, c->said->child_count);
    return c->said ? ETNA_OK : reader_no_memory(c->r);
}

/* "The bottle to where the vase was", "nearer to the lamp": "to" leads to a
 * place there, and is no short way to say that something is to be so. */
static bool state_leads_to(const clause *c)
{
    const chart_node *const said = c->said;
    for (uint32_t i = 0; i + 1 < said->child_count; i++) {
        const chart_node *const be = said->children[i];
        const chart_node *const next = said->children[i + 1];
        const bool to = node_is(be, "$be") && be->end == be->first + 1 &&
                        reader_word_is(c->r, be->first, "to");
        if (to && (node_is(next, "OLD") || node_is(next, "THING")))
            return true;
    }
    return false;
}

/* "But not the mug, that goes on the shelf": the mug does, and what was spoken
 * of before does not go anywhere else than to the mug. */
static bool state_begins_with_other(const clause *c)
{
    const chart_node *const said = c->said;
    return said->child_count > 1 && node_is(said->children[0], "BUT") &&
           node_is(c->things, "PRON");
}

/* "Put the mug on the table. Behind the vase.": where the mug goes, and no vase
 * that goes behind it. */
static bool state_is_place_alone(const clause *c)
{
    const chart_node *const said = c->said;
    const chart_node *const place = said->children[0];
    const chart_node *const thing =
        said->child_count == 2 ? said->children[1] : NULL;
    if (said->first > 0 || !thing || !node_is(thing, "THING") ||
        thing->first != place->end)
        return false;
    if (node_is(place, "ZONE"))
        return reader_word_is(c->r, thing->first, "of");
    const bool bare = chart_child(place, "$rel_bare") != NULL;
    return node_is(place, "REL") && bare;
}

etna_code clause_read_state(clause *c)
{
    if (state_leads_to(c) || state_begins_with_other(c) ||
        state_is_place_alone(c))
        return state_refuse_unclear(c);
    bool done;
    details_gather(c->r, c->said, &c->d);
    c->verb = state_verb(c);
    const state_row *row =
        state_row_find(c, states_refused, COUNT_OF(states_refused));
    if (row)
        return row->read(c);
    etna_code code = state_go_on(c, &done);
    if (code != ETNA_OK || done)
        return code;
    if (state_mends_complaint(c)) {
        c->d.too = NULL;
        c->verb = VERB_MOVE;
    }
    row = state_row_find(c, states, COUNT_OF(states));
    return row ? row->read(c) : state_act(c);
}
