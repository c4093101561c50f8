// SPDX-License-Identifier: MIT
// `kloop bisect` in scratch repositories: git does the search, a worker of the test's own answers.
#include "kloop.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include <cstdlib>
#include <regex>

namespace kl::test {
namespace {

using testing::HasSubstr;

class Bisect : public Kloop {
protected:
    /// Judges by words in the source: BROKEN does not compile, WRONG is wrong, SLOW takes 1.5 times as long.
    void useJudge() const
    {
        useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU"}],"unavailable":null}'
answer() { echo "{\"event\":\"result\",\"id\":$id,\"body\":$1}"; }
blocks() { for i in 1 2 3 4 5 6 7 8 9 10; do printf '{"a":[100,100,100],"b":[%s,%s,%s]},' $1 $1 $1; done | sed 's/,$//'; }
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"build"'*BROKEN* | *BROKEN*'"verb":"build"'*) answer '{"status":"compilation_failed","reason":"no","arch":"sm_90","log":"k.cu(3): error: BROKEN"}' ;;
    *'"verb":"build"'*) answer '{"status":"ok","arch":"sm_90"}' ;;
    *'"verb":"run"'*) case "$line" in
        *BROKEN*) answer '{"status":"compilation_failed","reason":"does not compile"}' ;;
        *WRONG*) answer '{"status":"validation_failed","reason":"max abs error 3","correctness":{"result":"fail","first_wrong":{"buffer":"out","index":7,"expected":1,"got":4,"fault":"wrong"}}}' ;;
        *) answer '{"status":"ok","correctness":{"result":"pass"}}' ;;
        esac ;;
    *'"verb":"ab"'*) case "$line" in
        *SLOW*) answer "{\"status\":\"ok\",\"blocks\":[$(blocks 150)]}" ;;
        *) answer "{\"status\":\"ok\",\"blocks\":[$(blocks 100)]}" ;;
        esac ;;
    esac
done
)");
    }
    void git(const std::string& words) const
    {
        const std::string line =
            "git -C '" + file("repo") + "' -c user.name=T -c user.email=t@example.com " + words + " >'" + file("git") + "' 2>&1";
        ASSERT_EQ(std::system(line.c_str()), 0) << line << '\n' << read("git");
    }
    /// A kernel in a repository, one commit per word; each word is in the source of its commit and of all later ones.
    void history(const std::vector<std::string>& words) const
    {
        std::filesystem::create_directory(file("repo"));
        git("init -q -b main");
        ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("repo/mine"), "--template", "copy"}).code, 0);
        std::string source = read("repo/mine/kernel.cu");
        for (const std::string& word : words) {
            if (word == "MENDED") // the commit before did not build
                source.erase(source.rfind("// BROKEN"));
            source += "// " + word + '\n';
            write("repo/mine/kernel.cu", source);
            git("add -A");
            git("commit -q --allow-empty -m '" + word + "'");
            git("tag at-" + word);
        }
    }
    /// Which of the last three commits is the first wrong one cannot be known: the two before the last do not build.
    void makeUnclearHistory() const
    {
        history({"one", "BROKEN", "WRONG"});
        write("repo/mine/kernel.cu", read("repo/mine/kernel.cu").replace(read("repo/mine/kernel.cu").find("BROKEN"), 6, "ENDED"));
        git("commit -qam last");
    }
    std::string commit(const std::string& revision) const
    {
        git("rev-parse " + revision);
        const std::string text = read("git");
        return text.substr(0, text.find('\n'));
    }
    Answer bisect(const std::vector<std::string>& words) const
    {
        std::vector<std::string> all{"bisect", file("repo/mine"), "--json"};
        all.insert(all.end(), words.begin(), words.end());
        return kloop(all);
    }
    /// The user's own files, index, branches and list of worktrees.
    std::string describeRepository() const
    {
        git("status --porcelain");
        std::string state = read("git");
        for (const char* words : {"diff", "diff --cached", "branch -av", "worktree list", "for-each-ref"}) {
            git(words);
            state += read("git");
        }
        return state;
    }
};

TEST_F(Bisect, FindsTheCommitThatWentWrong)
{
    useJudge();
    history({"one", "two", "three", "WRONG", "five", "six"});
    write("repo/mine/kernel.cu", read("repo/mine/kernel.cu") + "// not saved anywhere\n");
    write("repo/other", "staged\n");
    git("add other");
    const std::string before = describeRepository();
    const Answer found = bisect({"--good", "at-one", "--incorrect"});
    EXPECT_EQ(found.code, 0) << found.err;
    const Json answer = found.json();
    EXPECT_EQ(answer["schema"], "kernelloop.bisect/1");
    EXPECT_EQ(answer["first_bad"], Json::array({commit("at-WRONG")}));
    EXPECT_EQ(answer["question"], "wrong");
    EXPECT_EQ(answer["found"], true);
    EXPECT_TRUE(answer["slower_than"].is_null());
    EXPECT_EQ(answer["judged"][0]["commit"], commit("at-one"));
    EXPECT_EQ(answer["judged"][0]["state"], "good");
    EXPECT_EQ(answer["judged"][1]["state"], "bad");
    EXPECT_THAT(answer["judged"][1]["seen"].get<std::string>(), HasSubstr("out[7]"));
    EXPECT_EQ(describeRepository(), before);
}

