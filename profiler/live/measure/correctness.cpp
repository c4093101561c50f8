// SPDX-License-Identifier: MIT
#include "profiler/live/measure/correctness.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/data/packed_data.h"
#include "kernels/model/element_place.h"
#include "profiler/live/measure/expected_output.h"

#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

const BufferSpec* findOutput(const WorkSpec& spec)
{
    for (const BufferSpec& buffer : spec.buffers)
        if (spec.reference.output.empty() ? buffer.role == BufferRole::output : buffer.name == spec.reference.output)
            return &buffer;
    return nullptr;
}

void judge(SuiteRow& row, const Tolerance& tolerance)
{
    if (row.unwritten > 0)
        row.reason = fmt::format("{} output elements were never written.", row.unwritten);
    else if (row.nonfinite > 0)
        row.reason = fmt::format("{} output elements are NaN or infinite.", row.nonfinite);
    else if (!(row.maxAbs <= tolerance.maxAbs))
        row.reason = fmt::format("The largest error is {:.3g}, above {:.3g}.", row.maxAbs, tolerance.maxAbs);
    else if (!(row.relL2 <= tolerance.relL2))
        row.reason = fmt::format("The relative L2 error is {:.3g}, above {:.3g}.", row.relL2, tolerance.relL2);
    row.pass = row.reason.empty();
}

/// Whether an element holds a value that no kernel writes; never for types of which every value is possible.
bool isUnwritten(const std::vector<std::byte>& output, DType type, std::size_t index)
{
    return isTellingPoison(type) && isPoison(output.data(), type, index);
}

double poisonValue(DType type)
{
    const std::array<std::uint32_t, 2> words = {poisonWord(type), poisonWord(type)};
    return elementAt(reinterpret_cast<const std::byte*>(words.data()), type, 0);
}

void countUnusable(const std::vector<std::byte>& output, DType type, SuiteRow& row)
{
    const std::size_t count = output.size() / static_cast<std::size_t>(countBytes(type));
    const bool poisonIsFinite = std::isfinite(poisonValue(type));
    for (std::size_t i = 0; i < count; ++i) {
        const bool finite = std::isfinite(elementAt(output.data(), type, i));
        if (finite && !poisonIsFinite)
            continue;
        if (isUnwritten(output, type, i))
            ++row.unwritten;
        else if (!finite)
            ++row.nonfinite;
    }
}

/// The first element that is unwritten or not finite.
std::optional<Mismatch> firstUnusable(const std::vector<std::byte>& output, DType type)
{
    const std::size_t count = output.size() / static_cast<std::size_t>(countBytes(type));
    for (std::size_t i = 0; i < count; ++i) {
        const bool poison = isUnwritten(output, type, i);
        const double value = elementAt(output.data(), type, i);
        if (!poison && std::isfinite(value))
            continue;
        Mismatch found;
        found.index = static_cast<std::int64_t>(i);
        found.fault = poison ? "never written" : std::isnan(value) ? "NaN" : "infinite";
        return found;
    }
    return std::nullopt;
}

/// The larger errors of both; the reason and the place of the first.
void join(SuiteRow& row, const SuiteRow& other, const std::string& buffer)
{
    row.maxAbs = std::max(row.maxAbs, other.maxAbs);
    row.relL2 = std::max(row.relL2, other.relL2);
    row.meanAbs = std::max(row.meanAbs, other.meanAbs);
    row.nonfinite += other.nonfinite;
    if (!row.pass || other.pass)
        return;
    row.pass = false;
    row.reason = buffer + ": " + other.reason;
    row.firstWrong = other.firstWrong;
    if (row.firstWrong)
        row.firstWrong->buffer = buffer;
}

/// Buffers whose content after the launch is known.
Status checkAfter(BuiltWork& work, SuiteRow& row)
{
    for (const BufferSpec& buffer : work.spec().buffers) {
        if (!buffer.after)
            continue;
        const Timed time("compare with the program");
        KL_ASSIGN(const std::vector<std::byte> data, work.read(buffer.name));
        std::vector<std::byte> expected(data.size());
        const std::optional<std::string> frame = fromBase64(*buffer.after);
        if (!frame || !unpackInto(*frame, expected))
            return badWork(fmt::format("The reference of {} is damaged.", buffer.name));
        join(row, compareAfter(data, buffer.type, expected, work.spec().tolerance), buffer.name);
    }
    return {};
}

/// Outputs beside the one that is compared: they must be written, too.
Status checkOthers(BuiltWork& work, const BufferSpec& compared, SuiteRow& row)
{
    SuiteRow others;
    for (const BufferSpec& buffer : work.spec().buffers) {
        if (buffer.role != BufferRole::output || buffer.name == compared.name)
            continue;
        KL_ASSIGN(const std::vector<std::byte> data, work.read(buffer.name));
        countUnusable(data, buffer.type, others);
        if (row.pass && others.unwritten + others.nonfinite > 0) {
            row.pass = false;
            row.reason = fmt::format("{} elements of {} were never written, {} are NaN or infinite.", others.unwritten, buffer.name,
                                     others.nonfinite);
            row.firstWrong = firstUnusable(data, buffer.type);
            if (row.firstWrong)
                row.firstWrong->buffer = buffer.name;
        }
    }
    row.unwritten += others.unwritten;
    row.nonfinite += others.nonfinite;
    return {};
}

} // namespace

