/* Two caches, of views and of facts, under one lock; another of each view while
 * it is being made. */
#include "worker/jobs/view_cache.h"
#include "proto/array.h"
#include "proto/canon.h"
#include "proto/lru.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* four branches, their results' polls and the plans before and after them look
 * at fewer than a dozen views; each may have several texts of facts, by checks
 * and rules */
enum {
    SEEN_MAX = 12,
    TEXTS_MAX = 4 * SEEN_MAX
}; /* those in use not counted */

struct cached_facts {
    lru_entry kept; /* its key: of what was seen, and of the checks */
    char *json;
};

typedef struct cached_view {
    lru_entry kept;
    seen seen;
    pthread_mutex_t making; /* guards all below */
    bool ready;
    uint32_t *ids;
    view_colour *colours;
    space_support_state support;
    const space_support_state *start; /* S_0's, the warm scene's */
} cached_view;

struct view_cache {
    pthread_mutex_t lock;
    lru_map list;  /* of cached_view, by count */
    lru_map texts; /* of cached_facts, by count */
    uint32_t threads;
};

etna_code view_cache_new(uint32_t threads,
                         view_cache **ret_table,
                         etna_error *err)
{
    view_cache *table = calloc(1, sizeof *table);
    if (!table || pthread_mutex_init(&table->lock, NULL)) {
        free(table);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for what is seen of a scene");
    }
    table->threads = threads;
    *ret_table = table;
    return ETNA_OK;
}

static void view_cache_destroy_facts(lru_item *item)
{
    free(((cached_facts *)item)->json);
    free(item);
}

static void view_cache_destroy_view(lru_item *item)
{
    cached_view *own = (cached_view *)item;
    space_support_free(&own->support);
    free(own->ids);
    free(own->colours);
    pthread_mutex_destroy(&own->making);
    free(own);
}

void view_cache_free(view_cache *table)
{
    if (!table)
        return;
    lru_destroy(lru_map_clear(&table->texts), view_cache_destroy_facts);
    lru_destroy(lru_map_clear(&table->list), view_cache_destroy_view);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

static cached_view *cached_view_new(const etna_hash *key)
{
    cached_view *own = calloc(1, sizeof *own);
    if (own && pthread_mutex_init(&own->making, NULL)) {
        free(own);
        return NULL;
    }
    if (!own)
        return NULL;
    own->kept = (lru_entry){.item.bytes = 1, .key = *key};
    own->seen.own = own;
    return own;
}

/* The entry of that key, pinned; a new one is not ready yet. NULL: out of
 * memory. */
static cached_view *view_cache_enter(view_cache *table, const etna_hash *key)
{
    pthread_mutex_lock(&table->lock);
    cached_view *own = (cached_view *)lru_map_pin(&table->list, key);
    if (!own) {
        own = cached_view_new(key);
        if (own)
            lru_map_add(&table->list, &own->kept);
    }
    lru_item *gone = lru_map_trim(&table->list, SEEN_MAX);
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, view_cache_destroy_view);
    return own;
}

void view_cache_release(view_cache *table, seen *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&table->lock);
    lru_unpin(&table->list.lru, &s->own->kept.item);
    pthread_mutex_unlock(&table->lock);
}

/* Under own->making: whoever wants the same view meanwhile waits and then finds
 * it ready. A failure leaves it unmade, and the next one tries again. */
static etna_code cached_view_make(cached_view *own,
                                  space *sp,
                                  const snapshot *snap,
                                  const scene_camera *camera,
                                  const space_support_state *start,
                                  etna_error *err)
{
    const space_rules rules = {0};
    uint32_t width, height;
    view_size(camera, VIEW_LONG_SIDE, &width, &height);
    uint32_t *ids = malloc(sizeof *ids * width * height);
    view_colour *colours =
        malloc(sizeof *colours * (space_scene(sp)->object_count + 1u));
    etna_code code =
        ids && colours
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "out of memory for an instance map");
    if (code == ETNA_OK)
        code =
            view_map_and_colours(sp, camera, width, height, ids, colours, err);
    if (code == ETNA_OK && snap)
        code = space_support_compute(sp, &rules, start, snap->attached,
                                     &own->support, err);
    if (code != ETNA_OK) {
        free(ids);
        free(colours);
        return code;
    }
    own->start = start;
    own->ids = ids;
    own->colours = colours;
    own->seen = (seen){.width = width,
                       .height = height,
                       .ids = ids,
                       .colours = colours,
                       .support = &own->support,
                       .own = own};
    own->ready = true;
    return ETNA_OK;
}

/* A name alone does not say where from: every derived camera is called
 * "derived". */
bool sight_key(const etna_hash *hash,
               const scene_camera *camera,
               etna_hash *ret_key)
{
    static const etna_hash none;
    canon_writer w = {0};
    const vec3 of[] = {camera->position, camera->right, camera->up,
                       camera->forward};
    const double lens[] = {camera->aspect, camera->half_height,
                           camera->near_clip, camera->far_clip};
    canon_hash(&w, hash ? hash : &none);
    canon_text(&w, camera->name);
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        canon_f64(&w, of[i].x);
        canon_f64(&w, of[i].y);
        canon_f64(&w, of[i].z);
    }
    for (size_t i = 0; i < COUNT_OF(lens); i++)
        canon_f64(&w, lens[i]);
    canon_u8(&w, camera->orthographic);
    canon_u32(&w, camera->cut_count);
    for (uint32_t i = 0; i < camera->cut_count; i++) {
        canon_f64(&w, camera->cuts[i].normal.x);
        canon_f64(&w, camera->cuts[i].normal.y);
        canon_f64(&w, camera->cuts[i].normal.z);
        canon_f64(&w, camera->cuts[i].offset);
    }
    bool ok = !w.failed;
    *ret_key = etna_hash_bytes(w.data, ok ? w.size : 0);
    canon_writer_free(&w);
    return ok;
}

