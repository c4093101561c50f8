// SPDX-License-Identifier: MIT
#include "profiler/live/work/work_errors.h"

#include "profiler/live/cuda/driver.h"
#include "profiler/protocol/address_taken.h"

namespace kl::inline live {

std::optional<ResultStatus> findStatus(const Error& error)
{
    if (error.detail == kCompileFailure)
        return ResultStatus::compilationFailed;
    if (isDeviceLimit(error))
        return ResultStatus::deviceLimitsExceeded;
    if (error.detail == kRefuted)
        return ResultStatus::validationFailed;
    if (error.code == ErrorCode::kernelFailed)
        return ResultStatus::computationFailed;
    return {};
}

Error deviceLimit(std::string message, std::string hint)
{
    return {.code = ErrorCode::kernelFailed, .message = std::move(message), .hint = std::move(hint), .detail = "KL_DEVICE_LIMIT"};
}

Error addressTaken(std::string message)
{
    return {.code = ErrorCode::environment,
            .message = std::move(message),
            .hint = "Run it again: a process gets other addresses each time it starts.",
            .detail = kAddressTaken};
}

Error badWork(std::string message)
{
    return {.code = ErrorCode::badInput, .message = std::move(message), .where = "work specification"};
}

} // namespace kl::inline live
