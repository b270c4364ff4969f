"""What `tune` and a change of settings say of histories, straight from the definitions, with numpy and scipy: none of the
program's code.

Reads lines `directory [time ...]`, parted by tabs, and writes one JSON line for each; the times, epoch milliseconds, are when the settings
of type_0 changed: those of no other type ever did.
"""

import json
import math
import sys

import numpy as np
from figures import DAY, FAMILY, HORIZONS, LEAST, Median, against_others, btc_symbols, cards_of, clean, differences_of, quantile, stepped
from scipy import stats


def ranked(values):
    """Mid-ranks around zero."""
    n = len(values)
    return (stats.rankdata(values) - (n + 1) / 2) / (n + 1)


def sandwich(labels, scores, ranks):
    """Variance of a sum, over clusters that weigh something. Its degrees of freedom by matrices: as if the noise were that
    of cards, and a tenth as much again that of clusters."""
    names = np.unique(labels)
    member = np.array([labels == name for name in names], dtype=float)
    own, whole = member @ ranks**2, member @ ranks
    w = own / own.sum()
    member, own, whole, w = member[w > 0], own[w > 0], whole[w > 0], w[w > 0]
    sums = member @ scores
    if len(w) < 2:
        return math.inf, 1.0, w, sums
    centre = np.eye(len(w)) - np.outer(w, np.ones(len(w)))
    form = centre.T @ np.diag(1 / (1 - w)) @ centre @ np.diag(own + 0.1 * whole**2)
    return float(np.sum(sums**2 / (1 - w))), float(np.trace(form) ** 2 / np.trace(form @ form)), w, sums


