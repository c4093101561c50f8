// SPDX-License-Identifier: MIT
#include "core/codec/json_read.h"
#include "sessions/session/events.h"
#include "tests/sessions/engine_support.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A stand-in for compute-sanitizer and the worker below it: notes its tool, writes what the real one wrote of faults, where a file of the
/// tool's name is there, and answers the launch.
constexpr const char* kToolAndWorker = R"(
while [ $# -gt 0 ]; do
    case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$2; shift 2 ;;
    *) shift ;;
    esac
done
echo "$tool" >> "$HERE/ran"
cp "$HERE/$tool.txt" "$log" 2>/dev/null
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"name":"Fake GPU","uuid":"GPU-1"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"launch"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"$(cat "$HERE/status")\",\"reason\":\"no room\"}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)";

/// Sessions on a live device, with the stand-in.
class MemoryCheckTest : public EngineTest {
protected:
    MemoryCheckTest() : live(Source::live), liveBench(catalog, tree, live, *store), session(liveBench) { live.kernels = gpu.kernels; }

    void useTool()
    {
        write("tool.sh", "#!/bin/sh\nHERE='" + folder.path().string() + "'\n" + kToolAndWorker);
        std::filesystem::permissions(folder / "tool.sh", std::filesystem::perms::owner_all);
        write("status", "ok");
        ::setenv("KERNELLOOP_SANITIZER", (folder / "tool.sh").c_str(), 1);
    }
    void findsAnError() { write("memcheck.txt", support::readBytes(KL_SOURCE_DIR "/tests/data/sanitizer/memcheck.txt")); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name, std::ios::binary) << text; }
    std::string ran() const
    {
        std::ifstream in(folder / "ran");
        return {std::istreambuf_iterator<char>(in), {}};
    }

    SessionId openLive(const std::string& kind = "optimize")
    {
        NewSession request;
        request.kernel = "transpose/naive";
        request.kind = kind;
        request.objective = "make it fast";
        return unwrap(session.create(request)).header.id;
    }
    SessionView upTo(const SessionId& id, SessionAction action)
    {
        SessionView view = unwrap(session.view(id));
        for (int i = 0; i < 20 && !view.next.empty() && view.next.front().action != action; ++i)
            view = unwrap(session.step(id));
        EXPECT_TRUE(!view.next.empty() && view.next.front().action == action) << view.why;
        return view;
    }
    static const CheckRow& rowIn(const SessionView& view, const std::string& gate)
    {
        for (const CheckRow& row : findGate(view, gate).checks)
            if (row.id == "memory-clean")
                return row;
        throw std::runtime_error("no row");
    }
    static std::vector<Json> listChecks(const SessionView& view)
    {
        std::vector<Json> found;
        for (const SessionEvent& item : view.events)
            if (item.type == event::kMemoryChecked)
                found.push_back(unwrap(parseJson(item.dataJson, item.type)));
        return found;
    }

    FakeCollector live;
    TestBench liveBench;
    TestEngine session;
};

TEST_F(MemoryCheckTest, ACleanCandidateIsCheckedOnceByTheMethodItselfAndKept)
{
    useTool();
    const SessionId id = openLive();
    EXPECT_EQ(upTo(id, SessionAction::checkMemory).phase, "fix");
    EXPECT_EQ(unwrap(session.step(id)).next.front().action, SessionAction::evaluate);
    const SessionView view = upTo(id, SessionAction::finish);
    EXPECT_EQ(rowIn(view, "G4").result, GateResult::pass);
    EXPECT_EQ(unwrap(session.step(id)).outcome, "kept");
    EXPECT_EQ(ran(), "memcheck\ninitcheck\n");
    ASSERT_EQ(listChecks(view).size(), 1U);
    const Json check = listChecks(view).front();
    EXPECT_EQ(check["found"], 0);
    EXPECT_EQ(check["complete"], true);
    EXPECT_EQ(check["variant"], toText(*view.candidate));
    EXPECT_EQ(check["problem"], toText(unwrap(catalog.family("transpose"))->smallest));
    EXPECT_FALSE(textAt(check, "source").empty());
}

