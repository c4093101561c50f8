// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/launch_params.h"
#include "profiler/inject/module_images.h"
#include "profiler/inject/reached_memory.h"
#include "profiler/protocol/program_trace.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inject {

/// Writes one launch into a folder: arguments, machine code, the memory that it reaches before and after it. begin() just before the
/// launch, end() just after; in between no other launch may be made. Not thread-safe.
class LaunchLifter {
public:
    LaunchLifter(LiftRequest request, const ModuleImages& images) : request_(std::move(request)), images_(images) {}

    /// An allocation of the program's, with LiftRequest::allMemory.
    void sawAllocation(std::uint64_t address) { allocations_.insert(address); }

    /// Its context is current. What cannot be lifted is written with the reason.
    void begin(const std::string& kernel, int launch, const LaunchParams& params, const std::vector<std::string>& command);
    void end();

private:
    Status start(const LaunchParams& params);
    Status describe(const LaunchParams& params);
    Status takeImage(CUfunc_st* function);
    Status takeVariables(std::string_view image, CUmod_st* module);
    Status takeMemory(const std::string& arguments);
    Status copyBefore();
    Status copyAfter();
    Status save(const std::string& name, std::string_view bytes) const;
    void finish(const Status& done);

    LiftRequest request_;
    const ModuleImages& images_;
    std::set<std::uint64_t> allocations_;
    ReachedMemory reached_;
    LiftedLaunch lift_;
    std::vector<std::string> before_; ///< contents, in the order of lift_.memory
    bool open_ = false;               ///< the memory before the launch is there
};

} // namespace kl::inject
