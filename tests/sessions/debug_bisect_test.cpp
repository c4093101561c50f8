// SPDX-License-Identifier: MIT
// The search of a debugging session through the history of a user's kernel.
#include "kernels/user_kernel.h"
#include "sessions/edit/command.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

/// A kernel in a repository of four commits, the last two of which are at fault on the problem that is named.
class DebugBisect : public EngineTest {
protected:
    DebugBisect() : live(Source::live)
    {
        std::filesystem::create_directories(folder / "repo");
        for (const char* name : {"kernel.json", "flip.cu"})
            std::filesystem::copy_file(std::filesystem::path(KL_SOURCE_DIR "/tests/data/own_transpose") / name, folder / "repo" / name);
        live.kernels["flip/plain"] = {400'000, 50'000, true, "", 10};
        git({"init", "-q", "-b", "main"});
        git({"config", "user.name", "A"});
        git({"config", "user.email", "a@b.c"});
        source = support::readBytes(folder / "repo/flip.cu");
        commit("// first\n");
        commit("// second\n");
    }
    std::string git(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"-C", (folder / "repo").string()});
        const Result<CommandAnswer> answer = runCommand("git", words);
        EXPECT_TRUE(answer && answer->code == 0) << words[2];
        return answer ? answer->output.substr(0, answer->output.find('\n')) : std::string();
    }
    std::string commit(const std::string& comment) const
    {
        support::writeBytes(folder / "repo/flip.cu", comment + source);
        git({"add", "."});
        git({"commit", "-q", "-m", comment});
        return git({"rev-parse", "HEAD"});
    }
    /// The present source is wrong on this problem alone.
    void isWrongOn(const std::string& problem)
    {
        FakeKernel kernel{400'000, 50'000, true, "", 10};
        kernel.wrongOn = [problem](const Params& params) { return toText(params) == problem; };
        live.kernels["flip/plain#" + unwrap(now().work({"flip", "plain", {}}, {})).sourceHash] = kernel;
    }
    Catalog now() const
    {
        Catalog all({});
        EXPECT_TRUE(all.add(unwrap(loadKernel(folder / "repo/kernel.json"))).ok());
        return all;
    }
    template <class Work> auto with(Work work)
    {
        const Catalog kernels = now();
        TestBench own(kernels, tree, live, *store);
        TestEngine session(own);
        return work(session);
    }
    SessionView openedUpTo(SessionAction action)
    {
        NewSession request;
        request.objective = "wrong somewhere";
        request.kernel = "flip";
        request.kind = "debug";
        id = with([&](SessionEngine& session) { return unwrap(session.create(request)).header.id; });
        return with([&](SessionEngine& session) {
            SessionView view = unwrap(session.view(id));
            for (int i = 0; i < 8 && view.next.front().action != action; ++i)
                view = unwrap(session.step(id));
            return view;
        });
    }
    Json searched(const std::string& good = {})
    {
        const SessionView view = with([&](SessionEngine& session) { return unwrap(session.act(id, SessionAction::bisect, good)); });
        return unwrap(parseJson(view.events.back().dataJson, "event"));
    }

    FakeCollector live;
    std::string source;
    SessionId id;
};

TEST_F(DebugBisect, RevisionsAreJudgedOnTheProblemThatFails)
{
    const std::string bad = commit("// third\n");
    isWrongOn("M=32,N=32");
    commit("// fourth\n");
    isWrongOn("M=32,N=32");
    const SessionView view = openedUpTo(SessionAction::analyze);
    ASSERT_TRUE(view.failingProblem) << view.why;
    EXPECT_EQ(toText(*view.failingProblem), "M=32,N=32");
    EXPECT_NE(view.problem, *view.failingProblem);
    const Json found = searched();
    EXPECT_EQ(found["how"], "bisect");
    EXPECT_EQ(found["first_bad"], Json({bad})) << found["found"];
    EXPECT_THAT(found["found"].get<std::string>(), testing::HasSubstr(bad.substr(0, 12)));
    EXPECT_THAT(found["found"].get<std::string>(), testing::HasSubstr("// third")) << "with its subject";
}

TEST_F(DebugBisect, ASearchThatBeginsAtABadRevisionFindsNone)
{
    commit("// third\n");
    isWrongOn("M=32,N=32");
    commit("// fourth\n");
    isWrongOn("M=32,N=32");
    openedUpTo(SessionAction::analyze);
    EXPECT_EQ(searched("HEAD~1")["first_bad"], Json::array());
    EXPECT_EQ(searched("HEAD~2")["first_bad"], Json({git({"rev-parse", "HEAD~1"})}));
}

} // namespace
} // namespace kl::test
