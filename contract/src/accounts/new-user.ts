import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName, longestTimeZone } from '../sizes.ts'
import { isTimeZone } from '../time-zone.ts'
import { role } from './access.ts'

/** Days for which the link of an invitation is valid. */
export const invitationDays = 7

/** 43 letters and digits, the part of the link behind `#`. */
const secret = z.string().regex(/^[A-Za-z0-9]{43}$/)
/** Longer than any rule allows: what a field must look like is said one by one. */
const fieldText = z.string().max(1000)
const mostQuota = Number.MAX_SAFE_INTEGER
const mostBudget = 1e15

/** How the new user gets in: by a password, by a link that sets one, or not into the console, but with a key for calls. */
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password'), password: fieldText }),
  z.object({ kind: z.literal('invitation') }),
  z.object({ kind: z.literal('key') }),
])

/**
 * `username` may be left out where there is an address: its part before the @ becomes the name. `quota` is in quota units, that of
 * new users where it is left out; it needs the area billing, a budget the area limits, and only the super admin makes administrators.
 */
export const addUser = endpoint({
  method: 'POST',
  path: '/api/user/add',
  access: 'admin',
  summary:
    'Adds a user with group, balance, monthly budget and role, and with a password, an invitation or a first key: all of it or nothing',
  body: z.object({
    username: fieldText.default(''),
    email: fieldText.default(''),
    display_name: fieldText.default(''),
    /** `default` where it is empty. */
    group: z.string().max(longestModelName).default(''),
    role: z.literal([role.user, role.admin]).default(role.user),
    quota: z.int().min(0).max(mostQuota).optional(),
    /** Quota units that the user may spend in a month of this zone; a limit refuses further calls. */
    budget: z
      .strictObject({
        amount: z.int().min(1).max(mostBudget),
        time_zone: z.string().max(longestTimeZone).refine(isTimeZone).default('UTC'),
      })
      .optional(),
    entry,
  }),
  data: z.object({
    id: z.int(),
    username: z.string(),
    /** The whole key without `sk-`; empty without a key. It stands in this answer alone. */
    key: z.string(),
    /** Secret of the invitation's link; empty without an invitation. It stands in this answer alone. */
    secret: z.string(),
    /** True if the link was sent to the address; false also where the site sends no mail. */
    mailed: z.boolean(),
  }),
})

export const acceptUserInvitation = endpoint({
  method: 'POST',
  path: '/api/user/invitation/accept',
  access: 'visitor',
  critical: 'proof',
  summary: 'Sets the first password of an invited user with the secret of the link; once, within seven days',
  body: z.object({ id: z.int().positive(), secret, password: fieldText }),
})
