// SPDX-License-Identifier: MIT
#include "sessions/engine/own_edit.h"

#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "kernels/user_kernel.h"
#include "sessions/edit/git.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/session/rules.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// The source file of a variant, absolute.
std::string sourceFile(const KernelFamily& family, const Variant& variant)
{
    const std::filesystem::path folder = std::filesystem::path(family.origin.descriptor).parent_path();
    return (folder / (variant.sourcePath.empty() ? family.sourcePath : variant.sourcePath)).lexically_normal().string();
}

/// The message: subject, what was measured and how, where to look it up.
std::string messageOf(const SessionView& view)
{
    std::string text = view.header.objective.empty() ? "Make " + toText(view.current) + " faster" : view.header.objective;
    const std::optional<Ratio> last = view.evaluation ? view.evaluation->ratio : std::nullopt;
    const Ratio whole = productOf(view.parked, last);
    if (last || !view.parked.empty())
        text = fmt::format("{}: {} {}", toText(view.current), formatRatio(whole.value), text);
    text += "\n\n";
    if (last)
        text += fmt::format("Old / new GPU time {} (95 % interval {}, {} blocks, A/B in turns) on {}{}.\n", formatRatio(last->value),
                            intervalText(*last), view.evaluation->blocks, toText(view.problem),
                            view.candidateRun ? ", " + view.candidateRun->device.name : std::string());
    for (const ParkedStep& step : view.parked)
        text += fmt::format("Before it: {}, {}.\n", step.title, ratioText(step.ratio));
    if (!view.parked.empty())
        text += fmt::format("All steps together {}.\n", ratioText(whole));
    if (view.candidateRun && view.candidateRun->timing) {
        text += fmt::format("GPU time {}, cold L2", formatTime(view.candidateRun->timing->gpu.median));
        if (view.candidateRun->speedup && view.candidateRun->baseline)
            text += fmt::format("; {} of the speed of {}", formatRatio(*view.candidateRun->speedup), view.candidateRun->baseline->name);
        text += ".\n";
    }
    if (view.candidateRun)
        text += fmt::format("Correct on all {} sizes of the suite.\n", view.candidateRun->correctness.suite.size());
    text += fmt::format("\nKernelLoop session {} ({})\n", view.header.name, view.header.id.text);
    return text;
}

Result<GitTree> treeOf(const std::string& file)
{
    Result<std::optional<GitTree>> tree = gitTreeOf(std::filesystem::path(file).parent_path().string());
    if (!tree)
        return tree.error();
    if (!*tree)
        return Error{ErrorCode::badInput,
                     fmt::format("{} is not in a git work tree, or git is not installed.", file),
                     "Keep without --git: the copies of the files stay in the database.",
                     file,
                     {}};
    return std::move(**tree);
}

