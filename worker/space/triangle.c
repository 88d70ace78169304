/* The fixed triangle tests: cut, distance, sweep, winding. Double, no library
 * function but sqrt and fabs (winding uses math_atan2), sums in a fixed order,
 * so that every machine gives the same bits (ARCHITECTURE.md, The same bits).
 *
 * Degenerate input is the normal case in real files. A triangle without area is
 * met by nothing: it covers nothing that its neighbours don't. A vertex exactly
 * on a plane counts as above it, for every triangle of the object alike, so a
 * surface that passes through a plane along a ring of vertices is still cut by
 * it (by the triangles below), while one that lies on the plane is cut
 * nowhere. */
#include "worker/space/space_internal.h"

/* ---- cut ---- */
/* The plane's unscaled normal and its squared length; false when the triangle
 * is thinner than rounding. */
static bool wide_plane_of(const vec3 t[3],
                          vec3 *ret_normal,
                          double *ret_length2)
{
    vec3 e0 = v3_sub(t[1], t[0]);
    vec3 e1 = v3_sub(t[2], t[0]);
    vec3 e2 = v3_sub(t[2], t[1]);
    vec3 n = v3_cross(e0, e1);
    double area2 = v3_dot(n, n);
    double l0 = v3_dot(e0, e0);
    double l1 = v3_dot(e1, e1);
    double l2 = v3_dot(e2, e2);
    double longest = math_max(l0, l1);
    longest = math_max(longest, l2);
    *ret_normal = n;
    *ret_length2 = area2;
    return area2 > SPACE_NOISE * SPACE_NOISE * longest;
}

/* Against its longest side: the height over it is more than a hundred times
 * rounding. */
bool triangle_wide(vec3 a, vec3 b, vec3 c)
{
    const double wide = 100 * SPACE_NOISE;
    vec3 e0 = v3_sub(b, a);
    vec3 e1 = v3_sub(c, a);
    vec3 e2 = v3_sub(c, b);
    vec3 n = v3_cross(e0, e1);
    double l0 = v3_dot(e0, e0);
    double l1 = v3_dot(e1, e1);
    double l2 = v3_dot(e2, e2);
    double longest = math_max(l0, l1);
    return v3_dot(n, n) > wide * wide * math_max(longest, l2);
}

static bool triangle_plane(const vec3 t[3], vec3 *ret_normal)
{
    double length2;
    vec3 n;
    if (!wide_plane_of(t, &n, &length2))
        return false;
    *ret_normal = v3_scale(n, 1 / sqrt(length2));
    return true;
}

/* The stretch of triangle t within the plane whose signed distances are d (some
 * above, some below), as two points. */
static void stretch_in_plane(const vec3 t[3], const double d[3], vec3 ret[2])
{
    int lone = 0; /* the vertex alone on its side */
    for (int i = 0; i < 3; i++)
        if ((d[i] >= -SPACE_NOISE) != (d[(i + 1) % 3] >= -SPACE_NOISE) &&
            (d[i] >= -SPACE_NOISE) != (d[(i + 2) % 3] >= -SPACE_NOISE))
            lone = i;
    for (int k = 0; k < 2; k++) {
        int other = (lone + 1 + k) % 3;
        double s = d[lone] / (d[lone] - d[other]);
        s = math_clamp(s, 0, 1);
        ret[k] = v3_add_scaled(t[lone], v3_sub(t[other], t[lone]), s);
    }
}

/* On both sides of the plane? `normal` is not scaled: the distances are squared
 * against its length, which is cheaper than the root that most pairs never
 * need. */
static bool straddles(const vec3 t[3], vec3 normal, double length2, vec3 point)
{
    int below = 0;
    double limit = SPACE_NOISE * SPACE_NOISE * length2;
    for (int i = 0; i < 3; i++) {
        double d = v3_dot(normal, v3_sub(t[i], point));
        below += d < 0 && d * d > limit;
    }
    return below == 1 || below == 2;
}

static void distances(const vec3 t[3], vec3 normal, vec3 point, double ret[3])
{
    for (int i = 0; i < 3; i++)
        ret[i] = v3_dot(normal, v3_sub(t[i], point));
}

/* Both straddle the other's plane and their stretches on the common line
 * overlap. Parallel planes never cut. */
