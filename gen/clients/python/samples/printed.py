"""Checks the samples as /docs prints them: each compiles, and what it imports exists."""

import ast
import json
from pathlib import Path

CONTRACT = Path(__file__).parents[3] / "openapi.gen.json"


def check() -> int:
    """Returns how many samples there are."""
    count = 0
    for operations in json.loads(CONTRACT.read_text())["paths"].values():
        for operation in operations.values():
            for sample in operation.get("x-codeSamples", []) if isinstance(operation, dict) else []:
                if sample["lang"] == "python":
                    importing(sample["source"], operation["operationId"])
                    count += 1
    return count


def importing(source: str, name: str) -> None:
    lines = ast.parse(source, filename=name).body
    imports = [line for line in lines if isinstance(line, ast.Import | ast.ImportFrom)]
    exec(compile(ast.Module([*imports], []), name, "exec"), {})  # fails for a name that does not exist
    imported = {alias.asname or alias.name for line in imports for alias in line.names}
    used = {node.id for line in lines for node in ast.walk(line) if isinstance(node, ast.Name)}
    if imported - used or "ok" in used - imported:
        raise AssertionError(f"{name} imports {imported} and uses {used}")
