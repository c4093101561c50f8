// SPDX-License-Identifier: MIT
#include "ui/jobs/job.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>

#include <chrono>

namespace kl::ui {

namespace {

constexpr auto kProgressEvery = std::chrono::milliseconds(100);

} // namespace

BackgroundJob::BackgroundJob(QObject* parent) : QObject(parent) {}

BackgroundJob::~BackgroundJob()
{
    threads_.clear(); // each jthread asks for a stop and joins
    if (running_)
        JobMonitor::instance().end(this);
}

double BackgroundJob::elapsedSeconds() const
{
    return static_cast<double>(clock_.elapsed()) / 1000;
}

void BackgroundJob::cancel()
{
    const auto found = threads_.find(generation_);
    if (!running_ || found == threads_.end())
        return;
    canceling_ = true;
    found->second.request_stop();
    emit progressed();
}

void BackgroundJob::launch(const QString& title, std::function<Deliver(const Job&)> work)
{
    for (auto& [generation, thread] : threads_)
        thread.request_stop();
    if (running_)
        JobMonitor::instance().end(this);
    const int mine = ++generation_;
    title_ = title;
    progress_ = {};
    canceling_ = false;
    running_ = true;
    clock_.start();
    JobMonitor::instance().begin(this);
    threads_.emplace(mine, std::jthread([this, mine, work = std::move(work)](std::stop_token stop) {
                         auto sent = std::chrono::steady_clock::now() - kProgressEvery;
                         Job job;
                         job.stop = std::move(stop);
                         job.progress = [this, mine, sent](const Progress& progress) mutable {
                             const auto now = std::chrono::steady_clock::now();
                             if (now - sent < kProgressEvery)
                                 return;
                             sent = now;
                             QMetaObject::invokeMethod(
                                 this, [this, mine, progress] { takeProgress(mine, progress); }, Qt::QueuedConnection);
                         };
                         job.notice = [this, mine](const std::string& text) {
                             QMetaObject::invokeMethod(
                                 this, [this, mine, words = QString::fromStdString(text)] { takeNotice(mine, words); },
                                 Qt::QueuedConnection);
                         };
                         Deliver deliver = work(job);
                         QMetaObject::invokeMethod(
                             this, [this, mine, deliver] { finish(mine, deliver); }, Qt::QueuedConnection);
                     }));
}

void BackgroundJob::takeProgress(int generation, const Progress& progress)
{
    if (generation != generation_ || !running_)
        return;
    progress_ = progress;
    emit progressed();
}

void BackgroundJob::takeNotice(int generation, const QString& text)
{
    if (generation == generation_ && running_)
        JobMonitor::instance().stall(title_, text);
}

void BackgroundJob::finish(int generation, const Deliver& deliver)
{
    threads_.erase(generation);
    if (generation != generation_)
        return;
    running_ = false;
    JobMonitor::instance().end(this);
    emit finished();
    deliver();
}

JobMonitor& JobMonitor::instance()
{
    static JobMonitor monitor;
    return monitor;
}

void JobMonitor::begin(BackgroundJob* job)
{
    ++active_;
    emit started(job);
}

void JobMonitor::end(BackgroundJob* job)
{
    --active_;
    emit ended(job);
}

bool waitForJobs(int milliseconds)
{
    const QDeadlineTimer deadline(milliseconds);
    QTimer wakes; // the deadline passes also while no event comes
    wakes.start(100);
    do { // a finished job or a timer may start another one
        while (JobMonitor::instance().active() > 0 && !deadline.hasExpired())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
        QCoreApplication::processEvents();
    } while (JobMonitor::instance().active() > 0 && !deadline.hasExpired());
    return JobMonitor::instance().active() == 0;
}

} // namespace kl::ui
