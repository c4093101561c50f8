// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/search_record.h"
#include "sessions/store/store.h"

#include <string>
#include <utility>
#include <vector>

namespace kl::inline store {

/// The whole record, which the store keeps. `schema` comes first.
Json searchRecordToJson(const SearchRecord& record);

/// Inverse. Error badInput names the field; `where` names the origin.
Result<SearchRecord> searchRecordFromJson(const Json& json, const std::string& where);

/// Name and content of the artifact that holds a record; saving it again takes the place of what was there.
std::pair<std::string, std::string> makeArtifact(const SearchRecord& record);

/// Whether a kernel is the named one: a variant, any of a family, any at all if `name` is empty.
bool isOf(const std::string& kernel, const std::string& name);

/// Those of such kernels, newest first. Damaged ones are left out and named in `damaged`. Errors: the
/// store's.
Result<std::vector<SearchRecord>> searchRecords(const Store& store, const std::string& kernel, std::vector<std::string>* damaged = nullptr);

/// The one whose id starts so. Errors: notFound; badInput when several do, or it is damaged.
Result<SearchRecord> searchRecord(const Store& store, const std::string& idPrefix);

} // namespace kl::inline store
