#pragma once

#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "napi.h"

#include "../AddonContext.h"
#include "../AddonModel.h"
#include "longsight.h"

// Work off the JavaScript thread: `run` fills what `finish` turns into the promise's value. Objects named in `held`
// stay alive until then. Whatever is thrown becomes the promise's rejection; nothing unwinds through Node-API.
class longsight_worker : public Napi::AsyncWorker {
    public:
        longsight_worker(
            const Napi::CallbackInfo & info,
            std::function<void()> run,
            std::function<Napi::Value(Napi::Env)> finish,
            const std::vector<Napi::Object> & held
        ) : Napi::AsyncWorker(info.Env(), "longsight"), run(std::move(run)), finish(std::move(finish)),
            deferred(Napi::Promise::Deferred::New(info.Env())) {
            for (const auto & object : held) {
                references.push_back(Napi::Persistent(object));
            }
        }

        // Like the constructor's, for what computes with ggml's threads.
        static longsight_worker * computing(
            const Napi::CallbackInfo & info,
            std::function<void()> run,
            std::function<Napi::Value(Napi::Env)> finish,
            const std::vector<Napi::Object> & held
        ) {
            return new longsight_worker(info, [run = std::move(run)]() { longsight_compute(run); }, std::move(finish), held);
        }

        Napi::Promise start() {
            Napi::Promise promise = deferred.Promise();
            Queue();
            return promise;
        }

    protected:
        void Execute() override {
            try {
                run();
            } catch (const std::exception & error) {
                SetError(error.what());
            } catch (...) {
                SetError("unknown native error");
            }
        }

        void OnOK() override {
            deferred.Resolve(finish(Env()));
        }

        void OnError(const Napi::Error & error) override {
            deferred.Reject(error.Value());
        }

    private:
        std::function<void()> run;
        std::function<Napi::Value(Napi::Env)> finish;
        Napi::Promise::Deferred deferred;
        std::vector<Napi::ObjectReference> references;
};

// The context that is argument number `index`.
inline AddonContext * context_of(const Napi::CallbackInfo & info, size_t index = 0) {
    if (info.Length() <= index || !info[index].IsObject()) {
        throw Napi::TypeError::New(info.Env(), "expected a context");
    }

    AddonContext * context = Napi::ObjectWrap<AddonContext>::Unwrap(info[index].As<Napi::Object>());
    if (context->disposed || context->ctx == nullptr) {
        throw Napi::Error::New(info.Env(), "the context is disposed");
    }
    return context;
}

inline AddonModel * model_of(const Napi::CallbackInfo & info) {
    if (info.Length() < 1 || !info[0].IsObject()) {
        throw Napi::TypeError::New(info.Env(), "expected a model");
    }

    AddonModel * model = Napi::ObjectWrap<AddonModel>::Unwrap(info[0].As<Napi::Object>());
    if (model->disposed || model->model == nullptr) {
        throw Napi::Error::New(info.Env(), "the model is disposed");
    }
    return model;
}
