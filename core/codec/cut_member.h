// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace kl {

/// A text of JSON with null in place of one value: of the member that `path` names from the outside in, {"source", "code"}. It looks for
/// quotes and brackets alone, which is much quicker than reading the value. What has no such member stays as it is, and what is not JSON
/// does not become JSON.
std::string cutMember(std::string_view json, std::initializer_list<std::string_view> path);

} // namespace kl
