import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'

export type ResultKind = 'output' | 'error'

/** A finished line: its number, and the text for its file of results. */
export interface LineResult {
  readonly line: number
  readonly kind: ResultKind
  readonly text: string
}

/** The texts of batches in the database. */
export interface BatchChunks {
  /** Stores bytes of requests that come in pieces; answers how many they were. */
  addInput(batchId: number, pieces: AsyncIterable<string>): Promise<number>
  /** Bytes of stored requests from an offset. */
  input(batchId: number, from: number): AsyncIterable<Buffer>
  /** Stores results as the chunks that follow the one of number `after`. */
  addResults(trx: Transaction<Tables>, batchId: number, after: number, results: readonly LineResult[]): Promise<void>
  /** Numbers of the lines from `from` that have results. */
  doneLines(batchId: number, from: number): Promise<Set<number>>
  /** Texts of results, chunk by chunk, each with its line feed at the end. */
  results(batchId: number, kind: ResultKind): AsyncIterable<string>
  /** Texts of results line by line, in the order of the lines. */
  orderedResults(batchId: number): AsyncIterable<string>
  /** Deletes what belongs to a batch. */
  remove(batchId: number, kinds: readonly ('input' | ResultKind)[], trx?: Transaction<Tables>): Promise<void>
}

const byKind = (results: readonly LineResult[]): (readonly [LineResult, ...LineResult[]])[] =>
  (['output', 'error'] as const).flatMap((kind) => {
    const [first, ...more] = results.filter((result) => result.kind === kind)
    return first === undefined ? [] : [[first, ...more] as const]
  })

/** Number of chunks that these results become: one for each kind. */
export const chunksOf = (results: readonly LineResult[]): number => byKind(results).length

const chunkBytes = 256 * 1024
/** Chunks whose texts are in memory while results are put in order. */
const cachedChunks = 16

export const openBatchChunks = (
  { query }: Pick<Database, 'query'>,
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
): BatchChunks => {
  const seal = (text: string): string => secrets.encrypt('batch_chunk', text)
  const unseal = (cipher: string): string => secrets.decrypt('batch_chunk', cipher)

  const textOf = async (id: number): Promise<string> => {
    const row = await query.selectFrom('batch_chunks').select('content_cipher').where('id', '=', id).executeTakeFirst()
    return row === undefined ? '' : unseal(row.content_cipher)
  }

  const resultRows = (batchId: number) =>
    query
      .selectFrom('batch_chunks')
      .select(['id', 'lines', 'place'])
      .where('batch_id', '=', batchId)
      .where('kind', 'in', ['output', 'error'])

  const numbersIn = (lines: string): number[] => lines.split(',').map(Number)

  return {
    async addInput(batchId, pieces) {
      let place = 0
      let parts: string[] = []
      let size = 0
      const write = async (): Promise<void> => {
        const content = parts.join('')
        await query
          .insertInto('batch_chunks')
          .values({ batch_id: batchId, kind: 'input', place, lines: '', last_line: 0, content_cipher: seal(content) })
          .execute()
        place += size
        parts = []
        size = 0
      }
      for await (const piece of pieces) {
        parts.push(piece)
        size += Buffer.byteLength(piece)
        if (size >= chunkBytes) await write()
      }
      if (size > 0) await write()
      return place
    },
    async *input(batchId, from) {
      const rows = await query
        .selectFrom('batch_chunks')
        .select(['id', 'place'])
        .where('batch_id', '=', batchId)
        .where('kind', '=', 'input')
        .orderBy('place')
        .execute()
      for (const [index, { id, place }] of rows.entries()) {
        if ((rows[index + 1]?.place ?? Number.POSITIVE_INFINITY) <= from) continue
        const bytes = Buffer.from(await textOf(id))
        yield bytes.subarray(Math.max(0, from - place))
      }
    },
    async addResults(trx, batchId, after, results) {
      let place = after
      for (const own of byKind(results)) {
        const [{ kind }] = own
        place += 1
        await trx
          .insertInto('batch_chunks')
          .values({
            batch_id: batchId,
            kind,
            place,
            lines: own.map(({ line }) => line).join(),
            last_line: own.reduce((most, { line }) => Math.max(most, line), 0),
            content_cipher: seal(own.map(({ text }) => `${text}\n`).join('')),
          })
          .execute()
      }
    },
    async doneLines(batchId, from) {
      const rows = await resultRows(batchId).where('last_line', '>=', from).execute()
      return new Set(rows.flatMap(({ lines }) => numbersIn(lines).filter((line) => line >= from)))
    },
    async *results(batchId, kind) {
      const rows = await query
        .selectFrom('batch_chunks')
        .select('id')
        .where('batch_id', '=', batchId)
        .where('kind', '=', kind)
        .orderBy('place')
        .execute()
      for (const { id } of rows) yield await textOf(id)
    },
    async *orderedResults(batchId) {
      const rows = await resultRows(batchId).execute()
      const places = rows
        .flatMap(({ id, lines }) => numbersIn(lines).map((line, index) => ({ id, line, index })))
        .sort((left, right) => left.line - right.line)
      const cache = new Map<number, readonly string[]>()
      for (const { id, index } of places) {
        const texts = cache.get(id) ?? (await textOf(id)).split('\n')
        cache.delete(id)
        cache.set(id, texts)
        const [oldest] = cache.keys()
        if (cache.size > cachedChunks && oldest !== undefined) cache.delete(oldest)
        yield texts[index] ?? ''
      }
    },
    async remove(batchId, kinds, trx) {
      await (trx ?? query)
        .deleteFrom('batch_chunks')
        .where('batch_id', '=', batchId)
        .where('kind', 'in', [...kinds])
        .execute()
    },
  }
}
