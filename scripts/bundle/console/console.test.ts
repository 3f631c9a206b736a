import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Headers } from './web-classes.ts'
import { listenerWithoutFetch, withoutHttpImports } from './without-fetch.ts'

/** Change of headers; a test compares the headers after several of them. */
type Step = readonly ['append' | 'set' | 'delete', name: string, value: string]

const names = fc.constantFrom(
  'Accept',
  'accept',
  'Set-Cookie',
  'set-cookie',
  'Vary',
  'X-One',
  '',
  'a b',
  'ü',
  '__proto__',
)
const values = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.constantFrom(' a ', '\tb\r\n', 'c\nd', 'é', '余', '', 'a=1; Path=/', '\0'),
)
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(fc.constantFrom('append', 'set', 'delete'), names, values),
  { maxLength: 12 },
)

const outcome = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    return error instanceof TypeError ? 'TypeError' : error
  }
}

type Some = Headers | globalThis.Headers

const factsAfter = (headers: Some, history: readonly Step[]): unknown => {
  const answers = history.map(([does, name, value]) =>
    outcome(() => (does === 'delete' ? headers.delete(name) : headers[does](name, value))),
  )
  const asked = history.map(([, name]) => outcome(() => [headers.get(name), headers.has(name)]))
  return [answers, asked, [...headers], [...headers.keys()], [...headers.values()], headers.getSetCookie()]
}

describe('headers of the bundle', () => {
  it('say after any history what Node’s own say', () => {
    fc.assert(
      fc.property(steps, (history) => {
        expect(factsAfter(new Headers(), history)).toEqual(factsAfter(new globalThis.Headers(), history))
      }),
      { numRuns: 1000 },
    )
  })

  it('are made of pairs and of objects, and Node’s own of them', () => {
    const pairs: [string, string][] = [
      ['Set-Cookie', 'a=1'],
      ['Vary', 'a'],
      ['set-cookie', 'b=2'],
      ['vary', 'b'],
    ]
    expect([...new Headers(pairs)]).toEqual([...new globalThis.Headers(pairs)])
    expect([...new globalThis.Headers(new Headers(pairs))]).toEqual([...new globalThis.Headers(pairs)])
    expect([...new Headers({ B: '1', a: '2' })]).toEqual([...new globalThis.Headers({ B: '1', a: '2' })])
  })
})

describe('modules of the bundle', () => {
  it('name members of node:http without importing it', () => {
    expect(withoutHttpImports('import { IncomingMessage as Read, createServer } from "node:http";\nrest')).toBe(
      "const { IncomingMessage: Read, createServer } = process.getBuiltinModule('node:http');\nrest",
    )
  })

  it('are not built of a listener that reads otherwise', () => {
    expect(() => listenerWithoutFetch('export {}')).toThrow(/holds no/)
  })
})
