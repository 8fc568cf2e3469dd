// Configs that the loader refuses and configs that it accepts, shared by the tests of the loader
// and of the JSON Schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropebench {

// One sweep with these keys; the first one stands in line 2 at column 5.
std::string Sweep(std::string_view keys);

std::string Repeat(std::string_view text, int count);

// Who refuses a document. The loader refuses them all; the schema cannot see how a scalar was
// spelled, compare one key with another, or know what a list of sweeps amounts to.
enum class RefusedBy { kLoaderAndSchema, kLoader };

struct BadDocument {
  std::string text;
  std::string_view position;  // line:column
  std::string_view message;   // a part of it
  RefusedBy by = RefusedBy::kLoaderAndSchema;
};

struct BadDocumentGroup {
  std::string name;
  std::vector<BadDocument> documents;
  bool is_yaml = true;  // what is none reaches no schema
};

std::vector<BadDocumentGroup> BadDocuments();

// Both accept these.
std::vector<std::string> GoodDocuments();

}  // namespace ropebench
