// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"

#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace kl::ui {

class AppContext;

/// What can be done with stored runs, for a context menu: pin as a baseline, rename, tag, delete. Actions that need one run are disabled
/// for several; those that write, in a database that is read-only. Each asks in a dialog over `parent` and reports failures as a message;
/// `done` is called after a change.
void addRunActions(QMenu& menu, AppContext& context, const std::vector<RunId>& runs, QWidget* parent, const std::function<void()>& done);

/// The same for a session: rename, tag, delete.
void addSessionActions(QMenu& menu, AppContext& context, const SessionId& session, QWidget* parent, const std::function<void()>& done);

} // namespace kl::ui
