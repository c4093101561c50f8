// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// What the instructions of one function wait for, read from the opcode and the control bits of each 16-byte instruction of compute
/// capability 7.0 and newer (Jia et al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking",
/// 2018, section 2.1; the same bits on the later chips). NVIDIA does not document them, so this information is only a hint: the line
/// that causes a wait, never a value.
class SassCode {
public:
    /// The code of `function` (mangled name) in a cubin, which must outlive it; unset when the image is not a 64-bit ELF file or has no
    /// such function.
    static std::optional<SassCode> of(std::string_view cubin, const std::string& function);

    /// The instructions, 16 bytes each.
    std::string_view bytes() const noexcept { return code_; }

    /// Offsets of the instructions whose results the one at `offset` waits for: going back from it, the nearest that sets each
    /// scoreboard of its wait mask; if there is none before it, the nearest from the function's end (the loop's last round).
    std::vector<std::uint64_t> findAwaited(std::uint64_t offset) const;

    /// Offset of the nearest store to global or local memory before the one at `offset`: what a warp that drains waits for.
    std::optional<std::uint64_t> lastStore(std::uint64_t offset) const;

private:
    explicit SassCode(std::string_view code) : code_(code) {}
    struct Control {
        unsigned waits = 0;         ///< bit mask over the six scoreboards
        std::optional<int> arms[2]; ///< scoreboards released by its result, by its operands' reads
    };
    Control controlAt(std::size_t index) const;

    std::string_view code_;
};

} // namespace kl::inline live
