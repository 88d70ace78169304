/* A hash table under one lock. Two threads that miss at once both make what
 * they need, and the first to bring it wins: both are the same. */
#include "worker/probe/starts.h"
#include "proto/lru.h"
#include "worker/space/budget.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct starts {
    lru_entry kept;
    cells_window window;
    /* of the window's cells, row by row; of a bare map, a byte a cell */
    float start[];
};

struct starts_table {
    pthread_mutex_t lock; /* over all below */
    lru_map kept;
    size_t most; /* bytes of it */
};

/* NULL: out of memory. */
starts_table *starts_table_new(size_t bytes_most)
{
    starts_table *table = calloc(1, sizeof *table);
    if (table && pthread_mutex_init(&table->lock, NULL) != 0) {
        free(table);
        return NULL;
    }
    if (table)
        table->most = bytes_most;
    return table;
}

static void starts_destroy(lru_item *item)
{
    free(item);
}

void starts_table_free(starts_table *table)
{
    if (!table)
        return;
    lru_destroy(lru_map_clear(&table->kept), starts_destroy);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

size_t starts_table_bytes(starts_table *table)
{
    pthread_mutex_lock(&table->lock);
    size_t bytes = table->kept.lru.bytes;
    pthread_mutex_unlock(&table->lock);
    return bytes;
}

/* ---- the table ---- */

/* Pinned; NULL: not there. */
static starts *starts_table_find(starts_table *table, const etna_hash *key)
{
    pthread_mutex_lock(&table->lock);
    starts *there = (starts *)lru_map_pin(&table->kept, key);
    pthread_mutex_unlock(&table->lock);
    return there;
}

/* Takes `made` over; returns it pinned, or what was there before it. */
static starts *table_keep(starts_table *table, starts *made)
{
    pthread_mutex_lock(&table->lock);
    starts *there = (starts *)lru_map_pin(&table->kept, &made->kept.key);
    if (!there)
        lru_map_add(&table->kept, &made->kept);
    lru_item *gone = lru_map_trim(&table->kept, table->most);
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, starts_destroy);
    if (there)
        free(made);
    return there ? there : made;
}

/* Unpins, and makes room: an entry in use is never dropped, so the table can be
 * over its bound until the last one leaves. */
static void table_leave(starts_table *table, starts *s)
{
    pthread_mutex_lock(&table->lock);
    lru_unpin(&table->kept.lru, &s->kept.item);
    lru_item *gone = lru_map_trim(&table->kept, table->most);
    pthread_mutex_unlock(&table->lock);
    lru_destroy(gone, starts_destroy);
}

/* ---- what they depend on ---- */

typedef struct content { /* with nothing between its fields */
    double plane[12];    /* origin, u, v, normal */
    double turn[12];     /* the map's */
    double owner[12];    /* the motion of the plane's object */
    double motion[12];   /* of the object laid, zero for a bare map */
    double map[4];       /* origin, cell, height */
    /* the plane's object, face and triangles, columns, rows, the object or
     * SCENE_NONE */
    uint32_t number[6];
} content;

static void content_put_vec(double ret[3], vec3 v)
{
    ret[0] = v.x;
    ret[1] = v.y;
    ret[2] = v.z;
}

static void content_put_affine(double ret[12], const affine *a)
{
    memcpy(ret, a->m, sizeof a->m);
    content_put_vec(ret + 9, a->t);
}

/* Where the object is now, relative to its base pose: the geometry itself never
 * changes. */
static void content_put_motion(double ret[12], const space *sp, uint32_t object)
{
    affine motion =
        scene_motion(&space_scene(sp)->objects[object], space_pose(sp, object));
    content_put_affine(ret, &motion);
}

/* All the numbers that the map of an object over this plane depends on, hashed
 * with their bits. The struct has no padding; the memset is for the parts that
 * are not written. A moved object thus simply has another key, and nothing
 * needs to be told that it moved. */
static etna_hash content_key(const starts_place *at, uint32_t object)
{
    const probe_plane *plane = at->plane;
    const cells_map *map = at->map;
    const double frame[4] = {map->origin[0], map->origin[1], map->cell,
                             map->height};
    const uint32_t number[6] = {
        plane->object, plane->face, plane->triangle_count,
        map->columns,  map->rows,   object};
    content c;
    memset(&c, 0, sizeof c);
    content_put_vec(c.plane, plane->origin);
    content_put_vec(c.plane + 3, plane->u);
    content_put_vec(c.plane + 6, plane->v);
    content_put_vec(c.plane + 9, plane->normal);
    content_put_affine(c.turn, &map->turn);
    content_put_motion(c.owner, at->space, plane->object);
    if (object != SCENE_NONE)
        content_put_motion(c.motion, at->space, object);
    memcpy(c.map, frame, sizeof frame);
    memcpy(c.number, number, sizeof number);
    return etna_hash_bytes(&c, sizeof c);
}

