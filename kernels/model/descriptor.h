// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/params.h"
#include "kernels/model/search_rules.h"
#include "kernels/model/work.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// A tunable with the values it may take; a word is passed as its index to the compiler as -DNAME=value.
struct Tunable {
    std::string name;
    std::vector<ParamValue> values;
    ParamValue defaultValue;
    std::string help;
    /// The kind of change, as slugs of fixes of the diagnosis tree ("smaller-tiles") or of one's own; empty if not given.
    std::string raising;
    std::string lowering;
    std::map<std::string, std::string> meaning; ///< value to slug: for changing to this value from any other
};

/// A buffer as described to the tensor memory accelerator, in formulas.
struct TensorMapFormula {
    std::string buffer;
    std::vector<std::string> dims;           ///< elements, innermost first
    std::vector<std::string> strides;        ///< bytes along dimensions 1 and up; empty: contiguous dimensions
    std::vector<std::string> box;            ///< elements that one copy moves
    std::vector<std::string> elementStrides; ///< empty: 1 each
    TensorSwizzle swizzle = TensorSwizzle::none;
    TensorInterleave interleave = TensorInterleave::none;
    TensorPromotion promotion = TensorPromotion::none;
    TensorOutside outside = TensorOutside::zero;
};

/// An argument of a launch.
struct ArgFormula {
    std::string text;     ///< "in", "out": a buffer; "i32:M", "f32:1/sqrt(D)": a scalar expression; empty with a map
    TensorMapFormula map; ///< where its buffer has a name
};

/// A launch with its geometry as formulas over sizes, tunables and the variant's constants.
struct LaunchFormula {
    std::string entry;
    std::vector<std::string> grid; ///< one to three expressions
    std::vector<std::string> block;
    std::string dynamicSmem = "0";
    std::vector<ArgFormula> args;
    std::string repeat = "1";         ///< 0: the launch is skipped
    std::vector<std::string> cluster; ///< expressions, as grid; empty: no clusters
    bool cooperative = false;
    bool programmatic = false;
    std::string parameters;      ///< a file beside the descriptor: all arguments as the kernel takes them, in place of `args`
    std::optional<int> carveout; ///< percentage, as LaunchSpec
};

/// One implementation of a family.
struct Variant {
    std::string id;                             ///< "tiled"
    std::string title;                          ///< "32 × 32 tile in shared memory"
    std::string summary;                        ///< what it does and what its problem is, one or two sentences
    std::optional<std::string> expected;        ///< class that it is built to show
    std::string expectedWhen = "1";             ///< expression over sizes: where the expected class shows
    std::string expectedWhy;                    ///< why it must show, from how the kernel is built: one sentence
    std::string fault;                          ///< what makes it incorrect on purpose, one sentence; empty: it is meant to be correct
    std::map<std::string, double> constants;    ///< names that this variant adds to every expression
    std::string fixes;                          ///< id of the variant that it fixes; empty for the first one
    std::map<std::string, std::string> changes; ///< id of a variant above, one change away, to the change's kind, as Tunable::raising
    std::string fixTitle;                       ///< the change from `fixes` to this, as an imperative: "Stage the tile in shared memory"
    std::string sourcePath;                     ///< its own .cu, .cubin or .ptx, where it is not the family's; empty: the family's
    std::string source;                         ///< that file's CUDA text; empty: the family's, or an image
    std::map<std::string, std::string> headers; ///< files that it includes with "NAME", found next to it
    std::optional<ImageSpec> image;             ///< that file if it is compiled code
    std::vector<std::string> options;           ///< compiler options of this variant
    std::vector<std::string> targets;           ///< what it can be compiled for, "sm_90a"; empty: any architecture
    std::string when;                           ///< expression over sizes, defaults of tunables and the chip: where it is chosen, the last
                                                ///< variant for which it is not 0 being the family's choice; empty: by name alone
    std::vector<std::string> tunables;          ///< names of the family's tunables that apply
    std::vector<std::string> constraints;       ///< in addition to the family's
    std::vector<LaunchFormula> launches;
    bool graph = false;
    bool deterministic = true;                    ///< false: results may differ in their bits (floating-point atomics)
    std::vector<std::string> state;               ///< variables of the module that launches change; put back before each timed pass
    std::map<std::string, std::string> variables; ///< of a lifted launch: files with what the program has set variables to, by name
    std::optional<DType> arithmetic; ///< lowest precision that it computes in, if not that of a buffer: e.g. f16 sums of f32 data
    SearchRules search;              ///< checks its tunables before compiling
};

