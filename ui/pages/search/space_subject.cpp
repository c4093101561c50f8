// SPDX-License-Identifier: MIT
#include "ui/pages/search/space_subject.h"

#include "core/base/try.h"
#include "core/device/arch.h"
#include "core/device/device_table.h"
#include "profiler/device/open_device.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <map>

namespace kl::ui {
namespace {

QString elsewhereWords(const char* text)
{
    return QCoreApplication::translate("PointCard", text);
}

struct Found {
    const KernelFamily* family;
    const Variant* variant;
};

Result<Found> lookUp(const Catalog& catalog, const SpaceSubject& subject)
{
    const Result<const KernelFamily*> family = catalog.family(subject.family);
    const Result<const Variant*> variant = catalog.variant({subject.family, subject.variant, {}});
    if (!family || !variant)
        return family ? variant.error() : family.error();
    return Found{*family, *variant};
}

} // namespace

Result<SearchSpace> SpaceSubject::judge(const Catalog& catalog, const SpaceQuestion& question) const
{
    const Result<Found> found = lookUp(catalog, *this);
    return found ? searchSpace(*found->family, *found->variant, question) : Result<SearchSpace>(found.error());
}

Result<std::vector<SpaceRow>> SpaceSubject::rows(const Catalog& catalog, const SearchSpace& space) const
{
    KL_ASSIGN(const Found found, lookUp(catalog, *this));
    std::vector<SpaceRow> rows;
    rows.reserve(space.points.size());
    for (const SpacePoint& point : space.points)
        rows.push_back({point, makeAddress(*found.family, *found.variant, point.tunables).tunables, {}});
    return rows;
}

Result<SpaceBuild> SpaceSubject::build(const Catalog& catalog, const SpaceQuestion& question, const DeviceSpec& device,
                                       const Job& job) const
{
    KL_ASSIGN(const std::unique_ptr<Collector> worker, openDevice(chooseCompilingDevice(device)));
    const Result<Found> found = lookUp(catalog, *this);
    return found ? buildSpace(*worker, *found->family, *found->variant, question, 0, job) : Result<SpaceBuild>(found.error());
}

Result<QString> SpaceSubject::elsewhere(const Catalog& catalog, SpaceQuestion question) const
{
    QStringList survives;
    std::map<std::size_t, QStringList> rejected; // by gate
    for (const GpuRow& gpu : deviceTable().gpus) {
        const std::optional<SmLimits> limits = smLimits(gpu.ccMajor, gpu.ccMinor);
        if (!limits)
            continue;
        question.sm = *limits;
        question.arch = archName(gpu.ccMajor, gpu.ccMinor);
        KL_ASSIGN(const SearchSpace space, judge(catalog, question));
        const QString name = q(gpu.name).remove(QStringLiteral("NVIDIA "));
        if (const std::optional<std::size_t> by = space.points.front().rejectedBy)
            rejected[*by] << name;
        else
            survives << name;
    }
    const QString comma = QStringLiteral(", ");
    QString text =
        survives.isEmpty() ? elsewhereWords("Rejected on all listed GPUs.") : elsewhereWords("Survives on %1.").arg(survives.join(comma));
    for (const auto& [gate, names] : rejected)
        text += u' ' + elsewhereWords("Rejected by %1 on %2.").arg(q(titleFor(kSpaceGates[gate])).toLower(), names.join(comma));
    return text;
}

} // namespace kl::ui
