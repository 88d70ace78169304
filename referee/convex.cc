/* See convex.h. A table is legs and a top: its hull is a block in which nothing
 * can lie. It is cut where that makes the hulls of both sides smallest, again
 * and again, until hulls and surface are nearly one. */
#include "referee/convex.h"
#include "referee/hull.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace convex
{

namespace
{

using hull::Corners;
using hull::Hull;

/* of the thinnest side: a plate in a plate is as deep as it is thick */
constexpr double hollow_least = 0.002, hollow_share = 0.02;
/* out of a part's hull, at most */
constexpr double corner_most = 0.00025;
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

/* How deep the surface lies within its own hull at most. */
double hollow_of(const Corners &corners, const Hull &hull)
{
    double most = 0;
    const std::size_t triangles = corners.size() / 3,
                      step = triangles / samples_max + 1;
    for (std::size_t t = 0; t < triangles; t += step) {
        const btVector3 middle =
            (corners[3 * t] + corners[3 * t + 1] + corners[3 * t + 2]) / 3;
        double depth = HUGE_VAL;
        for (const hull::Plane &plane : hull.planes)
            depth = std::min(depth, -plane.before(middle));
        if (depth < HUGE_VAL)
            most = std::max(most, depth);
    }
    return most;
}

/* How far a ray from within goes before it leaves the hull. */
double way_out(const Hull &hull, const btVector3 &from, const btVector3 &along)
{
    double least = HUGE_VAL;
    for (const hull::Plane &plane : hull.planes) {
        const double speed = plane.normal.dot(along);
        if (speed > 1e-9)
            least = std::min(least, -plane.before(from) / speed);
    }
    return std::max(least, 0.0);
}

/* How far a ray goes before it meets one of the triangles; `most`: none so
 * near. */
double way_free(const Corners &corners,
                const btVector3 &from,
                const btVector3 &along,
                double most)
{
    constexpr double near = 1e-6; /* it begins on one of them */
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
        const btVector3 u = corners[t + 1] - corners[t],
                        v = corners[t + 2] - corners[t], p = along.cross(v);
        const double whole = u.dot(p);
        if (std::fabs(whole) < 1e-14)
            continue;
        const btVector3 s = from - corners[t], q = s.cross(u);
        const double a = s.dot(p) / whole, b = along.dot(q) / whole,
                     at = v.dot(q) / whole;
        const bool is_within = a >= 0 && b >= 0;
        if (is_within && a + b <= 1 && at > near)
            most = std::min(most, at);
    }
    return most;
}

/* How deep the hull fills what is open: from the surface straight outward to
 * the hull, or to the surface again. Beside it the depth of the surface knows
 * no bowl, whose inside is everywhere close to its outside. */
double filled_of(const Corners &corners, const Hull &hull)
{
    double most = 0;
    const std::size_t triangles = corners.size() / 3,
                      step = triangles / samples_max + 1;
    for (std::size_t t = 0; t < triangles; t += step) {
        const btVector3 *c = &corners[3 * t];
        const btVector3 normal = (c[1] - c[0]).cross(c[2] - c[0]),
                        middle = (c[0] + c[1] + c[2]) / 3;
        if (hull.planes.empty() || normal.length() < 1e-14)
            continue;
        const btVector3 along = normal.normalized();
        const double out = way_out(hull, middle, along);
        if (out > most)
            most = std::max(most, way_free(corners, middle, along, out));
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
        far.push_back(hull::farthest(corners, along));
    }
    return hull::of(far).volume;
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
    bool is_final; /* no cut gains anything there */
    double wants() const
    {
        return is_final ? 0 : hollow;
    }
};

Piece piece_of(Corners corners)
{
    Hull hull = hull::of(corners);
    const double hollow = hollow_of(corners, hull);
    return {std::move(corners), std::move(hull), hollow, false};
}

std::vector<Part> cut_anew(const Corners &corners, std::size_t parts_max)
{
    std::vector<Piece> pieces;
    const Box box = box_of(corners);
    const btVector3 size = box.high - box.low;
    const double most =
        std::max(hollow_least, hollow_share * size[size.minAxis()]);
    pieces.push_back(piece_of(corners));
    while (pieces.size() < parts_max) {
        auto worst = std::max_element(pieces.begin(), pieces.end(),
                                      [](const Piece &a, const Piece &b) {
                                          return a.wants() < b.wants();
                                      });
        if (worst->wants() <= most)
            break;
        Halves halves = cut_best(worst->corners);
        if (halves.low.empty() || halves.high.empty()) {
            worst->is_final = true;
            continue;
        }
        *worst = piece_of(std::move(halves.low));
        pieces.push_back(piece_of(std::move(halves.high)));
    }
    std::vector<Part> parts;
    for (const Piece &piece : pieces)
        parts.push_back({hull::thinned(piece.hull.corners, corner_most),
                         piece.hull.volume, piece.hull.centre,
                         filled_of(piece.corners, piece.hull)});
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
