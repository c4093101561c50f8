// SPDX-License-Identifier: MIT
#include "sessions/subject/compared_outputs.h"

#include "core/base/read_file.h"
#include "core/base/try.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <vector>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxOutput = std::int64_t{2} << 30;

struct Sums {
    double error = 0;
    double reference = 0;
};

std::vector<fs::path> outputsIn(const fs::path& folder)
{
    std::error_code failed;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == ".npy")
            files.push_back(entry.path().filename());
    std::ranges::sort(files);
    return files;
}

Result<Array> arrayIn(const fs::path& file)
{
    KL_ASSIGN(const std::string bytes, readFile(file.string(), kMaxOutput));
    return fromNpy(bytes, file.filename().string());
}

void note(SuiteRow& row, const std::string& buffer, std::size_t index, double wanted, double got)
{
    if (row.firstWrong)
        return;
    Mismatch first;
    first.buffer = buffer;
    first.index = static_cast<std::int64_t>(index);
    if (std::isfinite(wanted))
        first.expected = wanted;
    if (std::isfinite(got))
        first.got = got;
    first.fault = std::isnan(got) ? "NaN" : std::isinf(got) ? "infinite" : "wrong";
    row.firstWrong = std::move(first);
}

void compareElements(const Array& got, const Array& wanted, const std::string& buffer, const Tolerance& tolerance, SuiteRow& row,
                     Sums& sums)
{
    for (std::size_t i = 0; i < wanted.count(); ++i) {
        const double expected = elementAt(wanted.bytes.data(), wanted.type, i);
        const double seen = elementAt(got.bytes.data(), got.type, i);
        if (!std::isfinite(expected) && (expected == seen || (std::isnan(expected) && std::isnan(seen))))
            continue; // the reference has it, too
        if (!std::isfinite(seen)) {
            ++row.nonfinite;
            note(row, buffer, i, expected, seen);
            continue;
        }
        const double error = std::abs(seen - expected);
        row.maxAbs = std::max(row.maxAbs, std::isfinite(error) ? error : std::numeric_limits<double>::max());
        sums.error += error * error;
        sums.reference += expected * expected;
        if (!(error <= tolerance.maxAbs))
            note(row, buffer, i, expected, seen);
    }
}

} // namespace

Result<SuiteRow> compareOutputs(const fs::path& written, const fs::path& reference, const Tolerance& tolerance, const std::string& problem)
{
    SuiteRow row;
    row.problem = problem;
    Sums sums;
    const std::vector<fs::path> wanted = outputsIn(reference);
    if (wanted.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The reference wrote no output at {}.", problem),
                     .hint = "Let it write .npy files to the folder that KLOOP_OUTPUT names: kloop_target.dump does.",
                     .where = "target.check.reference"};
    for (const fs::path& name : wanted) {
        const std::string buffer = name.stem().string();
        KL_ASSIGN(const Array expected, arrayIn(reference / name));
        const Result<Array> got = arrayIn(written / name);
        if (!got) {
            row.unwritten += static_cast<std::int64_t>(std::max<std::size_t>(expected.count(), 1));
            row.reason = fmt::format("the output {} was not written: {}", buffer, got.error().message);
            continue;
        }
        if (got->shape != expected.shape) {
            row.unwritten += static_cast<std::int64_t>(std::max<std::size_t>(expected.count(), 1));
            row.reason = fmt::format("the output {} has shape [{}] instead of [{}]", buffer, fmt::join(got->shape, ", "),
                                     fmt::join(expected.shape, ", "));
            continue;
        }
        compareElements(*got, expected, buffer, tolerance, row, sums);
    }
    row.relL2 = sums.reference > 0 ? std::sqrt(sums.error / sums.reference) : std::sqrt(sums.error);
    if (row.reason.empty() && row.nonfinite > 0)
        row.reason = fmt::format("{} elements are NaN or infinite", row.nonfinite);
    else if (row.reason.empty() && !(row.maxAbs <= tolerance.maxAbs))
        row.reason = fmt::format("max abs error {:.3g} is above {:g}", row.maxAbs, tolerance.maxAbs);
    else if (row.reason.empty() && !(row.relL2 <= tolerance.relL2))
        row.reason = fmt::format("relative L2 error {:.3g} is above {:g}", row.relL2, tolerance.relL2);
    row.pass = row.reason.empty();
    return row;
}

} // namespace kl::inline subjects
