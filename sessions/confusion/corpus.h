// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"
#include "sessions/confusion/ncu_rules.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline confusion {

/// A real call and the class that limits it, which follows from how the call is made (tests/corpus/labels.json).
struct CorpusCase {
    std::string id;
    std::string framework;         ///< the process that makes the call: torch, triton, jax, cupy, cuda
    std::string library;           ///< whose kernel it launches: cublas, cub, own, …
    std::string call;              ///< as text
    std::string arguments;         ///< shapes and types, as text
    std::string subject;           ///< "kernel", or "program" for the program as a whole
    std::string expected;          ///< class
    std::vector<std::string> also; ///< classes that are as correct
    std::string tie;               ///< why they are
    std::string why;               ///< why `expected` follows from the call
    bool heldOut = false;          ///< not to be looked at while thresholds are tuned

    bool accepts(std::string_view classId) const;
};

/// Error badInput names what is missing or wrong; ids are unique.
Result<std::vector<CorpusCase>> parseCorpus(std::string_view json, std::string_view where);

/// What was recorded of a case, by tests/corpus/record.py.
struct CorpusRecord {
    std::optional<RunRecord> counters;         ///< the judged launch, with its counters
    std::optional<RunRecord> bare;             ///< recorded without counters
    std::optional<NcuVerdict> ncu;             ///< Nsight Compute's rules about the launch
    std::optional<std::string> program;        ///< class of the program as a whole; "none" if its finding was none
    std::optional<std::string> programBare;    ///< the same, recorded without counters
    std::map<std::string, std::string> failed; ///< by mode, "counters", "bare" or "ncu": why there is nothing
};

/// By the case's id.
using CorpusRecords = std::map<std::string, CorpusRecord>;

/// A part of a recording that cannot be read, and is left out.
struct DamagedRecording {
    std::string where; ///< "torch.jsonl:17", or the file
    std::string why;   ///< one sentence

    bool operator==(const DamagedRecording&) const = default;
};

/// Adds the lines of one file (a JSON object each). Later lines replace earlier ones of the same case and mode. Returns those that are left
/// out: cut off, not about a case and a mode, or with a run or rules that cannot be read.
std::vector<DamagedRecording> addRecords(std::string_view lines, std::string_view where, CorpusRecords& records);

} // namespace kl::inline confusion
