/* From a request to weighted terms: its own words, words that mean the same,
 * what is above them; in another language its own words there, and the kinds of
 * what bears them.
 * (find_language.c).
 *
 * Begin at finding_read. Terms belong to concepts, one for each word that says
 * something: a doc counts a concept once, by the surest of its terms, so that a
 * word with many synonyms weighs no more than one with none. The language is
 * chosen first, as everything behind it is English; then misspelt words are
 * mended to what is on the shelf, and the senses of the head are put into order
 * by the request's other words. The weights at the top were chosen on training
 * requests and are no finer than they look. At the end of the file stands what
 * is told to the user beside each hit. */
#include "proto/array.h"
#include "worker/assets/find_internal.h"
#include "worker/builtin/language/lexicon.h"
#include "worker/builtin/language/told.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* weights of terms: the request's own word, one that means the same, one above
 * it; of verbs; of words beside the head; of other places */
static const double OWN = FINDING_OWN, SAME = FINDING_SAME, ABOVE = 0.3,
                    VERB_SAME = 0.4, VERB_NOUN = 0.4, MORE_SAME = 0.5,
                    MORE_ABOVE = 0.25, PLACE = 0.4;

/* ---- terms ---- */

/* A term stands for one concept alone: the first that brings it, unless a later
 * one is surer of it. */
void finding_term_add(finding *f, const char *text, double weight)
{
    for (uint32_t i = 0; i < f->term_count; i++) {
        if (strcmp(f->terms[i].text, text) != 0)
            continue;
        if (f->terms[i].weight >= weight)
            return;
        f->terms[i].weight = weight;
        f->terms[i].concept = f->concept_count;
        return;
    }
    if (f->term_count == FINDING_TERMS_MAX || strlen(text) >= FIELD_TERM_SIZE)
        return;
    finding_term *t = &f->terms[f->term_count++];
    strcpy(t->text, text);
    t->weight = weight;
    t->concept = f->concept_count;
}

/* The words of a list, parted by any marks. */
static void finding_words_add(finding *f,
                              const char *list,
                              size_t length,
                              double weight)
{
    char text[400], word[TEXT_WORD_SIZE];
    snprintf(text, sizeof text, "%.*s", (int)length, list);
    for (const char *at = text; text_next(&at, word);) {
        if (text_is_stop(word))
            continue;
        text_stem(word);
        finding_term_add(f, word, weight);
    }
}

/* The words of the likeliest senses of a noun, and the first words of what is
 * directly above them. */
static void noun_expand(finding *f,
                        const kinds_id *id,
                        uint32_t senses,
                        double same,
                        double above,
                        bool briefly)
{
    for (uint32_t i = 0; i < id->self_count && i < senses;
         i++, same *= 0.7, above *= 0.7) {
        told_kind t = told_of_kind(id->self[i].kind);
        finding_words_add(f, t.words, strlen(t.words), same);
        kinds_id one;
        kinds_find_above(id->self[i].kind, &one);
        for (uint32_t k = 0;
             k < one.above_count && one.above[k].cost <= KINDS_STEP; k++) {
            if (kinds_is_group(one.above[k].kind))
                continue;
            told_kind up = told_of_kind(one.above[k].kind);
            finding_words_add(
                f, up.words,
                briefly ? strcspn(up.words, ",") : strlen(up.words), above);
        }
    }
}

/* "To cut with" is told by words that mean cutting, and by nouns of it. */
static void verb_expand(finding *f, const query_word *w)
{
    char lemma[KINDS_WORD_SIZE];
    told_word told;
    bool is_told = told_of_word(w->stem, &told) ||
                   (kinds_verb_lemma(w->text, lemma, sizeof lemma) &&
                    told_of_word(lemma, &told));
    if (!is_told)
        return;
    finding_words_add(f, told.same, strlen(told.same), VERB_SAME);
    finding_words_add(f, told.nouns, strlen(told.nouns), VERB_NOUN);
}

