import { pageSizes } from '../api/contract.ts'

/** Search parameters as plain text, so that links stay readable. */
export type Search = Readonly<Record<string, string>>

export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

/** The inverse of `parseSearch`; undefined and empty values disappear. */
export const printSearch = (search: Readonly<Record<string, unknown>>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? '' : `?${text}`
}

export const readWhole = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value > 0 ? value : fallback
}

export const readPageSize = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return (pageSizes as readonly number[]).includes(value) ? value : fallback
}

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** `name` or `-name`, the form that the contract's `sortQuery` reads. */
export const readSort = (text: string | undefined): Sort | undefined =>
  text ? { column: text.replace(/^-/, ''), descending: text.startsWith('-') } : undefined

export const printSort = (sort: Sort | undefined): string | undefined =>
  sort && `${sort.descending ? '-' : ''}${sort.column}`

export const readList = (text: string | undefined): string[] => (text ? text.split(',').filter(Boolean) : [])

export const printList = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.join(',')
