"""What the service's own medians say of each type beside the others, by sums over all pairs of bought outcomes."""

import math

import numpy as np
from medians import DAY, ByT, Median, members


def trusted(answer, cards, h, btc, since, betas):
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
    # BTC's own cards differ from BTC by 0, which shifts a median that counts them.
    own = [card for card in listed if card["source_symbol"] not in btc]
    if len(own) < 0.8 * len(listed):
        return None
    lost = max(said["sample"] + said["missing"], len(listed) - said["pending"]) - n
    answer = {"at": at, "type": answer["type"], "n": n, "cards": listed, "lost": lost / n}
    answer["explained"], answer["btc"] = betas.explained_of(own), betas.btc_of(own)
    answer["slope_error"] = betas.error_of(answer["type"])
    answer["vs_btc"], answer["median"] = median, median - answer["explained"]
    return answer | {"of_btc": 1 - len(own) / len(listed)}


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
        normal = np.exp(-((scaled / width) ** 2) / 2) / math.sqrt(2 * math.pi)
        at_zero = float(np.mean(normal) / width)
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
    own = sum(weight**2 * own_variance(one, parts) for one, weight in terms)
    # What betas take off is as wrong as the slope of the type, in all of its answers alike.
    moved, errors = {}, {one["type"]: one["slope_error"] for one, _ in terms}
    for one, weight in terms:
        moved[one["type"]] = moved.get(one["type"], 0) + weight * one["btc"]
    own += sum(moved[t] ** 2 * errors[t] for t in moved)
    return np.array([own, parts.of_days(listed, weights), parts.of_symbols(listed, weights)])


def shift_of_btc(answer, parts):
    """Half of the share of BTC's own cards lies between the median and that of the other cards."""
    return 0.5 * answer["of_btc"] / (1 - answer["of_btc"]) / parts.density(answer["type"])


def own_variance(answer, parts):
    """BTC's own cards tell nothing, and on which side of 0 the others' median lies may be wrong."""
    return parts.own(answer["type"]) / (answer["n"] * (1 - answer["of_btc"])) + shift_of_btc(answer, parts) ** 2 / 3


def without_btc(answer, parts):
    moved = np.sign(answer["vs_btc"]) * shift_of_btc(answer, parts)
    return answer["median"] + moved


def windows_of(t, told):
    """The newest answer of a type and, going back, each that is a window older than the last one taken; oldest first."""
    windows = []
    for one in sorted(told, key=lambda one: one["at"], reverse=True):
        if one["type"] == t and (not windows or windows[-1]["at"] - one["at"] >= 29 * DAY):
            windows.append(one)
    return windows[::-1]


def nearest(one, told, types):
    """Of each of these types the answer that is nearest in time, if its window overlaps."""
    near = []
    for other in sorted(types - {one["type"]}):
        best = min((two for two in told if two["type"] == other), key=lambda two: abs(two["at"] - one["at"]))
        near += [best] if abs(best["at"] - one["at"]) < 30 * DAY else []
    return near


def beside(one, near):
    """An answer less the mean of others: (answer, weight)."""
    total = sum(two["n"] for two in near)
    return [(one, 1.0)] + [(two, -two["n"] / total) for two in near]


def weighed(looks, parts):
    """The mean of looks by their precision, as one sum: (answer, weight)."""
    share = np.array([1 / variance_of(terms, parts).sum() for terms in looks])
    share /= share.sum()
    return merged([(one, a * weight) for a, look in zip(share, looks) for one, weight in look])


def merged(terms):
    sums = {}
    for one, weight in terms:
        sums[id(one)] = (one, sums.get(id(one), (one, 0.0))[1] + weight)
    return list(sums.values())


def estimate(terms, parts):
    """Satterthwaite's degrees of freedom by parts."""
    own, days, symbols = variance_of(terms, parts)
    doubt = own**2 / parts.d_own + days**2 / parts.d_days
    doubt += symbols**2 / parts.d_symbols if symbols > 0 else 0
    value = sum(weight * without_btc(one, parts) for one, weight in terms)
    return ByT(value, math.sqrt(own + days + symbols), (own + days + symbols) ** 2 / doubt, n=0)


def service_of(answers, cards, bought, h, btc, since, betas):
    """{type: the difference to the other types}. @param bought: (difference less what beta explains, card)"""
    last = max((card["day"] for _, card in bought), default=0)
    latest = [(value, card) for value, card in bought if card["day"] > last - 365]
    told = [one for answer in answers if (one := trusted(answer, cards, h, btc, since, betas))]
    parts = Parts(latest, told, Median(latest, h).block)
    if not parts.known:
        return {}
    types = {one["type"] for one in told}
    return {t: found for t in types if (found := of_type(t, told, types, parts))}


def of_type(t, told, types, parts):
    looks = [(one, near) for one in windows_of(t, told) if (near := nearest(one, told, types))]
    if not looks:
        return None
    terms = weighed([beside(*look) for look in looks], parts)
    own = [(one, weight) for one, weight in terms if one["type"] == t]
    moved = lambda one: one["lost"] / parts.density(one["type"]) / 2
    found = estimate(terms, parts)
    found.n, found.span, found.windows = sum(one["n"] for one, _ in own), 30 * len(looks), len(looks)
    found.clusters, found.asked = parts.d_days + 1, max(one["at"] for one, _ in own)
    found.lost = sum(weight * moved(one) for one, weight in own)
    found.beyond = abs(sum(weight * moved(one) for one, weight in terms))
    found.vs_btc = sum(weight * one["vs_btc"] for one, weight in own)
    found.beta = sum(weight * one["explained"] for one, weight in terms)
    found.lately = lately_of(looks, parts)
    return found


def lately_of(looks, parts):
    """[the newest look, the earlier ones, their difference], beside types that are in both."""
    if len(looks) < 2:
        return None
    newest, earlier = looks[-1], looks[:-1]
    named = lambda near: {two["type"] for two in near}
    both = named(newest[1]) & set().union(*(named(near) for _, near in earlier))
    restricted = lambda one, near: beside(one, [two for two in near if two["type"] in both])
    before = [restricted(one, near) for one, near in earlier if named(near) & both]
    if not both or not before:
        return None
    last, before = restricted(*newest), weighed(before, parts)
    less = merged([*last, *((one, -weight) for one, weight in before)])
    return [estimate(terms, parts) for terms in (last, before, less)]
