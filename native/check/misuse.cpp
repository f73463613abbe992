#include <algorithm>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "sequence.h"

static void expect_code(llama_keep_status got, llama_keep_status wanted, const char * what) {
    expect(got == wanted, std::string(what) + ": code " + std::to_string(got) + " instead of " + std::to_string(wanted));
}

void sequence::misuse() {
    const uint64_t before = context->fingerprint();
    switch (random.between(0, 5)) {
        case 0:  misuse_keep(); break;
        case 1:  is_kept() ? misuse_kept_cells() : misuse_keep(); break;
        case 2:  misuse_decode(); break;
        case 3:  misuse_rows(); break;
        case 4:  misuse_images(); break;
        default: misuse_scores(); break;
    }
    expect(context->fingerprint() == before, "a refused call changes something");
    if (free_cells() > 0) {
        decode();
    }
}

void sequence::misuse_keep() {
    const uint32_t n = context->info().n_tokens;
    if (n == 0) {
        return;
    }
    shape even = made;
    even.layer_cells.clear();
    subject target(model, even);
    const auto budgets = [&](uint32_t budget) { return std::vector<uint32_t>(context->info().n_layer, budget); };
    const auto keep = [&](subject & to, llama_seq_id id, const std::vector<uint32_t> & idxs, uint32_t budget) {
        return llama_keep(context->get(), to.get(), id, idxs.data(), budgets(budget).data());
    };

    const uint32_t kinds[] = { 0, 1, 2, 2, 2, 3, 4, 5, 6, 7 };
    const uint32_t kind    = random.pick(kinds);
    note("misuse: keep, " + std::to_string(kind));
    // indices that must not be read are too few: reading them is a finding of the sanitiser
    switch (kind) {
        case 0:
            for (const llama_seq_id id : { 1, LLAMA_MAX_SEQ - 1, LLAMA_MAX_SEQ, 1 << 20, -1, -2 }) {
                expect_code(keep(target, id, { 0 }, 1), LLAMA_KEEP_SEQUENCE, "a sequence that is not there");
            }
            break;
        case 1: {
            expect_code(keep(target, 0, { 0 }, 0),          LLAMA_KEEP_NO_ROOM, "a budget of nothing");
            expect_code(keep(target, 0, { 0 }, n + 1),      LLAMA_KEEP_NO_ROOM, "a budget over the tokens");
            expect_code(keep(target, 0, { 0 }, UINT32_MAX), LLAMA_KEEP_NO_ROOM, "a budget over everything");
            shape small = even;
            small.cells = random.between(1, std::max(1u, n - 1));
            subject narrow(model, small);
            if (n > small.cells) {
                expect_code(keep(narrow, 0, { 0 }, small.cells + 1), LLAMA_KEEP_NO_ROOM, "a budget over the target's cells");
            }
            break;
        }
        case 2: {
            const uint32_t budget = random.between(1, n);
            auto           idxs   = indices(n, budget);
            const uint32_t at     = random.between(0, static_cast<uint32_t>(idxs.size()) - 1);
            const uint32_t beyond[] = { n, n + 1, 1u << 30, UINT32_MAX };
            if (at % budget > 0 && random.one_in(2)) {
                idxs[at] = idxs[at - 1] - (random.one_in(2) && idxs[at - 1] > 0 ? 1 : 0);
            } else {
                idxs[at] = random.pick(beyond);
            }
            expect_code(keep(target, 0, idxs, budget), LLAMA_KEEP_INDICES, "indices that do not ascend, or lie beyond the end");
            expect_code(keep(*context, 0, idxs, budget), is_uneven() ? LLAMA_KEEP_NO_ROOM : LLAMA_KEEP_INDICES, "wrong indices in place");
            break;
        }
        case 3:
            for (const auto & other : all.evictable) {
                if (&other != &model) {
                    subject stranger(other, even);
                    expect_code(keep(stranger, 0, { 0 }, 1), LLAMA_KEEP_INCOMPATIBLE, "another model's context");
                    break;
                }
            }
            break;
        case 4: {
            shape other = even;
            const bool layout = random.one_in(2) && made.type_v != GGML_TYPE_Q8_0 && made.type_v != GGML_TYPE_Q4_0;
            if (layout) {
                other.flash = !made.flash;
            } else {
                other.type_k = made.type_k == GGML_TYPE_Q8_0 ? GGML_TYPE_F16 : GGML_TYPE_Q8_0;
            }
            subject different(model, other);
            expect_code(keep(different, 0, { 0 }, 1), LLAMA_KEEP_INCOMPATIBLE, layout ? "another layout of V" : "another type of K");
            break;
        }
        case 5: {
            expect(target.decode(tokens(1), 0) == 0, "a decode fails");
            const uint64_t before = target.fingerprint();
            expect_code(keep(target, 0, indices(n, 1), 1), LLAMA_KEEP_NOT_EMPTY, "a target that holds something");
            expect(target.fingerprint() == before, "a refused keep changes its target");
            return;
        }
        case 6:
            expect_code(llama_keep(target.get(), context->get(), 0, indices(n, 1).data(), budgets(1).data()), LLAMA_KEEP_SEQUENCE, "an empty source");
            expect_code(llama_keep(target.get(), target.get(), 0, indices(n, 1).data(), budgets(1).data()), LLAMA_KEEP_SEQUENCE, "an empty source in place");
            break;
        default: {
            auto different = budgets(1);
            different.back() = 2;
            expect_code(llama_keep(context->get(), target.get(), 0, indices(n, 2).data(), different.data()), LLAMA_KEEP_NO_ROOM, "other budgets in layers with the same cells");
            if (made.flash) {
                // cells that leave one layer more room than another
                shape uneven = even;
                uneven.cells = 24;
                uneven.layer_cells.assign(different.size(), 24);
                uneven.layer_cells.front() = 16;
                subject other(model, uneven);
                expect_code(keep(other, 0, indices(n, 1), 1), LLAMA_KEEP_NO_ROOM, "the same budgets in layers with other cells");
                expect(other.info().n_tokens == 0 && !other.info().is_kept, "a refused keep leaves something in its target");
            }
            // tokens that a layer does not hold
            const auto held = context->base()->get_layer_tokens(0);
            if (*std::min_element(held.begin(), held.end()) < n) {
                expect_code(keep(target, 0, std::vector<uint32_t>(indices(n, 1).size(), 0), 1), LLAMA_KEEP_INDICES, "a token that the layer does not hold");
            }
        }
    }
    expect(target.info().n_tokens == 0 && !target.info().is_kept, "a refused keep leaves something in its target");
}

