// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

#include <vector>

class QGridLayout;

namespace kl::ui {

/// What the charts below say, each in its title's words beside a button that leads to it: the whole diagnosis on the first screen, however
/// small.
class GlanceCard : public Card {
    Q_OBJECT
public:
    explicit GlanceCard(QWidget* parent = nullptr);

    /// One chart; `place` identifies it in chosen() and names its button.
    void add(const QString& place, const QString& title);
    /// An empty text: `missing` says why the chart is not there, and the button is off.
    void setText(const QString& place, const QString& text, const QString& missing);

signals:
    void chosen(const QString& place);

private:
    QGridLayout* grid_;
};

} // namespace kl::ui
