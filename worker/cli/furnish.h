/* What `etna furnish` does between its words and its room: models are picked
 * for what the words ask, the layout decides where they go, and they are set
 * there on their triangles. All of it runs in the process of the command;
 * the pool does not know of it yet. */
#ifndef ETNA_WORKER_CLI_FURNISH_H
#define ETNA_WORKER_CLI_FURNISH_H

#include "worker/assets/find.h"
#include "worker/convert/compose.h"
#include "worker/furnish/layout.h"

#include <jansson.h>

enum {
    FURNISH_THINGS_MAX = 200,
    /* items that a room without named things gets at most */
    FURNISH_OBJECTS_USUAL = 12,
};

/* a model that may be the thing; texts live in the arena */
typedef struct furnish_pick {
    const char *path, *name, *licence, *reason;
    uint32_t number;
    etna_hash hash;
    /* of the kind that was asked for, else the nearest there is */
    bool of_kind;
    /* of the kind, but people use such a one otherwise */
    bool other_use;
    bool movable, light;
    /* what it is not, though it was asked for: a colour, an outline, the very
     * thing; NULL: it is all */
    const char *lacks;
    layout_model model;
    uint32_t front; /* of the file, as asset_front has it */
} furnish_pick;

typedef enum furnish_source {
    FURNISH_NAMED,
    FURNISH_USE,
    FURNISH_ROOM,
    FURNISH_SUPPORT,
    FURNISH_SCENE /* it is there already */
} furnish_source;
typedef struct furnish_scene furnish_scene; /* furnish_scene.h */

typedef struct furnish_thing {
    furnish_source source;
    uint32_t wish, want; /* of the brief, or BRIEF_NONE */
    uint32_t for_thing;  /* FURNISH_SUPPORT: what is to stand on it */
    const char *head, *said;
    brief_relation relation; /* of a use or room: how it goes with `to` */
    const char *to;
    uint32_t wanted;     /* how many */
    uint16_t colours;    /* asked for: bits by asset_colour_names */
    const char *outline; /* asked for: "round"; NULL: none */
    uint32_t seats;      /* so many sit at each table, or on it; 0: unsaid */
    bool told, different;
    bool at_table;        /* several of it sit at a table or a counter */
    bool each;            /* so many for each of its anchor's */
    bool overhead;        /* the text hangs it from the ceiling */
    bool below_window;    /* so the text says: it must not hide it */
    uint32_t share;       /* then: so many by one of these; 0: unsaid */
    uint32_t first_fixed; /* FURNISH_SCENE: of the scene's things */
    uint32_t pick_count;
    furnish_pick picks[LAYOUT_MODELS_MAX];
    const char *why_not, *nearest; /* NULL: it is there */
} furnish_thing;

typedef struct furnish_item { /* of layout_plan's items, the same index */
    const char *name, *why_not;
    bool unsteady;   /* its model did not stand on what it was set on */
    uint32_t object; /* of the spec, or BRIEF_NONE */
    double at[3];    /* of the foot's middle */
} furnish_item;

typedef struct furnish_kept { /* a model that was read */
    etna_hash model;
    uint8_t *data; /* furnish_keep.c's */
    size_t size;
} furnish_kept;

typedef struct furnishing { /* all zero is empty; free with furnish_free */
    /* asked for */
    layout_room room;
    find_options find;
    uint64_t seed;
    uint32_t objects;     /* 0: as many as fit */
    const char *store;    /* as assets_open */
    furnish_scene *scene; /* NULL: the room is made */
    bool replays;         /* by what was kept: `index` is asked for */
    bool published;       /* placed as layout_as_published says */
    etna_hash index;      /* whom the models were picked from */
    /* on the pool: the models that were given; else NULL */
    const struct furnish_stock *stock;
    char *text;
    size_t text_size;
    /* made */
    etna_arena arena;
    brief *brief;
    const char *category; /* of the room, as catalogues call it, or NULL */
    uint32_t thing_count;
    furnish_thing things[FURNISH_THINGS_MAX];
    layout_thing layout[FURNISH_THINGS_MAX];
    layout_plan plan;
    furnish_item items[LAYOUT_ITEMS_MAX];
    compose_spec spec;
    uint32_t asset_count;
    compose_asset *assets;
    compose_place *places;
    uint8_t *glb;
    size_t glb_size;
    uint32_t tries; /* rooms that were set */
    uint32_t kept_count, kept_room;
    furnish_kept *kept; /* all that were read, also those that were left out */
} furnishing;

etna_code furnish_no_memory(etna_error *err); /* ETNA_E_NOMEM */
/* ETNA_E_INPUT, with what to type. */
etna_code furnish_no_index(etna_error *err);
/* The model that stands for an item. It was placed. */
const furnish_pick *furnish_pick_of(const furnishing *f, uint32_t item);

/* Reads the text and picks models for what it asks. ETNA_E_INPUT with what to
 * do: nothing is named, no model is there for any of it, or so much is asked
 * for that the room cannot hold it. */
etna_code furnish_pick_all(furnishing *f,
                           const index_view *index,
                           etna_error *err);
