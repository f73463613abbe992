// A fixed amount of what the patches add, for counting its instructions: ../../bench/guard runs it under callgrind, which is told the
// names of the functions count_* below. One thread, a made model, the same tokens on every machine.
//
//   longsight-count BACKEND      the library of the CPU generation that computes
//
// In the end it writes what else is counted: the version of the C library.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "ggml-backend.h"
#include "llama-cpp.h"
#include "llama-ext.h"

#include "../check/models.h"
#include "../check/random.h"

namespace {

constexpr uint32_t PROMPT = 384; // tokens
constexpr uint32_t ROWS   = 32;  // that are scored: the prompt's last, or a module's behind it
constexpr uint32_t BUDGET = 64;  // tokens kept of each layer and KV head
constexpr uint32_t ANSWER = 8;   // tokens decoded from what is kept
constexpr uint32_t FUTURE = 128; // positions that attention is expected from
constexpr uint32_t CELLS  = PROMPT + ROWS;

void expect(bool held, const char * promise) {
    if (!held) {
        throw std::runtime_error(promise);
    }
}

// What is decoded: made once, so that no part pays for it.
struct input {
    std::vector<llama_token> tokens;
    std::vector<float>       rows;
};

input make_input(const tiny_model & model) {
    random_source random(7);
    input result;
    for (uint32_t i = 0; i < CELLS; ++i) {
        result.tokens.push_back(static_cast<llama_token>(random.between(0, TINY_VOCABULARY - 1)));
    }
    result.rows.resize(ROWS*static_cast<size_t>(llama_model_n_embd(model.model.get())));
    for (float & value : result.rows) {
        value = random.normal();
    }
    return result;
}

// layer_cells: of each layer, empty where all have as many
llama_context_ptr make_context(const tiny_model & model, uint32_t cells, const std::vector<uint32_t> & layer_cells = {}, bool flash = true) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx           = CELLS;
    params.n_batch         = CELLS;
    params.n_ubatch        = CELLS;
    params.n_cells         = cells;
    params.n_layer_cells   = static_cast<uint32_t>(layer_cells.size());
    params.layer_cells     = layer_cells.data();
    params.n_outputs_max   = 1;
    params.n_threads       = 1;
    params.n_threads_batch = 1;
    params.flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.no_perf         = true;

    llama_context_ptr context(llama_init_from_model(model.model.get(), params));
    expect(context != nullptr, "llama.cpp refused the context");
    return context;
}

// Tokens or rows at positions first … first + n - 1, as the app decodes them: one logit row, or none for rows.
class batch {
    public:
        batch(const input & input, bool rows, uint32_t first, uint32_t n) {
            const size_t width = input.rows.size()/ROWS;
            data = llama_batch_init(static_cast<int32_t>(n), rows ? static_cast<int32_t>(width) : 0, 1);
            data.n_tokens = static_cast<int32_t>(n);
            for (uint32_t i = 0; i < n; ++i) {
                data.pos[i]       = static_cast<llama_pos>(first + i);
                data.n_seq_id[i]  = 1;
                data.seq_id[i][0] = 0;
                data.logits[i]    = !rows && i == n - 1;
            }
            if (rows) {
                std::copy_n(input.rows.begin(), n*width, data.embd);
            } else {
                std::copy_n(input.tokens.begin() + first, n, data.token);
            }
        }
        ~batch() { llama_batch_free(data); }
        batch(const batch &) = delete;
        batch & operator=(const batch &) = delete;

        llama_batch data;
};

void decode(llama_context * context, const batch & batch) {
    expect(llama_decode(context, batch.data) == 0, "a decode failed");
    llama_synchronize(context);
}

void forget_from(llama_context * context, uint32_t position) {
    llama_set_attn_scores(context, LLAMA_ATTN_SCORES_NONE, 0);
    expect(llama_memory_seq_rm(llama_get_memory(context), 0, static_cast<llama_pos>(position), -1), "tokens could not be removed");
}

void use_adapter(llama_context * context, const tiny_model & model, bool on) {
    llama_adapter_lora * adapter = model.adapter;
    float scale = 1.0f;
    expect(llama_set_adapters_lora(context, &adapter, on ? 1 : 0, &scale) == 0, "the adapter was refused");
}

