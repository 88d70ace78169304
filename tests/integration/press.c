/* Compresses a scene's geometry for run_compressed.sh: scene-press
 * draco|draco-exact|meshopt|meshopt-triangles IN.glb OUT.glb. */
#include "tests/support/press.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_all(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *data = size > 0 ? malloc((size_t)size) : NULL;
    bool ok = data && fseek(file, 0, SEEK_SET) == 0 &&
              fread(data, 1, (size_t)size, file) == (size_t)size;
    if (file)
        fclose(file);
    if (!ok) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(3);
    }
    *ret_size = (size_t)size;
    return data;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const press_options options = {
        .bits = strcmp(argv[1], "draco") == 0 ? 14 : 0,
        .triangles = strcmp(argv[1], "meshopt-triangles") == 0};
    size_t size, made_size;
    uint8_t *glb = read_all(argv[2], &size);
    uint8_t *made = strncmp(argv[1], "draco", 5) == 0
                        ? press_draco(glb, size, &options, &made_size)
                        : press_meshopt(glb, size, &options, &made_size);
    FILE *file = fopen(argv[3], "wb");
    bool ok = file && fwrite(made, 1, made_size, file) == made_size;
    ok = file && fclose(file) == 0 && ok;
    free(glb);
    free(made);
    return ok ? 0 : 4;
}
