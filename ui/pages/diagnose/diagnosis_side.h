// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <QWidget>

class QGridLayout;
class QVBoxLayout;

namespace kl {

class Card;
class NcuCard;

/// The right column of a diagnosis: ranked fixes, secondary findings, warnings, and the facts of the run.
class DiagnosisSide : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisSide(QWidget* parent = nullptr);
    void setRun(const RunRecord& run);

signals:
    void kernelRequested(const QString& address); ///< the variant that a fix leads to

private:
    void showFixes(const Finding& finding);
    void showSecondary(const std::vector<Finding>& findings);
    void showFacts(const RunRecord& run);

    QVBoxLayout* fixes_;
    Card* secondaryCard_;
    QVBoxLayout* secondary_;
    NcuCard* ncu_;
    Card* warningsCard_;
    QVBoxLayout* warnings_;
    QGridLayout* facts_;
};

} // namespace kl
