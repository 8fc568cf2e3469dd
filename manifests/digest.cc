#include "manifests/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace ropebench {
namespace {

constexpr std::string_view kPrefix = "sha256:";

}  // namespace

std::string Sha256Digest(std::string_view bytes) {
  std::array<unsigned char, 32> hash;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL refused to compute SHA-256");
  }
  std::string text(kPrefix);
  for (const unsigned char byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

std::string_view HexOf(std::string_view digest) { return digest.substr(kPrefix.size()); }

}  // namespace ropebench
