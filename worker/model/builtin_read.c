/* A text -> moves. The text is cut at full stops; each part's trees are read for the scene, cheapest first, and the one
 * whose cost by grammar and by scene together is least is what was meant. What none can mean is refused with the reason of
 * the likeliest. */
#include "worker/model/builtin_reader.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const codes[] = {"unread", "unknown", "ambiguous", "impossible", "no_place"};

enum { TREES_READ = 8, TREES_READ_OF_MISSPELT = 16, INTERJECTION_MAX = 2, MARGIN_OF_MENDED = 5 };

/* By how much (hundredths) a reading that can be followed may be farther from what people say than one that is understood and
 * cannot: beyond that the refusal is the answer, not a guess. */
enum { BEYOND_REFUSAL = 45 };

static bool refusal_is_understood(const builtin_refusal *refusal)
{
    return strcmp(refusal->code, "impossible") == 0 || strcmp(refusal->code, "ambiguous") == 0;
}

etna_code reader_no_memory(reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "out of memory while reading an instruction");
}

void reader_span(const reader *r, const chart_node *node, uint32_t ret[2])
{
    ret[0] = r->s->tokens[r->part->first + node->first].at;
    ret[1] = r->s->tokens[r->part->first + node->end - 1].end;
}

const char *reader_word(const reader *r, uint32_t token) { return r->s->tokens[r->part->first + token].text; }

const char *reader_said(const reader *r, const chart_node *node)
{
    uint32_t span[2];
    reader_span(r, node, span);
    uint32_t size = span[1] - span[0] < 160 ? span[1] - span[0] : 160;
    char *text = etna_arena_strndup(r->arena, r->text + span[0], size);
    return text ? text : "";
}

etna_code reader_refuse(reader *r, reader_code code, const chart_node *node, const char *format, ...)
{
    va_list args;
    char text[1000];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint32_t span[2] = {0, (uint32_t)strlen(r->text)};
    if (node) reader_span(r, node, span);
    char *what = etna_arena_strdup(r->arena, text);
    r->refusal = (builtin_refusal){
        .code = codes[code], .what = what ? what : "", .where = "", .advice = "", .from = span[0], .to = span[1]};
    return etna_fail(r->err, ETNA_E_INPUT, "%s", text);
}

/* ---- one part ---- */

/* "Somebody dropped a magazine.": what an aside speaks of is what "it" means next, where it names one thing only. */
static etna_code aside_read(reader *r, const chart_node *aside)
{
    enum { LONGEST = 4 };
    for (uint32_t size = LONGEST; size > 0; size--) {
        uint32_t found = BUILTIN_NONE, count = 0;
        for (uint32_t first = aside->first; first + size <= aside->end; first++) {
            const char *words[LONGEST];
            bool open = true;
            for (uint32_t k = 0; k < size; k++) {
                words[k] = reader_word(r, first + k);
                open = open && !lexicon_is_function_word(words[k]) && !r->s->tokens[r->part->first + first + k].is_mark;
            }
            match_query q;
            if (!open) continue;
            etna_code code = match_query_make(words, size, r->arena, &q, r->err);
            if (code != ETNA_OK) return code;
            for (uint32_t i = 0; i < r->facts->object_count && q.has_noun; i++) {
                bool moves = !r->facts->objects[i].is_static && !r->facts->objects[i].immovable;
                if (!moves || match_object(r->facts, r->kinds, i, &q).cost > 60) continue;
                found = i;
                count++;
            }
        }
        if (count == 0) continue;
        if (count > 1) return ETNA_OK;
        uint32_t *own = etna_arena_memdup(r->arena, &found, sizeof found);
        if (!own) return reader_no_memory(r);
        r->memory.last = r->memory.named = (builtin_set){.count = 1, .objects = own, .need = 1};
        return ETNA_OK;
    }
    return ETNA_OK;
}