def correlation(cards, keys, values, h):
    if len(cards) < 60:
        return "few_cards"
    days = np.array([card["day"] for card in cards])
    symbols = np.array([card["source_symbol"] for card in cards])
    a, q = np.zeros(len(cards)), np.zeros(len(cards))
    for day in np.unique(days):
        a[days == day] = ranked(np.array(values)[days == day])
        q[days == day] = ranked(np.array(keys)[days == day])
    total = float(q @ q)
    if total == 0 or not a.any():
        return "constant_within_days"
    count = len(np.unique(days))
    block = 1 if h == "1h" else 2 if count < 36 else 3
    scores = q * (a - (a @ q) / total * q)
    over_days = base = sandwich(days // block, scores, q)
    centred = base[3] - base[3].mean()
    if np.sum(centred[1:] * centred[:-1]) > 0.8 / math.sqrt(len(centred)) * np.sum(centred**2):
        block = max(block, math.ceil(count / 10))
        over_days = sandwich(days // block, scores, q)
    over_symbols = sandwich(symbols, scores, q)
    if len(base[2]) < 12:
        return "few_days"
    if len(over_symbols[2]) < 8:
        return "few_symbols"
    if max(over_days[2].max(), over_symbols[2].max()) > 0.5:
        return "one_outweighs"
    cells = {}
    for cell, score, rank in zip(zip((days // block).tolist(), symbols.tolist()), scores, q):
        cells.setdefault(cell, []).append((score, rank**2))
    sums = np.array([np.sum(cell, axis=0) for cell in cells.values()])
    both = over_days[0] + over_symbols[0] - float(np.sum(sums[:, 0] ** 2 / (1 - sums[:, 1] / total)))
    variance, df = max(over_days[:2], over_symbols[:2])
    if both > variance:
        variance, df = both, min(over_days[1], over_symbols[1])
    scale = math.sqrt(total * float(a @ a))
    rho, se = float(a @ q) / scale, math.sqrt(variance) / scale
    return {"rho": rho, "se": se, "df": df, "p": float(2 * stats.t.sf(abs(rho / se), df))}


def median_of(pairs, h):
    return Median([value for value, _ in pairs], [card for _, card in pairs], h)


def per_day(cards, first, until):
    times = [card["time"] for card in cards]
    return sum(t > until - 28 * DAY for t in times) / max(1, min(28, (until - first) / DAY))


def less(one, other):
    """[difference of two medians, its standard error, degrees of freedom]: Welch and Satterthwaite."""
    if one.m is None or other.m is None:
        return None, None, None
    ends = [one.interval(0.05), other.interval(0.05)]
    if None in ends:
        return clean(one.m - other.m), None, None
    v = [((e[1] - e[0]) / (2 * quantile(0.025, m.df))) ** 2 for e, m in zip(ends, (one, other))]
    if sum(v) == 0:
        return clean(one.m - other.m), None, None
    df = sum(v) ** 2 / (v[0] ** 2 / one.df + v[1] ** 2 / other.df)
    return clean(one.m - other.m), math.sqrt(sum(v)), df


def around(difference, error, df, level):
    if error is None:
        return None
    half = quantile(level / 2, df) * error
    return [difference - half, difference + half]


def beside_others(cards, h, of_btc):
    """Differences to BTC, less the median of other types' cards of the day; as they are where there is no other type."""
    known = [pair for pair in differences_of(cards, h) if pair[1]["source_symbol"] not in of_btc]
    if len({card["source_bot_type"] for _, card in known}) < 2:
        return known
    return against_others(known, lambda card: card["source_bot_type"])


def questions_of(cards, h, of_btc):
    """By key: the cards with it and a difference, and their test."""
    bought = [card for card in cards if "context_scope" in card]
    names = {key for card in bought for key, value in card["entry_context"].items()}
    asked = {}
    for name in names:
        has = [card["entry_context"][name] for card in bought if name in card["entry_context"]]
        signs = min(sum(x > 0 for x in has), sum(x < 0 for x in has))
        for absolute in (False, True) if signs >= len(has) / 5 else (False,):
            pairs = [(v, c) for v, c in differences_of(bought, h) if c["source_symbol"] not in of_btc]
            pairs = [(v, c) for v, c in pairs if name in c["entry_context"]]
            values, own = [v for v, _ in pairs], [c for _, c in pairs]
            keys = [abs(c["entry_context"][name]) if absolute else c["entry_context"][name] for c in own]
            test = correlation(own, keys, values, h) if len(has) >= len(bought) / 2 else "rarely_given"
            asked[name, absolute] = (own, keys, values, test)
    stepped([test for *_, test in asked.values() if isinstance(test, dict)], FAMILY)
    return asked


def tune(cards, of_btc):
    answers, until = [], max(card["time"] for card in cards)
    for kind in sorted({card["source_bot_type"] for card in cards}):
        of_kind = [card for card in cards if card["source_bot_type"] == kind]
        for h in HORIZONS:
            y = {card["id"]: value for value, card in beside_others(cards, h, of_btc)}
            for (key, absolute), (own, keys, values, test) in questions_of(of_kind, h, of_btc).items():
                answer = {"type": kind, "key": key, "absolute": absolute, "horizon": h, "cards": len(own), "cuts": []}
                answers.append(answer)
                if isinstance(test, str):
                    answer["why"] = test
                    continue
                half = quantile(0.025, test["df"]) * test["se"]
                answer |= {
                    "correlation": test["rho"],
                    "interval": [max(-1, test["rho"] - half), min(1, test["rho"] + half)],
                    "p": test["p"],
                    "p_holm": test["holm"],
                    "would_show": (quantile(test["level"] / 2, test["df"]) + 0.84) * test["se"],
                }
                if answer["would_show"] >= 1:
                    answer["would_show"] = None
                if test["holm"] >= FAMILY:
                    continue
                # As much nearer to zero as the adjusted p moves the t that would have been needed.
                nearer = quantile(test["holm"] / 2, test["df"]) / quantile(test["p"] / 2, test["df"])
                for share in (0.3, 0.5, 0.7):
                    value = float(np.quantile(keys, share))
                    kept = [k >= value if test["rho"] > 0 else k <= value for k in keys]
                    if all(kept) or value in [cut["value"] for cut in answer["cuts"]]:
                        continue
                    alone = median_of([(v, c) for v, c, k in zip(values, own, kept) if k], h)
                    sides = [[(y[c["id"]], c) for c, k in zip(own, kept) if k == side and c["id"] in y] for side in (True, False)]
                    difference, error, df = less(*(median_of(pairs, h) for pairs in sides))
                    answer["cuts"].append(
                        {
                            "value": value,
                            "cards_per_day": per_day(of_kind, min(c["time"] for c in cards), until) * sum(kept) / len(kept),
                            "kept_vs_btc": alone.m,
                            "kept_vs_btc_interval_95": alone.interval(0.05),
                            "kept_vs_dropped": None if difference is None else difference * nearer,
                            "kept_vs_dropped_interval": around(difference, error, df, 0.05 / 3),
                        }
                    )
    return answers


def changes(cards, times, h, of_btc):
    """The settings of type_0 changed at these times; cards of the day before each are left out."""
    own = [pair for pair in beside_others(cards, h, of_btc) if pair[1]["source_bot_type"] == "type_0"]
    edges = [-math.inf, *times, math.inf]
    epochs = []
    for since, end in zip(edges, edges[1:]):
        inside = [(v, c) for v, c in own if since <= c["time"] <= (end - DAY if end < math.inf else end)]
        epochs.append(median_of(inside, h))
    found, tests = [], []
    for before, after in zip(epochs, epochs[1:]):
        found.append({"difference": None, "interval": None, "p_holm": None, "verdict": "too_few_days"})
        found[-1]["difference"], error, df = less(after, before)
        if error is not None:
            p = float(2 * stats.t.sf(abs(found[-1]["difference"]) / error, df))
            tests.append({"p": p, "se": error, "df": df, "of": found[-1]})
    stepped(tests, 0.05)
    for test in tests:
        one, d = test["of"], test["of"]["difference"]
        sides = around(d, test["se"], test["df"], 0.1)
        one |= {"interval": around(d, test["se"], test["df"], 0.05), "p_holm": test["holm"], "verdict": "unclear"}
        if test["holm"] < 0.05:
            one["verdict"] = "higher" if d > 0 else "lower"
        elif -LEAST[h] <= sides[0] and sides[1] <= LEAST[h]:
            one["verdict"] = "none"
    return found


def main():
    for line in sys.stdin:
        directory, *times = line.rstrip("\n").split("\t")
        cards = cards_of(directory)
        of_btc = btc_symbols(cards)
        answer = {"tune": tune(cards, of_btc)}
        answer["changes"] = {h: changes(cards, [int(time) for time in times], h, of_btc) for h in HORIZONS}
        print(json.dumps(answer))


main()
