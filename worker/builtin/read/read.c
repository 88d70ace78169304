/* A text -> moves. The text is cut at full stops; its parts are read one after
 * another (read/part.c), each with what those before it spoke of. */
#include "worker/builtin/language/language.h"
#include "worker/builtin/read/account.h"
#include "worker/builtin/read/agree.h"
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/leave.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/remark.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/spoken.h"
#include "worker/builtin/read/telling.h"
#include "worker/builtin/read/trait.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    REACH_ANY = UINT32_MAX, /* doubtful: any other reading is as good */
    REACH_NEAR = 46,        /* beyond that another is a guess */
    REACH_NONE = 0
};

/* What is told of each code, and by how much more another reading may cost. */
static const struct {
    const char *name;
    uint32_t reach;
} codes[] = {[CODE_UNREAD] = {"unread", REACH_ANY},
             [CODE_UNKNOWN] = {"unknown", REACH_ANY},
             [CODE_AMBIGUOUS] = {"ambiguous", REACH_NEAR},
             [CODE_IMPOSSIBLE] = {"impossible", REACH_NEAR},
             [CODE_NO_PLACE] = {"no_place", REACH_ANY},
             [CODE_LEFT_OVER] = {"unread", REACH_NEAR},
             [CODE_UNMET] = {"unread", REACH_NONE},
             [CODE_ABSENT] = {"unknown", REACH_NONE}};

etna_code reader_refuse_finally(reader *r, etna_code code)
{
    if (code == ETNA_E_INPUT)
        r->refusal.reach = REACH_NONE;
    return code;
}

etna_code reader_no_memory(reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM,
                     "out of memory while reading an instruction");
}

void reader_span(const reader *r, const chart_node *node, uint32_t ret[2])
{
    ret[0] = r->s->tokens[r->part->first + node->first].at;
    ret[1] = r->s->tokens[r->part->first + node->end - 1].end;
}

const char *reader_word(const reader *r, uint32_t token)
{
    return r->s->tokens[r->part->first + token].text;
}

const char *reader_said(const reader *r, const chart_node *node)
{
    uint32_t span[2];
    reader_span(r, node, span);
    uint32_t size = span[1] - span[0] < 160 ? span[1] - span[0] : 160;
    char *text = etna_arena_strndup(r->arena, r->text + span[0], size);
    return text ? text : "";
}

/* ETNA_E_INPUT with the refusal filled in; node NULL: it is about the whole
 * text. The clause that is being read goes with it. */
etna_code reader_refuse(reader *r,
                        reader_code code,
                        const chart_node *node,
                        const char *format,
                        ...)
{
    va_list args;
    char text[1000];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint32_t span[2] = {0, (uint32_t)strlen(r->text)};
    if (node)
        reader_span(r, node, span);
    char *what = etna_arena_strdup(r->arena, text);
    r->refusal = (builtin_refusal){.code = codes[code].name,
                                   .reach = codes[code].reach,
                                   .what = what ? what : "",
                                   .where = "",
                                   .advice = "",
                                   .from = span[0],
                                   .to = span[1],
                                   .clause = {r->clause[0], r->clause[1]},
                                   .is_wish = r->is_wish};
    return etna_fail(r->err, ETNA_E_INPUT, "%s", text);
}

etna_code reader_refuse_unread(reader *r, const chart_node *node)
{
    return reader_refuse(r, CODE_UNREAD, node, "\"%s\" is not understood",
                         reader_said(r, node));
}

etna_code reader_refuse_said(reader *r,
                             reader_code code,
                             const chart_node *node,
                             const char *why)
{
    return reader_refuse(r, code, node, "\"%s\": %s", reader_said(r, node),
                         why);
}

etna_code reader_refuse_unclear(reader *r, const chart_node *node)
{
    return reader_refuse(r, CODE_AMBIGUOUS, node,
                         "what \"%s\" means is not clear",
                         reader_said(r, node));
}

void reader_remark(reader *r, const chart_node *node)
{
    builtin_reading *reading = r->reading;
    if (!node)
        account_talk(r, r->part);
    if (reading->remark_count == BUILTIN_REMARKS_MAX)
        return;
    uint32_t *span = reading->remarks[reading->remark_count++];
    span[0] = r->s->tokens[r->part->first].at;
    span[1] = r->s->tokens[r->part->end - 1].end;
    if (node)
        reader_span(r, node, span);
}

/* ---- the whole text ---- */

