// SPDX-License-Identifier: MIT
// What an H200 recorded of tests/data/timeline, in which one role is slow on purpose: the finding names it, and those that wait for it.
#include "core/codec/timeline_fields.h"
#include "core/timeline/timeline_report.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace kl {
namespace {

struct Recorded {
    const char* name;
    std::string waitedFor;
    std::vector<std::string> waiting;
};

class RecordedTimelines : public ::testing::TestWithParam<Recorded> {};

TEST_P(RecordedTimelines, NameTheSlowRoleAndThoseThatWaitForIt)
{
    const std::filesystem::path file =
        std::filesystem::path(KL_SOURCE_DIR) / "tests/data/timeline/recorded" / (std::string(GetParam().name) + ".json");
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    const Result<Json> json = parseJson(text.str(), file.string());
    ASSERT_TRUE(json.ok()) << json.error().message;
    const Result<Timeline> timeline = fromJson<Timeline>(*json, file.string());
    ASSERT_TRUE(timeline.ok()) << timeline.error().message;
    EXPECT_EQ(toJson(*timeline), *json);
    const TimelineReport report = analyzeTimeline(*timeline);
    EXPECT_EQ(report.waitedFor, GetParam().waitedFor) << report.sentence;
    EXPECT_THAT(report.waiting, ::testing::UnorderedElementsAreArray(GetParam().waiting)) << report.sentence;
    ASSERT_TRUE(report.overhead.has_value());
    EXPECT_GT(report.overhead->low, 1);
    EXPECT_NEAR(report.cyclesPerNs, 1.98, 0.02);
}

INSTANTIATE_TEST_SUITE_P(H200, RecordedTimelines,
                         ::testing::Values(Recorded{"slow-producer", "producer", {"warps 4-7", "warps 8-11", "warps 12-15"}},
                                           Recorded{"slow-first", "warps 4-7", {"producer", "warps 8-11", "warps 12-15"}},
                                           Recorded{"slow-second", "warps 8-11", {"producer", "warps 4-7", "warps 12-15"}},
                                           Recorded{"slow-epilogue", "warps 12-15", {"producer", "warps 4-7", "warps 8-11"}},
                                           Recorded{"marked-producer", "load", {"double", "increment", "add"}},
                                           Recorded{"marked-second", "increment", {"load", "double", "add"}}),
                         [](const auto& recorded) {
                             std::string name = recorded.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace
} // namespace kl
