import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readRequest, testsOf, usage } from './request.ts';

const rooms = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('of a room alone is 36 mutations, and all tests of each room are there', () => {
  for (const room of rooms) {
    expect(readRequest([room], rooms)).toEqual({
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
  [[], 'Name one room.'],
  [['api', 'cli'], 'Name one room.'],
  [['kitchen'], 'There is no room kitchen.'],
  [['api', '--count', '0'], '--count takes a whole number.'],
  [['api', '--count', 'many'], '--count takes a whole number.'],
  [['api', '--seed', 'x'], '--seed takes a whole number.'],
  [['api', '--tests', 'nowhere'], 'There is no test/nowhere.'],
  [['api', '--weight'], expect.stringContaining("Unknown option '--weight'")],
])('%j is refused', (words, trouble) => {
  expect(readRequest(words, rooms)).toEqual({ trouble });
});
