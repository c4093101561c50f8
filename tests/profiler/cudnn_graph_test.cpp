// SPDX-License-Identifier: MIT
// The graph that cuDNN is given, against a library that records its calls: no GPU and no cuDNN needed. Where cuDNN's header or library
// is on this machine, our declarations are held against them.
#include "profiler/live/baselines/cudnn_attention.h"
#include "profiler/live/baselines/cudnn_library.h"
#include "tests/support/snapshot.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#if __has_include(<cudnn_graph.h>) && __has_include(<cuda_runtime_api.h>)
#include <cudnn_graph.h>
#define KL_HAVE_CUDNN_HEADER 1
#endif

namespace kl::cudnn {
namespace {

using Integers = std::vector<std::int64_t>;

/// A descriptor as it was described; handles are their places in `all`, from 1 on.
struct Told {
    int type = 0;
    bool finalized = false;
    std::map<int, Integers> values;
};

struct Library {
    std::vector<Told> all;
    int handle = 0;
    int failFinalizeOf = -1; ///< descriptor type whose finalize fails
    int enginesThatFail = 0; ///< execution plans that cannot be made
    int engines = 2;         ///< that each heuristic knows
    int executed = 0;
    int destroyed = 0;

    Told& at(Descriptor descriptor) { return all[reinterpret_cast<std::size_t>(descriptor) - 1]; }
    std::vector<Told*> ofType(int type)
    {
        std::vector<Told*> found;
        for (Told& reported : all)
            if (reported.type == type)
                found.push_back(&reported);
        return found;
    }
};
Library library;

std::size_t findTypeSize(int type)
{
    switch (type) {
    case typeInt64:
    case typeHandle:
    case typeVoidPointer:
    case typeDescriptor: return 8;
    case typeBoolean: return 1;
    default: return 4;
    }
}

Functions fake()
{
    library = {};
    Functions f;
    f.getVersion = [] { return std::size_t{91900}; };
    f.create = [](Handle* handle) {
        *handle = reinterpret_cast<Handle>(&library.handle);
        return 0;
    };
    f.destroy = [](Handle) { return 0; };
    f.setStream = [](Handle, void*) { return 0; };
    f.errorString = [](int) { return "CUDNN_STATUS_BAD_PARAM"; };
    f.lastError = [](char* text, std::size_t size) { std::strncpy(text, "dims do not match", size); };
    f.createDescriptor = [](int type, Descriptor* descriptor) {
        library.all.push_back({type, false, {}});
        *descriptor = reinterpret_cast<Descriptor>(library.all.size());
        return 0;
    };
    f.destroyDescriptor = [](Descriptor) {
        ++library.destroyed;
        return 0;
    };
    f.setAttribute = [](Descriptor descriptor, int name, int type, std::int64_t count, const void* values) {
        if (library.at(descriptor).finalized)
            return 2004;
        Integers& kept = library.at(descriptor).values[name];
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t value = 0;
            std::memcpy(&value, static_cast<const char*>(values) + static_cast<std::size_t>(i) * findTypeSize(type), findTypeSize(type));
            kept.push_back(value);
        }
        return 0;
    };
    f.getAttribute = [](Descriptor, int name, int, std::int64_t room, std::int64_t* count, void* values) {
        *count = name == heuristicResults ? (room == 0 ? library.engines : room) : 1;
        if (name == planWorkspaceSize)
            *static_cast<std::int64_t*>(values) = 512;
        return 0;
    };
    f.finalize = [](Descriptor descriptor) {
        Told& reported = library.at(descriptor);
        if (reported.type == library.failFinalizeOf || (reported.type == executionPlanDescriptor && library.enginesThatFail-- > 0))
            return 2000;
        reported.finalized = true;
        return 0;
    };
    f.execute = [](Handle, Descriptor, Descriptor) {
        ++library.executed;
        return 0;
    };
    return f;
}

AttentionSizes sizes(bool causal)
{
    return {2, 8, 512, 640, 64, causal, false};
}

Handle anyHandle()
{
    return reinterpret_cast<Handle>(&library.handle);
}

Integers modes()
{
    Integers list;
    for (const Told* reported : library.ofType(pointwiseDescriptor))
        list.push_back(reported->values.at(pointwiseModeAttribute).front());
    return list;
}

TEST(CudnnGraph, TensorsAreDescribedByTheirPlace)
{
    const Functions f = fake();
    Graph graph(f);
    graph.tensor(7, dataBfloat16, {2, 3, 4, 5}, {60, 20, 5, 1});
    graph.scalar(8, dataFloat);
    graph.between(dataInt32, {2, 3, 4, 5});
    graph.between(dataFloat, {2, 3, 4, 1});
    ASSERT_TRUE(graph.status());
    const std::vector<Told*> tensors = library.ofType(tensorDescriptor);
    ASSERT_EQ(tensors.size(), 4u);
    for (const Told* reported : tensors) {
        EXPECT_TRUE(reported->finalized);
        EXPECT_EQ(reported->values.at(tensorAlignment), Integers{16});
    }
    EXPECT_EQ(tensors[0]->values.at(tensorId), Integers{7});
    EXPECT_EQ(tensors[0]->values.at(tensorDataType), Integers{dataBfloat16});
    EXPECT_EQ(tensors[0]->values.at(tensorDimensions), (Integers{2, 3, 4, 5}));
    EXPECT_EQ(tensors[0]->values.at(tensorStrides), (Integers{60, 20, 5, 1}));
    EXPECT_FALSE(tensors[0]->values.contains(tensorIsVirtual));
    EXPECT_FALSE(tensors[0]->values.contains(tensorIsByValue));
    EXPECT_EQ(tensors[1]->values.at(tensorId), Integers{8});
    EXPECT_EQ(tensors[1]->values.at(tensorDimensions), (Integers{1, 1, 1, 1}));
    EXPECT_EQ(tensors[1]->values.at(tensorStrides), (Integers{1, 1, 1, 1}));
    EXPECT_EQ(tensors[1]->values.at(tensorIsByValue), Integers{1});
    EXPECT_EQ(tensors[2]->values.at(tensorStrides), (Integers{60, 20, 5, 1})) << "row-major";
    EXPECT_EQ(tensors[2]->values.at(tensorIsVirtual), Integers{1});
    EXPECT_EQ(tensors[2]->values.at(tensorDataType), Integers{dataInt32});
    EXPECT_EQ(tensors[3]->values.at(tensorStrides), (Integers{12, 4, 1, 1}));
    EXPECT_NE(tensors[2]->values.at(tensorId), tensors[3]->values.at(tensorId));
    EXPECT_GT(tensors[2]->values.at(tensorId).front(), 8) << "no id that a caller uses";
}

TEST(CudnnGraph, OperationsNameTheirKindAndTensorsInOrder)
{
    const Functions f = fake();
    Graph graph(f);
    std::vector<Descriptor> made;
    Integers places;
    for (std::int64_t id = 1; id <= 4; ++id) {
        made.push_back(graph.tensor(id, dataFloat, {1, 1, 8, 8}, {64, 64, 8, 1}));
        places.push_back(reinterpret_cast<std::int64_t>(made.back()));
    }
    graph.matmul(made[0], made[1], made[2]);
    graph.pointwise(select, dataBoolean, {made[0], made[1], made[2]}, made[3], 3);
    graph.pointwise(exponential, dataFloat, {made[3]}, made[1]);
    graph.reduction(reduceMax, made[1], made[0]);
    graph.plan(anyHandle());
    ASSERT_TRUE(graph.status());
    EXPECT_EQ(library.ofType(matmulDescriptor)[0]->values.at(matmulComputeType), Integers{dataFloat});
    const Told& matmul = *library.ofType(matmulOperation)[0];
    EXPECT_EQ(matmul.values.at(matmulOpA), Integers{places[0]});
    EXPECT_EQ(matmul.values.at(matmulOpB), Integers{places[1]});
    EXPECT_EQ(matmul.values.at(matmulOpC), Integers{places[2]});
    EXPECT_EQ(library.at(reinterpret_cast<Descriptor>(matmul.values.at(matmulOpDescriptor)[0])).type, matmulDescriptor);
    const std::vector<Told*> kinds = library.ofType(pointwiseDescriptor);
    EXPECT_EQ(kinds[0]->values.at(pointwiseModeAttribute), Integers{select});
    EXPECT_EQ(kinds[0]->values.at(pointwisePrecision), Integers{dataBoolean});
    EXPECT_EQ(kinds[0]->values.at(pointwiseAxis), Integers{3});
    EXPECT_FALSE(kinds[1]->values.contains(pointwiseAxis));
    const std::vector<Told*> pointwise = library.ofType(pointwiseOperation);
    EXPECT_EQ(pointwise[0]->values.at(pointwiseOpX), Integers{places[0]});
    EXPECT_EQ(pointwise[0]->values.at(pointwiseOpB), Integers{places[1]});
    EXPECT_EQ(pointwise[0]->values.at(pointwiseOpT), Integers{places[2]});
    EXPECT_EQ(pointwise[0]->values.at(pointwiseOpY), Integers{places[3]});
    EXPECT_FALSE(pointwise[1]->values.contains(pointwiseOpB));
    const Told& kind = *library.ofType(reductionDescriptor)[0];
    EXPECT_EQ(kind.values.at(reductionOperator), Integers{reduceMax});
    EXPECT_EQ(kind.values.at(reductionComputeType), Integers{dataFloat});
    const Told& reduction = *library.ofType(reductionOperation)[0];
    EXPECT_EQ(reduction.values.at(reductionOpX), Integers{places[1]});
    EXPECT_EQ(reduction.values.at(reductionOpY), Integers{places[0]});
    EXPECT_EQ(library.at(reinterpret_cast<Descriptor>(reduction.values.at(reductionOpDescriptor)[0])).type, reductionDescriptor);
    EXPECT_EQ(library.at(reinterpret_cast<Descriptor>(pointwise[1]->values.at(pointwiseOpDescriptor)[0])).values.at(pointwiseModeAttribute),
              Integers{exponential});
    for (const Told& reported : library.all)
        EXPECT_EQ(reported.finalized, reported.type != engineConfigDescriptor) << reported.type;
    const Told& whole = *library.ofType(operationGraphDescriptor)[0];
    std::vector<int> types;
    for (const std::int64_t one : whole.values.at(graphOperations))
        types.push_back(library.at(reinterpret_cast<Descriptor>(one)).type);
    EXPECT_EQ(types, (std::vector<int>{matmulOperation, pointwiseOperation, pointwiseOperation, reductionOperation}));
    EXPECT_EQ(whole.values.at(graphHandle), Integers{reinterpret_cast<std::int64_t>(anyHandle())});
    const Told& heuristic = *library.ofType(engineHeuristicDescriptor)[0];
    EXPECT_EQ(heuristic.values.at(heuristicMode), Integers{heuristicA});
    EXPECT_EQ(library.at(reinterpret_cast<Descriptor>(heuristic.values.at(heuristicGraph)[0])).type, operationGraphDescriptor);
    EXPECT_EQ(library.ofType(engineHeuristicDescriptor).size(), 1u) << "the first one has engines that can";
    const Told& plan = *library.ofType(executionPlanDescriptor)[0];
    EXPECT_EQ(library.at(reinterpret_cast<Descriptor>(plan.values.at(planEngineConfig)[0])).type, engineConfigDescriptor);
    EXPECT_EQ(plan.values.at(planHandle), Integers{reinterpret_cast<std::int64_t>(anyHandle())});
    EXPECT_EQ(graph.workspaceBytes(), 512);
}

TEST(CudnnGraph, AHeuristicWithoutEnginesLeavesItToTheOther)
{
    const Functions f = fake();
    library.engines = 0;
    Graph none(f);
    none.plan(anyHandle());
    EXPECT_FALSE(none.status());
    EXPECT_EQ(library.ofType(engineHeuristicDescriptor).size(), 2u);
    EXPECT_EQ(library.ofType(engineHeuristicDescriptor)[1]->values.at(heuristicMode), Integers{heuristicFallback});
    EXPECT_EQ(none.workspaceBytes(), 0);
    EXPECT_FALSE(none.run(anyHandle()));
    EXPECT_EQ(library.executed, 0) << "there is no plan";
}

TEST(CudnnGraph, OneThatIsRefusedIsPlannedByNoHeuristic)
{
    const Functions f = fake();
    library.failFinalizeOf = operationGraphDescriptor;
    Graph refused(f);
    refused.plan(anyHandle());
    ASSERT_FALSE(refused.status());
    EXPECT_EQ(refused.status().error().detail, "dims do not match");
    EXPECT_NE(refused.status().error().message.find("CUDNN_STATUS_BAD_PARAM"), std::string::npos) << "the first failure";
    EXPECT_TRUE(library.ofType(engineHeuristicDescriptor).empty());
    EXPECT_TRUE(library.ofType(executionPlanDescriptor).empty());
}

TEST(CudnnGraph, AHeuristicThatFailsIsNoFailureOfTheGraph)
{
    const Functions f = fake();
    library.failFinalizeOf = engineHeuristicDescriptor;
    const auto attention = Attention::plan(f, anyHandle(), sizes(false));
    ASSERT_FALSE(attention);
    EXPECT_EQ(library.ofType(engineHeuristicDescriptor).size(), 2u) << "both were asked";
    EXPECT_EQ(attention.error().message.find("CUDNN_STATUS_BAD_PARAM"), std::string::npos) << "there is no engine";
}

TEST(CudnnAttention, TensorsHaveTheirTypeAndWeightsThatOfTheInputs)
{
    const Functions f = fake();
    AttentionSizes brain = sizes(false);
    brain.bf16 = true;
    ASSERT_TRUE(Attention::plan(f, anyHandle(), brain));
    const std::vector<Told*> tensors = library.ofType(tensorDescriptor);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(tensors[i]->values.at(tensorDataType), Integers{dataBfloat16});
        EXPECT_EQ(tensors[i]->values.at(tensorId), Integers{static_cast<std::int64_t>(i) + 1});
    }
    const std::vector<Told*> products = library.ofType(matmulOperation);
    const auto tensorAt = [&](const Told& reported, int name) -> Told& {
        return library.at(reinterpret_cast<Descriptor>(reported.values.at(name)[0]));
    };
    EXPECT_EQ(&tensorAt(*products[0], matmulOpA), tensors[0]);
    EXPECT_EQ(&tensorAt(*products[0], matmulOpB), tensors[1]);
    EXPECT_EQ(&tensorAt(*products[1], matmulOpB), tensors[2]);
    EXPECT_EQ(&tensorAt(*products[1], matmulOpC), tensors[3]);
    EXPECT_EQ(tensorAt(*products[1], matmulOpA).values.at(tensorDataType), Integers{dataBfloat16});
    EXPECT_EQ(tensorAt(*products[0], matmulOpC).values.at(tensorDataType), Integers{dataFloat});
    const std::vector<Told*> reductions = library.ofType(reductionOperation);
    EXPECT_EQ(tensorAt(*reductions[0], reductionOpY).values.at(tensorDimensions), (Integers{2, 8, 512, 1}));
    EXPECT_EQ(library.ofType(reductionDescriptor)[0]->values.at(reductionOperator), Integers{reduceMax});
    EXPECT_EQ(library.ofType(reductionDescriptor)[1]->values.at(reductionOperator), Integers{reduceAdd});
}

