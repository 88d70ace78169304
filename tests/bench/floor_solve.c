/* The descent's bare arithmetic: 800 steps of AdamW over 64 lanes on the six
 * constraints, all in one loop over the lanes, with no term list, no general
 * faces and no judging. What the solver's lines stand on, by vector width. */
#include "tests/bench/bench.h"
#include "worker/solve/problem.h"

#include <math.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3,no-trapping-math,no-math-errno")
#endif

enum {
    LANES = 64,
    EDGES = 4
};
#define ALWAYS static inline __attribute__((always_inline))

typedef struct numbers { /* the problem in single precision */
    float half[3], eye[3], right[3], up[3], forward[3], scale[2], target[2];
    float normal[3], q, outward[EDGES][3], reach[EDGES];
    float far_from[3], distance, face_to[2][2];
    float lane_x[LANES], lane_y[LANES];
} numbers;

typedef struct state {
    float at[4][LANES], first[4][LANES], second[4][LANES];
} state;

ALWAYS void sines(float angle, float *sine, float *cosine)
{
    float quarter = angle * 0.63661977f + 12582912.0f - 12582912.0f,
          r = (angle - quarter * 1.5707964f), r2 = r * r;
    float s =
        r +
        r * r2 * (-1.6666667e-1f + r2 * (8.3333310e-3f + r2 * -1.9840874e-4f));
    float c =
        1 - 0.5f * r2 +
        r2 * r2 * (4.1666646e-2f + r2 * (-1.3887316e-3f + r2 * 2.4433157e-5f));
    int q = (int)quarter;
    float a = (q & 1) ? c : s, b = (q & 1) ? s : c;
    *sine = (q & 2) ? -a : a;
    *cosine = ((q + 1) & 2) ? -b : b;
}

ALWAYS void adamw(
    float g, float size, float root, float *first, float *second, float *value)
{
    *first += 0.1f * (g - *first);
    *second = *second * 0.999f + 0.001f * (g * g);
    *value -= size * (*first / (sqrtf(*second) / root + 1e-8f));
}

ALWAYS void one_step(const numbers *restrict n,
                     state *restrict w,
                     float size,
                     float root)
{
    for (int i = 0; i < LANES; i++) {
        float x = w->at[0][i], y = w->at[1][i], z = w->at[2][i], s, c, gx, gy,
              gz, gt = 0;
        sines(w->at[3][i], &s, &c);
        { /* CloseToPix */
            float dx = x - n->eye[0], dy = y - n->eye[1], dz = z - n->eye[2];
            float X = n->right[0] * dx + n->right[1] * dy + n->right[2] * dz,
                  Y = n->up[0] * dx + n->up[1] * dy + n->up[2] * dz;
            float D = n->forward[0] * dx + n->forward[1] * dy +
                      n->forward[2] * dz,
                  near = 1 / (D > 0.01f ? D : 0.01f);
            float ox = 0.5f + X * n->scale[0] * near -
                       (n->target[0] + n->lane_x[i]),
                  oy = 0.5f - Y * n->scale[1] * near -
                       (n->target[1] + n->lane_y[i]);
            float A = ox * n->scale[0] * near, B = -oy * n->scale[1] * near,
                  C = -(A * X + B * Y) * near;
            gx = A * n->right[0] + B * n->up[0] + C * n->forward[0];
            gy = A * n->right[1] + B * n->up[1] + C * n->forward[1];
            gz = A * n->right[2] + B * n->up[2] + C * n->forward[2];
        }
        { /* Contact of the bottom */
            float a = c * n->normal[0] + s * n->normal[1],
                  b = c * n->normal[1] - s * n->normal[0], hx = n->half[0],
                  hy = n->half[1];
            float base = n->normal[0] * x + n->normal[1] * y +
                         n->normal[2] * (z - n->half[2]) - n->q,
                  best = INFINITY, turn = 0, under = 0, turned = 0;
            for (int k = 0; k < 4; k++) {
                float lx = k & 1 ? hx : -hx, ly = k & 2 ? hy : -hy,
                      h = base + lx * a + ly * b, t = lx * b - ly * a,
                      u = h < 0 ? 0.25f : 0;
                turn = fabsf(h) < fabsf(best) ? t : turn;
                best = fabsf(h) < fabsf(best) ? h : best;
                under += u;
                turned += u * t;
            }
            float sign = best > 0   ? 1.0f
                         : best < 0 ? -1.0f
                                    : 0.0f,
                  along = 100 * (sign - under);
            gx += along * n->normal[0];
            gy += along * n->normal[1];
            gz += along * n->normal[2];
            gt += 100 * (sign * turn - turned);
        }
        { /* NoOverhang */
            float out = 0, wx = 0, wy = 0, wz = 0, turn = 0;
            for (int j = 0; j < EDGES; j++) {
                const float *o = n->outward[j];
                float a = c * o[0] + s * o[1], b = c * o[1] - s * o[0];
                float v = o[0] * x + o[1] * y + o[2] * z - n->reach[j] +
                          n->half[0] * fabsf(a) + n->half[1] * fabsf(b);
                float t = n->half[0] * (a < 0 ? -b : b) -
                          n->half[1] * (b < 0 ? -a : a);
                wx = v > out ? o[0] : wx;
                wy = v > out ? o[1] : wy;
                wz = v > out ? o[2] : wz;
                turn = v > out ? t : turn;
                out = v > out ? v : out;
            }
            gx += 20 * wx;
            gy += 20 * wy;
            gz += 20 * wz;
            gt += 20 * turn;
        }
        { /* Distance */
            float dx = x - n->far_from[0], dy = y - n->far_from[1],
                  dz = z - n->far_from[2],
                  length = sqrtf(dx * dx + dy * dy + dz * dz);
            float k = 0.6f * (length - n->distance) / length;
            gx += k * dx;
            gy += k * dy;
            gz += k * dz;
        }
        /* FaceTo an object, FaceTo the camera; the front is -y */
        for (int f = 0; f < 2; f++) {
            float vx = s, vy = -c, dx = n->face_to[f][0] - x,
                  dy = n->face_to[f][1] - y,
                  inverse = 1 / sqrtf(dx * dx + dy * dy);
            float ex = dx * inverse, ey = dy * inverse,
                  cosine = vx * ex + vy * ey, k = 0.5f * inverse;
            gx += k * (vx - cosine * ex);
            gy += k * (vy - cosine * ey);
            gt -= 0.5f * (vx * ey - vy * ex);
        }
        adamw(gx, size, root, &w->first[0][i], &w->second[0][i], &w->at[0][i]);
        adamw(gy, size, root, &w->first[1][i], &w->second[1][i], &w->at[1][i]);
        adamw(gz, size, root, &w->first[2][i], &w->second[2][i], &w->at[2][i]);
        adamw(gt, size, root, &w->first[3][i], &w->second[3][i], &w->at[3][i]);
    }
}

