/* A table of a library's models. */
#include "worker/cli/library.h"
#include "proto/error_json.h"
#include "proto/utf8.h"
#include "worker/cli/load.h"
#include "worker/convert/convert.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* A catalogue's words reach a terminal. */
static const char *library_clean(const json_t *row,
                                 const char *key,
                                 char to[64])
{
    const char *text = json_string_value(json_object_get(row, key));
    size_t size = text ? etna_utf8_cut(text, 63) : 0;
    for (size_t n = 0; n < size; n++)
        to[n] =
            (unsigned char)text[n] < 0x20 || text[n] == 0x7f ? ' ' : text[n];
    to[size] = 0;
    /* U+0080..U+009F are controls too, in two bytes */
    for (char *c = to; c[0]; c++) {
        if ((unsigned char)c[0] == 0xc2 && (unsigned char)c[1] < 0xa0 && c[1])
            c[0] = c[1] = ' ';
    }
    return to;
}

/* For people; names are cleaned, since they come from a file. */
static void print_table(const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    const json_t *row;
    char name[64], category[64], id[64];
    size_t i;
    printf("%6s  %-32s %-24s %-20s %s\n", "number", "name", "category",
           "size (m)", "id");
    json_array_foreach(models, i, row)
    {
        const json_t *size = json_object_get(row, "size");
        char box[64];
        snprintf(box, sizeof box, "%.2f x %.2f x %.2f",
                 json_number_value(json_array_get(size, 0)),
                 json_number_value(json_array_get(size, 1)),
                 json_number_value(json_array_get(size, 2)));
        printf("%6d  %-32s %-24s %-20s %s\n",
               (int)json_integer_value(json_object_get(row, "index")),
               library_clean(row, "name", name),
               library_clean(row, "category", category), box,
               library_clean(row, "id", id));
    }
    printf("%zu models of \"%s\", %s.\n", json_array_size(models),
           library_clean(document, "name", name),
           library_clean(document, "licence", category));
    printf("One of them is a scene: LIBRARY.sh3f#NUMBER, or #NAME, or #ID.\n");
}

int library_print(const char *path, bool as_json)
{
    etna_error err = {0};
    uint8_t *text = NULL;
    size_t size = 0;
    if (convert_list(path, &text, &size, &err) != ETNA_OK)
        return load_report(&err);
    json_t *document = json_loadb((const char *)text, size, 0, NULL);
    free(text);
    if (!document)
        return load_report(&(etna_error){
            ETNA_E_NOMEM, "out of memory for the list of models"});
    if (as_json)
        document = error_json_schema("etna.library/1", document);
    if (!document)
        return load_report(&(etna_error){
            ETNA_E_NOMEM, "out of memory for the list of models"});
    if (as_json) {
        json_dumpf(document, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        print_table(document);
    }
    json_decref(document);
    return 0;
}
