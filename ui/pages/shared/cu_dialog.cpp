// SPDX-License-Identifier: MIT
#include "ui/pages/shared/cu_dialog.h"

#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kCuDialogWidth = 640;
constexpr int kArgumentsHeight = 180;
enum ArgumentColumn { NameColumn, TypeColumn, RoleColumn, ValueColumn, ArgumentColumns };

QString makeFileId(const QString& source)
{
    QString id = QFileInfo(source).completeBaseName();
    id.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9_+.-]")), QStringLiteral("-"));
    return id;
}

} // namespace

CuDialog::CuDialog(const QString& source, QWidget* parent)
    : Dialog(parent), source_(source), id_(new QLineEdit(makeFileId(source), this)), entry_(new QComboBox(this)),
      problem_(new QLineEdit(this)), grid_(new QLineEdit(this)), block_(new QLineEdit(this)),
      arguments_(new QTableWidget(0, ArgumentColumns, this)), error_(makeLabel({}, TextRole::body, this))
{
    setWindowTitle(tr("Kernel of a .cu file"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    column->addWidget(makeBreakableLabel(source, TextRole::caption, this));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(kGapBetween);
    const auto add = [&](const QString& label, QWidget* field, const char* name) {
        field->setObjectName(QString::fromLatin1(name));
        field->setAccessibleName(label);
        form->addRow(label, field);
    };
    add(tr("Name"), id_, "cuId");
    add(tr("Kernel function"), entry_, "cuEntry");
    add(tr("Sizes"), problem_, "cuProblem");
    add(tr("Blocks (x; y; z)"), grid_, "cuGrid");
    add(tr("Threads per block (x; y; z)"), block_, "cuBlock");
    column->addLayout(form);
    arguments_->setObjectName(QStringLiteral("cuArguments"));
    arguments_->setAccessibleName(tr("Arguments"));
    arguments_->setHorizontalHeaderLabels({tr("Parameter"), tr("Type"), tr("Role"), tr("Elements, or value")});
    arguments_->horizontalHeader()->setSectionResizeMode(ValueColumn, QHeaderView::Stretch);
    arguments_->verticalHeader()->hide();
    arguments_->setTabKeyNavigation(false);
    arguments_->setMinimumHeight(kArgumentsHeight);
    column->addWidget(arguments_, 1);
    QLabel* note =
        makeLabel(tr("Roles are input, output and scratch. Formulas use the sizes. The results are not checked until the file that is "
                     "written has a reference."),
                  TextRole::caption, this);
    note->setWordWrap(true);
    column->addWidget(note);
    error_->setObjectName(QStringLiteral("cuError"));
    error_->setWordWrap(true);
    setTextToken(error_, Token::worse);
    error_->hide();
    column->addWidget(error_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* write = makeButton(tr("Write kernel"), true, this);
    write->setObjectName(QStringLiteral("cuWrite"));
    write->setDefault(true);
    buttons->addButton(write, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &CuDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(kCuDialogWidth);
    readSource();
    write->setEnabled(!kernels_.empty());
}

void CuDialog::readSource()
{
    QFile file(source_);
    if (!file.open(QIODevice::ReadOnly))
        return fail(tr("%1 cannot be read: %2").arg(source_, file.errorString()));
    const QByteArray text = file.readAll();
    kernels_ = kernelsInSource({text.constData(), static_cast<std::size_t>(text.size())});
    for (const SourceKernel& kernel : kernels_)
        entry_->addItem(kernel.externC ? tr("%1, line %2").arg(q(kernel.name)).arg(kernel.line)
                                       : tr("%1, line %2: declare it extern \"C\"").arg(q(kernel.name)).arg(kernel.line));
    if (kernels_.empty())
        return fail(tr("There is no __global__ function in this file that is not a template."));
    connect(entry_, &QComboBox::currentIndexChanged, this, &CuDialog::propose);
    propose(0);
}

void CuDialog::propose(int kernel)
{
    proposed_ = proposeDescriptor(kernels_[static_cast<std::size_t>(kernel)], utf8(id_->text()));
    problem_->setText(exact(proposed_.problem));
    grid_->setText(exact(proposed_.grid));
    block_->setText(exact(proposed_.block));
    arguments_->setRowCount(static_cast<int>(proposed_.arguments.size()));
    for (int row = 0; row < arguments_->rowCount(); ++row) {
        const ProposedArgument& argument = proposed_.arguments[static_cast<std::size_t>(row)];
        const QString cells[] = {q(argument.parameter.name),
                                 q(argument.parameter.type) + (argument.parameter.pointer ? QStringLiteral("*") : QString()),
                                 argument.parameter.pointer ? exact(argument.role) : QString(), exact(argument.value)};
        for (int column = 0; column < ArgumentColumns; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            const bool editable = column == ValueColumn || (column == RoleColumn && argument.parameter.pointer);
            item->setFlags(editable ? item->flags() : item->flags() & ~Qt::ItemIsEditable);
            arguments_->setItem(row, column, item);
        }
    }
    error_->hide();
}

void CuDialog::fail(const QString& text)
{
    error_->setText(text);
    error_->show();
}

void CuDialog::write()
{
    const SourceKernel& kernel = kernels_[static_cast<std::size_t>(entry_->currentIndex())];
    if (!kernel.externC)
        return fail(tr("%1 has a mangled name. Declare it extern \"C\", save the file, and choose it again.").arg(q(kernel.name)));
    proposed_.id = utf8(id_->text().trimmed());
    proposed_.problem = utf8(problem_->text().trimmed());
    proposed_.grid = utf8(grid_->text().remove(u' '));
    proposed_.block = utf8(block_->text().remove(u' '));
    for (int row = 0; row < arguments_->rowCount(); ++row) {
        ProposedArgument& argument = proposed_.arguments[static_cast<std::size_t>(row)];
        argument.role = utf8(arguments_->item(row, RoleColumn)->text().trimmed());
        argument.value = utf8(arguments_->item(row, ValueColumn)->text().trimmed());
    }
    const Result<std::string> descriptor = writeDescriptor(proposed_, utf8(source_));
    if (!descriptor)
        return fail(q(descriptor.error().message) + u' ' + q(descriptor.error().hint));
    emit written(q(*descriptor), q(proposed_.id));
    accept();
}

} // namespace kl::ui