TEST(CudnnAttention, KeysAreGivenAsColumnsAndTensorsPacked)
{
    const Functions f = fake();
    ASSERT_TRUE(Attention::plan(f, anyHandle(), sizes(false)));
    const std::vector<Told*> tensors = library.ofType(tensorDescriptor);
    EXPECT_EQ(tensors[0]->values.at(tensorDimensions), (Integers{2, 8, 512, 64}));
    EXPECT_EQ(tensors[0]->values.at(tensorStrides), (Integers{8 * 512 * 64, 512 * 64, 64, 1}));
    EXPECT_EQ(tensors[1]->values.at(tensorDimensions), (Integers{2, 8, 64, 640}));
    EXPECT_EQ(tensors[1]->values.at(tensorStrides), (Integers{8 * 640 * 64, 640 * 64, 1, 64}));
    EXPECT_EQ(tensors[2]->values.at(tensorDimensions), (Integers{2, 8, 640, 64}));
    EXPECT_EQ(tensors[3]->values.at(tensorDimensions), (Integers{2, 8, 512, 64}));
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(tensors[static_cast<std::size_t>(i)]->values.at(tensorDataType), Integers{dataHalf});
    EXPECT_EQ(tensors[4]->values.at(tensorIsByValue), Integers{1});
}

TEST(CudnnAttention, OperationsAreThoseOfTheFlashPattern)
{
    const Functions f = fake();
    ASSERT_TRUE(Attention::plan(f, anyHandle(), sizes(false)));
    EXPECT_EQ(modes(), (Integers{multiply, subtract, exponential, logarithm, add, divide}));
    EXPECT_EQ(library.ofType(matmulOperation).size(), 2u);
    EXPECT_EQ(library.ofType(reductionOperation).size(), 2u);
    const std::vector<Told*> graphs = library.ofType(operationGraphDescriptor);
    ASSERT_EQ(graphs.size(), 1u);
    EXPECT_EQ(graphs[0]->values.at(graphOperations).size(), 10u);
}

