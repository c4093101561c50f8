// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/diagnostics/redactor.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/store/store.h"

#include <string>
#include <utility>
#include <vector>

namespace kl::inline diagnostics {

/// A part of the bundle: rows of name and value, then a text. All of it is redacted before it is written.
struct SupportSection {
    std::string title;
    std::vector<std::pair<std::string, std::string>> rows = {};
    std::string text = {};
};

/// What helps to find the cause of a problem, and nothing private: one text that can be read before it is sent.
///
/// It holds versions, the machine, the database's sizes, known settings, which of the user's kernels cannot be read, the hosts' states and
/// the newest logs of the environment check. It holds no run, session, note, source, command, or value of an unknown setting. Everything
/// passes through Redactor, with the paths, hosts and kernels that are known here.
struct SupportBundle {
    std::vector<SupportSection> sections;

    std::string text() const;
};

/// What the bundle is made from. Pointers may be null: what they stand for could not be opened.
struct SupportSources {
    std::string program; ///< "kloop 0.3"
    const Store* store = nullptr;
    std::string storeError; ///< why there is no store
    const Catalog* catalog = nullptr;
    std::vector<BrokenKernel> broken = {};
    std::vector<SupportSection> more = {}; ///< of the program, not yet redacted
};

/// Gathers the bundle. Parts that cannot be read say why.
SupportBundle gatherSupport(const SupportSources& sources);

/// "kernelloop-support-20251123-214500.txt", from the present time (UTC).
std::string supportFileName();

} // namespace kl::inline diagnostics