void sequence::misuse_kept_cells() {
    const llama_memory_t memory = context->memory();
    const auto next = static_cast<uint32_t>(context->next());
    if (kept_at < 2) {
        return;
    }
    const auto some = static_cast<llama_pos>(random.between(1, static_cast<uint32_t>(kept_at) - 1));

    const uint32_t kind = random.between(0, 6);
    note("misuse: kept cells, " + std::to_string(kind));
    switch (kind) {
        case 0:
            expect(!llama_memory_can_shift(memory), "kept cells claim that they can be shifted");
            llama_memory_seq_add(memory, 0, random.one_in(2) ? some : -1, -1, random.one_in(2) ? 3 : -1);
            break;
        case 1: llama_memory_seq_div(memory, 0, 0, -1, 2); break;
        case 2: llama_memory_seq_cp(memory, 0, random.one_in(2) ? 1 : 0, -1, -1); break;
        case 3: llama_memory_seq_keep(memory, random.one_in(2) ? 1 : 0); break;
        case 4:
            expect(!llama_memory_seq_rm(memory, 0, some, -1), "kept cells are removed from position " + std::to_string(some));
            expect(!llama_memory_seq_rm(memory, 0, 0, static_cast<llama_pos>(next)), "kept cells are removed up to the end");
            expect(!llama_memory_seq_rm(memory, 0, some, some + 1), "one kept cell is removed");
            break;
        case 5:
            llama_memory_seq_rm(memory, 1, -1, -1);
            expect(is_kept(), "the removal of a sequence that is not there makes kept cells ordinary ones");
            break;
        default: {
            expect(llama_state_get_size(context->get()) == 0, "the state of kept cells has a size");
            expect(llama_state_seq_get_size(context->get(), 0) == 0, "the sequence state of kept cells has a size");
            std::vector<uint8_t> buffer(64);
            expect(llama_state_get_data(context->get(), buffer.data(), buffer.size()) == 0, "kept cells are saved");
            expect(llama_state_seq_get_data(context->get(), buffer.data(), buffer.size(), 0) == 0, "kept cells are saved as a sequence");
            const auto path = std::filesystem::temp_directory_path() / ("longsight-check-" + std::to_string(getpid()) + ".state");
            const auto name = path.string();
            const bool whole = llama_state_save_file(context->get(), name.c_str(), nullptr, 0);
            const bool part  = llama_state_seq_save_file(context->get(), name.c_str(), 0, nullptr, 0) > 0;
            std::filesystem::remove(path);
            expect(!whole && !part, "kept cells are saved to a file");
        }
    }
}

void sequence::misuse_decode() {
    const llama_pos next = context->next();
    const uint32_t  kind = random.between(0, 4);
    note("misuse: decode, " + std::to_string(kind));
    switch (kind) {
        case 0:
            if (next > 0) {
                const llama_pos wrong[] = { next + 1, next + 7, next - 1, 0 };
                expect(context->decode(tokens(2), random.pick(wrong)) == -1, "a decode at a wrong position is not refused");
            }
            break;
        case 1: expect(context->decode(tokens(2), next, true, random.one_in(2) ? 1 : -1) == -1, "a decode of a wrong sequence is not refused"); break;
        case 2: expect(context->decode({ static_cast<llama_token>(TINY_VOCABULARY) }, next) == -1, "a token that does not exist is not refused"); break;
        case 3: expect(context->decode({ -1 }, next) == -1, "a negative token is not refused"); break;
        default:
            if (free_cells() < made.positions) {
                expect(context->decode(tokens(free_cells() + 1), next) == 1, "more tokens than cells are not refused by 1");
            }
    }
}

