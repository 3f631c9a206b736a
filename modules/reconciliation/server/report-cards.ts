import type { Sentence, SiteCard, SiteCardRule } from '@tollgate/contract/records/site-cards'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/lib/app-error.ts'
import { printedError } from '#server/lib/json/stored-error.ts'
import { reportCardTexts as texts } from '../contract/card-texts.ts'
import { type ImportRow, isInterrupted, readSummary } from './import-row.ts'

const daySeconds = 86_400
/** Reports that were imported before are no news any more. */
const shownForDays = 30
const mostImports = 200
/** Differences below this part of the report's cost, or below so many dollars, have no card. */
const leastShare = 0.01
const leastDollars = 1
const longestReason = 1_000

type NamedImport = ImportRow & { readonly source_name: string }

/** The last import of each source within the time, the newest first. */
const lastImports = async ({ query }: Pick<Database, 'query'>, now: number): Promise<readonly NamedImport[]> => {
  const rows = await query
    .selectFrom('report_imports')
    .innerJoin('report_sources', 'report_sources.id', 'report_imports.source_id')
    .selectAll('report_imports')
    .select('report_sources.name as source_name')
    .where('report_imports.started_time', '>=', now - shownForDays * daySeconds)
    .orderBy('report_imports.started_time', 'desc')
    .orderBy('report_imports.id', 'desc')
    .limit(mostImports)
    .execute()
  const seen = new Set<number>()
  return rows.filter(({ source_id: id }) => !seen.has(id) && seen.add(id))
}

const sentence = (
  text: Sentence['text'],
  { source_name: source, from_day: from, until_day: until }: NamedImport,
  values: Sentence['values'] = {},
): Sentence => ({ text, values: { source, from: { day: from }, until: { day: until }, ...values } })

const failedCard = (row: NamedImport, reason: string): SiteCard => ({
  severity: 'warn',
  about: [row.source_id],
  at: row.started_time,
  reason,
  words: { fact: sentence(texts.failed, row), button: texts.sources, path: '/reconciliation' },
})

const dollarsOf = (text: string): number => Number(text)

const differenceCards = (row: NamedImport): readonly SiteCard[] => {
  const { ours_cost: ours, theirs_cost: theirs, difference, causes } = readSummary(row.summary)
  // Both explain themselves: the next report has the other part.
  const explained = causes
    .filter(({ cause }) => cause === 'rounding' || cause === 'day_boundary')
    .reduce((sum, { amount }) => sum + dollarsOf(amount), 0)
  const open = dollarsOf(difference) - explained
  if (Math.abs(open) < Math.max(leastDollars, dollarsOf(theirs) * leastShare)) return []
  const isDearer = open > 0
  return [
    {
      severity: isDearer ? 'warn' : 'note',
      about: [row.id],
      at: row.finished_time,
      reason: '',
      words: {
        fact: sentence(isDearer ? texts.dearer : texts.cheaper, row, { amount: { money: Math.abs(open) } }),
        consequence: sentence(texts.sums, row, {
          theirs: { money: dollarsOf(theirs) },
          ours: { money: dollarsOf(ours) },
        }),
        button: texts.open,
        path: `/reconciliation/${row.id}`,
      },
    },
  ]
}

/** Rules about providers' reports: those that could not be imported, and those that differ from the log. */
export const reportCards = (database: Pick<Database, 'query'>): readonly SiteCardRule[] => [
  {
    name: 'report_failed',
    area: 'billing',
    async read(now) {
      return (await lastImports(database, now)).flatMap((row) => {
        if (row.status === 'failed') return [failedCard(row, row.error)]
        const interrupted = new AppError('report_interrupted')
        return isInterrupted(row, now) ? [failedCard(row, printedError(interrupted, longestReason))] : []
      })
    },
  },
  {
    name: 'report_differs',
    area: 'billing',
    read: async (now) =>
      (await lastImports(database, now)).filter(({ status }) => status === 'done').flatMap(differenceCards),
  },
]
