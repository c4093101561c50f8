// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/evidence_bars.h"
#include "ui/charts/xy_chart.h"

#ifndef Q_MOC_RUN
#include "core/model/search_record.h"
#endif

namespace kl::ui {

/// Each of the first points, and the best so far, over the number of points or over the seconds of measuring.
XYSpec progressSpec(const SearchRecord& record, std::size_t trials, bool byTime);

/// Tunables and pairs by importance, those that explain something; of the pairs, the first few.
std::vector<EvidenceRow> importanceRows(const SearchRecord& record, std::size_t trials);

/// Points that were rejected after compiling or that failed, each with what rejected it and why: {point, by, why}.
std::vector<QStringList> makeRejectedRows(const SearchRecord& record, std::size_t trials);

} // namespace kl::ui
