import { withoutNoise } from '../../dialects/conversation/client-noise.ts'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'

/** UTF-16 units of each text that identify a conversation; the rest grows with every turn. */
const prefix = 512

const [reminder, endOfReminder] = ['<system-reminder>', '</system-reminder>'] as const

/** The text without the reminders that programs prepend to a user's words (Qwen Code, Claude Code): they are the same in every conversation. */
const withoutReminders = (text: string): string => {
  let rest = text
  while (rest.startsWith(reminder)) {
    const end = rest.indexOf(endOfReminder)
    if (end < 0) return ''
    rest = rest.slice(end + endOfReminder.length).trimStart()
  }
  return rest
}

/** The first text in content of any dialect: a text, or a list of parts with texts. `clean` removes what does not identify it. */
const textIn = (content: unknown, clean: (text: string) => string): string => {
  if (typeof content === 'string') return clean(content)
  if (isObject(content)) return typeof content.text === 'string' ? content.text : textIn(content.parts, clean)
  if (!Array.isArray(content)) return ''
  for (const part of content) {
    const text = clean(textIn(part, clean))
    if (text !== '') return text
  }
  return ''
}

const isPerson = (role: unknown): boolean => role === 'user' || role === undefined

const cut = (content: unknown): string => textIn(content, withoutNoise).slice(0, prefix)

/** The user's first words; reminders where there are no others. */
const cutWords = (content: unknown): string => textIn(content, withoutReminders).slice(0, prefix) || cut(content)

/** Turns before the user's first that are read. */
const mostTurns = 8

/** Instructions and the user's first words, cut short: the same in all turns of a conversation. undefined where a body contains no conversation. */
export const conversationBeginning = (
  dialect: Pick<Dialect, 'requestRules'>,
  body: Readonly<Record<string, unknown>>,
): string | undefined => {
  const { instructions, turns } = dialect.requestRules.opening(body)
  const texts = [cut(instructions)]
  if (typeof turns === 'string') texts.push(turns.slice(0, prefix))
  else if (Array.isArray(turns)) {
    for (const turn of turns.slice(0, mostTurns)) {
      if (!isObject(turn)) return undefined
      const content = turn.content ?? turn.parts
      texts.push(isPerson(turn.role) ? cutWords(content) : cut(content))
      if (isPerson(turn.role)) break
    }
  } else return undefined
  return texts.join('\0')
}

const isInstructions = (turn: unknown): turn is Readonly<Record<string, unknown>> =>
  isObject(turn) && (turn.role === 'system' || turn.role === 'developer')

/** The beginning of the first instructions of a body, at most 512 UTF-16 units; empty where it has none. */
export const instructionsBeginning = (
  dialect: Pick<Dialect, 'requestRules'>,
  body: Readonly<Record<string, unknown>>,
): string => {
  const { instructions, turns } = dialect.requestRules.opening(body)
  const own = cut(instructions)
  if (own !== '' || !Array.isArray(turns)) return own
  const [first] = turns as unknown[]
  return isInstructions(first) ? cut(first.content) : ''
}

/** Texts of a plain body that identify its conversation and its program. */
export interface Beginnings {
  /** The result of `conversationBeginning`. */
  readonly whole: string
  /** The result of `instructionsBeginning`. */
  readonly instructions: string
}

/** Both beginnings of a plain body, whose turns are few texts, in one pass; undefined where it has no turns. */
export const beginningsOf = (
  dialect: Pick<Dialect, 'requestRules'>,
  body: Readonly<Record<string, unknown>>,
): Beginnings | undefined => {
  const { instructions: given, turns } = dialect.requestRules.opening(body)
  const own = given === undefined ? '' : cut(given)
  if (typeof turns === 'string') return { whole: `${own}\0${turns.slice(0, prefix)}`, instructions: own }
  if (!Array.isArray(turns)) return undefined
  let whole = own
  let instructions = own
  for (let at = 0; at < turns.length && at < mostTurns; at += 1) {
    const { role, content, parts } = turns[at] as JsonObject
    const said = content ?? parts
    const speaks = role === 'user' || role === undefined
    // Nearly every user's first message is a text without reminders.
    const isBare = speaks && typeof said === 'string' && said !== '' && !said.startsWith(reminder)
    const text = isBare ? said.slice(0, prefix) : speaks ? cutWords(said) : cut(said)
    if (at === 0 && own === '' && (role === 'system' || role === 'developer')) instructions = cut(content)
    whole += `\0${text}`
    if (speaks) break
  }
  return { whole, instructions }
}
