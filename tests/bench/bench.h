// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace kl::inline store {
class Store;
}

namespace kl::bench {

/// Names of the benchmarks that a claim sets against each other.
inline constexpr const char* kPage = "one page of 200 runs";
inline constexpr const char* kAllRows = "all 100 000 runs";
inline constexpr const char* kIndexed = "one answer from an open capture";
inline constexpr const char* kOpened = "the same, capture opened first";
inline constexpr const char* kParsed = "the same, whole capture parsed";
inline constexpr const char* kCsvOurs = "CSV page of ncu, our reader";
inline constexpr const char* kCsvLibrary = "the same page, libcsv";
inline constexpr const char* kSampleStore = "building the sample";
inline constexpr const char* kBuiltSample = "opening :sample:";

/// A store file of 100 000 runs in a folder of its own, made on first use and removed when the program ends.
class ManyRuns {
public:
    /// Prints the reason and ends the program when the store cannot be made: there is nothing to measure then.
    static ManyRuns& instance();
    ~ManyRuns();
    ManyRuns(const ManyRuns&) = delete;
    ManyRuns& operator=(const ManyRuns&) = delete;

    const Store& store() const { return *store_; }

private:
    ManyRuns();

    std::filesystem::path folder_;
    std::unique_ptr<Store> store_;
};

/// Replays of each search by each strategy, with seeds seed, seed + 1, …
struct CountedRepeats {
    std::size_t count = 100;
    std::size_t seed = 1;
};

/// Replays the sample's searches with strategies that see counters, and prints what they gain. An exit status.
int compareCountedSearches(const CountedRepeats& repeats);

} // namespace kl::bench
