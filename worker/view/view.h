/* View: what a camera sees of a space. The instance map says which object is at
 * which pixel and is exact and the same on any machine, because facts, tools
 * and verdicts are made from it; shaded images are for eyes and models and may
 * differ in their last bits (ARCHITECTURE.md, The same bits). METHODS.md 1
 * (camera) and 3 (facts, images).
 *
 * Pixels are row-major, row 0 at the top; pixel (x, y) looks along the view ray
 * through its centre, ((x + 0.5) / width, (y + 0.5) / height) in the normalised
 * coordinates of camera_ray(). The camera's near and far clips are not applied,
 * as they are not to probes. All functions are thread-safe as far as the
 * `space` given is not being moved. */
#ifndef ETNA_WORKER_VIEW_VIEW_H
#define ETNA_WORKER_VIEW_VIEW_H

#include "worker/math/colour.h"
#include "worker/space/space.h"

enum {
    VIEW_LONG_SIDE = 1024,   /* of every image a model sees */
    VIEW_SIDE_MAX = 8192,    /* of any image; more is ETNA_E_LIMIT */
    VIEW_HIGHLIGHT_MAX = 10, /* objects under colours at once */
    /* from here on an object counts as seen when a camera is chosen */
    VIEW_SEEN_PIXELS = 200,
    /* an annotated object that shows fewer gets the 4x crop */
    VIEW_CROP_PIXELS = 1500
};

typedef struct view_tone { /* how light became bytes; exposure 0: not known */
    double exposure, white;
} view_tone;

typedef struct view_image { /* all zero is empty */
    uint32_t width, height;
    uint8_t *rgb; /* 3 sRGB bytes per pixel; owned: view_image_free */
    /* of a clean image, so that what is drawn on it is as bright; kept by
     * copies and overlays */
    view_tone tone;
    /* of height, the last rows that are no part of the picture: a crop, and the
     * gap before it */
    uint32_t beneath;
} view_image;
/* frees the pixels and zeroes; empty or NULL is fine */
void view_image_free(view_image *image);

/* ---- sizes ---- */
/* Pixels for an image whose longer side is `long_side` (0: VIEW_LONG_SIDE) in
 * the camera's aspect (4:3 where it is not a sensible number). Both are >= 1.
 * Pure. */
void view_size(const scene_camera *camera,
               uint32_t long_side,
               uint32_t *ret_width,
               uint32_t *ret_height);
/* The camera with the aspect of width x height (`--size`). The vertical field
 * of view stays; of a derived camera, which was chosen for what is in its
 * picture, so does what lies in it. Pure. */
scene_camera view_camera_sized(const scene_camera *camera,
                               uint32_t width,
                               uint32_t height);

/* ---- instance map ---- */
/* The object at every pixel's centre: nearest surface of a positive distance,
 * ties to the lower (object, triangle); SCENE_NONE where there is none.
 * ret_ids[width * height] is the caller's and is untouched on failure. Same
 * bits everywhere. Errors: ETNA_E_LIMIT (size), ETNA_E_NOMEM. */
etna_code view_instance_map(const space *sp,
                            const scene_camera *camera,
                            uint32_t width,
                            uint32_t height,
                            uint32_t *ret_ids,
                            etna_error *err);

typedef struct view_extent { /* what shows of one object */
    uint32_t pixels;
    /* x1, y1, x2, y2, normalised, over whole pixels; zeros when pixels is 0 */
    double box[4];
} view_extent;
/* ret[object_count], the caller's. Ids that are no object count for nobody.
 * Pure. */
void view_extents(const uint32_t *ids,
                  uint32_t width,
                  uint32_t height,
                  uint32_t object_count,
                  view_extent *ret);

/* Pixels the object would cover if nothing stood before it (itself alone, where
 * it stands now). */
etna_code view_silhouette(const space *sp,
                          const scene_camera *camera,
                          uint32_t object,
                          uint32_t width,
                          uint32_t height,
                          uint32_t *ret_pixels,
                          etna_error *err);

/* METHODS.md 3 Facts: mean unlit base colour over the pixels, in the instance
 * map, of all objects of the same model. */
enum {
    VIEW_PAINTS_MAX = 4
};

/* one of several colours that clearly differ */
typedef struct view_paint {
    double share;  /* of the pixels, rounded to 1/100 */
    double lab[3]; /* mean of its pixels, CIE L*a*b*, rounded to 1/100 */
} view_paint;

typedef struct view_colour {
    uint32_t pixels;  /* 0: none of them is seen, and the rest is 0 */
    double linear[3]; /* 0..1 */
    double srgb[3];   /* 0..255, rounded to whole numbers */
    double lab[3];    /* CIE L*a*b*, D65, of `srgb`, rounded to 1/100 */
    /* Of more than one colour: those of a tenth of the pixels or more, the
     * largest first. A red seat on grey legs is red to those who speak of it,
     * while its mean is brown. */
    uint32_t paint_count;
    view_paint paints[VIEW_PAINTS_MAX];
} view_colour;
/* ret[object_count], the caller's, untouched on failure. Same bits everywhere
 * (integer sums, own functions). Holes of alphaMode MASK count as pixels, as
 * they do for rays, but not for the colour. */
