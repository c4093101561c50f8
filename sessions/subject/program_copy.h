// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/base/scratch_folder.h"
#include "sessions/target/target_spec.h"

#include <filesystem>
#include <map>
#include <string>

namespace kl::inline subjects {

/// A copy of a target's project in a temporary folder, removed by the destructor: what the old and the new version of an edit are built and
/// run in, side by side.
class ProgramCopy {
public:
    /// `texts`: by absolute path in the project, take the place of what is on disk. Errors: projectFiles'; environment: it cannot be
    /// written.
    static Result<ProgramCopy> make(const TargetSpec& spec, const std::map<std::string, std::string>& texts);

    const std::filesystem::path& folder() const noexcept { return scratch_.path(); }

private:
    explicit ProgramCopy(ScratchFolder scratch) : scratch_(std::move(scratch)) {}
    ScratchFolder scratch_;
};

/// Error refused where a command of the target names its folder by an absolute path: a copy would measure that folder, not itself.
Status canBeCopied(const TargetSpec& spec);

} // namespace kl::inline subjects
