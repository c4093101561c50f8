// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <functional>
#include <memory>
#include <vector>

namespace kl::inline devices {

/// Opens one of several workers, on a thread of its own. `opening`: told about what takes its time; stops it.
using OpenWorker = std::function<Result<std::unique_ptr<Collector>>(const Job& opening)>;

/// Several workers as one device. What is expected (Collector::expect) is spread over them; its answers are given in the order of asking,
/// and one that has arrived is never lost, whatever becomes of the worker that gave it. A request whose worker is lost goes to another one.
/// All other requests go to one worker, the home, so that figures which are compared come from one GPU; the next takes its place when it is
/// lost. Returns once one worker is open; the others join when they are. One whose GPU is of another model is left out, with a notice.
/// Error: the first worker's, where none can be opened or none can measure.
Result<std::unique_ptr<Collector>> openSpread(std::vector<OpenWorker> workers, const Job& opening);

} // namespace kl::inline devices
