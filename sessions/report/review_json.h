// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "sessions/report/review.h"

namespace kl::inline report {

/// {id, target, author, at, text}.
Json commentToJson(const ReviewComment& comment);
/// Inverse. Error badInput names the field that is missing or no text; `where` is the origin.
Result<ReviewComment> commentFromJson(const Json& json, const std::string& where);

} // namespace kl::inline report
