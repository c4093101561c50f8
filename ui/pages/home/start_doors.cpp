// SPDX-License-Identifier: MIT
#include "ui/pages/home/start_doors.h"

#include "ui/context/app_context.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QPushButton>

namespace kl::ui {

StartDoors::StartDoors(AppContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new QGridLayout(this))
{
    setObjectName(QStringLiteral("startDoors"));
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(kGapBetween);
    OptionCard* report =
        addDoor(tr("Open a report"),
                tr("Nsight Compute reports and their CSV pages: all kernels in one table, the largest saving first. You can "
                   "also drop files on the window."),
                tr("Open report…"), QStringLiteral("openReportDoor"));
    connect(report, &OptionCard::activated, this, [this] { context_.openReports(); });
    OptionCard* program =
        addDoor(tr("Profile a program"), tr("Any program that uses CUDA, e.g. a PyTorch script, unmodified. Its kernels appear here."),
                tr("Profile program…"), QStringLiteral("profileProgramDoor"));
    connect(program, &OptionCard::activated, this, &StartDoors::profileProgram);
    kernel_ = addDoor(tr("Work on my own kernel"),
                      tr("Writes a .cu file with its descriptor from a template. It is checked, timed and profiled each time you save it."),
                      tr("New kernel…"), QStringLiteral("newKernelDoor"));
    connect(kernel_, &OptionCard::activated, this, &StartDoors::writeKernel);
    refresh();
}

OptionCard* StartDoors::addDoor(const QString& title, const QString& text, const QString& button, const QString& name)
{
    auto* card = new OptionCard(title, this);
    card->setText(text);
    card->setButton(button, grid_->count() == 0);
    card->button()->setObjectName(name);
    grid_->addWidget(card, 0, grid_->count());
    grid_->setColumnStretch(grid_->count() - 1, 1);
    return card;
}

void StartDoors::refresh()
{
    kernel_->setLocked(context_.writeReason());
}

void StartDoors::profileProgram()
{
    auto* dialog = new ProgramDialog(context_, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void StartDoors::writeKernel()
{
    auto* dialog = new NewKernelDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewKernelDialog::written, this, &StartDoors::addKernel);
    connect(dialog, &NewKernelDialog::sourceRequested, this, [this] {
        const QString source = chooseFile(this, tr("Open a .cu File"), tr("CUDA C++ (*.cu)"), QStringLiteral("kernels"));
        if (!source.isEmpty())
            describeSource(source);
    });
    dialog->show();
}

void StartDoors::describeSource(const QString& source)
{
    auto* dialog = new CuDialog(source, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CuDialog::written, this, &StartDoors::addKernel);
    dialog->show();
}

void StartDoors::addKernel(const QString& descriptor, const QString& id)
{
    if (const Status added = context_.addKernel(utf8(descriptor)); !added)
        return context_.post(added.error(), tr("Could not add the kernel"));
    context_.navigate(QStringLiteral("kernels"), id);
}

} // namespace kl::ui
