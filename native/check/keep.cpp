#include <algorithm>
#include <numeric>

#include "sequence.h"

std::vector<uint32_t> sequence::indices(uint32_t n_tokens, uint32_t budget) {
    const uint32_t n_layer = context->info().n_layer;
    return indices(n_tokens, std::vector<uint32_t>(n_layer, budget), std::vector<uint32_t>(n_layer, n_tokens));
}

// held: how many of the tokens each layer has, the last ones
std::vector<uint32_t> sequence::indices(uint32_t n_tokens, const std::vector<uint32_t> & budgets, const std::vector<uint32_t> & held) {
    const uint32_t n_head_kv = context->info().n_head_kv;
    std::vector<uint32_t> result;
    for (uint32_t list = 0; list < budgets.size()*n_head_kv; ++list) {
        // each index stays with the chance that fills the budget exactly
        uint32_t wanted = budgets[list/n_head_kv];
        for (uint32_t i = n_tokens - held[list/n_head_kv]; i < n_tokens && wanted > 0; ++i) {
            if (random.between(1, n_tokens - i) <= wanted) {
                result.push_back(i);
                wanted--;
            }
        }
    }
    return result;
}

std::vector<rows_of_layer> sequence::all_rows(const subject & subject) {
    std::vector<rows_of_layer> result;
    for (const uint32_t layer : subject.base()->get_layer_ids()) {
        for (const bool values : { false, true }) {
            result.push_back(subject.rows(*subject.base(), layer, values));
        }
    }
    return result;
}

void sequence::check_kept(const subject & target, const std::vector<llama_pos> & window, const std::vector<uint32_t> & cells,
        const std::vector<rows_of_layer> & source, const std::vector<uint32_t> & idxs, const std::vector<uint32_t> & budgets, llama_pos next) {
    const auto     info   = target.info();
    const uint32_t budget = *std::max_element(budgets.begin(), budgets.end());
    const bool     uneven = target.base()->is_uneven();
    const uint32_t first  = uneven ? info.n_cells - budget : 0; // the first kept cell
    expect(info.is_kept && info.n_tokens == budget, "the target does not hold the budget's tokens");
    expect(target.next() == next, "after keep the next position is " + std::to_string(target.next()) + ", not " + std::to_string(next));

    const auto positions = target.layout();
    for (uint32_t i = 0; i < info.n_cells; ++i) {
        const uint32_t  place = uneven ? info.n_cells - 1 - i : i;
        const llama_pos label = place < budget ? next - static_cast<llama_pos>(budget) + static_cast<llama_pos>(place) : -1;
        expect(positions[i] == label, "cell " + std::to_string(i) + " is labelled " + std::to_string(positions[i]) + ", not " + std::to_string(label));
    }
    expect(std::equal(positions.begin() + info.n_cells, positions.end(), window.begin(), window.end()), "the window's cells differ from the source's");

    expect(target.base()->get_layer_tokens(0) == budgets, "the layers do not hold their budgets");

    const auto kept = all_rows(target);
    const uint32_t * list = idxs.data();
    for (size_t layer = 0; layer < budgets.size(); ++layer) {
        for (uint32_t h = 0; h < info.n_head_kv; ++h, list += budgets[layer]) {
            for (uint32_t j = 0; j < budgets[layer]; ++j) {
                const uint32_t cell = uneven ? first + budgets[layer] - 1 - j : j;
                for (const size_t t : { 2*layer, 2*layer + 1 }) {
                    expect(kept[t].get(h, cell) == source[t].get(h, cells[list[j]]), std::string(t % 2 == 0 ? "a key" : "a value") + " of layer " +
                            std::to_string(layer) + " head " + std::to_string(h) + " row " + std::to_string(j) + " is not the source's");
                }
            }
        }
    }
}

std::vector<llama_pos> sequence::window_layout(const subject & subject) {
    const auto positions = subject.layout();
    return { positions.begin() + subject.base()->get_size(), positions.end() };
}

static void same_window_rows(const subject & a, const subject & b) {
    if (a.window() == nullptr) {
        return;
    }
    const auto cells = a.window()->get_seq_cells(0);
    for (const uint32_t layer : a.window()->get_layer_ids()) {
        for (const bool values : { false, true }) {
            const auto left  = a.rows(*a.window(), layer, values);
            const auto right = b.rows(*b.window(), layer, values);
            for (const uint32_t cell : cells) {
                for (uint32_t h = 0; h < TINY_KV_HEADS; ++h) {
                    expect(left.get(h, cell) == right.get(h, cell), "a window's row is not the source's");
                }
            }
        }
    }
}

// Budgets for a target elsewhere, whose shape is made for them: the same for all layers, or each its own.
std::vector<uint32_t> sequence::choose_budgets(shape & target) {
    const auto     held  = context->base()->get_layer_tokens(0);
    const uint32_t least = *std::min_element(held.begin(), held.end());
    const uint32_t room  = random.one_in(6) ? 0 : random.between(1, 96);

    target.layer_cells.clear();
    if (made.flash && random.one_in(2)) {
        std::vector<uint32_t> budgets;
        for (const uint32_t tokens : held) {
            budgets.push_back(random.one_in(4) ? tokens : random.between(1, tokens));
        }
        const uint32_t largest = *std::max_element(budgets.begin(), budgets.end());
        const uint32_t spare   = std::min(room, made.positions - largest);
        for (const uint32_t budget : budgets) {
            target.layer_cells.push_back(budget + spare);
        }
        target.cells = largest + spare;
        return budgets;
    }
    const uint32_t budget = random.one_in(3) ? least : random.between(1, least);
    target.cells = random.one_in(3) ? context->base()->get_size() : std::min(made.positions, budget + room);
    return std::vector<uint32_t>(held.size(), budget);
}

