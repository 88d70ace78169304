/* What a scene does not have, and what it is not to have any more: "add a floor
 * lamp", "remove the small plants", "replace the coffee table with a round
 * one". Things come and go when a scene is staged, before it is arranged; then
 * these clauses find what came by their own words, and ask for its place like
 * any other. Where nothing was staged yet, they say by a want what would have
 * to be. */
#include "proto/ascii.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

static const builtin_staged *staged_find(const reader *r,
                                         builtin_change kind,
                                         const char *said,
                                         const char *by)
{
    for (uint32_t i = 0; i < r->facts->staged_count; i++) {
        const builtin_staged *s = &r->facts->staged[i];
        if (s->kind == kind && strcmp(s->said, said) == 0 &&
            strcmp(s->by, by) == 0)
            return s;
    }
    return NULL;
}

/* What came for this very phrase: "a stool by the door and a stool by the
 * window" are two. Another text than the one that was staged, as a part of it,
 * is told by its words alone. */
static const builtin_staged *staged_added(const reader *r,
                                          const chart_node *node)
{
    const char *said = reader_said(r, node);
    const builtin_staged *other = NULL;
    uint32_t span[2];
    bool is_same_text = false;
    reader_span(r, node, span);
    for (uint32_t i = 0; i < r->facts->staged_count; i++) {
        const builtin_staged *s = &r->facts->staged[i];
        if (s->kind != CHANGE_ADD || strcmp(s->said, said) != 0)
            continue;
        const bool is_here = s->text && strcmp(s->text, r->text) == 0;
        if (is_here && s->from == span[0])
            return s;
        is_same_text = is_same_text || is_here;
        other = other ? other : s;
    }
    return is_same_text ? NULL : other;
}

/* What was asked when the scene was staged and could not be had is refused with
 * the reason that was found then. */
static etna_code staged_check(clause *c, const builtin_staged *s)
{
    return s->refused[0] ? clause_refuse(c, s->refused) : ETNA_OK;
}

const builtin_staged *staged_named(const reader *r, const chart_node *node)
{
    if (r->facts->staged_count == 0 || !node_is(node, "THING"))
        return NULL;
    const builtin_staged *s = staged_added(r, node);
    /* "a stool" is not the one that came for "a stool" before */
    if (!s && !(phrase_quantity(node).says & SAYS_INDEFINITE))
        s = staged_find(r, CHANGE_ADD, reader_said(r, node), "");
    return s && s->count > 0 ? s : NULL;
}

bool staged_replaces(const reader *r, const chart_node *node)
{
    for (uint32_t i = 0; i < r->facts->staged_count; i++) {
        const builtin_staged *s = &r->facts->staged[i];
        if (s->kind == CHANGE_REPLACE &&
            strcmp(s->by, reader_said(r, node)) == 0)
            return true;
    }
    return false;
}

bool staged_is_any_gone(const reader *r)
{
    for (uint32_t i = 0; i < r->facts->staged_count; i++) {
        const builtin_staged *s = &r->facts->staged[i];
        if (s->kind == CHANGE_REMOVE && !s->refused[0])
            return true;
    }
    return false;
}

bool staged_removes(const reader *r, const chart_node *node)
{
    return staged_find(r, CHANGE_REMOVE, reader_said(r, node), "") != NULL;
}

/* ---- wants ---- */

static etna_code want_make(reader *r,
                           const chart_node *node,
                           const builtin_want *want,
                           const char *why)
{
    builtin_want *kept = etna_arena_memdup(r->arena, want, sizeof *want);
    etna_code code = reader_refuse(r, CODE_IMPOSSIBLE, node, "%s", why);
    if (!kept)
        return reader_no_memory(r);
    r->refusal.want = kept;
    return code;
}

static bool word_is_new(const char *word)
{
    return lexicon_lists("bring: new", word);
}

/* The words, a blank between two. NULL: no memory. */
static const char *words_join(const reader *r,
                              const char *const *words,
                              uint32_t count)
{
    const char *text = "";
    for (uint32_t i = 0; text && i < count; i++)
        text =
            etna_arena_printf(r->arena, "%s%s%s", text, i ? " " : "", words[i]);
    return text;
}

