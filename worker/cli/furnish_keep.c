/* A furnished room done again, without its library: what it rests on is kept
 * beside the assets. That is its record (words, room, seed, what came of them),
 * the index that its models were picked from, and each model that was read on
 * the way. Index and models are kept once, however many rooms rest on them. */
#include "worker/cli/assets.h"
#include "worker/cli/compose_stage.h"
#include "worker/cli/furnish.h"
#include "worker/cli/furnish_keep_internal.h"
#include "worker/cli/furnish_lot.h"
#include "worker/cli/load.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* of models and records; a row of another one is told as damaged */
    VERSION = 1,
    /* bytes that a record is believed to have of the brief, of a licence */
    TEXT_MOST = 1 << 17,
    LICENCE_MOST = 256
};

/* ---- models ---- */

/* Of another meaning than the model's own hash, which names its GLB. */
etna_hash furnish_model_key(const etna_hash *model)
{
    const etna_hash parts[2] = {etna_hash_bytes("model", sizeof "model"),
                                *model};
    return etna_hash_bytes(parts, sizeof parts);
}

/* What composing asks of a model, so that a replay needs no library: its unit,
 * its up axis, its box, and the bytes of its file. */
static void model_encode(canon_writer *w, const compose_asset *a)
{
    canon_u32(w, VERSION);
    canon_f64(w, a->unit);
    canon_u8(w, a->z_up);
    for (int k = 0; k < 3; k++) {
        canon_f64(w, a->min[k]);
        canon_f64(w, a->max[k]);
    }
    canon_bytes(w, a->glb, a->size);
}

/* A model that stands in the room twice is kept once. The bytes are borrowed
 * until the shelf has them. */
etna_code furnish_kept_add(furnishing *f,
                           const etna_hash *model,
                           const compose_asset *a,
                           etna_error *err)
{
    for (uint32_t i = 0; i < f->kept_count; i++) {
        if (etna_hash_equal(&f->kept[i].model, model))
            return ETNA_OK;
    }
    if (f->kept_count == f->kept_room) {
        uint32_t room = f->kept_room ? 2 * f->kept_room : 32;
        furnish_kept *grown = realloc(f->kept, room * sizeof *grown);
        if (!grown)
            return furnish_no_memory(err);
        f->kept = grown;
        f->kept_room = room;
    }
    canon_writer w = {0};
    model_encode(&w, a);
    if (w.failed) {
        canon_writer_free(&w);
        return furnish_no_memory(err);
    }
    f->kept[f->kept_count++] = (furnish_kept){*model, w.data, w.size};
    return ETNA_OK;
}

void furnish_kept_free(furnishing *f)
{
    for (uint32_t i = 0; i < f->kept_count; i++)
        free(f->kept[i].data);
    free(f->kept);
    f->kept = NULL;
    f->kept_count = f->kept_room = 0;
}

/* The inverse of model_encode. What was written by another version is refused
 * and not guessed at. */
