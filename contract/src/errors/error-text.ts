/**
 * Values of the placeholders in an error's texts, by their names. If `x` is a text of the server, `x_en` holds it in English; both are
 * equal for names and for text of other programs.
 */
export type ErrorParams = Readonly<Record<string, string | number>>

/** The names of the places of a text. */
export const placesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/**
 * An error that people can meet: HTTP status, who is to blame, and its texts. `{name}` is filled from the error's
 * parameters. Texts that existing API clients match on must stay byte for byte.
 */
export interface ErrorText {
  /** Status on the relay routes; console calls answer 200 with `success: false` unless `consoleStatus` says otherwise. */
  readonly status: number
  readonly consoleStatus?: number
  readonly origin: 'client' | 'gateway' | 'upstream'
  readonly zh: string
  readonly en: string
}

export const client = (status: number, zh: string, en: string, consoleStatus?: number): ErrorText => ({
  status,
  origin: 'client',
  zh,
  en,
  ...(consoleStatus === undefined ? {} : { consoleStatus }),
})
export const gateway = (status: number, zh: string, en: string, consoleStatus?: number): ErrorText => ({
  ...client(status, zh, en, consoleStatus),
  origin: 'gateway',
})
export const upstream = (status: number, zh: string, en: string): ErrorText => ({
  ...client(status, zh, en),
  origin: 'upstream',
})