/* Is the word among the last few? Names of one kind stand together. */
static bool vocabulary_knows(const char *const *words,
                             uint32_t count,
                             const char *word)
{
    enum {
        LOOK_BACK = 64
    };
    for (uint32_t n = count; n > 0 && count - n < LOOK_BACK; n--) {
        if (strcmp(words[n - 1], word) == 0)
            return true;
    }
    return false;
}

static uint32_t vocabulary_add(const char **words,
                               uint32_t count,
                               const char *const *more,
                               uint32_t more_count)
{
    for (uint32_t k = 0; k < more_count; k++) {
        bool is_new =
            strlen(more[k]) > 1 && !vocabulary_knows(words, count, more[k]);
        if (is_new)
            words[count++] = more[k];
    }
    return count;
}

/* All words of the scene's names and hints: they are never taken for slips. */
static etna_code vocabulary_of(reader *r, sentence_vocabulary *ret)
{
    const builtin_facts *facts = r->facts;
    uint32_t most = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->object_count; i++)
        most += facts->objects[i].word_count + facts->objects[i].hint_count;
    const char **words = etna_arena_alloc(r->arena, most + 1u, sizeof *words);
    const char *(*pairs)[2] =
        etna_arena_alloc(r->arena, most + 1u, sizeof *pairs);
    uint32_t pair_count = 0;
    if (!words || !pairs)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        count = vocabulary_add(words, count, o->words, o->word_count);
        count = vocabulary_add(words, count, o->hints, o->hint_count);
        for (uint32_t k = 0; k + 1 < o->word_count; k++) {
            pairs[pair_count][0] = o->words[k];
            pairs[pair_count++][1] = o->words[k + 1];
        }
    }
    *ret = (sentence_vocabulary){.count = count,
                                 .words = words,
                                 .pair_count = pair_count,
                                 .pairs = (const char *const(*)[2])pairs};
    return ETNA_OK;
}

/* Is the last word of its name an adjective, though a lamp is called a light,
 * too? */
static bool name_ends_in_trait(const builtin_facts *facts,
                               const builtin_object *o)
{
    if (o->word_count < 2 ||
        !lexicon_is_mere_adjective(o->words[o->word_count - 1]))
        return false;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (match_names_differ_in_trait(o, &facts->objects[i]))
            return true;
    }
    return false;
}

/* The words of its name but for those, cut where they are too many. */
static void object_phrase(const builtin_facts *facts,
                          const builtin_object *o,
                          char ret[KINDS_PHRASE_SIZE])
{
    size_t used = 0;
    const uint32_t word_count =
        o->word_count - (name_ends_in_trait(facts, o) ? 1 : 0);
    ret[0] = 0;
    for (uint32_t k = o->shared_words; k < word_count; k++) {
        const char *word = o->words[k];
        bool mark = strlen(word) < 2 && o->word_count > 1;
        if (mark || word_is_number(word))
            continue;
        int size = snprintf(ret + used, KINDS_PHRASE_SIZE - used, "%s%s",
                            used ? " " : "", word);
        if (size < 0 || (size_t)size >= KINDS_PHRASE_SIZE - used)
            break;
        used += (size_t)size;
    }
}

/* "Shoes.Heels" are shoes, and no part of one: behind the dot stands which of
 * several these are. "Tools.Hammer" is a hammer. */
static bool object_is_of_group(const builtin_object *o,
                               const kinds_id *kind,
                               kinds_id *ret)
{
    const char *first = o->word_count > 1 ? o->words[0] : "";
    const bool dotted = strlen(o->name) > strlen(first) &&
                        o->name[strlen(first)] == '.' && first[0] != 0;
    if (!dotted || !match_is_plural_word(first) || !kinds_known(first))
        return false;
    kinds_find(first, ret);
    return kinds_id_distance(kind, ret) == KINDS_UNRELATED;
}

/* "Jar of mustard", "mustard": a vessel's name that goes on with what is in it
 * is of a vessel, unless the whole is a kind: a kettle grill. The phrase is cut
 * behind that. */
static void phrase_leave_filling(char phrase[KINDS_PHRASE_SIZE])
{
    char *const space = strchr(phrase, ' ');
    const char *const last = strrchr(phrase, ' ');
    if (!space || space != last || kinds_known(phrase))
        return;
    *space = 0;
    const bool vessel = kinds_distance(phrase, "container") < KINDS_NEAR;
    const bool filling = kinds_distance(last + 1, "food") < KINDS_NEAR &&
                         kinds_distance(last + 1, "container") >= KINDS_NEAR;
    if (!vessel || !filling)
        *space = ' ';
}

