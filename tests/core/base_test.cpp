// SPDX-License-Identifier: MIT
#include "core/base/host_name.h"
#include "core/base/ids.h"
#include "core/base/resource.h"
#include "core/base/result.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <sys/utsname.h>
#include <tuple>
#include <vector>

namespace kl {
namespace {

TEST(Ids, NewUuidsAreVersion7UniqueAndInOrder)
{
    static const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    std::vector<std::string> ids;
    for (int i = 0; i < 5000; ++i)
        ids.push_back(newUuid());
    EXPECT_TRUE(std::all_of(ids.begin(), ids.end(), [](const std::string& id) { return std::regex_match(id, form); }));
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Ids, UuidOfANameIsStableVersion5)
{
    // python3: uuid.uuid5(uuid.UUID("6b1f7c0e-4d0a-5c39-9a55-6b65726e656c"), "a"). Databases hold such ids.
    EXPECT_EQ(makeUuidFromName("a"), "48c2ed66-ad63-5a5e-807d-751901dc68d1");
    EXPECT_NE(makeUuidFromName("a"), makeUuidFromName("b"));
}

TEST(Ids, ContentHashIsSha1)
{
    EXPECT_EQ(contentHash("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d"); // FIPS 180 example
    EXPECT_EQ(contentHash(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    const std::map<std::size_t, std::string> bySize{
        // python3: hashlib.sha1(b"a" * size); where the length still fits a block, and where not
        {55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
        {56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
        {64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
        {1000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"}};
    for (const auto& [size, hash] : bySize)
        EXPECT_EQ(contentHash(std::string(size, 'a')), hash) << size;
}

TEST(Errors, ExitCodesAreThoseOfTheCommandLineContract)
{
    EXPECT_EQ(exitCode(ErrorCode::refused), 1);
    EXPECT_EQ(exitCode(ErrorCode::usage), 2);
    EXPECT_EQ(exitCode(ErrorCode::inconclusive), 3);
    EXPECT_EQ(exitCode(ErrorCode::notComparable), 3);
    EXPECT_EQ(exitCode(ErrorCode::badInput), 4);
    EXPECT_EQ(exitCode(ErrorCode::environment), 5);
    EXPECT_EQ(exitCode(ErrorCode::internal), 6);
    EXPECT_EQ(exitCode(ErrorCode::interrupted), 130);
}

TEST(Errors, WordsRoundTrip)
{
    for (const ErrorCode code : {ErrorCode::usage, ErrorCode::notFound, ErrorCode::changedElsewhere, ErrorCode::notRecorded})
        EXPECT_EQ(errorCodeFrom(toString(code)), code);
    EXPECT_EQ(errorCodeFrom("never heard of"), ErrorCode::internal);
}

TEST(Result, HoldsAMoveOnlyValueOrAnError)
{
    Result<std::unique_ptr<int>> good = std::make_unique<int>(3);
    ASSERT_TRUE(good);
    const std::unique_ptr<int> taken = *std::move(good);
    EXPECT_EQ(*taken, 3);
    const Result<int> bad = Error{.code = ErrorCode::badInput, .message = "no"};
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().message, "no");
}

TEST(Resources, EmbeddedTextsAreFoundByPath)
{
    const Result<std::string_view> source = resource("kernels/families/copy/copy.cu");
    ASSERT_TRUE(source);
    EXPECT_NE(source->find("copy_strided"), std::string_view::npos);
    EXPECT_EQ(source->find('\0'), std::string_view::npos);
    EXPECT_EQ(resource("kernels/families/none.cu").error().code, ErrorCode::notFound);
    EXPECT_FALSE(resourcesUnder("kernels/families/").empty());
}

TEST(Errors, EveryCodeHasItsWordAndExitStatus)
{
    using enum ErrorCode;
    const std::vector<std::tuple<ErrorCode, std::string, int>> rows{
        {usage, "usage", 2},
        {badInput, "bad-input", 4},
        {notFound, "not-found", 4},
        {refused, "refused", 1},
        {needsConsent, "needs-consent", 1},
        {changedElsewhere, "changed-elsewhere", 1},
        {inconclusive, "inconclusive", 3},
        {notComparable, "not-comparable", 3},
        {environment, "environment", 5},
        {notRecorded, "not-recorded", 4},
        {kernelFailed, "kernel-failed", 1},
        {interrupted, "interrupted", 130},
        {internal, "internal", 6},
    };
    for (const auto& [code, word, status] : rows) {
        EXPECT_EQ(toString(code), word);
        EXPECT_EQ(errorCodeFrom(word), code) << word;
        EXPECT_EQ(exitCode(code), status) << word;
    }
}

TEST(Resources, AFolderListsItsFilesAndNoOthers)
{
    const std::vector<std::string> files = resourcesUnder("kernels/families/copy/");
    EXPECT_NE(std::ranges::find(files, "kernels/families/copy/copy.cu"), files.end());
    EXPECT_TRUE(std::ranges::all_of(files, [](const std::string& file) { return file.starts_with("kernels/families/copy/"); }));
    EXPECT_TRUE(resourcesUnder("no/such/folder/").empty());
    EXPECT_EQ(resource("no/such/file").error().where, "no/such/file");
}

TEST(Ids, ANewUuidBeginsWithItsTimeInMilliseconds)
{
    const auto now = [] {
        using namespace std::chrono;
        return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    };
    const std::int64_t before = now();
    const std::string id = newUuid();
    const std::int64_t time = std::stoll(id.substr(0, 8) + id.substr(9, 4), nullptr, 16);
    EXPECT_GE(time, before);
    EXPECT_LE(time, now() + 60'000) << "ids of one millisecond may be a little ahead";
}

TEST(HostName, IsThatOfTheSystem)
{
    utsname system{};
    ASSERT_EQ(::uname(&system), 0);
    EXPECT_EQ(hostName(), system.nodename);
}

} // namespace
} // namespace kl
