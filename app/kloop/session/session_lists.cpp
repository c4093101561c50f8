// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/labels.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "sessions/learning/history.h"
#include "sessions/session/session_json.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/template_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// A row of the shipped history, in the sample database only: it has no engine view.
void listShipped(const SessionHeader& header, Json& rows, Table& table)
{
    const Result<std::vector<HistoryRow>> shipped = sampleHistory();
    if (!shipped)
        return;
    for (const HistoryRow& row : *shipped) {
        if (row.name != header.name)
            continue;
        const std::optional<Figure> speedup = findShownFigure(row.speedup);
        const std::optional<Figure> minutes = findShownFigure(row.minutes);
        const std::string outcome = nameOutcome(row);
        rows.push_back({{"id", header.id.text},
                        {"name", header.name},
                        {"kind", header.kind},
                        {"objective", header.objective},
                        {"kernel", header.kernel},
                        {"source", toWord(header.source)},
                        {"created_at", header.createdAt},
                        {"phase", "done"},
                        {"outcome", outcome},
                        {"gain", nullptr},
                        {"speedup", speedup ? Json(speedup->value) : Json(nullptr)},
                        {"minutes", minutes ? Json(minutes->value) : Json(nullptr)}});
        table.add({header.name, header.kernel, "shipped", outcome, "", speedup ? formatRatio(speedup->value) : "",
                   minutes ? formatMinutes(minutes->value) : "", header.objective, ""});
    }
}

struct ListedSessions {
    SessionQuery query;
    std::string find;
};

Result<int> listSessions(Program& program, const ListedSessions& options)
{
    SessionQuery query = options.query;
    query.words = splitWords(options.find);
    KL_ASSIGN(auto* engine, program.engine());
    const Result<Store*> store = program.store();
    KL_ASSIGN(auto sessions, (*store)->sessions(query));
    std::ranges::reverse(sessions); // oldest first
    Json answer{{"schema", "kernelloop.sessions/1"}, {"sessions", Json::array()}};
    Table table({"Session", "Kernel", "Stage", "Outcome", "Improvement>", "Speedup>", "Time>", "Objective", "Tags"});
    for (const SessionHeader& header : sessions) {
        if (header.isShipped()) {
            listShipped(header, answer["sessions"], table);
            continue;
        }
        KL_ASSIGN(const SessionView view, engine->view(header.id));
        KL_ASSIGN(const std::vector<std::string> tags, (*store)->tags("session:" + header.id.text));
        answer["sessions"].push_back({{"id", header.id.text},
                                      {"name", header.name},
                                      {"kind", header.kind},
                                      {"objective", header.objective},
                                      {"kernel", header.kernel},
                                      {"source", toWord(header.source)},
                                      {"created_at", header.createdAt},
                                      {"phase", view.phase},
                                      {"outcome", view.outcome},
                                      {"gain", computeGain(view) ? Json(*computeGain(view)) : Json(nullptr)},
                                      {"speedup", view.speedup ? Json(*view.speedup) : Json(nullptr)},
                                      {"minutes", view.minutes},
                                      {"tags", tags}});
        table.add({header.name, header.kernel, view.phase, view.outcome, computeGain(view) ? formatRatio(*computeGain(view)) : "",
                   view.speedup ? formatRatio(*view.speedup) : "", formatMinutes(view.minutes), header.objective,
                   fmt::format("{}", fmt::join(tags, " "))});
    }
    answer["next"] = Json::array();
    if (const Result<SessionId> open = engine->latestOpen()) {
        const Result<SessionView> view = engine->view(*open);
        answer["next"].push_back(offerToJson("resume", "Resume " + (view ? view->header.name : open->text),
                                             {StepId::resumeSession, {{StepArgument::session, open->text}}}));
    }
    answer["next"].push_back(newSessionOffer(program, {}, program.options().onSample()));
    if (!program.printAsJson(answer)) {
        if (table.empty())
            printText("No sessions yet. Open one: kloop session new N+6 \"objective\" --kernel transpose\n");
        else
            printText("{}", table.text());
    }
    return 0;
}

Result<int> listKinds(Program& program)
{
    Json answer = kindsToJson();
    answer["next"] = Json::array({newSessionOffer(program, {}, program.options().onSample())});
    if (program.printAsJson(answer))
        return 0;
    Table table({"Kind", "Time>", "Gates", "Purpose", "Source"});
    for (const KindRow& row : sessionKinds())
        table.add({row.kind, row.broken ? "" : formatMinutes(row.budgetMinutes), fmt::format("{}", fmt::join(row.gates, " ")),
                   row.broken ? "cannot be used: " + row.broken->message : row.title, row.own ? row.where : "KernelLoop"});
    printText("{}\nPut your own kinds in {}, one JSON file each.\n", table.text(), ownTemplatesFolder().string());
    return 0;
}

} // namespace

Runner addSessionList(CLI::App& app)
{
    const auto options = std::make_shared<ListedSessions>();
    app.add_option("--find", options->find, "Words that occur in the name, objective, kernel, kind or tags");
    app.add_option("--tag", options->query.tag, "Only sessions with this tag");
    app.add_option("--limit", options->query.limit, "The newest ones, at most (default 200)")->check(CLI::Range(1, 100000).description(""));
    return [options](Program& program) { return listSessions(program, *options); };
}

Runner addSessionKinds(CLI::App&)
{
    return listKinds;
}

} // namespace kl::cli
