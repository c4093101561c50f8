// SPDX-License-Identifier: MIT
#include "app/kloop/common/session_pick.h"

#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "core/codec/step_codec.h"
#include "sessions/learning/history.h"
#include "sessions/session/session_json.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/template_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<SessionId> resolveSessionId(Program& program, const std::string& session, Pick pick)
{
    KL_ASSIGN(auto* engine, program.engine());
    if (!session.empty())
        return engine->find(session);
    Result<SessionId> open = engine->latestOpen();
    if (open || pick == Pick::open)
        return open;
    const Result<Store*> store = program.store();
    KL_ASSIGN(const auto sessions, (*store)->sessions());
    for (auto it = sessions.rbegin(); it != sessions.rend(); ++it)
        if (!it->isShipped())
            return it->id;
    return open;
}

} // namespace

Result<SessionHeader> pickSession(Program& program, const std::string& session, Pick pick)
{
    KL_ASSIGN(const SessionId id, resolveSessionId(program, session, pick));
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(SessionHeader header, store->session(id));
    const bool sample = header.source == Source::sample;
    if (const GlobalOptions& options = program.options(); options.on && options.onSample() != sample)
        return Error{.code = ErrorCode::notComparable,
                     .message = fmt::format("Session {} was opened on {}; its measurements cannot be mixed with others.", header.name,
                                            sample ? "the recorded sample" : "a GPU"),
                     .hint = "Omit --on, or open another session.",
                     .where = "--on"};
    program.device().choose(header.source);
    return header;
}

Json offerToJson(const char* action, const std::string& title, const NextStep& step)
{
    Json row = stepsToJson({step}).front();
    row.update({{"action", action}, {"argument", ""}, {"title", title}, {"enabled", true}, {"reason", ""}});
    return row;
}

Json newSessionOffer(Program& program, const std::string& kernel, bool sample)
{
    std::vector<std::string> kinds;
    for (const KindRow& row : sessionKinds())
        if (!row.broken)
            kinds.push_back(row.kind);
    std::vector<std::string> families;
    if (const Result<const Catalog*> catalog = program.catalog())
        for (const KernelFamily& family : (*catalog)->families())
            families.push_back(family.id);
    NextStep step{StepId::newSession};
    if (const Result<SessionEngine*> engine = program.engine())
        if (const Result<std::string> free = (*engine)->nextName())
            step.set(StepArgument::name, *free);
    step.set(StepArgument::kernel, kernel);
    step.set(StepArgument::source, sample ? "sample" : "");
    if (const Result<Store*> store = program.store(); store && (*store)->location() != Store::defaultLocation())
        step.set(StepArgument::database, (*store)->location());
    step.inputs = {{StepArgument::objective, "What is it for, in a sentence?"}, {StepArgument::kind, "Which kind of session?", kinds}};
    if (kernel.empty())
        step.inputs.push_back({StepArgument::kernel, "Which kernel?", families});
    if (step.at(StepArgument::name).empty())
        step.inputs.push_back({StepArgument::name, "What is it called?"});
    return offerToJson("new", "Open a session", step);
}

namespace {

/// Budgets that are used up; none where they cannot be read, since a session continues anyway.
std::vector<Alert> collectAlerts(Program& program, const SessionView& view)
{
    const Result<Store*> store = program.store();
    if (!store)
        return {};
    Result<std::vector<Alert>> alerts = sessionAlerts(**store, view.header.id);
    return alerts ? std::move(*alerts) : std::vector<Alert>{};
}

Json alertToJson(const Alert& alert)
{
    Json json{{"code", alert.code}, {"text", alert.text}, {"command", alert.next ? formatCommand(*alert.next) : std::string()}};
    if (alert.next)
        json["step"] = stepsToJson({*alert.next}).front();
    return json;
}

} // namespace

Json composeAnswer(Program& program, const SessionView& view)
{
    Json json = sessionToJson(view);
    json["warnings"] = Json::array();
    for (const Alert& alert : collectAlerts(program, view))
        json["warnings"].push_back(alertToJson(alert));
    if (isOver(view)) {
        const NextStep report{StepId::writeReport, {{StepArgument::session, view.header.id.text}}, {{StepArgument::file, "Where to?"}}};
        json["afterwards"] = {offerToJson("report", "Write the report", report),
                              newSessionOffer(program, view.header.kernel, view.header.source == Source::sample)};
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
        nameSession(error.next, header, (*store)->location());
    return error;
}

int answerWith(Program& program, const SessionView& view, bool judged)
{
    if (!program.printAsJson(composeAnswer(program, view))) {
        printText("{}", renderSession(view));
        for (const Alert& alert : collectAlerts(program, view))
            printText("\n{} {}\n", applyTone("Warning:", Tone::bad),
                      withCommands(alert.text, alert.next ? std::vector{*alert.next} : std::vector<NextStep>{}));
    }
    return judged ? chooseExitCode(view) : 0;
}

} // namespace kl::cli
