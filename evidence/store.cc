#include "evidence/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <utility>

#include "manifests/digest.h"
#include "manifests/jcs.h"

namespace ropebench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(std::string_view what, const fs::path& path, int error) {
  throw StoreError(
      fmt::format("cannot {} {}: {}", what, path.string(), std::generic_category().message(error)));
}

class File {
 public:
  File(fs::path path, int flags, std::string_view what)
      : path_(std::move(path)), fd_(::open(path_.c_str(), flags | O_CLOEXEC, 0644)) {
    if (fd_ < 0) Fail(what, path_, errno);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(fd_); }

  int fd() const { return fd_; }

  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) Fail("write", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void Sync() {
    // Some file systems have nothing to sync for a folder, and say EINVAL.
    if (::fsync(fd_) != 0 && errno != EINVAL) Fail("sync", path_, errno);
  }

 private:
  fs::path path_;
  int fd_;
};

void SyncFolder(const fs::path& folder) { File(folder, O_RDONLY | O_DIRECTORY, "open").Sync(); }

void MakeFolder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0755) == 0) return SyncFolder(folder.parent_path());
  if (errno != EEXIST) Fail("create", folder, errno);
}

std::string ManifestDigestOfText(const std::string& text) {
  try {
    return ManifestDigest(nlohmann::json::parse(text));
  } catch (const std::exception&) {
    return "";  // no manifest at all
  }
}

}  // namespace

void WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  // Process ids repeat between containers that share a folder, so chance tells the writers apart.
  const fs::path temporary =
      folder / fmt::format(".{}.{:x}.tmp", path.filename().string(), std::random_device{}());
  try {
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL, "create");
    file.Write(bytes);
    file.Sync();
    if (::rename(temporary.c_str(), path.c_str()) != 0) Fail("create", path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  SyncFolder(folder);
}

Artifact MakeArtifact(const ArtifactPlace& place, std::string bytes) {
  const std::string digest = Sha256Digest(bytes);
  return {{fmt::format("{}/{}{}", place.folder, HexOf(digest), place.extension), digest},
          std::move(bytes)};
}

Artifact SamplesArtifact(std::span<const double> samples_ns) {
  const nlohmann::json document = {
      {"unit", "ns"}, {"samples", std::vector<double>(samples_ns.begin(), samples_ns.end())}};
  return MakeArtifact(kSamplesPlace, CanonicalJson(document) + '\n');
}

Artifact LogArtifact(std::string_view text) { return MakeArtifact(kLogsPlace, std::string(text)); }

Store::Store(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) Fail("create", folder_, error.value());
  File(folder_ / kJournalName, O_WRONLY | O_CREAT | O_APPEND, "create").Sync();
  SyncFolder(folder_);
}

void Store::Put(const fs::path& relative, std::string_view bytes, std::string_view digest,
                const std::function<std::string(const std::string&)>& digest_of) {
  const fs::path path = folder_ / relative;
  if (std::ifstream existing(path, std::ios::binary); existing) {
    const std::string present(std::istreambuf_iterator<char>(existing), {});
    if (digest_of(present) == digest) return;
  }
  fs::path parent = folder_;
  for (const fs::path& part : relative.parent_path()) MakeFolder(parent /= part);
  WriteFileAtomically(path, bytes);
}

void Store::PutManifest(const Manifest& manifest) {
  Put(fs::path("manifests") / FileName(manifest), ReadableJson(manifest.document), manifest.digest,
      ManifestDigestOfText);
}

void Store::PutRun(const PublishedRun& published) {
  for (const Manifest* manifest :
       {&published.operation, &published.workload, &published.implementation, &published.protocol,
        &published.environment, &published.run}) {
    PutManifest(*manifest);
  }
}

void Store::PutArtifact(const Artifact& artifact) {
  Put(artifact.ref.uri, artifact.bytes, artifact.ref.digest,
      [](const std::string& text) { return Sha256Digest(text); });
}

void Store::AppendJournal(const JournalEntry& entry) {
  std::string line = CanonicalJson({{"case", entry.case_id},
                                    {"status", entry.status},
                                    {"run", entry.run_digest},
                                    {"comparison_key", entry.comparison_key}}) +
                     '\n';
  const fs::path path = folder_ / kJournalName;
  File journal(path, O_RDWR | O_APPEND, "append to");
  if (::flock(journal.fd(), LOCK_EX) != 0) Fail("lock", path, errno);
  const off_t end = ::lseek(journal.fd(), 0, SEEK_END);
  char last = '\n';
  if (end > 0 && ::pread(journal.fd(), &last, 1, end - 1) != 1) Fail("read", path, errno);
  if (last != '\n') line.insert(line.begin(), '\n');
  try {
    journal.Write(line);
    journal.Sync();
  } catch (const StoreError&) {
    // Best effort: where even this fails, the torn line stays a line of its own.
    [[maybe_unused]] const int ignored = ::ftruncate(journal.fd(), end);
    throw;
  }
}

}  // namespace ropebench
