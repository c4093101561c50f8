// SPDX-License-Identifier: MIT
#include "ui/pages/search/space_inputs.h"

#include "core/base/try.h"
#include "core/device/arch.h"
#include "core/device/device_table.h"
#include "profiler/protocol/gpu_choice.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>

#include <algorithm>

namespace kl::ui {
namespace {

GpuArch chooseRowArch(int index)
{
    const auto& gpus = deviceTable().gpus;
    const GpuRow& gpu = gpus[static_cast<std::size_t>(std::clamp<int>(index, 0, static_cast<int>(gpus.size()) - 1))];
    return {archName(gpu.ccMajor, gpu.ccMinor), smLimits(gpu.ccMajor, gpu.ccMinor).value_or(SmLimits{})};
}

/// The window's device in the list of GPUs; if it is not listed or there is none, the GPU of the recordings.
int findDeviceRow(const AppContext& context)
{
    const DeviceInfo* device = findMeasuredDevice(context.engine()->collector->hello());
    const GpuRow* row = device ? findGpu(device->name) : nullptr;
    return gpuIndex(row ? q(row->match) : QStringLiteral("H200"));
}

} // namespace

SpaceInputs::SpaceInputs(AppContext& context, QWidget* parent) : InputCard(tr("Search space"), parent), context_(context)
{
    kernel_ = addChoice(QStringLiteral("kernel"), tr("Kernel"), {}, -1);
    problem_ = addOpenChoice(QStringLiteral("problem"), tr("Problem"));
    gpu_ = addChoice(QStringLiteral("gpu"), tr("GPU"), gpuNames(), findDeviceRow(context));
    whatIf_ = addChoice(QStringLiteral("whatIf"), tr("Compare with"), QStringList{tr("none")} + gpuNames(), 0);
    occupancy_ = addReal(QStringLiteral("occupancy"), tr("Min. occupancy"), 0, 100, 0, QStringLiteral(" %"));
    fillKernels();
    connect(kernel_, &QComboBox::currentIndexChanged, this, &SpaceInputs::fillProblems);
    connect(this, &InputCard::changed, this, &SpaceInputs::requested);
    connect(&context, &AppContext::kernelsChanged, this, [this] {
        fillKernels();
        emit requested();
    });
}

void SpaceInputs::fillKernels()
{
    const QString before = kernel_->currentText();
    named_.clear();
    {
        const QSignalBlocker quiet(kernel_);
        kernel_->clear();
        for (const KernelFamily& each : context_.catalog().families())
            for (const Variant& variant : each.variants)
                if (!variant.tunables.empty()) {
                    named_.push_back({each.id, variant.id});
                    kernel_->addItem(q(each.id + '/' + variant.id));
                }
        kernel_->setCurrentIndex(named_.empty() ? -1 : std::max(0, kernel_->findText(before)));
    }
    fillProblems();
}

void SpaceInputs::fillProblems()
{
    const QSignalBlocker quietProblem(problem_);
    const QSignalBlocker quietOccupancy(occupancy_);
    problem_->clear();
    if (!hasKernel())
        return;
    const Named& named = named_[static_cast<std::size_t>(kernel_->currentIndex())];
    const Result<const KernelFamily*> family = context_.catalog().family(named.family);
    if (!family)
        return;
    for (const Params& problem : (*family)->problems) {
        problem_->addItem(q(toText(problem)));
        problem_->setItemData(problem_->count() - 1, spaceProblem(toText(problem)), Qt::ToolTipRole);
    }
    for (const Variant& variant : (*family)->variants)
        if (variant.id == named.variant)
            occupancy_->setValue(variant.search.minOccupancy);
}

void SpaceInputs::choose(const QString& address)
{
    for (int i = 0; i < kernel_->count(); ++i)
        if (kernel_->itemText(i) == address || kernel_->itemText(i).startsWith(address + u'/'))
            kernel_->setCurrentIndex(i);
}

bool SpaceInputs::hasKernel() const
{
    return kernel_->currentIndex() >= 0;
}

Result<SpaceSubject> SpaceInputs::subject() const
{
    KL_ASSIGN(Params problem, parseParams(utf8(problem_->currentText())));
    const Named& named = named_[static_cast<std::size_t>(kernel_->currentIndex())];
    return SpaceSubject{named.family, named.variant, std::move(problem)};
}

SpaceQuestion SpaceInputs::questionOn(int gpu) const
{
    const GpuArch arch = chooseRowArch(gpu);
    const Result<Params> problem = parseParams(utf8(problem_->currentText()));
    return {{}, problem ? *problem : Params{}, arch.limits, arch.name, occupancy_->value()};
}

SpaceQuestion SpaceInputs::question() const
{
    return questionOn(gpu_->currentIndex());
}

std::optional<SpaceQuestion> SpaceInputs::otherQuestion() const
{
    return whatIf_->currentIndex() > 0 ? std::optional(questionOn(whatIf_->currentIndex() - 1)) : std::nullopt;
}

QString SpaceInputs::kernelName() const
{
    return kernel_->currentText();
}

QString SpaceInputs::gpuName() const
{
    return gpu_->currentText();
}

QString SpaceInputs::otherName() const
{
    return whatIf_->currentIndex() > 0 ? whatIf_->currentText() : QString();
}

double SpaceInputs::leastOccupancy() const
{
    return occupancy_->value();
}

} // namespace kl::ui
