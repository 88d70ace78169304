/* The language of a request, and what a request in another than English looks
 * for. */
#include "proto/array.h"
#include "worker/assets/find_internal.h"
#include "worker/assets/looks.h"

#include <stdio.h>
#include <string.h>

/* characters that an article and a whole name count for, where languages are
 * told apart by how much of a request they know */
enum {
    FUNCTION_WORTH = 4,
    WHOLE_WORTH = 16
};

/* Articles and prepositions, which names of things have not. */
static bool word_is_function(const char *language, const char *word)
{
    static const struct {
        const char *language, *words;
    } lists[] = {
        {"en",
         " a an the for with that which to on of and without under some "},
        {"fr", " un une le la les des du de pour avec sur sous sans et dans "},
        {"de",
         " ein eine einen einem einer der die das mit fur ohne zum zur und auf unter "},
        {"es", " un una unos unas el la los las con para de sin sobre y "},
        {"it", " un una uno il lo la gli le con per di da senza e "},
        {"sv", " en ett den det med for utan pa och till "},
        {"nl", " een de het met voor zonder op van en "},
        {"pt", " um uma o os as com para de sem e "},
        {"pl", " do na z dla bez i w "},
        {"cs", " na s pro bez do z "},
        {"hu", " egy az es nelkul "},
        {"tr", " bir icin ve ile "},
        {"fi", " yksi ja ilman "},
        {"vi", " mot cai chiec cho co de "}};
    char key[TEXT_WORD_SIZE + 2];
    const char *of = language ? language : "en";
    snprintf(key, sizeof key, " %s ", word);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        bool is_of = strncmp(lists[i].language, of, 2) == 0;
        if (is_of && strstr(lists[i].words, key))
            return true;
    }
    return false;
}

/* A name of something here counts wholly, a word of the dictionary half. */
static size_t english_knows(const finding *f, const query_word *w)
{
    if (index_find(f->v, w->stem).has_names || text_is_stop(w->text))
        return strlen(w->text);
    return (unsigned char)w->text[0] < 0x80 && kinds_word(w->text)
               ? strlen(w->text) / 2
               : 0;
}

/* The word before, "" of the first. */
static const char *word_before(const finding *f, uint32_t i)
{
    return i ? f->q.words[i - 1].text : "";
}

/* What the word says in English of how the thing looks; NULL. */
static const char *foreign_look(const finding *f,
                                const char *language,
                                uint32_t i)
{
    return looks_english(language, word_before(f, i), f->q.words[i].text);
}

/* In characters, as languages cut words differently; a word of looks half, as one
 * of the dictionary. */
static size_t foreign_knows(const finding *f, const char *language, uint32_t i)
{
    char term[FIELD_TERM_SIZE];
    const query_word *w = &f->q.words[i];
    snprintf(term, sizeof term, "%s:%s", language, w->text);
    if (index_find(f->v, term).count || word_is_function(language, w->text))
        return strlen(w->text);
    return foreign_look(f, language, i) ? strlen(w->text) / 2 : 0;
}

/* How much of the request the language knows, in characters; NULL: English. A
 * name as a whole tells most. */
static size_t language_knows(const finding *f, const char *language)
{
    char whole[FIELD_TERM_SIZE];
    size_t sum = 0;
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        sum += language ? foreign_knows(f, language, i) : english_knows(f, w);
        if (word_is_function(language, w->text))
            sum += FUNCTION_WORTH;
    }
    text_whole(language ? language : "en", f->text, whole, sizeof whole);
    return sum + (index_find(f->v, whole).count ? WHOLE_WORTH : 0);
}

