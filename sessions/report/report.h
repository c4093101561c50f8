// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/catalogue.h"
#include "sessions/store/store.h"

#include <string>

namespace kl {

enum class ReportFormat {
    html,  ///< one file, charts as inline SVG, for screen and paper
    print, ///< HTML in the subset that Qt's rich text draws (tables, images as data URLs): the window makes the PDF from it
    markdown,
    json,
};

/// The report of one session, from what the database holds: the same database gives the same bytes. Errors: notFound, badInput.
Result<std::string> renderReport(const Store& store, const Catalogue& catalogue, const SessionId& id, ReportFormat format);

} // namespace kl
