#include "longsight.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ggml-backend.h"
#include "llama-context.h"
#include "llama-ext.h"
#include "llama.h"

#include "worker.h"

// raised when a file or function of this addon changes its meaning; the engine refuses another number
static constexpr int LONGSIGHT_ADDON_VERSION = 4;

static bool abort_requested(void * data) {
    return static_cast<std::atomic<bool> *>(data)->load(std::memory_order_relaxed);
}

static constexpr const char * ABORT_PROPERTY = "longsightAbort";

// longsightAbortInit(context): from now on longsightAbort can end a running decode of this context. The flag belongs to the
// context object, so it lives as long as any decode that reads it.
static Napi::Value abort_init(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    auto * flag = new std::atomic<bool>(false);
    auto external = Napi::External<std::atomic<bool>>::New(info.Env(), flag, [](Napi::Env, std::atomic<bool> * data) {
        delete data;
    });
    info[0].As<Napi::Object>().Set(ABORT_PROPERTY, external);
    llama_set_abort_callback(context->ctx, abort_requested, flag);
    return info.Env().Undefined();
}

// longsightAbort(context, requested): sets or clears the request.
static Napi::Value abort_set(const Napi::CallbackInfo & info) {
    context_of(info);

    Napi::Value external = info[0].As<Napi::Object>().Get(ABORT_PROPERTY);
    if (!external.IsExternal()) {
        throw Napi::Error::New(info.Env(), "longsightAbortInit was not called");
    }
    const bool requested = info.Length() > 1 && info[1].ToBoolean().Value();
    external.As<Napi::External<std::atomic<bool>>>().Data()->store(requested, std::memory_order_relaxed);
    return info.Env().Undefined();
}

