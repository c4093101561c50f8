// SPDX-License-Identifier: MIT
#include "ui/pages/home/program_dialog.h"

#include "core/base/shell_line.h"
#include "core/base/shell_words.h"
#include "sessions/program/trace_program.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSocketNotifier>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace kl::ui {
namespace {

constexpr int kProgramDialogWidth = 720;
constexpr int kLinesKept = 5000; ///< of what the program writes
constexpr int kVariablesHeight = 52;
constexpr int kLogHeight = 160;
const QString kProgramFolders = QStringLiteral("programs");

} // namespace

struct ProgramDialog::Profiled {
    QString first; ///< id of the run with the most time; empty: none was found
    std::size_t kernels = 0;
    int exitCode = 0;
    QString note; ///< why there is none
};

ProgramDialog::ProgramDialog(AppContext& context, QWidget* parent, const QString& program)
    : Dialog(parent), context_(context), program_(new QLineEdit(this)), folder_(new QLineEdit(lastFolder(kProgramFolders), this)),
      variables_(new QPlainTextEdit(this)), kernel_(new QLineEdit(this)), range_(new QLineEdit(this)), count_(new QSpinBox(this)),
      counters_(new QCheckBox(tr("Read hardware counters, in a second run"), this)), command_(new QLineEdit(this)),
      log_(new QPlainTextEdit(this)), status_(makeLabel({}, TextRole::body, this)), run_(new ReasonedButton(tr("Profile"), true, this)),
      cancel_(makeButton(tr("Stop program"), false, this))
{
    setWindowTitle(tr("Profile a program"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    column->addWidget(makeForm());
    log_->setObjectName(QStringLiteral("programOutput"));
    log_->setAccessibleName(tr("What the program writes"));
    log_->setReadOnly(true);
    log_->setMaximumBlockCount(kLinesKept);
    log_->setFont(makeFont(TextRole::code));
    log_->setMinimumHeight(kLogHeight);
    log_->hide();
    column->addWidget(log_, 1);
    status_->setObjectName(QStringLiteral("programStatus"));
    status_->setWordWrap(true);
    status_->hide();
    column->addWidget(status_);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    cancel_->setObjectName(QStringLiteral("stopProgram"));
    cancel_->hide();
    connect(cancel_, &QPushButton::clicked, &running_, &BackgroundJob::cancel);
    row->addWidget(cancel_);
    run_->button()->setObjectName(QStringLiteral("profileProgram"));
    run_->setReason(context_.writeReason());
    connect(run_, &ReasonedButton::clicked, this, &ProgramDialog::start);
    row->addWidget(run_);
    QPushButton* close = makeButton(tr("Close"), false, this);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(close);
    column->addLayout(row);
    setMinimumWidth(kProgramDialogWidth);
    if (!program.isEmpty())
        program_->setText(exact(shellLine({utf8(program)})));
    showCommand();
}

ProgramDialog::~ProgramDialog()
{
    closePipe();
}

QWidget* ProgramDialog::makeForm()
{
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(kGapBetween);
    const auto add = [&](const QString& label, QWidget* field, const char* name) {
        field->setObjectName(QString::fromLatin1(name));
        field->setAccessibleName(label);
        form->addRow(label, field);
    };
    program_->setPlaceholderText(QStringLiteral("python3 train.py"));
    add(tr("Program and arguments"), program_, "program");
    auto* where = new QHBoxLayout;
    where->setSpacing(kGapInside);
    folder_->setObjectName(QStringLiteral("programFolder"));
    folder_->setAccessibleName(tr("Working folder"));
    QPushButton* choose = makeButton(tr("Choose…"), false, box);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this] {
        if (const QString path = chooseFolder(this, tr("Choose Folder"), kProgramFolders); !path.isEmpty())
            folder_->setText(path);
    });
    where->addWidget(folder_, 1);
    where->addWidget(choose);
    form->addRow(tr("Working folder"), where);
    variables_->setPlaceholderText(QStringLiteral("CUDA_VISIBLE_DEVICES=0"));
    variables_->setFixedHeight(kVariablesHeight);
    variables_->setTabChangesFocus(true);
    add(tr("Environment, one per line"), variables_, "programVariables");
    kernel_->setPlaceholderText(tr("all; a regular expression over their names, e.g. gemm|softmax"));
    kernel_->setToolTip(kernel_->placeholderText());
    add(tr("Kernels"), kernel_, "programKernels");
    range_->setPlaceholderText(tr("all; the name of an NVTX range"));
    range_->setToolTip(tr("Only launches inside this range are profiled"));
    add(tr("Range"), range_, "programRange");
    count_->setRange(0, 10000);
    count_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    count_->setSpecialValueText(tr("as many as take 95 % of the time"));
    add(tr("Launches to count (at most)"), count_, "programCount");
    counters_->setObjectName(QStringLiteral("programCounters"));
    counters_->setChecked(true);
    form->addRow({}, counters_);
    auto* row = new QHBoxLayout;
    command_->setObjectName(QStringLiteral("command"));
    command_->setReadOnly(true);
    command_->setFont(makeFont(TextRole::code));
    command_->setAccessibleName(tr("Command that profiles the program"));
    QPushButton* copy = makeButton(tr("Copy"), false, box);
    copy->setObjectName(QStringLiteral("copyCommand"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
    row->addWidget(command_, 1);
    row->addWidget(copy);
    form->addRow(tr("Or in a terminal"), row);
    connect(program_, &QLineEdit::textChanged, this, &ProgramDialog::showCommand);
    connect(counters_, &QCheckBox::toggled, count_, &QWidget::setEnabled);
    return box;
}

void ProgramDialog::showCommand()
{
    constexpr const char* kProgram = "PROGRAM"; // one word, for which the user's, with its arguments, is put as it was typed
    NextStep step{StepId::profileProgram, {}, {}};
    step.set(StepArgument::program, kProgram);
    if (!context_.isSample())
        step.set(StepArgument::database, utf8(context_.location()));
    const QString program = program_->text().trimmed().isEmpty() ? program_->placeholderText() : program_->text().trimmed();
    QString command = context_.stepWriter() ? exact(context_.stepWriter()(step)) : QString::fromLatin1(kProgram);
    if (const qsizetype at = command.lastIndexOf(QLatin1String(kProgram)); at >= 0)
        command.replace(at, static_cast<qsizetype>(std::string_view(kProgram).size()), program);
    command_->setText(command);
    command_->setCursorPosition(0);
}

void ProgramDialog::showStatus(const QString& text, bool failed)
{
    status_->setText(text);
    setTextToken(status_, failed ? Token::worse : Token::text);
    status_->setVisible(!text.isEmpty());
}

void ProgramDialog::closePipe()
{
    delete std::exchange(notifier_, nullptr);
    if (output_ >= 0)
        ::close(std::exchange(output_, -1));
}

void ProgramDialog::start()
{
    const Result<std::vector<std::string>> command = splitShellLine(utf8(program_->text()));
    if (!command)
        return showStatus(q(command.error().message), true);
    TraceRequest request;
    request.run.command = *command;
    if (request.run.command.empty())
        return showStatus(tr("Enter the program to run."), true);
    if (const Result<KernelPattern> pattern = KernelPattern::parse(utf8(kernel_->text())); !pattern)
        return showStatus(q(pattern.error().message), true);
    if (!folder_->text().isEmpty() && !QDir(folder_->text()).exists())
        return showStatus(tr("There is no folder %1.").arg(folder_->text()), true);
    request.run.folder = utf8(folder_->text());
    for (const QString& line : variables_->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
        if (line.indexOf(u'=') < 1)
            return showStatus(tr("\"%1\" is not NAME=VALUE.").arg(line), true);
        request.run.variables.push_back(utf8(line.trimmed()));
    }
    request.run.config.kernel = utf8(kernel_->text());
    request.run.config.ranges.within = utf8(range_->text());
    if (count_->value() > 0)
        request.run.config.count = count_->value();
    request.counters = counters_->isChecked();
    request.lock = true;
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return showStatus(tr("The program cannot be started: no more files can be opened."), true);
    closePipe();
    output_ = ends[0];
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
    notifier_ = new QSocketNotifier(output_, QSocketNotifier::Read, this);
    connect(notifier_, &QSocketNotifier::activated, this, &ProgramDialog::takeOutput);
    request.run.output = ends[1];
    log_->clear();
    log_->show();
    showStatus({}, false);
    run_->setReason(tr("It is running."));
    cancel_->show();
    context_.run(
        running_, tr("Profiling %1").arg(q(request.run.command.front())),
        [request](Engine& engine, const Job& job) -> Result<Profiled> {
            job.report("running the program");
            RunWatch watch;
            watch.stop = job.stop;
            watch.locked = [&](const std::string& step) { job.report(step); };
            Result<TracedProgram> traced = traceProgram(request, watch, [&](std::size_t launches) {
                job.report("running it again for the counters of " + std::to_string(launches) + " launches");
            });
            ::close(*request.run.output);
            if (!traced)
                return traced.error();
            ProgramProfile profile = makeProgramProfile(traced->program, std::move(traced->processes),
                                                        *KernelPattern::parse(request.run.config.kernel), *engine.tree, traced->counting);
            weighFixes(profile, engine.recommender(), *engine.tree);
            storeRuns(*engine.store, profile, job);
            Profiled profiled{{}, profile.runs.size(), profile.program.exitCode, {}};
            if (!profile.runs.empty())
                profiled.first = q(profile.runs.front().id.text);
            for (const Warning& note : profile.notes)
                profiled.note += (profiled.note.isEmpty() ? QString() : QStringLiteral(" ")) + q(note.text);
            return profiled;
        },
        [this](Result<Profiled> profiled) { finish(std::move(profiled)); });
}

void ProgramDialog::takeOutput()
{
    std::array<char, 16384> bytes{};
    ssize_t got = 0;
    while ((got = ::read(output_, bytes.data(), bytes.size())) > 0) {
        log_->moveCursor(QTextCursor::End);
        log_->insertPlainText(QString::fromLocal8Bit(bytes.data(), got));
        log_->moveCursor(QTextCursor::End);
    }
    if (got == 0)
        notifier_->setEnabled(false); // all that could write have ended
}

void ProgramDialog::finish(Result<Profiled> profiled)
{
    if (notifier_)
        takeOutput();
    closePipe();
    cancel_->hide();
    run_->setReason(context_.writeReason());
    if (!profiled)
        return showStatus(q(profiled.error().message) + u' ' + q(profiled.error().hint), true);
    if (profiled->first.isEmpty())
        return showStatus(tr("No kernels were found; the program ended with status %1. %2").arg(profiled->exitCode).arg(profiled->note),
                          true);
    context_.navigate(QStringLiteral("diagnose"), QStringLiteral("report:") + profiled->first);
    if (profiled->exitCode == 0)
        return accept();
    showStatus(tr("The program ended with status %1; %2 kernels are on the Diagnose page. %3")
                   .arg(profiled->exitCode)
                   .arg(profiled->kernels)
                   .arg(profiled->note),
               true);
}

void ProgramDialog::reject()
{
    if (running_.running())
        return running_.cancel(); // it closes with a second click, once the program has ended
    QDialog::reject();
}

} // namespace kl::ui