TEST_F(Bisect, FindsTheCommitThatBecameSlower)
{
    useJudge();
    history({"one", "two", "SLOW", "four", "five"});
    const Answer found = bisect({"--good", "at-one", "--slower-than", "1.1"});
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(found.json()["question"], "slower");
    EXPECT_EQ(found.json()["slower_than"], 1.1);
    EXPECT_EQ(found.json()["first_bad"], Json::array({commit("at-SLOW")}));
    EXPECT_THAT(found.json()["judged"][1]["seen"].get<std::string>(), HasSubstr("1.50×"));
    const Answer within = bisect({"--good", "at-one", "--slower-than", "2"}); // HEAD is not that slow
    EXPECT_EQ(within.code, 4);
}

TEST_F(Bisect, CommitsThatDoNotBuildAreSkipped)
{
    useJudge();
    history({"one", "BROKEN", "MENDED", "WRONG", "five"});
    const Answer found = bisect({"--good", "at-one", "--incorrect"});
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(found.json()["first_bad"], Json::array({commit("at-WRONG")}));
}

TEST_F(Bisect, SkippedCommitsLeaveSeveral)
{
    useJudge();
    makeUnclearHistory();
    const Answer found = bisect({"--good", "at-one", "--incorrect", "--bad", "main"});
    EXPECT_EQ(found.code, 3) << found.err;
    EXPECT_FALSE(found.json()["found"].get<bool>());
    EXPECT_EQ(found.json()["first_bad"].size(), 3U); // BROKEN, WRONG, which still does not build, and the last
    const Answer words = kloop({"bisect", file("repo/mine") + ":copy", "--good", "at-one", "--incorrect"});
    EXPECT_NE(words.code, 0);
    const Answer text = kloop({"bisect", file("repo/mine"), "--good", "at-one", "--incorrect"});
    EXPECT_EQ(text.code, 3) << text.err;
    const std::vector<std::string> rows = readRows(text.out);
    EXPECT_EQ(countCells(rows[0]), 3);
    EXPECT_THAT(rows, testing::Contains(testing::StartsWith(commit("at-one").substr(0, 12) + " | good | ")));
    EXPECT_THAT(rows, testing::Contains(testing::StartsWith(commit("at-BROKEN").substr(0, 12) + " | skipped | ")));
    for (const char* suspect : {"at-BROKEN", "at-WRONG", "main"})
        EXPECT_THAT(rows, testing::Contains(testing::StartsWith(commit(suspect) + ' ')));
    const std::vector<std::string> one =
        readRows(kloop({"bisect", file("repo/mine"), "--good", "at-one", "--bad", "at-BROKEN", "--builds"}).out);
    ASSERT_GE(one.size(), 2U);
    EXPECT_NE(rows[rows.size() - 4], one[one.size() - 2]) << "whether it is one of these or this one";
}

TEST_F(Bisect, FindsTheCommitThatDoesNotBuild)
{
    useJudge();
    history({"one", "two", "three", "BROKEN", "five"});
    const Answer found = bisect({"--good", "at-one", "--builds"});
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(found.json()["first_bad"], Json::array({commit("at-BROKEN")}));
    EXPECT_EQ(found.json()["judged"][1]["seen"], "k.cu(3): error: BROKEN");
    EXPECT_EQ(found.json()["question"], "builds");
    const Answer text = kloop({"bisect", file("repo/mine"), "--good", "at-one", "--builds", "--bad", "at-BROKEN"});
    EXPECT_EQ(text.code, 0) << text.err;
    const std::vector<std::string> rows = readRows(text.out);
    EXPECT_EQ(std::ranges::count_if(rows, [](const std::string& row) { return row.find(' ') == 40; }), 1) << "one whole hash";
    EXPECT_THAT(rows.back(), testing::StartsWith(commit("at-BROKEN") + ' '));
}

TEST_F(Bisect, OneCommitOrSeveralSnapshot)
{
    useJudge();
    makeUnclearHistory();
    const Answer one = kloop({"bisect", file("repo/mine"), "--good", "at-one", "--bad", "at-BROKEN", "--builds"});
    const Answer several = kloop({"bisect", file("repo/mine"), "--good", "at-one", "--incorrect"});
    const auto end = [](const Answer& answer) { return answer.out.substr(answer.out.find("\n\n") + 2); }; // below the table
    static const std::regex hash("[0-9a-f]{40}");
    expectSnapshot("cli/bisect-found.txt", std::regex_replace(end(one) + end(several), hash, "COMMIT"));
}

TEST_F(Bisect, WhatCannotBeSearchedIsReported)
{
    useJudge();
    history({"one", "two"});
    EXPECT_EQ(bisect({"--good", "at-one"}).code, 2);
    EXPECT_EQ(bisect({"--good", "at-one", "--incorrect", "--builds"}).code, 2);
    const Answer unknown = bisect({"--good", "nowhere", "--incorrect"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("\"nowhere\""));
    EXPECT_EQ(bisect({"--good", "at-two", "--bad", "at-one", "--incorrect"}).code, 4) << "not an ancestor";
    EXPECT_EQ(bisect({"--good", "at-one", "--incorrect"}).code, 4) << "the bad revision is not bad";
    ASSERT_EQ(kloop({"new-kernel", "loose", "--dir", file("loose")}).code, 0);
    EXPECT_EQ(kloop({"bisect", file("loose"), "--good", "HEAD", "--incorrect"}).code, 4) << "outside of a git repository";
    EXPECT_EQ(kloop({"bisect", "copy/vector", "--good", "HEAD", "--incorrect"}).code, 4);
}

TEST_F(Bisect, OneRevisionAsBothEndsIsRefusedBeforeAnythingIsMeasured)
{
    useRecorder();
    history({"one"});
    EXPECT_EQ(bisect({"--good", "at-one", "--bad", "at-one", "--incorrect"}).code, 4);
    EXPECT_EQ(read("requests").find("\"verb\":\"run\""), std::string::npos);
}

} // namespace
} // namespace kl::test
