// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/tensor_map.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline kernels {

enum class DType {
    f16,
    bf16,
    f32,
    f64,
    i32,
    u32,
    f8e4m3, ///< OCP FP8: up to 448, no infinity
    f8e5m2, ///< OCP FP8: up to 57344
    i8,
    u8,
    i64,
    u64,
    boolean, ///< a byte, 0 or 1
};

/// Bytes of one element.
int countBytes(DType type) noexcept;

/// Whole numbers of any width; neither floating types nor bool.
bool isInteger(DType type) noexcept;

/// The initial content of a buffer.
enum class Fill {
    normal,  ///< N(0, 1) × scale, from the seed (integer types: uniform in −8 … 8)
    uniform, ///< [−1, 1) × scale
    ramp,    ///< index × scale
    zeros,
    poison,   ///< NaN (integers: 0x7fbadbad) so that an unwritten element shows
    file,     ///< the elements of BufferSpec::content
    outliers, ///< as normal, one element in 256 ten times larger
};

enum class BufferRole { input, output, scratch };

struct BufferSpec {
    std::string name;
    DType type = DType::f32;
    std::int64_t count = 0;
    BufferRole role = BufferRole::input;
    Fill fill = Fill::normal;
    double scale = 1;
    std::optional<std::string> content; ///< Fill::file: `count` raw little-endian elements, base64; the worker may be on another machine
    std::optional<bool> packed = {};    ///< `content` and `after` are zstd frames of the elements, base64; unset = no
    std::optional<std::uint64_t> address =
        {};                                ///< of a lifted launch: where it is mapped, and nowhere else; no guard bands. Unset: anywhere
    std::optional<std::string> after = {}; ///< what an input that the launches write holds afterwards, like `content`: their reference

    bool operator==(const BufferSpec&) const = default;
};

/// A kernel argument: a buffer's address, a tensor map of it, or a scalar.
struct ArgSpec {
    std::string buffer;              ///< name; empty for a scalar
    std::optional<DType> scalarType; ///< i32, u32, i64, u64, f16, bf16, f32, f64
    double value = 0;
    std::optional<TensorMapSpec> map = {}; ///< the buffer's tensor map: 128 bytes by value, not its address

    bool operator==(const ArgSpec&) const = default;
};

struct LaunchSpec {
    std::string entry;               ///< extern "C" name in the source
    std::vector<std::int64_t> grid;  ///< x, y, z
    std::vector<std::int64_t> block; ///< x, y, z
    std::int64_t dynamicSmem = 0;
    std::vector<ArgSpec> args;
    int repeat = 1;                             ///< how often the launch is issued in the sequence
    std::vector<std::int64_t> cluster;          ///< blocks of a cluster along x, y, z; empty: no clusters
    bool cooperative = false;                   ///< all blocks run at once, so that they may wait for each other
    bool programmatic = false;                  ///< may start before the previous launch of the sequence has ended
    std::optional<std::string> parameters = {}; ///< of a lifted launch: all arguments as the kernel takes them, base64; `args` is empty
    std::optional<int> carveout = {};           ///< preferred percentage of the SM's memory that is shared; unset: the driver's choice

    bool operator==(const LaunchSpec&) const = default;
};

/// A kernel as a binary instead of source.
struct ImageSpec {
    bool ptx = false;   ///< PTX text, compiled by the driver; else a cubin for one architecture
    std::string name;   ///< file's name, for messages
    std::string base64; ///< its bytes

    bool operator==(const ImageSpec&) const = default;
};

/// Code of a reference kernel; its launches take the buffers of the work that it is the reference of.
struct CodeSpec {
    std::string kernel; ///< address, for messages
    std::string source; ///< CUDA C++; empty with an image
    std::map<std::string, std::string> headers;
    std::optional<ImageSpec> image;
    std::vector<std::string> options;
    std::vector<std::string> targets; ///< as WorkSpec::targets
    std::vector<LaunchSpec> launches;

    bool operator==(const CodeSpec&) const = default;
};

/// One loop of an expression reference: NAME runs from 0 to count − 1.
struct IndexSpec {
    std::string name;
    std::int64_t count = 0;

    bool operator==(const IndexSpec&) const = default;
};

/// Raw little-endian elements, base64.
struct DataSpec {
    DType type = DType::f64;
    std::string base64;

    bool operator==(const DataSpec&) const = default;
};

