"""What the service's own medians say of each type beside the others, by sums over all pairs of bought outcomes."""

import math

import numpy as np
from medians import DAY, ByT, Median, members
from scipy import stats


def trusted(answer, cards, h, btc, since):
    """None, or an answer that is of these cards, wholly under the present settings."""
    said, at, whole = answer["stats"]["horizons"][h], answer["at"], answer["stats"]
    listed = [c for c in cards if c["source_bot_type"] == answer["type"] and at - 30 * DAY < c["time"] <= at]
    if whole["sample_limited"]:
        listed = sorted(listed, key=lambda c: c["time"], reverse=True)[: whole["sampled_rows"]]
    counted, few = said["sample"] + said["pending"] + said["missing"], max(len(listed) / 10, len(listed) ** 0.5)
    median, n = said["median_vs_btc_percentage_points"], said["btc_sample"]
    if at - 30 * DAY < since.get(answer["type"], -math.inf):
        return None
    if whole["stale"] or median is None or n < 8 or not listed or abs(counted - len(listed)) > few:
        return None
    of_btc = sum(card["source_symbol"] in btc for card in listed)
    if of_btc > few / 2:
        return None
    lost = max(said["sample"] + said["missing"], len(listed) - said["pending"]) - n
    return {"at": at, "type": answer["type"], "median": median, "n": n, "cards": listed, "lost": lost / n, "of_btc": of_btc / len(listed)}


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
            spreads[t] = math.exp((n * math.log(own if n else 1) + 40 * math.log(spread)) / (n + 40))
        scaled = residuals / np.array([spreads[t] for t in types])
        low, high = np.quantile(scaled, [0.25, 0.75])
        widths = [scaled.std(), (high - low) / 1.349]
        width = 0.9 * (min(widths) if widths[1] > 0 else widths[0]) * len(x) ** -0.2
        at_zero = float(np.mean(stats.norm.pdf(scaled / width)) / width)
        self.density = lambda t: at_zero / spreads.get(t, spread)
        psi = np.sign(residuals) / 2 / np.array([self.density(t) for t in types])
        self.share_between(psi, days, symbols, types)

    def share_between(self, psi, days, symbols, types):
        """What cards have in common that share a day, a block, a symbol, day and symbol, or day and type."""
        products, other = np.outer(psi, psi), ~np.eye(len(psi), dtype=bool)
        same_day, same_block, same_symbol, same_type = (
            labels[:, None] == labels for labels in (days, days // self.block, symbols, types)
        )
        count = len(set(symbols.tolist()))

        def mean(which):
            which = which & other
            return float(products[which].mean()) if which.any() else 0.0

        def error(which):
            """Of such a mean, if cards had nothing in common."""
            pairs = int((which & other).sum())
            return float(np.mean(psi**2)) * math.sqrt(2 / pairs) if pairs else math.inf

        on_a_day = same_day & ~same_symbol
        of_types, apart = on_a_day & same_type, mean(on_a_day & ~same_type)
        self.of_block = max(0.0, mean(same_block & ~same_day & ~same_symbol))
        # Where cards of one type go together on a day more than those of different types, and clearly.
        more = mean(of_types) - max(0.0, apart)
        self.of_type_day = more if more > 1.64 * error(of_types) else 0.0
        of_one_day = apart if self.of_type_day > 0 else mean(on_a_day)
        margin = 0.5 * error(on_a_day) if (on_a_day & other).any() else 0.0
        self.of_day = max(0.0, of_one_day + margin - self.of_block)
        self.of_symbol = max(0.0, mean(same_symbol & ~same_block)) if count >= 8 else 0.0
        self.of_cell = max(0.0, mean(same_day & same_symbol) - self.of_day - self.of_block - self.of_symbol)
        self.shared = self.of_cell + self.of_day + self.of_type_day + self.of_block + self.of_symbol
        self.d_own, self.d_symbols = 0.64 * len(psi) ** 0.8, count - 1
        self.d_days = len(set((days // self.block).tolist())) - 1

    def own(self, t):
        square = self.density(t) ** -2
        return max(square / 4 - self.shared, square / 10)

    def of_days(self, listed, weights):
        keys_of = (
            (self.of_cell, lambda c: f"{c['day']} {c['source_symbol']}"),
            (self.of_day, lambda c: c["day"]),
            (self.of_type_day, lambda c: f"{c['day']} {c['source_bot_type']}"),
            (self.of_block, lambda c: c["day"] // self.block),
        )
        return sum(part * squares(map(key_of, listed), weights) for part, key_of in keys_of)

    def of_symbols(self, listed, weights):
        return self.of_symbol * squares((c["source_symbol"] for c in listed), weights)


def squares(labels, weights):
    return float(np.sum((members(list(labels)) @ weights) ** 2))


def variance_of(terms, parts):
    """[own, shared, of symbols] of a weighted sum of answers: (answer, weight)."""
    listed = [card for one, _ in terms for card in one["cards"]]
    weights = np.concatenate([np.full(len(one["cards"]), weight / len(one["cards"])) for one, weight in terms])
    own = sum(weight**2 * parts.own(one["type"]) / one["n"] for one, weight in terms)
    return np.array([own, parts.of_days(listed, weights), parts.of_symbols(listed, weights)])


def windows_of(t, told):
    """The answers of a type, one after the other."""
    windows = []
    for one in told:
        is_apart = not windows or one["at"] - windows[-1]["at"] >= 30 * DAY - DAY // 24
        if one["type"] == t and is_apart:
            windows.append(one)
    return windows


def beside_nearest(one, told):
    """An answer less the mean of the other types', of each the nearest."""
    near = []
    for other in {two["type"] for two in told} - {one["type"]}:
        best = min((two for two in told if two["type"] == other), key=lambda two: abs(two["at"] - one["at"]))
        near += [best] if abs(best["at"] - one["at"]) < 30 * DAY else []
    total = sum(two["n"] for two in near)
    return [(one, 1.0)] + [(two, -two["n"] / total) for two in near]


def without_btc(answer, parts):
    """The median of the cards that are not BTC's, which have a difference of 0: half of their share lies between."""
    moved = 0.5 * answer["of_btc"] / (1 - answer["of_btc"]) / parts.density(answer["type"])
    return answer["median"] + np.sign(answer["median"]) * moved


def service_of(answers, cards, bought, h, btc, since):
    """{type: the difference to the other types}"""
    last = max((card["day"] for _, card in bought), default=0)
    latest = [(value, card) for value, card in bought if card["day"] > last - 365]
    block = Median(latest, h).block
    told = [one for answer in answers if (one := trusted(answer, cards, h, btc, since))]
    parts = Parts(latest, told, block)
    if not parts.known:
        return {}
    found, moved = {}, lambda one: one["lost"] / parts.density(one["type"]) / 2
    for t in {one["type"] for one in told}:
        looks = [beside_nearest(one, told) for one in windows_of(t, told)]
        looks = [terms for terms in looks if len(terms) > 1]
        if not looks:
            continue
        share = np.array([1 / variance_of(terms, parts).sum() for terms in looks])
        share /= share.sum()
        terms = [(one, a * weight) for a, look in zip(share, looks) for one, weight in look]
        merged = {id(one): (one, sum(w for two, w in terms if two is one)) for one, _ in terms}
        own, days, symbols = variance_of(list(merged.values()), parts)
        doubt = own**2 / parts.d_own + days**2 / parts.d_days
        doubt += symbols**2 / parts.d_symbols if symbols > 0 else 0
        windows = [look[0][0] for look in looks]
        found[t] = ByT(
            sum(weight * without_btc(one, parts) for one, weight in merged.values()),
            math.sqrt(own + days + symbols),
            (own + days + symbols) ** 2 / doubt,
            n=sum(one["n"] for one in windows),
            span=30 * len(looks),
            clusters=parts.d_days + 1,
            windows=len(looks),
            lost=sum(weight * moved(one) for one, weight in merged.values() if one["type"] == t),
            beyond=abs(sum(weight * moved(one) for one, weight in merged.values())),
            vs_btc=sum(a * one["median"] for a, one in zip(share, windows)),
            asked=max(one["at"] for one in windows),
        )
    return found


def narrower(bought, service):
    """The service's estimate, unless the bought interval is less than .7 of its width."""
    interval = bought.interval(0.05) if service else None
    wide = interval is None or interval[1] - interval[0] > 1.4 * (service.interval(0.05)[1] - service.m)
    return service if service and wide else bought
