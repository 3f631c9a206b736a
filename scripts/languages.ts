import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { printChanged } from './languages/changed.ts'
import {
  fingerprint,
  readFingerprints,
  readTranslations,
  type Translations,
  translationsSchema,
  writeTranslations,
} from './languages/files.ts'
import { type FurtherLanguage, furtherLanguages, isFurtherLanguage, keysOf, problemOf } from './languages/rules.ts'
import { readSources, type SourceText } from './languages/sources.ts'

const usage = `node scripts/languages.ts status
node scripts/languages.ts missing <language> [--namespace <name>] [--batch <texts>]
node scripts/languages.ts merge <language> <file.json>
node scripts/languages.ts changed <commit>
Languages: ${furtherLanguages.join(', ')}. See docs/translating.md.`

/** Texts without a translation, and those whose source has changed since. */
const openTexts = (language: FurtherLanguage, sources: readonly SourceText[]): SourceText[] => {
  const translations = readTranslations(language)
  const prints = readFingerprints(language)
  return sources.filter(
    (source) =>
      keysOf(language, source).some((key) => translations[source.namespace]?.[key] === undefined) ||
      prints[source.namespace]?.[source.key] !== fingerprint(source),
  )
}

/** Prints texts for a translator by namespace and key, with the keys to write for a text that has several forms. */
const printMissing = (language: FurtherLanguage, namespace: string | undefined, batch: number): void => {
  const open = openTexts(language, readSources()).filter((source) => !namespace || source.namespace === namespace)
  const printed: Record<string, Record<string, { zh: string; en: string; write?: string[] }>> = {}
  for (const source of open.slice(0, batch)) {
    const keys = keysOf(language, source)
    const forms = keys.length > 1 ? { write: keys } : {}
    printed[source.namespace] = {
      ...printed[source.namespace],
      [source.key]: { zh: source.zh, en: source.en, ...forms },
    }
  }
  console.log(JSON.stringify(printed, null, 2))
  console.error(`${Math.min(batch, open.length)} of ${open.length} open texts`)
}

const merge = (language: FurtherLanguage, path: string): void => {
  const sources = readSources()
  const incoming = translationsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  const translations: Translations = readTranslations(language)
  const prints = readFingerprints(language)
  const problems: string[] = []
  const fit = new Map(
    sources.flatMap((source) =>
      keysOf(language, source).map((key) => [`${source.namespace}\n${key}`, source] as const),
    ),
  )
  let merged = 0
  for (const [namespace, texts] of Object.entries(incoming))
    for (const [key, text] of Object.entries(texts)) {
      const source = fit.get(`${namespace}\n${key}`)
      const problem = source ? problemOf(source, text) : 'is no text of the console in this form'
      if (!source || problem) problems.push(`${namespace}.${key} ${problem}`)
      else {
        translations[namespace] = { ...translations[namespace], [key]: text }
        prints[namespace] = { ...prints[namespace], [source.key]: fingerprint(source) }
        merged += 1
      }
    }
  writeTranslations(language, sources, { translations, fingerprints: prints }, (source) => keysOf(language, source))
  for (const problem of problems) console.error(problem)
  console.error(`${merged} texts merged, ${problems.length} refused, ${openTexts(language, sources).length} open`)
  if (problems.length > 0) process.exitCode = 1
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { namespace: { type: 'string' }, batch: { type: 'string', default: '200' } },
})
const [command, language, file] = positionals
if (command === 'status') {
  const sources = readSources()
  for (const each of furtherLanguages)
    console.log(`${each}: ${openTexts(each, sources).length} of ${sources.length} open`)
} else if (command === 'missing' && isFurtherLanguage(language))
  printMissing(language, values.namespace, Number(values.batch) || 200)
else if (command === 'merge' && isFurtherLanguage(language) && file) merge(language, file)
else if (command === 'changed' && language) console.log(await printChanged(language))
else {
  console.error(usage)
  process.exitCode = 1
}
