/* Space: what a ray meets, what cuts what, what stands on what. The only user
 * of Embree, which only proposes; every answer is recomputed in double by a
 * fixed triangle test (ARCHITECTURE.md, The same bits), so it is the same on
 * any machine.
 *
 * A `space` is one scene with one pose per object: a thing of one thread at a
 * time, but that between two moves any number of threads may cast at it
 * (space_cast, space_cast_many) and ask where things stand. Triangles and BVHs
 * are shared by all spaces of a scene (space_share), and by all objects of one
 * geometry; restoring a snapshot moves instances and touches no triangle. A
 * question about one object costs nothing for objects that are far away. */
#ifndef ETNA_WORKER_SPACE_SPACE_H
#define ETNA_WORKER_SPACE_SPACE_H

#include "worker/scene/snapshot.h"

typedef struct space_shared
    space_shared; /* per scene: Embree device and per-mesh BVHs; thread-safe */
typedef struct space space;

etna_code space_share(scene *s,
                      space_shared **ret_shared,
                      etna_error *err); /* keeps a reference to the scene */
/* About how many bytes may take what is made of the meshes of one scene and can
 * be made again (budget.h): Embree's trees, shapes, undersides, adjacency,
 * planes; and an eighth of that beside for objects' triangles where they stand,
 * half as much again in each space. What is unused for longest goes first, what
 * is in use stays. For scenes shared from now on; 4 GiB when never called. No
 * answer depends on it. */
void space_bound_meshes(size_t bytes);
/* NULL is fine; drops a reference */
void space_shared_free(space_shared *shared);

/* METHODS.md 1, the clause that needs true triangles: what cuts into an object
 * that is static by name, shape or size deeper than 1 cm is static too. Once
 * per scene, right after import and before any other thread has it (it calls
 * scene_set_static_by_cut); later calls return at once. */
etna_code space_mark_static_by_cut(space_shared *shared, etna_error *err);

etna_code space_new(space_shared *shared,
                    space **ret_space,
                    etna_error *err); /* at the base poses */
void space_free(space *sp);           /* NULL is fine */
const scene *space_scene(const space *sp);
/* Every object to where the snapshot has it. ETNA_E_INTERNAL where the snapshot
 * is of another scene. */
etna_code space_restore(space *sp, const snapshot *snap, etna_error *err);
/* One object to `pose`: metres and radians in the world. What was asked about
 * it before no longer holds. */
etna_code space_move(space *sp,
                     uint32_t object,
                     const arrange_pose *pose,
                     etna_error *err);
/* Where the object stands now; valid until the next move. */
const arrange_pose *space_pose(const space *sp, uint32_t object);
/* Its box, where it stands now. */
scene_box space_box(const space *sp, uint32_t object);
/* Is it a stray, or a guest that still waits outside? It counts for nothing but
 * itself. */
bool space_is_aside(const space *sp, uint32_t object);

/* ---- rays ---- */
typedef struct space_hit {
    uint32_t object, part;
    uint32_t triangle; /* within the part's mesh */
    double t;          /* distance in units of |direction| */
    vec3 point;
    vec3 normal; /* geometric, unit, turned toward the ray's origin */
} space_hit;

typedef struct space_ray {
    vec3 origin, direction; /* direction need not be unit */
    double t_min, t_max;    /* t_max INFINITY is fine */
    uint32_t skip_object;   /* SCENE_NONE: none */
    uint32_t only_object;   /* SCENE_NONE: any */
} space_ray;

/* Hidden objects (object_count bools, copied; NULL: none) are met by no
 * space_cast, as `--camera cutaway` wants (scene_cutaway). Collision, sweeps
 * and support know nothing of it: what is not drawn still stands there.
 * ETNA_E_NOMEM leaves what was. space_hidden: the mask now, or NULL. */
etna_code space_hide(space *sp, const bool *hidden, etna_error *err);
const bool *space_hidden(const space *sp);

/* Nearest hit, ties to the lower (object, triangle). True when there is one. */
bool space_cast(const space *sp, const space_ray *ray, space_hit *ret_hit);
/* The same for `count` rays, in any order, bit by bit what space_cast says of
 * each; several times faster where many go about the same way. ret_hits[count]:
 * object SCENE_NONE where nothing is met, the rest is then undefined. Returns
 * how many met something. */
uint32_t space_cast_many(const space *sp,
                         const space_ray *rays,
                         uint32_t count,
                         space_hit *ret_hits);

/* ---- light, for pictures only ---- */
/* Does anything stand in the way of light? As Embree says, without the exact
 * test: several times faster than space_cast, and not the same to the last bit
 * on every machine. Nothing that reaches a snapshot, a verdict or a prompt's
 * text may rest on it. Hidden objects cast no shade. */
