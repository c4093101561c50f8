// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline device {

/// A named group of metrics that answers one question about a kernel, as Nsight Compute's sections do.
struct MetricSection {
    std::string id;                   ///< "MemoryWorkload"
    std::vector<std::string> aliases; ///< other words for it, Nsight Compute's among them
    std::string title;
    std::string help;
    std::vector<std::string> metrics; ///< CUPTI names, in the order of the catalog's conventions
    std::vector<std::string> chips;   ///< that have the metrics, by the start of their name ("GH"); empty: all of them

    bool isOn(std::string_view chip) const; ///< "GH100"
};

/// resources/sections.json. Error badInput names the section and field.
Result<std::vector<MetricSection>> parseSections(std::string_view json, std::string_view where);

/// The sections that the program carries; empty only if the embedded file is damaged, which a test rules out.
const std::vector<MetricSection>& metricSections();

/// Metrics of the named sections together, each once, in order. Ids and aliases, whatever their case; "all" means every section.
/// Error usage lists the sections, the nearest first.
Result<std::vector<std::string>> listSectionMetrics(const std::vector<std::string>& names);

} // namespace kl::inline device
