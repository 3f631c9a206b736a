import { z } from 'zod'

export const mostTags = 10
export const longestTagValue = 60
export const tagName = /^[\w.-]{1,40}$/

/** Cost tags: short names and values, all of which fit a column together. */
export const costTags = z
  .record(
    z.string().regex(tagName),
    z
      .string()
      .max(longestTagValue)
      .regex(/^[^;\p{Cc}]*$/u),
  )
  .refine((tags) => Object.keys(tags).length <= mostTags && JSON.stringify(tags).length <= 190)

/** A filter by a tag: `name=value`, or `name` for any value. */
export const tagFilter = z.string().trim().max(110).default('')
