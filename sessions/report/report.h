// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "core/model/comparison.h"
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "sessions/report/report_model.h"
#include "sessions/store/store.h"

#include <functional>
#include <optional>
#include <string>

namespace kl::inline report {

/// Words a step for the readers of a report: a command of the command line.
using StepWriter = std::function<std::string(const NextStep& step)>;

enum class ReportFormat {
    html,  ///< one file, charts as inline SVG, for screen and paper
    print, ///< HTML in the subset that Qt's rich text draws (tables, images as data URLs): the window makes the PDF from it
    markdown,
    json,
    csv,
};

/// A report in every form: for reading, and as raw figures.
struct Report {
    ReportModel model;
    std::string json;       ///< its first field is "schema"
    ReportModel::Table csv; ///< raw figures: times in ns, money in dollars
};

/// Text of a report. The same report gives the same bytes.
std::string render(const Report& report, ReportFormat format);

/// One session: the same database gives the same bytes. JSON "kernelloop.report/1": {session, runs,
/// comparison, environment, estimate, history, applications, review}. Errors: notFound, badInput.
Result<Report> sessionReport(const Store& store, const Catalog& catalog, const SessionId& id);
/// The same, rendered.
Result<std::string> renderReport(const Store& store, const Catalog& catalog, const SessionId& id, ReportFormat format);

/// A against B. The runs are shown if they are stored. JSON "kernelloop.report-comparison/1": {comparison, a, b}.
Report comparisonReport(const Comparison& comparison, const std::optional<RunRecord>& a, const std::optional<RunRecord>& b);

/// All sessions: time, speedup, money, mistakes, grades, learning, the roadmap. JSON "kernelloop.report-history/1": {learning, roadmap}.
Result<Report> historyReport(const Store& store);

/// The library and the savings of each pattern, quoted and measured apart. JSON "kernelloop.report-patterns/1": {patterns, applications}.
Result<Report> patternReport(const Store& store);

/// What an assistant or a colleague needs to run the session after `id`: objective, gates, thresholds, rules, findings of the last
/// sessions, exact commands. JSON "kernelloop.prompt/1": {session, markdown}.
Result<Report> expertPrompt(const Store& store, const Catalog& catalog, const SessionId& id, const StepWriter& write);

/// What a session is going to do: its opening answers, phases with budgets and gates, the fixes to choose from, and the questions of its
/// document. Markdown to edit and check off. JSON "kernelloop.plan/1": {session, markdown}. Errors: notFound, badInput.
Result<Report> sessionPlan(const Store& store, const Catalog& catalog, const SessionId& id);

/// The method on one page: decisions, rules, gates, bottlenecks, commands. JSON "kernelloop.quick-reference/1": {markdown}.
Result<Report> quickReference(const DiagnosisTree& tree);

} // namespace kl::inline report
