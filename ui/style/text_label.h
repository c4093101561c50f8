// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

#include <map>
#include <tuple>

namespace kl::ui {

/// A text that can be selected. What QLabel keeps for that is a document, which costs ten times as much to make and to lay out as the text:
/// it is made when the text is clicked. Layouts ask a wrapped text for its height dozens of times per pass: it is computed once.
class TextLabel : public QLabel {
public:
    explicit TextLabel(const QString& text, QWidget* parent = nullptr);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    void forgetOther() const;

    mutable std::tuple<QString, QFont, int, int, bool> measured_; ///< what the sizes below are of
    mutable std::map<int, int> heights_;                          ///< by width
    mutable QSize hint_;
    mutable QSize least_;
};

} // namespace kl::ui
