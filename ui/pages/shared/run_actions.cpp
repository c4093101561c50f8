// SPDX-License-Identifier: MIT
#include "ui/pages/shared/run_actions.h"

#include "core/base/try.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/pages/shared/label_dialogs.h"
#include "ui/widgets/text.h"

#include <QMenu>

namespace kl::ui {
namespace {

/// Adds the words of the text that were not there before, and removes those of before that it lacks. With several subjects what stays in
/// the text stays as it is with each of them.
Status replaceTags(Store& store, const std::string& subject, const QStringList& before, const QString& text)
{
    const QStringList now = text.simplified().split(u' ', Qt::SkipEmptyParts);
    for (const QString& one : now)
        if (!before.contains(one))
            KL_TRY(store.setTag(subject, utf8(one), true));
    for (const QString& one : before)
        if (!now.contains(one))
            KL_TRY(store.setTag(subject, utf8(one), false));
    return {};
}

struct RunActions {
    AppContext& context;
    std::vector<RunId> runs;
    QWidget* parent;
    std::function<void()> done;

    void finish(const Status& status, const QString& what) const
    {
        if (!status)
            context.post(status.error(), what);
        context.pollData();
        done();
    }

    void rename() const
    {
        const Result<RunSummary> run = context.store().summary(runs.front());
        askText(parent, QObject::tr("Rename Run"), QObject::tr("Name, shown beside the kernel; empty to remove it"),
                run ? exact(run->name) : QString(), [self = *this](const QString& name) {
                    self.finish(self.context.engine()->store->nameRun(self.runs.front(), utf8(name.trimmed())),
                                QObject::tr("The run was not renamed"));
                });
    }

    void tag() const
    {
        QStringList before;
        for (const RunId& id : runs)
            if (const auto tags = context.store().tags("run:" + id.text))
                for (const std::string& one : *tags)
                    if (!before.contains(exact(one)))
                        before << exact(one);
        askText(parent, QObject::tr("Tags"), QObject::tr("Tags, separated by spaces"), before.join(u' '),
                [self = *this, before](const QString& text) {
                    self.finish(self.setTags(before, text), QObject::tr("The tags were not saved"));
                });
    }

    Status setTags(const QStringList& before, const QString& text) const
    {
        for (const RunId& id : runs)
            KL_TRY(replaceTags(*context.engine()->store, "run:" + id.text, before, text));
        return {};
    }

    /// What would be lost, and what keeps some from being deleted.
    void remove() const
    {
        std::int64_t comparisons = 0, notes = 0;
        QStringList sessions;
        for (const RunId& id : runs) {
            const Result<Dependents> with = context.store().dependents(id);
            if (!with)
                return finish(with.error(), QObject::tr("The run was not deleted"));
            comparisons += with->comparisons;
            notes += with->notes;
            for (const std::string& session : with->sessions)
                if (!sessions.contains(q(session)))
                    sessions << q(session);
        }
        const Deletion deletion{QObject::tr("Delete Runs"),
                                runs.size() == 1 ? QObject::tr("Delete this run?") : QObject::tr("Delete %1 runs?").arg(runs.size()),
                                QObject::tr("%1 comparisons, %2 notes").arg(comparisons).arg(notes),
                                sessions.isEmpty()
                                    ? QString()
                                    : QObject::tr("Not possible: it is evidence in %1. Delete the session first if neither is needed.")
                                          .arg(sessions.join(QStringLiteral(", ")))};
        confirmDeletion(parent, deletion, [self = *this] {
            Status removed;
            for (const RunId& id : self.runs)
                if (removed)
                    removed = self.context.engine()->store->removeRun(id);
            self.finish(removed, QObject::tr("The run was not deleted"));
        });
    }
};

struct SessionActions {
    AppContext& context;
    SessionId session;
    QWidget* parent;
    std::function<void()> done;

    void finish(const Status& status, const QString& what) const
    {
        if (!status)
            context.post(status.error(), what);
        context.pollData();
        done();
    }

