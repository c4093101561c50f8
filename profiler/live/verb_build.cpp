// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/try.h"
#include "kernels/model/chip.h"
#include "profiler/live/nvrtc/compile_cache.h"

#include <fmt/format.h>

namespace kl::inline live {

Result<CompileAnswer> buildWork(const BuildRequest& request)
{
    const WorkSpec& work = request.work;
    if (work.image)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is a binary ({}): there is nothing to build.", work.kernel, work.image->name),
                     .hint = "Choose a variant that has CUDA source.",
                     .where = work.kernel};
    KL_ASSIGN(auto* cache, CompileCache::shared());
    KL_ASSIGN(const std::string target, chooseTarget(work.kernel, work.targets, request.arch));
    KL_ASSIGN(const CompileCache::Compiled compiled, cache->compile({work.source, work.options, target, work.headers}));
    CompileAnswer answer;
    answer.arch = target;
    answer.log = compiled->log;
    answer.seconds = compiled->seconds;
    if (!compiled->ok) {
        answer.status = ResultStatus::compilationFailed;
        answer.reason = fmt::format("{} does not compile.", work.kernel);
    }
    return answer;
}

} // namespace kl::inline live
