// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

/// For tests that name every member of a JSON shape: of what a text says, nothing is lost or goes elsewhere by reading and writing it.
namespace kl::test {

/// A key of an object of which the text names only some members.
inline constexpr const char* kAndMore = "...";

inline void expectHeld(const Json& wanted, const Json& got, const std::string& path)
{
    ASSERT_EQ(wanted.is_structured(), got.is_structured()) << path << ": " << encode(got);
    if (!wanted.is_structured()) {
        EXPECT_EQ(wanted, got) << path;
        return;
    }
    if (!wanted.contains(kAndMore)) {
        ASSERT_EQ(wanted.size(), got.size()) << path << ": " << encode(got);
    }
    for (const auto& [key, item] : wanted.items()) {
        if (key == kAndMore)
            continue;
        if (got.is_object()) {
            ASSERT_TRUE(got.contains(key)) << path << '.' << key;
            expectHeld(item, got.at(key), path + '.' + key);
        } else {
            expectHeld(item, got.at(std::stoul(key)), path + '[' + key + ']');
        }
    }
}

} // namespace kl::test
