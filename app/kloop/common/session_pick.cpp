// SPDX-License-Identifier: MIT
#include "app/kloop/common/session_pick.h"

#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/shell_line.h"
#include "sessions/engine/session_json.h"
#include "sessions/engine/suggestions.h"
#include "sessions/engine/template_library.h"
#include "sessions/learning/history.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<SessionId> idOf(Program& program, const std::string& session, Pick pick)
{
    const Result<SessionEngine*> engine = program.engine();
    if (!engine)
        return engine.error();
    if (!session.empty())
        return (*engine)->find(session);
    Result<SessionId> open = (*engine)->latestOpen();
    if (open || pick == Pick::open)
        return open;
    const Result<Store*> store = program.store();
    const auto sessions = (*store)->sessions();
    if (!sessions)
        return sessions.error();
    for (auto it = sessions->rbegin(); it != sessions->rend(); ++it)
        if (it->kind != "sample")
            return it->id;
    return open;
}

} // namespace

Result<SessionHeader> pickSession(Program& program, const std::string& session, Pick pick)
{
    const Result<SessionId> id = idOf(program, session, pick);
    if (!id)
        return id.error();
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    Result<SessionHeader> header = (*store)->session(*id);
    if (!header)
        return header;
    const bool sample = header->source == Source::sample;
    if (const GlobalOptions& options = program.options(); !options.on.empty() && options.onSample() != sample)
        return Error{ErrorCode::notComparable,
                     fmt::format("Session {} was opened on {}; its measurements cannot be mixed with others.", header->name,
                                 sample ? "the recorded sample" : "this machine's GPU"),
                     "Leave --on out, or open another session.",
                     "--on",
                     {}};
    program.device().choose(header->source);
    return header;
}

NextAction newSessionAction(Program& program, const std::string& kernel, bool sample)
{
    NextAction next;
    next.action = "new";
    next.title = "Open a session";
    std::vector<std::string> kinds;
    for (const KindRow& row : sessionKinds())
        if (!row.broken)
            kinds.push_back(row.kind);
    std::vector<std::string> families;
    if (const Result<const Catalog*> catalog = program.catalog())
        for (const KernelFamily& family : (*catalog)->families())
            families.push_back(family.id);
    std::string name = "NAME";
    if (const Result<SessionEngine*> engine = program.engine())
        if (const Result<std::string> free = (*engine)->nextName())
            name = *free;
    next.argv = {"kloop", "session", "new", name, "OBJECTIVE", "--kind", "KIND", "--kernel", kernel.empty() ? "KERNEL" : kernel};
    if (sample)
        next.argv.insert(next.argv.end(), {"--on", "sample"});
    if (const Result<Store*> store = program.store(); store && (*store)->location() != Store::defaultLocation())
        next.argv.insert(next.argv.end(), {"--db", (*store)->location()});
    next.command = shellLine(next.argv);
    next.argv.emplace_back("--json");
    next.inputs = {{"OBJECTIVE", "What is it for, in a sentence?", {}}, {"KIND", "Which kind of session?", kinds}};
    if (kernel.empty())
        next.inputs.push_back({"KERNEL", "Which kernel?", families});
    return next;
}

namespace {

/// Budgets that are used up; none where they cannot be read, since a session continues anyway.
std::vector<Alert> alertsOf(Program& program, const SessionView& view)
{
    const Result<Store*> store = program.store();
    if (!store)
        return {};
    Result<std::vector<Alert>> alerts = sessionAlerts(**store, view.header.id);
    return alerts ? std::move(*alerts) : std::vector<Alert>{};
}

} // namespace

Json answerOf(Program& program, const SessionView& view)
{
    Json json = sessionToJson(view);
    json["warnings"] = Json::array();
    for (const Alert& alert : alertsOf(program, view))
        json["warnings"].push_back({{"code", alert.code}, {"text", alert.text}, {"command", alert.command}});
    if (view.phase == "done") {
        NextAction report;
        report.action = "report";
        report.title = "Write the report";
        report.argv = {"kloop", "session", "report", view.header.id.text, "--html", "FILE"};
        report.command = shellLine(report.argv);
        report.argv.emplace_back("--json");
        report.inputs = {{"FILE", "Where to?", {}}};
        json["afterwards"] = nextToJson({report, newSessionAction(program, view.header.kernel, view.header.source == Source::sample)});
    }
    return json;
}

Json besideError(const SessionView& view)
{
    const Json whole = sessionToJson(view);
    Json part = Json::object();
    for (const char* key : {"session", "kind", "phase", "blocked", "rule", "why", "next"})
        part[key] = whole[key];
    return part;
}

Error errorIn(Error error, Program& program, const SessionHeader& header)
{
    if (const Result<Store*> store = program.store())
        error.hint = inSession(error.hint, header, (*store)->location());
    return error;
}

int answerWith(Program& program, const SessionView& view, bool judged)
{
    if (!program.printed(answerOf(program, view))) {
        printText("{}", renderSession(view));
        for (const Alert& alert : alertsOf(program, view))
            printText("\n{} {}\n", toned("Warning:", Tone::bad), alert.text);
    }
    return judged ? exitCodeOf(view) : 0;
}

} // namespace kl
