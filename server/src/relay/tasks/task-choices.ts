import { isObject } from '@tollgate/contract/json'
import { declaredVersions } from '../../billing/declared/task-versions.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { foldedName } from '../named-models/member-names.ts'

type Platform = keyof typeof declaredVersions
type Body = Readonly<Record<string, unknown>>

/** Most choices of one task, and the longest name of one. */
const mostChoices = 8
const longestName = 120

/** Names of members that choose a variant of the service, which may have another price. */
const choosing = /version|model|speed|mode|tier|quality|resolution|duration/

/** Members with such a name that change no price: docs.sunoapi.org/suno-api/generate-music; github.com/Suno-API/Suno-API. */
const plain: Readonly<Record<Platform, ReadonlySet<string>>> = {
  midjourney: new Set(),
  suno: new Set(['custommode']),
}

/** Values that are the default. */
const usualValues: ReadonlySet<unknown> = new Set([
  ...[null, undefined, '', false, 0, 'fast', 'relax', 'standard', 'default', 'auto', 'normal'],
])

const isUsual = (value: unknown): boolean =>
  usualValues.has(typeof value === 'string' ? value.toLowerCase() : value) ||
  (Array.isArray(value) && value.every(isUsual))

/** Parameters in a prompt that cost more or less (docs.midjourney.com, "GPU speed", "Quality", "HD", "Video", "Draft"). */
const parameters = /(?:^|\s)--(turbo|hd|video|draft|(?:quality|q)\s+[\d.]+)(?=\s|$)/g

const inPrompt = (platform: Platform, { prompt }: Body): readonly string[] =>
  platform === 'midjourney' && typeof prompt === 'string'
    ? [...prompt.matchAll(parameters)]
        .map(([, name = '']) => `--${name.replace(/\s+/, ' ')}`)
        .filter((name) => !/^--q(?:uality)? 1$/.test(name))
    : []

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * Choices of a task that may have a price of their own but are in no table: versions of the service's model by their names, other
 * members as `name=value`, and parameters of a prompt. Empty for a default task.
 */
export const taskChoices = (platform: Platform, body: Body): readonly string[] => {
  const { members, usual } = declaredVersions[platform]
  const versions = new Set(members.map(foldedName))
  const found = new Set<string>()
  const look = (object: Body, depth: number): void => {
    for (const [name, value] of Object.entries(object)) {
      const folded = foldedName(name)
      if (isObject(value)) {
        if (depth === 0) look(value, 1)
        continue
      }
      if (versions.has(folded) && typeof value === 'string') {
        if (!usual.has(value)) found.add(value)
      } else if (choosing.test(folded) && !plain[platform].has(folded) && !isUsual(value))
        found.add(`${name}=${textOf(value)}`)
    }
  }
  look(body, 0)
  for (const parameter of inPrompt(platform, body)) found.add(parameter)
  return [...found].slice(0, mostChoices).map((name) => shortText(name, longestName))
}
