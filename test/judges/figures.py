"""The figures of outcome histories, straight from their definitions, with numpy and scipy: none of the program's code."""

import math

import numpy as np
from beta import Betas
from medians import DAY, HORIZONS, LEAST, THREE_ERRORS, TWO_ERRORS, ByT, Gathered, Median, against_others, clean
from medians import known, last_settled, middle, quantile, tail, text_of
from rule import MARGIN, to_do, word_of
from service import service_of

KEYS = {
    "all": lambda card: None,
    "type": lambda card: card["source_bot_type"],
    "symbol": lambda card: card["source_symbol"],
}


def share_of(differences, h, whole):
    """[the share above 0 of those that are not 0, its 95 % interval]."""
    untied = [(value > 0, card) for value, card in known(differences) if value != 0]
    if not untied:
        return None, None
    above, cards = np.array([is_above for is_above, _ in untied], dtype=float), [card for _, card in untied]
    share = float(above.mean())
    sample = Median([], h, whole)
    sample.spread(above - share, cards, share * (1 - share))
    if sample.clusters < 6 or share in (0, 1):
        return share, None
    half = quantile(0.025, sample.df) * math.sqrt(sample.variance)
    return share, [max(0, share - half), min(1, share + half)]


def sizes_of(moves):
    return [(abs(move), card) for move, card in moves]


def figures_of(own, moves, sizes, to_btc, to_others):
    """@param own: Gathered; moves and all after it: estimates; to_others: None if groups are not so compared"""
    n, lost = moves.n, moves.lost
    share, interval_of_share = share_of(own.differences, own.h, to_btc.whole)
    others = to_others or Median([], own.h)
    is_of_service = isinstance(to_others, ByT)
    return {
        "sample": n,
        "pending": own.pending,
        "missing": own.missing,
        "other_states": own.other,
        "without_outcome": own.without,
        "distinct_symbols": len({card["source_symbol"] for _, card in moves.pairs}),
        "distinct_days": moves.days,
        "clusters": moves.clusters,
        "cluster_days": moves.block,
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "quartiles_move_pct": [float(np.quantile(moves.x, q)) for q in (0.25, 0.75)] if n else None,
        "median_size_pct": middle(np.abs(moves.x).tolist()) if n else None,
        "median_size_pct_interval_95": sizes.interval(0.05),
        "missing_share": lost / (lost + n) if lost + n else None,
        "missing_move_interval_95": moves.bounds(0.05),
        "cards_of_btc": own.of_btc,
        "btc_sample": to_btc.n,
        "btc_clusters": to_btc.clusters,
        "median_vs_btc_percentage_points": to_btc.m,
        "median_vs_btc_interval_95": to_btc.interval(TWO_ERRORS),
        "median_vs_btc_interval_997": to_btc.interval(THREE_ERRORS),
        "missing_interval_95": to_btc.bounds(0.05),
        "share_above_btc": share,
        "share_above_btc_interval_95": interval_of_share,
        "p_vs_btc": to_btc.p(),
        "median_vs_others_percentage_points": others.m,
        "median_vs_others_interval_95": others.interval(TWO_ERRORS),
        "median_vs_others_interval_997": others.interval(THREE_ERRORS),
        "p_vs_others": others.p(),
        "vs_others_from": None if to_others is None else "service" if is_of_service else "bought",
        "service_windows": others.windows if is_of_service else None,
        "service_sample": others.n if is_of_service else None,
        "service_median_vs_btc_percentage_points": others.vs_btc if is_of_service else None,
    }


def named(word, to):
    return f"{word}_{to}" if word in ("above", "below") else word


def shows(estimate):
    """The smallest difference that would be given a word."""
    ends = estimate.interval(THREE_ERRORS)
    return None if ends is None else MARGIN + (ends[1] - ends[0]) / 2


def widening(estimate, level):
    """What missing outcomes add to an interval."""
    if not estimate.lost and not getattr(estimate, "beyond", 0):
        return 0
    own, wide = estimate.interval(level), estimate.bounds(level)
    if own is None or wide is None or None in wide:
        return math.inf
    return max(0, own[0] - wide[0], wide[1] - own[1])


def error_of(estimate):
    """None without an interval, or without an error."""
    ends = estimate.interval(TWO_ERRORS)
    if ends is None or ends[0] == ends[1]:
        return None
    return (ends[1] - ends[0]) / (2 * quantile(TWO_ERRORS / 2, estimate.df))


