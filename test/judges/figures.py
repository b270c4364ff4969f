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
# Of all groups of a family together.
FAMILY = 0.015


def cards_of(directory):
    cards = {}
    for path in glob.glob(directory + "/signals-*.ndjson"):
        with open(path, encoding="utf-8") as file:
            for line in file:
                card = json.loads(line)
                card["time"] = millis(card["created_at"])
                card["day"] = card["time"] // DAY
                cards[card["id"]] = card
    return list(cards.values())


def millis(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc).timestamp() * 1000)


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


def quantile(level, df):
    """Student's t that is exceeded so often; one step of Newton's, as SciPy 1.10 has it right to 5e-9 only."""
    t = stats.t.isf(level, df)
    return t + (stats.t.sf(t, df) - level) / stats.t.pdf(t, df)


class Spread:
    """How sure a mean of scores is; by matrices, where the program uses sums."""

    def __init__(self, scores, cards, horizon, floor, whole=1):
        days = np.array([card["day"] for card in cards], dtype=int)
        self.clusters, self.block, self.days = 0, 1 if horizon == "1h" else 2, len(set(days.tolist()))
        self.span = int(days.max() - days.min()) + 1 if len(days) else 0
        if len(days) == 0:
            return
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
        self.variance = max(by_days, floor / len(scores))
        symbols = np.array([card["source_symbol"] for card in cards])
        if len(set(symbols.tolist())) >= 8:
            by_symbols, df = clustered(symbols, scores)
            cells = [f"{block} {symbol}" for block, symbol in zip(blocks, symbols)]
            both = by_days + by_symbols - clustered(cells, scores, cells=True)[0]
            if both > self.variance:
                self.variance, self.df = both, min(self.df, df)


class Median(Spread):
    """Inference on the median of values by days and symbols, by trials."""

    def __init__(self, values, cards, horizon, whole=1):
        self.x = np.array(values, dtype=float)
        self.n = len(values)
        self.m = middle(values) if self.n else None
        scores = np.where(self.x < self.m, 0.5, np.where(self.x > self.m, -0.5, 0.0)) if self.n else self.x
        super().__init__(scores, cards, horizon, 0.25, whole)

    def distance(self, value):
        return max(0.0, float(np.mean(self.x < value)) - 0.5, float(np.mean(self.x > value)) - 0.5)

    def within(self, t, level):
        half = t * math.sqrt(self.variance)
        if half >= 0.5 and 2.0 ** (1 - self.clusters) > level:
            return None
        kept = [v for v in np.unique(self.x) if self.distance(v) <= half]
        return [min(kept), max(kept)]

    def interval(self, level):
        return self.within(quantile(level / 2, self.df), level) if self.clusters >= 6 else None

    def p(self, value):
        if self.clusters < 6:
            return None
        distance = self.distance(value)
        p = 2 * stats.t.sf(distance / math.sqrt(self.variance), self.df)
        return min(p, 2.0 ** (1 - self.clusters)) if distance == 0.5 else p


def with_missing(known, missing, horizon, whole, level=0.05):
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
        t = optimize.brentq(lambda t: law.cdf(t + width) - law.cdf(-t) - 1 + level, 0.1, law.isf(0.4 * level), xtol=1e-14)
        found = sample.within(t, level)
        ends.append(None if found is None or math.isinf(found[end]) else found[end])
    return ends


def share_of(untied, cards, horizon, whole):
    """[the share, its 95 % interval] of what is true."""
    if not untied:
        return None, None
    share = sum(untied) / len(untied)
    sample = Spread(np.array(untied, dtype=float) - share, cards, horizon, share * (1 - share), whole)
    if sample.clusters < 6 or share in (0, 1):
        return share, None
    half = quantile(0.025, sample.df) * math.sqrt(sample.variance)
    return share, [max(0, share - half), min(1, share + half)]


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
    compared, days = [], {}
    for value, card in differences:
        days.setdefault(card["day"], []).append((group_of(card), value))
    for value, card in differences:
        others = [other for group, other in days[card["day"]] if group != group_of(card)]
        if len(others) >= 3:
            compared.append((clean(value - middle(others)), card))
    return compared


