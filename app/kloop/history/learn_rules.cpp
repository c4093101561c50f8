// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/history/learn_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/learning/rule_outcomes.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Json toJson(const std::vector<RuleCase>& cases, const std::vector<RuleOutcome>& outcomes)
{
    Json answer{{"schema", "kernelloop.rules/1"}, {"rules", Json::array()}, {"cases", Json::array()}};
    for (const RuleOutcome& one : outcomes)
        answer["rules"].push_back({{"rule", one.rule},
                                   {"cases", one.cases},
                                   {"hits", one.hits},
                                   {"paid", one.paid},
                                   {"estimated", one.estimated},
                                   {"realised", one.realized},
                                   {"factor", one.factor}});
    for (const RuleCase& one : cases)
        answer["cases"].push_back({{"rule", one.rule},
                                   {"kernel", one.kernel},
                                   {"fix", one.fix},
                                   {"problem", one.problem},
                                   {"estimated", one.estimated},
                                   {"realised", one.realized},
                                   {"hit", one.isHit()},
                                   {"from", one.from},
                                   {"at", one.at},
                                   {"replayed", one.replayed}});
    return answer;
}

void print(const char* title, const std::vector<RuleOutcome>& outcomes)
{
    if (outcomes.empty())
        return;
    Table table({"Finding", "Fixes>", "Accurate>", "Paid off>", "Estimated>", "Measured>", "Correction factor>"});
    for (const RuleOutcome& one : outcomes)
        table.add({one.rule, fmt::format("{}", one.cases), fmt::format("{} ({})", one.hits, formatPercent(100.0 * one.hits / one.cases)),
                   fmt::format("{}", one.paid), formatPercent(100 * one.estimated), formatPercent(100 * one.realized),
                   formatNumber(one.factor)});
    int cases = 0, hits = 0, paid = 0;
    for (const RuleOutcome& one : outcomes) {
        cases += one.cases;
        hits += one.hits;
        paid += one.paid;
    }
    table.add(
        {"all", fmt::format("{}", cases), fmt::format("{} ({})", hits, formatPercent(100.0 * hits / cases)), fmt::format("{}", paid)});
    printText("{}\n{}", applyTone(title, Tone::strong), table.text("  "));
}

Result<int> showRules(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const std::vector<RuleCase> cases, ruleCases(*store));
    if (program.printAsJson(toJson(cases, ruleOutcomes(cases, true))))
        return 0;
    if (cases.empty()) {
        printText(
            "No fix of a finding has been measured yet. A session does that: its profile estimates, its A/B measures. So does profiling a "
            "kernel and then running the variant that the finding recommends.\n");
        return 0;
    }
    std::vector<RuleCase> recorded;
    std::ranges::copy_if(cases, std::back_inserter(recorded), &RuleCase::replayed);
    print("Fixes measured here", ruleOutcomes(cases));
    print("Fixes on recorded data", ruleOutcomes(recorded, true));
    printText("\nAccurate: the measured reduction is between half and twice the estimate. Paid off: at least 1 % faster. Reductions are "
              "medians.\n");
    return 0;
}

} // namespace

Runner addLearnRules(CLI::App&)
{
    return showRules;
}

} // namespace kl::cli
