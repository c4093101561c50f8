// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/compile_cache.h"

#include "core/base/compile_files.h"
#include "core/base/ids.h"
#include "core/base/try.h"

#include <cstring>
#include <zstd.h>

namespace kl::inline live {
namespace {

constexpr int kCompression = 3;
constexpr const char* kNote = " note";
constexpr std::uint64_t kMostUnpacked = 1U << 30U;

void appendPart(std::string& text, const std::string& part)
{
    const std::uint64_t size = part.size();
    text.append(reinterpret_cast<const char*>(&size), sizeof size);
    text += part;
}

std::optional<std::string> takePart(std::string_view& text)
{
    std::uint64_t size = 0;
    if (text.size() < sizeof size)
        return {};
    std::memcpy(&size, text.data(), sizeof size);
    text.remove_prefix(sizeof size);
    if (text.size() < size)
        return {};
    std::string part(text.substr(0, size));
    text.remove_prefix(size);
    return part;
}

} // namespace

std::string packCompiled(const CompiledSource& compiled)
{
    std::string plain(reinterpret_cast<const char*>(&compiled.seconds), sizeof compiled.seconds);
    for (const std::string* part : {&compiled.cubin, &compiled.ptx, &compiled.log})
        appendPart(plain, *part);
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kCompression);
    packed.resize(ZSTD_isError(size) ? 0 : size);
    return packed;
}

std::optional<CompiledSource> unpackCompiled(const std::string& packed)
{
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostUnpacked)
        return {};
    std::string plain(size, '\0');
    CompiledSource compiled;
    if (ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) != size || plain.size() < sizeof compiled.seconds)
        return {};
    std::memcpy(&compiled.seconds, plain.data(), sizeof compiled.seconds);
    std::string_view rest = std::string_view(plain).substr(sizeof compiled.seconds);
    for (std::string* part : {&compiled.cubin, &compiled.ptx, &compiled.log}) {
        std::optional<std::string> taken = takePart(rest);
        if (!taken)
            return {};
        *part = std::move(*taken);
    }
    compiled.ok = !compiled.cubin.empty();
    return compiled;
}

Result<CompileCache*> CompileCache::shared()
{
    KL_ASSIGN(const Nvrtc* nvrtc, pointerTo(Nvrtc::load()));
    static CompileCache cache(
        compileFiles(), [nvrtc](const CompileTask& task, const std::stop_token& stop) { return nvrtc->compile(task, stop); },
        [nvrtc](const CompileTask& task) { return nvrtc->identity(task); });
    return &cache;
}

std::string CompileCache::makeKey(const CompileTask& task) const
{
    return contentHash(identity_(task));
}

std::optional<std::string> CompileCache::note(const CompileTask& task) const
{
    return files_.get(makeKey(task) + kNote);
}

void CompileCache::keepNote(const CompileTask& task, const std::string& text) const
{
    (void)files_.put(makeKey(task) + kNote, text);
}

std::optional<CompiledSource> CompileCache::read(const std::string& key) const
{
    const std::optional<std::string> packed = files_.get(key);
    std::optional<CompiledSource> compiled = packed ? unpackCompiled(*packed) : std::nullopt;
    if (compiled)
        compiled->cached = true;
    return compiled;
}

Result<CompileCache::Compiled> CompileCache::compile(const CompileTask& task, const std::stop_token& stop)
{
    const std::string key = makeKey(task);
    std::promise<Result<Compiled>> promise;
    {
        std::unique_lock lock(mutex_);
        if (const auto other = running_.find(key); other != running_.end()) {
            const std::shared_future<Result<Compiled>> result = other->second;
            lock.unlock();
            const Result<Compiled>& made = result.get();
            if (made || made.error().code != ErrorCode::interrupted || stop.stop_requested())
                return made;
            return compile(task, stop); // the first caller was stopped, this one was not
        }
        running_.emplace(key, promise.get_future().share());
    }
    Result<Compiled> made = make(key, task, stop);
    promise.set_value(made);
    const std::scoped_lock lock(mutex_);
    running_.erase(key);
    return made;
}

Result<CompileCache::Compiled> CompileCache::make(const std::string& key, const CompileTask& task, const std::stop_token& stop)
{
    if (std::optional<CompiledSource> known = read(key))
        return std::make_shared<const CompiledSource>(std::move(*known));
    const std::optional<FileCache::Claim> claim = files_.claim(key, stop);
    if (claim) // another process may have made it while this one waited
        if (std::optional<CompiledSource> known = read(key))
            return std::make_shared<const CompiledSource>(std::move(*known));
    KL_ASSIGN(CompiledSource compiled, compile_(task, stop));
    if (compiled.ok)
        (void)files_.put(key, packCompiled(compiled)); // a full disk costs time, not the result
    return std::make_shared<const CompiledSource>(std::move(compiled));
}

} // namespace kl::inline live
