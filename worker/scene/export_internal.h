/* What the files of export share. Internal to worker/scene. */
#ifndef ETNA_WORKER_SCENE_EXPORT_INTERNAL_H
#define ETNA_WORKER_SCENE_EXPORT_INTERNAL_H

#include "worker/gltf/json.h"
#include "worker/scene/solve_nodes.h"

typedef struct export_text { /* grows; failed sticks */
    char *text;
    size_t size, room;
    bool failed;
} export_text;
void export_text_add(export_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct exporting {
    gltf_doc doc;
    const scene *s;
    changes changes;
    bool must_divide; /* it has to say which nodes are its objects */
    json_edits edits;
    json_span root;
    uint8_t *bin; /* the output's binary chunk, padded to 4 */
    size_t bin_size, bin_room;
    size_t *buffer_begin; /* of each buffer in bin; SIZE_MAX: not there */
    bool has_bin;
    /* new elements of the file's lists, each ",{...}"; and how many */
    export_text views;
    size_t view_count;
} exporting;

/* Appends to the binary chunk, on a multiple of four; false when memory
 * ends. */
bool export_bin_append(exporting *x,
                       const void *data,
                       size_t size,
                       size_t *ret_begin);
/* Appends `elements` (",{...},{...}", or "") to a list of the root; makes the
 * list where there is none. */
etna_code export_list_append(exporting *x,
                             const char *key,
                             const export_text *elements,
                             etna_error *err);
/* A node's transform as the text of a matrix member. */
void export_matrix_text(const affine *local, char text[560]);

/* export_record.c: how the scene was read, where a side file or an option said
 * so, in asset.extras.etna_scene. After changes_solve. */
etna_code export_record(exporting *x, etna_error *err);
/* Did something move below a node that was opened for where things stood? Then
 * the copy's reader might put together what is apart here. After
 * changes_solve. */
bool export_division_rests_on_places(const exporting *x);

/* export_release.c: takes moved nodes out of the channels that held them. After
 * changes_solve. */
etna_code export_release(exporting *x, etna_error *err);

/* export_split.c: meshes and nodes for the pieces that moved. */
etna_code export_pieces(exporting *x, etna_error *err);

#endif
