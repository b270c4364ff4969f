/** Names of the build's filters that have matched no module yet. */
const unmatched = new Set();

/**
 * A filter of module ids, which all hold `/`: Windows writes them with `\`. A filter that matches nothing builds another
 * program, so the build then fails (`allMatched`).
 */
export function matching(name, pattern) {
  unmatched.add(name);
  return (id) => {
    const isMatch = pattern.test(plainId(id));
    if (isMatch) unmatched.delete(name);
    return isMatch;
  };
}

export function plainId(id) {
  return id.replaceAll('\\', '/');
}

/** The last plugin of the build. */
export function allMatched() {
  return {
    name: 'all-matched',
    generateBundle() {
      if (unmatched.size > 0)
        throw new Error(`Filters of the build that match no module: ${[...unmatched].join(', ')}.`);
    },
  };
}
