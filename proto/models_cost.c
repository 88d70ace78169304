/* What usage costs: apart from models.c, as the core asks for it and may ask
 * for nothing else there. */
#include "proto/models.h"

/* Saturating, as models_plus: a cap on money must not be passed by an
 * overflow. */
static uint64_t models_times(uint64_t a, uint64_t b)
{
    bool overflows = b && a > UINT64_MAX / b;
    return overflows ? UINT64_MAX : a * b;
}

static uint64_t models_plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t models_cost_micros(const models_model *model,
                            const message_usage *usage)
{
    const uint64_t million = 1000000;
    uint64_t cached = usage->tokens_cached < usage->tokens_in
                          ? usage->tokens_cached
                          : usage->tokens_in;
    uint64_t fresh = usage->tokens_in - cached;
    uint64_t written =
        usage->tokens_written < fresh ? usage->tokens_written : fresh;
    uint64_t sum = models_times(fresh - written, model->price_in);
    sum = models_plus(sum, models_times(written, model->price_written
                                                     ? model->price_written
                                                     : model->price_in));
    sum = models_plus(sum, models_times(cached, model->price_cached
                                                    ? model->price_cached
                                                    : model->price_in));
    sum = models_plus(sum, models_times(usage->tokens_out, model->price_out));
    return sum == UINT64_MAX ? sum : models_plus(sum, million - 1) / million;
}
