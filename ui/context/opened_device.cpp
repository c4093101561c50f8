// SPDX-License-Identifier: MIT
#include "ui/context/opened_device.h"

#include "profiler/device/lazy_device.h"
#include "sessions/hosts/host_list.h"
#include "sessions/trust/requested_consent.h"
#include "ui/jobs/consent_desk.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <mutex>
#include <nlohmann/json.hpp>

namespace kl::ui {
namespace {

/// A job of the window that a device outlives: workers that join later report to nobody.
class PassingJob {
public:
    explicit PassingJob(const Job& job) : job_(&job) {}

    Job share(const std::shared_ptr<PassingJob>& self) const
    {
        Job shared{[self](const Progress& progress) {
                       self->tell([&](const Job& job) { return job.progress ? job.progress(progress) : void(); });
                   },
                   job_->stop};
        shared.notice = [self](const std::string& text) {
            self->tell([&](const Job& job) { return job.notice ? job.notice(text) : void(); });
        };
        return shared;
    }
    void end()
    {
        const std::scoped_lock lock(mutex_);
        job_ = nullptr;
    }

private:
    template <class Tell> void tell(const Tell& tell)
    {
        const std::scoped_lock lock(mutex_);
        if (job_)
            tell(*job_);
    }

    std::mutex mutex_;
    const Job* job_;
};

class AwaitedDevice final : public Collector {
public:
    explicit AwaitedDevice(const DeviceSpec& device)
    {
        hello_.unavailable = utf8(QCoreApplication::translate("OpenedDevice", "Waiting for %1.").arg(q(toText(device))));
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json&, const Job&) override
    {
        return Error{.code = ErrorCode::environment, .message = *hello_.unavailable, .where = toWord(verb)};
    }

private:
    Hello hello_;
};

} // namespace

std::shared_ptr<Collector> openWindowDevice(DeviceSpec device, const Job& job)
{
    const auto passing = std::make_shared<PassingJob>(job);
    WorkerOptions options;
    options.consent = std::make_shared<RequestedConsent>(
        TrustStore(), [](const FileCommand& command, const Job& asking) { return ConsentDesk::instance().ask(command, asking); });
    options.opening = passing->share(passing);
    options.held = [](const HeldTime& held) { noteHeldTime(held.host, held.seconds); };
    options.met = noteMeeting;
    auto opened = std::make_shared<LazyDevice>(std::move(device), std::move(options));
    (void)opened->open(); // its hello has the reason
    passing->end();
    return opened;
}

std::shared_ptr<Collector> makeAwaitedDevice(const DeviceSpec& device)
{
    return std::make_shared<AwaitedDevice>(device);
}

} // namespace kl::ui
