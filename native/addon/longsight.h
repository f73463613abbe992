#pragma once

#include "napi.h"

// Adds Longsight's functions to node-llama-cpp's module object (names start with "longsight").
void longsight_register(Napi::Object & exports);
