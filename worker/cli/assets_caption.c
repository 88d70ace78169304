/* See assets_caption.h. */
#include "worker/cli/assets_caption.h"
#include "worker/assets/caption.h"
#include "worker/assets/views.h"

#include <string.h>

enum {
    UNREAD_MOST = 8
};

typedef struct captioning {
    ask ask;
    shelf *shelf;
    etna_arena arena; /* of one asset */
    provider_image png;
    captioned *done;
} captioning;

/* A shelf_look: the picture outlives the transaction, as calls take long. */
static etna_code picture_copy(void *context,
                              const uint8_t *data,
                              size_t size,
                              etna_error *err)
{
    captioning *c = context;
    uint8_t *copy = etna_arena_alloc(&c->arena, size, 1);
    if (!copy)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a picture");
    memcpy(copy, data, size);
    c->png = (provider_image){.data = copy, .size = size, .mime = "image/png"};
    return ETNA_OK;
}

/* Asked a second time in other words where the first answer cannot be read. An
 * answer that cannot be read is kept all the same: it was paid, and the same
 * question would be answered alike. */
static etna_code doc_ask(captioning *c,
                         const char *text,
                         bool *ret_is_read,
                         asset_caption *ret,
                         etna_error *err)
{
    static const char again[] =
        "\nAnswer with the one JSON object alone, and nothing before or behind "
        "it.";
    etna_code code = ETNA_OK;
    *ret_is_read = false;
    for (int i = 0; code == ETNA_OK && !*ret_is_read && i < 2; i++) {
        const char *said = "", *asked = text;
        if (i)
            asked = etna_arena_printf(&c->arena, "%s%s", text, again);
        if (!asked)
            return etna_fail(err, ETNA_E_NOMEM, "no memory for a caption");
        code = ask_picture(&c->ask, caption_system, asked, &c->png,
                           2 * ASSETS_VIEW_SIDE, &c->arena, &said, err);
        if (code == ETNA_OK)
            *ret_is_read = caption_read(said, c->ask.model->id, &c->arena, ret);
    }
    return code;
}

/* A model that says nothing of use of the first few is not paid for the
 * rest. */
static etna_code doc_caption(captioning *c,
                             const asset *sources,
                             uint32_t count,
                             etna_error *err)
{
    asset_caption caption;
    bool is_read = false;
    const char *text = caption_ask(sources, count, &c->arena);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a caption");
    etna_code code = doc_ask(c, text, &is_read, &caption, err);
    if (code == ETNA_OK && is_read) {
        c->done->docs++;
        return shelf_put_caption(c->shelf, &sources[0].hash, &caption, err);
    }
    c->done->unread += code == ETNA_OK;
    if (code != ETNA_OK || c->done->docs || c->done->unread < UNREAD_MOST)
        return code;
    return etna_fail(
        err, ETNA_E_IO,
        "model %.80s: none of its answers about the first %d models could be read; name a model that sees and answers in JSON",
        c->ask.model->name, (int)UNREAD_MOST);
}

/* All sources of one content; *at moves behind them. One without a picture is
 * passed over. */
static etna_code sources_caption(captioning *c,
                                 const shelf_list *list,
                                 uint32_t *at,
                                 etna_error *err)
{
    const asset *first = &list->assets[*at];
    uint32_t n = 1;
    while (*at + n < list->count && !first[n].fault[0] &&
           etna_hash_equal(&first[n].hash, &first->hash))
        n++;
    *at += n;
    etna_code code =
        shelf_with_views(c->shelf, &first->hash, picture_copy, c, err);
    if (code == ETNA_OK)
        code = doc_caption(c, first, n, err);
    etna_arena_free(&c->arena);
    c->arena = (etna_arena)ETNA_ARENA_INIT;
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

etna_code assets_caption(shelf *s,
                         const ask_options *options,
                         const char *name,
                         ask_used *used,
                         captioned *ret,
                         etna_error *err)
{
    shelf_list list = {.count = 0};
    captioning c = {.shelf = s, .arena = ETNA_ARENA_INIT, .done = ret};
    *ret = (captioned){0};
    etna_code code = ask_open(&c.ask, s, options, "captions", name, used, err);
    if (code == ETNA_OK)
        code = shelf_read(s, &list, err);
    for (uint32_t i = 0;
         code == ETNA_OK && i < list.count && !list.assets[i].fault[0];)
        code = sources_caption(&c, &list, &i, err);
    ask_close(&c.ask);
    shelf_list_free(&list);
    return code;
}
