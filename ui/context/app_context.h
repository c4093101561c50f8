// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "profiler/device/device_spec.h"
#include "sessions/engine/session_engine.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/rule_outcomes.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/report/report.h"
#include "sessions/report/stored_reports.h"
#include "sessions/store/kept.h"
#endif
#include "ui/context/kernel_watcher.h"
#include "ui/jobs/job.h"
#include "ui/widgets/message_bar.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace kl::ui {

/// Everything a job works with. A job holds it, so that it outlives a switch of the database.
struct Engine {
    Engine(std::shared_ptr<const OpenCatalog> kernels, std::shared_ptr<const DiagnosisTree> tree, std::shared_ptr<Store> store,
           std::shared_ptr<Collector> collector, std::shared_ptr<std::mutex> mutex);

    std::shared_ptr<const OpenCatalog> kernels;
    std::shared_ptr<const Catalog> catalog; ///< of `kernels`
    std::shared_ptr<const DiagnosisTree> tree;
    std::shared_ptr<Store> store;
    std::shared_ptr<Collector> collector;
    std::shared_ptr<std::mutex> mutex; ///< the collector's: it takes one call at a time
    TrainedRecommender weigher;        ///< of the workbench's profiles
    Workbench bench;
    StoredReports reports;
    SessionEngine sessions;

    /// trainModel() and ruleCases() of this engine; they are slow, so each is cached until the database changes.
    Result<std::shared_ptr<const FixModel>> recommender();
    Result<std::vector<RuleCase>> ruleCases();

private:
    Kept<std::shared_ptr<const FixModel>> recommender_;
    Kept<std::vector<RuleCase>> ruleCases_;
};

/// What the pages share: catalog, tree, store and collector, the current session, and access to the window (messages,
/// navigation). GUI thread only, except for the Engine inside jobs.
class AppContext : public QObject {
    Q_OBJECT
public:
    /// location: ":sample:" or a file, see Store::open. An unusable device is not an error: see deviceReason().
    static Result<std::unique_ptr<AppContext>> open(const std::string& location, const DeviceSpec& device);
    ~AppContext() override;

    const Catalog& catalog() const { return *engine_->catalog; }
    /// Registered kernels that currently cannot be used.
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

    /// Like run, for work that only reads the store: does not wait for measurements and shows no task.
    template <class Work, class Done> void read(BackgroundJob& job, Work work, Done done)
    {
        job.start(
            {}, [engine = engine_, work = std::move(work)](const Job& handle) mutable { return work(*engine, handle); }, std::move(done));
    }

    bool isSample() const; ///< the read-only sample database is open
    QString location() const;
    /// Opens another database; on failure the current one stays open.
    Status switchTo(const std::string& location);
    /// Opens the user's own database, created if missing.
    Status startOwn();
    const DeviceSpec& device() const { return device_; }
    /// Measures on another device from now on. A worker starts in the background; deviceSwitched follows, also for a device that turns out
    /// to be unusable: see deviceReason().
    void useDevice(const DeviceSpec& device);
    /// The GPUs of this machine, passed to `done` here; none where there is no driver. Starts a worker in the background unless one runs.
    void findGpus(std::function<void(const std::vector<DeviceInfo>& gpus)> done);

    /// Registers a user's kernel by the path of its kernel.json, or removes one by id or path; kernelsChanged follows.
    Status addKernel(const std::string& path);
    Status removeKernel(const std::string& pathOrId);

    QString deviceName() const;   ///< "H200 (recorded)", "H200 (live)", "H200 (on gpu7)", "no device"
    QString deviceReason() const; ///< why nothing can be measured; empty when it can
    /// Why an action that writes to the database is not possible; empty when it is. See writabilityChanged.
    QString writeReason() const;
    /// Why an action that measures and stores is not possible: the database's reason, else the device's.
    QString explainUnmeasurable() const;

    const SessionId& currentSession() const { return session_; }
    void setCurrentSession(const SessionId& id, const QString& name, const QString& kernel);
    QString sessionText() const { return sessionText_; } ///< "N+6 · transpose"; empty without one

    void post(const Message& message) { emit messagePosted(message); }
    /// With a button for each of its steps that a page of the window takes.
    void post(const Error& error, const QString& what = {});
    /// How reports word commands: the command line's words, which only the program knows. None until they are set.
    const StepWriter& stepWriter() const { return stepWriter_; }
    void setStepWriter(StepWriter writer) { stepWriter_ = std::move(writer); }
    /// Shows a page by its PageEntry::id, or "tour": starts or resumes it; `argument` is passed to Page::open. Of kToolPage (step_doors.h)
    /// it names an action of the window, and what that begins with.
    void navigate(const QString& page, const QString& argument = {}) { emit navigationRequested(page, argument); }

    /// Emits dataChanged if anyone wrote to the database. Also called by a timer.
    void pollData();

    /// Runs from files that were opened while the database was read-only.
    std::shared_ptr<const std::vector<RunRecord>> openedRuns() const { return opened_; }
    void keepOpened(std::vector<RunRecord> runs);
    /// Opens reports of other tools; without paths, asks the user for files.
    void openReports(const QStringList& paths = {}) { emit reportsRequested(paths); }
    /// Adds runs to what the Compare page compares, without leaving the page that is shown.
    void addToCompare(const QStringList& ids) { emit comparisonRequested(ids); }

signals:
    void dataChanged();
    void reportsRequested(const QStringList& paths);
    void comparisonRequested(const QStringList& ids);
    void databaseSwitched();
    /// A large database that is new to this machine was checked, in the background: it can be written now, or is damaged.
    void writabilityChanged();
    /// The same; why it is damaged.
    void databaseDamaged(const kl::Error& error);
    void deviceSwitched();
    /// The catalog was replaced: kernels were added, removed, or `saved` (ids of those whose files changed).
    void kernelsChanged(const QStringList& saved);
    void currentSessionChanged();
    void messagePosted(const kl::ui::Message& message);
    void navigationRequested(const QString& page, const QString& argument);

private:
    AppContext(std::shared_ptr<Engine> engine, DeviceSpec device);
    /// Reads the user's kernels again. Replaces the engine; running jobs keep the one they started with.
    void reloadKernels(const QStringList& saved);
    void watchKernels();
    /// Checks a large database that is new to this machine, in the background.
    void checkDatabase();

    std::shared_ptr<Engine> engine_;
    DeviceSpec device_;
    BackgroundJob checking_;
    QString damage_; ///< what was found
    BackgroundJob opening_;
    BackgroundJob finding_;
    KernelWatcher watcher_;
    std::vector<std::string> registered_; ///< when the catalog was last read
    std::int64_t seen_ = 0;
    std::shared_ptr<const std::vector<RunRecord>> opened_ = std::make_shared<const std::vector<RunRecord>>();
    StepWriter stepWriter_;
    SessionId session_;
    QString sessionText_;
};

} // namespace kl::ui