static std::string describe(const std::vector<uint32_t> & budgets) {
    std::string text;
    for (const uint32_t budget : budgets) {
        text += (text.empty() ? "" : "/") + std::to_string(budget);
    }
    return text;
}

void sequence::keep_elsewhere() {
    const uint32_t  n    = context->info().n_tokens;
    const llama_pos next = context->next();
    if (n == 0) {
        return decode();
    }
    shape smaller = made;
    smaller.threads = 1;
    const auto     budgets = choose_budgets(smaller);
    const uint32_t budget  = *std::max_element(budgets.begin(), budgets.end());
    note("keep " + describe(budgets) + " of " + std::to_string(n) + " in " + std::to_string(smaller.cells) + " cells");

    auto target      = std::make_unique<subject>(model, smaller);
    auto twin_target = std::make_unique<subject>(model, smaller);
    const auto idxs   = indices(n, budgets, context->base()->get_layer_tokens(0));
    const auto before = context->fingerprint();
    const auto status = llama_keep(context->get(), target->get(), 0, idxs.data(), budgets.data());
    if (static_cast<uint32_t>(next) < budget) {
        expect(status == LLAMA_KEEP_UNSUPPORTED, "more tokens than positions are kept");
        expect(context->fingerprint() == before && target->info().n_tokens == 0, "a refused keep changes something");
        return;
    }
    expect(status == LLAMA_KEEP_OK, "a keep is refused with " + std::to_string(status));
    expect(context->fingerprint() == before, "a keep changes its source");
    const auto cells = context->base()->get_seq_cells(0);
    check_kept(*target, window_layout(*context), cells, all_rows(*context), idxs, budgets, next);
    same_window_rows(*target, *context);
    expect(llama_keep(twin->get(), twin_target->get(), 0, idxs.data(), budgets.data()) == LLAMA_KEEP_OK, "the twin's keep is refused");

    // everything kept: the same numbers come out, if the same number of cells is looked at in the same order
    std::vector<uint32_t> in_order(n);
    std::iota(in_order.begin(), in_order.end(), 0);
    const bool even  = !target->base()->is_uneven() && !twin->base()->is_uneven() && budget == n;
    const bool alike = even && twin->base()->get_seq_cells(0) == in_order && window_layout(*twin) == window_layout(*target) &&
        twin->padded(n + 1) == target->padded(n + 1) && made.threads == 1;
    if (alike && free_cells() > 0 && target->info().n_cells > n) {
        note("everything kept: go on in both");
        const auto one = tokens(1);
        for (subject * each : { target.get(), twin_target.get(), twin.get() }) {
            expect(each->decode(one, next) == 0, "a decode after keep fails");
        }
        const auto left  = target->logits();
        const auto right = twin->logits();
        expect(left == right, "with every token kept the logits differ from the full context's");
    }

    made     = smaller;
    kept_at  = next;
    context  = std::move(target);
    twin     = std::move(twin_target);
    if (free_cells() > 0 && random.one_in(2)) {
        decode_one();
    }
}

void sequence::keep_in_place() {
    const uint32_t  n    = context->info().n_tokens;
    const llama_pos next = context->next();
    if (n == 0) {
        return decode();
    }
    const auto held = context->base()->get_layer_tokens(0);
    std::vector<uint32_t> budgets(held.size(), random.one_in(4) ? n : random.between(1, n));
    if (is_uneven()) {
        // each layer's cells less the same room, which no layer must be too empty for
        const auto     layer_cells = context->base()->get_layer_cells();
        const uint32_t least       = free_cells_of_emptiest();
        const uint32_t most        = *std::min_element(layer_cells.begin(), layer_cells.end()) - 1;
        if (least > most) {
            return decode();
        }
        const uint32_t room = random.between(least, most);
        for (size_t i = 0; i < budgets.size(); ++i) {
            budgets[i] = layer_cells[i] - room;
        }
    }
    const uint32_t budget = *std::max_element(budgets.begin(), budgets.end());
    note("keep " + describe(budgets) + " of " + std::to_string(n) + " in place");

    const auto idxs   = indices(n, budgets, held);
    const auto cells  = context->base()->get_seq_cells(0);
    const auto source = all_rows(*context);
    const auto window = window_layout(*context);
    const auto before = context->fingerprint();
    const auto status = llama_keep(context->get(), context->get(), 0, idxs.data(), budgets.data());
    if (static_cast<uint32_t>(next) < budget) {
        expect(status == LLAMA_KEEP_UNSUPPORTED && context->fingerprint() == before, "more tokens than positions are kept in place");
        return;
    }
    expect(status == LLAMA_KEEP_OK, "a keep in place is refused with " + std::to_string(status));
    check_kept(*context, window, cells, source, idxs, budgets, next);

    llama_attn_scores_info about = {};
    expect(llama_get_attn_scores_info(context->get(), &about) != 0, "scores of cells that have moved are still there");

    if (random.one_in(2)) {
        auto target = std::make_unique<subject>(model, made);
        expect(llama_keep(twin->get(), target->get(), 0, idxs.data(), budgets.data()) == LLAMA_KEEP_OK, "the twin's keep is refused");
        twin = std::move(target);
    } else {
        expect(llama_keep(twin->get(), twin->get(), 0, idxs.data(), budgets.data()) == LLAMA_KEEP_OK, "the twin's keep in place is refused");
    }
    kept_at = next;
}
