const further: ReadonlySet<string> = new Set(['en', 'fr', 'ja', 'ru', 'vi'])
const traditional: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo'])

/** The console's language for a tag such as `zh-Hant-HK` or `fr-CA`; Chinese for all others, as the console itself decides. */
const languageOfTag = (tag: string): string => {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  const [first = ''] = parts
  if (first === 'zh') return parts.some((part) => traditional.has(part)) && !parts.includes('hans') ? 'zh-TW' : 'zh'
  return further.has(first) ? first : 'zh'
}

/**
 * The `lang` of the page before its scripts run: what the reader chose (the cookie that the page keeps), otherwise the first
 * language of the browser.
 */
export const pageLanguage = (headers: Headers): string => {
  const [, chosen] = /(?:^|;\s*)console_language=([\w-]{2,20})(?:;|$)/.exec(headers.get('cookie') ?? '') ?? []
  return languageOfTag(chosen ?? headers.get('accept-language')?.split(/[,;]/)[0] ?? '')
}
