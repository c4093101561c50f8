// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/recorded_space.h"

#include <cmath>

namespace kl::test {

/// Block sizes and tiles with a smooth time and one best point; a block has 32 to 1024 threads, points with a tile of 64 fail.
inline RecordedSpace tiledSpace()
{
    const std::vector<std::string> names{"bx", "by", "tx", "ty", "layout"};
    std::vector<std::vector<std::string>> rows;
    std::vector<std::optional<double>> values;
    for (const int bx : {8, 16, 32, 64, 128})
        for (const int by : {1, 2, 4, 8, 16})
            for (const int tx : {1, 2, 4, 8})
                for (const int ty : {1, 2, 4, 8})
                    for (const std::string layout : {"row", "column"}) {
                        if (bx * by < 32 || bx * by > 1024)
                            continue;
                        rows.push_back({std::to_string(bx), std::to_string(by), std::to_string(tx), std::to_string(ty), layout});
                        const double threads = std::log2(bx * by / 256.0);
                        const double work = std::log2(tx * ty / 8.0);
                        const double time = 1 + 0.3 * threads * threads + 0.2 * work * work + 0.05 * std::abs(std::log2(bx / 32.0)) +
                                            0.02 * std::abs(std::log2(tx / 4.0)) + (layout == "row" ? 0 : 0.4);
                        values.push_back(tx * ty == 64 ? std::nullopt : std::optional(time));
                    }
    RecordedSpace recorded{"tiled", *TuningSpace::fromTexts(names, rows), values, {}, std::vector<double>(rows.size(), 1.0)};
    for (const std::optional<double>& value : values)
        recorded.failures.push_back(value ? "" : "too many registers");
    return recorded;
}

} // namespace kl::test
