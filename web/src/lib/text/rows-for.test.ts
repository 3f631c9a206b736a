import { expect, it } from 'vitest'
import { rowsFor } from './rows-for.ts'

it.each([
  ['', 3],
  ['one\ntwo', 3],
  ['one\ntwo\nthree\nfour', 4],
  ['x'.repeat(400), 5],
  [`${'\n'.repeat(100)}`, 12],
  ['x'.repeat(1_000_000), 12],
])('gives %j a field of %i rows', (text, rows) => {
  expect(rowsFor(text, 3, 12)).toBe(rows)
})