etna_code furnish_model_decode(void *context,
                               const uint8_t *data,
                               size_t size,
                               etna_error *err)
{
    compose_asset *ret = context;
    compose_asset a = *ret;
    canon_reader r = canon_read(data, size);
    bool is_ours = canon_get_u32(&r) == VERSION;
    a.unit = canon_get_f64(&r);
    a.z_up = canon_get_u8(&r) != 0;
    for (int k = 0; k < 3; k++) {
        a.min[k] = canon_get_f64(&r);
        a.max[k] = canon_get_f64(&r);
    }
    const uint8_t *bytes = canon_get_bytes(&r, size, &a.size);
    if (!is_ours || !canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a model that was kept is damaged");
    a.glb = malloc(a.size + 1);
    if (!a.glb)
        return furnish_no_memory(err);
    memcpy(a.glb, bytes, a.size);
    *ret = a;
    return ETNA_OK;
}

/* What was read for this room before, as when it is set once more with others;
 * false: nothing was. */
static bool kept_find(const furnishing *f,
                      const etna_hash *model,
                      compose_asset *ret)
{
    for (uint32_t i = 0; i < f->kept_count; i++) {
        const furnish_kept *k = &f->kept[i];
        if (etna_hash_equal(&k->model, model))
            return furnish_model_decode(ret, k->data, k->size, NULL) == ETNA_OK;
    }
    return false;
}

/* From what the store keeps of other rooms; ETNA_E_NOTFOUND. */
static etna_code stored_read(furnishing *f,
                             const etna_hash *model,
                             compose_asset *ret,
                             etna_error *err)
{
    const etna_hash key = furnish_model_key(model);
    shelf *s = NULL;
    etna_code code = assets_open(f->store, false, &s, err);
    if (code == ETNA_OK)
        code = shelf_with_kept(s, &key, furnish_model_decode, ret, err);
    shelf_close(s);
    return code;
}

/* A model is converted once, however often rooms are furnished with it. A
 * scene's room is not kept, so that nothing is noted for it. */
etna_code furnish_model_read(furnishing *f,
                             const furnish_pick *pick,
                             const char *path,
                             compose_asset *ret,
                             etna_error *err)
{
    if (f->stock)
        return furnish_stock_read(f->stock, &pick->hash, ret, err);
    if (kept_find(f, &pick->hash, ret))
        return ETNA_OK;
    etna_code code = stored_read(f, &pick->hash, ret, err);
    if (code == ETNA_E_NOTFOUND && f->replays)
        return etna_fail(err, ETNA_E_INPUT, "it was not kept");
    if (code != ETNA_OK && code != ETNA_E_NOMEM && !f->replays)
        code = compose_asset_read(path, ret, err);
    bool notes = code == ETNA_OK && !f->scene && !f->replays;
    return notes ? furnish_kept_add(f, &pick->hash, ret, err) : code;
}

/* ---- the record ---- */

/* Metres; openings in the order in which they were given, since the layout
 * depends on it. */
static void record_room(canon_writer *w, const layout_room *r)
{
    canon_f64(w, r->width);
    canon_f64(w, r->depth);
    canon_f64(w, r->height);
    canon_u32(w, r->opening_count);
    for (uint32_t i = 0; i < r->opening_count; i++) {
        canon_u32(w, r->openings[i].wall);
        canon_f64(w, r->openings[i].at);
        canon_f64(w, r->openings[i].width);
        canon_u8(w, r->openings[i].is_door);
    }
}

/* The report without what names the record, whose bytes have this hash among
 * them. Keys are sorted and numbers cut, so that the text is one and the
 * same. */
static etna_hash report_hash(const json_t *report)
{
    char *text = json_dumps(report, JSON_COMPACT | JSON_SORT_KEYS |
                                        JSON_REAL_PRECISION(9));
    etna_hash hash = {{0}};
    if (text)
        hash = etna_hash_bytes(text, strlen(text));
    free(text);
    return hash;
}

void furnish_asked_encode(canon_writer *w, const furnishing *f)
{
    canon_bytes(w, f->text, f->text_size);
    record_room(w, &f->room);
    canon_u64(w, f->seed);
    canon_u32(w, f->objects);
    canon_u32(w, f->find.licence_count);
    for (uint32_t i = 0; i < f->find.licence_count; i++)
        canon_text(w, f->find.licences[i]);
}

/* Everything that the room depends on, and the hashes of what came of it: a
 * replay makes the room from the first and compares the second. */
static void record_encode(canon_writer *w,
                          const furnishing *f,
                          const json_t *report)
{
    const etna_hash room = etna_hash_bytes(f->glb, f->glb_size);
    const etna_hash told = report_hash(report);
    canon_u32(w, VERSION);
    furnish_asked_encode(w, f);
    canon_hash(w, &f->index);
    canon_hash(w, &room);
    canon_hash(w, &told);
}

/* Index first: without it nothing of the rest is of use. */
static etna_code rows_keep(shelf *s,
                           const furnishing *f,
                           const shelf_reply *record,
                           etna_error *err)
{
    shelf_reply *rows = calloc(f->kept_count + 1u, sizeof *rows);
    etna_code code =
        rows ? shelf_keep_index(s, &f->index, err) : furnish_no_memory(err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->kept_count; i++)
        rows[i] = (shelf_reply){furnish_model_key(&f->kept[i].model),
                                f->kept[i].data, f->kept[i].size};
    if (code == ETNA_OK) {
        rows[f->kept_count] = *record;
        code = shelf_keep(s, rows, f->kept_count + 1, err);
    }
    free(rows);
    return code;
}

etna_code furnish_keep(const furnishing *f, json_t *report, etna_error *err)
{
    canon_writer w = {0};
    shelf *s = NULL;
    etna_error own = {0};
    char digits[65];
    if (f->scene)
        return ETNA_OK;
    record_encode(&w, f, report);
    if (w.failed) {
        canon_writer_free(&w);
        return furnish_no_memory(err);
    }
    const shelf_reply record = {etna_hash_bytes(w.data, w.size), w.data,
                                w.size};
    etna_code code = assets_open(f->store, true, &s, &own);
    if (code == ETNA_OK)
        code = rows_keep(s, f, &record, &own);
    shelf_close(s);
    canon_writer_free(&w);
    etna_hash_hex(&record.key, digits);
    /* a room is no worse for not being kept */
    bool is_kept = code == ETNA_OK;
    int told = json_object_set_new(report, "record",
                                   is_kept ? json_string(digits) : json_null());
    return told == 0 ? ETNA_OK : furnish_no_memory(err);
}

/* ---- again ---- */

/* What is made again, and what the record says had come of it. */
typedef struct replaying {
    furnishing f;
    etna_hash glb, report;
} replaying;

/* Counts come from a file that anybody may have written: what is more than fits
 * makes the whole record fail. */
static void room_decode(canon_reader *r, layout_room *room)
{
    room->width = canon_get_f64(r);
    room->depth = canon_get_f64(r);
    room->height = canon_get_f64(r);
    room->opening_count = canon_get_u32(r);
    if (room->opening_count > LAYOUT_OPENINGS_MAX) {
        r->failed = true;
        room->opening_count = 0;
    }
    for (uint32_t i = 0; i < room->opening_count; i++) {
        room->openings[i].wall = canon_get_u32(r) & 3;
        room->openings[i].at = canon_get_f64(r);
        room->openings[i].width = canon_get_f64(r);
        room->openings[i].is_door = canon_get_u8(r) != 0;
    }
}

static void licences_decode(canon_reader *r, furnishing *f)
{
    uint32_t count = canon_get_u32(r);
    if (count > FIND_LICENCES_MAX)
        r->failed = true;
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        size_t size;
        const uint8_t *text = canon_get_bytes(r, LICENCE_MOST, &size);
        f->find.licences[i] =
            etna_arena_strndup(&f->arena, (const char *)text, size);
        r->failed |= !f->find.licences[i];
        f->find.licence_count = i + 1;
    }
}

