import type { Statement } from '@tollgate/contract'
import { divide } from '#server/billing/decimal.ts'
import { type CsvCell, csvLine, csvMark } from '#server/http/csv.ts'

const places = 6

/**
 * Quota units as an amount of currency with six decimals, e.g. `-1.500000`, rounded half away from zero. Exact for prices of a
 * unit such as 500000. Empty where the site has no such price.
 */
export const currencyText = (quota: number, quotaPerUnit: number): string => {
  if (!(quotaPerUnit > 0) || !Number.isFinite(quotaPerUnit)) return ''
  if (!Number.isSafeInteger(quotaPerUnit)) return (quota / quotaPerUnit).toFixed(places)
  const { digits } = divide({ digits: BigInt(quota), scale: 0 }, { digits: BigInt(quotaPerUnit), scale: 0 }, places)
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`
}

const columns = [
  'section',
  'time',
  'item',
  'count',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'currency_amount',
] as const

const isoTime = (at: number): string => new Date(at * 1000).toISOString()

type Line = Partial<Record<(typeof columns)[number], CsvCell>> & { readonly quota: number }

const charged = ({ count, quota, prompt_tokens, completion_tokens }: Statement['charges']) => ({
  count,
  prompt_tokens,
  completion_tokens,
  quota: 0 - quota,
})

const linesOf = (statement: Statement): Line[] => [
  { section: 'opening', time: isoTime(statement.from), quota: statement.opening },
  ...statement.days.map(({ at, reason, count, amount }) => ({
    section: 'movement',
    time: isoTime(at),
    item: reason,
    count,
    quota: amount,
  })),
  ...statement.models.map((model) => ({ section: 'charges_by_model', item: model.model, ...charged(model) })),
  ...statement.keys.map((key) => ({
    section: 'charges_by_key',
    item: key.token_id === 0 ? 'playground' : `${key.name} (#${key.token_id})`,
    ...charged(key),
  })),
  { section: 'charges', ...charged(statement.charges) },
  { section: 'closing', time: isoTime(statement.to), quota: statement.closing },
]

/** A user's statement: opening + movements + charges = closing; the charges by model and by key are two views of the same. */
export const statementCsv = async function* (statement: Statement): AsyncGenerator<string> {
  yield csvMark + csvLine(columns)
  for (const line of linesOf(statement)) {
    const cells: Line = {
      ...line,
      currency_amount: { decimal: currencyText(line.quota, statement.quota_per_unit) },
    }
    yield csvLine(columns.map((name) => cells[name] ?? ''))
  }
}