ALWAYS void all_steps(const numbers *n, state *w)
{
    double keep1 = 1, keep2 = 1;
    for (uint32_t step = 0; step < SOLVE_ITERATIONS; step++) {
        keep1 *= 0.9;
        keep2 *= 0.999;
        double rate = 1e-1 + (1e-4 - 1e-1) * step / SOLVE_ITERATIONS;
        one_step(n, w, (float)(rate / (1 - keep1)), (float)sqrt(1 - keep2));
    }
}

static void run_sse2(const numbers *n, state *w)
{
    all_steps(n, w);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void run_avx2(const numbers *n, state *w)
{
    all_steps(n, w);
}
#endif

static void take(float *to, vec3 from)
{
    to[0] = (float)from.x;
    to[1] = (float)from.y;
    to[2] = (float)from.z;
}

static void read_problem(const solve_problem *p, numbers *n)
{
    const term *t = p->terms;
    take(n->half, p->half);
    take(n->eye, v3(p->eye.x, p->eye.y, p->eye.z + t[0].drop));
    take(n->right, p->right);
    take(n->up, p->up);
    take(n->forward, p->forward);
    take(n->normal, t[1].normal);
    take(n->far_from, t[3].point);
    n->scale[0] = (float)p->scale_x;
    n->scale[1] = (float)p->scale_y;
    n->target[0] = (float)t[0].target[0];
    n->target[1] = (float)t[0].target[1];
    n->q = (float)t[1].offset;
    for (int j = 0; j < EDGES; j++) {
        take(n->outward[j], t[2].outward[j]);
        n->reach[j] = (float)t[2].reach[j];
    }
    n->distance = (float)t[3].offset;
    for (int f = 0; f < 2; f++) {
        n->face_to[f][0] = (float)t[4 + f].point.x;
        n->face_to[f][1] = (float)t[4 + f].point.y;
    }
    for (int i = 0; i < LANES; i++) {
        n->lane_x[i] = t[0].lane_x[i];
        n->lane_y[i] = t[0].lane_y[i];
    }
}

bool floor_solve(int width, const solve_problem *p, float pose[4][64])
{
    static numbers n;
    static state w;
    read_problem(p, &n);
    w = (state){0};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < LANES; i++)
            w.at[k][i] = pose[k][i];
    if (width == FLOOR_SSE2) {
        run_sse2(&n, &w);
#if defined(__x86_64__)
    } else if (width == FLOOR_AVX2 && __builtin_cpu_supports("avx2")) {
        run_avx2(&n, &w);
#endif
    } else {
        return false;
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < LANES; i++)
            pose[k][i] = w.at[k][i];
    return true;
}
