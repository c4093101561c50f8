// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <sys/types.h>

namespace kl::cli {

/// Ctrl-C (SIGINT), SIGTERM and a terminal that is closed (SIGHUP) ask the command to stop, which cancels the worker's request. Whatever
/// the command makes of that, the program ends within two seconds, and with it those that it started: exit 130. Only last acts, and who
/// says that it is Finishing, are waited for; a second signal ends the latter, too. What was confirmed is safe: SQLite rolls back what was
/// not committed, and a file is replaced whole or not at all. A thread waits for the signals, since hardly anything may be called from a
/// handler.
class Interrupts {
public:
    /// Call once, before any other thread begins: they inherit that the signals are blocked.
    static std::stop_token watch();

    /// From now on, until 0 is given, signals go to this program instead, however many come; the terminal's Ctrl-C is not sent on, since
    /// the terminal has sent it to that program itself.
    static void passOnTo(pid_t program);
};

} // namespace kl::cli
