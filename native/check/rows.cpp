#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "sequence.h"

bool sequence::is_prefix() const {
    const auto cells = context->base()->get_seq_cells(0);
    for (size_t i = 0; i < cells.size(); ++i) {
        if (context->base()->get_cells(0).pos_get(cells[i]) != static_cast<llama_pos>(i)) {
            return false;
        }
    }
    return !is_kept() && !context->base()->get_has_shift();
}

// Copies all rows in pieces of any size.
void sequence::copy_rows(subject & from, subject & to, llama_rows_form form) {
    const auto   n     = static_cast<llama_pos>(from.info().n_tokens);
    const size_t bytes = llama_row_bytes(from.get(), form);
    expect(bytes > 0 && llama_row_bytes(to.get(), form) == bytes, "rows of like caches are not of the same size");

    std::vector<uint8_t> all;
    for (llama_pos at = 0; at < n;) {
        const auto end = at + static_cast<llama_pos>(random.between(1, static_cast<uint32_t>(n - at)));
        std::vector<uint8_t> piece((end - at)*bytes);
        expect(llama_read_rows(from.get(), 0, at, end, form, piece.data(), piece.size()) == LLAMA_KEEP_OK, "rows are not read");
        expect(llama_write_rows(to.get(), 0, at, end, form, piece.data(), piece.size()) == LLAMA_KEEP_OK, "rows are not written");
        at = end;
    }
}

bool sequence::copy_window(subject & from, subject & to) {
    const size_t size = llama_image_bytes(from.get(), 0, LLAMA_IMAGE_WINDOW);
    expect((size > 0) == is_sliding(), "a window's image, or none, where it should be otherwise");
    if (size == 0) {
        return true;
    }
    // where tokens were removed again, their window may be gone
    const auto positions = window_layout(from);
    bool whole = true;
    for (llama_pos p = std::max(0, from.next() + 1 - TINY_WINDOW); p < from.next(); ++p) {
        whole = whole && std::find(positions.begin(), positions.end(), p) != positions.end();
    }
    std::vector<uint8_t> image(size);
    const auto status = llama_read_image(from.get(), 0, LLAMA_IMAGE_WINDOW, image.data(), size);
    expect(status == (whole ? LLAMA_KEEP_OK : LLAMA_KEEP_POSITIONS), "a window's image is read with " + std::to_string(status));
    if (whole) {
        expect(llama_write_image(to.get(), 0, LLAMA_IMAGE_WINDOW, image.data(), size) == LLAMA_KEEP_OK, "a window's image is not written");
    }
    return whole;
}

void sequence::same_rows(const subject & a, const subject & b) const {
    const auto left_cells  = a.base()->get_seq_cells(0);
    const auto right_cells = b.base()->get_seq_cells(0);
    expect(left_cells.size() == right_cells.size(), "not as many tokens as before");
    const auto left  = all_rows(a);
    const auto right = all_rows(b);
    for (size_t t = 0; t < left.size(); ++t) {
        for (size_t i = 0; i < left_cells.size(); ++i) {
            for (uint32_t h = 0; h < TINY_KV_HEADS; ++h) {
                expect(left[t].get(h, left_cells[i]) == right[t].get(h, right_cells[i]), "a row is not what it was");
            }
        }
    }
}

// Rounded to 8 bits in blocks of 32, which is what q8_0 is.
void sequence::check_rounded(const subject & exact, const subject & rounded) const {
    const auto cells = exact.base()->get_seq_cells(0);
    const auto left  = all_rows(exact);
    const auto right = all_rows(rounded);
    const auto number = [](const std::vector<uint8_t> & row, size_t i) {
        ggml_fp16_t half;
        memcpy(&half, row.data() + i*sizeof(half), sizeof(half));
        return ggml_fp16_to_fp32(half);
    };
    for (size_t t = 0; t < left.size(); ++t) {
        for (size_t i = 0; i < cells.size(); ++i) {
            for (uint32_t h = 0; h < TINY_KV_HEADS; ++h) {
                const auto a = left[t].get(h, cells[i]);
                const auto b = right[t].get(h, static_cast<uint32_t>(i));
                for (size_t block = 0; block < model.head_dim; block += 32) {
                    float largest = 0.0f;
                    for (size_t e = block; e < block + 32; ++e) {
                        largest = std::max(largest, std::fabs(number(a, e)));
                    }
                    for (size_t e = block; e < block + 32; ++e) {
                        expect(std::fabs(number(a, e) - number(b, e)) <= largest/200.0f, "a row of 8 bits is not near the exact one");
                    }
                }
            }
        }
    }
}

