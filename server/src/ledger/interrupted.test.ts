import { expect, it } from 'vitest'
import { aBegin } from '../../test/support/journal/records.ts'
import { noUsage, type Usage } from '../billing/usage.ts'
import { interruptedRecord } from './interrupted.ts'

/** Charges of sessions and streams that were cut by the end of their process. */

const dollars = { digits: 1n, scale: 0 }
const begin = aBegin('cut')
const sound = { ...begin, price: { ...begin.price, rates: { ...begin.price.rates, duration: dollars } } }
const settle = (usage: Usage | undefined, of = begin) => interruptedRecord({ begin: of, usage }, begin.at + 1000)

it.each([
  ['tokens', { ...noUsage, input: 1000 }, 75],
  // 1000 calls at 10 units of currency a thousand.
  ['tools alone, as of transcripts in a silent session', { ...noUsage, tools: { web_search: 1000 } }, 5_000_000],
  ['the time of sound, which has no tokens', { ...noUsage, measures: { duration: 60_000 } }, 4500],
])('is charged for %s', (_, usage, quota) => {
  expect(settle(usage, sound)).toMatchObject({ kind: 'charge', quota, receipt: { quota, estimated: true } })
})

it('costs nothing where nothing was used', () => {
  for (const usage of [undefined, noUsage]) {
    expect(settle(usage)).toMatchObject({ kind: 'error', quota: 0, receipt: undefined })
  }
})