/* A red tin is a tin and no kind of its own, whatever else a tin may be called;
 * orange juice is one. */
static char *phrase_leave_traits(char *phrase)
{
    char first[KINDS_PHRASE_SIZE];
    for (;;) {
        kinds_id whole; /* "high stool left" is a high stool */
        const size_t size = strcspn(phrase, " ");
        kinds_find(phrase, &whole);
        if (!phrase[size] || kinds_known(phrase) ||
            (whole.words > 1 && whole.head_words == whole.words))
            return phrase;
        memcpy(first, phrase, size);
        first[size] = 0;
        if (!match_word_is_trait(first))
            return phrase;
        phrase += size + 1;
    }
}

/* What kind of thing it is by its name, without numbers and what most names
 * here begin with. */
static kinds_id object_kind(const builtin_facts *facts, const builtin_object *o)
{
    kinds_id kind, group;
    char text[KINDS_PHRASE_SIZE];
    object_phrase(facts, o, text);
    phrase_leave_filling(text);
    char *const phrase = phrase_leave_traits(text);
    kinds_find(phrase, &kind);
    if (object_is_of_group(o, &kind, &group))
        return group;
    char *last = strrchr(phrase, ' ');
    if (!last || kind.head_words > 1)
        return kind;
    const bool place = !o->is_static && match_is_place(last + 1);
    if (!place && !match_is_collection(last + 1))
        return kind;
    *last = 0; /* a book set is of books, a tea set a kind of its own */
    kinds_find(phrase, &kind);
    return kind;
}

/* Kinds of all objects, found once for a text. */
static etna_code objects_index(reader *r)
{
    kinds_id *kinds =
        etna_arena_alloc(r->arena, r->facts->object_count + 1u, sizeof *kinds);
    uint32_t *indices = etna_arena_alloc(r->arena, r->facts->object_count + 1u,
                                         sizeof *indices);
    r->matches = match_memory_new(r->arena, r->facts->object_count);
    if (!kinds || !indices || !r->matches)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        kinds[i] = object_kind(r->facts, &r->facts->objects[i]);
        indices[i] = i;
    }
    r->kinds = kinds;
    r->indices = indices;
    return ETNA_OK;
}

/* What the moves before speak of: "it", "the other one". */
static void memory_from(reader *r)
{
    reader_memory *memory = &r->memory;
    memory->last_reference = memory->context = BUILTIN_NONE;
    if (r->reading->count == 0)
        return;
    const builtin_move *m = &r->reading->moves[r->reading->count - 1];
    memory->last = memory->named = m->objects;
    if (m->reference < r->facts->object_count)
        memory->last_reference = m->reference;
    if (m->objects.count == 0)
        return;
    const char *noun = builtin_noun(&r->facts->objects[m->objects.objects[0]]);
    memory->noun_count = memory->mover_noun_count = noun != NULL;
    memory->nouns[0] = memory->mover_nouns[0] = noun;
}

/* Advises sentences that could be done here; false: out of memory. */
static bool refusal_propose(reader *r)
{
    r->refusal.advice = propose_sentences(r);
    return r->refusal.advice != NULL;
}

/* "The comb should not lie there": and nothing asks for another place for
 * it. */
static bool denial_is_left(const reader *r)
{
    const builtin_set *denied = &r->memory.denied;
    uint32_t moved = 0;
    for (uint32_t i = 0; i < denied->count; i++)
        moved += reading_moves(r->reading, r->first_move, denied->objects[i]);
    return moved < denied->count;
}

/* "The table should be empty: take everything off it": asked for already. */
static bool taken_is_cleared(const reader *r)
{
    const builtin_set *taken = &r->memory.taken;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        if (m->relation == RELATION_OFF && set_is_within(taken, &m->objects))
            return true;
    }
    return false;
}

/* "Take the cups off the tray", and nothing of where to. */
static void taken_move_off(reader *r)
{
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
    if (r->reading->count < BUILTIN_MOVES_MAX)
        r->reading->moves[r->reading->count++] = m;
}

