import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainBodies } from '../../../../test/support/dialects/plain-bodies.ts'
import { openTestChannels, testCaller, testStoredResponses } from '../../../../test/support/relay/ports.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import type { Dialect } from '../../../dialects/dialect.ts'
import type { RelayCall } from '../../call.ts'
import { boundCall } from '../../routing/bound-call.ts'
import { openSealPlaces } from './seal-places.ts'
import { withSeals } from './sealed-call.ts'

/** Steps that a call of texts skips would leave it as it is. */

const callOf = (dialect: Dialect, path: string, body: JsonObject): RelayCall => ({
  id: 'id',
  startedAt: 0,
  caller: testCaller,
  ip: '',
  path,
  model: 'm',
  stream: false,
  endpoint: 'conversation',
  dialect,
  query: '',
  raw: Buffer.from(JSON.stringify(body)),
  body,
  accept: undefined,
  passed: {},
})

const paths = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1beta/models/m:generateContent']

describe.each(plainBodies)('a plain body of $dialect.name', ({ dialect, body }) => {
  it('carries no encrypted reasoning, and goes on from nothing that is stored', async () => {
    const path = paths.find((one) => dialect.paths.isTurn(one))
    if (path === undefined) throw new Error('no path of a turn')
    const places = openSealPlaces()
    const stored = { storedResponses: testStoredResponses(), channels: openTestChannels() }
    await fc.assert(
      fc.asyncProperty(body, async (plain) => {
        const call = callOf(dialect, path, plain)
        expect(withSeals(call, places)).toBe(call)
        expect(await boundCall(call, stored)).toBe(call)
      }),
      { numRuns: 300 },
    )
  })
})
