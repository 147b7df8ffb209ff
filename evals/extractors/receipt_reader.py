"""The text of a receipt on stdin, as JSON → its shop, date and total on stdout, as JSON."""

import json
import re
import sys

receipt = json.load(sys.stdin)["text"]
lines = receipt.splitlines()
date = re.search(r"\d{4}-\d{2}-\d{2}|\d{2}\.\d{2}\.\d{4}", receipt)
total = re.search(r"(?im)^total\D*([\d.,]+)", receipt)
answer = {"shop": lines[0].strip(), "date": date and date[0], "total": total and total[1]}
json.dump(answer, sys.stdout)
