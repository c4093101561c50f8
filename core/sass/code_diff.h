// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/kernel_code.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline sass {

/// A build to compare.
struct CodeSide {
    const KernelCode* code = nullptr;
    std::optional<double> gpuNs; ///< of the launch; unset: no time is assigned
};

/// Instructions of the two builds beside each other; one side is unset where the other has no counterpart.
struct CodeDiffRow {
    std::optional<std::size_t> a; ///< index into that side's KernelCode::instructions
    std::optional<std::size_t> b;
    bool changed = false;          ///< both sides, but other operands
    std::optional<double> movedNs; ///< time of B's minus that of A's; unset without times or samples

    bool operator==(const CodeDiffRow&) const = default;
};

/// How often each build has an opcode, with its time.
struct OpcodeDiff {
    std::string opcode;
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::optional<double> movedNs;

    bool operator==(const OpcodeDiff&) const = default;
};

struct CodeDiff {
    std::vector<CodeDiffRow> rows;
    std::vector<OpcodeDiff> opcodes; ///< those whose count or time differs; the largest time moved, then difference, first
    std::int64_t added = 0;
    std::int64_t removed = 0;
    std::int64_t changed = 0;
    std::int64_t spillsA = 0; ///< instructions that load from or store to local memory (LDL, STL)
    std::int64_t spillsB = 0;
    int mostLiveA = 0; ///< live registers; 0 when not known
    int mostLiveB = 0;
};

/// Aligns two builds of a kernel by the longest common subsequence of their opcodes: register names differ between builds, and are
/// compared only within a pair. An instruction's time is its share of the samples, of the launch's GPU time. If alignment would take more
/// than 16 million steps, everything between the first and the last instruction that differ counts as removed and added.
CodeDiff diffCode(const CodeSide& a, const CodeSide& b);

} // namespace kl::inline sass
