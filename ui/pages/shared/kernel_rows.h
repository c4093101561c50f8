// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"
#include "ui/models/kernel_row.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kl::ui {

/// Rows of the kernel table, kept by the id of their run: measurements are immutable, so a record is unpacked once per start of the
/// program. Safe to call from several threads.
class KernelRows {
public:
    static KernelRows& instance();

    /// Rows of runs from opened files, then of the newest runs of the store that match the query, shares included. A record that cannot be
    /// read gives the row of its summary. Errors: the store's.
    Result<std::vector<KernelRow>> read(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query);
    /// The same without reading records: a row that is not known yet is that of its summary. At once, for a first look.
    Result<std::vector<KernelRow>> glance(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query);
    /// Rows of the runs that are of the same report or program as `run`; only the run itself if it is of neither.
    Result<std::vector<KernelRow>> readOrigin(const Store& store, const std::vector<RunRecord>& opened, const RunRecord& run);

private:
    Result<std::vector<KernelRow>> list(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query, bool unpack);
    KernelRow makeKernelRow(const RunRecord& run);
    KernelRow makeKernelRow(const Store& store, const RunSummary& run, bool unpack);

    std::mutex mutex_;
    std::unordered_map<std::string, KernelRow> known_;
};

} // namespace kl::ui
