import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { verifyLogs } from '#server/ledger/logs/verify-logs.ts'
import { hasDuckDb } from '#server/lib/parquet/duckdb.ts'
import { openParquet, type Parquet } from '#server/lib/parquet/parquet.ts'
import { directoryPlace } from '#server/lib/places/directory.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { logRow, openTestLogs, type TestLogs } from '#server-test/support/features/logs.ts'
import { type ArchiveFiles, copiedFiles, folderFiles } from './archive-files.ts'
import { openLogArchiving } from './archive-job.ts'
import { openArchiveParts } from './archive-parts.ts'
import { createArchivedLogs } from './archived-logs.ts'
import { withArchive } from './archived-store.ts'

const at = (text: string): number => Date.parse(text) / 1000
const now = at('2026-06-20T12:00:00Z')
const day = 86_400

const everyQuery = [
  '',
  'type=2',
  'type=5',
  'username=alicia',
  'username=alicia&not=username',
  'model_name=GPT',
  'model_name="gpt-a"',
  'token_name=default',
  'channel=3',
  'group=vip',
  'group=vip&model_name=claude',
  'end=client_gone',
  'session=session-7',
  'provider_request_id=provider-9',
  'request_id=archive-11',
  `start_timestamp=${at('2026-04-10T00:00:00Z')}&end_timestamp=${at('2026-05-05T00:00:00Z')}`,
  'sort=-quota',
  'sort=id',
]

const page = z.object({
  items: z.array(z.looseObject({ id: z.number(), user_id: z.number() })),
  total: z.number(),
  next: z.string().optional(),
  archive: z.object({ months: z.number(), problem: z.string().optional() }).optional(),
})

