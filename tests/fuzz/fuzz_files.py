"""Files that are fuzzed on their own: each target takes bytes, writes a file, and raises where something is wrong."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any
from xml.sax.saxutils import escape
from zlib import crc32

import fuzz_seeds as seeds
from fuzz_readers import Wrong
from pipeline import plan_of, rows_of

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.models.cache import open_cache
from agentv_py.results.merge import Merger
from agentv_py.results.read import open_sources
from agentv_py.run.accept import AcceptRequest, accept_answer
from agentv_py.run.resume import open_for_resume
from agentv_py.suite.convert import Origin, convert_suite
from agentv_py.suite.edit.save import save_edit
from agentv_py.suite.yaml_document import read_yaml

_TRANSLATIONS = Path(__file__).parents[1] / "translations"
_CACHE = Path("cache")
_SMALL: dict[str, Any] = {
    "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b", "match": "numeric"}]}],
    "cases": [
        {"id": "one", "expected": {"a": 1, "b": 2}, "candidate": {"a": 1, "b": "2.5"}},
        {"id": "two", "expected": {"a": [1, {"x": None}]}, "candidate": {"a": "x"}},
    ],
}


def fuzz_convert(data: bytes) -> None:
    """Whatever is converted must be YAML; whether it is a valid suite here is said to the user."""
    Path("c.yaml").write_bytes(data)
    origins: Sequence[Origin | None] = (None, None, "agentv", "promptfoo")
    with suppress(UserError):
        converted = convert_suite("c.yaml", origins[crc32(data) % 4], "c.evalctl.yaml")
        Path("c.evalctl.yaml").write_text(converted.text, encoding="utf-8", errors="surrogateescape")
        read_yaml(Path("c.evalctl.yaml"), "c.evalctl.yaml")
        for name in converted.scripts:
            if not Path(name).parts[0].endswith("_scripts") or ".." in Path(name).parts:
                raise Wrong(f"a script goes to {name!r}")


def list_foreign_suites() -> list[bytes]:
    rows = [row for file in sorted(_TRANSLATIONS.glob("*.yaml")) for row in read_yaml(file, file.name).value]
    return [row["suite"].encode() for row in rows]


def fuzz_cache(data: bytes) -> None:
    """A damaged file of the cache is said to the user, and what it still holds is whole or not there."""
    rmtree(_CACHE, ignore_errors=True)
    _CACHE.mkdir()
    (_CACHE / "answers.sqlite").write_bytes(data)
    with suppress(UserError), open_cache(_CACHE) as cache:
        for value in cache.read(["k0", "k1", "x"]).values():
            if not isinstance(value, bytes):
                raise Wrong(f"{value!r} is read from the cache")
        cache.write([("k1", b"{}")])


def build_cache() -> bytes:
    Path("answers.sqlite").unlink(missing_ok=True)
    with sqlite3.connect("answers.sqlite") as file:
        file.execute("PRAGMA page_size=512")
        file.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID")
        file.executemany("INSERT INTO answers VALUES (?, ?)", [(f"k{n}", b'{"output": 1}') for n in range(3)])
    file.close()
    return Path("answers.sqlite").read_bytes()


def fuzz_merge(data: bytes) -> None:
    lines = data.split(b"\n")
    Path("m1.jsonl").write_bytes(b"\n".join(lines[::2]) + b"\n")
    Path("m2.jsonl").write_bytes(b"\n".join(lines[1::2]) + b"\n")
    with suppress(UserError), open_sources(["m1.jsonl", "m2.jsonl"]) as sources:
        merger = Merger()
        merger.read(sources)
        written = list(merger.read_lines())
        if len(written) != merger.rows:
            raise Wrong(f"{len(written)} of {merger.rows} rows are merged")


def fuzz_resume(data: bytes) -> None:
    """What a resumed run leaves is whole rows, whatever the file held."""
    _write_small_suite()
    Path("r.jsonl").write_bytes(data)
    with suppress(UserError):
        plan = plan_of(Path("small.yaml"))
        with open_for_resume("r.jsonl", [plan], data=True, force=bool(crc32(data) % 2)) as earlier:
            if earlier.count_finished(plan).cases + len(list(earlier.list_missing(plan))) != len(_SMALL["cases"]):
                raise Wrong("cases are neither finished nor missing")
        for line in Path("r.jsonl").read_bytes().splitlines():
            jsontext.loads(line, jsontext.MAX_WRITTEN_DEPTH)


def fuzz_accept(data: bytes) -> None:
    _write_small_suite()
    Path("r.jsonl").write_bytes(data)
    field = (("a",), (), ("b",), ("a[1].x",), ('["x"]',))[crc32(data) % 5]
    with suppress(UserError), open_sources(["r.jsonl"]) as [source]:
        request = AcceptRequest(
            "one" if crc32(data) % 3 else "two", field, reading=crc32(data) % 7 == 0, suite="small.yaml"
        )
        save_edit(accept_answer(source, request).edit)
        plan_of(Path("small.yaml"))


def _write_small_suite() -> None:
    Path("small.yaml").write_text(json.dumps(_SMALL), encoding="utf-8")


def run_small_suite() -> list[bytes]:
    """Its rows, whole and as two shards."""
    _write_small_suite()
    shards = [rows_of(Path("small.yaml"), shard=f"{number}/2") for number in (1, 2)]
    return [
        b"".join(map(jsontext.dumps_line, rows)) for rows in (rows_of(Path("small.yaml")), [*shards[0], *shards[1]])
    ]


_XLSX_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/s.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="s.xml"/></Relationships>',
}


def build_xlsx(sheet: bytes) -> bytes:
    """A workbook around one sheet: a change of the bytes of the file itself would only break its checksums."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        for name, text in _XLSX_PARTS.items():
            parts.writestr(name, text)
        parts.writestr("xl/s.xml", sheet)
    return file.getvalue()


def build_sheet() -> bytes:
    rows: list[list[Any]] = [
        ["id", "expected.near", "candidate.near", "tags", "note"],
        ["x", 100, 101.5, "a;b", '{"a": 1}'],
        ["y", 1, True, "", "t"],
    ]
    cells = "".join(f"<row r='{at}'>{''.join(map(_build_cell, row))}</row>" for at, row in enumerate(rows, 1))
    return f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{cells}</sheetData></worksheet>'.encode()


def _build_cell(value: Any) -> str:
    if isinstance(value, str):
        return f"<c t='inlineStr'><is><t>{escape(value)}</t></is></c>"
    return f"<c t='b'><v>{int(value)}</v></c>" if isinstance(value, bool) else f"<c><v>{value}</v></c>"


def build_parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"id": "x", "expected": {"near": 1.5, "rows": [{"d": "a"}]}, "tags": ["a"], "candidate.near": 2}]
    pq.write_table(pa.Table.from_pylist(rows), "seed.parquet", compression="none", use_dictionary=False)
    return Path("seed.parquet").read_bytes()


def fuzz_object_files(run: Callable[[], object], data: bytes) -> None:
    """A file for each line, all in one folder."""
    rmtree("docs", ignore_errors=True)
    Path("docs").mkdir()
    for number, line in enumerate(data.split(b"\n")[:20]):
        Path(f"docs/{number}.json").write_bytes(line)
    evaluators = [seeds.EVALUATORS[crc32(data) % len(seeds.EVALUATORS)]]
    Path("s.yaml").write_text(json.dumps({"evaluators": evaluators, "dataset": "docs/*.json"}), encoding="utf-8")
    run()