bool triangle_cut(const vec3 a[3], const vec3 b[3])
{
    vec3 na, nb, pa[2], pb[2];
    double la, lb, da[3], db[3];
    if (!wide_plane_of(b, &nb, &lb) || !straddles(a, nb, lb, b[0]))
        return false;
    if (!wide_plane_of(a, &na, &la) || !straddles(b, na, la, a[0]))
        return false;
    na = v3_scale(na, 1 / sqrt(la));
    nb = v3_scale(nb, 1 / sqrt(lb));
    distances(a, nb, b[0], da);
    distances(b, na, a[0], db);
    vec3 line = v3_cross(na, nb);
    double length = v3_length(line);
    if (length < 1e-9) /* parallel: what straddles is rounding */
        return false;
    line = v3_scale(line, 1 / length);
    stretch_in_plane(a, da, pa);
    stretch_in_plane(b, db, pb);
    double a0 = v3_dot(line, v3_sub(pa[0], b[0]));
    double a1 = v3_dot(line, v3_sub(pa[1], b[0]));
    double b0 = v3_dot(line, v3_sub(pb[0], b[0]));
    double b1 = v3_dot(line, v3_sub(pb[1], b[0]));
    double low = math_min(a0, a1);
    double high = math_max(a0, a1);
    double low_b = math_min(b0, b1);
    double high_b = math_max(b0, b1);
    return math_min(high, high_b) - math_max(low, low_b) > SPACE_NOISE;
}

/* ---- distance ---- */

static double segment_distance2(vec3 p, vec3 pe, vec3 q, vec3 qe)
{
    vec3 d1 = v3_sub(pe, p);
    vec3 d2 = v3_sub(qe, q);
    vec3 r = v3_sub(p, q);
    double a = v3_dot(d1, d1);
    double e = v3_dot(d2, d2);
    double f = v3_dot(d2, r);
    double c = v3_dot(d1, r);
    double b = v3_dot(d1, d2);
    double s = 0, t = 0;
    double denominator = a * e - b * b;
    if (a > 0 && e > 0) {
        s = denominator > 0 ? math_clamp((b * f - c * e) / denominator, 0, 1)
                            : 0;
        t = (b * s + f) / e;
        if (t < 0 || t > 1) {
            t = math_clamp(t, 0, 1);
            s = math_clamp((b * t - c) / a, 0, 1);
        }
    } else if (a > 0) {
        s = math_clamp(-c / a, 0, 1);
    } else if (e > 0) {
        t = math_clamp(f / e, 0, 1);
    }
    vec3 gap = v3_sub(v3_add_scaled(p, d1, s), v3_add_scaled(q, d2, t));
    return v3_dot(gap, gap);
}

/* Squared distance of p to the triangle's face when p lies above its inside,
 * else INFINITY: edges are the segments' part. */
static double face_distance2(vec3 p, const vec3 t[3])
{
    vec3 n;
    if (!triangle_plane(t, &n))
        return INFINITY;
    for (int i = 0; i < 3; i++)
        if (v3_dot(v3_cross(v3_sub(t[(i + 1) % 3], t[i]), v3_sub(p, t[i])), n) <
            0)
            return INFINITY;
    double d = v3_dot(n, v3_sub(p, t[0]));
    return d * d;
}

double triangle_distance2(const vec3 a[3], const vec3 b[3])
{
    if (triangle_cut(a, b))
        return 0;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double d =
                segment_distance2(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
            best = math_min(d, best);
        }
        double d = face_distance2(a[i], b);
        best = math_min(d, best);
        d = face_distance2(b[i], a);
        best = math_min(d, best);
    }
    return best;
}

static vec3 segment_nearest(vec3 p, vec3 a, vec3 b)
{
    vec3 e = v3_sub(b, a);
    double l = v3_dot(e, e);
    return l > 0 ? v3_add_scaled(a, e,
                                 math_clamp(v3_dot(v3_sub(p, a), e) / l, 0, 1))
                 : a;
}

vec3 triangle_nearest(vec3 p, vec3 a, vec3 b, vec3 c)
{
    vec3 e0 = v3_sub(b, a);
    vec3 e1 = v3_sub(c, a);
    vec3 d = v3_sub(p, a);
    vec3 n = v3_cross(e0, e1);
    double area2 = v3_dot(n, n);
    if (area2 > 0) {
        /* weights of b and c, by area2 */
        double v = v3_dot(v3_cross(d, e1), n);
        double w = v3_dot(v3_cross(e0, d), n);
        if (v >= 0 && w >= 0 && v + w <= area2)
            return v3_add_scaled(v3_add_scaled(a, e0, v / area2), e1,
                                 w / area2);
    }
    vec3 best = segment_nearest(p, a, b);
    for (int k = 0; k < 2; k++) {
        vec3 at = k ? segment_nearest(p, c, a) : segment_nearest(p, b, c);
        vec3 was = v3_sub(best, p);
        vec3 is = v3_sub(at, p);
        if (v3_dot(is, is) < v3_dot(was, was))
            best = at;
    }
    return best;
}

