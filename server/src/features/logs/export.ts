import type { LogEntry } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { FileAnswer } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { createLogCsv, type ExportHow } from './export-columns.ts'

type ExportFormat = 'csv' | 'json'

type Chunks = AsyncIterable<readonly LogEntry[]>

/** Reads the log in the background of everything else, so a few at a time are enough for one node. */
const mostAtOnce = 4

const csvParts = async function* (chunks: Chunks, how: ExportHow): AsyncGenerator<string> {
  const csv = createLogCsv(how)
  yield csv.head()
  for await (const logs of chunks) yield csv.lines(logs)
  yield csv.total()
}

/** A list with one row per line. `other` is an object here and not a JSON text. */
const jsonParts = async function* (chunks: Chunks): AsyncGenerator<string> {
  let between = '[\n'
  for await (const logs of chunks) {
    yield between + logs.map((log) => JSON.stringify({ ...log, other: objectOf(log.other) })).join(',\n')
    between = ',\n'
  }
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

const objectOf = (text: string): unknown => {
  if (text === '') return {}
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** `columns` are names, comma separated; all where it is empty. JSON always has everything. */
export interface FileHow {
  readonly format: ExportFormat
  readonly operator: boolean
  readonly columns?: string
}

export interface LogExports {
  /** A file of these logs. Throws AppError('export_running') while this caller, or too many others, are at it. */
  file(callerId: number, chunks: Chunks, how: FileHow): FileAnswer
}

/** Streams logs as CSV or JSON: chunk by chunk as the client reads, so that size does not matter. */
export const createLogExports = (quotaPerUnit: () => number): LogExports => {
  const running = new Set<number>()

  const counted = async function* (callerId: number, parts: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* parts
    } finally {
      running.delete(callerId)
    }
  }

  return {
    file(callerId, chunks, { format, operator, columns = '' }) {
      if (running.has(callerId) || running.size >= mostAtOnce) throw new AppError('export_running')
      running.add(callerId)
      const how = { operator, columns: columns.split(',').filter(Boolean), quotaPerUnit: quotaPerUnit() }
      const parts = format === 'csv' ? csvParts(chunks, how) : jsonParts(chunks)
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
      return { name: `logs.${format}`, type, parts: counted(callerId, parts) }
    },
  }
}
