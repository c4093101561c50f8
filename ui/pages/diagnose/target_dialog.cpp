// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/target_dialog.h"

#include "ui/context/app_context.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kTargetDialogWidth = 720;
constexpr int kFilesHeight = 64;
const QString kProgramFolders = QStringLiteral("programs"); ///< where programs are profiled from

QString extentText(const std::array<int, 3>& sizes)
{
    return QStringLiteral("%1 × %2 × %3").arg(sizes[0]).arg(sizes[1]).arg(sizes[2]);
}

std::vector<std::string> parts(const QString& text, QChar separator)
{
    std::vector<std::string> list;
    for (const QString& part : text.split(separator, Qt::SkipEmptyParts))
        if (!part.trimmed().isEmpty())
            list.push_back(utf8(part.trimmed()));
    return list;
}

} // namespace

TargetDialog::TargetDialog(AppContext& context, const RunRecord& run, QWidget* parent)
    : Dialog(parent), context_(context), proposed_(proposeTarget(run, context.catalog())),
      folder_(new QLineEdit(lastFolder(kProgramFolders), this)), id_(new QLineEdit(q(proposed_.id), this)), build_(new QLineEdit(this)),
      run_(new QLineEdit(q(proposed_.run), this)), kernel_(new QLineEdit(q(proposed_.kernel), this)),
      shape_(
          new QCheckBox(tr("Only launches with grid %1 and block %2").arg(extentText(proposed_.grid), extentText(proposed_.block)), this)),
      problem_(new QLineEdit(q(proposed_.problem), this)), suite_(new QLineEdit(this)), check_(new QComboBox(this)),
      checkCommand_(new QLineEdit(this)), rival_(new QComboBox(this)), rivalLaunches_(new QLineEdit(this)), rivalRun_(new QLineEdit(this)),
      edit_(new QPlainTextEdit(this)), error_(makeLabel({}, TextRole::body, this))
{
    setWindowTitle(tr("Open a session on this kernel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    column->addWidget(makeBreakableLabel(q(run.program ? run.program->kernel : std::string()), TextRole::caption, this));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(kGapBetween);
    addFolder(form);
    addField(form, tr("Name"), id_, "targetId");
    build_->setPlaceholderText(tr("nothing to build; e.g. cmake --build build"));
    addField(form, tr("Build command"), build_, "targetBuild");
    addField(form, tr("Run command"), run_, "targetRun");
    addField(form, tr("Kernel (regular expression)"), kernel_, "targetKernel");
    addField(form, {}, shape_, "targetShape");
    addField(form, tr("Size to measure"), problem_, "targetProblem");
    suite_->setPlaceholderText(tr("the size to measure; e.g. N=1; N=1000; N=4096"));
    addField(form, tr("Sizes to check"), suite_, "targetSuite");
    addChoices(form);
    addEdited(form);
    column->addLayout(form);
    QLabel* note =
        makeLabel(tr("{N} in a command stands for the size N. The program must launch the kernel as many times as the environment "
                     "variable KLOOP_LAUNCHES says, at least 60. Commands run only after you allow them."),
                  TextRole::caption, this);
    note->setWordWrap(true);
    column->addWidget(note);
    error_->setObjectName(QStringLiteral("targetError"));
    error_->setWordWrap(true);
    setTextToken(error_, Token::worse);
    error_->hide();
    column->addWidget(error_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* open = makeButton(tr("Write and open"), true, this);
    open->setObjectName(QStringLiteral("targetWrite"));
    open->setDefault(true);
    buttons->addButton(open, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &TargetDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(kTargetDialogWidth);
    describeRival();
    resize(kTargetDialogWidth, 0);
    growToTexts();
}

void TargetDialog::addField(QFormLayout* form, const QString& label, QWidget* field, const char* name)
{
    field->setObjectName(QString::fromLatin1(name));
    if (!label.isEmpty())
        field->setAccessibleName(label);
    form->addRow(label, field);
}

void TargetDialog::addFolder(QFormLayout* form)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    folder_->setObjectName(QStringLiteral("targetFolder"));
    folder_->setAccessibleName(tr("Project folder"));
    QPushButton* choose = makeButton(tr("Choose…"), false, this);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this] {
        if (const QString path = chooseFolder(this, tr("Choose Folder"), kProgramFolders); !path.isEmpty())
            folder_->setText(path);
    });
    row->addWidget(folder_, 1);
    row->addWidget(choose);
    form->addRow(tr("Project folder"), row);
}

void TargetDialog::addChoices(QFormLayout* form)
{
    check_->addItem(tr("by a command's exit status"), static_cast<int>(TargetDraft::Check::command));
    check_->addItem(tr("against outputs that a command writes"), static_cast<int>(TargetDraft::Check::reference));
    addField(form, tr("Result check"), check_, "targetCheck");
    checkCommand_->setPlaceholderText(QStringLiteral("python3 check.py {N}"));
    addField(form, tr("Check command"), checkCommand_, "targetCheckCommand");
    rival_->addItem(tr("another kernel"), static_cast<int>(TargetDraft::Rival::kernel));
    rival_->addItem(tr("the launches in an NVTX range"), static_cast<int>(TargetDraft::Rival::range));
    rival_->addItem(tr("PyTorch's attention"), static_cast<int>(TargetDraft::Rival::sdpa));
    addField(form, tr("Baseline"), rival_, "targetRival");
    addField(form, tr("Baseline kernel"), rivalLaunches_, "targetRivalLaunches");
    rivalLabel_ = qobject_cast<QLabel*>(form->labelForField(rivalLaunches_));
    rivalRun_->setPlaceholderText(tr("the run command above"));
    addField(form, tr("Baseline's run command"), rivalRun_, "targetRivalRun");
    connect(rival_, &QComboBox::currentIndexChanged, this, &TargetDialog::describeRival);
}

void TargetDialog::addEdited(QFormLayout* form)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    edit_->setObjectName(QStringLiteral("targetEdit"));
    edit_->setAccessibleName(tr("Editable files"));
    edit_->setPlaceholderText(tr("kernel.cu, one per line"));
    edit_->setFixedHeight(kFilesHeight);
    edit_->setTabChangesFocus(true);
    QPushButton* choose = makeButton(tr("Add…"), false, this);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, &TargetDialog::addFiles);
    row->addWidget(edit_, 1);
    row->addWidget(choose, 0, Qt::AlignTop);
    form->addRow(tr("Editable files"), row);
}

