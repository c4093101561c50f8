// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive_live.h"

#include "app/kernelloop/drive.h"
#include "app/kernelloop/shots.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QDir>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabWidget>
#include <QTextStream>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kPatience = 5 * 60 * 1000; ///< ms, for one measurement
constexpr int kMostPresses = 40;         ///< a session takes about a dozen

class LiveDrive {
public:
    LiveDrive(AppContext& context, MainWindow& window, QString folder)
        : context_(context), window_(window), folder_(std::move(folder)), out_(stdout)
    {
    }

    void profileProgram(const QString& command)
    {
        const QPointer dialog = new ProgramDialog(context_, &window_); // closes itself once there are runs to show
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
        dialog->findChild<QLineEdit*>(QStringLiteral("program"))->setText(command);
        auto* run = dialog->findChild<QPushButton*>(QStringLiteral("profileProgram"));
        waitForJobs(kPatience);
        if (!run->isEnabled())
            return fail(QStringLiteral("a program cannot be profiled: ") + context_.writeReason());
        run->click();
        waitForJobs(kPatience);
        if (dialog && dialog->isVisible())
            return fail(QStringLiteral("the program was not profiled: ") +
                        dialog->findChild<QLabel*>(QStringLiteral("programStatus"))->text());
        take("program");
    }

    /// Profiles a kernel by its page's button and shows its diagnosis.
    void profileKernel(const char* address)
    {
        window_.showPage(QStringLiteral("kernels"), QString::fromLatin1(address));
        waitForJobs(kPatience);
        if (!click("profile"))
            return fail(QStringLiteral("%1 cannot be profiled: %2").arg(QString::fromLatin1(address), context_.deviceReason()));
        RunQuery newest;
        newest.kernel = address;
        newest.profilesOnly = true;
        newest.limit = 1;
        const auto runs = context_.store().runs(newest);
        if (!runs || runs->empty())
            return fail(QStringLiteral("%1 was not profiled").arg(QString::fromLatin1(address)));
        window_.showPage(QStringLiteral("diagnose"), q(runs->front().id.text));
        waitForJobs(kPatience);
        if (auto* tabs = page()->findChild<QTabWidget*>(QStringLiteral("pageTabs")))
            tabs->setCurrentIndex(0); // the diagnosis
    }

    void pin()
    {
        if (!click("pinBaseline"))
            fail(QStringLiteral("the run cannot be pinned"));
    }

    void showDuration()
    {
        const auto* card = page()->findChild<QWidget*>(QStringLiteral("durationCard"));
        if (!card || !card->isVisibleTo(page()))
            return fail(QStringLiteral("there are no samples over the launch's duration"));
        scrollTo(*page(), QStringLiteral("durationChart"));
        take("duration");
    }

    void showCode()
    {
        window_.showPage(QStringLiteral("diagnose"), QStringLiteral("source:"));
        waitForJobs(kPatience);
        take("sass");
    }

    /// From the form of a new session to its end.
    void walkSession()
    {
        window_.showPage(QStringLiteral("session"), QStringLiteral("new"));
        waitForJobs(kPatience);
        QApplication::setActiveWindow(&window_); // the dialog was the last one
        if (auto* objective = window_.page(QStringLiteral("session"))->findChild<QLineEdit*>(QStringLiteral("sessionObjective")))
            objective->setFocus(Qt::OtherFocusReason);
        press();
        int presses = 1;
        for (; presses < kMostPresses && phase() != QStringLiteral("done"); ++presses) {
            if (!qobject_cast<QPushButton*>(window_.focusWidget()))
                return fail(QStringLiteral("after %1 presses no button has the focus").arg(presses));
            if (nextAction() == SessionAction::keep)
                take("keyboard");
            press();
        }
        out_ << QStringLiteral("session: %1 after %2 presses of Return").arg(phase()).arg(presses) << Qt::endl;
        if (phase() != QStringLiteral("done"))
            fail(QStringLiteral("the session did not end"));
    }

    void take(const char* name)
    {
        if (!shoot(window_, QStringLiteral("%1/live-%2.png").arg(folder_, QString::fromLatin1(name))))
            return fail(QStringLiteral("no picture in ") + folder_);
        out_ << QStringLiteral("picture: live-%1.png").arg(QString::fromLatin1(name)) << Qt::endl;
    }

    int exitStatus() const { return failed_ ? 1 : 0; }

private:
    Page* page() { return window_.page(QStringLiteral("diagnose")); }

    void fail(const QString& why)
    {
        out_ << QStringLiteral("failed: ") << why << Qt::endl;
        failed_ = true;
    }

    bool click(const char* name)
    {
        for (QPushButton* button : window_.findChildren<QPushButton*>(QString::fromLatin1(name)))
            if (button->isVisible() && button->isEnabled()) {
                button->click();
                waitForJobs(kPatience);
                return true;
            }
        return false;
    }

    void press()
    {
        QWidget* focused = window_.focusWidget();
        for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent event(type, Qt::Key_Return, Qt::NoModifier, QStringLiteral("\r"));
            QApplication::sendEvent(focused ? focused : &window_, &event);
        }
        waitForJobs(kPatience);
        QCoreApplication::processEvents(); // the focus follows behind
    }

    QString phase()
    {
        const auto view = context_.engine()->sessions.view(context_.currentSession());
        return view ? q(view->phase) : QString();
    }

    std::optional<SessionAction> nextAction()
    {
        const auto view = context_.engine()->sessions.view(context_.currentSession());
        return view && !view->next.empty() ? std::optional(view->next.front().action) : std::nullopt;
    }

    AppContext& context_;
    MainWindow& window_;
    QString folder_;
    QTextStream out_;
    bool failed_ = false;
};

} // namespace

int driveLive(AppContext& context, MainWindow& window, const QString& program, const QString& folder)
{
    QDir().mkpath(folder);
    window.resize(1280, 800);
    Theme::instance().choose(ThemeChoice::light);
    QApplication::setActiveWindow(&window);
    LiveDrive drive(context, window, folder);
    if (!program.isEmpty())
        drive.profileProgram(program);
    drive.profileKernel("transpose/naive");
    drive.showDuration();
    drive.showCode();
    drive.pin();
    drive.profileKernel("transpose/tiled");
    drive.take("baseline");
    drive.walkSession();
    return drive.exitStatus();
}

} // namespace kl::ui
