// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/catalog.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/session/action_arguments.h"
#include "sessions/session/session_model.h"

namespace kl::inline engine {

/// An edit of a user's kernel as the one change of a session. One variable at a time: the sources of the current variant, and what they
/// include, may change in any number of lines; the descriptor, the reference's script and data files, by which the kernel is launched,
/// tuned and judged, may not. Files that the kernel is not built from do not count. The copies of the files are kept as artifacts of the
/// session, so that nothing is lost with git or without it. Each gives the data of the event that tells of it.
class OwnEdit {
public:
    OwnEdit(const SessionModel& model, Store& store) : model_(model), store_(store) {}

    /// Keeps a copy of the current files. `fix`: id of the finding's fix that is to be made, with its title as `goal`; or kOwnEdit.
    /// Errors: badInput for a kernel without source text.
    Result<Json> begin(const std::string& fix, const std::string& goal) const;
    /// The files compared with the current variant: the change as it would be taken. Errors: refused while nothing has changed, or by
    /// one-variable.
    Result<SourceChange> look() const;
    /// Takes that as the candidate. Errors: refused while nothing has changed, or by one-variable.
    Result<Json> take() const;
    /// What the taken edit is launched, tuned and checked by is as it was then. Error refused by one-variable.
    Status sameRules() const;
    /// The files from before the edit.
    Result<KernelFiles> before() const;
    /// Commits the edit, with those that are parked below it and nothing else, and what was measured: {commit, branch}. Errors badInput: no
    /// git, HEAD holds other sources than the edit began with, commitFiles'.
    Result<Json> commit() const;
    /// Restores the files to their content before the current edit, else before the parked ones, after a copy of the current content:
    /// {copy, restored}.
    Result<Json> restore() const;
    /// Undoes the newest keep or revert: a commit is undone, restored files are changed back: {of, what}. Errors badInput: the
    /// commit is not the newest any more; refused: a file was edited since.
    Result<Json> undo() const;

private:
    /// The edit in progress, taken, or made on top of the last parked one.
    BegunEdit findBegunEdit() const;
    Result<KernelFiles> copy(const std::string& artifact) const;
    Result<std::string> keepCopy(const KernelFiles& files, const char* what) const;
    Result<std::string> takeBack(const LastDecision& decision) const;
    Result<std::string> bringBack(const LastDecision& decision) const;

    const SessionModel& model_;
    Store& store_;
};

} // namespace kl::inline engine