TEST_F(MemoryCheckTest, AnErrorRefusesTheKeepWithItsWitness)
{
    useTool();
    findsAnError();
    const SessionId id = openLive();
    upTo(id, SessionAction::checkMemory);
    EXPECT_EQ(session.act(id, SessionAction::keep).error().where, "correctness-first") << "not checked yet";
    const SessionView view = unwrap(session.step(id));
    EXPECT_TRUE(view.blocked);
    EXPECT_EQ(view.rule, "correctness-first");
    EXPECT_EQ(view.next.front().action, SessionAction::revert);
    EXPECT_EQ(rowIn(view, "G4").result, GateResult::fail);
    EXPECT_EQ(findGate(view, "G4").result, GateResult::fail);
    unwrap(session.act(id, SessionAction::evaluate)); // however fast it is
    const Error refused = session.act(id, SessionAction::keep).error();
    EXPECT_EQ(refused.code, ErrorCode::refused);
    EXPECT_EQ(refused.where, "correctness-first");
    for (const char* witness : {"past_the_end", "0x7f26afa03000", "Invalid __global__ write"})
        EXPECT_THAT(refused.message, HasSubstr(witness));
    ASSERT_EQ(refused.next.size(), 2U);
    EXPECT_EQ(refused.next.front(), makeActionStep(SessionAction::revert));
    EXPECT_EQ(refused.next.back().id, StepId::waiveGate);
    EXPECT_EQ(unwrap(session.view(id)).next.front().action, SessionAction::revert);
    unwrap(session.waive(id, "G4", "the tool is mistaken"));
    EXPECT_TRUE(session.act(id, SessionAction::keep).ok()) << "a waiver with a reason is the other way on";
}

TEST_F(MemoryCheckTest, TheSameCodeIsNotCheckedTwice)
{
    useTool();
    const SessionId id = openLive();
    upTo(id, SessionAction::checkMemory);
    unwrap(session.act(id, SessionAction::checkMemory));
    const SessionView view = unwrap(session.act(id, SessionAction::checkMemory));
    EXPECT_EQ(ran(), "memcheck\ninitcheck\n");
    ASSERT_EQ(listChecks(view).size(), 2U);
    EXPECT_TRUE(listChecks(view).back()["of"].is_number()) << "it says whose result it is";
    EXPECT_EQ(rowIn(view, "G4").result, GateResult::pass);
}

TEST_F(MemoryCheckTest, OneThatIsStoppedIsToBeDoneAgain)
{
    useTool();
    const SessionId id = openLive();
    upTo(id, SessionAction::checkMemory);
    std::stop_source stop;
    stop.request_stop();
    Job job;
    job.stop = stop.get_token();
    const Result<SessionView> stopped = session.act(id, SessionAction::checkMemory, {}, job);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    const SessionView view = unwrap(session.view(id));
    EXPECT_TRUE(listChecks(view).empty());
    EXPECT_EQ(view.next.front().action, SessionAction::checkMemory);
}

TEST_F(MemoryCheckTest, AToolThatIsMissingIsReportedAndBlocksNothing)
{
    const SessionId id = openLive();
    upTo(id, SessionAction::checkMemory);
    const SessionView view = unwrap(session.step(id));
    EXPECT_EQ(rowIn(view, "G4").result, GateResult::unknown) << "never a pass";
    EXPECT_EQ(rowIn(view, "G4").requirement, Requirement::optional);
    EXPECT_THAT(rowIn(view, "G4").found, HasSubstr("no-such-tool"));
    EXPECT_EQ(findGate(view, "G4").result, GateResult::pass);
    const std::string unchecked = findGate(view, "G4").verdict;
    EXPECT_THAT(unchecked, HasSubstr(toText(*view.candidate)));
    EXPECT_TRUE(upTo(id, SessionAction::finish).candidate);
    useTool();
    const SessionId other = openLive();
    upTo(other, SessionAction::checkMemory);
    write("status", "computation_failed");
    unwrap(session.act(other, SessionAction::checkMemory));
    EXPECT_EQ(rowIn(unwrap(session.view(other)), "G4").result, GateResult::unknown);
    write("status", "ok");
    const SessionView checked = unwrap(session.act(other, SessionAction::checkMemory));
    EXPECT_EQ(rowIn(checked, "G4").result, GateResult::pass) << "what was cut short is asked again";
    EXPECT_EQ(toText(*checked.candidate), toText(*view.candidate));
    EXPECT_NE(findGate(checked, "G4").verdict, unchecked) << "a gate that passes without the check says so";
}

