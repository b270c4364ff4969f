// Loaded before the program (NODE_OPTIONS=--require): its wall clock is CLOCK_AHEAD milliseconds ahead of the machine's.
const ahead = Number(process.env.CLOCK_AHEAD ?? 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + ahead] : given));
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
