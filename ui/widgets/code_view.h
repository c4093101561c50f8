// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

#include <map>

namespace kl {

/// CUDA source to read: line numbers, a few syntax colours, and hot lines: a bar and a percentage beside each line that has one.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    void setCode(const QString& text);
    /// 1-based line to share of the samples, 0 to 1.
    void setHeat(const std::map<int, double>& shares);
    /// Brings a line to the top third.
    void showLine(int line);

    int marginWidth() const;
    void paintMargin(class QPaintEvent* event);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* margin_;
    std::map<int, double> heat_;
};

} // namespace kl
