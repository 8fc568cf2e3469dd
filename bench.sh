#!/usr/bin/env bash
# Builds ropebench and runs the reference workload on the best device that is there.
#   ./bench.sh [--no-install] [ropebench options...]
# Options replace the default run, which is --config configs/reference.yaml. Exit codes are the
# program's own; 2 also means that something is missing for the build.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/setup.sh

no_install=
if [ "${1-}" = --no-install ]; then
  no_install=--no-install
  shift
fi
# shellcheck disable=SC2086 # lists of packages, and an option or nothing
setup $no_install $BUILD_PACKAGES
build -DROPEBENCH_TESTS=OFF >&2
[ $# -gt 0 ] || set -- --config configs/reference.yaml
exec build/ropebench --benchmark_counters_tabular "$@"
