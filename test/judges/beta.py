"""How far each symbol moves with BTC: drawn towards the slope of its types, and those towards that of all."""

import numpy as np

# What types' true slopes vary by, at least.
LEAST_BETWEEN = 0.0625


class Betas:
    """Least squares of a symbol's moves on BTC's, each type's mean taken off both."""

    def __init__(self, outcomes):
        """@param outcomes: (move, BTC's move, card), bought and measured, without BTC's own cards"""
        self.symbols, self.types, self.pooled, self.days = {}, {}, 1.0, {}
        self.errors, self.between = {}, LEAST_BETWEEN
        for _, btc, card in outcomes:
            self.days.setdefault(card["day"], []).append(btc)
        self.days = {day: float(np.mean(moves)) for day, moves in self.days.items()}
        if len(outcomes) < 100:
            return
        y = np.array([move for move, _, _ in outcomes], dtype=float)
        b = np.array([btc for _, btc, _ in outcomes], dtype=float)
        types = np.array([card["source_bot_type"] for _, _, card in outcomes])
        symbols = np.array([card["source_symbol"] for _, _, card in outcomes])
        for t in set(types.tolist()):
            y[types == t] -= y[types == t].mean()
            b[types == t] -= b[types == t].mean()
        total = float(b @ b)
        if total == 0:
            return
        self.pooled = float(b @ y) / total
        residual = float(np.sum((y - self.pooled * b) ** 2)) / (len(y) - len(set(types.tolist())) - 1)
        of_types = slopes_by(types, b, y)
        towards = {t: self.pooled for t in of_types}
        between = between_of(of_types, towards, residual)
        self.types = drawn(of_types, towards, residual)
        self.between = max(between, LEAST_BETWEEN)
        for t, (squares, _) in of_types.items():
            # The raw slope is wrong by its noise, the pooled one by the type's own distance; the drawn one is a mixture of both.
            mixture = np.array([share_kept(between, residual, squares), 0.0])
            mixture[1] = 1 - mixture[0]
            of_mixture = float(mixture**2 @ [residual / squares, self.between])
            self.errors[t] = min(of_mixture, residual / squares)
        of_symbols = slopes_by(symbols, b, y)
        typical = np.array([self.types.get(t, self.pooled) for t in types.tolist()])
        towards = {s: float(np.average(typical[symbols == s], weights=b[symbols == s] ** 2)) for s in of_symbols}
        self.symbols = drawn(of_symbols, towards, residual)

    def of(self, card):
        return self.symbols.get(card["source_symbol"], self.types.get(card["source_bot_type"], self.pooled))

    def error_of(self, t):
        """The variance of the error of a type's slope."""
        return self.errors.get(t, self.between)

    def explained(self, card, btc):
        """Percentage points of a card's difference to BTC."""
        return (self.of(card) - 1) * btc

    def btc_of(self, cards):
        """The mean move of BTC on the days of listed cards."""
        return float(np.mean([self.days.get(card["day"], 0.0) for card in cards]))

    def explained_of(self, cards):
        """The mean over listed cards, by the mean move of BTC on their days."""
        return float(np.mean([self.explained(card, self.days.get(card["day"], 0.0)) for card in cards]))


def slopes_by(labels, b, y):
    """{label: [sum of squares of BTC's move, slope]}"""
    found = {}
    for label in set(labels.tolist()):
        own = labels == label
        squares = float(b[own] @ b[own])
        if squares > 0:
            found[label] = squares, float(b[own] @ y[own]) / squares
    return found


def between_of(slopes, towards, residual):
    """DerSimonian & Laird (1986): the variance of the slopes beyond that of their errors."""
    total = sum(squares for squares, _ in slopes.values())
    excess = sum(squares * (slope - towards[one]) ** 2 for one, (squares, slope) in slopes.items())
    spread = total - sum(squares**2 for squares, _ in slopes.values()) / total
    return max(0.0, (excess - residual * (len(slopes) - 1)) / spread) if spread > 0 else 0.0


def share_kept(between, residual, squares):
    return between / (between + residual / squares) if between > 0 else 0.0


def drawn(slopes, towards, residual):
    between, found = between_of(slopes, towards, residual), {}
    for one, (squares, slope) in slopes.items():
        found[one] = towards[one] + share_kept(between, residual, squares) * (slope - towards[one])
    return found
