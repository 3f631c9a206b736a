import i18next from 'i18next'
import { readText, writeText } from './storage.ts'
import { createStore, useStore } from './store.ts'

export type Language = 'zh' | 'en'
export const languages: readonly { value: Language; label: string; short: string }[] = [
  { value: 'zh', label: '中文', short: '中' },
  { value: 'en', label: 'English', short: 'EN' },
]

type Words = Readonly<Record<string, string>>

/** A feature's words. Chinese is the source and the fallback; English has the same keys, plurals as `_one` and `_other`. */
export interface Messages {
  readonly zh: Words
  readonly en: Words
}

type MissingEnglish<Z, E> = {
  [K in keyof Z & string]: K extends keyof E ? never : `${K}_other` extends keyof E ? never : K
}[keyof Z & string]

export type Say<Key extends string> = (key: Key, values?: Readonly<Record<string, string | number>>) => string

/** A tag such as `zh-CN` of an older console counts as its language. */
const languageOf = (tag: string | null | undefined): Language => (tag?.toLowerCase().startsWith('en') ? 'en' : 'zh')

const chosen = languageOf(readText('i18nextLng') ?? globalThis.navigator?.language)
const languageStore = createStore<Language>(chosen)

// i18next's own key types are replaced by ours, which know the feature's keys.
const translate = i18next.t as unknown as (key: string, values: Readonly<Record<string, string | number>>) => string

const namespaces = new Map<string, Messages>()

void i18next.init({
  lng: chosen,
  fallbackLng: 'zh',
  supportedLngs: languages.map((language) => language.value),
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
})

/**
 * Registers a feature's words under a namespace and returns the hook that says them. English keys that are missing do
 * not compile. `words('tokens', {...})` → `const say = useWords()` → `say('created', { count: 3 })`.
 */
export const words = <const Z extends Words, const E extends Words>(
  namespace: string,
  messages: {
    zh: Z
    en: E
  } & ([MissingEnglish<Z, E>] extends [never] ? unknown : { missing_in_english: MissingEnglish<Z, E> }),
): { (): Say<keyof Z & string>; say: Say<keyof Z & string>; messages: Messages } => {
  namespaces.set(namespace, messages)
  i18next.addResourceBundle('zh', namespace, messages.zh)
  i18next.addResourceBundle('en', namespace, messages.en)
  const useWords = (): Say<keyof Z & string> => {
    const lng = useStore(languageStore)
    return (key, values) => translate(key, { ns: namespace, lng, ...values })
  }
  /** For code outside components, in the language of the moment. */
  const say: Say<keyof Z & string> = (key, values) => translate(key, { ns: namespace, ...values })
  return Object.assign(useWords, { say, messages })
}

/** Every namespace registered so far; the key test reads it. */
export const registeredMessages = (): ReadonlyMap<string, Messages> => namespaces

export const currentLanguage = (): Language => languageStore.get()

export const setLanguage = async (language: Language): Promise<void> => {
  writeText('i18nextLng', language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
  languageStore.set(language)
}

export const useLanguage = (): Language => useStore(languageStore)
