import { insertReturningId, type Queryable } from '../../src/db/dialect.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'
import { canary } from './canaries.ts'

const reportDay = 1_793_836_800

/** A source of reports with a key, and an import of it. */
export const giveReports = async (query: Queryable, secrets: Secrets, userId: number) => {
  const giveSource = (): Promise<number> =>
    insertReturningId(query, 'report_sources', {
      kind: 'openai',
      name: 'a source',
      channel_ids: '[1]',
      // Refuses at once, so that an import ends.
      base_url: 'http://127.0.0.1:9',
      key_cipher: secrets.encrypt('report_key', canary('channelkey', userId)),
      key_hint: '***',
      settings: '{}',
      created_time: reportDay,
    })
  const reportSourceId = await giveSource()
  const reportImportId = await insertReturningId(query, 'report_imports', {
    source_id: reportSourceId,
    from_day: reportDay,
    until_day: reportDay,
    file_name: '',
    status: 'done',
    run: `run ${userId}`,
    error: '',
    lines: 0,
    summary: '{}',
    created_time: reportDay,
    started_time: reportDay,
    finished_time: reportDay,
    username: 'root',
  })
  return { reportSourceId, reportImportId }
}
