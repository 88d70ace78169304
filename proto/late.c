/* See late.h. */
#include "proto/late.h"

#include <dlfcn.h>
#include <string.h>

enum { UNKNOWN, LOADED, MISSING };

static int load(late_library *library)
{
    void *handle = dlopen(library->soname, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        (void)etna_fail(&library->trouble, ETNA_E_IO, "%s cannot be loaded: %s; install the package that has it",
                        library->soname, dlerror());
        return MISSING;
    }
    for (size_t i = 0; i < library->count; i++) {
        if (dlsym(handle, library->functions[i].name)) continue;
        (void)etna_fail(&library->trouble, ETNA_E_IO, "%s has no %s: it is another version than Etna was built with",
                        library->soname, library->functions[i].name);
        dlclose(handle);
        return MISSING;
    }
    for (size_t i = 0; i < library->count; i++) {
        void *function = dlsym(handle, library->functions[i].name);
        memcpy(library->functions[i].place, &function, sizeof function);
    }
    return LOADED;
}

etna_code late_ready(late_library *library, etna_error *err)
{
    int state = atomic_load(&library->state);
    if (state == UNKNOWN) {
        pthread_mutex_lock(&library->mutex);
        state = atomic_load(&library->state);
        if (state == UNKNOWN) {
            state = load(library);
            atomic_store(&library->state, state);
        }
        pthread_mutex_unlock(&library->mutex);
    }
    if (state == LOADED) return ETNA_OK;
    if (err) *err = library->trouble;
    return ETNA_E_IO;
}
