'use strict';

// undici's assertions in the place of `node:assert`, which takes 5 ms to load and has Node warn where both NO_COLOR and
// FORCE_COLOR are set.
module.exports = (value, message = 'an assertion of undici') => {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
