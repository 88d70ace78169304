/* Constraint blocks as any model may write them: what is read is within its
 * bounds, what is refused is refused in text. */
#include "proto/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "worker/solve/constraint.h"

#include <stdlib.h>
#include <string.h>

static void check(const constraint *c)
{
    bool named =
        c->kind != CONSTRAINT_CLOSE_TO_PIX && c->kind != CONSTRAINT_ROTATE;
    if (named != (c->name != NULL))
        abort();
    if (named && (c->name[0] == 0 || strlen(c->name) > 270 ||
                  !etna_utf8_valid(c->name, strlen(c->name))))
        abort();
    if (!(c->pixel[0] >= 0 && c->pixel[0] <= 1 && c->pixel[1] >= 0 &&
          c->pixel[1] <= 1))
        abort();
    if (!(c->value >= -3600 && c->value <= 10000))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    etna_arena arena = ETNA_ARENA_INIT;
    constraint_list list = {0};
    etna_error err = {0};
    etna_code code =
        constraint_parse((const char *)data, size, &arena, &list, &err);
    if (code == ETNA_OK) {
        if (list.count < 2 || list.count > CONSTRAINTS_MAX || !list.object)
            abort();
        for (uint32_t i = 0; i < list.count; i++)
            check(&list.items[i]);
    } else if (code != ETNA_E_INPUT || list.count != 0 || err.text[0] == 0) {
        abort();
    }
    for (const char *c = err.text; *c; c++)
        if ((unsigned char)*c < 0x20)
            abort();
    if (!etna_utf8_valid(err.text, strlen(err.text)))
        abort();
    etna_arena_free(&arena);
    return 0;
}

void fuzz_seeds(void (*add)(const void *data, size_t size))
{
    static const char *const seeds[] = {
        ("[[\"ObjectName\",\"Cup\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"Desk_118\"],"
         "[\"NoOverhang\",\"down\",\"Desk_118\",\"full_only\"],[\"Distance\",\"Lamp\",0.3],[\"FaceTo\",\"camera\"],[\"Rotate\",90]]"),
        "[\"ObjectName\",\"Cup\"],\n[\"CloseToPix\",\"center\",[0,1]],\n[\"Contact\",\"side\",\"ray:0.5,0.5\"],[\"BackTo\",\"Wall_3\"],\n",
        "[]",
    };
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        add(seeds[i], strlen(seeds[i]));
}
