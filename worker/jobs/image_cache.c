/* See image_cache.h. A picture's name is the hash of all that its pixels depend
 * on but the program: scene, snapshots, camera, size, overlays, encoding. Two
 * that draw the same at once each draw it; the second file is dropped. */
#include "worker/jobs/image_cache.h"
#include "proto/lru.h"
#include "worker/jobs/task.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bytes of encoded files: some hundred pictures of a run's usual sizes */
#define TABLE_BYTES ((size_t)96 << 20)

typedef struct cached_image {
    lru_entry kept; /* its key is the name, its bytes are the file's */
    uint8_t *data;
} cached_image;

struct image_cache {
    pthread_mutex_t lock;
    lru_map pictures;
};

/* NULL: out of memory. */
image_cache *image_cache_new(void)
{
    image_cache *table = calloc(1, sizeof *table);
    if (table && pthread_mutex_init(&table->lock, NULL)) {
        free(table);
        return NULL;
    }
    return table;
}

/* An lru's destroyer. */
static void image_cache_destroy(lru_item *item)
{
    free(((cached_image *)item)->data);
    free(item);
}

/* Nobody holds a picture any more. */
void image_cache_free(image_cache *table)
{
    if (!table)
        return;
    lru_destroy(lru_map_clear(&table->pictures), image_cache_destroy);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

/* NULL: it was not drawn, or was evicted. */
static cached_image *image_cache_pin(image_cache *table, const etna_hash *name)
{
    pthread_mutex_lock(&table->lock);
    cached_image *p = (cached_image *)lru_map_pin(&table->pictures, name);
    pthread_mutex_unlock(&table->lock);
    return p;
}

/* Takes `data` over. NULL: out of memory. Who comes second gets the first one's
 * file and drops its own. What is pinned is never evicted, so the bound may be
 * passed while requests are being sent. */
static cached_image *image_cache_enter(image_cache *table,
                                       const etna_hash *name,
                                       uint8_t *data,
                                       size_t size)
{
    cached_image *made = calloc(1, sizeof *made);
    if (!made) {
        free(data);
        return NULL;
    }
    *made = (cached_image){.kept = {.item.bytes = size, .key = *name},
                           .data = data};
    pthread_mutex_lock(&table->lock);
    cached_image *there = (cached_image *)lru_map_pin(&table->pictures, name);
    if (!there)
        lru_map_add(&table->pictures, &made->kept);
    lru_item *gone = lru_map_trim(&table->pictures, TABLE_BYTES);
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, image_cache_destroy);
    if (there)
        image_cache_destroy(&made->kept.item);
    return there ? there : made;
}

/* Trims the table: what is held is never evicted. */
static void image_cache_unpin(image_cache *table, cached_image *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&table->lock);
    lru_unpin(&table->pictures.lru, &p->kept.item);
    lru_item *gone = lru_map_trim(&table->pictures, TABLE_BYTES);
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, image_cache_destroy);
}

/* ---- of one request ---- */

typedef struct needed { /* a snapshot */
    etna_hash hash;
    uint8_t *data;
    size_t size;
    bool there;
} needed;

struct job_images {
    job *job;
    uint32_t count, needed_count, missing_count;
    const model_image **images;
    uint32_t *sides;     /* longest side of each */
    uint32_t *qualities; /* JPEG of it; 0: PNG */
    etna_hash *names;
    cached_image **held;
    provider_image *files;
    needed *needed;
    uint32_t *missing;  /* which nobody had drawn at first, each once */
    etna_error *errors; /* of each, when it was drawn as a piece */
};

/* For all of this file. */
static etna_code image_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM,
                     "out of memory for the images of a request");
}

/* A model's entry can only make a picture smaller. */
static uint32_t image_side_of(const model_image *image,
                              const models_model *model,
                              uint32_t role)
{
    uint32_t longest =
        image->width > image->height ? image->width : image->height;
    uint32_t side = role < MODELS_ROLES ? model->image_side[role] : 0;
    return side && side < longest ? side : longest;
}

