// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/params.h"

#include <string_view>
#include <vector>

namespace kl::inline measure {

/// Most problems that one sweep may have.
inline constexpr std::size_t kMostSwept = 1000;

/// The problems of a sweep: "M=1024..16384 x2,N=[256,512],K=M". Axes are separated by commas; an axis is
///
///   NAME=VALUE            one value, as in --problem
///   NAME=[A,B,C]          these
///   NAME=A..B             from A to B, each twice the one before
///   NAME=A..B xF, A..B +S each F times, or S more than, the one before; B itself is the last only if a step ends there
///   NAME=OTHER            the value of another axis, so that the two change together
///
/// All combinations, the last axis changing fastest. Errors usage: what is wrong with which axis, and more than kMostSwept problems.
Result<std::vector<Params>> parseAxes(std::string_view text);

} // namespace kl::inline measure
