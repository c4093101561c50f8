// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "kernels/catalog.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline learning {

/// A change pays when it makes the kernel this many times as fast: the requirement of gate 5 for keeping a change.
inline constexpr double kFixPays = 1.20;

/// "89 % chance of ≥1.20×"; of a fix that does not change the kernel, so that there is no speedup, "50 % chance".
std::string fixChanceText(double chance, bool isChange);

/// A measured change: from the state that owns it to another point of the same kernel.
struct FixOutcome {
    std::string to;   ///< address after the change, or the title of an edit
    std::string kind; ///< slug: a fix of the diagnosis tree, or a name of the descriptor's own
    double gain = 0;  ///< ln(time before / time after): above 0 is faster

    bool operator==(const FixOutcome&) const = default;
};

/// The tree's confidence in a kind of fix.
struct FixTrust {
    double confidence = 0; ///< of the finding that names it; half of it for a secondary finding
    /// Runtime reduction that this finding promises, 0 to 1. A secondary finding promises no more than the first one, unless that promises
    /// less than what pays.
    std::optional<double> estimate;

    bool operator==(const FixTrust&) const = default;
};

/// The diagnosis of a kernel before a change, and its measured changes: the recommender's training data.
struct FixState {
    std::string family; ///< kernels of one problem: the id up to a "+", so that "matmul+tunable" counts as matmul
    std::string kernel; ///< address
    std::string problem;
    std::string device;
    std::string classId;                         ///< class of the finding
    std::optional<double> estimate;              ///< runtime reduction that the finding promises, 0 to 1
    std::vector<std::optional<double>> features; ///< ln(1 + value) of each of caseFeatures(); unset where not measured
    std::map<std::string, FixTrust> trust;       ///< by kind of fix; of several findings that name it the one that expects most
    bool own = false;                            ///< of this database, not shipped with the program
    std::vector<FixOutcome> outcomes;

    bool operator==(const FixState&) const = default;
};

/// ln of the speedup of an estimate: -ln(1 - estimate), within 0.02 and ln 20; ln 2 where a finding gives no estimate.
double computePromise(const std::optional<double>& estimate);

/// Ids of the quantities in whose space states are compared.
std::span<const std::string_view> caseFeatures();

/// What is known before a change, without outcomes. The run must be a profile; it is diagnosed again, so that every state is judged by the
/// same tree, and needs no confidence that was stored with it.
FixState computeState(const RunRecord& run, const DiagnosisTree& tree);

/// The kind of the one change that leads from a point of a kernel to another; unset where they differ in more, or in nothing, or where
/// the variants are not declared to be one change apart. A tunable without a declared meaning gives "NAME-up", "NAME-down"
/// or "NAME-VALUE" in small letters.
std::optional<std::string> classifyChange(const Catalog& catalog, const Address& from, const Address& to);

/// States of the runs that are profiles, with every other run of the same kernel, problem and device that is one change away as an outcome;
/// states without outcome are left out. Runs that failed, have an incorrect result or no time are left out.
std::vector<FixState> computeStates(const std::vector<RunRecord>& runs, const Catalog& catalog, const DiagnosisTree& tree);

/// The built-in ones (resources/fix-cases.json), measured on an H200. Error badInput names the field.
Result<std::vector<FixState>> loadShippedStates();
Result<std::vector<FixState>> parseStates(std::string_view json, std::string_view where);
/// The file's text, one state per line.
std::string statesToText(const std::vector<FixState>& states);

} // namespace kl::inline learning