/* The table's lock is not held while a view is made, so other views are found
 * meanwhile. */
etna_code view_cache_acquire(view_cache *table,
                             space *sp,
                             const etna_hash *hash,
                             const snapshot *snap,
                             const scene_camera *camera,
                             const space_support_state *start,
                             seen **ret_seen,
                             etna_error *err)
{
    etna_hash key;
    cached_view *own =
        sight_key(hash, camera, &key) ? view_cache_enter(table, &key) : NULL;
    if (!own)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for what is seen of a scene");
    pthread_mutex_lock(&own->making);
    etna_code code = own->ready
                         ? ETNA_OK
                         : cached_view_make(own, sp, snap, camera, start, err);
    pthread_mutex_unlock(&own->making);
    if (code != ETNA_OK) {
        view_cache_release(table, &own->seen);
        return code;
    }
    *ret_seen = &own->seen;
    return ETNA_OK;
}

/* Of what is seen, and of everything that makes one edit's facts differ from
 * another's there. Only what moved is written of the snapshot before:
 * everything else of it is the base's. */
static bool facts_key(const cached_view *own,
                      const facts_checks *checks,
                      const view_began *began,
                      bool any_place,
                      bool brief,
                      etna_hash *ret_key)
{
    static const etna_hash none;
    canon_writer w = {0};
    canon_hash(&w, &own->kept.key);
    canon_hash(&w, began ? &began->hash : &none);
    canon_u8(&w, any_place);
    canon_u8(&w, brief);
    canon_u8(&w, checks != NULL);
    if (checks) {
        const snapshot *before = checks->before;
        canon_u32(&w, checks->object);
        canon_text(&w, checks->plane);
        canon_f64(&w, checks->target[0]);
        canon_f64(&w, checks->target[1]);
        canon_u8(&w, checks->target_is_bottom);
        canon_u8(&w, checks->no_target);
        for (uint32_t i = 0; i < before->object_count; i++) {
            if (!before->moved[i])
                continue;
            canon_u32(&w, i);
            for (int k = 0; k < 3; k++)
                canon_f64(&w, before->poses[i].position[k]);
            canon_f64(&w, before->poses[i].yaw);
        }
    }
    *ret_key = etna_hash_bytes(w.data, w.size);
    bool ok = !w.failed;
    canon_writer_free(&w);
    return ok;
}

/* ---- facts ---- */
const char *cached_facts_json(const cached_facts *text)
{
    return text->json;
}

/* Pinned; NULL: not there. */
static cached_facts *view_cache_find_facts(view_cache *table,
                                           const etna_hash *key)
{
    pthread_mutex_lock(&table->lock);
    cached_facts *text = (cached_facts *)lru_map_pin(&table->texts, key);
    pthread_mutex_unlock(&table->lock);
    return text;
}

/* Takes `json` over; pinned. NULL: out of memory. Under own->making, so that
 * nobody else makes it. */
static cached_facts *view_cache_enter_facts(view_cache *table,
                                            const etna_hash *key,
                                            char *json)
{
    cached_facts *text = calloc(1, sizeof *text);
    if (!text) {
        free(json);
        return NULL;
    }
    *text =
        (cached_facts){.kept = {.item.bytes = 1, .key = *key}, .json = json};
    pthread_mutex_lock(&table->lock);
    lru_map_add(&table->texts, &text->kept);
    pthread_mutex_unlock(&table->lock);
    return text;
}

void view_cache_release_facts(view_cache *table, cached_facts *text)
{
    if (!text)
        return;
    pthread_mutex_lock(&table->lock);
    lru_unpin(&table->texts.lru, &text->kept.item);
    lru *texts = &table->texts.lru;
    lru_item *gone =
        lru_map_trim(&table->texts, TEXTS_MAX + (texts->bytes - texts->idle));
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, view_cache_destroy_facts);
}

etna_code view_cache_facts(view_cache *table,
                           seen *s,
                           const space *sp,
                           probe_shared *probes,
                           const scene_camera *const cameras[2],
                           const facts_checks *checks,
                           const view_began *began,
                           const view_colour *first,
                           bool any_place,
                           bool brief,
                           cached_facts **ret_facts,
                           etna_error *err)
{
    cached_view *own = s->own;
    facts_input input = {.space = sp,
                         .probes = probes,
                         .camera = cameras[0],
                         .usual = cameras[1],
                         .width = s->width,
                         .height = s->height,
                         .ids = s->ids,
                         .colours = s->colours,
                         .first = first,
                         .support = s->support,
                         .start = began ? began->support : own->start,
                         .began = began ? began->snap : NULL,
                         .checks = checks,
                         .any_place = any_place,
                         .brief = brief,
                         .threads = table->threads};
    etna_hash key;
    char *json;
    size_t size;
    etna_code code = ETNA_OK;
    if (!facts_key(own, brief ? NULL : checks, began, any_place, brief, &key))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the facts");
    pthread_mutex_lock(&own->making);
    cached_facts *text = view_cache_find_facts(table, &key);
    if (!text) {
        code = facts_build(&input, &json, &size, err);
        if (code == ETNA_OK &&
            !(text = view_cache_enter_facts(table, &key, json)))
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the facts");
    }
    pthread_mutex_unlock(&own->making);
    if (code == ETNA_OK)
        *ret_facts = text;
    return code;
}
