// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "kernels/catalog.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline search {

/// A finished search of history with its best point.
struct FoundBest {
    SearchRecord record; ///< whose `best` is set
    std::string stale;   ///< why it may no longer hold, one sentence; empty: the kernel's source is the one that was searched
};

/// Which searches are meant. Empty fields match all.
struct BestFilter {
    std::string kernel;  ///< "attention/fused", or a family with all its variants
    std::string problem; ///< canonical
    std::string device;  ///< part of its name, letter case ignored
    std::string objective;
    Params tunables; ///< that the best point has
    Params sizes;    ///< that the problem has, where no kernel says what is canonical
};

/// The best point of each kernel, problem, device and objective, by kernel, problem, device. Of several searches, the one whose point is
/// fastest among those of the present source; without one, the newest. `damaged`: names of records that cannot be read. Errors: the
/// store's.
Result<std::vector<FoundBest>> findBests(const Store& store, const Catalog& catalog, const BestFilter& filter,
                                         std::vector<std::string>* damaged = nullptr);

/// One best point where another search was made.
struct TransferEntry {
    std::optional<double> share; ///< time of the best there / time of this point there: 1 is as good, 0.5 takes twice as long
    std::string why;             ///< why there is no share; empty when there is one
};

/// The point that is best in its worst place.
struct PortablePoint {
    std::string tunables;
    double worst = 0; ///< its least share
};

/// How good the best point of a device and problem is on the others, from history alone.
struct TransferReport {
    std::string kernel;
    std::vector<FoundBest> places;                 ///< of the present source, objective time
    std::vector<std::vector<TransferEntry>> table; ///< [place the point is the best of][place]
    std::optional<PortablePoint> portable;         ///< among points with a time everywhere; unset: there is none, or one place alone
    std::size_t stale = 0;                         ///< places left out: the source has changed since
};
Result<TransferReport> computeTransfer(const Store& store, const Catalog& catalog, const std::string& kernel);

} // namespace kl::inline search
