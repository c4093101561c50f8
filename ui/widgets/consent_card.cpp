// SPDX-License-Identifier: MIT
#include "ui/widgets/consent_card.h"

#include "core/base/shell_line.h"
#include "profiler/client/consent.h"
#include "ui/jobs/consent_desk.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr std::size_t kDate = 10; ///< characters of a time's date
constexpr int kLeastText = 560;   ///< px

} // namespace

ConsentCard::ConsentCard(QWidget* parent) : Card({}, parent), rows_(new QFormLayout)
{
    setCaption(tr("It runs with your permissions, now and whenever needed, until one of its files changes. Read the files first."));
    setTone(QStringLiteral("accent"));
    rows_->setHorizontalSpacing(kGapBetween);
    rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows_->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    body()->addLayout(rows_);
    run_ = makeButton(tr("Allow"), false, this);
    run_->setObjectName(QStringLiteral("consentRun"));
    refuse_ = makeButton(tr("Don't run"), true, this);
    refuse_->setObjectName(QStringLiteral("consentRefuse"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(run_);
    buttons->addWidget(refuse_);
    buttons->addStretch(1);
    body()->addLayout(buttons);
    connect(run_, &QPushButton::clicked, this, [] { ConsentDesk::instance().answer(true); });
    connect(refuse_, &QPushButton::clicked, this, [] { ConsentDesk::instance().answer(false); });
    connect(&ConsentDesk::instance(), &ConsentDesk::changed, this, &ConsentCard::refresh);
    ConsentDesk::instance().attach(1);
    refresh();
}

ConsentCard::~ConsentCard()
{
    ConsentDesk::instance().attach(-1);
}

void ConsentCard::addRow(const QString& word, const QString& text)
{
    auto* value = makeLabel(text, TextRole::body, this);
    value->setTextFormat(Qt::PlainText); // text from a file is never markup
    value->setWordWrap(true);
    value->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    value->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    value->setMinimumWidth(kLeastText); // otherwise the layout reserves two lines for a short one
    value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setAccessibleName(word + u' ' + text);
    rows_->addRow(makeLabel(word, TextRole::caption, this), value);
}

void ConsentCard::refresh()
{
    const std::optional<FileCommand> pendingCommand = ConsentDesk::instance().question();
    setVisible(pendingCommand.has_value());
    while (rows_->rowCount() > 0)
        rows_->removeRow(0);
    if (!pendingCommand)
        return;
    std::string question = visibleText(pendingCommand->question);
    if (question.ends_with(':'))
        question.pop_back();
    setTitle(
        !question.empty() ? tr("%1. Allow it?").arg(q(question))
        : !pendingCommand->changedSince.empty()
            ? tr("This command has changed since you allowed it on %1. Allow it?").arg(q(pendingCommand->changedSince.substr(0, kDate)))
        : pendingCommand->folder.empty() ? tr("A kernel wants to run a script. Allow it?")
                                         : tr("A file wants to run a command. Allow it?"));
    addRow(tr("File"), q(visibleText(pendingCommand->file)));
    addRow(tr("Command"), q(visibleText(shellLine(pendingCommand->command))));
    if (!pendingCommand->files.empty())
        addRow(tr("Files"), q(filesText(*pendingCommand)));
    addRow(tr("Folder"),
           pendingCommand->folder.empty() ? tr("a private folder with the kernel's inputs") : q(visibleText(pendingCommand->folder)));
    if (!pendingCommand->afterwards.empty())
        addRow(tr("Afterwards"), q(visibleText(pendingCommand->afterwards)));
    addRow(tr("SHA-256"), q(pendingCommand->hash));
    refuse_->setFocus(Qt::OtherFocusReason); // an accidental Enter must not allow anything
}

} // namespace kl::ui
