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

/** How many places and widths the axis and the rows of the forest have. */
globalThis.scalesOfForest = () => {
  const drawn = [...document.querySelectorAll('.scale svg, .draw')].map((one) =>
    one.getBoundingClientRect(),
  );
  return new Set(drawn.map(({ left, width }) => `${left} ${width}`)).size;
};
