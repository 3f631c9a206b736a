import { isObject, type Members, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'

/** What Google says in the details of an error that others say with the status or a header (google.rpc.ErrorInfo, RetryInfo). */
export interface GoogleHints {
  /** A wrong key comes as a bad request. */
  readonly status?: number
  /** Seconds, as in `Retry-After`. */
  readonly retryAfter?: string
}

const seconds = (delay: string): string | undefined => {
  const [, number] = /^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []
  return number === undefined ? undefined : String(Math.ceil(Number(number)))
}

export const googleHints = (json: unknown): GoogleHints => {
  const details = objectsOf(membersOf(isObject(json) ? json.error : undefined).details)
  const of = (name: string): Members => details.find((its) => textOf(its['@type']).endsWith(`google.rpc.${name}`)) ?? {}
  const retryAfter = seconds(textOf(of('RetryInfo').retryDelay))
  return {
    ...(of('ErrorInfo').reason === 'API_KEY_INVALID' ? { status: 401 } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}
