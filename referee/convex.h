/* A body's triangles cut into parts that are nearly convex, each as the corners
 * of its hull. C++, for physics.cc alone. */
#ifndef ETNA_REFEREE_CONVEX_H
#define ETNA_REFEREE_CONVEX_H

#include <LinearMath/btVector3.h>

#include <cstddef>
#include <vector>

namespace convex
{

struct Part {
    std::vector<btVector3> corners; /* of its hull */
    double volume;                  /* of that */
    btVector3 centre;               /* of mass */
    double filled;                  /* so deep the hull fills what is open */
};

/* `corners`: three a triangle. Never empty where there is a triangle. Throws
 * std::bad_alloc. */
std::vector<Part> cut(const std::vector<btVector3> &corners,
                      std::size_t parts_max);

} // namespace convex

#endif
