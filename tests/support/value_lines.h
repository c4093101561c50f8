// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

namespace kl::test {

/// What a snapshot of values leaves out: what depends on the machine, the moment or the version.
inline bool isVolatile(const std::string& key)
{
    static const std::set<std::string> keys{"version",       "host",           "elapsed_s",   "seconds", "measured_seconds",
                                            "file",          "location",       "path",        "folder",  "database",
                                            "minutes_since", "schema_version", "tool_seconds"};
    return keys.contains(key) || key.ends_with("_hash") || key == "hash";
}

/// A figure in six digits, which compilers agree on; a sentence by its figures alone, since its wording is held elsewhere.
inline std::string valueText(const Json& value)
{
    if (value.is_number_float())
        return fmt::format("{:.6g}", value.get<double>());
    if (!value.is_string())
        return value.dump();
    const std::string text = value.get<std::string>();
    if (text.find(' ') == std::string::npos && text.find("\u202f") == std::string::npos && text.find('\n') == std::string::npos)
        return text;
    static const std::regex figure(R"([0-9]+(\.[0-9]+)?)");
    std::string figures = "\"";
    int count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), figure); at != std::sregex_iterator() && count < 24; ++at, ++count)
        figures += (count > 0 ? " " : "") + at->str();
    return figures + '"';
}

/// JSON as lines "path: value", for snapshots of what was computed. Of a long list the first and the last items.
inline void addValueLines(std::string& out, const std::string& path, const Json& value)
{
    constexpr std::size_t kInLine = 8;
    constexpr std::size_t kItems = 6;
    if (value.is_object()) {
        for (const auto& [key, item] : value.items())
            if (!isVolatile(key))
                addValueLines(out, path.empty() ? key : path + '.' + key, item);
        if (value.empty())
            out += path + ": {}\n";
        return;
    }
    if (!value.is_array()) {
        out += path + ": " + valueText(value) + '\n';
        return;
    }
    if (std::ranges::none_of(value, [](const Json& item) { return item.is_structured(); })) {
        std::string line;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (i < kInLine || i + 1 == value.size())
                line += (i > 0 ? i >= kInLine ? " .. " : ", " : "") + valueText(value[i]);
        out += fmt::format("{}: {}[{}]\n", path, value.size(), line);
        return;
    }
    if (value.size() > kItems)
        out += fmt::format("{}: {} items\n", path, value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
        if (i + 1 < kItems || i + 1 == value.size())
            addValueLines(out, fmt::format("{}[{}]", path, i), value[i]);
}

inline std::string valueLines(const Json& value)
{
    std::string out;
    addValueLines(out, {}, value);
    return out;
}

} // namespace kl::test
