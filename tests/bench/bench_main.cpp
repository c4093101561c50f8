// SPDX-License-Identifier: MIT
#include "bench.h"
#include "synthetic.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace kl::bench {
namespace {

/// Google Benchmark's own report, kept as well, for the table of claims.
class Reporter : public benchmark::ConsoleReporter {
public:
    Reporter() : ConsoleReporter(OO_None) {}

    void ReportRuns(const std::vector<Run>& runs) override
    {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs)
            if (!run.error_occurred && (run.run_type == Run::RT_Iteration || run.aggregate_name == "median"))
                ms_[run.run_name.function_name] = run.GetAdjustedRealTime();
    }

    /// Wall time in milliseconds by benchmark: medians where repetitions were asked for.
    const std::map<std::string, double>& milliseconds() const { return ms_; }

private:
    std::map<std::string, double> ms_;
};

void printClaims(const std::map<std::string, double>& ms)
{
    static constexpr struct {
        const char* quick;
        const char* slow;
    } kClaims[] = {{kPage, kAllRows}, {kIndexed, kParsed}, {kOpened, kParsed}, {kCsvOurs, kCsvLibrary}, {kBuiltSample, kSampleStore}};
    std::printf("\n%-34s %12s   %-32s %12s %9s\n", "this", "ms", "against", "ms", "ratio");
    for (const auto& claim : kClaims) {
        const auto quick = ms.find(claim.quick);
        const auto slow = ms.find(claim.slow);
        if (quick != ms.end() && slow != ms.end())
            std::printf("%-34s %12.3f   %-32s %12.3f %8.1fx\n", claim.quick, quick->second, claim.slow, slow->second,
                        slow->second / quick->second);
    }
}

} // namespace
} // namespace kl::bench

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "synthetic")
        return kl::bench::writeSyntheticHistory(argc - 2, argv + 2);
    if (argc > 1 && std::string_view(argv[1]) == "lists")
        return kl::bench::timeLists(argc - 2, argv + 2);
    if (argc > 1 && std::string_view(argv[1]) == "counters")
        return kl::bench::compareCountedSearches({argc > 2 ? std::stoul(argv[2]) : 100, argc > 3 ? std::stoul(argv[3]) : 1});
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    kl::bench::Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    kl::bench::printClaims(reporter.milliseconds());
}
