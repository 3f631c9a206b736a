import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { role } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { hasDuckDb } from '#server/lib/parquet/duckdb.ts'
import { openParquet } from '#server/lib/parquet/parquet.ts'
import { directoryPlace } from '#server/lib/places/directory.ts'
import { withSession } from '#server-test/rights/calls.ts'
import { createPeople, type Person } from '#server-test/rights/people.ts'
import { openRightsSite, type RightsSite } from '#server-test/rights/site.ts'
import { logRow } from '#server-test/support/features/logs.ts'
import { folderFiles } from './archive-files.ts'
import { openLogArchiving } from './archive-job.ts'
import { openArchiveParts } from './archive-parts.ts'

const dayMs = 86_400_000

/** The whole product with the module: what left the table is still in the log that people read. */
describe.skipIf(!hasDuckDb())('the log of a site whose old months are archived', () => {
  let folder: string
  let site: RightsSite
  let root: Person
  const clock = (): number => Date.now()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-joined-log-'))
    site = await openRightsSite({ LOG_ARCHIVE_TO: join(folder, 'files') })
    root = await createPeople(site).make(role.root)
    const row = logRow({ request_id: 'archived-call', created_at: Math.floor((clock() - 90 * dayMs) / 1000), quota: 7 })
    await site.database.query.insertInto('logs').values(row).execute()
  })
  afterAll(async () => {
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const found = async (): Promise<unknown> => {
    const path = '/api/log/?request_id=archived-call'
    return (await site.ask({ method: 'GET', path, headers: withSession(root) })).json.data
  }

  it('has the rows that its table has no more, and says so', async () => {
    expect(await found()).toMatchObject({ items: [{ request_id: 'archived-call', quota: 7 }] })
    const parquet = openParquet(join(folder, 'memory'))
    const { database } = site
    await openLogArchiving({
      database,
      logDatabase: database,
      parts: openArchiveParts(database),
      files: folderFiles(directoryPlace(join(folder, 'files')), join(folder, 'files')),
      parquet,
      clock,
      jobs: openNamedJobs(database, clock),
      afterDays: () => 30,
      folder: join(folder, 'unfinished'),
      archived: () => {},
      failed(error) {
        throw error
      },
    }).work()
    await parquet.close()
    expect(
      await database.query.selectFrom('logs').select('id').where('request_id', '=', 'archived-call').execute(),
    ).toEqual([])
    expect(await found()).toMatchObject({
      items: [{ request_id: 'archived-call', quota: 7 }],
      archive: { months: 1 },
    })
  })
})
