/** The words of `signals export --outcomes`; what they mean is in selection.ts. */
export const OUTCOME_ORDERS = ['spread', 'newest', 'oldest', 'none'] as const;

/**
 * `spread`: by a fixed hash of the card's id, so that what is bought is a random sample of all days and types, the same on
 * every machine and after every kill; `none`: no outcomes at all.
 */
export type OutcomeOrder = (typeof OUTCOME_ORDERS)[number];
