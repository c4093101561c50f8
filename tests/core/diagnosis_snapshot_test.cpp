// SPDX-License-Identifier: MIT
// Every quantity, finding and chart of the fixtures' profiles, with their counters and without, in tests/snapshots/values.
#include "core/codec/run_codec.h"
#include "core/diagnosis/charts_codec.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/targets.h"
#include "core/diagnosis/tree.h"
#include "core/diagnosis/without_counters.h"
#include "tests/core/support/profiles.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

struct Profile {
    const char* name;
    RunRecord (*make)();
};

constexpr Profile kProfiles[] = {{"recordedStrided", test::recordedStrided},
                                 {"recordedFma", test::recordedFma},
                                 {"copyStrided", test::copyStrided},
                                 {"copyVector", test::copyVector},
                                 {"transposeNaive", test::transposeNaive},
                                 {"transposeTiled", test::transposeTiled},
                                 {"transposePadded", test::transposePadded},
                                 {"reductionDivergent", test::reductionDivergent},
                                 {"reductionConflicting", test::reductionConflicting},
                                 {"reductionSequential", test::reductionSequential},
                                 {"reductionGridStride", test::reductionGridStride},
                                 {"chainTiny", test::chainTiny},
                                 {"chainLarge", test::chainLarge},
                                 {"fmaFp64", test::fmaFp64},
                                 {"fmaTranscendental", test::fmaTranscendental},
                                 {"fmaInteger", test::fmaInteger},
                                 {"attentionFusedLarge", test::attentionFusedLarge},
                                 {"attentionFusedSmall", test::attentionFusedSmall},
                                 {"spilling", test::spilling},
                                 {"registerHog", test::registerHog},
                                 {"histogramAtomics", test::histogramAtomics}};

std::string formatFigures(const RunRecord& run)
{
    Json json;
    const RunFacts facts(run);
    for (const Quantity& quantity : quantities())
        if (const std::optional<double> value = quantity.compute(facts))
            json["quantities"][std::string(quantity.id)] = *value;
    if (const auto whatIf = occupancyWhatIf(run))
        json["occupancy"] = toJson(*whatIf);
    json["roofline"] = toJson(computeRoofline(run));
    json["memory"] = toJson(memoryChart(run));
    json["stalls"] = stallsToJson(run);
    json["targets"] = targetsToJson(compareWithTargets(run));
    return test::valueLines(json);
}

TEST(DiagnosisSnapshot, QuantitiesFindingsAndChartsOfEveryProfile)
{
    const auto tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree) << tree.error().message;
    std::string findings;
    for (const Profile& profile : kProfiles)
        for (const bool counted : {true, false}) {
            RunRecord run = counted ? profile.make() : withoutCounters(profile.make());
            run.diagnosis = tree->diagnose(run, {});
            const std::string head = std::string("== ") + profile.name + (counted ? "" : ", without counters") + '\n';
            const Json json = runToJson(run);
            findings += head + test::valueLines({{"finding", json.at("finding")}, {"secondary", json.at("secondary")}});
            if (counted)
                findings += formatFigures(run);
        }
    test::expectSnapshot("values/diagnosis.txt", findings);
}

} // namespace
} // namespace kl