/* Places are told by other places: who asks for a bench in a park takes one
 * that a catalogue calls a garden's. */
static void place_expand(finding *f, const query_word *w)
{
    static const struct {
        const char *words, *as;
    } places[] = {
        {" garden park terrace patio yard backyard lawn street outdoors outdoor outside exterior balcony beach ",
         "outdoor garden exterior"},
        {" porch deck camping playground pavement sidewalk town ",
         "outdoor garden exterior"},
        {" kitchen cooking cook pantry chef meal food ", "kitchen"},
        {" bathroom bath shower toilet washing ", "bathroom"},
        {" bedroom sleep sleeping night dormitory ", "bedroom"},
        {" office study work desk workplace business architect ", "office"},
        {" living lounge salon parlour sitting ", "living"},
        {" school classroom class teacher pupil student ", "school class"},
        {" child children kid baby toddler infant nursery ", "child baby"},
    };
    char key[TEXT_WORD_SIZE + 2];
    snprintf(key, sizeof key, " %s ", w->text);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        if (strstr(places[i].words, key))
            finding_words_add(f, places[i].as, strlen(places[i].as), PLACE);
    }
}

/* Does the word say what is wanted, and not what is not? */
static bool word_is_said(const query_word *w)
{
    return w->part == QUERY_HEAD || w->part == QUERY_MORE ||
           w->part == QUERY_AFTER;
}

/* What else the word of a concept may be called by in the index. */
static void concept_expand(finding *f,
                           const query_word *w,
                           bool is_last_of_head)
{
    kinds_id id;
    if (w->part != QUERY_HEAD) {
        verb_expand(f, w);
        if (kinds_find(w->text, &id))
            noun_expand(f, &id, 1, MORE_SAME, MORE_ABOVE, f->head_known);
        place_expand(f, w);
        return;
    }
    if (!is_last_of_head)
        return;
    if (f->has_purpose)
        noun_expand(f, &f->purpose, 1, OWN, 0, true);
    if (f->head_known)
        noun_expand(f, &f->head, 2, SAME, ABOVE, true);
}

/* As the index has them (fields.c). */
static bool word_is_outline(const char *word)
{
    static const char *const outlines[] = {"round", "circular", "oval"};
    return WORD_IS_OF(word, outlines);
}

/* "small", before the head. */
static bool word_is_size(const query_word *w)
{
    bool is_superlative;
    return w->part == QUERY_MORE && lexicon_size(w->text, &is_superlative);
}

/* Does the word tell how the thing looks, and not what it is? */
static bool word_is_look(const query_word *w)
{
    bool is_surface = lexicon_colour(w->text) || lexicon_material(w->text);
    bool is_before = w->part == QUERY_MORE;
    return word_is_size(w) ||
           (is_before && (is_surface || word_is_outline(w->text)));
}

/* A concept for each word that says something; the head's synonyms stand for
 * its last word. */
static void concepts_add(finding *f, bool expands)
{
    uint32_t last = f->q.head_first + f->q.head_words;
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        if (!word_is_said(w))
            continue;
        bool is_first_of_head = w->part == QUERY_HEAD && i + 1 < last;
        /* a wine bottle is no wine glass */
        f->parts[++f->concept_count] = is_first_of_head ? QUERY_AFTER : w->part;
        f->is_look[f->concept_count] = word_is_look(w);
        f->before += w->part == QUERY_MORE;
        finding_term_add(f, w->stem, word_is_size(w) ? FINDING_SIZE_TOLD : OWN);
    }
    uint32_t concepts = f->concept_count;
    /* it counts again: terms go to the concept it has reached */
    f->concept_count = 0;
    for (uint32_t i = 0; expands && i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        if (!word_is_said(w))
            continue;
        f->concept_count++;
        concept_expand(f, w, i + 1 == last);
    }
    f->concept_count = concepts;
}

