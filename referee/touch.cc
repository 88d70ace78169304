/* See touch.h. Bullet takes a triangle for two-sided: a part that is through a
 * sheet by more than half is pushed out below it. And parts are hulls: a plate
 * in a plate overlaps it by as much as a hull fills. */
#include "referee/touch.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>

#include <algorithm>

namespace touch
{

namespace
{

using Wrap = btCollisionObjectWrapper;

/* the most cosine of two normals that look to opposite sides of a sheet */
constexpr double opposite = -0.7;
/* farther through the sheet than this it has come another way */
constexpr double through_m = 0.05;
/* files have things sunk by so much */
constexpr double sunk_m = 0.001;

struct Contact {
    btManifoldPoint &point;
    const Wrap *part, *other; /* the part is a free body's */
    int other_index;
    bool part_is_first; /* for Bullet */
};

Beginning &beginning_of(const Wrap *w)
{
    return *static_cast<Beginning *>(w->getCollisionObject()->getUserPointer());
}

bool is_triangle(const Wrap *w)
{
    return w->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE;
}

/* The part's point that lies farthest along it. */
btVector3 farthest(const Wrap *part, const btVector3 &to)
{
    const btTransform &at = part->getWorldTransform();
    const auto *hull =
        static_cast<const btConvexShape *>(part->getCollisionShape());
    return at(hull->localGetSupportingVertex(to * at.getBasis()));
}

/* `normal` leads from the other to the part, which is so far along it. */
void contact_set(Contact &c,
                 const btVector3 &on_part,
                 const btVector3 &normal,
                 double distance)
{
    btManifoldPoint &p = c.point;
    const btVector3 on_other = on_part - normal * distance;
    p.m_distance1 = distance;
    p.m_normalWorldOnB = c.part_is_first ? normal : -normal;
    p.m_positionWorldOnA = c.part_is_first ? on_part : on_other;
    p.m_positionWorldOnB = c.part_is_first ? on_other : on_part;
    const Wrap *a = c.part_is_first ? c.part : c.other,
               *b = c.part_is_first ? c.other : c.part;
    p.m_localPointA = a->getCollisionObject()->getWorldTransform().invXform(
        p.m_positionWorldOnA);
    p.m_localPointB = b->getCollisionObject()->getWorldTransform().invXform(
        p.m_positionWorldOnB);
}

btVector3 normal_of(const Contact &c)
{
    return c.part_is_first ? c.point.m_normalWorldOnB
                           : -c.point.m_normalWorldOnB;
}

double filled_of(const Wrap *part)
{
    const auto &filled = beginning_of(part).filled;
    const auto found = filled.find(part->getCollisionShape());
    return found == filled.end() ? 0 : found->second;
}

/* Of a pair's contacts in the first step the nearest, or deepest. */
void contact_begin(const Contact &c, Beginning::Met &met, bool is_new)
{
    const double most = filled_of(c.part) + filled_of(c.other) + sunk_m,
                 depth = std::max(0.0, -c.point.m_distance1);
    if (!is_new && depth <= met.overlap)
        return;
    met = {normal_of(c), std::min(most, depth)};
}

/* What would push the part on through the sheet pushes it back to the side on
 * which it began. */
void sheet_bear(Contact &c, const btVector3 &began)
{
    const auto *sheet =
        static_cast<const btTriangleShape *>(c.other->getCollisionShape());
    btVector3 normal;
    sheet->calcNormal(normal);
    if (normal.dot(began) < 0)
        normal = -normal;
    const bool is_face = normal.dot(began) > -opposite;
    if (!is_face || normal_of(c).dot(normal) > opposite)
        return;
    const btVector3 deepest = farthest(c.part, -normal);
    const double distance = (deepest - sheet->m_vertices1[0]).dot(normal);
    if (distance > -through_m)
        contact_set(c, deepest, normal, distance);
}

/* By what two overlapped when they began, they may do so on: the hulls fill
 * that, or the file has it so. */
void contact_correct(Contact &c)
{
    Beginning &beginning = beginning_of(c.part);
    const Beginning::Pair pair{c.part->getCollisionShape(),
                               c.other->getCollisionObject(), c.other_index};
    auto found = beginning.met.find(pair);
    if (beginning.is_first_step) {
        const bool is_new = found == beginning.met.end();
        if (is_new)
            found = beginning.met.emplace(pair, Beginning::Met{}).first;
        contact_begin(c, found->second, is_new);
    }
    if (found == beginning.met.end())
        return;
    const Beginning::Met &met = found->second;
    if (is_triangle(c.other) && met.overlap <= sunk_m)
        sheet_bear(c, met.normal);
    const btVector3 on_part = c.part_is_first ? c.point.m_positionWorldOnA
                                              : c.point.m_positionWorldOnB;
    if (met.overlap > 0)
        contact_set(c, on_part, normal_of(c),
                    c.point.m_distance1 + met.overlap);
}

bool contact_added(btManifoldPoint &p,
                   const Wrap *a,
                   int part_a,
                   int index_a,
                   const Wrap *b,
                   int part_b,
                   int index_b)
{
    (void)part_a;
    (void)part_b;
    const bool a_is_free = !a->getCollisionObject()->isStaticObject();
    Contact c = a_is_free ? Contact{p, a, b, index_b, true}
                          : Contact{p, b, a, index_a, false};
    contact_correct(c);
    return true;
}

} // namespace

void use()
{
    gContactAddedCallback = contact_added;
}

} // namespace touch
