// SPDX-License-Identifier: MIT
#include "profiler/remote/host_trouble.h"

namespace kl::inline remote {
namespace {

constexpr const char* kLost = "ssh:";
constexpr const char* kSlurmLost = "slurm:"; // which names of such hosts begin with
constexpr const char* kMissing = "kloop-worker on ";

} // namespace

Error makeHostLostError(const std::string& host, const std::string& why, const std::string& hint)
{
    return {.code = ErrorCode::environment, .message = why, .hint = hint, .where = host.starts_with(kSlurmLost) ? host : kLost + host};
}

bool isHostLost(const Error& error)
{
    return error.code == ErrorCode::environment && (error.where.starts_with(kLost) || error.where.starts_with(kSlurmLost));
}

Error makeWorkerMissingError(const std::string& host, const std::string& why, const std::string& system)
{
    return {.code = ErrorCode::environment,
            .message = why,
            .hint = "Install KernelLoop on that host, or allow this program to copy its worker there.",
            .where = kMissing + host,
            .detail = system};
}

bool isWorkerMissing(const Error& error)
{
    return error.code == ErrorCode::environment && error.where.starts_with(kMissing);
}

} // namespace kl::inline remote
