import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, textOf } from '../conversation/json.ts'

/** `$.a.b[0]` → a, b, 0. */
const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )

const valueAfter = (piece: JsonObject, before: unknown): unknown => {
  if (typeof piece.stringValue === 'string') return textOf(before) + piece.stringValue
  if (piece.numberValue !== undefined) return piece.numberValue
  if (piece.boolValue !== undefined) return piece.boolValue
  return 'nullValue' in piece ? null : before
}

/** Entries. Higher indexes are ignored, so that one number in a path cannot exhaust the memory. */
const longestList = 100_000

const grown = (before: unknown, steps: readonly (string | number)[], piece: JsonObject): unknown => {
  const [step, ...rest] = steps
  if (step === undefined) return valueAfter(piece, before)
  if (typeof step === 'number') {
    if (step >= longestList) return before
    const list: unknown[] = Array.isArray(before) ? [...(before as unknown[])] : []
    list[step] = grown(list[step], rest, piece)
    return list
  }
  const object: JsonObject = isObject(before) ? before : {}
  return { ...object, [step]: grown(ownMember(object, step), rest, piece) }
}

/** Adds the next pieces to the arguments of a call (cloud.google.com/vertex-ai: streaming function call arguments). */
export const growArguments = (before: JsonObject, pieces: readonly JsonObject[]): JsonObject =>
  pieces.reduce<JsonObject>((args, piece) => {
    const after = grown(args, stepsOf(textOf(piece.jsonPath)), piece)
    return isObject(after) ? after : args
  }, before)
