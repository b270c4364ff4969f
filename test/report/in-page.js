// Runs in the page: what the tests ask of it.

/** What a text of the service could have become, had it become markup. */
globalThis.whatIsForeign = () => ({
  title: document.title,
  foreign: document.querySelectorAll('script,img,iframe,object,embed,link,a,form,foreignObject')
    .length,
  handlers: [...document.querySelectorAll('*')].filter((one) =>
    [...one.attributes].some(({ name }) => name.startsWith('on')),
  ).length,
  width: document.documentElement.scrollWidth,
  turned: /[\u115f\u200b\u3164\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent ?? ''),
});

/** How many places and widths the axis and the rows of each column of each picture have: the most of them. */
globalThis.scalesOfForest = () => {
  const counts = [...document.querySelectorAll('.forest')].flatMap((forest) =>
    [1, 2].map((column) => {
      const drawn = forest.querySelectorAll(`.scale-${column} svg, .draw-${column}`);
      const places = [...drawn]
        .map((picture) => picture.getBoundingClientRect())
        // A narrow page has one axis for both columns.
        .filter(({ width }) => width > 0)
        .map(({ left, width }) => `${left} ${width}`);
      return new Set(places).size;
    }),
  );
  return Math.max(...counts);
};
