// SPDX-License-Identifier: MIT
#include "core/codec/json_read.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

TEST(JsonRead, GivesWhatIsThereAndOfItsType)
{
    const Json object{{"text", "a"}, {"number", 1.5}, {"truth", true}, {"lie", false}, {"none", nullptr}};
    EXPECT_EQ(textAt(object, "text"), "a");
    EXPECT_EQ(numberAt(object, "number"), 1.5);
    EXPECT_TRUE(truthAt(object, "truth"));
    for (const char* field : {"number", "truth", "none", "missing"})
        EXPECT_EQ(textAt(object, field), "") << field;
    for (const char* field : {"text", "truth", "none", "missing"})
        EXPECT_FALSE(numberAt(object, field)) << field;
    for (const char* field : {"text", "number", "lie", "none", "missing"})
        EXPECT_FALSE(truthAt(object, field)) << field;
}

TEST(JsonRead, FindsNothingInWhatIsNoObject)
{
    for (const Json& other : {Json(), Json(3), Json("text"), Json::array({"text"})}) {
        EXPECT_EQ(textAt(other, "text"), "");
        EXPECT_FALSE(numberAt(other, "text"));
        EXPECT_FALSE(truthAt(other, "text"));
    }
}

} // namespace
} // namespace kl
