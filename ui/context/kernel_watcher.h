// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "kernels/catalog.h"
#include "kernels/file_stamps.h"
#endif

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <map>

namespace kl::ui {

/// Detects saves of the user's kernel files, including by editors that replace the file. GUI thread.
class KernelWatcher : public QObject {
    Q_OBJECT
public:
    explicit KernelWatcher(QObject* parent = nullptr);

    /// Watches the files of the user's kernels and the descriptors that currently cannot be read, starting from their current state.
    void watch(const Catalog& catalog, const std::vector<std::string>& brokenDescriptors);

signals:
    /// Emitted once for files saved together: ids of their kernels, or paths of broken descriptors.
    void saved(const QStringList& kernels);

private:
    void add(const std::string& name, const KernelOrigin& origin);
    void watchPaths();
    void look();

    QFileSystemWatcher watcher_;
    QTimer settle_;
    QStringList paths_;
    std::map<std::string, FileStamps> stamps_; ///< by kernel
};

} // namespace kl::ui
