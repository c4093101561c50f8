// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/proposed_descriptor.h"
#include "ui/widgets/dialog.h"

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace kl::ui {

/// The descriptor of a kernel function in a .cu file: which function, what its parameters get, sizes and launch. It proposes everything,
/// and writes the file beside the source.
class CuDialog : public Dialog {
    Q_OBJECT
public:
    explicit CuDialog(const QString& source, QWidget* parent = nullptr);

signals:
    void written(const QString& descriptor, const QString& id);

private:
    void readSource();
    void propose(int kernel);
    void write();
    void fail(const QString& text);

    QString source_;
    std::vector<SourceKernel> kernels_;
    ProposedDescriptor proposed_;
    QLineEdit* id_;
    QComboBox* entry_;
    QLineEdit* problem_;
    QLineEdit* grid_;
    QLineEdit* block_;
    QTableWidget* arguments_;
    QLabel* error_;
};

} // namespace kl::ui
