/* Shapes of a tree in which words would be read as less than they say: a phrase
 * that is cut, what stands where another phrase of the same words would, a noun
 * with words in it that are none of its name. Each row of the table knows one. */
#include "worker/builtin/read/torn.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/telling.h"

/* "To the very left of the table" is no "to the left of" it: where its end is
 * meant, it is at that. */
static bool node_is_very_side(const reader *r, const chart_node *node)
{
    const bool named = node_is(node, "THING") || node_is(node, "CORE");
    const bool to =
        node_is(node, "ZONE") && reader_word_is(r, node->first, "to");
    for (uint32_t at = node->first; at + 1 < node->end && (named || to); at++) {
        if (reader_word_is(r, at, "very"))
            return match_word_side(reader_word(r, at + 1)) != 0;
    }
    return false;
}

/* "A bit left of its middle": a side of a part of something is no part of
 * it. */
static bool zone_is_aside(const reader *r, const chart_node *node)
{
    (void)r;
    static const lexicon_relation sides[] = {REL_LEFT, REL_RIGHT};
    const chart_node *const rel = chart_child(node, "$rel");
    for (size_t i = 0; rel && i < COUNT_OF(sides); i++) {
        if (node_is(node, "ZONE") && rel->value == (uint32_t)sides[i])
            return true;
    }
    return false;
}

/* "On the left or right of the vase": "on the left" is then of something
 * else. */
static bool node_is_torn(const reader *r, const chart_node *node)
{
    (void)r;
    if (!node_is(node, "EITHER") || node->child_count < 3)
        return false;
    const chart_node *const one = node->children[0];
    const chart_node *const rel = chart_child(node->children[2], "$rel");
    const bool bare = (node_is(one, "ZONE") || node_is(one, "SIDE")) &&
                      !chart_child(one, "'of'");
    return bare && rel && (rel->value == REL_LEFT || rel->value == REL_RIGHT);
}

/* "Both | chairs", "the other | one": words of how many that stand before a
 * phrase of its own, and no "both of the chairs". */
static bool thing_is_parted(const reader *r, const chart_node *node)
{
    (void)r;
    if (!node_is(node, "OF") || node->child_count < 2)
        return false;
    const chart_node *const det = node->children[0];
    const chart_node *const last = node->children[node->child_count - 1];
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const word = node->children[i];
        if (!node_is(word, "$quant") && !node_is(word, "$det"))
            return false;
    }
    const bool tells = node_is(det, "$quant") ||
                       (node_is(det, "$det") && det->value == DET_THE);
    return tells && node_is(last, "THING") && !chart_child(last, "$det");
}

/* "Beside the wardrobe, half a metre | from the shoes": a distance that its
 * "from" was cut off. */
static bool node_parts_distance(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const to = node->children[i];
        const chart_node *const from = node->children[i + 1];
        const chart_node *const last =
            to->child_count ? to->children[to->child_count - 1] : NULL;
        if (node_is(to, "REL") && last && node_is(last, "DIST") &&
            node_is(from, "REL") && from->first == last->end &&
            reader_word_is(r, from->first, "from"))
            return true;
    }
    return false;
}

/* "Seats to the room", where all things are. */
static bool place_is_room(const reader *r, const chart_node *node)
{
    const chart_node *const what =
        node_is(node, "REL") ? node_things(node, 0) : NULL;
    return what && reader_word_is(r, node->first, "to") &&
           phrase_means_room(r, what);
}

/* The noun alone that the node begins with; NULL: something determines it. */
static const chart_node *node_bare_noun(const chart_node *node)
{
    while (node_is(node, "EXCEPT") || node_is(node, "AND"))
        node = node->children[0];
    const bool bare = node_is(node, "THING") && node->child_count == 1 &&
                      node_is(node->children[0], "CORE");
    return bare ? node->children[0] : NULL;
}

/* "Into the toy | chest": a noun that nothing determines, right behind one that
 * is determined, is the rest of that. */
static bool node_tears_compound(const reader *r, const chart_node *node)
{
    static const char *const clauses[] = {"STATE", "DO"};
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const place = node->children[i];
        const chart_node *const core = node_bare_noun(node->children[i + 1]);
        const chart_node *const what =
            node_is(place, "REL") ? phrase_thing(node_things(place, 0)) : NULL;
        if (!core || !what || !chart_child(what, "$det") ||
            !WORD_IS_OF(node->name, clauses))
            continue;
        if (what->end == core->first && core->end == core->first + 1 &&
            !match_is_plural_word(reader_word(r, core->first)))
            return true;
    }
    return false;
}

