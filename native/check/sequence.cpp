#include "sequence.h"

#include "reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

sequence::sequence(const zoo & zoo, uint64_t seed, std::string & trace) :
    all(zoo), random(seed), trace(trace), model(choose_model()), made(choose_shape()) {
    note(describe(made) + (is_sliding() ? " sliding" : " full") + " head " + std::to_string(model.head_dim));
    context = std::make_unique<subject>(model, made);
    twin    = std::make_unique<subject>(model, made);
}

const tiny_model & sequence::choose_model() {
    return all.evictable[random.between(0, static_cast<uint32_t>(all.evictable.size()) - 1)];
}

shape sequence::choose_shape() {
    const ggml_type types[] = { GGML_TYPE_F16, GGML_TYPE_F32, GGML_TYPE_Q8_0, GGML_TYPE_Q4_0 };
    const ggml_type plain[] = { GGML_TYPE_F16, GGML_TYPE_F32 };
    const uint32_t  lengths[]  = { 256, 512 };
    const uint32_t  ubatches[] = { 8, 16, 33, 64, 128 };

    shape result;
    result.flash     = !random.one_in(3);
    result.type_k    = random.pick(types);
    result.type_v    = result.flash ? random.pick(types) : random.pick(plain);
    result.positions = random.pick(lengths);
    result.cells     = random.one_in(2) ? 0 : random.between(64, result.positions);
    result.ubatch    = random.pick(ubatches);
    result.threads   = random.one_in(64) ? 2 : 1; // on a busy machine two threads spend their time at barriers
    return result;
}

std::vector<llama_token> sequence::tokens(uint32_t n) {
    std::vector<llama_token> result(n);
    for (auto & token : result) {
        token = static_cast<llama_token>(random.between(0, TINY_VOCABULARY - 1));
    }
    return result;
}

uint32_t sequence::free_cells() const {
    const auto cells  = context->base()->get_layer_cells();
    const auto tokens = context->base()->get_layer_tokens(0);
    uint32_t result = UINT32_MAX;
    for (size_t i = 0; i < cells.size(); ++i) {
        result = std::min(result, cells[i] - tokens[i]);
    }
    return result;
}

uint32_t sequence::free_cells_of_emptiest() const {
    const auto cells  = context->base()->get_layer_cells();
    const auto tokens = context->base()->get_layer_tokens(0);
    uint32_t result = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
        result = std::max(result, cells[i] - tokens[i]);
    }
    return result;
}

void sequence::same_logits(const subject & a, const subject & b, const char * promise) const {
    const auto left  = a.logits();
    const auto right = b.logits();

    // The order of summation is the order of the cells. A window's cells may lie elsewhere after rows were removed again.
    const bool exact = a.layout() == b.layout();
    for (size_t i = 0; i < left.size(); ++i) {
        expect(std::isfinite(left[i]), "logits are not finite");
        const bool same = exact ? memcmp(&left[i], &right[i], sizeof(float)) == 0 : std::fabs(left[i] - right[i]) < 0.25f;
        expect(same, std::string(promise) + ": logit " + std::to_string(i) + " is " + std::to_string(left[i]) + ", the other " + std::to_string(right[i]));
    }
}

void sequence::check_scores(uint64_t n_rows) {
    llama_attn_scores_info about = {};
    expect(llama_get_attn_scores_info(context->get(), &about) == 0, "scores were summed up and are not there");
    expect(about.n_rows == n_rows, "the number of scored rows is " + std::to_string(about.n_rows) + ", not " + std::to_string(n_rows));

    const auto info = context->info();
    expect(about.n_layer == info.n_layer && about.n_head_kv == info.n_head_kv, "scores and keep disagree about layers and heads");

    std::vector<float> values(static_cast<size_t>(info.n_layer)*info.n_head_kv*info.n_tokens);
    expect(llama_get_attn_scores(context->get(), 0, values.data(), info.n_tokens) == 0, "scores of all tokens are refused");
    const auto held = context->base()->get_layer_tokens(0);
    for (size_t i = 0; i < static_cast<size_t>(info.n_layer)*info.n_head_kv; ++i) {
        double sum = 0.0;
        for (uint32_t j = 0; j < info.n_tokens; ++j) {
            const float value = values[i*info.n_tokens + j];
            if (j < info.n_tokens - held[i/info.n_head_kv]) {
                expect(value == -1.0f, "a token has a score in a layer that does not hold it");
                continue;
            }
            expect(std::isfinite(value) && value >= 0.0f, "a score is negative or not finite");
            sum += value;
        }
        expect(std::fabs(sum - 1.0) < 1e-4, "the scores of a layer and head sum up to " + std::to_string(sum));
        // only its own row looks at the last token: the rows that were summed up are the last ones
        expect(values[(i + 1)*info.n_tokens - 1] > 0.0f, "the last row is not among those that were summed up");
    }

    float value = 0.0f;
    expect(llama_get_attn_scores(context->get(), 0, &value, info.n_tokens + 1) == -2, "scores of more tokens than there are");
    for (const llama_seq_id id : { 1, LLAMA_MAX_SEQ, -1 }) {
        expect(llama_get_attn_scores(context->get(), id, &value, 1) == -2, "scores of a sequence that is not there");
    }
}