def days_to_word(estimate, h):
    """Calendar days, in steps of 30 up to 180 of outcomes, until a word is likely to stand; None: not so soon."""
    least, error = LEAST[h], error_of(estimate)
    if error is None:
        return None
    own, prior = error**2, least**2
    for more in range(30, 180 - estimate.span + 1, 30):
        now = estimate.span / (estimate.span + more)
        # What is known of the noise of the outcomes so far; that of those to come is not known.
        noise, left = estimate.m * own / (prior + own), own - own**2 / (prior + own)
        mean = estimate.m - (1 - now) * noise
        sd = math.sqrt((1 - now) ** 2 * (left + own * now / (1 - now)))
        df = max(1, estimate.df / now)

        def half(level):
            # Of a few outcomes the rank interval of three errors is wider than theirs.
            ends = estimate.interval(level)
            if ends is None:
                return math.inf
            narrower = quantile(level / 2, df) / quantile(level / 2, estimate.df) * math.sqrt(now)
            return (ends[1] - ends[0]) / 2 * narrower + widening(estimate, level)

        far, near = MARGIN + half(THREE_ERRORS), half(TWO_ERRORS)
        bound = min(far, least - near)
        chance = 0 if far == math.inf else tail((far - mean) / sd, estimate.df) + tail((far + mean) / sd, estimate.df)
        if bound > 0:
            chance += 1 - tail((bound - mean) / sd, estimate.df) - tail((bound + mean) / sd, estimate.df)
        if chance >= 0.75:
            return more
    return None


def next_medians(kind, cards, answers, now):
    """When daily exports, of which the last ran just now, ask for a type's medians next; None: not, as far as is known."""
    recent = [card for card in cards if card["source_bot_type"] == kind and card["time"] > now - 30 * DAY]
    asked = []
    for one in answers:
        is_apart = not asked or one["at"] - asked[-1] >= 30 * DAY - DAY // 24
        if one["type"] == kind and one["at"] <= now + DAY and is_apart:
            asked.append(one["at"])
    begun = min(card["time"] for card in cards) + 15 * DAY
    following = min(now, asked[-1]) + 30 * DAY if asked else now + math.ceil((begun - now) / DAY) * DAY
    return None if len(recent) < 8 else max(now, following)


def wait_of(estimate, h, now, sitting):
    """When a word is likely; None if not within 90 days. Medians come every 30 days from the next sitting on."""
    more = days_to_word(estimate, h)
    return None if more is None else when(estimate, more, now, sitting)


def is_of_service(estimate, sitting):
    """Whether a word waits for the service to be asked."""
    return isinstance(estimate, ByT) and sitting is not None


def when(estimate, more, now, sitting):
    expected = now + more * DAY
    if is_of_service(estimate, sitting):
        late = estimate.asked + more * DAY - sitting
        expected = sitting + max(0, math.ceil((late - DAY / 24) / (30 * DAY))) * 30 * DAY
    return None if expected - now > 90 * DAY else expected


# Of its due outcomes, from which on what was bought decides; days after which the service's answer no longer does.
NEARLY_ALL, TOO_OLD = 0.9, 45 * DAY


def less(one, other):
    """[the difference of two medians, the same with its error: Welch and Satterthwaite, if it has one]."""
    if one.m is None or other.m is None:
        return None, None
    value, ends = clean(one.m - other.m), [one.interval(TWO_ERRORS), other.interval(TWO_ERRORS)]
    if None in ends:
        return value, None
    v = [((e[1] - e[0]) / (2 * quantile(TWO_ERRORS / 2, m.df))) ** 2 for e, m in zip(ends, (one, other))]
    if sum(v) == 0:
        return value, None
    df = sum(v) ** 2 / (v[0] ** 2 / one.df + v[1] ** 2 / other.df)
    return value, ByT(value, math.sqrt(sum(v)), df, n=one.n + other.n)


