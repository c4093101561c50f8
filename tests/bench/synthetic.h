// SPDX-License-Identifier: MIT
#pragma once

namespace kl::bench {

// Commands of kl_bench; the arguments are those after the command. Both return an exit status.
int writeSyntheticHistory(int argc, char** argv);
int timeLists(int argc, char** argv);

} // namespace kl::bench
