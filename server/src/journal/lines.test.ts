import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aJournalRecord, aRecord } from '../../test/support/journal/records.ts'
import type { RequestRecord } from '../relay/ports.ts'
import { callHead, printedHead } from './call-head.ts'
import { type HeldFor, journalRecord } from './journal-record.ts'
import { endLine, parseLine } from './lines.ts'
import { boundedCall } from './record-bounds.ts'

const holdOf = (held: { quota: number; at: number } | undefined): HeldFor =>
  held === undefined
    ? {}
    : { hold: { quota: held.quota, settle() {}, release() {} } as unknown as HeldFor['hold'], heldAt: held.at }

it('gives back the session of a call and what its cache came to', () => {
  const measures = { cached: 9, cacheWrite: 1, reasoning: 0, missed: 7, cacheSaved: 30, cacheLost: 4 }
  const record = aJournalRecord('r', { session: '0123456789abcdef', measures })
  expect(parseLine(endLine(record))).toMatchObject({ kind: 'end', record: { session: '0123456789abcdef', measures } })
  expect(parseLine(endLine(aJournalRecord('r')))).not.toHaveProperty('record.session')
})

const bounded = ({ other: _, receipt: __, ...call }: RequestRecord) => call

const count = fc.nat(1_000_000)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string(),
  fc.constantFrom('ann', 'ä', '"', '\u0000', '\ud800'),
)
/** Few values of each, so that calls of a key are often alike and often differ in one of them. */
const few = fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'ä"\\', '\u0000', 'x'.repeat(300))

const calls = fc.record(
  {
    kind: fc.constantFrom('charge' as const, 'error' as const),
    userId: fc.constantFrom(1, 2),
    username: few,
    tokenId: fc.constantFrom(0, 1, 2),
    tokenName: few,
    channelId: fc.constantFrom(1, 2),
    model: few,
    group: few,
    isStream: fc.boolean(),
    ip: fc.constantFrom('127.0.0.1', '::1'),
    content: fc.oneof(few, text),
    quota: count,
    cost: count,
    tags: fc.constantFrom('a', 'b'),
    session: fc.constantFrom('0123456789abcdef'),
    endUser: fc.string(),
    caps: fc.array(count, { maxLength: 2 }),
    times: count,
    other: fc.dictionary(fc.constantFrom('path', 'client', 'frt'), fc.oneof(text, count), { minKeys: 1 }),
  },
  {
    requiredKeys: [
      'kind',
      'userId',
      'username',
      'tokenId',
      'tokenName',
      'channelId',
      'model',
      'group',
      'isStream',
      'ip',
      'content',
      'quota',
      'other',
    ],
  },
)
/** Each call differs from the one before in one member at most. */
const member = fc.constantFrom(
  ...([
    'userId',
    'username',
    'tokenId',
    'tokenName',
    'channelId',
    'model',
    'group',
    'isStream',
    'ip',
    'content',
    'kind',
  ] as const),
)
const held = fc.option(fc.record({ quota: fc.constantFrom(0, 5), at: count }), { nil: undefined, freq: 1 })

describe('a record that is printed as it is made', () => {
  it('is the same as one whose parts are looked at one by one, also when it is read again', () => {
    fc.assert(
      fc.property(calls, fc.array(fc.tuple(calls, member, held), { minLength: 1, maxLength: 8 }), (first, all) => {
        let call = first
        for (const [other, name, hold] of all) {
          call = { ...call, [name]: other[name] }
          const record = aRecord('r', call)
          const heldFor = holdOf(hold)
          const general = { ...journalRecord(record, heldFor), ...bounded(boundedCall(record)) }
          const otherText = JSON.stringify(record.other).slice(0, -1)
          const quick = journalRecord({ ...record, otherText }, heldFor)
          expect(quick).toEqual(general)
          expect(endLine(quick, callHead(record))).toBe(endLine(general, printedHead(general)))
          const { hold: _, ...read } = general
          expect(parseLine(endLine(quick, callHead(record)))).toEqual({ kind: 'end', record: read })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is read as lines of earlier versions are, which had other places for the address and the sentence', () => {
    const { hold: _, ...record } = aJournalRecord('r', { content: 'ä', cost: 3 })
    const { other, id, at, kind, receipt: __, otherText: ___, segment: ____, ip, content, cost, ...rest } = record
    const members = JSON.stringify({ id, at, kind, ...rest, ip, content }).slice(0, -1)
    expect(parseLine(`{"end":${members},"other":${other},"cost":${cost}}}`)).toEqual({ kind: 'end', record })
  })
})
