// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/cupti/metric_plan.h"

#include <map>
#include <set>

namespace kl::test {

/// A chip of the test's own: every metric costs one pass but for those listed.
class FakeChip final : public MetricSource {
public:
    explicit FakeChip(std::string name) : name_(std::move(name)) {}
    const std::string& chip() const noexcept override { return name_; }
    bool has(const std::string& metric) override { return !lacks.contains(metric); }
    Result<int> passes(const std::vector<std::string>& metrics) override
    {
        if (broken)
            return Error{.code = ErrorCode::environment, .message = "no"};
        int sum = 0;
        for (const std::string& metric : metrics)
            sum += free.contains(metric) ? 0 : expensive.contains(metric) ? 8 : 1;
        return sum;
    }
    const std::vector<std::string>& baseNames() override { return bases; }
    std::vector<std::string> rollups(const std::string& base) override
    {
        const auto found = known.find(base);
        return found == known.end() ? std::vector<std::string>{} : found->second;
    }

    /// A metric for baseNames and rollups.
    void add(const std::string& base, std::vector<std::string> rollupNames)
    {
        bases.push_back(base);
        known[base] = std::move(rollupNames);
    }

    std::set<std::string> lacks;
    std::set<std::string> expensive;
    std::set<std::string> free; ///< fit into passes that are there
    std::vector<std::string> bases;
    std::map<std::string, std::vector<std::string>> known;
    bool broken = false;

private:
    std::string name_;
};

} // namespace kl::test
