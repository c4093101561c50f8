// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive_target.h"

#include "app/kernelloop/shots.h"
#include "sessions/engine/own_edit.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QTextStream>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kStepPatience = 10 * 60 * 1000; ///< ms, for one step: a comparison starts 80 processes
constexpr int kMostActions = 40;
constexpr int kLookMs = 100;   ///< between two looks for a question
constexpr int kInCheckBox = 8; ///< px; a check box is as wide as its column, but only its text takes clicks
const QString kKernel = QStringLiteral("transpose");
const QString kEdited = QStringLiteral("transpose.cu");

void clickAt(QWidget& widget, QPoint at)
{
    for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        QMouseEvent event(type, at, widget.mapToGlobal(QPointF(at)), Qt::LeftButton,
                          type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&widget, &event);
    }
}

void press(QWidget& widget, int key, Qt::KeyboardModifiers modifiers, const QString& text)
{
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, modifiers, text);
        QApplication::sendEvent(&widget, &event);
    }
}

/// Takes the place of what the field holds.
void type(QWidget& field, const QString& text)
{
    field.setFocus(Qt::OtherFocusReason);
    press(field, Qt::Key_A, Qt::ControlModifier, {});
    for (const QChar letter : text)
        press(field, Qt::Key_unknown, Qt::NoModifier, letter);
}

class TargetDrive {
public:
    TargetDrive(AppContext& context, MainWindow& window, QString folder)
        : context_(context), window_(window), folder_(std::move(folder)), out_(stdout)
    {
        QObject::connect(&context_, &AppContext::messagePosted, &looks_, [this](const Message& message) {
            if (message.level == MessageLevel::error || message.level == MessageLevel::warning)
                out_ << message.what << ' ' << message.why << Qt::endl;
        });
        QObject::connect(&looks_, &QTimer::timeout, &looks_, [this] { allow(); });
        looks_.start(kLookMs);
    }

    bool profile(const QString& program)
    {
        window_.showPage(QStringLiteral("home"));
        waitForJobs(kStepPatience);
        if (!click(window_, "profileProgramDoor"))
            return fail(QStringLiteral("Home has no door to a program"));
        auto* dialog = window_.findChild<ProgramDialog*>();
        if (!fill(*dialog, {{"program", program}, {"programFolder", QDir::currentPath()}}))
            return false;
        take(*dialog, QStringLiteral("program"));
        if (!click(*dialog, "profileProgram"))
            return fail(QStringLiteral("the program was not profiled"));
        return choose();
    }

    /// The form of the target, from the kernel of the profile that is shown.
    bool describe(const QString& program)
    {
        if (!click(window_, "openTarget"))
            return fail(QStringLiteral("no session can be opened on this kernel"));
        const QPointer<TargetDialog> dialog(window_.findChild<TargetDialog*>()); // it deletes itself once it is accepted
        const QString run = program.section(QLatin1Char(' '), 0, -3) + QStringLiteral(" {M} {N}");
        if (!fill(*dialog, {{"targetFolder", QDir::currentPath()},
                            {"targetBuild", QStringLiteral("cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build")},
                            {"targetRun", run},
                            {"targetProblem", QStringLiteral("M=4096,N=4096")},
                            {"targetSuite", QStringLiteral("M=1,N=1; M=33,N=65; M=1000,N=513; M=4096,N=4096")},
                            {"targetCheckCommand", run + QStringLiteral(" check")},
                            {"targetRivalLaunches", QStringLiteral("copy_all")},
                            {"targetEdit", kEdited}}))
            return false;
        take(*dialog, QStringLiteral("form"));
        if (!click(*dialog, "targetWrite"))
            return fail(QStringLiteral("the form cannot be accepted"));
        if (dialog && dialog->isVisible())
            return fail(QStringLiteral("the form refuses: ") + dialog->findChild<QLabel*>(QStringLiteral("targetError"))->text());
        return true;
    }

    bool open()
    {
        QWidget& page = *window_.page(QStringLiteral("session"));
        if (!fill(page, {{"sessionObjective", QStringLiteral("Bring the transpose to the speed of a copy")}}))
            return false;
        waitForJobs(kStepPatience);
        take(QStringLiteral("new"));
        return click(page, "openSession") || fail(QStringLiteral("the session cannot be opened: ") + context_.explainUnmeasurable());
    }

    /// The recommended button of each step.
    void walk(const QString& edit)
    {
        QWidget& page = *window_.page(QStringLiteral("session"));
        for (int step = 1; step <= kMostActions; ++step) {
            const Result<SessionView> view = context_.engine()->sessions.view(context_.currentSession());
            if (!view)
                return void(fail(q(view.error().message)));
            if (view->phase == "done" || view->next.empty())
                return end(*view);
            const NextAction next = view->next.front();
            if (next.action == SessionAction::takeEdit && !edits(page, edit))
                return;
            take(QStringLiteral("%1-%2").arg(step, 2, 10, QLatin1Char('0')).arg(q(toString(next.action))));
            out_ << step << ". " << q(next.title) << Qt::endl;
            if (!act(page, next))
                return void(fail(QStringLiteral("no button for \"%1\": %2").arg(q(next.title), q(next.reason))));
        }
        fail(QStringLiteral("the session did not end"));
    }

