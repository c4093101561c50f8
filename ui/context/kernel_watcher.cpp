// SPDX-License-Identifier: MIT
#include "ui/context/kernel_watcher.h"

#include "ui/widgets/text.h"

#include <QFileInfo>

namespace kl::ui {
namespace {

constexpr int kSettleMs = 150; // editors write, rename and touch in quick succession

}

KernelWatcher::KernelWatcher(QObject* parent) : QObject(parent)
{
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
    connect(&settle_, &QTimer::timeout, this, &KernelWatcher::look);
}

void KernelWatcher::watch(const Catalog& catalog, const std::vector<std::string>& brokenDescriptors)
{
    stamps_.clear();
    paths_.clear();
    if (const QStringList old = watcher_.files() + watcher_.directories(); !old.isEmpty())
        watcher_.removePaths(old);
    for (const KernelFamily& family : catalog.families())
        if (!family.origin.empty())
            add(family.id, family.origin);
    for (const KernelFamily& program : catalog.programs()) // whose other files may be many
        add(program.id, {program.origin.descriptor, program.origin.sources, {}});
    for (const std::string& path : brokenDescriptors)
        add(path, {path, {}, {}});
    watchPaths();
}

void KernelWatcher::add(const std::string& name, const KernelOrigin& origin)
{
    stamps_[name].add(origin);
    std::vector<std::string> files = origin.sources;
    files.insert(files.end(), origin.others.begin(), origin.others.end());
    files.push_back(origin.descriptor);
    for (const std::string& file : files)
        paths_ << q(file) << QFileInfo(q(file)).path(); // also the folder, since a replaced file is no longer watched
    paths_.removeDuplicates();
}

void KernelWatcher::watchPaths()
{
    const QStringList watched = watcher_.files() + watcher_.directories();
    for (const QString& path : std::as_const(paths_))
        if (!watched.contains(path) && QFileInfo::exists(path))
            watcher_.addPath(path);
}

void KernelWatcher::look()
{
    watchPaths();
    QStringList kernels;
    for (const auto& [name, stamps] : stamps_)
        if (stamps.changed())
            kernels << q(name);
    if (!kernels.isEmpty())
        emit saved(kernels);
}

} // namespace kl::ui
