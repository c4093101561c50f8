// SPDX-License-Identifier: MIT
// Long texts of requests: taken apart, kept by hash, put back, and never trusted without it.
#include "core/base/scratch_folder.h"
#include "fake_ssh.h"
#include "profiler/client/contents.h"
#include "profiler/client/wire.h"
#include "profiler/device/open_device.h"
#include "profiler/remote/content_cache.h"
#include "tests/support/build_folder.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

namespace kl {
namespace {

namespace fs = std::filesystem;

/// So long, and no part like another.
std::string longText(std::size_t size)
{
    std::string text;
    for (unsigned i = 1; text.size() < size; ++i)
        text += std::to_string(i * 2654435761U);
    return text.substr(0, size);
}

std::vector<fs::path> entriesIn(const fs::path& folder)
{
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".entry")
            all.push_back(entry.path());
    return all;
}

TEST(Contents, LongTextsComeBackAsTheyWere)
{
    const Json body{{"a", longText(kLongText)},
                    {"short", longText(kLongText - 1)},
                    {"list", {longText(2 * kMostPiece + 5), 7, nullptr, {{"deep", longText(kLongText)}}}}};
    ContentPieces pieces;
    const std::optional<Json> shorter = withoutContents(body, pieces);
    ASSERT_TRUE(shorter);
    EXPECT_EQ(pieces.size(), 4U) << "one of them is needed twice";
    EXPECT_LT(encode(*shorter).size(), 2 * kLongText);
    Json back = *shorter;
    EXPECT_TRUE(restoreContents(back, [&](const std::string& hash) { return std::optional(std::string(pieces.at(hash))); }));
    EXPECT_EQ(back, body);
    back = *shorter;
    EXPECT_TRUE(isContentGone(restoreContents(back, [](const std::string&) { return std::optional<std::string>(); }).error()));
    EXPECT_FALSE(withoutContents({{"a", "short"}}, pieces));
}

TEST(Contents, APlaceThatNamesNoHashAsksForNothing)
{
    for (const char* text : {R"({"$content":["../../etc/passwd"]})", R"({"$content":[7]})", R"({"$content":["ABCDEF"]})"}) {
        Json body = Json::parse(text);
        const Status restored = restoreContents(body, [](const std::string& hash) {
            ADD_FAILURE() << hash;
            return std::optional<std::string>("");
        });
        EXPECT_TRUE(isContentGone(restored.error())) << text;
    }
}

TEST(Contents, OnlyAnObjectOfOnePlaceStandsForAText)
{
    for (const char* text :
         {R"({"$content":["x"],"other":1})", R"({"$content":"x"})", R"({"content":["x"]})", R"(["$content"])", R"("$content")"}) {
        Json body = Json::parse(text);
        EXPECT_TRUE(restoreContents(body, [](const std::string&) { return std::optional<std::string>("y"); })) << text;
        EXPECT_EQ(body, Json::parse(text));
    }
    Json none = Json::parse(R"({"deep":[{"$content":[]}]})");
    EXPECT_TRUE(restoreContents(none, [](const std::string&) { return std::optional<std::string>("y"); }));
    EXPECT_EQ(none, Json::parse(R"({"deep":[""]})"));
}

TEST(Contents, AHashIs64SmallHexadecimalDigits)
{
    const std::string hash = hashContent("abc");
    EXPECT_EQ(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_TRUE(isContentHash(hash));
    EXPECT_FALSE(isContentHash(hash.substr(1)));
    EXPECT_FALSE(isContentHash(hash + '0'));
    EXPECT_FALSE(isContentHash("BA" + hash.substr(2)));
    EXPECT_FALSE(isContentHash("g" + hash.substr(1)));
    EXPECT_FALSE(isContentHash(""));
}

TEST(Contents, AMissingPieceIsNoOtherError)
{
    const Error gone = makeContentGoneError("hash");
    EXPECT_EQ(gone.detail, "hash");
    EXPECT_TRUE(isContentGone(gone));
    Error other = gone;
    other.code = ErrorCode::badInput;
    EXPECT_FALSE(isContentGone(other));
    other = gone;
    other.where = "elsewhere";
    EXPECT_FALSE(isContentGone(other));
}

TEST(Contents, APieceIsUnpackedOnlyWhole)
{
    const std::string piece = longText(100'000), packed = packPiece(piece), hash = hashContent(piece);
    EXPECT_LT(packed.size(), piece.size());
    EXPECT_EQ(unpackPiece(packed, hash), piece);
    EXPECT_FALSE(unpackPiece(packed, hashContent("other")));
    EXPECT_FALSE(unpackPiece(packed.substr(0, packed.size() - 1), hash));
    EXPECT_FALSE(unpackPiece("", hash));
    EXPECT_EQ(unpackPiece(packPiece(""), hashContent("")), "");
    const std::string most(kMostPiece, 'x'), more(kMostPiece + 1, 'x');
    EXPECT_TRUE(unpackPiece(packPiece(most), hashContent(most)));
    EXPECT_FALSE(unpackPiece(packPiece(more), hashContent(more)));
}

TEST(Contents, OnlyWhatHasTheHashIsKeptAndGivenOut)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    const ContentCache cache(FileCache(folder->path(), 1 << 30));
    const std::string piece = longText(100000), hash = hashContent(piece);
    EXPECT_FALSE(cache.find(hash));
    ASSERT_TRUE(cache.keep(hash, packPiece(piece)));
    EXPECT_EQ(cache.find(hash), piece);
    EXPECT_EQ(cache.keep(hash, packPiece("another")).error().code, ErrorCode::badInput);
    EXPECT_EQ(cache.keep(hash, "not zstd").error().code, ErrorCode::badInput);
    EXPECT_EQ(cache.keep("../x", packPiece(piece)).error().code, ErrorCode::badInput);
    EXPECT_EQ(cache.find(hash), piece);
    // An entry that is whole but of another piece, as somebody else could put there.
    ASSERT_TRUE(FileCache(folder->path(), 1 << 30).put(hash, packPiece("another")));
    EXPECT_FALSE(cache.find(hash));
    EXPECT_FALSE(unpackPiece(packPiece(longText(kMostPiece + 1)), hashContent(longText(kMostPiece + 1)))) << "larger than any piece";
}

TEST(Contents, TheOldestMakeRoom)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    const ContentCache cache(FileCache(folder->path(), 600'000));
    std::vector<std::string> hashes;
    for (std::size_t i = 0; i < 80; ++i) { // it looks at its size once in a while
        const std::string piece = longText(100000 + i);
        hashes.push_back(hashContent(piece));
        ASSERT_TRUE(cache.keep(hashes.back(), packPiece(piece)));
        for (const fs::path& entry : entriesIn(folder->path()))
            fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::minutes(1));
    }
    EXPECT_FALSE(cache.find(hashes.front()));
    EXPECT_TRUE(cache.find(hashes.back()));
    EXPECT_LT(entriesIn(folder->path()).size(), 60U);
}

TEST(Contents, TheEnvironmentSaysHowManyMegabytesAreKept)
{
    const auto countKept = [](const char* megabytes) {
        const Result<ScratchFolder> folder = ScratchFolder::make();
        const support::SetVariable cache("XDG_CACHE_HOME", folder->path().c_str());
        const support::SetVariable limit("KERNELLOOP_CONTENTS_MB", megabytes);
        const ContentCache contents;
        std::mt19937_64 random(7);
        for (int i = 0; i < 130 + 64; ++i) { // with the small ones it looks at its size once more
            std::string piece;
            while (piece.size() < (i < 130 ? 20'000 : 8)) {
                const std::uint64_t number = random();
                piece.append(reinterpret_cast<const char*>(&number), sizeof number);
            }
            EXPECT_TRUE(contents.keep(hashContent(piece), packPiece(piece)));
        }
        const std::vector<fs::path> all = entriesIn(folder->path() / "kernelloop/contents");
        return std::ranges::count_if(all, [](const fs::path& file) { return fs::file_size(file) > 10'000; });
    };
    const auto few = countKept("1"); // of 20 kB each
    EXPECT_GT(few, 20);
    EXPECT_LE(few, 50);
    EXPECT_EQ(countKept("0"), 0);
    EXPECT_EQ(countKept(nullptr), 130);
    EXPECT_EQ(countKept("many"), 130) << "as without it";
}

TEST(Contents, AWorkerElsewhereIsSentThemOnce)
{
    if (!fs::exists(test::kBuiltWorker))
        GTEST_SKIP() << "kloop-worker is not built";
    const test::FakeSsh ssh;
    ssh.installWorker("case \" $* \" in *' --attach '*|*' --supervise '*) KERNELLOOP_WORKER=$0 exec '" + test::kBuiltWorker +
                      "' \"$@\" ;; esac\ntee -a \"$HOME/requests\" | '" + test::kBuiltWorker +
                      "' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"");
    WorkerOptions options;
    options.program = test::kBuiltWorker;
    const Json body{{"work", {{"kernel", "no/kernel"}, {"source", longText(300000)}}}};
    const auto requestBytes = [&] { return fs::file_size(ssh.home() / "requests"); };
    const auto ask = [&] {
        const auto opened = openDevice(*parseDeviceSpec("ssh:farm"), options);
        ASSERT_TRUE(opened) << opened.error().message << opened.error().detail;
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ((*opened)->ask(Verb::run, body, {}).error().code, ErrorCode::notRecorded);
    };
    ask();
    const auto first = requestBytes();
    EXPECT_GT(first, 50000U);
    ask();
    EXPECT_LT(requestBytes() - first, 5000U);
    const std::vector<fs::path> kept = entriesIn(ssh.home() / ".cache/kernelloop/contents");
    ASSERT_EQ(kept.size(), 1U);
    std::ofstream(kept.front(), std::ios::binary) << "damaged";
    const auto second = requestBytes();
    ask();
    EXPECT_GT(requestBytes() - second, 50000U) << "it is sent again";
    fs::remove_all(ssh.home() / ".cache/kernelloop/contents");
    std::ofstream(ssh.home() / ".cache/kernelloop/contents") << "in the way";
    ask(); // it cannot keep them, and is sent the whole request
}

} // namespace
} // namespace kl