void sequence::misuse_scores() {
    note("misuse: scores");
    llama_attn_scores_info about = {};
    float value = 0.0f;

    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
    expect(llama_get_attn_scores_info(context->get(), &about) == -1, "scores without scoring");
    expect(llama_get_attn_scores(context->get(), 0, &value, 1) == -1, "scores without scoring");

    expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_PROMPT, context->next()) == 0, "scoring is refused");
    expect(llama_get_attn_scores(context->get(), 0, &value, 1) == -1, "scores before any row");
    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
}

void check_refusals(const zoo & zoo) {
    const auto refused_layers = [](const tiny_model & model, std::vector<uint32_t> cells, bool flash) {
        llama_context_params params = llama_context_default_params();
        params.n_ctx           = 256;
        params.n_cells         = *std::max_element(cells.begin(), cells.end());
        params.n_layer_cells   = static_cast<uint32_t>(cells.size());
        params.layer_cells     = cells.data();
        params.flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
        return llama_context_ptr(llama_init_from_model(model.model.get(), params)) == nullptr;
    };
    const auto make = [](const tiny_model & model, uint32_t cells, uint32_t sequences) {
        llama_context_params params = llama_context_default_params();
        params.n_ctx     = 256;
        params.n_cells   = cells;
        params.n_seq_max = sequences;
        params.n_threads = params.n_threads_batch = 1;
        return llama_context_ptr(llama_init_from_model(model.model.get(), params));
    };
    const auto refuses = [](llama_context * context, const char * what) {
        const uint32_t  index = 0;
        llama_keep_info info  = {};
        expect(llama_set_attn_scores(context, LLAMA_ATTN_SCORES_PROBE, 0) == -1, std::string("scored: ") + what);
        expect(llama_set_attn_scores(context, LLAMA_ATTN_SCORES_QUERIES, 0) == -1, std::string("queries: ") + what);
        expect(llama_get_keep_info(context, 0, &info) == LLAMA_KEEP_UNSUPPORTED, std::string("known to keep: ") + what);
        expect(llama_keep(context, context, 0, &index, &index) == LLAMA_KEEP_UNSUPPORTED, std::string("kept: ") + what);
        uint8_t byte = 0;
        expect(llama_row_bytes(context, LLAMA_ROWS_EXACT) == 0, std::string("has rows: ") + what);
        expect(llama_read_rows (context, 0, 0, 1, LLAMA_ROWS_EXACT, &byte, 1) == LLAMA_KEEP_UNSUPPORTED, std::string("rows read: ") + what);
        expect(llama_write_rows(context, 0, 0, 1, LLAMA_ROWS_EXACT, &byte, 1) == LLAMA_KEEP_UNSUPPORTED, std::string("rows written: ") + what);
        expect(llama_write_image(context, 0, LLAMA_IMAGE_KEPT, &byte, 1) == LLAMA_KEEP_UNSUPPORTED, std::string("image written: ") + what);
    };

    for (const auto & model : zoo.others) {
        refuses(make(model, 0, 1).get(), "a model that cannot be evicted from");
    }
    expect(make(zoo.others[1], 64, 1) == nullptr, "a model without a cache of keys takes a number of cells");

    for (const auto & model : zoo.evictable) {
        refuses(make(model, 0, 2).get(), "two sequences");
        expect(make(model, 257, 1) == nullptr, "more cells than positions");
        expect(make(model, 64, 2) == nullptr, "fewer cells with two sequences");

        const size_t n = model.kind == model_kind::full ? 3 : 2;
        expect(!refused_layers(model, std::vector<uint32_t>(n, 64), false), "the same cells in all layers, without flash attention");
        expect(refused_layers(model, std::vector<uint32_t>(n - 1, 64), true), "cells for fewer layers than there are");
        expect(refused_layers(model, std::vector<uint32_t>(n + 1, 64), true), "cells for more layers than there are");
        std::vector<uint32_t> uneven(n, 64);
        uneven.back() = 0;
        expect(refused_layers(model, uneven, true), "a layer without cells");
        uneven.back() = 32;
        expect(!refused_layers(model, uneven, true), "layers with their own cells are refused");
        expect(refused_layers(model, uneven, false), "layers with their own cells, without flash attention");
        uneven.back() = 257;
        expect(refused_layers(model, uneven, true), "more cells in a layer than positions");
    }
}
