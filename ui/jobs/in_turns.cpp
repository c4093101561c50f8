// SPDX-License-Identifier: MIT
#include "ui/jobs/in_turns.h"

#include "ui/jobs/job.h"

#include <QElapsedTimer>

#include <memory>

namespace kl::ui {
namespace {

constexpr qint64 kTurn = 8; // ms: half a frame; the part that exceeds it takes as long as it takes

void doFrom(BackgroundJob& job, const std::shared_ptr<const std::vector<std::function<void()>>>& parts, std::size_t next)
{
    QElapsedTimer clock;
    clock.start();
    while (next < parts->size() && clock.elapsed() < kTurn)
        parts->at(next++)();
    if (next < parts->size())
        job.start(
            {}, [](const Job&) { return Status(); }, [&job, parts, next](const Status&) { doFrom(job, parts, next); });
}

} // namespace

void doInTurns(BackgroundJob& job, std::vector<std::function<void()>> parts)
{
    doFrom(job, std::make_shared<const std::vector<std::function<void()>>>(std::move(parts)), 0);
}

} // namespace kl::ui
