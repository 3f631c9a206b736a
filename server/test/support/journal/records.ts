import { type JournalRecord, journalRecord } from '../../../src/journal/journal-record.ts'
import type { RequestBegin, RequestRecord } from '../../../src/relay/ports.ts'

const one = { digits: 1n, scale: 0 }

/** A begun request for tests. */
export const aBegin = (id: string, more: Partial<RequestBegin> = {}): RequestBegin => ({
  id,
  at: 1_750_000_000_000,
  userId: 1,
  username: 'ann',
  tokenId: 1,
  tokenName: 'main',
  channelId: 1,
  model: 'gpt-4o-mini',
  group: 'default',
  isStream: true,
  ip: '127.0.0.1',
  price: {
    model: 'gpt-4o-mini',
    group: 'default',
    perCall: undefined,
    basis: 'ratio',
    unit: { digits: 75n, scale: 3 },
    rates: {
      input: one,
      cache_read: { digits: 5n, scale: 1 },
      cache_write: { digits: 125n, scale: 2 },
      cache_write_1h: { digits: 2n, scale: 0 },
      audio_input: one,
      output: { digits: 4n, scale: 0 },
      audio_output: one,
    },
    groupRatio: one,
    quotaPerUnit: { digits: 500_000n, scale: 0 },
    tiers: { flex: 0.5 },
    tools: { web_search: 10 },
  },
  ...more,
})

/** A finished request for tests; its receipt recomputes to its quota. */
export const aRecord = (id: string, more: Partial<RequestRecord> = {}): RequestRecord => {
  const quota = more.quota ?? 100
  const { price: _, ...begin } = aBegin(id)
  return {
    ...begin,
    kind: 'charge',
    quota,
    promptTokens: quota,
    completionTokens: 0,
    useTime: 1,
    content: '',
    other: { frt: 12 },
    receipt: {
      mode: 'tokens',
      lines: [{ item: 'input', quantity: quota, price: '1' }],
      model_ratio: '1',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota,
      estimated: false,
    },
    ...more,
  }
}

/** The same as the journal keeps it. */
export const aJournalRecord = (id: string, more: Partial<RequestRecord> = {}): JournalRecord =>
  journalRecord(aRecord(id, more))