TEST_F(MemoryCheckTest, RecordedDataIsLeftOutWithTheReason)
{
    useTool();
    const SessionId id = open();
    stepUntil(id, SessionAction::verifySuite);
    const SessionView view = step(id);
    EXPECT_EQ(view.next.front().action, SessionAction::evaluate);
    EXPECT_EQ(rowIn(view, "G4").requirement, Requirement::optional);
    EXPECT_EQ(rowIn(view, "G4").result, GateResult::unknown);
    EXPECT_THAT(rowIn(view, "G4").found, AllOf(Not(IsEmpty()), Not(HasSubstr("tool.sh"))));
    EXPECT_EQ(stepTo(id, "done").outcome, "kept");
    EXPECT_EQ(ran(), "");
}

TEST_F(MemoryCheckTest, ADebuggedKernelIsCheckedOnTheSizeThatFailed)
{
    useTool();
    live.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    const SessionId id = openLive("debug");
    const SessionView before = upTo(id, SessionAction::checkMemory);
    ASSERT_TRUE(before.failingProblem);
    EXPECT_EQ(session.act(id, SessionAction::keep).error().where, "correctness-first");
    findsAnError();
    const SessionView view = unwrap(session.step(id));
    EXPECT_EQ(view.next.front().action, SessionAction::repeat) << "another round, not a keep";
    EXPECT_EQ(listChecks(view).front()["problem"], toText(*before.failingProblem));
}

TEST_F(MemoryCheckTest, ACandidatePassesTheToolThatFoundTheFault)
{
    useTool();
    write("racecheck.txt", support::readBytes(KL_SOURCE_DIR "/tests/data/sanitizer/racecheck.txt"));
    live.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    const SessionId still = openLive("debug");
    EXPECT_THAT(rowIn(upTo(still, SessionAction::checkMemory), "D2").threshold, HasSubstr(" racecheck"));
    write("ran", "");
    const SessionView wrong = unwrap(session.step(still));
    EXPECT_EQ(ran(), "memcheck\ninitcheck\nracecheck\n");
    EXPECT_EQ(rowIn(wrong, "D2").result, GateResult::fail) << "the race is still there";
    EXPECT_EQ(wrong.next.front().action, SessionAction::repeat);

    const SessionId fixed = openLive("debug");
    upTo(fixed, SessionAction::checkMemory);
    std::filesystem::remove(folder / "racecheck.txt");
    EXPECT_EQ(rowIn(unwrap(session.step(fixed)), "D2").result, GateResult::pass);
}

TEST_F(MemoryCheckTest, ACandidateIsCheckedAgainWithAToolThatFoundAnErrorSince)
{
    useTool();
    const SessionId id = openLive("debug");
    live.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    upTo(id, SessionAction::checkMemory);
    unwrap(session.act(id, SessionAction::checkMemory));
    write("synccheck.txt", support::readBytes(KL_SOURCE_DIR "/tests/data/sanitizer/synccheck.txt"));
    unwrap(session.act(id, SessionAction::sanitize, "synccheck"));
    write("ran", "");
    const SessionView view = unwrap(session.act(id, SessionAction::checkMemory));
    EXPECT_EQ(ran(), "memcheck\ninitcheck\nsynccheck\n");
    EXPECT_EQ(rowIn(view, "D2").result, GateResult::fail);
}

