// SPDX-License-Identifier: MIT
// Descriptors written before fields of a variant were renamed.
#include "kernels/descriptor_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A descriptor of two variants; `fields` are further members of the second.
Result<KernelFamily> parse(const std::string& fields)
{
    constexpr const char* kText = R"_({{
  "id": "k", "title": "K", "source": "k.cu", "sizes": ["N"], "problems": ["N=64"], "smallest": "N=1", "suite": ["N=2"],
  "buffers": [{{"name": "x", "type": "f32", "count": "N"}}, {{"name": "y", "type": "f32", "count": "N", "role": "output"}}],
  "reference": {{"expression": "x(i)"}},
  "variants": [
    {{"id": "a", "launches": [{{"entry": "f", "grid": ["1"], "block": ["32"], "args": ["x", "y"]}}]}},
    {{"id": "b", {}, "launches": [{{"entry": "g", "grid": ["N"], "block": ["32"], "args": ["x", "y"]}}]}}
  ]
}})_";
    return parseDescriptor(fmt::format(kText, fields), "k.json", DescriptorChecks::formulas);
}

TEST(OldNames, ReadAsTheirNewOnes)
{
    const Result<KernelFamily> family =
        parse(R"("mends": "a", "fix_title": "Do less", "planted": "atomics", "planted_when": "N > 1", "planted_why": "One address.")");
    ASSERT_TRUE(family) << family.error().message;
    const Variant& variant = family->variants.at(1);
    EXPECT_EQ(variant.fixes, "a");
    EXPECT_EQ(variant.expected, "atomics");
    EXPECT_EQ(variant.expectedWhen, "N > 1");
    EXPECT_EQ(variant.expectedWhy, "One address.");
}

TEST(OldNames, AreCheckedLikeTheNewOnes)
{
    const Result<KernelFamily> family = parse(R"("mends": "z")");
    ASSERT_FALSE(family);
    EXPECT_EQ(family.error().code, ErrorCode::badInput);
    EXPECT_NE(family.error().message.find("variants[1].fixes"), std::string::npos) << family.error().message;
}

TEST(OldNames, AreRejectedBesideTheNewOnes)
{
    const Result<KernelFamily> family = parse(R"("fixes": "a", "mends": "a")");
    ASSERT_FALSE(family);
    EXPECT_NE(family.error().message.find("variants[1].mends"), std::string::npos) << family.error().message;
}

} // namespace
} // namespace kl
