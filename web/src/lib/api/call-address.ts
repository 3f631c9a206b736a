import { ownMember } from '@tollgate/contract/own-member'
import { currentLanguage, sourceOf } from '../i18n.ts'
import { belowBase } from '../url/page-paths.ts'
import { storedUser } from './session.ts'

/** Values for the address and the body of a call. */
export interface LooseParts {
  params?: unknown
  query?: unknown
  body?: unknown
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The address of a call: path parameters filled in, empty query values left out. */
export const addressOf = (path: string, parts: LooseParts): string => {
  const params = record(parts.params)
  const filled = belowBase(path).replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(ownMember(params, name) ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(record(parts.query)))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString()
  return text === '' ? filled : `${filled}?${text}`
}

/** Headers of every call. */
export const callHeaders = (): Record<string, string> => ({
  'New-API-User': String(storedUser()?.id ?? -1),
  'Cache-Control': 'no-store',
  'Accept-Language': sourceOf(currentLanguage()),
})
