import { createHash } from 'node:crypto'
import { isObject, parseObject } from '@tollgate/contract/json'
import { AppError } from '#server/lib/app-error.ts'
import type { Maker } from '#server/relay/reader.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { AskedBatch, BatchCreation } from '../creation.ts'
import { anthropicForm } from '../forms/anthropic.ts'
import { type Batch, isFault } from '../forms/batch-form.ts'
import { openaiForm } from '../forms/openai.ts'
import { inputLines, inputStart, openInput } from '../input/input-lines.ts'
import { isOpen } from '../stored/batch-store.ts'
import type { BatchChunks } from '../stored/chunks.ts'

/** Forms in which the name of each line is unique. */
const forms = { openai: openaiForm, anthropic: anthropicForm } as const

/** True where requests of a batch had no success and can be made again. */
export const retriesOf = (batch: Batch): boolean =>
  !isOpen(batch) && batch.form !== 'gemini' && batch.failed + batch.skipped > 0

const impossible = (): AppError => new AppError('batch_retry_impossible')

const makerOf = (batch: Batch): Maker => ({
  userId: batch.user_id,
  tokenId: batch.token_id,
  projectId: batch.project_id,
  memberId: batch.member_id,
})

/** Names may be long, and there may be a hundred thousand. */
const hashOf = (name: string): string => createHash('sha256').update(name).digest().toString('latin1', 0, 16)

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text)
}

const isWithoutSuccess = ({ result }: Readonly<Record<string, unknown>>): boolean =>
  isObject(result) && result.type !== 'succeeded'

export interface RetryParts {
  readonly chunks: BatchChunks
  readonly keptFiles: Pick<KeptFiles, 'create' | 'open'>
  readonly creation: BatchCreation
  /** Bytes of the longest line. */
  readonly longestLine: number
}

/** Makes a new batch, for the same key, of the requests of an ended one that had no success. Throws AppError. */
export const createRetry = ({ chunks, keptFiles, creation, longestLine }: RetryParts) => {
  /** Hashes of the names of lines without success. */
  const failedNames = async (batch: Batch): Promise<ReadonlySet<string>> => {
    const results =
      batch.form === 'openai' ? keptFiles.open({ id: batch.error_file }) : bytesOf(chunks.results(batch.id, 'output'))
    const names = new Set<string>()
    const read = openInput(() => results)
    for await (const { text = '' } of inputLines(read.bytes(0), inputStart, Number.POSITIVE_INFINITY)) {
      const line = parseObject(text)
      const isMeant = batch.form === 'openai' || isWithoutSuccess(line)
      if (isMeant && typeof line.custom_id === 'string') names.add(hashOf(line.custom_id))
    }
    if (read.isGone() || names.size === 0) throw impossible()
    return names
  }

  async function* linesOf(batch: Batch, names: ReadonlySet<string>): AsyncGenerator<string> {
    const form = batch.form === 'openai' ? forms.openai : forms.anthropic
    const read = openInput((from) =>
      batch.input_file === '' ? chunks.input(batch.id, from) : keptFiles.open({ id: batch.input_file }, from),
    )
    for await (const { text } of inputLines(read.bytes(0), inputStart, longestLine)) {
      const line = text === undefined ? undefined : form.read(text, batch)
      if (text !== undefined && line !== undefined && !isFault(line) && names.has(hashOf(line.name))) yield text
    }
    if (read.isGone()) throw impossible()
  }

  return async (batch: Batch, ip: string): Promise<Batch> => {
    if (!retriesOf(batch)) throw impossible()
    const names = await failedNames(batch)
    const { endpoint, model, settings } = batch
    const maker = makerOf(batch)
    const asked = { maker, ip, endpoint, model, settings: parseObject(settings) } satisfies Omit<AskedBatch, 'form'>
    const lines = linesOf(batch, names)
    if (batch.form === 'anthropic') {
      const requests: string[] = []
      for await (const line of lines) requests.push(line)
      if (requests.length === 0) throw impossible()
      return creation.ofRequests({ form: anthropicForm, ...asked }, requests)
    }
    const file = {
      maker,
      filename: `batch_${batch.object_id}_again.jsonl`,
      purpose: 'batch',
      contentType: 'application/jsonl',
    }
    async function* text(): AsyncGenerator<Buffer> {
      for await (const line of lines) yield Buffer.from(`${line}\n`)
    }
    return creation.ofFile({ form: openaiForm, ...asked }, (await keptFiles.create(file, text())).id)
  }
}
