// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline stats {

/// Quantile of Student's t: P(T <= t) = probability with `degrees` degrees of freedom. Preconditions: 0 < probability < 1, degrees >= 1.
double studentQuantile(double probability, double degrees);

/// P(X <= k) for X of binomial(n, p). Preconditions: n >= 1, 0 <= p <= 1; k < 0 gives 0.
double binomialCdf(int k, int n, double p);

} // namespace kl::inline stats
