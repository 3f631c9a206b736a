import { expect, it } from 'vitest'
import { testLog } from '../testing-log.ts'
import { lanesOf } from './session-lanes.tsx'

const call = (id: number, session?: string) =>
  testLog({ id, other: session === undefined ? {} : { session: { id: session, state: 'hit' } } })

it('draws a session from its first to its last call on the page, past the calls of others', () => {
  const lanes = lanesOf([call(1), call(2, 'a'), call(3, 'b'), call(4, 'a'), call(5)])
  expect([1, 2, 3, 4, 5].map((id) => lanes.get(id)?.[0])).toEqual([
    { above: false, below: false, call: false },
    { above: false, below: true, call: true },
    { above: true, below: true, call: false },
    { above: true, below: false, call: true },
    { above: false, below: false, call: false },
  ])
  // A session with one call has no line.
  expect(lanes.get(3)).toHaveLength(1)
})

it('draws the two sessions with most calls', () => {
  const lanes = lanesOf(['a', 'b', 'c', 'a', 'b', 'c', 'b', 'c'].map((session, id) => call(id, session)))
  expect(lanes.get(0)).toEqual([
    { above: false, below: false, call: false },
    { above: false, below: false, call: false },
  ])
  expect(lanes.get(1)?.[0]).toEqual({ above: false, below: true, call: true })
})
