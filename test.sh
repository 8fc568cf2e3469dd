#!/usr/bin/env bash
# Builds ropebench and runs its tests. Tests that need a GPU skip with their reason where there is
# none.
#   ./test.sh [--no-install] [ctest options...]
set -euo pipefail
cd "$(dirname "$0")"
. scripts/setup.sh

no_install=
if [ "${1-}" = --no-install ]; then
  no_install=--no-install
  shift
fi
# shellcheck disable=SC2086 # lists of packages, and an option or nothing
setup $no_install $BUILD_PACKAGES $TEST_PACKAGES
build -DROPEBENCH_TESTS=ON >&2
exec ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"
