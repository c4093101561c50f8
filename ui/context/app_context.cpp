// SPDX-License-Identifier: MIT
#include "ui/context/app_context.h"

#include "core/base/try.h"
#include "ui/context/opened_device.h"
#include "ui/context/step_doors.h"

#include "profiler/protocol/gpu_choice.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/trust/requested_consent.h"
#include "ui/jobs/consent_desk.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QTimer>

namespace kl::ui {

namespace {

constexpr int kPollMs = 1000;

Status addPatterns(Store& store)
{
    KL_ASSIGN(const auto library, PatternLibrary::loadEmbedded());
    return seedPatterns(store, library);
}

Result<std::unique_ptr<Store>> openDatabase(const std::string& location)
{
    if (isSampleLocation(location))
        return openSampleStore(location);
    KL_ASSIGN(auto store, Store::open(location));
    if (!store->readOnly() && !store->unchecked())
        KL_TRY(addPatterns(*store));
    return store;
}

} // namespace

Engine::Engine(std::shared_ptr<const OpenCatalog> kernelsIn, std::shared_ptr<const DiagnosisTree> treeIn, std::shared_ptr<Store> storeIn,
               std::shared_ptr<Collector> collectorIn, std::shared_ptr<std::mutex> mutexIn)
    : kernels(std::move(kernelsIn)), catalog(kernels, &kernels->catalog), tree(std::move(treeIn)), store(std::move(storeIn)),
      collector(std::move(collectorIn)), mutex(std::move(mutexIn)), weigher(*store, *catalog, *tree),
      bench(*catalog, *tree, *collector, *store, weigher), reports(*store, *catalog), sessions(bench, reports)
{
}

Result<std::shared_ptr<const FixModel>> Engine::recommender()
{
    return recommender_.of(*store, [this] { return trainModel(*store, *catalog, *tree); });
}

Result<std::vector<RuleCase>> Engine::ruleCases()
{
    return ruleCases_.of(*store, [this] { return kl::ruleCases(*store); });
}

Result<std::unique_ptr<AppContext>> AppContext::open(const std::string& location, const DeviceSpec& device)
{
    KL_ASSIGN(auto tree, DiagnosisTree::loadConfigured());
    KL_ASSIGN(auto store, openDatabase(location));
    KL_ASSIGN(auto kernels, openCatalog(*store));
    auto engine = std::make_shared<Engine>(
        std::make_shared<const OpenCatalog>(std::move(kernels)), std::make_shared<const DiagnosisTree>(std::move(tree)), std::move(store),
        waitsInQueue(device) ? makeAwaitedDevice(device) : openWindowDevice(device), std::make_shared<std::mutex>());
    return std::unique_ptr<AppContext>(new AppContext(std::move(engine), device));
}

AppContext::AppContext(std::shared_ptr<Engine> engine, DeviceSpec device)
    : engine_(std::move(engine)), device_(std::move(device)), seen_(engine_->store->dataVersion())
{
    for (const Address& address : engine_->catalog->addresses())
        assignSeries(toText(address)); // assigns every kernel its color in catalog order
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &AppContext::pollData);
    timer->start(kPollMs);
    connect(&watcher_, &KernelWatcher::saved, this, &AppContext::reloadKernels);
    watchKernels();
    checkDatabase();
    if (waitsInQueue(device_))
        useDevice(device_);
}

AppContext::~AppContext() = default;

bool AppContext::isSample() const
{
    return isSampleLocation(engine_->store->location());
}

QString AppContext::location() const
{
    return exact(engine_->store->location());
}

Status AppContext::switchTo(const std::string& location)
{
    KL_ASSIGN(auto store, openDatabase(location));
    KL_ASSIGN(auto kernels, openCatalog(*store));
    engine_ = std::make_shared<Engine>(std::make_shared<const OpenCatalog>(std::move(kernels)), engine_->tree, std::move(store),
                                       engine_->collector, engine_->mutex);
    watchKernels();
    seen_ = engine_->store->dataVersion();
    session_ = {};
    sessionText_.clear();
    checkDatabase();
    emit databaseSwitched();
    emit kernelsChanged({});
    emit currentSessionChanged();
    emit dataChanged();
    return {};
}

void AppContext::checkDatabase()
{
    damage_.clear();
    if (!engine_->store->unchecked())
        return checking_.cancel();
    checking_.start(
        tr("Checking the database"), [store = engine_->store](const Job& job) { return store->checkOnce(job.stop); },
        [this, store = engine_->store](const Status& checked) {
            if (store != engine_->store)
                return;
            if (!checked && store->unchecked()) // canceled, or the disk could not be read
                return post(checked.error());
            if (!checked)
                damage_ = q(checked.error().message);
            else if (!store->readOnly())
                if (const Status added = addPatterns(*store); !added)
                    post(added.error());
            emit writabilityChanged();
            emit dataChanged();
            if (!checked)
                emit databaseDamaged(checked.error());
        });
}

