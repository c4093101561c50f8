// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/descriptor.h"
#include "sessions/search/search_history.h"

namespace kl::inline search {

/// A C++17 header with the best point: a constexpr int for every tunable (a word as its index, which is what the compiler gets) and size,
/// the compiler options, the source, and static assertions that each value is one of the descriptor's and that its constraints hold. It
/// includes nothing. Precondition: the record is of this variant. Errors badInput: the point is not one of the variant's; refused: the
/// source has changed since the search.
Result<std::string> makeTunedHeader(const KernelFamily& family, const Variant& variant, const FoundBest& best);

/// The same as JSON: {schema, kernel, point: {NAME: value}, options, problem, device, …}.
Result<Json> makeTunedJson(const KernelFamily& family, const Variant& variant, const FoundBest& best);

} // namespace kl::inline search
