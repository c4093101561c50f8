// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/render.h"
#include "app/kloop/session_pick.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/base/shell_line.h"
#include "core/codec/model_fields.h"
#include "sessions/engine/claims.h"
#include "sessions/engine/session_json.h"
#include "sessions/engine/suggestions.h"
#include "sessions/engine/template_library.h"
#include "sessions/learning/history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Result<std::map<std::string, std::string>> answersOf(const std::vector<std::string>& texts)
{
    std::map<std::string, std::string> answers;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{ErrorCode::usage,
                         fmt::format("\"{}\" is not QUESTION=ANSWER.", text),
                         "Questions: target-gpu, baseline, tools, smallest-size, success-criteria.",
                         "--answer",
                         {}};
        answers[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return answers;
}

/// A row of the shipped history, which stands in the sample database only: no engine view, but what its notes say.
void listShipped(const SessionHeader& header, Json& rows, Table& table)
{
    const Result<std::vector<HistoryRow>> shipped = sampleHistory();
    if (!shipped)
        return;
    for (const HistoryRow& row : *shipped) {
        if (row.name != header.name)
            continue;
        const std::optional<Figure> speedup = shown(row.speedup);
        const std::optional<Figure> minutes = shown(row.minutes);
        const std::string outcome = row.status == SessionStatus::endedEarly ? "ended early" : "complete";
        rows.push_back({{"id", header.id.text},
                        {"name", header.name},
                        {"kind", header.kind},
                        {"objective", header.objective},
                        {"kernel", header.kernel},
                        {"source", toWord(header.source)},
                        {"created_at", header.createdAt},
                        {"phase", "done"},
                        {"outcome", outcome},
                        {"speedup", speedup ? Json(speedup->value) : Json(nullptr)},
                        {"minutes", minutes ? Json(minutes->value) : Json(nullptr)}});
        table.add({header.name, header.kernel, "shipped", outcome, speedup ? formatRatio(speedup->value) : "",
                   minutes ? formatMinutes(minutes->value) : "", header.objective});
    }
}

} // namespace

Result<int> commandSessionNew(Program& program, const Options& options)
{
    const Result<Params> problem = oneProblem(options);
    const auto answers = answersOf(options.answers);
    if (!problem || !answers)
        return problem ? answers.error() : problem.error();
    NewSession request{options.first,      options.second, options.kind, options.kernel, *problem, *answers, {},
                       options.cumulative, options.git};
    for (const std::string& text : options.claims) {
        Result<Claim> claim = parseClaim(text);
        if (!claim)
            return claim.error();
        request.claims.push_back(std::move(*claim));
    }
    // A session that could not measure anything is not opened: better to hear of --on sample now than at its first step.
    if (const std::optional<Error> unusable = program.device().unusable())
        return *unusable;
    Result<std::string> kernel = program.keptKernel(options.kernel);
    if (!kernel)
        return kernel.error();
    request.kernel = std::move(*kernel);
    const Result<SessionEngine*> engine = program.engine();
    if (!engine)
        return engine.error();
    const Result<SessionView> view = (*engine)->create(request);
    if (!view)
        return view.error();
    return answerWith(program, *view, false);
}

Result<int> commandSessionList(Program& program, const Options& options)
{
    const Result<SessionEngine*> engine = program.engine();
    if (!engine)
        return engine.error();
    const Result<Store*> store = program.store();
    const auto sessions = (*store)->sessions();
    if (!sessions)
        return sessions.error();
    Json answer{{"schema", "kernelloop.sessions/1"}, {"sessions", Json::array()}};
    Table table({"session", "kernel", "phase", "outcome", "speedup>", "minutes>", "objective"});
    for (const SessionHeader& header : *sessions) {
        if (header.kind == "sample") {
            listShipped(header, answer["sessions"], table);
            continue;
        }
        const Result<SessionView> view = (*engine)->view(header.id);
        if (!view)
            return view.error();
        answer["sessions"].push_back({{"id", header.id.text},
                                      {"name", header.name},
                                      {"kind", header.kind},
                                      {"objective", header.objective},
                                      {"kernel", header.kernel},
                                      {"source", toWord(header.source)},
                                      {"created_at", header.createdAt},
                                      {"phase", view->phase},
                                      {"outcome", view->outcome},
                                      {"speedup", view->speedup ? Json(*view->speedup) : Json(nullptr)},
                                      {"minutes", view->minutes}});
        table.add({header.name, header.kernel, view->phase, view->outcome, view->speedup ? formatRatio(*view->speedup) : "",
                   formatMinutes(view->minutes), header.objective});
    }
    std::vector<NextAction> next;
    if (const Result<SessionId> open = (*engine)->latestOpen()) {
        const Result<SessionView> view = (*engine)->view(*open);
        NextAction resume{"resume", "", "Go on with " + (view ? view->header.name : open->text), "", {}, true, "", {}};
        resume.argv = {"kloop", "session", "resume", "--session", open->text};
        resume.command = shellLine(resume.argv);
        resume.argv.emplace_back("--json");
        next.push_back(std::move(resume));
    }
    next.push_back(newSessionAction(program, {}, options.on == "sample"));
    answer["next"] = nextToJson(next);
    if (!program.printed(answer)) {
        if (table.empty())
            printText("No session yet. Open one: kloop session new N+6 \"objective\" --kernel transpose\n");
        else
            printText("{}", table.text());
    }
    return 0;
}

Result<int> commandSessionKinds(Program& program, const Options& options)
{
    Json answer = kindsToJson();
    answer["next"] = nextToJson({newSessionAction(program, {}, options.on == "sample")});
    if (program.printed(answer))
        return 0;
    Table table({"kind", "minutes>", "gates", "what for", "from"});
    for (const KindRow& row : sessionKinds())
        table.add({row.kind, row.broken ? "" : formatMinutes(row.budgetMinutes), fmt::format("{}", fmt::join(row.gates, " ")),
                   row.broken ? "cannot be used: " + row.broken->message : row.title, row.own ? row.where : "KernelLoop"});
    printText("{}\nYour own kinds go to {}, one JSON file each.\n", table.text(), ownTemplatesFolder().string());
    return 0;
}

Result<int> commandSessionShow(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<SessionView> view = (*program.engine())->view(header->id);
    if (!view)
        return view.error();
    return answerWith(program, *view, false);
}

Result<int> commandSessionGate(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<GateView> gate = (*program.engine())->gate(header->id, options.gate);
    if (!gate)
        return gate.error();
    const Result<SessionView> view = (*program.engine())->view(header->id);
    if (!view)
        return view.error();
    // The session's answer with this gate in the place of the current one: one shape for every session verb.
    SessionView asked = *view;
    asked.gate = gate->id;
    for (GateView& row : asked.gates)
        if (row.id == gate->id)
            row = *gate;
    if (!program.printed(answerOf(program, asked)))
        printText("{}", renderGate(*gate));
    if (gate->progress == GateProgress::waived || gate->result == GateResult::pass)
        return 0;
    return gate->result == GateResult::fail ? 1 : exitCode(ErrorCode::inconclusive);
}

} // namespace kl
