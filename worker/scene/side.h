/* The side file SCENE.etna.json as text: what `etna scene split` and `etna
 * scene group` write into it. side.c says what its members are. Members that
 * are not known here are kept. Texts are whole JSON documents, NUL-terminated;
 * NULL or size 0 stands for a file that is not there. */
#ifndef ETNA_WORKER_SCENE_SIDE_H
#define ETNA_WORKER_SCENE_SIDE_H

#include "worker/scene/scene.h"

/* The bundle's own side file, borrowed from the bundle; *ret NULL when it has
 * none. ETNA_E_MESSAGE: no bundle. */
etna_code side_of_bundle(const uint8_t *bundle,
                         size_t size,
                         const char **ret,
                         size_t *ret_size,
                         etna_error *err);
/* scene_import with `side` in place of the bundle's own: to try one before it
 * is written. The scene's hash is that of the bundle all the same, so nothing
 * of it belongs in a store. */
etna_code scene_import_with_side(const uint8_t *bundle,
                                 size_t size,
                                 const char *side,
                                 size_t side_size,
                                 scene **ret_scene,
                                 etna_error *err);

/* Of each triangle of the object's parts, one behind the other, its loose part:
 * triangles that share no corner with others, numbered by lowest triangle. As
 * "splits" numbers them when no split has cut the object. Caller frees
 * *ret_label. */
etna_code scene_loose(const scene *s,
                      uint32_t object,
                      uint32_t **ret_label,
                      uint32_t *ret_count,
                      etna_error *err);

/* Without "groups": the members that a group can have. With `splits` true also
 * without those: the objects as the file alone has them. Caller frees
 * *ret_text, as of all below. */
etna_code side_without_groups(const char *side,
                              size_t size,
                              bool splits,
                              char **ret_text,
                              etna_error *err);
/* "splits" of `object`: loose part i goes to cluster cluster_of[i] <
 * cluster_count, or with SCENE_NONE stays. Parts that have the same loose parts
 * as one of the old split keep its other members, as the name. No cluster: the
 * split is taken out. */
etna_code side_with_split(const char *side,
                          size_t size,
                          const char *object,
                          uint32_t component_count,
                          const uint32_t *cluster_of,
                          uint32_t cluster_count,
                          char **ret_text,
                          etna_error *err);
/* "groups" with `name` of these members, which leave the groups they were in; a
 * member that is a group stands for all of its own. No member: the group is
 * taken out. */
etna_code side_with_group(const char *side,
                          size_t size,
                          const char *name,
                          const char *const *members,
                          uint32_t count,
                          char **ret_text,
                          etna_error *err);

#endif