/* ---- sweep ---- */
/* p moves along d: when does it pass through the face t? `inner` decides
 * whether, `p` when. */
static void sweep_vertex(
    vec3 p, vec3 inner, const vec3 t[3], vec3 d, double *best)
{
    vec3 n;
    if (!triangle_plane(t, &n))
        return;
    double speed = v3_dot(n, d);
    if (fabs(speed) < 1e-9) /* slides along */
        return;
    double when_inner = v3_dot(n, v3_sub(t[0], inner)) / speed;
    double when = v3_dot(n, v3_sub(t[0], p)) / speed;
    if (when_inner < 0)
        return;
    when = math_max(0, when);
    if (when >= *best)
        return;
    vec3 at = v3_add_scaled(inner, d, when_inner);
    for (int i = 0; i < 3; i++)
        if (v3_dot(v3_cross(v3_sub(t[(i + 1) % 3], t[i]), v3_sub(at, t[i])),
                   n) < 0)
            return;
    *best = when;
}

/* The edge p moves along d: when does it meet the edge q? */
static void sweep_edge(
    const vec3 p[2], const vec3 inner[2], const vec3 q[2], vec3 d, double *best)
{
    vec3 eq = v3_sub(q[1], q[0]);
    vec3 ei = v3_sub(inner[1], inner[0]);
    vec3 ep = v3_sub(p[1], p[0]);
    vec3 n = v3_cross(ei, eq);
    vec3 n_true = v3_cross(ep, eq);
    double scale = v3_length(n);
    double scale_true = v3_length(n_true);
    double speed = v3_dot(n, d);
    double speed_true = v3_dot(n_true, d);
    if (fabs(speed) <= 1e-9 * scale || fabs(speed_true) <= 1e-9 * scale_true ||
        scale == 0)
        return; /* parallel edges are their ends' business */
    double when_inner = v3_dot(n, v3_sub(q[0], inner[0])) / speed;
    double when = v3_dot(n_true, v3_sub(q[0], p[0])) / speed_true;
    if (!(when_inner >= 0) || !isfinite(when))
        return;
    when = math_max(0, when);
    if (when >= *best)
        return;
    /* At that time the edges lie in one plane with normal n: where do they
     * cross? */
    vec3 r = v3_sub(q[0], v3_add_scaled(inner[0], d, when_inner));
    double nn = scale * scale;
    double s = v3_dot(v3_cross(r, eq), n) / nn;
    double u = v3_dot(v3_cross(r, ei), n) / nn;
    if (s < 0 || s > 1)
        return;
    if (u < 0 || u > 1)
        return;
    *best = when;
}

bool triangle_sweep(const vec3 a[3],
                    const vec3 inner[3],
                    const vec3 b[3],
                    vec3 d,
                    double limit,
                    double *ret_t)
{
    double best = limit;
    vec3 back = v3_scale(d, -1);
    for (int i = 0; i < 3; i++)
        sweep_vertex(a[i], inner[i], b, d, &best);
    for (int i = 0; i < 3; i++) {
        /* A vertex of b against the moving face: the same from the face's view,
         * where b moves back. The inside test needs the inner face, the time
         * the true one. */
        vec3 n, n_true;
        if (!triangle_plane(inner, &n) || !triangle_plane(a, &n_true))
            break;
        double speed = v3_dot(n_true, d);
        double when_inner = INFINITY;
        sweep_vertex(b[i], b[i], inner, back, &when_inner);
        if (!isfinite(when_inner) || fabs(speed) < 1e-9)
            continue;
        double when = v3_dot(n_true, v3_sub(b[i], a[0])) / speed;
        when = math_max(0, when);
        best = math_min(when, best);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sweep_edge((vec3[2]){a[i], a[(i + 1) % 3]},
                       (vec3[2]){inner[i], inner[(i + 1) % 3]},
                       (vec3[2]){b[k], b[(k + 1) % 3]}, d, &best);
    if (best >= limit)
        return false;
    *ret_t = best;
    return true;
}

double triangle_winding(vec3 p, vec3 a, vec3 b, vec3 c)
{
    a = v3_sub(a, p);
    b = v3_sub(b, p);
    c = v3_sub(c, p);
    double la = v3_length(a);
    double lb = v3_length(b);
    double lc = v3_length(c);
    double numerator = v3_dot(a, v3_cross(b, c));
    double denominator = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la +
                         v3_dot(c, a) * lb;
    return math_atan2(numerator, denominator) / (2 * MATH_PI);
}
