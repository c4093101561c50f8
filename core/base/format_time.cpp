// SPDX-License-Identifier: MIT
#include "core/base/format.h"

#include <charconv>
#include <fmt/format.h>

namespace kl {
namespace {

/// A run of exactly `digits` digits at `at`, or −1.
int digitsAt(std::string_view text, std::size_t at, std::size_t digits)
{
    if (at + digits > text.size())
        return -1;
    int value = 0;
    const char* end = text.data() + at + digits;
    const auto [stop, problem] = std::from_chars(text.data() + at, end, value);
    return problem == std::errc{} && stop == end && value >= 0 ? value : -1;
}

} // namespace

std::string isoTime(TimePoint time)
{
    using namespace std::chrono;
    const auto ms = floor<milliseconds>(time);
    const auto day = floor<days>(ms);
    const year_month_day date{day};
    const hh_mm_ss clock{ms - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::string isoNow()
{
    return isoTime(std::chrono::system_clock::now());
}

std::optional<TimePoint> parseIsoTime(std::string_view text)
{
    constexpr int kFirstYear = 1678; // the whole years that nanoseconds since 1970 reach in 64 bits
    constexpr int kLastYear = 2261;
    using namespace std::chrono;
    if (text.size() < 10 || text[4] != '-' || text[7] != '-')
        return {};
    const int y = digitsAt(text, 0, 4), m = digitsAt(text, 5, 2), d = digitsAt(text, 8, 2);
    if (y < 0 || m < 1 || d < 1)
        return {};
    const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
    if (!date.ok() || y < kFirstYear || y > kLastYear)
        return {};
    TimePoint time = sys_days{date};
    if (text.size() == 10)
        return time;
    if (text.size() < 19 || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
        return {};
    const int h = digitsAt(text, 11, 2), min = digitsAt(text, 14, 2), s = digitsAt(text, 17, 2);
    if (h < 0 || h > 23 || min < 0 || min > 59 || s < 0 || s > 60)
        return {};
    time += hours{h} + minutes{min} + seconds{s};
    std::size_t at = 19;
    if (at < text.size() && text[at] == '.') {
        double fraction = 0, place = 0.1;
        for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, place /= 10)
            fraction += place * (text[at] - '0');
        time += round<milliseconds>(duration<double>(fraction));
    }
    if (at != text.size() && text.substr(at) != "Z")
        return {};
    return time;
}

std::string relativeTime(std::string_view iso, TimePoint now)
{
    using namespace std::chrono;
    const auto then = parseIsoTime(iso);
    if (!then)
        return std::string(iso);
    const auto age = now - *then;
    if (age < minutes{1})
        return "just now";
    if (age < hours{1})
        return fmt::format("{}{}min ago", floor<minutes>(age).count(), kThinSpace);
    if (age < days{1})
        return fmt::format("{}{}h ago", floor<hours>(age).count(), kThinSpace);
    if (age < days{2})
        return "yesterday";
    if (age < days{14})
        return fmt::format("{} days ago", floor<days>(age).count());
    return isoTime(*then).substr(0, 10);
}

} // namespace kl
