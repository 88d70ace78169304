/* Hostile lists of models: any bytes as YAML and as JSON are read or refused,
 * and what is read can be cut and read again. */
#include "proto/models.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void again(const models *m, etna_arena *arena)
{
    const char *names[MODELS_COUNT_MAX], *json = NULL;
    for (uint32_t i = 0; i < m->model_count; i++)
        names[i] = m->models[i].name;
    if (models_cut(m, names, m->model_count, arena, &json, NULL))
        return; /* too long */
    models copy;
    if (models_from_json(json, strlen(json), arena, &copy, NULL) ||
        copy.model_count != m->model_count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err;
    models m;
    if (models_from_yaml((const char *)data, size, &arena, &m, &err) == ETNA_OK)
        again(&m, &arena);
    if (models_from_json((const char *)data, size, &arena, &m, &err) == ETNA_OK)
        again(&m, &arena);
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        "endpoints:\n  a: {wire: chat, url: \"http://h/v1\", headers: {X: \"$Y\"}}\nmodels:\n  m: {endpoint: a, price: {in: 1.5}, knobs: {t: [1]}}\n",
        ("{\"endpoints\":{\"a\":{\"url\":\"http://h\",\"wire\":\"gemini\"}},\"models\":{\"m\":{\"endpoint\":\"a\",\"fallback\":\"builtin\"}},"
         "\"roles\":{\"judge\":\"m\"}}"),
        "currency: EUR\nmodels: {}\n"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        add(seeds[i], strlen(seeds[i]));
}