/* For names that a picture may lack. */
static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* A place may be read from what has the grid: there each pixel counts. */
static uint32_t quality_of(const model_image *image, const models_model *model)
{
    if (model->image_quality)
        return model->image_quality;
    return image->grid ? 0 : MODELS_JPEG;
}

/* Everything that changes a pixel or a byte of the file. Lists of names may be
 * longer than the room, so their hash stands for them. */
static etna_hash image_cache_name(const job *j,
                                  const model_image *image,
                                  uint32_t side,
                                  uint32_t quality)
{
    char hexes[3][2 * sizeof(etna_hash) + 1], text[4096];
    etna_hash_hex(&j->task.scene, hexes[0]);
    etna_hash_hex(&image->snapshot, hexes[1]);
    etna_hash_hex(&image->before, hexes[2]);
    const char *highlight = text_or_empty(image->highlight);
    etna_hash long_names =
        etna_hash_bytes((const uint8_t *)highlight, strlen(highlight));
    char marks[2 * sizeof(etna_hash) + 1];
    etna_hash_hex(&long_names, marks);
    int size =
        snprintf(text, sizeof text, "%s %s %s %u %u %u %u %d %s\n%s\n%s\n%s",
                 hexes[0], hexes[1], hexes[2], image->width, image->height,
                 side, quality, image->grid + 2 * image->fronts,
                 image->highlight ? marks : "-", text_or_empty(j->task.camera),
                 text_or_empty(image->camera), text_or_empty(image->object));
    return etna_hash_bytes((const uint8_t *)text, (size_t)size < sizeof text
                                                      ? (size_t)size
                                                      : sizeof text - 1);
}

/* Each snapshot once. */
static void job_images_need(job_images *p, const etna_hash *hash)
{
    if (etna_hash_is_zero(hash))
        return;
    for (uint32_t i = 0; i < p->needed_count; i++) {
        if (etna_hash_equal(&p->needed[i].hash, hash))
            return;
    }
    p->needed[p->needed_count++].hash = *hash;
}

/* Two parts of a request may show the same; it is drawn once. */
static void job_images_miss(job_images *p, uint32_t image)
{
    for (uint32_t i = 0; i < p->missing_count; i++) {
        if (etna_hash_equal(&p->names[p->missing[i]], &p->names[image]))
            return;
    }
    p->missing[p->missing_count++] = image;
}

/* `needed` has two places for each image: its snapshot and the one before
 * it. */
static bool job_images_make_room(job_images *p, uint32_t count)
{
    size_t room = count ? count : 1;
    p->images = calloc(room, sizeof *p->images);
    p->sides = calloc(room, sizeof *p->sides);
    p->qualities = calloc(room, sizeof *p->qualities);
    p->names = calloc(room, sizeof *p->names);
    p->held = calloc(room, sizeof *p->held);
    p->files = calloc(room, sizeof *p->files);
    p->needed = calloc(2 * room, sizeof *p->needed);
    p->missing = calloc(room, sizeof *p->missing);
    p->errors = calloc(room, sizeof *p->errors);
    bool has_sizes = p->sides && p->qualities;
    bool has_images = p->images && p->names && has_sizes;
    bool has_states = p->held && p->files && p->errors;
    bool has_blobs = p->needed && p->missing;
    return has_images && has_states && has_blobs;
}

/* Of the whole conversation. */
static uint32_t image_count(const model_request *request)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < request->message_count; m++) {
        for (uint32_t k = 0; k < request->messages[m].part_count; k++)
            count += request->messages[m].parts[k].kind == MODEL_IMAGE;
    }
    return count;
}

/* What is in the table is taken; the rest is to be drawn, from snapshots that
 * may have to be fetched. */
static void image_add(job_images *p,
                      const model_image *image,
                      const models_model *model,
                      uint32_t role)
{
    const uint32_t i = p->count++;
    p->images[i] = image;
    p->sides[i] = image_side_of(image, model, role);
    p->qualities[i] = quality_of(image, model);
    p->names[i] = image_cache_name(p->job, image, p->sides[i], p->qualities[i]);
    p->held[i] =
        image_cache_pin(scene_cache_images(p->job->shared), &p->names[i]);
    if (p->held[i])
        return;
    job_images_miss(p, i);
    job_images_need(p, &image->snapshot);
    job_images_need(p, &image->before);
}

