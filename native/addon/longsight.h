#pragma once

#include "napi.h"

// Adds Longsight's functions to node-llama-cpp's module object (names start with "longsight").
void longsight_register(Napi::Object & exports);

// The part of them that scores tokens and keeps some (eviction.cpp).
void longsight_register_eviction(Napi::Object & exports);

// The part that reads and writes keys and values as bytes (rows.cpp).
void longsight_register_rows(Napi::Object & exports);
