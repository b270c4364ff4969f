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
LEAST = {"1h": 0.25, "24h": 1.0}


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


def day_of(card):
    return time_of(card) // DAY


def clean(value):
    return round(value, 10)


def middle(values):
    """The median; infinite values are only below or above all others."""
    ordered = sorted(values)
    at = (len(ordered) - 1) / 2
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low if low == high else (low + high) / 2


def members(labels):
    """One row a cluster, in the order of the labels: whether each value is in it."""
    return (np.unique(labels)[:, None] == np.array(labels)[None, :]).astype(float)


def clustered(labels, scores, cells=False):
    """Variance of the mean score and its degrees of freedom, by Bell & McCaffrey's quadratic form in cluster means."""
    member = members(labels)
    sizes = member.sum(axis=1)
    weights = sizes / len(scores)
    if len(weights) < 2:
        return math.inf, 1.0
    variance = float(np.sum((member @ scores) ** 2 / (1 - weights))) / len(scores) ** 2
    if cells:
        return variance, math.nan
    residuals = np.eye(len(weights)) - np.outer(np.ones(len(weights)), weights)
    form = residuals.T @ np.diag(weights**2 / (1 - weights)) @ residuals @ np.diag(1 / sizes)
    return variance, float(np.trace(form) ** 2 / np.trace(form @ form))


