import { z } from 'zod'
import { userFilter } from './accounts/users.ts'
import { channelFilter } from './channels/channels.ts'
import { endpoint } from './endpoint.ts'
import { redemptionFilter, redemptionStatus } from './redemptions.ts'
import { longestChannelName } from './sizes.ts'
import { tokenFilter, tokenStatus } from './tokens.ts'

/** Rows that one call changes at most; it answers where to go on. */
export const batchSize = 100

/** Unlike in an address, a list that cannot be read must not mean "all" where rows are changed. */
const numbers = z
  .string()
  .regex(/^(-?\d{1,15}(,-?\d{1,15})*)?$/)
  .optional()
  .transform((text) => (text ? text.split(',').map(Number) : []))

/**
 * Which rows: these, or all that fit the filters of the list, the newest first. A call changes a batch and answers `next`,
 * the id before which the next call goes on; so rows that come meanwhile are never among them.
 */
const chosen = <Filter extends z.ZodRawShape>(filter: Filter) =>
  z.union([
    z.object({ ids: z.array(z.int().positive()).min(1).max(batchSize) }),
    z.object({ filter: z.strictObject(filter), before: z.int().positive().optional() }),
  ])

/** The result of a batch. */
export const batchResult = z.object({
  done: z.int(),
  failed: z.array(z.object({ id: z.int(), name: z.string(), reason: z.string() })),
  /** The `before` of the call for the remaining rows; null when none remain. */
  next: z.int().nullable(),
})
export type BatchResult = z.output<typeof batchResult>

const noun = (what: string) => `Does the same to many ${what}, by id or by the filters of the list, a batch at a time`

export const batchChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/run',
  access: 'admin',
  summary: noun('channels'),
  body: z.object({
    which: chosen({ ...channelFilter, status: numbers, type: numbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      z.object({ kind: z.literal('status'), status: z.literal([1, 2]) }),
      /** Null takes the tag away. */
      z.object({ kind: z.literal('tag'), tag: z.string().max(longestChannelName).nullable() }),
      z.object({ kind: z.literal('priority'), priority: z.int() }),
      z.object({ kind: z.literal('weight'), weight: z.int().min(0) }),
      /** A comma list of groups, in place of those that the channel has. */
      z.object({ kind: z.literal('group'), group: z.string().trim().min(1) }),
    ]),
  }),
  data: batchResult,
})

export const batchTokens = endpoint({
  method: 'POST',
  path: '/api/token/batch/run',
  access: 'user',
  summary: noun('own tokens'),
  body: z.object({
    which: chosen({ ...tokenFilter, status: numbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      z.object({ kind: z.literal('status'), status: z.literal([tokenStatus.enabled, tokenStatus.disabled]) }),
      /** Empty for the group of the token's owner. */
      z.object({ kind: z.literal('group'), group: z.string() }),
    ]),
  }),
  data: batchResult,
})

export const batchUsers = endpoint({
  method: 'POST',
  path: '/api/user/batch/run',
  access: 'admin',
  summary: noun('users'),
  body: z.object({
    which: chosen({ ...userFilter, status: numbers, role: numbers }),
    act: z.discriminatedUnion('kind', [
      /** Deleting cancels the account. */
      z.object({ kind: z.enum(['enable', 'disable', 'delete']) }),
      z.object({ kind: z.literal('group'), group: z.string().min(1) }),
    ]),
  }),
  data: batchResult,
})

export const batchRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption/batch/run',
  access: 'admin',
  summary: noun('redemption codes'),
  body: z.object({
    which: chosen({ ...redemptionFilter, status: numbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      z.object({
        kind: z.literal('status'),
        status: z.literal([redemptionStatus.unused, redemptionStatus.disabled]),
      }),
    ]),
  }),
  data: batchResult,
})
