#pragma once

#include <cstdint>
#include <string>

#include "llama-cpp.h"

enum class model_kind {
    full,    // llama: every layer sees every position
    sliding, // gemma3: every second layer sees a window only
    alibi,   // bloom: attention depends on the position of a cell, nothing can be kept
    state,   // mamba: no cache of keys and values
};

// A model of random weights, and a lookahead module's LoRA for it (null where none fits).
struct tiny_model {
    model_kind           kind;
    uint32_t             head_dim;
    llama_model_ptr      model;
    llama_adapter_lora * adapter;
};

constexpr uint32_t TINY_VOCABULARY = 96;
constexpr uint32_t TINY_HEADS      = 4;
constexpr uint32_t TINY_KV_HEADS   = 2;
constexpr int32_t  TINY_WINDOW     = 24; // of the sliding layers

// head_dim: width of an attention head (32 or 64). Throws std::runtime_error where llama.cpp refuses the model.
tiny_model make_tiny_model(model_kind kind, uint32_t head_dim, uint64_t seed);
