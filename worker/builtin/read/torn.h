/* Words that a tree has torn. Nobody outside the reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_TORN_H
#define ETNA_WORKER_BUILTIN_READ_TORN_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/read/reader.h"

/* Would the node's words be read as less than they say? */
bool node_is_part(const reader *r, const chart_node *node);

#endif