/* The words that say what it is to be; "one" stands for `noun`. NULL: no
 * memory. */
static const char *want_query(reader *r,
                              const chart_node *thing,
                              const char *noun)
{
    const char *words[REFER_WORDS_MAX + 1];
    const uint32_t count = phrase_words(r, thing, words);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *word =
            lexicon_lists("bring: one", words[i]) ? noun : words[i];
        const bool is_new = word_is_new(word) || lexicon_ordinal(word) > 0;
        if (!is_new && *word)
            words[kept++] = word;
    }
    if (kept == 0)
        return noun;
    /* "a round one": the grammar keeps no word for "one" */
    if (*noun && !chart_find(thing, "CORE"))
        words[kept++] = noun;
    return words_join(r, words, kept);
}

static uint32_t want_count(const chart_node *thing)
{
    const quantity q = phrase_quantity(thing);
    return q.number ? q.number : 1;
}

/* ---- add ---- */

/* "a lamp on each table": so many are to come for one that is said; "a
 * nightstand on each side of the bed" are two. */
static etna_code addition_times(clause *c,
                                const chart_node *part,
                                uint32_t *ret)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    const bool is_alone = part == c->things && want_count(part) == 1;
    *ret = is_alone && details_say_each_end(c->r, &c->d) ? 2 : 1;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const chart_node *what = c->d.relations[i].what;
        builtin_set of;
        if (!what || !phrase_is_each(what))
            continue;
        etna_code code = refer_things(c->r, what, &scope, &of);
        if (code != ETNA_OK)
            return code;
        *ret = of.count;
    }
    return ETNA_OK;
}

/* The noun that "another one" stands for: of what was added before. NULL: no
 * memory. */
static const char *addition_noun(const reader *r)
{
    return words_join(r, r->memory.mover_nouns, r->memory.mover_noun_count);
}

/* "Add two stools opposite chair 1 and chair 2": what has such a name is one of
 * those that are here. */
static bool addition_is_here(reader *r, const chart_node *part)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const quantity q = phrase_quantity(part);
    const char *last = reader_word(r, part->end - 1);
    const bool is_numbered = ascii_is_digit(last[0]) || !last[1];
    if (q.says || !is_numbered || part->end - part->first < 2)
        return false;
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set here = {0};
    const bool is_found = refer_things(r, part, &any, &here) == ETNA_OK;
    *r = before;
    *r->err = why;
    return is_found && here.count == 1;
}

/* Looked at before anything of the list is wanted: another reading may have it
 * as what a place is by. */
static etna_code additions_are_new(reader *r,
                                   const chart_node *const *parts,
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (node_is(parts[i], "THING") && addition_is_here(r, parts[i]))
            return reader_refuse(r, CODE_IMPOSSIBLE, parts[i],
                                 "\"%s\" is in the scene already",
                                 reader_said(r, parts[i]));
    }
    return ETNA_OK;
}

/* One thing to add: already staged for this sentence, or a want for whoever
 * gathers them. */
static etna_code addition_check(clause *c, const chart_node *part)
{
    reader *r = c->r;
    const char *said = reader_said(r, part);
    const builtin_staged *s = staged_added(r, part);
    uint32_t span[2];
    reader_span(r, part, span);
    if (s)
        return staged_check(c, s);
    if (!node_is(part, "THING"))
        return clause_refuse(c, "what to add is not said by its name");
    uint32_t times;
    etna_code code = addition_times(c, part, &times);
    if (code != ETNA_OK)
        return code;
    const char *const noun = addition_noun(r);
    if (!noun)
        return reader_no_memory(r);
    const builtin_want want = {.kind = CHANGE_ADD,
                               .said = said,
                               .from = span[0],
                               .by = "",
                               .query = want_query(r, part, noun),
                               .count = times * want_count(part)};
    if (!want.query)
        return reader_no_memory(r);
    if (!*want.query)
        return clause_refuse(c, "what to add is not said");
    code = want_make(
        r, part, &want,
        etna_arena_printf(
            r->arena,
            "\"%s\" is not in the scene, and was not brought in for it; where a run goes on from "
            "another, give the other's result.glb as the scene",
            said));
    /* what came for the same words before is not it */
    return staged_find(r, CHANGE_ADD, said, "") ? reader_refuse_finally(r, code)
                                                : code;
}

