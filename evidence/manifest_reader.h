// Reading stores and documents that somebody else wrote: every size is bounded, no link is followed
// and nothing outside the store's folder is opened.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/store.h"
#include "manifests/read_kinds.h"

namespace ropebench {

inline constexpr std::size_t kMaxManifestBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxArtifactBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxJournalBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxStoreEntries = 200'000;

// What could not be read, in one line that does not name the file.
class ReadError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The document in a text of at most kMaxManifestBytes. Throws ReadError where it is no strict JSON,
// and where ReadKind throws.
ReadDocument ReadManifest(std::string_view text);

// The entry in one line of a journal, without its line break. Throws ReadError.
JournalEntry ParseJournalLine(std::string_view line);

// The text as it may stand in a line of output: control characters become '?', what is longer than
// 400 bytes is cut.
std::string OneLine(std::string_view text);

// A file that the user named. Links are followed; anything but a regular file of at most
// `max_bytes` throws ReadError.
std::string ReadNamedFile(const std::filesystem::path& path, std::size_t max_bytes);

// The folder of a store.
class StoreFolder {
 public:
  // Throws ReadError if it is no folder.
  explicit StoreFolder(const std::filesystem::path& folder);
  StoreFolder(const StoreFolder&) = delete;
  StoreFolder& operator=(const StoreFolder&) = delete;
  ~StoreFolder();

  // The bytes of a regular file below the folder, by a relative path with '/'. Throws ReadError for
  // a path that is empty, absolute or an address or has an empty, "." or ".." part; if any part of
  // it is a link; for anything but a regular file; and above `max_bytes`.
  std::string Read(std::string_view relative, std::size_t max_bytes) const;

  // Every path below the folder that is no folder, links among them, sorted. Throws ReadError above
  // kMaxStoreEntries files and folders.
  std::vector<std::string> Files() const;

 private:
  std::filesystem::path folder_;
  int fd_;
};

}  // namespace ropebench