/* The first term that is not less. */
static uint32_t term_from(const finding *f, const char *text)
{
    uint32_t low = 0;
    uint32_t high = f->v->term_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (strcmp(index_term(f->v, middle), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* English, unless another language knows more of the words. */
void finding_language(finding *f)
{
    size_t most = language_knows(f, NULL);
    uint32_t at = term_from(f, "@");
    for (const char *term = index_term(f->v, at); term[0] == '@';
         term = index_term(f->v, ++at)) {
        bool is_other =
            strcmp(term, "@en") != 0 && strlen(term) < sizeof f->ret->language;
        size_t known = is_other ? language_knows(f, term + 1) : 0;
        if (known <= most)
            continue;
        most = known;
        strcpy(f->ret->language, term + 1);
    }
}

/* "bucherregal" is found by "regal" where the whole is no word there, and
 * "holztisch" by "tisch" in any case, as wooden ones are called otherwise, too:
 * where that begins; 0: no end of it is a word. */
static size_t compound_cut(const finding *f, const char *word)
{
    enum {
        COMPOUND_LEAST = 8,
        PART_LEAST = 2,
        LAST_LEAST = 4
    };
    char term[FIELD_TERM_SIZE];
    const char *language = f->ret->language;
    const size_t length = strlen(word);
    snprintf(term, sizeof term, "%s:%s", language, word);
    const bool is_word = index_find(f->v, term).count > 0;
    for (size_t cut = PART_LEAST;
         length >= COMPOUND_LEAST && cut + LAST_LEAST <= length; cut++) {
        snprintf(term, sizeof term, "%s:%s", language, word + cut);
        const bool is_part = !is_word || looks_stuff(language, word, cut);
        if (is_part && index_find(f->v, term).count)
            return cut;
    }
    return 0;
}

static void foreign_add(finding *f, const char *word)
{
    char term[FIELD_TERM_SIZE];
    const size_t cut = compound_cut(f, word);
    snprintf(term, sizeof term, "%s:%s", f->ret->language, word);
    finding_term_add(f, term, FINDING_OWN);
    if (!cut)
        return;
    snprintf(term, sizeof term, "%s:%s", f->ret->language, word + cut);
    finding_term_add(f, term, FINDING_SAME);
}

/* A doc's vote for its kind; what has none, or another than those counted so
 * far, does not vote. */
static void kind_vote(const finding *f,
                      kinds_id *id,
                      uint32_t votes[KINDS_SENSES_MAX],
                      uint32_t doc)
{
    uint16_t kind =
        doc < f->v->doc_count ? index_doc_at(f->v, doc).kinds[0] : 0;
    uint32_t at = 0;
    while (at < id->self_count && id->self[at].kind != kind)
        at++;
    if (!kind || at == KINDS_SENSES_MAX)
        return;
    if (at == id->self_count)
        id->self[id->self_count++] = (kinds_near){.kind = kind};
    votes[at]++;
}

/* The kinds of what bears a foreign word, as far as all agree. */
static void foreign_kinds(finding *f)
{
    kinds_id id = {.words = 1};
    uint32_t votes[KINDS_SENSES_MAX] = {0}, docs = 0;
    for (uint32_t t = 0; t < f->term_count; t++) {
        index_list l = index_find(f->v, f->terms[t].text);
        for (index_posting p; docs < 64 && index_list_next(&l, &p); docs++)
            kind_vote(f, &id, votes, p.doc);
    }
    f->head = (kinds_id){.words = 1, .head_words = 1};
    for (uint32_t i = 0; i < id.self_count; i++) {
        if (votes[i] * 3 >= docs)
            f->head.self[f->head.self_count++] = id.self[i];
    }
    f->head_known = f->head.self_count > 0;
}

/* ---- looks ---- */

/* A concept of its own, by the foreign word, which names may have, and by the
 * English one, by which everything else is called and measured. */
static void look_add(finding *f, const char *foreign, const char *english)
{
    const uint32_t concept = ++f->concept_count;
    char stem[TEXT_WORD_SIZE];
    snprintf(stem, sizeof stem, "%s", english);
    text_stem(stem);
    f->parts[concept] = QUERY_MORE;
    f->is_look[concept] = true;
    f->before++;
    if (foreign)
        foreign_add(f, foreign);
    finding_term_add(
        f, stem, query_look(&f->q, english) ? FINDING_SIZE_TOLD : FINDING_OWN);
}

/* From now on the word is an English one. */
static void word_translate(query_word *w, const char *english)
{
    snprintf(w->text, sizeof w->text, "%s", english);
    snprintf(w->stem, sizeof w->stem, "%s", english);
    text_stem(w->stem);
    w->part = QUERY_MORE;
}

/* Where the language has words of looks: "runden" of "einen runden Holztisch",
 * and its "Holz". */
static void foreign_looks(finding *f, const char *const looks[QUERY_WORDS_MAX])
{
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        query_word *w = &f->q.words[i];
        const size_t cut = looks[i] ? 0 : compound_cut(f, w->text);
        const char *stuff =
            cut ? looks_stuff(f->ret->language, w->text, cut) : NULL;
        if (stuff)
            look_add(f, NULL, stuff);
        if (!looks[i])
            continue;
        look_add(f, w->text, looks[i]);
        word_translate(w, looks[i]);
    }
}

/* ---- the whole ---- */

/* Does the word say what is looked for, beside how it looks? */
static bool foreign_names(const finding *f, const query_word *w)
{
    const char *language = f->ret->language;
    return w->part != QUERY_SIZE && strlen(w->text) > 1 &&
           !word_is_function(language, w->text) &&
           !looks_leads(language, w->text);
}

/* No head is told in another language, so each word counts as one, and the
 * kinds are what the docs of these words agree on. What its words say of looks
 * in English they do not mean: "large" is wide in French. */
void finding_foreign(finding *f)
{
    const char *looks[QUERY_WORDS_MAX];
    query_look_none(&f->q);
    for (uint32_t i = 0; i < f->q.word_count; i++) {
        const query_word *w = &f->q.words[i];
        const bool is_said = foreign_names(f, w);
        looks[i] = is_said ? foreign_look(f, f->ret->language, i) : NULL;
        if (!is_said || looks[i])
            continue;
        f->parts[++f->concept_count] = QUERY_HEAD;
        foreign_add(f, w->text);
    }
    foreign_kinds(f);
    foreign_looks(f, looks);
    finding_whole_add(f);
}
