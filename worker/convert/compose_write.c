/* The composed scene as GLB: a room of plain slabs, the assets taken in once
 * each, a root node per object.
 *
 * Begin at compose_write. The room is made of prisms (floor, walls, ceiling)
 * that lie outside of its measures, so that a wall's inner face is where the
 * spec has it; walls are cut into pieces around their openings rather than by
 * boolean operations, which keeps their triangles few and their faces flat. An
 * object is a node with its place, turn and scale, below which the asset's own
 * nodes hang; an asset that is one plain mesh is shown by the object's node
 * itself. Metres, Y up, right-handed, as glTF has it. */
#include "worker/convert/compose.h"

#include "worker/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

#define SLAB 0.1 /* metres: thickness of floor, walls and ceiling */
/* Of one outline with all its corners, or of a wall's pieces between, below and
 * above all openings. */
enum {
    WALL_PIECES = 3 * COMPOSE_OPENINGS_MAX + 1,
    SLAB_VERTICES = 24 * WALL_PIECES,
    SLAB_TRIANGLES = 12 * WALL_PIECES
};
_Static_assert((int)SLAB_VERTICES >= 6 * (int)COMPOSE_CORNERS_MAX &&
                   (int)SLAB_TRIANGLES >= 4 * (int)COMPOSE_CORNERS_MAX,
               "room for all corners");

/* ---- slabs ---- */

/* A mesh in the making; `tile` is how many metres a texture covers. */
typedef struct slab {
    uint32_t vertex_count, index_count;
    float position[3 * SLAB_VERTICES], normal[3 * SLAB_VERTICES],
        uv[2 * SLAB_VERTICES];
    uint32_t index[3 * SLAB_TRIANGLES];
    double tile;
} slab;

/* Returns its number. Positions in metres, Y up. */
static uint32_t slab_put(slab *s,
                         double x,
                         double y,
                         double z,
                         const double normal[3],
                         double u,
                         double v)
{
    const double p[3] = {x, y, z};
    const double t[2] = {u / s->tile, v / s->tile};
    for (uint32_t k = 0; k < 3; k++) {
        s->position[3 * s->vertex_count + k] = (float)p[k];
        s->normal[3 * s->vertex_count + k] = (float)normal[k];
    }
    for (uint32_t k = 0; k < 2; k++)
        s->uv[2 * s->vertex_count + k] = (float)t[k];
    return s->vertex_count++;
}

/* Counterclockwise as seen from outside. */
static void slab_triangle(slab *s, uint32_t a, uint32_t b, uint32_t c)
{
    s->index[s->index_count++] = a;
    s->index[s->index_count++] = b;
    s->index[s->index_count++] = c;
}

/* A corner that turns outward and has no other corner within its triangle; on
 * its edge counts as within. */
static bool is_ear(const double (*corner)[2],
                   const uint32_t *left,
                   uint32_t n,
                   uint32_t i)
{
    const double *a = corner[left[(i + n - 1) % n]];
    const double *b = corner[left[i]];
    const double *c = corner[left[(i + 1) % n]];
    if (compose_corner_turn(a, b, c) <= 0)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const double *p = corner[left[k]];
        if (p == a || p == b || p == c)
            continue;
        if (compose_corner_turn(a, b, p) >= 0 &&
            compose_corner_turn(b, c, p) >= 0 &&
            compose_corner_turn(c, a, p) >= 0)
            return false;
    }
    return true;
}

/* Triangles of a clockwise outline without crossings, three corners each: ear
 * after ear. Returns their number. */
static uint32_t triangulate(const double (*corner)[2],
                            uint32_t n,
                            uint32_t (*ret)[3])
{
    uint32_t left[COMPOSE_CORNERS_MAX], count = 0;
    for (uint32_t i = 0; i < n; i++)
        left[i] = i;
    while (n > 2) {
        uint32_t i = 0;
        while (i < n && !is_ear(corner, left, n, i))
            i++;
        if (i == n)
            /* only straight corners are left, or rounding: any will do */
            i = 0;
        uint32_t before = left[(i + n - 1) % n];
        uint32_t after = left[(i + 1) % n];
        ret[count][0] = before;
        ret[count][1] = left[i];
        ret[count++][2] = after;
        memmove(left + i, left + i + 1, (n - i - 1) * sizeof *left);
        n--;
    }
    return count;
}