/* What asked for no move: "tidy up" finds some itself, all else is refused. */
static etna_code reader_finish_empty(reader *r, uint32_t before)
{
    const bool tidies = r->memory.tidying[1] != 0;
    if (r->memory.conditional != CONDITIONAL_NONE)
        return reader_refuse(
            r, CODE_UNMET, NULL,
            "as things stand it asks for nothing: its condition "
            "is not met");
    etna_code code = tidies ? tidy_read(r) : ETNA_OK;
    if (code == ETNA_OK && !tidies)
        code = moves_deny(r);
    if (code != ETNA_OK || r->reading->count > before)
        return code;
    code = reader_refuse(
        r, CODE_UNREAD, NULL, "%s",
        tidies ? "nothing here lies about or stands askew"
               : "it asks for nothing that could be done by moving things");
    return refusal_propose(r) ? code : reader_no_memory(r);
}

/* What the text left open: what was denied, what was taken up. */
static etna_code reader_finish(reader *r, uint32_t before)
{
    etna_code apart = moves_keep_apart(r);
    if (apart == ETNA_OK)
        apart = moves_take_off(r);
    const bool none = r->reading->count == before;
    const bool taken = r->memory.taken.count > 0;
    if (apart != ETNA_OK)
        return apart;
    if (unmet_is_left(r))
        return reader_refuse(
            r, CODE_UNREAD, NULL,
            "whether that is how it is or how it is to be is not clear");
    if (denial_is_left(r))
        return reader_refuse(
            r, CODE_UNREAD, NULL,
            "what not to do and conditions are not understood");
    if (taken && none && r->memory.context != BUILTIN_NONE) {
        taken_move_off(r);
        return ETNA_OK;
    }
    if (taken && !taken_is_cleared(r)) {
        etna_code begun = reader_refuse(r, CODE_UNREAD, NULL,
                                        "it does not say on what to put it");
        r->refusal.is_begun = none;
        return begun;
    }
    const bool asked = r->reading->count > before || r->reading->staged > 0;
    return asked ? ETNA_OK : reader_finish_empty(r, before);
}

/* ---- parts ---- */

/* "I thought the plant had better stand by the sofa" is talk about oneself by
 * its first word. */
static etna_code part_read_again(reader *r,
                                 const reader *start,
                                 uint32_t before,
                                 const sentence_vocabulary *vocabulary)
{
    const builtin_reading *reading = r->reading;
    reader again = *start;
    bool told = false;
    if (reading->count > before || reading->staged > 0)
        return ETNA_OK;
    again.part = r->part;
    etna_code code = remark_read_frame(&again, vocabulary, &told);
    if (told)
        *r = again;
    return code;
}

/* Does the part say that it asks for more: "also", "too"? */
static bool part_adds(const reader *r)
{
    for (uint32_t at = r->part->first; at < r->part->end; at++) {
        if (lexicon_lists("read: more", r->s->tokens[at].text))
            return true;
    }
    return false;
}

/* How many of the moves from `from` to `own` are of things that a move from
 * `own` on moves. */
static uint32_t moves_count_again(const builtin_reading *reading,
                                  uint32_t from,
                                  uint32_t own)
{
    uint32_t count = 0;
    for (uint32_t i = from; i < own; i++) {
        bool again = false;
        for (uint32_t k = own; k < reading->count && !again; k++)
            again = set_is_within(&reading->moves[i].objects,
                                  &reading->moves[k].objects);
        count += again;
    }
    return count;
}

/* The moves from `from` to `own` are taken back by those from `own` on, which
 * move the same things, or behind "no" others. Which of several is taken back is
 * not known. */
static etna_code part_take_back(reader *r, uint32_t from, uint32_t own)
{
    const bool denies = strcmp(r->s->tokens[r->part->first].text, "no") == 0;
    const uint32_t again = moves_count_again(r->reading, from, own);
    if (again != own - from && (again > 0 || !denies))
        return reader_refuse(r, CODE_UNMET, NULL,
                             "what that takes back is not clear");
    for (uint32_t i = own; i > from; i--)
        move_drop(r, i - 1);
    return ETNA_OK;
}

static void part_begin(reader *r, const sentence_part *part)
{
    r->part = part;
    r->clause[0] = r->s->tokens[r->part->first].at;
    r->clause[1] = r->s->tokens[r->part->end - 1].end;
    r->is_wish = false;
    leave_forget(r);
}

/* Parts in order; a part that cannot be read is tried again with its neighbours
 * before the text is refused (part_rescue). */