TEST(CudnnAttention, ACausalMaskSelectsByIndices)
{
    const Functions f = fake();
    ASSERT_TRUE(Attention::plan(f, anyHandle(), sizes(true)));
    EXPECT_EQ(modes(), (Integers{multiply, generateIndex, generateIndex, compareGreaterEqual, select, subtract, exponential, logarithm, add,
                                 divide}));
    const std::vector<Told*> kinds = library.ofType(pointwiseDescriptor);
    EXPECT_EQ(kinds[1]->values.at(pointwiseAxis), Integers{2});
    EXPECT_EQ(kinds[2]->values.at(pointwiseAxis), Integers{3});
    const std::vector<Told*> operations = library.ofType(pointwiseOperation);
    // select takes the mask as its third input, and compares query with key in this order
    EXPECT_EQ(operations[4]->values.at(pointwiseOpT), operations[3]->values.at(pointwiseOpY));
    EXPECT_EQ(operations[3]->values.at(pointwiseOpX), operations[1]->values.at(pointwiseOpY));
    EXPECT_EQ(operations[3]->values.at(pointwiseOpB), operations[2]->values.at(pointwiseOpY));
}

TEST(CudnnAttention, TakesTheFirstEngineThatCanAndRuns)
{
    const Functions f = fake();
    library.enginesThatFail = 3; // both of the first heuristic, the first of the fallback
    Result<std::unique_ptr<Attention>> attention = Attention::plan(f, anyHandle(), sizes(false));
    ASSERT_TRUE(attention) << attention.error().message;
    EXPECT_EQ((*attention)->workspaceBytes(), 512);
    int q = 0, k = 0, v = 0, o = 0, workspace = 0;
    ASSERT_TRUE((*attention)->bind(&q, &k, &v, &o, &workspace));
    const Told& pack = *library.ofType(variantPackDescriptor).front();
    EXPECT_EQ(pack.values.at(packIds), (Integers{1, 2, 3, 4, 5}));
    const auto address = [](const void* place) { return reinterpret_cast<std::int64_t>(place); };
    const Integers& pointers = pack.values.at(packPointers);
    ASSERT_EQ(pointers.size(), 5u);
    EXPECT_EQ(Integers(pointers.begin(), pointers.begin() + 4), (Integers{address(&q), address(&k), address(&v), address(&o)}));
    EXPECT_FLOAT_EQ(*reinterpret_cast<const float*>(pointers[4]), 0.125f);
    EXPECT_EQ(pack.values.at(packWorkspace), Integers{address(&workspace)});
    ASSERT_TRUE((*attention)->run());
    ASSERT_TRUE((*attention)->run());
    EXPECT_EQ(library.executed, 2);
    attention->reset();
    EXPECT_EQ(library.destroyed, static_cast<int>(library.all.size()));
}

