/* See hull.h. */
#include "referee/hull.h"

#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>

namespace hull
{

namespace
{

constexpr double volume_least = 1e-15;

/* Faces of the hull as triangles: a fan about each one's first corner. */
template <typename Take>
void each_face(const btConvexHullComputer &hull, Take take)
{
    for (int f = 0; f < hull.faces.size(); f++) {
        const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[f]];
        const btVector3 &a = hull.vertices[first->getSourceVertex()];
        for (const btConvexHullComputer::Edge *e = first->getNextEdgeOfFace();
             e != first; e = e->getNextEdgeOfFace())
            take(a, hull.vertices[e->getSourceVertex()],
                 hull.vertices[e->getTargetVertex()]);
    }
}

btVector3 box_middle(const Corners &corners)
{
    btVector3 low = corners.front(), high = low;
    for (const btVector3 &p : corners) {
        low.setMin(p);
        high.setMax(p);
    }
    return (low + high) / 2;
}

/* The six ways along the axes and the eight between them. */
Corners ways_of_box()
{
    Corners ways;
    for (int i = 0; i < 27; i++) {
        const btVector3 way(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        const double length = way.length();
        if (length == 1 || length > 1.5)
            ways.push_back(way);
    }
    return ways;
}

bool has(const Corners &corners, const btVector3 &p)
{
    return std::find(corners.begin(), corners.end(), p) != corners.end();
}

} // namespace

Hull of(const Corners &corners)
{
    Hull ret;
    btConvexHullComputer computer;
    computer.compute(&corners[0].x(), sizeof(btVector3),
                     static_cast<int>(corners.size()), 0, 0);
    for (int i = 0; i < computer.vertices.size(); i++)
        ret.corners.push_back(computer.vertices[i]);
    if (ret.corners.empty())
        ret.corners = corners;
    const btVector3 inside = ret.corners.front();
    each_face(computer,
              [&](const btVector3 &a, const btVector3 &b, const btVector3 &c) {
                  const btVector3 across = (b - a).cross(c - a);
                  const double part = (a - inside).dot(across) / 6;
                  ret.volume += part;
                  ret.centre += (a + b + c + inside) * (part / 4);
                  if (across.length() > 1e-14)
                      ret.planes.push_back(
                          {across.normalized(), across.normalized().dot(a)});
              });
    if (std::fabs(ret.volume) <= volume_least) {
        ret.planes.clear();
        ret.volume = 0;
        ret.centre = box_middle(corners);
        return ret;
    }
    ret.centre /= ret.volume;
    if (ret.volume < 0) { /* its faces are turned inward */
        ret.volume = -ret.volume;
        for (Plane &plane : ret.planes)
            plane = {-plane.normal, -plane.offset};
    }
    return ret;
}

const btVector3 &farthest(const Corners &corners, const btVector3 &along)
{
    double most = -HUGE_VAL;
    std::size_t best = 0;
    for (std::size_t i = 0; i < corners.size(); i++) {
        const double at = corners[i].dot(along);
        if (at > most) {
            most = at;
            best = i;
        }
    }
    return corners[best];
}

Corners thinned(const Corners &corners, double most)
{
    constexpr std::size_t few = 16;
    Corners kept;
    if (corners.size() <= few)
        return corners;
    for (const btVector3 &way : ways_of_box()) {
        const btVector3 &p = farthest(corners, way);
        if (!has(kept, p))
            kept.push_back(p);
    }
    for (bool grows = true; grows;) {
        const Hull inner = of(kept);
        grows = false;
        if (inner.planes.empty())
            return corners;
        for (const Plane &plane : inner.planes) {
            const btVector3 &p = farthest(corners, plane.normal);
            if (plane.before(p) <= most || has(kept, p))
                continue;
            kept.push_back(p);
            grows = true;
        }
    }
    return kept;
}

} // namespace hull