describeEachEngine('archived months', (open) => {
  let database: Database
  let logs: TestLogs
  let folder: string
  let parquet: Parquet
  let files: ArchiveFiles
  let afterDays = 15

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-archive-'))
    parquet = openParquet(join(folder, 'memory'))
    files = folderFiles(directoryPlace(join(folder, 'files')), join(folder, 'files'))
    afterDays = 15
    for (const table of ['log_archives', 'cluster_jobs', 'ledger_entries'] as const) {
      await database.query.deleteFrom(table).execute()
    }
    logs = await openTestLogs(database, {
      clock: () => now * 1000,
      joined: (live) =>
        withArchive(
          live,
          createArchivedLogs({
            parts: openArchiveParts(database),
            files: { store: (...file) => files.store(...file), pathOf: (name) => files.pathOf(name) },
            parquet,
          }),
          () => {},
        ),
    })
  })
  afterEach(async () => {
    await parquet.close()
    await rm(folder, { recursive: true, force: true })
  })

  const archiving = (more: Partial<Parameters<typeof openLogArchiving>[0]> = {}) =>
    openLogArchiving({
      database,
      logDatabase: database,
      parts: openArchiveParts(database),
      files,
      parquet,
      clock: () => now * 1000,
      jobs: openNamedJobs(database, () => now * 1000),
      afterDays: () => afterDays,
      folder: join(folder, 'unfinished'),
      archived: () => {},
      failed(error) {
        throw error
      },
      partRows: 40,
      restMs: 0,
      ...more,
    })

  /** 130 rows from March to June, three of them in one second, of two users. */
  const fill = async (): Promise<void> => {
    const rows = Array.from({ length: 130 }, (_, index) => ({
      request_id: `archive-${index}`,
      created_at: at('2026-03-01T00:00:00Z') + Math.floor(index / 3) * 2.5 * day,
      user_id: index % 4 === 0 ? 7 : 8,
      type: index % 5 === 0 ? 5 : 2,
      quota: index % 5 === 0 ? 0 : index,
      token_name: index % 2 === 0 ? 'default' : "it's; other",
      model_name: ['gpt-a', 'gpt-b', 'claude-c'][index % 3] ?? '',
      channel_id: index % 6,
      group: index % 7 === 0 ? 'vip' : 'default',
      content: `第 ${index} 行 "quoted" 'and' \\ \n 🐢`,
      other: JSON.stringify({ end: index % 9 === 0 ? 'client_gone' : 'done', text: '值' }),
    }))
    await logs.charge(...rows)
    const name = (id: string, change: { session?: string; provider_request_id?: string }) =>
      database.query.updateTable('logs').set(change).where('request_id', '=', id).execute()
    await name('archive-7', { session: 'session-7' })
    await name('archive-9', { provider_request_id: 'provider-9' })
  }

  const rowsLeft = async (): Promise<number> => (await database.query.selectFrom('logs').select('id').execute()).length
  const list = async (query: string, who: 'admin' | 'user' = 'admin') => {
    const path = who === 'admin' ? '/api/log/' : '/api/log/self'
    const { json } = await logs[who]('GET', `${path}?page_size=100&${query}`)
    const { items: rows, total, archive } = page.parse(json.data)
    return { rows, total, archive }
  }
  const answers = async (who: 'admin' | 'user' = 'admin', queries: readonly string[] = everyQuery) => {
    const found: Record<string, unknown> = {}
    for (const query of queries) {
      const { archive: _, ...answer } = await list(query, who)
      const stat = await logs[who]('GET', `/api/log/${who === 'admin' ? 'stat' : 'self/stat'}?${query}`)
      found[query] = { ...answer, stat: stat.json.data }
    }
    return found
  }
  const exported = async (): Promise<unknown[]> => {
    const { text } = await logs.admin('GET', '/api/log/export?format=json')
    return JSON.parse(text)
  }

  it('are found as if they were still in the database, by operators and owners', async () => {
    await fill()
    const [before, own, file] = [await answers(), await answers('user'), await exported()]
    await archiving().work()
    expect(await rowsLeft()).toBeLessThan(60)
    expect(await answers()).toEqual(before)
    expect(await answers('user')).toEqual(own)
    expect(await exported()).toEqual(file)
    expect((await list('')).archive).toEqual({ months: 3 })
    expect((await list(`start_timestamp=${at('2026-06-05T00:00:00Z')}`)).archive).toBeUndefined()
    expect((await list('', 'user')).rows.every((row) => row.user_id === 7)).toBe(true)
  })

  it('turn page by page with the database, each row once', async () => {
    await fill()
    await archiving().work()
    const seen: number[] = []
    for (let after = '', number = 1; ; number += 1) {
      const { json } = await logs.admin('GET', `/api/log/?page_size=10&p=${number}${after}`)
      const { items, next } = page.parse(json.data)
      seen.push(...items.map((row) => row.id))
      if (next === undefined) break
      after = `&after=${next}`
    }
    expect(seen).toHaveLength(130)
    expect(new Set(seen).size).toBe(130)
    const { json } = await logs.admin('GET', '/api/log/?page_size=10&p=9')
    expect(page.parse(json.data).items.map((row) => row.id)).toEqual(seen.slice(80, 90))
  })

  it('open as one entry, for their owner alone', async () => {
    await fill()
    const [row] = (await list('request_id=archive-4')).rows
    await archiving().work()
    expect((await logs.admin('GET', `/api/log/entry/${row?.id}`)).json.data).toEqual(row)
    expect((await logs.user('GET', `/api/log/self/entry/${row?.id}`)).json.data).toMatchObject({ id: row?.id })
    const [other] = (await list('request_id=archive-5')).rows
    expect((await logs.user('GET', `/api/log/self/entry/${other?.id}`)).json).toMatchObject({ code: 'not_found' })
  })

  it('are complete at every moment: killed in the middle, nothing is lost or doubled, and the next run goes on', async () => {
    await fill()
    const queries = ['', 'end=client_gone', 'group=vip', 'sort=-quota']
    const before = await answers('admin', queries)
    // Each try gets a little further before what it works with is gone.
    for (let steps = 0; steps < 14; steps += 1) {
      let left = steps
      const killing =
        <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          left -= 1
          if (left < 0) throw new Error('killed')
          return work(...args)
        }
      const real = openArchiveParts(database)
      const parts = {
        ...real,
        add: killing(real.add),
        whileDeleting: killing(real.whileDeleting),
        finish: killing(real.finish),
      }
      const broken = { store: killing(files.store), pathOf: killing(files.pathOf) }
      await archiving({ parts, files: broken })
        .work()
        .catch((error: Error) => expect(error.message).toBe('killed'))
      expect({ steps, answers: await answers('admin', queries) }).toEqual({ steps, answers: before })
    }
    await archiving().work()
    expect(await answers('admin', queries)).toEqual(before)
    const parts = await database.query.selectFrom('log_archives').selectAll().execute()
    expect(parts.every(({ finished_time }) => finished_time > 0)).toBe(true)
    expect(parts.reduce((sum, { rows }) => sum + rows, 0) + (await rowsLeft())).toBe(130)
  })

  it('do not take a file whose content is not that of the rows, and no row goes', async () => {
    await fill()
    const spoiled: ArchiveFiles = {
      ...files,
      async store(name, path) {
        const copy = join(folder, 'other.parquet')
        await parquet.run(`copy (select * from read_parquet('${path}') offset 1) to '${copy}' (format parquet)`)
        await files.store(name, copy)
      },
    }
    await expect(archiving({ files: spoiled }).work()).rejects.toThrow('has other rows than its rows')
    expect(await rowsLeft()).toBe(130)
    expect(await database.query.selectFrom('log_archives').selectAll().execute()).toEqual([])
  })

  it('keep a row in the database that was changed while it was archived', async () => {
    await fill()
    const parts = openArchiveParts(database)
    const changing = {
      ...parts,
      async add(part: Parameters<typeof parts.add>[0]) {
        await parts.add(part)
        await database.query.updateTable('logs').set({ quota: 9_999 }).where('request_id', '=', 'archive-1').execute()
      },
    }
    await archiving({ parts: changing }).work()
    expect((await list('request_id=archive-1')).rows).toMatchObject([{ quota: 9_999 }])
  })

  it('are found beside rows that came in later, from a time that was archived', async () => {
    await fill()
    await archiving().work()
    await logs.write(logRow({ request_id: 'late', created_at: at('2026-03-10T00:00:00Z') }))
    expect((await list('request_id=late')).rows).toHaveLength(1)
    await archiving().work()
    expect((await list('request_id=late')).rows).toHaveLength(1)
    expect((await list('')).rows).toHaveLength(100)
  })

  it('begin only when the month ended long enough ago, and never without the option', async () => {
    await fill()
    afterDays = 0
    await archiving().work()
    expect(await rowsLeft()).toBe(130)
    afterDays = 60
    await archiving().work()
    const months = await database.query.selectFrom('log_archives').select('month').distinct().execute()
    expect(months).toEqual([{ month: '2026-03' }])
  })

  it('are no differences to the ledger', async () => {
    await fill()
    const rows = await database.query.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    await database.insertMany(
      'ledger_entries',
      rows.map((row) => ({
        movement: row.request_id,
        account: 'user' as const,
        account_id: row.user_id,
        token_id: row.token_id,
        detail: '{}',
        reason: 'charge' as const,
        amount: -row.quota,
        created_at: row.created_at,
      })),
    )
    await archiving().work()
    expect(await verifyLogs({ database, logDatabase: database, patienceMs: 0 })).toMatchObject({ differences: [] })
  })

  it('say so where they cannot be read, with what the database has', async () => {
    await fill()
    await archiving().work()
    const left = await rowsLeft()
    for (const name of await readdir(join(folder, 'files'))) await writeFile(join(folder, 'files', name), 'gone')
    const { rows, archive } = await list('')
    expect(rows).toHaveLength(left)
    expect(archive).toEqual({ months: 3, problem: 'unavailable' })
  })

  it('are read from copies where they are in a bucket', async () => {
    files = copiedFiles(directoryPlace(join(folder, 'bucket')), join(folder, 'copies'))
    await fill()
    await archiving().work()
    await rm(join(folder, 'copies'), { recursive: true })
    expect((await list('request_id=archive-3')).rows).toHaveLength(1)
    expect(await readdir(join(folder, 'copies'))).not.toEqual([])
  })
})

describe('the optional package', () => {
  it('is installed where tests run', () => {
    expect(hasDuckDb()).toBe(true)
  })
})