/* "Apart | from the mug", which leaves that out, and is no way to go. */
static bool node_parts_exception(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const next = node->children[i + 1];
        if (node_is(node->children[i], "PART") &&
            reader_word_is(r, node->children[i]->first, "apart") &&
            reader_word_is(r, next->first, "from"))
            return true;
    }
    return false;
}

/* "Both cushions there, side by side": to a place that is pointed at. With a
 * verb it is told before or it stays, and with a place of its own it is there. */
static bool node_points_nowhere(const reader *r, const chart_node *node)
{
    static const char *const spots[] = {"REL",    "ZONE",  "BETWEEN", "OLD",
                                        "ENDOWN", "EXACT", "THERE"};
    bool points = false;
    if (!node_is(node, "STATE") || chart_child(node, "$be"))
        return false;
    for (uint32_t i = 1; i < node->child_count; i++) {
        const chart_node *const c = node->children[i];
        const bool word = node_is(c, "STAYS") || node_is(c, "$adv");
        if (WORD_IS_OF(c->name, spots))
            return false;
        points = points || (word && reader_word_is(r, c->first, "there"));
    }
    return points;
}

/* "The two that | don't go onto the bench": which of them, and no wish that they
 * do not. */
static bool denial_tears_thing(const reader *r, const chart_node *node)
{
    return node_is(node, "NOTSTATE") && node->child_count > 1 &&
           node->children[0]->end > node->children[0]->first + 1 &&
           reader_word_is(r, node->children[0]->end - 1, "that");
}

/* "The cups to the shelf and the lamp the other way": it goes back, and is not
 * turned round. */
static bool node_turns_back(const reader *r, const chart_node *node)
{
    const chart_node *const angle = chart_child(node, "ANGLE");
    return node_is(node, "STATE") && angle && !chart_child(node, "$be") &&
           node->first > 0 && reader_word_is(r, angle->end - 1, "way");
}

/* "Everything from the top": of what, and no place in an order. */
static bool thing_is_all_from_side(const reader *r, const chart_node *node)
{
    (void)r;
    return node_is(node, "PRON") && chart_child(node, "FROMSIDE");
}

/* "The cone standing furthest": words that no name of the scene has, and that
 * say where a thing is. */
static bool core_says_where(const reader *r, const chart_node *node)
{
    if (!node_is(node, "CORE"))
        return false;
    for (uint32_t at = node->first; at < node->end; at++) {
        const char *const word = reader_word(r, at);
        const bool behind = at > node->first &&
                            lexicon_lists("account: where it is", word) &&
                            !mend_vocabulary_has(r->vocabulary, word);
        if (behind || lexicon_lists("account: in no name", word))
            return true;
    }
    return false;
}

/* "The armchair's side of the table": a side of it, and no thing that is called
 * so besides. */
static bool owned_is_zone(const reader *r, const chart_node *node)
{
    const chart_node *const core =
        node_is(node, "OWNED") ? chart_child(node, "CORE") : NULL;
    return core && core->end == core->first + 1 &&
           lexicon_lists("$zone", reader_word(r, core->first));
}

/* "All but the left one, that one should face the door": what is left out, and
 * then what is asked of it. */
static bool except_takes_subject(const reader *r, const chart_node *node)
{
    const chart_node *const all =
        node_is(node, "EXCEPT") ? chart_child(node, "ALLOF") : NULL;
    const chart_node *const pron = all ? chart_child(all, "$pron") : NULL;
    return pron && reader_word_is(r, pron->first, "that");
}

/* "The duck goes swimming in | the basin", "so the kids reach | the fridge": no
 * talk ends before its place, and no reason before its object. */
static bool talk_is_cut(const reader *r, const chart_node *node)
{
    static const char *const talks[] = {"REMARK", "ASIDE", "BECAUSE", "TOLD"};
    const uint32_t next = r->part->first + node->end;
    if (!WORD_IS_OF(node->name, talks) || next >= r->part->end ||
        node->end < node->first + 2)
        return false;
    const chart_node *const last = node->children[node->child_count - 1];
    const sentence_token *const t = &r->s->tokens[next];
    const char *const end = reader_word(r, node->end - 1);
    const bool splits = lexicon_lists("told: determiner", t->text) ||
                        lexicon_lists("told: determiner", end);
    /* "before you move | the mug to the sofa" */
    const bool reason =
        node_is(node, "BECAUSE") && splits && !lexicon_lists("$verb", end);
    const bool leads = lexicon_lists("told: leads", end) &&
                       lexicon_lists("told: determiner", t->text);
    return node_is(last, "$any") && (reason || leads);
}

/* "So the kids can reach it, but not before its door": what follows "but" is no
 * reason. */