// What is in one cache into another one, which is empty: quicker than to decode it again.
void copy_prompt(llama_context * from, llama_context * to) {
    std::vector<uint8_t> rows(PROMPT*llama_row_bytes(from, LLAMA_ROWS_EXACT));
    expect(llama_read_rows(from, 0, 0, PROMPT, LLAMA_ROWS_EXACT, rows.data(), rows.size()) == LLAMA_KEEP_OK, "rows could not be read");
    expect(llama_write_rows(to, 0, 0, PROMPT, LLAMA_ROWS_EXACT, rows.data(), rows.size()) == LLAMA_KEEP_OK, "rows could not be written");
}

// The tokens with the highest scores of each layer and head, ascending, as many as the layer's budget says.
std::vector<uint32_t> select(const std::vector<float> & scores, const std::vector<uint32_t> & budgets) {
    std::vector<uint32_t> result;
    std::vector<uint32_t> order(PROMPT);
    for (size_t list = 0; list < budgets.size()*TINY_KV_HEADS; ++list) {
        const float * row = scores.data() + list*PROMPT;
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [row](uint32_t a, uint32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
        const auto begin = result.insert(result.end(), order.begin(), order.begin() + budgets[list/TINY_KV_HEADS]);
        std::sort(begin, result.end());
    }
    return result;
}

} // namespace

// The parts. Each is called twice, and the second time counts: the first one binds symbols and makes room.
#define COUNTED extern "C" __attribute__((noinline)) void

// What llama.cpp does without us, and a plain copy: the others are held against these.
COUNTED count_prompt(llama_context * context, const batch & batch) {
    decode(context, batch);
}

// Without flash attention: a probe's rows have none either.
COUNTED count_rows(llama_context * context, const batch & batch) {
    decode(context, batch);
}

COUNTED count_answer(llama_context * context, const std::vector<batch *> & batches) {
    for (const batch * each : batches) {
        decode(context, *each);
    }
}

// The same bytes as a gather of BUDGET tokens moves, one head's part of a row after the other.
COUNTED count_copy(uint8_t * to, const uint8_t * from, const std::vector<uint32_t> & indices, size_t bytes) {
    for (size_t i = 0; i < indices.size(); ++i) {
        memcpy(to + i*bytes, from + indices[i]*bytes, bytes);
    }
}

COUNTED count_prompt_scores(llama_context * context, const batch & batch) {
    llama_set_attn_scores(context, LLAMA_ATTN_SCORES_PROMPT, PROMPT - ROWS);
    decode(context, batch);
}

COUNTED count_rows_scores(llama_context * context, const tiny_model & model, const batch & batch) {
    use_adapter(context, model, true);
    llama_set_attn_scores(context, LLAMA_ATTN_SCORES_PROBE, PROMPT);
    decode(context, batch);
    use_adapter(context, model, false);
}

COUNTED count_scores(llama_context * context, std::vector<float> & scores) {
    expect(llama_get_attn_scores(context, 0, scores.data(), PROMPT) == 0, "there are no scores");
}

COUNTED count_expected(llama_context * context, const batch & batch, std::vector<float> & logits, std::vector<float> & lengths) {
    llama_set_attn_scores(context, LLAMA_ATTN_SCORES_QUERIES, PROMPT - ROWS);
    decode(context, batch);
    expect(llama_get_attn_expected(context, 0, PROMPT, FUTURE, logits.data(), lengths.data()) == 0, "no attention is expected");
}

COUNTED count_gather(llama_context * from, llama_context * to, const std::vector<uint32_t> & indices, const std::vector<uint32_t> & budgets) {
    expect(llama_keep(from, to, 0, indices.data(), budgets.data()) == LLAMA_KEEP_OK, "a gather was refused");
}

COUNTED count_gather_layers(llama_context * from, llama_context * to, const std::vector<uint32_t> & indices, const std::vector<uint32_t> & budgets) {
    expect(llama_keep(from, to, 0, indices.data(), budgets.data()) == LLAMA_KEEP_OK, "a gather by layer was refused");
}

COUNTED count_kept_answer(llama_context * context, const std::vector<batch *> & batches) {
    for (const batch * each : batches) {
        decode(context, *each);
    }
}