/* ---- senses ---- */

/* How many of the request's other words a sense's definition and words have. */
static uint32_t sense_overlap(const finding *f, uint16_t kind)
{
    told_kind t = told_of_kind(kind);
    char text[600], word[TEXT_WORD_SIZE];
    uint32_t sum = 0;
    snprintf(text, sizeof text, "%s %s %s", t.words, t.verbs, t.gloss);
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        bool is_other = w->part == QUERY_MORE || w->part == QUERY_AFTER;
        bool has = false;
        for (const char *at = text; is_other && !has && text_next(&at, word);) {
            text_stem(word);
            has = strcmp(word, w->stem) == 0;
        }
        sum += has;
    }
    return sum;
}

/* The sense that the other words speak of comes first: "a pot for cooking" is
 * no flowerpot. */
static void senses_order(finding *f)
{
    kinds_id *id = &f->head;
    uint32_t best = 0;
    uint32_t most = id->self_count ? sense_overlap(f, id->self[0].kind) : 0;
    for (uint32_t i = 1; i < id->self_count; i++) {
        uint32_t overlap = sense_overlap(f, id->self[i].kind);
        if (overlap <= most)
            continue;
        most = overlap;
        best = i;
    }
    if (!best)
        return;
    kinds_near chosen = id->self[best];
    memmove(id->self + 1, id->self, best * sizeof chosen);
    id->self[0] = chosen;
}

/* ---- what it is for ---- */

/* Forms of a verb that compounds begin with: "cut" as "cutting", "write" as
 * "writing". */
static uint32_t gerunds_of(const char *verb, char ret[3][KINDS_WORD_SIZE])
{
    size_t n = strlen(verb);
    if (n < 2 || n + 5 > KINDS_WORD_SIZE)
        return 0;
    snprintf(ret[0], KINDS_WORD_SIZE, "%sing", verb);
    snprintf(ret[1], KINDS_WORD_SIZE, "%s%cing", verb, verb[n - 1]);
    snprintf(ret[2], KINDS_WORD_SIZE, "%.*sing", (int)(n - 1), verb);
    return verb[n - 1] == 'e' ? 3 : 2;
}

/* Does word and head together make a thing of the table ("cutting board")? */
static bool compound_find(const finding *f, const char *first, kinds_id *ret)
{
    char compound[2 * TEXT_WORD_SIZE + 2];
    const query_word *head = &f->q.words[f->q.head_first + f->q.head_words - 1];
    snprintf(compound, sizeof compound, "%s %s", first, head->stem);
    return kinds_known(compound) && kinds_find(compound, ret) &&
           ret->self_count;
}

/* As it stands, in its base form, then as the gerund that compounds begin
 * with. */
static bool purpose_of_word(const finding *f,
                            const query_word *w,
                            kinds_id *ret)
{
    char gerunds[3][KINDS_WORD_SIZE], verb[KINDS_WORD_SIZE];
    if (compound_find(f, w->text, ret) || compound_find(f, w->stem, ret))
        return true;
    uint32_t count = kinds_verb_lemma(w->text, verb, sizeof verb)
                         ? gerunds_of(verb, gerunds)
                         : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (compound_find(f, gerunds[i], ret))
            return true;
    }
    return false;
}

/* "a board to cut vegetables on" is a cutting board, "a bench in a park" a park
 * bench: the first word behind the head with which it makes a thing that is a
 * kind of the head. */
static void purpose_read(finding *f)
{
    kinds_id found;
    for (uint32_t i = 0; f->q.head_words && i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        if (w->part != QUERY_AFTER || !purpose_of_word(f, w, &found))
            continue;
        f->purpose = found;
        f->has_purpose = true;
        return;
    }
}

/* ---- misspelt words ---- */

