// SPDX-License-Identifier: MIT
#include "profiler/live/work/placed_memory.h"

#include "profiler/live/work/work_errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

/// What is mapped now; the worker's one GPU thread builds all works.
std::weak_ptr<const PlacedMemory>& latest()
{
    static std::weak_ptr<const PlacedMemory> memory;
    return memory;
}

} // namespace

std::vector<MemorySpan> pagesOf(std::vector<MemorySpan> spans, std::size_t page)
{
    std::ranges::sort(spans);
    std::vector<MemorySpan> pages;
    for (const auto& [address, bytes] : spans) {
        const CUdeviceptr begin = address / page * page;
        const CUdeviceptr end = (address + bytes + page - 1) / page * page;
        if (!pages.empty() && begin <= pages.back().first + pages.back().second)
            pages.back().second = std::max<std::size_t>(pages.back().second, end - pages.back().first);
        else
            pages.emplace_back(begin, end - begin);
    }
    return pages;
}

Result<std::shared_ptr<const PlacedMemory>> PlacedMemory::map(const std::vector<MemorySpan>& spans)
{
    CUdevice device = 0;
    KL_TRY(KL_CUDA(CtxGetDevice, &device));
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    std::size_t page = 0;
    KL_TRY(KL_CUDA(MemGetAllocationGranularity, &page, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    std::vector<MemorySpan> pages = pagesOf(spans, page);
    if (std::shared_ptr<const PlacedMemory> held = latest().lock(); held && held->pages_ == pages)
        return held;
    std::shared_ptr<PlacedMemory> memory(new PlacedMemory);
    memory->pages_ = std::move(pages);
    for (const MemorySpan& block : pagesOf(memory->pages_, kReservedBlock))
        KL_TRY(memory->reserve(block));
    for (const MemorySpan& span : memory->pages_)
        KL_TRY(memory->mapPages(span, kind));
    KL_TRY(KL_CUDA(CtxSynchronize)); // streams of works do not wait for what is set
    latest() = memory;
    return std::shared_ptr<const PlacedMemory>(memory);
}

Status PlacedMemory::reserve(const MemorySpan& block)
{
    const auto [address, bytes] = block;
    CUdeviceptr given = 0;
    KL_TRY(KL_CUDA(MemAddressReserve, &given, bytes, 0, address, 0));
    if (given != address) {
        cuda().MemAddressFree(given, bytes);
        return addressTaken(
            fmt::format("The lifted launch needs its memory at {:#x} ({} bytes), where this process has something else.", address, bytes));
    }
    reserved_.push_back(block);
    return {};
}

Status PlacedMemory::mapPages(const MemorySpan& span, const CUmemAllocationProp& kind)
{
    const auto [address, bytes] = span;
    CUmemGenericAllocationHandle handle = 0;
    if (Status made = KL_CUDA(MemCreate, &handle, bytes, &kind, 0); !made) {
        Error error = made.error();
        if (isDeviceLimit(error))
            error.message = fmt::format("Device memory is not enough for the lifted launch: {} bytes at {:#x}.", bytes, address);
        return error;
    }
    const Status mapped = KL_CUDA(MemMap, address, bytes, 0, handle, 0);
    cuda().MemRelease(handle); // the mapping keeps it
    KL_TRY(Status(mapped));
    mapped_.push_back(span);
    const CUmemAccessDesc access{kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    KL_TRY(KL_CUDA(MemSetAccess, address, bytes, &access, 1));
    return KL_CUDA(MemsetD8Async, address, 0, bytes, nullptr);
}

PlacedMemory::~PlacedMemory()
{
    if (contextLost())
        return;
    cuda().CtxSynchronize(); // nothing may run on what is unmapped
    for (const auto& [address, bytes] : mapped_)
        cuda().MemUnmap(address, bytes);
    for (const auto& [address, bytes] : reserved_)
        cuda().MemAddressFree(address, bytes);
}

} // namespace kl::inline live
