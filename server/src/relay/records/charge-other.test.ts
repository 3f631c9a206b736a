import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aBegin } from '../../../test/support/journal/records.ts'
import { noUsage } from '../../billing/usage.ts'
import type { CallFacts } from '../call.ts'
import { createAttemptLog } from './attempt-log.ts'
import type { Charged } from './charged.ts'
import { chargeRecord } from './record.ts'

const count = fc.nat(100_000)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('', 'gpt-4o', '"', '\\', 'ä', '\u0000', '\ud800'),
)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
/** Present in one of five. */
const rarely = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, value)

const attempts = fc.array(
  fc.record(
    {
      channel: count,
      channel_name: text,
      started_ms: count,
      duration_ms: count,
      status: count,
      error: text,
      request_id: text,
      answer_id: text,
      receipt: text,
      hedge: fc.constantFrom('first' as const, 'second' as const),
      cancelled: fc.boolean(),
    },
    { requiredKeys: ['channel', 'started_ms', 'duration_ms', 'status', 'error'] },
  ),
  { maxLength: 3 },
)

const cost = fc.record(
  {
    quota: count,
    version: text,
    factor: text,
    stated: fc.record({ amount: text, by: text, provider: text, model: text }),
    stated_gap: count,
  },
  { requiredKeys: ['quota', 'version', 'factor'] },
)

const body = fc.dictionary(
  fc.constantFrom(
    'model',
    'messages',
    'tools',
    'temperature',
    'stop',
    'n',
    'service_tier',
    'thinking',
    'generationConfig',
    'x',
  ),
  fc.oneof(fc.jsonValue(), fc.double(), text, fc.array(count), fc.constant({ type: 'enabled', topP: 0.5 })),
)

const parts = fc.record({
  attempts,
  cost: maybe(cost),
  body: maybe(body),
  program: maybe(text),
  path: text,
  model: fc.constantFrom('gpt-4o-mini', 'gpt-4o-audio-preview', 'gpt-4-gizmo-x', 'ä"'),
  upstreamModel: fc.constantFrom('', 'gpt-4o-mini', 'other'),
  effort: maybe(text),
  unsupported: fc.array(text, { maxLength: 2 }),
  firstByteMs: maybe(count),
  cause: rarely(text),
  blockedWord: rarely(text),
  written: fc.constantFrom(0, 5),
  audio: fc.constantFrom(0, 7),
  cached: fc.constantFrom(0, 3),
  ws: fc.constantFrom(undefined, true as const),
  tags: maybe(text),
  endUser: maybe(text),
  askedName: maybe(text),
  taken: fc.boolean(),
  now: fc.integer({ min: -10, max: 100_000 }),
})

it('is printed as the object says it, whatever the call was', () => {
  fc.assert(
    fc.property(parts, (made) => {
      const { price } = aBegin('id')
      const facts = {
        id: 'id',
        startedAt: 0,
        caller: { userId: 1, username: 'ann', tokenId: 2, tokenName: 'main', group: 'default' },
        ip: '127.0.0.1',
        program: made.program,
        path: made.path,
        model: made.model,
        askedName: made.askedName,
        stream: false,
        tags: made.tags,
        endUser: made.endUser,
        body: made.body,
        capture: { taken: made.taken },
      } as unknown as CallFacts
      const log = {
        ...createAttemptLog(),
        attempts: made.attempts,
        upstreamModel: made.upstreamModel,
        effort: made.effort,
        unsupported: made.unsupported,
        firstByteMs: made.firstByteMs,
      }
      const charged: Charged = {
        usage: {
          ...noUsage,
          input: 10,
          cacheRead: made.cached,
          cacheWrite: made.written,
          audioInput: made.audio,
          output: 2,
        },
        receipt: { quota: 1 } as Charged['receipt'],
        price,
        cost: made.cost as Charged['cost'],
        end: 'done',
        cause: made.cause,
        blockedWord: made.blockedWord,
        ...(made.ws && { ws: made.ws }),
      }
      const record = chargeRecord(facts, log, charged, made.now)
      expect(`${record.otherText}}`).toBe(JSON.stringify(record.other))
    }),
    { numRuns: 500 },
  )
})
