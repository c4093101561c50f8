// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "core/model/imported.h"
#include "core/model/measurement.h"
#include "core/model/pm_sampling.h"
#include "core/model/source_profile.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline nsight {

/// One kernel, range or graph of another tool's file.
struct ImportedResult {
    ImportFacts facts;
    std::map<std::string, std::optional<double>> values; ///< in base units (ns, bytes, Hz, per second, percent); unset: see `missing`
    std::map<std::string, std::string> missing;          ///< metric to reason
    std::string startedAt;                               ///< UTC, ISO 8601; empty when the file does not say
    std::string replayMode;   ///< how the tool repeated the work for each pass: "kernel", "application", "range"; empty when not known
    std::string cacheControl; ///< "flushed before every pass", "none"; empty when not known
    std::vector<Warning> warnings;
    std::optional<PmSampling> series;    ///< metrics over its duration; unset where the file has none
    std::optional<SourceProfile> source; ///< samples and counters of its instructions; unset where the file has none
    DeviceInfo device;                   ///< as in the file; zeros for the rest

    /// Stores the file's value of a metric: a number, else a text, else the reason for neither. The first value of a name counts.
    void take(const std::string& metric, std::optional<double> figure, const std::string& text, const std::string& whyMissing);

    bool operator==(const ImportedResult&) const = default;
};

/// A file of another tool, read whole.
struct ImportedFile {
    std::vector<ImportedResult> results; ///< in the file's order; never empty
    std::vector<Warning> notes;          ///< what was not read, and why
};

} // namespace kl::inline nsight
