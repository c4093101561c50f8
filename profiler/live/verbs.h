// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "profiler/live/session/gpu_session.h"
#include "profiler/protocol/build_messages.h"
#include "profiler/protocol/build_request.h"

namespace kl::inline live {

/// The requests on a prepared device. A kernel's failure is an answer with its status and reason; an Error means that the request
/// could not be served.
Result<CompileAnswer> compileWork(GpuSession& session, const CompileRequest& request, const Job& job);
Result<RunAnswer> runWork(GpuSession& session, const RunRequest& request, const Job& job);
Result<RunAnswer> profileWork(GpuSession& session, const ProfileRequest& request, const Job& job);
Result<CountAnswer> countWorks(GpuSession& session, const CountRequest& request, const Job& job);
Result<RunAnswer> launchWork(GpuSession& session, const LaunchRequest& request, const Job& job);
Result<AbAnswer> compareWorks(GpuSession& session, const AbRequest& request, const Job& job);
Result<TimelineAnswer> traceWork(GpuSession& session, const TimelineRequest& request, const Job& job);

/// Need no device.
Result<CompileAnswer> buildWork(const BuildRequest& request);
Result<BuildManyAnswer> buildMany(const BuildManyRequest& request, const Job& job);

/// The warning of an answer after which the worker exits.
Warning workerRestarts();

} // namespace kl::inline live
