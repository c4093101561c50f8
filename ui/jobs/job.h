// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "profiler/collector.h"
#endif

#include <QElapsedTimer>
#include <QObject>

#ifndef Q_MOC_RUN
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#endif

namespace kl::ui {

/// The one helper for long work in the background: latest wins, cancellable, throttled progress, results on the GUI thread.
/// Starting again asks the running work to stop and drops its result. The destructor stops and waits.
///
///     job_.start(tr("Profiling"), [address](const Job& job) { return work(job); }, [this](Result<RunRecord> r) { show(r); });
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    explicit BackgroundJob(QObject* parent = nullptr);
    ~BackgroundJob() override;

    /// work(const Job&) runs on a thread of its own, done(result) here, unless superseded. A job with an empty title is not
    /// shown in the tasks tray.
    template <class Work, class Done> void start(const QString& title, Work work, Done done)
    {
        using Answer = std::invoke_result_t<Work, const Job&>;
        launch(title, [work = std::move(work), done = std::move(done)](const Job& job) mutable -> std::function<void()> {
            auto answer = std::make_shared<Answer>(work(job));
            return [answer, done]() mutable { done(std::move(*answer)); };
        });
    }

    /// Asks the work to stop; its (usually interrupted) result is still delivered.
    void cancel();

    bool running() const { return running_; }
    bool canceling() const { return canceling_; }
    const QString& title() const { return title_; }
    const Progress& lastProgress() const { return progress_; }
    double elapsedSeconds() const;

signals:
    void progressed();
    void finished();

private:
    using Deliver = std::function<void()>;
    void launch(const QString& title, std::function<Deliver(const Job&)> work);
    void finish(int generation, const Deliver& deliver);
    void takeProgress(int generation, const Progress& progress);
    void takeNotice(int generation, const QString& text);

    std::map<int, std::jthread> threads_; ///< by generation; superseded ones end on their own
    int generation_ = 0;
    bool running_ = false;
    bool canceling_ = false;
    QString title_;
    Progress progress_;
    QElapsedTimer clock_;
};

/// All running jobs, for the task tray and for tests that wait until none is left. GUI thread.
class JobMonitor : public QObject {
    Q_OBJECT
public:
    static JobMonitor& instance();
    int active() const { return active_; }
    void begin(BackgroundJob* job);
    void end(BackgroundJob* job);
    void stall(const QString& title, const QString& text) { emit stalled(title, text); }

signals:
    void started(kl::ui::BackgroundJob* job);
    void ended(kl::ui::BackgroundJob* job);
    /// Work stopped reporting progress: what is running, for how long, the device's state.
    void stalled(const QString& title, const QString& text);

private:
    int active_ = 0;
};

/// Runs the event loop until no job runs, or until the timeout. False if some job still runs.
bool waitForJobs(int milliseconds = 60000);

} // namespace kl::ui