class Median:
    """Inference on the median of values by days and symbols; by matrices and trials, where the program uses sums."""

    def __init__(self, values, cards, horizon, whole=1):
        self.x = np.array(values, dtype=float)
        self.n = len(values)
        self.m = middle(values) if self.n else None
        self.worth, self.clusters, self.block = None, 0, 1 if horizon == "1h" else 2
        days = np.array([day_of(card) for card in cards], dtype=int)
        self.days = len(set(days.tolist()))
        if self.n == 0:
            return
        scores = np.where(self.x < self.m, 0.5, np.where(self.x > self.m, -0.5, 0.0))
        self.block = 1 if horizon == "1h" else 2 if self.days < 36 else 3
        sums = members(days // self.block) @ scores
        centred = sums - np.mean(sums)
        if np.sum(centred[1:] * centred[:-1]) > 0.8 / math.sqrt(len(sums)) * np.sum(centred**2):
            self.block = max(self.block, math.ceil(self.days / 10))
        self.block = max(self.block, min(whole, math.ceil(self.days / 10)))
        blocks = days // self.block
        self.clusters = len(set(blocks.tolist()))
        if self.clusters < 2:
            return
        by_days, self.df = clustered(blocks, scores)
        self.variance = max(by_days, 0.25 / self.n)
        symbols = np.array([card["source_symbol"] for card in cards])
        if len(set(symbols.tolist())) >= 8:
            by_symbols, df = clustered(symbols, scores)
            cells = [f"{block} {symbol}" for block, symbol in zip(blocks, symbols)]
            both = by_days + by_symbols - clustered(cells, scores, cells=True)[0]
            if both > self.variance:
                self.variance, self.df = both, min(self.df, df)
        self.worth = 0.25 / self.variance

    def distance(self, value):
        return max(0.0, float(np.mean(self.x < value)) - 0.5, float(np.mean(self.x > value)) - 0.5)

    def within(self, t, level):
        half = t * math.sqrt(self.variance)
        if half >= 0.5 and 2.0 ** (1 - self.clusters) > level:
            return None
        kept = [v for v in np.unique(self.x) if self.distance(v) <= half]
        return [min(kept), max(kept)]

    def interval(self, level):
        return self.within(stats.t.isf(level / 2, self.df), level) if self.clusters >= 6 else None

    def p(self, value):
        if self.clusters < 6:
            return None
        distance = self.distance(value)
        p = 2 * stats.t.sf(distance / math.sqrt(self.variance), self.df)
        return min(p, 2.0 ** (1 - self.clusters)) if distance == 0.5 else p


def with_missing(known, missing, horizon, whole):
    """Imbens & Manski: the ends with all missing values lowest, and highest; t such that one of them fails at most."""
    if not missing:
        return None
    ends = []
    for end, value in enumerate((-math.inf, math.inf)):
        sample = Median([v for v, _ in known] + [value] * len(missing), [c for _, c in known] + missing, horizon, whole)
        if sample.clusters < 6:
            return None
        width = len(missing) / sample.n / math.sqrt(sample.variance)
        law = stats.t(sample.df)
        t = optimize.brentq(lambda t: law.cdf(t + width) - law.cdf(-t) - 0.95, 0.1, law.isf(0.02), xtol=1e-14)
        found = sample.within(t, 0.05)
        ends.append(None if found is None or math.isinf(found[end]) else found[end])
    return ends


def wilson(share, count, t):
    """The shares p with |share - p| <= t sqrt(p (1 - p) / count), by looking for the ends."""

    def excess(p):
        return (share - p) ** 2 - t * t * p * (1 - p) / count

    low = 0.0 if share == 0 else optimize.brentq(excess, 0, min(share, 1 - 1e-12), xtol=1e-14)
    high = 1.0 if share == 1 else optimize.brentq(excess, max(share, 1e-12), 1, xtol=1e-14)
    return [low, high]


def outcomes_of(cards, h):
    """(card, state, move, btc) of the cards with an outcome."""
    bought = [(card, card["outcome"]) for card in cards if "context_scope" in card and card["outcome"] is not None]
    return [(card, o["state_" + h], o["move_" + h + "_pct"], o["btc_move_" + h + "_pct"]) for card, o in bought]


def differences_of(cards, h):
    measured = [(c, move, btc) for c, state, move, btc in outcomes_of(cards, h) if state == "available"]
    return [(clean(move - btc), card) for card, move, btc in measured if move is not None and btc is not None]


def btc_symbols(cards):
    found = {}
    for h in HORIZONS:
        for value, card in differences_of(cards, h):
            found.setdefault(card["source_symbol"], []).append(value)
    return {symbol for symbol, values in found.items() if not any(values)}


def against_others(differences, group_of):
    compared = []
    for value, card in differences:
        others = [
            other
            for other, one in differences
            if day_of(one) == day_of(card) and group_of(one) != group_of(card)
        ]
        if len(others) >= 3:
            compared.append((clean(value - middle(others)), card))
    return compared


def horizon_of(cards, h, btc, compared, whole):
    """@param compared: differences to the others' median of the day, of this group's cards; None without groups; whole: all cards"""
    block_of_moves = whole and whole[h]["blocks"][0] or 1
    block = whole and whole[h]["blocks"][1] or 1
    outcomes = outcomes_of(cards, h)
    measured = [(card, move) for card, state, move, _ in outcomes if state == "available" and move is not None]
    missing = [c for c, state, move, _ in outcomes if state == "missing" or state == "available" and move is None]
    moves = Median([move for _, move in measured], [card for card, _ in measured], h, block_of_moves)
    pairs = [(value, card) for value, card in differences_of(cards, h) if card["source_symbol"] not in btc]
    differences = Median([value for value, _ in pairs], [card for _, card in pairs], h, block)
    untied = [value > 0 for value, _ in pairs if value != 0]
    share = sum(untied) / len(untied) if untied else None
    sizes = Median([abs(move) for _, move in measured], [card for card, _ in measured], h, block_of_moves)
    bounds = None
    if missing and len(missing) / (len(missing) + len(measured)) > 0.05:
        known = [move for _, move in measured]
        bounds = [middle(known + [end] * len(missing)) for end in (-math.inf, math.inf)]
        bounds = [None if math.isinf(end) else end for end in bounds]
    unpaired = [c for c, s, move, b in outcomes if s == "available" and move is not None and b is None]
    unknown = [card for card in missing + unpaired if card["source_symbol"] not in btc]
    has_share = share is not None and differences.clusters >= 6
    others = Median([value for value, _ in compared or []], [card for _, card in compared or []], h)
    return {
        "sample": len(measured),
        "pending": sum(state == "pending" for _, state, _, _ in outcomes),
        "missing": len(missing),
        "other_states": sum(s not in ("pending", "missing", "available") for _, s, _, _ in outcomes),
        "without_outcome": len(cards) - len(outcomes),
        "distinct_symbols": len({card["source_symbol"] for card, _ in measured}),
        "distinct_days": moves.days,
        "clusters": moves.clusters,
        "cluster_days": moves.block,
        "effective_sample": moves.worth,
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "quartiles_move_pct": [float(np.quantile(moves.x, q)) for q in (0.25, 0.75)] if measured else None,
        "median_size_pct": sizes.m,
        "median_size_pct_interval_95": sizes.interval(0.05),
        "missing_bounds": bounds,
        "missing_move_interval_95": with_missing([(move, card) for card, move in measured], missing, h, block_of_moves),
        "cards_of_btc": sum(card["source_symbol"] in btc for _, card in differences_of(cards, h)),
        "btc_sample": len(pairs),
        "ties_with_btc": len(pairs) - len(untied),
        "btc_clusters": differences.clusters,
        "btc_effective_sample": differences.worth,
        "median_vs_btc_percentage_points": differences.m,
        "median_vs_btc_interval_95": differences.interval(0.05),
        "missing_interval_95": with_missing(pairs, unknown, h, block),
        "share_above_btc": share,
        "share_above_btc_interval_95": wilson(
            share, differences.worth * len(untied) / len(pairs), stats.t.isf(0.025, differences.df)
        )
        if has_share
        else None,
        "p_vs_btc": differences.p(0),
        "others_sample": None if compared is None else others.n,
        "median_vs_others_percentage_points": others.m,
        "median_vs_others_interval_95": others.interval(0.05),
        "p_vs_others": others.p(0),
        "weak": min(moves.clusters, differences.clusters if pairs else moves.clusters) < 12,
        "blocks": [moves.block, differences.block],
        "samples": {"btc": differences, "others": others},
    }


def answers_of(directory):
    """What the service said: stats.ndjson."""
    try:
        with open(directory + "/stats.ndjson", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    except FileNotFoundError:
        return []
    return [{"at": time_of({"created_at": line["asked_at"]}), **line} for line in lines]


def windows_of(answers):
    """Windows of 30 days that do not overlap: again and again the one with the most answers, and what overlaps it goes."""
    left = []
    for answer in sorted(answers, key=lambda one: one["at"]):
        if left and answer["at"] - left[-1][0]["at"] <= DAY:
            left[-1].append(answer)
        else:
            left.append([answer])
    best = []
    while left:
        most = max(left, key=len)
        best.append(list({one["type"]: one for one in most}.values()))
        left = [one for one in left if abs(one[0]["at"] - most[0]["at"]) >= 30 * DAY - DAY // 24]
    return best


def trusted(answer, cards, h, btc):
    """[type, median, sample, cards] of an answer that is of these cards."""
    said, at = answer["stats"]["horizons"][h], answer["at"]
    listed = [c for c in cards if c["source_bot_type"] == answer["type"] and at - 30 * DAY < time_of(c) <= at]
    if answer["stats"]["sample_limited"]:
        listed = sorted(listed, key=time_of, reverse=True)[: answer["stats"]["sampled_rows"]]
    counted = said["sample"] + said["pending"] + said["missing"]
    median = said["median_vs_btc_percentage_points"]
    if answer["stats"]["stale"] or median is None or said["btc_sample"] < 20 or not listed:
        return []
    if abs(counted - len(listed)) > len(listed) / 10:
        return []
    if sum(card["source_symbol"] in btc for card in listed) > 0.05 * len(listed):
        return []
    return [(answer["type"], median, said["btc_sample"], listed)]


class Parts:
    """Of what the variance of a median is made, from sums over all pairs of bought outcomes, as one matrix."""

    def __init__(self, bought, windows, block):
        x = np.array([value for value, _ in bought])
        days = np.array([day_of(card) for _, card in bought], dtype=int)
        symbols = np.array([card["source_symbol"] for _, card in bought])
        types = np.array([card["source_bot_type"] for _, card in bought])
        self.block, self.known, self.n = block, False, len(x)
        if len(x) < 30 or len(set((days // block).tolist())) < 6:
            return
        centre = {t: float(np.median(x[types == t])) for t in set(types.tolist())}
        for t in {one[0] for window in windows for one in window}:
            said = [(one[1], one[2]) for window in windows for one in window if one[0] == t]
            centre[t] = float(np.average([m for m, _ in said], weights=[n for _, n in said]))
        residuals = x - np.array([centre[t] for t in types])
        spread = float(np.median(np.abs(residuals)))
        if spread == 0:
            return
        self.known, spreads = True, {}
        for t in set(types.tolist()):
            own, n = float(np.median(np.abs(residuals[types == t]))), int(np.sum(types == t))
            n = 0 if own == 0 or n < 2 else n
            spreads[t] = math.exp((n * math.log(own if n else 1) + 10 * math.log(spread)) / (n + 10))
        scaled = residuals / np.array([spreads[t] for t in types])
        low, high = np.quantile(scaled, [0.25, 0.75])
        widths = [scaled.std(), (high - low) / 1.349]
        width = 0.9 * (min(widths) if widths[1] > 0 else widths[0]) * len(x) ** -0.2
        at_zero = float(np.mean(stats.norm.pdf(scaled / width)) / width)
        self.density = lambda t: at_zero / spreads.get(t, spread)
        psi = np.sign(residuals) / 2 / np.array([self.density(t) for t in types])
        products = np.outer(psi, psi)
        same_day = days[:, None] == days
        same_block = days[:, None] // block == days // block
        same_symbol = symbols[:, None] == symbols
        other = ~np.eye(len(x), dtype=bool)

        def mean(which):
            which = which & other
            return float(products[which].mean()) if which.any() else 0.0

        pairs = int((same_day & ~same_symbol & other).sum())
        margin = 0.5 * float(np.mean(psi**2)) * math.sqrt(2 / pairs) if pairs else 0.0
        self.of_block = max(0.0, mean(same_block & ~same_day & ~same_symbol))
        self.of_day = max(0.0, mean(same_day & ~same_symbol) + margin - self.of_block)
        count = len(set(symbols.tolist()))
        self.of_symbol = max(0.0, mean(same_symbol & ~same_block)) if count >= 8 else 0.0
        self.of_cell = max(0.0, mean(same_day & same_symbol) - self.of_day - self.of_block - self.of_symbol)
        self.df = min(len(x) / 5, len(set((days // block).tolist())) - 1, count - 1 if self.of_symbol > 0 else math.inf)

    def own(self, t):
        square = self.density(t) ** -2
        return max(square / 4 - self.of_cell - self.of_day - self.of_block - self.of_symbol, square / 10)

    def of_days(self, listed, weights):
        """What cards have in common that share a day, a block of days, or day and symbol."""
        return sum(
            part * float(np.sum((members(keys) @ weights) ** 2))
            for part, keys in (
                (self.of_cell, [f"{day_of(c)} {c['source_symbol']}" for c in listed]),
                (self.of_day, [day_of(c) for c in listed]),
                (self.of_block, [day_of(c) // self.block for c in listed]),
            )
        )


def agreed(one, bought, parts):
    """[the answer, whether at least 5 bought outcomes could contradict it], or nothing where they do, at 99.9 %."""
    t, median, sample, listed = one
    ids = {card["id"] for card in listed}
    own = [(value, card) for value, card in bought if card["id"] in ids]
    if len(own) < 5:
        return [(*one, False)]
    cards = [card for _, card in own] + listed
    weights = np.array([1 / len(own)] * len(own) + [-1 / len(listed)] * len(listed))
    variance = parts.own(t) * max(1 / len(own) - 1 / sample, 0.1 / sample) + parts.of_days(cards, weights)
    variance += parts.of_symbol * float(np.sum((members([c["source_symbol"] for c in cards]) @ weights) ** 2))
    off = abs(float(np.median([value for value, _ in own])) - median) / math.sqrt(variance)
    return [] if 2 * stats.t.sf(off, len(bought) / 5) < 0.001 else [(*one, True)]


def service_of(answers, cards, bought, h, block, btc):
    """{type: the difference to the other types of the same windows}."""
    first = Parts(bought, [], block)
    if not first.known:
        return {}
    windows = [[one for answer in sitting for one in trusted(answer, cards, h, btc)] for sitting in windows_of(answers)]
    windows = [[kept for one in window for kept in agreed(one, bought, first)] for window in windows]
    parts = Parts(bought, windows, block)
    parts = parts if parts.known else first
    of_symbol, df = parts.of_symbol, parts.df
    names = sorted({card["source_symbol"] for card in cards})
    found = {}
    for t in {one[0] for window in windows for one in window}:
        looks = []
        for window in windows:
            me, rest = [one for one in window if one[0] == t], [one for one in window if one[0] != t]
            if not me or not rest:
                continue
            listed = me[0][3] + [card for one in rest for card in one[3]]
            weights = np.array([1 / len(me[0][3])] * len(me[0][3]) + [-1.0] * (len(listed) - len(me[0][3])))
            weights[weights < 0] /= np.sum(weights < 0)
            total = sum(one[2] for one in rest)
            variance = parts.own(t) / me[0][2] + sum(parts.own(one[0]) * one[2] for one in rest) / total**2
            variance += parts.of_days(listed, weights)
            by_symbol = np.array([weights[[c["source_symbol"] == s for c in listed]].sum() for s in names])
            looks.append((me[0][1] - sum(one[1] * one[2] for one in rest) / total, variance, by_symbol, me[0][2], me[0][4]))
        if not looks:
            continue
        share = np.array([1 / (v + of_symbol * np.sum(s**2)) for _, v, s, *_ in looks])
        share /= share.sum()
        variance = sum(a**2 * v for a, (_, v, *_) in zip(share, looks))
        variance += of_symbol * float(np.sum(sum(a * s for a, (_, _, s, *_) in zip(share, looks)) ** 2))
        value = float(sum(a * d for a, (d, *_) in zip(share, looks)))
        sample, checked = sum(look[3] for look in looks), all(look[4] for look in looks)
        found[t] = Service(value, math.sqrt(variance), df, len(looks), sample, checked)
    return found


class Service:
    def __init__(self, value, error, df, windows, sample, checked):
        self.m, self.error, self.df, self.windows, self.sample = value, error, df, windows, sample
        self.checked = checked
        self.n, self.days = sample, 30 * windows

    def interval(self, level):
        half = stats.t.isf(level / 2, self.df) * self.error
        return [self.m - half, self.m + half]

    def p(self, _):
        return 2 * stats.t.sf(abs(self.m) / self.error, self.df)


def use_service(groups, services):
    """Where the service's interval is narrower, the comparison with others is from it."""
    for t, group in groups.items():
        for h in HORIZONS:
            f, service = group[h], services[h].get(t)
            f["vs_others_from"], f["service_windows"], f["service_sample"] = "bought", None, None
            f["service_checked"] = None
            bought = f["median_vs_others_interval_95"]
            if service is None or bought and bought[1] - bought[0] <= 2 * (service.interval(0.05)[1] - service.m):
                continue
            f["vs_others_from"], f["service_windows"], f["service_sample"] = "service", service.windows, service.sample
            f["service_checked"] = service.checked
            f["median_vs_others_percentage_points"], f["p_vs_others"] = service.m, service.p(0)
            f["median_vs_others_interval_95"] = service.interval(0.05)
            f["samples"]["others"] = service


def judge(groups):
    """Holm's procedure within each horizon and comparison, step by step, and what follows from it."""
    for h in HORIZONS:
        for to in ("btc", "others"):
            horizons = [group[h] for group in groups]
            tested = sorted((f for f in horizons if f["p_vs_" + to] is not None), key=lambda f: f["p_vs_" + to])
            for f in horizons:
                f["p_vs_" + to + "_holm"] = f["median_vs_" + to + "_interval_holm"] = None
            level = 0.05
            for i, f in enumerate(tested):
                adjusted = max(min(1, (len(tested) - j) * g["p_vs_" + to]) for j, g in enumerate(tested[: i + 1]))
                if i == 0 or tested[i - 1]["p_vs_" + to + "_holm"] < 0.05:
                    level = 0.05 / (len(tested) - i)
                f["p_vs_" + to + "_holm"] = adjusted
                f["median_vs_" + to + "_interval_holm"] = f["samples"][to].interval(level)
                f["samples"][to].level = level
            for f in horizons:
                name = "verdict" if to == "btc" else "verdict_vs_others"
                sample = f["samples"][to]
                suffix = "" if to == "btc" else "_vs_others"
                f[name] = verdict_of(f, to, sample, h)
                f["would_show" + suffix + "_percentage_points"], f["days_until_least_shows" + suffix] = until(
                    f, to, sample, h
                )
    for group in groups:
        for h in HORIZONS:
            del group[h]["samples"], group[h]["blocks"]


def verdict_of(f, to, sample, h):
    if sample.n == 0:
        return None
    if f["p_vs_" + to] is None:
        return "too_few_days"
    if f["p_vs_" + to + "_holm"] < 0.05:
        return ("above_" if sample.m > 0 else "below_") + to
    interval = f["median_vs_" + to + "_interval_holm"]
    if interval is not None and -LEAST[h] <= interval[0] and interval[1] <= LEAST[h]:
        return "none"
    return "unclear"


def until(f, to, sample, h):
    """What would show now, and after how many days in all LEAST would, with a power of 80 %."""
    interval = f["median_vs_" + to + "_interval_95"]
    if f["p_vs_" + to] is None or interval is None:
        return None, None
    error = (interval[1] - interval[0]) / (2 * stats.t.isf(0.025, sample.df))
    days = sample.days
    for _ in range(10):
        df = sample.df * days / sample.days
        days = sample.days * ((stats.t.isf(sample.level / 2, max(df, 1)) + 0.84) * error / LEAST[h]) ** 2
    return (stats.t.isf(sample.level / 2, sample.df) + 0.84) * error, days


def figures_of(cards, now, btc, compared, whole=None):
    due = [card for card in cards if time_of(card) + 25 * 3_600_000 <= now]
    share = sum("context_scope" in card for card in due) / len(due) if due else None
    horizons = {h: horizon_of(cards, h, btc, compared[h], whole) for h in HORIZONS}
    return {"rows": len(cards), "bought_share": share, **horizons}


def grouped(cards, key_of, now, btc, whole, answers=None):
    others = {}
    for h in HORIZONS:
        pairs = [pair for pair in differences_of(cards, h) if pair[1]["source_symbol"] not in btc]
        others[h] = against_others(pairs, key_of)
    groups = {}
    for key in sorted({key_of(card) for card in cards}):
        compared = {h: [pair for pair in others[h] if key_of(pair[1]) == key] for h in HORIZONS}
        groups[key] = figures_of([card for card in cards if key_of(card) == key], now, btc, compared, whole)
    if answers is not None:
        services = {}
        for h in HORIZONS:
            pairs = [pair for pair in differences_of(cards, h) if pair[1]["source_symbol"] not in btc]
            services[h] = service_of(answers, cards, pairs, h, whole[h]["blocks"][1], btc)
        use_service(groups, services)
    judge(list(groups.values()))
    return groups


def main():
    now = int(sys.argv[1])
    for directory in sys.stdin.read().splitlines():
        cards = cards_of(directory)
        btc = btc_symbols(cards)
        together = figures_of(cards, now, btc, {h: None for h in HORIZONS})
        types = grouped(cards, lambda card: card["source_bot_type"], now, btc, together, answers_of(directory))
        symbols = grouped(cards, lambda card: card["source_symbol"], now, btc, together)
        judge([together])
        print(json.dumps({"all": together, "type": types, "symbol": symbols}))


if __name__ == "__main__":
    main()