typedef enum space_shade {
    SHADE_PASS,
    SHADE_BLOCK,
    SHADE_ASK
} space_shade;
typedef struct space_light {
    const uint8_t *parts; /* per part of the scene: a space_shade */
    /* SHADE_ASK: does the triangle block light at (1-u-v) a + u b + v c? Called
     * from space_shaded, same thread. */
    bool (*blocks)(const void *context,
                   uint32_t part,
                   uint32_t triangle,
                   double u,
                   double v);
    const void *context;
} space_light;
/* Does what the first ray would do once. After it, and until the next move, any
 * number of threads may call space_shaded(). ETNA_E_NOMEM. */
etna_code space_light_ready(const space *sp, etna_error *err);
/* From `from` along unit `direction`, `reach` metres. *ret_part (may be NULL):
 * one of those that block. */
bool space_shaded(const space *sp,
                  const space_light *light,
                  vec3 from,
                  vec3 direction,
                  double reach,
                  uint32_t *ret_part);

/* ---- collision: METHODS.md 6 ---- */
typedef struct space_pair {
    uint32_t a, b;
    /* metres; 0: they do not cross. When depth was not asked for: the threshold
     * if they collide, else anything up to it */
    double depth;
    bool deeper;   /* true depth is beyond 0.05 */
    bool collides; /* depth > the threshold of the pair */
} space_pair;

typedef struct space_rules {
    bool paper_collision; /* 0.01 m always */
    bool paper_floating;
} space_rules;

/* Does object a collide with b where they stand? Depth only when asked (it
 * costs). */
etna_code space_pair_check(space *sp,
                           uint32_t a,
                           uint32_t b,
                           const space_rules *rules,
                           bool want_depth,
                           space_pair *ret,
                           etna_error *err);

/* Objects that `object` collides with where it stands now, in ascending order;
 * `found` has room for `room` entries. Stops when it is full, so room 1 is the
 * quick verdict. Depths are not found (see space_pair). What collided at the
 * start is listed too: METHODS.md 6 spares only pairs of which neither member
 * moved, and this object is asked about because it did. */
etna_code space_collisions(space *sp,
                           uint32_t object,
                           const space_rules *rules,
                           space_pair *found,
                           uint32_t room,
                           uint32_t *ret_count,
                           etna_error *err);

/* The same from object `first` on, for who looks at one after the other and
 * stops when it knows enough. */
etna_code space_collisions_from(space *sp,
                                uint32_t object,
                                uint32_t first,
                                const space_rules *rules,
                                space_pair *found,
                                uint32_t room,
                                uint32_t *ret_count,
                                etna_error *err);

/* The same of several objects that move as one: what one of them collides with
 * outside of them, each other object once (b of a pair; a: the first of
 * `objects` that collides with it). */
etna_code space_body_collisions(space *sp,
                                const uint32_t *objects,
                                uint32_t object_count,
                                const space_rules *rules,
                                space_pair *found,
                                uint32_t room,
                                uint32_t *ret_count,
                                etna_error *err);

/* How deep the object is in something static where it stands; 0: in nothing
 * that it collides with, or deeper than is measured. A picture may be sunk into
 * its wall, and hang as deep in it elsewhere: SPACE_SUNK_MORE deeper is no
 * more. */
#define SPACE_SUNK_MORE 0.0005 /* metres */
etna_code space_sunk(space *sp,
                     uint32_t object,
                     const space_rules *rules,
                     double *ret,
                     etna_error *err);
/* Does a thing of that support (space_support) that is sunk into something hang
 * there? What is sunk into a wall may seem to stand on it, though below its
 * middle there is nothing. */
bool space_sunk_hangs(const space *sp, uint32_t object, uint8_t support);

/* Does `inner` lie wholly in the solid of `outer` without cutting it, though
 * `outer` held no other whole thing and no camera where all stood in `empty`, a
 * space of the same objects (METHODS.md 6, hollow)? */
etna_code space_swallowed(space *sp,
                          uint32_t inner,
                          uint32_t outer,
                          const space *empty,
                          bool *ret,
                          etna_error *err);

/* Are true triangles of two objects closer than `limit` metres where they
 * stand, or do they cut? */
etna_code space_near(space *sp,
                     uint32_t a,
                     uint32_t b,
                     double limit,
                     bool *ret,
                     etna_error *err);

/* How far (<= max, metres) `object` can move along unit `direction` until its
 * true triangles meet another object's; *ret_other SCENE_NONE and *ret_distance
 * = max when nothing is met. Used for settling (METHODS.md 5). */