static etna_code tree_read(reader *r, const chart_node *node)
{
    if (node_is(node, "CLAUSE")) return clause_read(r, node->children[0]);
    if (node_is(node, "ASIDE")) return aside_read(r, node);
    for (uint32_t i = 0; i < node->child_count; i++) {
        if (node->children[i]->is_terminal) continue;
        etna_code code = tree_read(r, node->children[i]);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* What nobody can do by moving things, in the likeliest reading: the rest of the sentence does not matter then. */
static const chart_node *tree_impossible(const chart_node *node)
{
    const chart_node *verb = node_is(node, "DO") ? chart_child(node, "$verb") : NULL;
    if (verb && verb->value == VERB_CANNOT) return node;
    if (node_is(node, "CANNOT")) return node;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const chart_node *found = tree_impossible(node->children[i]);
        if (found) return found;
    }
    return NULL;
}

/* One tree's reading. */
typedef struct attempt {
    reader r;
    builtin_reading reading;
    uint32_t cost; /* by grammar and scene */
} attempt;

/* Reads a tree as part of the sentence whose misspelt words the tree has chosen. */
static etna_code attempt_make(const reader *r, const chart_tree *tree, attempt *ret)
{
    sentence *chosen = etna_arena_alloc(r->arena, 1, sizeof *chosen);
    ret->r = *r;
    ret->r.cost = 0;
    ret->r.reading = &ret->reading;
    ret->reading = *r->reading;
    if (!chosen) return reader_no_memory(&ret->r);
    etna_code code = sentence_choose(r->s, r->part, tree->root, r->arena, chosen, r->err);
    if (code != ETNA_OK) return code;
    ret->r.s = chosen;
    code = tree_read(&ret->r, tree->root);
    ret->cost = tree->cost + ret->r.cost;
    return code;
}

static bool sets_same(const builtin_set *a, const builtin_set *b)
{
    if (a->count != b->count || a->need != b->need) return false;
    return a->count == 0 || memcmp(a->objects, b->objects, a->count * sizeof *a->objects) == 0;
}

/* Do two moves ask for the same, as far as words that may be misspelt decide it? */
static bool moves_same(const builtin_move *a, const builtin_move *b)
{
    bool place = a->relation == b->relation && a->reference == b->reference && a->second == b->second &&
                 a->support == b->support;
    bool where = a->sides == b->sides && a->level == b->level && a->gap == b->gap && a->slot == b->slot &&
                 a->also_count == b->also_count;
    bool way = a->facing == b->facing && a->faced == b->faced && a->turn == b->turn && a->order == b->order;
    bool row = a->row_count == b->row_count && a->even == b->even && a->spacing == b->spacing && a->align == b->align;
    for (int k = 0; k < 3; k++) way = way && a->shift[k] == b->shift[k] && a->at[k] == b->at[k];
    for (uint32_t i = 0; row && i < a->row_count; i++) row = a->row[i] == b->row[i];
    for (uint32_t i = 0; where && i < a->also_count; i++) {
        const builtin_condition *x = &a->also[i], *y = &b->also[i];
        where = x->relation == y->relation && x->reference == y->reference && x->second == y->second;
    }
    return place && where && way && row && sets_same(&a->objects, &b->objects) && sets_same(&a->each, &b->each);
}

static bool readings_same(const builtin_reading *a, const builtin_reading *b)
{
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!moves_same(&a->moves[i], &b->moves[i])) return false;
    }
    return true;
}

/* The token that two attempts take for different words; NULL: none. */
static const sentence_token *attempts_differ(const attempt *a, const attempt *b)
{
    for (uint32_t i = a->r.part->first; i < a->r.part->end; i++) {
        const sentence_token *t = &a->r.s->tokens[i];
        if (t->variant_count && strcmp(t->text, b->r.s->tokens[i].text) != 0) return t;
    }
    return NULL;
}

/* Is there a better one with the same words? */
static bool attempt_is_beaten(attempt *const *attempts, uint32_t count, uint32_t at)
{
    for (uint32_t i = 0; i < count; i++) {
        bool before = attempts[i]->cost < attempts[at]->cost || (attempts[i]->cost == attempts[at]->cost && i < at);
        if (before && !attempts_differ(attempts[i], attempts[at])) return true;
    }
    return false;
}

/* The best attempt; one that takes a misspelt word for another and is as good, but asks for something else, makes it a
 * guess, which is refused. */
static etna_code attempts_choose(reader *r, attempt *const *attempts, uint32_t count, const attempt **ret)
{
    const attempt *best = attempts[0];
    for (uint32_t i = 1; i < count; i++) {
        if (attempts[i]->cost < best->cost) best = attempts[i];
    }
    *ret = best;
    for (uint32_t i = 0; i < count; i++) {
        const attempt *other = attempts[i];
        const sentence_token *t = other->cost <= best->cost + MARGIN_OF_MENDED ? attempts_differ(best, other) : NULL;
        if (!t || attempt_is_beaten(attempts, count, i) || readings_same(&best->reading, &other->reading)) continue;
        const char *one = t->text, *two = other->r.s->tokens[t - best->r.s->tokens].text;
        etna_code code = reader_refuse(r, CODE_AMBIGUOUS, NULL, "\"%s\" may be \"%s\" or \"%s\"", t->written, one, two);
        r->refusal.from = t->at;
        r->refusal.to = t->end;
        return code;
    }
    return ETNA_OK;
}