/* Decides where everything goes, by boxes. */
etna_code furnish_lay(furnishing *f, etna_error *err);
/* Reads the models and sets them, by triangles; what cannot stand where it
 * should is tried elsewhere, or left out. In the end f->glb is a scene in which
 * nothing collides or floats. Call it while the process has one thread. */
etna_code furnish_set(furnishing *f, etna_error *err);

/* Takes the models that did not stand where they were set from what is told and
 * has others; false: there is none. What was set is to be unset then, and laid
 * again. */
bool furnish_pass_over(furnishing *f);
void furnish_unset(furnishing *f);

typedef struct furnish_score {
    uint32_t named,
        /* phrases that name things; those that are there with their number */
        named_there;
    /* phrases, for things or uses, of which not all came that they ask for */
    uint32_t lacking;
    uint32_t unlike; /* of these, those that have not the colour they should */
    uint32_t relations, held; /* that the text or the habits ask for */
    uint32_t told, told_held; /* of these, by the text */
    uint32_t seats, reached, items;
    /* parts of the text that ask for something and were not understood */
    uint32_t unread;
} furnish_score;
furnish_score furnish_measure(const furnishing *f);
/* Complete: all that is named is there with its number and in its colours, and
 * stands as the text says; every seat can be reached; nothing that asks for a
 * thing or a place was left unread. */
typedef enum furnish_end {
    FURNISH_FAILED,
    FURNISH_PARTIAL,
    FURNISH_COMPLETE
} furnish_end;
furnish_end furnish_ended(const furnish_score *s);
/* All that became of the text. NULL: no memory. */
json_t *furnish_report(const furnishing *f);
/* As report.json has it. malloc'd; NULL: no memory. */
char *furnish_report_text(const json_t *report);
/* The same in words. malloc'd; NULL: no memory. */
char *furnish_words(const furnishing *f);
/* Named things that are not there because no model is of their kind. */
uint32_t furnish_absent(const furnishing *f);
void furnish_free(furnishing *f);

/* "4x5", "4x5x2.5". ETNA_E_USAGE. */
etna_code furnish_room_read(const char *text,
                            layout_room *room,
                            etna_error *err);
/* Picks, lays and sets. */
etna_code furnish_make(furnishing *f, etna_error *err);
/* Sets what was laid. *ret_again: some models did not stand, and it is to be
 * laid and set again with others. */
etna_code furnish_try(furnishing *f, bool *ret_again, etna_error *err);
/* result.glb, report.json, report.txt in the folder, which is made. */
etna_code furnish_write(const furnishing *f,
                        const json_t *report,
                        const char *folder,
                        etna_error *err);

/* A model that was read, or in a replay what was kept of it. */
etna_code furnish_model_read(furnishing *f,
                             const furnish_pick *pick,
                             const char *path,
                             compose_asset *ret,
                             etna_error *err);
void furnish_kept_free(furnishing *f);
/* Keeps all that the room rests on in the store, and names it in the report as
 * "record". Of a scene's room nothing is kept, nor where the store cannot be
 * written. ETNA_E_NOMEM. */
etna_code furnish_keep(const furnishing *f, json_t *report, etna_error *err);
/* Makes the room of a folder again by what was kept, and compares. *ret tells
 * what differs, "" for nothing; `record` gets the hash. ETNA_E_INPUT: the
 * folder is no furnished room, or nothing was kept of it. */
etna_code furnish_replay(const char *folder,
                         const char *store,
                         char record[65],
                         char ret[200],
                         etna_error *err);

/* Items of a room as it was written, of which something is wrong. */
typedef struct furnish_faults {
    uint32_t colliding, floating, outside;
} furnish_faults;
etna_code furnish_faults_find(const furnishing *f,
                              furnish_faults *ret,
                              etna_error *err);

typedef struct furnish_many {
    const layout_room *rooms; /* of the lines, in turn */
    uint32_t room_count;
    find_options find;
    uint64_t seed;
    uint32_t objects;
    const char *store, *output; /* output NULL: nothing is written */
    bool published, finds_faults;
} furnish_many;
typedef struct furnish_tally {
    /* rooms; complete ones; lines that are no brief */
    uint32_t made, whole, refused;
    uint32_t absent, with_models; /* of what is named */
    furnish_score sum;
    furnish_faults faults; /* where many.finds_faults */
} furnish_tally;
/* What the line asks for, into an empty f, which is freed in any case. */
etna_code furnish_many_ask(const furnish_many *many,
                           uint32_t number,
                           const char *line,
                           size_t size,
                           furnishing *f,
                           etna_error *err);
/* Of a line; numbers are from 1. */
typedef etna_code (*furnish_line)(void *context,
                                  uint32_t number,
                                  const char *line,
                                  size_t size,
                                  etna_error *err);
/* Each line that is not blank, in order, until one fails. ETNA_E_INPUT: there is
 * none. */
etna_code furnish_each_line(const char *text,
                            size_t size,
                            furnish_line each,
                            void *context,
                            etna_error *err);
/* A room for each line that is not blank. A line that is refused is told on
 * stderr and counted. */
etna_code furnish_lines(const furnish_many *many,
                        const char *text,
                        size_t size,
                        furnish_tally *ret,
                        etna_error *err);

#endif
