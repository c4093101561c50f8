// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/fix_model.h"
#include "sessions/store/store.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// One possible next change.
struct Recommendation {
    FixChance chance;
    std::string title;              ///< imperative: "Vectorize loads and stores to 16 bytes per thread"
    std::vector<std::string> ready; ///< addresses of points of the kernel that have this change; empty: an edit of the source
};

/// What to try next on a profiled kernel.
struct Advice {
    std::string kernel;
    std::string problem;
    std::string classId;
    std::string sentence; ///< "Likely fix: vectorize loads, 70 % chance of ≥1.20×, from 41 similar cases in 9 kernels."
    /// In FixOrder, as the fixes of a weighed finding are: what the tree suggests, what the kernel offers, what was learned.
    std::vector<Recommendation> changes;
    /// Index of the change that the sentence names: the first that is likely to pay off, else that of the largest expected gain.
    std::size_t best = 0;
    int cases = 0;           ///< measured changes that the model knows
    int own = 0;             ///< of them, of this database
    bool calibrated = false; ///< false: too few to learn from, chances are the tree's confidence
};

/// The shipped data only: trained once per process.
Result<std::shared_ptr<const FixModel>> loadShippedModel();
/// The shipped data and the measurements of this database. Errors: the store's.
Result<std::shared_ptr<const FixModel>> trainModel(const Store& store, const Catalog& catalog, const DiagnosisTree& tree);

/// The run must be a profile. A change that is neither a fix of the finding nor available as a variant is listed if at least kFewCases
/// similar cases had it and the tree does not say that it cannot apply.
Advice advise(const RunRecord& run, const Catalog& catalog, const DiagnosisTree& tree, const FixModel& model);

/// Puts the model's chances into the fixes of a diagnosis of `run`, and the fixes in FixOrder. A fix of no known kind keeps the tree's
/// confidence, and what does not change the kernel its place.
void weigh(Diagnosis& diagnosis, const RunRecord& run, const DiagnosisTree& tree, const FixModel& model);

/// The same of a diagnosed run, with an optional model: without it the findings are kept, their fixes with the tree's confidence,
/// and the warning says why.
std::optional<Warning> weighBy(const Result<std::shared_ptr<const FixModel>>& model, RunRecord& run, const DiagnosisTree& tree);

} // namespace kl::inline learning
