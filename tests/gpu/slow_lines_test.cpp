// SPDX-License-Identifier: MIT
// Kernels with one slow line each: the source view names it.

#include "core/base/ids.h"
#include "core/model/source_lines.h"
#include "kernels/descriptor_parser.h"
#include "kernels/work_builder.h"
#include "profiler/client/worker_client.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace kl {
namespace {

std::filesystem::path folder()
{
    const std::filesystem::path relative = "tests/data/slow_lines";
    const std::filesystem::path built = std::filesystem::path(KL_SOURCE_DIR) / relative;
    return std::filesystem::exists(built) ? built : relative; // the program may have been carried to another machine
}

std::string readText(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// 1-based line that carries the mark.
int slowLine(const std::string& source)
{
    const auto at = source.find("// SLOW");
    return at == std::string::npos ? 0 : 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<long>(at), '\n'));
}

TEST(SlowLines, TheSlowLineIsNamed)
{
    const char* other = std::getenv("KERNELLOOP_WORKER");
    const auto worker =
        startWorker({other ? std::filesystem::path(other) : std::filesystem::path(test::buildFolder()) / "bin/kloop-worker"});
    if (!worker || (*worker)->hello().unavailable)
        GTEST_SKIP() << "no GPU: " << (worker ? *(*worker)->hello().unavailable : worker.error().message);
    Result<KernelFamily> family = parseDescriptor(readText(folder() / "slow_lines.json"), "slow_lines.json");
    ASSERT_TRUE(family) << family.error().message;
    for (const Variant& variant : family->variants) {
        Result<WorkSpec> work = buildWork(*family, variant, {}, {});
        ASSERT_TRUE(work) << work.error().message;
        work->source = readText(folder() / variant.sourcePath);
        work->sourceHash = contentHash(work->source);
        ProfileRequest request;
        request.run.work = *work;
        request.tier = 0;
        request.source = true;
        const Result<RunAnswer> answer = profile(**worker, request);
        ASSERT_TRUE(answer) << variant.id << ": " << answer.error().message;
        ASSERT_EQ(answer->status, ResultStatus::ok) << variant.id << ": " << answer->reason;
        ASSERT_TRUE(answer->sourceProfile) << variant.id;
        const SourceProfile& source = *answer->sourceProfile;
        EXPECT_TRUE(source.countsUnavailable.empty()) << variant.id << ": " << source.countsUnavailable;
        EXPECT_TRUE(source.unavailable.empty()) << variant.id << ": " << source.unavailable;
        if (source.samples == 0)
            continue;
        const SourceLine& hottest = source.lines.front();
        const LinePlace named = findCause(hottest);
        const int slow = slowLine(work->source);
        std::printf(
            "%-16s slow %2d named %2d hottest %2d share %5.1f %% %-20s samples %6lld of %zu instructions, %d cycles, dropped %lld\n",
            variant.id.c_str(), slow, named.line, hottest.line, hottest.share * 100, dominantStall(hottest.stalls).c_str(),
            static_cast<long long>(source.samples), source.instructions.size(), source.periodCycles,
            static_cast<long long>(source.dropped));
        EXPECT_EQ(named.line, slow) << variant.id << " " << source.instructions.front().function;
        EXPECT_EQ(named.file, kSourceFile) << variant.id;
        EXPECT_TRUE(hottest.executed && *hottest.executed > 0) << variant.id;
    }
}

} // namespace
} // namespace kl