    int exitStatus() const { return failed_ ? 1 : 0; }

private:
    bool fail(const QString& why)
    {
        out_ << QStringLiteral("failed: ") << why << Qt::endl;
        take(QStringLiteral("failed"));
        failed_ = true;
        return false;
    }

    void take(QWidget& shown, const QString& name)
    {
        for (int turn = 0; turn < 5; ++turn) // layouts settle over a few turns
            QCoreApplication::processEvents();
        save(shown.grab(), name);
    }

    void take(const QString& name)
    {
        waitForJobs(kStepPatience);
        take(window_, name);
    }

    void save(const QPixmap& picture, const QString& name)
    {
        const QString file = QStringLiteral("%1/target-%2.png").arg(folder_, name);
        out_ << (picture.save(file) ? QStringLiteral("picture: ") : QStringLiteral("not written: ")) << file << Qt::endl;
    }

    /// Clicks what a user could click.
    static bool clickFirst(const QList<QAbstractButton*>& buttons)
    {
        for (QAbstractButton* button : buttons)
            if (button->isVisible() && button->isEnabled()) {
                const int left = std::min(button->width() / 2, kInCheckBox);
                clickAt(*button, {left, button->height() / 2});
                waitForJobs(kStepPatience);
                return true;
            }
        return false;
    }

    static bool click(const QWidget& inside, const char* name)
    {
        return clickFirst(inside.findChildren<QAbstractButton*>(QString::fromLatin1(name)));
    }

    /// Its card of an edit of one's own.
    static bool clickOwnEdit(const QWidget& page)
    {
        QList<QAbstractButton*> buttons = page.findChildren<QAbstractButton*>();
        buttons.removeIf([](const QAbstractButton* button) { return button->property("fix").toString() != q(kOwnEdit); });
        return clickFirst(buttons);
    }

    bool fill(const QWidget& form, const std::vector<std::pair<const char*, QString>>& texts)
    {
        for (const auto& [name, text] : texts) {
            auto* field = form.findChild<QWidget*>(QString::fromLatin1(name));
            if (!field || !field->isVisible() || !field->isEnabled())
                return fail(QStringLiteral("the form has no field ") + QString::fromLatin1(name));
            type(*field, text);
        }
        return true;
    }

    /// Picks the kernel in the table of those that were found.
    bool choose()
    {
        auto* table = window_.page(QStringLiteral("diagnose"))->findChild<KernelTable*>(QStringLiteral("reportKernels"));
        if (!table || !table->isVisible())
            return fail(QStringLiteral("there is no table of the program's kernels"));
        QTreeView& view = *table->view();
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QModelIndex index = view.model()->index(row, 0);
            if (!index.data().toString().startsWith(kKernel))
                continue;
            clickAt(*view.viewport(), view.visualRect(index).center());
            take(QStringLiteral("kernels"));
            return true;
        }
        return fail(QStringLiteral("the table does not have the kernel"));
    }

    /// A command of the target wants to run.
    void allow()
    {
        for (QPushButton* run : window_.findChildren<QPushButton*>(QStringLiteral("consentRun"))) {
            if (!run->isVisible())
                continue;
            if (++looked_ == 1)
                return; // it is laid out until the next look
            if (looked_ == 2)
                save(window_.grab(), QStringLiteral("consent"));
            clickAt(*run, run->rect().center());
        }
    }

    /// Saves the file in an editor, and waits for the page to show what changed.
    bool edits(QWidget& page, const QString& edit)
    {
        QFile::remove(kEdited);
        if (!QFile::copy(edit, kEdited))
            return fail(QStringLiteral("%1 cannot be put in the place of %2").arg(edit, kEdited));
        const auto* use = page.findChild<QPushButton*>(QStringLiteral("editTake"));
        const QDeadlineTimer deadline(kStepPatience);
        while (!use->isEnabled() && !deadline.hasExpired()) // the timer of looks_ wakes it
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
        return click(page, "editGit") || fail(QStringLiteral("the edit cannot be committed"));
    }

    bool act(QWidget& page, const NextAction& next)
    {
        if (next.action == SessionAction::takeEdit)
            return click(page, "editTake");
        if (next.action == SessionAction::keep || next.action == SessionAction::revert || next.action == SessionAction::park)
            return click(page, toString(next.action));
        if (next.action == SessionAction::chooseFix)
            return clickOwnEdit(page);
        return click(page, "gateAction");
    }

    void end(const SessionView& view)
    {
        take(QStringLiteral("end"));
        out_ << q(view.header.name) << ": " << q(view.phase) << ", " << q(view.outcome) << ", commit " << q(view.commit) << Qt::endl;
        if (view.outcome != "kept")
            fail(q(view.why));
    }

    AppContext& context_;
    MainWindow& window_;
    QString folder_;
    QTextStream out_;
    QTimer looks_;
    int looked_ = 0; ///< at questions
    bool failed_ = false;
};

} // namespace

int driveTarget(AppContext& context, MainWindow& window, const QString& program, const QString& edit, const QString& folder)
{
    QDir().mkpath(folder);
    window.resize(1280, 800);
    Theme::instance().choose(ThemeChoice::light);
    QApplication::setActiveWindow(&window);
    TargetDrive drive(context, window, QDir(folder).absolutePath());
    if (drive.profile(program) && drive.describe(program) && drive.open())
        drive.walk(edit);
    return drive.exitStatus();
}

} // namespace kl::ui
