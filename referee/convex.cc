/* See convex.h. A table is legs and a top: its hull is a block in which nothing
 * can lie. It is cut where that makes the hulls of both sides smallest, again
 * and again, until hulls and surface are nearly one. */
#include "referee/convex.h"

#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace convex
{

namespace
{

using Corners = std::vector<btVector3>;

constexpr double hollow_least = 0.002, hollow_share = 0.02;
constexpr std::size_t samples_max = 400;

struct Box {
    btVector3 low, high;
};

Box box_of(const Corners &c)
{
    Box box{c.front(), c.front()};
    for (const btVector3 &p : c) {
        box.low.setMin(p);
        box.high.setMax(p);
    }
    return box;
}

struct Plane {
    btVector3 normal;
    double offset;
};

struct Hull {
    Corners corners;
    std::vector<Plane> planes; /* outward */
    double volume = 0;
    btVector3 centre{0, 0, 0};
};

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

Hull hull_of(const Corners &corners)
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
    ret.centre =
        std::fabs(ret.volume) > 1e-15 ? ret.centre / ret.volume : inside;
    if (std::fabs(ret.volume) > 1e-15)
        return ret;
    const Box box = box_of(corners); /* a sheet, or a line */
    ret.centre = (box.low + box.high) / 2;
    return ret;
}

/* How deep the surface lies within its own hull at most; outward or inward,
 * faces are turned as the computer has them. */
double hollow_of(const Corners &corners, const Hull &hull)
{
    double most = 0;
    if (std::fabs(hull.volume) <= 1e-15)
        return 0;
    const double sign = hull.volume > 0 ? 1 : -1;
    const std::size_t triangles = corners.size() / 3,
                      step = triangles / samples_max + 1;
    for (std::size_t t = 0; t < triangles; t += step) {
        const btVector3 middle =
            (corners[3 * t] + corners[3 * t + 1] + corners[3 * t + 2]) / 3;
        double depth = HUGE_VAL;
        for (const Plane &plane : hull.planes)
            depth = std::min(depth,
                             sign * (plane.offset - plane.normal.dot(middle)));
        if (depth < HUGE_VAL)
            most = std::max(most, depth);
    }
    return most;
}

/* The corner of a triangle's edge on the plane where axis = at. */
btVector3 edge_at(const btVector3 &a, const btVector3 &b, int axis, double at)
{
    const double share = (at - a[axis]) / (b[axis] - a[axis]);
    btVector3 p = a + (b - a) * share;
    p[axis] = at;
    return p;
}

/* What of a triangle is on one side, `sign` -1: below. */
void triangle_clip(
    const btVector3 *t, int axis, double at, double sign, Corners &to)
{
    std::array<btVector3, 4> kept;
    std::size_t count = 0;
    for (int i = 0; i < 3; i++) {
        const btVector3 &a = t[i], &b = t[(i + 1) % 3];
        const bool a_in = sign * (a[axis] - at) >= 0,
                   b_in = sign * (b[axis] - at) >= 0;
        if (a_in)
            kept[count++] = a;
        if (a_in != b_in)
            kept[count++] = edge_at(a, b, axis, at);
    }
    for (std::size_t i = 2; i < count; i++) {
        to.push_back(kept[0]);
        to.push_back(kept[i - 1]);
        to.push_back(kept[i]);
    }
}

struct Halves {
    Corners low, high;
};

Halves halves_of(const Corners &corners, int axis, double at)
{
    Halves ret;
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
        triangle_clip(&corners[t], axis, at, -1, ret.low);
        triangle_clip(&corners[t], axis, at, 1, ret.high);
    }
    return ret;
}

const btVector3 &farthest_of(const Corners &corners, const btVector3 &along)
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

/* About its hull's volume: that of the corners which lie farthest along
 * directions spread over the sphere. */
double volume_about(const Corners &corners)
{
    constexpr int directions = 48;
    Corners far;
    if (corners.empty())
        return 0;
    for (int k = 0; k < directions; k++) {
        const double z = 1 - (2 * k + 1.0) / directions,
                     turn = 2.399963229728653 * k, flat = std::sqrt(1 - z * z);
        const btVector3 along(flat * std::cos(turn), flat * std::sin(turn), z);
        far.push_back(farthest_of(corners, along));
    }
    return std::fabs(hull_of(far).volume);
}

/* The cut that leaves the smallest hulls, of three along each axis; the longest
 * side's middle where all are alike. */
Halves cut_best(const Corners &corners)
{
    const Box box = box_of(corners);
    const btVector3 size = box.high - box.low;
    const int longest = size.maxAxis();
    Halves best =
        halves_of(corners, longest, (box.low[longest] + box.high[longest]) / 2);
    double least =
        (volume_about(best.low) + volume_about(best.high)) * (1 - 1e-3);
    for (int i = 0; i < 9; i++) {
        const int axis = i / 3;
        const double at = box.low[axis] + size[axis] * (i % 3 + 1) / 4;
        Halves halves = halves_of(corners, axis, at);
        if (halves.low.empty() || halves.high.empty())
            continue;
        const double volume =
            volume_about(halves.low) + volume_about(halves.high);
        if (volume >= least)
            continue;
        least = volume * (1 - 1e-3);
        best = std::move(halves);
    }
    return best;
}

struct Piece {
    Corners corners;
    Hull hull;
    double hollow;
};

Piece piece_of(Corners corners)
{
    Hull hull = hull_of(corners);
    const double hollow = hollow_of(corners, hull);
    return {std::move(corners), std::move(hull), hollow};
}

std::vector<Part> cut_anew(const Corners &corners, std::size_t parts_max)
{
    std::vector<Piece> pieces;
    const Box box = box_of(corners);
    const double most =
        std::max(hollow_least, hollow_share * (box.high - box.low).length());
    pieces.push_back(piece_of(corners));
    while (pieces.size() < parts_max) {
        auto worst = std::max_element(
            pieces.begin(), pieces.end(),
            [](const Piece &a, const Piece &b) { return a.hollow < b.hollow; });
        if (worst->hollow <= most)
            break;
        Halves halves = cut_best(worst->corners);
        if (halves.low.empty() || halves.high.empty()) {
            worst->hollow = 0; /* nothing is gained there */
            continue;
        }
        *worst = piece_of(std::move(halves.low));
        pieces.push_back(piece_of(std::move(halves.high)));
    }
    std::vector<Part> parts;
    for (Piece &piece : pieces)
        parts.push_back({std::move(piece.hull.corners),
                         std::fabs(piece.hull.volume), piece.hull.centre});
    return parts;
}

/* What was cut lately: who judges a list of steps asks for what an earlier one
 * moved again and again, as it stands. */
struct Known {
    Corners corners;
    std::size_t parts_max;
    std::vector<Part> parts;
};

constexpr std::size_t known_max = 64;

bool known_is(const Known &known, const Corners &corners, std::size_t parts_max)
{
    return known.parts_max == parts_max &&
           known.corners.size() == corners.size() &&
           std::equal(corners.begin(), corners.end(), known.corners.begin());
}

} // namespace

std::vector<Part> cut(const std::vector<btVector3> &corners,
                      std::size_t parts_max)
{
    static std::vector<Known> known; /* of a program with one thread */
    if (corners.empty())
        return {};
    for (const Known &one : known) {
        if (known_is(one, corners, parts_max))
            return one.parts;
    }
    if (known.size() == known_max)
        known.erase(known.begin());
    known.push_back({corners, parts_max, cut_anew(corners, parts_max)});
    return known.back().parts;
}

} // namespace convex