/* "a new lamp": none that is there. */
static bool thing_is_new(const reader *r, const chart_node *thing)
{
    const char *words[REFER_WORDS_MAX];
    const uint32_t count = phrase_words(r, thing, words);
    bool is_new = false;
    for (uint32_t i = 0; i < count; i++)
        is_new = is_new || strcmp(words[i], "new") == 0;
    return is_new && !(phrase_quantity(thing).says & SAYS_DEFINITE);
}

/* Is nothing here called so? What refuses it is not said. */
static bool thing_is_missing(reader *r, const chart_node *thing)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const reader before = *r;
    const etna_error why = *r->err;
    builtin_set here = {0};
    const bool is_missing = refer_things(r, thing, &any, &here) != ETNA_OK &&
                            strcmp(r->refusal.code, "unknown") == 0;
    *r = before;
    *r->err = why;
    return is_missing;
}

/* "Put a new lamp on the table", and "a lamp" where there is none. */
bool clause_puts_new(const clause *c)
{
    reader *r = c->r;
    if (!c->things || !node_is(c->things, "THING"))
        return false;
    if (staged_added(r, c->things))
        return true;
    if (!r->facts->gathers)
        return false;
    /* "both lamps", "all three lamps" are there, or are misnamed */
    const unsigned known =
        SAYS_DEFINITE | SAYS_ALL | SAYS_BOTH | SAYS_POINTED | SAYS_REST;
    const quantity q = phrase_quantity(c->things);
    const bool is_any =
        ((q.says & SAYS_INDEFINITE) || q.number) && !(q.says & known);
    return thing_is_new(r, c->things) ||
           (is_any && thing_is_missing(r, c->things));
}

/* Somewhere on the floor, where no place is said. */
static etna_code addition_put_anywhere(clause *c)
{
    reader *r = c->r;
    builtin_move m = move_plain(c, RELATION_ON);
    m.reference = refer_floor(r->facts);
    if (m.reference == BUILTIN_NONE)
        return clause_refuse(c, "where to put it is not said");
    return move_add(r, &m);
}

/* What was brought in is then put where the clause says. */
etna_code clause_add(clause *c)
{
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    etna_code code = additions_are_new(c->r, parts, count);
    uint32_t had = 0;
    if (code != ETNA_OK)
        return code;
    for (; had < count && code == ETNA_OK; had++)
        code = addition_check(c, parts[had]);
    /* "Add a chair and a table next to the sideboard", and the chair came: no
     * dearer reading, which adds that alone and moves a table that is here */
    if (code != ETNA_OK)
        return had > 1 ? reader_refuse_finally(c->r, code) : code;
    c->verb = VERB_PUT;
    if (details_have_places(&c->d))
        return clause_move_things(c);
    code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK)
        code = addition_put_anywhere(c);
    if (code == ETNA_OK)
        c->r->memory.last = c->r->memory.named = c->movers;
    return code;
}

/* ---- remove ---- */

/* "remove the cup", but not "clear away the cup", which stays in the scene, nor
 * "remove the cup from the desk". */
bool clause_discards(const clause *c)
{
    /* "clear away", "put away": it stays somewhere */
    const chart_node *verb = chart_child(c->said, "$verb");
    if (verb && reader_lists(c->r, verb->first, "bring: tidies"))
        return false;
    const bool says_where =
        details_have_destination(&c->d) || details_origin(&c->d, true);
    return verb && c->things && (!says_where || removal_place(c));
}

/* "Take the cup away": no place is said, and none is meant. */
bool clause_takes_away(const clause *c)
{
    const chart_node *verb = chart_child(c->said, "$verb");
    if (!verb || !c->things || !node_is(verb, "$verb"))
        return false;
    const bool is_away = reader_lists(c->r, c->said->end - 1, "bring: away") ||
                         (verb->end < c->said->end &&
                          reader_lists(c->r, verb->end, "bring: away"));
    return is_away && reader_word_is(c->r, verb->first, "take") &&
           c->d.relation_count + c->d.zone_count == 0;
}

