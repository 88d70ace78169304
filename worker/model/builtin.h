/* The built-in agent: a rule-based model behind conversation.h. A pure function of the request: it sees the texts, the
 * `facts` JSON and the tool results in the conversation and nothing else, and answers by the grammar and with the tool calls
 * a network model would use. builtin_answer itself is declared in conversation.h.
 *
 * builtin_words.c  words, colours, numbers, name tokens      builtin_facts.c   facts JSON -> builtin_facts
 * builtin_read.c   sentence -> moves over those facts         builtin_place.c   free-space maps -> places
 * builtin_planner.c, builtin_executor.c, builtin_evaluator.c  the three roles
 *
 * World frame: metres, Z up; image coordinates normalised, (0,0) top left. All pointers live in the caller's arena. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_H
#define ETNA_WORKER_MODEL_BUILTIN_H

#include "worker/model/conversation.h"

#include <stdint.h>

#define BUILTIN_NONE UINT32_MAX

enum {
    BUILTIN_FACTS_MAX = 64 << 20,    /* bytes of facts JSON */
    BUILTIN_OBJECTS_MAX = 100000,
    BUILTIN_SURFACES_MAX = 20000,
    BUILTIN_CELLS_MAX = 16 << 20,    /* of one surface */
    BUILTIN_MOVES_MAX = 256,         /* objects one reading may move */
    BUILTIN_WORDS_MAX = 512          /* words of one sentence */
};

typedef struct builtin_object {
    const char *name, *description, *category;
    uint32_t material_count;
    const char *const *materials;
    bool is_static, immovable, visible;
    bool has_colour;
    double lab[3];       /* CIELAB, D65 */
    double centre[3], half[3]; /* box; half: across the heading, along it, up */
    double heading[2];   /* unit; world direction of the box's front */
    bool supported;      /* not hovering */
    uint32_t by_count, on_count; /* who carries it, who stands on it: indices */
    const uint32_t *by, *on;
} builtin_object;

typedef struct builtin_surface { /* a horizontal place things can stand on, with its map of free cells */
    const char *plane;
    uint32_t object;
    double height, cell;   /* metres */
    double origin[2];      /* world xy of the low corner of cell (0, 0) */
    uint32_t columns, rows;
    const uint8_t *free;   /* 1 a cell that is on the surface and empty; row-major, row along +Y */
} builtin_surface;

typedef struct builtin_facts {
    double position[3], right[3], up[3], forward[3]; /* camera */
    double half_height, aspect;
    bool orthographic;
    uint32_t object_count, surface_count;
    const builtin_object *objects;
    const builtin_surface *surfaces;
    bool has_checks; /* the Evaluator's: */
    uint32_t moved;  /* index of the edited object or BUILTIN_NONE */
    uint32_t collision_count, floating_count, others_moved;
    const char *collisions, *floating; /* names, comma-separated, "" when none */
} builtin_facts;

/* Reads the facts JSON of worker/agents/facts.h: hostile, bounded. ETNA_E_INPUT names the field that is wrong. */
etna_code builtin_facts_read(const char *json, size_t size, etna_arena *arena, builtin_facts *ret, etna_error *err);
/* Image place of a world point; false behind the camera. */
bool builtin_project(const builtin_facts *facts, const double point[3], double *ret_x, double *ret_y);

#endif
