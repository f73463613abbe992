#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "random.h"
#include "subject.h"

struct zoo {
    std::vector<tiny_model> evictable;
    std::vector<tiny_model> others; // of kinds that cannot be scored or kept from
};

// One random sequence of calls on a context and on its twin, which is treated alike but is never scored, probed or cancelled:
// what it computes is what the context has to compute.
class sequence {
    public:
        sequence(const zoo & zoo, uint64_t seed, std::string & trace);

        // Throws a finding where a promise is broken.
        void run();

    private:
        const zoo &         all;
        random_source       random;
        std::string &       trace; // what was done, for the report
        const tiny_model &  model;
        shape               made;

        std::unique_ptr<subject> context;
        std::unique_ptr<subject> twin;
        llama_pos                kept_at = 0; // the kept cells' labels end here
        std::vector<uint8_t>     saved;       // a state from before a keep, and its number of tokens
        uint32_t                 saved_tokens = 0;

        void note(const std::string & text) { trace += text + "\n"; }

        // random choices (sequence.cpp)
        const tiny_model & choose_model();
        shape              choose_shape();
        std::vector<llama_token> tokens(uint32_t n);
        std::vector<uint32_t>    indices(uint32_t n_tokens, uint32_t budget);

        uint32_t free_cells() const;
        bool     is_kept() const { return context->info().is_kept; }
        bool     can_shift() const;
    bool     is_sliding() const { return model.kind == model_kind::sliding; }
        void     same_logits(const subject & a, const subject & b, const char * promise) const;
        void     check_scores(uint64_t n_rows);
        void     forget(llama_pos from); // on both

        // steps (sequence.cpp)
        void decode();
        void probe();
        void cancel();
        void remove_tail();
        void remove_all();
        void shift();
        void divide();
        void save_or_restore();

        // steps (keep.cpp)
        void keep_elsewhere();
        void keep_in_place();
        void check_kept(const subject & target, const std::vector<llama_pos> & positions, const std::vector<uint32_t> & cells,
                const std::vector<rows_of_layer> & source, const std::vector<uint32_t> & idxs, uint32_t budget, llama_pos next);
        std::vector<rows_of_layer> all_rows(const subject & subject) const;

        // steps (misuse.cpp): each returns its code and changes nothing
        void misuse();
        void misuse_keep();
        void misuse_kept_cells();
        void misuse_decode();
        void misuse_scores();
};

// Contexts and models that have to be refused by a code, once for each run.
void check_refusals(const zoo & zoo);
