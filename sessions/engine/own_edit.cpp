// SPDX-License-Identifier: MIT
#include "sessions/engine/own_edit.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/stats/ratio_text.h"
#include "sessions/edit/git.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/session/rules.h"
#include "sessions/target/target_family.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

/// The source file of a variant, absolute.
std::string sourceFile(const KernelFamily& family, const Variant& variant)
{
    const std::filesystem::path folder = std::filesystem::path(family.origin.descriptor).parent_path();
    return (folder / (variant.sourcePath.empty() ? family.sourcePath : variant.sourcePath)).lexically_normal().string();
}

/// The message: subject, what was measured and how, where to look it up.
std::string composeMessage(const SessionView& view)
{
    std::string text = view.header.objective.empty() ? "Make " + toText(view.current) + " faster" : view.header.objective;
    const std::optional<Ratio> last = view.evaluation ? view.evaluation->ratio : std::nullopt;
    const Ratio whole = computeProduct(view.parked, last);
    if (last || !view.parked.empty())
        text = fmt::format("{}: {} {}", toText(view.current), formatRatio(whole.value), text);
    text += "\n\n";
    if (last)
        text += fmt::format("Old / new GPU time {} (95 % CI {}, {} interleaved blocks) at {}{}.\n", formatRatio(last->value),
                            intervalText(*last), view.evaluation->blocks, toText(view.problem),
                            view.candidateRun ? " on " + view.candidateRun->device.name : std::string());
    for (const ParkedStep& step : view.parked)
        text += fmt::format("Before it: {}, {}.\n", step.title, ratioText(step.ratio));
    if (!view.parked.empty())
        text += fmt::format("All steps together {}.\n", ratioText(whole));
    if (view.candidateRun && view.candidateRun->timing) {
        text += fmt::format("GPU time {}, {}", formatTime(view.candidateRun->timing->gpu.median),
                            view.candidateRun->program ? "in its program" : "cold L2");
        if (view.candidateRun->speedup && view.candidateRun->baseline)
            text += fmt::format("; {} of the speed of {}", formatRatio(*view.candidateRun->speedup), view.candidateRun->baseline->name);
        text += ".\n";
    }
    if (view.candidateRun)
        text += fmt::format("Correct on all {} sizes of the suite.\n", view.candidateRun->correctness.suite.size());
    text += fmt::format("\nKernelLoop session {} ({})\n", view.header.name, view.header.id.text);
    return text;
}

Result<GitTree> openWorkTree(const std::string& file)
{
    KL_ASSIGN(std::optional<GitTree> tree, findGitTree(std::filesystem::path(file).parent_path().string()));
    if (!tree)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is not in a git work tree, or git is not installed.", file),
                     .hint = "Keep without a git commit: the copies of the files stay in the database.",
                     .where = file};
    return std::move(*tree);
}

std::optional<std::string> textIn(const KernelFiles& files, const std::string& path)
{
    const auto found = files.texts.find(path);
    return found == files.texts.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

Result<KernelFiles> OwnEdit::copy(const std::string& artifact) const
{
    KL_ASSIGN(const std::string text, store_.artifact(artifact));
    return decodeFiles(text);
}

Result<std::string> OwnEdit::keepCopy(const KernelFiles& files, const char* what) const
{
    std::string name = fmt::format("session/{}/edit-{}-{}.json", model_.view.header.id.text, model_.view.lastSeq + 1, what);
    KL_TRY(store_.saveArtifact(name, encodeFiles(files)));
    return name;
}

Result<Json> OwnEdit::begin(const std::string& fix, const std::string& goal) const
{
    if (!model_.editable())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has no source that you can edit.", toText(model_.view.current)),
                     .hint = "Kernels of your own have one.",
                     .where = kOwnEdit}
            .leadTo({StepId::newKernel, {}, {{StepArgument::name, "What is it called?"}}})
            .leadTo({StepId::addKernel, {}, {{StepArgument::file, "Which kernel.json?"}}});
    KL_ASSIGN(const Variant* variant, model_.catalog->variant(model_.view.current));
    KL_ASSIGN(const KernelFiles files, readKernelFiles(model_.family->origin.descriptor));
    KL_ASSIGN(const std::string kept, keepCopy(files, "before"));
    const std::string file = sourceFile(*model_.family, *variant);
    const Result<std::optional<GitTree>> tree = findGitTree(std::filesystem::path(file).parent_path().string());
    return Json{{"file", file}, {"before", model_.sourceNow()}, {"copy", kept}, {"git", tree && tree->has_value()}, {"fix", fix},
                {"goal", goal}};
}