static bool part_is_misspelt(const reader *r)
{
    for (uint32_t i = r->part->first; i < r->part->end; i++) {
        if (r->s->tokens[i].variant_count) return true;
    }
    return false;
}

static etna_code part_read(reader *r, const sentence_vocabulary *vocabulary)
{
    chart_tree trees[CHART_TREES_MAX];
    attempt *done[CHART_TREES_MAX];
    uint32_t count = 0, done_count = 0, best_cost = UINT32_MAX, first_cost = 0;
    etna_code code = sentence_parse(r->s, r->part, vocabulary, r->arena, trees, &count, r->err);
    if (code == ETNA_E_INPUT)
        return reader_refuse(r, CODE_UNREAD, NULL, "%s", r->err ? r->err->text : "it is too long");
    if (code != ETNA_OK) return code;
    bool misspelt = part_is_misspelt(r), refused = false;
    const chart_node *impossible = count ? tree_impossible(trees[0].root) : NULL;
    if (impossible && r->s->tokens[r->part->first + impossible->first].variant_count)
        impossible = NULL; /* it may be another verb */
    if (impossible)
        return reader_refuse(r, CODE_IMPOSSIBLE, impossible,
                             "\"%s\": things can be moved, turned and hung, and nothing else",
                             reader_said(r, impossible));
    uint32_t most = misspelt ? TREES_READ_OF_MISSPELT : TREES_READ, margin = misspelt ? MARGIN_OF_MENDED + 1 : 0;
    etna_error why = {0};
    builtin_refusal refusal = {0};
    for (uint32_t i = 0; i < count && i < most; i++) {
        if (done_count && trees[i].cost >= best_cost + margin) break;
        if (refused && refusal_is_understood(&refusal) && trees[i].cost > first_cost + BEYOND_REFUSAL) break;
        attempt *a = etna_arena_alloc(r->arena, 1, sizeof *a);
        if (!a) return reader_no_memory(r);
        code = attempt_make(r, &trees[i], a);
        if (code != ETNA_OK && code != ETNA_E_INPUT) return code;
        if (code == ETNA_E_INPUT && !refused) {
            refused = true;
            first_cost = trees[i].cost;
            refusal = a->r.refusal;
            if (r->err) why = *r->err;
        }
        if (code != ETNA_OK) continue;
        done[done_count++] = a;
        if (a->cost < best_cost) best_cost = a->cost;
    }
    if (done_count) {
        const attempt *best = NULL;
        code = attempts_choose(r, done, done_count, &best);
        if (code != ETNA_OK) return code;
        builtin_reading *work = r->reading;
        uint32_t spent = r->cost;
        *work = best->reading;
        *r = best->r;
        r->reading = work;
        r->cost = spent + best->cost;
        if (r->err) *r->err = (etna_error){0};
        return ETNA_OK;
    }
    if (refused) {
        r->refusal = refusal;
        if (r->err) *r->err = why;
        return ETNA_E_INPUT;
    }
    const sentence_token *from = &r->s->tokens[r->part->first], *to = &r->s->tokens[r->part->end - 1];
    etna_code none = reader_refuse(r, CODE_UNREAD, NULL, "\"%.*s\" is not understood",
                                   (int)(to->end - from->at < 160 ? to->end - from->at : 160), r->text + from->at);
    r->refusal.from = from->at;
    r->refusal.to = to->end;
    return none;
}

/* "Careful!", "Good robot.": a few words beside a request, none of which could ask for anything or tell a thing. */
static bool part_is_interjection(const reader *r, const sentence_vocabulary *vocabulary)
{
    if (r->part->end - r->part->first > INTERJECTION_MAX) return false;
    for (uint32_t i = r->part->first; i < r->part->end; i++) {
        const sentence_token *t = &r->s->tokens[i];
        if (t->quoted || mend_vocabulary_has(vocabulary, t->text)) return false;
        if (sentence_word_tells(t->text)) return false;
    }
    return true;
}

