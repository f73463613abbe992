// Random sequences of decoding, scoring, keeping, cancelling and misuse over tiny random models. See ../check.mjs.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <unistd.h>

#include "ggml-backend.h"
#include "sequence.h"

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

static uint64_t    current_seed = 0;
static std::string current_trace;

// The process ends: say which sequence that was.
static void report_end() {
    const std::string text = "\nfinding: the process ended in seed " + std::to_string(current_seed) + " (--only " +
        std::to_string(current_seed) + " runs it alone), after:\n" + current_trace;
    if (write(STDOUT_FILENO, text.data(), text.size()) < 0) {
        _exit(2);
    }
}

static void end_by_signal(int number) {
    report_end();
    signal(number, SIG_DFL);
    raise(number);
}

static uint64_t number_after(int argc, char ** argv, const char * name, uint64_t otherwise) {
    for (int i = 1; i + 1 < argc; ++i) {
        if (strcmp(argv[i], name) == 0) {
            return strtoull(argv[i + 1], nullptr, 10);
        }
    }
    return otherwise;
}

static bool has(int argc, char ** argv, const char * name) {
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char ** argv) {
    const bool     verbose = has(argc, argv, "--verbose");
    const uint64_t only    = number_after(argc, argv, "--only", UINT64_MAX);
    const uint64_t seed    = only != UINT64_MAX ? only : number_after(argc, argv, "--seed", 1);
    const uint64_t count   = only != UINT64_MAX ? 1 : number_after(argc, argv, "--sequences", 1000);

    signal(SIGABRT, end_by_signal);
    if (__sanitizer_set_death_callback != nullptr) {
        __sanitizer_set_death_callback(report_end);
    }
    if (!verbose) {
        llama_log_set([](ggml_log_level, const char *, void *) {}, nullptr);
    }
    llama_backend_init();

    size_t n_findings = 0;
    try {
        zoo zoo;
        zoo.evictable.push_back(make_tiny_model(model_kind::full,    32, 1));
        zoo.evictable.push_back(make_tiny_model(model_kind::full,    64, 2));
        zoo.evictable.push_back(make_tiny_model(model_kind::sliding, 32, 3));
        zoo.evictable.push_back(make_tiny_model(model_kind::sliding, 64, 4));
        zoo.others.push_back(make_tiny_model(model_kind::alibi, 32, 5));
        zoo.others.push_back(make_tiny_model(model_kind::state, 32, 6));

        try {
            check_refusals(zoo);
        } catch (const std::exception & error) {
            n_findings++;
            printf("finding: refusals: %s\n", error.what());
        }

        for (uint64_t i = 0; i < count; ++i) {
            current_seed  = seed + i;
            current_trace.clear();
            try {
                sequence(zoo, current_seed, current_trace).run();
            } catch (const std::exception & error) {
                n_findings++;
                printf("finding: seed %llu (--only runs it alone): %s\nafter:\n%s\n", static_cast<unsigned long long>(current_seed), error.what(), current_trace.c_str());
            }
            if (verbose) {
                printf("%s", current_trace.c_str());
            }
            if ((i + 1) % 50 == 0) {
                printf("%llu of %llu sequences, %zu findings\n", static_cast<unsigned long long>(i + 1), static_cast<unsigned long long>(count), n_findings);
                fflush(stdout);
            }
        }
    } catch (const std::exception & error) {
        printf("The models could not be made: %s\n", error.what());
        return 2;
    }
    llama_backend_free();
    printf("%llu sequences, %zu findings\n", static_cast<unsigned long long>(count), n_findings);
    return n_findings == 0 ? 0 : 1;
}