Status AppContext::startOwn()
{
    return switchTo(Store::defaultLocation());
}

void AppContext::useDevice(const DeviceSpec& device)
{
    opening_.start(
        tr("Opening %1").arg(q(toText(device))), [device](const Job& job) { return openWindowDevice(device, job); },
        [this, device](std::shared_ptr<Collector> collector) {
            device_ = device;
            engine_ = std::make_shared<Engine>(engine_->kernels, engine_->tree, engine_->store, std::move(collector),
                                               std::make_shared<std::mutex>());
            emit deviceSwitched();
            emit dataChanged();
        });
}

void AppContext::findGpus(std::function<void(const std::vector<DeviceInfo>& gpus)> done)
{
    finding_.start(
        {},
        [own = device_.kind == DeviceKind::local ? engine_->collector : nullptr](const Job&) {
            const std::shared_ptr<Collector> local = own ? own : openWindowDevice(DeviceSpec::local());
            return local->hello().devices;
        },
        [done = std::move(done)](const std::vector<DeviceInfo>& gpus) { done(gpus); });
}

void AppContext::watchKernels()
{
    registered_ = listRegisteredKernels(*engine_->store);
    std::vector<std::string> broken;
    for (const BrokenKernel& kernel : brokenKernels())
        broken.push_back(kernel.path);
    watcher_.watch(catalog(), broken);
}

void AppContext::reloadKernels(const QStringList& saved)
{
    auto kernels = openCatalog(*engine_->store);
    if (!kernels)
        return post(kernels.error());
    engine_ = std::make_shared<Engine>(std::make_shared<const OpenCatalog>(std::move(*kernels)), engine_->tree, engine_->store,
                                       engine_->collector, engine_->mutex);
    watchKernels();
    emit kernelsChanged(saved);
}

void AppContext::post(const Error& error, const QString& what)
{
    Message message = makeMessage(error, what);
    message.buttons = makeStepButtons(error.next, [this](const QString& page, const QString& argument) { navigate(page, argument); });
    emit messagePosted(message);
}

Status AppContext::addKernel(const std::string& path)
{
    KL_ASSIGN([[maybe_unused]] const KernelFamily family, registerKernel(*engine_->store, path));
    reloadKernels({});
    return {};
}

Status AppContext::removeKernel(const std::string& pathOrId)
{
    KL_ASSIGN([[maybe_unused]] const std::string id, unregisterKernel(*engine_->store, pathOrId));
    reloadKernels({});
    return {};
}

QString AppContext::deviceName() const
{
    const Hello& hello = engine_->collector->hello();
    const DeviceInfo* device = findMeasuredDevice(hello);
    if (hello.unavailable || device == nullptr)
        return tr("no device");
    QString name = q(device->name);
    if (name.startsWith(QStringLiteral("NVIDIA ")))
        name = name.mid(7);
    if (const std::string host = engine_->collector->remoteHost(); !host.empty())
        return name + tr(" (on %1)").arg(q(host));
    return name + (engine_->collector->source() == Source::sample ? tr(" (recorded)") : tr(" (live)"));
}

QString AppContext::deviceReason() const
{
    const Hello& hello = engine_->collector->hello();
    return hello.unavailable ? q(*hello.unavailable) : findMeasuredDevice(hello) == nullptr ? tr("No GPU was found.") : QString();
}

QString AppContext::writeReason() const
{
    if (isSample())
        return tr("The sample is read-only. Use your own database to do this.");
    if (engine_->store->readOnly())
        return q(engine_->store->notice());
    if (engine_->store->unchecked())
        return tr("This database is new to this machine: it is checked for damage before anything is written to it.");
    return damage_;
}

QString AppContext::explainUnmeasurable() const
{
    const QString reason = writeReason();
    return reason.isEmpty() ? deviceReason() : reason;
}

void AppContext::setCurrentSession(const SessionId& id, const QString& name, const QString& kernel)
{
    const QString text = id.empty() ? QString() : kernel.isEmpty() ? name : name + QStringLiteral(" · ") + kernel;
    if (id == session_ && text == sessionText_)
        return;
    session_ = id;
    sessionText_ = text;
    emit currentSessionChanged();
}

void AppContext::keepOpened(std::vector<RunRecord> runs)
{
    for (const RunRecord& before : *opened_)
        if (std::ranges::find(runs, before.id, &RunRecord::id) == runs.end())
            runs.push_back(before);
    opened_ = std::make_shared<const std::vector<RunRecord>>(std::move(runs));
}

void AppContext::pollData()
{
    const std::int64_t now = engine_->store->dataVersion();
    if (now == seen_)
        return;
    seen_ = now;
    if (listRegisteredKernels(*engine_->store) != registered_) // another program registered one
        reloadKernels({});
    emit dataChanged();
}

} // namespace kl::ui
