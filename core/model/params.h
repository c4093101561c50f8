// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace kl {

/// A tunable's or a size's value: a number (BLOCK_M=64) or one of the names listed in its descriptor (SWIZZLE=xor).
using ParamValue = std::variant<std::int64_t, std::string>;

/// Names to values, sorted by name so that the text form is canonical. Used for problems (sizes) and for tunables.
using Params = std::map<std::string, ParamValue>;

/// "BLOCK_M=64,WARPS=4"; empty for no parameters.
std::string toText(const Params& params);

/// Inverse of toText. Error badInput names the part that is not NAME=VALUE.
Result<Params> parseParams(std::string_view text);

/// The numeric value of a parameter, or nullopt when it is absent or a name.
const std::int64_t* numberIn(const Params& params, const std::string& name);

/// One variant of a kernel: family/variant and the value of each tunable that is not at its default.
struct Address {
    std::string family;
    std::string variant; ///< empty for a whole family
    Params tunables;

    bool operator==(const Address&) const = default;
};

/// "attention/fused@BLOCK_M=64,WARPS=4".
std::string toText(const Address& address);

/// Inverse of toText; "transpose" alone gives an empty variant. Error badInput names the malformed part.
Result<Address> parseAddress(std::string_view text);

} // namespace kl
