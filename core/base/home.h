// SPDX-License-Identifier: MIT
#pragma once

namespace kl {

/// Sets HOME to the folder that the user database (passwd) names where the environment has none, or a relative one, as under `env -i` or a
/// service: what is kept under it would land in the folder that the program was started in. Left unset for a user who is in no database.
/// Call before other threads start.
void ensureHome();

} // namespace kl
