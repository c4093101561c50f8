// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QWidget>

class QLabel;

namespace kl::ui {

/// One large value with its name above and its origin below. A missing value is a dash with the reason below.
class KeyFigure : public QWidget {
    Q_OBJECT
public:
    explicit KeyFigure(const QString& name, QWidget* parent = nullptr);

    /// value as formatted, unit included ("1.27×"); note: a short muted line.
    void set(const QString& value, const QString& note = {}, Token token = Token::text);

private:
    QString name_;
    QLabel* value_;
    QLabel* note_;
};

} // namespace kl::ui