/* ---- the whole text ---- */

static etna_code vocabulary_of(const builtin_facts *facts, etna_arena *arena, sentence_vocabulary *ret, etna_error *err)
{
    uint32_t count = 0, used = 0;
    for (uint32_t i = 0; i < facts->object_count; i++)
        count += facts->objects[i].word_count + facts->objects[i].hint_count;
    const char **words = etna_arena_alloc(arena, count + 1u, sizeof *words);
    if (!words) return etna_fail(err, ETNA_E_NOMEM, "out of memory while reading an instruction");
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        for (uint32_t k = 0; k < o->word_count + o->hint_count; k++) {
            const char *word = k < o->word_count ? o->words[k] : o->hints[k - o->word_count];
            bool known = false;
            for (uint32_t n = used; n > 0 && !known && used - n < 64; n--) known = strcmp(words[n - 1], word) == 0;
            if (!known && strlen(word) > 1) words[used++] = word;
        }
    }
    *ret = (sentence_vocabulary){.count = used, .words = words};
    return ETNA_OK;
}

static const kinds_id *kinds_of(const builtin_facts *facts, etna_arena *arena)
{
    kinds_id *kinds = etna_arena_alloc(arena, facts->object_count + 1u, sizeof *kinds);
    for (uint32_t i = 0; kinds && i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        char phrase[KINDS_PHRASE_SIZE] = "";
        size_t used = 0;
        for (uint32_t k = o->shared_words; k < o->word_count; k++) {
            const char *word = o->words[k];
            bool says = word[0] < '0' || word[0] > '9';
            if (!says || (strlen(word) < 2 && o->word_count > 1)) continue;
            int size = snprintf(phrase + used, sizeof phrase - used, "%s%s", used ? " " : "", word);
            if (size < 0 || (size_t)size >= sizeof phrase - used) break;
            used += (size_t)size;
        }
        kinds_find(phrase, &kinds[i]);
    }
    return kinds;
}

static const uint32_t *indices_of(const builtin_facts *facts, etna_arena *arena)
{
    uint32_t *indices = etna_arena_alloc(arena, facts->object_count + 1u, sizeof *indices);
    for (uint32_t i = 0; indices && i < facts->object_count; i++) indices[i] = i;
    return indices;
}

/* What the moves before speak of: "it", "the other one". */
static void memory_from(reader *r)
{
    r->memory.last_reference = r->memory.context = BUILTIN_NONE;
    if (r->reading->count == 0) return;
    const builtin_move *m = &r->reading->moves[r->reading->count - 1];
    r->memory.last = m->objects;
    r->memory.last_reference = m->reference < r->facts->object_count ? m->reference : BUILTIN_NONE;
    r->memory.named = m->objects;
    if (m->objects.count == 0) return;
    const builtin_object *o = &r->facts->objects[m->objects.objects[0]];
    for (uint32_t k = 0; k < o->word_count; k++) {
        bool noun =
            (o->words[k][0] < '0' || o->words[k][0] > '9') && !lexicon_colour(o->words[k]) && k + 1 >= o->shared_words;
        if (noun && r->memory.noun_count < REFER_WORDS_MAX) r->memory.nouns[r->memory.noun_count++] = o->words[k];
    }
    if (r->memory.noun_count > 1) {
        r->memory.nouns[0] = r->memory.nouns[r->memory.noun_count - 1];
        r->memory.noun_count = 1;
    }
    r->memory.mover_noun_count = r->memory.noun_count;
    memcpy(r->memory.mover_nouns, r->memory.nouns, sizeof r->memory.nouns);
}

/* "Take the cups off the tray", and nothing of where to. */
static etna_code reader_finish(reader *r, uint32_t before)
{
    if (r->memory.taken.count > 0 && r->reading->count == before && r->memory.context != BUILTIN_NONE) {
        builtin_move m = {.objects = r->memory.taken,
                          .relation = RELATION_OFF,
                          .reference = r->memory.context,
                          .second = BUILTIN_NONE,
                          .support = BUILTIN_NONE,
                          .gap = -1,
                          .faced = BUILTIN_NONE,
                          .spacing = -1};
        m.level = r->memory.context_level;
        m.span[1] = (uint32_t)strlen(r->text);
        if (r->reading->count < BUILTIN_MOVES_MAX) r->reading->moves[r->reading->count++] = m;
        return ETNA_OK;
    }
    if (r->memory.taken.count > 0) return reader_refuse(r, CODE_UNREAD, NULL, "it does not say on what to put it");
    if (r->reading->count == before)
        return reader_refuse(r, CODE_UNREAD, NULL, "it asks for nothing that could be done by moving things");
    return ETNA_OK;
}

