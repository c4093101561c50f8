// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/next_step.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

enum class Requirement { required, optional };
enum class CheckResult { pass, fail, skipped };

/// One line of the environment check: what was found, why it matters, how to fix it.
struct EnvCheck {
    std::string id;
    Requirement requirement = Requirement::required;
    CheckResult result = CheckResult::skipped;
    std::string found;
    std::string why;
    std::string fix;                 ///< in words; may hold a command of another program
    std::vector<NextStep> next = {}; ///< how KernelLoop itself helps

    bool operator==(const EnvCheck&) const = default;
};

struct EnvReport {
    std::vector<EnvCheck> checks;
    std::string logFile;          ///< the log of the check on this machine; empty for a recording
    std::optional<Error> refused; ///< why the project's extension was not built: its build is not allowed yet. Not stored

    bool operator==(const EnvReport&) const = default;
};

/// True when no required check failed and at least one passed.
inline bool passes(const EnvReport& report)
{
    bool any = false;
    for (const EnvCheck& check : report.checks) {
        if (check.requirement == Requirement::required && check.result == CheckResult::fail)
            return false;
        any = any || check.result == CheckResult::pass;
    }
    return any;
}

} // namespace kl
