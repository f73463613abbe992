#pragma once

#include <cmath>
#include <cstdint>
#include <random>

// Random numbers that are the same on every machine: the standard library's distributions are not.
class random_source {
    public:
        explicit random_source(uint64_t seed) : engine(seed) {}

        // a whole number of [low, high]
        uint32_t between(uint32_t low, uint32_t high) {
            return low + static_cast<uint32_t>(engine() % (static_cast<uint64_t>(high) - low + 1));
        }

        bool one_in(uint32_t n) {
            return between(1, n) == 1;
        }

        template <typename T, size_t N>
        T pick(const T (&choices)[N]) {
            return choices[between(0, N - 1)];
        }

        // normal distribution around 0, deviation 1 (sum of uniform numbers: no library function that rounds in its own way)
        float normal() {
            double sum = 0.0;
            for (int i = 0; i < 12; ++i) {
                sum += static_cast<double>(engine() >> 11)*0x1p-53;
            }
            return static_cast<float>(sum - 6.0);
        }

    private:
        std::mt19937_64 engine;
};
