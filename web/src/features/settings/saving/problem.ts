import { type ConsoleLanguage, textIn } from '../../../lib/i18n.ts'
import { doubledName, faultLine, outerNames } from '../controls/json-place.ts'
import type { SaySetting } from '../messages.ts'
import type { Key } from '../registry.ts'
import { fullOptionOf } from './full-option.ts'

const jsonFault = (key: Key, text: string, language: ConsoleLanguage, say: SaySetting): string | undefined => {
  const broken = faultLine(text)
  if (broken !== null) return say('badJson', { line: broken })
  const doubled = doubledName(text)
  if (doubled) return say('doubledName', doubled)
  const reading = fullOptionOf(key).read(text)
  if (reading.ok) return undefined
  const parsed = fullOptionOf(key).schema.safeParse(JSON.parse(text))
  const place = parsed.error?.issues[0]?.path[0]
  const line = outerNames(text).find(({ name }) => name === place)?.line
  const reason = textIn(reading.reason, language)
  return line === undefined ? reason : say('badEntry', { line, reason })
}

/** Why the text cannot be saved, in words for the field; undefined when it can. */
export const problemOf = (key: Key, text: string, language: ConsoleLanguage, say: SaySetting): string | undefined => {
  const option = fullOptionOf(key)
  if (option.control === 'json') return jsonFault(key, text, language, say)
  const reading = option.read(text)
  return reading.ok ? undefined : textIn(reading.reason, language)
}

/** The text as the server will print it; undefined when it cannot be read. */
export const printed = (key: Key, text: string): string | undefined => {
  const option = fullOptionOf(key)
  const reading = option.read(text)
  return reading.ok ? option.print(reading.value) : undefined
}

/** The default as it is stored. */
export const standardOf = (key: Key): string => {
  const { print, fallback } = fullOptionOf(key)
  return print(fallback)
}

/** The sentence to show before this change: flags warn when they leave their default, others at any change. */
export const riskOf = (key: Key, text: string, language: ConsoleLanguage): string | undefined => {
  const { risk, control, fallback, print } = fullOptionOf(key)
  if (!risk || (control === 'flag' && text === print(fallback))) return undefined
  return textIn(risk, language)
}