/* The outline from y = low to y = high. Top, bottom, then a quadrilateral for
 * each side with vertices of its own: normals are flat. Texture coordinates are
 * metres over the tile's size. */
static void slab_prism(
    slab *s, const double (*corner)[2], uint32_t n, double low, double high)
{
    static const double up[3] = {0, 1, 0};
    static const double down[3] = {0, -1, 0};
    uint32_t ears[COMPOSE_CORNERS_MAX][3];
    uint32_t count = triangulate(corner, n, ears);
    uint32_t top = s->vertex_count;
    uint32_t bottom = top + n;
    for (uint32_t i = 0; i < n; i++)
        slab_put(s, corner[i][0], high, corner[i][1], up, corner[i][0],
                 corner[i][1]);
    for (uint32_t i = 0; i < n; i++)
        slab_put(s, corner[i][0], low, corner[i][1], down, corner[i][0],
                 corner[i][1]);
    /* clockwise with z down the page is clockwise seen from above */
    for (uint32_t i = 0; i < count; i++) {
        slab_triangle(s, top + ears[i][0], top + ears[i][2], top + ears[i][1]);
        slab_triangle(s, bottom + ears[i][0], bottom + ears[i][1],
                      bottom + ears[i][2]);
    }
    double along = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double *a = corner[i];
        const double *b = corner[(i + 1) % n];
        double length =
            sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
        double out[3] = {1, 0, 0};
        if (length > 0) {
            out[0] = (b[1] - a[1]) / length;
            out[2] = (a[0] - b[0]) / length;
        }
        uint32_t v = slab_put(s, a[0], low, a[1], out, along, -low);
        slab_put(s, b[0], low, b[1], out, along + length, -low);
        slab_put(s, b[0], high, b[1], out, along + length, -high);
        slab_put(s, a[0], high, a[1], out, along, -high);
        slab_triangle(s, v, v + 2, v + 1);
        slab_triangle(s, v, v + 3, v + 2);
        along += length;
    }
}

/* `bare`: without materials, for geometry alone. */
typedef struct writing {
    const compose_spec *spec;
    glb *g;
    glb_guest *guests;
    bool bare;
    etna_error *err;
} writing;

/* A static object of its own. */
static void add_slab(writing *w,
                     const slab *s,
                     const char *name,
                     uint32_t material)
{
    uint32_t mesh = glb_mesh(w->g, name);
    const glb_triangles t = {.vertex_count = s->vertex_count,
                             .triangle_count = s->index_count / 3,
                             .position = s->position,
                             .normal = s->normal,
                             .uv = s->uv,
                             .index = s->index,
                             .material = w->bare ? GLB_NONE : material};
    glb_primitive(w->g, mesh, &t);
    const glb_standing stands = {
        .name = name, .scale = {1, 1, 1}, .mesh = mesh, .is_static = true};
    glb_object(w->g, &stands);
}

/* A wall's way along its edge. */
typedef struct wall_line {
    double from[2], along[2], out[2],
        /* length: at outer corners the next wall's end is covered, too */
        length;
} wall_line;

