// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/style/tokens.h"

#include <QLabel>

namespace kl::ui {

/// The marks of the interface: a symbol, a word and a color, so that color is never the only cue.
enum class Mark { pass, fail, waived, stale, none, running, better, worse };

QString markSign(Mark mark); ///< ✓ ✕ ⊘ ↻ – ● ▲ ▼
QString markWord(Mark mark); ///< "pass" …
Token markToken(Mark mark);

/// The mark of a gate: waived and stale take precedence over its result.
Mark chooseMark(GateResult result, GateProgress progress = GateProgress::done);
Mark chooseMark(CheckResult result);
Mark chooseMark(Verdict verdict);

/// "✓ pass" in the mark's color; other words can replace the mark's own.
class MarkLabel : public QLabel {
    Q_OBJECT
public:
    explicit MarkLabel(Mark mark = Mark::none, const QString& words = {}, QWidget* parent = nullptr);
    void set(Mark mark, const QString& words = {});
    /// "▲ faster", "– equivalent", "– not comparable".
    void set(Verdict verdict);
};

} // namespace kl::ui