etna_code view_mean_colours(const space *sp,
                            const scene_camera *camera,
                            uint32_t width,
                            uint32_t height,
                            view_colour *ret,
                            etna_error *err);

/* The same of the points where rays met what stands at its base pose; pixels:
 * how many. Hits of nothing are left out. */
void view_colour_of_hits(const space *sp,
                         const space_hit *hits,
                         uint32_t count,
                         view_colour *ret);

/* The same of an object that no picture shows: of points at even steps of all
 * its surface, wherever it stands; pixels: how many points. */
void view_colour_of_surface(const scene *s, uint32_t object, view_colour *ret);

/* view_instance_map and view_mean_colours from one drawing; both outputs
 * untouched on failure. */
etna_code view_map_and_colours(const space *sp,
                               const scene_camera *camera,
                               uint32_t width,
                               uint32_t height,
                               uint32_t *ret_ids,
                               view_colour *ret_colours,
                               etna_error *err);

/* ---- camera (METHODS.md 1) ---- */
/* By request: a camera's name or 0-based index; "auto": the derived one;
 * "auto:3,33^250": one derived so that it shows objects 3 and 33 before all
 * others, and outdoors also what would stand 250 cm higher than they do
 * (view_say_camera writes it); "eye:...": as view_say_eye wrote it; NULL or "": of the file's cameras the one that
 * shows the most of `objects` (count may be 0) at >= VIEW_SEEN_PIXELS, ties to
 * the first; the derived one when the file has none. Deterministic.
 * ETNA_E_USAGE for an unknown name, with the names there are. */
etna_code view_choose_camera(const space *sp,
                             const uint32_t *objects,
                             uint32_t object_count,
                             const char *request,
                             scene_camera *ret_camera,
                             etna_error *err);
/* A camera where nobody put one (derive.c): indoors inside the free space at
 * 1.6 m over the floor, 75 degrees, the best of 200 fixed places by visible
 * movable objects, each as far as it is in the picture; outdoors above and
 * before what is movable. Aspect 4:3. Deterministic. */
etna_code view_derive_camera(const space *sp,
                             scene_camera *ret_camera,
                             etna_error *err);

/* Views of a building that is cut open: ceiling, roof and near walls are away,
 * whether objects of their own (they are hidden, space_hide) or parts of a room
 * in one mesh (the camera's cuts). `cutaway`: a doll's house, from above at an
 * angle, everything in the picture, from the side where the most of what is
 * movable shows. `top`: a plan, straight from above, +Y up. `orbit:AZ,EL`:
 * around the middle; degrees, 0,0 from the front (-Y), counter-clockwise from
 * above. `sp` stands at S_0. */
typedef enum view_cut_kind {
    VIEW_CUTAWAY,
    VIEW_TOP,
    VIEW_ORBIT
} view_cut_kind;
typedef struct view_cut_request {
    view_cut_kind kind;
    /* of VIEW_ORBIT: at most 360 and 90 to either side */
    double azimuth, elevation;
} view_cut_request;
/* False when `request` (may be NULL) is none of these, or is the name of a
 * camera that the file has. */
bool view_read_cutaway(const scene *s,
                       const char *request,
                       view_cut_request *ret);
etna_code view_cutaway(space *sp,
                       const view_cut_request *asked,
                       scene_camera *ret_camera,
                       etna_error *err);
/* Cuts open for a camera that stands where the caller put it. */
etna_code view_cutaway_for(space *sp, scene_camera *camera, etna_error *err);
/* Hides alike in another space for a camera that these gave. */
etna_code view_cutaway_hide(space *sp,
                            const scene_camera *camera,
                            etna_error *err);
enum {
    VIEW_NAMED_MAX = 12,
    VIEW_REQUEST_SIZE = 160
};
/* what a derived camera is to show before all others */
typedef struct view_named {
    uint32_t count;
    uint32_t objects[VIEW_NAMED_MAX];
    /* centimetres over them that are to be in the picture too, outdoors: a
     * tower to come */
    uint32_t above;
    /* where the first of them stood, to be shown as much as it is; or NULL */
    const arrange_pose *was;
} view_named;
/* A camera that shows as much as it can of what is named, then of the rest
 * (METHODS.md 1, Camera). */
etna_code view_derive_camera_for(const space *sp,
                                 const view_named *named,
                                 scene_camera *ret_camera,
                                 etna_error *err);
/* The request that view_read_camera() reads back as the same names. */
void view_say_camera(const view_named *named, char ret[VIEW_REQUEST_SIZE]);
/* False when it is no such request, or names an object that is not there. */
bool view_read_camera(const char *request,
                      uint32_t object_count,
                      view_named *ret);