static etna_code parts_read(reader *r, const sentence_vocabulary *vocabulary)
{
    builtin_reading *reading = etna_arena_alloc(r->arena, 2, sizeof *reading);
    reader before = *r;
    if (!reading)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < r->s->part_count; i++) {
        const reader start = *r;
        const uint32_t count = r->reading->count;
        const bool beside = count > r->first_move || i + 1 < r->s->part_count;
        reading[1] = *r->reading;
        part_begin(r, &r->s->parts[i]);
        etna_code code = part_read(r, vocabulary);
        if (code == ETNA_OK)
            code = part_read_again(r, &start, count, vocabulary);
        bool took_next = false;
        const part_try t = {
            .vocabulary = vocabulary,
            .start = &start,
            .before = i > 0 ? &before : NULL,
            .reading = &reading[0],
            .beside = beside,
            .next = i + 1 < r->s->part_count ? &r->s->parts[i + 1] : NULL,
            .took_next = &took_next,
            .unread =
                strcmp(r->refusal.code ? r->refusal.code : "", "unread") == 0};
        if (code == ETNA_E_INPUT && r->refusal.reach > 0)
            code = part_rescue(r, &t);
        const bool takes_back = i > 0 && part_corrects(r, &r->s->parts[i]) &&
                                reading[0].count < count &&
                                r->reading->count > count && !part_adds(r);
        if (code == ETNA_OK && takes_back)
            code = part_take_back(r, reading[0].count, count);
        if (code != ETNA_OK)
            return code;
        before = start;
        i += took_next;
        before.part = &r->s->parts[i];
        reading[0] = reading[1];
    }
    return ETNA_OK;
}

/* ---- refusals of the whole text ---- */

static bool word_is_strange(const sentence_token *t,
                            const sentence_vocabulary *vocabulary)
{
    if (mend_vocabulary_has(vocabulary, t->text))
        return false;
    return !kinds_word(t->text) && !lexicon_is_function_word(t->text);
}

/* Most of its words are in no English list and in no name of the scene. */
static bool text_is_foreign(const sentence *s,
                            const sentence_vocabulary *vocabulary)
{
    uint32_t words = 0;
    uint32_t strange = 0;
    for (uint32_t i = 0; i < s->token_count; i++) {
        const sentence_token *t = &s->tokens[i];
        const bool is_word =
            !t->quoted && !t->is_mark && !word_is_number(t->text);
        if (!is_word || strlen(t->text) < 3)
            continue;
        words++;
        strange += word_is_strange(t, vocabulary);
    }
    return words >= 3 && 2 * strange >= words;
}

/* Where the text is not English, says so instead. */
static void refuse_foreign(reader *r, const sentence_vocabulary *vocabulary)
{
    const char *language = language_guess(r->s);
    if (!language && text_is_foreign(r->s, vocabulary))
        language = "another language";
    if (!language)
        return;
    reader_refuse(r, CODE_UNREAD, NULL,
                  "this looks like %s; the built-in agent reads English alone",
                  language);
    r->refusal.advice =
        "--reader NAME lets a text model read it, in any language";
    r->refusal.names_reader = true;
}

/* The same refusal in words that help more, where it is no matter of one
 * phrase. */
static etna_code text_refuse(reader *r,
                             const sentence_vocabulary *vocabulary,
                             bool advises)
{
    etna_code code = ETNA_E_INPUT;
    if (strcmp(r->refusal.code, "impossible") != 0)
        refuse_foreign(r, vocabulary);
    bool unclear = r->refusal.code[0] == 'u'; /* unread or unknown */
    if (unclear && propose_is_vague(r->s)) {
        code = reader_refuse(r, CODE_UNREAD, NULL,
                             "that is a wish without a thing and a place");
        if (!refusal_propose(r))
            return reader_no_memory(r);
    }
    etna_code found = leave_find_part(r);
    if (found != ETNA_OK)
        return found;
    const bool helped = r->refusal.advice && *r->refusal.advice;
    const bool reasoned = strcmp(r->refusal.code, "impossible") == 0 ||
                          strcmp(r->refusal.code, "no_place") == 0;
    if (advises && !helped && !reasoned)
        code = refusal_advise(r);
    r->reading->refusal = r->refusal;
    return code;
}

/* ---- all ---- */

static etna_code text_split(reader *r,
                            const sentence_vocabulary *vocabulary,
                            sentence *s)
{
    etna_code code = sentence_split(r->text, vocabulary, r->arena, s, r->err);
    if (code == ETNA_E_INPUT)
        return reader_refuse(r, CODE_UNREAD, NULL, "%s", r->err->text);
    if (code != ETNA_OK)
        return code;
    if (s->token_count == 0)
        return reader_refuse(r, CODE_UNREAD, NULL, "there are no words");
    return leave_out(r, s);
}

