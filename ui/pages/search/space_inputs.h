// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "ui/pages/search/space_subject.h"
#endif
#include "ui/context/app_context.h"
#include "ui/widgets/input_card.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::ui {

/// The inputs of the search space: kernel, problem, GPU, another GPU, minimum occupancy.
class SpaceInputs : public InputCard {
    Q_OBJECT
public:
    explicit SpaceInputs(AppContext& context, QWidget* parent = nullptr);

    /// A family or a variant, e.g. "attention/fused".
    void choose(const QString& address);
    bool hasKernel() const;

    /// Errors: badInput for an invalid problem.
    Result<SpaceSubject> subject() const;
    SpaceQuestion question() const;
    std::optional<SpaceQuestion> otherQuestion() const; ///< unset: no other GPU is selected
    QString kernelName() const;
    QString gpuName() const;
    QString otherName() const; ///< empty: no other GPU is selected
    double leastOccupancy() const;

signals:
    void requested(); ///< the space or its gates changed

private:
    void fillKernels();
    void fillProblems();
    SpaceQuestion questionOn(int gpu) const;

    struct Named {
        std::string family;
        std::string variant;
    };
    AppContext& context_;
    std::vector<Named> named_; ///< by kernel_'s index
    QComboBox* kernel_;
    QComboBox* problem_;
    QComboBox* gpu_;
    QComboBox* whatIf_;
    QDoubleSpinBox* occupancy_;
};

} // namespace kl::ui
