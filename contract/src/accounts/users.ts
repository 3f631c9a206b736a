import { z } from 'zod'
import { batchResult, batchRows, batchSummary, exactNumbers } from '../batches.ts'
import { endpoint } from '../endpoint.ts'
import { countEndpoint } from '../facets.ts'
import { idParams, notQuery, numberList, pageOf, pageQuery, sortQuery } from '../page.ts'
import {
  longestDisplayName,
  longestPassword,
  longestReason,
  longestUsername,
  shortestPassword,
  usernamePattern,
} from './account-rules.ts'
import { permissionLevels, readySetNames, staffAreas } from './permissions.ts'

/**
 * Notification settings as users are shown them, JSON text in `setting`.
 * The secret is never shown: `webhook_secret_set` says that there is one.
 */
export const userSetting = z.object({
  notify_type: z.enum(['email', 'webhook']).optional(),
  quota_warning_threshold: z.number().optional(),
  webhook_url: z.string().optional(),
  webhook_secret_set: z.boolean().optional(),
  notification_email: z.string().optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
})
export type UserSetting = z.output<typeof userSetting>

/** The name of a ready set or `custom`, and what it comes to. */
export const staffPermissions = z.object({
  set: z.enum([...readySetNames, 'custom']),
  areas: z.partialRecord(z.enum(staffAreas), z.enum(permissionLevels)),
})
export type StaffPermissions = z.output<typeof staffPermissions>

/** A user as the API shows it. Never holds the password; `access_token` is always empty (it is shown once, when made). */
export const user = z.object({
  id: z.int(),
  username: z.string(),
  password: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  access_token: z.string(),
  group: z.string(),
  /** Remaining quota, in quota units. */
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: z.int(),
  aff_history_quota: z.int(),
  inviter_id: z.int(),
  /** Number of the organisation whose wallet this is; absent for people. */
  organisation_id: z.int().optional(),
  /** RFC 3339, or null while the account lives. */
  DeletedAt: z.string().nullable(),
  setting: z.string(),
  /** Permissions of an administrator by area; null for all. */
  permissions: staffPermissions.nullable(),
  verification_code: z.string(),
  created_time: z.int(),
  last_login_time: z.int(),
})
export type User = z.output<typeof user>

export const usernameText = z.string().trim().min(1).max(longestUsername).regex(usernamePattern)
export const passwordText = z.string().min(shortestPassword).max(longestPassword)
export const displayNameText = z.string().trim().max(longestDisplayName)

const userSort = sortQuery([
  'id',
  'username',
  'group',
  'quota',
  'used_quota',
  'request_count',
  'role',
  'status',
  'created_time',
  'last_login_time',
])

/** Stands for cancelled users in the status filter of the lists, whatever status they had. */
export const cancelledUsers = -1
const listFilter = {
  role: numberList,
  status: numberList,
  /** `people`, or `wallets` of organisations, which are users without a sign-in; both where it is empty. */
  kind: z.string().default(''),
  ...notQuery,
}
export const userFilter = { keyword: z.string().default(''), group: z.string().default(''), ...listFilter }

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/user/',
  access: 'admin',
  summary: 'Users, newest first, cancelled ones included',
  query: z.object({ ...pageQuery, ...listFilter, sort: userSort }),
  data: pageOf(user),
})

export const searchUsers = endpoint({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  summary: 'Users by id, username, display name or e-mail, and by group',
  query: z.object({ ...pageQuery, ...userFilter, sort: userSort }),
  data: pageOf(user),
})

/** Users of a page whose activity is read at once. */
export const mostActivities = 100

export const listUserActivity = endpoint({
  method: 'GET',
  path: '/api/user/activity',
  access: 'admin',
  summary: 'When some users were last active, and their spend of the last 30 days; of the first 100',
  query: z.object({ ids: numberList }),
  data: z.array(
    z.object({
      user_id: z.int(),
      /** The last sign-in or call, unix seconds; 0 for never. Calls count by the hour, those before yesterday by the day. */
      last_active: z.int(),
      /** Quota units. */
      spend: z.int(),
    }),
  ),
})

const userFacets = ['group', 'role', 'status'] as const
export type UserFacet = (typeof userFacets)[number]

export const countUsers = countEndpoint({
  path: '/api/user',
  access: 'admin',
  rows: 'users',
  facets: userFacets,
  filter: userFilter,
})

