"""Writes the files in testdata, with the programs that people use for it: Python's csv, LibreOffice and SQLite.

It needs LibreOffice (soffice) and sqlite3.
"""

import csv
import pathlib
import sqlite3
import subprocess
import tempfile

here = pathlib.Path(__file__).parent
out = here.parent
rows = [
    ["Name", "City", "Amount", "Remark"],
    ["Muster, Jörg", "Köln", "1250.50", 'said "yes"'],
    ["Example; Ada", "Ulm", "99", "two\nlines"],
    ["Probe|Cleo", "Graz", "-3", ""],
]

with open(out / "excel.csv", "w", newline="", encoding="utf-8-sig") as f:
    csv.writer(f).writerows(rows)
with open(out / "tab.tsv", "w", newline="", encoding="utf-8") as f:
    csv.writer(f, dialect="excel-tab").writerows(rows)
with open(out / "semicolon.csv", "w", newline="", encoding="cp1252") as f:
    csv.writer(f, delimiter=";", lineterminator="\n").writerows(rows)
with open(out / "wide.csv", "w", newline="", encoding="utf-16") as f:
    csv.writer(f, delimiter="\t", quoting=csv.QUOTE_ALL).writerows(rows)
with open(out / "long.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["number", "square"])
    w.writerows([i, i * i] for i in range(1, 1203))

with tempfile.TemporaryDirectory() as tmp:
    # SQLite writes with bars by itself, and without a head.
    db = pathlib.Path(tmp) / "x.db"
    con = sqlite3.connect(db)
    con.execute("create table t (name, amount, at)")
    con.executemany("insert into t values (?, ?, ?)", [("north", 1.5, "2026-11-02"), ("south", 2, "2026-11-03"), ("west", None, "2026-11-04")])
    con.commit()
    con.close()
    text = subprocess.run(["sqlite3", db, "select * from t"], check=True, capture_output=True).stdout
    (out / "bars.csv").write_bytes(text)
    # LibreOffice writes as a German user may have set it: semicolons, decimal commas.
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp}/profile", "--headless", "--convert-to", "csv:Text - txt - csv (StarCalc):59,34,76,1", "--outdir", tmp, here / "table.fods"],
        check=True, stdout=subprocess.DEVNULL)
    (out / "office.csv").write_bytes((pathlib.Path(tmp) / "table.csv").read_bytes())