def days_with_others(differences, key, key_of):
    """The days with 3 or more differences of other groups."""
    days = [card["day"] for _, card in differences if key_of(card) != key]
    return {day for day in days if days.count(day) >= 3}


def unknown_of(cards, h, btc):
    """Cards whose difference to BTC is missing, and no longer pending."""
    lost = [c for c, s, move, b in outcomes_of(cards, h) if s == "missing" or s == "available" and None in (move, b)]
    return [card for card in lost if card["source_symbol"] not in btc]


def horizon_of(cards, h, btc, compared, whole):
    """@param compared: differences to the others' median of the day, of this group's cards, and the days that have others; None without groups; whole: all cards"""
    block_of_moves = whole and whole[h]["blocks"][0] or 1
    block = whole and whole[h]["blocks"][1] or 1
    outcomes = outcomes_of(cards, h)
    measured = [(card, move) for card, state, move, _ in outcomes if state == "available" and move is not None]
    missing = [c for c, state, move, _ in outcomes if state == "missing" or state == "available" and move is None]
    moves = Median([move for _, move in measured], [card for card, _ in measured], h, block_of_moves)
    pairs = [(value, card) for value, card in differences_of(cards, h) if card["source_symbol"] not in btc]
    differences = Median([value for value, _ in pairs], [card for _, card in pairs], h, block)
    untied = [(value > 0, card) for value, card in pairs if value != 0]
    share, interval_of_share = share_of([is_above for is_above, _ in untied], [card for _, card in untied], h, block)
    unknown = unknown_of(cards, h, btc)
    own, days = compared or ([], set())
    others = Median([value for value, _ in own], [card for _, card in own], h)
    unknown_beside = [card for card in unknown if card["day"] in days]
    differences.bounds = lambda level: with_missing(pairs, unknown, h, block, level)
    others.bounds = lambda level: with_missing(own, unknown_beside, h, 1, level)
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
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "quartiles_move_pct": [float(np.quantile(moves.x, q)) for q in (0.25, 0.75)] if measured else None,
        "median_size_pct": middle([abs(move) for _, move in measured]) if measured else None,
        "missing_share": len(missing) / (len(missing) + len(measured)) if missing or measured else None,
        "missing_move_interval_95": with_missing([(move, card) for card, move in measured], missing, h, block_of_moves),
        "cards_of_btc": sum(card["source_symbol"] in btc for _, card in differences_of(cards, h)),
        "btc_sample": len(pairs),
        "btc_clusters": differences.clusters,
        "median_vs_btc_percentage_points": differences.m,
        "median_vs_btc_interval_95": differences.interval(0.05),
        "missing_interval_95": with_missing(pairs, unknown, h, block),
        "share_above_btc": share,
        "share_above_btc_interval_95": interval_of_share,
        "p_vs_btc": differences.p(0),
        "others_sample": None if compared is None else others.n,
        "median_vs_others_percentage_points": others.m,
        "median_vs_others_interval_95": others.interval(0.05),
        "p_vs_others": others.p(0),
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
    return [{"at": millis(line["asked_at"]), **line} for line in lines]


def trusted(answer, cards, h, btc):
    """An answer that is of these cards."""
    said, at = answer["stats"]["horizons"][h], answer["at"]
    listed = [c for c in cards if c["source_bot_type"] == answer["type"] and at - 30 * DAY < c["time"] <= at]
    if answer["stats"]["sample_limited"]:
        listed = sorted(listed, key=lambda c: c["time"], reverse=True)[: answer["stats"]["sampled_rows"]]
    counted = said["sample"] + said["pending"] + said["missing"]
    median = said["median_vs_btc_percentage_points"]
    if answer["stats"]["stale"] or median is None or said["btc_sample"] < 20 or not listed:
        return []
    if abs(counted - len(listed)) > len(listed) / 10:
        return []
    if sum(card["source_symbol"] in btc for card in listed) > 0.05 * len(listed):
        return []
    lost = max(0.0, 1 - said["btc_sample"] / (said["sample"] + said["missing"]))
    return [{"at": at, "type": answer["type"], "median": median, "n": said["btc_sample"], "cards": listed, "lost": lost}]


