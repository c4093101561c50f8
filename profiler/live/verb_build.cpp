// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "kernels/model/chip.h"
#include "profiler/live/nvrtc/compile_cache.h"

#include <fmt/format.h>

namespace kl {

Result<CompileAnswer> buildWork(const BuildRequest& request)
{
    const WorkSpec& work = request.work;
    if (work.image)
        return Error{ErrorCode::badInput,
                     fmt::format("{} is a binary ({}): there is nothing to build.", work.kernel, work.image->name),
                     "Choose a variant that has CUDA source.",
                     work.kernel,
                     {}};
    const Result<CompileCache*> cache = CompileCache::shared();
    if (!cache)
        return cache.error();
    const Result<std::string> target = chooseTarget(work.kernel, work.targets, request.arch);
    if (!target)
        return target.error();
    const Result<CompileCache::Compiled> compiled = (*cache)->compile({work.source, work.options, *target, work.headers});
    if (!compiled)
        return compiled.error();
    CompileAnswer answer;
    answer.arch = *target;
    answer.log = (*compiled)->log;
    answer.seconds = (*compiled)->seconds;
    if (!(*compiled)->ok) {
        answer.status = ResultStatus::compilationFailed;
        answer.reason = fmt::format("{} does not compile.", work.kernel);
    }
    return answer;
}

} // namespace kl