void sequence::check_against_reference(llama_token last) {
    if (is_sliding() || ggml_is_quantized(made.type_k) || ggml_is_quantized(made.type_v)) {
        return;
    }
    const auto info     = context->info();
    const auto expected = compute_reference(*context, last);
    const auto logits   = context->logits();
    for (size_t i = 0; i < logits.size(); ++i) {
        expect(std::fabs(logits[i] - expected.logits[i]) < 0.05f, "logit " + std::to_string(i) + " is " + std::to_string(logits[i]) +
                ", the reference's " + std::to_string(expected.logits[i]));
    }
    std::vector<float> scores(static_cast<size_t>(info.n_layer)*info.n_head_kv*info.n_tokens);
    expect(llama_get_attn_scores(context->get(), 0, scores.data(), info.n_tokens) == 0, "scores of all tokens are refused");
    for (size_t i = 0; i < expected.probabilities.size(); ++i) {
        for (uint32_t j = 0; j < info.n_tokens; ++j) {
            const float score = scores[i*info.n_tokens + j];
            expect(std::fabs(score - expected.probabilities[i][j]) < 0.01f, "the score of token " + std::to_string(j) + " in list " +
                    std::to_string(i) + " is " + std::to_string(score) + ", the reference's " + std::to_string(expected.probabilities[i][j]));
        }
    }
}

void sequence::decode_one() {
    const llama_pos next = context->next();
    if (free_cells() == 0) {
        return decode();
    }
    note("decode one at " + std::to_string(next) + " scored");
    const auto one = tokens(1);
    expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_PROMPT, next) == 0, "scoring is refused");
    expect(context->decode(one, next) == 0 && twin->decode(one, next) == 0, "a decode fails");
    same_logits(*context, *twin, "a row changes when it is scored");
    check_scores(1);
    check_against_reference(one[0]);
    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
}

void sequence::forget(llama_pos from) {
    expect(context->remove(from) && twin->remove(from), "the removal of what came after position " + std::to_string(from) + " is refused");
}

void sequence::decode() {
    const llama_pos next = context->next();
    const uint32_t  free = free_cells();
    if (free == 0) {
        return remove_all();
    }
    const uint32_t n      = std::min(free, random.between(1, random.one_in(3) ? 120 : 24));
    const auto     prompt = tokens(n);
    const bool     scored = random.one_in(2);
    const llama_pos from  = next + static_cast<llama_pos>(random.between(0, n - 1));

    note("decode " + std::to_string(n) + " at " + std::to_string(next) + (scored ? " scored from " + std::to_string(from) : ""));
    if (scored) {
        expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_PROMPT, from) == 0, "scoring is refused");
    }
    expect(context->decode(prompt, next) == 0, "a decode fails");
    expect(twin   ->decode(prompt, next) == 0, "the twin's decode fails");
    same_logits(*context, *twin, scored ? "prompt rows change when they are scored" : "what was done before changes the logits");
    if (scored) {
        check_scores(static_cast<uint64_t>(next) + n - from);
        if (!random.one_in(4)) {
            llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
        }
    }
}