etna_code space_sweep(space *sp,
                      uint32_t object,
                      vec3 direction,
                      double max,
                      double *ret_distance,
                      uint32_t *ret_other,
                      etna_error *err);

typedef struct space_swept {
    double distance;
    /* what is met there; SCENE_NONE: nothing, and distance is max */
    uint32_t other;
    /* the first object that is cut at the start and yet is no collision;
     * SCENE_NONE: none */
    uint32_t cut;
    /* straight down: the level is met, by no other object sooner; other is
     * SCENE_NONE */
    bool level;
} space_swept;
/* The same for several objects that move as one rigid body and meet everything
 * but one another. What one of them cuts at the start less deeply than a
 * collision by the rules is passed over; what collides is met at 0. */
etna_code space_sweep_body(space *sp,
                           const uint32_t *objects,
                           uint32_t count,
                           vec3 direction,
                           double max,
                           const space_rules *rules,
                           space_swept *ret,
                           etna_error *err);

/* ---- the level: METHODS.md 6 ---- */
/* A file without a floor: where nothing static is below most movable things,
 * and at least two and half of those with nothing below share the height of
 * their bottoms to 1 cm, they stand on something there that the file left out.
 * The level is that plane, as far as the scene reaches and 0.5 m beyond; it
 * carries like a static object in support, stand, a sweep of a body straight
 * down and air. It is no object, and there are no edges to it. Height in world
 * metres, and (where not NULL) the lowest and highest x and y that it reaches;
 * false: there is none. */
bool space_level_find(const space *sp, double *ret_height, vec2 ret_reach[2]);
/* What is checked against an original stands on the original's level. */
void space_level_from(space *sp, const space *original);

/* ---- support: METHODS.md 6 ---- */
typedef enum space_support {
    SUPPORT_STATIC = 1,
    SUPPORT_GROUNDED,
    SUPPORT_ATTACHED,
    SUPPORT_HOVERING
} space_support;

/* of every object of the scene, at one snapshot */
typedef struct space_support_state {
    uint32_t object_count;
    uint8_t *support; /* space_support */
    /* hovering: metres down to the next surface, INFINITY when none */
    double *gap;
    /* who stands on or hangs at whom, sorted by (object, by) */
    uint32_t edge_count;
    struct {
        uint32_t object, by;
    } * edges;
    bool *on_level; /* stands on the level, perhaps among others */
    /* placed by a satisfied Contact side/up; carried along by the caller */
    bool *attached_by_contact;
    /* moved rigidly with what it stood, leaned, hung or hovered on at the
     * start, so it does as then */
    bool *rides;
    /* at S_0: metres that the weight of what stood by itself lay beyond its
     * feet (support.c), else 0 */
    double *overhang;
    arrange_pose *pose; /* where each stood */
} space_support_state;

/* Computes the state where everything stands now. `start` is the state at S_0
 * (NULL when this is S_0): attachment and the rule for hovering objects refer
 * to it. What hovered at the start, touching nothing that holds it, may stay as
 * it is (METHODS.md 6), so as long as it stands unmoved it carries: real houses
 * have tables 4 cm above the floor, and nobody calls the cup on them floating.
 * It is SUPPORT_HOVERING itself, what it carries is SUPPORT_GROUNDED.
 * `attached_by_contact` (object_count bools or NULL) marks what a Contact
 * side/up fastened. Free with space_support_free. */
etna_code space_support_compute(space *sp,
                                const space_rules *rules,
                                const space_support_state *start,
                                const bool *attached_by_contact,
                                space_support_state *ret,
                                etna_error *err);
/* All zero is fine. */
void space_support_free(space_support_state *state);

enum {
    SPACE_CARRIERS_MAX = 16
};
/* what one object stands on, of itself: no chain is followed */
typedef struct space_stand {
    /* its centre of mass is over the hull of where it is carried */
    bool steady;
    bool level; /* carried by the level, perhaps among others */
    /* metres down to what is next below its underside; 0: carried */
    double gap;
    uint32_t carrier_count; /* at most SPACE_CARRIERS_MAX, ascending */
    uint32_t carriers[SPACE_CARRIERS_MAX];
} space_stand;
/* `start`: the state at S_0; NULL: what stood there with its weight beyond its
 * feet is unsteady now, too. */
etna_code space_stand_find(space *sp,
                           const space_support_state *start,
                           uint32_t object,
                           space_stand *ret,
                           etna_error *err);

