// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace kl::ui {

class CodeView;

/// Code before and after a change: side by side where there is room, else one below the other.
class CodePair : public QWidget {
    Q_OBJECT
public:
    explicit CodePair(QWidget* parent = nullptr);

    /// A side without code is hidden; with neither, all of it. `note` is a sentence below.
    void setCode(const QString& before, const QString& after, const QString& note);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    CodeView* addSide(const QString& heading, const char* name);

    QBoxLayout* sides_;
    CodeView* before_;
    CodeView* after_;
    QLabel* note_;
};

} // namespace kl::ui
