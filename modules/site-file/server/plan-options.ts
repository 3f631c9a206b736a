import { compareOptionSecrets, isOptionKey, optionKeys } from '@tollgate/contract'
import { differences } from './differences.ts'
import { optionOf, printedOf, sectionOf, writtenValue } from './option-values.ts'
import { type OptionStep, type PlanParts, secretText } from './plan.ts'
import { optionSections, secretReference } from './site-file.ts'
import type { FileProblem } from './site-file-error.ts'

interface WrittenSecret {
  readonly key: string
  readonly value: string
}

interface Wanted {
  readonly texts: ReadonlyMap<string, string>
  readonly secrets: readonly WrittenSecret[]
  readonly problems: readonly FileProblem[]
}

/** Options that the file sets, and the problems in them. */
const wantedOf = ({ file, site, secretOf }: PlanParts): Wanted => {
  const texts = new Map<string, string>()
  const secrets: WrittenSecret[] = []
  const problems: FileProblem[] = []
  const read = (key: string, value: unknown, section: string): string | undefined => {
    if (!isOptionKey(key)) return 'There is no such option'
    const option = optionOf(key)
    if (sectionOf(key) !== section) return `It belongs below ${sectionOf(key)}`
    if (option.secret) {
      const reference = secretReference.safeParse(value)
      if (!reference.success) return reference.error.issues[0]?.message
      const found = secretOf(reference.data)
      if (found !== undefined) secrets.push({ key, value: found })
      return undefined
    }
    if (!site.options.has(key)) return 'The site does not show it to this user, or has another version'
    const printed = printedOf(option, value)
    if ('problem' in printed) return printed.problem
    texts.set(key, printed.text)
    return undefined
  }
  for (const section of optionSections) {
    for (const [key, value] of Object.entries(file.content[section] ?? {})) {
      try {
        const message = read(key, value, section)
        if (message !== undefined) problems.push({ path: [section, key], message })
      } catch (error) {
        problems.push({ path: [section, key], message: error instanceof Error ? error.message : String(error) })
      }
    }
  }
  return { texts, secrets, problems }
}

const most = 100

/** Changes of options. With `prune`, those that a section of the file does not name go back to their defaults. */
export const planOptions = async (parts: PlanParts): Promise<{ steps: OptionStep[]; unnamed: string[] }> => {
  const { file, site, api, prune } = parts
  const { texts, secrets, problems } = wantedOf(parts)
  file.refuse(problems)
  const differing = new Set<string>()
  for (let from = 0; from < secrets.length; from += most) {
    const some = secrets.slice(from, from + most)
    for (const key of await api.call(compareOptionSecrets, { body: { secrets: some } })) differing.add(key)
  }
  const secretTexts = new Map(secrets.map(({ key, value }) => [key, value]))
  const steps: OptionStep[] = []
  const unnamed: string[] = []
  for (const key of optionKeys) {
    const option = optionOf(key)
    const title = `option ${key}`
    const named = Object.hasOwn(file.content[sectionOf(key)] ?? {}, key)
    if (option.secret) {
      const text = secretTexts.get(key)
      if (text !== undefined && differing.has(key)) {
        const change = { field: 'value', before: site.secrets.has(key) ? secretText : undefined, after: secretText }
        steps.push({ kind: 'option', verb: 'update', title, key, text, was: undefined, differences: [change] })
      }
      if (!named && site.secrets.has(key)) unnamed.push(title)
      continue
    }
    const was = site.options.get(key)
    const fallback = option.print(option.fallback)
    const isUnnamed = !named && !option.hidden && was !== undefined && was !== fallback
    if (isUnnamed) unnamed.push(title)
    const resets = isUnnamed && prune && file.content[sectionOf(key)] !== undefined
    const text = texts.get(key) ?? (resets ? fallback : undefined)
    if (text === undefined || was === undefined) continue
    const changes = differences('value', writtenValue(option, was), writtenValue(option, text))
    if (changes.length > 0) steps.push({ kind: 'option', verb: 'update', title, key, text, was, differences: changes })
  }
  return { steps, unnamed }
}
