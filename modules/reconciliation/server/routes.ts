import {
  deleteReportImport,
  deleteReportSource,
  getReportImport,
  importReport,
  listReconciledCalls,
  listReportImports,
  listReportLines,
  listReportSources,
  previewReport,
  saveReportSource,
} from '@tollgate/contract'
import { actorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import type { Imports } from './imports.ts'
import { previewCsv } from './sources/mapped-csv.ts'
import type { Sources } from './sources-service.ts'

/** The console's calls for comparing reports of providers with the log. */
export const reconciliationRoutes = (on: On, { sources, imports }: { sources: Sources; imports: Imports }): void => {
  on(listReportSources, async () => ({ data: await sources.list() }))
  on(saveReportSource, async (call) => ({ data: await sources.save(actorOf(call), call.body) }))
  on(deleteReportSource, async (call) => {
    await sources.remove(actorOf(call), call.params.id)
    return {}
  })
  on(listReportImports, async ({ query, language }) => ({ data: await imports.page(query, language) }))
  on(importReport, async (call) => ({ data: await imports.start(actorOf(call), call.body) }))
  on(getReportImport, async ({ params, language }) => ({ data: await imports.get(params.id, language) }))
  on(deleteReportImport, async (call) => {
    await imports.remove(actorOf(call), call.params.id)
    return {}
  })
  on(listReportLines, async ({ params, query }) => ({ data: await imports.lines(params.id, query) }))
  on(listReconciledCalls, async ({ params, query }) => ({ data: await imports.calls(params.id, query) }))
  on(previewReport, ({ body }) => ({ data: previewCsv(body.text) }))
}
