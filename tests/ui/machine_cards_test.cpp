// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/device/shared_memory.h"
#include "tests/support/set_variable.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/environment/checked_machine.h"
#include "ui/pages/environment/machine_cards.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>

namespace kl::ui {
namespace {

QString inKibibytes(std::int64_t bytes)
{
    return q(formatWithUnit(static_cast<double>(bytes) / 1024, "KiB"));
}

TEST(LimitsCards, HaveTheQuotedFigureBeforeTheOneThatHolds)
{
    const std::unique_ptr<Card> card(makeLimitsCard(nullptr));
    const QStringList texts = seenOn(*card);
    ASSERT_FALSE(listCorrectedLimits().empty());
    qsizetype at = 0;
    for (const CorrectedLimit& limit : listCorrectedLimits()) {
        at = texts.indexOf(q(limit.gpu), at);
        ASSERT_GE(at, 0) << limit.gpu;
        EXPECT_EQ(texts.mid(at, 4), (QStringList{q(limit.gpu), inKibibytes(limit.quoted), inKibibytes(limit.limit), q(limit.why)}));
    }
}

class ListedDevices : public OwnDatabase {
protected:
    const std::string path = folder.path().string();
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
};

TEST_F(ListedDevices, HaveTheirFiguresAndEqualOnesAreOneRow)
{
    DeviceInfo big;
    big.name = "NVIDIA H200";
    big.ccMajor = 9;
    big.ccMinor = 1;
    big.smCount = 132;
    big.smemPerBlockOptin = 227 * 1024;
    big.smemPerSm = 228 * 1024;
    DeviceInfo small = big;
    small.smCount = 66;
    CheckedMachine machine;
    machine.device = DeviceSpec::local();
    machine.gpus = {big, small, big};
    DevicesCard card(*context);
    card.show(machine);
    QStringList texts = seenOn(card);
    const qsizetype pair = texts.indexOf("2 × NVIDIA H200");
    ASSERT_GE(pair, 0) << texts.join('|').toStdString();
    EXPECT_EQ(texts.mid(pair + 1, 4), (QStringList{"9.1", "132", inKibibytes(227 * 1024), inKibibytes(228 * 1024)}));
    EXPECT_EQ(texts.mid(pair + 5, 3), (QStringList{"NVIDIA H200", "9.1", "66"})) << "another one is another row";
    machine.gpus = {small};
    card.show(machine);
    texts = seenOn(card);
    EXPECT_FALSE(texts.contains("2 × NVIDIA H200")) << "of the machine before";
    machine.gpus.clear();
    card.show(machine);
    EXPECT_TRUE(seenOn(card).filter("H200").isEmpty());
}

} // namespace
} // namespace kl::ui