/* By the dictionary, or by what is on the shelf. */
static bool finding_word_is_known(const finding *f, const query_word *w)
{
    return kinds_word(w->text) || index_find(f->v, w->stem).count > 0 ||
           index_find(f->v, w->text).count > 0;
}

/* Is a term of the index a plain word of about that length? */
static bool term_is_near(const char *term, size_t length)
{
    size_t n = strlen(term);
    bool is_as_long = n + 2 >= length && n <= length + 2;
    return is_as_long && n < TEXT_WORD_SIZE && !strpbrk(term, ":#^");
}

/* The term nearest to the word, of those as near the most frequent; false: none
 * is near. */
static bool term_find_near(const finding *f,
                           const query_word *w,
                           char ret[TEXT_WORD_SIZE])
{
    size_t length = strlen(w->text);
    uint32_t least = length >= 7 ? 3 : 2;
    uint32_t best_count = 0;
    ret[0] = 0;
    for (uint32_t i = 0; i < f->v->term_count; i++) {
        const char *term = index_term(f->v, i);
        if (!term_is_near(term, length))
            continue;
        uint32_t far = kinds_spelling_distance(w->text, term);
        uint32_t count = far <= least ? index_find(f->v, term).count : 0;
        bool is_more = far == least && ret[0] && count > best_count;
        if (far >= least && !is_more)
            continue;
        least = far;
        best_count = count;
        snprintf(ret, TEXT_WORD_SIZE, "%s", term);
    }
    return ret[0] != 0;
}

/* Only words of four Latin letters and more: of shorter ones every other is
 * near. What was mended is told to who asked. */
static void word_mend(finding *f, query_word *w)
{
    char best[TEXT_WORD_SIZE];
    bool is_latin = (unsigned char)w->text[0] < 0x80;
    if (strlen(w->text) < 4 || !is_latin || !term_find_near(f, w, best))
        return;
    size_t n = strlen(f->ret->corrected);
    snprintf(f->ret->corrected + n, sizeof f->ret->corrected - n, "%s%s: %s",
             n ? ", " : "", w->text, best);
    strcpy(w->text, best);
    strcpy(w->stem, best);
}

/* The head is put together again, as its kinds are looked up by it. */
static void words_mend(finding *f)
{
    bool has_mended = false;
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        query_word *w = &f->q.words[i];
        if (w->part == QUERY_STOP || w->part == QUERY_SIZE ||
            finding_word_is_known(f, w))
            continue;
        word_mend(f, w);
        has_mended = true;
    }
    if (!has_mended)
        return;
    char head[QUERY_HEAD_SIZE] = "";
    for (uint32_t i = f->q.head_first; i < f->q.head_first + f->q.head_words;
         i++) {
        size_t n = strlen(head);
        snprintf(head + n, sizeof head - n, "%s%s", n ? " " : "",
                 f->q.words[i].text);
    }
    snprintf(f->q.head, sizeof f->q.head, "%s", head);
}

/* ---- whole names ---- */

/* A request without what comes before a name, in the singular: "oak chair" of
 * "the oak chairs". "" where it is too long for a name. */
static void name_said(const char *text, char ret[FIELD_TERM_SIZE])
{
    char word[TEXT_WORD_SIZE], lemma[TEXT_WORD_SIZE];
    size_t last = 0, n = 0;
    ret[0] = 0;
    while (text_next(&text, word)) {
        if (n == 0 && text_is_stop(word))
            continue;
        if (n + strlen(word) + 2 > FIELD_TERM_SIZE) {
            ret[0] = 0;
            return;
        }
        if (n)
            ret[n++] = ' ';
        last = n;
        n += (size_t)snprintf(ret + n, FIELD_TERM_SIZE - n, "%s", word);
    }
    if (kinds_lemma(ret + last, lemma, sizeof lemma, NULL))
        snprintf(ret + last, FIELD_TERM_SIZE - last, "%s", lemma);
}

