// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

class Record : public Kloop {};

/// Every answer but an A/B's two blocks holds its defaults; a profile of the vector variant ends the worker.
constexpr const char* kAnswers =
    R"(*'"verb":"profile"'*'"kernel":"copy/vector"'*) exit 9 ;;
    *'"verb":"ab"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"blocks\":[{\"a\":[9],\"b\":[9]},{\"a\":[9],\"b\":[9]}]}}" ;;)";

TEST_F(Record, GoesOnPastFailuresAndListsThem)
{
    useRecorder({}, kAnswers);
    const Answer answer = kloop({"record", file("capture.zst"), "--only", "copy", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    const Json json = answer.json();
    EXPECT_GT(json["items"].get<int>(), 20);
    ASSERT_FALSE(json["failures"].empty());
    for (const Json& failure : json["failures"]) {
        EXPECT_THAT(failure.get<std::string>(), HasSubstr("profile"));
        EXPECT_THAT(failure.get<std::string>(), HasSubstr("copy/vector"));
        EXPECT_THAT(failure.get<std::string>(), HasSubstr("status 9"));
    }
    EXPECT_THAT(answer.err, HasSubstr("copy/coalesced"));
    EXPECT_GT(std::filesystem::file_size(file("capture.zst")), 100u);
}

TEST_F(Record, NeedsAGpu)
{
    const Answer answer = kloop({"record", file("capture.zst")});
    EXPECT_EQ(answer.code, 5);
    EXPECT_FALSE(std::filesystem::exists(file("capture.zst")));
}

TEST_F(Record, AnUnknownFamilyExits4)
{
    EXPECT_EQ(kloop({"record", file("capture.zst"), "--only", "nope"}).code, 4);
}

} // namespace
} // namespace kl::test
