// SPDX-License-Identifier: MIT
#include "ui/widgets/state_panel.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace kl::ui {

void Skeleton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Token::raised));
    constexpr double kWidths[] = {0.45, 0.9, 0.75, 0.85, 0.6};
    double y = 4;
    for (int i = 0; y + 14 < height(); ++i, y += 26)
        painter.drawRoundedRect(QRectF(0, y, width() * kWidths[i % 5], 14), 4, 4);
}

StateStack::StateStack(QWidget* content, QWidget* parent) : QStackedWidget(parent), patience_(new QTimer(this)), panel_(new QWidget)
{
    addWidget(content);
    addWidget(new Skeleton);
    auto* layout = new QVBoxLayout(panel_);
    layout->setSpacing(kGapInside);
    icon_ = new QLabel(panel_);
    icon_->setAlignment(Qt::AlignCenter);
    what_ = makeLabel({}, TextRole::card, panel_);
    why_ = makeLabel({}, TextRole::body, panel_);
    setTextToken(why_, Token::muted);
    button_ = makeButton({}, false, panel_);
    button_->setObjectName(QStringLiteral("stateAction"));
    for (QLabel* label : {what_, why_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    layout->addSpacing(kGapPage); // at the top: in a tall panel the middle may be below the fold
    layout->addWidget(icon_);
    layout->addWidget(what_);
    layout->addWidget(why_);
    layout->addSpacing(kGapTight);
    layout->addWidget(button_, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    addWidget(panel_);
    connect(this, &QStackedWidget::currentChanged, this, [this] { updateGeometry(); });
    patience_->setSingleShot(true);
    patience_->setInterval(300);
    connect(patience_, &QTimer::timeout, this, [this] { setCurrentIndex(1); });
    connect(button_, &QPushButton::clicked, this, [this] {
        if (action_)
            action_();
    });
}

void StateStack::showContent()
{
    patience_->stop();
    setCurrentIndex(0);
}

void StateStack::showLoading()
{
    patience_->start();
}

void StateStack::showEmpty(const PanelState& state)
{
    showState(state);
}

void StateStack::showError(const Error& error, std::function<void()> retry)
{
    PanelState state;
    state.icon = QStringLiteral("warning");
    state.what = q(error.message);
    state.why = q(error.hint.empty() ? error.where : error.hint);
    if (retry) {
        state.actionText = tr("Try again");
        state.action = std::move(retry);
    }
    showState(state);
}

void StateStack::showUnavailable(const QString& capability, const QString& how, const QString& actionText, std::function<void()> action)
{
    showState({QStringLiteral("info"), capability, how, actionText, std::move(action)});
}

void StateStack::showState(const PanelState& state)
{
    patience_->stop();
    icon_->setPixmap(icon(state.icon, Token::muted).pixmap(32, 32));
    what_->setText(state.what);
    why_->setText(state.why);
    why_->setVisible(!state.why.isEmpty());
    button_->setText(state.actionText);
    button_->setVisible(!state.actionText.isEmpty());
    action_ = state.action;
    panel_->setAccessibleName(state.what + u' ' + state.why);
    setCurrentIndex(2);
}

} // namespace kl::ui
