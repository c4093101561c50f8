// SPDX-License-Identifier: MIT
#include "kernels/model/element_place.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline kernels {
namespace {

std::int64_t along(const std::vector<std::int64_t>& shape, std::size_t axis)
{
    return axis < shape.size() ? shape[axis] : 1;
}

/// Whether blocks of `block` threads cover `count` elements with no block to spare.
bool covers(std::int64_t grid, std::int64_t block, std::int64_t count)
{
    return grid * block >= count && (grid - 1) * block < count;
}

const LaunchSpec* lastWith(const WorkSpec& work, const std::string& buffer)
{
    const auto takes = [&](const LaunchSpec& launch) {
        return std::any_of(launch.args.begin(), launch.args.end(), [&](const ArgSpec& arg) { return arg.buffer == buffer; });
    };
    const auto found = std::find_if(work.launches.rbegin(), work.launches.rend(), takes);
    return found == work.launches.rend() ? nullptr : &*found;
}

/// The index tuple, outermost first; empty where the reference has no indices for this buffer.
std::vector<std::int64_t> computeIndexTuple(const WorkSpec& work, const Mismatch& mismatch)
{
    const std::vector<IndexSpec>& indices = work.reference.index;
    std::vector<std::int64_t> tuple(work.reference.output == mismatch.buffer ? indices.size() : 0);
    std::int64_t left = mismatch.index;
    for (std::size_t i = tuple.size(); i-- > 0;) {
        if (indices[i].count <= 0)
            return {};
        tuple[i] = left % indices[i].count;
        left /= indices[i].count;
    }
    return left == 0 ? tuple : std::vector<std::int64_t>();
}

void placeThread(const LaunchSpec& launch, const std::vector<IndexSpec>& indices, const std::vector<std::int64_t>& tuple,
                 std::int64_t count, Mismatch& mismatch)
{
    const std::int64_t gx = along(launch.grid, 0);
    const std::int64_t bx = along(launch.block, 0);
    const std::int64_t gy = along(launch.grid, 1);
    const std::int64_t by = along(launch.block, 1);
    if (bx <= 0 || by <= 0 || along(launch.grid, 2) != 1 || along(launch.block, 2) != 1)
        return;
    if (gy == 1 && by == 1) {
        const std::int64_t i = mismatch.index;
        if (covers(gx, bx, count)) {
            mismatch.thread = fmt::format("block {}, thread {}", i / bx, i % bx);
            mismatch.threadBy = "if each thread writes one element, in order";
        } else if (gx == count) {
            mismatch.thread = fmt::format("block {}", i);
            mismatch.threadBy = "if each block writes one element, in order";
        } else if (tuple.size() == 2 && gx == indices[0].count) {
            mismatch.thread = fmt::format("block {}", tuple[0]);
            mismatch.threadBy = fmt::format("if each block writes one {}, in order", indices[0].name);
        }
    } else if (tuple.size() == 2 && covers(gx, bx, indices[1].count) && covers(gy, by, indices[0].count)) {
        mismatch.thread = fmt::format("block ({}, {}), thread ({}, {})", tuple[1] / bx, tuple[0] / by, tuple[1] % bx, tuple[0] % by);
        mismatch.threadBy = fmt::format("if each thread writes one element, x over {} and y over {}", indices[1].name, indices[0].name);
    }
}

} // namespace

void placeElement(const WorkSpec& work, Mismatch& mismatch)
{
    const std::vector<std::int64_t> tuple = computeIndexTuple(work, mismatch);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < tuple.size(); ++i)
        words.push_back(fmt::format("{}={}", work.reference.index[i].name, tuple[i]));
    mismatch.element = fmt::format("{}", fmt::join(words, ", "));
    const auto buffer =
        std::find_if(work.buffers.begin(), work.buffers.end(), [&](const BufferSpec& spec) { return spec.name == mismatch.buffer; });
    if (const LaunchSpec* launch = lastWith(work, mismatch.buffer); launch && buffer != work.buffers.end())
        placeThread(*launch, work.reference.index, tuple, buffer->count, mismatch);
}

} // namespace kl::inline kernels
