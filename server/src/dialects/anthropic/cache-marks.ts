import { elements, type Member, membersOf, type Splice, splice } from '../../lib/json/json-edit.ts'
import { textOf } from '../conversation/json.ts'

/**
 * Marks of what to cache, for requests without any, at the places that Anthropic recommends: behind the tools, behind the
 * instructions, and behind the last two turns of the user, so that each call finds what the one before it wrote however many
 * blocks came since (it looks back 20 blocks). Together four, the most that is allowed
 * (platform.claude.com/docs/en/build-with-claude/prompt-caching).
 */

const anyMark = '"cache_control"'
/** Of the turns. */
const turnMarks = 2
/** Thinking blocks and blocks without text cannot be marked. */
const markable: ReadonlySet<unknown> = new Set(['text', 'image', 'document', 'tool_use', 'tool_result'])

interface Marking {
  readonly json: Buffer
  readonly mark: string
  readonly splices: Splice[]
}

const member = (members: readonly Member[], name: string): Member | undefined =>
  members.find((candidate) => candidate.name === name)

const parsedValue = (json: Buffer, found: Member | undefined): unknown =>
  found === undefined ? undefined : JSON.parse(json.toString('utf8', found.valueStart, found.valueEnd))

/** Adds the mark to the object at `start`. False for an empty one. */
const markObject = ({ json, mark, splices }: Marking, start: number): boolean => {
  const end = membersOf(json, start).at(-1)?.valueEnd
  if (end === undefined) return false
  splices.push({ start: end, end, text: `,${mark}` })
  return true
}

const isMarkable = (json: Buffer, start: number): boolean => {
  const members = membersOf(json, start)
  const type = parsedValue(json, member(members, 'type'))
  return markable.has(type) && (type !== 'text' || textOf(parsedValue(json, member(members, 'text'))).trim() !== '')
}

/** Marks content behind its last block that can be marked; a plain text becomes the block that it stands for. */
const markContent = (marking: Marking, content: Member | undefined): boolean => {
  if (content === undefined) return false
  const { json, mark, splices } = marking
  const { valueStart: start, valueEnd: end } = content
  if (json[start] === 34) {
    if (textOf(parsedValue(json, content)).trim() === '') return false
    splices.push({ start, end, text: `[{"type":"text","text":${json.toString('utf8', start, end)},${mark}}]` })
    return true
  }
  const block = elements(json, start).findLast((at) => isMarkable(json, at))
  return block !== undefined && markObject(marking, block)
}

/** Tools that are loaded later stand in no prefix. */
const markTools = (marking: Marking, tools: readonly number[]): void => {
  const { json } = marking
  const last = tools.findLast((at) => parsedValue(json, member(membersOf(json, at), 'defer_loading')) !== true)
  if (last !== undefined) markObject(marking, last)
}

const markTurns = (marking: Marking, turns: readonly (readonly Member[])[]): void => {
  let marked = 0
  for (const turn of turns.toReversed()) {
    if (parsedValue(marking.json, member(turn, 'role')) !== 'user') continue
    if (markContent(marking, member(turn, 'content'))) marked += 1
    if (marked === turnMarks) return
  }
}

/**
 * A request with marks; the same buffer where the client set one itself, anywhere. Turns are marked in conversations that will
 * go on: those with tools, or with an answer. All other bytes stay as they are.
 */
export const withCacheMarks = (json: Buffer, ttl: '5m' | '1h'): Buffer => {
  if (json.includes(anyMark)) return json
  const mark = `${anyMark}:{"type":"ephemeral"${ttl === '1h' ? ',"ttl":"1h"' : ''}}`
  const marking: Marking = { json, mark, splices: [] }
  const members = membersOf(json)
  const listOf = (name: string): number[] => {
    const list = member(members, name)
    return list === undefined ? [] : elements(json, list.valueStart)
  }
  const tools = listOf('tools')
  const turns = listOf('messages').map((at) => membersOf(json, at))
  markTools(marking, tools)
  markContent(marking, member(members, 'system'))
  const goesOn = tools.length > 0 || turns.some((turn) => parsedValue(json, member(turn, 'role')) === 'assistant')
  if (goesOn) markTurns(marking, turns)
  return marking.splices.length === 0 ? json : splice(json, marking.splices)
}
