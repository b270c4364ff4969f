'use strict';

// What cli-table3 and ora measure text with, in the place of the package of this name: the same function as everything
// else, so that the columns of a table line up, and without the emoji table that half of a table's time went into.
module.exports = require('../src/output/table/measure.ts').measure;
