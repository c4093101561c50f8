// SPDX-License-Identifier: MIT
#include "bench.h"

#include "core/base/csv_rows.h"
#include "profiler/replay/capture_file.h"

#include <benchmark/benchmark.h>
#include <csv.h>
#include <fstream>
#include <iterator>

namespace kl::bench {
namespace {

constexpr int kPages = 40; ///< copies of the page, so that a pass takes some 10 ms

/// The raw page of a small report in the form of `ncu --csv --page raw`, many times over; empty where it cannot be read.
const std::string& rawPages()
{
    static const std::string text = [] {
        std::ifstream file(KL_BENCH_CSV, std::ios::binary);
        const std::string packed{std::istreambuf_iterator<char>(file), {}};
        const Result<std::string> page = decompressCapture(packed, KL_BENCH_CSV);
        std::string all;
        for (int i = 0; page && i < kPages; ++i)
            all += *page;
        return all;
    }();
    return text;
}

void addField(void* field, std::size_t size, void* row)
{
    static_cast<std::vector<std::string>*>(row)->emplace_back(static_cast<const char*>(field), size);
}

/// What libcsv's callbacks need to give rows of fields as ours are.
struct Rows {
    std::vector<std::string> row;
    std::vector<std::vector<std::string>> all;
};

void readByLibcsv(benchmark::State& state)
{
    const std::string& text = rawPages();
    if (text.empty())
        return state.SkipWithError("the page of CSV cannot be read");
    for (auto _ : state) {
        csv_parser parser{};
        csv_init(&parser, CSV_APPEND_NULL);
        Rows rows;
        const auto field = [](void* data, std::size_t size, void* to) { addField(data, size, &static_cast<Rows*>(to)->row); };
        const auto end = [](int, void* to) {
            auto& into = *static_cast<Rows*>(to);
            into.all.push_back(std::move(into.row));
            into.row.clear();
        };
        if (csv_parse(&parser, text.data(), text.size(), field, end, &rows) != text.size())
            state.SkipWithError("libcsv stopped");
        csv_fini(&parser, field, end, &rows);
        csv_free(&parser);
        benchmark::DoNotOptimize(rows.all);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void readByOurs(benchmark::State& state)
{
    const std::string& text = rawPages();
    if (text.empty())
        return state.SkipWithError("the page of CSV cannot be read");
    for (auto _ : state) {
        const auto rows = csvRows(text, 1, "bench");
        if (!rows)
            state.SkipWithError(rows.error().message.c_str());
        benchmark::DoNotOptimize(rows);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK(readByOurs)->Name(kCsvOurs)->Unit(benchmark::kMillisecond)->Repetitions(5)->ReportAggregatesOnly();
BENCHMARK(readByLibcsv)->Name(kCsvLibrary)->Unit(benchmark::kMillisecond)->Repetitions(5)->ReportAggregatesOnly();

} // namespace
} // namespace kl::bench
