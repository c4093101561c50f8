// SPDX-License-Identifier: MIT
// The only source that includes Boost.Math's distributions: they cost about five seconds per file.
#include "core/stats/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace kl::inline stats {

double studentQuantile(double probability, double degrees)
{
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double binomialCdf(int k, int n, double p)
{
    if (k < 0)
        return 0;
    if (k >= n)
        return 1;
    return boost::math::cdf(boost::math::binomial(n, p), k);
}

} // namespace kl::inline stats
