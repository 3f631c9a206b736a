import type { IncomingHttpHeaders } from 'node:http'

/** Language of the gateway's error texts; `both` where the headers do not show which one the client reads. */
export type FailureLanguage = 'zh' | 'en' | 'both'

/** Longer headers are cut: what is preferred stands first. */
const longestHeader = 512

const qualityOf = (parameters: readonly string[]): number => {
  const quality = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
  return quality === undefined ? 1 : Number(quality)
}

interface Wanted {
  readonly tag: string
  readonly quality: number
}

/** Languages that an `Accept-Language` header names, dearest first; `*` names none. */
const wantedIn = (header: string): Wanted[] =>
  header
    .slice(0, longestHeader)
    .split(',')
    .map((entry): Wanted => {
      const [tag = '', ...parameters] = entry.split(';')
      return { tag: tag.trim().toLowerCase(), quality: qualityOf(parameters) }
    })
    .filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0)
    .sort((a, b) => b.quality - a.quality)

/** A client that accepts only other languages is more likely to read English. */
const languageIn = (header: string): 'zh' | 'en' | undefined => {
  const wanted = wantedIn(header)
  if (wanted.length === 0) return undefined
  return wanted.find(({ tag }) => /^(zh|en)\b/.test(tag))?.tag.startsWith('zh') ? 'zh' : 'en'
}

/**
 * Official clients, whose users read English documentation: `OpenAI/JS 7.57.0`, `AsyncAnthropic/Python 1.2`, `claude-cli/2.1.4`,
 * `codex_cli_rs/0.169.0`, `google-genai-sdk/3.1.0`, `GeminiCLI/0.20`. Stainless makes the libraries of OpenAI and Anthropic.
 */
const officialAgent =
  /^(?:(?:async)?(?:azure)?(?:openai|anthropic\w*)[/.]|claude-(?:cli|code)|codex[_-]|geminicli|.{0,80}google-(?:genai-sdk|api-))/i

const isOfficial = (headers: IncomingHttpHeaders): boolean =>
  headers['x-stainless-lang'] !== undefined ||
  headers['x-goog-api-client'] !== undefined ||
  officialAgent.test(headers['user-agent'] ?? '')

/** In which language a client reads errors. */
export const failureLanguage = (headers: IncomingHttpHeaders): FailureLanguage =>
  languageIn(headers['accept-language'] ?? '') ?? (isOfficial(headers) ? 'en' : 'both')
