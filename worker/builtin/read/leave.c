/* What of a text is left out: a wish that was passed over, so that the rest of
 * the text is read without it. What stands behind a gap is a sentence of its
 * own, and nothing in it may speak of what is gone. */
#include "worker/builtin/read/leave.h"

#include "worker/builtin/read/details.h"

/* ---- parts without what is left out ---- */

static bool token_joins(const sentence_token *t)
{
    static const char *const joints[] = {"and", "then", "but", ",",
                                         ":",   ";",    "-"};
    return !t->quoted && WORD_IS_OF(t->text, joints);
}

static bool token_is_left(const reader *r, const sentence_token *t)
{
    for (uint32_t i = 0; i < r->reading->left_count; i++) {
        if (t->at < r->reading->left[i][1] && t->end > r->reading->left[i][0])
            return true;
    }
    return false;
}

/* The next piece of a part from *at on, without joints at its ends; *ret_gap:
 * what stands before it is left out. False: there is none any more. */
static bool part_next_piece(const reader *r,
                            const sentence *s,
                            uint32_t end,
                            uint32_t *at,
                            sentence_part *ret)
{
    const uint32_t begin = *at;
    while (*at < end && token_is_left(r, &s->tokens[*at]))
        ++*at;
    const bool gap = *at > begin;
    while (gap && *at < end && token_joins(&s->tokens[*at]))
        ++*at;
    const uint32_t first = *at;
    while (*at < end && !token_is_left(r, &s->tokens[*at]))
        ++*at;
    uint32_t last = *at;
    while (last > first && *at < end && token_joins(&s->tokens[last - 1]))
        last--;
    *ret = (sentence_part){
        .first = first, .end = last, .gap = gap ? begin + 1 : 0};
    return first < end;
}

/* Cuts what was passed over out of the sentence's parts. A piece behind a gap
 * remembers it, since "it" may have meant something there. */
etna_code leave_out(reader *r, sentence *s)
{
    if (r->reading->left_count == 0)
        return ETNA_OK;
    const uint32_t most = 2 * r->reading->left_count + s->part_count;
    sentence_part *parts = etna_arena_alloc(r->arena, most, sizeof *parts);
    uint32_t count = 0, gap = 0;
    if (!parts)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < s->part_count; i++) {
        sentence_part piece;
        for (uint32_t at = s->parts[i].first; at < s->parts[i].end;) {
            const uint32_t begin = at;
            const bool more =
                part_next_piece(r, s, s->parts[i].end, &at, &piece);
            if (!piece.gap)
                piece.gap = gap;
            gap = more ? 0 : begin + 1;
            if (more && piece.end > piece.first && count < most)
                parts[count++] = piece;
        }
    }
    s->parts = parts;
    s->part_count = count;
    return ETNA_OK;
}

/* ---- behind a gap ---- */

/* The first word of [first, end) that is no joint and no courtesy. */
static uint32_t leave_begin(const sentence *s, uint32_t first, uint32_t end)
{
    while (first < end && (token_joins(&s->tokens[first]) ||
                           lexicon_lists("leave: then", s->tokens[first].text)))
        first++;
    return first;
}

/* "Polish the table": a verb that no list of ours has, before what it is done
 * to. */
static bool token_is_unlisted_verb(const sentence *s, uint32_t at, uint32_t end)
{
    char lemma[64];
    const char *const word = s->tokens[at].text;
    if (at + 1 >= end || kinds_verb_lemma(word, lemma, sizeof lemma) == 0 ||
        strcmp(lemma, word) != 0)
        return false;
    return lexicon_lists("leave: determiner", s->tokens[at + 1].text);
}

/* What kind of thing was passed over before this part: with a verb of moving
 * the next part may still lean on it. */
static reader_gap leave_gap(const reader *r,
                            const sentence_part *part,
                            lexicon_verb *verb)
{
    const uint32_t first = leave_begin(r->s, part->gap - 1, part->first);
    const uint32_t places =
        BIT(VERB_PUT) | BIT(VERB_MOVE) | BIT(VERB_HANG) | BIT(VERB_TURN);
    lexicon_verb said;
    if (first >= part->first)
        return GAP_PLAIN;
    if (lexicon_find_verb(r->s->tokens[first].text, &said)) {
        *verb = said;
        return bit_is_in(said, places) ? GAP_PLAIN : GAP_STRANGE;
    }
    return token_is_unlisted_verb(r->s, first, part->first) ? GAP_STRANGE
                                                            : GAP_PLAIN;
}

void leave_forget(reader *r)
{
    const builtin_set taken = r->memory.taken;
    const builtin_set denied = r->memory.denied;
    const uint32_t tidying[2] = {r->memory.tidying[0], r->memory.tidying[1]};
    const bool rest_stays = r->memory.rest_stays;
    lexicon_verb verb = r->memory.verb;
    r->gap = r->part->gap ? leave_gap(r, r->part, &verb) : GAP_NONE;
    if (r->gap == GAP_NONE)
        return;
    r->memory = (reader_memory){.last_reference = BUILTIN_NONE,
                                .context = BUILTIN_NONE,
                                .taken = taken,
                                .denied = denied,
                                .rest_stays = rest_stays,
                                .tidying = {tidying[0], tidying[1]},
                                .verb = verb};
}

