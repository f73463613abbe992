#pragma once

#include <cstdint>
#include <vector>

#include "subject.h"

// What a token computes, by a slow plain program of our own.
struct reference {
    std::vector<float>              logits;        // [TINY_VOCABULARY]
    std::vector<std::vector<double>> queries;      // [layer][head*head_dim], before their rotation
    std::vector<std::vector<float>> probabilities; // [layer*TINY_KV_HEADS + KV head][token of the sequence], -1 where the layer holds no such token
};

// Elements of one head's part of a row, f16 or f32.
std::vector<double> elements_of(const std::vector<uint8_t> & bytes, ggml_type type);

// The token that was decoded last, over the keys and values that lie in the cache, its own among them. For models of the kind `full`
// and caches that are not quantised.
reference compute_reference(const subject & subject, llama_token token);
