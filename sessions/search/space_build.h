// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/space/search_space.h"
#include "profiler/collector.h"
#include "profiler/protocol/build_messages.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline search {

/// A survivor of the gates with the compiler's result.
struct CompiledPoint {
    std::size_t index = 0; ///< into SearchSpace::points
    BuiltPoint built;
    CompiledVerdict verdict;           ///< of code that was built; else: does not compile
    std::optional<std::size_t> sameAs; ///< an earlier entry of the same list whose program is the same: measured once is enough
};

struct SpaceBuild {
    SearchSpace space;
    std::string arch;
    std::string compiler;
    int jobs = 0;
    double seconds = 0;
    std::vector<CompiledPoint> points;

    /// Those that pass and are not duplicates: the points to measure.
    std::vector<const CompiledPoint*> candidates() const;
    /// Entries rejected by this gate ("compile", "spills", "occupancy").
    std::size_t countRejectedBy(const std::string& gate) const;
    std::size_t countCached() const;
    /// Mean compile time of those that were not cached; unset when all were.
    std::optional<double> coldSeconds() const;
};

/// Judges a space and compiles what survives; needs a CUDA toolkit, no GPU. `jobs`: threads, 0 one per processor. Errors: searchSpace's,
/// environment without a toolkit, interrupted.
Result<SpaceBuild> buildSpace(Collector& collector, const KernelFamily& family, const Variant& variant, const SpaceQuestion& question,
                              int jobs, const Job& job);

/// The compiler's report on one variant, line by line, for several architectures; needs no GPU. The request's order. Errors:
/// makeFamilyPoint's, badInput for a variant that is a binary, environment without a toolkit.
Result<BuildManyAnswer> buildVariant(Collector& collector, const KernelFamily& family, const Variant& variant, const Params& tunables,
                                     const Params& problem, const std::vector<std::string>& archs, const Job& job);

} // namespace kl::inline search
