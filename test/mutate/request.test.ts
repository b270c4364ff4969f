import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readRequest, testsOf, usage } from './request.ts';

const rooms = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('of a room alone is 36 mutations, and all tests of each room are there', () => {
  for (const room of rooms) {
    expect(readRequest([room], rooms), room).toEqual({
      room,
      count: 36,
      seed: 1,
      file: '',
      tests: testsOf(room).map((place) => `test/${place}`),
    });
  }
});

it('takes a number, a part of the room, and other tests', () => {
  const words = ['api', '--count', '2', '--seed', '3', '--file', 'pages', '--tests', 'e2e'];
  expect(readRequest(words, rooms)).toEqual({
    room: 'api',
    count: 2,
    seed: 3,
    file: 'pages',
    tests: ['test/e2e'],
  });
});

it('is help, which lists every room', () => {
  expect(readRequest(['--help'], rooms)).toBe('help');
  expect(readRequest(['api', '-h'], rooms)).toBe('help');
  for (const room of rooms) expect(usage(rooms)).toContain(room);
});

it.each([
  { words: [], trouble: 'Name one room.' },
  { words: ['api', 'cli'], trouble: 'Name one room.' },
  { words: ['kitchen'], trouble: 'There is no room kitchen.' },
  { words: ['api', '--count', '0'], trouble: '--count takes a whole number.' },
  { words: ['api', '--count', 'many'], trouble: '--count takes a whole number.' },
  { words: ['api', '--seed', 'x'], trouble: '--seed takes a whole number.' },
  { words: ['api', '--tests', 'nowhere'], trouble: 'There is no test/nowhere.' },
  { words: ['api', '--weight'], trouble: expect.stringContaining("Unknown option '--weight'") },
])('$words is refused', ({ words, trouble }) => {
  expect(readRequest(words, rooms)).toEqual({ trouble });
});