void TargetDialog::addFiles()
{
    for (const QString& path : chooseFiles(this, tr("Editable Files"), tr("All files (*)"), kProgramFolders))
        edit_->appendPlainText(QDir(folder_->text()).relativeFilePath(path));
}

void TargetDialog::describeRival()
{
    const auto rival = static_cast<TargetDraft::Rival>(rival_->currentData().toInt());
    rivalRun_->setEnabled(rival != TargetDraft::Rival::sdpa);
    const QString label = rival == TargetDraft::Rival::kernel  ? tr("Baseline kernel")
                          : rival == TargetDraft::Rival::range ? tr("Baseline range")
                                                               : tr("Attention's shape");
    rivalLabel_->setText(label);
    rivalLaunches_->setAccessibleName(label);
    rivalLaunches_->setPlaceholderText(rival == TargetDraft::Rival::kernel  ? tr("a regular expression, e.g. library_softmax")
                                       : rival == TargetDraft::Rival::range ? tr("its name, e.g. baseline")
                                                                            : QStringLiteral("B=1,H=16,S=512,D=64"));
}

TargetDraft TargetDialog::draft() const
{
    TargetDraft draft = proposed_;
    draft.folder = utf8(QDir::cleanPath(folder_->text().trimmed()));
    draft.id = utf8(id_->text().trimmed());
    draft.build = utf8(build_->text().trimmed());
    draft.run = utf8(run_->text().trimmed());
    draft.kernel = utf8(kernel_->text().trimmed());
    draft.holdShape = shape_->isChecked();
    draft.problem = utf8(problem_->text().remove(u' '));
    draft.suite = parts(suite_->text(), u';');
    draft.check = static_cast<TargetDraft::Check>(check_->currentData().toInt());
    draft.checkCommand = utf8(checkCommand_->text().trimmed());
    draft.rival = static_cast<TargetDraft::Rival>(rival_->currentData().toInt());
    draft.rivalLaunches = utf8(rivalLaunches_->text().trimmed());
    draft.rivalRun = rivalRun_->isEnabled() ? utf8(rivalRun_->text().trimmed()) : std::string();
    draft.edit = parts(edit_->toPlainText(), u'\n');
    return draft;
}

void TargetDialog::fail(const QString& text)
{
    error_->setText(text);
    error_->show();
    growToTexts();
}

/// Wrapped texts are as high as the width makes them, which a dialog does not ask for by itself.
void TargetDialog::growToTexts()
{
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void TargetDialog::write()
{
    const TargetDraft wanted = draft();
    const Result<std::string> file = writeTargetFile(wanted, context_.catalog());
    if (!file)
        return fail(q(file.error().message) + u' ' + q(file.error().hint));
    if (const Status added = context_.addKernel(*file); !added)
        return fail(tr("%1 was written, but not registered: %2").arg(q(*file), q(added.error().message)));
    accept();
    context_.navigate(QStringLiteral("session"), QStringLiteral("kernel:") + q(wanted.id));
}

QPushButton* makeTargetButton(AppContext& context, QWidget* parent, std::function<const RunRecord*()> current)
{
    QPushButton* button = makeButton(TargetDialog::tr("Open a session…"), false, parent);
    button->setObjectName(QStringLiteral("openTarget"));
    QObject::connect(button, &QPushButton::clicked, parent, [&context, parent, current = std::move(current)] {
        const RunRecord* run = current();
        if (!run)
            return;
        auto* dialog = new TargetDialog(context, *run, parent->window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    button->setToolTip(TargetDialog::tr("Make this kernel, inside its program, the subject of an optimization session."));
    button->hide();
    return button;
}

} // namespace kl::ui
