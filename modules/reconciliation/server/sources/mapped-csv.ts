import { type ReportField, reportFields, type SourceSettings } from '@tollgate/contract'
import { decimal, divide } from '#server/billing/decimal.ts'
import { AppError } from '#server/lib/app-error.ts'
import { moneyPlaces, openLines, reportLine } from '../report.ts'
import { type Cell, countCell, dayCell, numberCell } from './cells.ts'
import { type CsvRecord, csvRows, plainName, readCsv } from './csv.ts'
import type { ReportFile } from './source.ts'

/** Names under which exports have these columns; what a file has first wins. */
const usualNames: Readonly<Record<ReportField, readonly string[]>> = {
  day: ['day', 'date', 'usage_date', 'created_at', 'timestamp', 'time', 'start_time_iso', 'start_time', '日期', '时间'],
  model: ['model', 'model_name', 'model_id', 'model_version', '模型'],
  request_id: ['request_id', 'generation_id', 'id', '请求ID'],
  calls: ['calls', 'requests', 'num_model_requests', 'request_count', 'n_requests', '调用次数', '请求数'],
  input: ['prompt_tokens', 'input_tokens', 'tokens_prompt', 'input', '输入tokens', '输入'],
  cache_read: [
    'cache_read_tokens',
    'cached_tokens',
    'input_cached_tokens',
    'cache_read_input_tokens',
    'cache_read',
    '缓存命中',
  ],
  cache_write: ['cache_write_tokens', 'cache_creation_tokens', 'cache_creation_input_tokens', 'cache_write'],
  output: ['completion_tokens', 'output_tokens', 'tokens_completion', 'output', '输出tokens', '输出'],
  cost: ['cost', 'cost_usd', 'amount', 'amount_value', 'cost_total', 'total_cost', 'usage_usd', '费用', '金额'],
}

/** Fields that the columns of a header probably mean. */
const guessColumns = (header: readonly string[]): Partial<Record<ReportField, string>> => {
  const byName = new Map(header.map((name) => [plainName(name), name] as const))
  const found = reportFields.flatMap((field) => {
    const usual = usualNames[field].map(plainName).find((name) => byName.has(name))
    const column = usual === undefined ? undefined : byName.get(usual)
    return column === undefined ? [] : [[field, column] as const]
  })
  return Object.fromEntries(found)
}

const previewRows = 8

/** The header and the first rows of a text that may end within a row. */
export const previewCsv = (text: string) => {
  const rows: string[][] = []
  for (const row of csvRows(text)) {
    rows.push(row)
    if (rows.length > previewRows) break
  }
  const [header = [], ...first] = rows
  return { header, rows: first, columns: guessColumns(header) }
}

const cellsOf = (record: CsvRecord, columns: SourceSettings['columns']) => {
  const cell = (field: ReportField): Cell | undefined => {
    const column = columns[field]
    return column === undefined || column === '' ? undefined : { text: record.text(column), line: record.line, column }
  }
  const count = (field: ReportField): number | null => {
    const found = cell(field)
    return found === undefined ? null : countCell(found)
  }
  return { cell, count }
}

/** Any CSV file, by the columns that the operator chose. */
export const mappedCsv: ReportFile = async (text, settings) => {
  const { columns } = settings
  const perDollar = decimal(settings.per_dollar)
  const { add, lines } = openLines()
  const onHeader = (has: (name: string) => boolean): void => {
    const missing = Object.values(columns).filter((name) => name !== '' && !has(name))
    if (!columns.day) missing.push('day')
    if (missing.length > 0) throw new AppError('report_columns', { params: { columns: missing.join(', ') } })
  }
  await readCsv(text, onHeader, (record) => {
    const { cell, count } = cellsOf(record, columns)
    const [day, cost] = [cell('day'), cell('cost')]
    // Exports end with totals, which have no day.
    if (day === undefined || day.text === '') return
    const [input, cacheRead, cacheWrite] = [count('input'), count('cache_read'), count('cache_write')]
    const cached = settings.input_includes_cache ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0
    const requestId = cell('request_id')?.text ?? ''
    add(
      reportLine({
        day: dayCell(day),
        model: cell('model')?.text ?? '',
        requestId,
        calls: count('calls') ?? (requestId === '' ? null : 1),
        input: input === null ? null : Math.max(0, input - cached),
        cacheRead,
        cacheWrite,
        output: count('output'),
        cost: cost === undefined ? null : divide(numberCell(cost), perDollar, moneyPlaces),
      }),
    )
  })
  return lines
}
