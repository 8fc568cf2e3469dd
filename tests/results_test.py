"""The published results are what their manifests say: each table is the script's own output.

usage: results_test.py SOURCE_DIR
"""

import pathlib
import subprocess
import sys


def main():
    source = pathlib.Path(sys.argv[1])
    stores = sorted(path.parent for path in (source / "results").glob("*/journal.jsonl"))
    for store in stores:
        table = subprocess.run([sys.executable, source / "scripts" / "results_table.py", store],
                               capture_output=True, text=True, check=True).stdout
        if table not in (store / "README.md").read_text():
            print(f"{store}/README.md: its table differs from scripts/results_table.py {store}")
            return 1
        if table.count("\n") < 3:
            print(f"{store}: no run")
            return 1
    print(f"{len(stores)} store(s) with the table of their manifests")
    return 0 if stores else 1


if __name__ == "__main__":
    sys.exit(main())
