import type { BodyChange, CapturedBody } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, parsedJson } from '#server/dialects/conversation/json.ts'

const mostChanges = 200
const longestValue = 300

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > longestValue ? `${text.slice(0, longestValue)}…`.toWellFormed() : text
}

const collect = (before: unknown, after: unknown, path: string, changes: BodyChange[]): void => {
  if (changes.length >= mostChanges || before === after) return
  const inner = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(ownMember(before, name), ownMember(after, name), inner(name), changes)
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of before.entries()) collect(value, after[index], inner(index), changes)
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    changes.push({
      path,
      ...(before === undefined ? {} : { before: shown(before) }),
      ...(after === undefined ? {} : { after: shown(after) }),
    })
  }
}

/** Members that differ between two bodies; undefined where one of them is no whole JSON. */
export const bodyChanges = (before: CapturedBody, after: CapturedBody): BodyChange[] | undefined => {
  if (before.cut || after.cut) return undefined
  const [left, right] = [parsedJson(before.text), parsedJson(after.text)]
  if (left === undefined || right === undefined) return undefined
  const changes: BodyChange[] = []
  collect(left, right, '', changes)
  return changes
}