// The state goes out as bytes and into a new context, which takes the place of the old one.
void sequence::rows_out_and_in() {
    const llama_pos next = context->next();
    if (context->info().n_tokens == 0 || !is_prefix() || is_uneven()) {
        return decode();
    }
    const bool eight = made.type_k == GGML_TYPE_F16 && made.type_v == GGML_TYPE_F16;
    expect((llama_row_bytes(context->get(), LLAMA_ROWS_Q8_0) > 0) == eight, "rows of 8 bits, or none, where it should be otherwise");

    const uint64_t before = context->fingerprint();
    auto restored = std::make_unique<subject>(model, made);
    note("rows out and in");
    copy_rows(*context, *restored, LLAMA_ROWS_EXACT);
    if (is_sliding()) {
        expect(restored->decode(tokens(1), next) == -1, "layers without a window go on without those that have one");
    }
    const bool whole = copy_window(*context, *restored);
    expect(context->fingerprint() == before, "reading rows changes something");
    same_rows(*context, *restored);
    if (!whole) {
        return;
    }

    // the bytes do not depend on the layout of V
    if (random.one_in(3) && !ggml_is_quantized(made.type_v)) {
        shape other = made;
        other.flash = !made.flash;
        subject turned(model, other);
        copy_rows(*context, turned, LLAMA_ROWS_EXACT);
        same_rows(*context, turned);
    }
    if (eight && random.one_in(2)) {
        subject rounded(model, made);
        copy_rows(*context, rounded, LLAMA_ROWS_Q8_0);
        check_rounded(*context, rounded);
    }

    if (random.one_in(2)) {
        context = std::move(restored);
    } else if (free_cells() > 0) {
        const auto one = tokens(1);
        for (subject * each : { context.get(), twin.get(), restored.get() }) {
            expect(each->decode(one, next) == 0, "a decode after rows were written fails");
        }
        same_logits(*context, *restored, "rows that went out and in give other logits");
    }
    if (free_cells() > 0) {
        decode();
    }
}

void sequence::image_out_and_in() {
    if (!is_kept()) {
        return rows_out_and_in();
    }
    const size_t size = llama_image_bytes(context->get(), 0, LLAMA_IMAGE_KEPT);
    std::vector<uint8_t> image(size);
    note("kept cells out and in");
    expect(size > 0 && llama_read_image(context->get(), 0, LLAMA_IMAGE_KEPT, image.data(), size) == LLAMA_KEEP_OK, "kept cells are not read");

    auto restored = std::make_unique<subject>(model, made);
    expect(llama_write_image(restored->get(), 0, LLAMA_IMAGE_KEPT, image.data(), size) == LLAMA_KEEP_OK, "kept cells are not written");
    if (!copy_window(*context, *restored)) {
        return;
    }
    expect(restored->fingerprint() == context->fingerprint(), "kept cells that went out and in are not what they were");

    const llama_pos next = context->next();
    if (free_cells() > 0) {
        const auto one = tokens(1);
        for (subject * each : { context.get(), twin.get(), restored.get() }) {
            expect(each->decode(one, next) == 0, "a decode after kept cells were written fails");
        }
        const auto left  = context->logits();
        const auto right = restored->logits();
        expect(left == right, "kept cells that went out and in give other logits");
    }
    if (random.one_in(2)) {
        context = std::move(restored);
    }
}

