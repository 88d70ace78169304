/* See physics.h. */
#include "referee/physics.h"
#include "referee/convex.h"
#include "referee/far.h"
#include "referee/touch.h"

#include <btBulletDynamicsCommon.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <vector>

namespace
{

constexpr double margin_m = 0.0005, mass_least = 0.05, mass_most = 50,
                 density = 500;
constexpr int seconds = 2, rest_part = 4, solver_rounds = 30;
/* metres, radians a second */
constexpr double rest_speed = 0.001, rest_turn = 0.02;
constexpr double fallen_m = 0.1;
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
    touch::Beginning *beginning;
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
        auto hull = std::make_unique<far::Hull>();
        for (const btVector3 &p : part.corners)
            hull->add(p - centre);
        /* While the margin is Bullet's 4 cm: a triangle must be found on the
         * other side of what has sunk through it. */
        hull->recalcLocalAabb();
        hull->setMargin(margin_m);
        whole->addChildShape(btTransform::getIdentity(), hull.get());
        thing.beginning->filled[hull.get()] = part.filled;
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
    thing.body->setCollisionFlags(
        thing.body->getCollisionFlags() |
        btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

class World
{
  public:
    World()
        : hull_triangle(settings.getCollisionAlgorithmCreateFunc(
              CONVEX_HULL_SHAPE_PROXYTYPE, TRIANGLE_SHAPE_PROXYTYPE)),
          dispatcher(&settings), broadphase(nullptr),
          world(&dispatcher, &broadphase, &solver, &settings)
    {
        world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        world.setGravity(btVector3(0, 0, -9.81));
        world.getSolverInfo().m_numIterations = solver_rounds;
        world.getSolverInfo().m_splitImpulse =
            1; /* what is pushed out of something gains no speed by it */
        world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
        dispatcher.registerCollisionCreateFunc(CONVEX_HULL_SHAPE_PROXYTYPE,
                                               TRIANGLE_SHAPE_PROXYTYPE,
                                               &hull_triangle);
        touch::use();
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
        Thing &thing = things.back();
        thing.beginning = &beginning;
        if (from.is_free)
            thing_free(thing, from);
        else
            thing_fix(thing, from);
        thing.body->setUserPointer(&beginning);
        world.addRigidBody(thing.body.get());
    }
    /* Who has been at rest for a while stays so, and who has come so far does
   * not come back: the rest of the time would show nothing but cost most. */
    void run(int pace)
    {
        const double step_s = 1.0 / pace;
        int rested = 0;
        for (int i = 0; i < seconds * pace && rested < pace / rest_part; i++) {
            world.stepSimulation(step_s, 1, step_s);
            beginning.is_first_step = false;
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
                const btVector3 way =
                    thing.body->getWorldTransform().getOrigin() -
                    thing.start.getOrigin();
                const bool is_slow =
                    thing.body->getLinearVelocity().length() < rest_speed &&
                    thing.body->getAngularVelocity().length() < rest_turn;
                return is_slow || way.length() > fallen_m;
            });
    }

    btDefaultCollisionConfiguration settings;
    far::HullTriangle hull_triangle;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    touch::Beginning beginning;
    std::vector<Thing> things; /* never moved: reserved */
};

/* ---- what is reckoned with together ---- */

constexpr double near_m = 0.1;

extent extent_of(const physics_body &body)
{
    extent ret = extent_empty();
    for (std::size_t i = 0; i < 3 * body.triangles; i++)
        extent_grow(&ret, body.corners[i]);
    return ret;
}

bool is_near(const extent &a, const extent &b)
{
    return extent_meets(&a, point{0, 0, 0}, near_m, &b);
}

/* Numbers of bodies: free ones of which each is near another, and what stays
 * near any of them. */
using Island = std::vector<std::size_t>;

class Islands
{
  public:
    Islands(const physics_body *list, std::size_t count)
        : bodies(list), boxes(count), is_taken(count, false)
    {
        for (std::size_t i = 0; i < count; i++)
            boxes[i] = extent_of(list[i]);
    }
    /* That of a free body; empty: it was in an earlier one. */
    Island take(std::size_t first)
    {
        Island ret;
        if (is_taken[first])
            return ret;
        is_taken[first] = true;
        ret.push_back(first);
        for (std::size_t k = 0; k < ret.size(); k++)
            add_near(ret[k], ret);
        const std::size_t free = ret.size();
        for (std::size_t i = 0; i < boxes.size(); i++) {
            const bool stays = bodies[i].triangles > 0 && !bodies[i].is_free;
            if (stays && std::any_of(ret.begin(), ret.begin() + free,
                                     [&](std::size_t k) {
                                         return is_near(boxes[k], boxes[i]);
                                     }))
                ret.push_back(i);
        }
        std::sort(ret.begin(), ret.end());
        return ret;
    }

