// SPDX-License-Identifier: MIT
#include "core/base/read_file.h"

#include "core/base/scratch_folder.h"
#include "core/base/write_file.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

ErrorCode getErrorCode(const Result<std::string>& read)
{
    return read ? ErrorCode::internal : read.error().code;
}

TEST(ReadFile, GivesEveryByteUpToTheLimit)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::filesystem::path file = scratch->path() / "file";
    std::string bytes(200'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i);
    ASSERT_TRUE(writeFile(file, bytes).ok());
    EXPECT_EQ(*readFile(file), bytes);
    EXPECT_EQ(*readFile(file, 200'000), bytes);
    const Result<std::string> larger = readFile(file, 199'999);
    EXPECT_EQ(getErrorCode(larger), ErrorCode::badInput);
    EXPECT_EQ(larger.error().where, file.string());
    ASSERT_TRUE(writeFile(file, "").ok());
    EXPECT_EQ(*readFile(file), "");
}

TEST(ReadFile, WhatIsNoPlainFileIsReportedWithItsName)
{
    for (const char* file : {"/", "/dev/null", "/nowhere/at/all", "/proc/self/mem"}) {
        const Result<std::string> read = readFile(file);
        EXPECT_EQ(getErrorCode(read), ErrorCode::badInput) << file;
        EXPECT_EQ(read.error().where, file);
    }
}

TEST(ReadFile, AFileWithoutASizeIsReadToItsEndOrTheLimit)
{
    const Result<std::string> read = readFile("/proc/self/status");
    ASSERT_TRUE(read);
    EXPECT_NE(read->find("VmRSS"), std::string::npos);
    EXPECT_EQ(getErrorCode(readFile("/proc/self/status", 10)), ErrorCode::badInput);
}

TEST(ReadFile, EachRefusalHasItsOwnAdvice)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::filesystem::path file = scratch->path() / "file";
    ASSERT_TRUE(writeFile(file, std::string(321, 'x')).ok());
    const Error large = readFile(file, 123).error();
    EXPECT_NE(large.message.find("321"), std::string::npos) << large.message;
    EXPECT_NE(large.message.find("123"), std::string::npos) << large.message;
    const Error missing = readFile(scratch->path() / "none").error();
    const Error folder = readFile(scratch->path()).error();
    EXPECT_FALSE(large.hint.empty() || missing.hint.empty() || folder.hint.empty());
    EXPECT_NE(large.hint, missing.hint);
    EXPECT_NE(missing.hint, folder.hint);
    EXPECT_NE(large.hint, folder.hint);
    EXPECT_EQ(folder.where, scratch->path().string());
}

} // namespace
} // namespace kl
