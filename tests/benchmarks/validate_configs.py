#!/usr/bin/python3
"""Which configs does the JSON Schema accept?

    validate_configs.py SCHEMA DOCUMENTS

DOCUMENTS is a JSON list of YAML texts. Prints a JSON list of true and false in the same order.
Scalars are resolved as YAML 1.2's core schema has it, as editors do. Exit code: 0, or 77 where
python3-yaml or python3-jsonschema is missing.
"""

import json
import re
import sys

INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan")
WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


def resolve(node):
    kind = type(node).__name__
    if kind == "MappingNode":
        return {str(resolve(key)): resolve(value) for key, value in node.value}
    if kind == "SequenceNode":
        return [resolve(item) for item in node.value]
    text = node.value
    if node.style is not None:
        return text
    if text in WORDS:
        return WORDS[text]
    if INTEGER.fullmatch(text):
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)
    if NUMBER.fullmatch(text):
        return float(text.replace(".inf", "inf").replace(".nan", "nan"))
    return text


def main():
    try:
        import yaml
        from jsonschema import Draft202012Validator
    except ImportError as error:
        print(error)
        return 77
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    documents = json.load(open(sys.argv[2], encoding="utf-8"))
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)

    def accepts(text):
        try:
            return validator.is_valid(resolve(yaml.compose(text)))
        except yaml.YAMLError:
            return False

    print(json.dumps([accepts(text) for text in documents]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