// A prompt in windows: what was kept and what came after it is scored together and kept from again, in place or in another cache.
void sequence::streaming() {
    const uint32_t cells = context->info().n_cells;
    const uint32_t n     = context->info().n_tokens;
    if (n < 8 || is_uneven() || cells < 24) {
        return decode();
    }
    const uint32_t budget = random.between(4, std::min(n, cells/2));
    note("streaming with a budget of " + std::to_string(budget));
    for (uint32_t round = random.between(2, 3); round > 0; --round) {
        const uint32_t tokens_now = context->info().n_tokens;
        const uint32_t free       = free_cells();
        const uint32_t more       = std::min(free, random.between(1, 80));
        if (more > 0) {
            const auto      window = tokens(more);
            const llama_pos next   = context->next();
            expect(llama_set_attn_scores(context->get(), LLAMA_ATTN_SCORES_PROMPT, next + static_cast<llama_pos>(more) - 1) == 0, "scoring is refused");
            expect(context->decode(window, next) == 0 && twin->decode(window, next) == 0, "a window of the prompt is not decoded");
            same_logits(*context, *twin, "a window of the prompt changes when it is scored");
            check_scores(1);
            check_against_reference(window.back());
        } else if (tokens_now < budget) {
            return;
        }
        const uint32_t held = context->info().n_tokens;
        if (held < budget) {
            continue;
        }
        keep_best(budget);
    }
}

// Keeps the highest scores, as a policy does: the order of the scores is the order in which indices count.
void sequence::keep_best(uint32_t budget) {
    const auto info = context->info();
    std::vector<float> values(static_cast<size_t>(info.n_layer)*info.n_head_kv*info.n_tokens, 0.0f);
    llama_get_attn_scores(context->get(), 0, values.data(), info.n_tokens);

    std::vector<uint32_t> idxs;
    for (uint32_t list = 0; list < info.n_layer*info.n_head_kv; ++list) {
        const float * scores = values.data() + static_cast<size_t>(list)*info.n_tokens;
        std::vector<uint32_t> order(info.n_tokens);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
        order.resize(budget);
        std::sort(order.begin(), order.end());
        idxs.insert(idxs.end(), order.begin(), order.end());
    }
    const llama_pos next = context->next();
    if (static_cast<uint32_t>(next) < budget) {
        return;
    }
    const auto cells  = context->base()->get_seq_cells(0);
    const auto source = all_rows(*context);
    const auto window = window_layout(*context);
    const std::vector<uint32_t> budgets(info.n_layer, budget);
    expect(llama_keep(context->get(), context->get(), 0, idxs.data(), budgets.data()) == LLAMA_KEEP_OK, "the best are not kept");
    check_kept(*context, window, cells, source, idxs, budgets, next);

    auto target = std::make_unique<subject>(model, made);
    expect(llama_keep(twin->get(), target->get(), 0, idxs.data(), budgets.data()) == LLAMA_KEEP_OK, "the twin's best are not kept");
    twin    = std::move(target);
    kept_at = next;
}

