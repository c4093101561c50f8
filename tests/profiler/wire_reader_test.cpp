// SPDX-License-Identifier: MIT
#include "profiler/import/wire_reader.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using Type = WireField::Type;
using namespace std::string_view_literals;

std::vector<WireField> readFields(std::string_view message)
{
    std::vector<WireField> fields;
    WireReader reader(message);
    for (WireField field; reader.next(field);)
        fields.push_back(field);
    EXPECT_FALSE(reader.broken());
    return fields;
}

/// Fields before the place where it makes no sense; −1 where all of it does.
int soundBefore(std::string_view message)
{
    int fields = 0;
    WireReader reader(message);
    for (WireField field; reader.next(field);)
        ++fields;
    return reader.broken() ? fields : -1;
}

TEST(WireReader, ReadsEachTypeOfField)
{
    // As protoc --encode writes them: 1: 150, 2: "testing", 3: 1.5f, 4: -2.0, 16: 2^64 − 1.
    const std::vector<WireField> fields = readFields("\x08\x96\x01\x12\x07testing\x1d\x00\x00\xc0\x3f\x21\x00\x00\x00\x00\x00\x00\x00\xc0"
                                                     "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv);
    ASSERT_EQ(fields.size(), 5U);
    EXPECT_TRUE(fields[0].is(1, Type::varint));
    EXPECT_EQ(fields[0].value, 150U);
    EXPECT_TRUE(fields[1].is(2, Type::bytes));
    EXPECT_EQ(fields[1].bytes, "testing");
    EXPECT_TRUE(fields[2].is(3, Type::fixed32));
    EXPECT_EQ(fields[2].single(), 1.5F);
    EXPECT_TRUE(fields[3].is(4, Type::fixed64));
    EXPECT_EQ(fields[3].real(), -2.0);
    EXPECT_TRUE(fields[4].is(16, Type::varint));
    EXPECT_EQ(fields[4].value, UINT64_MAX);
}

TEST(WireReader, AnEmptyMessageHasNoFields)
{
    EXPECT_TRUE(readFields({}).empty());
    EXPECT_EQ(readFields("\x0a\x00"sv).at(0).bytes, "");
}

TEST(WireReader, EndsWhereItMakesNoSense)
{
    EXPECT_EQ(soundBefore("\x08\x01\x08"sv), 1) << "a number that is cut off";
    EXPECT_EQ(soundBefore("\x08\x01\x12\x05test"sv), 1) << "a text that is cut off";
    EXPECT_EQ(soundBefore("\x21\x00\x00\x00"sv), 0) << "a double that is cut off";
    EXPECT_EQ(soundBefore("\x1d\x00"sv), 0) << "a float that is cut off";
    EXPECT_EQ(soundBefore("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv), 0) << "a number of eleven bytes";
    EXPECT_EQ(soundBefore("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"sv), 0) << "a text of 2^64 − 1 bytes";
    EXPECT_EQ(soundBefore("\x00\x01"sv), 0) << "field number 0";
    EXPECT_EQ(soundBefore("\x0b\x0c"sv), 0) << "a group";
    EXPECT_EQ(soundBefore("\x0e\x00"sv), 0) << "a type that is none";
    EXPECT_EQ(soundBefore("\x08\x01"sv), -1);
}

TEST(WireReader, OfEachFieldOnlyItsOwnValueIsThere)
{
    const std::vector<WireField> fields = readFields("\x08\x07\x12\x02hi\x18\x09\x25\x00\x00\x80\x3f"sv);
    ASSERT_EQ(fields.size(), 4U);
    EXPECT_EQ(fields[1].value, 0U) << "not that of the number before";
    EXPECT_EQ(fields[2].value, 9U);
    EXPECT_EQ(fields[2].bytes, "") << "not those of the text before";
    EXPECT_EQ(fields[3].single(), 1.0F);
    EXPECT_FALSE(fields[3].is(4, Type::fixed64));
    EXPECT_FALSE(fields[3].is(5, Type::fixed32));
}

TEST(WireReader, TheLargestFieldNumberIsReadAndNoLargerOne)
{
    const std::vector<WireField> fields = readFields("\xf8\xff\xff\xff\x0f\x05"sv);
    ASSERT_EQ(fields.size(), 1U);
    EXPECT_EQ(fields[0].number, (1U << 29) - 1);
    EXPECT_EQ(fields[0].value, 5U);
    EXPECT_EQ(soundBefore("\x08\x01\x80\x80\x80\x80\x10\x05"sv), 1) << "a tag of 33 bits";
    WireReader reader("\x00\x01\x08\x01"sv);
    WireField field;
    EXPECT_FALSE(reader.next(field));
    EXPECT_FALSE(reader.next(field)) << "nothing behind damage is read";
    EXPECT_TRUE(reader.broken());
}

} // namespace
} // namespace kl::test
