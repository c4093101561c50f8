// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>

namespace kl::ui {

/// What the pointer is over, in any chart or table, by the id of what a point or a row stands for: the others highlight it.
class LinkedHover : public QObject {
    Q_OBJECT
public:
    static LinkedHover& instance();
    const QString& id() const { return id_; }
    /// Empty: over nothing.
    void set(const QString& id);

signals:
    void changed(const QString& id);

private:
    LinkedHover() = default;
    QString id_;
};

} // namespace kl::ui
