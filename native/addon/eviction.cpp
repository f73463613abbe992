#include "longsight.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "ggml-backend.h"
#include "ggml.h"
#include "llama-context.h"
#include "llama-ext.h"
#include "llama-kv-cache.h"
#include "llama.h"

#include "worker.h"

static constexpr const char * CELLS_PROPERTY = "longsightCells";

// positions over which a rotation can be averaged: far more than any source does
static constexpr uint32_t MOST_FUTURE = 4096;

// The numbers of KV cells in a typed array. init() reads them on another thread: they live as long as the context object.
static void configure_layer_cells(const Napi::CallbackInfo & info, AddonContext * context, const Napi::TypedArray & cells) {
    if (cells.TypedArrayType() != napi_uint32_array || cells.ElementLength() == 0) {
        throw Napi::TypeError::New(info.Env(), "expected a Uint32Array of each layer's cells");
    }
    const auto array = cells.As<Napi::Uint32Array>();
    auto * layers = new std::vector<uint32_t>(array.Data(), array.Data() + array.ElementLength());
    info[0].As<Napi::Object>().Set(CELLS_PROPERTY, Napi::External<std::vector<uint32_t>>::New(info.Env(), layers,
        [](Napi::Env, std::vector<uint32_t> * data) { delete data; }));
    context->context_params.n_cells       = *std::max_element(layers->begin(), layers->end());
    context->context_params.n_layer_cells = static_cast<uint32_t>(layers->size());
    context->context_params.layer_cells   = layers->data();
}

// longsightConfigure(context, { cells, ubatch }): before the context's init(). cells: KV cells, 0 for as many as positions, or a
// Uint32Array with those of each layer that holds every position; ubatch: tokens computed at once. Logits are wanted for one token at a
// time: room for more would be the largest part of the buffer for intermediate results (batch times vocabulary).
static Napi::Value configure(const Napi::CallbackInfo & info) {
    if (info.Length() < 2 || !info[0].IsObject() || !info[1].IsObject()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, object)");
    }

    AddonContext * context = Napi::ObjectWrap<AddonContext>::Unwrap(info[0].As<Napi::Object>());
    if (context->disposed || context->ctx != nullptr) {
        throw Napi::Error::New(info.Env(), "the context exists already, or is disposed");
    }

    const auto options = info[1].As<Napi::Object>();
    const Napi::Value cells = options.Get("cells");
    if (!(cells.IsNumber() || cells.IsTypedArray()) || !options.Get("ubatch").IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected numbers for cells and ubatch");
    }
    if (cells.IsNumber()) {
        context->context_params.n_cells = cells.As<Napi::Number>().Uint32Value();
    } else {
        configure_layer_cells(info, context, cells.As<Napi::TypedArray>());
    }
    context->context_params.n_ubatch      = options.Get("ubatch").As<Napi::Number>().Uint32Value();
    context->context_params.n_outputs_max = 1;
    return info.Env().Undefined();
}

// longsightScoring(context, mode: 0 off | 1 probe rows | 2 prompt rows | 3 queries of prompt rows, position) -> 0, or -1 where this model
// cannot be scored so. Rows at positions from `position` on are summed up from now on; what was summed up before is forgotten.
static Napi::Value scoring(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 3 || !info[1].IsNumber() || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, number)");
    }

    const int32_t mode = info[1].As<Napi::Number>().Int32Value();
    if (mode < LLAMA_ATTN_SCORES_NONE || mode > LLAMA_ATTN_SCORES_QUERIES) {
        throw Napi::RangeError::New(info.Env(), "no such mode");
    }
    const int32_t position = info[2].As<Napi::Number>().Int32Value();
    return Napi::Number::New(info.Env(), llama_set_attn_scores(context->ctx, static_cast<llama_attn_scores_type>(mode), position));
}