/* The phrase of what goes, with the place where it is. */
static const char *discard_said(const clause *c)
{
    const condition *place = removal_place(c);
    chart_node whole = *c->things;
    if (place)
        whole.end = place->node->end;
    if (place && c->d.except)
        whole.end = c->d.except->end;
    return reader_said(c->r, &whole);
}

static etna_code discard_find(clause *c, builtin_set *ret)
{
    return removal_place(c) ? removal_from_place(c, ret)
                            : movers_find(c, c->things, ret);
}

/* So that "the red one" is one of them. What refuses it is not said. */
static void discard_name(clause *c)
{
    const builtin_refusal before = c->r->refusal;
    builtin_set gone = {0};
    (void)discard_find(c, &gone);
    c->r->refusal = before;
}

/* Staged already, a want, or a refusal that says what is missing. */
etna_code clause_discard(clause *c)
{
    reader *r = c->r;
    const char *said = discard_said(c);
    builtin_want want = {
        .kind = CHANGE_REMOVE, .said = said, .by = "", .query = ""};
    const builtin_staged *s = staged_find(r, CHANGE_REMOVE, said, "");
    etna_code code = s ? staged_check(c, s) : ETNA_OK;
    if (s && r->facts->gathers)
        discard_name(c);
    if (s && code == ETNA_OK) {
        r->reading->staged++;
        /* "put the chair where it was": of what is gone, not of the chair */
        r->memory.last = (builtin_set){.count = 0};
        r->memory.discarded = true;
    }
    if (s)
        return code;
    code = discard_find(c, &want.objects);
    if (code != ETNA_OK)
        return code;
    if (want.objects.need < want.objects.count)
        want.objects.count = want.objects.need; /* "a chair": any will do */
    return want_make(r, c->things, &want,
                     r->facts->gathers ? "it was not taken out yet"
                                       : "it does not say on what to put it");
}

/* ---- replace ---- */

/* "with a chair", and of what is replaced "by a chair". */
static const chart_node *exchange_by(const clause *c)
{
    const condition *other = c->d.relation_count ? &c->d.relations[0] : NULL;
    if (!other)
        return NULL;
    const bool is_by = c->verb == VERB_REPLACE &&
                       reader_word_is(c->r, other->node->first, "by");
    return other->relation == REL_WITH || is_by ? other->what : NULL;
}

/* Is nothing here meant by that but what goes itself: neither a thing to trade
 * places with nor one that takes the place? What refuses it is not said. */
static bool thing_is_absent(const clause *c, const chart_node *thing)
{
    reader *r = c->r;
    const builtin_refusal before = r->refusal;
    const refer_scope scope = {.on = BUILTIN_NONE, .many = true};
    builtin_set here = {0}, old = {0};
    const bool is_found = refer_things(r, thing, &scope, &here) == ETNA_OK;
    bool is_absent = !is_found && strcmp(r->refusal.code, "unknown") == 0;
    if (is_found && refer_things(r, c->things, &scope, &old) == ETNA_OK)
        is_absent = set_is_within(&here, &old);
    r->refusal = before;
    return is_absent;
}

/* "Replace the lamps with floor lamps": a plural that says nothing else. */
static bool thing_is_bare_plural(const clause *c, const chart_node *thing)
{
    const quantity q = phrase_quantity(thing);
    return !q.says && !q.number && phrase_is_plural(c->r, thing);
}

