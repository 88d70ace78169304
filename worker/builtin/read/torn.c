/* Shapes of a tree in which words would be read as less than they say: a phrase
 * that is cut, what stands where another phrase of the same words would, a noun
 * with words in it that are none of its name. A shape is a row of a table; the
 * words it asks for are lines of lexicon.inc ("torn: ..."). */
#include "worker/builtin/read/torn.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/telling.h"

enum {
    NAMES_MAX = 8 /* of nodes, with the NULL behind them */
};

/* What a node is like. A field that is left out admits every node. */
typedef struct node_shape {
    const char *is[NAMES_MAX];    /* one of these */
    uint32_t values;              /* BIT() of a terminal's values */
    uint32_t least;               /* words */
    uint32_t most;                /* words; 0: no bound */
    const char *first;            /* the lexicon's class of its first word */
    const char *last;             /* and of its last word */
    const char *lacks[NAMES_MAX]; /* no child is one of these */
    const char *lacks_later[NAMES_MAX]; /* none behind the first child is */
    const struct node_shape *has[2];    /* the first child of that name is so */
    const struct node_shape *tail;      /* so is its last child */
} node_shape;

/* One way to tear words. `node` must fit; so must two neighbours among its
 * children where `left` or `right` says something of them. */
typedef struct torn_row {
    node_shape node;
    bool is_later;      /* words of the part stand before the node */
    const char *before; /* the lexicon's class of the word before the node */
    const node_shape *left;
    const node_shape *right; /* NULL with NULL: no neighbours are asked */
    uint32_t apart;          /* the right one is that many behind; 0: 1 */
    bool begins;             /* the left one is the node's first child */
    /* what no shape can say; NULL: nothing. `left` and `right` are the node and
     * NULL in a row without neighbours. */
    bool (*also)(const reader *r,
                 const chart_node *left,
                 const chart_node *right);
} torn_row;

/* ---- what no shape can say ---- */

/* "The very left", within the node. */
static bool words_say_very_side(const reader *r,
                                const chart_node *node,
                                const chart_node *none)
{
    (void)none;
    for (uint32_t at = node->first; at + 1 < node->end; at++) {
        if (reader_lists(r, at, "torn: very"))
            return match_word_side(reader_word(r, at + 1)) != 0;
    }
    return false;
}

/* "A box on each board" is of a shelf's boards, which are no things, where no
 * two things here are boards. */
static bool boards_are_parts(const reader *r,
                             const chart_node *node,
                             const chart_node *later)
{
    const chart_node *const boards = chart_child(later ? later : node, "CORE");
    const char *const last = reader_word(r, boards->end - 1);
    uint32_t called = 0;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *const o = object_at(r, i);
        const uint32_t count = o->word_count;
        called += count > 0 && strcmp(o->words[count - 1], last) == 0;
    }
    return called < 2;
}

/* "By the lift half | a metre to the left": half of it, and no half of the
 * lift. */
static bool core_takes_half(const reader *r,
                            const chart_node *node,
                            const chart_node *none)
{
    (void)none;
    return node->end < r->part->end - r->part->first &&
           reader_lists(r, node->end, "torn: article");
}

/* Nothing but words of how many stands before the last child, and they count
 * more than "a" does. */