/* What is named so as a whole comes first. */
void finding_whole_add(finding *f)
{
    char whole[FIELD_TERM_SIZE], name[FIELD_TERM_SIZE];
    text_whole(f->ret->language, f->text, whole, sizeof whole);
    f->parts[++f->concept_count] = QUERY_HEAD;
    finding_term_add(f, whole, OWN);
    if (finding_is_foreign(f))
        return;
    name_said(f->text, name);
    text_whole(f->ret->language, name, whole, sizeof whole);
    finding_term_add(f, whole, OWN);
}

/* ---- the head ---- */

/* Docs that bear every word of the head. */
static void bears_mark(finding *f)
{
    uint32_t words = 0;
    for (uint32_t i = f->q.head_first; i < f->q.head_first + f->q.head_words;
         i++) {
        const query_word *w = &f->q.words[i];
        if (w->part != QUERY_HEAD)
            continue;
        index_list l = index_find(f->v, w->stem);
        for (index_posting p; index_list_next(&l, &p);) {
            if (p.named && f->bears[p.doc] == words)
                f->bears[p.doc]++;
        }
        words++;
    }
    for (uint32_t i = 0; words > 1 && i < f->v->doc_count; i++)
        f->bears[i] = f->bears[i] == words;
}

/* Languages first, as everything else is English; then misspellings, senses,
 * purpose, concepts. */
void finding_read(finding *f)
{
    unsigned without = f->options->without;
    strcpy(f->ret->language, "en");
    if (f->options->plain)
        without = ~0u;
    if (!(without & FIND_LANGUAGES))
        finding_language(f);
    if (finding_is_foreign(f)) {
        finding_foreign(f);
        return;
    }
    if (!f->options->plain)
        words_mend(f);
    f->head_known = f->q.head[0] && kinds_find(f->q.head, &f->head);
    if (f->head_known)
        senses_order(f);
    if (f->head_known && !(without & FIND_EXPAND))
        purpose_read(f);
    concepts_add(f, !(without & FIND_EXPAND));
    if (f->head_known && !f->options->plain)
        finding_whole_add(f);
    bears_mark(f);
}

/* ---- reasons ---- */

/* Parts are joined by "; "; what does not fit is cut. */
static void reason_put(find_hit *hit, const char *text)
{
    size_t n = strlen(hit->reason);
    snprintf(hit->reason + n, sizeof hit->reason - n, "%s%s", n ? "; " : "",
             text);
}

/* "words: oak table": up to four of the request's own that the model has. */
static void reason_put_words(const finding *f, find_hit *hit)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < f->term_count && named < 4; i++) {
        const bool is_name = strchr(f->terms[i].text, '=') != NULL;
        if (f->terms[i].weight < SAME || is_name)
            continue; /* "en=chair" is a whole name, and the index's own */
        index_list l = index_find(f->v, f->terms[i].text);
        if (!index_list_has(&l, hit->doc))
            continue;
        if (!named++)
            reason_put(hit, "words:");
        size_t n = strlen(hit->reason);
        snprintf(hit->reason + n, sizeof hit->reason - n, " %s",
                 f->terms[i].text);
    }
}

/* In any field. */
static bool doc_has_word(const finding *f, uint32_t doc, const char *word)
{
    index_list l = index_find(f->v, word);
    return index_list_has(&l, doc);
}

bool find_is_outlined(const index_view *v, uint32_t doc, const char *outline)
{
    const double alike = 1.1; /* the longer side of a square by the shorter */
    index_list l = index_find(v, outline);
    index_doc d = index_doc_at(v, doc);
    double x = (double)d.size[0];
    double z = (double)d.size[2];
    bool is_square = fmax(x, z) <= alike * fmin(x, z);
    bool has_corners = !d.round && !d.oval;
    bool wants_square = strcmp(outline, "square") == 0;
    bool wants_corners = wants_square || strcmp(outline, "rectangular") == 0;
    /* a square's table is in a word of another sense, too */
    if (wants_corners && !has_corners)
        return false;
    if (index_list_has(&l, doc))
        return true;
    return wants_corners && (is_square || !wants_square);
}