/* ---- what may be left out ---- */

bool leave_is_wish(const sentence *s, const sentence_part *stretch)
{
    const uint32_t first = leave_begin(s, stretch->first, stretch->end);
    lexicon_verb verb;
    if (first >= stretch->end || s->tokens[first].quoted)
        return false;
    if (lexicon_lists("leave: bounds", s->tokens[first].text))
        return false;
    return lexicon_find_verb(s->tokens[first].text, &verb) ||
           token_is_unlisted_verb(s, first, stretch->end);
}

/* The tokens of the part that a byte lies in, up to the joints about it. */
static sentence_part leave_stretch(const reader *r, uint32_t byte)
{
    sentence_part ret = {0};
    for (uint32_t i = 0; i < r->s->part_count; i++) {
        const sentence_part *part = &r->s->parts[i];
        for (uint32_t at = part->first, first = at; at <= part->end; at++) {
            if (at < part->end && !token_joins(&r->s->tokens[at]))
                continue;
            const bool within = at > first && byte >= r->s->tokens[first].at &&
                                byte < r->s->tokens[at - 1].end;
            if (within)
                ret = (sentence_part){.first = first, .end = at};
            first = at + 1;
        }
    }
    return ret;
}

/* "Polish the table": where the clause that is refused is but the first word of
 * it, the wish is all of the stretch. */
static bool leave_widen(const reader *r, builtin_refusal *refusal)
{
    if (refusal->is_wish)
        return true;
    const sentence_part stretch = leave_stretch(r, refusal->clause[0]);
    if (stretch.end == stretch.first || !leave_is_wish(r->s, &stretch))
        return false;
    const uint32_t from = r->s->tokens[stretch.first].at;
    const uint32_t to = r->s->tokens[stretch.end - 1].end;
    if (refusal->clause[1] > to)
        return false;
    refusal->clause[0] = from;
    refusal->clause[1] = to;
    return true;
}

/* Does the clause begin and end where a text may be cut? "... unless the vase
 * is on the table" hangs on what is before it. */
static bool leave_is_apart(const reader *r, const uint32_t span[2])
{
    bool begins = false, ends = false;
    for (uint32_t i = 0; i < r->s->part_count; i++) {
        const sentence_part *part = &r->s->parts[i];
        for (uint32_t at = part->first; at < part->end; at++) {
            const sentence_token *t = &r->s->tokens[at];
            if (t->at == span[0])
                begins = at == part->first || token_joins(t - 1);
            if (t->end == span[1])
                ends = at + 1 == part->end || token_joins(t + 1);
        }
    }
    return begins && ends;
}

/* Is there anything to be read besides? */
static bool leave_remains(const reader *r, const uint32_t span[2])
{
    for (uint32_t i = 0; i < r->s->token_count; i++) {
        const sentence_token *t = &r->s->tokens[i];
        const bool within = t->at >= span[0] && t->end <= span[1];
        const bool says =
            !t->is_mark && !token_joins(t) && !token_is_left(r, t);
        if (says && !within)
            return true;
    }
    return false;
}

static bool leave_may_go(const reader *r, builtin_refusal *refusal)
{
    const uint32_t *clause = refusal->clause;
    if (r->reading->left_count >= LEFT_MOST || clause[0] >= clause[1] ||
        !leave_widen(r, refusal))
        return false;
    return leave_is_apart(r, clause) && leave_remains(r, clause);
}

/* Which part of the sentence could be passed over so that the rest is read;
 * sets refusal->part. Nothing of the reader changes otherwise. */
etna_code leave_find_part(reader *r)
{
    builtin_refusal *refusal = &r->refusal;
    const uint32_t *clause = refusal->clause;
    const uint32_t before = r->reading->left_count;
    if (!leave_may_go(r, refusal))
        return ETNA_OK;
    uint32_t(*left)[2] = etna_arena_alloc(r->arena, before + 1u, sizeof *left);
    builtin_reading *rest = etna_arena_alloc(r->arena, 1, sizeof *rest);
    if (!left || !rest)
        return reader_no_memory(r);
    uint32_t at = 0, count = 0;
    for (; at < before && r->reading->left[at][0] < clause[0]; at++)
        memcpy(left[count++], r->reading->left[at], sizeof *left);
    memcpy(left[count++], clause, sizeof *left);
    for (; at < before; at++)
        memcpy(left[count++], r->reading->left[at], sizeof *left);
    *rest = *r->reading;
    rest->count = r->first_move;
    rest->staged = 0;
    rest->refusal = (builtin_refusal){0};
    rest->left = (const uint32_t(*)[2])left;
    rest->left_count = count;
    const etna_error why = *r->err;
    etna_code code = reader_read_rest(r, rest);
    *r->err = why;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    const bool reads = code == ETNA_OK || rest->refusal.part[1] > 0;
    if (reads)
        memcpy(refusal->part, clause, sizeof refusal->part);
    return ETNA_OK;
}
