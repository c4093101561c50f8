// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/engine/registered_kernels.h"
#include "sessions/engine/session_engine.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/rule_outcomes.h"
#include "sessions/store/kept.h"
#endif
#include "ui/job.h"
#include "ui/kernel_watcher.h"
#include "ui/widgets/message_bar.h"

#include <memory>
#include <mutex>
#include <string>

namespace kl {

enum class DeviceChoice { sample, local };

/// Everything a job works with. A job holds it, so that switching the database never pulls it away from under one.
struct Engine {
    Engine(std::shared_ptr<const OpenCatalog> kernels, std::shared_ptr<const DiagnosisTree> tree, std::shared_ptr<Store> store,
           std::shared_ptr<Collector> collector, std::shared_ptr<std::mutex> mutex);

    std::shared_ptr<const OpenCatalog> kernels;
    std::shared_ptr<const Catalog> catalog; ///< of `kernels`
    std::shared_ptr<const DiagnosisTree> tree;
    std::shared_ptr<Store> store;
    std::shared_ptr<Collector> collector;
    std::shared_ptr<std::mutex> mutex; ///< the collector's: it takes one call at a time
    Workbench bench;
    SessionEngine sessions;

    /// trainedModel() and ruleCases() of this engine; they take a moment, so each is kept until the database changes.
    Result<std::shared_ptr<const FixModel>> recommender();
    Result<std::vector<RuleCase>> ruleCases();

private:
    Kept<std::shared_ptr<const FixModel>> recommender_;
    Kept<std::vector<RuleCase>> ruleCases_;
};

/// What the pages share: catalog, tree, store and collector, the session in hand, and the ways to reach the window (messages,
/// navigation). GUI thread, but for the Engine inside jobs.
class AppContext : public QObject {
    Q_OBJECT
public:
    /// location: ":sample:" or a file, as Store::open. A device that cannot be used is no error: see deviceReason().
    static Result<std::unique_ptr<AppContext>> open(const std::string& location, DeviceChoice device);
    ~AppContext() override;

    const Catalog& catalog() const { return *engine_->catalog; }
    /// Registered kernels that cannot be used at present.
    const std::vector<BrokenKernel>& brokenKernels() const { return engine_->kernels->broken; }
    const DiagnosisTree& tree() const { return *engine_->tree; }
    const Store& store() const { return *engine_->store; }
    const std::shared_ptr<Engine>& engine() const { return engine_; }

    /// Runs work(Engine&, const Job&) in the job, one at a time, and done(result) here. Reports a change of data afterwards.
    template <class Work, class Done> void run(BackgroundJob& job, const QString& title, Work work, Done done)
    {
        job.start(
            title,
            [engine = engine_, work = std::move(work)](const Job& handle) mutable {
                const std::scoped_lock lock(*engine->mutex);
                return work(*engine, handle);
            },
            [this, done = std::move(done)](auto answer) mutable {
                done(std::move(answer));
                pollData();
            });
    }

    /// As run, for reading the store alone: does not wait for measurements and shows no task.
    template <class Work, class Done> void read(BackgroundJob& job, Work work, Done done)
    {
        job.start(
            {}, [engine = engine_, work = std::move(work)](const Job& handle) mutable { return work(*engine, handle); }, std::move(done));
    }

    bool isSample() const; ///< the read-only sample database is open
    QString location() const;
    /// Opens another database; on failure the present one stays.
    Status switchTo(const std::string& location);
    /// The user's own database, created when missing.
    Status startOwn();

    /// Registers a kernel of the user's by the path of its kernel.json, or forgets one by its id or path; kernelsChanged follows.
    Status addKernel(const std::string& path);
    Status removeKernel(const std::string& pathOrId);

    QString deviceName() const;   ///< "H200 (recorded)", "H200 (live)", "no device"
    QString deviceReason() const; ///< why nothing can be measured; empty when it can
    /// Why an action that writes to the database is not possible; empty when it is.
    QString writeReason() const;
    /// Why one that measures and stores is not: the database's reason, else the device's.
    QString measureReason() const;

    const SessionId& currentSession() const { return session_; }
    void setCurrentSession(const SessionId& id, const QString& name, const QString& kernel);
    QString sessionText() const { return sessionText_; } ///< "N+6 · transpose"; empty without one

    void post(const Message& message) { emit messagePosted(message); }
    void post(const Error& error, const QString& what = {}) { emit messagePosted(makeMessage(error, what)); }
    /// Shows a page ("home", "session", "kernels", "diagnose", "compare", "history", "patterns"), with what to show there.
    void navigate(const QString& page, const QString& argument = {}) { emit navigationAsked(page, argument); }

    /// Looks whether anyone wrote to the database; emits dataChanged. Called by a timer too.
    void pollData();

    /// Runs of files that were opened while the database could not take them.
    std::shared_ptr<const std::vector<RunRecord>> openedRuns() const { return opened_; }
    void keepOpened(std::vector<RunRecord> runs);
    /// Opens reports of other tools; without paths the user is asked for them.
    void openReports(const QStringList& paths = {}) { emit reportsAsked(paths); }

signals:
    void dataChanged();
    void reportsAsked(const QStringList& paths);
    void databaseSwitched();
    /// The catalog is another one: kernels were added, removed, or `saved` (ids of those whose files changed).
    void kernelsChanged(const QStringList& saved);
    void currentSessionChanged();
    void messagePosted(const kl::Message& message);
    void navigationAsked(const QString& page, const QString& argument);

private:
    explicit AppContext(std::shared_ptr<Engine> engine);
    /// Reads the user's kernels again. The engine is replaced: jobs under way keep the one they began with.
    void reloadKernels(const QStringList& saved);
    void watchKernels();

    std::shared_ptr<Engine> engine_;
    KernelWatcher watcher_;
    std::vector<std::string> registered_; ///< as they were when the catalog was read
    std::int64_t seen_ = 0;
    std::shared_ptr<const std::vector<RunRecord>> opened_ = std::make_shared<const std::vector<RunRecord>>();
    SessionId session_;
    QString sessionText_;
};

} // namespace kl