std::optional<std::string> textIn(const KernelFiles& files, const std::string& path)
{
    const auto found = files.texts.find(path);
    return found == files.texts.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

Result<KernelFiles> OwnEdit::copy(const std::string& artifact) const
{
    const Result<std::string> text = store_.artifact(artifact);
    if (!text)
        return text.error();
    return decodeFiles(*text);
}

Result<std::string> OwnEdit::keepCopy(const KernelFiles& files, const char* what) const
{
    std::string name = fmt::format("session/{}/edit-{}-{}.json", model_.view.header.id.text, model_.view.lastSeq + 1, what);
    if (const Status saved = store_.saveArtifact(name, encodeFiles(files)); !saved)
        return saved.error();
    return name;
}

Result<Json> OwnEdit::begin(const std::string& fix, const std::string& goal) const
{
    if (!model_.editable())
        return Error{ErrorCode::badInput,
                     fmt::format("{} has no source that you can edit.", toText(model_.view.current)),
                     "Kernels of your own have one.",
                     kOwnEdit,
                     {}}
            .leadingTo({StepId::newKernel, {}, {{StepArgument::name, "What is it called?"}}})
            .leadingTo({StepId::addKernel, {}, {{StepArgument::file, "Which kernel.json?"}}});
    const Result<const Variant*> variant = model_.catalog->variant(model_.view.current);
    if (!variant)
        return variant.error();
    const Result<KernelFiles> files = readKernelFiles(model_.family->origin.descriptor);
    if (!files)
        return files.error();
    const Result<std::string> kept = keepCopy(*files, "before");
    if (!kept)
        return kept.error();
    const std::string file = sourceFile(*model_.family, **variant);
    const Result<std::optional<GitTree>> tree = gitTreeOf(std::filesystem::path(file).parent_path().string());
    return Json{{"file", file}, {"before", model_.sourceNow()}, {"copy", *kept}, {"git", tree && tree->has_value()}, {"fix", fix},
                {"goal", goal}};
}

BegunEdit OwnEdit::begun() const
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
    const BegunEdit begun = this->begun();
    const Result<KernelFiles> before = copy(begun.copy);
    if (!before)
        return before.error();
    const Result<KernelFiles> now = readKernelFiles(before->descriptor);
    if (!now)
        return now.error();
    const KernelEdit edit = editBetween(*before, *now);
    if (!edit.others.empty())
        return refusal(
            rule::kOneVariable,
            fmt::format("Apart from the source, this affects how the kernel is launched, tuned or checked, and it has changed: {}.",
                        fmt::join(edit.others, ", ")),
            "Restore it; a change that needs it must be a separate variant in the descriptor (\"fixes\").");
    const std::string wait = fmt::format("Edit {} and save it, then take the edit.", begun.file);
    if (edit.sources.empty())
        return Error{ErrorCode::refused, fmt::format("Nothing has changed yet in {}.", begun.file), wait, {}, {}}.leadingTo(
            {StepId::stepSession});
    Catalog edited = *model_.catalog;
    Result<KernelFamily> family = loadKernel(before->descriptor);
    if (!family)
        return family.error();
    if (const Status added = edited.add(std::move(*family)); !added)
        return added.error();
    const Result<WorkSpec> work = edited.work(model_.view.current, model_.view.problem);
    if (!work)
        return work.error();
    if (work->sourceHash == begun.before)
        return refusal(
            rule::kOneVariable,
            fmt::format("The edit is in {}, which {} is not built from.", fmt::join(edit.sources, ", "), toText(model_.view.current)), wait,
            {{StepId::stepSession}});
    return SourceChange{begun.file,
                        begun.before,
                        work->sourceHash,
                        fmt::format("+{} −{} lines", edit.diff.added, edit.diff.removed),
                        edit.diff.unified,
                        begun.copy,
                        {},
                        begun.git,
                        begun.goal};
}

Result<Json> OwnEdit::take() const
{
    Result<SourceChange> change = look();
    if (!change)
        return change.error();
    const Result<KernelFiles> before = copy(change->copyBefore);
    if (!before)
        return before.error();
    const Result<KernelFiles> now = readKernelFiles(before->descriptor);
    if (!now)
        return now.error();
    Result<std::string> kept = keepCopy(*now, "after");
    if (!kept)
        return kept.error();
    change->copyAfter = std::move(*kept);
    const std::string name = std::filesystem::path(change->file).filename().string();
    return Json{{"fix", begun().fix},
                {"title", fmt::format("{} of {}, {}", change->goal.empty() ? "Edit" : change->goal + ": edit", name, change->summary)},
                {"candidate", toText(model_.view.current)},
                {"changes", {name + ' ' + change->summary}},
                {"source",
                 {{"file", change->file},
                  {"before", change->before},
                  {"after", change->after},
                  {"summary", change->summary},
                  {"diff", change->diff},
                  {"copy_before", change->copyBefore},
                  {"copy_after", change->copyAfter},
                  {"git", change->git},
                  {"goal", change->goal}}}};
}

Result<Catalog> OwnEdit::before(const Catalog& now) const
{
    const Result<KernelFiles> files = copy(model_.view.sourceChange->copyBefore);
    if (!files)
        return files.error();
    Result<KernelFamily> family = loadKernel(files->descriptor, files->texts);
    if (!family)
        return family.error();
    Catalog catalog = now;
    if (const Status added = catalog.add(std::move(*family)); !added)
        return added.error();
    return catalog;
}

