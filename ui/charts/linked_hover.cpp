// SPDX-License-Identifier: MIT
#include "ui/charts/linked_hover.h"

namespace kl::ui {

LinkedHover& LinkedHover::instance()
{
    static LinkedHover hover;
    return hover;
}

void LinkedHover::set(const QString& id)
{
    if (id == id_)
        return;
    id_ = id;
    emit changed(id_);
}

} // namespace kl::ui
