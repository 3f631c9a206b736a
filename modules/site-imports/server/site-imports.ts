import { type BodyOf, type SiteImportState, siteImportReport, type startSiteImport } from '@tollgate/contract'
import { parseDatabaseAddress } from '#server/db/engines/address.ts'
import type { Trace } from '#server/db/trace.ts'
import type { Actor } from '#server/http/actor.ts'
import type { NamedClaim, NamedJob, NamedJobs } from '#server/jobs/named-jobs.ts'
import { openJobRunner } from '#server/jobs/runner.ts'
import { AppError } from '#server/lib/app-error.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import { reasonOf } from '#server/lib/reason-of.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import { aliveEveryMs, runImport, siteImportJob } from './import-run.ts'
import type { SiteImport } from './import-site.ts'
import type { ImportTarget } from './ports.ts'
import { type SourcePlace, shownPlace } from './source/place.ts'
import type { Uploads } from './uploads.ts'

export interface SiteImportsParts {
  readonly target: ImportTarget
  readonly jobs: NamedJobs
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

interface ImportJob extends NamedJob {
  readonly wanted: Omit<SiteImport, 'progress'>
  /** Id of the uploaded file; empty where the source is a server. */
  readonly upload: string
}

const longestReason = 500

/** A server over the network, as an address or in the form of Go's driver for MySQL. */
const serverAddress = /^(?:(?:mysql|mariadb|postgres|postgresql):\/\/|.*@tcp\()/

export const openSiteImports = (parts: SiteImportsParts): SiteImports => {
  const { target, jobs, uploads, egress } = parts

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

  const runner = openJobRunner<ImportJob, NamedClaim>({
    store: jobs.store([]),
    async work({ wanted, upload }, run) {
      await runImport(run, { target, wanted })
      // A dry run is followed by the run itself.
      if (upload !== '' && !wanted.dryRun) await uploads.remove(upload)
    },
    aliveEveryMs,
    failed(error, job) {
      const place = job === undefined ? '' : shownPlace(job.wanted.place)
      parts.warn('site_import_failed', { place, reason: shortText(reasonOf(error), longestReason) })
    },
    clock: target.clock,
  })

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
      const name = site === '' ? body.product : site
      const wanted = { ...body, place, site: name, dryRun: dry_run, saltKey: salt_key }
      if (!(await runner.start({ id: siteImportJob, wanted, upload }))) throw new AppError('import_running')
      await parts.audit.record({
        actor: { id: actor.id, username: actor.username },
        action: dry_run ? 'site_import.preview' : 'site_import.start',
        object: 'site_import',
        objectId: name,
        after: { product: body.product, place: shownPlace(place), logs: body.logs },
        ip: actor.ip,
      })
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
    close: runner.stop,
  }
}
