"""The figures of outcome histories, straight from their definitions, with numpy and scipy: none of the program's code.

Reads directories of month files (one per line on standard input) and writes one JSON line for each. Argument: the time
the figures are of, in epoch milliseconds.
"""

import glob
import json
import math
import sys
from datetime import datetime, timezone

import numpy as np
from scipy import optimize, stats

DAY = 86_400_000
HORIZONS = ("1h", "24h")


def cards_of(directory):
    cards = {}
    for path in glob.glob(directory + "/signals-*.ndjson"):
        with open(path, encoding="utf-8") as file:
            for line in file:
                card = json.loads(line)
                cards[card["id"]] = card
    return list(cards.values())


def time_of(card):
    text = card["created_at"].replace("Z", "+00:00")
    return round(datetime.fromisoformat(text).astimezone(timezone.utc).timestamp() * 1000)


class Median:
    """Inference on the median of clustered values; by matrices and by trying every value, where the program uses sums."""

    def __init__(self, values, clusters):
        self.x = np.array(values, dtype=float)
        self.n = len(values)
        labels, inverse = np.unique(np.array(clusters), return_inverse=True)
        self.clusters = len(labels)
        self.m = float(np.quantile(self.x, 0.5)) if self.n else None
        self.worth = None
        if self.clusters < 2:
            return
        member = (inverse[None, :] == np.arange(self.clusters)[:, None]).astype(float)
        sizes = member.sum(axis=1)
        sums = member @ ((self.x <= self.m) - 0.5)
        weights = sizes / self.n
        self.variance = max(float(np.sum(sums**2 / (1 - weights))) / self.n**2, 0.25 / self.n)
        self.worth = 0.25 / self.variance
        # Bell & McCaffrey: the estimator as a quadratic form in the cluster means, whose covariance is diag(1/size)
        # where values are independent; Satterthwaite's degrees of freedom of it.
        residuals = np.eye(self.clusters) - np.outer(np.ones(self.clusters), weights)
        form = residuals.T @ np.diag(weights**2 / (1 - weights)) @ residuals @ np.diag(1 / sizes)
        self.df = float(np.trace(form) ** 2 / np.trace(form @ form))

    def distance(self, value):
        return max(0.0, float(np.mean(self.x < value)) - 0.5, float(np.mean(self.x > value)) - 0.5)

    def interval(self, level):
        if self.clusters < 6:
            return None
        half = stats.t.isf(level / 2, self.df) * math.sqrt(self.variance)
        if half >= 0.5 and 2.0 ** (1 - self.clusters) > level:
            return None
        kept = [v for v in np.unique(self.x) if self.distance(v) <= half]
        return [min(kept), max(kept)]

    def p(self, value):
        if self.clusters < 6:
            return None
        distance = self.distance(value)
        p = 2 * stats.t.sf(distance / math.sqrt(self.variance), self.df)
        return min(p, 2.0 ** (1 - self.clusters)) if distance == 0.5 else p


def wilson(share, count, t):
    """The shares p with |share - p| <= t sqrt(p (1 - p) / count), by looking for the ends."""

    def excess(p):
        return (share - p) ** 2 - t * t * p * (1 - p) / count

    low = 0.0 if share == 0 else optimize.brentq(excess, 0, min(share, 1 - 1e-12), xtol=1e-14)
    high = 1.0 if share == 1 else optimize.brentq(excess, max(share, 1e-12), 1, xtol=1e-14)
    return [low, high]


def horizon_of(cards, h):
    outcomes = [(card, card.get("outcome")) for card in cards if "context_scope" in card]
    bought = [(card, outcome) for card, outcome in outcomes if outcome is not None]
    states = [outcome["state_" + h] for _, outcome in bought]
    measured = [
        (card, o) for card, o in bought if o["state_" + h] == "available" and o["move_" + h + "_pct"] is not None
    ]
    days = {time_of(card) // DAY for card, _ in measured}
    block = 1 if h == "1h" else 2 if len(days) < 36 else 3
    moves = Median([o["move_" + h + "_pct"] for _, o in measured], [time_of(c) // DAY // block for c, _ in measured])
    pairs = [(c, o["move_" + h + "_pct"], o["btc_move_" + h + "_pct"]) for c, o in measured]
    pairs = [(c, a, b) for c, a, b in pairs if b is not None]
    differences = Median([a - b for _, a, b in pairs], [time_of(c) // DAY // block for c, _, _ in pairs])
    untied = [a > b for _, a, b in pairs if a != b]
    missing = sum(s == "missing" for s in states) + sum(s == "available" for s in states) - len(measured)
    share = sum(untied) / len(untied) if untied else None
    bounds = None
    if missing and missing / (missing + len(measured)) > 0.05:
        bounds = []
        for end in (-math.inf, math.inf):
            whole = sorted(list(moves.x) + [end] * missing)
            at = (len(whole) - 1) / 2
            pair = [whole[math.floor(at)], whole[math.ceil(at)]]
            bounds.append(None if any(map(math.isinf, pair)) else sum(pair) / 2)
    has_share = share is not None and differences.clusters >= 6
    return {
        "sample": len(measured),
        "pending": sum(s == "pending" for s in states),
        "missing": missing,
        "other_states": sum(s not in ("pending", "missing", "available") for s in states),
        "without_outcome": len(cards) - len(bought),
        "distinct_days": len(days),
        "clusters": moves.clusters,
        "effective_sample": moves.worth,
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "quartiles_move_pct": [float(np.quantile(moves.x, q)) for q in (0.25, 0.75)] if measured else None,
        "missing_bounds": bounds,
        "btc_sample": len(pairs),
        "ties_with_btc": len(pairs) - len(untied),
        "btc_effective_sample": differences.worth,
        "median_vs_btc_percentage_points": differences.m,
        "median_vs_btc_interval_95": differences.interval(0.05),
        "share_above_btc": share,
        "share_above_btc_interval_95": wilson(
            share, differences.worth * len(untied) / len(pairs), stats.t.isf(0.025, differences.df)
        )
        if has_share
        else None,
        "p_vs_btc": differences.p(0),
    }


def holm(groups):
    """Adjusted p as the smallest level at which Holm's procedure, step by step, refuses the hypothesis."""
    horizons = [group[h] for group in groups for h in HORIZONS]
    tested = sorted((f for f in horizons if f["p_vs_btc"] is not None), key=lambda f: f["p_vs_btc"])
    for f in horizons:
        f["p_vs_btc_holm"] = None
    for i, f in enumerate(tested):
        f["p_vs_btc_holm"] = max(min(1, (len(tested) - j) * g["p_vs_btc"]) for j, g in enumerate(tested[: i + 1]))


def figures_of(cards, now):
    due = [card for card in cards if time_of(card) + 25 * 3_600_000 <= now]
    share = sum("context_scope" in card for card in due) / len(due) if due else None
    return {"rows": len(cards), "bought_share": share, **{h: horizon_of(cards, h) for h in HORIZONS}}


def main():
    now = int(sys.argv[1])
    for directory in sys.stdin.read().split():
        cards = cards_of(directory)
        types = sorted({card["source_bot_type"] for card in cards})
        groups = [figures_of([c for c in cards if c["source_bot_type"] == t], now) for t in types]
        together = figures_of(cards, now)
        holm(groups)
        holm([together])
        print(json.dumps({"all": together, "types": dict(zip(types, groups))}))


main()
