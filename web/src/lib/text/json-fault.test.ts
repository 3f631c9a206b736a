import { expect, it } from 'vitest'
import { jsonFault } from './json-fault.ts'

it.each(['', '  \n', '{}', '[1, -2.5e3, "a\\u00e9\\n", null, {"a": [true, false]}]', '"text"', ' 0 '])(
  'finds nothing wrong with %j',
  (text) => {
    expect(jsonFault(text)).toBeUndefined()
  },
)

it.each([
  ['{', 1, 2],
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"a": tru}', 1, 7],
  ["{'a': 1}", 1, 2],
  ['{"a" 1}', 1, 6],
  ['[1, 2', 1, 6],
  ['{"a": 01}', 1, 8],
  ['{"a": "open}', 1, 7],
  ['{} {}', 1, 4],
  ['nonsense', 1, 1],
])('names the place of the fault in %j', (text, line, column) => {
  expect(jsonFault(text)).toEqual({ line, column })
})
