// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "kernels/space/search_space.h"
#include "profiler/device/device_spec.h"
#include "sessions/search/space_build.h"

#include <QString>

#include <string>

namespace kl {

/// A space as a job looks it up: the catalog may be another one by then. Everything here takes a while; errors: searchSpace's, notFound.
struct SpaceSubject {
    std::string family;
    std::string variant;
    Params problem;

    /// Every point judged.
    Result<SearchSpace> judge(const Catalog& catalog, const SpaceQuestion& question) const;
    /// The survivors compiled, by a worker of its own on the machine of `device`: that needs a toolkit and no GPU.
    Result<SpaceBuild> build(const Catalog& catalog, const SpaceQuestion& question, const DeviceSpec& device, const Job& job) const;
    /// On which GPUs of the device table one point survives, and which gate rejects it on the others: "Survives on A100, H200. Rejected by
    /// occupancy on T4." `question.fixed` names every tunable of the variant.
    Result<QString> elsewhere(const Catalog& catalog, SpaceQuestion question) const;
};

} // namespace kl
