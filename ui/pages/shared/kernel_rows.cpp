// SPDX-License-Identifier: MIT
#include "ui/pages/shared/kernel_rows.h"

#include "core/base/try.h"
#include "ui/widgets/text.h"

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostOfOrigin = 5000;               ///< runs among which those of one report are looked for
constexpr const char* kProgramFamily = "program"; ///< of kernels that belong to no catalog

/// The user's name for it before the kernel's, tags after it. They change, so the rows that are kept are without them.
void addLabels(const RunSummary& run, KernelRow& row)
{
    for (QString* name : {&row.name, &row.shortName}) {
        if (!run.name.empty())
            name->prepend(q(run.name) + QStringLiteral(" · "));
        for (const QString& tag : q(run.tags).split(u' ', Qt::SkipEmptyParts))
            *name += QStringLiteral(" #") + tag;
    }
}

} // namespace

KernelRows& KernelRows::instance()
{
    static KernelRows rows;
    return rows;
}

KernelRow KernelRows::makeKernelRow(const RunRecord& run)
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

KernelRow KernelRows::makeKernelRow(const Store& store, const RunSummary& run, bool unpack)
{
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = known_.find(run.id.text); found != known_.end())
            return found->second;
    }
    if (unpack)
        if (const Result<RunRecord> record = store.runWithoutCode(run.id))
            return makeKernelRow(*record);
    return describeKernel(run);
}

Result<std::vector<KernelRow>> KernelRows::list(const Store& store, const std::vector<RunRecord>& opened, const RunQuery& query,
                                                bool unpack)
{
    KL_ASSIGN(const std::vector<RunSummary> stored, store.runs(query));
    std::vector<KernelRow> rows;
    rows.reserve(opened.size() + stored.size());
    if (query.words.empty()) // else these are of the table that the words are looked for in
        for (const RunRecord& run : opened)
            rows.push_back(makeKernelRow(run));
    for (const RunSummary& run : stored) {
        rows.push_back(makeKernelRow(store, run, unpack));
        addLabels(run, rows.back());
    }
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
    const KernelRow mine = makeKernelRow(run);
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
