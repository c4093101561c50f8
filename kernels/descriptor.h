// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/params.h"
#include "kernels/work.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// A tunable with the values it may take; words stand for their index when handed to the compiler as -DNAME=value.
struct Tunable {
    std::string name;
    std::vector<ParamValue> values;
    ParamValue defaultValue;
    std::string help;
};

/// A launch with its geometry as formulas over sizes, tunables and the variant's constants.
struct LaunchFormula {
    std::string entry;
    std::vector<std::string> grid; ///< one to three expressions
    std::vector<std::string> block;
    std::string dynamicSmem = "0";
    std::vector<std::string> args; ///< "in", "out": a buffer; "i32:M", "f32:1/sqrt(D)": a scalar expression
    std::string repeat = "1";
};

/// One rung of a family's ladder.
struct Variant {
    std::string id;                          ///< "tiled"
    std::string title;                       ///< "32 × 32 tile in shared memory"
    std::string summary;                     ///< what it does and what is wrong with it, one or two sentences
    std::optional<std::string> planted;      ///< class it is built to show
    std::string plantedWhen = "1";           ///< expression over sizes: where the planted class shows
    std::map<std::string, double> constants; ///< names that this variant adds to every expression
    std::string mends;                       ///< id of the variant that it repairs; empty at a ladder's foot
    std::string fixTitle;                    ///< the change from `mends` to this, as an imperative: "Stage the tile in shared memory"
    std::string sourcePath;                  ///< its own CUDA text, where it is not the family's; empty: the family's
    std::string source;                      ///< that text; empty: the family's
    std::vector<std::string> options;        ///< compiler options of this variant
    std::vector<std::string> tunables;       ///< names of the family's tunables that apply
    std::vector<LaunchFormula> launches;
    bool graph = false;
};

/// A family of variants of one kernel, as its descriptor file says (kernels/<family>/<family>.json, source beside it).
struct KernelFamily {
    std::string id;
    std::string title;
    std::string source;     ///< CUDA text
    std::string sourcePath; ///< "kernels/transpose/transpose.cu"
    std::vector<Variant> variants;
    std::vector<Tunable> tunables;
    std::vector<std::string> constraints; ///< expressions over sizes and tunables, all non-zero for a valid point
    std::vector<std::string> sizes;       ///< names of the problem's parameters
    std::vector<Params> problems;         ///< measured sizes; the first is the default
    Params smallest;
    std::vector<Params> suite; ///< correctness sizes, smallest first
    struct Buffer {
        std::string name;
        DType type = DType::f32;
        std::string count; ///< expression
        BufferRole role = BufferRole::input;
        Fill fill = Fill::normal;
        double scale = 1;
    };
    std::vector<Buffer> buffers;
    struct Reference {
        std::string function;
        std::map<std::string, std::string> params; ///< expressions
        std::vector<std::string> inputs;
        std::string output;
    } reference;
    Tolerance tolerance;
    struct BaselineFormula {
        std::string kind;
        std::string name;
        std::string op;
        std::map<std::string, std::string> params; ///< expressions
        std::string fallback;
    } baseline;
    std::string flops = "0";
    std::string idealBytes = "0";
};

} // namespace kl
