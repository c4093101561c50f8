// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/decide.h"
#include "core/diagnosis/tree.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "sessions/program/program_profile.h"
#include "sessions/session/session_view.h"

#include <string>
#include <vector>

/// Answers in words and tables, for people. The figures and verdicts come from below; nothing is decided here.
namespace kl::cli {

/// "transpose/naive at M=4096,N=4096"; a range of a report has no sizes.
std::string formatHeading(const RunRecord& run, const std::string& kernel);
/// `stored`: whether the database has it, for the last of its facts.
std::string renderRun(const RunRecord& run, bool stored = true);
std::string renderDiagnosis(const Diagnosis& diagnosis);
/// A comparison's quantity, value, sense and threshold; of a flag only what is asked of it, and the value where it was not measured.
std::vector<std::string> comparisonCells(const PathEntry& entry);
/// The five metrics against their targets, with what to do about those that miss; empty where none was measured.
std::string renderTargets(const RunRecord& run);
/// Every question of the tree in order: whether it was reached, its values, what they mean and how they are computed, and the answer.
/// Empty for a run without a diagnosis. `tree`: the one that made it.
std::string renderExplanation(const RunRecord& run, const DiagnosisTree& tree);
/// The hottest lines with their stalls; empty for a run whose program counters were not sampled, but for why it could not be done.
std::string renderHotLines(const RunRecord& run, const Catalog& catalog);
/// What PM sampling recorded over the launch's duration, or why it could not; empty where it was not requested.
std::string renderDuration(const RunRecord& run);
/// The results of Nsight Compute's rules, compared with our finding; empty for a run that it did not measure, or without rules.
std::string renderNcuOpinion(const RunRecord& run);
std::string renderComparison(const Comparison& comparison);
std::string renderEnvironment(const EnvReport& report);
std::string renderKernels(const Catalog& catalog);
std::string renderDecision(const Decision& decision);
std::string renderSession(const SessionView& view);
std::string renderGate(const GateView& gate);
/// A unified difference with its lines colored.
std::string renderDiff(const std::string& unified);
/// `explain`: the tree that diagnosed it, to print its questions, too; null for none.
std::string renderProgram(const ProgramProfile& profile, const Catalog& catalog, const DiagnosisTree* explain = nullptr);

} // namespace kl::cli
