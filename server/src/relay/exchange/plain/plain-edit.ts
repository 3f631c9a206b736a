import { ownMember } from '@tollgate/contract/own-member'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import { stringEnd } from '../../../lib/json/json-edit.ts'
import { withMembers } from '../edit-request.ts'

const modelName = '"model"'
const quote = 34
const colon = 58
const closeBrace = 125

const skipSpace = (json: Buffer, from: number): number => {
  let at = from
  while (json[at] === 32 || json[at] === 10 || json[at] === 13 || json[at] === 9) at += 1
  return at
}

/**
 * Index at which the value of `model` begins; -1 where its name is written with escapes. A text may end in these bytes, but only names have a
 * colon behind them, and no other object of a plain body has a member of this name.
 */
const modelStart = (json: Buffer): number => {
  let at = json.indexOf(modelName)
  while (at >= 0) {
    const after = skipSpace(json, at + modelName.length)
    if (json[after] === colon) {
      const start = skipSpace(json, after + 1)
      return json[start] === quote ? start : -1
    }
    at = json.indexOf(modelName, at + modelName.length)
  }
  return -1
}

/** A new value for the text in `model`; undefined where its place has to be looked for in the whole body. */
const renamed = (json: Buffer, model: unknown): Buffer | undefined => {
  const start = modelStart(json)
  if (start < 0) return undefined
  const end = stringEnd(json, start)
  return Buffer.concat([json.subarray(0, start), Buffer.from(JSON.stringify(model)), json.subarray(end)])
}

/** A member more at the end of an object that has others. */
const extended = (json: Buffer, name: string, value: unknown): Buffer => {
  const end = json.lastIndexOf(closeBrace)
  return Buffer.concat([json.subarray(0, end), Buffer.from(`,"${name}":${JSON.stringify(value)}`), json.subarray(end)])
}

/**
 * The bytes that `withMembers` makes of a plain body, without reading all of it where another model is named or `stream_options` are added,
 * as in nearly all calls that do not keep their bytes. `body` was parsed from `json`.
 */
export const withPlainMembers = (json: Buffer, body: JsonObject, members: JsonObject): Buffer => {
  let edited: Buffer | undefined = json
  for (const name in members) {
    const value = ownMember(members, name)
    if (name === 'model' && typeof body.model === 'string' && typeof value === 'string') edited = renamed(edited, value)
    else if (name === 'stream_options' && value !== undefined && !Object.hasOwn(body, name))
      edited = extended(edited, name, value)
    else edited = undefined
    if (edited === undefined) return withMembers(json, members)
  }
  return edited
}
