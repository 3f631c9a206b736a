import { describe, expect, it } from 'vitest'
import type { StreamForwarder } from '../exchange/exchange.ts'
import type { CallFailure } from '../failure.ts'
import { endedEarly } from './early-end.ts'

/** A forwarder in a state of its stream; what the guard holds is sent by `releaseHeld`. */
const forwarder = (state: { delivered?: boolean; complete?: boolean; refusal?: unknown; holds?: boolean }) => {
  const { delivered = false, complete = false, refusal, holds = false } = state
  const stream = {
    delivered,
    complete,
    refusal,
    releaseHeld() {
      if (holds) stream.delivered = true
    },
  }
  // Only these members decide about an early end.
  return stream as unknown as StreamForwarder
}

const failure: CallFailure = {
  status: 502,
  type: 'upstream_error',
  code: 'bad_response',
  message: 'the connection broke',
  param: null,
  retryAfter: undefined,
  cause: 'the connection broke',
  early: false,
}

describe('a stream that ends early', () => {
  it.each([
    [
      'is delivered and charged when all of it came before the connection broke',
      { complete: true },
      'upstream_broke',
      { end: 'done', failure: undefined },
    ],
    [
      'is cut when its upstream refuses in it',
      { complete: true, delivered: true, refusal: {} },
      'upstream_broke',
      { end: 'upstream_broke', failure },
    ],
    [
      'is cut when the client has had a part of it',
      { delivered: true },
      'out_of_quota',
      { end: 'out_of_quota', failure },
    ],
    [
      'is cut when the guard still held a part of it',
      { holds: true },
      'out_of_quota',
      { end: 'out_of_quota', failure },
    ],
  ] as const)('%s', (_, state, end, expected) => {
    const outcome = endedEarly(forwarder(state), end, failure)
    expect(outcome).toMatchObject(expected)
    expect(outcome.withheld).toBeUndefined()
  })

  it.each(['upstream_broke', 'out_of_quota', 'closed'] as const)(
    'is withheld when the client has had nothing of it: %s',
    (end) => {
      expect(endedEarly(forwarder({}), end, failure)).toMatchObject({ withheld: true, end, failure })
    },
  )
})
