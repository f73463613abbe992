#include "longsight.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "llama-context.h"
#include "llama-ext.h"
#include "llama.h"

#include "worker.h"

static llama_rows_form form_of(const Napi::CallbackInfo & info, size_t index) {
    const int32_t form = info.Length() > index && info[index].IsNumber() ? info[index].As<Napi::Number>().Int32Value() : -1;
    if (form != LLAMA_ROWS_EXACT && form != LLAMA_ROWS_Q8_0) {
        throw Napi::RangeError::New(info.Env(), "no such form of rows");
    }
    return static_cast<llama_rows_form>(form);
}

static llama_image_part part_of(const Napi::CallbackInfo & info, size_t index) {
    const int32_t part = info.Length() > index && info[index].IsNumber() ? info[index].As<Napi::Number>().Int32Value() : -1;
    if (part != LLAMA_IMAGE_KEPT && part != LLAMA_IMAGE_WINDOW) {
        throw Napi::RangeError::New(info.Env(), "no such part of a cache");
    }
    return static_cast<llama_image_part>(part);
}

// A copy: whoever gave the bytes may change or transfer them while the worker reads.
static std::shared_ptr<std::vector<uint8_t>> bytes_of(const Napi::CallbackInfo & info, size_t index) {
    if (info.Length() <= index || !info[index].IsTypedArray() || info[index].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
        throw Napi::TypeError::New(info.Env(), "expected a Uint8Array");
    }
    const auto array = info[index].As<Napi::Uint8Array>();
    return std::make_shared<std::vector<uint8_t>>(array.Data(), array.Data() + array.ElementLength());
}

// Fills `size` fresh bytes off the JavaScript thread -> Promise<Uint8Array, or a negative llama_keep_status>. Nobody else sees the array
// before the promise is resolved, so it is filled in its own place.
static Napi::Value read_bytes(const Napi::CallbackInfo & info, size_t size, std::function<llama_keep_status(uint8_t *)> fill) {
    auto array  = Napi::Uint8Array::New(info.Env(), size);
    auto holder = std::make_shared<Napi::ObjectReference>(Napi::Persistent(array.As<Napi::Object>()));
    auto status = std::make_shared<llama_keep_status>(LLAMA_KEEP_OK);

    auto run    = [data = array.Data(), fill, status]() { *status = fill(data); };
    auto finish = [holder, status](Napi::Env env) -> Napi::Value {
        return *status == LLAMA_KEEP_OK ? Napi::Value(holder->Value()) : Napi::Value(Napi::Number::New(env, *status));
    };

    return (new longsight_worker(info, run, finish, { info[0].As<Napi::Object>() }))->start();
}

static Napi::Value write_bytes(const Napi::CallbackInfo & info, std::function<llama_keep_status()> take) {
    auto status = std::make_shared<llama_keep_status>(LLAMA_KEEP_OK);
    auto run    = [take, status]() { *status = take(); };
    auto finish = [status](Napi::Env env) -> Napi::Value { return Napi::Number::New(env, *status); };

    return (new longsight_worker(info, run, finish, { info[0].As<Napi::Object>() }))->start();
}

// longsightRowBytes(context, form: 0 exact | 1 q8_0) -> bytes of one token's keys and values in the layers that hold every position,
// 0 where this cache has no such rows.
static Napi::Value row_bytes(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    return Napi::Number::New(info.Env(), static_cast<double>(llama_row_bytes(context->ctx, form_of(info, 1))));
}

// longsightReadRows(context, start, end, form) -> Promise<Uint8Array, or a negative llama_keep_status>
// For each layer the keys of positions start … end-1, then their values.
static Napi::Value read_rows(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 4 || !info[1].IsNumber() || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, number, number)");
    }

    const int32_t start = info[1].As<Napi::Number>().Int32Value();
    const int32_t end   = info[2].As<Napi::Number>().Int32Value();
    const auto    form  = form_of(info, 3);
    if (start < 0 || end <= start || static_cast<uint32_t>(end) > llama_n_ctx(context->ctx)) {
        throw Napi::RangeError::New(info.Env(), "no such positions");
    }

    const size_t size = llama_row_bytes(context->ctx, form)*static_cast<size_t>(end - start);
    return read_bytes(info, size, [=](uint8_t * data) { return llama_read_rows(context->ctx, 0, start, end, form, data, size); });
}

// longsightWriteRows(context, start, end, bytes: Uint8Array, form) -> Promise<llama_keep_status>
// Appends such rows; start has to be the next position.
static Napi::Value write_rows(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);
    if (info.Length() < 5 || !info[1].IsNumber() || !info[2].IsNumber()) {
        throw Napi::TypeError::New(info.Env(), "expected (context, number, number, Uint8Array, number)");
    }

    const int32_t start = info[1].As<Napi::Number>().Int32Value();
    const int32_t end   = info[2].As<Napi::Number>().Int32Value();
    const auto    bytes = bytes_of(info, 3);
    const auto    form  = form_of(info, 4);
    if (start < 0 || end <= start) {
        throw Napi::RangeError::New(info.Env(), "no such positions");
    }

    return write_bytes(info, [=]() { return llama_write_rows(context->ctx, 0, start, end, form, bytes->data(), bytes->size()); });
}

// longsightReadImage(context, part: 0 kept cells | 1 sliding windows) -> Promise<Uint8Array, or a negative llama_keep_status>, or null
// where there is no such part: a cache that was not kept from more, a model without windows, nothing in it.
static Napi::Value read_image(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    const auto   part = part_of(info, 1);
    const size_t size = llama_image_bytes(context->ctx, 0, part);
    if (size == 0) {
        return info.Env().Null();
    }
    return read_bytes(info, size, [=](uint8_t * data) { return llama_read_image(context->ctx, 0, part, data, size); });
}

// longsightWriteImage(context, part, bytes: Uint8Array) -> Promise<llama_keep_status>
// Into an empty part with the same numbers of cells; windows after the rows or kept cells of the other layers.
static Napi::Value write_image(const Napi::CallbackInfo & info) {
    AddonContext * context = context_of(info);

    const auto part  = part_of(info, 1);
    const auto bytes = bytes_of(info, 2);
    return write_bytes(info, [=]() { return llama_write_image(context->ctx, 0, part, bytes->data(), bytes->size()); });
}

void longsight_register_rows(Napi::Object & exports) {
    exports.DefineProperties({
        Napi::PropertyDescriptor::Function("longsightRowBytes",   row_bytes),
        Napi::PropertyDescriptor::Function("longsightReadRows",   read_rows),
        Napi::PropertyDescriptor::Function("longsightWriteRows",  write_rows),
        Napi::PropertyDescriptor::Function("longsightReadImage",  read_image),
        Napi::PropertyDescriptor::Function("longsightWriteImage", write_image),
    });
}