/* Of the snapshots that are needed, those that the task has already. */
static etna_code image_give_known(job_images *p, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < p->needed_count; i++) {
        for (uint32_t b = 0; code == ETNA_OK && b < p->job->blob_count; b++) {
            const task_blob *blob = &p->job->blobs[b];
            if (!etna_hash_equal(&blob->hash, &p->needed[i].hash) ||
                p->needed[i].there)
                continue;
            code = job_images_give(p, &blob->hash, blob->data, blob->size, err);
        }
    }
    return code;
}

/* *ret is the caller's to close. */
etna_code job_images_open(job *j,
                          const model_request *request,
                          const models_model *model,
                          job_images **ret,
                          etna_error *err)
{
    job_images *p = calloc(1, sizeof *p);
    if (!p)
        return image_no_memory(err);
    p->job = j;
    if (!job_images_make_room(p, image_count(request))) {
        job_images_close(p);
        return image_no_memory(err);
    }
    for (uint32_t m = 0; m < request->message_count; m++) {
        const model_message *turn = &request->messages[m];
        for (uint32_t k = 0; k < turn->part_count; k++) {
            if (turn->parts[k].kind == MODEL_IMAGE)
                image_add(p, &turn->parts[k].image, model, request->role);
        }
    }
    etna_code code = image_give_known(p, err);
    if (code != ETNA_OK) {
        job_images_close(p);
        return code;
    }
    *ret = p;
    return ETNA_OK;
}

/* False: everything is there. */
bool job_images_want(const job_images *p, etna_hash *ret)
{
    for (uint32_t i = 0; i < p->needed_count; i++) {
        if (p->needed[i].there)
            continue;
        *ret = p->needed[i].hash;
        return true;
    }
    return false;
}

/* Copies the bytes; more than one picture may need them. */
etna_code job_images_give(job_images *p,
                          const etna_hash *hash,
                          const uint8_t *data,
                          size_t size,
                          etna_error *err)
{
    for (uint32_t i = 0; i < p->needed_count; i++) {
        needed *n = &p->needed[i];
        if (n->there || !etna_hash_equal(&n->hash, hash))
            continue;
        n->data = malloc(size ? size : 1);
        if (!n->data)
            return image_no_memory(err);
        if (size)
            memcpy(n->data, data, size);
        n->size = size;
        n->there = true;
    }
    return ETNA_OK;
}

/* The caller frees *ret. */
static etna_code job_images_decode(const job_images *p,
                                   const etna_hash *hash,
                                   snapshot *ret,
                                   etna_error *err)
{
    for (uint32_t i = 0; i < p->needed_count; i++) {
        const needed *n = &p->needed[i];
        if (n->there && etna_hash_equal(&n->hash, hash))
            return snapshot_decode(p->job->warm->scene, n->data, n->size, ret,
                                   err);
    }
    return etna_fail(err, ETNA_E_INTERNAL,
                     "a snapshot that an image shows was not fetched");
}

/* Composes `next` over `image`; the old one is freed. */
static etna_code image_over(etna_code code, view_image *image, view_image *next)
{
    if (code != ETNA_OK)
        return code;
    view_image_free(image);
    *image = *next;
    *next = (view_image){0};
    return ETNA_OK;
}

/* The name at *at of a list (model_image), which goes on behind it; cut where
 * it is longer than any. */
static void image_next_name(const char **at, char name[ARRANGE_NAME_MAX + 1])
{
    size_t used = 0;
    const char *p = *at;
    for (; *p && *p != ','; p++) {
        if (*p == '\\' && p[1])
            p++;
        if (used < ARRANGE_NAME_MAX)
            name[used++] = *p;
    }
    name[used] = 0;
    *at = p + (*p == ',');
}

