import type { FigureReport } from '@tollgate/contract'
import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import { plantKeys } from '../../../test/support/organisations/organisation-keys.ts'
import type { Database } from '../../db/database.ts'
import { applyCharges } from '../../ledger/apply/batch.ts'
import { createFigureReport } from './report.ts'
import { figureRoutes } from './routes.ts'

const now = Date.parse('2026-11-20T12:30:00Z') / 1000
const day = 86_400

describeEachEngine('figures of an organisation', (open) => {
  let database: Database
  let reader: SignedIn
  let keys: Awaited<ReturnType<typeof plantKeys>>

  beforeAll(async () => {
    database = await open()
    keys = await plantKeys(database)
    const { machine1, ann1, ann2, bob1 } = keys
    const wallet = machine1.userId
    const paid = [machine1, ann1, ann2, bob1].map(({ tokenId }, index) =>
      aJournalRecord(`paid-${index}`, {
        at: (now - day) * 1000,
        userId: wallet,
        tokenId,
        quota: 10 ** index,
        model: `m${index}`,
      }),
    )
    const foreign = aJournalRecord('foreign', { at: (now - day) * 1000, userId: 1, tokenId: 1, quota: 70_000 })
    await applyCharges({ database, hourly: false, versions: false }, [...paid, foreign])
    const report = createFigureReport({
      database,
      enabled: () => true,
      refreshMinutes: () => 5,
      userNames: async (ids) => new Map(ids.map((id) => [id, `user ${id}`])),
      channelNames: async () => new Map(),
      placeNames: async (table, ids) => new Map(ids.map((id) => [id, `${table} ${id}`])),
      tokenNames: async (ids) => new Map(ids.map((id) => [id, { name: `key ${id}`, owner: 'org' }])),
      clock: () => now * 1000,
    })
    /** 5 is read by an owner, 6 by Ann, 7 by somebody without keys. */
    const tokenIds = { 6: [ann1.tokenId, ann2.tokenId], 7: [] }
    const organisationScope = async (id: number) =>
      id === 5 ? { userId: wallet } : { userId: wallet, tokenIds: id === 6 ? tokenIds[6] : tokenIds[7] }
    reader = signedIn((on) => figureRoutes(on, { report, organisationScope }), { id: 3, username: 'reader' })
  })

  const ask = async (id: number, query: Record<string, string>) => {
    const times = { start_timestamp: String(now - 3 * day), end_timestamp: String(now) }
    return (await reader('GET', `/api/organisation/${id}/explore?${new URLSearchParams({ ...times, ...query })}`)).json
  }
  const rows = async (id: number, query: Record<string, string>) =>
    ((await ask(id, query)).data as FigureReport).rows.map(({ key, name, value }) => [key, name, value])

  it('splits all that its wallet paid by project, member and key, and by no one else’s calls', async () => {
    expect(await rows(5, { by: 'project' })).toEqual([
      ['1', 'projects 1', 1011],
      ['2', 'projects 2', 100],
    ])
    expect(await rows(5, { by: 'member' })).toEqual([
      ['6', 'user 6', 1000],
      ['5', 'user 5', 110],
      ['0', '', 1],
    ])
    const byKey = ((await ask(5, { by: 'key', second: 'member' })).data as FigureReport).rows
    expect(byKey.map(({ key, rows: members }) => [Number(key), members.map((row) => row.key)])).toEqual([
      [keys.bob1.tokenId, ['6']],
      [keys.ann2.tokenId, ['5']],
      [keys.ann1.tokenId, ['5']],
      [keys.machine1.tokenId, ['0']],
    ])
    expect(JSON.stringify(byKey)).not.toContain('owner')
  })

  it('shows a member what their keys used, whatever is filtered for', async () => {
    expect(await rows(6, { by: 'member' })).toEqual([['5', 'user 5', 110]])
    expect((await ask(6, { by: 'model' })).data).toMatchObject({ total: { value: 110, calls: 2 } })
    const filters = JSON.stringify([{ dimension: 'member', is: 'is', values: ['6'] }])
    expect(await rows(6, { by: 'model', filters })).toEqual([])
    expect(await rows(6, { by: 'member', filters: filters.replace('"is":"is"', '"is":"not"') })).toHaveLength(1)
    expect((await ask(7, { by: 'model' })).data).toMatchObject({ total: { calls: 0 }, rows: [] })
  })

  it('refuses what only operators see', async () => {
    for (const query of [{ by: 'user' }, { by: 'channel' }, { by: 'organisation' }, { metric: 'margin' }])
      expect(await ask(5, query)).toMatchObject({ code: 'permission_denied' })
    const filters = JSON.stringify([{ dimension: 'channel', is: 'is', values: ['1'] }])
    expect(await ask(5, { filters })).toMatchObject({ code: 'permission_denied' })
  })
})
