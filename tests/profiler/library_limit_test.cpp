// SPDX-License-Identifier: MIT
// How far a 16-bit result may lie from the reference, beside PyTorch's own.
#ifdef KL_HAVE_LIVE
#include "profiler/live/measure/library_output.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(LibraryLimit, TwiceTheLibrarysErrorAndTheRoundingOfTheResult)
{
    // FP16 has 10 bits behind the leading one: half a unit at 0.3 (in 0.25 … 0.5) is 2^-13.
    EXPECT_DOUBLE_EQ(libraryLimit(1e-3, 0.3, false), 2e-3 + std::ldexp(1.0, -13));
    EXPECT_DOUBLE_EQ(libraryLimit(1e-3, 1.0, false), 2e-3 + std::ldexp(1.0, -11));
    EXPECT_DOUBLE_EQ(libraryLimit(1e-3, 0.3, true), 2e-3 + std::ldexp(1.0, -10));
}

TEST(LibraryLimit, AnExactLibraryLeavesTheRounding)
{
    EXPECT_DOUBLE_EQ(libraryLimit(0, 3.5, false), std::ldexp(1.0, -10)); // one key: the output is V itself
    EXPECT_DOUBLE_EQ(libraryLimit(0, 0, false), 0);
}

} // namespace
} // namespace kl
#endif
