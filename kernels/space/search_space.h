// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/gates.h"
#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// A query about the space of a variant's tunables.
struct SpaceQuestion {
    Params fixed;   ///< tunables with a fixed value
    Params problem; ///< sizes left out take the family's default
    SmLimits sm;
    std::string arch;                   ///< "sm_90", for messages
    std::optional<double> minOccupancy; ///< percent; unset: the descriptor's
    std::optional<Chip> chip = {};      ///< for formulas; unset: the architecture's, as toChip(GpuArch)
};

/// One combination with the verdict of each gate.
struct SpacePoint {
    Params tunables;   ///< all of the variant's, including those at their default
    int minBlocks = 1; ///< that the compiled code must fit on an SM
    std::array<GateVerdict, kSpaceGates.size()> verdicts;
    std::optional<std::size_t> rejectedBy; ///< index of the first gate that rejects it; unset: it survives
};

struct SearchSpace {
    std::string kernel;                                     ///< "attention/fused"
    std::string problem;                                    ///< canonical text
    std::size_t total = 0;                                  ///< combinations, those that are not listed included
    std::vector<SpacePoint> points;                         ///< the last tunable changes fastest; values in the descriptor's order
    std::array<std::size_t, kSpaceGates.size()> rejected{}; ///< by each gate as the first
    std::size_t survivors = 0;
};

/// The chip of a question.
Chip toChip(const SpaceQuestion& question);

/// Combinations up to which all of them are judged and listed.
inline constexpr std::size_t kMostListed = 1'000'000;

/// Every combination judged by the six gates. Of more than kMostListed, those that violate a constraint are never made: they are counted
/// for the gate of threads and shape, whichever gate comes first. Needs no GPU. Errors: chooseTarget's; badInput: the variant has no
/// tunables, an unknown tunable or size, a bad formula, more than kMostListed combinations that satisfy the constraints.
Result<SearchSpace> searchSpace(const KernelFamily& family, const Variant& variant, const SpaceQuestion& question);

/// The address of a point: tunables at their default left out.
Address makeAddress(const KernelFamily& family, const Variant& variant, const Params& tunables);

/// The variant whose space is searched: that of the address, else the family's only one with tunables, of several the one that it chooses
/// for the problem and chip. Error badInput: there is none, or several, which are named.
Result<const Variant*> findTunedVariant(const KernelFamily& family, const std::string& variant, const Params& problem = {},
                                        const Chip& chip = {});

} // namespace kl::inline kernels
