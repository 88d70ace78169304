/* See far.h. */
#include "referee/far.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>

namespace far
{

namespace
{

using Wrap = btCollisionObjectWrapper;

/* GJK's distance may be short by its tolerance. */
constexpr double tolerance_m = 1e-5;

bool is_apart(const btVector3 &low,
              const btVector3 &high,
              const btVector3 &other_low,
              const btVector3 &other_high)
{
    for (int i = 0; i < 3; i++) {
        if (low[i] > other_high[i] || high[i] < other_low[i])
            return true;
    }
    return false;
}

/* `reach`: the greatest distance of two surfaces at which a contact is kept. */
bool is_far(const Wrap *hull, const Wrap *triangle, double reach)
{
    const auto *shape = static_cast<const Hull *>(hull->getCollisionShape());
    const auto *sheet =
        static_cast<const btTriangleShape *>(triangle->getCollisionShape());
    const btTransform to_hull =
        hull->getWorldTransform().inverseTimes(triangle->getWorldTransform());
    const btVector3 room(reach, reach, reach);
    btVector3 low = to_hull(sheet->m_vertices1[0]), high = low;
    for (int i = 1; i < 3; i++) {
        const btVector3 corner = to_hull(sheet->m_vertices1[i]);
        low.setMin(corner);
        high.setMax(corner);
    }
    return is_apart(low, high, shape->low - room, shape->high + room);
}

} // namespace

void Hull::add(const btVector3 &corner)
{
    if (getNumPoints() == 0)
        low = high = corner;
    low.setMin(corner);
    high.setMax(corner);
    addPoint(corner, false);
}

HullTriangle::HullTriangle(btCollisionAlgorithmCreateFunc *near) : ask(near)
{
}

btCollisionAlgorithm *HullTriangle::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo &info,
    const Wrap *hull,
    const Wrap *triangle)
{
    const btPersistentManifold *contacts = info.m_manifold;
    if (!contacts)
        return ask->CreateCollisionAlgorithm(info, hull, triangle);
    const double reach = contacts->getContactBreakingThreshold() +
                         hull->getCollisionShape()->getMargin() +
                         triangle->getCollisionShape()->getMargin() +
                         tolerance_m;
    return is_far(hull, triangle, reach)
               ? nothing.CreateCollisionAlgorithm(info, hull, triangle)
               : ask->CreateCollisionAlgorithm(info, hull, triangle);
}

} // namespace far