/* Names are the scene's own. */
static etna_code image_highlight(const job *j,
                                 const space *sp,
                                 const scene_camera *camera,
                                 const char *names,
                                 view_image *image,
                                 etna_error *err)
{
    uint32_t objects[VIEW_HIGHLIGHT_MAX], count = 0;
    for (const char *at = names; *at && count < VIEW_HIGHLIGHT_MAX;) {
        char name[ARRANGE_NAME_MAX + 1];
        image_next_name(&at, name);
        uint32_t object = scene_find_object(j->warm->scene, name);
        if (object == SCENE_NONE)
            return etna_fail(err, ETNA_E_INPUT,
                             "the scene has no object \"%s\" to highlight",
                             name);
        objects[count++] = object;
    }
    uint32_t *ids = calloc((size_t)image->width * image->height, sizeof *ids);
    if (!ids)
        return image_no_memory(err);
    view_image next = {0};
    etna_code code =
        view_instance_map(sp, camera, image->width, image->height, ids, err);
    if (code == ETNA_OK)
        code = view_highlight(image, ids, objects, count, NULL, &next, err);
    code = image_over(code, image, &next);
    free(ids);
    return code;
}

/* As the evaluators see an edit: before, after, and where it went. */
static etna_code job_images_draw_edit(const job_images *p,
                                      const space *sp,
                                      const scene_camera *camera,
                                      const model_image *of,
                                      view_image *image,
                                      etna_error *err)
{
    snapshot before = {0};
    view_image next = {0};
    uint32_t object =
        scene_find_object(p->job->warm->scene, of->object ? of->object : "");
    if (object == SCENE_NONE)
        return etna_fail(err, ETNA_E_INPUT,
                         "the scene has no object \"%.200s\" to annotate",
                         of->object ? of->object : "");
    etna_code code = job_images_decode(p, &of->before, &before, err);
    if (code == ETNA_OK)
        code = view_annotate_edit(
            sp, camera, image, object, task_pose_before(sp, &before, object),
            scene_cache_threads(p->job->shared), &next, NULL, err);
    code = image_over(code, image, &next);
    snapshot_free(&before);
    return code;
}

/* An image may name a camera of its own; the run's is derived only where it
 * must be. */
static etna_code job_images_camera(job *j,
                                   space *sp,
                                   const model_image *of,
                                   scene_camera *ret,
                                   etna_error *err)
{
    etna_error own = {0};
    etna_code code = task_camera_into(j, sp, ret, &own);
    if (code != ETNA_OK) {
        if (err)
            *err = own;
        return code;
    }
    if (!of->camera || !*of->camera)
        return ETNA_OK;
    if (ret->name && strcmp(ret->name, of->camera) == 0)
        return ETNA_OK;
    return view_choose_camera(sp, NULL, 0, of->camera, ret, err);
}

/* The picture's size with its long side at most `side`, and neither below a
 * pixel. */
static void image_fit(const model_image *of,
                      uint32_t side,
                      uint32_t *ret_width,
                      uint32_t *ret_height)
{
    const uint32_t longest = of->width > of->height ? of->width : of->height;
    uint64_t width = of->width;
    uint64_t height = of->height;
    if (side < longest) {
        width = width * side / longest;
        height = height * side / longest;
    }
    *ret_width = width ? (uint32_t)width : 1;
    *ret_height = height ? (uint32_t)height : 1;
}

/* What is drawn over a picture, in this order: fronts, what is highlighted, the
 * edit, the grid. */
static etna_code job_images_draw_over(const job_images *p,
                                      space *sp,
                                      const scene_camera *camera,
                                      const model_image *of,
                                      view_image *image,
                                      etna_error *err)
{
    view_image next = {0};
    etna_code code = ETNA_OK;
    if (of->fronts)
        code = image_over(view_fronts(sp, camera, image, &next, err), image,
                          &next);
    if (code == ETNA_OK && of->highlight && *of->highlight)
        code = image_highlight(p->job, sp, camera, of->highlight, image, err);
    if (code == ETNA_OK && !etna_hash_is_zero(&of->before))
        code = job_images_draw_edit(p, sp, camera, of, image, err);
    if (code == ETNA_OK && of->grid)
        code = image_over(view_grid(image, &next, NULL, err), image, &next);
    return code;
}