static etna_code text_read(reader *r,
                           const sentence_vocabulary *vocabulary,
                           sentence *s,
                           bool advises)
{
    const uint32_t first_remark = r->reading->remark_count;
    etna_code code = text_split(r, vocabulary, s);
    if (code == ETNA_OK)
        code = account_open(r);
    if (code == ETNA_OK)
        code = parts_read(r, vocabulary);
    if (code == ETNA_OK)
        code = account_close(r);
    if (code == ETNA_OK)
        code = passed_check_complaints(r, first_remark);
    if (code == ETNA_OK)
        code = reader_finish(r, r->first_move);
    if (code == ETNA_OK)
        code = moves_check_told(r);
    if (code == ETNA_OK)
        code = moves_check_instead(r);
    if (code == ETNA_OK)
        code = moves_deny(r);
    if (code == ETNA_OK)
        code = moves_check_ways(r);
    if (code == ETNA_OK)
        code = moves_check_trades(r);
    if (code == ETNA_OK)
        code = moves_deal_sides(r);
    if (code == ETNA_OK)
        code = moves_hold_rest(r);
    if (code == ETNA_OK)
        code = moves_check_unshifted(r);
    if (code == ETNA_OK)
        code = moves_agree(r);
    if (code == ETNA_OK)
        code = spoken_check(r);
    if (code == ETNA_OK)
        moves_spare_stayers(r);
    return code == ETNA_E_INPUT ? text_refuse(r, vocabulary, advises) : code;
}

/* The same text without what was passed over, by a reader of its own. */
etna_code reader_read_rest(const reader *like, builtin_reading *reading)
{
    etna_error local = {0};
    sentence s = {0};
    reader r = *like;
    r.s = &s;
    r.reading = reading;
    r.err = &local;
    r.memory = (reader_memory){0};
    r.meant = NULL;
    r.cost = 0;
    r.refusal = (builtin_refusal){0};
    r.clause[0] = r.clause[1] = 0;
    r.excepted = (builtin_set){0};
    memory_from(&r);
    return text_read(&r, r.vocabulary, &s, false);
}

/* Another text in the same scene, e.g. a proposal. */
etna_code reader_read_plainly(const reader *like,
                              const char *text,
                              builtin_reading *reading)
{
    etna_error local = {0};
    sentence s = {0};
    reader r = {.facts = like->facts,
                .text = text,
                .s = &s,
                .arena = like->arena,
                .reading = reading,
                .err = &local};
    r.kinds = like->kinds;
    r.indices = like->indices;
    r.matches = like->matches;
    r.vocabulary = like->vocabulary;
    memory_from(&r);
    return text_read(&r, r.vocabulary, &s, false);
}

/* Appends to the reading; its former moves are those before the text.
 * ETNA_E_INPUT: reading->refusal says what was not understood. */
etna_code builtin_read(const builtin_facts *facts,
                       const char *text,
                       etna_arena *arena,
                       builtin_reading *reading,
                       etna_error *err)
{
    etna_error local = {0};
    sentence s = {0};
    sentence_vocabulary vocabulary = {0};
    reader r = {.facts = facts,
                .text = text,
                .s = &s,
                .arena = arena,
                .reading = reading,
                .err = err ? err : &local};
    r.first_move = reading->count;
    r.vocabulary = &vocabulary;
    memory_from(&r);
    etna_code code = vocabulary_of(&r, &vocabulary);
    if (code == ETNA_OK)
        code = objects_index(&r);
    if (code == ETNA_OK)
        code = text_read(&r, &vocabulary, &s, true);
    if (code == ETNA_OK)
        reading->stays = r.memory.stays;
    return code;
}

const char *builtin_relation_name(builtin_relation relation)
{
    static const char *const names[RELATION_COUNT] = {
        "on",      "in",     "under",   "above",   "beside", "left",   "right",
        "front",   "behind", "between", "against", "middle", "corner", "edge",
        "toward",  "away",   "place",   "swap",    "off",    "turn",   "turned",
        "line",    "shift",  "at",      "tuck",    "stack",  "around", "group",
        "setting", "level",  "over",    "end"};
    return (unsigned)relation < RELATION_COUNT ? names[relation] : "?";
}
