// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

const std::string kGood = R"({"id":"k","title":"K","source":"k.cu","sizes":["N"],"problems":["N=64"],"smallest":"N=1","suite":["N=2"],
  "variants":[{"id":"a","launches":[{"entry":"f","grid":["1"],"block":["32"]}]},
              {"id":"b","mends":"a","launches":[{"entry":"g","grid":["1"],"block":["32"]}]}]})";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(DescriptorParser, ReadsAWholeFamily)
{
    const Result<KernelFamily> family = parseDescriptor(kGood, "k.json");
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->variants.size(), 2U);
    EXPECT_EQ(toText(family->smallest), "N=1");
    EXPECT_EQ(family->variants[1].mends, "a");
}

TEST(DescriptorParser, MisspeltFieldIsNamedWithItsPath)
{
    const Result<KernelFamily> family = parseDescriptor(replaced(kGood, "\"entry\":\"f\"", "\"entyr\":\"f\""), "k.json");
    ASSERT_FALSE(family);
    EXPECT_NE(family.error().message.find("variants[0].launches[0].entyr"), std::string::npos) << family.error().message;
    EXPECT_EQ(family.error().where, "k.json");
}

TEST(DescriptorParser, WrongTypeIsNamedWithItsPath)
{
    const Result<KernelFamily> family = parseDescriptor(replaced(kGood, "\"sizes\":[\"N\"]", "\"sizes\":\"N\""), "k.json");
    ASSERT_FALSE(family);
    EXPECT_NE(family.error().message.find("\"sizes\" should be a list"), std::string::npos) << family.error().message;
}

TEST(DescriptorParser, MendingAnUnknownVariantIsRefused)
{
    EXPECT_FALSE(parseDescriptor(replaced(kGood, "\"mends\":\"a\"", "\"mends\":\"z\""), "k.json"));
}

TEST(DescriptorParser, ProblemMustNameEverySize)
{
    EXPECT_FALSE(parseDescriptor(replaced(kGood, "\"suite\":[\"N=2\"]", "\"suite\":[\"M=2\"]"), "k.json"));
}

TEST(DescriptorParser, DuplicateVariantIsRefused)
{
    EXPECT_FALSE(parseDescriptor(replaced(replaced(kGood, "\"id\":\"b\"", "\"id\":\"a\""), ",\"mends\":\"a\"", ""), "k.json"));
}

TEST(DescriptorParser, BrokenJsonNamesTheFile)
{
    const Result<KernelFamily> family = parseDescriptor("{", "k.json");
    ASSERT_FALSE(family);
    EXPECT_EQ(family.error().where, "k.json");
}

} // namespace
} // namespace kl
