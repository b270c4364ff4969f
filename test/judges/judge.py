"""Reads histories, one per line, as JSON: cards, answers (lines of stats.ndjson) and changes: when the settings of type_0
changed, of no other type; writes the figures of each as a line, and what `tune` says of it. Argument: now. Times are epoch
milliseconds."""

import json
import math
import sys

from figures import grouped
from medians import DAY, HORIZONS, btc_symbols, millis
from tune import changes, tune


def judge(cards, answers, times, now):
    for card in cards:
        card["time"] = millis(card["created_at"])
        card["day"] = card["time"] // DAY
    told = sorted(({"at": millis(line["asked_at"]), **line} for line in answers), key=lambda line: line["at"])
    since, btc, alone = {"type_0": max(times, default=-math.inf)}, btc_symbols(cards), {"has_others": False}
    return {
        "all": grouped(cards, now, lambda card: None, btc, **alone)[None],
        "type": grouped(cards, now, lambda card: card["source_bot_type"], btc, told, since=since),
        "symbol": grouped(cards, now, lambda card: card["source_symbol"], btc),
        "month": grouped(cards, now, lambda card: card["created_at"][:7], btc, **alone),
        "tune": tune(cards, btc, now, since),
        "changes": {h: changes(cards, times, h, btc) for h in HORIZONS},
    }


for line in sys.stdin:
    history = json.loads(line)
    judged = judge(history["cards"], history["answers"], history["changes"], int(sys.argv[1]))
    print(json.dumps(judged), flush=True)
