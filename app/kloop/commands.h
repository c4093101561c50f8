// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"

namespace kl {

Result<int> commandEnv(Program& program, const Options& options);
Result<int> commandTrustList(Program& program, const Options& options);
Result<int> commandTrustAdd(Program& program, const Options& options);
Result<int> commandTrustRemove(Program& program, const Options& options);
Result<int> commandSmem(Program& program, const Options& options);
Result<int> commandOccupancy(Program& program, const Options& options);
Result<int> commandAdviseMemory(Program& program, const Options& options);
Result<int> commandAdviseLaunch(Program& program, const Options& options);
Result<int> commandKernels(Program& program, const Options& options);
Result<int> commandKernelsAdd(Program& program, const Options& options);
Result<int> commandKernelsRemove(Program& program, const Options& options);
Result<int> commandKernelsCheck(Program& program, const Options& options);
Result<int> commandKernelsSchema(Program& program, const Options& options);
Result<int> commandNewKernel(Program& program, const Options& options);
Result<int> commandBisect(Program& program, const Options& options);
Result<int> commandWatch(Program& program, const Options& options);
Result<int> commandSpace(Program& program, const Options& options);
Result<int> commandCompile(Program& program, const Options& options);
Result<int> commandSearch(Program& program, const Options& options);
Result<int> commandCacheInfo(Program& program, const Options& options);
Result<int> commandCacheClear(Program& program, const Options& options);
Result<int> commandBaselines(Program& program, const Options& options);
Result<int> commandRun(Program& program, const Options& options);
Result<int> commandProfile(Program& program, const Options& options);
Result<int> commandProfileProgram(Program& program, const Options& options);
Result<int> commandMetrics(Program& program, const Options& options);
Result<int> commandSanitize(Program& program, const Options& options);
Result<int> commandLaunch(Program& program, const Options& options);
Result<int> commandAnalyze(Program& program, const Options& options);
Result<int> commandShow(Program& program, const Options& options);
Result<int> commandImport(Program& program, const Options& options);
Result<int> commandExport(Program& program, const Options& options);
Result<int> commandTree(Program& program, const Options& options);
Result<int> commandConfusion(Program& program, const Options& options);
Result<int> commandDecide(Program& program, const Options& options);
Result<int> commandAb(Program& program, const Options& options);
Result<int> commandCalibrate(Program& program, const Options& options);
Result<int> commandCompare(Program& program, const Options& options);
Result<int> commandPatternsList(Program& program, const Options& options);
Result<int> commandPatternsShow(Program& program, const Options& options);
Result<int> commandPatternsSearch(Program& program, const Options& options);
Result<int> commandPatternsAdd(Program& program, const Options& options);
Result<int> commandPatternsApply(Program& program, const Options& options);
Result<int> commandPatternsSuggest(Program& program, const Options& options);
Result<int> commandPatternsRoi(Program& program, const Options& options);
Result<int> commandLearn(Program& program, const Options& options);
Result<int> commandLearnRules(Program& program, const Options& options);
Result<int> commandLearnModel(Program& program, const Options& options);
Result<int> commandRecommend(Program& program, const Options& options);
Result<int> commandCost(Program& program, const Options& options);
Result<int> commandCostPrice(Program& program, const Options& options);
Result<int> commandCostRate(Program& program, const Options& options);
Result<int> commandCostBudget(Program& program, const Options& options);
Result<int> commandCostAdd(Program& program, const Options& options);
Result<int> commandCostRemove(Program& program, const Options& options);
Result<int> commandRoadmap(Program& program, const Options& options);
Result<int> commandRoadmapAdd(Program& program, const Options& options);
Result<int> commandRoadmapEdit(Program& program, const Options& options);
Result<int> commandRoadmapRemove(Program& program, const Options& options);
Result<int> commandRoadmapReset(Program& program, const Options& options);
Result<int> commandReport(Program& program, const Options& options);
Result<int> commandPrompt(Program& program, const Options& options);
Result<int> commandQuickReference(Program& program, const Options& options);
Result<int> commandReviewExport(Program& program, const Options& options);
Result<int> commandReviewImport(Program& program, const Options& options);
Result<int> commandReviewComment(Program& program, const Options& options);
Result<int> commandReviewShow(Program& program, const Options& options);
Result<int> commandDbInfo(Program& program, const Options& options);
Result<int> commandDbCheck(Program& program, const Options& options);
Result<int> commandDbBackup(Program& program, const Options& options);
Result<int> commandRecord(Program& program, const Options& options);
Result<int> commandVersion(Program& program, const Options& options);

Result<int> commandSessionNew(Program& program, const Options& options);
Result<int> commandSessionKinds(Program& program, const Options& options);
Result<int> commandSessionBatch(Program& program, const Options& options);
Result<int> commandSessionResume(Program& program, const Options& options);
Result<int> commandSessionClaim(Program& program, const Options& options);
Result<int> commandSessionOption(Program& program, const Options& options);
Result<int> commandSessionList(Program& program, const Options& options);
Result<int> commandSessionShow(Program& program, const Options& options);
Result<int> commandSessionStep(Program& program, const Options& options);
Result<int> commandSessionGate(Program& program, const Options& options);
Result<int> commandSessionAct(Program& program, const Options& options);
Result<int> commandSessionWaive(Program& program, const Options& options);
Result<int> commandSessionDiff(Program& program, const Options& options);
Result<int> commandSessionNote(Program& program, const Options& options);
Result<int> commandSessionPattern(Program& program, const Options& options);

} // namespace kl
