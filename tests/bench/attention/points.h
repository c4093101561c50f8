// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

#include <map>
#include <string>
#include <vector>

namespace bench {

struct Problem {
    int b = 1, h = 1, s = 1, keys = 1, d = 64;
    bool causal = false, bf16 = false, outliers = false;

    std::string text() const; ///< "B=1,H=2,S=65,SK=65,D=64,CAUSAL=1,BF16=0"
    double flops() const;
};

/// A point of the space of attention/fused as the compiler and the launch need it: words are their places in the descriptor's lists.
struct Point {
    std::string address; ///< "attention/fused@BLOCK_M=32,…"
    std::map<std::string, int> values;

    int at(const char* name) const { return values.at(name); }
    unsigned sharedBytes(int d) const;
    Grid grid(const Problem& problem) const; ///< as the descriptor's launch says
    unsigned threads() const { return static_cast<unsigned>(32 * at("WARPS") * (1 + at("SPLIT_KV"))); }
};

/// One address a line, tunables that are not named at their defaults. Ends the program on a name that it does not know.
std::vector<Point> readPoints(const char* path);

/// A point compiled for one type and head dimension.
struct Variant {
    Point point;
    int d = 64;
    bool bf16 = false;
    CUmodule module = nullptr;
    CUfunction function = nullptr; ///< null where it cannot run
    std::string why;               ///< then
    int registers = 0, localBytes = 0;
};

/// All points for one type and head dimension, on all cores.
std::vector<Variant> build(const std::string& source, const std::vector<Point>& points, int d, bool bf16);

/// Ends what `build` loaded.
void unload(std::vector<Variant>& variants);

} // namespace bench