// longsightDecode(context, tokens: Uint32Array, position, logits: boolean) -> Promise<status of llama_decode>
// Sequence 0, positions position, position + 1, …; logits of the last token where asked. Status: 0 done, 1 no room,
// 2 aborted, negative: an error of llama.cpp.
static Napi::Value decode(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 4 || !info[1].IsTypedArray() || !info[2].IsNumber() || !info[3].IsBoolean()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, Uint32Array, number, boolean)");
    }

    const auto    array    = info[1].As<Napi::Uint32Array>();
    const int32_t position = info[2].As<Napi::Number>().Int32Value();
    const bool    logits   = info[3].As<Napi::Boolean>().Value();
    const auto    n_tokens = static_cast<int32_t>(array.ElementLength());
    if (n_tokens == 0 || static_cast<uint32_t>(n_tokens) > llama_n_batch(context->ctx) || position < 0) {
        throw Napi::RangeError::New(info.Env(), "empty batch, more tokens than a batch holds, or a negative position");
    }

    auto tokens = std::make_shared<std::vector<llama_token>>(array.Data(), array.Data() + n_tokens);
    auto status = std::make_shared<int32_t>(0);

    auto run = [context, tokens, status, position, logits]() {
        const auto n = static_cast<int32_t>(tokens->size());
        llama_batch batch = llama_batch_init(n, 0, 1);
        batch.n_tokens = n;
        for (int32_t i = 0; i < n; ++i) {
            batch.token[i]     = (*tokens)[i];
            batch.pos[i]       = position + i;
            batch.n_seq_id[i]  = 1;
            batch.seq_id[i][0] = 0;
            batch.logits[i]    = logits && i == n - 1;
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

// longsightLogits(context) -> Float32Array [n_vocab], a copy of the last token's logits.
static Napi::Value logits(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    const float * data = llama_get_logits_ith(context->ctx, -1);
    if (data == nullptr) {
        throw Napi::Error::New(info.Env(), "no logits: the last decode did not ask for them");
    }
    const auto n_vocab = static_cast<size_t>(llama_vocab_n_tokens(llama_model_get_vocab(context->model->model)));
    auto result = Napi::Float32Array::New(info.Env(), n_vocab);
    std::copy(data, data + n_vocab, result.Data());
    return result;
}

// longsightBuffers(context) -> bytes of the allocated buffers: { model, cache, compute }.
static Napi::Value buffers(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    size_t model   = 0;
    size_t cache   = 0;
    size_t compute = 0;
    for (const auto & [buffer_type, data] : llama_get_memory_breakdown(context->ctx)) {
        model   += data.model;
        cache   += data.context;
        compute += data.compute;
    }

    auto result = Napi::Object::New(info.Env());
    result.Set("model",   Napi::Number::New(info.Env(), static_cast<double>(model)));
    result.Set("cache",   Napi::Number::New(info.Env(), static_cast<double>(cache)));
    result.Set("compute", Napi::Number::New(info.Env(), static_cast<double>(compute)));
    return result;
}

// longsightTokenize(model, text, special: boolean) -> Promise<{ tokens: Uint32Array, bytes: Uint32Array }>
// bytes[i] is the number of UTF-8 bytes of the text that token i stands for, as its piece spells them.
static Napi::Value tokenize(const Napi::CallbackInfo & info) {
    AddonModel * model = model_of(info);
    if (info.Length() < 3 || !info[1].IsString() || !info[2].IsBoolean()) {
        throw Napi::TypeError::New(info.Env(), "expected (model, string, boolean)");
    }

    auto text    = std::make_shared<std::string>(info[1].As<Napi::String>().Utf8Value());
    auto tokens  = std::make_shared<std::vector<llama_token>>();
    auto lengths = std::make_shared<std::vector<uint32_t>>();
    const bool special = info[2].As<Napi::Boolean>().Value();

    auto run = [model, text, tokens, lengths, special]() {
        const llama_vocab * vocab = model->vocab;
        const auto size = static_cast<int32_t>(text->size());
        tokens->resize(text->size() + 8);
        const int32_t n = llama_tokenize(vocab, text->data(), size, tokens->data(), static_cast<int32_t>(tokens->size()), false, special);
        if (n < 0) {
            throw std::runtime_error("the text could not be tokenised");
        }
        tokens->resize(n);
        lengths->resize(n);
        std::vector<char> piece(256);
        for (int32_t i = 0; i < n; ++i) {
            int32_t length = llama_token_to_piece(vocab, (*tokens)[i], piece.data(), static_cast<int32_t>(piece.size()), 0, true);
            (*lengths)[i] = static_cast<uint32_t>(length < 0 ? -length : length);
        }
    };
    auto finish = [tokens, lengths](Napi::Env env) -> Napi::Value {
        auto token_array  = Napi::Uint32Array::New(env, tokens->size());
        auto length_array = Napi::Uint32Array::New(env, lengths->size());
        std::copy(tokens->begin(), tokens->end(), token_array.Data());
        std::copy(lengths->begin(), lengths->end(), length_array.Data());
        auto result = Napi::Object::New(env);
        result.Set("tokens", token_array);
        result.Set("bytes", length_array);
        return result;
    };

    return (new longsight_worker(info, run, finish, { info[0].As<Napi::Object>() }))->start();
}

// longsightPiece(model, token, special: boolean) -> Buffer with the token's bytes (a token may be part of a character).
static Napi::Value piece(const Napi::CallbackInfo & info) {
    AddonModel * model = model_of(info);
    if (info.Length() < 3 || !info[1].IsNumber() || !info[2].IsBoolean()) {
        throw Napi::TypeError::New(info.Env(), "expected (model, number, boolean)");
    }

    const llama_token token = info[1].As<Napi::Number>().Int32Value();
    if (token < 0 || token >= llama_vocab_n_tokens(model->vocab)) {
        throw Napi::RangeError::New(info.Env(), "no such token");
    }
    const bool special = info[2].As<Napi::Boolean>().Value();
    std::string bytes(64, '\0');
    int32_t length = llama_token_to_piece(model->vocab, token, bytes.data(), static_cast<int32_t>(bytes.size()), 0, special);
    if (length < 0) {
        bytes.resize(-length);
        length = llama_token_to_piece(model->vocab, token, bytes.data(), static_cast<int32_t>(bytes.size()), 0, special);
    }
    return Napi::Buffer<char>::Copy(info.Env(), bytes.data(), static_cast<size_t>(length < 0 ? 0 : length));
}

// longsightQuantize(source, target, type: "q8_0" | "q4_0" | "f16" | "f32", threads) -> Promise<status of llama_model_quantize>
static Napi::Value quantize(const Napi::CallbackInfo & info) {
    if (info.Length() < 4 || !info[0].IsString() || !info[1].IsString() || !info[2].IsString() || !info[3].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (string, string, string, number)");
    }

    auto source = std::make_shared<std::string>(info[0].As<Napi::String>().Utf8Value());
    auto target = std::make_shared<std::string>(info[1].As<Napi::String>().Utf8Value());
    const std::string type = info[2].As<Napi::String>().Utf8Value();

    llama_model_quantize_params params = llama_model_quantize_default_params();
    params.nthread          = info[3].As<Napi::Number>().Int32Value();
    params.allow_requantize = true;
    if (type == "q8_0") {
        params.ftype = LLAMA_FTYPE_MOSTLY_Q8_0;
    } else if (type == "q4_0") {
        params.ftype = LLAMA_FTYPE_MOSTLY_Q4_0;
    } else if (type == "f16") {
        params.ftype = LLAMA_FTYPE_MOSTLY_F16;
    } else if (type == "f32") {
        params.ftype = LLAMA_FTYPE_ALL_F32;
    } else {
        throw Napi::RangeError::New(info.Env(), "unknown type: " + type);
    }

    auto status = std::make_shared<uint32_t>(0);
    auto run    = [source, target, params, status]() { *status = llama_model_quantize(source->c_str(), target->c_str(), &params); };
    auto finish = [status](Napi::Env env) -> Napi::Value { return Napi::Number::New(env, *status); };

    return (new longsight_worker(info, run, finish, {}))->start();
}

// longsightSetThreads(context, decode, prefill): how many threads a one-token and a many-token batch use.
static Napi::Value set_threads(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 3 || !info[1].IsNumber() || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, number)");
    }

    llama_set_n_threads(context->ctx, info[1].As<Napi::Number>().Int32Value(), info[2].As<Napi::Number>().Int32Value());
    return info.Env().Undefined();
}

