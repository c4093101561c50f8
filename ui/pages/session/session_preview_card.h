// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/engine/session_preview.h"
#endif
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;

namespace kl::ui {

/// What the session in the form will do, before it is opened: its stages with their minutes, what each measures, its gates, and what to
/// know before.
class SessionPreviewCard : public Card {
    Q_OBJECT
public:
    explicit SessionPreviewCard(QWidget* parent = nullptr);

    void setPreview(const Result<SessionPreview>& preview);

private:
    void addStage(const StagePreview& stage, int row);

    QLabel* subject_;
    QLabel* caveats_;
    QGridLayout* stages_;
};

} // namespace kl::ui
