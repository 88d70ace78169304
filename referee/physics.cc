/* See physics.h. */
#include "referee/physics.h"
#include "referee/convex.h"

#include <btBulletDynamicsCommon.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

namespace
{

constexpr double step_s = 1.0 / 240, margin_m = 0.0005, mass_least = 0.05,
                 mass_most = 50, density = 500;
constexpr int steps = 480, solver_rounds = 30, rest_steps = 60;
/* metres, radians a second */
constexpr double rest_speed = 0.001, rest_turn = 0.02;
/* what has no thickness is taken for so thick */
constexpr double sheet_m = 0.001;

btVector3 vector_of(const point &p)
{
    return btVector3(p.x, p.y, p.z);
}

/* One thing and all that it is made of; what a body refers to must outlive
 * it. */
struct Thing {
    /* the last is its own */
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::unique_ptr<btTriangleMesh> mesh;
    std::unique_ptr<btRigidBody> body;
    btTransform start;
};

void thing_fix(Thing &thing, const physics_body &from)
{
    thing.mesh = std::make_unique<btTriangleMesh>();
    for (std::size_t t = 0; t < from.triangles; t++) {
        const point *c = from.corners + 3 * t;
        thing.mesh->addTriangle(vector_of(c[0]), vector_of(c[1]),
                                vector_of(c[2]));
    }
    thing.shapes.push_back(
        std::make_unique<btBvhTriangleMeshShape>(thing.mesh.get(), true));
    thing.shapes.back()->setMargin(0);
    thing.start.setIdentity();
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr,
                                                  thing.shapes.back().get());
    info.m_friction = 0.8;
    thing.body = std::make_unique<btRigidBody>(info);
}

/* The centre of mass, all parts being equally dense; sheets weigh by their
 * boxes. */
btVector3 parts_centre(const std::vector<convex::Part> &parts,
                       double *ret_volume)
{
    btVector3 sum(0, 0, 0);
    double whole = 0;
    for (const convex::Part &part : parts) {
        const double volume = std::max(part.volume, 1e-9);
        sum += part.centre * volume;
        whole += volume;
    }
    *ret_volume = whole;
    return sum / whole;
}

btVector3 inertia_of(const btVector3 &size, double mass)
{
    const btVector3 s(std::max(size.x(), sheet_m), std::max(size.y(), sheet_m),
                      std::max(size.z(), sheet_m));
    const btVector3 q = s * s;
    return btVector3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()) * (mass / 12);
}

void thing_free(Thing &thing, const physics_body &from)
{
    std::vector<btVector3> corners;
    btVector3 low = vector_of(from.corners[0]), high = low;
    double volume = 0;
    for (std::size_t i = 0; i < 3 * from.triangles; i++) {
        corners.push_back(vector_of(from.corners[i]));
        low.setMin(corners.back());
        high.setMax(corners.back());
    }
    const std::vector<convex::Part> parts =
        convex::cut(corners, PHYSICS_PARTS_MAX);
    const btVector3 centre = parts_centre(parts, &volume);
    auto whole = std::make_unique<btCompoundShape>();
    for (const convex::Part &part : parts) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const btVector3 &p : part.corners)
            hull->addPoint(p - centre, false);
        hull->recalcLocalAabb();
        hull->setMargin(margin_m);
        whole->addChildShape(btTransform::getIdentity(), hull.get());
        thing.shapes.push_back(std::move(hull));
    }
    const double mass = std::clamp(volume * density, mass_least, mass_most);
    thing.shapes.push_back(std::move(whole));
    thing.start = btTransform(btQuaternion::getIdentity(), centre);
    btRigidBody::btRigidBodyConstructionInfo info(
        mass, nullptr, thing.shapes.back().get(), inertia_of(high - low, mass));
    info.m_startWorldTransform = thing.start;
    info.m_friction = 0.8;
    info.m_rollingFriction = 0.001;
    info.m_spinningFriction =
        0.005; /* a foot of a few centimetres does not turn as if on a needle */
    thing.body = std::make_unique<btRigidBody>(info);
    thing.body->setActivationState(DISABLE_DEACTIVATION);
}

class World
{
  public:
    World()
        : dispatcher(&settings), broadphase(nullptr),
          world(&dispatcher, &broadphase, &solver, &settings)
    {
        world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        world.setGravity(btVector3(0, 0, -9.81));
        world.getSolverInfo().m_numIterations = solver_rounds;
        world.getSolverInfo().m_splitImpulse =
            1; /* what is pushed out of something gains no speed by it */
        world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    }
    ~World()
    {
        for (Thing &thing : things)
            world.removeRigidBody(thing.body.get());
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    void add(const physics_body &from)
    {
        things.emplace_back();
        if (from.is_free)
            thing_free(things.back(), from);
        else
            thing_fix(things.back(), from);
        world.addRigidBody(things.back().body.get());
    }
    /* Who has been at rest for a while stays so: the rest of the time would
     * show nothing but cost most. */
    void run()
    {
        int rested = 0;
        for (int i = 0; i < steps && rested < rest_steps; i++) {
            world.stepSimulation(step_s, 1, step_s);
            rested = rests() ? rested + 1 : 0;
        }
    }
    physics_drift drift(std::size_t i) const
    {
        const btTransform now = things[i].body->getWorldTransform();
        const double turn =
            now.getRotation().angleShortestPath(things[i].start.getRotation());
        return {(now.getOrigin() - things[i].start.getOrigin()).length(),
                turn * (180 / SIMD_PI)};
    }
    void reserve(std::size_t count)
    {
        things.reserve(count);
    }

  private:
    bool rests() const
    {
        return std::all_of(
            things.begin(), things.end(), [](const Thing &thing) {
                return thing.body->getLinearVelocity().length() < rest_speed &&
                       thing.body->getAngularVelocity().length() < rest_turn;
            });
    }

    btDefaultCollisionConfiguration settings;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<Thing> things;
};

} // namespace

extern "C" bool physics_settle(const physics_body *bodies,
                               size_t count,
                               physics_drift *ret)
{
    try {
        auto world = std::make_unique<World>();
        std::vector<std::size_t> at(count, SIZE_MAX);
        std::size_t used = 0;
        world->reserve(count);
        for (std::size_t i = 0; i < count; i++) {
            if (!bodies[i].triangles)
                continue;
            world->add(bodies[i]);
            at[i] = used++;
        }
        world->run();
        for (std::size_t i = 0; i < count; i++) {
            const bool may_move = bodies[i].is_free && at[i] != SIZE_MAX;
            ret[i] = may_move ? world->drift(at[i]) : physics_drift{0, 0};
        }
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}
