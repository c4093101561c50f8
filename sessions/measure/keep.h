// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/store/unstored.h"

namespace kl::inline measure {

/// Stores a measurement under all circumstances: a finished measurement is never lost because the database cannot store it. If
/// another program is writing, it waits up to 30 s or until the job is stopped, with the measurement in a file; what
/// cannot be stored stays in that file (Spool) and is stored when the database is next opened. Returns nothing when stored; else
/// a warning for the answer, which job.notice also reported: why it is not stored, and where it is.
std::optional<Warning> keep(Store& store, const Unstored& what, const Job& job);

/// The same for a record, which gets the warning.
void keep(Store& store, RunRecord& run, const Job& job);
void keep(Store& store, Comparison& comparison, const Job& job);

/// Adds measurements kept in files for this database, if it is writable now. Error environment if a step of this session is among
/// what is left: the session has to wait for it.
Status addKept(Store& store, const SessionId& session);

} // namespace kl::inline measure
