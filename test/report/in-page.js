// Runs in the page: what the tests ask of it.

globalThis.unfold = () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
};

/** What a text of the service could have become, had it become markup. */
globalThis.whatIsForeign = () => ({
  title: document.title,
  foreign: document.querySelectorAll('script,img,iframe,object,embed,link,a,form,foreignObject').length,
  handlers: [...document.querySelectorAll('*')].filter((one) =>
    [...one.attributes].some(({ name }) => name.startsWith('on')),
  ).length,
  width: document.documentElement.scrollWidth,
  turned: /[\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent ?? ''),
});

/** The forest's marks, read back through the labels of its axis. */
globalThis.readForest = () => {
  const number = (text) => Number(text.replace('−', '-').replace('+', ''));
  const middle = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return (left + right) / 2;
  };
  const ticks = [...document.querySelectorAll('.forest tfoot text')].map((text) => ({
    x: middle(text),
    value: number(text.textContent),
  }));
  const first = ticks[0];
  const last = ticks.at(-1);
  const valueAt = (x) => first.value + ((x - first.x) * (last.value - first.value)) / (last.x - first.x);
  let part = '';
  return [...document.querySelectorAll('.forest tbody tr')].flatMap((row) => {
    if (row.classList.contains('part')) part = row.textContent;
    const dot = row.querySelector('circle');
    const line = row.querySelector('line.iv');
    if (dot === null) return [];
    // A line's own box is widened by its round ends: its attributes say where it ends.
    const box = row.querySelector('svg').getBoundingClientRect();
    const end = (name) => box.left + (box.width * Number.parseFloat(line.getAttribute(name))) / 100;
    return [
      {
        part,
        name: row.querySelector('th').textContent,
        verdict: row.querySelector('.verdict').textContent,
        estimate: valueAt(middle(dot)),
        low: valueAt(end('x1')),
        high: valueAt(end('x2')),
      },
    ];
  });
};
