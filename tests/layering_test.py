"""Which room may look into which. Fails on any other #include, naming file and line.

usage: layering_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

# A room may include itself and what stands here.
MAY_INCLUDE = {
    "kernels": set(),
    "shaders": {"kernels"},
    "backends": {"kernels", "shaders"},
    "manifests": set(),
    "evidence": {"kernels", "manifests"},
    "benchmarks": {"backends", "evidence", "kernels", "manifests"},
}

# Headers of the outside world, and the only places that may include them.
CONFINED = [
    (re.compile(r"<(cuda|cupti|nvml|cooperative_groups|nvtx)"), ("kernels/cuda/", "backends/cuda/")),
    (re.compile(r"<vulkan/"), ("backends/vulkan/",)),
    (re.compile(r"<benchmark/"), ("benchmarks/reporter.", "benchmarks/suite_run.")),
    (re.compile(r"<yaml-cpp/"), ("benchmarks/",)),
    (re.compile(r"<openssl/"), ("manifests/",)),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|(<[^>]+>))')
SUFFIXES = {".h", ".cc", ".cu", ".cuh", ".comp", ".glsl"}


def violations(root):
    for room, allowed in MAY_INCLUDE.items():
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                own, outside = match.groups()
                if own:
                    target = own.replace("../", "").split("/")[0]
                    if "/" in own and target in MAY_INCLUDE and target not in allowed | {room}:
                        yield f"{name}:{number}: {room} may not look into {target}"
                for pattern, places in CONFINED if outside else ():
                    if pattern.match(outside) and not name.startswith(places):
                        yield f"{name}:{number}: {outside} belongs into {' or '.join(places)}"


def main():
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "layering: every include points the right way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
