// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

/// The members of Json are compiled once, in json.cpp, instead of by every source that reads or writes some.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
