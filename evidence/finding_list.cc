#include "evidence/finding_list.h"

#include <fmt/format.h>

#include <variant>

namespace ropebench {

void FindingList::ExpectMetadata(const StoredDocument& document, const Metadata& expected) {
  const auto metadata_of = [](const auto& fields) -> const Metadata& { return fields.metadata; };
  const Metadata& actual = std::visit(metadata_of, document.fields);
  const auto expect = [&](const char* field, const std::string& is, const std::string& should) {
    if (is == should) return;
    Add(document.file, fmt::format("{}.metadata.{}", document.manifest.kind(), field),
        fmt::format("is {:?}, but the document gives {:?}", is, should));
  };
  expect("name", actual.name, expected.name);
  expect("title", actual.title.value_or(""), expected.title.value_or(""));
  expect("description", actual.description.value_or(""), expected.description.value_or(""));
  for (const auto& [label, value] : expected.labels) {
    const auto found = actual.labels.find(label);
    expect(fmt::format("labels.{}", label).c_str(),
           found == actual.labels.end() ? "" : found->second, value);
  }
}

}  // namespace ropebench