// longsightScores(context, tokens) -> { layers, heads, rows, values: Float32Array [layers][heads][tokens] }, or null where nothing
// was summed up or the cache holds fewer tokens.
static Napi::Value scores(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 2 || !info[1].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number)");
    }

    const uint32_t tokens = info[1].As<Napi::Number>().Uint32Value();
    llama_attn_scores_info about = {};
    if (tokens == 0 || tokens > context->ctx->n_ctx() || llama_get_attn_scores_info(context->ctx, &about) != 0) {
        return info.Env().Null();
    }

    auto values = Napi::Float32Array::New(info.Env(), static_cast<size_t>(about.n_layer)*about.n_head_kv*tokens);
    if (llama_get_attn_scores(context->ctx, 0, values.Data(), tokens) != 0) {
        return info.Env().Null();
    }

    auto result = Napi::Object::New(info.Env());
    result.Set("layers", Napi::Number::New(info.Env(), about.n_layer));
    result.Set("heads",  Napi::Number::New(info.Env(), about.n_head_kv));
    result.Set("rows",   Napi::Number::New(info.Env(), static_cast<double>(about.n_rows)));
    result.Set("values", values);
    return result;
}

// longsightExpected(context, tokens, future) -> Promise<status of llama_get_attn_expected, or
//   { layers, heads, kvHeads, rows, logits: Float32Array [layers][heads][tokens], norms: Float32Array [layers][kvHeads][tokens] }>
// What queries like those of mode 3 at the `future` positions behind the first `tokens` tokens can be expected to pay them.
static Napi::Value expected(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 3 || !info[1].IsNumber() || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, number)");
    }

    const uint32_t tokens = info[1].As<Napi::Number>().Uint32Value();
    const uint32_t future = info[2].As<Napi::Number>().Uint32Value();
    llama_attn_queries_info about = {};
    if (tokens == 0 || tokens > context->ctx->n_ctx() || future == 0 || future > MOST_FUTURE) {
        throw Napi::RangeError::New(info.Env(), "no tokens, more than the context holds, or other than 1 … 4096 positions to come");
    }
    // without queries the status says so, and nothing is written
    llama_get_attn_queries_info(context->ctx, &about);

    auto logits = Napi::Float32Array::New(info.Env(), static_cast<size_t>(about.n_layer)*about.n_head*tokens);
    auto norms  = Napi::Float32Array::New(info.Env(), static_cast<size_t>(about.n_layer)*about.n_head_kv*tokens);
    auto result = Napi::Object::New(info.Env());
    result.Set("layers",  Napi::Number::New(info.Env(), about.n_layer));
    result.Set("heads",   Napi::Number::New(info.Env(), about.n_head));
    result.Set("kvHeads", Napi::Number::New(info.Env(), about.n_head_kv));
    result.Set("rows",    Napi::Number::New(info.Env(), static_cast<double>(about.n_rows)));
    result.Set("logits",  logits);
    result.Set("norms",   norms);

    auto holder = std::make_shared<Napi::ObjectReference>(Napi::Persistent(result));
    auto status = std::make_shared<int32_t>(0);

    auto run    = [context, tokens, future, status, logits_data = logits.Data(), norms_data = norms.Data()]() {
        *status = llama_get_attn_expected(context->ctx, 0, tokens, future, logits_data, norms_data);
    };
    auto finish = [holder, status](Napi::Env env) -> Napi::Value {
        return *status == 0 ? Napi::Value(holder->Value()) : Napi::Value(Napi::Number::New(env, *status));
    };

    return longsight_worker::computing(info, run, finish, { info[0].As<Napi::Object>() })->start();
}