bool furnish_asked_decode(canon_reader *r, furnishing *f)
{
    const uint8_t *text = canon_get_bytes(r, TEXT_MOST, &f->text_size);
    f->text = text ? strndup((const char *)text, f->text_size) : NULL;
    room_decode(r, &f->room);
    f->seed = canon_get_u64(r);
    f->objects = canon_get_u32(r);
    licences_decode(r, f);
    return f->text && !r->failed;
}

static etna_code record_decode(void *context,
                               const uint8_t *data,
                               size_t size,
                               etna_error *err)
{
    replaying *x = context;
    furnishing *f = &x->f;
    canon_reader r = canon_read(data, size);
    bool is_ours = canon_get_u32(&r) == VERSION;
    bool is_asked = furnish_asked_decode(&r, f);
    f->index = canon_get_hash(&r);
    x->glb = canon_get_hash(&r);
    x->report = canon_get_hash(&r);
    if (is_ours && is_asked && canon_done(&r))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_CORRUPT, "the room's record is damaged");
}

/* A file of the folder. */
static etna_code file_read(const char *folder,
                           const char *name,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    char path[4200];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = n > 0 && (size_t)n < sizeof path
                 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                 : -1;
    if (fd < 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.300s: it has no %s; is it a room of `etna furnish`?", folder,
            name);
    return bundle_read_file(fd, path, ret, ret_size, err);
}

/* The name of what was kept, from the folder's report. */
static etna_code record_find(const char *folder,
                             etna_hash *ret,
                             etna_error *err)
{
    uint8_t *text = NULL;
    size_t size = 0;
    etna_code code = file_read(folder, "report.json", &text, &size, err);
    if (code != ETNA_OK)
        return code;
    json_t *report = json_loadb((const char *)text, size, 0, NULL);
    const char *digits = json_string_value(json_object_get(report, "record"));
    bool is_told = digits && etna_hash_parse(digits, ret);
    json_decref(report);
    free(text);
    return is_told
               ? ETNA_OK
               : etna_fail(
                     err, ETNA_E_INPUT,
                     "%.300s: nothing was kept of it: rooms in scenes, and those whose store could not be written, "
                     "cannot be done again",
                     folder);
}

/* Words on the first difference. */
static etna_code replay_compare(replaying *x,
                                const char *folder,
                                char ret[200],
                                etna_error *err)
{
    uint8_t *result = NULL;
    size_t size = 0;
    json_t *report = furnish_report(&x->f);
    if (!report)
        return furnish_no_memory(err);
    const etna_hash now = etna_hash_bytes(x->f.glb, x->f.glb_size);
    const etna_hash told = report_hash(report);
    json_decref(report);
    etna_code code = file_read(folder, "result.glb", &result, &size, err);
    if (code != ETNA_OK)
        return code;
    const etna_hash there = etna_hash_bytes(result, size);
    free(result);
    const char *differs = "";
    if (!etna_hash_equal(&now, &x->glb))
        differs = "the room comes out otherwise than it did";
    else if (!etna_hash_equal(&told, &x->report))
        differs = "the room is the same, and its report comes out otherwise";
    else if (!etna_hash_equal(&there, &x->glb))
        differs = "result.glb is not what was written";
    snprintf(ret, 200, "%s", differs);
    return ETNA_OK;
}

etna_code furnish_replay(const char *folder,
                         const char *store,
                         char record[65],
                         char ret[200],
                         etna_error *err)
{
    replaying *x = calloc(1, sizeof *x);
    shelf *s = NULL;
    etna_hash key;
    if (!x)
        return furnish_no_memory(err);
    x->f.store = store;
    x->f.replays = true;
    etna_code code = record_find(folder, &key, err);
    if (code == ETNA_OK)
        code = assets_open(store, false, &s, err);
    if (code == ETNA_OK) {
        code = shelf_with_kept(s, &key, record_decode, x, err);
        if (code == ETNA_E_NOTFOUND)
            code = etna_fail(
                err, ETNA_E_INPUT,
                "%.300s: this store has kept nothing of it; name the one that it was made with (--store)",
                folder);
    }
    shelf_close(s);
    if (code == ETNA_OK)
        code = furnish_make(&x->f, err);
    if (code == ETNA_OK)
        code = replay_compare(x, folder, ret, err);
    if (code == ETNA_OK)
        etna_hash_hex(&key, record);
    furnish_free(&x->f);
    free(x);
    return code;
}
