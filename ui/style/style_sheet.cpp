// SPDX-License-Identifier: MIT
#include "ui/style/style_sheet.h"

#include <QStringList>

namespace kl::ui {

namespace {

// %token% is replaced by the token's color.
constexpr char kSheet[] = R"(
QWidget { selection-background-color: %accent%; selection-color: %surface%; }
QToolTip { background: %raised%; color: %text%; border: 1px solid %border%; padding: 4px 6px; }
QFrame#card { background: %surface%; border: 1px solid %border%; border-radius: 6px; }
QFrame#card[chosen="true"] { border: 2px solid %accent%; }
QFrame#card[tone="accent"] { border-left: 4px solid %accent%; border-top-left-radius: 0px; border-bottom-left-radius: 0px; }
QFrame#banner { background: %raised%; border: none; border-bottom: 1px solid %border%; }
QFrame#message { background: %raised%; border: 1px solid %border%; border-radius: 6px; }
QFrame#message { border-top-left-radius: 0px; border-bottom-left-radius: 0px; }
QFrame#message[level="error"] { border-left: 4px solid %worse%; }
QFrame#message[level="warning"] { border-left: 4px solid %stale%; }
QFrame#message[level="success"], QFrame#message[level="info"] { border-left: 4px solid %better%; }
QFrame#finder, QFrame#tourCard { background: %surface%; border: 1px solid %accent%; border-radius: 6px; }
QFrame#titleLine QToolButton { color: %muted%; border: 1px solid %border%; padding: 4px 10px; }
QFrame#titleLine QToolButton:focus { border: 1px solid %accent%; }
QFrame#titleLine { background: %surface%; border: none; border-bottom: 1px solid %border%; }
QFrame#rail { background: %surface%; border: none; border-right: 1px solid %border%; }
QFrame#tray { background: %surface%; border: none; border-top: 1px solid %border%; }
QFrame#hairline { background: %border%; border: none; }
QFrame#rail QToolButton { border: none; border-radius: 0px; border-left: 3px solid transparent; padding: 8px 14px 8px 13px; text-align: left; color: %text%; background: transparent; }
QFrame#rail QToolButton:hover { background: %raised%; }
QFrame#rail QToolButton:checked { background: %raised%; border-left: 3px solid %accent%; color: %accent%; }
QFrame#rail QToolButton:focus { border: 1px solid %accent%; border-left: 3px solid %accent%; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton { background: %surface%; color: %text%; border: 1px solid %border%; border-radius: 6px; padding: 6px 14px; }
QPushButton:hover { background: %raised%; }
QPushButton:pressed { background: %border%; }
QPushButton:focus { border: 2px solid %accent%; padding: 5px 13px; }
QPushButton:disabled { color: %muted%; background: %raised%; }
QPushButton[primary="true"] { background: %accent%; color: %surface%; border: 1px solid %accent%; }
QPushButton[primary="true"]:focus { border: 2px solid %text%; }
QPushButton[primary="true"]:disabled { background: %raised%; color: %muted%; border: 1px solid %border%; }
QPushButton[flat="true"] { background: transparent; border: 1px solid transparent; color: %accent%; padding: 4px 3px; }
QPushButton[flat="true"]:hover { background: %raised%; }
QPushButton[flat="true"]:focus { border: 1px solid %accent%; }
QPushButton#rowLink { padding: 0px 3px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px; background: transparent; color: %text%; }
QToolButton:hover { background: %raised%; }
QToolButton#stage { padding: 4px 8px; }
QToolButton#stage:checked { background: %raised%; border: 1px solid %border%; }
QToolButton:focus, QToolButton#stage:focus { border: 1px solid %accent%; }
QToolButton::menu-indicator { image: none; width: 0px; }
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QAbstractSpinBox { background: %surface%; color: %text%; border: 1px solid %border%; border-radius: 6px; padding: 5px 8px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border: 1px solid %accent%; }
QPlainTextEdit#code { background: %bg%; padding: 0px; }
QLineEdit[readOnly="true"] { background: transparent; border: 1px solid transparent; color: %muted%; }
QLineEdit:disabled { background: %raised%; color: %muted%; }
QComboBox:disabled, QAbstractSpinBox:disabled { background: %raised%; color: %muted%; }
QCheckBox::indicator:unchecked { background: %surface%; border: 1px solid %muted%; border-radius: 3px; width: 13px; height: 13px; }
QCheckBox::indicator:unchecked:disabled { background: %raised%; border: 1px solid %border%; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/chevron-%scheme%.svg); width: 12px; height: 12px; }
QTableView, QTreeView, QListView { background: %surface%; border: 1px solid transparent; border-radius: 4px; gridline-color: %border%; alternate-background-color: %surface%; outline: none; }
QTableView::item { padding: 2px 5px; border-bottom: 1px solid %raised%; }
QListView::item:hover { background: %raised%; }
QTreeView::item { padding: 3px 0px; }
QTreeView::item:hover { background: %raised%; }
QTreeView::item:selected, QTreeView::branch:selected { background: %raised%; color: %accent%; }
QTableView::item:selected, QListView::item:selected { background: %raised%; color: %text%; }
QTableView::item:selected:active { padding: 1px 5px 2px 5px; border-top: 1px solid %accent%; border-bottom: 1px solid %accent%; }
QTableView:focus, QTreeView:focus, QListView:focus { border: 1px solid %accent%; }
QListView::item { padding: 6px 8px; border-radius: 4px; }
QHeaderView { background: %surface%; }
QHeaderView::section { background: %surface%; color: %muted%; border: none; border-bottom: 1px solid %border%; padding: 4px 8px; font-weight: 400; }
QTreeView QHeaderView::section { padding: 4px 3px; }
QHeaderView::section:hover { background: %raised%; color: %text%; }
QTreeView QHeaderView::up-arrow, QTreeView QHeaderView::down-arrow { subcontrol-origin: margin; subcontrol-position: top center; width: 7px; height: 6px; }
QTableCornerButton::section { background: %surface%; border: none; }
QScrollArea, QScrollArea > QWidget > QWidget#pageBody { background: %bg%; border: none; }
QScrollArea#plain, QScrollArea#plain > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0px; }
QScrollBar::handle { background: %border%; border-radius: 4px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: %muted%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTabBar::tab { background: transparent; color: %muted%; border: none; border-bottom: 2px solid transparent; padding: 6px 12px; }
QTabBar::tab:selected { color: %text%; border-bottom: 2px solid %accent%; }
QTabBar::tab:hover { color: %text%; }
QTabBar::tab:focus { border: 1px solid %accent%; border-bottom: 2px solid %accent%; }
QTabBar { qproperty-drawBase: 0; }
QTabWidget::pane { border: none; }
QTabWidget#pageTabs::tab-bar { left: 24px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QFrame#foundMark, QFrame#tourFrame { border: 2px solid %accent%; border-radius: 4px; background: transparent; }
QMenuBar { background: transparent; color: %text%; border: none; }
QMenuBar::item { background: transparent; padding: 5px 9px; border-radius: 4px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: %raised%; }
QMenu::item:disabled { color: %muted%; }
QMenu { background: %surface%; color: %text%; border: 1px solid %border%; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: %raised%; }
QMenu::separator { height: 1px; background: %border%; margin: 4px; }
QProgressBar { background: %raised%; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: %accent%; border-radius: 3px; }
QSlider::groove:horizontal { background: %border%; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: %accent%; height: 4px; border-radius: 2px; }
QSlider::handle:horizontal { background: %surface%; border: 2px solid %accent%; width: 10px; height: 10px; margin: -5px 0px; border-radius: 7px; }
QSlider::handle:horizontal:focus { background: %accent%; }
QSplitter::handle { background: transparent; }
QLabel { background: transparent; }
)";

constexpr const char* kNames[kTokenCount] = {
    "bg",     "surface", "raised",  "border",  "text",    "muted",   "accent",  "better",  "worse",   "neutral",
    "waived", "stale",   "series1", "series2", "series3", "series4", "series5", "series6", "series7", "series8",
};

} // namespace

QString tokenName(Token token)
{
    return QString::fromLatin1(kNames[static_cast<std::size_t>(token)]);
}

QString styleSheet(Scheme scheme)
{
    QString sheet = QString::fromLatin1(kSheet);
    // A style sheet cannot recolor images: there is one per scheme, in its muted color.
    sheet.replace(QStringLiteral("%scheme%"), scheme == Scheme::dark ? QStringLiteral("dark") : QStringLiteral("light"));
    for (int i = 0; i < kTokenCount; ++i) {
        const auto token = static_cast<Token>(i);
        const QString name = tokenName(token);
        const QString value = tokenColor(scheme, token).name();
        sheet.replace(QLatin1Char('%') + name + QLatin1Char('%'), value);
        sheet += QStringLiteral("QLabel[token=\"%1\"] { color: %2; }\n").arg(name, value);
    }
    return sheet;
}

} // namespace kl::ui
