// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/sqlite.h"

namespace kl::inline store {

/// "KLdb", in the file's header: distinguishes KernelLoop databases from other SQLite files.
inline constexpr std::int64_t kApplicationId = 0x4B4C6462;

/// user_version that this program writes.
inline constexpr int kSchemaVersion = 9;

/// Brings a database from `from` (0: empty) to `to`, step by step, in one transaction: all or nothing.
/// Precondition: 0 ≤ from ≤ to ≤ kSchemaVersion.
Status migrate(const sqlite::Connection& connection, int from, int to = kSchemaVersion);

/// The steps: each brings a database of the version before to its own.
Status createSchema1(const sqlite::Connection& connection); ///< an empty file to version 1
Status migrateTo2(const sqlite::Connection& connection);    ///< settings; notes that can be removed and brought back
Status migrateTo3(const sqlite::Connection& connection);    ///< A/A noise; every series of a run's samples
Status migrateTo4(const sqlite::Connection& connection);    ///< pattern search, where a pattern was learned, entered costs
Status migrateTo5(const sqlite::Connection& connection);    ///< no table of metrics beside the records
Status migrateTo6(const sqlite::Connection& connection);    ///< names and tags; indexes for lists of runs and sessions
Status migrateTo7(const sqlite::Connection& connection);    ///< findings of later diagnosis trees
Status migrateTo8(const sqlite::Connection& connection);    ///< indexes for the runs of a family
Status migrateTo9(const sqlite::Connection& connection);    ///< American names of a rule and a pattern

} // namespace kl::inline store
