// SPDX-License-Identifier: MIT
#include "ui/window/tools/export_dialog.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/import/export_runs.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

namespace kl::ui {
namespace {

struct Exported {
    std::size_t runs = 0;
    std::uint64_t bytes = 0;
};

Result<Exported> exportKernel(const Store& store, const std::string& kernel, const std::string& file, const Job& job)
{
    KL_ASSIGN(const std::vector<RunId> runs, listKernelRuns(store, kernel));
    if (runs.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = "There is no run of that kernel in the database.",
                     .hint = "Choose one that was measured.",
                     .where = kernel};
    KL_ASSIGN(const std::uint64_t bytes, kl::exportRuns(store, runs, file, job));
    return Exported{runs.size(), bytes};
}

} // namespace

ExportDialog::ExportDialog(AppContext& context, QWidget* parent)
    : ToolDialog(context, tr("Export Runs"),
                 tr("A bundle holds runs with everything measured, for another machine or database. A name that ends in .json gives "
                    "plain JSON."),
                 tr("Export"), parent),
      kernel_(addField(form(), new QComboBox(this), "exportKernel", tr("Runs of")))
{
    kernel_->addItem(tr("every kernel"), QString());
    for (const KernelFamily& family : context.catalog().families())
        kernel_->addItem(q(family.id), q(family.id));
    auto* row = new QHBoxLayout;
    file_ = new QLineEdit(this);
    file_->setObjectName(QStringLiteral("exportFile"));
    file_->setAccessibleName(tr("File to write"));
    row->addWidget(file_, 1);
    QPushButton* choose = makeButton(tr("Choose…"), false, this);
    row->addWidget(choose);
    form()->addRow(tr("File"), row);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString file = chooseNewFile(this, tr("Export Runs"), QStringLiteral("runs.bundle"), tr("Bundles (*.bundle);;JSON (*.json)"),
                                           QStringLiteral("bundles"));
        if (!file.isEmpty())
            file_->setText(file);
    });
    const auto check = [this] { setReason(file_->text().trimmed().isEmpty() ? tr("Choose a file.") : QString()); };
    connect(file_, &QLineEdit::textChanged, this, check);
    check();
}

void ExportDialog::start()
{
    const QString file = file_->text().trimmed();
    showBusy(tr("Writing %1").arg(file));
    context().read(
        job(),
        [kernel = utf8(kernel_->currentData().toString()), file = utf8(file)](Engine& engine, const Job& job) {
            return exportKernel(*engine.store, kernel, file, job);
        },
        [this, file](const Result<Exported>& done) {
            if (!done)
                return showFailure(done.error());
            const QString words = tr("%1 runs in %2, %3").arg(done->runs).arg(file, q(formatBytes(static_cast<double>(done->bytes))));
            showAnswer(words, {}, {});
            context().post(makeSavedMessage(words, file));
        });
}

} // namespace kl::ui