/* Makes of a derived camera the request "eye:X,Y,Z,YAW,PITCH", in metres and
 * degrees, by which view_choose_camera() finds it again wherever things stand;
 * *camera becomes that one, which is it but for the last decimals. False, with
 * neither changed, where it stands too far out for that. */
bool view_say_eye(scene_camera *camera, char ret[VIEW_REQUEST_SIZE]);
/* How many of `objects` show at VIEW_SEEN_PIXELS or more. */
etna_code view_count_seen(const space *sp,
                          const scene_camera *camera,
                          const uint32_t *objects,
                          uint32_t object_count,
                          uint32_t *ret_seen,
                          etna_error *err);

/* ---- images ---- */
/* The clean image of the space where it stands, without what is hidden
 * (space_hide). *ret_image is owned by the caller, who keeps it as long as the
 * snapshot stands: grid, highlight, edit and legend are composed on it and
 * render nothing of the scene again but the crop. Light: base colours under the
 * sky, with what is near within 1 m taken from it, and the file's lights with
 * soft shadows, or a key light from over the camera's left shoulder where there
 * are none that reach; exposed so that the median luminance is 0.35 to 0.55 of
 * white (METHODS.md 3). On up to `threads` threads (0 is 1), with the same bits
 * for any number of them. */
etna_code view_render(const space *sp,
                      const scene_camera *camera,
                      uint32_t width,
                      uint32_t height,
                      uint32_t threads,
                      view_image *ret_image,
                      etna_error *err);

/* (a) The dashed grid every 0.1 over the picture at 40 %, and a margin outside
 * it on all four sides with the coordinates, black on white; *ret_margin (may
 * be NULL) is its width in pixels on each side. What is beneath the picture
 * comes beneath the margin and has no grid. */
etna_code view_grid(const view_image *clean,
                    view_image *ret_image,
                    uint32_t *ret_margin,
                    etna_error *err);

/* (b) The edit: the clean image of `after` with the object's old place as a 40
 * % ghost, the outline of its new place (both through what stands before them,
 * but no outline through walls: static things 1.8 m high), and a green line
 * with an arrow from old to new. When the object shows under VIEW_CROP_PIXELS
 * or under 30 % of its silhouette, a 4x crop around the new place is added
 * beneath and *ret_cropped (may be NULL) is true, so that the text can say so.
 * `after` stands after the edit; `before` is the object's old pose. The crop is
 * made on up to `threads` threads (0 is 1). */
etna_code view_annotate_edit(const space *after,
                             const scene_camera *camera,
                             const view_image *clean,
                             uint32_t object,
                             const arrange_pose *before,
                             uint32_t threads,
                             view_image *ret_image,
                             bool *ret_cropped,
                             etna_error *err);

/* Which way what shows of the furniture faces, as small arrows from it. */
etna_code view_fronts(const space *sp,
                      const scene_camera *camera,
                      const view_image *clean,
                      view_image *ret_image,
                      etna_error *err);

/* (c) The clean image with `count` <= VIEW_HIGHLIGHT_MAX objects under distinct
 * semi-transparent colours, painted through the instance map `ids` of the same
 * size. Colour i is view_highlight_rgb[i] unless `colours` (count x 3 bytes) is
 * given. */
etna_code view_highlight(const view_image *clean,
                         const uint32_t *ids,
                         const uint32_t *objects,
                         uint32_t count,
                         const uint8_t (*colours)[3],
                         view_image *ret_image,
                         etna_error *err);
extern const uint8_t view_highlight_rgb[VIEW_HIGHLIGHT_MAX][3];
extern const char *const
    /* "red", "blue", ... for the name -> colour table */
    view_highlight_name[VIEW_HIGHLIGHT_MAX];

/* (d) A legend under an image, as the last thing that is composed: per entry a
 * patch of its colour, its name, and the colour's where it is one of ours.
 * Names wider than the image are cut with "...". Names are UTF-8 in any script
 * of Unicode's first plane, where Etna was built with GNU Unifont; else what is
 * not ASCII is drawn as a box. Arabic letters are not joined. */
etna_code view_legend(const view_image *image,
                      const char *const *names,
                      const uint8_t (*colours)[3],
                      uint32_t count,
                      view_image *ret_image,
                      etna_error *err);

/* The instance map as a picture: a fixed colour per object index, black where
 * there is none. */
etna_code view_instances_image(const uint32_t *ids,
                               uint32_t width,
                               uint32_t height,
                               view_image *ret_image,
                               etna_error *err);

/* ---- encoding ---- */
/* To memory; the caller frees *ret_data. JPEG quality 1..100. */
etna_code view_encode_png(const view_image *image,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);
etna_code view_encode_jpeg(const view_image *image,
                           int quality,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);

#endif
