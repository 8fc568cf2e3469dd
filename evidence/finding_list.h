// What verification has found so far, and how it is added to.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "evidence/verify.h"
#include "manifests/manifest.h"

namespace ropebench {

class FindingList {
 public:
  // Both are the report's, and outlive the list.
  FindingList(std::vector<Finding>& findings, std::vector<std::string>& unchecked)
      : findings_(findings), unchecked_(unchecked) {}

  void Add(std::string file, std::string field, std::string problem) {
    findings_.push_back({std::move(file), std::move(field), std::move(problem)});
  }

  // A file or a figure that no rule covers, in one line.
  void AddUnchecked(std::string line) { unchecked_.push_back(std::move(line)); }

  // Runs `body`; what it throws is a finding about the file. False if it threw.
  template <typename Body>
  bool Guard(const std::string& file, const std::string& field, Body body) {
    try {
      body();
      return true;
    } catch (const ManifestError& error) {
      Add(file, "", error.what());  // names its field itself
    } catch (const std::exception& error) {
      Add(file, field, error.what());
    }
    return false;
  }

  // Findings about metadata that is not what the facts give.
  void ExpectMetadata(const StoredDocument& document, const Metadata& expected);

 private:
  std::vector<Finding>& findings_;
  std::vector<std::string>& unchecked_;
};

}  // namespace ropebench