/// The files of a user's kernel; empty for built-in kernels. Absolute paths.
struct KernelOrigin {
    std::string descriptor;           ///< kernel.json
    std::vector<std::string> sources; ///< .cu, .cubin and .ptx files of all variants and what they include, each once
    std::vector<std::string> others;  ///< scripts and data files that have a fixed name

    bool empty() const noexcept { return descriptor.empty(); }
};

/// A family of variants of one kernel, as in its descriptor: kernel.json of a user, kernels/families/<family>/<family>.json of the catalog.
struct KernelFamily {
    std::string id;
    std::string title;
    KernelOrigin origin;
    std::string source;                         ///< CUDA text; empty with an image
    std::string sourcePath;                     ///< as in the descriptor, relative to it: "transpose.cu"
    std::map<std::string, std::string> headers; ///< files that it includes with "NAME", found next to it
    std::optional<ImageSpec> image;             ///< where the source is a .cubin or .ptx
    std::vector<std::string> targets;           ///< for variants without their own
    std::vector<Variant> variants;
    std::vector<Tunable> tunables;
    std::vector<std::string> constraints;             ///< expressions over sizes and tunables, all non-zero for a valid point
    std::vector<std::string> sizes;                   ///< names of the problem's parameters
    std::map<std::string, std::string> optionalSizes; ///< optional ones, with a formula over `sizes` as default
    std::vector<Params> problems;                     ///< measured sizes; the first is the default
    Params smallest;
    std::vector<Params> suite; ///< correctness sizes, smallest first
    struct Buffer {
        std::string name;
        DType type = DType::f32;
        std::map<std::string, std::string> typeWhen; ///< type's word to formula: the first that is not 0 replaces `type`
        std::string count;                           ///< expression
        BufferRole role = BufferRole::input;
        Fill fill = Fill::normal;
        std::map<std::string, std::string> fillWhen; ///< as typeWhen, of `fill`
        double scale = 1;
        std::string file; ///< Fill::file: .npy, or raw little-endian elements; "in_{N}.npy" contains the size's value. With an address: a
                          ///< zstd frame of them
        std::string address; ///< of a lifted launch: "0x7f2c5e000000"; empty: anywhere
        std::string after;   ///< as `file`: what the launch leaves in it; empty: it does not write it
    };
    std::vector<Buffer> buffers;
    struct Reference {
        std::string function;
        std::map<std::string, std::string> params; ///< expressions, of a function
        std::vector<std::string> inputs;
        std::string output;
        std::string expression;
        std::vector<std::string> index; ///< "m:M": index m runs over M elements
        std::vector<std::string> sum;   ///< the same form
        std::string kernel;             ///< a variant of this family
        std::string file;               ///< as a buffer's
        std::string python;             ///< a script next to the descriptor
        std::string script;             ///< its text
        double timeoutSeconds = 60;     ///< of the script
    } reference;
    Tolerance tolerance;
    std::string toleranceScale = "1"; ///< formula; multiplies both limits
    struct BaselineFormula {
        std::string kind;
        std::string name;
        std::string op;
        std::map<std::string, std::string> params; ///< expressions
        std::string fallback;
        std::string id; ///< of one of `baselines`: its name for --baseline
    } baseline;
    std::vector<BaselineFormula> baselines; ///< more that can be chosen by name; params default to those of `baseline`
    std::string flops = "0";
    std::string idealBytes = "0";
    /// Of a program that builds and launches its kernel itself (sessions/target): hash of the files that may be edited. Such a family has
    /// sizes and one variant, but no code for a worker. Empty: an ordinary family.
    std::string programHash;
    bool checkedByCommand = false; ///< of a program: a command judges its results, so that no differences are known

    bool isProgram() const noexcept { return !programHash.empty(); }
};

} // namespace kl::inline kernels
