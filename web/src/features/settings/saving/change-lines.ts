import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { type ConsoleLanguage, textIn } from '../../../lib/i18n.ts'
import type { SaySetting } from '../messages.ts'
import type { Key } from '../registry.ts'
import { fullOptionOf } from './full-option.ts'

/** One difference for people: `before` or `after` is empty where there was or will be nothing. */
export interface ChangeLine {
  /** The entry of a map or list that differs; empty for the option itself. */
  readonly entry: string
  readonly before: string
  readonly after: string
}

interface BilingualText {
  readonly language: ConsoleLanguage
  readonly say: SaySetting
}

const longest = 60
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

const one = (before: string, after: string): readonly ChangeLine[] => [{ entry: '', before, after }]

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(value)
    ? Object.fromEntries(value.flatMap((entry) => (isObject(entry) ? Object.entries(entry) : [])))
    : isObject(value)
      ? value
      : {}

const shown = (value: unknown): string =>
  value === undefined ? '' : cut(typeof value === 'string' ? value : JSON.stringify(value))

const mapLines = (before: unknown, after: unknown): readonly ChangeLine[] => {
  const [old, now] = [asRecord(before), asRecord(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((entry) => ({ entry, before: shown(ownMember(old, entry)), after: shown(ownMember(now, entry)) }))
    .filter((line) => line.before !== line.after)
}

const listLines = (before: readonly string[], after: readonly string[]): readonly ChangeLine[] => [
  ...before.filter((entry) => !after.includes(entry)).map((entry) => ({ entry, before: entry, after: '' })),
  ...after.filter((entry) => !before.includes(entry)).map((entry) => ({ entry, before: '', after: entry })),
]

const readValue = (key: Key, text: string): unknown => {
  const reading = fullOptionOf(key).read(text)
  return reading.ok ? reading.value : undefined
}

/** The changes from `before` to `after` (both as stored text); a secret shows only that it changes. */
export const changeLines = (key: Key, before: string, after: string, texts: BilingualText): readonly ChangeLine[] => {
  const { control, choices } = fullOptionOf(key)
  const { language, say } = texts
  const nothing = say('empty')
  if (!fullOptionOf(key).read(after).ok) return one('', say('unreadable'))
  switch (control) {
    case 'secret':
      return one('', say(after === '' ? 'secretRemoved' : 'secretChanged'))
    case 'flag':
      return one(say(before === 'true' ? 'on' : 'off'), say(after === 'true' ? 'on' : 'off'))
    case 'choice': {
      const named = (value: string): string => {
        const choice = choices?.find((entry) => entry.value === value)
        return choice ? textIn(choice.label, language) : value
      }
      return one(named(before), named(after))
    }
    case 'json': {
      const lines = mapLines(readValue(key, before), readValue(key, after))
      return lines.length > 0 ? lines : one('', say('reordered'))
    }
    case 'lines':
    case 'tags': {
      const list = (text: string): readonly string[] => (readValue(key, text) ?? []) as readonly string[]
      const lines = listLines(list(before), list(after))
      return lines.length > 0 ? lines : one('', say('reordered'))
    }
    case 'longText':
      return one(say('characters', { count: before.length }), say('characters', { count: after.length }))
    default:
      return one(cut(before) || nothing, cut(after) || nothing)
  }
}
