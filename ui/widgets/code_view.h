// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

#include <map>

namespace kl::ui {

/// How hot a line is: its share of the samples, 0 to 1, and its tooltip.
struct LineHeat {
    double share = 0;
    QString tip;
};

/// Read-only CUDA source with line numbers, syntax colors and hot lines: a bar and a percentage next to each hot line, its
/// text shaded by its share.
class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    void setCode(const QString& text);
    /// By 1-based line; setCode() clears it.
    void setHeat(const std::map<int, LineHeat>& heat);
    /// Moves the cursor to a 1-based line and centers it.
    void showLine(int line);
    /// Marks a 1-based line; 0: none. setCode() clears it.
    void setMarked(int line);
    /// The tooltip of the line at this height of the margin; empty if it has none.
    QString tipAt(int y) const;

    int marginWidth() const;
    void paintMargin(class QPaintEvent* event);

signals:
    void lineChosen(int line); ///< 1-based; by mouse or keyboard

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void shade();
    int heatWidth() const;  ///< of the margin's part with bars and shares; 0 without hot lines
    int shareWidth() const; ///< of the widest share as text

    QWidget* margin_;
    std::map<int, LineHeat> heat_;
    int marked_ = 0;
    bool quiet_ = false; ///< the cursor is moved by the program
};

} // namespace kl::ui