void sequence::probe() {
    const llama_pos next = context->next();
    const uint32_t  most = std::min({ free_cells(), made.ubatch, 32u });
    if (next == 0 || most == 0) {
        return decode();
    }
    const uint32_t n       = random.between(1, most);
    const bool     adapter = random.one_in(2);
    const uint64_t before  = is_sliding() ? 0 : context->fingerprint();

    std::vector<float> rows(static_cast<size_t>(n)*llama_model_n_embd(model.model.get()));
    for (auto & value : rows) {
        value = random.normal();
    }

    note("probe " + std::to_string(n) + (adapter ? " with LoRA" : ""));
    context->use_adapter(adapter);
    expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_PROBE, next) == 0, "scoring is refused");
    expect(context->decode_rows(rows, next) == 0, "a probe fails");
    check_scores(n);
    context->use_adapter(false);

    expect(context->remove(next), "the removal of probe rows is refused");
    expect(context->next() == next, "probe rows leave a trace");
    expect(is_sliding() || context->fingerprint() == before, "probe rows change the cache");

    // what the caller reads: scores of the tokens without the rows
    const auto info = context->info();
    std::vector<float> values(static_cast<size_t>(info.n_layer)*info.n_head_kv*info.n_tokens);
    expect(llama_get_attn_scores(context->get(), 0, values.data(), info.n_tokens) == 0, "scores are gone after the rows' removal");
    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
}

void sequence::cancel() {
    const llama_pos next = context->next();
    const uint32_t  most = std::min(free_cells(), is_sliding() ? made.ubatch : 200u);
    if (most == 0) {
        return remove_all();
    }
    const uint32_t n      = random.between(1, most);
    const uint32_t nodes  = random.between(0, random.one_in(2) ? 60 : 600);
    const uint64_t before = is_sliding() ? 0 : context->fingerprint();
    const llama_attn_scores_type modes[] = { LLAMA_ATTN_SCORES_NONE, LLAMA_ATTN_SCORES_PROBE, LLAMA_ATTN_SCORES_PROMPT, LLAMA_ATTN_SCORES_QUERIES };
    const auto mode = random.pick(modes);

    note("cancel a decode of " + std::to_string(n) + " after " + std::to_string(nodes) + " nodes, scoring " + std::to_string(mode));
    expect(llama_set_attn_scores(context->get(), mode, next) == 0, "scoring is refused");
    context->cancel_after(nodes);
    const int32_t status = context->decode(tokens(n), next);
    expect(status == 0 || status == 2, "a cancelled decode returns " + std::to_string(status));
    expect(context->remove(next), "the removal of what a cancelled decode left is refused");
    expect(context->next() == next, "a cancelled decode leaves a trace");
    expect(is_sliding() || context->fingerprint() == before, "a cancelled decode changes the cache");
    llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_NONE, 0);
}

void sequence::remove_tail() {
    const llama_pos next  = context->next();
    const llama_pos first = is_kept() ? kept_at : 0;
    // a window does not bring back what it gave up
    const llama_pos most = is_sliding() ? std::min(next - first, 4) : next - first;
    if (most <= 0 || (is_sliding() && next < 30)) {
        return decode();
    }
    const llama_pos from = next - static_cast<llama_pos>(random.between(0, static_cast<uint32_t>(most)));
    note("remove from " + std::to_string(from));
    forget(from);
    expect(context->next() <= from, "the next position is beyond where the removal began"); // before it where tokens had moved
}

void sequence::remove_all() {
    const uint32_t way = random.between(0, 2);
    note("remove all, way " + std::to_string(way));
    for (subject * each : { context.get(), twin.get() }) {
        switch (way) {
            case 0:  llama_memory_clear(each->memory(), false); break;
            case 1:  llama_memory_clear(each->memory(), true); break;
            default: expect(llama_memory_seq_rm(each->memory(), 0, -1, -1), "a full removal is refused");
        }
    }
    kept_at = 0;
    const auto info = context->info();
    expect(!info.is_kept && info.n_tokens == 0 && context->next() == 0, "after a full removal the cache is not empty");
    expect((llama_state_get_size(context->get()) > 0) == !is_uneven(), "after a full removal the state cannot be saved");
}

bool sequence::can_shift() const {
    // llama.cpp itself follows a null pointer when it shifts quantised keys that it did not rotate (head width no multiple of 64)
    const bool broken = ggml_is_quantized(made.type_k) && model.head_dim % 64 != 0;
    return !is_kept() && !is_sliding() && !broken && context->next() >= 4 && free_cells() > 0 && llama_memory_can_shift(context->memory());
}

