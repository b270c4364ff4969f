"""Reads lines `directory [time ...]`, parted by tabs, and writes one JSON line for each: the figures of its history, and what
`tune` says of it. Argument: now. All times are epoch milliseconds; those of a line are when the settings of type_0
changed: those of no other type ever did."""

import json
import sys

from figures import grouped
from medians import HORIZONS, answers_of, btc_symbols, cards_of
from tune import changes, tune


def judge(directory, times, now):
    cards, since = cards_of(directory), {"type_0": times[-1]} if times else {}
    btc, alone = btc_symbols(cards), {"has_others": False}
    return {
        "all": grouped(cards, now, lambda card: None, btc, **alone)[None],
        "type": grouped(cards, now, lambda card: card["source_bot_type"], btc, answers_of(directory), since=since),
        "symbol": grouped(cards, now, lambda card: card["source_symbol"], btc),
        "month": grouped(cards, now, lambda card: card["created_at"][:7], btc, **alone),
        "tune": tune(cards, btc, now, since),
        "changes": {h: changes(cards, times, h, btc) for h in HORIZONS},
    }


for line in sys.stdin:
    directory, *times = line.rstrip("\n").split("\t")
    print(json.dumps(judge(directory, [int(time) for time in times], int(sys.argv[1]))), flush=True)
