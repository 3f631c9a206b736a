import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { moduleNames } from '../modules/lists.ts'
import type { FurtherLanguage } from './rules.ts'
import { root, type SourceText } from './sources.ts'

export const translationsSchema = z.record(z.string(), z.record(z.string(), z.string()))
/** Texts by namespace and key. */
export type Translations = z.infer<typeof translationsSchema>

const folder = join(root, 'web/src/languages')
const folderOf = (language: FurtherLanguage): string => join(folder, language)

/** The file of a group of texts: `modules/<name>`, or a part of the console. */
const fileOf = (language: FurtherLanguage, group: string): string =>
  group.startsWith('modules/')
    ? join(root, group, 'texts', `${language}.json`)
    : join(folderOf(language), `${group}.json`)
const sourcesOf = (language: FurtherLanguage): string => join(folder, 'sources', `${language}.json`)

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)))

const writeJson = (path: string, value: unknown): void => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** All translations of a language. Throws where a file is not one of texts by namespace and key. */
export const readTranslations = (language: FurtherLanguage): Translations => {
  if (!existsSync(folderOf(language))) return {}
  const all: Translations = {}
  const ofConsole = readdirSync(folderOf(language)).toSorted()
  const files = [
    ...ofConsole.map((name) => join(folderOf(language), name)),
    ...moduleNames()
      .map((name) => fileOf(language, `modules/${name}`))
      .filter((file) => existsSync(file)),
  ]
  for (const file of files)
    for (const [namespace, texts] of Object.entries(translationsSchema.parse(readJson(file))))
      all[namespace] = { ...all[namespace], ...texts }
  return all
}

/** Fingerprint of the text that was translated: a text with another one has changed since. */
export const fingerprint = ({ zh, en }: SourceText): string =>
  createHash('sha256').update(`${zh}\n${en}`).digest('hex').slice(0, 8)

export const readFingerprints = (language: FurtherLanguage): Translations =>
  existsSync(sourcesOf(language)) ? translationsSchema.parse(readJson(sourcesOf(language))) : {}

/** Writes all files of a language, sorted; texts that no source has any more are left out. */
export const writeTranslations = (
  language: FurtherLanguage,
  sources: readonly SourceText[],
  { translations, fingerprints }: { readonly translations: Translations; readonly fingerprints: Translations },
  keysOf: (source: SourceText) => readonly string[],
): void => {
  const groups = new Map<string, Translations>()
  const prints: Translations = {}
  for (const source of sources) {
    const { group, namespace, key } = source
    for (const form of keysOf(source)) {
      const text = translations[namespace]?.[form]
      if (text === undefined) continue
      const file = groups.get(group) ?? {}
      groups.set(group, file)
      file[namespace] = { ...file[namespace], [form]: text }
      prints[namespace] = { ...prints[namespace], [key]: fingerprints[namespace]?.[key] ?? '' }
    }
  }
  const sortedDeep = (texts: Translations): Translations =>
    sorted(Object.fromEntries(Object.entries(texts).map(([namespace, keys]) => [namespace, sorted(keys)])))
  for (const [group, texts] of groups) writeJson(fileOf(language, group), sortedDeep(texts))
  writeJson(sourcesOf(language), sortedDeep(prints))
}
