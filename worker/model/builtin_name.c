/* "the red bottle" -> objects. Every word of a phrase must be accounted for by an object's name, its colour as seen, or
 * its category and description; among those that are, the one whose name says nothing else wins ("table" is Table_01
 * before CoffeeTable), then one whose name's head is the phrase's head (a TableLamp is no table). Whatever stays
 * ambiguous is refused with the candidates' names: a guess would arrange the wrong thing. */
#include "worker/model/builtin_name_own.h"

#include <string.h>

static bool allowed(const builtin_facts *facts, const builtin_scope *scope, const query *q, uint32_t object)
{
    if (scope->on != BUILTIN_NONE && !builtin_stands_on(facts, object, scope->on)) return false;
    const builtin_object *o = &facts->objects[object];
    if (scope->only && scope->only != object + 1) return false;
    if (scope->on != BUILTIN_NONE &&
        builtin_off_level(facts, scope->on, scope->on_level, o->centre[2] - o->half[2]) > 0)
        return false;
    if (q->generic && q->token_count == 0 && facts->objects[object].is_static) return false;
    for (uint32_t i = 0; (q->other || !scope->movers) && i < scope->barred_count; i++) {
        if (scope->barred[i] == object) return false;
    }
    return true;
}

static void collect(const builtin_facts *facts, const builtin_scope *scope, const query *q, bool lenient,
                    found tiers[TIERS])
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (!allowed(facts, scope, q, i)) continue;
        uint32_t tier = query_tier_of(&facts->objects[i], q, lenient);
        if (tier < TIERS) tiers[tier].objects[tiers[tier].count++] = i;
    }
}

/* "The dining chairs", where none is called so: the chairs by a thing that bears the word, a dining or kitchen table;
 * "the desk lamp": the lamp on a desk. The first word is the other thing's, the rest the thing's own. */
static void collect_by_place(const builtin_facts *facts, const builtin_scope *scope, const query *q, found tiers[TIERS])
{
    static const double within = 0.6; /* metres */
    query own = *q, where = {.token_count = 1, .tokens = {q->tokens[0]}};
    if (q->token_count < 2 || q->tokens[0].colour != COLOUR_NONE) return;
    own.token_count--;
    memmove(own.tokens, q->tokens + 1, own.token_count * sizeof *own.tokens);
    for (int lenient = 0; lenient < 2 && tiers[0].count + tiers[1].count + tiers[2].count == 0; lenient++) {
        for (uint32_t i = 0; i < facts->object_count; i++) {
            uint32_t tier = allowed(facts, scope, q, i) ? query_tier_of(&facts->objects[i], &own, false) : TIERS;
            bool by = false;
            for (uint32_t k = 0; k < facts->object_count && tier < TIERS && !by; k++) {
                bool room =
                    facts->objects[k].is_static && facts->objects[k].half[0] > 1 && facts->objects[k].half[1] > 1;
                if (k == i || room || query_tier_of(&facts->objects[k], &where, lenient != 0) == TIERS) continue;
                by = builtin_is_above(facts, i, k) || name_way_between(&facts->objects[i], &facts->objects[k]) < within;
            }
            if (by) tiers[tier].objects[tiers[tier].count++] = i;
        }
    }
}

/* What was nearly meant, for the refusal: objects that answer to the nouns without the colours, else what can be moved. */
static etna_code refuse_none(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope,
                             const query *q, found *near, etna_error *err)
{
    query nouns = *q;
    nouns.token_count = 0;
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (q->tokens[i].colour == COLOUR_NONE) nouns.tokens[nouns.token_count++] = q->tokens[i];
    }
    bool colours = nouns.token_count < q->token_count && nouns.token_count > 0;
    for (uint32_t first = colours ? 0 : 1; first < nouns.token_count && near->count == 0;
         first++) { /* at last its head alone: chairs for dining chairs */
        query rest = nouns;
        rest.token_count -= first;
        memmove(rest.tokens, nouns.tokens + first, rest.token_count * sizeof *rest.tokens);
        for (int lenient = 0; lenient < 2 && near->count == 0; lenient++) {
            for (uint32_t i = 0; i < facts->object_count; i++) {
                if (allowed(facts, scope, q, i) && query_tier_of(&facts->objects[i], &rest, lenient != 0) < TIERS)
                    near->objects[near->count++] = i;
            }
        }
    }
    char text[160], names[280];
    bool nearly = near->count > 0;
    for (uint32_t i = 0; !nearly && i < facts->object_count; i++) {
        const builtin_object *object = &facts->objects[i];
        if (object->visible && !object->is_static) near->objects[near->count++] = i;
    }
    name_said(phrase, text, sizeof text);
    name_told(facts, near, names, sizeof names);
    return etna_fail(err, ETNA_E_INPUT, "nothing here is \"%s\"; %s %s", text,
                     nearly ? "of that name there are" : "there are", names);
}

static etna_code refuse_static(const builtin_facts *facts, const builtin_set *set, etna_error *err)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const builtin_object *object = &facts->objects[set->objects[i]];
        if (object->is_static) {
            const char *why = object->static_why && object->static_why[0] ? object->static_why : "it counts as static";
            if (strstr(why, "cuts into")) { /* a tree rooted in the terrain is one thing, not several */
                return etna_fail(
                    err, ETNA_E_INPUT,
                    "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is to move all the same, name it "
                    "under \"movable\" in the side file",
                    object->name, why);
            }
            return etna_fail(
                err, ETNA_E_INPUT,
                "%.120s is a fixed part of the scene and cannot be moved: %.120s; if it is several things in one mesh, etna scene split SCENE '%.120s' divides it",
                object->name, why, object->name);
        }
        if (object->immovable)
            return etna_fail(err, ETNA_E_INPUT, "%.200s is skinned or animated and cannot be moved", object->name);
    }
    return ETNA_OK;
}

