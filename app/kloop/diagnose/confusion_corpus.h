// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"

#include <string>

namespace kl::cli {

/// `kloop confusion --corpus`: how often the class of real calls is found. `path` is a folder with labels.json and recordings (*.jsonl,
/// *.jsonl.zst, there or in its folder "recordings"), or one recording beside a labels.json or below the folder that holds it. Prints the
/// tables, or JSON; writes them to `markdown` if that is given. Errors badInput: no labels; no case of the part is recorded yet.
Result<int> countCorpus(Program& program, const std::string& path, bool heldOut, const std::string& markdown);

} // namespace kl::cli
