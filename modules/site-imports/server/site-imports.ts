import { type BodyOf, type SiteImportState, siteImportReport, type startSiteImport } from '@tollgate/contract'
import type { ClusterJobs, JobRun } from '#server/db/cluster-jobs.ts'
import { parseDatabaseAddress } from '#server/db/engines/address.ts'
import type { Trace } from '#server/db/trace.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import { printedError } from '#server/lib/json/stored-error.ts'
import { reasonOf } from '#server/lib/reason-of.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import { importSite, type SiteImport } from './import-site.ts'
import type { ImportTarget } from './ports.ts'
import { type SourcePlace, shownPlace } from './source/place.ts'
import type { Uploads } from './uploads.ts'

export interface SiteImportsParts {
  readonly target: ImportTarget
  readonly jobs: ClusterJobs
  readonly uploads: Uploads
  /** For addresses that operators type. */
  readonly egress: EgressGuard
  readonly audit: { record(trace: Trace): Promise<void> }
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

/** Moving another gateway's database in, from the console. */
export interface SiteImports {
  state(): Promise<SiteImportState>
  /** Begins, unless an import runs on some node. Throws AppError('import_running' | 'import_source_invalid' | 'address_blocked'). */
  start(actor: Actor, body: BodyOf<typeof startSiteImport>): Promise<SiteImportState>
  /** Takes a part of a SQLite file; see `Uploads.add`. The first part of each file leaves a trace. */
  upload(actor: Actor, part: Parameters<Uploads['add']>[0]): ReturnType<Uploads['add']>
  /** Resolves when what runs here has ended; it is asked to end. */
  close(): Promise<void>
}

/** The row of this work among the jobs that one node does for all; the command uses it, too. */
export const siteImportJob = 'site_import'

const longestError = 500

/** A server over the network, as an address or in the form of Go's driver for MySQL. */
const serverAddress = /^(?:(?:mysql|mariadb|postgres|postgresql):\/\/|.*@tcp\()/

export const createSiteImports = (parts: SiteImportsParts): SiteImports => {
  const { target, jobs, uploads, egress } = parts
  let running: Promise<void> | undefined
  let isClosing = false

  /** Servers only: a path of this machine is no business of the console. */
  const placeOf = async ({ dsn, upload }: { dsn: string; upload: string }): Promise<SourcePlace> => {
    if (upload !== '') return { file: await uploads.pathOf(upload), shown: 'the uploaded file' }
    if (!serverAddress.test(dsn.trim())) throw new AppError('import_source_invalid')
    const address = ((): ReturnType<typeof parseDatabaseAddress> => {
      try {
        return parseDatabaseAddress(dsn.trim(), '')
      } catch (cause) {
        throw new AppError('import_source_invalid', { cause })
      }
    })()
    if (address.engine === 'sqlite') throw new AppError('import_source_invalid')
    egress.assertLiteral(new URL(address.url).hostname.replace(/^\[|\]$/g, ''))
    return { engine: address.engine, url: address.url, lookup: egress.lookup }
  }

  const run = async (job: JobRun, wanted: Omit<SiteImport, 'progress'>, upload: string): Promise<void> => {
    let state = { done: 0, total: 0 }
    try {
      const report = await importSite(target, {
        ...wanted,
        async progress(done, total, so) {
          state = { done, total }
          return (await job.progress(done, total, { report: so })) && !isClosing
        },
      })
      await job.end(state.total, state.total, { report })
      // A dry run is followed by the run itself.
      if (upload !== '' && !wanted.dryRun) await uploads.remove(upload)
    } catch (error) {
      await job.end(state.done, state.total, { error: printedError(error, longestError) })
      const reason = shortText(reasonOf(error), longestError)
      parts.warn('site_import_failed', { place: shownPlace(wanted.place), reason })
    }
  }

  const state = async (): Promise<SiteImportState> => {
    const job = await jobs.state(siteImportJob)
    const report = siteImportReport.safeParse(job.result.report)
    return {
      running: job.running,
      started_time: job.startedTime,
      finished_time: job.finishedTime,
      done: job.done,
      total: job.total,
      error: typeof job.result.error === 'string' ? job.result.error : '',
      report: report.success ? report.data : null,
    }
  }

  return {
    state,
    async start(actor, { dsn, upload, site, dry_run, salt_key, ...body }) {
      const place = await placeOf({ dsn, upload })
      const job = await jobs.begin(siteImportJob)
      if (job === undefined) throw new AppError('import_running')
      const name = site === '' ? body.product : site
      await parts.audit.record({
        actor: { id: actor.id, username: actor.username },
        action: dry_run ? 'site_import.preview' : 'site_import.start',
        object: 'site_import',
        objectId: name,
        after: { product: body.product, place: shownPlace(place), logs: body.logs },
        ip: actor.ip,
      })
      const wanted = { ...body, place, site: name, dryRun: dry_run, saltKey: salt_key }
      running = run(job, wanted, upload)
      return state()
    },
    async upload(actor, part) {
      const stored = await uploads.add(part)
      if (part.id !== '') return stored
      await parts.audit.record({
        actor: { id: actor.id, username: actor.username },
        action: 'site_import.upload',
        object: 'site_import',
        objectId: stored.id,
        ip: actor.ip,
      })
      return stored
    },
    async close() {
      isClosing = true
      await running
    },
  }
}
