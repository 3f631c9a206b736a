import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { applyCharges } from '#server/ledger/apply/batch.ts'
import { perCallWeights } from '#server/reports/change/effects.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type RecordedStatements, recordStatements } from '#server-test/support/db/rows-read.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { createChangeReport } from './report.ts'
import { changeRoutes } from './routes.ts'

const now = Date.parse('2026-11-20T12:30:00Z') / 1000
const days = 90
/** Calls of a day in as many hours, by two keys. */
const hours = 24
const keys = 2
/** Yesterday and the four days that it is compared with, by hour at most. */
const mostRead = 5 * hours * keys
const stored = days * hours * keys

describeEachEngine('what an explained change reads', (open) => {
  let database: Database
  let statements: RecordedStatements
  let admin: SignedIn

  beforeAll(async () => {
    database = await open()
    statements = recordStatements(database, stored)
    const records = Array.from({ length: stored }, (_, index) =>
      aJournalRecord(`read-${index}`, {
        at: (now - Math.floor(index / keys) * 3_600) * 1000,
        userId: 1 + (index % keys),
        tokenId: 1 + (index % keys),
        quota: 5 + (index % 7),
      }),
    )
    for (let start = 0; start < stored; start += 1_000)
      await applyCharges({ database, hourly: false, versions: false }, records.slice(start, start + 1_000))
    const tables = ['usage_hours', 'usage_days']
    const analyse = {
      sqlite: 'analyze',
      postgres: `vacuum analyze ${tables.join(', ')}`,
      mysql: `analyze table ${tables.join(', ')}`,
    }
    await sql.raw(analyse[database.engine]).execute(database.query)
    const nothing = async () => new Map()
    const report = createChangeReport({
      database: statements.database,
      enabled: () => true,
      weightsOf: () => perCallWeights,
      userNames: nothing,
      channelNames: nothing,
      tokenNames: nothing,
      events: async () => [],
      clock: () => now * 1000,
    })
    admin = signedIn((on) => changeRoutes(on, report), { id: 9, role: 10 })
  })

  it.for(['UTC', 'Asia/Shanghai'])('is the sums of the compared days, in %s, and no call', async (zone) => {
    statements.forget()
    const { json } = await admin('GET', `/api/changes?zone=${zone}`)
    expect(json).toMatchObject({ success: true, data: { kind: 'weekday', now: { calls: hours * keys } } })
    expect(await statements.read('logs')).toEqual([])
    const read = [...(await statements.read('usage_hours')), ...(await statements.read('usage_days'))]
    expect(read.length).toBeGreaterThan(1)
    // SQLite says only what is walked through; the first hour of all is read along the time, and it is one row.
    const isFirst = (text: string): boolean => database.engine === 'sqlite' && /order by "created_at" limit/.test(text)
    expect(read.filter(({ text, read: rows }) => rows > mostRead && !isFirst(text))).toEqual([])
  })
})
