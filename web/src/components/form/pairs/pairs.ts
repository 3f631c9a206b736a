import { isObject, parseJson } from '@tollgate/contract/json'
/** One row of the table form of a JSON object: a name and its value, both as typed. */
export interface PairRow {
  readonly id: number
  readonly name: string
  readonly value: string
}

/** How a kind of JSON becomes rows and comes back. `undefined` when the text is not of that kind. */
export interface PairsForm {
  read(text: string): readonly Omit<PairRow, 'id'>[] | undefined
  write(pairs: readonly PairRow[]): string
}

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

const plainPairs = (record: Readonly<Record<string, unknown>>): readonly Omit<PairRow, 'id'>[] | undefined =>
  Object.values(record).every(isPlain)
    ? Object.entries(record).map(([name, value]) => ({ name, value: String(value) }))
    : undefined

/** Written by hand, so that a name typed twice stays visible until it is put right. */
const recordText = (pairs: readonly PairRow[], valueText: (value: string) => string): string =>
  pairs.length === 0
    ? '{}'
    : `{\n${pairs.map(({ name, value }) => `  ${JSON.stringify(name)}: ${valueText(value)}`).join(',\n')}\n}`

const numberText = (value: string): string =>
  /^-?\d+(\.\d+)?$/.test(value.trim()) ? String(Number(value)) : JSON.stringify(value)

const readRecord = (text: string): readonly Omit<PairRow, 'id'>[] | undefined => {
  const value = parseJson(text)
  return isObject(value) ? plainPairs(value) : undefined
}

/** `{ name: number }`; text that is not a number is kept, and refused by the check. */
export const numberPairs: PairsForm = {
  read: readRecord,
  write: (pairs) => recordText(pairs, numberText),
}

/** `{ name: text }` */
export const textPairs: PairsForm = { read: readRecord, write: (pairs) => recordText(pairs, JSON.stringify) }

/** A text that would be read as something else keeps its quotes, so that it comes back as it was. */
const printedValue = (value: unknown): string =>
  typeof value === 'string' && parseJson(value) === undefined ? value : JSON.stringify(value)

/** `{ name: anything }`: numbers, switches and objects as JSON, texts without quotes. */
export const valuePairs: PairsForm = {
  read(text) {
    const value = parseJson(text)
    if (!isObject(value)) return undefined
    return Object.entries(value).map(([name, member]) => ({ name, value: printedValue(member) }))
  },
  write: (pairs) =>
    recordText(pairs, (value) => {
      const parsed = parseJson(value)
      return JSON.stringify(parsed === undefined ? value : parsed)
    }),
}

/** The same form where a text without rows stays empty: an empty field means "not set". */
export const emptyable = ({ read, write }: PairsForm): PairsForm => ({
  read: (text) => (text.trim() === '' ? [] : read(text)),
  write: (pairs) => (pairs.length === 0 ? '' : write(pairs)),
})

/** `[{ name: text }, …]`, in an order that matters. */
export const listPairs: PairsForm = {
  read(text) {
    const value = parseJson(text)
    if (!Array.isArray(value) || !value.every(isObject)) return undefined
    const each = value.map(plainPairs)
    return each.every((pairs) => pairs?.length === 1) ? each.flatMap((pairs) => pairs ?? []) : undefined
  },
  write: (pairs) =>
    JSON.stringify(
      pairs.map(({ name, value }) => ({ [name]: value })),
      null,
      2,
    ),
}
