// SPDX-License-Identifier: MIT
#include "ui/window/about_box.h"

#include "ui/context/app_context.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

namespace kl::ui {

AboutBox::AboutBox(const AppContext& context, QWidget* parent) : Dialog(parent)
{
    setWindowTitle(tr("About KernelLoop"));
    QStringList facts{tr("Version %1").arg(QCoreApplication::applicationVersion()),
                      tr("Qt %1 on %2").arg(QString::fromLatin1(qVersion()), QSysInfo::prettyProductName()),
                      tr("Device: %1").arg(context.deviceName())};
    if (!context.deviceReason().isEmpty())
        facts << context.deviceReason();
    facts << tr("Database: %1").arg(context.location());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapPage, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    auto* logo = new QLabel(this);
    logo->setPixmap(icon(QStringLiteral("logo"), Token::accent).pixmap(48, 48));
    column->addWidget(logo);
    column->addWidget(makeLabel(QStringLiteral("KernelLoop"), TextRole::page, this));
    column->addWidget(makeLabel(tr("Makes CUDA kernels fast, one gated session at a time."), TextRole::body, this));
    QLabel* shown = makeLabel(facts.join(u'\n'), TextRole::body, this);
    shown->setObjectName(QStringLiteral("aboutFacts"));
    shown->setWordWrap(true);
    column->addWidget(shown);
    QLabel* license =
        makeLabel(tr("The sources are under the MIT license. This program is linked with Qt Charts and is distributed under the "
                     "GNU General Public License, version 3."),
                  TextRole::caption, this);
    license->setWordWrap(true);
    column->addWidget(license);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole), &QPushButton::clicked, this,
            [facts] { QApplication::clipboard()->setText(QStringLiteral("KernelLoop\n") + facts.join(u'\n')); });
    column->addWidget(buttons);
    setMinimumWidth(460);
}

} // namespace kl::ui
