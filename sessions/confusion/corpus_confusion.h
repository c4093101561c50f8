// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "sessions/confusion/confusion.h"
#include "sessions/confusion/corpus.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline confusion {

/// A unit whose share of its peak contradicts the class of a finding.
struct Contradiction {
    std::string unit;   ///< quantity of the diagnosis: "dram_percent"
    double percent = 0; ///< over the launch's whole time
};

/// At least this share of its peak, in percent, and a unit is what limits the launch.
inline constexpr double kUnitAtItsRoof = 80;

/// The busiest unit of a launch, if it is at its roof (kUnitAtItsRoof) while no unit that the class is about is. A class about waste
/// (uncoalesced, bank-conflicts, register-spills, divergence) is about the units that the waste keeps busy; one about waiting or about the
/// launch is about none. Issue slots that the pipe of the class fills are no other unit. Unset without counters.
std::optional<Contradiction> findContradiction(const std::string& classId, const RunRecord& run);

/// The judges of the corpus: by Judge::early nothing is found.
inline constexpr std::array<Judge, 4> kCorpusJudges{Judge::counters, Judge::inferred, Judge::ncu, Judge::ncuSpeedOfLight};

/// A case with the class that each judge gave it.
struct JudgedCase {
    CorpusCase label;
    std::array<std::string, kJudges.size()> found; ///< by Judge; empty: not recorded
    std::map<std::string, std::string> failed;     ///< by mode: why it was not recorded
    std::optional<Contradiction> contradiction;    ///< of the class found with counters

    const std::string& by(Judge judge) const { return found[static_cast<std::size_t>(judge)]; }
    bool isRecorded() const;
};

/// How often the corpus's truth is found.
struct CorpusConfusion {
    std::vector<JudgedCase> cases; ///< of the part that is scored
    bool heldOut = false;          ///< that part: those held out, or all others

    using Filter = std::function<bool(const JudgedCase&)>;
    Rate rate(Judge judge, const Filter& filter = {}) const;
    int countRecorded() const;
    std::vector<const JudgedCase*> contradictions() const;
    Rate countBalanced() const; ///< cases that were found to be balanced, of those with counters
};

/// Diagnoses each recorded case of the part, with its counters and without. What was recorded without counters is diagnosed as it is, else
/// the run with counters without them (withoutCounters).
CorpusConfusion corpusConfusion(const std::vector<CorpusCase>& cases, const CorpusRecords& records, const DiagnosisTree& tree,
                                bool heldOut);

/// Tables of a markdown document: rates by class and framework, a row per case that is not found, contradictions, what is not recorded.
std::string corpusMarkdown(const CorpusConfusion& confusion);

} // namespace kl::inline confusion
