import type { JsonObject } from '@tollgate/contract/json'
import { ListCutter } from '#server/relay/batches/reading/list-cutter.ts'
import { type Batch, type BatchForm, isFault } from '../forms/batch-form.ts'
import { onOneLine } from '../forms/line-members.ts'
import { invalidBatch } from './request.ts'

const sliceBytes = 64 * 1024

export interface ListedRequests {
  /** Each on one line. */
  readonly requests: readonly string[]
  /** The body around them, with an empty list. */
  readonly frame: JsonObject
}

/** The entries of the list `requests` in a body, and the body around them; other calls get their turn in between. */
export const listedRequests = async (body: Buffer, most: number): Promise<ListedRequests> => {
  const requests: string[] = []
  const cutter = new ListCutter('requests', (entry) => {
    const text = entry === undefined ? undefined : onOneLine(entry)
    if (text === undefined) throw invalidBatch(`requests.${requests.length}: no JSON object, or too long`)
    if (requests.length >= most) throw invalidBatch(`requests: more than ${most}`)
    requests.push(text)
  })
  for (let at = 0; at < body.length; at += sliceBytes) {
    cutter.push(body.subarray(at, at + sliceBytes))
    await new Promise(setImmediate)
  }
  const frame = cutter.end()
  if (frame === undefined) throw invalidBatch('the body is no JSON object')
  return { requests, frame }
}

/** Throws AppError `batch_request_invalid` where a request cannot be read, a name stands twice, or there is none. */
export const checkRequests = async (
  requests: readonly string[],
  form: BatchForm,
  batch: Pick<Batch, 'endpoint' | 'model' | 'settings'>,
): Promise<void> => {
  if (requests.length === 0) throw invalidBatch('requests: at least one is needed')
  const names = new Set<string>()
  for (const [index, request] of requests.entries()) {
    if (index % 200 === 199) await new Promise(setImmediate)
    const line = form.read(request, batch)
    if (isFault(line))
      throw invalidBatch(`requests.${index}${line.param === '' ? '' : `.${line.param}`}: ${line.message}`)
    if (form.hasUniqueNames && names.has(line.name))
      throw invalidBatch(`requests.${index}.custom_id: each must be unique, and this one is a duplicate`)
    names.add(line.name)
  }
}