/* NULL: out of memory. */
static starts *starts_new(const etna_hash *key, size_t bytes)
{
    starts *s = malloc(sizeof *s + bytes);
    if (s)
        *s = (starts){.kept = {.item.bytes = sizeof *s + bytes, .key = *key}};
    return s;
}

/* ---- objects ---- */

const cells_window *starts_window(const starts *s)
{
    return &s->window;
}

/* The row's values from window.from[0] on; `row` must lie in the window. */
const float *starts_row(const starts *s, uint32_t row)
{
    assert(row >= s->window.from[1] && row < s->window.to[1]);
    return s->start + (size_t)(row - s->window.from[1]) *
                          (s->window.to[0] - s->window.from[0]);
}

/* The least window round the cells with a start: most of an object's box is
 * often free. */
static cells_window starts_bound(const cells_map *map,
                                 const cells_window *window,
                                 const float *start)
{
    cells_window box = {{UINT32_MAX, UINT32_MAX}, {0, 0}};
    for (uint32_t j = window->from[1]; j < window->to[1]; j++) {
        for (uint32_t i = window->from[0]; i < window->to[0]; i++) {
            if (!isfinite(start[cells_at(map, i, j)]))
                continue;
            box.from[0] = i < box.from[0] ? i : box.from[0];
            box.from[1] = j < box.from[1] ? j : box.from[1];
            box.to[0] = i >= box.to[0] ? i + 1 : box.to[0];
            box.to[1] = j + 1;
        }
    }
    return box.to[1] ? box : (cells_window){{0, 0}, {0, 0}};
}

/* The starts within their bound, row after row. */
static starts *starts_copy(const cells_map *map,
                           const etna_hash *key,
                           const cells_window *window,
                           const float *start)
{
    cells_window box = starts_bound(map, window, start);
    size_t columns = box.to[0] - box.from[0];
    starts *s =
        starts_new(key, columns * (box.to[1] - box.from[1]) * sizeof(float));
    if (!s)
        return NULL;
    s->window = box;
    float *to = s->start;
    for (uint32_t j = box.from[1]; j < box.to[1]; j++, to += columns)
        memcpy(to, &start[cells_at(map, box.from[0], j)], columns * sizeof *to);
    return s;
}

/* The object's starts over the plane; pinned until starts_release. `scratch` is
 * overwritten only when they are not in the table. */
etna_code starts_of(starts_table *table,
                    const starts_place *at,
                    uint32_t object,
                    const cells_window *window,
                    const uint8_t *on,
                    const cells_scratch *scratch,
                    starts **ret,
                    etna_error *err)
{
    etna_hash key = content_key(at, object);
    starts *there = starts_table_find(table, &key);
    if (!there) {
        cells_lay_object(at->map, at->space, object,
                         object == at->plane->object, window, on, scratch);
        starts *made = starts_copy(at->map, &key, window, scratch->start);
        if (!made)
            return etna_fail(err, ETNA_E_NOMEM,
                             "no memory for what stands on a surface");
        there = table_keep(table, made);
    }
    *ret = there;
    return ETNA_OK;
}

void starts_release(starts_table *table, starts *s)
{
    if (s)
        table_leave(table, s);
}

/* ---- bare maps ---- */

/* The map without anything on it: false when it is not in the table and has to
 * be laid. */
bool starts_recall_bare(starts_table *table,
                        const starts_place *at,
                        uint8_t *ret_on)
{
    etna_hash key = content_key(at, SCENE_NONE);
    starts *there = starts_table_find(table, &key);
    if (!there)
        return false;
    memcpy(ret_on, there->start, cells_count(at->map));
    table_leave(table, there);
    return true;
}

/* Kept and left at once: nobody holds a bare map. */
etna_code starts_keep_bare(starts_table *table,
                           const starts_place *at,
                           const uint8_t *on,
                           etna_error *err)
{
    etna_hash key = content_key(at, SCENE_NONE);
    starts *made = starts_new(&key, cells_count(at->map));
    if (!made)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the map of a surface");
    memcpy(made->start, on, cells_count(at->map));
    table_leave(table, table_keep(table, made));
    return ETNA_OK;
}
