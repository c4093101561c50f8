// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/environment.h"
#include "ui/models/record_model.h"

#include <string_view>

namespace kl::ui {

/// The checks of an environment report.
class EnvCheckModel : public RecordModel<EnvCheck> {
public:
    enum Column { Result, Check, Needed, Found, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int) const override { return false; }
    QVariant cell(const EnvCheck& row, int column, int role) const override;
};

/// "Compute capability" of "compute-capability".
QString checkName(std::string_view id);

} // namespace kl::ui
