// SPDX-License-Identifier: MIT
// Where imported runs say that they come from.
#include "core/base/ids.h"
#include "kernels/catalog.h"
#include "sessions/import/import_runs.h"
#include "sessions/import/open_file.h"
#include "tests/support/real_reports.h"
#include "tests/support/store_support.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>

namespace kl::test {
namespace {

class ImportedOrigins : public testing::Test {
protected:
    Result<OpenedFile> opened(const std::string& data, const std::string& as)
    {
        support::writeBytes(folder / as, ncuData(data));
        std::filesystem::last_write_time(folder / as, std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
                                                          std::chrono::sys_days(std::chrono::year(2020) / 2 / 3))));
        return openFile((folder / as).string(), tree, catalog, [this] { ++sound; });
    }
    Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& by, const Catalog& of, const std::function<void()>& whenSound)
    {
        return kl::openFile(
            path, by, [&of] { return Result<const Catalog*>(&of); }, whenSound);
    }

    support::TempDir folder;
    DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
    Catalog catalog = *Catalog::loadEmbedded();
    int sound = 0;
};

TEST_F(ImportedOrigins, RunsWithoutATimeHaveThatOfTheirFile)
{
    const Result<OpenedFile> file = opened("three_kernels_raw.csv", "page.csv");
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_EQ(file->runs.size(), 3U);
    for (const RunRecord& run : file->runs) {
        EXPECT_EQ(run.startedAt.substr(0, 10), "2020-02-03");
        EXPECT_EQ(run.imported->file, "page.csv") << "without its folder";
        EXPECT_EQ(run.imported->fileHash, contentHash(ncuData("three_kernels_raw.csv")));
        EXPECT_TRUE(run.diagnosis);
    }
    EXPECT_TRUE(file->foreign);
    EXPECT_EQ(sound, 1) << "once it was read";
}

TEST_F(ImportedOrigins, AReportsOwnTimeComesBeforeThatOfItsFile)
{
    const Result<OpenedFile> file = opened("three_kernels.ncu-rep", "r.ncu-rep");
    ASSERT_TRUE(file) << file.error().message;
    for (const RunRecord& run : file->runs)
        EXPECT_NE(run.startedAt.substr(0, 10), "2020-02-03");
    const std::string id = file->runs.front().id.text;
    const Result<OpenedFile> renamed = opened("three_kernels.ncu-rep", "other.ncu-rep");
    ASSERT_TRUE(renamed);
    EXPECT_EQ(renamed->runs.front().id.text, id) << "the same bytes are the same runs";
    EXPECT_EQ(renamed->runs.front().imported->file, "other.ncu-rep");
}

TEST_F(ImportedOrigins, WhatIsDamagedIsNotSound)
{
    support::writeBytes(folder / "cut.ncu-rep", ncuData("three_kernels.ncu-rep").substr(0, 200));
    EXPECT_FALSE(openFile((folder / "cut.ncu-rep").string(), tree, catalog, [this] { ++sound; }));
    EXPECT_EQ(sound, 0);
}

TEST(ImportedInShort, NamesTheKernelTheClassAndTheTime)
{
    RunRecord run = support::profiledRun("r", "tiled", "2026-01-01T00:00:00.000Z", 500);
    ImportedRun row = inShort(run, true);
    EXPECT_EQ(row.id.text, "r");
    EXPECT_EQ(row.kernel, "transpose/tiled");
    EXPECT_EQ(row.problem, "M=64,N=64");
    EXPECT_EQ(row.classId, "uncoalesced");
    EXPECT_EQ(row.gpuNs, 500);
    EXPECT_TRUE(row.fresh);
    run.imported.emplace();
    EXPECT_EQ(inShort(run, false).kernel, "transpose/tiled") << "the file names none";
    run.imported->kernel = "scale(float*)";
    run.diagnosis.reset();
    run.timing.reset();
    row = inShort(run, false);
    EXPECT_EQ(row.kernel, "scale(float*)");
    EXPECT_EQ(row.classId, "");
    EXPECT_FALSE(row.gpuNs);
    EXPECT_FALSE(row.fresh);
}

} // namespace
} // namespace kl::test
