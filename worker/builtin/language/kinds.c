/* Kinds of things: finds a phrase's senses and everything above them, and
 * compares two such sets. */
#include "worker/builtin/language/kinds.h"
#include "proto/array.h"
#include "worker/builtin/language/kinds_table_read.h"

#include <string.h>

enum {
    STEPS_MAX = 6,   /* farther up a kind says nothing of a thing */
    PENALTY_MAX = 3, /* of a rare sense */
    LAST_WORD_COST = (STEPS_MAX + 1) * KINDS_STEP,
    PARTED_MIN = 2,        /* letters of "tv" in "tvstand" */
    COMPOUND_PART_MIN = 3, /* letters of a part of "toybox" */
};

static uint64_t phrase_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A later sense is a rarer one and costs more, up to PENALTY_MAX. */
static void self_add(kinds_id *id, uint16_t kind)
{
    for (size_t i = 0; i < id->self_count; i++) {
        if (id->self[i].kind == kind)
            return;
    }
    if (id->self_count == KINDS_SENSES_MAX)
        return;
    uint8_t cost = (uint8_t)least(id->self_count, PENALTY_MAX);
    id->self[id->self_count++] = (kinds_near){.kind = kind, .cost = cost};
}

/* The cheaper of two ways to one kind counts. */
static void above_add(kinds_id *id, uint16_t kind, unsigned cost)
{
    for (size_t i = 0; i < id->above_count; i++) {
        kinds_near *known = &id->above[i];
        if (known->kind != kind)
            continue;
        if (known->cost > cost)
            known->cost = (uint8_t)cost;
        return;
    }
    if (id->above_count == KINDS_ABOVE_MAX)
        return;
    id->above[id->above_count++] =
        (kinds_near){.kind = kind, .cost = (uint8_t)cost};
}

/* The first further link of a kind. */
static size_t further_find(uint16_t kind)
{
    size_t low = 0;
    size_t high = kinds_further_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (kinds_further[middle].kind < kind)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A group ("cup, mug, glass") is no thing and costs no step; it counts for the
 * thing's own senses only, or everything above would be mixed up too. */
static void link_add(kinds_id *id, uint16_t above, kinds_near from, bool is_own)
{
    if (!above)
        return;
    bool is_group = above >= kinds_group;
    if (is_group && is_own)
        above_add(id, above, from.cost);
    if (!is_group)
        above_add(id, above, (unsigned)from.cost + KINDS_STEP);
}

/* Most kinds have one link, in kinds_above; the others are in a sorted list
 * beside it. */
static void links_add(kinds_id *id, kinds_near from, bool is_own)
{
    if (from.kind >= kinds_group)
        return;
    link_add(id, kinds_above[from.kind], from, is_own);
    for (size_t i = further_find(from.kind);
         i < kinds_further_count && kinds_further[i].kind == from.kind; i++) {
        link_add(id, kinds_further[i].above, from, is_own);
    }
}

/* Breadth first, so that the nearest stay when there are too many. */
static void above_walk(kinds_id *id)
{
    for (size_t i = 0; i < id->self_count; i++)
        links_add(id, id->self[i], true);
    for (size_t i = 0; i < id->above_count; i++) {
        if (id->above[i].cost / KINDS_STEP < STEPS_MAX)
            links_add(id, id->above[i], false);
    }
}

void kinds_find_above(uint16_t kind, kinds_id *ret)
{
    *ret = (kinds_id){.words = 1, .head_words = 1};
    self_add(ret, kind);
    above_walk(ret);
}

bool kinds_is_group(uint16_t kind)
{
    return kind >= kinds_group;
}

static void senses_add(kinds_id *id, const kinds_entry *entry)
{
    for (size_t i = 0; i < entry->sense_count; i++) {
        self_add(id, (uint16_t)(entry->senses[2 * i] | entry->senses[2 * i + 1]
                                                           << 8));
    }
}

static bool whole_add(kinds_id *id, const char *text)
{
    kinds_entry entry;
    if (!kinds_entry_find(text, &entry) || !entry.sense_count)
        return false;
    senses_add(id, &entry);
    return true;
}

/* The senses of a phrase as a whole, as singular and as plural: the singular's
 * first. */
static bool phrase_add(kinds_id *id, const char *text)
{
    char singular[KINDS_PHRASE_SIZE];
    const char *space = strrchr(text, ' ');
    const char *last = space ? space + 1 : text;
    kinds_noun readings[KINDS_READINGS_MAX];
    size_t before = (size_t)(last - text);
    size_t count = kinds_noun_readings(last, readings);
    bool is_found = false;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(readings[i].lemma);
        if (before + length >= sizeof singular)
            continue;
        memcpy(singular, text, before);
        memcpy(singular + before, readings[i].lemma, length + 1);
        is_found |= whole_add(id, singular);
    }
    bool is_itself = count && !strcmp(readings[count - 1].lemma, last);
    if (!is_itself)
        is_found |= whole_add(id, text);
    return is_found;
}