/* What an edit of `moved` broke: objects supported at the start (or moved) that
 * no longer are, hovering ones whose gap grew by more than 1 mm, where it was
 * at most 10 cm at the start: a lamp high above a table does not hang on what
 * is taken from the table. What hovered at the start and is marked in
 * attached_by_contact was moved by a distance alone and may hover on, as may
 * what rides. Ascending; at most `room`. */
uint32_t space_support_broken(const space_support_state *start,
                              const space_support_state *now,
                              const bool *moved,
                              uint32_t *found,
                              uint32_t room);

/* ---- load: METHODS.md 6 ---- */
/* Where a thing comes to be that stood at `stood` when its carrier goes from
 * `before` to `after`: moved rigidly along. */
arrange_pose space_carried(const arrange_pose *before,
                           const arrange_pose *after,
                           const arrange_pose *stood);
/* Do two things stand to one another as they did, to what writing and reading a
 * file may change? */
bool space_same_relation(const arrange_pose *a_then,
                         const arrange_pose *b_then,
                         const arrange_pose *a_now,
                         const arrange_pose *b_now);

typedef struct space_load {
    /* of `objects`, which has room for object_count; ascending, without the
     * carrier itself */
    uint32_t count;
    uint32_t *objects;
    /* one that is static or immovable and would have to go along, too;
     * SCENE_NONE: none */
    uint32_t fixed;
} space_load;
/* What goes along when `object` is moved from where it stands: what stands,
 * leans or hangs on it and on nothing else, what rests on several of which this
 * one is below its centre of mass, what hovers at most 10 cm over it or lies
 * wholly within its box without any support; and so on for these. What stands
 * on a floor covering (under 3 cm high, its narrower side over 0.6 m) stays on
 * the floor. `now`: the support where everything stands now. `left_behind`
 * (object_count bools or NULL): these stay, and what stands on them. */
etna_code space_load_find(space *sp,
                          const space_support_state *now,
                          uint32_t object,
                          const bool *left_behind,
                          space_load *ret,
                          etna_error *err);

/* ---- reach: METHODS.md 6 ---- */
/* Which cells of the scene are open air as everything stands: no triangle
 * touches them, and they are connected with a place where a person could stand
 * and with movable things. Without a ceiling (nothing static is above half of
 * the movable things) so is what lies above and beside the scene. A static top
 * under 1.6 m without walls about it is a table's, no ceiling. Cells of 5 cm,
 * coarser beyond 20 M of them; beyond 20 cm everything counts as open. Shared
 * by all who ask of the same poses; free with space_air_free. */
typedef struct space_air space_air;
etna_code space_air_find(const space *sp, space_air **ret, etna_error *err);
/* The same for a scene that was edited: where movable things are is known from
 * how it stood before. A thing on the roof makes that no place for things. Of
 * the same objects. */
etna_code space_air_after(const space *now,
                          const space *then,
                          space_air **ret,
                          etna_error *err);
void space_air_free(space_air *air); /* NULL is fine; drops a reference */
bool space_air_is_open(const space_air *air, vec3 at);
/* Is `to` in open air, and nothing on the straight way to it from `from` but
 * what is movable? `own` (SCENE_NONE: none) is on the way, whether it is
 * movable or not. */
bool space_air_leads(
    const space *sp, const space_air *air, uint32_t own, vec3 from, vec3 to);

/* Could objects that move as one (the first is the moved thing) have been
 * brought to where they stand now? *ret: some straight way, down or level, is
 * free for their true triangles but for the last 1 cm, and begins in open air.
 * `stood` (per object, or NULL): where they stood when `air` was found, which
 * is no obstacle to themselves. Leaves all poses as they were. */
etna_code space_reach(space *sp,
                      const space_air *air,
                      const uint32_t *objects,
                      uint32_t count,
                      const arrange_pose *stood,
                      const space_rules *rules,
                      bool *ret,
                      etna_error *err);

/* ---- the whole scene: `etna check` ---- */
typedef struct space_check {
    uint32_t pair_count, floating_count;
    /* every colliding pair but static with static (embedded ones are listed),
     * by (a, b) */
    space_pair *pairs;
    uint32_t *floating; /* hovering objects, ascending */
} space_check;
/* As everything stands now. Free *ret with space_check_free. */
etna_code space_check_all(space *sp,
                          const space_rules *rules,
                          space_check *ret,
                          etna_error *err);
/* All zero is fine. */
void space_check_free(space_check *check);
/* Which movable things reach out beyond the scene's floor: over a twentieth of
 * what they stand on has nothing static below their top. ret[object_count]. In
 * a file without a floor nothing does. ETNA_E_NOMEM. */
etna_code space_find_outside(space *sp, bool *ret, etna_error *err);

#endif
