// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/options.h"

namespace kl {

Result<int> commandEnv(Program& program, const Options& options);
Result<int> commandKernels(Program& program, const Options& options);
Result<int> commandRun(Program& program, const Options& options);
Result<int> commandProfile(Program& program, const Options& options);
Result<int> commandAnalyze(Program& program, const Options& options);
Result<int> commandDecide(Program& program, const Options& options);
Result<int> commandAb(Program& program, const Options& options);
Result<int> commandCalibrate(Program& program, const Options& options);
Result<int> commandCompare(Program& program, const Options& options);
Result<int> commandPatterns(Program& program, const Options& options);
Result<int> commandReport(Program& program, const Options& options);
Result<int> commandDbInfo(Program& program, const Options& options);
Result<int> commandDbCheck(Program& program, const Options& options);
Result<int> commandDbBackup(Program& program, const Options& options);
Result<int> commandRecord(Program& program, const Options& options);
Result<int> commandVersion(Program& program, const Options& options);

Result<int> commandSessionNew(Program& program, const Options& options);
Result<int> commandSessionList(Program& program, const Options& options);
Result<int> commandSessionShow(Program& program, const Options& options);
Result<int> commandSessionStep(Program& program, const Options& options);
Result<int> commandSessionGate(Program& program, const Options& options);
Result<int> commandSessionAct(Program& program, const Options& options);
Result<int> commandSessionWaive(Program& program, const Options& options);
Result<int> commandSessionNote(Program& program, const Options& options);
Result<int> commandSessionPattern(Program& program, const Options& options);

} // namespace kl
