// SPDX-License-Identifier: MIT
#include "core/codec/json_read.h"

#include <nlohmann/json.hpp>

namespace kl {

std::string textAt(const Json& object, const char* field)
{
    const auto found = object.find(field);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> numberAt(const Json& object, const char* field)
{
    const auto found = object.find(field);
    return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

bool truthAt(const Json& object, const char* field)
{
    const auto found = object.find(field);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

} // namespace kl
