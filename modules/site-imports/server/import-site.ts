import type { ImportKind, ImportProduct, ImportSum, SiteImportReport } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
import { unixSeconds } from '#server/lib/clock.ts'
import { createNoteBook } from './notes.ts'
import type { ImportTarget } from './ports.ts'
import { products } from './products.ts'
import { type MappedKind, openRowMap } from './row-map.ts'
import { createRun, type ImportRun } from './run.ts'
import type { SourceSite } from './site.ts'
import { openSource } from './source/open-source.ts'
import type { SourcePlace } from './source/place.ts'
import { createChannelWriter } from './target/channels.ts'
import { createCodeWriter, createSecondFactorWriter } from './target/codes.ts'
import { createLimitWriter } from './target/limits.ts'
import { createLogWriter } from './target/logs.ts'
import { createMemberWriter } from './target/members.ts'
import { writeOptions } from './target/options.ts'
import { createOrganisationWriter, createProjectWriter, createTeamWriter } from './target/organisations.ts'
import { createTokenWriter } from './target/tokens.ts'
import { createUserWriter } from './target/users.ts'
import { createVirtualModelWriter } from './target/virtual-models.ts'

export interface SiteImport {
  readonly product: ImportProduct
  readonly place: SourcePlace
  /** Name under which moved rows are remembered; another one for each site of a product. */
  readonly site: string
  readonly dryRun: boolean
  readonly logs: boolean
  readonly saltKey: string
  /** Called after each page; false ends the import, which a later one continues. */
  progress(done: number, total: number, report: SiteImportReport): Promise<boolean>
}

/** The import was ended before it was through. */
class ImportStopped extends Error {}

const rowsMoved = (run: ImportRun, kind: MappedKind): RawBuilder<unknown> =>
  sql`(select target_id from import_rows where site = ${run.site} and kind = ${kind})`

/** Opening amounts of the ledger by sum: independent of later usage. */
const sumsHere = async (run: ImportRun): Promise<ReadonlyMap<ImportSum, number>> => {
  const opening = (account: string, kind: MappedKind) =>
    sql`select coalesce(sum(amount), 0) as n from ledger_entries
      where account = ${account} and reason = 'opening' and account_id in ${rowsMoved(run, kind)}`
  const used = (account: string, kind: MappedKind) =>
    sql`select coalesce(sum(used), 0) as n from opening_uses
      where account = ${account} and account_id in ${rowsMoved(run, kind)}`
  const queries: readonly (readonly [ImportSum, RawBuilder<unknown>])[] = [
    ['user_quota', opening('user', 'user')],
    ['user_used', used('user', 'user')],
    ['aff_quota', opening('aff', 'user')],
    ['wallet_quota', opening('user', 'wallet')],
    ['wallet_used', used('user', 'wallet')],
    ['token_remain', opening('token', 'token')],
    ['token_used', used('token', 'token')],
    ['code_quota', sql`select coalesce(sum(quota), 0) as n from redemptions where id in ${rowsMoved(run, 'code')}`],
  ]
  const sums = new Map<ImportSum, number>()
  for (const [name, query] of queries) {
    const { rows } = await sql<{ n: number | string }>`${query}`.execute(run.target.database.query)
    sums.set(name, Number(rows[0]?.n ?? 0))
  }
  return sums
}

const reportOf = (run: ImportRun, here?: ReadonlyMap<ImportSum, number>): SiteImportReport => ({
  product: run.product,
  site: run.site,
  dry_run: run.dryRun,
  counts: run.counts(),
  sums: [...run.sums()].map(([name, before]) => ({ name, before, after: here?.get(name) ?? null })),
  notes: run.notes.read(),
})

type Step = readonly [ImportKind, AsyncIterable<readonly unknown[]>, (page: readonly never[]) => Promise<void>]

const step = <Row>(
  kind: ImportKind,
  pages: AsyncIterable<readonly Row[]>,
  write: (page: readonly Row[]) => Promise<void>,
): Step => [kind, pages, write]

/** Kinds whose writers do not count what they find: pages leave out what cannot be moved. */
const countedBefore: ReadonlySet<ImportKind> = new Set(['channel', 'code', 'second_factor', 'log'])

const moveAll = async (run: ImportRun, site: SourceSite, wanted: SiteImport): Promise<void> => {
  const users = createUserWriter(run)
  const members = createMemberWriter(run)
  const steps: readonly Step[] = [
    step('user', site.users(), users.write),
    step('organisation', site.organisations(), createOrganisationWriter(run).write),
    step('team', site.teams(), createTeamWriter(run).write),
    step('project', site.projects(), createProjectWriter(run).write),
    step('member', site.members(), members.write),
    step('token', site.tokens(), createTokenWriter(run).write),
    step('channel', site.channels(), createChannelWriter(run).write),
    step('virtual_model', site.virtualModels(), createVirtualModelWriter(run).write),
    step('code', site.codes(), createCodeWriter(run).write),
    step('second_factor', site.secondFactors(), createSecondFactorWriter(run).write),
    step('limit', site.limits(), createLimitWriter(run).write),
    ...(wanted.logs ? [step('log', site.logs(), createLogWriter(run).write)] : []),
  ]
  const totals = new Map<ImportKind, number>()
  for (const [kind] of steps) totals.set(kind, await site.total(kind))
  const total = [...totals.values()].reduce((sum, count) => sum + count, 0)
  let done = 0
  for (const [kind, pages, write] of steps) {
    if (countedBefore.has(kind) && (totals.get(kind) ?? 0) > 0) run.count(kind, { found: totals.get(kind) ?? 0 })
    for await (const page of pages) {
      await write(page as readonly never[])
      done += page.length
      if (!(await wanted.progress(Math.min(done, total), total, reportOf(run)))) {
        throw new ImportStopped('The import was stopped; another run goes on where it ended.')
      }
    }
    if (kind === 'user') await users.linkInviters()
    if (kind === 'member') await members.nameOwners()
  }
}

/**
 * Moves another gateway's database into this one, or says what would be moved. Repeating it moves what is new; a run that was
 * ended goes on where it was. Throws Error with the reason, never with a password of the source.
 */
export const importSite = async (target: ImportTarget, wanted: SiteImport): Promise<SiteImportReport> => {
  const source = await openSource(wanted.place)
  try {
    const notes = createNoteBook()
    const run = createRun({
      target,
      site: wanted.site,
      product: wanted.product,
      dryRun: wanted.dryRun,
      notes,
      map: openRowMap(target.database, wanted.site),
    })
    const listed = await target.listPrices()
    const site = await products[wanted.product]({
      source,
      notes,
      quotaPerUnit: target.quotaPerUnit(),
      listed,
      now: unixSeconds(target.clock),
      saltKey: wanted.saltKey,
    })
    await writeOptions(run, await site.options(), { found: await site.total('option'), listed })
    await moveAll(run, site, wanted)
    await site.noteRest()
    if (!wanted.logs && (await site.total('log')) > 0) notes.note('logs_not_wished', String(await site.total('log')))
    if (!wanted.dryRun) await target.changed()
    return reportOf(run, wanted.dryRun ? undefined : await sumsHere(run))
  } finally {
    await source.close()
  }
}