/* What of the request's colours and outlines the model does not have; returns
 * how many, and the `number`-th in `word`. */
uint32_t finding_lacks(const finding *f,
                       uint32_t doc,
                       uint32_t number,
                       char word[TEXT_WORD_SIZE])
{
    enum {
        SHARE_ENOUGH = 10 /* percent of the surface */
    };
    index_doc d = index_doc_at(f->v, doc);
    uint32_t count = 0;
    for (int i = 0; i < ASSET_COLOURS; i++) {
        const char *name = asset_colour_names[i];
        bool is_asked = f->q.named_colours >> i & 1;
        if (!is_asked || d.colour[i] >= SHARE_ENOUGH ||
            doc_has_word(f, doc, name))
            continue;
        if (count++ == number)
            snprintf(word, TEXT_WORD_SIZE, "%s", name);
    }
    const char *outline = query_outline(&f->q);
    if (outline && !find_is_outlined(f->v, doc, outline)) {
        if (count++ == number)
            snprintf(word, TEXT_WORD_SIZE, "%s", outline);
    }
    return count;
}

/* Told beside what it has: the nearest may still not be what was asked for. */
static void reason_put_lacks(const finding *f, find_hit *hit)
{
    char word[TEXT_WORD_SIZE], text[TEXT_WORD_SIZE + 8];
    for (uint32_t i = 0; i < finding_lacks(f, hit->doc, i, word); i++) {
        snprintf(text, sizeof text, "not %s", word);
        reason_put(hit, text);
    }
}

/* Has the model the word of the request in its names, tags or descriptions? */
static bool doc_tells(const finding *f, uint32_t doc, uint32_t word)
{
    const query_word *w = &f->q.words[word];
    return doc_has_word(f, doc, w->stem) || doc_has_word(f, doc, w->text);
}

/* Words that say which, and that neither measures nor a name bear out. */
static void hit_put_untold(const finding *f, find_hit *hit)
{
    size_t used = 0;
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        const bool is_asked =
            w->part == QUERY_MORE && !query_word_is_measured(&f->q, i);
        const size_t need = strlen(w->text) + 3;
        if (!is_asked || doc_tells(f, hit->doc, i) ||
            used + need > sizeof hit->untold)
            continue;
        used += (size_t)snprintf(hit->untold + used, sizeof hit->untold - used,
                                 "%s%s", used ? ", " : "", w->text);
    }
}

/* What a person would want to check: kind, form, colours from 30 % on, size,
 * and which of their words it has. */
void finding_reason(const finding *f, find_hit *hit)
{
    index_doc d = index_doc_at(f->v, hit->doc);
    char text[FIND_REASON_SIZE], word[KINDS_PHRASE_SIZE];
    told_kind t = told_of_kind(d.kinds[0]);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(t.words, ","), t.words);
    snprintf(text, sizeof text, "kind: %s", word[0] ? word : "unknown");
    reason_put(hit, text);
    bool is_another = f->head_known &&
                      f->kappa[hit->doc] < INDEX_KIND * 3 / 10 &&
                      !f->bears[hit->doc];
    if (is_another && f->q.head[0]) {
        snprintf(text, sizeof text, "no %s", f->q.head);
        reason_put(hit, text);
    }
    if (d.round || d.oval)
        reason_put(hit, d.round ? "round" : "oval");
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (d.colour[i] >= 30)
            reason_put(hit, asset_colour_names[i]);
    }
    snprintf(text, sizeof text, "%.2f x %.2f x %.2f m", (double)d.size[0],
             (double)d.size[1], (double)d.size[2]);
    reason_put(hit, text);
    reason_put_lacks(f, hit);
    reason_put_words(f, hit);
    hit_put_untold(f, hit);
}