TEST_F(MemoryCheckTest, OnlyACompleteCheckOfTheSameCodeByTheSameToolsIsTakenAgain)
{
    useTool();
    const SessionId first = openLive();
    upTo(first, SessionAction::checkMemory);
    const Json known = listChecks(unwrap(session.act(first, SessionAction::checkMemory))).front();
    const auto ranAfter = [&](const std::function<void(Json&)>& change) {
        const SessionId id = openLive();
        const int seq = upTo(id, SessionAction::checkMemory).lastSeq + 1;
        Json data = known;
        change(data);
        EXPECT_TRUE(store->appendEvent(id, {seq, "2026-01-01T00:00:00.000Z", event::kMemoryChecked, encode(data)}));
        write("ran", "");
        const std::vector<Json> checks = listChecks(unwrap(session.act(id, SessionAction::checkMemory)));
        EXPECT_EQ(checks.back().value("of", 0), ran().empty() ? seq : 0);
        return ran();
    };
    const std::string both = "memcheck\ninitcheck\n";
    EXPECT_EQ(ranAfter([](Json&) {}), "");
    for (const char* key : {"source", "problem", "variant"})
        EXPECT_EQ(ranAfter([&](Json& data) { data[key] = "another"; }), both) << key;
    EXPECT_EQ(ranAfter([](Json& data) { data["complete"] = false; }), both);
    for (const std::size_t left : {0U, 1U})
        EXPECT_EQ(ranAfter([&](Json& data) { data["checks"].erase(left); }), both) << left;
}

TEST_F(MemoryCheckTest, AnotherDriverNeedsAnotherCheck)
{
    useTool();
    const SessionId id = openLive();
    upTo(id, SessionAction::evaluate);
    live.hello().devices.front().driverVersion = "581.7";
    write("ran", "");
    upTo(id, SessionAction::checkMemory);
    unwrap(session.step(id));
    EXPECT_EQ(ran(), "memcheck\ninitcheck\n");
}

TEST_F(MemoryCheckTest, ItsFindingsAndLogsAreKept)
{
    useTool();
    findsAnError();
    const SessionId id = openLive();
    const int seq = upTo(id, SessionAction::checkMemory).lastSeq + 1;
    const Json check = listChecks(unwrap(session.step(id))).front();
    ASSERT_EQ(check["checks"].size(), 2U);
    EXPECT_EQ(check["checks"][0]["tool"], "memcheck");
    EXPECT_EQ(check["checks"][1]["tool"], "initcheck");
    EXPECT_EQ(check["found"], check["checks"][0]["findings"].size());
    EXPECT_GT(check["found"], 0);
    EXPECT_EQ(check["unavailable"], "");
    const auto log = [&](const std::string& tool) {
        return store->artifact("session/" + id.text + '/' + tool + '-' + std::to_string(seq) + ".txt");
    };
    EXPECT_EQ(unwrap(log("memcheck")), support::readBytes(folder / "memcheck.txt"));
    EXPECT_TRUE(log("initcheck"));
}

TEST_F(MemoryCheckTest, ADebuggerChoosesTheToolAndWhatIsRunUnderIt)
{
    useTool();
    live.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
    const SessionId id = openLive("debug");
    upTo(id, SessionAction::sanitize);
    const auto sanitized = [&](const std::string& tool) {
        write("ran", "");
        const SessionView view = unwrap(session.act(id, SessionAction::sanitize, tool));
        const Json data = unwrap(parseJson(view.events.back().dataJson, "event"));
        EXPECT_EQ(view.events.back().type, event::kSanitized);
        EXPECT_EQ(data["problem"], toText(view.failingProblem.value_or(Params{})));
        EXPECT_EQ(data["checks"].size(), static_cast<std::size_t>(std::ranges::count(ran(), '\n')));
        return data["variant"].get<std::string>();
    };
    EXPECT_EQ(sanitized(""), "transpose/naive");
    EXPECT_EQ(ran(), "memcheck\nracecheck\ninitcheck\nsynccheck\n");
    EXPECT_EQ(sanitized("racecheck"), "transpose/naive");
    EXPECT_EQ(ran(), "racecheck\n");
    const Error unknown = session.act(id, SessionAction::sanitize, "lint").error();
    EXPECT_EQ(unknown.code, ErrorCode::usage);
    EXPECT_EQ(unknown.where, "lint");
    upTo(id, SessionAction::verifyMinimal);
    EXPECT_EQ(sanitized("synccheck"), "transpose/tiled") << "the candidate, once there is one";
}

} // namespace
} // namespace kl::test
