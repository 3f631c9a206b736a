import { isObject, type JsonObject, parseJson } from '@tollgate/contract/json'
import type { JoinedModule } from '#server/app/modules/module-kit.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { Batch } from '../forms/batch-form.ts'
import type { BatchPage } from '../stored/batch-store.ts'

export type ModuleRoute = NonNullable<JoinedModule['calls']>[number]
export type ModuleCall = Parameters<ModuleRoute['answer']>[0]

/** A refusal of a call; `detail` says why, in English. */
export const invalidBatch = (detail: string): AppError => new AppError('batch_request_invalid', { params: { detail } })

export const noBatch = (id: string): AppError => new AppError('batch_not_found', { params: { id } })

/** The JSON object of a body. Throws AppError `batch_request_invalid`. */
export const objectOf = (bytes: Buffer): JsonObject => {
  const body = parseJson(bytes.toString())
  if (!isObject(body)) throw invalidBatch('the body is no JSON object')
  return body
}

export const queryOf = ({ context }: ModuleCall): URLSearchParams => new URLSearchParams(context.query)

/** Number in a query between 1 and the most. */
export const limitIn = (
  query: URLSearchParams,
  name: string,
  { usual, most }: { usual: number; most: number },
): number => {
  const limit = Number(query.get(name) ?? usual)
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, most) : usual
}

/** The page that a list is asked for; batches are named as `rowOf` finds them. Throws what that throws. */
export const pageOf = async (
  query: URLSearchParams,
  names: { readonly after: string; readonly before?: string },
  rowOf: (id: string) => Promise<Batch>,
): Promise<Omit<BatchPage, 'limit'>> => {
  const after = query.get(names.after) ?? ''
  const before = names.before === undefined ? '' : (query.get(names.before) ?? '')
  return {
    after: after === '' ? undefined : (await rowOf(after)).id,
    before: before === '' ? undefined : (await rowOf(before)).id,
  }
}

/** ISO time of unix seconds; null for none. */
export const isoTime = (seconds: number): string | null =>
  seconds === 0 ? null : new Date(seconds * 1000).toISOString()
