import { insertReturningId } from '#server/db/dialect.ts'
import { canary } from '#server-test/rights/canaries.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'

const reportDay = 1_793_836_800

/** A source of reports with a key, and an import of it. */
const giveReports: ModuleRights['give'] = async (query, secrets, userId) => {
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

export const rights: ModuleRights = {
  kinds: {
    root: [
      'GET /api/reconciliation/sources',
      'POST /api/reconciliation/sources',
      'DELETE /api/reconciliation/sources/:id',
      'GET /api/reconciliation/imports',
      'POST /api/reconciliation/imports',
      'GET /api/reconciliation/imports/:id',
      'DELETE /api/reconciliation/imports/:id',
      'GET /api/reconciliation/imports/:id/lines',
      'GET /api/reconciliation/imports/:id/calls',
      'POST /api/reconciliation/preview',
    ],
  },
  give: giveReports,
  bodies: {
    'POST /api/reconciliation/sources': () => ({
      kind: 'openai',
      name: 'another',
      channel_ids: [1],
      key: 'sk-another',
      settings: {},
    }),
    'POST /api/reconciliation/imports': ({ owner }) => ({
      source_id: owner.inModules.reportSourceId,
      from: 1,
      until: 1,
    }),
  },
  ids: [
    ['/api/reconciliation/sources/', 'reportSourceId'],
    ['/api/reconciliation/imports/', 'reportImportId'],
  ],
}
