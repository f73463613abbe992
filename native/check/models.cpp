#include "models.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include <unistd.h>

#include "ggml-backend.h"
#include "ggml-cpp.h"
#include "ggml.h"
#include "gguf.h"

#include "random.h"

static const char * name_of(model_kind kind) {
    switch (kind) {
        case model_kind::full:    return "llama";
        case model_kind::sliding: return "gemma3";
        case model_kind::alibi:   return "bloom";
        case model_kind::state:   return "mamba";
    }
    throw std::runtime_error("no such kind of model");
}

// Narrow where the architecture lets it be: most of the time goes into products with weights, which are not what is checked.
static uint32_t width_of(model_kind kind, uint32_t head_dim) {
    return kind == model_kind::full || kind == model_kind::sliding ? 64 : TINY_HEADS*head_dim;
}

static uint32_t layers_of(model_kind kind) {
    return kind == model_kind::sliding ? 4 : 3;
}

// Every tensor's name: the loader counts them, their shapes follow from the numbers below.
static std::vector<std::string> tensors_of(model_kind kind) {
    using names = std::vector<std::string>;
    const names attention = { "attn_norm.weight", "attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_output.weight" };
    const names gated     = { "ffn_norm.weight", "ffn_gate.weight", "ffn_up.weight", "ffn_down.weight" };

    names result = { "token_embd.weight", "output_norm.weight" };
    names block;
    switch (kind) {
        case model_kind::full:
            block = attention;
            block.insert(block.end(), gated.begin(), gated.end());
            break;
        case model_kind::sliding:
            block = attention;
            block.insert(block.end(), gated.begin(), gated.end());
            block.insert(block.end(), { "post_attention_norm.weight", "post_ffw_norm.weight", "attn_k_norm.weight", "attn_q_norm.weight" });
            break;
        case model_kind::alibi:
            result.insert(result.end(), { "output_norm.bias", "token_embd_norm.weight", "token_embd_norm.bias" });
            for (const char * part : { "attn_norm", "attn_qkv", "attn_output", "ffn_norm", "ffn_up", "ffn_down" }) {
                block.insert(block.end(), { std::string(part) + ".weight", std::string(part) + ".bias" });
            }
            break;
        case model_kind::state:
            block = { "attn_norm.weight", "ssm_in.weight", "ssm_conv1d.weight", "ssm_conv1d.bias", "ssm_x.weight", "ssm_dt.weight",
                "ssm_dt.bias", "ssm_a", "ssm_d", "ssm_out.weight" };
            break;
    }
    for (uint32_t il = 0; il < layers_of(kind); ++il) {
        for (const auto & name : block) {
            result.push_back("blk." + std::to_string(il) + "." + name);
        }
    }
    return result;
}

static gguf_context_ptr header_of(model_kind kind, uint32_t head_dim) {
    gguf_context_ptr header(gguf_init_empty());
    const std::string architecture = name_of(kind);
    const auto number = [&](const char * key, uint32_t value) { gguf_set_val_u32(header.get(), (architecture + "." + key).c_str(), value); };
    const auto real   = [&](const char * key, float value)    { gguf_set_val_f32(header.get(), (architecture + "." + key).c_str(), value); };

    const uint32_t width = width_of(kind, head_dim);

    gguf_set_val_str(header.get(), "general.architecture", architecture.c_str());
    gguf_set_val_str(header.get(), "tokenizer.ggml.model", "no_vocab");
    number("vocab_size",       TINY_VOCABULARY);
    number("context_length",   1024);
    number("embedding_length", width);
    number("block_count",      layers_of(kind));
    real("attention.layer_norm_rms_epsilon", 1e-5f);
    real("attention.layer_norm_epsilon",     1e-5f);
    for (const auto & name : tensors_of(kind)) {
        ggml_tensor tensor = {};
        tensor.type = GGML_TYPE_F32;
        ggml_set_name(&tensor, name.c_str());
        gguf_add_tensor(header.get(), &tensor);
    }

    if (kind == model_kind::state) {
        number("feed_forward_length",  0);
        number("attention.head_count", 0);
        number("ssm.conv_kernel",      4);
        number("ssm.inner_size",       2*width);
        number("ssm.state_size",       16);
        number("ssm.time_step_rank",   8);
        return header;
    }

    number("feed_forward_length",     width);
    number("attention.head_count",    TINY_HEADS);
    number("attention.head_count_kv", kind == model_kind::alibi ? TINY_HEADS : TINY_KV_HEADS);
    number("attention.key_length",    head_dim);
    number("attention.value_length",  head_dim);
    number("rope.dimension_count",    head_dim);

    if (kind == model_kind::sliding) {
        number("attention.sliding_window",         TINY_WINDOW);
        number("attention.sliding_window_pattern", 2);
    }

    return header;
}

