// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QModelIndex>
#include <QPersistentModelIndex>
#include <QPointer>

#include <vector>

class QLabel;
class QLineEdit;

namespace kl::ui {

/// Ctrl+F on a page without a filter of its own: finds a text in the labels, tables and source shown, marks each place in turn and scrolls
/// to it. Enter goes to the next, Shift+Enter to the previous, Escape closes.
class FindBar : public QFrame {
    Q_OBJECT
public:
    explicit FindBar(QWidget* parent);

    /// Searches `page` from now on.
    void open(QWidget* page);
    void close();
    void step(int by);
    int hits() const { return static_cast<int>(hits_.size()); }
    int current() const { return at_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A label or text as a whole, or a cell of a table.
    struct Hit {
        QPointer<QWidget> widget;
        QPersistentModelIndex cell;
        int position = -1; ///< in a text
    };
    void search();
    void collect(QWidget& widget);
    void show(const Hit& hit);
    void mark(QWidget* widget, const QRect& area);
    void place();

    QPointer<QWidget> page_;
    QPointer<QWidget> before_;
    std::vector<Hit> hits_;
    int at_ = -1;
    QLineEdit* text_;
    QLabel* count_;
    QPointer<QFrame> mark_; ///< a frame around what is found
};

} // namespace kl::ui
