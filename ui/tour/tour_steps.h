// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <span>

namespace kl::inline store {
class Store;
} // namespace kl::inline store

namespace kl::ui {

/// What a step of the tour shows on its page.
enum class TourSubject { nothing, profile, comparison, session };

/// A step of the tour: a page of the window, and the control on it that the step explains.
struct TourStep {
    const char* id;
    const char* page; ///< PageEntry::id
    TourSubject subject;
    const char* target; ///< object names, the first that the page shows; the card around it is framed
    const char* also;   ///< object names of what else the text mentions: not covered where there is room elsewhere
    const char* title;  ///< in context "Tour", like the text
    const char* text;
};

/// In their order.
std::span<const TourStep> tourSteps();

/// The argument for Page::open, from the newest session that kept a change: its profile, its measured comparison, or itself. Without one,
/// two kernels that differ by a known change, and the form of a new session. Empty if there are none of them.
QString findTourSubject(TourSubject subject, const Store& store);

} // namespace kl::ui