static bool reason_swallows_wish(const reader *r, const chart_node *node)
{
    const chart_node *const why =
        node_is(node, "BECAUSE") ? chart_child(node, "CLAUSE") : NULL;
    for (uint32_t at = why ? why->end : node->end; at + 2 < node->end; at++) {
        if (reader_word_is(r, at, ",") && reader_word_is(r, at + 1, "but"))
            return true;
    }
    return false;
}

/* "On the side facing the table": which side, and not how it looks there. */
static bool side_is_told_by_facing(const reader *r, const chart_node *node)
{
    (void)r;
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const zone = node->children[i];
        const chart_node *const word =
            node_is(zone, "ZONE") ? chart_child(zone, "$zone") : NULL;
        const bool bare = word && word->value == ZONE_SIDE &&
                          !chart_child(zone, "$side") &&
                          !chart_child(zone, "THING");
        if (bare && node_is(node->children[i + 1], "FACE"))
            return true;
    }
    return false;
}

/* "Leaning on the planter" is against it. */
static bool node_leans_on(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const rel = node->children[i + 1];
        const chart_node *const word =
            node_is(rel, "REL") ? chart_child(rel, "$rel") : NULL;
        if (node_is(node->children[i], "$standing") && word &&
            word->value == REL_ON &&
            reader_word_is(r, node->children[i]->first, "leaning"))
            return true;
    }
    return false;
}

/* "On the one | below": the one below what was told, and not below. */
static bool one_is_below(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const end = node->children[i + 1];
        const bool low = node_is(end, "BOTTOM") || node_is(end, "TOP");
        const bool beyond = reader_word_is(r, end->first, "below") ||
                            reader_word_is(r, end->first, "above");
        if (low && beyond && node_is(node->children[i], "REL") &&
            reader_word_is(r, end->first - 1, "one"))
            return true;
    }
    return false;
}

/* "The toaster one place | to the right": how far, and none of its name. */
static bool thing_takes_number(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i + 1 < node->child_count; i++) {
        const chart_node *const thing = node->children[i];
        const chart_node *const core =
            node_is(thing, "THING") ? chart_child(thing, "CORE") : NULL;
        if (core && core->end > core->first + 1 && core->end == thing->end &&
            node_is(node->children[i + 1], "$verb") &&
            reader_word_is(r, core->end - 1, "one"))
            return true;
    }
    return false;
}

static bool reading_has(const reader *r, builtin_relation relation)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        if (r->reading->moves[i].relation == relation)
            return true;
    }
    return false;
}

/* "Stack the crates and put the box on the upper one": of the pile. */
static bool core_is_of_pile(const reader *r, const chart_node *node)
{
    if (!node_is(node, "CORE") || node->end != node->first + 2 ||
        !reader_word_is(r, node->first + 1, "one"))
        return false;
    const unsigned ends = LEXICON_TOP | LEXICON_BOTTOM;
    return (match_word_side(reader_word(r, node->first)) & ends) != 0 &&
           reading_has(r, RELATION_STACK);
}

/* "The phone where the tray is and the tray where it is now": the phone, and no
 * tray that stays. */
static bool place_is_own_now(const reader *r, const chart_node *node)
{
    const chart_node *const old =
        node_is(node, "STATE") ? chart_child(node, "OLD") : NULL;
    const chart_node *const it = old ? chart_child(old, "PRON") : NULL;
    const bool now = it && reader_word_is(r, old->end - 1, "now") &&
                     phrase_is_pronoun(it, PRON_IT);
    return now && node->first > 0 &&
           reader_word_is(r, node->first - 1, "and") &&
           reading_has(r, RELATION_PLACE);
}

/* "Exchange the plant | for the table": what for, and not which plant. */
static bool trade_takes_partner(const reader *r, const chart_node *node)
{
    const chart_node *const verb =
        node_is(node, "DO") ? chart_child(node, "$verb") : NULL;
    const chart_node *const thing = verb ? chart_child(node, "THING") : NULL;
    const chart_node *const mod = thing ? chart_child(thing, "MOD") : NULL;
    return mod && verb->value == VERB_SWAP &&
           reader_word_is(r, mod->first, "for");
}

bool node_is_part(const reader *r, const chart_node *node)
{
    static bool (*const shapes[])(const reader *r, const chart_node *node) = {
        node_is_very_side,      zone_is_aside,        node_is_torn,
        thing_is_parted,        node_parts_distance,  place_is_room,
        node_tears_compound,    node_parts_exception, node_points_nowhere,
        denial_tears_thing,     node_turns_back,      thing_is_all_from_side,
        core_says_where,        owned_is_zone,        except_takes_subject,
        side_is_told_by_facing, node_leans_on,        one_is_below,
        thing_takes_number,     talk_is_cut,          core_is_of_pile,
        place_is_own_now,       trade_takes_partner,  reason_swallows_wish};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        if (shapes[i](r, node))
            return true;
    }
    return false;
}