TEST(CudnnAttention, OnlyAMaskedGraphIsGivenTheScoreOfHiddenKeys)
{
    const Functions f = fake();
    Result<std::unique_ptr<Attention>> attention = Attention::plan(f, anyHandle(), sizes(true));
    ASSERT_TRUE(attention);
    int memory = 0;
    ASSERT_TRUE((*attention)->bind(&memory, &memory, &memory, &memory, nullptr));
    const Told& pack = *library.ofType(variantPackDescriptor).front();
    EXPECT_EQ(pack.values.at(packIds), (Integers{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(*reinterpret_cast<const float*>(pack.values.at(packPointers)[5]), -std::numeric_limits<float>::infinity());
}

TEST(CudnnAttention, NoEngineSaysSo)
{
    const Functions f = fake();
    library.enginesThatFail = 4;
    const auto attention = Attention::plan(f, anyHandle(), sizes(false));
    ASSERT_FALSE(attention);
    EXPECT_EQ(attention.error().code, ErrorCode::environment);
    EXPECT_EQ(attention.error().message.find("CUDNN_STATUS"), std::string::npos) << "no call of ours was refused";
    EXPECT_EQ(attention.error().detail, "dims do not match");
}

TEST(CudnnAttention, TheFirstFailureEndsTheGraph)
{
    const Functions f = fake();
    library.failFinalizeOf = matmulOperation;
    const auto attention = Attention::plan(f, anyHandle(), sizes(true));
    ASSERT_FALSE(attention);
    EXPECT_NE(attention.error().message.find("CUDNN_STATUS_BAD_PARAM"), std::string::npos) << attention.error().message;
    EXPECT_EQ(attention.error().detail, "dims do not match");
    EXPECT_TRUE(library.ofType(pointwiseOperation).empty());
    EXPECT_TRUE(library.ofType(operationGraphDescriptor).empty());
    EXPECT_EQ(library.destroyed, static_cast<int>(library.all.size()));
}

TEST(CudnnAttention, ErrorsSnapshot)
{
    Functions f = fake();
    std::string text;
    const auto add = [&](const std::string& name) {
        const auto attention = Attention::plan(f, anyHandle(), sizes(false));
        ASSERT_FALSE(attention) << name;
        EXPECT_EQ(attention.error().where, "cuDNN") << name;
        text += name + ": " + attention.error().message + '\n';
    };
    library.enginesThatFail = 4;
    add("no engine");
    f = fake();
    library.failFinalizeOf = matmulOperation;
    add("an operation");
    f = fake();
    library.failFinalizeOf = operationGraphDescriptor;
    add("the graph");
    f.errorString = [](int) -> const char* { return nullptr; };
    add("a status without a name");
    f = fake();
    f.setAttribute = [](Descriptor, int, int, std::int64_t, const void*) { return 2004; };
    add("an attribute");
    f.createDescriptor = [](int, Descriptor*) { return 2000; };
    add("a descriptor");
    test::expectSnapshot("errors/cudnn.txt", text);
}

TEST(CudnnLibrary, VersionInWords)
{
    EXPECT_EQ(versionText(fake()), "9.19.0");
}

TEST(CudnnLibrary, TheRealOneTakesEveryOperation)
{
    const Result<const Functions*> loaded = load({});
    if (!loaded)
        GTEST_SKIP() << loaded.error().message;
    // Without a device there is no handle: everything before the graph is given one has been accepted.
    for (const bool causal : {false, true}) {
        const auto attention = Attention::plan(**loaded, nullptr, sizes(causal));
        ASSERT_FALSE(attention);
        EXPECT_NE(attention.error().message.find("attribute 800"), std::string::npos) << attention.error().message;
    }
}

#ifdef KL_HAVE_CUDNN_HEADER
TEST(CudnnFunctions, NumbersAreTheHeaders)
{
#define KL_SAME(ours, theirs) EXPECT_EQ(static_cast<int>(ours), static_cast<int>(theirs)) << #theirs
    KL_SAME(pointwiseDescriptor, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    KL_SAME(engineConfigDescriptor, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    KL_SAME(engineHeuristicDescriptor, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    KL_SAME(executionPlanDescriptor, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    KL_SAME(pointwiseOperation, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    KL_SAME(operationGraphDescriptor, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    KL_SAME(variantPackDescriptor, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    KL_SAME(tensorDescriptor, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    KL_SAME(matmulDescriptor, CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    KL_SAME(matmulOperation, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    KL_SAME(reductionDescriptor, CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    KL_SAME(reductionOperation, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    KL_SAME(typeHandle, CUDNN_TYPE_HANDLE);
    KL_SAME(typeDataType, CUDNN_TYPE_DATA_TYPE);
    KL_SAME(typeBoolean, CUDNN_TYPE_BOOLEAN);
    KL_SAME(typeInt64, CUDNN_TYPE_INT64);
    KL_SAME(typeVoidPointer, CUDNN_TYPE_VOID_PTR);
    KL_SAME(typeHeuristicMode, CUDNN_TYPE_HEUR_MODE);
    KL_SAME(typePointwiseMode, CUDNN_TYPE_POINTWISE_MODE);
    KL_SAME(typeDescriptor, CUDNN_TYPE_BACKEND_DESCRIPTOR);
    KL_SAME(typeReductionOperator, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE);
    KL_SAME(pointwiseModeAttribute, CUDNN_ATTR_POINTWISE_MODE);
    KL_SAME(pointwisePrecision, CUDNN_ATTR_POINTWISE_MATH_PREC);
    KL_SAME(pointwiseAxis, CUDNN_ATTR_POINTWISE_AXIS);
    KL_SAME(heuristicMode, CUDNN_ATTR_ENGINEHEUR_MODE);
    KL_SAME(heuristicGraph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    KL_SAME(heuristicResults, CUDNN_ATTR_ENGINEHEUR_RESULTS);
    KL_SAME(planHandle, 400); // deprecated names warn
    KL_SAME(planEngineConfig, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    KL_SAME(planWorkspaceSize, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
    KL_SAME(pointwiseOpDescriptor, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
    KL_SAME(pointwiseOpX, CUDNN_ATTR_OPERATION_POINTWISE_XDESC);
    KL_SAME(pointwiseOpB, CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
    KL_SAME(pointwiseOpY, CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
    KL_SAME(pointwiseOpT, CUDNN_ATTR_OPERATION_POINTWISE_TDESC);
    KL_SAME(graphOperations, CUDNN_ATTR_OPERATIONGRAPH_OPS);
    KL_SAME(tensorAlignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
    KL_SAME(tensorDataType, CUDNN_ATTR_TENSOR_DATA_TYPE);
    KL_SAME(tensorDimensions, CUDNN_ATTR_TENSOR_DIMENSIONS);
    KL_SAME(tensorStrides, CUDNN_ATTR_TENSOR_STRIDES);
    KL_SAME(tensorId, CUDNN_ATTR_TENSOR_UNIQUE_ID);
    KL_SAME(tensorIsVirtual, CUDNN_ATTR_TENSOR_IS_VIRTUAL);
    KL_SAME(tensorIsByValue, CUDNN_ATTR_TENSOR_IS_BY_VALUE);
    KL_SAME(packIds, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    KL_SAME(packPointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    KL_SAME(packWorkspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
    KL_SAME(matmulComputeType, CUDNN_ATTR_MATMUL_COMP_TYPE);
    KL_SAME(matmulOpA, CUDNN_ATTR_OPERATION_MATMUL_ADESC);
    KL_SAME(matmulOpB, CUDNN_ATTR_OPERATION_MATMUL_BDESC);
    KL_SAME(matmulOpC, CUDNN_ATTR_OPERATION_MATMUL_CDESC);
    KL_SAME(matmulOpDescriptor, CUDNN_ATTR_OPERATION_MATMUL_DESC);
    KL_SAME(reductionOperator, CUDNN_ATTR_REDUCTION_OPERATOR);
    KL_SAME(reductionComputeType, CUDNN_ATTR_REDUCTION_COMP_TYPE);
    KL_SAME(reductionOpX, CUDNN_ATTR_OPERATION_REDUCTION_XDESC);
    KL_SAME(reductionOpY, CUDNN_ATTR_OPERATION_REDUCTION_YDESC);
    KL_SAME(reductionOpDescriptor, CUDNN_ATTR_OPERATION_REDUCTION_DESC);
    KL_SAME(dataFloat, CUDNN_DATA_FLOAT);
    KL_SAME(dataHalf, CUDNN_DATA_HALF);
    KL_SAME(dataInt32, CUDNN_DATA_INT32);
    KL_SAME(dataBfloat16, CUDNN_DATA_BFLOAT16);
    KL_SAME(dataBoolean, CUDNN_DATA_BOOLEAN);
    KL_SAME(add, CUDNN_POINTWISE_ADD);
    KL_SAME(multiply, CUDNN_POINTWISE_MUL);
    KL_SAME(divide, CUDNN_POINTWISE_DIV);
    KL_SAME(subtract, CUDNN_POINTWISE_SUB);
    KL_SAME(exponential, CUDNN_POINTWISE_EXP);
    KL_SAME(logarithm, CUDNN_POINTWISE_LOG);
    KL_SAME(compareGreaterEqual, CUDNN_POINTWISE_CMP_GE);
    KL_SAME(generateIndex, CUDNN_POINTWISE_GEN_INDEX);
    KL_SAME(select, CUDNN_POINTWISE_BINARY_SELECT);
    KL_SAME(reduceAdd, CUDNN_REDUCE_TENSOR_ADD);
    KL_SAME(reduceMax, CUDNN_REDUCE_TENSOR_MAX);
    KL_SAME(heuristicFallback, CUDNN_HEUR_MODE_FALLBACK);
    KL_SAME(heuristicA, CUDNN_HEUR_MODE_A);
#undef KL_SAME
}
#endif

} // namespace
} // namespace kl::cudnn
