import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** How many rows of a list have each value of one of its filters, most frequent first. */
export const valueCounts = z.object({
  values: z.array(
    z.object({
      value: z.string(),
      count: z.int(),
      /** Display name, for values that are ids. */
      name: z.string().optional(),
    }),
  ),
  /** True when counting stopped: every count is a lower bound then, and values may be missing. */
  capped: z.boolean(),
})
export type ValueCounts = z.output<typeof valueCounts>

/** The endpoint that counts a list's rows. It takes the filters of the list; the filter of the counted facet has no effect. */
export const countEndpoint = <
  const Names extends readonly [string, ...string[]],
  Filter extends z.ZodRawShape,
  const Who extends 'admin' | 'user',
>(list: {
  path: `/api/${string}`
  access: Who
  rows: string
  facets: Names
  filter: Filter
}) =>
  endpoint({
    method: 'GET',
    path: `${list.path}/facets`,
    access: list.access,
    summary: `How many ${list.rows} have each value of a filter, given the other filters`,
    query: z.object({ facet: z.enum(list.facets), ...list.filter }),
    data: valueCounts,
  })
