// SPDX-License-Identifier: MIT
#include "ui/pages/session/new_session_card.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/session/template_library.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostMinutes = 7 * 24 * 60;
constexpr int kBudgetRole = Qt::UserRole + 1;

struct Question {
    const char* id;
    const char* label;
};

constexpr Question kQuestions[] = {
    {"target-gpu", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Target GPU")},
    {"baseline", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Baseline to beat")},
    {"tools", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Profiling tools")},
    {"smallest-size", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Smallest problem")},
    {"success-criteria", QT_TRANSLATE_NOOP("kl::ui::NewSessionCard", "Success criteria")},
};

QComboBox* makeChoice(const char* object, const QString& name, QWidget* parent)
{
    auto* choice = new QComboBox(parent);
    choice->setObjectName(QString::fromLatin1(object));
    choice->setAccessibleName(name);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // long titles are in the list
    choice->setMinimumContentsLength(12);
    choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return choice;
}

/// Each label above its field.
QFormLayout* makeForm()
{
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(kGapTight);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

/// Also takes what is not in its list.
QComboBox* makeOpenChoice(const char* object, const QString& name, QWidget* parent)
{
    QComboBox* box = makeChoice(object, name, parent);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    return box;
}

/// Marks what cannot be chosen, with the reason on hover and beside the button once it is chosen all the same.
void markChoices(QComboBox* box, const std::vector<SessionChoice>& choices)
{
    auto* model = qobject_cast<QStandardItemModel*>(box->model());
    for (const SessionChoice& choice : choices) {
        const int at = box->findData(q(choice.id));
        if (at < 0)
            continue;
        QStandardItem* item = model->item(at);
        item->setEnabled(choice.reason.empty());
        const QString plain = item->data(Qt::AccessibleTextRole).toString();
        const QString text = plain.isEmpty() ? item->text() : plain;
        item->setData(text, Qt::AccessibleTextRole);
        item->setText(choice.reason.empty() ? text : NewSessionCard::tr("%1 (not recorded)").arg(text));
        item->setToolTip(choice.reason.empty() ? q(choice.title) : q(choice.reason));
    }
}

} // namespace

NewSessionCard::NewSessionCard(QWidget* parent)
    : Card(tr("New session"), parent), name_(new QLineEdit(this)), objective_(new QLineEdit(this)),
      kernel_(makeChoice("sessionKernel", tr("Kernel"), this)), variant_(makeChoice("sessionVariant", tr("Starting variant"), this)),
      problem_(makeOpenChoice("sessionProblem", tr("Problem size"), this)), kind_(makeChoice("sessionKind", tr("Kind of session"), this)),
      kindWords_(makeLabel({}, TextRole::caption, this)), budget_(new QSpinBox(this)),
      cumulative_(new QCheckBox(tr("Cumulative: keep small improvements"), this)), claimSource_(new QLineEdit(this)),
      claimFigure_(new QLineEdit(this)), open_(new ReasonedButton(tr("Open session"), true, this))
{
    setCaption(tr("Leave a field empty to use its default."));
    setTone(QStringLiteral("accent"));
    QFormLayout* form = makeForm();
    kindWords_->setWordWrap(true);
    cumulative_->setObjectName(QStringLiteral("sessionCumulative"));
    form->addRow(tr("Kind"), kind_);
    form->addRow(kindWords_);
    form->addRow(cumulative_);
    objective_->setObjectName(QStringLiteral("sessionObjective"));
    objective_->setPlaceholderText(tr("e.g. make transpose as fast as a copy"));
    setFocusProxy(objective_);
    form->addRow(tr("Objective"), objective_);
    addKernelRows(form);
    body()->addLayout(form);
    body()->addWidget(open_); // above what is seldom filled in, so that it is on the first screen
    body()->addSpacing(kGapInside);
    body()->addWidget(makeLabel(tr("Opening questions"), TextRole::card, this));
    QFormLayout* questions = makeForm();
    addQuestions(questions);
    body()->addLayout(questions);
    open_->setReasonBelow(); // next to the button it would be a narrow column
    open_->button()->setObjectName(QStringLiteral("openSession"));
    connect(open_, &ReasonedButton::clicked, this, &NewSessionCard::submit);
    connect(objective_, &QLineEdit::returnPressed, this, &NewSessionCard::submit);
}

void NewSessionCard::addKernelRows(QFormLayout* form)
{
    budget_->setObjectName(QStringLiteral("sessionBudget"));
    budget_->setAccessibleName(tr("Budget in minutes"));
    budget_->setRange(1, kMostMinutes);
    budget_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    budget_->setSuffix(tr(" min"));
    name_->setObjectName(QStringLiteral("sessionName"));
    name_->setAccessibleName(tr("Session name"));
    form->addRow(tr("Kernel"), kernel_);
    form->addRow(tr("Starting variant"), variant_);
    form->addRow(tr("Problem size"), problem_);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(kGapInside);
    pair->addWidget(budget_, 1);
    pair->addWidget(name_, 1);
    form->addRow(tr("Budget and session name"), pair);
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        describeKind();
        emit changed();
    });
    connect(kernel_, &QComboBox::currentIndexChanged, this, [this] {
        fillVariants();
        emit changed();
    });
    connect(variant_, &QComboBox::currentIndexChanged, this, &NewSessionCard::changed);
    connect(problem_, &QComboBox::currentTextChanged, this, &NewSessionCard::changed);
    connect(budget_, &QSpinBox::valueChanged, this, &NewSessionCard::changed);
}

void NewSessionCard::addQuestions(QFormLayout* form)
{
    for (const Question& question : kQuestions) {
        auto* answer = new QLineEdit(this);
        answer->setObjectName(QStringLiteral("answer-%1").arg(QLatin1String(question.id)));
        answer->setAccessibleName(tr(question.label));
        form->addRow(tr(question.label), answer);
        answers_.emplace_back(question.id, answer);
    }
    claimSource_->setObjectName(QStringLiteral("sessionClaimSource"));
    claimSource_->setAccessibleName(tr("Source of the claim"));
    claimSource_->setPlaceholderText(tr("source"));
    claimFigure_->setObjectName(QStringLiteral("sessionClaimFigure"));
    claimFigure_->setAccessibleName(tr("Claimed figure"));
    claimFigure_->setPlaceholderText(withMark(tr("e.g. 1.5x")));
    auto* claim = new QHBoxLayout;
    claim->setSpacing(kGapInside);
    claim->addWidget(claimSource_, 3);
    claim->addWidget(claimFigure_, 2);
    form->addRow(tr("Claim to test"), claim);
}

void NewSessionCard::setKernels(std::shared_ptr<const Catalog> catalog)
{
    const QString present = kernel_->currentData().toString();
    {
        const QSignalBlocker quiet(kernel_);
        catalog_ = std::move(catalog);
        kernel_->clear();
        for (const auto* list : {&catalog_->families(), &catalog_->programs()})
            for (const KernelFamily& family : *list)
                kernel_->addItem(QStringLiteral("%1 · %2").arg(q(family.id), q(family.title)), q(family.id));
        const int again = kernel_->findData(present.isEmpty() ? QStringLiteral("transpose") : present);
        kernel_->setCurrentIndex(std::max(0, again));
    }
    fillVariants();
}

void NewSessionCard::fillVariants()
{
    if (!catalog_)
        return;
    const Result<const KernelFamily*> family = catalog_->family(utf8(kernel_->currentData().toString()));
    if (!family)
        return;
    const QSignalBlocker quietVariant(variant_);
    const QSignalBlocker quietProblem(problem_);
    const QString variant = variant_->currentData().toString();
    const QString problem = problem_->currentText();
    variant_->clear();
    variant_->addItem(tr("the one kept last, else the first"), QString());
    for (const Variant& row : (*family)->variants)
        variant_->addItem(QStringLiteral("%1 · %2").arg(q(row.id), q(row.title)), q(row.id));
    variant_->setCurrentIndex(std::max(0, variant_->findData(variant)));
    problem_->clear();
    for (const Params& row : (*family)->problems)
        problem_->addItem(q(toText(row)), q(toText(row)));
    problem_->setCurrentIndex(std::max(0, problem_->findData(problem)));
}

void NewSessionCard::setKinds()
{
    const QString present = kind_->currentData().toString();
    const QSignalBlocker quiet(kind_);
    kind_->clear();
    for (const KindRow& row : sessionKinds()) {
        if (row.broken)
            continue;
        kind_->addItem(QStringLiteral("%1 · %2").arg(q(row.kind), q(formatMinutes(row.budgetMinutes))), q(row.kind));
        kind_->setItemData(kind_->count() - 1, q(row.title), Qt::ToolTipRole);
        kind_->setItemData(kind_->count() - 1, row.budgetMinutes, kBudgetRole);
    }
    const int again = kind_->findData(present.isEmpty() ? QStringLiteral("optimize") : present);
    kind_->setCurrentIndex(std::max(0, again));
    describeKind();
}

void NewSessionCard::describeKind()
{
    kindWords_->setText(kind_->currentData(Qt::ToolTipRole).toString());
    const QSignalBlocker quiet(budget_);
    budget_->setValue(qRound(kind_->currentData(kBudgetRole).toDouble()));
    const QString kind = kind_->currentData().toString();
    const bool changes = kind != QStringLiteral("baseline") && kind != QStringLiteral("debug") && kind != QStringLiteral("profile");
    cumulative_->setVisible(changes);
    if (!changes)
        cumulative_->setChecked(false);
}

void NewSessionCard::setName(const QString& name)
{
    if (!name_->isModified()) // the user's own stays while the form is filled again
        name_->setText(name);
}

void NewSessionCard::propose(const QString& kernel, const QString& objective, const QString& kind, const QString& problem)
{
    const bool whole = kernel_->findData(kernel) >= 0;
    if (const int at = kernel_->findData(whole ? kernel : kernel.section(u'/', 0, 0)); at >= 0) {
        kernel_->setCurrentIndex(at);
        const QString variant = whole ? QString() : kernel.section(u'/', 1).section(u'@', 0, 0);
        if (const int start = variant_->findData(variant); !variant.isEmpty() && start >= 0) {
            variant_->setCurrentIndex(start);
            tuned_ = kernel.contains(u'@') ? kernel : QString();
        }
    }
    if (!objective.isEmpty())
        objective_->setText(objective);
    if (const int at = kind_->findData(kind); !kind.isEmpty() && at >= 0)
        kind_->setCurrentIndex(at);
    if (!problem.isEmpty())
        problem_->setEditText(problem);
}

void NewSessionCard::setLocked(const QString& reason)
{
    locked_ = reason;
    showReason();
}

void NewSessionCard::showReason()
{
    open_->setReason(locked_.isEmpty() ? missing_ : locked_);
}

void NewSessionCard::setChoices(const SessionChoices& choices)
{
    const QSignalBlocker quietVariant(variant_);
    const QSignalBlocker quietProblem(problem_);
    const QSignalBlocker quietKind(kind_);
    markChoices(variant_, choices.variants);
    const QString problem = problem_->currentText();
    markChoices(problem_, choices.problems);
    problem_->setEditText(problem); // which an item of another text would replace
    markChoices(kind_, choices.kinds);
}

void NewSessionCard::setPreview(const Result<SessionPreview>& preview)
{
    missing_ = preview ? q(preview->missing) : q(preview.error().message);
    showReason();
    if (!preview)
        return;
    for (const auto& [id, field] : answers_)
        for (const AnswerPreview& answer : preview->answers)
            if (answer.id == id && field->text().isEmpty()) {
                field->setPlaceholderText(q(answer.answer));
                field->setToolTip(field->placeholderText());
            }
}

Result<NewSession> NewSessionCard::draft() const
{
    NewSession session;
    KL_ASSIGN(session.problem, parseParams(utf8(problem_->currentText().trimmed())));
    session.name = utf8(name_->text().trimmed());
    session.kernel = utf8(kernel_->currentData().toString());
    if (const QString variant = variant_->currentData().toString(); !variant.isEmpty())
        session.kernel += '/' + utf8(variant);
    if (!tuned_.isEmpty() && q(session.kernel) == tuned_.section(u'@', 0, 0))
        session.kernel = utf8(tuned_);
    session.kind = utf8(kind_->currentData().toString());
    session.cumulative = cumulative_->isChecked();
    if (budget_->value() != qRound(kind_->currentData(kBudgetRole).toDouble()))
        session.budgetMinutes = budget_->value();
    if (!claimSource_->text().trimmed().isEmpty() && !claimFigure_->text().trimmed().isEmpty())
        session.claims.push_back({utf8(claimSource_->text().trimmed()), utf8(withPoints(claimFigure_->text().trimmed()))});
    session.objective = utf8(objective_->text().trimmed());
    if (session.objective.empty())
        session.objective = "Make " + session.kernel + " faster";
    for (const auto& [id, answer] : answers_)
        if (!answer->text().trimmed().isEmpty())
            session.answers[id] = utf8(answer->text().trimmed());
    return session;
}

void NewSessionCard::submit()
{
    if (const Result<NewSession> session = draft(); session && open_->button()->isEnabled())
        emit requested(*session);
}

} // namespace kl::ui
