// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/render/render.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<int> showSession(Program& program, const std::string& session)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    KL_ASSIGN(const SessionView view, (*program.engine())->view(header.id));
    return answerWith(program, view, false);
}

Result<int> evaluateGate(Program& program, const std::string& session, const std::string& id)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    KL_ASSIGN(const GateView gate, (*program.engine())->gate(header.id, id));
    KL_ASSIGN(const SessionView view, (*program.engine())->view(header.id));
    // The session's answer with this gate instead of the current one: one shape for every session verb.
    SessionView requestedView = view;
    requestedView.gate = gate.id;
    for (GateView& row : requestedView.gates)
        if (row.id == gate.id)
            row = gate;
    if (!program.printAsJson(composeAnswer(program, requestedView)))
        printText("{}", renderGate(gate));
    if (gate.progress == GateProgress::waived || gate.result == GateResult::pass)
        return 0;
    return gate.result == GateResult::fail ? 1 : exitCode(ErrorCode::inconclusive);
}

Result<int> showDiff(Program& program, const std::string& session)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::open));
    KL_ASSIGN(const SourceChange edit, (*program.engine())->edit(header.id));
    const Json answer{{"schema", "kernelloop.session-diff/1"},
                      {"session", header.id.text},
                      {"file", edit.file},
                      {"summary", edit.summary},
                      {"diff", edit.diff},
                      {"git", edit.git}};
    if (!program.printAsJson(answer))
        printText("{}, {}: one change, as rule one-variable requires\n\n{}", edit.file, edit.summary, renderDiff(edit.diff));
    return 0;
}

} // namespace

Runner addSessionShow(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    addSessionOption(app, *session);
    app.add_option("SESSION", *session, "Name or id");
    return [session](Program& program) { return showSession(program, *session); };
}

Runner addSessionGate(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    const auto gate = std::make_shared<std::string>();
    addSessionOption(app, *session);
    app.add_option("GATE", *gate, "Its id, e.g. G1 (default: the current one)");
    return [session, gate](Program& program) { return evaluateGate(program, *session, *gate); };
}

Runner addSessionDiff(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    addSessionOption(app, *session);
    return [session](Program& program) { return showDiff(program, *session); };
}

} // namespace kl::cli
