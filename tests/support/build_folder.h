// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace kl::test {

/// The build folder of the running test program, FOLDER/tests/test_cli. Not a macro: --full links the tests, as they were compiled for the
/// first suite, with what the sanitizers compiled in another folder.
inline const std::string& buildFolder()
{
    static const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().string();
    return folder;
}

/// The worker of that build.
inline const std::string kBuiltWorker = buildFolder() + "/bin/kloop-worker";

} // namespace kl::test
