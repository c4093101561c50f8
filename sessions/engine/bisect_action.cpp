// SPDX-License-Identifier: MIT
#include "sessions/engine/session_actions.h"

#include "core/base/try.h"
#include "sessions/edit/git.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

namespace fs = std::filesystem;

/// Whether the newest failure of the session is one of its build.
bool failsToBuild(const SessionView& view)
{
    for (const std::optional<RunRecord>* run : {&view.candidateRun, &view.minimalRun, &view.startRun, &view.smallestRun})
        if (*run)
            return (*run)->status == ResultStatus::compilationFailed;
    return view.build && view.build->unavailable.empty() && view.build->status != "ok";
}

std::string subjectIn(const BisectResult& result, const std::string& commit)
{
    const auto found = std::ranges::find(result.judged, commit, &JudgedRevision::commit);
    return found == result.judged.end() ? std::string() : found->subject;
}

/// What the search found, as one sentence.
std::string describe(const BisectResult& result)
{
    if (result.firstBad.size() != 1)
        return fmt::format("{} commits were tried; it is one of {} that could not be told apart.", result.judged.size(),
                           result.firstBad.size());
    const std::string& commit = result.firstBad.front();
    return fmt::format("{} commits were tried; the first bad one is {} {}.", result.judged.size(), commit.substr(0, 12),
                       subjectIn(result, commit));
}

} // namespace

Result<SessionEvent> SessionActions::bisect(const std::string& good)
{
    const SessionView& view = model_.view;
    const fs::path kept = subject_->historyFile();
    const std::string folder = kept.parent_path().string();
    KL_ASSIGN(const std::optional<GitTree> tree, findGitTree(folder));
    if (!tree)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is not in a git repository, or git is not installed.", folder),
                     .hint = "Write down what the last working version was.",
                     .where = folder}
            .leadTo({StepId::noteInSession, {}, {{StepArgument::text, "What was the last working version?"}}});
    std::string from = good;
    if (from.empty()) {
        KL_ASSIGN(from, findOldestCommit(*tree, fs::weakly_canonical(kept).lexically_relative(fs::weakly_canonical(tree->root)).string()));
    }
    const RevisionQuestion question{failsToBuild(view), view.current, view.failingProblem.value_or(view.problem)};
    const JudgeRevision judge = subject_->judge(question, tree->root, job_);
    const Result<BisectResult> result = bisectRevisions(folder, from, "HEAD", judge, job_);
    if (!result && result.error().code != ErrorCode::badInput)
        return result.error();
    // An end that is not what it should be is an answer, too: HEAD may be good, and the fault in what is not committed.
    const std::string found = result ? describe(*result) : result.error().message;
    return event(event::kHistoryLooked,
                 {{"how", "bisect"}, {"found", found}, {"first_bad", result ? Json(result->firstBad) : Json::array()}});
}

} // namespace kl::inline engine
