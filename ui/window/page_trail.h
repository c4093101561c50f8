// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace kl::ui {

/// A page as it was shown: its id and what it was asked to show.
struct PagePlace {
    QString page;
    QString argument;

    bool operator==(const PagePlace&) const = default;
};

/// The pages that were shown, for back and forward.
class PageTrail {
public:
    /// Going somewhere new drops what lay ahead. Showing the same again changes nothing.
    void visit(const PagePlace& place);
    /// Where to go; unset at the end of the trail. The place becomes the current one.
    std::optional<PagePlace> back();
    std::optional<PagePlace> forward();
    bool hasBack() const { return at_ > 0; }
    bool hasForward() const { return at_ + 1 < places_.size(); }
    void clear();

private:
    static constexpr std::size_t kMost = 100;
    std::vector<PagePlace> places_;
    std::size_t at_ = 0;
};

} // namespace kl::ui
