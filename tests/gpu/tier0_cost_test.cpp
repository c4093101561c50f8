// SPDX-License-Identifier: MIT
// What tier 0 costs beside the plain measurement, in one worker, each variant run and profiled in turn. The times are printed for
// tests/bench/tier0_cost.sh and never asserted on; what is asserted is that tier 0 is one pass and gives its metrics.

#include "kernels/catalogue.h"
#include "profiler/client/worker_client.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr int kRounds = 3;

double middle(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

TEST(Tier0Cost, OfEveryVariantIsOnePassBesideThePlainMeasurement)
{
    const char* other = std::getenv("KERNELLOOP_WORKER");
    const Result<std::unique_ptr<Collector>> worker =
        startWorker({other ? std::filesystem::path(other) : std::filesystem::path(KL_BINARY_DIR) / "bin/kloop-worker"});
    if (!worker || (*worker)->hello().unavailable)
        GTEST_SKIP() << "no GPU: " << (worker ? *(*worker)->hello().unavailable : worker.error().message);
    const Result<Catalogue> catalogue = Catalogue::embedded();
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    std::printf("%-28s %-28s %10s %10s %12s %7s\n", "variant", "problem", "run s", "tier 0 s", "counting s", "ratio");
    for (const Address& address : catalogue->addresses()) {
        const Result<WorkSpec> work = catalogue->work(address, {});
        ASSERT_TRUE(work) << work.error().message;
        RunRequest plain;
        plain.work = *work;
        plain.withBaseline = false; // the stricter question: a baseline costs both sides the same
        ProfileRequest tier0;
        tier0.run = plain;
        tier0.tier = 0;
        std::vector<double> run;
        std::vector<double> profiled;
        std::vector<double> counted;                     // from the plan to the answer
        for (int round = -1; round < kRounds; ++round) { // the first compiles
            const Result<RunAnswer> alone = kl::run(**worker, plain);
            ASSERT_TRUE(alone) << alone.error().message;
            std::chrono::steady_clock::time_point planned;
            const Job job{[&](const Progress& progress) {
                              if (progress.step.starts_with("counters"))
                                  planned = std::chrono::steady_clock::now();
                          },
                          {}};
            const Result<RunAnswer> withMetrics = profile(**worker, tier0, job);
            const auto answered = std::chrono::steady_clock::now();
            ASSERT_TRUE(withMetrics) << withMetrics.error().message;
            ASSERT_TRUE(withMetrics->metrics) << toText(address) << ": " << withMetrics->reason << ' '
                                              << (withMetrics->warnings.empty() ? "" : withMetrics->warnings.back().text);
            EXPECT_EQ(withMetrics->metrics->plan.ran, 1) << toText(address);
            EXPECT_GE(withMetrics->metrics->values.size(), 10U) << toText(address);
            ASSERT_TRUE(alone->workerSeconds && withMetrics->workerSeconds);
            if (round < 0)
                continue;
            run.push_back(*alone->workerSeconds);
            profiled.push_back(*withMetrics->workerSeconds);
            counted.push_back(std::chrono::duration<double>(answered - planned).count());
        }
        std::printf("%-28s %-28s %10.3f %10.3f %12.3f %6.2fx\n", toText(address).c_str(), work->problem.c_str(), middle(run),
                    middle(profiled), middle(counted), middle(profiled) / middle(run));
        std::fflush(stdout);
    }
}

} // namespace
} // namespace kl