// longsightDecodeRows(context, rows: Float32Array [n][n_embd], position) -> Promise<status of llama_decode>
// Embeddings in place of tokens, at positions position, position + 1, …; no logits. Status as in longsightDecode.
static Napi::Value decode_rows(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 3 || !info[1].IsTypedArray() || info[1].As<Napi::TypedArray>().TypedArrayType() != napi_float32_array || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, Float32Array, number)");
    }

    const auto    array    = info[1].As<Napi::Float32Array>();
    const int32_t position = info[2].As<Napi::Number>().Int32Value();
    const auto    n_embd   = static_cast<size_t>(llama_model_n_embd_inp(context->model->model));
    const size_t  n_rows   = n_embd == 0 ? 0 : array.ElementLength()/n_embd;
    if (n_rows == 0 || n_rows*n_embd != array.ElementLength() || n_rows > llama_n_ubatch(context->ctx) || position < 0) {
        throw Napi::RangeError::New(info.Env(), "not whole rows of the model's width, more rows than are computed at once, or a negative position");
    }

    auto rows   = std::make_shared<std::vector<float>>(array.Data(), array.Data() + array.ElementLength());
    auto status = std::make_shared<int32_t>(0);

    auto run = [context, rows, status, position, n_rows, n_embd]() {
        const auto n = static_cast<int32_t>(n_rows);
        llama_batch batch = llama_batch_init(n, static_cast<int32_t>(n_embd), 1);
        std::copy(rows->begin(), rows->end(), batch.embd);
        batch.n_tokens = n;
        for (int32_t i = 0; i < n; ++i) {
            batch.pos[i]       = position + i;
            batch.n_seq_id[i]  = 1;
            batch.seq_id[i][0] = 0;
            batch.logits[i]    = 0;
        }
        *status = llama_decode(context->ctx, batch);
        llama_batch_free(batch);
        if (*status == 0) {
            llama_synchronize(context->ctx);
        }
    };
    auto finish = [status](Napi::Env env) -> Napi::Value { return Napi::Number::New(env, *status); };

    return longsight_worker::computing(info, run, finish, { info[0].As<Napi::Object>() })->start();
}

static Napi::Uint32Array array_of(Napi::Env env, const std::vector<uint32_t> & numbers) {
    auto array = Napi::Uint32Array::New(env, numbers.size());
    std::copy(numbers.begin(), numbers.end(), array.Data());
    return array;
}

// longsightCache(context) -> { layers, heads, cells, tokens, kept, layerCells, layerTokens }: what could be kept, of how many, and whether
// that happened already; null where nothing of this model's cache can be kept apart. layerCells and layerTokens (Uint32Array): the cells
// of each layer, and how many of the tokens it holds, which are the last ones.
static Napi::Value cache(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    llama_keep_info about = {};
    if (llama_get_keep_info(context->ctx, 0, &about) != LLAMA_KEEP_OK) {
        return info.Env().Null();
    }

    auto result = Napi::Object::New(info.Env());
    result.Set("layers", Napi::Number::New(info.Env(), about.n_layer));
    result.Set("heads",  Napi::Number::New(info.Env(), about.n_head_kv));
    result.Set("cells",  Napi::Number::New(info.Env(), about.n_cells));
    result.Set("tokens", Napi::Number::New(info.Env(), about.n_tokens));
    result.Set("kept",   Napi::Boolean::New(info.Env(), about.is_kept));

    const auto * kv = context->ctx->get_kv_base();
    result.Set("layerCells",  array_of(info.Env(), kv->get_layer_cells()));
    result.Set("layerTokens", array_of(info.Env(), kv->get_layer_tokens(0)));
    return result;
}

