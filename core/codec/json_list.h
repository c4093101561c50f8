// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <string>
#include <vector>

namespace kl {

/// encodePretty of one item of a list that is a member of the whole: for encodePrettyAround, by any thread.
std::string encodePrettyItem(const Json& item);

/// encodePretty of `whole`, an object, in pieces to be written one after the other, where `items`, each by encodePrettyItem, are what the
/// list `whole[name]` holds. Large answers are encoded on all processors so, and never put together in memory. Precondition: whole[name]
/// is an empty list.
std::vector<std::string> encodePrettyAround(const Json& whole, const std::string& name, std::vector<std::string> items);

} // namespace kl