/* Inside lies to the right of an edge, as corners go clockwise from above. */
static wall_line wall_line_of(const compose_room *room, uint32_t edge)
{
    uint32_t n = room->corner_count;
    const double *a = room->corner[edge];
    const double *b = room->corner[(edge + 1) % n];
    const double *c = room->corner[(edge + 2) % n];
    double length =
        sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    double along[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
    double more = compose_corner_turn(a, b, c) > 0 ? SLAB : 0;
    return (wall_line){{a[0], a[1]},
                       {along[0], along[1]},
                       {along[1], -along[0]},
                       length + more};
}

/* Pieces thinner than a micrometre are none. */
static void wall_piece(slab *s,
                       const wall_line *w,
                       double from,
                       double to,
                       double low,
                       double high)
{
    double outline[4][2];
    if (!(to - from > 1e-6 && high - low > 1e-6))
        return;
    for (int k = 0; k < 2; k++) {
        double start = w->from[k] + from * w->along[k];
        double end = w->from[k] + to * w->along[k];
        outline[0][k] = start + SLAB * w->out[k];
        outline[1][k] = end + SLAB * w->out[k];
        outline[2][k] = end;
        outline[3][k] = start;
    }
    slab_prism(s, outline, 4, low, high);
}

/* The opening of the edge that comes next behind `from`. */
static const compose_opening *opening_next(const compose_room *room,
                                           uint32_t edge,
                                           double from)
{
    const compose_opening *best = NULL;
    for (uint32_t i = 0; i < room->opening_count; i++) {
        const compose_opening *o = &room->openings[i];
        if (o->edge != edge || o->at <= from)
            continue;
        if (!best || o->at < best->at)
            best = o;
    }
    return best;
}

/* The wall between, below and above its openings. */
static void wall_slab(slab *s, const compose_room *room, uint32_t edge)
{
    wall_line w = wall_line_of(room, edge);
    double at = 0;
    for (const compose_opening *o = opening_next(room, edge, at); o;
         o = opening_next(room, edge, o->at)) {
        double from = o->at - o->width / 2;
        double to = o->at + o->width / 2;
        wall_piece(s, &w, at, from, -SLAB, room->height);
        wall_piece(s, &w, from, to, -SLAB, o->foot);
        wall_piece(s, &w, from, to, o->foot + o->height, room->height);
        at = to;
    }
    wall_piece(s, &w, at, w.length, -SLAB, room->height);
}

/* A texture takes the place of the colour, which would tint it. */
static uint32_t add_look(writing *w,
                         const char *name,
                         const compose_look *look,
                         const compose_picture *picture)
{
    glb_material m = {.name = name, .picture = GLB_NONE, .scale = {1, 1}};
    for (int k = 0; k < 3; k++)
        m.colour[k] = look->colour[k];
    m.colour[3] = 1;
    if (w->bare)
        return GLB_NONE;
    if (picture->mime) {
        m.picture =
            glb_picture(w->g, picture->mime, picture->data, picture->size);
        for (int k = 0; k < 3; k++)
            m.colour[k] = 1;
    }
    return glb_add_material(w->g, &m);
}

/* Slabs lie outside of the room's measures: the floor's top is 0, a wall's
 * inner face its edge. */
static etna_code room_add_node(writing *w, const compose_picture pictures[3])
{
    const compose_room *room = &w->spec->room;
    slab *s = malloc(sizeof *s);
    char name[32];
    if (!s)
        return etna_fail(w->err, ETNA_E_NOMEM, "no memory for the room");
    uint32_t floor = add_look(w, "floor", &room->floor, &pictures[0]);
    *s = (slab){.tile = room->floor.tile};
    slab_prism(s, room->corner, room->corner_count, -SLAB, 0);
    add_slab(w, s, "floor", floor);
    uint32_t walls = add_look(w, "wall", &room->walls, &pictures[1]);
    for (uint32_t i = 0; i < room->corner_count; i++) {
        if (!room->wall[i])
            continue;
        *s = (slab){.tile = room->walls.tile};
        wall_slab(s, room, i);
        compose_wall_name(room, i, name);
        add_slab(w, s, name, walls);
    }
    if (room->ceiling) {
        uint32_t top = add_look(w, "ceiling", &room->top, &pictures[2]);
        *s = (slab){.tile = room->top.tile};
        slab_prism(s, room->corner, room->corner_count, room->height,
                   room->height + SLAB);
        add_slab(w, s, "ceiling", top);
    }
    free(s);
    return ETNA_OK;
}

/* ---- objects ---- */

/* Metres: what the spec says, else the asset's own. */
void compose_size(const compose_object *object,
                  const compose_asset *asset,
                  double ret[3])
{
    for (int k = 0; k < 3; k++)
        ret[k] = object->size[k] > 0 ? object->size[k]
                                     : asset->max[k] - asset->min[k];
}

const char *const compose_front_names[4] = {"+Z", "+X", "-Z", "-X"};

/* What its own +Z is turned by so that its front faces where its yaw says. */
static double compose_turn(const compose_object *object)
{
    const char *front = object->front ? object->front : "+Z";
    if (strcmp(front, "+X") == 0)
        return -MATH_PI / 2;
    if (strcmp(front, "-X") == 0)
        return MATH_PI / 2;
    return strcmp(front, "-Z") == 0 ? MATH_PI : 0;
}

/* Metres, Y up, the foot's middle at the origin: what the asset's nodes hang
 * below. False: they are so already. */
static bool asset_wrapper(const compose_asset *a, double matrix[16])
{
    const double u = a->unit;
    const double offset[3] = {(a->min[0] + a->max[0]) / -2, -a->min[1],
                              (a->min[2] + a->max[2]) / -2};
    const double y_up[9] = {u, 0, 0, 0, u, 0, 0, 0, u};
    const double z_up[9] = {u, 0, 0, 0, 0, -u, 0, u, 0};
    bool needed = u != 1 || a->z_up;
    memset(matrix, 0, 16 * sizeof *matrix);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            matrix[4 * c + r] = (a->z_up ? z_up : y_up)[3 * c + r];
        matrix[12 + c] = offset[c];
        needed = needed || fabs(offset[c]) > 1e-6;
    }
    matrix[15] = 1;
    return needed;
}

