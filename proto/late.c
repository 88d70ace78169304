/* See late.h. */
#include "proto/late.h"

#include <dlfcn.h>
#include <string.h>

etna_code late_load(const char *soname, const late_function *functions, size_t count, etna_error *err)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return etna_fail(err, ETNA_E_IO, "%s cannot be loaded: %s; install the package that has it", soname, dlerror());
    }
    for (size_t i = 0; i < count; i++) {
        if (!dlsym(library, functions[i].name)) {
            dlclose(library);
            return etna_fail(err, ETNA_E_IO, "%s has no %s: it is another version than Etna was built with", soname,
                             functions[i].name);
        }
    }
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, functions[i].name);
        memcpy(functions[i].place, &function, sizeof function);
    }
    return ETNA_OK;
}
