// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/chip.h"
#include "kernels/model/descriptor.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// What identifies the measured work without building it.
struct WorkIdentity {
    std::string problem;    ///< canonical text, left-out sizes filled in
    std::string sourceHash; ///< of the code as it is on disk

    bool operator==(const WorkIdentity&) const = default;
};

/// All kernels by family: the built-in ones, then the user's. Immutable once it is shared: by const reference. Programs
/// (KernelFamily::isProgram) are found by their id, but are not listed, since a worker cannot run them.
class Catalog {
public:
    /// Parses every embedded descriptor. Error badInput names file, line and field of a malformed one.
    static Result<Catalog> loadEmbedded();

    explicit Catalog(std::vector<KernelFamily> families);

    /// Adds a user's family; one from the same descriptor file is replaced. Error badInput: another kernel has its id.
    Status add(KernelFamily family);

    const std::vector<KernelFamily>& families() const noexcept { return families_; }
    const std::vector<KernelFamily>& programs() const noexcept { return programs_; }

    /// Errors: notFound, with the nearest known names in the hint.
    Result<const KernelFamily*> family(const std::string& id) const;
    Result<const Variant*> variant(const Address& address) const;

    /// The class expected in a variant, where it shows at this problem size; else unset.
    std::optional<std::string> findExpectedClass(const Address& address, const Params& problem, const Chip& chip = {}) const;

    /// All addresses "family/variant" in the order of the variants.
    std::vector<Address> addresses() const;

    /// The variants whose `fixes` names `address`, in the order of the variants; empty for the last one of a series. With a chip, those
    /// that it can run; with a problem as well, those that the family would choose there (`suits`).
    std::vector<Address> fixesFor(const Address& address, const std::optional<Chip>& chip = {},
                                  const std::optional<Params>& problem = {}) const;

    /// Everything a worker needs for one variant on one problem: all formulas evaluated. Sizes left out of `problem` take the
    /// family's default. Errors: notFound, badInput (unknown size or tunable, value outside its list, violated constraint), refused (a
    /// program, which is measured in sessions only).
    Result<WorkSpec> work(const Address& address, const Params& problem, const Chip& chip = {}) const;

    /// Which work that is. Errors: as work(), but programs are identified as well.
    Result<WorkIdentity> identify(const Address& address, const Params& problem, const Chip& chip = {}) const;

    /// The correctness suite of a variant as work specifications, smallest first.
    Result<std::vector<WorkSpec>> suite(const Address& address, const Chip& chip = {}) const;

private:
    std::vector<KernelFamily> families_;
    std::vector<KernelFamily> programs_;
};

} // namespace kl::inline kernels