class Parts:
    """Of what the variance of a median is made, from sums over all pairs of bought outcomes, as one matrix."""

    def __init__(self, bought, answers, block):
        x = np.array([value for value, _ in bought])
        days = np.array([card["day"] for _, card in bought], dtype=int)
        symbols = np.array([card["source_symbol"] for _, card in bought])
        types = np.array([card["source_bot_type"] for _, card in bought])
        self.block, self.known, self.n = block, False, len(x)
        if len(x) < 30 or len(set((days // block).tolist())) < 6:
            return
        centre = {t: float(np.median(x[types == t])) for t in set(types.tolist())}
        for t in {one["type"] for one in answers}:
            said = [one for one in answers if one["type"] == t]
            centre[t] = float(np.average([one["median"] for one in said], weights=[one["n"] for one in said]))
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
        # Where cards of one type go together on a day more than those of different types, and clearly.
        same_type = types[:, None] == types
        apart = mean(same_day & ~same_type & ~same_symbol)
        more = mean(same_day & same_type & ~same_symbol) - max(0.0, apart)
        pairs = int((same_day & same_type & ~same_symbol & other).sum())
        self.of_type_day = more if pairs and more > 1.64 * float(np.mean(psi**2)) * math.sqrt(2 / pairs) else 0.0
        of_one_day = apart if self.of_type_day > 0 else mean(same_day & ~same_symbol)
        self.of_day = max(0.0, of_one_day + margin - self.of_block)
        count = len(set(symbols.tolist()))
        self.of_symbol = max(0.0, mean(same_symbol & ~same_block)) if count >= 8 else 0.0
        self.of_cell = max(0.0, mean(same_day & same_symbol) - self.of_day - self.of_block - self.of_symbol)
        self.d_own, self.d_days, self.d_symbols = 0.64 * len(x) ** 0.8, len(set((days // block).tolist())) - 1, count - 1

    def own(self, t):
        square = self.density(t) ** -2
        return max(square / 4 - self.of_cell - self.of_day - self.of_type_day - self.of_block - self.of_symbol, square / 10)

    def of_days(self, listed, weights):
        """What cards have in common that share a day, a block of days, or day and symbol."""
        return sum(
            part * float(np.sum((members(keys) @ weights) ** 2))
            for part, keys in (
                (self.of_cell, [f"{c['day']} {c['source_symbol']}" for c in listed]),
                (self.of_day, [c["day"] for c in listed]),
                (self.of_type_day, [f"{c['day']} {c['source_bot_type']}" for c in listed]),
                (self.of_block, [c["day"] // self.block for c in listed]),
            )
        )


    def of_symbols(self, listed, weights):
        return self.of_symbol * float(np.sum((members([c["source_symbol"] for c in listed]) @ weights) ** 2))


def agrees(one, bought, parts):
    """Whether not 5 or more bought outcomes contradict the answer, at 99.9 %."""
    ids = {card["id"] for card in one["cards"]}
    own = [(value, card) for value, card in bought if card["id"] in ids]
    if len(own) < 5:
        return True
    cards = [card for _, card in own] + one["cards"]
    weights = np.array([1 / len(own)] * len(own) + [-1 / len(one["cards"])] * len(one["cards"]))
    variance = parts.own(one["type"]) * max(1 / len(own) - 1 / one["n"], 0.1 / one["n"])
    variance += parts.of_days(cards, weights) + parts.of_symbols(cards, weights)
    off = abs(float(np.median([value for value, _ in own])) - one["median"]) / math.sqrt(variance)
    return 2 * stats.t.sf(off, parts.n / 5) >= 0.001


def variance_of(terms, parts):
    """[own, shared, of symbols] of a weighted sum of answers: (answer, weight)."""
    listed = [card for one, _ in terms for card in one["cards"]]
    weights = np.concatenate([np.full(len(one["cards"]), weight / len(one["cards"])) for one, weight in terms])
    own = sum(weight**2 * parts.own(one["type"]) / one["n"] for one, weight in terms)
    return np.array([own, parts.of_days(listed, weights), parts.of_symbols(listed, weights)])


def service_of(answers, cards, bought, h, btc, since):
    """{type: the difference to the other types, each by its nearest answer}, as of when the newest answer came."""
    if not answers:
        return {}
    newest = max(answer["at"] for answer in answers)
    last = last_settled(newest, h)
    known = [(value, card) for value, card in bought if card["day"] <= last]
    latest = [(v, c) for v, c in known if c["day"] > max(card["day"] for _, card in known) - 365]
    block = Median([value for value, _ in latest], [card for _, card in latest], h).block
    first = Parts(latest, [], block)
    if not first.known:
        return {}
    told = [one for answer in sorted(answers, key=lambda a: a["at"]) for one in trusted(answer, cards, h, btc)]
    told = [one for one in told if agrees(one, known, first)]
    parts = Parts(latest, told, block)
    parts = parts if parts.known else first
    found = {}
    for t in {one["type"] for one in told}:
        windows = []
        for one in told:
            is_present = one["at"] - 30 * DAY >= since.get(t, -math.inf)
            if one["type"] == t and is_present and (not windows or one["at"] - windows[-1]["at"] >= 30 * DAY - DAY // 24):
                windows.append(one)
        looks = []
        for one in windows:
            near = []
            for other in {two["type"] for two in told} - {t}:
                best = min((two for two in told if two["type"] == other), key=lambda two: abs(two["at"] - one["at"]))
                near += [best] if abs(best["at"] - one["at"]) < 30 * DAY else []
            if near:
                total = sum(two["n"] for two in near)
                looks.append((one, [(one, 1.0)] + [(two, -two["n"] / total) for two in near]))
        if not looks:
            continue
        share = np.array([1 / variance_of(terms, parts).sum() for _, terms in looks])
        share /= share.sum()
        terms = [(one, a * weight) for a, (_, of) in zip(share, looks) for one, weight in of]
        merged = {id(one): (one, sum(w for two, w in terms if two is one)) for one, _ in terms}
        own, days, symbols = variance_of(list(merged.values()), parts)
        value = sum(weight * one["median"] for one, weight in merged.values())
        doubt = own**2 / parts.d_own + days**2 / parts.d_days
        doubt += symbols**2 / parts.d_symbols if symbols > 0 else 0
        lost = sum(a * one["lost"] for a, (one, _) in zip(share, looks)) / parts.density(t) / 2
        df = (own + days + symbols) ** 2 / doubt
        sample, blocks = sum(one["n"] for one, _ in looks), parts.d_days + 1
        found[t] = Service(value, math.sqrt(own + days + symbols), df, len(looks), sample, blocks, lost)
    return found


class Service:
    def __init__(self, value, error, df, windows, sample, blocks, lost):
        self.m, self.error, self.df, self.windows, self.sample = value, error, df, windows, sample
        self.n, self.span, self.clusters, self.lost = sample, 30 * windows, blocks, lost

    def interval(self, level):
        half = quantile(level / 2, self.df) * self.error
        return [self.m - half, self.m + half]

    def p(self, _):
        return 2 * stats.t.sf(abs(self.m) / self.error, self.df)

    def bounds(self, level):
        low, high = self.interval(level)
        return [low - self.lost, high + self.lost] if self.lost else None


def narrower(bought, service):
    interval = bought.interval(0.05)
    if service is None or interval and interval[1] - interval[0] <= 2 * (service.interval(0.05)[1] - service.m):
        return bought
    return service


def use_service(groups, services):
    """Where the service's interval is narrower, the comparison with others is from it."""
    for t, group in groups.items():
        for h in HORIZONS:
            f, service = group[h], services[h].get(t)
            f["vs_others_from"], f["service_windows"], f["service_sample"] = "bought", None, None
            if narrower(f["samples"]["others"], service) is not service or service is None:
                continue
            f["vs_others_from"], f["service_windows"], f["service_sample"] = "service", service.windows, service.sample
            f["median_vs_others_percentage_points"], f["p_vs_others"] = service.m, service.p(0)
            f["median_vs_others_interval_95"] = service.interval(0.05)
            f["samples"]["others"] = service


def stepped(tests, family):
    """Holm: of each test its adjusted p, and the level at which it was decided."""
    order = sorted(range(len(tests)), key=lambda i: tests[i]["p"])
    reached, level = 0.0, family
    for place, i in enumerate(order):
        if reached < family:
            level = family / (len(tests) - place)
        reached = max(reached, min(1.0, tests[i]["p"] * (len(tests) - place)))
        tests[i]["holm"], tests[i]["level"] = reached, level


def judge(groups):
    """Holm's procedure within each horizon and comparison, and what follows from it."""
    for h in HORIZONS:
        horizons = [group[h] for group in groups]
        for to in ("btc", "others"):
            tests = [{"p": f["p_vs_" + to], "f": f} for f in horizons if f["p_vs_" + to] is not None]
            stepped(tests, FAMILY)
            for f in horizons:
                f["p_vs_" + to + "_holm"] = f["median_vs_" + to + "_interval_holm"] = None
            for test in tests:
                test["f"]["p_vs_" + to + "_holm"] = test["holm"]
                test["f"]["median_vs_" + to + "_interval_holm"] = test["f"]["samples"][to].interval(test["level"])
            for f in horizons:
                f["verdict" if to == "btc" else "verdict_vs_others"] = verdict_of(f, to, f["samples"][to], h)
        # What is shown: the comparison with others, with BTC where there are none; one family.
        tests = []
        for f in horizons:
            sample = f["samples"]["others"] if f["samples"]["others"].n > 0 else f["samples"]["btc"]
            f["would_show_percentage_points"], f["weak"] = None, sample.clusters < 12
            if sample.n > 0 and sample.p(0) is not None:
                tests.append({"p": sample.p(0), "f": f, "sample": sample})
        stepped(tests, FAMILY)
        for test in tests:
            test["sample"].level = test["level"]
            test["f"]["would_show_percentage_points"] = would_show(test["sample"], test["level"])
    for group in groups:
        for h in HORIZONS:
            del group[h]["samples"], group[h]["blocks"]


def word_of(sample, holm, h):
    """The verdict of a sample that was tested, wherever the missing outcomes lie."""
    low, high = sample.bounds(0.05) or sample.interval(0.05) or [None, None]
    if holm < FAMILY and sample.m > 0 and low is not None and low > 0:
        return "above"
    if holm < FAMILY and sample.m < 0 and high is not None and high < 0:
        return "below"
    ranges = [sample.interval(0.1), sample.bounds(0.1) or sample.interval(0.1)]
    if all(r and r[0] is not None and r[1] is not None and -LEAST[h] <= r[0] and r[1] <= LEAST[h] for r in ranges):
        return "none"
    return "unclear"


def verdict_of(f, to, sample, h):
    p = f["p_vs_" + to]
    if sample.n == 0 or p is None:
        return None if sample.n == 0 else "too_few_days"
    return named(word_of(sample, f["p_vs_" + to + "_holm"], h), to)


def named(word, to):
    return f"{word}_{to}" if word in ("above", "below") else word


def error_of(sample):
    low, high = sample.interval(0.05) or [math.nan, math.nan]
    return (high - low) / (2 * quantile(0.025, sample.df))


def would_show(sample, level):
    """What would show now, with a power of 80 %."""
    found = (quantile(level / 2, sample.df) + 0.84) * error_of(sample)
    return None if math.isnan(found) else found


def figures_of(cards, now, btc, compared, whole=None):
    due = [card for card in cards if card["time"] + 25 * 3_600_000 <= now]
    share = sum("context_scope" in card for card in due) / len(due) if due else None
    horizons = {h: horizon_of(cards, h, btc, compared[h], whole) for h in HORIZONS}
    return {"rows": len(cards), "bought_share": share, **horizons}


def by_month(cards, now, btc, whole):
    """Beside BTC, as no other month has cards of the same day."""
    groups = {}
    for key in sorted({card["created_at"][:7] for card in cards}):
        own = [card for card in cards if card["created_at"][:7] == key]
        groups[key] = figures_of(own, now, btc, {h: None for h in HORIZONS}, whole)
    judge(list(groups.values()))
    return groups


def last_settled(at, h):
    """The last UTC day whose outcomes were due then."""
    return (at - (DAY // 24 if h == "1h" else DAY)) // DAY - 1


def looks_of(now, answers):
    """26 Mondays, and the end of each sitting: answers within a day."""
    sittings = []
    for at in sorted(answer["at"] for answer in answers if answer["at"] < now):
        if sittings and at - sittings[-1][0] <= DAY:
            sittings[-1].append(at)
        else:
            sittings.append([at])
    # 1970 began on a Thursday.
    monday = (now // DAY - 4) // 7 * 7 + 4
    mondays = [(monday - 7 * week) * DAY for week in range(26)]
    return sorted({at for at in mondays + [max(sitting) for sitting in sittings] if at < now})


def words_at(samples, before, h):
    """@param samples: by group, of the comparison shown; @param before: the words of the look before"""
    words = {t: "too_few_days" for t, sample in samples.items() if sample.n > 0}
    tests = [{"of": t, "p": samples[t].p(0)} for t in words if samples[t].p(0) is not None]
    stepped(tests, FAMILY)
    for test in tests:
        t, sample = test["of"], samples[test["of"]]
        side = "above" if sample.m > 0 else "below" if sample.m < 0 else None
        low, high = sample.bounds(0.05) or (sample.m, sample.m)
        is_sure = None not in (low, high) and (low > 0 or high < 0)
        is_kept = before.get(t) == side and test["p"] < 0.05 and is_sure
        words[t] = side if is_kept else word_of(sample, test["holm"], h)
    return words


def since_of(t, words, times, compared, h):
    """[since when the latest word stands, the cards after]"""
    word, first = words[-1].get(t), len(words) - 1
    if word not in ("above", "below", "none"):
        return {"shown_verdict": word, "verdict_since": None, "since_then": None}
    while first > 0 and words[first - 1].get(t) == word:
        first -= 1
    later = [(value, card) for value, card in compared if card["time"] >= times[first]]
    after = Median([value for value, _ in later], [card for _, card in later], h)
    said = {"cards": after.n, "difference_percentage_points": after.m, "interval_95": after.interval(0.05)}
    return {"shown_verdict": word, "verdict_since": times[first], "since_then": said if after.n else None}


def until(sample, h):
    """How many calendar days more until LEAST would show, with a power of 80 %."""
    error = error_of(sample)
    days = sample.span
    for _ in range(10):
        df = max(1, sample.df * days / sample.span)
        days = sample.span * ((quantile(sample.level / 2, df) + 0.84) * error / LEAST[h]) ** 2
    return max(0, days - sample.span)


def samples_at(at, cards, key_of, h, btc, answers, since):
    """By group, the sample of the comparison shown, as of a look: nothing counts that was not settled then."""
    known = [card for card in cards if card["day"] <= last_settled(at, h)]
    pairs = [pair for pair in differences_of(known, h) if pair[1]["source_symbol"] not in btc]
    beside, samples = against_others(pairs, key_of), {}
    block = Median([value for value, _ in pairs], [card for _, card in pairs], h).block
    bought = [pair for pair in differences_of(cards, h) if pair[1]["source_symbol"] not in btc]
    services = service_of([one for one in answers if one["at"] <= at], cards, bought, h, btc, since)
    for key in {key_of(card) for card in cards}:
        mine = [card for card in known if key_of(card) == key and card["time"] >= since.get(key, -math.inf)]
        ids, days = {card["id"] for card in mine}, days_with_others(pairs, key, key_of)
        unknown, whole = unknown_of(mine, h, btc), 1
        own = [pair for pair in beside if pair[1]["id"] in ids]
        if own:
            unknown = [card for card in unknown if card["day"] in days]
        else:
            own, whole = [pair for pair in pairs if pair[1]["id"] in ids], block
        sample = Median([value for value, _ in own], [card for _, card in own], h, whole)
        sample.bounds = lambda level, a=(own, unknown, h, whole): with_missing(*a, level)
        samples[key] = narrower(sample, services.get(key))
    return samples


def grouped(cards, key_of, now, btc, whole, answers=None, since={}):
    others, differences = {}, {}
    for h in HORIZONS:
        differences[h] = [pair for pair in differences_of(cards, h) if pair[1]["source_symbol"] not in btc]
        others[h] = against_others(differences[h], key_of)
    groups, samples = {}, {}
    for key in sorted({key_of(card) for card in cards}):
        own = [card for card in cards if key_of(card) == key and card["time"] >= since.get(key, -math.inf)]
        ids = {card["id"] for card in own}
        compared = {
            h: ([pair for pair in others[h] if pair[1]["id"] in ids], days_with_others(differences[h], key, key_of))
            for h in HORIZONS
        }
        groups[key] = figures_of(own, now, btc, compared, whole)
    if answers is not None:
        use_service(groups, {h: service_of(answers, cards, differences[h], h, btc, since) for h in HORIZONS})
        samples = {key: group["24h"]["samples"] for key, group in groups.items()}
    judge(list(groups.values()))
    if answers is not None:
        add_past(groups, samples, cards, key_of, now, btc, answers, since, others["24h"])
    return groups


def add_past(groups, samples, cards, key_of, now, btc, answers, since, others):
    """The verdicts shown after 24 h, since when they stand, and what came after."""
    times = [*looks_of(now, answers), now]
    words = [{}]
    for at in times[:-1]:
        words.append(words_at(samples_at(at, cards, key_of, "24h", btc, answers, since), words[-1], "24h"))
    shown = {key: "others" if own["others"].n > 0 else "btc" for key, own in samples.items()}
    words.append(words_at({key: own[shown[key]] for key, own in samples.items()}, words[-1], "24h"))
    for key, group in groups.items():
        if shown[key] == "others":
            said = since_of(key, words[1:], times, [pair for pair in others if key_of(pair[1]) == key], "24h")
            is_unclear = said["shown_verdict"] == "unclear"
            said["days_until_least_shows"] = until(samples[key]["others"], "24h") if is_unclear else None
            group["24h"] |= said | {"shown_verdict": named(said["shown_verdict"], "others")}


def main():
    now = int(sys.argv[1])
    for line in sys.stdin.read().splitlines():
        directory, *changed = line.split("\t")
        cards, since = cards_of(directory), {"type_0": int(time) for time in changed}
        btc = btc_symbols(cards)
        together = figures_of(cards, now, btc, {h: None for h in HORIZONS})
        present = [card for card in cards if card["time"] >= since.get(card["source_bot_type"], -math.inf)]
        whole = figures_of(present, now, btc, {h: None for h in HORIZONS})
        types = grouped(cards, lambda card: card["source_bot_type"], now, btc, whole, answers_of(directory), since)
        groups = {
            "symbol": grouped(cards, lambda card: card["source_symbol"], now, btc, together),
            "month": by_month(cards, now, btc, together),
        }
        judge([together])
        print(json.dumps({"all": together, "type": types, **groups}), flush=True)


if __name__ == "__main__":
    main()
