// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "sessions/store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// Points that a level needs before a change of it can be seen: fewer never raise an alarm.
inline constexpr std::size_t kRegressionPoints = 10;

/// A slow-down in a series that has not gone away.
struct Regression {
    std::size_t at = 0; ///< index of its first point
    double level = 0;   ///< robust level before: the median of the segment
    double limit = 0;   ///< what the points have to exceed
    double after = 0;   ///< robust level since
    double change = 0;  ///< after / level − 1
};

/// The last slow-down of a series that has not recovered. The series is cut into segments of one level. A segment ends where two points in
/// a row are beyond max(1 %, 4 robust sigma) of the median of up to 50 points before them, at least kRegressionPoints; sigma is 1.4826 ×
/// MAD, widened for few points. Above is a slow-down, below a speed-up; a slow-down is over when two points in a row are back below its
/// limit. With the spread between runs recorded on an H200 (0.38 % for a single kernel, tests/bench/results/between_runs.md) fewer than 1 %
/// of series of 100 unchanged runs raise an alarm, and more than 95 % of steps of 5 % are seen within 5 runs:
/// tests/sessions/regressions_test.cpp simulates both.
std::optional<Regression> findRegression(const std::vector<double>& series);

/// What somebody said about a slow-down.
enum class RegressionState {
    open,         ///< nobody has said anything: `kloop regress` fails
    acknowledged, ///< known
    fixed,        ///< repaired: the slow runs up to then are left out, and later ones are compared with the level before
    newNormal     ///< the slow level is what counts from now on
};
const char* toString(RegressionState state) noexcept; ///< "open", "acknowledged", "fixed", "new-normal"

/// A slow-down between runs of the same kernel, problem and device.
struct KernelRegression {
    std::string kernel; ///< canonical address
    std::string problem;
    std::string device;
    std::string firstRun; ///< id of the first slow run
    std::string since;    ///< its start, ISO 8601
    std::string newest;   ///< id of the newest run
    double levelNs = 0;
    double limitNs = 0;
    double afterNs = 0;
    double change = 0;
    RegressionState state = RegressionState::open;
    std::string note;
};

/// Every slow-down of live, correct, timed runs that is there now or has a mark, the open ones first.
Result<std::vector<KernelRegression>> regressions(const Store& store);

/// Marks the slow-down that `which` names: the id of its first run, or of any run of its series, or its kernel where only one has that.
/// A mark is added to those before it and can be undone. Errors: notFound; badInput for a kernel with several; unless `state` is
/// acknowledged, fixed or new-normal.
Result<KernelRegression> markRegression(Store& store, const std::string& which, RegressionState state, const std::string& note);
/// Takes the newest mark of that series back. Errors: notFound where it has none.
Result<KernelRegression> undoRegressionMark(Store& store, const std::string& which);

/// {kernel, problem, device, run, since, newest, level_ns, limit_ns, after_ns, change, state, note}
Json regressionToJson(const KernelRegression& regression);

} // namespace kl::inline learning
