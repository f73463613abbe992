#include "subject.h"

#include <algorithm>
#include <cstring>

#include "llama-context.h"
#include "llama-kv-cache-iswa.h"

std::string describe(const shape & shape) {
    return std::string("K ") + ggml_type_name(shape.type_k) + " V " + ggml_type_name(shape.type_v) + (shape.flash ? " flash" : " plain") +
        " positions " + std::to_string(shape.positions) + " cells " + std::to_string(shape.cells) +
        (shape.layer_cells.empty() ? "" : " uneven") + " ubatch " + std::to_string(shape.ubatch);
}

std::vector<uint8_t> rows_of_layer::get(uint32_t head_index, uint32_t cell) const {
    if (!transposed) {
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(cell*row + head_index*head);
        return { begin, begin + static_cast<std::ptrdiff_t>(head) };
    }
    std::vector<uint8_t> result(head_dim*element);
    for (uint32_t e = 0; e < head_dim; ++e) {
        memcpy(result.data() + e*element, bytes.data() + (head_index*head_dim + e)*row + cell*element, element);
    }
    return result;
}

subject::subject(const tiny_model & model, const shape & shape) : model(model), made(shape) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx           = shape.positions;
    params.n_batch         = shape.positions;
    params.n_ubatch        = shape.ubatch;
    params.n_cells         = shape.cells;
    params.n_layer_cells   = static_cast<uint32_t>(shape.layer_cells.size());
    params.layer_cells     = shape.layer_cells.data();
    params.n_outputs_max   = 1;
    params.n_threads       = shape.threads;
    params.n_threads_batch = shape.threads;
    params.type_k          = shape.type_k;
    params.type_v          = shape.type_v;
    params.flash_attn_type = shape.flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.no_perf         = true;
    params.abort_callback_data = this;
    params.abort_callback      = [](void * data) {
        auto * self = static_cast<subject *>(data);
        return self->nodes_left >= 0 && self->n_nodes++ >= self->nodes_left;
    };

    context.reset(llama_init_from_model(model.model.get(), params));
    if (!context) {
        throw std::runtime_error("llama.cpp refused the context: " + describe(shape));
    }
}

int32_t subject::run(llama_batch & batch, llama_pos position, bool logits, llama_seq_id sequence) {
    for (int32_t i = 0; i < batch.n_tokens; ++i) {
        batch.pos[i]       = position + i;
        batch.n_seq_id[i]  = 1;
        batch.seq_id[i][0] = sequence;
        batch.logits[i]    = logits && i == batch.n_tokens - 1;
    }
    n_nodes = 0;
    const int32_t status = llama_decode(context.get(), batch);
    nodes_left = -1;
    llama_batch_free(batch);
    llama_synchronize(context.get());
    return status;
}

int32_t subject::decode(const std::vector<llama_token> & tokens, llama_pos position, bool logits, llama_seq_id sequence) {
    llama_batch batch = llama_batch_init(static_cast<int32_t>(tokens.size()), 0, 1);
    batch.n_tokens = static_cast<int32_t>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), batch.token);
    return run(batch, position, logits, sequence);
}

int32_t subject::decode_rows(const std::vector<float> & rows, llama_pos position) {
    const int32_t width  = llama_model_n_embd(model.model.get());
    const int32_t n_rows = static_cast<int32_t>(rows.size())/width;
    llama_batch batch = llama_batch_init(n_rows, width, 1);
    batch.n_tokens = n_rows;
    std::copy(rows.begin(), rows.end(), batch.embd);
    return run(batch, position, false, 0);
}

std::vector<float> subject::logits() const {
    const float * data = llama_get_logits_ith(context.get(), -1);
    expect(data != nullptr, "a decode that asked for logits has none");
    return { data, data + TINY_VOCABULARY };
}

void subject::use_adapter(bool on) {
    llama_adapter_lora * adapter = model.adapter;
    float scale = 1.0f;
    llama_set_adapters_lora(context.get(), &adapter, on ? 1 : 0, &scale);
}

llama_keep_info subject::info() const {
    llama_keep_info result = {};
    expect(llama_get_keep_info(context.get(), 0, &result) == LLAMA_KEEP_OK, "llama_get_keep_info refuses a model it should know");
    return result;
}

llama_pos subject::next() const {
    return llama_memory_seq_pos_max(memory(), 0) + 1;
}

const llama_kv_cache * subject::base() const {
    return context->get_kv_base();
}

const llama_kv_cache * subject::window() const {
    auto * both = dynamic_cast<llama_kv_cache_iswa *>(memory());
    return both == nullptr ? nullptr : both->get_swa();
}

static void add_positions(const llama_kv_cache * cache, std::vector<llama_pos> & positions) {
    if (cache == nullptr) {
        return;
    }
    const auto & cells = cache->get_cells(0);
    for (uint32_t i = 0; i < cells.size(); ++i) {
        positions.push_back(cells.is_empty(i) ? -1 : cells.pos_get(i));
    }
}

std::vector<llama_pos> subject::layout() const {
    std::vector<llama_pos> result;
    add_positions(base(), result);
    add_positions(window(), result);
    return result;
}

uint32_t subject::padded(uint32_t used) const {
    return std::min(base()->get_size(), std::max(256u, GGML_PAD(used, 256u)));
}

rows_of_layer subject::rows(const llama_kv_cache & cache, uint32_t layer, bool values) const {
    const ggml_tensor * tensor = values ? cache.get_v_storage(static_cast<int32_t>(layer)) : cache.get_k_storage(static_cast<int32_t>(layer));

    rows_of_layer result;
    result.bytes.resize(ggml_nbytes(tensor));
    ggml_backend_tensor_get(tensor, result.bytes.data(), 0, result.bytes.size());
    result.transposed = values && !made.flash;
    result.element    = ggml_type_size(tensor->type);
    result.cells      = static_cast<uint32_t>(tensor->ne[1]);
    result.row        = result.transposed ? result.cells*result.element : tensor->nb[1];
    result.head_dim   = model.head_dim;
    result.head       = ggml_row_size(tensor->type, model.head_dim);
    return result;
}

uint64_t subject::fingerprint() const {
    uint64_t hash = 1469598103934665603ull;
    const auto add = [&](const void * data, size_t size) {
        const auto * bytes = static_cast<const uint8_t *>(data);
        for (size_t i = 0; i < size; ++i) {
            hash = (hash ^ bytes[i])*1099511628211ull;
        }
    };

    const auto positions = layout();
    add(positions.data(), positions.size()*sizeof(llama_pos));
    const llama_pos borders[] = { llama_memory_seq_pos_min(memory(), 0), llama_memory_seq_pos_max(memory(), 0), info().is_kept };
    add(borders, sizeof(borders));

    for (const llama_kv_cache * cache : { base(), window() }) {
        if (cache == nullptr) {
            continue;
        }
        const auto cells = cache->get_seq_cells(0);
        for (const uint32_t layer : cache->get_layer_ids()) {
            for (const bool values : { false, true }) {
                const auto all = rows(*cache, layer, values);
                for (const uint32_t cell : cells) {
                    for (uint32_t h = 0; h < TINY_KV_HEADS && all.has(cell); ++h) {
                        const auto row = all.get(h, cell);
                        add(row.data(), row.size());
                    }
                }
            }
        }
    }
    return hash;
}
