import type { Log } from '@tollgate/contract'
import type { FileAnswer } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { csvHead, csvLines } from './export-columns.ts'

export type ExportFormat = 'csv' | 'json'

type Chunks = AsyncIterable<readonly Log[]>

/** Reads the log in the background of everything else, so a few at a time are enough for one node. */
const mostAtOnce = 4

const csvParts = async function* (chunks: Chunks, operator: boolean): AsyncGenerator<string> {
  yield csvHead({ operator })
  for await (const logs of chunks) yield csvLines(logs, { operator })
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
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

export interface LogExports {
  /** A file of these logs. Throws AppError('export_running') while this caller, or too many others, are at it. */
  file(callerId: number, chunks: Chunks, how: { format: ExportFormat; operator: boolean }): FileAnswer
}

/** Streams logs as CSV or JSON: chunk by chunk as the client reads, so that size does not matter. */
export const createLogExports = (): LogExports => {
  const running = new Set<number>()

  const counted = async function* (callerId: number, parts: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* parts
    } finally {
      running.delete(callerId)
    }
  }

  return {
    file(callerId, chunks, { format, operator }) {
      if (running.has(callerId) || running.size >= mostAtOnce) throw new AppError('export_running')
      running.add(callerId)
      const parts = format === 'csv' ? csvParts(chunks, operator) : jsonParts(chunks)
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
      return { name: `logs.${format}`, type, parts: counted(callerId, parts) }
    },
  }
}
