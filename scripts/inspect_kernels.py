#!/usr/bin/env python3
"""Registers, occupancy and memory instructions of every CUDA kernel, from its machine code.

usage: inspect_kernels.py [--check] LIBRARY

--check prints nothing but what is wrong and exits with 1 where a kernel uses local memory, or a
16-byte kernel has no 128-bit load or store, or an architecture is missing; with 77 and the reason
where cuobjdump is not there.
"""

import collections
import re
import shutil
import subprocess
import sys

ARCHITECTURES = ("sm_80", "sm_90")
# Of one SM: registers, warps and the unit in which a warp's registers are given out, from
# the table of compute capabilities in the CUDA C++ Programming Guide.
REGISTERS, WARPS, UNIT = 65536, 64, 256
VECTOR_KERNELS = ("Vec16Kernel", "Flat16Kernel", "CopyKernel")

Kernel = collections.namedtuple("Kernel", "name arch registers instructions")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def readable(symbol):
    """A kernel's name with its template arguments, without namespaces and parameters."""
    name = run("c++filt", symbol).strip()
    name = re.sub(r"ropebench::(\(anonymous namespace\)|_GLOBAL__N__\w+)?(::)?", "", name)
    return re.sub(r"^void |\([^()]*\)(?=[^<>]*$)|\((unsigned )?(int|bool)\)|(?<=\d)u\b", "", name)


def kernels(library, arch):
    """The kernels of `library` built for `arch`."""
    usage = dict(re.findall(r"Function (\S+):\s+REG:(\d+)",
                            run("cuobjdump", "-arch", arch, "-res-usage", library)))
    for body in run("cuobjdump", "-arch", arch, "-sass", library).split("Function : ")[1:]:
        symbol = body.split()[0]
        instructions = collections.Counter(
            re.findall(r"^\s+/\*\w{4,}\*/\s+(?:@!?U?P\w+ )?([A-Z][\w.]*)", body, re.M))
        yield Kernel(readable(symbol), arch, int(usage[symbol]), instructions)


def wide(kernel, prefix):
    return sum(n for name, n in kernel.instructions.items()
               if name.startswith(prefix) and ".128" in name)


def resident_warps(kernel):
    per_warp = -(-kernel.registers * 32 // UNIT) * UNIT
    return min(WARPS, REGISTERS // per_warp) if per_warp else WARPS


def findings(all_kernels):
    for arch in ARCHITECTURES:
        if not any(kernel.arch == arch for kernel in all_kernels):
            yield f"no code for {arch}"
    for kernel in all_kernels:
        if any(name.startswith(("LDL", "STL")) for name in kernel.instructions):
            yield f"{kernel.arch} {kernel.name}: local memory"
        if any(name in kernel.name for name in VECTOR_KERNELS):
            for prefix, what in (("LDG", "load"), ("STG", "store")):
                if not wide(kernel, prefix):
                    yield f"{kernel.arch} {kernel.name}: no 128-bit {what}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if shutil.which("cuobjdump") is None:
        print("skipped: cuobjdump, a tool of the CUDA toolkit, is not there")
        return 77
    found = [kernel for arch in ARCHITECTURES for kernel in kernels(arguments[0], arch)]
    if "--check" in sys.argv:
        wrong = list(findings(found))
        print("\n".join(wrong) or f"{len(found)} kernels: nothing is wrong")
        return 1 if wrong else 0
    print("| arch | kernel | registers | warps to an SM | instructions | 128-bit loads, stores |")
    print("|---|---|---|---|---|---|")
    for kernel in sorted(found, key=lambda k: (k.arch, k.name)):
        print(f"| {kernel.arch} | {kernel.name} | {kernel.registers} "
              f"| {resident_warps(kernel)} | {sum(kernel.instructions.values())} "
              f"| {wide(kernel, 'LDG')}, {wide(kernel, 'STG')} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
