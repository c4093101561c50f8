// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// One machine instruction of a launch with its PC samples and SASS counts.
struct SampledInstruction {
    std::string function;                       ///< mangled name as the module spells it
    std::int64_t offset = 0;                    ///< bytes from the function's start
    std::string file;                           ///< by the line table; empty when the code was built without -lineinfo
    int line = 0;                               ///< 1-based; 0 when unknown
    std::int64_t samples = 0;                   ///< of warps whose program counter was here
    std::map<std::string, std::int64_t> stalls; ///< samples by stall reason ("long_scoreboard"); "selected" is not a stall
    std::optional<std::int64_t> executed;       ///< warp-level executions (smsp__sass_inst_executed)
    std::optional<std::int64_t> threads;        ///< thread-level executions (smsp__sass_thread_inst_executed)

    bool operator==(const SampledInstruction&) const = default;
};

/// The same, summed over the instructions of one source line.
struct SourceLine {
    std::string file;
    int line = 0;
    std::int64_t samples = 0;
    double share = 0; ///< of all samples of the launch, 0 to 1
    std::map<std::string, std::int64_t> stalls;
    std::optional<std::int64_t> executed;
    std::optional<std::int64_t> threads;
    /// Of the scoreboard and drain stalls: samples by the line ("kernel.cu:12") that issued what is awaited, where it is another line.
    std::map<std::string, std::int64_t> waitsFor;

    bool operator==(const SourceLine&) const = default;
};

struct KernelCode; // kernel_code.h

/// Machine code that copies of a run share; never changed, compared by its content.
class SharedCode {
public:
    SharedCode() = default;
    explicit SharedCode(KernelCode code);

    explicit operator bool() const noexcept { return code_ != nullptr; }
    const KernelCode& operator*() const { return *code_; }
    const KernelCode* operator->() const { return code_.get(); }
    friend bool operator==(const SharedCode& a, const SharedCode& b);

private:
    std::shared_ptr<const KernelCode> code_;
};

/// Where in the source a launch spends its time. Lines and instructions are sorted by samples, most first.
struct SourceProfile {
    std::string launch;       ///< entry of the launch that it belongs to
    std::int64_t samples = 0; ///< kept
    std::int64_t dropped = 0; ///< lost because the sampling buffer was full
    int periodCycles = 0;     ///< between two samples of one SM sub-partition
    std::vector<SourceLine> lines;
    std::vector<SampledInstruction> instructions;
    /// Source files of a program, by their names in `lines`, as far as they were found where they had been compiled. Kernels of the
    /// catalog have theirs there.
    std::map<std::string, std::string> texts;
    std::string unavailable;       ///< why there are no samples; empty when there are some
    std::string countsUnavailable; ///< why `executed` and `threads` are missing; empty when they are there
    SharedCode code;               ///< every instruction with its counters; none in runs from before it was kept

    bool operator==(const SourceProfile&) const = default;
};

} // namespace kl