/* Scaled to the size that is asked for, axis by axis, on its own foot. */
static etna_code writing_add_object(writing *w,
                                    const compose_object *o,
                                    const compose_asset *assets,
                                    const compose_place *place)
{
    const compose_asset *a = &assets[place->asset];
    glb_guest *guest = &w->guests[place->asset];
    double matrix[16], size[3];
    bool wrapped = asset_wrapper(a, matrix);
    glb_standing stands = {.name = o->name,
                           .at = {place->at[0], place->at[1], place->at[2]},
                           .yaw = place->yaw + compose_turn(o),
                           .scale = {1, 1, 1},
                           .mesh = GLB_NONE,
                           .front =
                               o->front ? o->front : glb_guest_front(guest),
                           .is_static = o->is_static};
    if (stands.front && stands.front[0] != '+' && stands.front[0] != '-')
        stands.front = NULL; /* "none" */
    compose_size(o, a, size);
    for (int k = 0; k < 3; k++) {
        double own = a->max[k] - a->min[k];
        if (o->size[k] > 0 && own > 1e-6)
            stands.scale[k] = size[k] / own;
    }
    bool single = !wrapped && glb_guest_single(guest, &stands.mesh);
    uint32_t node = glb_object(w->g, &stands);
    if (single)
        return ETNA_OK;
    return glb_guest_place(w->g, guest,
                           glb_node(w->g, node, "", matrix, GLB_NONE), w->err);
}

/* ---- cameras and lights ---- */

/* Column-major, of a node at `from` whose -Z looks at `to`. */
static void writing_look_at(const double from[3],
                            const double to[3],
                            double matrix[16])
{
    vec3 back =
        v3_normal(v3(from[0] - to[0], from[1] - to[1], from[2] - to[2]));
    vec3 side = fabs(back.y) > 0.9999 ? v3(1, 0, 0)
                                      : v3_normal(v3_cross(v3(0, 1, 0), back));
    vec3 up = v3_cross(back, side);
    const double columns[16] = {side.x,  side.y,  side.z,  0,      up.x,   up.y,
                                up.z,    0,       back.x,  back.y, back.z, 0,
                                from[0], from[1], from[2], 1};
    memcpy(matrix, columns, sizeof columns);
}

