// SPDX-License-Identifier: MIT
// Every variant of the catalog that is incorrect on purpose is found to be, and what fixes it is correct on the whole suite.

#include "kernels/work_builder.h"
#include "live_worker.h"

#include <algorithm>

namespace kl {
namespace {

using Faults = test::LiveWorker;

/// Reads past the end of its inputs, where the worker's guard bands read as a tiny number: its results are correct, and memcheck finds it.
constexpr const char* kByChance = "matvec/missing-bounds";

TEST_F(Faults, AreFoundByTheSuiteAndGoneInWhatFixesThem)
{
    const auto passesOn = [this](const Address& address) {
        const KernelFamily* family = *catalog->family(address.family);
        RunRequest request = requestFor(*catalog->work(address, family->smallest));
        for (const Params& size : family->suite)
            request.suite.push_back(*catalog->work(address, size));
        const Result<RunAnswer> answer = run(*worker(), request);
        EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
        return answer && answer->correctness.suite.size() == family->suite.size() &&
               std::ranges::all_of(answer->correctness.suite, &SuiteRow::pass);
    };
    int faults = 0;
    for (const Address& address : catalog->addresses()) {
        if ((*catalog->variant(address))->fault.empty())
            continue;
        ++faults;
        if (toText(address) != kByChance) {
            EXPECT_FALSE(passesOn(address)) << toText(address);
        }
        for (const Address& fix : catalog->fixesFor(address))
            EXPECT_TRUE(passesOn(fix)) << toText(fix);
    }
    EXPECT_GT(faults, 0);
}

} // namespace
} // namespace kl
