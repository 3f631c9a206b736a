import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editMembers, elements, membersOf } from './json-edit.ts'

const edited = (json: string, changes: Record<string, string | undefined>): string =>
  editMembers(Buffer.from(json), changes).toString()

describe('editMembers', () => {
  it.each([
    ['replaces a value', '{"a": 1, "b":2.50}', { a: '"x"' }, '{"a": "x", "b":2.50}'],
    ['adds at the end', '{"a":1 }', { b: 'true' }, '{"a":1 ,"b":true}'],
    ['adds to an empty object', ' { } ', { b: '[]' }, ' { "b":[]} '],
    ['removes the first', '{"a":1, "b":2}', { a: undefined }, '{"b":2}'],
    ['removes the last', '{"a":1 , "b":[{"c":"}"}]}', { b: undefined }, '{"a":1}'],
    ['removes from the middle', '{"a":1,"b":2,"c":3}', { b: undefined }, '{"a":1,"c":3}'],
    ['removes neighbours', '{"a":1,"b":2,"c":3}', { a: undefined, b: undefined }, '{"c":3}'],
    ['removes neighbours at the end', '{"a":1,"b":2,"c":3}', { b: undefined, c: undefined }, '{"a":1}'],
    ['removes the only one and adds another', '{"a":1}', { a: undefined, b: '2' }, '{"b":2}'],
    ['leaves escaped quotes alone', '{"a\\"":"\\\\","b":"\\\\\\""}', { b: '1' }, '{"a\\"":"\\\\","b":1}'],
    ['changes every one of several', '{"a":1,"b":0,"a":2}', { a: '3' }, '{"a":3,"b":0,"a":3}'],
    ['does not mind nested names', '{"x":{"a":1},"a":1}', { a: '2' }, '{"x":{"a":1},"a":2}'],
  ])('%s', (_, json, changes, expected) => expect(edited(json, changes)).toBe(expected))

  it('returns the same bytes when nothing changes', () => {
    const json = Buffer.from('{"a":1}')
    expect(editMembers(json, { b: undefined })).toBe(json)
  })

  it('equals the same edit of the parsed object, for any object', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 })
    const spaces = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(object, object, fc.array(fc.string()), spaces, fc.nat(), (before, added, removed, indent, pick) => {
        const names = Object.keys(before)
        const gone = [...removed, ...names.slice(0, pick % (names.length + 1))].filter((name) => !(name in added))
        const json = Buffer.from(JSON.stringify(before, undefined, indent))
        const changes = Object.fromEntries([
          ...gone.map((name) => [name, undefined] as const),
          ...Object.entries(added).map(([name, value]) => [name, JSON.stringify(value)] as const),
        ])
        const kept = Object.entries(before).filter(([name]) => !gone.includes(name))
        const expected = Object.fromEntries([...kept, ...Object.entries(added)])
        const result = editMembers(json, changes)
        expect(JSON.parse(result.toString())).toEqual(JSON.parse(JSON.stringify(expected)))
        for (const { name, valueStart, valueEnd } of membersOf(json)) {
          if (Object.hasOwn(changes, name)) continue
          const after = membersOf(result).find((member) => member.name === name)
          expect(result.subarray(after?.valueStart, after?.valueEnd)).toEqual(json.subarray(valueStart, valueEnd))
        }
      }),
    )
  })
})

it('finds the first element of a list', () => {
  expect(elements(Buffer.from('[ {"a":",]"} , 2,[3] ]'), 0)).toEqual([2, 15, 17])
  expect(elements(Buffer.from(' [ ]'), 0)).toEqual([])
})
