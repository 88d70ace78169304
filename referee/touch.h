/* What a contact is, beyond what Bullet finds by itself: from which side a
 * sheet bears, and how much of an overlap is the hulls' own. C++, for
 * physics.cc alone. */
#ifndef ETNA_REFEREE_TOUCH_H
#define ETNA_REFEREE_TOUCH_H

#include <btBulletDynamicsCommon.h>

#include <map>
#include <tuple>

namespace touch
{

/* Of a world; what the user pointer of each of its bodies points to. */
struct Beginning {
    bool is_first_step = true;
    /* how deep a free body's part fills what is open */
    std::map<const btCollisionShape *, double> filled;
    /* by part, the other body, and the number of its part or triangle */
    using Pair = std::tuple<const btCollisionShape *, const void *, int>;
    struct Met {
        btVector3 normal; /* from the other to the part */
        double overlap;   /* 0: they were apart */
    };
    std::map<Pair, Met> met; /* within 2 cm of one another */
};

/* From now on Bullet asks this of each contact of a body with
 * CF_CUSTOM_MATERIAL_CALLBACK. */
void use();

} // namespace touch

#endif
