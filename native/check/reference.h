#pragma once

#include <cstdint>
#include <vector>

#include "subject.h"

// What a token computes, by a slow plain program of our own.
struct reference {
    std::vector<float>              logits;        // [TINY_VOCABULARY]
    std::vector<std::vector<float>> probabilities; // [layer*TINY_KV_HEADS + KV head][token of the sequence], -1 where the layer holds no such token
};

// The token that was decoded last, over the keys and values that lie in the cache, its own among them. For models of the kind `full`
// and caches that are not quantised.
reference compute_reference(const subject & subject, llama_token token);