COUNTED count_kept_answer_layers(llama_context * context, const std::vector<batch *> & batches) {
    for (const batch * each : batches) {
        decode(context, *each);
    }
}

static void run(const tiny_model & model, const input & input) {
    const uint32_t n_layer = static_cast<uint32_t>(llama_model_n_layer(model.model.get()));
    const std::vector<uint32_t> even(n_layer, BUDGET);
    std::vector<uint32_t> uneven(n_layer, BUDGET);
    for (uint32_t layer = 0; layer < n_layer; ++layer) {
        uneven[layer] = 2*BUDGET/(layer + 1); // more for the first layers, as a pyramid has it
    }

    const batch before(input, false, 0, PROMPT - ROWS);
    const batch last(input, false, PROMPT - ROWS, ROWS);
    const batch behind(input, true, PROMPT, ROWS);
    std::vector<std::unique_ptr<batch>> owned;
    std::vector<batch *> answer;
    for (uint32_t i = 0; i < ANSWER; ++i) {
        owned.push_back(std::make_unique<batch>(input, false, PROMPT + i, 1));
        answer.push_back(owned.back().get());
    }
    std::vector<float> scores(n_layer*TINY_KV_HEADS*PROMPT);
    std::vector<float> logits(n_layer*TINY_HEADS*PROMPT);
    std::vector<float> lengths(scores.size());

    const auto context = make_context(model, CELLS);
    const auto plain   = make_context(model, CELLS, {}, false);
    decode(context.get(), before);
    for (int round = 0; round < 2; ++round) {
        count_prompt(context.get(), last);
        forget_from(context.get(), PROMPT - ROWS);
        count_prompt_scores(context.get(), last);
        forget_from(context.get(), PROMPT - ROWS);
        count_expected(context.get(), last, logits, lengths);
        llama_set_attn_scores(context.get(), LLAMA_ATTN_SCORES_NONE, 0);
        copy_prompt(context.get(), plain.get());
        count_rows(plain.get(), behind);
        forget_from(plain.get(), 0);
        count_rows_scores(context.get(), model, behind);
        count_scores(context.get(), scores);
        forget_from(context.get(), PROMPT);

        const auto indices        = select(scores, even);
        const auto uneven_indices = select(scores, uneven);
        std::vector<uint32_t> layer_cells;
        for (const uint32_t budget : uneven) {
            layer_cells.push_back(budget + ANSWER);
        }
        const auto kept   = make_context(model, BUDGET + ANSWER);
        const auto layers = make_context(model, *std::max_element(layer_cells.begin(), layer_cells.end()), layer_cells);
        count_gather(context.get(), kept.get(), indices, even);
        count_gather_layers(context.get(), layers.get(), uneven_indices, uneven);

        const size_t bytes = sizeof(ggml_fp16_t)*model.head_dim;
        std::vector<uint8_t> from(PROMPT*bytes, 1);
        std::vector<uint8_t> to(indices.size()*bytes);
        for (int part = 0; part < 2; ++part) { // keys, values
            count_copy(to.data(), from.data(), indices, bytes);
        }

        // The first token of a cache builds its graph, which the next ones use again: both are counted.
        count_answer(context.get(), answer);
        count_kept_answer(kept.get(), answer);
        count_kept_answer_layers(layers.get(), answer);
        forget_from(context.get(), PROMPT - ROWS);
    }
    expect(std::all_of(scores.begin(), scores.end(), [](float score) { return score >= 0.0f && score <= 1.0f; }), "scores are no shares");
}

int main(int argc, char ** argv) {
    try {
        if (argc != 2) {
            throw std::runtime_error("which backend computes?");
        }
        llama_log_set([](ggml_log_level level, const char * text, void *) {
            if (level == GGML_LOG_LEVEL_ERROR) {
                fputs(text, stderr);
            }
        }, nullptr);
        expect(ggml_backend_load(argv[1]) != nullptr, "the CPU backend could not be loaded");
        llama_backend_init();
        const tiny_model model = make_tiny_model(model_kind::full, 64, 1);
        run(model, make_input(model));
#ifdef __GLIBC__
        printf("{\"libc\": \"glibc %s\"}\n", gnu_get_libc_version());
#else
        printf("{\"libc\": \"another\"}\n");
#endif
        return 0;
    } catch (const std::exception & error) {
        fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