void sequence::misuse_rows() {
    const auto      info  = context->info();
    const auto      n     = static_cast<llama_pos>(info.n_tokens);
    const size_t    bytes = llama_row_bytes(context->get(), LLAMA_ROWS_EXACT);
    std::vector<uint8_t> some((static_cast<size_t>(n) + 2)*bytes);
    const auto read  = [&](llama_pos a, llama_pos b, size_t size) { return llama_read_rows (context->get(), 0, a, b, LLAMA_ROWS_EXACT, some.data(), size); };
    const auto write = [&](llama_pos a, llama_pos b, size_t size) { return llama_write_rows(context->get(), 0, a, b, LLAMA_ROWS_EXACT, some.data(), size); };
    note("misuse: rows");

    if (!is_prefix()) {
        expect(read(0, 1, bytes) == LLAMA_KEEP_POSITIONS && write(n, n + 1, bytes) == LLAMA_KEEP_POSITIONS, "rows of labels are read or written");
        return;
    }
    for (const auto & [a, b] : { std::pair<llama_pos, llama_pos>{ 0, n + 1 }, { n, n + 1 }, { -1, 1 }, { 1, 1 }, { 2, 1 }, { 0, INT32_MAX } }) {
        expect(read(a, b, some.size()) == LLAMA_KEEP_POSITIONS, "rows are read that are not there");
    }
    if (n > 0) {
        for (const size_t size : { static_cast<size_t>(0), bytes - 1, bytes + 1, 2*bytes }) {
            expect(read(0, 1, size) == LLAMA_KEEP_SIZE, "rows are read into other bytes than they take");
        }
    }
    for (const llama_pos a : { n - 1, n + 1, -1, INT32_MAX - 1 }) {
        expect(write(a, a + 1, bytes) == LLAMA_KEEP_POSITIONS, "rows are written where they do not come next");
    }
    expect(write(n, n, 0) == LLAMA_KEEP_POSITIONS, "no rows are written");
    if (free_cells() > 0) {
        for (const size_t size : { static_cast<size_t>(0), bytes - 1, bytes + 1, 2*bytes }) {
            expect(write(n, n + 1, size) == LLAMA_KEEP_SIZE, "rows are written that have another size");
        }
    }
    std::vector<uint8_t> many((static_cast<size_t>(free_cells()) + 1)*bytes);
    const auto end = n + static_cast<llama_pos>(free_cells()) + 1;
    expect(llama_write_rows(context->get(), 0, n, end, LLAMA_ROWS_EXACT, many.data(), many.size()) == LLAMA_KEEP_NO_ROOM, "more rows than cells");
    for (const llama_seq_id id : { 1, -1, LLAMA_MAX_SEQ }) {
        expect(llama_write_rows(context->get(), id, n, n + 1, LLAMA_ROWS_EXACT, some.data(), bytes) == LLAMA_KEEP_SEQUENCE, "rows of a sequence that is not there");
    }
}

// Bytes that were changed on the way are refused, or at least do no harm.
void sequence::misuse_images() {
    const auto part = is_kept() && random.one_in(2) ? LLAMA_IMAGE_KEPT : LLAMA_IMAGE_WINDOW;
    const size_t size = llama_image_bytes(context->get(), 0, part);
    note("misuse: images");
    if (!is_kept()) {
        expect(llama_image_bytes(context->get(), 0, LLAMA_IMAGE_KEPT) == 0, "an image of cells that were not kept");
    }
    if (size == 0) {
        return;
    }
    std::vector<uint8_t> image(size);
    expect(llama_read_image(context->get(), 0, part, image.data(), size) == LLAMA_KEEP_OK, "an image is not read");
    expect(llama_read_image(context->get(), 0, part, image.data(), size - 1) == LLAMA_KEEP_SIZE, "an image is read into fewer bytes");
    expect(llama_write_image(context->get(), 0, part, image.data(), size) == LLAMA_KEEP_NOT_EMPTY, "an image is written over cells");

    subject target(model, made);
    if (part == LLAMA_IMAGE_WINDOW) {
        expect(llama_write_image(target.get(), 0, part, image.data(), size) == LLAMA_KEEP_SEQUENCE, "a window is written before the other layers");
        return;
    }
    std::vector<uint8_t> longer(image);
    longer.push_back(0);
    expect(llama_write_image(target.get(), 0, part, image.data(), size - 1) == LLAMA_KEEP_SIZE, "an image without its last byte is written");
    expect(llama_write_image(target.get(), 0, part, longer.data(), longer.size()) == LLAMA_KEEP_SIZE, "an image with a byte too many is written");
    expect(llama_write_image(target.get(), 0, part, image.data(), random.between(0, 15)) == LLAMA_KEEP_SIZE, "a piece of an image is written");

    const size_t head = 16 + 4*(context->info().n_layer + context->info().n_cells);
    for (uint32_t i = random.between(1, 4); i > 0; --i) {
        image[random.between(0, static_cast<uint32_t>(head) - 1)] ^= static_cast<uint8_t>(1u << random.between(0, 7));
    }
    if (llama_write_image(target.get(), 0, part, image.data(), size) != LLAMA_KEEP_OK) {
        expect(target.info().n_tokens == 0 && !target.info().is_kept, "a refused image leaves something");
    }
}
