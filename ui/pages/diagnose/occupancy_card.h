// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/occupancy_what_if.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;
class QSlider;

namespace kl::ui {

/// What limits the number of resident warps per SM, and what would change it: three sliders (block size, registers, shared memory) that
/// start at the run's own values, the resulting occupancy with its limiter, and the smallest single changes that raise it, each a link that
/// sets the sliders.
class OccupancyCard : public Card {
    Q_OBJECT
public:
    explicit OccupancyCard(QWidget* parent = nullptr);

    /// Hidden if the launch or the GPU's limits are unknown.
    void setRun(const RunRecord& run);

private:
    QSlider* addSlider(const QString& name, QLabel*& value);
    void setNeeds(const BlockNeeds& needs);
    BlockNeeds needs() const;
    void showResult();
    void showLevers();

    std::optional<OccupancyWhatIf> whatIf_;
    QLabel* now_;
    QGridLayout* sliders_;
    QSlider* threads_;
    QSlider* registers_;
    QSlider* smem_; ///< KiB
    QLabel* threadsValue_;
    QLabel* registersValue_;
    QLabel* smemValue_;
    QLabel* result_;
    QVBoxLayout* levers_;
};

} // namespace kl::ui