SuiteRow compareOutput(const std::vector<std::byte>& output, DType type, const Expected& expected, const Tolerance& allowed)
{
    const Tolerance tolerance = type == DType::boolean ? Tolerance{0, 0} : allowed; // true is not nearly false
    SuiteRow row;
    const std::size_t count = output.size() / static_cast<std::size_t>(countBytes(type));
    countUnusable(output, type, row);
    double errors = 0;
    std::size_t compared = 0;
    double errorSquares = 0;
    double squares = 0;
    std::optional<std::size_t> largest; // place of the one that represents the rest where only the sum of all errors is too large
    double largestError = -1;
    std::optional<Mismatch> first;
    const bool unusable = row.unwritten + row.nonfinite > 0;
    if (unusable)
        first = firstUnusable(output, type);
    const auto indexAt = [&](std::size_t k) { return expected.indices.empty() ? k : static_cast<std::size_t>(expected.indices[k]); };
    const auto mismatchAt = [&](std::size_t k) { // not for every element: it takes longer than all else here
        const std::size_t index = indexAt(k);
        return Mismatch{{}, static_cast<std::int64_t>(index), expected.values[k], elementAt(output.data(), type, index), "wrong", {}, {},
                        {}};
    };
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
        const std::size_t index = indexAt(k);
        if (index >= count) {
            row.reason = fmt::format("The reference has an element {}, the output only {}.", index, count);
            return row;
        }
        const double got = elementAt(output.data(), type, index);
        const double want = expected.values[k];
        if (unusable && (!std::isfinite(got) || isUnwritten(output, type, index))) { // counted above
            if (first && first->index == static_cast<std::int64_t>(index))
                first->expected = want;
            if (!std::isfinite(got))
                continue;
        }
        const double error = std::abs(got - want);
        if (error > largestError) {
            largestError = error;
            largest = k;
        }
        if (!(error <= tolerance.maxAbs) && (!first || static_cast<std::int64_t>(index) < first->index))
            first = mismatchAt(k);
        row.maxAbs = std::max(row.maxAbs, error);
        errors += error;
        ++compared;
        errorSquares += error * error;
        squares += want * want;
    }
    if (compared > 0)
        row.meanAbs = errors / static_cast<double>(compared);
    row.relL2 = squares > 0 ? std::sqrt(errorSquares / squares) : std::sqrt(errorSquares);
    judge(row, tolerance);
    if (!row.pass)
        row.firstWrong = first ? first : largestError > 0 ? std::optional(mismatchAt(*largest)) : std::nullopt;
    return row;
}

SuiteRow compareAfter(const std::vector<std::byte>& output, DType type, const std::vector<std::byte>& expected, const Tolerance& tolerance)
{
    SuiteRow row;
    row.pass = true;
    if (output == expected)
        return row;
    const auto size = static_cast<std::size_t>(countBytes(type));
    double errors = 0;
    double errorSquares = 0;
    double squares = 0;
    std::int64_t different = 0;
    for (std::size_t i = 0; i < output.size() / size; ++i) {
        const double want = elementAt(expected.data(), type, i);
        if (std::isfinite(want))
            squares += want * want;
        if (std::memcmp(output.data() + i * size, expected.data() + i * size, size) == 0)
            continue;
        ++different;
        const double got = elementAt(output.data(), type, i);
        const double error = std::abs(got - want);
        if (!row.firstWrong && !(error <= tolerance.maxAbs))
            row.firstWrong = Mismatch{{},
                                      static_cast<std::int64_t>(i),
                                      want,
                                      std::isfinite(got) ? std::optional(got) : std::nullopt,
                                      std::isnan(got)   ? "NaN"
                                      : std::isinf(got) ? "infinite"
                                                        : "wrong",
                                      {},
                                      {},
                                      {}};
        if (!std::isfinite(error)) {
            ++row.nonfinite;
            continue;
        }
        row.maxAbs = std::max(row.maxAbs, error);
        errors += error;
        errorSquares += error * error;
    }
    const std::size_t elements = output.size() / size;
    row.meanAbs = errors / static_cast<double>(elements);
    row.relL2 = squares > 0 ? std::sqrt(errorSquares / squares) : std::sqrt(errorSquares);
    judge(row, tolerance);
    if (!row.pass)
        row.reason = fmt::format("{} of {} elements differ from the program's own launch. {}", different, elements, row.reason);
    else
        row.firstWrong.reset();
    return row;
}

Result<SuiteRow> checkWork(GpuSession& session, BuiltWork& work, Expected* kept)
{
    const WorkSpec& spec = work.spec();
    if (!work.untouched())
        KL_TRY(work.reset());
    KL_TRY(work.issue());
    KL_TRY(waitFor(session.bench().stream(), kHangSeconds));

    SuiteRow row;
    row.pass = true;
    if (const BufferSpec* output = findOutput(spec)) {
        KL_ASSIGN(const std::vector<std::byte> data, work.read(output->name));
        Timed reference("reference");
        KL_ASSIGN(Expected expected, computeExpectedOutput(session, work, *output));
        reference.end();
        const Timed time("compare");
        row = compareOutput(data, output->type, expected, spec.tolerance);
        if (kept)
            *kept = std::move(expected);
        if (row.firstWrong)
            row.firstWrong->buffer = output->name;
        KL_TRY(checkOthers(work, *output, row));
        if (row.firstWrong)
            placeElement(spec, *row.firstWrong);
    }
    KL_TRY(checkAfter(work, row));
    row.problem = spec.problem;
    KL_ASSIGN(const std::optional<std::string> broken, work.guardViolation());
    if (broken) {
        row.pass = false;
        row.reason = *broken;
    }
    return row;
}

} // namespace kl::inline live