export const batchUsers = endpoint({
  method: 'POST',
  path: '/api/user/batch/run',
  access: 'admin',
  summary: batchSummary('users'),
  body: z.object({
    which: batchRows({ ...userFilter, status: exactNumbers, role: exactNumbers }),
    act: z.discriminatedUnion('kind', [
      /** Deleting cancels the account. */
      z.object({ kind: z.enum(['enable', 'disable', 'delete']) }),
      z.object({ kind: z.literal('group'), group: z.string().min(1) }),
    ]),
  }),
  data: batchResult,
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  access: 'admin',
  summary: 'One user',
  params: idParams,
  data: user,
})

export const createUser = endpoint({
  method: 'POST',
  path: '/api/user/',
  access: 'admin',
  summary: 'Creates an ordinary user',
  body: z.object({
    username: z.string(),
    password: z.string(),
    display_name: z.string().optional(),
    role: z.int().optional(),
    /**
     * Group, and balance in quota units, in place of those that new users get. Older clients send `group` and `quota` of whole
     * users, which do not count here.
     */
    opening: z
      .object({ group: z.string().optional(), quota: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional() })
      .optional(),
  }),
  data: z.object({ id: z.int() }),
})

/**
 * Absent fields stay as they are. `quota_delta` adds to the balance or takes from it. `quota` is the new balance: together
 * with `used_quota` as both were read, what was spent since then is not given back.
 */
export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/user/',
  access: 'admin',
  summary: 'Changes a user',
  body: z.object({
    id: z.int().positive(),
    username: z.string().optional(),
    password: z.string().optional(),
    display_name: z.string().optional(),
    group: z.string().optional(),
    quota: z.int().optional(),
    used_quota: z.int().optional(),
    quota_delta: z.int().optional(),
    /** Made anew for each `quota_delta`: repeating the call with the same one adjusts once. */
    adjustment: z
      .string()
      .regex(/^[\w-]{8,64}$/)
      .optional(),
    reason: z.string().max(longestReason).optional(),
    role: z.int().optional(),
  }),
})

export const manageUser = endpoint({
  method: 'POST',
  path: '/api/user/manage',
  access: 'admin',
  summary: 'Promotes, demotes, disables, enables or cancels a user',
  body: z.object({ id: z.int(), action: z.enum(['disable', 'enable', 'delete', 'promote', 'demote']) }),
  data: user,
})

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/user/:id',
  access: 'admin',
  summary: 'Cancels a user',
  params: idParams,
})

export const getSelf = endpoint({
  method: 'GET',
  path: '/api/user/self',
  access: 'user',
  summary: 'The caller',
  data: user,
})

/** Changing the password needs `original_password`; setting the first one needs a fresh proof of identity instead. */
export const updateSelf = endpoint({
  method: 'PUT',
  path: '/api/user/self',
  access: 'user',
  summary: 'Changes the own profile or password',
  body: z.object({
    username: z.string().optional(),
    display_name: z.string().optional(),
    password: z.string().optional(),
    original_password: z.string().optional(),
  }),
})

/** The caller's account; the super admin's cannot be cancelled. */
export const deleteSelf = endpoint({
  method: 'DELETE',
  path: '/api/user/self',
  access: 'user',
  confirm: true,
  summary: 'Cancels the own account',
})

/** Kept for existing API clients; the console uses POST. */
export const makeAccessToken = endpoint({
  method: 'GET',
  path: '/api/user/token',
  access: 'user',
  changes: true,
  confirm: true,
  summary: 'Replaces the system access token and shows it once',
  data: z.string(),
})

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/user/token',
  access: 'user',
  confirm: true,
  summary: 'Replaces the system access token and shows it once',
  data: z.string(),
})

export const getOwnModels = endpoint({
  method: 'GET',
  path: '/api/user/models',
  access: 'user',
  summary: 'Names of the models the caller can use',
  data: z.array(z.string()),
})

/** Permissions as they are set: a ready set by its name, or levels of their own. */
export const staffGrant = z.discriminatedUnion('set', [
  z.object({ set: z.enum(readySetNames) }),
  staffPermissions.extend({ set: z.literal('custom') }),
])
export type StaffGrant = z.output<typeof staffGrant>

export const setPermissions = endpoint({
  method: 'PUT',
  path: '/api/user/:id/permissions',
  access: 'root',
  confirm: true,
  summary: 'Says what an administrator may read and change, by area; null for everything that administrators may',
  params: idParams,
  body: z.object({ permissions: staffGrant.nullable() }),
  data: user,
})
