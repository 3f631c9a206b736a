import { ownMember } from '@tollgate/contract/own-member'
/**
 * A parsed body in pieces. Taking over a message from another thread costs about as long as parsing it, so long lists travel
 * in batches, and other calls get their turn in between.
 */

export interface ListBatch {
  /** Name of the list at the top of the body. */
  readonly list: string
  readonly entries: readonly unknown[]
}

export interface BodyInBatches {
  /** The body with empty lists in the place of those that follow. */
  readonly head: Record<string, unknown>
  readonly batches: ListBatch[]
}

/** About the bytes that a batch takes. */
const batchWeight = 512 * 1024
const valueWeight = 64

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return valueWeight + value.length
  if (typeof value !== 'object' || value === null) return 8
  let weight = valueWeight
  for (const inner of Object.values(value)) weight += weightOf(inner)
  return weight
}

const batchesOfList = (list: string, values: readonly unknown[]): ListBatch[] => {
  const batches: ListBatch[] = []
  let entries: unknown[] = []
  let weight = 0
  for (const value of values) {
    entries.push(value)
    weight += weightOf(value)
    if (weight < batchWeight) continue
    batches.push({ list, entries })
    entries = []
    weight = 0
  }
  if (entries.length > 0) batches.push({ list, entries })
  return batches
}

/** Cuts the lists at the top of a body into batches. */
export const batchesOf = (body: Record<string, unknown>): BodyInBatches => {
  const members = Object.entries(body)
  const batches = members.flatMap(([name, value]) => (Array.isArray(value) ? batchesOfList(name, value) : []))
  const head = Object.fromEntries(members.map(([name, value]) => [name, Array.isArray(value) ? [] : value]))
  return { head, batches }
}

/** Puts a batch into the body that it was cut from. */
export const addBatch = (head: Record<string, unknown>, { list, entries }: ListBatch): void => {
  const values = ownMember(head, list)
  if (!Array.isArray(values)) throw new Error('a batch of a list that is not there')
  for (const entry of entries) values.push(entry)
}
