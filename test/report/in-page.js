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
  turned: /[\u115f\u200b\u3164\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent ?? ''),
});

/** Places as the browser resolved them: pixels of the picture, from its left and from above. */
const placesOf = (svg) => {
  const value = (element, name) => element[name].baseVal.value;
  const readMark = (element) => {
    const look = element.getAttribute('class');
    const kind = element.tagName;
    if (kind === 'rect') {
      const [left, top, width, height] = ['x', 'y', 'width', 'height'].map((name) => value(element, name));
      return { kind, look, left, top, right: left + width, bottom: top + height };
    }
    if (kind === 'circle') return { kind, look, x: value(element, 'cx'), y: value(element, 'cy') };
    if (kind === 'line') {
      const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => value(element, name));
      return { kind, look, x1, y1, x2, y2 };
    }
    const path = element.querySelector('path');
    if (path === null) return undefined;
    const scale = svg.getBoundingClientRect().width / element.viewBox.baseVal.width;
    const points = [...path.getAttribute('d').matchAll(/[ML]([\d.]+),([\d.]+)/g)];
    return {
      kind: 'path',
      look: path.getAttribute('class'),
      points: points.map(([, x, y]) => ({ x: Number(x) * scale, y: Number(y) })),
    };
  };
  return [...svg.children].map(readMark).filter((mark) => mark !== undefined);
};

/** A tick stands before its label. */
const ticksOf = (root, axis) =>
  [...root.querySelectorAll(`text.tick.${axis}`)].map((text) => ({
    text: text.textContent,
    at: text.previousElementSibling[`${axis}1`].baseVal.value,
  }));

/** The pictures of a section. */
globalThis.readPlots = (section) =>
  [...document.querySelectorAll(`#${section} .plot > svg`)].map((svg) => ({
    x: ticksOf(svg, 'x'),
    y: ticksOf(svg, 'y'),
    marks: placesOf(svg),
  }));

/** Each list of medians: its axis, and what stands in each line. */
globalThis.readForests = () =>
  [...document.querySelectorAll('.forest')].map((forest) => ({
    name: forest.querySelector('ul').getAttribute('aria-label'),
    x: ticksOf(forest.querySelector('.scale'), 'x'),
    rows: [...forest.querySelectorAll('li')].map((row) => ({
      name: row.querySelector('.name').textContent,
      value: row.querySelector('.value').textContent,
      verdict: [...row.querySelectorAll('.verdict span')].map((one) => one.textContent).join('  '),
      marks: placesOf(row.querySelector('svg')),
    })),
  }));

/** The tables of a section that are no `details`: the texts of their cells, and their looks. */
globalThis.readTables = (section) =>
  [...document.querySelectorAll(`#${section} > .wide > table`)].map((table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => ({ text: cell.textContent, look: cell.className }))),
  );
