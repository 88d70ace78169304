/* Staging a scene for what a run is asked: the sentences say what to bring in
 * and what to take out, the index of the store finds it, and the run begins
 * with the stage (worker/convert/stage.h). */
#ifndef ETNA_WORKER_CLI_BRING_H
#define ETNA_WORKER_CLI_BRING_H

#include "worker/assets/fetch.h"
#include "worker/cli/load.h"
#include "worker/convert/stage.h"

typedef struct bring_options {
    const char *store;  /* NULL: the default */
    const char *camera; /* as load_camera's */
    bool unit_is_said;  /* the scene's things are as large as they seem */
} bring_options;

/* An asset as a node of a result tells it (extras.etna): what it is, whose, and
 * what was asked. NULL: no memory. */
json_t *bring_told(const asset *a, const asset_model *model, const char *asked);
/* It as a guest of that name. All that it points to must outlive it. */
stage_guest bring_guest(const asset *a,
                        const asset_model *model,
                        const char *name,
                        const json_t *told);

/* Do any of the texts speak of adding, removing or replacing? Cheap; true
 * promises nothing. */
bool bring_may_be_asked(const char *const *texts, uint32_t count);

/* *ret NULL: nothing is asked that needs a stage. What was found is told on
 * stderr, a line each. ETNA_E_INPUT with what to do: nothing is indexed,
 * nothing fits (with the nearest), something stands on what is to go. Must be
 * called while the process has one thread. Caller frees *ret. */
etna_code bring_stage(loaded_scene *loaded,
                      const char *const *texts,
                      uint32_t count,
                      const bring_options *options,
                      uint8_t **ret,
                      size_t *ret_size,
                      etna_error *err);

#endif
