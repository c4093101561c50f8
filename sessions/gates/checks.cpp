// SPDX-License-Identifier: MIT
#include "sessions/gates/checks.h"

#include "sessions/gates/check_functions.h"

#include <cassert>
#include <map>

namespace kl {
namespace {

using CheckFunction = std::vector<CheckRow> (*)(const GateInput&);

const std::map<std::string, CheckFunction>& registry()
{
    static const std::map<std::string, CheckFunction> functions{
        {"environment", checks::environment},
        {"smallest-right", checks::smallestRight},
        {"kernel-right", checks::kernelRight},
        {"baseline-measured", checks::baselineMeasured},
        {"speedup-level", checks::speedupLevel},
        {"profile-taken", checks::profileTaken},
        {"metrics-measured", checks::metricsMeasured},
        {"passes-complete", checks::passesComplete},
        {"finding-classified", checks::findingClassified},
        {"one-variable", checks::oneVariable},
        {"shared-memory", checks::sharedMemory},
        {"suite-right", checks::suiteRight},
        {"finite", checks::finite},
        {"written", checks::written},
        {"peak-memory", checks::peakMemory},
        {"both-right", checks::bothRight},
        {"comparable", checks::comparable},
        {"improvement", checks::improvement},
    };
    return functions;
}

} // namespace

const std::vector<std::string>& knownChecks()
{
    static const std::vector<std::string> ids = [] {
        std::vector<std::string> names;
        for (const auto& [id, function] : registry())
            names.push_back(id);
        return names;
    }();
    return ids;
}

std::vector<CheckRow> evaluateCheck(const std::string& id, const GateInput& input)
{
    const auto found = registry().find(id);
    assert(found != registry().end());
    return found == registry().end() ? std::vector<CheckRow>{} : found->second(input);
}

} // namespace kl