/* "book shelf" for "bookshelf". */
static bool joined_add(kinds_id *id, const char *text)
{
    const char *space = strchr(text, ' ');
    if (!space || strchr(space + 1, ' '))
        return false;
    char joined[KINDS_PHRASE_SIZE];
    size_t before = (size_t)(space - text);
    memcpy(joined, text, before);
    memcpy(joined + before, space + 1, strlen(space + 1) + 1);
    return phrase_add(id, joined);
}

/* "tvstand" for "tv stand". */
static bool parted_add(kinds_id *id, const char *word)
{
    char parted[KINDS_PHRASE_SIZE];
    size_t length = strlen(word);
    if (length + 1 >= sizeof parted || strchr(word, ' '))
        return false;
    for (size_t cut = PARTED_MIN; cut + COMPOUND_PART_MIN <= length; cut++) {
        memcpy(parted, word, cut);
        parted[cut] = ' ';
        memcpy(parted + cut + 1, word + cut, length - cut + 1);
        if (phrase_add(id, parted))
            return true;
    }
    return false;
}

/* "gardenchair" is a chair: the longest known ending after a known noun. */
static bool split_add(kinds_id *id, const char *word)
{
    size_t length = strlen(word);
    if (length >= KINDS_WORD_SIZE)
        return false;
    for (size_t cut = COMPOUND_PART_MIN; cut + COMPOUND_PART_MIN <= length;
         cut++) {
        char before[KINDS_WORD_SIZE];
        memcpy(before, word, cut);
        before[cut] = 0;
        kinds_entry entry;
        bool is_noun =
            kinds_entry_find(before, &entry) && (entry.flags & KINDS_NOUN);
        if (is_noun && phrase_add(id, word + cut))
            return true;
    }
    return false;
}

static size_t text_words(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == ' ';
    return count;
}

static bool word_trails(const char *word)
{
    kinds_entry entry;
    bool is_number = word[0] && !word[strspn(word, "0123456789")];
    bool is_letter = word[0] && !word[1];
    if (is_number || is_letter)
        return true;
    return kinds_entry_find(word, &entry) && (entry.flags & KINDS_TRAILS);
}

/* Cuts "armchair left 2" after "armchair"; what would leave nothing stays. */
static void trail_cut(char *text)
{
    char *space = strrchr(text, ' ');
    while (space && word_trails(space + 1)) {
        *space = 0;
        space = strrchr(text, ' ');
    }
}

/* Cuts "bowl with fruits" after "bowl". */
static void preposition_cut(char *text)
{
    static const char *const prepositions[] = {
        " with ", " of ", " on ", " for ", " in ", " under ", " from ", " to "};
    for (size_t i = 0; i < COUNT_OF(prepositions); i++) {
        char *at = strstr(text, prepositions[i]);
        if (at)
            *at = 0;
    }
}

/* A compound of the table is in some way what its last word says, though the
 * table may not know: a filing cabinet is a cabinet. It is the last guess, for
 * a hot dog is no dog. */
static void last_word_add(kinds_id *id, const char *text)
{
    kinds_id last = {0};
    const char *space = strrchr(text, ' ');
    if (!space || !phrase_add(&last, space + 1))
        return;
    for (size_t i = 0; i < last.self_count; i++)
        above_add(id, last.self[i].kind, LAST_WORD_COST + last.self[i].cost);
}

/* The words of the longest known ending; 0 for none. */
static size_t ending_add(kinds_id *id, const char *text)
{
    for (const char *at = text; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (phrase_add(id, at) || joined_add(id, at))
            return text_words(at);
    }
    const char *space = strrchr(text, ' ');
    return split_add(id, space ? space + 1 : text) ? 1 : 0;
}

/* A "stack of books" is books: what comes after "of", when nothing before it is
 * known. */
static size_t content_add(kinds_id *id, const char *text)
{
    const char *of = strstr(text, " of ");
    return of ? ending_add(id, of + strlen(" of ")) : 0;
}