// Weights that keep the activations near 1, so that attention is neither flat nor on one token.
static void fill_tensor(ggml_tensor * tensor, void * seed) {
    uint64_t hash = 1469598103934665603ull ^ *static_cast<const uint64_t *>(seed);
    for (const char * c = tensor->name; *c != '\0'; ++c) {
        hash = (hash ^ static_cast<unsigned char>(*c))*1099511628211ull;
    }
    random_source random(hash);

    const bool  norm  = strstr(tensor->name, "norm") != nullptr;
    const bool  rows  = strstr(tensor->name, "token_embd") != nullptr;
    const float scale = norm ? 0.1f : rows ? 1.0f : 1.0f/std::sqrt(static_cast<float>(tensor->ne[0]));

    std::vector<float> values(ggml_nelements(tensor));
    for (float & value : values) {
        value = (norm ? 1.0f : 0.0f) + scale*random.normal();
    }
    if (tensor->type != GGML_TYPE_F32) {
        throw std::runtime_error(std::string("unexpected type of tensor ") + tensor->name);
    }
    ggml_backend_tensor_set(tensor, values.data(), 0, ggml_nbytes(tensor));
}

// A file as the lookahead module's format has it: rows to decode with it, and LoRA pairs.
static llama_adapter_lora * make_adapter(llama_model * model, model_kind kind, uint32_t head_dim, uint64_t seed) {
    constexpr int64_t rank  = 4;
    const int64_t     width = width_of(kind, head_dim);
    const int64_t     query = TINY_HEADS*head_dim;
    const int64_t     kv    = TINY_KV_HEADS*head_dim;

    gguf_context_ptr header(gguf_init_empty());
    gguf_set_val_str(header.get(), "general.type", "adapter");
    gguf_set_val_str(header.get(), "general.architecture", name_of(kind));
    gguf_set_val_str(header.get(), "adapter.type", "lora");
    gguf_set_val_f32(header.get(), "adapter.lora.alpha", 8.0f);

    ggml_context_ptr context(ggml_init({ 4u << 20, nullptr, false }));
    random_source random(seed);
    const auto add = [&](const std::string & name, int64_t ne0, int64_t ne1) {
        ggml_tensor * tensor = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, ne0, ne1);
        ggml_set_name(tensor, name.c_str());
        auto * data = static_cast<float *>(tensor->data);
        for (int64_t i = 0; i < ne0*ne1; ++i) {
            data[i] = 0.2f*random.normal();
        }
        gguf_add_tensor(header.get(), tensor);
    };

    add("lookahead.embeddings", width, 32);
    for (uint32_t il = 0; il < layers_of(kind); ++il) {
        const std::string block = "blk." + std::to_string(il) + ".";
        for (const auto & [part, n_out] : std::map<std::string, int64_t>{ { "attn_q", query }, { "attn_k", kv }, { "attn_v", kv } }) {
            add(block + part + ".weight.lora_a", width, rank);
            add(block + part + ".weight.lora_b", rank, n_out);
        }
    }

    const auto path = std::filesystem::temp_directory_path() / ("longsight-check-" + std::to_string(getpid()) + ".gguf");
    gguf_write_to_file(header.get(), path.string().c_str(), false);
    llama_adapter_lora * adapter = llama_adapter_lora_init(model, path.string().c_str());
    std::filesystem::remove(path);
    if (adapter == nullptr) {
        throw std::runtime_error("the lookahead module was refused");
    }
    return adapter;
}

tiny_model make_tiny_model(model_kind kind, uint32_t head_dim, uint64_t seed) {
    const auto header = header_of(kind, head_dim);

    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers      = 0;
    params.progress_callback = [](float, void *) { return true; };

    llama_model_ptr model(llama_model_init_from_user(header.get(), fill_tensor, &seed, params));
    if (!model) {
        throw std::runtime_error(std::string("llama.cpp refused the random model ") + name_of(kind));
    }

    const bool evictable = kind == model_kind::full || kind == model_kind::sliding;
    llama_adapter_lora * adapter = evictable ? make_adapter(model.get(), kind, head_dim, seed) : nullptr;
    return { kind, head_dim, std::move(model), adapter };
}
