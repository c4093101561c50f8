// SPDX-License-Identifier: MIT
#include "sessions/report/report.h"

#include "core/codec/run_codec.h"
#include "sessions/engine/session_engine.h"
#include "sessions/engine/session_model.h"
#include "sessions/report/report_model.h"

#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// The session's answer and the measurements it names in full; without `next`, which is about this machine.
std::string toReportJson(const SessionView& view)
{
    Json session = sessionToJson(view);
    session.erase("next");
    Json json{{"schema", "kernelloop.report/1"}, {"session", std::move(session)}, {"runs", Json::object()}};
    for (const auto& [name, run] : {std::pair{"smallest", &view.smallestRun}, std::pair{"baseline", &view.baselineRun},
                                    std::pair{"profile", &view.profileRun}, std::pair{"candidate", &view.candidateRun}})
        if (*run)
            json["runs"][name] = runToJson(**run);
    json["comparison"] = view.evaluation ? comparisonToJson(*view.evaluation) : Json(nullptr);
    return encodePretty(json) + '\n';
}

} // namespace

Result<std::string> renderReport(const Store& store, const Catalogue& catalogue, const SessionId& id, ReportFormat format)
{
    const Result<SessionModel> model = loadSession(store, catalogue, id);
    if (!model)
        return model.error();
    if (format == ReportFormat::json)
        return toReportJson(model->view);
    const Result<std::vector<Pattern>> patterns = store.patterns();
    if (!patterns)
        return patterns.error();
    const ReportModel report = reportOf(model->view, *patterns);
    if (format == ReportFormat::print)
        return toPrintHtml(report);
    return format == ReportFormat::html ? toHtml(report) : toMarkdown(report);
}

} // namespace kl
