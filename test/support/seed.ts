import fc from 'fast-check';

/**
 * CI decides whether a change lands: it asks the same questions each time, so that no change fails by another one's
 * unlucky draw. Everywhere else the draws are new each time, and a failure prints its seed.
 */
if (process.env.CI === 'true') fc.configureGlobal({ seed: 1 });
