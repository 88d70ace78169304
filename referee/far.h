/* Which triangles Bullet need not look at. It asks each triangle within a body's
 * box for its distance by GJK, and the box is wider than the body by all that a
 * body may sink in. Of a book of ten thousand triangles all lie within the box
 * of a tablet on it; most are farther from the tablet than a contact can be.
 * C++, for physics.cc alone. */
#ifndef ETNA_REFEREE_FAR_H
#define ETNA_REFEREE_FAR_H

#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h>

namespace far
{

/* Every hull of a world that uses HullTriangle is one of these. */
class Hull : public btConvexHullShape
{
  public:
    void add(const btVector3 &corner);
    /* Without any margin, in its own frame. */
    btVector3 low, high;
};

/* Makes what finds contacts of a Hull with a triangle: Bullet's own way, unless
 * the hull's box, along the hull's own axes, is farther from the triangle than
 * any contact. What is found stays the same to the bit. */
class HullTriangle : public btCollisionAlgorithmCreateFunc
{
  public:
    /* `near`: Bullet's own; borrowed. */
    explicit HullTriangle(btCollisionAlgorithmCreateFunc *near);
    btCollisionAlgorithm *CreateCollisionAlgorithm(
        btCollisionAlgorithmConstructionInfo &info,
        const btCollisionObjectWrapper *hull,
        const btCollisionObjectWrapper *triangle) override;

  private:
    btCollisionAlgorithmCreateFunc *ask;
    btEmptyAlgorithm::CreateFunc nothing;
};

} // namespace far

#endif
