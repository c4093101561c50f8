// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/params.h"

#include <functional>
#include <string>

namespace kl::inline measure {

/// The smallest failing problem that was found.
struct ShrunkProblem {
    Params problem;
    int tried = 0;       ///< problems that were tried on the way
    std::string stopped; ///< why it may not be the smallest; empty: bisection finished for each size
};

/// Whether the kernel fails on a problem; false also if it does not support the sizes. Error: it could not be tried.
using TryProblem = std::function<Result<bool>(const Params& problem)>;

/// Halves the way between 0 and a failing value of each size in turn, until the size fails and one less does not, or `limit` problems are
/// tried; repeats while one got smaller. A failure need not be monotone in the size: what comes out fails, and no size of it can
/// be one less. Errors other than `interrupted` end the search and are in `stopped`.
Result<ShrunkProblem> shrinkProblem(const Params& failing, int limit, const TryProblem& fails);

} // namespace kl::inline measure
