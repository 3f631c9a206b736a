import type { Language } from '../../lib/i18n.ts'
import { doubledName, outerNames, syntaxFault } from './json-place.ts'
import type { SaySetting } from './messages.ts'
import { type Key, optionOf } from './registry.ts'

const jsonFault = (key: Key, text: string, say: SaySetting): string | undefined => {
  const syntax = syntaxFault(text)
  if (syntax) return syntax.line === undefined ? say('badJson') : say('badJsonLine', { line: syntax.line })
  const doubled = doubledName(text)
  if (doubled) return say('doubledName', doubled)
  const parsed = optionOf(key).schema.safeParse(JSON.parse(text))
  const place = parsed.error?.issues[0]?.path[0]
  const line = outerNames(text).find(({ name }) => name === place)?.line
  return line === undefined ? undefined : say('badEntry', { line })
}

/** Why the text cannot be saved, in words for the field; undefined when it can. */
export const problemOf = (key: Key, text: string, language: Language, say: SaySetting): string | undefined => {
  const option = optionOf(key)
  const reading = option.read(text)
  const place = option.control === 'json' ? jsonFault(key, text, say) : undefined
  if (reading.ok) return place
  const reason = reading.reason[language]
  if (option.control !== 'json') return reason
  if (syntaxFault(text)) return place ?? reason
  return place === undefined ? reason : `${place}${reason}`
}

/** The text as the server will print it; undefined when it cannot be read. */
export const printed = (key: Key, text: string): string | undefined => {
  const option = optionOf(key)
  const reading = option.read(text)
  return reading.ok ? option.print(reading.value) : undefined
}

/** The sentence to show before this change: flags warn when they leave their default, others at any change. */
export const riskOf = (key: Key, text: string, language: Language): string | undefined => {
  const { risk, control, fallback, print } = optionOf(key)
  if (!risk || (control === 'flag' && text === print(fallback))) return undefined
  return risk[language]
}
