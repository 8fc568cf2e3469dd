#!/usr/bin/python3
"""Validates manifests against KernelIndex's JSON Schemas.

    validate_manifests.py SCHEMAS MANIFESTS

Every *.json below MANIFESTS is read; its kind names the schema in SCHEMAS. Prints one line for each
error and a last line with the count. Exit code: 0 all are valid, 1 some are not or none was found,
2 bad usage, 77 the jsonschema module (python3-jsonschema) is missing.
"""

import json
import pathlib
import re
import sys


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def refuse_duplicates(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("the Python module jsonschema is not installed (python3-jsonschema)")
        return 77
    schemas, manifests = map(pathlib.Path, sys.argv[1:])

    validators = {}
    count = errors = 0
    for path in sorted(manifests.rglob("*.json")):
        count += 1
        try:
            document = json.loads(path.read_text("utf-8"), parse_constant=refuse_constant,
                                  object_pairs_hook=refuse_duplicates)
            kind = document["kind"]
            if kind not in validators:
                kebab = re.sub(r"(?<!^)(?=[A-Z])", "-", kind).lower()
                schema = json.loads((schemas / f"{kebab}.v1alpha1.schema.json").read_text("utf-8"))
                Draft202012Validator.check_schema(schema)
                validators[kind] = Draft202012Validator(schema)
            found = [f"{e.json_path}: {e.message}" for e in validators[kind].iter_errors(document)]
        except (OSError, ValueError, KeyError, TypeError) as error:
            found = [repr(error)]
        for text in found:
            errors += 1
            print(f"{path}: {text}")
    print(f"{count} manifests of {len(validators)} kinds, {errors} errors")
    return 0 if count > 0 and errors == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