/// A python program that computes the output: run by the worker, beside the GPU, on the very inputs that the kernel gets.
struct ScriptSpec {
    std::string name; ///< the script's file, absolute if known; for messages
    std::string text;
    double timeoutSeconds = 60;

    bool operator==(const ScriptSpec&) const = default;
};

/// The correct answer, from one of five sources: a function of the closed list in kernels/reference and an expression are evaluated in
/// double precision on the host; a kernel runs on the same device; elements and a script come from the user. None set: no reference.
struct ReferenceSpec {
    std::string function;                 ///< a name of the list in kernels/reference/reference.cpp: "copy", "matmul"
    std::map<std::string, double> params; ///< of a function; for an expression and a script every size, tunable and constant
    std::vector<std::string> inputs;      ///< buffer names, in the function's order
    std::string output;                   ///< buffer name
    std::string expression;       ///< one element of the output, in the descriptor's formula language; `x(i)` is element i of input x
    std::vector<IndexSpec> index; ///< indices of the output, outermost first; empty: its flat index "i"
    std::vector<IndexSpec> sum;   ///< the expression is summed over these
    std::optional<CodeSpec> kernel;
    std::optional<DataSpec> data; ///< the output itself
    std::optional<ScriptSpec> script;

    bool operator==(const ReferenceSpec&) const = default;
};

/// Identity of what is compiled: contentHash of the source, with the headers where there are some; or of the image.
std::string codeHash(const std::string& source, const std::map<std::string, std::string>& headers, const std::optional<ImageSpec>& image);

/// Whether there is anything to compare with.
bool hasReference(const ReferenceSpec& reference) noexcept;

struct Tolerance {
    double maxAbs = 0.01;
    double relL2 = 1e-3;

    bool operator==(const Tolerance&) const = default;
};

/// What the kernel must beat, measured in the same run.
struct BaselineSpec {
    std::string kind; ///< "copy" (device-to-device, `bytes` read and as many written), "python" (an op of the helper), "roof", "" none;
                      ///< "cudnn" and "cublas": attention by these libraries, called directly
    std::string name; ///< for people
    std::string op;   ///< python: "sdpa", "cub-sum"
    std::map<std::string, double> params; ///< python, cudnn, cublas: sizes; copy: {"bytes"}; roof: {"bytes", "flops", "tensor_flops"}
    std::string fallback;                 ///< kind used when the first is unavailable: "roof" or ""
    std::optional<std::string> id;        ///< as it was chosen by name: "sdpa-flash"; nothing: the family's own

    bool operator==(const BaselineSpec&) const = default;
};

/// Everything a worker needs to build, run and judge one variant on one problem: it has no catalog.
struct WorkSpec {
    std::string kernel;                         ///< canonical address: "transpose/tiled"
    std::string problem;                        ///< canonical text: "M=4096,N=4096"
    std::string source;                         ///< CUDA C++; empty with an image
    std::map<std::string, std::string> headers; ///< texts that the source includes with "NAME"
    std::string sourceHash;                     ///< codeHash of what is compiled
    std::optional<ImageSpec> image;             ///< compiled code instead of source
    std::vector<std::string> options;           ///< NVRTC options but for the architecture: "-DTILE=32", "--std=c++17"
    std::vector<std::string> targets;           ///< what it can be compiled for, "sm_90a"; empty: any architecture
    std::vector<LaunchSpec> launches;
    bool graph = false;                                               ///< issue the launches as one CUDA graph
    bool deterministic = true;                                        ///< false: the same inputs may give other bits
    std::vector<std::string> state;                                   ///< variables of the module that launches may change
    std::optional<std::map<std::string, std::string>> variables = {}; ///< of a lifted launch: what the program set, by name, base64
    std::optional<DType> arithmetic; ///< coarsest type that it may compute in, where that is not a buffer's
    std::vector<BufferSpec> buffers;
    ReferenceSpec reference;
    Tolerance tolerance;
    BaselineSpec baseline;
    double flops = 0;
    double idealBytes = 0;
    std::uint64_t seed = 1; ///< of all random inputs

    bool operator==(const WorkSpec&) const = default;
};

/// An input that its launches write: the reference names it as its output, or it has a content for afterwards.
bool isReadAndWritten(const WorkSpec& work, const BufferSpec& buffer);

/// Whether its buffers lie at given addresses: a lifted launch, or a rewrite of one.
bool isPlaced(const WorkSpec& work);

} // namespace kl::inline kernels
