// SPDX-License-Identifier: MIT
#include "profiler/live/backend/backend.h"

#include "core/base/host_name.h"
#include "core/base/try.h"
#include "profiler/live/env/env_checks.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/protocol/message_codec.h"

#include <nlohmann/json.hpp>

namespace kl::inline live {
namespace {

class UnavailableBackend final : public Backend {
public:
    UnavailableBackend(const std::string& version, const std::string& reason, const std::string& hint)
    {
        hello_.version = version;
        hello_.host = hostName();
        hello_.unavailable = hint.empty() ? reason : reason + ' ' + hint;
    }

    const Hello& hello() const override { return hello_; }
    bool isLost() const override { return false; }

    Result<Json> answer(Verb verb, const Json& body, const Job&) override
    {
        ProbeAnswer probed;
        probed.countersReason = *hello_.unavailable;
        if (verb == Verb::probe) {
            probed.python = describePython();
            return toJsonMessage(probed);
        }
        if (verb != Verb::environment)
            return cannotMeasure(hello_);
        KL_ASSIGN(const EnvRequest request, fromJsonMessage<EnvRequest>(body));
        return toJsonMessage(runEnvChecks(request, [&] { return EnvFacts{hello_, probed, {}}; }));
    }

private:
    Hello hello_;
};

} // namespace

std::unique_ptr<Backend> makeUnavailableBackend(const std::string& version, const std::string& reason, const std::string& hint)
{
    return std::make_unique<UnavailableBackend>(version, reason, hint);
}

Error cannotMeasure(const Hello& hello)
{
    return Error{.code = ErrorCode::environment,
                 .message = hello.unavailable.value_or("This worker cannot measure."),
                 .hint = "The check of this machine says why.",
                 .where = "kloop-worker"}
        .leadTo({StepId::checkEnvironment});
}

} // namespace kl::inline live
