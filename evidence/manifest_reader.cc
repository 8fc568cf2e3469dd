#include "evidence/manifest_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "manifests/strict_json.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;

std::string SystemText(int error) { return std::generic_category().message(error); }

// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  void Reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// The file's size is only a hint: it may grow or be one of /proc, so no more is read than allowed.
std::string ReadRegular(int fd, std::size_t max_bytes) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw ReadError(SystemText(errno));
  if (!S_ISREG(status.st_mode)) throw ReadError("is no regular file");
  const auto too_large = [&](std::size_t bytes) {
    return ReadError(fmt::format("{} bytes or more, at most {} are read", bytes, max_bytes));
  };
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > max_bytes) throw too_large(size);
  std::string bytes(size + 1, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) bytes.resize(std::min(2 * used, max_bytes + 1));
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw ReadError(SystemText(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > max_bytes) throw too_large(used);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

ReadDocument ReadManifest(std::string_view text) {
  try {
    return ReadKind(ParseStrictJson(text, kMaxManifestBytes));
  } catch (const JsonError& error) {
    throw ReadError(error.what());
  }
}

JournalEntry ParseJournalLine(std::string_view line) {
  nlohmann::json object;
  try {
    object = ParseStrictJson(line, kMaxManifestBytes);
  } catch (const JsonError& error) {
    throw ReadError(error.what());
  }
  const auto text = [&](const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) {
      throw ReadError(fmt::format("has no text {}", key));
    }
    return found->get<std::string>();
  };
  JournalEntry entry{.case_id = text("case"),
                     .status = text("status"),
                     .run_digest = text("run"),
                     .comparison_key = text("comparison_key")};
  if (object.size() != 4) throw ReadError("has other keys than case, comparison_key, run, status");
  return entry;
}

std::string OneLine(std::string_view text) {
  constexpr std::size_t kMaxLength = 400;
  std::string line(text.substr(0, kMaxLength));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text.size() > kMaxLength ? line + "..." : line;
}

std::string ReadNamedFile(const fs::path& path, std::size_t max_bytes) {
  // O_NONBLOCK: a FIFO is refused, not waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) throw ReadError(SystemText(errno));
  return ReadRegular(file.get(), max_bytes);
}

StoreFolder::StoreFolder(const fs::path& folder)
    : folder_(folder), fd_(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY)) {
  if (fd_ < 0) throw ReadError(SystemText(errno));
}

StoreFolder::~StoreFolder() { ::close(fd_); }

std::string StoreFolder::Read(std::string_view relative, std::size_t max_bytes) const {
  if (relative.find('\0') != std::string_view::npos ||
      relative.find(':') != std::string_view::npos) {
    throw ReadError("is no path inside the store");
  }
  Descriptor parent(-1);
  int from = fd_;
  for (;;) {
    const std::size_t slash = relative.find('/');
    const std::string part(relative.substr(0, slash));
    if (part.empty() || part == "." || part == "..") throw ReadError("is no path inside the store");
    const bool last = slash == std::string_view::npos;
    const int fd = ::openat(from, part.c_str(),
                            O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (last ? O_NONBLOCK : O_DIRECTORY));
    if (fd < 0) {
      const int error = errno;
      struct stat status {};
      const bool is_link = ::fstatat(from, part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                           S_ISLNK(status.st_mode);
      throw ReadError(is_link ? "is a symbolic link, which is not followed" : SystemText(error));
    }
    parent.Reset(fd);
    from = fd;
    if (last) return ReadRegular(fd, max_bytes);
    relative.remove_prefix(slash + 1);
  }
}

std::vector<std::string> StoreFolder::Files() const {
  std::vector<std::string> files;
  std::size_t entries = 0;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_)) {
      if (++entries > kMaxStoreEntries) {
        throw ReadError(fmt::format("has more than {} entries", kMaxStoreEntries));
      }
      if (entry.is_directory() && !entry.is_symlink()) continue;
      files.push_back(entry.path().lexically_relative(folder_).generic_string());
    }
  } catch (const fs::filesystem_error& error) {
    throw ReadError(error.code().message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace ropebench
