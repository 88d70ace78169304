#include "worker/builtin/language/kinds_table_read.h"

#include "proto/ascii.h"
#include "worker/builtin/language/kinds.h"

#include <string.h>

/* A walk over a block's entries. `text` holds the present one. */
typedef struct entry_walk {
    const unsigned char *at;
    char text[KINDS_PHRASE_SIZE];
    kinds_entry entry;
} entry_walk;

static void walk_next(entry_walk *walk)
{
    const unsigned char *at = walk->at;
    size_t length = *at++;
    bool is_last = false;
    while (!is_last) {
        is_last = *at & 0x80;
        walk->text[length++] = (char)(*at++ & 0x7f);
    }
    walk->text[length] = 0;
    walk->entry.flags = *at++;
    const unsigned classes = walk->entry.flags & KINDS_HAS_CLASS ? *at++ : 0;
    walk->entry.verb_class = (uint8_t)(classes & KINDS_VERB_BITS);
    walk->entry.is_person = (classes & KINDS_PERSON) != 0;
    walk->entry.is_abstract = (classes & KINDS_ABSTRACT) != 0;
    walk->entry.tells = (classes & KINDS_TELLS) != 0;
    walk->entry.sense_count = walk->entry.flags & KINDS_SENSES;
    walk->entry.senses = at;
    walk->at = at + (size_t)2 * walk->entry.sense_count;
}

static entry_walk walk_from(size_t block)
{
    entry_walk walk;
    walk.at = kinds_text + kinds_block_at[block];
    walk_next(&walk);
    return walk;
}

static entry_walk walk_to(size_t entry)
{
    entry_walk walk = walk_from(entry / KINDS_BLOCK);
    for (size_t i = 0; i < entry % KINDS_BLOCK; i++)
        walk_next(&walk);
    return walk;
}

bool kinds_entry_find(const char *text, kinds_entry *ret)
{
    const uint32_t last = (1u << KINDS_SLOT_BITS) - 1;
    const uint32_t number = (1u << KINDS_SLOT_ENTRY) - 1;
    uint32_t hash = kinds_hash(text);
    for (uint32_t at = hash & last; kinds_slots[at]; at = (at + 1) & last) {
        uint32_t slot = kinds_slots[at];
        if ((slot ^ hash) >> KINDS_SLOT_ENTRY)
            continue;
        entry_walk walk = walk_to((slot & number) - 1);
        if (strcmp(walk.text, text))
            continue;
        *ret = walk.entry;
        return true;
    }
    return false;
}

/* Binary search; a row is the form, how many letters of it to keep, and what
 * follows them. False also when it does not fit into `ret`. */
bool kinds_irregular_find(const kinds_irregular *among,
                          const char *form,
                          char *ret,
                          size_t size)
{
    size_t low = 0;
    size_t high = among->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(among->text + among->at[middle], form) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == among->count || strcmp(among->text + among->at[low], form))
        return false;
    const char *row = among->text + among->at[low] + strlen(form) + 1;
    size_t keep = (unsigned char)row[0];
    size_t further = strlen(row + 1);
    if (keep + further >= size)
        return false;
    memcpy(ret, form, keep);
    memcpy(ret + keep, row + 1, further + 1);
    return true;
}

/* What is neither letter, digit nor "'" parts words; a byte beyond ASCII
 * belongs to one, which no word of the table has. */
static char letter_normal(char c)
{
    if (ascii_is_upper(c))
        return (char)(c - 'A' + 'a');
    bool is_plain = ascii_is_lower(c) || ascii_is_digit(c);
    bool is_beyond = (unsigned char)c >= 0x80;
    return is_plain || is_beyond || c == '\'' ? c : ' ';
}

/* Lower case, one blank between words; 0: too long, or nothing. */
size_t kinds_normalise(const char *text, char *ret, size_t size)
{
    size_t length = 0;
    for (; *text; text++) {
        char c = letter_normal(*text);
        if (c == ' ' && (!length || ret[length - 1] == ' '))
            continue;
        if (length + 1 >= size)
            return 0;
        ret[length++] = c;
    }
    if (length && ret[length - 1] == ' ')
        length--;
    ret[length] = 0;
    return length;
}
