// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/device/device_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::cli {

/// The options of kloop itself, which may follow any command.
struct GlobalOptions {
    bool json = false;
    bool timings = false;
    bool trust = false;                              ///< commands that files name may run, and are remembered
    std::string db;                                  ///< empty: KERNELLOOP_DB or the default place
    std::string tree;                                ///< a diagnosis tree; empty: the user's own where there is one, else the program's
    std::optional<DeviceSpec> on;                    ///< unset: not given
    std::optional<std::vector<std::string>> program; ///< what follows a lone "--"; unset: there is none

    bool onSample() const { return on && on->kind == DeviceKind::sample; }
};

} // namespace kl::cli
