/* Convex hulls by Bullet's own computer, and how few corners one needs. C++,
 * for convex.cc alone. */
#ifndef ETNA_REFEREE_HULL_H
#define ETNA_REFEREE_HULL_H

#include <LinearMath/btVector3.h>

#include <vector>

namespace hull
{

using Corners = std::vector<btVector3>;

struct Plane {
    btVector3 normal;
    double offset;
    /* How far before it the point lies; below 0: behind it. */
    double before(const btVector3 &p) const
    {
        return normal.dot(p) - offset;
    }
};

struct Hull {
    Corners corners;
    std::vector<Plane> planes; /* outward; none: it is a sheet, or a line */
    double volume = 0;
    btVector3 centre{0, 0, 0}; /* of mass */
};

/* Of at least one corner. Throws std::bad_alloc. */
Hull of(const Corners &corners);

/* The corner that lies farthest along it. */
const btVector3 &farthest(const Corners &corners, const btVector3 &along);

/* Of these corners as many as it takes that no other one lies farther than
 * `most` out of their hull. A round foot has hundreds, and each is asked for
 * each contact of each step. */
Corners thinned(const Corners &corners, double most);

} // namespace hull

#endif
