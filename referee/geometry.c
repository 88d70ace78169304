#include "referee/geometry.h"

motion motion_identity(void)
{
    return (motion){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}

motion motion_after(const motion *a, const motion *b)
{
    motion c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                        a->m[i][2] * b->m[2][j];
        }
    }
    c.t = motion_apply(a, b->t);
    return c;
}

bool motion_invert(const motion *a, motion *ret)
{
    point r0 = {a->m[0][0], a->m[0][1], a->m[0][2]};
    point r1 = {a->m[1][0], a->m[1][1], a->m[1][2]};
    point r2 = {a->m[2][0], a->m[2][1], a->m[2][2]};
    point c0 = point_cross(r1, r2);
    point c1 = point_cross(r2, r0);
    point c2 = point_cross(r0, r1);
    double det = point_dot(r0, c0);
    if (!(fabs(det) > 1e-30))
        return false;
    motion b = {{{c0.x / det, c1.x / det, c2.x / det},
                 {c0.y / det, c1.y / det, c2.y / det},
                 {c0.z / det, c1.z / det, c2.z / det}},
                {0, 0, 0}};
    b.t = point_times(motion_apply(&b, a->t), -1);
    *ret = b;
    return true;
}

bool motion_same(const motion *a, const motion *b, const extent *e, double most)
{
    for (int corner = 0; corner < 8; corner++) {
        point p = {corner & 1 ? e->hi.x : e->lo.x,
                   corner & 2 ? e->hi.y : e->lo.y,
                   corner & 4 ? e->hi.z : e->lo.z};
        point apart = point_less(motion_apply(a, p), motion_apply(b, p));
        if (!(point_length(apart) <= most))
            return false;
    }
    return true;
}

bool motion_is_finite(const motion *a)
{
    double sum = a->t.x + a->t.y + a->t.z;
    for (int i = 0; i < 9; i++)
        sum += a->m[i / 3][i % 3];
    return isfinite(sum);
}
