// SPDX-License-Identifier: MIT
#include "ui/pages/home/new_kernel_dialog.h"

#include "kernels/starter.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kKernelDialogWidth = 520;
const QString kKernelFolders = QStringLiteral("kernels");

struct Starter {
    const char* id; ///< as writeStarter() takes it
    const char* text;
};
constexpr Starter kStarters[] = {{"elementwise", QT_TRANSLATE_NOOP("NewKernelDialog", "Elementwise: y = a x + y")},
                                 {"copy", QT_TRANSLATE_NOOP("NewKernelDialog", "Copy: moves bytes")},
                                 {"reduction", QT_TRANSLATE_NOOP("NewKernelDialog", "Reduction: a sum")},
                                 {"matmul", QT_TRANSLATE_NOOP("NewKernelDialog", "Matrix multiplication")}};

} // namespace

NewKernelDialog::NewKernelDialog(QWidget* parent)
    : Dialog(parent), name_(new QLineEdit(this)), parent_(new QLineEdit(lastFolder(kKernelFolders), this)), starter_(new QComboBox(this)),
      folder_(makeBreakableLabel({}, TextRole::caption, this)), error_(makeLabel({}, TextRole::body, this))
{
    setWindowTitle(tr("New kernel"));
    name_->setObjectName(QStringLiteral("kernelName"));
    name_->setPlaceholderText(tr("letters, digits, - and _"));
    name_->setAccessibleName(tr("Name"));
    parent_->setObjectName(QStringLiteral("kernelParent"));
    parent_->setAccessibleName(tr("Folder"));
    starter_->setObjectName(QStringLiteral("kernelStarter"));
    starter_->setAccessibleName(tr("Template"));
    for (const Starter& starter : kStarters)
        starter_->addItem(tr(starter.text), QString::fromLatin1(starter.id));
    QPushButton* choose = makeButton(tr("Choose…"), false, this);
    connect(choose, &QPushButton::clicked, this, &NewKernelDialog::chooseParent);
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(parent_, 1);
    folderRow->addWidget(choose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(kGapBetween);
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Template"), starter_);
    form->addRow(tr("Folder"), folderRow);
    form->addRow({}, folder_);
    error_->setObjectName(QStringLiteral("kernelError"));
    error_->setWordWrap(true);
    setTextToken(error_, Token::worse);
    error_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* write = makeButton(tr("Write kernel"), true, this);
    write->setObjectName(QStringLiteral("writeKernel"));
    write->setDefault(true);
    buttons->addButton(write, QDialogButtonBox::AcceptRole);
    QPushButton* source = makeButton(tr("From a .cu file…"), false, this);
    source->setObjectName(QStringLiteral("fromSource"));
    source->setAutoDefault(false);
    buttons->addButton(source, QDialogButtonBox::ActionRole);
    connect(source, &QPushButton::clicked, this, [this] {
        reject();
        emit sourceRequested();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &NewKernelDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->addLayout(form);
    column->addWidget(error_);
    column->addStretch(1);
    column->addWidget(buttons);
    setMinimumWidth(kKernelDialogWidth);
    for (QLineEdit* line : {name_, parent_})
        connect(line, &QLineEdit::textChanged, this, &NewKernelDialog::showFolder);
    showFolder();
}

void NewKernelDialog::chooseParent()
{
    if (const QString path = chooseFolder(this, tr("Choose Folder"), kKernelFolders); !path.isEmpty())
        parent_->setText(path);
}

void NewKernelDialog::showFolder()
{
    const QString name = name_->text().trimmed();
    folder_->setText(tr("Writes %1").arg(QDir(parent_->text()).filePath(name.isEmpty() ? tr("NAME") : name)));
    error_->hide();
}

void NewKernelDialog::write()
{
    const QString name = name_->text().trimmed();
    const Result<std::string> descriptor =
        writeStarter(utf8(starter_->currentData().toString()), utf8(name), utf8(QDir(parent_->text()).filePath(name)));
    if (!descriptor) {
        error_->setText(q(descriptor.error().message));
        error_->show();
        return;
    }
    emit written(q(*descriptor), name);
    accept();
}

} // namespace kl::ui
