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

namespace kl {

/// Notices that files of the user's kernels were saved, also by editors that write a new file in the place of the old one. GUI thread.
class KernelWatcher : public QObject {
    Q_OBJECT
public:
    explicit KernelWatcher(QObject* parent = nullptr);

    /// Watches the files of a catalog's own kernels, and descriptors that cannot be read at present, from their state as it is now.
    void watch(const Catalog& catalog, const std::vector<std::string>& brokenDescriptors);

signals:
    /// Once for several files saved together: the ids of the kernels that they belong to, or paths of broken descriptors.
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

} // namespace kl