BegunEdit OwnEdit::findBegunEdit() const
{
    const SessionFacts& facts = model_.view;
    if (facts.editing)
        return *facts.editing;
    if (facts.sourceChange)
        return {facts.sourceChange->file, facts.sourceChange->before, facts.sourceChange->copyBefore, facts.sourceChange->git, facts.fix,
                facts.sourceChange->goal};
    const SourceChange& last = *facts.parked.back().source;
    return {last.file, last.after, last.copyAfter, last.git, kOwnEdit, {}};
}

Result<SourceChange> OwnEdit::look() const
{
    const BegunEdit begun = this->findBegunEdit();
    KL_ASSIGN(const KernelFiles before, copy(begun.copy));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(before.descriptor));
    const KernelEdit edit = editBetween(before, now);
    if (!edit.others.empty())
        return refusal(
            rule::kOneVariable,
            fmt::format("Apart from the source, this affects how the kernel is launched, tuned or checked, and it has changed: {}.",
                        fmt::join(edit.others, ", ")),
            "Restore it; a change that needs it must be a separate variant in the descriptor (\"fixes\").");
    const std::string wait = fmt::format("Edit {} and save it, then take the edit.", begun.file);
    if (edit.sources.empty())
        return Error{.code = ErrorCode::refused, .message = fmt::format("Nothing has changed yet in {}.", begun.file), .hint = wait}.leadTo(
            {StepId::stepSession});
    Catalog edited = *model_.catalog;
    KL_ASSIGN(KernelFamily family, loadFamily(before.descriptor));
    KL_TRY(edited.add(std::move(family)));
    KL_ASSIGN(const WorkIdentity work, edited.identify(model_.view.current, model_.view.problem));
    if (work.sourceHash == begun.before)
        return refusal(
            rule::kOneVariable,
            fmt::format("The edit is in {}, which {} is not built from.", fmt::join(edit.sources, ", "), toText(model_.view.current)), wait,
            {{StepId::stepSession}});
    return SourceChange{begun.file,
                        begun.before,
                        work.sourceHash,
                        fmt::format("+{} −{} lines", edit.diff.added, edit.diff.removed),
                        edit.diff.unified,
                        begun.copy,
                        {},
                        begun.git,
                        begun.goal};
}

Result<Json> OwnEdit::take() const
{
    KL_ASSIGN(SourceChange change, look());
    KL_ASSIGN(const KernelFiles before, copy(change.copyBefore));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(before.descriptor));
    KL_ASSIGN(std::string kept, keepCopy(now, "after"));
    change.copyAfter = std::move(kept);
    const std::string name = std::filesystem::path(change.file).filename().string();
    return Json{{"fix", findBegunEdit().fix},
                {"title", fmt::format("{} of {}, {}", change.goal.empty() ? "Edit" : change.goal + ": edit", name, change.summary)},
                {"candidate", toText(model_.view.current)},
                {"changes", {name + ' ' + change.summary}},
                {"source",
                 {{"file", change.file},
                  {"before", change.before},
                  {"after", change.after},
                  {"summary", change.summary},
                  {"diff", change.diff},
                  {"copy_before", change.copyBefore},
                  {"copy_after", change.copyAfter},
                  {"git", change.git},
                  {"goal", change.goal}}}};
}

Status OwnEdit::sameRules() const
{
    KL_ASSIGN(const KernelFiles taken, copy(model_.view.sourceChange->copyAfter));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(taken.descriptor));
    const KernelEdit since = editBetween(taken, now);
    if (since.others.empty())
        return {};
    return refusal(rule::kOneVariable,
                   fmt::format("Since the edit was taken, this has changed, by which the kernel is launched, tuned or checked: {}.",
                               fmt::join(since.others, ", ")),
                   "Restore it.");
}

Result<KernelFiles> OwnEdit::before() const
{
    return copy(model_.view.sourceChange->copyBefore);
}