void sequence::shift() {
    const llama_pos next = context->next();
    if (!can_shift()) {
        return decode();
    }
    const auto a = static_cast<llama_pos>(random.between(1, static_cast<uint32_t>(next) - 2));
    const auto b = static_cast<llama_pos>(random.between(static_cast<uint32_t>(a) + 1, static_cast<uint32_t>(next) - 1));
    const bool drop = random.one_in(2);
    note((drop ? "drop " : "move from ") + std::to_string(a) + " to " + std::to_string(b));
    for (subject * each : { context.get(), twin.get() }) {
        if (drop) {
            expect(llama_memory_seq_rm(each->memory(), 0, a, b), "a removal in the middle is refused");
            llama_memory_seq_add(each->memory(), 0, b, -1, a - b);
        } else {
            llama_memory_seq_add(each->memory(), 0, a, -1, b - a);
        }
    }

    // keys that wait for their shift are not what their positions say
    const uint32_t n = context->info().n_tokens;
    subject target(model, made);
    const std::vector<uint32_t> ones(context->info().n_layer, 1);
    expect(llama_keep(context->get(), target.get(), 0, indices(n, 1).data(), ones.data()) == LLAMA_KEEP_UNSUPPORTED, "keys that wait for a shift are kept");
    std::vector<uint8_t> row(llama_row_bytes(context->get(), LLAMA_ROWS_EXACT));
    expect(llama_read_rows(context->get(), 0, 0, 1, LLAMA_ROWS_EXACT, row.data(), row.size()) == LLAMA_KEEP_POSITIONS, "keys that wait for a shift are read");
    decode();
}

void sequence::divide() {
    if (!can_shift()) {
        return decode();
    }
    note("divide positions by 2");
    for (subject * each : { context.get(), twin.get() }) {
        llama_memory_seq_div(each->memory(), 0, 0, -1, 2);
    }
    decode();

    // several tokens have one position now: there are fewer labels up to the last position than tokens
    const uint32_t n = context->info().n_tokens;
    subject target(model, made);
    const std::vector<uint32_t> all_tokens(context->info().n_layer, n);
    expect(llama_keep(context->get(), target.get(), 0, indices(n, n).data(), all_tokens.data()) == LLAMA_KEEP_UNSUPPORTED, "more tokens than positions are kept");
    expect(target.info().n_tokens == 0, "a refused keep leaves something in its target");
}

void sequence::save_or_restore() {
    if (is_uneven()) {
        return decode();
    }
    if (!is_kept()) {
        note("save");
        saved.resize(llama_state_get_size(context->get()));
        expect(!saved.empty() && llama_state_get_data(context->get(), saved.data(), saved.size()) == saved.size(), "the state cannot be saved");
        saved_tokens = context->info().n_tokens;
        return;
    }
    if (saved.empty() || saved_tokens > context->info().n_cells || is_sliding()) {
        return decode();
    }
    note("restore over kept cells");
    for (subject * each : { context.get(), twin.get() }) {
        expect(llama_state_set_data(each->get(), saved.data(), saved.size()) == saved.size(), "a saved state cannot be restored over kept cells");
    }
    const auto info = context->info();
    expect(!info.is_kept && info.n_tokens == saved_tokens, "a restored state is taken for kept cells");
    kept_at = 0;
}

void sequence::run() {
    decode();
    const uint32_t n_steps = random.between(5, 12);
    for (uint32_t i = 0; i < n_steps; ++i) {
        switch (random.between(0, 22)) {
            case 0: case 1: case 2: decode(); break;
            case 16:                decode_one(); break;
            case 17:                rows_out_and_in(); break;
            case 18: case 19:       image_out_and_in(); break;
            case 20:                streaming(); break;
            case 21: case 22:       expect_attention(); break;
            case 3: case 4:         probe(); break;
            case 5: case 6:         keep_elsewhere(); break;
            case 7:                 keep_in_place(); break;
            case 8:                 cancel(); break;
            case 9:                 remove_tail(); break;
            case 10:                random.one_in(3) ? remove_all() : save_or_restore(); break;
            case 11:                random.one_in(3) ? divide() : shift(); break;
            default:                misuse(); break;
        }
    }
    decode();
}
