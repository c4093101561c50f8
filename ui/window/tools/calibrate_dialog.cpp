// SPDX-License-Identifier: MIT
#include "ui/window/tools/calibrate_dialog.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/measure/calibrated_kernels.h"
#include "sessions/measure/requests.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace kl::ui {
namespace {

using Noises = std::vector<NoiseRecord>;

Result<Noises> calibrateAll(Engine& engine, const std::vector<Address>& kernels, int repeats, const Job& job)
{
    Noises records;
    for (const Address& kernel : kernels) {
        KL_ASSIGN(NoiseRecord record, engine.bench.calibrate(kernel, {}, repeats, job));
        records.push_back(std::move(record));
    }
    return records;
}

/// The largest distance of a repeat's ratio from 1, percent.
double worstPercent(const NoiseRecord& record)
{
    double worst = 0;
    for (const double ratio : record.ratios)
        worst = std::max(worst, 100 * std::abs(ratio - 1));
    return worst;
}

} // namespace

CalibrateDialog::CalibrateDialog(AppContext& context, QWidget* parent, const QString& kernel)
    : ToolDialog(context, tr("Calibrate A/A Noise"),
                 tr("Compares a kernel with itself. A verdict needs an effect above 1 % and above twice the noise found here."),
                 tr("Calibrate"), parent),
      kernel_(addField(form(), new QComboBox(this), "calibrateKernel", tr("Kernel"))),
      repeats_(addField(form(), new QSpinBox(this), "calibrateRepeats", tr("Comparisons of each")))
{
    kernel_->addItem(tr("the first variant of every family"), QString());
    for (const Address& address : context.catalog().addresses())
        kernel_->addItem(q(toText(address)), q(toText(address)));
    if (const Result<Address> address = parseAddress(utf8(kernel)); address && context.catalog().variant(*address)) {
        if (kernel_->findData(kernel) < 0) // with tunables
            kernel_->addItem(kernel, kernel);
        kernel_->setCurrentIndex(kernel_->findData(kernel));
    }
    repeats_->setRange(1, 1000);
    repeats_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    repeats_->setValue(kNoiseRepeats);
    setReason(context.explainUnmeasurable());
}

void CalibrateDialog::start()
{
    std::vector<Address> kernels;
    const QString chosen = kernel_->currentData().toString();
    if (const Result<Address> one = parseAddress(utf8(chosen)); !chosen.isEmpty() && one)
        kernels.push_back(*one);
    if (chosen.isEmpty())
        kernels = listCalibratedKernels(context().catalog());
    showBusy(tr("Comparing identical code."));
    context().run(
        job(), tr("Calibrating A/A noise"),
        [kernels = std::move(kernels), repeats = repeats_->value()](Engine& engine, const Job& job) {
            return calibrateAll(engine, kernels, repeats, job);
        },
        [this](const Result<Noises>& records) {
            if (!records)
                return showFailure(records.error());
            std::vector<QStringList> rows;
            for (const NoiseRecord& record : *records)
                rows.push_back({q(record.kernel), q(record.problem), q(formatPercent(100 * record.noise)),
                                q(formatPercent(worstPercent(record))), QString::number(record.equivalent),
                                QString::number(record.different)});
            showAnswer(tr("A/A noise of %1, driver %2").arg(q(records->front().deviceName), q(records->front().driver)),
                       {tr("Kernel"), tr("Size"), tr("Noise"), tr("Worst"), tr("Equivalent"), tr("Different")}, rows);
        });
}

} // namespace kl::ui