class Groups:
    """Cards by type, symbol, or all together, at one horizon: what each is compared with, and what decides."""

    def __init__(self, cards, h, by, btc, since={}):
        """@param since: the first moment of a type's present settings"""
        key_of = KEYS[by]
        self.h, self.by, self.keys = h, by, sorted({key_of(card) for card in cards})
        present = {key: [] for key in self.keys}
        self.newest = {}
        for card in cards:
            self.newest[key_of(card)] = max(card["time"], self.newest.get(key_of(card), 0))
            present[key_of(card)] += [card] if card["time"] >= since.get(key_of(card), -math.inf) else []
        self.own = {key: Gathered(own, h, btc) for key, own in present.items()}
        everything, self.has_others = Gathered(cards, h, btc), by in ("type", "symbol")
        whole = Gathered([card for own in present.values() for card in own], h, btc)
        self.moves = self.sizes = block = 1
        if by != "all":
            self.moves, block = Median(whole.moves, h).block, Median(whole.differences, h).block
            self.sizes = Median(sizes_of(whole.moves), h).block
        self.to_btc = {key: Median(own.differences, h, block) for key, own in self.own.items()}
        self.bought, self.plain, self.share_with_others = ({key: None for key in self.keys} for _ in range(3))
        self.betas = Betas(everything.with_btc)
        explained = {card["id"]: self.betas.explained(card, btc) for _, btc, card in everything.with_btc}
        self.pairs = [(clean(value - explained.get(card["id"], 0)), card) for value, card in everything.differences]
        if self.has_others:
            beside, without = against_others(self.pairs, key_of), against_others(everything.differences, key_of)
            for key, own in present.items():
                ids = {card["id"] for card in own}
                of_key = lambda pairs: [pair for pair in pairs if pair[1]["id"] in ids]
                self.bought[key], self.plain[key] = Median(of_key(beside), h), Median(of_key(without), h)
            self.share_with_others = shares_with_others([c for c in cards if c["source_symbol"] not in btc], present, key_of)

    def decide(self, services, now, sources={}):
        """@param services: the service's estimates; sources: what decided until now"""
        self.to_others, self.deciding = {}, {}
        for key, bought in self.bought.items():
            service = services.get(key)
            best = bought
            if service and service.asked >= now - TOO_OLD:
                source = sources.get(key) or ("bought" if self.bought_share(key, now) >= NEARLY_ALL else "service")
                best = service if source == "service" else bought
            self.to_others[key] = best
            is_with_others = best and best.n and self.share_with_others[key] >= 0.5
            self.deciding[key] = best if is_with_others else self.to_btc[key]

    def bought_share(self, key, now):
        due = [card for card in self.own[key].cards if card["time"] + DAY <= now]
        return sum("context_scope" in card for card in due) / len(due) if due else 0

    def lately(self, key, last_day, steady):
        """[the last 30 days, before, their difference] of what decides, beside the same types on both sides.

        @param steady: the types whose settings did not change since the group's begin"""
        one = self.deciding[key]
        if isinstance(one, ByT):
            return one.lately
        ids = {card["id"] for card in self.own[key].cards}
        pairs = known(self.own[key].differences)
        is_new = lambda card: card["day"] > last_day - 30
        if one is not self.to_btc[key]:
            begun = min((card["time"] for card in self.own[key].cards), default=0)
            since = [pair for pair in known(self.pairs) if pair[1]["time"] >= begun]
            sides = [{KEYS[self.by](card) for _, card in since if is_new(card) == side} for side in (True, False)]
            both = (sides[0] & sides[1] & steady) | {key}
            kept = [pair for pair in since if KEYS[self.by](pair[1]) in both]
            pairs = [pair for pair in against_others(kept, KEYS[self.by]) if pair[1]["id"] in ids]
        last, before = ([pair for pair in pairs if is_new(pair[1]) == side] for side in (True, False))
        halves = Median(last, self.h), Median(before, self.h)
        difference = less(*halves)[1]
        return None if difference is None else [*halves, difference]

    def steady(self, key, since):
        """The groups whose settings did not change since this group's begin."""
        own = since.get(key, min((card["time"] for card in self.own[key].cards), default=0))
        return {other for other in self.keys if since.get(other, -math.inf) <= own}

    def parts_of(self, key, now, since):
        lately = self.lately(key, last_settled(now, "24h"), self.steady(key, since))
        part = lambda one: lately and {"percentage_points": one.m, "interval_95": one.interval(TWO_ERRORS)}
        return {"last_30_days": lately and part(lately[0]), "before": lately and part(lately[1])}

    def beta_of(self, key):
        one = self.to_others[key]
        if one is None or one.m is None:
            return None
        return one.beta if isinstance(one, ByT) else self.plain[key].m - one.m

    def figures(self, now, sittings, since, late):
        """By group; judged. @param sittings: the next one of each; late: the types that are bought after others"""
        found = {}
        for key, own in self.own.items():
            moves, one, others = Median(own.moves, self.h, self.moves), self.deciding[key], self.to_others[key]
            sizes = Median(sizes_of(own.moves), self.h, self.sizes)
            to = "btc" if one is self.to_btc[key] else "others"
            to_btc, vs_others, shown = (word_of(each, LEAST[self.h]) for each in (self.to_btc[key], others, one))
            is_silent = now - self.newest[key] > 14 * DAY
            is_waiting = shown == "unclear" and self.h == "24h" and not is_silent
            is_foreseen = is_of_service(one, sittings[key]) or key not in late
            until = wait_of(one, self.h, now, sittings[key]) if is_waiting and is_foreseen else None
            found[key] = figures_of(own, moves, sizes, self.to_btc[key], others) | {
                "others_sample": self.bought[key].n if self.has_others else None,
                "verdict": named(to_btc, "btc"),
                "verdict_vs_others": named(vs_others, "others"),
                "beta_percentage_points": self.beta_of(key),
                "shown_clusters": one.clusters,
                "weak": one.clusters < 12,
                "would_show_percentage_points": shows(one) if one.n else None,
                "shown_verdict": named(shown, to) if self.h == "24h" else None,
                "to_do": to_do(shown, to, to_btc) if self.h == "24h" else None,
                **self.parts_of(key, now, since),
                "days_until_least_shows": (until - now) / DAY if until else None,
                "vs_btc_would_show_percentage_points": shows(self.to_btc[key]) if self.to_btc[key].n else None,
                "verdict_since": None,
                "since_then": None,
            }
        return found