Result<Json> OwnEdit::commit() const
{
    const std::optional<SourceChange> change = wholeEdit(model_.view.parked, model_.view.sourceChange);
    if (!change)
        return Error{ErrorCode::badInput, "Only an edit of your own source can be committed.", "Keep without git.", "--git", {}};
    const Result<KernelFiles> before = copy(change->copyBefore);
    const Result<KernelFiles> after = copy(change->copyAfter);
    if (!before || !after)
        return before ? after.error() : before.error();
    const Result<GitTree> tree = treeOf(change->file);
    if (!tree)
        return tree.error();
    std::vector<std::string> paths;
    bool done = true; // a crash may have come between the commit and its event
    for (const std::string& path : editBetween(*before, *after).sources) {
        const std::optional<std::string> text = textIn(*after, path);
        if (!text) // no longer included
            continue;
        const Result<bool> old = headHolds(*tree, path, textIn(*before, path));
        const Result<bool> fresh = headHolds(*tree, path, text);
        if (!old || !fresh)
            return old ? fresh.error() : old.error();
        if (!*old && !*fresh)
            return Error{
                ErrorCode::badInput,
                fmt::format("The newest commit does not hold {} as it was when the edit began: the commit would contain more than what "
                            "was measured.",
                            path),
                "Keep without git and commit by hand; next time commit before you begin.",
                path,
                {}};
        done = done && *fresh;
        paths.push_back(path);
    }
    if (done)
        return Json{{"commit", tree->head}, {"branch", tree->branch}};
    const Result<std::string> made = commitFiles(*tree, paths, messageOf(model_.view));
    if (!made)
        return made.error();
    return Json{{"commit", *made}, {"branch", tree->branch}};
}

Result<Json> OwnEdit::restore() const
{
    const SessionFacts& facts = model_.view;
    const std::string kept = facts.editing        ? facts.editing->copy
                             : facts.sourceChange ? facts.sourceChange->copyBefore
                                                  : wholeEdit(facts.parked, {})->copyBefore;
    const Result<KernelFiles> before = copy(kept);
    if (!before)
        return before.error();
    const Result<KernelFiles> now = readKernelFiles(before->descriptor);
    if (!now)
        return now.error();
    const KernelEdit edit = editBetween(*before, *now);
    if (edit.sources.empty())
        return Json::object();
    const Result<std::string> found = keepCopy(*now, "reverted");
    if (!found)
        return found.error();
    if (const Status restored = restoreFiles(*before, edit.sources); !restored)
        return restored.error();
    return Json{{"copy", *found}, {"restored", kept}};
}

Result<std::string> OwnEdit::takeBack(const LastDecision& decision) const
{
    const SourceChange change = *wholeEdit(model_.view.parked, model_.view.sourceChange);
    const Result<GitTree> tree = treeOf(change.file);
    if (!tree)
        return tree.error();
    const Result<KernelFiles> before = copy(change.copyBefore);
    const Result<KernelFiles> after = copy(change.copyAfter);
    if (!before || !after)
        return before ? after.error() : before.error();
    if (const Status back = takeBackCommit(*tree, decision.commit, editBetween(*before, *after).sources); !back)
        return back.error();
    return fmt::format("commit {} taken back", decision.commit.substr(0, 12));
}

Result<std::string> OwnEdit::bringBack(const LastDecision& decision) const
{
    const Result<KernelFiles> edited = copy(decision.copy);
    if (!edited)
        return edited.error();
    const Result<KernelFiles> now = readKernelFiles(edited->descriptor);
    if (!now)
        return now.error();
    if (!decision.restored.empty()) {
        const Result<KernelFiles> before = copy(decision.restored);
        if (!before)
            return before.error();
        if (const KernelEdit since = editBetween(*before, *now); !since.sources.empty() && *now != *edited)
            return Error{
                ErrorCode::refused,
                fmt::format("{} was edited after the revert; undoing the revert would lose that edit.", fmt::join(since.sources, ", ")),
                "Save that edit elsewhere first, then undo again.",
                since.sources.front(),
                {}};
    }
    if (const Status restored = restoreFiles(*edited, editBetween(*now, *edited).sources); !restored)
        return restored.error();
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

} // namespace kl
