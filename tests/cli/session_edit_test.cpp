// SPDX-License-Identifier: MIT
// A session in which one's own edit is the change, on a program that needs no GPU: the edit, its commit and its undoing.
#include "kloop.h"
#include "tests/support/fake_program.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

class SessionEdits : public AskedKloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useRecorder(
            {},
            R"(*'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"pass\",\"found\":\"\",\"why\":\"\",\"fix\":\"\"}]}}" ;;)");
        write("inject.so", "not loaded by programs without CUDA");
        program_.emplace(file("project"), "GPU-1");
        program_->write(".gitignore", "build\n");
        git("init -q -b main");
        git("add -A");
        git("commit -q -m first");
    }
    Answer ask(const Words& words) const override
    {
        Words trusted = words;
        trusted.emplace_back("--trust");
        return kloop(trusted, "XDG_DATA_HOME=" + quoted(file("data")) + " KERNELLOOP_INJECT=" + quoted(file("inject.so")) +
                                  " KERNELLOOP_SANITIZER=" + quoted(file("no-such-tool")) +
                                  " GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=T "
                                  "GIT_COMMITTER_EMAIL=t@example.com");
    }
    std::string git(const std::string& words) const
    {
        const std::string line = "git -C " + quoted(file("project")) + " -c user.name=T -c user.email=t@example.com " + words + " >" +
                                 quoted(file("git")) + " 2>&1";
        EXPECT_EQ(std::system(line.c_str()), 0) << line << '\n' << read("git");
        return read("git");
    }
    /// Takes recommended actions until the first one of this id is next.
    Json until(const std::string& action) const
    {
        Json view = json({"session", "show"});
        for (int steps = 0; steps < 20 && view["next"][0]["action"] != action; ++steps)
            view = json({"session", "step"});
        EXPECT_EQ(view["next"][0]["action"], action);
        return view;
    }

    std::optional<FakeProgram> program_;
};

TEST_F(SessionEdits, OnesOwnEditIsShownTakenCommittedAndUndone)
{
    const std::string before = program_->text("kernel.txt"), edited = file("project/kernel.txt");
    const std::string id = json({"session", "new", "N", "Sum faster", "--kernel", file("project/kernelloop.json")})["session"];
    EXPECT_EQ(ask({"session", "diff"}).code, 4) << "there is no edit yet";
    until("choose-fix");
    EXPECT_EQ(json({"session", "fix", "own-edit"})["next"][0]["action"], "take-edit");
    const Answer none = ask({"session", "diff", "--json"});
    EXPECT_EQ(none.code, 1);
    EXPECT_EQ(none.json()["error"]["code"], "refused") << "nothing has changed";

    program_->code(7900);
    json({"session", "act", "revert"});
    EXPECT_EQ(program_->text("kernel.txt"), before);
    json({"session", "fix", "own-edit"});
    program_->code(4000);
    const Json diff = json({"session", "diff"});
    EXPECT_EQ(diff["schema"], "kernelloop.session-diff/1");
    EXPECT_EQ(diff["session"], id);
    EXPECT_EQ(diff["file"], edited);
    EXPECT_EQ(readFigures(diff["summary"].get<std::string>()), "+1 | −1");
    EXPECT_THAT(diff["diff"].get<std::string>(), AllOf(HasSubstr("\n-time=8000\n"), HasSubstr("\n+time=4000\n")));
    EXPECT_EQ(diff["git"], true);
    const std::vector<std::string> shown = rows({"session", "diff", "--session", "N"});
    EXPECT_THAT(shown[0], StartsWith(edited + ", +1 "));
    EXPECT_THAT(shown, AllOf(Contains("-time=8000"), Contains("+time=4000"), Contains("result=right")));

    EXPECT_EQ(json({"session", "act", "take-edit"})["next"][0]["action"], "verify-suite");
    until("keep");
    EXPECT_EQ(json({"session", "keep", "--git"})["phase"], "document");
    git("log -1 --format=%H --name-only");
    const std::string commit = read("git").substr(0, 40);
    EXPECT_THAT(read("git"), EndsWith("\nkernel.txt\n")) << "the edit and only it";
    const std::vector<std::string> kept = rows({"session", "show"});
    EXPECT_THAT(kept, Contains(EndsWith(' ' + commit)));
    EXPECT_THAT(kept, Contains(HasSubstr("kernel.txt, +1 ")));
    EXPECT_THAT(kept, Contains("+time=4000"));

    json({"session", "act", "undo"});
    EXPECT_EQ(git("log -1 --format=%s"), "first\n");
    until("keep");
    EXPECT_EQ(json({"session", "option", "git", "on"})["options"]["git"], true);
    EXPECT_EQ(json({"session", "keep", "--no-git"})["phase"], "document");
    EXPECT_EQ(git("log -1 --format=%s"), "first\n");
    EXPECT_THAT(rows({"session", "show"}), Not(Contains(EndsWith(' ' + commit))));
}

} // namespace
} // namespace kl::test
