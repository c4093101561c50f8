// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline remote {

/// Whether a text can be a host of ssh's: a name of its configuration, a DNS name or an address, with USER@ in front. Letters, digits and
/// . _ - only, so that nothing can be read as an option or by a shell.
bool isSshHost(std::string_view host);

/// Whether any shell reads a text as one word, as it is: letters, digits and . _ - + = : , / only.
bool isPlainWord(std::string_view word);

/// The command that runs a fixed script on a host, over the user's own ssh: its configuration, agent, jump hosts and shared connections. No
/// prompt is possible, since the terminal belongs to the command that the user started. `script`, for sh, has neither single quotes nor
/// line ends, backslashes or exclamation marks, so that every login shell passes it on unchanged; `words` are its $1 and so on. Errors:
/// usage for a host, internal for a word that is not plain.
Result<std::vector<std::string>> sshCommand(const std::string& host, std::string_view script, const std::vector<std::string>& words);

/// Finds kloop-worker on a host and replaces the shell with it. $1: name of the worker; $2: key of the copy to prefer; $3: "new" to start
/// it, "again" to connect to it; then its arguments.
extern const std::string_view kAttachScript;

/// Unpacks a copy of kloop-worker from standard input, and runs it once. $1: its key.
extern const std::string_view kInstallScript;

} // namespace kl::inline remote
