#pragma once

#include <functional>

#include "napi.h"

// Runs what computes with ggml's threads on the one thread that is there for it, and returns when it has ended. OpenMP keeps a team for each
// thread that ever started one, and Node.js takes a different thread for each call. With more threads in all teams than the machine has cores, libgomp
// lets those that wait sleep almost at once, and each of the hundred barriers of a token wakes them again.
void longsight_compute(std::function<void()> work);

// Adds Longsight's functions to node-llama-cpp's module object (names start with "longsight").
void longsight_register(Napi::Object & exports);

// The part of them that scores tokens and keeps some (eviction.cpp).
void longsight_register_eviction(Napi::Object & exports);

// The part that reads and writes keys and values as bytes (rows.cpp).
void longsight_register_rows(Napi::Object & exports);
