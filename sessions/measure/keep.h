// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/store/unstored.h"

namespace kl {

/// Stores what was measured, whatever happens: a finished measurement is never discarded because a database does not take it. Where
/// another program writes, that is waited for, up to 30 s or until the job is stopped, with the measurement in a file meanwhile; what
/// cannot be stored stays in that file (Spool) and is stored when the database is next opened. The answer is empty where it is stored; else
/// a warning for the answer, which was told through job.notice: why it is not stored, and where it is.
std::optional<Warning> keep(Store& store, const Unstored& what, const Job& job);

/// The same for a record, which gets the warning.
void keep(Store& store, RunRecord& run, const Job& job);
void keep(Store& store, Comparison& comparison, const Job& job);

/// Adds what was kept in files for this database, where it can be written now. Error environment where a step of this session is among
/// what is left: the session has to wait for it.
Status addKept(Store& store, const SessionId& session);

} // namespace kl