static etna_code resolve_literal(const builtin_facts *facts, const char *name, etna_arena *arena, builtin_set *ret,
                                 etna_error *err)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) != 0) continue;
        uint32_t *object = etna_arena_memdup(arena, &i, sizeof i);
        if (!object) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
        *ret = (builtin_set){.count = 1, .objects = object, .need = 1};
        return ETNA_OK;
    }
    return ETNA_E_NOTFOUND;
}

/* "The corner of the room": where things stand in a room is its floor. */
static bool means_room(const query *q)
{
    static const char *const rooms[] = {"room", "scene", "whole", "living", "dining", "bed", "sitting", NULL};
    for (uint32_t i = 0; i < q->token_count; i++) {
        if (!query_one_of(q->tokens[i].text, rooms)) return false;
    }
    return q->token_count > 0 && (strcmp(q->tokens[q->token_count - 1].text, "room") == 0 ||
                                  strcmp(q->tokens[q->token_count - 1].text, "scene") == 0);
}

/* The largest of the fixed surfaces; the lowest of equals. */
static uint32_t floor_of(const builtin_facts *facts)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (!facts->objects[s->object].is_static) continue;
        double area = s->cell * s->columns * s->cell * s->rows,
               most = best ? best->cell * best->columns * best->cell * best->rows : 0;
        if (!best || area > most + 1e-9 || (area > most - 1e-9 && s->height < best->height)) best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

etna_code builtin_resolve(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope,
                          etna_arena *arena, builtin_set *ret, etna_error *err)
{
    if (phrase->first >= phrase->end) return etna_fail(err, ETNA_E_INPUT, "a name is missing");
    query q = {0};
    builtin_set set = {0};
    etna_code code = query_parse(phrase, phrase->first, phrase->end, false, arena, &q, err);
    if (code == ETNA_OK && !query_has_noun(&q) && phrase->noun_first < phrase->noun_end) {
        code = query_parse(phrase, phrase->noun_first, phrase->noun_end, true, arena, &q, err);
    }
    if (code != ETNA_OK) return code;
    if (!q.literal) { /* a name written as the file has it, without an article: "Block" beside "Block.001" */
        uint32_t at = phrase->words[phrase->first].at, size = phrase->words[phrase->end - 1].end - at;
        char *raw = etna_arena_strndup(arena, phrase->sentence + at, size);
        if (!raw) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
        if (raw[strcspn(raw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] && at > 0) q.literal = raw;
    }
    if (q.literal) code = resolve_literal(facts, q.literal, arena, &set, err);
    if (q.literal && code != ETNA_E_NOTFOUND) {
        if (code == ETNA_OK && scope->movers) code = refuse_static(facts, &set, err);
        if (code == ETNA_OK) *ret = set;
        return code;
    }
    found tiers[TIERS] = {0}, near = {0};
    for (int i = 0; i < TIERS; i++) tiers[i].objects = etna_arena_alloc(arena, facts->object_count, sizeof(uint32_t));
    near.objects = etna_arena_alloc(arena, facts->object_count, sizeof(uint32_t));
    if (!tiers[0].objects || !tiers[1].objects || !tiers[2].objects || !near.objects) {
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading a name");
    }
    uint32_t nearest_to = BUILTIN_NONE;
    if (q.nearest_first < q.nearest_end) { /* once only: what follows is read without another "nearest" */
        const builtin_phrase rest = {
            .words = phrase->words, .first = q.nearest_first, .end = q.nearest_end, .sentence = phrase->sentence};
        query inner = {0};
        code = query_parse(&rest, rest.first, rest.end, false, arena, &inner, err);
        if (code == ETNA_OK && inner.nearest_end) code = etna_fail(err, ETNA_E_INPUT, "it says \"nearest\" twice");
        if (code == ETNA_OK)
            code = builtin_resolve(facts, &rest, &(builtin_scope){.on = BUILTIN_NONE, .alike = BUILTIN_NONE}, arena,
                                   &set, err);
        if (code != ETNA_OK) return code;
        nearest_to = set.objects[0];
    }
    if (q.other && q.generic && q.token_count == 0 && scope->alike < facts->object_count &&
        query_head_of(&facts->objects[scope->alike]) != BUILTIN_NONE) {
        const builtin_object *like = &facts->objects[scope->alike];
        q.tokens[q.token_count++] = (token){.text = like->words[query_head_of(like)]};
    }
    bool means = q.token_count > 0 || q.generic;
    if (means) collect(facts, scope, &q, false, tiers);
    if (means && tiers[0].count + tiers[1].count + tiers[2].count == 0) collect(facts, scope, &q, true, tiers);
    if (means && tiers[0].count + tiers[1].count + tiers[2].count == 0) collect_by_place(facts, scope, &q, tiers);
    uint32_t room = tiers[0].count + tiers[1].count + tiers[2].count == 0 && !scope->movers && means_room(&q)
                        ? floor_of(facts)
                        : BUILTIN_NONE;
    if (room != BUILTIN_NONE) tiers[0].objects[tiers[0].count++] = room;
    if (tiers[0].count + tiers[1].count + tiers[2].count == 0) return refuse_none(facts, phrase, scope, &q, &near, err);
    bool many = scope->movers && !q.extreme_of && (q.all || q.plural || q.number > 1);
    code = many ? name_choose_set(facts, phrase, &q, tiers, &set, err)
                : name_choose_one(facts, phrase, scope, &q, nearest_to, tiers, &set, err);
    if (code == ETNA_OK && scope->movers) code = refuse_static(facts, &set, err);
    if (code == ETNA_OK) *ret = set;
    return code;
}
