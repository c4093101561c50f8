// SPDX-License-Identifier: MIT
#include "ui/window/tools/bisect_dialog.h"

#include "core/base/try.h"
#include "ui/context/opened_device.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>

namespace kl::ui {
namespace {

using About = BisectQuestion::About;

constexpr double kMostRatio = 1000;
constexpr qsizetype kShortCommit = 12;

} // namespace

BisectDialog::BisectDialog(AppContext& context, QWidget* parent)
    : ToolDialog(context, tr("Find the Commit"),
                 tr("git bisect searches the history of a kernel of your own, in a temporary worktree: your files do not change. Commits "
                    "that cannot be judged are skipped."),
                 tr("Search"), parent),
      kernel_(addField(form(), new QComboBox(this), "bisectKernel", tr("Kernel"))),
      good_(addField(form(), new QLineEdit(this), "bisectGood", tr("Good revision"))),
      bad_(addField(form(), new QLineEdit(QStringLiteral("HEAD"), this), "bisectBad", tr("Bad revision"))),
      about_(addField(form(), new QComboBox(this), "bisectAbout", tr("A revision is bad if it"))),
      ratio_(addField(form(), new NumberBox(this), "bisectRatio", tr("Times the good one's time"))),
      problem_(addField(form(), new QLineEdit(this), "bisectProblem", tr("Size")))
{
    for (const KernelFamily& family : context.catalog().families())
        if (!family.origin.empty())
            for (const Variant& variant : family.variants)
                kernel_->addItem(q(family.id) + u'/' + q(variant.id));
    good_->setPlaceholderText(tr("a commit or tag, e.g. HEAD~20"));
    about_->addItem(tr("does not compile"), static_cast<int>(About::builds));
    about_->addItem(tr("is incorrect"), static_cast<int>(About::wrong));
    about_->addItem(tr("is slower"), static_cast<int>(About::slower));
    ratio_->setRange(1, kMostRatio);
    ratio_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    ratio_->setSingleStep(0.05);
    ratio_->setValue(BisectQuestion{}.ratio);
    problem_->setPlaceholderText(tr("the kernel's own, e.g. N=4096"));
    connect(about_, &QComboBox::currentIndexChanged, this, &BisectDialog::showReason);
    connect(good_, &QLineEdit::textChanged, this, &BisectDialog::showReason);
    showReason();
}

void BisectDialog::showReason()
{
    const bool builds = about_->currentData().toInt() == static_cast<int>(About::builds);
    ratio_->setEnabled(about_->currentData().toInt() == static_cast<int>(About::slower));
    const bool recorded = context().device().kind == DeviceKind::sample;
    setReason(kernel_->count() == 0               ? tr("Only kernels of your own have a history. Add one on the page Kernels.")
              : good_->text().trimmed().isEmpty() ? tr("Name a revision that was good.")
              : builds                            ? QString()
              : recorded                          ? tr("This needs a GPU. On recorded data only builds can be judged.")
                                                  : context().deviceReason());
}

Result<KernelBisect> BisectDialog::readWanted() const
{
    KernelBisect wanted;
    KL_ASSIGN(wanted.question.kernel, parseAddress(utf8(kernel_->currentText())));
    KL_ASSIGN(const KernelFamily* family, context().catalog().family(wanted.question.kernel.family));
    wanted.descriptor = family->origin.descriptor;
    wanted.good = utf8(good_->text().trimmed());
    wanted.bad = utf8(bad_->text().trimmed());
    wanted.question.about = static_cast<About>(about_->currentData().toInt());
    wanted.question.ratio = ratio_->value();
    if (const QString size = problem_->text().trimmed(); !size.isEmpty()) {
        KL_ASSIGN(wanted.question.problem, parseParams(utf8(size)));
    }
    return wanted;
}

void BisectDialog::start()
{
    Result<KernelBisect> subject = readWanted();
    if (!subject)
        return showFailure(subject.error());
    showBusy(tr("Searching. Each revision is built and judged."));
    context().run(
        job(), tr("Searching the history of %1").arg(kernel_->currentText()),
        [subject = std::move(*subject), device = chooseCompilingDevice(context().device())](Engine& engine, const Job& job) {
            // Compiling needs no GPU; a recording can do nothing of it.
            if (subject.question.about == About::builds)
                return bisectKernel(*openWindowDevice(device), subject, job);
            return bisectKernel(*engine.collector, subject, job);
        },
        [this](const Result<BisectResult>& result) { showResult(result); });
}

void BisectDialog::showResult(const Result<BisectResult>& result)
{
    if (!result)
        return showFailure(result.error());
    std::vector<QStringList> rows;
    QString found;
    for (const JudgedRevision& row : result->judged) {
        rows.push_back(
            {q(row.commit).left(kShortCommit), QString::fromLatin1(toWord(row.judgment.state)), q(row.subject), q(row.judgment.seen)});
        if (result->firstBad.size() == 1 && row.commit == result->firstBad.front())
            found = q(row.commit).left(kShortCommit) + u' ' + q(row.subject);
    }
    showAnswer(result->firstBad.size() == 1 ? tr("First bad commit: %1").arg(found)
                                            : tr("It is one of %1 commits: those between were skipped.").arg(result->firstBad.size()),
               {tr("Commit"), tr("Result"), tr("Message"), tr("Seen")}, rows);
}

} // namespace kl::ui