// longsightCacheBytes(context, layer: the n-th that can be kept from, values: boolean) -> { transposed, row, bytes }: a copy of
// that layer's keys or values as they lie in the cache, `row` bytes each. For tests.
static Napi::Value cache_bytes(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 3 || !info[1].IsNumber() || !info[2].IsBoolean()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, boolean)");
    }

    const auto * kv     = context->ctx->get_kv_base();
    const auto   layers = kv == nullptr ? std::vector<uint32_t>() : kv->get_layer_ids();
    const auto   layer  = info[1].As<Napi::Number>().Uint32Value();
    if (layer >= layers.size()) {
        throw Napi::RangeError::New(info.Env(), "no such layer");
    }

    const bool values = info[2].ToBoolean().Value();
    const auto * tensor = values ? kv->get_v_storage(layers[layer]) : kv->get_k_storage(layers[layer]);
    const bool transposed = values && !context->ctx->get_cparams().flash_attn;

    auto bytes = Napi::Buffer<uint8_t>::New(info.Env(), ggml_nbytes(tensor));
    ggml_backend_tensor_get(tensor, bytes.Data(), 0, ggml_nbytes(tensor));

    auto result = Napi::Object::New(info.Env());
    result.Set("transposed", Napi::Boolean::New(info.Env(), transposed));
    result.Set("row",        Napi::Number::New(info.Env(), static_cast<double>(transposed ? ggml_type_size(tensor->type)*tensor->ne[1] : tensor->nb[1])));
    result.Set("bytes",      bytes);
    return result;
}

// longsightKeep(source, target, indices: Uint32Array [layers][heads][the layer's budget], budgets: Uint32Array [layers])
//   -> Promise<llama_keep_status>
// Ordinals of the kept tokens, ascending; layers and heads as in longsightScores. The target may be the source. Budgets that differ need a
// target whose layers have cells of their own number, with the same room left in each.
static Napi::Value keep(const Napi::CallbackInfo & info) {
    AddonContext * source = context_of(info, 0);
    AddonContext * target = context_of(info, 1);
    const auto is_numbers = [](const Napi::Value & value) {
        return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array;
    };
    if (info.Length() < 4 || !is_numbers(info[2]) || !is_numbers(info[3])) {
        throw Napi::TypeError::New(info.Env(), "expected (context, context, Uint32Array, Uint32Array)");
    }

    const auto numbers_of = [](const Napi::Uint32Array & array) {
        return std::make_shared<std::vector<uint32_t>>(array.Data(), array.Data() + array.ElementLength());
    };
    const auto indices = numbers_of(info[2].As<Napi::Uint32Array>());
    const auto budgets = numbers_of(info[3].As<Napi::Uint32Array>());

    llama_keep_info about = {};
    if (llama_get_keep_info(source->ctx, 0, &about) != LLAMA_KEEP_OK) {
        throw Napi::Error::New(info.Env(), "nothing of this model's cache can be kept apart");
    }
    const size_t tokens = std::accumulate(budgets->begin(), budgets->end(), static_cast<size_t>(0));
    if (budgets->size() != about.n_layer || indices->size() != tokens*about.n_head_kv) {
        throw Napi::RangeError::New(info.Env(), "the indices are not one list of the layer's budget for each layer and head");
    }

    auto status = std::make_shared<int32_t>(0);

    auto run    = [source, target, indices, budgets, status]() { *status = llama_keep(source->ctx, target->ctx, 0, indices->data(), budgets->data()); };
    auto finish = [status](Napi::Env env) -> Napi::Value { return Napi::Number::New(env, *status); };

    return longsight_worker::computing(info, run, finish, { info[0].As<Napi::Object>(), info[1].As<Napi::Object>() })->start();
}

void longsight_register_eviction(Napi::Object & exports) {
    exports.DefineProperties({
        Napi::PropertyDescriptor::Function("longsightConfigure",  configure),
        Napi::PropertyDescriptor::Function("longsightScoring",    scoring),
        Napi::PropertyDescriptor::Function("longsightScores",     scores),
        Napi::PropertyDescriptor::Function("longsightExpected",   expected),
        Napi::PropertyDescriptor::Function("longsightDecodeRows", decode_rows),
        Napi::PropertyDescriptor::Function("longsightCache",      cache),
        Napi::PropertyDescriptor::Function("longsightCacheBytes", cache_bytes),
        Napi::PropertyDescriptor::Function("longsightKeep",       keep),
    });
}