bool clause_exchanges(const clause *c)
{
    const reader *r = c->r;
    const chart_node *by = exchange_by(c);
    if (!by || !c->things || !node_is(by, "THING"))
        return false;
    if (staged_find(r, CHANGE_REPLACE, reader_said(r, c->things),
                    reader_said(r, by)))
        return true;
    if (!r->facts->gathers)
        return false;
    const quantity q = phrase_quantity(by);
    const bool is_any = (q.says & (SAYS_INDEFINITE | SAYS_OTHER)) || q.number;
    const bool is_wanted = !(q.says & SAYS_DEFINITE) && is_any;
    const bool may_be_new = is_wanted || thing_is_bare_plural(c, by);
    if (c->verb != VERB_SWAP)
        return is_wanted || (may_be_new && thing_is_absent(c, by));
    return thing_is_new(r, by) || (may_be_new && thing_is_absent(c, by));
}

/* Each where an old one was, and what stood on these onto the new. */
static etna_code exchange_place(clause *c, const builtin_staged *s)
{
    reader *r = c->r;
    etna_code code = ETNA_OK;
    const builtin_set came = {
        .count = s->count, .objects = s->objects, .need = s->count};
    for (uint32_t i = 0; i < s->count && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_AT);
        m.objects = set_one(r, s->objects[i]);
        memcpy(m.at, s->at[i], sizeof m.at);
        m.has_yaw = true;
        m.yaw_deg = s->yaw_deg[i];
        m.hung = s->hung;
        m.slack = 0.1;
        code = move_add(r, &m);
    }
    for (uint32_t i = 0; i < s->load_count && code == ETNA_OK; i++) {
        builtin_move m = move_plain(c, RELATION_ON);
        m.objects = set_one(r, s->load[i]);
        m.reference = s->objects[0];
        code = move_add(r, &m);
    }
    if (code == ETNA_OK)
        r->memory.last = r->memory.named = came;
    return code;
}

/* One comes for each that goes: what says another number says no places. */
static etna_code exchange_check_count(const clause *c,
                                      const chart_node *by,
                                      uint32_t old)
{
    const uint32_t number = phrase_quantity(by).number;
    if (!number || number == old)
        return ETNA_OK;
    return clause_refuse(
        c, etna_arena_printf(c->r->arena,
                             "%u are to come for %u that go, and where they "
                             "stand then is not said",
                             number, old));
}

/* "... with stools facing each other": the new ones stand as the old ones did,
 * "in the same place". */
static bool exchange_says_more(const clause *c)
{
    details rest = c->d;
    rest.relation_count--;
    memmove(rest.relations, rest.relations + 1,
            rest.relation_count * sizeof *rest.relations);
    rest.old = NULL;
    const chart_node *rel = chart_find(exchange_by(c), "$rel");
    const bool is_of_place = rel && rel->value != REL_WITH;
    return is_of_place || details_say_anything(&rest) ||
           details_lead_elsewhere(&rest);
}

/* The new thing takes the old one's place; see exchange_place. */
etna_code clause_exchange(clause *c)
{
    reader *r = c->r;
    const chart_node *by = exchange_by(c);
    if (exchange_says_more(c))
        return clause_refuse(c, "what comes stands where the other did, and "
                                "another place or way is not understood");
    builtin_want want = {.kind = CHANGE_REPLACE,
                         .said = reader_said(r, c->things),
                         .by = reader_said(r, by)};
    const builtin_staged *s =
        staged_find(r, CHANGE_REPLACE, want.said, want.by);
    if (s && s->refused[0])
        return staged_check(c, s);
    if (s)
        return exchange_place(c, s);
    const chart_node *old = phrase_thing(c->things);
    etna_code code = movers_find(c, c->things, &want.objects);
    if (code != ETNA_OK)
        return code;
    if (want.objects.need < want.objects.count)
        want.objects.count = want.objects.need;
    code = exchange_check_count(c, by, want.objects.count);
    if (code != ETNA_OK)
        return reader_refuse_finally(r, code);
    const char *words[REFER_WORDS_MAX];
    const uint32_t count =
        node_is(old, "THING") ? phrase_words(r, old, words) : 0;
    const char *noun = words_join(r, words, count);
    want.query = noun ? want_query(r, by, noun) : NULL;
    if (!want.query)
        return reader_no_memory(r);
    want.count = want.objects.count;
    /* "with a basket": no dearer reading, which takes one that is here */
    return reader_refuse_finally(
        r, want_make(r, by, &want, "it was not brought in yet"));
}
