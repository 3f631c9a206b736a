import { describe, expect, it } from 'vitest'
import { doubledName, faultLine, outerNames } from './json-place.ts'

describe('the fault of a JSON text', () => {
  it.each([
    ['{\n  "a": 1,\n  "b": \n}', 4],
    ['{"a": 1,}', 1],
    ['{\n  "a": 1\n', 3],
    ['', 1],
    ['{\n"a": "tab\there"}', 2],
    ['{\n"a": 01}', 2],
    ['{"a": 1}\n{"b": 2}', 2],
    ['[1,\n2\n}', 3],
    ['{a: 1}', 1],
    ['{"a"\n1}', 2],
  ])('of %j stands in line %s', (text, line) => {
    expect(faultLine(text)).toBe(line)
  })

  it.each(['{"a": [1, "}"], "b": {}, "c": [], "d": -1.5e3, "e\\"": null}', '[]', ' "x" ', 'true'])(
    'is none in %s',
    (text) => {
      JSON.parse(text)
      expect(faultLine(text)).toBeNull()
    },
  )
})

describe('the names of an object', () => {
  it('are the outermost ones, with their lines', () => {
    const text = '{\n  "a:b": {"inner": 1},\n  "c": ["x", {"y": 2}],\n  "d\\"": "e: f"\n}'
    expect(outerNames(text)).toEqual([
      { name: 'a:b', line: 2 },
      { name: 'c', line: 3 },
      { name: 'd"', line: 4 },
    ])
  })

  it('are reported when one is duplicated', () => {
    expect(doubledName('{\n"a": 1,\n"b": 2,\n"a": 3\n}')).toEqual({ name: 'a', line: 4 })
    expect(doubledName('{"a": {"a": 1}}')).toBeUndefined()
  })
})
