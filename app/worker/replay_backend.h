// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/backend/backend.h"

#include <filesystem>

namespace kl::worker {

/// A backend that answers from recordings in the place of a GPU, for tests of everything around it: a capture, or a folder of captures. One
/// that cannot be read says so in its hello.
std::unique_ptr<Backend> makeReplayBackend(const std::string& version, const std::filesystem::path& captures);

} // namespace kl::worker
