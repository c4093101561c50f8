// SPDX-License-Identifier: MIT
#include "sessions/engine/attempts.h"

#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/engine/own_edit.h"
#include "sessions/session/session_model.h"
#include "sessions/subject/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {
namespace {

/// The session, which has an edit in progress.
Result<SessionModel> loadEditing(Workbench& bench, const SessionId& id)
{
    Result<SessionModel> model = loadSession(bench.store(), bench.catalog(), id);
    if (!model || (model->view.editing && model->family))
        return model;
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("No edit is begun in session {}.", model->view.header.name),
                 .hint = "Begin one.",
                 .where = "edit"};
}

/// What its run says, where it is still there.
void fillFromRun(const Store& store, Attempt& attempt)
{
    const Result<RunRecord> run = store.runWithoutCode(attempt.run);
    if (!run)
        return;
    attempt.status = run->status;
    attempt.correctness = run->correctness.result;
    if (run->timing && run->status == ResultStatus::ok)
        attempt.time = run->timing->gpu;
    if (run->diagnosis) {
        attempt.classId = run->diagnosis->finding.classId;
        attempt.finding = run->diagnosis->finding.title;
    }
}

} // namespace

Result<std::vector<Attempt>> listAttempts(const Store& store, const SessionView& view)
{
    if (!view.editing)
        return std::vector<Attempt>{};
    const auto begun =
        std::find_if(view.events.rbegin(), view.events.rend(), [](const SessionEvent& event) { return event.type == event::kEditBegun; });
    std::vector<Attempt> attempts{{.source = view.editing->before, .copy = view.editing->copy}};
    if (const auto profile = view.runs.find(Evidence::profile); profile != view.runs.end())
        attempts.front().run = profile->second;
    for (auto event = begun.base(); event != view.events.end(); ++event) {
        if (event->type != event::kAttempted)
            continue;
        KL_ASSIGN(const Json data, parseJson(event->dataJson, "an attempt"));
        attempts.push_back({.seq = event->seq,
                            .run = {data.value("run", "")},
                            .source = data.value("source", ""),
                            .summary = data.value("summary", ""),
                            .diff = data.value("diff", ""),
                            .copy = data.value("copy", "")});
    }
    for (Attempt& attempt : attempts)
        fillFromRun(store, attempt);
    return attempts;
}

Status measureAttempt(Workbench& bench, const SessionId& id, const Job& job)
{
    KL_ASSIGN(const SessionModel model, loadEditing(bench, id));
    Store& store = bench.store();
    KL_ASSIGN(const SourceChange change, OwnEdit(model, store).look());
    KL_ASSIGN(const std::vector<Attempt> before, listAttempts(store, model.view));
    if (std::ranges::find(before, change.after, &Attempt::source) != before.end())
        return {};
    KL_ASSIGN(const KernelFiles files, readKernelFiles(model.family->origin.descriptor));
    const std::unique_ptr<Subject> subject = makeSubject(bench, *model.family);
    KL_ASSIGN(const RunRecord run, subject->profile(model.view.current, model.view.problem, {}, job));
    KL_ASSIGN(const std::vector<SessionEvent> events, store.events(id));
    const int seq = events.back().seq + 1;
    const std::string copy = fmt::format("session/{}/edit-{}-attempt.json", id.text, seq);
    KL_TRY(store.saveArtifact(copy, encodeFiles(files)));
    return store.appendEvent(
        id, {seq, isoNow(), event::kAttempted,
             encode({{"run", run.id.text}, {"copy", copy}, {"source", change.after}, {"summary", change.summary}, {"diff", change.diff}})});
}

Status returnToAttempt(Workbench& bench, const SessionId& id, int seq)
{
    KL_ASSIGN(const SessionModel model, loadEditing(bench, id));
    Store& store = bench.store();
    KL_ASSIGN(const std::vector<Attempt> attempts, listAttempts(store, model.view));
    const auto chosen = std::ranges::find(attempts, seq, &Attempt::seq);
    if (chosen == attempts.end())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("Session {} has no attempt {}.", model.view.header.name, seq),
                     .hint = "Choose one of the list.",
                     .where = "attempt"};
    KL_ASSIGN(const std::string kept, store.artifact(chosen->copy));
    KL_ASSIGN(const KernelFiles then, decodeFiles(kept));
    KL_ASSIGN(const KernelFiles now, readKernelFiles(then.descriptor));
    const std::string left = encodeFiles(now);
    KL_TRY(store.saveArtifact(fmt::format("session/{}/edit-left-{}.json", id.text, contentHash(left)), left));
    return restoreFiles(then, editBetween(now, then).sources);
}

} // namespace kl::inline engine
