/* Hostile furniture libraries: any bytes as a ZIP archive and its catalogue are
 * read or refused, and so is every model's file that the catalogue names. What
 * Assimp makes of a model is not tried here: that happens in a child process
 * only. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/zip_builder.h"
#include "worker/convert/catalogue.h"

#include <stdlib.h>
#include <string.h>

static void read_models(archive *a, const catalogue *c)
{
    for (uint32_t i = 0; i < c->count && i < 20; i++) {
        const catalogue_model *found;
        uint8_t *data;
        size_t size;
        etna_error err;
        if (catalogue_find(c, c->models[i].name, &found, &err) != ETNA_OK)
            found = &c->models[i];
        if (archive_read(a, found->path, &data, &size, &err) == ETNA_OK)
            free(data);
    }
    json_decref(catalogue_json(c));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    archive *a = NULL;
    catalogue c;
    etna_error err;
    /* a catalogue without an archive around it */
    if (size > 0 && data[0] != 'P') {
        char *text = malloc(size + 1);
        if (!text)
            return 0;
        memcpy(text, data, size);
        text[size] = 0;
        if (catalogue_parse(text, size, &c, &err) == ETNA_OK) {
            json_decref(catalogue_json(&c));
            catalogue_free(&c);
        }
        free(text);
        return 0;
    }
    if (archive_open(data, size, &a, &err) != ETNA_OK)
        return 0;
    if (catalogue_read(a, &c, &err) == ETNA_OK) {
        read_models(a, &c);
        catalogue_free(&c);
    }
    archive_close(a);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char list[] =
        "id=x\nname=A \\u00e9 library\nname#1=Chair\nid#1=A#chair\nmodel#1=/a/chair.obj\nwidth#1=40\n"
        "depth#1=50.5\nheight#1=90\nmodelRotation#1=1 0 0 0 0 -1 0 1 0\nname#3=Bed\\\n  side\nmodel#3=b.obj\n"
        "movable#3=false\n! comment\n# another\nname#2 : no model\n";
    static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    static const uint8_t packed[] = {0x2b, 0x53, 0x30, 0x50, 0x30,
                                     /* deflated text */
                                     0x50, 0x30, 0xe0, 0x02, 0x00};
    zip_builder z = {0};
    size_t size;
    zip_builder_add(&z, "PluginFurnitureCatalog.properties", list,
                    sizeof list - 1);
    zip_builder_add(&z, "a/chair.obj", mesh, sizeof mesh - 1);
    zip_builder_add_raw(&z, "b.obj", packed, sizeof packed, 8, 8);
    uint8_t *data = zip_builder_finish(&z, &size);
    add(data, size);
    free(data);
    add(list + 2, sizeof list - 3);
}
