#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "llama-cpp.h"
#include "llama-ext.h"
#include "llama-kv-cache.h"

#include "models.h"

// A broken promise of the patches.
struct finding : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void expect(bool held, const std::string & promise) {
    if (!held) {
        throw finding(promise);
    }
}

// What a context is made with.
struct shape {
    ggml_type type_k;
    ggml_type type_v;
    bool      flash;
    uint32_t  positions; // context length
    uint32_t  cells;     // 0: as many as positions
    uint32_t  ubatch;
    int32_t   threads;
    std::vector<uint32_t> layer_cells = {}; // of each layer that holds every position; empty: all have as many
};

std::string describe(const shape & shape);

// The keys or the values of one layer, as they lie in the cache.
struct rows_of_layer {
    std::vector<uint8_t> bytes;
    bool                 transposed;
    size_t               element; // bytes, where transposed
    size_t               row;     // bytes of a cell's row, or of an element's row where transposed
    size_t               head;    // bytes of one head's part of a row
    uint32_t             head_dim;
    uint32_t             cells;

    bool has(uint32_t cell) const { return cell < cells; }
    std::vector<uint8_t> get(uint32_t head_index, uint32_t cell) const;
};

// One context under test.
class subject {
    public:
        subject(const tiny_model & model, const shape & shape);

        const tiny_model & model;
        const shape        made;

        llama_context * get() const { return context.get(); }
        llama_memory_t memory() const { return llama_get_memory(context.get()); }

        // Status of llama_decode; logits of the last token where asked for.
        int32_t decode(const std::vector<llama_token> & tokens, llama_pos position, bool logits = true, llama_seq_id sequence = 0);
        int32_t decode_rows(const std::vector<float> & rows, llama_pos position);
        std::vector<float> logits() const;

        // The next llama_decode (or expectation) is cancelled after so many nodes of its graphs; negative: never.
        void cancel_after(int64_t nodes) { nodes_left = nodes; n_nodes = 0; }
        void use_adapter(bool on);

        llama_keep_info info() const;
        llama_pos next() const;
        bool remove(llama_pos from) { return llama_memory_seq_rm(memory(), 0, from, -1); }

        const llama_kv_cache * base() const;
        const llama_kv_cache * window() const; // null where no layer has one

        // Positions by cell, -1 where empty: of the base cache, then of the window's.
        std::vector<llama_pos> layout() const;
        // Cells that one graph looks at after `used` cells were used, see llama_kv_cache::get_n_kv.
        uint32_t padded(uint32_t used) const;

        rows_of_layer rows(const llama_kv_cache & cache, uint32_t layer, bool values) const;
        // Everything that a refused call must leave as it is.
        uint64_t fingerprint() const;

    private:
        llama_context_ptr context;
        int64_t           nodes_left = -1;
        int64_t           n_nodes    = 0;

        int32_t run(llama_batch & batch, llama_pos position, bool logits, llama_seq_id sequence);
};
