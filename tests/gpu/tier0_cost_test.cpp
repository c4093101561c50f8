// SPDX-License-Identifier: MIT
// What tier 0 costs beside the plain measurement, in one worker, each variant run and profiled in turn. The times are printed for
// tests/bench/tier0_cost.sh and never asserted on; what is asserted is that tier 0 is one pass and gives its metrics.

#include "tests/gpu/live_worker.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// Rounds of each variant: TIER0_ROUNDS, else three.
int rounds()
{
    const char* requested = std::getenv("TIER0_ROUNDS");
    return requested ? std::max(1, std::atoi(requested)) : 3;
}

double middle(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Collector* worker()
{
    static const std::unique_ptr<Collector> one = test::freshWorker();
    return one.get();
}

std::vector<std::string> variants()
{
    std::vector<std::string> names;
    if (const Result<Catalog> catalog = Catalog::loadEmbedded())
        for (const Address& address : catalog->addresses())
            if ((*catalog->variant(address))->fault.empty()) // the others are refuted before anything is counted
                names.push_back(toText(address));
    return names;
}

/// "copy/by-row" as a test may be called: "copy_by_row".
std::string nameFor(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::ranges::replace_if(
        name, [](char c) { return c == '/' || c == '-'; }, '_');
    return name;
}

struct Costs {
    std::vector<double> run;
    std::vector<double> profiled;
    std::vector<double> counted; ///< from the plan to the answer
};

/// One round: the plain measurement, then tier 0. Nothing is added to `costs` where it is null.
void measure(const RunRequest& plain, Costs* costs)
{
    ProfileRequest tier0;
    tier0.run = plain;
    tier0.tier = 0;
    const Result<RunAnswer> alone = kl::run(*worker(), plain);
    ASSERT_TRUE(alone) << alone.error().message;
    std::chrono::steady_clock::time_point planned;
    const Job job{[&](const Progress& progress) {
                      if (progress.step.starts_with("counters"))
                          planned = std::chrono::steady_clock::now();
                  },
                  {}};
    const Result<RunAnswer> withMetrics = profile(*worker(), tier0, job);
    const auto answered = std::chrono::steady_clock::now();
    ASSERT_TRUE(withMetrics) << withMetrics.error().message;
    ASSERT_TRUE(withMetrics->metrics) << withMetrics->reason << ' '
                                      << (withMetrics->warnings.empty() ? "" : withMetrics->warnings.back().text);
    EXPECT_EQ(withMetrics->metrics->plan.ran, 1);
    EXPECT_GE(withMetrics->metrics->values.size(), 10U);
    ASSERT_TRUE(alone->workerSeconds && withMetrics->workerSeconds);
    if (!costs)
        return;
    costs->run.push_back(*alone->workerSeconds);
    costs->profiled.push_back(*withMetrics->workerSeconds);
    costs->counted.push_back(std::chrono::duration<double>(answered - planned).count());
}

class Tier0Cost : public testing::TestWithParam<std::string> {};

TEST_P(Tier0Cost, IsOnePassBesideThePlainMeasurement)
{
    if (worker() == nullptr || worker()->hello().unavailable)
        GTEST_SKIP() << "no GPU: " << (worker() ? *worker()->hello().unavailable : std::string("the worker did not start"));
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog) << catalog.error().message;
    const Result<WorkSpec> work = catalog->work(*parseAddress(GetParam()), {});
    ASSERT_TRUE(work) << work.error().message;
    RunRequest plain;
    plain.work = *work;
    plain.withBaseline = false; // the stricter question: a baseline costs both sides the same
    measure(plain, nullptr);    // compiles
    Costs costs;
    for (int round = 0; round < rounds() && !HasFatalFailure(); ++round)
        measure(plain, &costs);
    if (HasFatalFailure())
        return;
    std::printf("%-28s %-28s %10.3f %10.3f %12.3f %6.2fx\n", GetParam().c_str(), work->problem.c_str(), middle(costs.run),
                middle(costs.profiled), middle(costs.counted), middle(costs.profiled) / middle(costs.run));
    std::fflush(stdout);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Tier0Cost, testing::ValuesIn(variants()), nameFor);

} // namespace
} // namespace kl
