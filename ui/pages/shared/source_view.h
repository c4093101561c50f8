// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/code_table_model.h"

#include <QWidget>

#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;

namespace kl {
struct RunRecord;
}

namespace kl::inline kernels {
class Catalog;
}

namespace kl::ui {

class CodeTable;
class CodeView;
class HeatMap;

/// The source of a run beside its machine code, linked both ways: choosing a line marks its instructions, choosing an instruction marks
/// its line. With counters per instruction, a map of the hot ones, search, and one row per source line on demand. Where the source or the
/// machine code is not known, it says why and shows the other.
class SourceView : public QWidget {
    Q_OBJECT
public:
    explicit SourceView(QWidget* parent = nullptr);

    void setRun(const RunRecord& run, const Catalog& catalog);
    /// Whether there is anything to show: text of the source, or instructions.
    bool hasContent() const { return hasContent_; }
    /// Shows a line of a file and marks its instructions; line 0 is ignored.
    void showPlace(const std::string& file, int line);
    /// For a view inside a long page: a link to a larger one, above, that emits maximizeRequested; the wheel scrolls the page until a list
    /// was clicked.
    void setMaximizable();

    QLineEdit* findField() const { return find_; }
    CodeTable* table() const { return table_; }
    CodeView* code() const { return source_; }
    HeatMap* map() const { return map_; }
    const CodeTableModel& model() const { return model_; }

signals:
    void maximizeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeTools();
    QWidget* makeInstructions();
    void listFiles();
    void showFile(const QString& file);
    void showNote(const RunRecord& run, bool haveText);
    void showLegend();
    void chooseLine(int line);
    void chooseRow(int row);
    void findNext();
    void updateMap();
    void updateShown();
    /// The text of a file, or lines that say how many instructions each has.
    QString textFor(const std::string& file) const;
    int fileIndex(const std::string& file) const;

    CodeTableModel model_;
    std::map<std::string, std::string> texts_; ///< by name in the code
    SourceProfile sampled_;                    ///< its lines alone
    bool hasContent_ = false;
    bool listed_ = true; ///< instructions have a text
    std::string file_;   ///< shown
    QComboBox* files_ = nullptr;
    QLineEdit* find_ = nullptr;
    QLabel* found_ = nullptr;
    QPushButton* previous_ = nullptr;
    QPushButton* next_ = nullptr;
    QCheckBox* collapse_ = nullptr;
    QPushButton* maximize_ = nullptr;
    QSplitter* splitter_ = nullptr;
    CodeView* source_ = nullptr;
    QWidget* instructions_ = nullptr;
    CodeTable* table_ = nullptr;
    HeatMap* map_ = nullptr;
    QLabel* legend_ = nullptr;
    QLabel* note_ = nullptr;
};

} // namespace kl::ui
