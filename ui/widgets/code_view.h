// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

#include <map>

namespace kl {

/// How hot a line is: its share of the samples, 0 to 1, and what its tooltip says.
struct LineHeat {
    double share = 0;
    QString tip;
};

/// CUDA source to read: line numbers, a few syntax colors, and hot lines: a bar and a percentage beside each line that has one, its
/// text shaded by its share.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    void setCode(const QString& text);
    /// By 1-based line; setCode() takes it away again.
    void setHeat(const std::map<int, LineHeat>& heat);
    /// Puts the cursor on a 1-based line and brings it to the middle.
    void showLine(int line);
    /// The tooltip of the line at a height of the margin; empty where it has none.
    QString tipAt(int y) const;

    int marginWidth() const;
    void paintMargin(class QPaintEvent* event);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void shade();

    QWidget* margin_;
    std::map<int, LineHeat> heat_;
};

} // namespace kl
