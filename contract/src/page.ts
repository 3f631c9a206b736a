import { z } from 'zod'
import { largestPageSize, longestTimeZone } from './sizes.ts'

/** Rows of a page where the query names no size. */
export const defaultPageSize = 10
/** Rows of a page of the console, until the reader chooses another number. */
export const shownPageSize = 25
export const pageSizes = [10, 20, 25, 50, 100] as const
/** Beyond it, offsets would leave the whole numbers that a database takes. */
const lastPage = 1_000_000

/** A whole number in a query string; anything unreadable counts as absent. */
const wholeNumber = z.coerce.number().int().optional().catch(undefined)

const size = wholeNumber.transform((n) => (n === undefined || n < 1 ? defaultPageSize : Math.min(n, largestPageSize)))

/** Paging of the lists whose first page is 1: users, logs, redemptions and everything the console browses. */
export const pageQuery = {
  p: wholeNumber.transform((n) => (n === undefined || n < 1 ? 1 : Math.min(n, lastPage))),
  page_size: size,
}

/** Paging of the lists whose first page is 0 (channels, tokens), as existing API clients expect. */
export const zeroPageQuery = {
  p: wholeNumber.transform((n) => (n === undefined || n < 0 ? 0 : Math.min(n, lastPage))),
}

export const pageSize = size

/** `sort=name` or `sort=-name`; an unknown column falls back to the list's own order. */
export const sortQuery = <const Columns extends readonly [string, ...string[]]>(columns: Columns) =>
  z
    .string()
    .optional()
    .transform((text): { column: Columns[number]; descending: boolean } | undefined => {
      const column = text?.replace(/^-/, '')
      return text !== undefined && column !== undefined && (columns as readonly string[]).includes(column)
        ? { column: column as Columns[number], descending: text.startsWith('-') }
        : undefined
    })

/** A comma list of numbers in a query string, e.g. `status=1,3`; unreadable parts are left out. */
export const numberList = z
  .string()
  .optional()
  .transform((text) => (text ? text.split(',').map(Number).filter(Number.isSafeInteger) : []))

/** A comma list of words in a query string. */
export const wordList = z
  .string()
  .optional()
  .transform((text) => (text ? text.split(',').filter((word) => word !== '') : []))

/** Names of filters whose values are left out instead of kept: with `status=2&not=status` everything that is not disabled. */
export const notQuery = { not: wordList }

/** A page of a list, newest first unless sorted. `total` is exact unless the list says it is capped. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    /** True when `total` is a lower bound because counting stopped there. */
    total_capped: z.boolean().optional(),
  })

export interface Page<T> {
  items: T[]
  total: number
  page: number
  page_size: number
  total_capped?: boolean | undefined
}

export const idParams = z.object({ id: z.coerce.number().int().positive() })

/** IANA name of the zone in which days begin; its own check is the reader's. */
export const zoneQuery = z.string().max(longestTimeZone).default('UTC')

/**
 * One of several words in a query; `fallback` where it is absent or empty. Another word is refused: an answer to another question than the one
 * that was asked looks right. An endpoint that takes one sets `unusableBodyStatus: 400`.
 */
export const queryChoice = <
  const Choices extends readonly [string, ...string[]],
  const Fallback extends Choices[number] | undefined,
>(
  choices: Choices,
  fallback: Fallback,
) =>
  z
    .union([z.enum(choices), z.literal('')])
    .default('')
    .transform(
      (chosen): Choices[number] | Fallback => (chosen === '' ? fallback : chosen) as Choices[number] | Fallback,
    )