// longsightBackends() -> string[]: names of the loaded backends with the features each was built for.
static Napi::Value backends(const Napi::CallbackInfo & info) {
    auto result = Napi::Array::New(info.Env());
    for (size_t i = 0; i < ggml_backend_reg_count(); ++i) {
        ggml_backend_reg_t reg  = ggml_backend_reg_get(i);
        std::string        text = ggml_backend_reg_name(reg);
        auto * get_features = reinterpret_cast<ggml_backend_get_features_t>(ggml_backend_reg_get_proc_address(reg, "ggml_backend_get_features"));
        for (auto * feature = get_features == nullptr ? nullptr : get_features(reg); feature != nullptr && feature->name != nullptr; ++feature) {
            text += std::string(" ") + feature->name + "=" + feature->value;
        }
        result.Set(static_cast<uint32_t>(i), Napi::String::New(info.Env(), text));
    }
    return result;
}

void longsight_register(Napi::Object & exports) {
    exports.DefineProperties({
        Napi::PropertyDescriptor::Value("longsightVersion", Napi::Number::New(exports.Env(), LONGSIGHT_ADDON_VERSION)),
        Napi::PropertyDescriptor::Function("longsightAbortInit",  abort_init),
        Napi::PropertyDescriptor::Function("longsightAbort",      abort_set),
        Napi::PropertyDescriptor::Function("longsightDecode",     decode),
        Napi::PropertyDescriptor::Function("longsightLogits",     logits),
        Napi::PropertyDescriptor::Function("longsightBuffers",    buffers),
        Napi::PropertyDescriptor::Function("longsightTokenize",   tokenize),
        Napi::PropertyDescriptor::Function("longsightPiece",      piece),
        Napi::PropertyDescriptor::Function("longsightQuantize",   quantize),
        Napi::PropertyDescriptor::Function("longsightSetThreads", set_threads),
        Napi::PropertyDescriptor::Function("longsightBackends",   backends),
    });
    longsight_register_eviction(exports);
    longsight_register_rows(exports);
}