def shares_with_others(cards, present, key_of):
    """Of each group's listed cards the share that has three of other groups on its day."""
    listed, shares = {}, {}
    for card in cards:
        listed.setdefault(card["day"], []).append(key_of(card))
    ids = {card["id"] for card in cards}
    for key, own in present.items():
        has = [sum(other != key for other in listed[card["day"]]) >= 3 for card in own if card["id"] in ids]
        shares[key] = sum(has) / len(has) if has else 0
    return shares


def cards_per_day(cards, until, begins):
    counted = [card for card in cards if max(until - 28 * DAY, begins - 1) < card["time"] <= until]
    rate = len(counted) / max(1, min(28, (until - begins) / DAY))
    return math.floor(100 * rate + 0.5) / 100


def coincides_with(own, cards):
    """Types of which at least half of the own cards have a card on their symbol within an hour: the largest share first."""
    counts = {}
    for card in own:
        near = {
            other["source_bot_type"]
            for other in cards
            if other["source_symbol"] == card["source_symbol"] and abs(other["time"] - card["time"]) <= DAY / 24
        }
        for kind in near - {card["source_bot_type"]}:
            counts[kind] = counts.get(kind, 0) + 1
    shares = sorted(((count / len(own), kind) for kind, count in counts.items()), reverse=True)
    return [share for share, _ in shares if share >= 0.5]


def of_group(key, own, cards, by, now, since):
    """The figures of a group that are of no horizon."""
    due = [card for card in own if card["time"] + DAY <= now]
    begun, begins = since.get(key) if by == "type" else None, min(card["time"] for card in cards)
    of_any_settings = [card for card in cards if KEYS[by](card) == key]
    if begun is not None and begun > begins and now - begun < DAY:
        per_day = cards_per_day(of_any_settings, begun, begins)
    else:
        per_day = cards_per_day(of_any_settings, now, max(begins, begun or begins))
    shares = coincides_with(own, cards) if by == "type" else []
    return {
        "rows": len(own),
        "bought": sum("context_scope" in card for card in own),
        "due": len(due),
        "bought_share": sum("context_scope" in card for card in due) / len(due) if due else None,
        "cards_per_day": per_day,
        "settings_since": None if begun is None else text_of(begun),
        "coincides_with": {**{str(i): {"share": share} for i, share in enumerate(shares)}, "length": len(shares)},
    }


def passed_over(cards, now, in_focus):
    """The types whose outcomes are bought after those of others: nobody knows when."""
    due = [card for card in cards if card["time"] + DAY <= now]
    recent = [card for card in due if card["time"] + DAY > now - 28 * DAY]
    is_bought = lambda card: "context_scope" in card
    is_nearly_all = recent and sum(map(is_bought, recent)) >= NEARLY_ALL * len(recent)
    is_any_left = any(card["source_bot_type"] in in_focus and not is_bought(card) for card in due)
    if is_nearly_all or not is_any_left:
        return set()
    return {card["source_bot_type"] for card in cards} - set(in_focus)


def grouped(cards, now, by, btc, answers=(), since={}, in_focus=()):
    """By group and horizon: one look, without a notebook."""
    found, late = {}, passed_over(cards, now, in_focus)
    for h in HORIZONS:
        groups = Groups(cards, h, by, btc, since)
        services = service_of(answers, cards, known(groups.pairs), h, btc, since, groups.betas) if answers else {}
        groups.decide(services, now)
        keys = groups.keys
        sittings = {key: next_medians(key, cards, answers, now) if by == "type" else None for key in keys}
        for key, figures in groups.figures(now, sittings, since, late).items():
            figures["next_medians_at"] = text_of(sittings[key]) if sittings[key] else None
            if key not in found:
                found[key] = {**of_group(key, groups.own[key].cards, cards, by, now, since), "horizons": {}}
            found[key]["horizons"][h] = figures
    return found