/* What the phrase means; cuts it down to the part that says so. */
static void head_find(kinds_id *id, char *text)
{
    id->head_words = id->words = (uint8_t)text_words(text);
    if (phrase_add(id, text))
        return;
    trail_cut(text);
    id->head_words = id->words = (uint8_t)text_words(text);
    if (phrase_add(id, text) || parted_add(id, text))
        return;
    char whole[KINDS_PHRASE_SIZE];
    memcpy(whole, text, strlen(text) + 1);
    preposition_cut(text);
    trail_cut(text);
    size_t head = ending_add(id, text);
    if (!head)
        head = content_add(id, whole);
    id->head_words = (uint8_t)head;
    /* "gardenchair" is narrower than "chair" */
    bool is_split = head == 1 && id->words == 1;
    if (is_split)
        id->words++;
}

/* What has further words is a kind of its head. */
static void self_lift(kinds_id *id)
{
    for (size_t i = 0; i < id->self_count; i++) {
        links_add(id,
                  (kinds_near){id->self[i].kind,
                               (uint8_t)(id->self[i].cost + KINDS_STEP)},
                  true);
        above_add(id, id->self[i].kind, id->self[i].cost + KINDS_STEP);
    }
    id->self_count = 0;
}

/* False: nothing of the phrase is known; its hash is set all the same, so that
 * equal unknown words are equal. */
bool kinds_find(const char *phrase, kinds_id *ret)
{
    char text[KINDS_PHRASE_SIZE];
    memset(ret, 0, sizeof *ret);
    if (!kinds_normalise(phrase, text, sizeof text))
        return false;
    ret->phrase = phrase_hash(text);
    head_find(ret, text);
    if (ret->head_words < ret->words)
        self_lift(ret);
    above_walk(ret);
    if (ret->head_words > 1)
        last_word_add(ret, text);
    return ret->head_words > 0;
}

bool kinds_known(const char *phrase)
{
    char text[KINDS_PHRASE_SIZE];
    kinds_id id = {0};
    return kinds_normalise(phrase, text, sizeof text) && phrase_add(&id, text);
}

/* The least sum of costs of a kind that is in both lists; UINT32_MAX for
 * none. */
static uint32_t lists_meet(const kinds_near *a,
                           size_t a_count,
                           const kinds_near *b,
                           size_t b_count)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < a_count; i++) {
        for (size_t k = 0; k < b_count; k++) {
            uint32_t cost = (uint32_t)a[i].cost + b[k].cost;
            if (a[i].kind == b[k].kind && cost < best)
                best = cost;
        }
    }
    return best;
}

/* Groups are in the lists of what is above. A name may be narrower than the
 * group's member ("red mug", "cup"); what is said may not: "bar table" is no
 * desk. */
static uint32_t groups_meet(const kinds_id *named, const kinds_id *said)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < said->above_count; i++) {
        if (said->above[i].kind < kinds_group ||
            said->above[i].cost >= KINDS_STEP)
            continue;
        uint32_t cost =
            lists_meet(&said->above[i], 1, named->above, named->above_count);
        if (cost < best)
            best = cost;
    }
    return best;
}

/* The best of several ways to compare, each with its own range (kinds.h). */
uint32_t kinds_id_distance(const kinds_id *named, const kinds_id *said)
{
    if (named->words && named->phrase == said->phrase)
        return 0;
    uint32_t same = lists_meet(named->self, named->self_count, said->self,
                               said->self_count);
    if (same != UINT32_MAX)
        return same < KINDS_STEP ? same : KINDS_STEP - 1;
    uint32_t above = lists_meet(named->above, named->above_count, said->self,
                                said->self_count);
    if (above != UINT32_MAX)
        return above < KINDS_NEAR ? above : KINDS_NEAR - 1;
    uint32_t near = groups_meet(named, said);
    if (near != UINT32_MAX)
        return KINDS_NEAR + near;
    uint32_t below = lists_meet(named->self, named->self_count, said->above,
                                said->above_count);
    return below == UINT32_MAX ? KINDS_UNRELATED : KINDS_BELOW + below;
}

uint32_t kinds_distance(const char *named, const char *said)
{
    kinds_id a, b;
    kinds_find(named, &a);
    kinds_find(said, &b);
    return kinds_id_distance(&a, &b);
}

uint32_t kinds_version(void)
{
    const uint32_t counts[] = {(uint32_t)kinds_entry_count,
                               (uint32_t)kinds_further_count, kinds_group};
    /* FNV-1a, a word at a time: where each block begins tells how long all
     * texts are */
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        sum = (sum ^ counts[i]) * 16777619u;
    for (size_t i = 0; i < kinds_block_count; i++)
        sum = (sum ^ kinds_block_at[i]) * 16777619u;
    return sum;
}