Result<Json> OwnEdit::commit() const
{
    const std::optional<SourceChange> change = wholeEdit(model_.view.parked, model_.view.sourceChange);
    if (!change)
        return Error{.code = ErrorCode::badInput,
                     .message = "Only an edit of your own source can be committed.",
                     .hint = "Keep without git.",
                     .where = "--git"};
    const Result<KernelFiles> before = copy(change->copyBefore);
    const Result<KernelFiles> after = copy(change->copyAfter);
    if (!before || !after)
        return before ? after.error() : before.error();
    KL_ASSIGN(const GitTree tree, openWorkTree(change->file));
    std::vector<std::string> paths;
    bool done = true; // a crash may have come between the commit and its event
    for (const std::string& path : editBetween(*before, *after).sources) {
        const std::optional<std::string> text = textIn(*after, path);
        if (!text) // no longer included
            continue;
        const Result<bool> old = headHolds(tree, path, textIn(*before, path));
        const Result<bool> fresh = headHolds(tree, path, text);
        if (!old || !fresh)
            return old ? fresh.error() : old.error();
        if (!*old && !*fresh)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format(
                             "The newest commit does not hold {} as it was when the edit began: the commit would contain more than what "
                             "was measured.",
                             path),
                         .hint = "Keep without git and commit by hand; next time commit before you begin.",
                         .where = path};
        done = done && *fresh;
        paths.push_back(path);
    }
    if (done)
        return Json{{"commit", tree.head}, {"branch", tree.branch}};
    KL_ASSIGN(const std::string made, commitFiles(tree, paths, composeMessage(model_.view)));
    return Json{{"commit", made}, {"branch", tree.branch}};
}

Result<Json> OwnEdit::restore() const
{
    const SessionFacts& facts = model_.view;
    const std::string kept = facts.editing        ? facts.editing->copy
                             : facts.sourceChange ? facts.sourceChange->copyBefore
                                                  : wholeEdit(facts.parked, {})->copyBefore;
    KL_ASSIGN(const KernelFiles before, copy(kept));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(before.descriptor));
    const KernelEdit edit = editBetween(before, now);
    if (edit.sources.empty())
        return Json::object();
    KL_ASSIGN(const std::string found, keepCopy(now, "reverted"));
    KL_TRY(restoreFiles(before, edit.sources));
    return Json{{"copy", found}, {"restored", kept}};
}

Result<std::string> OwnEdit::takeBack(const LastDecision& decision) const
{
    const SourceChange change = *wholeEdit(model_.view.parked, model_.view.sourceChange);
    KL_ASSIGN(const GitTree tree, openWorkTree(change.file));
    const Result<KernelFiles> before = copy(change.copyBefore);
    const Result<KernelFiles> after = copy(change.copyAfter);
    if (!before || !after)
        return before ? after.error() : before.error();
    KL_TRY(takeBackCommit(tree, decision.commit, editBetween(*before, *after).sources));
    return fmt::format("commit {} taken back", decision.commit.substr(0, 12));
}

Result<std::string> OwnEdit::bringBack(const LastDecision& decision) const
{
    KL_ASSIGN(const KernelFiles edited, copy(decision.copy));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(edited.descriptor));
    if (!decision.restored.empty()) {
        KL_ASSIGN(const KernelFiles before, copy(decision.restored));
        if (const KernelEdit since = editBetween(before, now); !since.sources.empty() && now != edited)
            return Error{.code = ErrorCode::refused,
                         .message = fmt::format("{} was edited after the revert; undoing the revert would lose that edit.",
                                                fmt::join(since.sources, ", ")),
                         .hint = "Save that edit elsewhere first, then undo again.",
                         .where = since.sources.front()};
    }
    KL_TRY(restoreFiles(edited, editBetween(now, edited).sources));
    return std::string("the edit is back");
}

Result<Json> OwnEdit::undo() const
{
    const LastDecision& decision = *model_.view.decision;
    Result<std::string> what = std::string("the decision is open again");
    if (decision.kept && !decision.commit.empty())
        what = takeBack(decision);
    else if (!decision.copy.empty())
        what = bringBack(decision);
    if (!what)
        return what.error();
    return Json{{"of", decision.seq}, {"what", *what}};
}

} // namespace kl::inline engine
