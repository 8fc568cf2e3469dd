# Sourced by bench.sh and test.sh: installs what the build needs from the distribution and builds.
#
#   setup [--no-install] PACKAGE...   installs the missing packages, or names them and exits 2
#   build [CMAKE_OPTION...]           configures and builds into build/

fail() {
  echo "${0##*/}: $*" >&2
  exit 2
}

# Debian and Ubuntu name all of these alike.
BUILD_PACKAGES="g++ cmake make pkg-config libbenchmark-dev libyaml-cpp-dev nlohmann-json3-dev
  libcli11-dev libfmt-dev libssl-dev libvulkan-dev glslang-tools mesa-vulkan-drivers"
TEST_PACKAGES="libgtest-dev libgmock-dev python3 python3-jsonschema vulkan-validationlayers"

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

setup() {
  local install=yes missing="" sudo=""
  if [ "$1" = --no-install ]; then
    install=no
    shift
  fi
  if ! command -v apt-get >/dev/null; then
    echo "${0##*/}: this is no Debian or Ubuntu; assuming that these are there:" "$@" >&2
    return
  fi
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -z "$missing" ] && return
  [ $install = yes ] || fail "missing packages:$missing"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "not root and no sudo; install:$missing"
    sudo=sudo
  fi
  echo "${0##*/}: installing$missing" >&2
  # shellcheck disable=SC2086 # a list of packages
  { $sudo apt-get update -qq &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      $missing; } >/dev/null || fail "could not install:$missing"
}

build() {
  cmake --preset release "$@" && cmake --build build --parallel "$(nproc)"
}
