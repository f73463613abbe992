#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "random.h"
#include "reference.h"
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
        std::vector<uint32_t>    indices(uint32_t n_tokens, const std::vector<uint32_t> & budgets, const std::vector<uint32_t> & held);

        uint32_t free_cells() const;             // that every layer has
        uint32_t free_cells_of_emptiest() const; // of the layer that has the most
        bool     is_kept() const { return context->info().is_kept; }
        bool     is_uneven() const { return context->base()->is_uneven(); }
        bool     is_prefix() const; // tokens 0 … n - 1, at their own positions
        bool     can_shift() const;
        bool     is_sliding() const { return model.kind == model_kind::sliding; }
        void     same_logits(const subject & a, const subject & b, const char * promise) const;
        void     check_scores(uint64_t n_rows);
        void     check_against_reference(llama_token last); // whose row alone was scored
        void     forget(llama_pos from); // on both

        // steps (sequence.cpp)
        void decode();
        void decode_one();
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
        std::vector<uint32_t> choose_budgets(shape & target);
        void check_kept(const subject & target, const std::vector<llama_pos> & positions, const std::vector<uint32_t> & cells,
                const std::vector<rows_of_layer> & source, const std::vector<uint32_t> & idxs, const std::vector<uint32_t> & budgets, llama_pos next);
        static std::vector<llama_pos>     window_layout(const subject & subject);
        static std::vector<rows_of_layer> all_rows(const subject & subject);

        // steps (rows.cpp)
        void rows_out_and_in();
        void image_out_and_in();
        void streaming();
        void keep_best(uint32_t budget);
        void copy_rows(subject & from, subject & to, llama_rows_form form);
        bool copy_window(subject & from, subject & to); // false where the next token would miss some of it
        void same_rows(const subject & a, const subject & b) const;
        void check_rounded(const subject & exact, const subject & rounded) const;

        // steps (queries.cpp)
        void expect_attention();
        void check_lengths(const std::vector<float> & v_norms) const;
        void check_expected(const std::vector<reference> & seen, uint32_t n_future, const std::vector<float> & logits) const;

        // steps (misuse.cpp): each returns its code and changes nothing
        void misuse();
        void misuse_keep();
        void misuse_kept_cells();
        void misuse_decode();
        void misuse_scores();
        void misuse_rows();
        void misuse_images();
};

// Contexts and models that have to be refused by a code, once for each run.
void check_refusals(const zoo & zoo);
