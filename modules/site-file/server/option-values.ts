import { type Option, type OptionKey, options, sections } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { OptionSection } from './site-file.ts'

const sectionByKey: ReadonlyMap<string, OptionSection> = new Map(
  sections.flatMap(({ name, options: ofSection }) =>
    Object.keys(ofSection).map((key) => [key, name === 'groups' || name === 'prices' ? name : 'options'] as const),
  ),
)

/** Section of an option in a site file. */
export const sectionOf = (key: OptionKey): OptionSection => sectionByKey.get(key) ?? 'options'

export const optionOf = (key: OptionKey): Option => options[key]

const separatorOf = ({ control }: Option): string => (control === 'tags' ? ',' : '\n')

/** The text of an option as the value that a site file has. */
export const writtenValue = (option: Option, text: string): unknown => {
  switch (option.control) {
    case 'flag':
      return text === 'true'
    case 'integer':
    case 'decimal':
      return Number(text)
    case 'json':
      return parseJson(text) ?? text
    case 'tags':
    case 'lines':
      return text.split(separatorOf(option)).filter((entry) => entry !== '')
    default:
      return text
  }
}

/** The value in a site file as text; undefined where it has another shape. */
const textOf = (option: Option, value: unknown): string | undefined => {
  if (option.control === 'json') return typeof value === 'string' ? value : JSON.stringify(value)
  if (Array.isArray(value))
    return option.control === 'tags' || option.control === 'lines' ? value.join(separatorOf(option)) : undefined
  return typeof value === 'object' ? undefined : String(value)
}

/** The value of an option in a site file as the site would print it, or why it cannot be used. */
export const printedOf = (option: Option, value: unknown): { text: string } | { problem: string } => {
  const text = textOf(option, value)
  if (text === undefined) return { problem: `It must be: ${option.allowed.en}` }
  const reading = option.read(text)
  return reading.ok ? { text: option.print(reading.value) } : { problem: `It must be: ${reading.reason.en}` }
}
