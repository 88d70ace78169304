/* Assimp, loaded when the first foreign file is read (proto/late.h). Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_ASSIMP_LATE_H
#define ETNA_WORKER_CONVERT_ASSIMP_LATE_H

#include "proto/error.h"

/* To be called before Assimp's functions: without it they do nothing and fail. ETNA_E_IO when it is not there. */
etna_code assimp_load(etna_error *err);

#endif
