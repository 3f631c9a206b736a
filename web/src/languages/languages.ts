import type { Texts } from './texts.ts'

/** Languages beside Chinese and English; each has a folder here with a JSON file for each part of the console. */
export type FurtherLanguage = 'fr' | 'ja' | 'ru' | 'vi' | 'zh-TW'

/** One request for each language. */
const loaders: Readonly<Record<FurtherLanguage, () => Promise<{ texts: Texts }>>> = {
  fr: () => import('./fr.ts'),
  ja: () => import('./ja.ts'),
  ru: () => import('./ru.ts'),
  vi: () => import('./vi.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
}

export const isFurtherLanguage = (language: string): language is FurtherLanguage => Object.hasOwn(loaders, language)

/** Rejects where the file cannot be loaded. */
export const loadTexts = async (language: FurtherLanguage): Promise<Texts> => (await loaders[language]()).texts
