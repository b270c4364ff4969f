'use strict';

// undici's assertions in the place of `node:assert`. That module has Node warn on standard error where both NO_COLOR and
// FORCE_COLOR are set, and an error there has to be one line of JSON.
module.exports = (value, message = 'an assertion of undici') => {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
