#include "sequence.h"

#include "reference.h"

#include <algorithm>
#include <cmath>
#include <string>

using numbers = std::vector<double>;

// RoPE over neighbouring pairs, as llama's
static numbers rotated(const numbers & head, llama_pos position) {
    numbers result = head;
    for (size_t i = 0; i < head.size(); i += 2) {
        const double angle = position*std::pow(10000.0, -static_cast<double>(i)/head.size());
        result[i]     = head[i]*std::cos(angle) - head[i + 1]*std::sin(angle);
        result[i + 1] = head[i]*std::sin(angle) + head[i + 1]*std::cos(angle);
    }
    return result;
}

// The mean over the positions from `position` on. A rotation is linear: the mean of turned vectors is the vector turned by the mean.
static numbers mean_rotated(const numbers & head, llama_pos position, uint32_t n_future) {
    numbers sum(head.size(), 0.0);
    for (uint32_t i = 0; i < n_future; ++i) {
        const numbers one = rotated(head, position + static_cast<llama_pos>(i));
        for (size_t e = 0; e < sum.size(); ++e) {
            sum[e] += one[e]/n_future;
        }
    }
    return sum;
}

static double dot(const numbers & a, const numbers & b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) {
        sum += a[i]*b[i];
    }
    return sum;
}

void sequence::expect_attention() {
    const llama_pos next = context->next();
    if (free_cells() < 3 || is_kept() || is_uneven()) {
        return decode();
    }
    const bool plain    = !is_sliding() && !ggml_is_quantized(made.type_k) && !ggml_is_quantized(made.type_v);
    const auto n_rows   = plain ? 2u : std::min(free_cells(), random.between(1, 40));
    const auto n_future = random.one_in(2) ? 1 : random.between(1, 80); // the mean over many leaves little of what turns fast
    note("expect by " + std::to_string(n_rows) + " queries from " + std::to_string(next) + ", " + std::to_string(n_future) + " positions ahead");

    expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_QUERIES, next) == 0, "queries are refused");
    std::vector<reference> seen;
    if (plain) {
        for (uint32_t i = 0; i < n_rows; ++i) {
            const auto one = tokens(1);
            expect(context->decode(one, next + static_cast<llama_pos>(i)) == 0 && twin->decode(one, next + static_cast<llama_pos>(i)) == 0, "a decode fails");
            seen.push_back(compute_reference(*context, one[0]));
        }
    } else {
        const auto some = tokens(n_rows);
        expect(context->decode(some, next) == 0 && twin->decode(some, next) == 0, "a decode fails");
    }
    same_logits(*context, *twin, "rows change when their queries are read");

    const auto info = context->info();
    llama_attn_queries_info about = {};
    expect(llama_get_attn_queries_info(context->get(), &about) == 0 && about.n_rows == n_rows && about.n_layer == info.n_layer &&
            about.n_head_kv == info.n_head_kv && about.n_head == TINY_HEADS, "queries and keep disagree about layers, heads or rows");

    const uint32_t n = info.n_tokens;
    std::vector<float> logits (static_cast<size_t>(info.n_layer)*TINY_HEADS*n);
    std::vector<float> v_norms(static_cast<size_t>(info.n_layer)*info.n_head_kv*n);

    const uint64_t before = context->fingerprint();
    context->cancel_after(random.between(0, 8));
    const int32_t status = llama_get_attn_expected(context->get(), 0, n, n_future, logits.data(), v_norms.data());
    context->cancel_after(-1);
    expect(status == 0 || status == 2, "a cancelled expectation returns " + std::to_string(status));
    expect(llama_get_attn_expected(context->get(), 0, n, n_future, logits.data(), v_norms.data()) == 0, "the expectation is refused");
    expect(context->fingerprint() == before, "the expectation changes the cache");
    for (const float logit : logits) {
        expect(std::isfinite(logit), "an expected logit is not finite");
    }
    check_lengths(v_norms);
    if (plain) {
        check_expected(seen, n_future, logits);
    }

    // codes, which write nothing
    expect(llama_get_attn_expected(context->get(), 0, n + 1, n_future, nullptr, nullptr) == -2, "more tokens than there are");
    expect(llama_get_attn_expected(context->get(), 1, 1, n_future, nullptr, nullptr) == -2, "a sequence that is not there");
    expect(llama_get_attn_expected(context->get(), 0, n, 0, nullptr, nullptr) == -1, "no future");
    float value = 0.0f;
    expect(llama_get_attn_scores(context->get(), 0, &value, 1) == -1, "queries are taken for scores");
    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
    expect(llama_get_attn_expected(context->get(), 0, n, n_future, nullptr, nullptr) == -1, "an expectation without queries");
    decode();
}

void sequence::check_lengths(const std::vector<float> & v_norms) const {
    if (ggml_is_quantized(made.type_v)) {
        return;
    }
    const auto cells  = context->base()->get_seq_cells(0);
    const auto layers = context->base()->get_layer_ids();
    for (size_t i = 0; i < layers.size(); ++i) {
        const auto values = context->rows(*context->base(), layers[i], true);
        for (uint32_t kv = 0; kv < TINY_KV_HEADS; ++kv) {
            for (size_t t = 0; t < cells.size(); ++t) {
                const numbers value  = elements_of(values.get(kv, cells[t]), made.type_v);
                const double  length = std::sqrt(dot(value, value));
                const float   found  = v_norms[(i*TINY_KV_HEADS + kv)*cells.size() + t];
                expect(std::fabs(found - length) <= 1e-4*length + 1e-6, "the length of a value is " + std::to_string(found) + ", not " + std::to_string(length));
            }
        }
    }
}

// mean and covariance of two queries are their middle, and the product of half their difference with itself
void sequence::check_expected(const std::vector<reference> & seen, uint32_t n_future, const std::vector<float> & logits) const {
    const auto     cells  = context->base()->get_seq_cells(0);
    const auto     layers = context->base()->get_layer_ids();
    const uint32_t size   = model.head_dim;
    const double   scale  = 1.0/std::sqrt(static_cast<double>(size));

    for (size_t i = 0; i < layers.size(); ++i) {
        const auto keys = context->rows(*context->base(), layers[i], false);
        for (uint32_t h = 0; h < TINY_HEADS; ++h) {
            numbers middle(size);
            numbers half  (size);
            for (uint32_t e = 0; e < size; ++e) {
                const double one   = seen[0].queries[i][h*size + e];
                const double other = seen[1].queries[i][h*size + e];
                middle[e] = (one + other)/2;
                half[e]   = (one - other)/2;
            }
            middle = mean_rotated(middle, context->next(), n_future);
            half   = mean_rotated(half,   context->next(), n_future);
            for (size_t t = 0; t < cells.size(); ++t) {
                const numbers key      = elements_of(keys.get(h/(TINY_HEADS/TINY_KV_HEADS), cells[t]), made.type_k);
                const double  side     = scale*dot(key, half);
                const double  expected = scale*dot(key, middle) + side*side/2;
                const float   found    = logits[(i*TINY_HEADS + h)*cells.size() + t];
                expect(std::fabs(found - expected) < 0.02 + 0.01*std::fabs(expected), "the expected logit of token " + std::to_string(t) + " in layer " +
                        std::to_string(i) + ", head " + std::to_string(h) + " is " + std::to_string(found) + ", the reference's " + std::to_string(expected));
            }
        }
    }
}
