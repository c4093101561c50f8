// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "kernels/space/search_space.h"
#include "profiler/device/device_spec.h"
#include "sessions/search/space_build.h"
#include "ui/models/space_table_model.h"

#include <QString>

#include <string>

namespace kl::ui {

/// A space by name, looked up in the job since the catalog may change meanwhile. All functions are slow; errors: searchSpace's, notFound.
struct SpaceSubject {
    std::string family;
    std::string variant;
    Params problem;

    /// Checks every point.
    Result<SearchSpace> judge(const Catalog& catalog, const SpaceQuestion& question) const;
    /// The points of a space of this subject.
    Result<std::vector<SpaceRow>> rows(const Catalog& catalog, const SearchSpace& space) const;
    /// Compiles the survivors with its own worker on the machine of `device`, which needs a toolkit but no GPU.
    Result<SpaceBuild> build(const Catalog& catalog, const SpaceQuestion& question, const DeviceSpec& device, const Job& job) const;
    /// On which GPUs of the device table one point survives, and which gate rejects it on the others: "Survives on A100, H200. Rejected by
    /// occupancy on T4." `question.fixed` names every tunable of the variant.
    Result<QString> elsewhere(const Catalog& catalog, SpaceQuestion question) const;
};

} // namespace kl::ui