/* Most of its words are in no English list and in no name of the scene. */
static bool text_is_foreign(const sentence *s, const sentence_vocabulary *vocabulary)
{
    uint32_t words = 0, strange = 0;
    for (uint32_t i = 0; i < s->token_count; i++) {
        const sentence_token *t = &s->tokens[i];
        bool word = !t->quoted && !t->is_mark && strlen(t->text) > 2 && (t->text[0] < '0' || t->text[0] > '9');
        if (!word) continue;
        words++;
        bool named = false;
        for (uint32_t k = 0; k < vocabulary->count && !named; k++) named = strcmp(vocabulary->words[k], t->text) == 0;
        strange += !named && !kinds_word(t->text) && !lexicon_is_function_word(t->text);
    }
    return words >= 3 && 2 * strange >= words;
}

etna_code builtin_read(const builtin_facts *facts, const char *text, etna_arena *arena, builtin_reading *reading,
                       etna_error *err)
{
    etna_error local = {0};
    sentence s = {0};
    sentence_vocabulary vocabulary = {0};
    reader r = {.facts = facts, .text = text, .s = &s, .arena = arena, .reading = reading, .err = err ? err : &local};
    uint32_t before = reading->count;
    r.first_move = before;
    etna_code code = vocabulary_of(facts, arena, &vocabulary, r.err);
    if (code == ETNA_OK) code = sentence_split(text, &vocabulary, arena, &s, r.err);
    if (code == ETNA_E_INPUT) code = reader_refuse(&r, CODE_UNREAD, NULL, "%s", r.err->text);
    r.kinds = code == ETNA_OK ? kinds_of(facts, arena) : NULL;
    r.indices = code == ETNA_OK ? indices_of(facts, arena) : NULL;
    if (code == ETNA_OK && (!r.kinds || !r.indices)) code = reader_no_memory(&r);
    if (code == ETNA_OK && s.token_count == 0) code = reader_refuse(&r, CODE_UNREAD, NULL, "there are no words");
    memory_from(&r);
    for (uint32_t i = 0; i < s.part_count && code == ETNA_OK; i++) {
        uint32_t moves = reading->count;
        reader start = r;
        r.part = &s.parts[i];
        code = part_read(&r, &vocabulary);
        bool beside = moves > before || i + 1 < s.part_count;
        bool nothing = code == ETNA_E_INPUT && beside && strcmp(r.refusal.code, "unread") == 0 &&
                       part_is_interjection(&r, &vocabulary);
        if (!nothing) continue;
        r = start;
        *r.err = (etna_error){0};
        code = ETNA_OK;
    }
    if (code == ETNA_OK) code = reader_finish(&r, before);
    if (code == ETNA_E_INPUT && strcmp(r.refusal.code, "impossible") != 0 && text_is_foreign(&s, &vocabulary)) {
        code = reader_refuse(&r, CODE_UNREAD, NULL,
                             "this does not look like English, the only language that the built-in agent reads");
        r.refusal.advice = "--reader NAME lets a text model read it, in any language";
    }
    if (code == ETNA_E_INPUT && r.refusal.code[0] == 'u' && propose_is_vague(&s)) {
        code = reader_refuse(&r, CODE_UNREAD, NULL, "that is a wish without a thing and a place");
        const char *proposals = propose_sentences(&r);
        if (!proposals) return reader_no_memory(&r);
        r.refusal.advice = proposals;
    }
    if (code == ETNA_E_INPUT) reading->refusal = r.refusal;
    return code;
}

const char *builtin_relation_name(builtin_relation relation)
{
    static const char *const names[RELATION_COUNT] = {
        "on",     "in",     "under", "above",  "beside", "left",  "right",   "front", "behind", "between", "against",
        "middle", "corner", "edge",  "toward", "away",   "place", "swap",    "off",   "turn",   "turned",  "line",
        "shift",  "at",     "tuck",  "stack",  "around", "group", "setting", "level", "over",   "end"};
    return (unsigned)relation < RELATION_COUNT ? names[relation] : "?";
}
