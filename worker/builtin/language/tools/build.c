/* kinds-build WORDNET-FOLDER HOUSEHOLD.TXT OUT.C [TOLD.C]: see build.h. */
#include "worker/builtin/language/tools/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "kinds-build: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

void *grown(void *list, size_t count, size_t *capacity, size_t item)
{
    if (count < *capacity)
        return list;
    *capacity = *capacity ? *capacity * 2 : 1024;
    void *larger = realloc(list, *capacity * item);
    if (!larger)
        fail("out of memory");
    return larger;
}

char *file_read(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", folder ? folder : "",
             folder ? "/" : "", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("%s cannot be read: %m", path);
    size_t size = 0;
    size_t capacity = 1 << 20;
    char *text = malloc(capacity);
    while (text) {
        size += fread(text + size, 1, capacity - size - 1, file);
        if (size < capacity - 1)
            break;
        capacity *= 2;
        char *larger = realloc(text, capacity);
        if (!larger)
            free(text);
        text = larger;
    }
    if (!text)
        fail("out of memory");
    if (ferror(file))
        fail("%s cannot be read", path);
    fclose(file);
    text[size] = 0;
    return text;
}

static void irregulars_free(irregulars *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].form);
        free(all->list[i].base);
    }
    free(all->list);
}

static void synsets_free(synsets *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].words);
        free(all->list[i].gloss);
    }
    free(all->list);
}

static void dictionary_free(dictionary *d)
{
    for (size_t i = 0; i < d->slot_count; i++) {
        if (!d->slots[i])
            continue;
        free(d->slots[i]->text);
        free(d->slots[i]);
    }
    free(d->slots);
    synsets_free(&d->nouns);
    synsets_free(&d->verbs);
    synsets_free(&d->adjectives);
    irregulars_free(&d->noun_irregulars);
    irregulars_free(&d->verb_irregulars);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        fail("usage: kinds-build WORDNET-FOLDER HOUSEHOLD.TXT OUT.C [TOLD.C]");
    static dictionary d;
    wordnet_read(&d, argv[1]);
    household_read(&d, argv[2]);
    table_write(&d, argv[3]);
    if (argc == 5)
        told_write(&d, argv[4]);
    dictionary_free(&d);
    return 0;
}