/* Cameras and lights, each at a node of its own. */
static void add_eyes(writing *w)
{
    double matrix[16];
    for (uint32_t i = 0; i < w->spec->camera_count; i++) {
        const compose_camera *c = &w->spec->cameras[i];
        writing_look_at(c->position, c->target, matrix);
        glb_perspective(w->g,
                        glb_node(w->g, GLB_NONE, c->name, matrix, GLB_NONE),
                        c->name, c->yfov, c->aspect, 0.01);
    }
    for (uint32_t i = 0; i < w->spec->light_count; i++) {
        const compose_light *l = &w->spec->lights[i];
        const glb_lamp lamp = {l->kind,
                               {l->colour[0], l->colour[1], l->colour[2]},
                               l->intensity,
                               l->cone};
        writing_look_at(l->position, l->target, matrix);
        glb_light(w->g, glb_node(w->g, GLB_NONE, l->name, matrix, GLB_NONE),
                  &lamp);
    }
}

/* ---- the whole ---- */

/* Credits name files, not folders. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Every asset is taken in once, however often it stands in the room. */
static etna_code writing_run(writing *w,
                             const compose_asset *assets,
                             uint32_t asset_count,
                             const compose_place *places,
                             const compose_picture pictures[3])
{
    etna_code code = room_add_node(w, pictures);
    for (uint32_t i = 0; code == ETNA_OK && i < asset_count; i++) {
        code = glb_guest_take(w->g, assets[i].glb, assets[i].size, w->bare,
                              &w->guests[i], w->err);
        if (code == ETNA_OK)
            glb_guest_credit(w->g, &w->guests[i], last_part(assets[i].path));
        if (code != ETNA_OK)
            etna_error_prefix(w->err, "%.200s", assets[i].path);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < w->spec->object_count; i++) {
        code = writing_add_object(w, &w->spec->objects[i], assets, &places[i]);
        if (code != ETNA_OK)
            etna_error_prefix(w->err, "%.200s", assets[places[i].asset].path);
    }
    if (code == ETNA_OK)
        add_eyes(w);
    return code;
}

/* *ret_glb is the caller's to free. */
etna_code compose_write(const compose_spec *spec,
                        const compose_asset *assets,
                        uint32_t asset_count,
                        const compose_place *places,
                        const compose_picture pictures[3],
                        bool bare,
                        uint8_t **ret_glb,
                        size_t *ret_size,
                        etna_error *err)
{
    writing w = {.spec = spec,
                 .g = glb_new(),
                 .guests = calloc(asset_count + 1u, sizeof *w.guests),
                 .bare = bare,
                 .err = err};
    etna_code code = w.g && w.guests ? ETNA_OK
                                     : etna_fail(err, ETNA_E_NOMEM,
                                                 "no memory for the scene");
    if (code == ETNA_OK)
        code = writing_run(&w, assets, asset_count, places, pictures);
    if (code == ETNA_OK)
        code = glb_finish(w.g, ret_glb, ret_size, err);
    for (uint32_t i = 0; w.guests && i < asset_count; i++)
        glb_guest_free(&w.guests[i]);
    free(w.guests);
    glb_free(w.g);
    return code;
}

/* Of a composed scene, for the terms that are told beside it. NULL: it cannot
 * be read. */
json_t *compose_credits(const uint8_t *data, size_t size)
{
    gltf_chunks chunks;
    json_t *root = NULL, *list;
    if (gltf_split(data, size, &chunks, NULL) != ETNA_OK ||
        gltf_parse_json(chunks.json, chunks.json_size, "the scene", &root,
                        NULL) != ETNA_OK) {
        return NULL;
    }
    list = json_object_get(
        json_object_get(json_object_get(root, "asset"), "extras"),
        "etna_credits");
    list = list ? json_incref(list) : json_array();
    json_decref(root);
    return list;
}
