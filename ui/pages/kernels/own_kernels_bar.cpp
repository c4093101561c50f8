// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/own_kernels_bar.h"

#include "kernels/user_kernel.h"
#include "ui/context/app_context.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

OwnKernelsBar::OwnKernelsBar(AppContext& context, QWidget* parent) : QWidget(parent), context_(context)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    place_ = makeLabel({}, TextRole::caption, this);
    place_->setWordWrap(true);
    atSave_ = new QCheckBox(tr("Check on every save"), this);
    atSave_->setObjectName(QStringLiteral("checkAtSave"));
    atSave_->setChecked(true);
    remove_ = makeLinkButton(tr("Remove from list"), this);
    remove_->setObjectName(QStringLiteral("removeKernel"));
    add_ = new ReasonedButton(tr("Add kernel…"), false, this);
    add_->button()->setObjectName(QStringLiteral("addKernel"));
    column->addWidget(place_);
    column->addWidget(atSave_);
    column->addWidget(remove_, 0, Qt::AlignLeft);
    column->addWidget(add_);
    connect(add_, &ReasonedButton::clicked, this, &OwnKernelsBar::chooseFile);
    connect(remove_, &QPushButton::clicked, this, [this] {
        if (const Status removed = context_.removeKernel(utf8(removeBy_)); !removed)
            context_.post(removed.error());
    });
    for (const auto changed : {&AppContext::databaseSwitched, &AppContext::writabilityChanged})
        connect(&context_, changed, this, &OwnKernelsBar::refreshReason);
    refreshReason();
    show({}, {});
}

void OwnKernelsBar::refreshReason()
{
    add_->setReason(context_.writeReason());
}

void OwnKernelsBar::show(const QString& descriptor, const QString& removeBy)
{
    descriptor_ = descriptor;
    removeBy_ = removeBy;
    const bool own = !descriptor.isEmpty();
    place_->setText(own ? descriptor : tr("Your own kernel needs a kernel.json file next to its .cu file. Add the kernel to see it here."));
    atSave_->setVisible(own);
    remove_->setVisible(own);
}

bool OwnKernelsBar::checksAtSave() const
{
    return atSave_->isChecked();
}

void OwnKernelsBar::chooseFile()
{
    const QString path = kl::ui::chooseFile(this, tr("Add Kernel"), tr("Kernels (*.cu *.json)"), QStringLiteral("kernels"));
    if (path.endsWith(QStringLiteral(".cu")))
        describe(path);
    else if (!path.isEmpty())
        add(path);
}

void OwnKernelsBar::describe(const QString& source)
{
    auto* dialog = new CuDialog(source, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CuDialog::written, this, &OwnKernelsBar::add);
    dialog->show();
}

void OwnKernelsBar::add(const QString& path)
{
    if (const Status added = context_.addKernel(utf8(path)); !added)
        return context_.post(added.error(), tr("Could not add the kernel"));
    if (const Result<KernelFamily> family = loadKernel(utf8(path)))
        context_.navigate(QStringLiteral("kernels"), q(family->id));
}

} // namespace kl::ui
