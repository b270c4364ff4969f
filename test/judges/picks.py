"""Picked cards beside the cards of their type and UTC day that were not picked."""

from beta import Betas
from figures import named, share_of, shows
from medians import LEAST, THREE_ERRORS, TWO_ERRORS, Gathered, Median, clean, known, middle
from rule import word_of


def cell_of(card):
    return card["source_bot_type"], card["day"]


def beside_unpicked(pairs, picked):
    """Of (value, card), those of picked cards less the median of the others of their type and day."""
    compared = []
    unpicked = [(value, card) for value, card in known(pairs) if card["id"] not in picked]
    for value, card in pairs:
        if card["id"] not in picked:
            continue
        others = [other for other, one in unpicked if cell_of(one) == cell_of(card)]
        if others:
            compared.append((clean(value - middle(others)), card))
    return compared


def figures_of(pairs, h, btc, whole=(1, 1)):
    """Of cards with their differences to BTC. @param whole: the blocks of all types, of moves and of differences"""
    own = Gathered([card for _, card in pairs], h, btc)
    moves, to_btc = Median(own.moves, h, whole[0]), Median(pairs, h, whole[1])
    share, interval_of_share = share_of(pairs, h, whole[1])
    figures = {
        "sample": moves.n,
        "distinct_symbols": len({card["source_symbol"] for _, card in moves.pairs}),
        "distinct_days": moves.days,
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "missing_share": moves.lost / (moves.lost + moves.n) if pairs else None,
        "btc_sample": to_btc.n,
        "median_vs_btc_percentage_points": to_btc.m,
        "median_vs_btc_interval_95": to_btc.interval(TWO_ERRORS),
        "median_vs_btc_interval_997": to_btc.interval(THREE_ERRORS),
        "share_above_btc": share,
        "share_above_btc_interval_95": interval_of_share,
        "verdict": named(word_of(to_btc, LEAST[h]), "btc"),
    }
    return figures, (moves.block, to_btc.block)


def compared_figures(y, plain, h):
    one, without = Median(y, h), Median(plain, h)
    return {
        "others_sample": one.n,
        "median_vs_others_percentage_points": one.m,
        "median_vs_others_interval_95": one.interval(TWO_ERRORS),
        "median_vs_others_interval_997": one.interval(THREE_ERRORS),
        "beta_percentage_points": without.m - one.m if one.n else None,
        "p_vs_others": one.p(),
        "verdict_vs_others": named(word_of(one, LEAST[h]), "others"),
        "would_show_percentage_points": shows(one),
        "shown_clusters": one.clusters,
        "weak": one.clusters < 12,
    }


def picks_of(cards, picked, h, btc):
    """{"picked all": figures, "not_picked type_0": ...}"""
    everything = Gathered(cards, h, btc)
    betas = Betas(everything.with_btc)
    explained = {card["id"]: betas.explained(card, moved) for _, moved, card in everything.with_btc}
    plain = everything.differences
    y = beside_unpicked([(clean(value - explained.get(card["id"], 0)), card) for value, card in plain], picked)
    plain_y = beside_unpicked(plain, picked)
    cells = {cell_of(card) for _, card in y}
    compared = [pair for pair in plain if cell_of(pair[1]) in cells]
    types = sorted({card["source_bot_type"] for card in cards if card["id"] in picked})
    found, blocks = {}, {}
    for kind in [None, *types]:
        of_kind = lambda pairs: [pair for pair in pairs if kind in (None, pair[1]["source_bot_type"])]
        for group, is_picked in (("picked", True), ("not_picked", False)):
            pairs = [pair for pair in of_kind(compared) if (pair[1]["id"] in picked) == is_picked]
            figures, own_blocks = figures_of(pairs, h, btc, blocks.get(group, (1, 1)))
            blocks.setdefault(group, own_blocks)
            if is_picked:
                figures |= compared_figures(of_kind(y), of_kind(plain_y), h)
            found[f"{group} {kind or 'all'}"] = figures
    return found
