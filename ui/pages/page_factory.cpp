// SPDX-License-Identifier: MIT
#include "ui/pages/calculate_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/diagnose_page.h"
#include "ui/pages/environment_page.h"
#include "ui/pages/history_page.h"
#include "ui/pages/home_page.h"
#include "ui/pages/kernels_page.h"
#include "ui/pages/page.h"
#include "ui/pages/patterns_page.h"
#include "ui/pages/search_page.h"
#include "ui/pages/session_page.h"

#include <QCoreApplication>

namespace kl::ui {

namespace {

template <class P> PageEntry entry(const char* id, const char* word, const char* icon)
{
    return {QString::fromLatin1(id), QCoreApplication::translate("pages", word), QString::fromLatin1(icon),
            [](AppContext& context, QWidget* parent) -> Page* { return new P(context, parent); }};
}

} // namespace

std::vector<PageEntry> pageEntries()
{
    return {
        entry<HomePage>("home", "Home", "home"),
        entry<SessionPage>("session", "Sessions", "sessions"),
        entry<KernelsPage>("kernels", "Kernels", "kernels"),
        entry<DiagnosePage>("diagnose", "Diagnose", "diagnose"),
        entry<ComparePage>("compare", "Compare", "compare"),
        entry<SearchPage>("search", "Search", "search"),
        entry<HistoryPage>("history", "History", "history"),
        entry<PatternsPage>("patterns", "Patterns", "patterns"),
        entry<CalculatePage>("calculate", "Calculate", "calculate"),
        entry<EnvironmentPage>("environment", "Environment", "environment"),
    };
}

} // namespace kl::ui