    void rename() const
    {
        const Result<SessionHeader> header = context.store().session(session);
        askText(parent, QObject::tr("Rename Session"), QObject::tr("Name"), header ? exact(header->name) : QString(),
                [self = *this](const QString& name) {
                    self.finish(self.context.engine()->store->renameSession(self.session, utf8(name.trimmed())),
                                QObject::tr("The session was not renamed"));
                });
    }

    void tag() const
    {
        QStringList before;
        if (const auto tags = context.store().tags("session:" + session.text))
            for (const std::string& one : *tags)
                before << exact(one);
        askText(parent, QObject::tr("Tags"), QObject::tr("Tags, separated by spaces"), before.join(u' '),
                [self = *this, before](const QString& text) {
                    self.finish(replaceTags(*self.context.engine()->store, "session:" + self.session.text, before, text),
                                QObject::tr("The tags were not saved"));
                });
    }

    void remove() const
    {
        const Result<Dependents> with = context.store().dependents(session);
        const Result<SessionHeader> header = context.store().session(session);
        if (!with || !header)
            return finish(with ? header.error() : with.error(), QObject::tr("The session was not deleted"));
        confirmDeletion(parent,
                        {QObject::tr("Delete Session"),
                         QObject::tr("Delete session %1? Its runs stay.").arg(q(header->name)),
                         QObject::tr("%1 events, %2 notes, %3 entered costs, %4 uses of patterns")
                             .arg(with->events)
                             .arg(with->notes)
                             .arg(with->costs)
                             .arg(with->applications),
                         {}},
                        [self = *this] {
                            self.finish(self.context.engine()->store->removeSession(self.session),
                                        QObject::tr("The session was not deleted"));
                        });
    }
};

} // namespace

void addRunActions(QMenu& menu, AppContext& context, const std::vector<RunId>& runs, QWidget* parent, const std::function<void()>& done)
{
    if (runs.empty())
        return;
    const RunActions actions{context, runs, parent, done};
    const bool one = runs.size() == 1;
    const bool writable = context.writeReason().isEmpty();
    const bool pinned = one && Baselines::instance().isPinned(context.location(), runs.front());
    menu.addSeparator();
    menu.addAction(pinned ? QObject::tr("Unpin baseline") : QObject::tr("Pin as baseline"), &context,
                   [actions, pinned] {
                       for (const RunId& id : actions.runs)
                           Baselines::instance().pin(actions.context.location(), id, !pinned);
                   })
        ->setObjectName(QStringLiteral("pinRun"));
    const auto add = [&](const QString& text, const char* name, bool enabled, void (RunActions::*work)() const) {
        QAction* action = menu.addAction(text, &context, [actions, work] { (actions.*work)(); });
        action->setObjectName(QString::fromLatin1(name));
        action->setEnabled(enabled);
    };
    add(QObject::tr("Rename…"), "renameRun", one && writable, &RunActions::rename);
    add(QObject::tr("Tags…"), "tagRuns", writable, &RunActions::tag);
    add(QObject::tr("Delete…"), "deleteRuns", writable, &RunActions::remove);
}

void addSessionActions(QMenu& menu, AppContext& context, const SessionId& session, QWidget* parent, const std::function<void()>& done)
{
    const SessionActions actions{context, session, parent, done};
    const bool writable = context.writeReason().isEmpty();
    const auto add = [&](const QString& text, const char* name, void (SessionActions::*work)() const) {
        QAction* action = menu.addAction(text, &context, [actions, work] { (actions.*work)(); });
        action->setObjectName(QString::fromLatin1(name));
        action->setEnabled(writable);
    };
    add(QObject::tr("Rename…"), "renameSession", &SessionActions::rename);
    add(QObject::tr("Tags…"), "tagSession", &SessionActions::tag);
    add(QObject::tr("Delete…"), "deleteSession", &SessionActions::remove);
}

} // namespace kl::ui
