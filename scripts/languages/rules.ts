import type { SourceText } from './sources.ts'

/** The languages beside Chinese and English. */
export const furtherLanguages = ['fr', 'ja', 'ru', 'vi', 'zh-TW'] as const
export type FurtherLanguage = (typeof furtherLanguages)[number]

/** True once all texts are translated: from then on a text without its translations fails the tests. */
export const translationsAreComplete: boolean = true

export const isFurtherLanguage = (tag: string | undefined): tag is FurtherLanguage =>
  furtherLanguages.some((language) => language === tag)

/** Keys that a language needs for a text: one for each of its plural forms, where the text counts and it has several. */
export const keysOf = (language: FurtherLanguage, { key, counts }: SourceText): string[] => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return counts && forms.length > 1 ? forms.map((form) => `${key}_${form}`).toSorted() : [key]
}

/** Places of errors have one brace, those of the console's own texts two. */
const placesOf = (text: string, { namespace }: SourceText): string =>
  [...new Set([...text.matchAll(namespace === 'errors' ? /\{\w+\}/g : /\{\{\w+\}\}/g)].map(([place]) => place))]
    .toSorted()
    .join(' ')

/** The text whose places a translation fills: of errors the English one, whose parameters are the same for all readers. */
const modelOf = (source: SourceText): string => (source.namespace === 'errors' ? source.en : source.zh)

/** Problem of a translation, or undefined. Every form has all figures: one form may stand for 1 and for 21. */
export const problemOf = (source: SourceText, text: unknown): string | undefined => {
  if (typeof text !== 'string' || text.trim() === '') return 'is empty'
  if (text.length > 4000) return 'is longer than 4000 characters'
  const [filled, places] = [placesOf(text, source), placesOf(modelOf(source), source)]
  return filled === places ? undefined : `has ${filled || 'no places'}, not ${places || 'none'}`
}