static bool thing_is_parted(const reader *r,
                            const chart_node *node,
                            const chart_node *none)
{
    (void)r;
    (void)none;
    if (node->child_count < 2)
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

static bool place_is_room(const reader *r,
                          const chart_node *node,
                          const chart_node *none)
{
    (void)none;
    const chart_node *const what = node_things(node, 0);
    return what && phrase_means_room(r, what);
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

/* A noun that nothing determines, right behind a place that is determined, is
 * the rest of that. */
static bool neighbours_are_compound(const reader *r,
                                    const chart_node *place,
                                    const chart_node *noun)
{
    const chart_node *const core = node_bare_noun(noun);
    const chart_node *const what = phrase_thing(node_things(place, 0));
    if (!core || !what || !chart_child(what, "$det"))
        return false;
    return what->end == core->first && core->end == core->first + 1 &&
           !match_is_plural_word(reader_word(r, core->first));
}

/* Words that no name of the scene has, and that say where a thing is. */
static bool core_says_where(const reader *r,
                            const chart_node *node,
                            const chart_node *none)
{
    (void)none;
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

/* No talk ends before its place, and no reason before its object. */
static bool talk_is_cut(const reader *r,
                        const chart_node *node,
                        const chart_node *none)
{
    (void)none;
    const uint32_t next = r->part->first + node->end;
    if (next >= r->part->end)
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

/* A comma and "but" behind the reason's clause. */
static bool reason_swallows_wish(const reader *r,
                                 const chart_node *node,
                                 const chart_node *none)
{
    (void)none;
    const chart_node *const why = chart_child(node, "CLAUSE");
    for (uint32_t at = why ? why->end : node->end; at + 2 < node->end; at++) {
        if (reader_word_is(r, at, ",") && reader_lists(r, at + 1, "torn: but"))
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

static bool core_is_of_pile(const reader *r,
                            const chart_node *node,
                            const chart_node *none)
{
    (void)none;
    const unsigned ends = LEXICON_TOP | LEXICON_BOTTOM;
    return (match_word_side(reader_word(r, node->first)) & ends) != 0 &&
           reading_has(r, RELATION_STACK);
}

/* "The white": no thing that "one" stands behind. */
static bool things_end_in_colour(const reader *r,
                                 const chart_node *left,
                                 const chart_node *right)
{
    bool superlative;
    const char *const word = reader_word(r, left->end - 1);
    (void)right;
    return lexicon_colour(word) || lexicon_size(word, &superlative);
}

static bool place_is_own_now(const reader *r,
                             const chart_node *node,
                             const chart_node *none)
{
    (void)none;
    const chart_node *const old = chart_child(node, "OLD");
    return phrase_is_pronoun(chart_child(old, "PRON"), PRON_IT) &&
           reading_has(r, RELATION_PLACE);
}

/* ---- the table ---- */

#define NODE(...) \
    &(const node_shape) \
    { \
        __VA_ARGS__ \
    }
#define BOARDS NODE(.is = {"CORE"}, .last = "torn: part board")
#define SIDEWAYS NODE(.is = {"$rel"}, .values = BIT(REL_LEFT) | BIT(REL_RIGHT))
/* what says where a thing is to be */
#define SPOTS "REL", "ZONE", "BETWEEN", "OLD", "ENDOWN", "EXACT", "THERE"

/* "Put the plates at chairs C | and D on the counter": the second of two letters
 * begins no wish of its own. */
static bool words_begin_at_label(const reader *r,
                                 const chart_node *node,
                                 const chart_node *none)
{
    (void)none;
    const uint32_t at = node->first;
    if (at < 3 || node_is(node, "THING") || node_is(node, "CORE"))
        return false;
    const char *const label = reader_word(r, at);
    const char *const before = reader_word(r, at - 2);
    return label[0] && !label[1] && before[0] && !before[1] &&
           reader_word_is(r, at - 1, "and") &&
           match_is_plural_word(reader_word(r, at - 3));
}

static const torn_row rows[] = {
    {.node = {.is = {"THING"}, .first = "torn: every", .has = {BOARDS}},
     .also = boards_are_parts},
    {.node = {.is = {"GIVE"}},
     .left = NODE(.is = {"FOREACH"}),
     .right = NODE(.is = {"THING"}, .has = {BOARDS}),
     .also = boards_are_parts},
    {.node = {.least = 2}, .also = words_begin_at_label},
    /* "to the very left of the table": no "to the left of" it. Where its end is
     * meant, it is at that. */
    {.node = {.is = {"THING", "CORE"}}, .also = words_say_very_side},
    {.node = {.is = {"ZONE"}, .first = "torn: to"},
     .also = words_say_very_side},
    /* "a bit left of its middle": a side of a part is no part */
    {.node = {.is = {"ZONE"}, .has = {SIDEWAYS}}},
    /* "on the left | or right of the vase": "on the left" of something else */
    {.node = {.is = {"EITHER"}},
     .left = NODE(.is = {"ZONE", "SIDE"}, .lacks = {"'of'"}),
     .right = NODE(.has = {SIDEWAYS}),
     .apart = 2,
     .begins = true},
    /* "opposite | each other": no other things, each of them */
    {.node = {.is = {"THING"},
              .most = 2,
              .first = "torn: each",
              .last = "torn: other"}},
    /* "both | chairs", "the other | one": no "both of the chairs" */
    {.node = {.is = {"OF"}}, .also = thing_is_parted},
    /* "beside the wardrobe, half a metre | from the shoes" */
    {.left = NODE(.is = {"REL"}, .tail = NODE(.is = {"DIST"})),
     .right = NODE(.is = {"REL"}, .first = "torn: from")},
    /* "seats to the room", where all things are */
    {.node = {.is = {"REL"}, .first = "torn: to"}, .also = place_is_room},
    /* "into the toy | chest" */
    {.node = {.is = {"STATE", "DO"}},
     .left = NODE(.is = {"REL"}),
     .also = neighbours_are_compound},
    /* "not | more than a metre from the bench": how far at most, and no place
     * that is denied */
    {.left = NODE(.is = {"$not"}), .right = NODE(.first = "torn: compared")},
    /* "apart | from the mug", which leaves that out, and is no way to go */
    {.left = NODE(.is = {"PART"}, .first = "torn: apart"),
     .right = NODE(.first = "torn: from")},
    /* "both cushions there, side by side": to a place that is pointed at. With a
     * verb it is told before or it stays, and with a place of its own it is
     * there. */
    {.node = {.is = {"STATE"}, .lacks = {"$be"}, .lacks_later = {SPOTS}},
     .right = NODE(.is = {"STAYS", "$adv"}, .first = "torn: there")},
    /* "the two that | don't go onto the bench": which of them, and no wish that
     * they do not */
    {.node = {.is = {"NOTSTATE"}},
     .left = NODE(.least = 2, .last = "torn: that"),
     .begins = true},
    /* "the cups to the shelf and the lamp the other way": it goes back, and is
     * not turned round */
    {.node = {.is = {"STATE"},
              .has = {NODE(.is = {"ANGLE"}, .last = "torn: way")},
              .lacks = {"$be"}},
     .is_later = true},
    /* "everything from the top": of what, and no place in an order */
    {.node = {.is = {"PRON"}, .has = {NODE(.is = {"FROMSIDE"})}}},
    /* "the cone standing furthest" */
    {.node = {.is = {"CORE"}}, .also = core_says_where},
    /* "the armchair's side of the table": a side of it, and no thing that is
     * called so besides */
    {.node = {.is = {"OWNED"},
              .has = {NODE(.is = {"CORE"}, .most = 1, .first = "$zone")}}},
    /* "all but the left one, that one should face the door": what is left out,
     * and then what is asked of it */
    {.node = {.is = {"EXCEPT"},
              .has = {NODE(.is = {"ALLOF"},
                           .has = {NODE(.is = {"$pron"},
                                        .first = "torn: that")})}}},
    /* "on the side | facing the table": which side, and not how it looks there */
    {.left = NODE(.is = {"ZONE"},
                  .has = {NODE(.is = {"$zone"}, .values = BIT(ZONE_SIDE))},
                  .lacks = {"$side", "THING"}),
     .right = NODE(.is = {"FACE"})},
    /* "leaning | on the planter" is against it */
    {.left = NODE(.is = {"$standing"}, .first = "torn: leaning"),
     .right = NODE(.is = {"REL"},
                   .has = {NODE(.is = {"$rel"}, .values = BIT(REL_ON))})},
    /* "it faces the desk | from the other side": where it is to be, and not
     * which desk, as "from the corner" says */
    {.node = {.is = {"MOD"},
              .has = {NODE(.is = {"ZONE"},
                           .first = "torn: from",
                           .has = {NODE(.is = {"$zone"},
                                        .values = BIT(ZONE_SIDE))})}}},
    {.node = {.is = {"MOD"},
              .has = {NODE(.is = {"ZONE"},
                           .first = "torn: from",
                           .has = {NODE(.is = {"$quant"})})}}},
    /* "two | at the bottom, one on top": so many, and not the second. A number
     * of them side by side makes no pile of one upon the other. */
    {.node = {.is = {"STATE", "BARE"}},
     .left = NODE(.is = {"THING"}, .most = 1, .first = "torn: many"),
     .right = NODE(.is = {"BOTTOM", "TOP"})},
    /* "on the one | below": the one below what was told */
    {.left = NODE(.is = {"REL"}, .last = "torn: one"),
     .right = NODE(.is = {"BOTTOM", "TOP"}, .first = "torn: over or under")},
    /* "the toaster one | place to the right": how far, and none of its name */
    {.left =
         NODE(.is = {"THING"},
              .tail = NODE(.is = {"CORE"}, .least = 2, .last = "torn: one")),
     .right = NODE(.is = {"$verb"})},
    /* "the duck goes swimming in | the basin", "so the kids reach | it" */
    {.node = {.is = {"REMARK", "ASIDE", "BECAUSE", "TOLD"}, .least = 2},
     .also = talk_is_cut},
    /* "stack the crates and put the box on the upper one": of the pile */
    {.node = {.is = {"CORE"}, .least = 2, .most = 2, .last = "torn: one"},
     .also = core_is_of_pile},
    /* "the phone where the tray is and the tray where it is now": the phone, and
     * no tray that stays */
    {.node = {.is = {"STATE"},
              .has = {NODE(.is = {"OLD"},
                           .last = "torn: now",
                           .has = {NODE(.is = {"PRON"})})}},
     .before = "torn: and",
     .also = place_is_own_now},
    /* "cup 1 left of the jug and cup 2 behind it": where cup 1 is to be, and not
     * which it is */
    {.node = {.is = {"DO", "STATE"},
              .has = {NODE(.is = {"AND"},
                           .has = {NODE(.is = {"THING"},
                                        .has = {NODE(.is = {"MOD"})})}),
                      NODE(.is = {"REL"},
                           .has = {NODE(.is = {"PRON"}),
                                   NODE(.is = {"$rel"},
                                        .values =
                                            BIT(REL_LEFT) | BIT(REL_RIGHT) |
                                            BIT(REL_FRONT) | BIT(REL_BEHIND) |
                                            BIT(REL_BESIDE) |
                                            BIT(REL_NEAR))})}}},
    /* "exchange the plant | for the table": what for, and not which plant */
    {.node = {.is = {"DO"},
              .has = {NODE(.is = {"$verb"}, .values = BIT(VERB_SWAP)),
                      NODE(.is = {"THING"},
                           .has = {NODE(.is = {"MOD"},
                                        .first = "torn: for")})}}},
    /* "leave only the lamp on the desk": nothing else there */
    {.node = {.is = {"DO"},
              .first = "torn: leave",
              .has = {NODE(.is = {"THING"},
                           .has = {NODE(.is = {"$det"},
                                        .values = BIT(DET_ONLY))}),
                      NODE(.is = {"REL"})}}},
    /* "load the cart with the boxes": these into it, and it to no boxes */
    {.node = {.is = {"DO"},
              .first = "torn: loads",
              .has = {NODE(.is = {"REL"}, .first = "torn: with")}}},
    /* "the picture over the desk 10 cm | up": how far up, and not how far over */
    {.left = NODE(.is = {"REL", "EXACT"}, .last = "$unit"),
     .right = NODE(.most = 1, .first = "torn: up")},
    {.node = {.is = {"DO", "STATE"}},
     .left = NODE(.is = {"DIST"}),
     .right = NODE(.most = 1, .first = "torn: up")},
    /* "the 5 | kg dumbbells": how heavy, and not how many */
    {.left = NODE(.is = {"NUMBER"}),
     .right = NODE(.is = {"CORE"}, .least = 2, .first = "torn: measure")},
    /* "the white | one to the right of it": which one, and not one on each side */
    {.left = NODE(.is = {"THING"}),
     .right = NODE(.is = {"ZONE"}, .has = {NODE(.is = {"ONEEACH"})}),
     .also = things_end_in_colour},
    /* "the chairs look | at the table": they face it, and stand anywhere */
    {.node = {.is = {"STATE"}},
     .left = NODE(.is = {"$be"}, .last = "torn: look"),
     .right = NODE(.is = {"REL"}, .first = "torn: at")},
    /* "from the thickest | to the thinnest": an order, and no places */
    {.left = NODE(.is = {"REL"},
                  .most = 2,
                  .first = "torn: from",
                  .last = "torn: most"),
     .right = NODE(.is = {"REL"}, .first = "torn: to")},
    /* "on each long side": of a thing, and no side table */
    {.node = {.is = {"CORE"},
              .least = 2,
              .most = 2,
              .first = "torn: length",
              .last = "torn: side"}},
    {.node = {.is = {"CORE", "ZONE", "REL"}, .least = 2, .last = "torn: half"},
     .also = core_takes_half},
    /* "all candles one shelf | lower": how far, and no shelf that is moved */
    {.left =
         NODE(.is = {"AND"}, .tail = NODE(.least = 2, .last = "torn: board")),
     .right = NODE(.is = {"SHIFT"}, .most = 2)},
    /* "so the kids can reach it, but not before its door": what follows "but" is
     * no reason */
    {.node = {.is = {"BECAUSE"}}, .also = reason_swallows_wish},
};
#undef NODE
#undef SIDEWAYS
#undef SPOTS

/* ---- does a row fit? ---- */

static bool name_is_of(const char *name, const char *const names[NAMES_MAX])
{
    for (size_t i = 0; i < NAMES_MAX && names[i]; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static bool shape_fits_words(const reader *r,
                             const node_shape *shape,
                             const chart_node *node)
{
    const uint32_t words = node->end - node->first;
    if (words < shape->least || (shape->most && words > shape->most))
        return false;
    if (shape->first &&
        !lexicon_lists(shape->first, reader_word(r, node->first)))
        return false;
    return !shape->last ||
           lexicon_lists(shape->last, reader_word(r, node->end - 1));
}

static bool shape_fits(const reader *r,
                       const node_shape *shape,
                       const chart_node *node);

static bool shape_fits_children(const reader *r,
                                const node_shape *shape,
                                const chart_node *node)
{
    for (size_t i = 0; i < COUNT_OF(shape->has) && shape->has[i]; i++) {
        const chart_node *const child = chart_child(node, shape->has[i]->is[0]);
        if (!child || !shape_fits(r, shape->has[i], child))
            return false;
    }
    for (uint32_t i = 0; i < node->child_count; i++) {
        const char *const name = node->children[i]->name;
        if (name_is_of(name, shape->lacks) ||
            (i > 0 && name_is_of(name, shape->lacks_later)))
            return false;
    }
    if (!shape->tail)
        return true;
    return node->child_count > 0 &&
           shape_fits(r, shape->tail, node->children[node->child_count - 1]);
}

static bool shape_fits(const reader *r,
                       const node_shape *shape,
                       const chart_node *node)
{
    if (shape->is[0] && !name_is_of(node->name, shape->is))
        return false;
    if (shape->values && !bit_is_in(node->value, shape->values))
        return false;
    return shape_fits_words(r, shape, node) &&
           shape_fits_children(r, shape, node);
}

/* Are there two neighbours among the node's children as the row has them? */
static bool row_fits_neighbours(const reader *r,
                                const torn_row *row,
                                const chart_node *node)
{
    const uint32_t apart = row->apart ? row->apart : 1;
    for (uint32_t i = 0; i + apart < node->child_count; i++) {
        const chart_node *const left = node->children[i];
        const chart_node *const right = node->children[i + apart];
        if (row->begins && i > 0)
            return false;
        if (row->left && !shape_fits(r, row->left, left))
            continue;
        if (row->right && !shape_fits(r, row->right, right))
            continue;
        if (!row->also || row->also(r, left, right))
            return true;
    }
    return false;
}

static bool row_fits(const reader *r,
                     const torn_row *row,
                     const chart_node *node)
{
    if (!shape_fits(r, &row->node, node))
        return false;
    if ((row->is_later || row->before) && node->first == 0)
        return false;
    if (row->before &&
        !lexicon_lists(row->before, reader_word(r, node->first - 1)))
        return false;
    if (row->left || row->right)
        return row_fits_neighbours(r, row, node);
    return !row->also || row->also(r, node, NULL);
}

bool node_is_part(const reader *r, const chart_node *node)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (row_fits(r, &rows[i], node))
            return true;
    }
    return false;
}
