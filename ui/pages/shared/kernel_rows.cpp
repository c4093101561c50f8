// SPDX-License-Identifier: MIT
#include "ui/pages/shared/kernel_rows.h"

#include "core/base/try.h"

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostOfOrigin = 5000;               ///< runs among which those of one report are looked for
constexpr const char* kProgramFamily = "program"; ///< of kernels that belong to no catalog

} // namespace

KernelRows& KernelRows::instance()
{
    static KernelRows rows;
    return rows;
}

KernelRow KernelRows::rowOf(const RunRecord& run)
{
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = known_.find(run.id.text); found != known_.end())
            return found->second;
    }
    KernelRow row = describeKernel(run);
    const std::scoped_lock lock(mutex_);
    return known_.insert_or_assign(run.id.text, std::move(row)).first->second;
}

KernelRow KernelRows::rowOf(const Store& store, const RunSummary& run, bool unpack)
{
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = known_.find(run.id.text); found != known_.end())
            return found->second;
    }
    if (unpack)
        if (const Result<RunRecord> record = store.run(run.id))
            return rowOf(*record);
    return describeKernel(run);
}

Result<std::vector<KernelRow>> KernelRows::list(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query,
                                                bool unpack)
{
    KL_ASSIGN(const std::vector<RunSummary> stored, store.runs(query));
    std::vector<KernelRow> rows;
    rows.reserve(opened.size() + stored.size());
    for (const RunRecord& run : opened)
        rows.push_back(rowOf(run));
    for (const RunSummary& run : stored)
        rows.push_back(rowOf(store, run, unpack));
    addShares(rows);
    return rows;
}

Result<std::vector<KernelRow>> KernelRows::read(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query)
{
    return list(store, opened, query, true);
}

Result<std::vector<KernelRow>> KernelRows::glance(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query)
{
    return list(store, opened, query, false);
}

Result<std::vector<KernelRow>> KernelRows::readOrigin(const Store& store, const std::vector<RunRecord>& opened, const RunRecord& run)
{
    const KernelRow mine = rowOf(run);
    if (mine.origin.isEmpty())
        return std::vector<KernelRow>{mine};
    RunQuery query;
    query.kernel = kProgramFamily;
    query.profilesOnly = true;
    query.limit = kMostOfOrigin;
    KL_ASSIGN(std::vector<KernelRow> rows, read(store, opened, query));
    std::erase_if(rows, [&](const KernelRow& row) { return row.origin != mine.origin; });
    return rows;
}

} // namespace kl::ui