  private:
    void add_near(std::size_t from, Island &to)
    {
        for (std::size_t i = 0; i < boxes.size(); i++) {
            const bool is_new = bodies[i].is_free && !is_taken[i];
            if (!is_new || !is_near(boxes[from], boxes[i]))
                continue;
            is_taken[i] = true;
            to.push_back(i);
        }
    }

    const physics_body *bodies;
    std::vector<extent> boxes;
    std::vector<bool> is_taken;
};

/* ---- what is known ---- */

/* Two sums over all bits of an island's bodies: who judges a list of steps asks
 * for the same ones again and again. */
using Print = std::pair<std::uint64_t, std::uint64_t>;

void print_add(Print &to, std::uint64_t word)
{
    to.first = (to.first ^ word) * 0x9e3779b97f4a7c15u;
    to.first ^= to.first >> 29;
    to.second = (to.second + word) * 0xd6e8feb86659fd93u;
    to.second ^= to.second >> 32;
}

Print print_of(const physics_body *bodies, const Island &island, int pace)
{
    Print ret{1, 2};
    print_add(ret, static_cast<std::uint64_t>(pace));
    for (const std::size_t i : island) {
        const physics_body &body = bodies[i];
        print_add(ret, 2 * body.triangles + body.is_free);
        for (std::size_t k = 0; k < 3 * body.triangles; k++) {
            for (const double number :
                 {body.corners[k].x, body.corners[k].y, body.corners[k].z}) {
                std::uint64_t word;
                std::memcpy(&word, &number, sizeof word);
                print_add(ret, word);
            }
        }
    }
    return ret;
}

std::vector<physics_drift> drifts_anew(const physics_body *bodies,
                                       const Island &island,
                                       int pace)
{
    auto world = std::make_unique<World>();
    std::vector<physics_drift> ret;
    world->reserve(island.size());
    for (const std::size_t i : island)
        world->add(bodies[i]);
    world->run(pace);
    for (std::size_t k = 0; k < island.size(); k++)
        ret.push_back(world->drift(k));
    return ret;
}

void island_settle(const physics_body *bodies,
                   const Island &island,
                   int pace,
                   physics_drift *ret)
{
    /* of a program with one thread */
    static std::map<Print, std::vector<physics_drift>> known;
    const bool is_asked =
        std::any_of(island.begin(), island.end(), [&](std::size_t i) {
            return bodies[i].is_free && bodies[i].is_asked;
        });
    if (!is_asked)
        return;
    const Print print = print_of(bodies, island, pace);
    auto found = known.find(print);
    if (found == known.end())
        found = known.emplace(print, drifts_anew(bodies, island, pace)).first;
    for (std::size_t k = 0; k < island.size(); k++) {
        const physics_body &body = bodies[island[k]];
        if (body.is_free && body.is_asked)
            ret[island[k]] = found->second[k];
    }
}

} // namespace

extern "C" bool physics_settle(const physics_body *bodies,
                               size_t count,
                               int pace,
                               physics_drift *ret)
{
    try {
        Islands islands(bodies, count);
        std::fill_n(ret, count, physics_drift{0, 0});
        for (std::size_t i = 0; i < count; i++) {
            if (bodies[i].is_free && bodies[i].triangles > 0)
                island_settle(bodies, islands.take(i), pace, ret);
        }
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}
