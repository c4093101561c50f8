// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

class Record : public Kloop {};

/// A worker that measures nothing: every answer but an A/B's two blocks holds its defaults, profiles of the vector variant end it.
constexpr const char* kEmptyAnswers = R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"profile"'*'"kernel":"copy/vector"'*) exit 9 ;;
    *'"verb":"ab"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"blocks\":[{\"a\":[9],\"b\":[9]},{\"a\":[9],\"b\":[9]}]}}" ;;
    *) echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;
    esac
done
)";

TEST_F(Record, GoesOnPastFailuresAndListsThem)
{
    useWorker(kEmptyAnswers);
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
