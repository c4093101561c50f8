// SPDX-License-Identifier: MIT
#include "kernels/old_names.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace kl::inline kernels {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 4> kRenamed{
    {{"mends", "fixes"}, {"planted", "expected"}, {"planted_when", "expected_when"}, {"planted_why", "expected_why"}}};

} // namespace

void renameOldFields(Json& descriptor)
{
    const auto variants = descriptor.is_object() ? descriptor.find("variants") : descriptor.end();
    if (variants == descriptor.end() || !variants->is_array())
        return;
    for (Json& variant : *variants)
        for (const auto& [before, now] : kRenamed)
            if (variant.is_object() && variant.contains(before) && !variant.contains(now)) {
                Json value = std::move(variant[before]);
                variant.erase(before);
                variant[now] = std::move(value);
            }
}

} // namespace kl::inline kernels
