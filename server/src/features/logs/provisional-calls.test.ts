import { afterEach, beforeEach, expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import { receiptOf } from '../../billing/cost.ts'
import type { UnknownFigure } from '../../billing/declared/unknown-members.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'

interface Page {
  readonly items: readonly { readonly request_id: string; readonly provisional?: boolean }[]
  readonly total: number
}

const now = Date.UTC(2026, 10, 20, 12)
const price = priceOf('gpt-4o')
const unknown = (name: string, count: number): UnknownFigure => ({
  kind: 'usage',
  dialect: 'openai',
  name,
  value: count,
  count,
})

describeEachEngine('calls that were charged provisionally', (open) => {
  let logs: TestLogs
  let books: TestLedger
  let user: { id: number; token: number }
  let remove: () => Promise<void>

  beforeEach(async () => {
    const database = await open()
    const journal = await newJournalDirectory()
    remove = journal.remove
    logs = await openTestLogs(database)
    books = await openTestLedger(database, journal.directory, { now: () => now })
    const id = await newUser(database, books.ledger, 1_000_000)
    user = { id, token: await newToken(database, books.ledger, { userId: id, remain: 1_000_000 }) }
    await charge('plain', {})
    await charge('two', { unknown: [unknown('fresh_tokens', 200), unknown('100%_"new"', 7)] })
    await charge('tier', { tier: 'hyper' })
    await charge('fresh', { unknown: [unknown('fresh_tokens', 5)] })
    await charge('longer', { unknown: [unknown('fresh_tokens_1', 5)] })
    await books.ledger.flush()
  })
  afterEach(async () => {
    await books.crash()
    await remove()
  })

  const charge = async (id: string, more: Partial<Usage>): Promise<void> => {
    const receipt = receiptOf({ ...noUsage, input: 1000, output: 100, ...more }, price, { estimated: false })
    const of = { at: now, model: 'gpt-4o', userId: user.id, tokenId: user.token, channelId: 0 }
    await books.ledger.recorder.charge(aRecord(id, { ...of, quota: receipt.quota, receipt }))
  }
  const page = async (query: string): Promise<Page> => (await logs.admin('GET', `/api/log/?${query}`)).json.data as Page
  const found = async (provisional: string): Promise<string[]> => {
    const { items, total } = await page(`provisional=${encodeURIComponent(provisional)}`)
    expect(total).toBe(items.length)
    return items.map(({ request_id: id }) => id).sort()
  }

  it('are found, of any kind or of one', async () => {
    expect(await found('any')).toEqual(['fresh', 'longer', 'tier', 'two'])
    expect(await found('usage openai fresh_tokens')).toEqual(['fresh', 'two'])
    expect(await found('usage openai 100%_"new"')).toEqual(['two'])
    expect(await found('tier openai hyper')).toEqual(['tier'])
    expect(await found('tier openai')).toEqual([])
    expect(await found('tier other hyper')).toEqual([])
    expect(await found('')).toHaveLength(5)
  })

  it('are marked in the list, and counted and summed by the same filter', async () => {
    const { items } = await page('')
    const marked = items.filter(({ provisional }) => provisional === true).map(({ request_id: id }) => id)
    expect(marked.sort()).toEqual(['fresh', 'longer', 'tier', 'two'])
    const { json } = await logs.admin('GET', '/api/log/stat?provisional=tier%20openai%20hyper')
    expect((json.data as { quota: number }).quota).toBe(6 * 1750)
  })

  it('are exported with their reasons', async () => {
    const path = '/api/log/export?provisional=any&columns=request_id,provisional'
    const lines = (await logs.admin('GET', path)).text.split('\r\n')
    expect(lines).toContain('tier openai hyper,tier')
    expect(lines).toContain('"usage openai fresh_tokens; usage openai 100%_""new""",two')
  })
})
