// SPDX-License-Identifier: MIT
#include "ui/window/page_trail.h"

namespace kl::ui {

void PageTrail::visit(const PagePlace& place)
{
    if (!places_.empty() && places_[at_] == place)
        return;
    if (!places_.empty())
        places_.resize(at_ + 1);
    places_.push_back(place);
    if (places_.size() > kMost)
        places_.erase(places_.begin());
    at_ = places_.size() - 1;
}

std::optional<PagePlace> PageTrail::back()
{
    if (!hasBack())
        return {};
    return places_[--at_];
}

std::optional<PagePlace> PageTrail::forward()
{
    if (!hasForward())
        return {};
    return places_[++at_];
}

void PageTrail::clear()
{
    places_.clear();
    at_ = 0;
}

} // namespace kl::ui
