// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <QString>

namespace kl {

class Catalogue;
class Store;

/// Writes a session's report to a file; the suffix chooses: .html, .pdf (A4, from the HTML), .md, .json. Errors: badInput when the file
/// cannot be written or the suffix is another, notFound for the session.
Status exportReport(const Store& store, const Catalogue& catalogue, const SessionId& session, const QString& file);

} // namespace kl