/* A space of its own, so pieces draw at the same time. The camera is found at
 * S_0, before the snapshot is restored: a derived one must be the same in every
 * picture. */
static etna_code job_images_draw_one(const job_images *p,
                                     uint32_t i,
                                     uint32_t threads,
                                     view_image *image,
                                     etna_error *err)
{
    job *j = p->job;
    const model_image *of = p->images[i];
    space *sp = NULL;
    snapshot at = {0};
    scene_camera camera;
    uint32_t width, height;
    image_fit(of, p->sides[i], &width, &height);
    etna_code code = job_images_decode(p, &of->snapshot, &at, err);
    if (code == ETNA_OK)
        code = space_new(j->warm->shared, &sp, err);
    if (code == ETNA_OK)
        code = job_images_camera(j, sp, of, &camera, err);
    if (code == ETNA_OK)
        code = space_restore(sp, &at, err);
    if (code == ETNA_OK)
        code = view_render(sp, &camera, width, height, threads, image, err);
    if (code == ETNA_OK)
        code = job_images_draw_over(p, sp, &camera, of, image, err);
    snapshot_free(&at);
    space_free(sp);
    return code;
}

/* Holds picture `i`: there meanwhile, or drawn now. */
static etna_code job_images_hold(job_images *p,
                                 uint32_t i,
                                 uint32_t threads,
                                 etna_error *err)
{
    view_image image = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    if (!p->held[i])
        p->held[i] =
            image_cache_pin(scene_cache_images(p->job->shared), &p->names[i]);
    if (p->held[i])
        return ETNA_OK;
    etna_code code = job_images_draw_one(p, i, threads, &image, err);
    if (code == ETNA_OK && p->qualities[i])
        code =
            view_encode_jpeg(&image, (int)p->qualities[i], &data, &size, err);
    if (code == ETNA_OK && !p->qualities[i])
        code = view_encode_png(&image, &data, &size, err);
    view_image_free(&image);
    if (code != ETNA_OK)
        return code;
    p->held[i] = image_cache_enter(scene_cache_images(p->job->shared),
                                   &p->names[i], data, size);
    return p->held[i] ? ETNA_OK : image_no_memory(err);
}

/* How many pieces there are to draw. */
uint32_t job_images_missing(const job_images *p)
{
    return p->missing_count;
}

/* On any thread; each writes its own place alone. */
void job_images_draw(job_images *p, uint32_t piece)
{
    /* the others draw, too */
    uint32_t threads = scene_cache_threads(p->job->shared) / p->missing_count;
    p->errors[piece].code = job_images_hold(
        p, p->missing[piece], threads ? threads : 1, &p->errors[piece]);
}

/* The first failure by the order of the images, whichever thread met it first:
 * errors must not depend on timing. */
etna_code job_images_make(job_images *p,
                          const provider_image **ret,
                          etna_error *err)
{
    for (uint32_t i = 0; i < p->missing_count; i++) {
        if (p->errors[i].code == ETNA_OK)
            continue;
        if (err)
            *err = p->errors[i];
        return p->errors[i].code;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        etna_code code =
            job_images_hold(p, i, scene_cache_threads(p->job->shared), err);
        if (code != ETNA_OK)
            return code;
        p->files[i] = (provider_image){.data = p->held[i]->data,
                                       .size = p->held[i]->kept.item.bytes,
                                       .mime = p->qualities[i] ? "image/jpeg"
                                                               : "image/png"};
    }
    *ret = p->files;
    return ETNA_OK;
}

/* NULL is fine. */
void job_images_close(job_images *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; p->held && i < p->count; i++)
        image_cache_unpin(scene_cache_images(p->job->shared), p->held[i]);
    for (uint32_t i = 0; p->needed && i < p->needed_count; i++)
        free(p->needed[i].data);
    free(p->images);
    free(p->sides);
    free(p->qualities);
    free(p->names);
    free(p->held);
    free(p->files);
    free(p->needed);
    free(p->missing);
    free(p->errors);
    free(p);
}
